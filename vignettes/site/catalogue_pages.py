"""Make the catalogue: a table of costs and results for each family, and the method classes."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
from kept_steps import HERE

import hetsel

FAMILIES = {
    "filters": "Filters",
    "embedded": "Embedded methods",
    "wrappers": "Wrappers",
}
RESULTS = HERE.parent / "which_method_when.jsonl"
JUDGES = ["clinical-svm", "5nn", "naive-bayes"]


def catalogue() -> Iterator[tuple[str, str]]:
    """Yield the tables and pages of the families: name below the sources of the site, Markdown."""
    table, measured = hetsel.method_table(), costs_and_results()
    for family, title in FAMILIES.items():
        methods = table[table["family"] == family].to_dict("records")
        yield f"generated/{family}.md", method_rows(methods, measured)
        yield f"python/{family}.md", class_page(title, methods)


def costs_and_results() -> pd.DataFrame:
    """Summarize which_method_when.jsonl: mean rank, BCR and seconds of each method.

    Mean rank and BCR are over the twelve tables, the mean of three judges, on the splits that every
    method has; seconds are the median of one selection, in the middle of the tables and on the
    slowest one.
    """
    lines = pd.read_json(RESULTS, lines=True)
    if "failed" in lines:
        lines = lines[lines["failed"].isna()]
    shared = lines.groupby(["data", "split"])["method"].transform("nunique")
    lines = lines[shared == lines["method"].nunique()]
    lines = lines.assign(bcr=lines[JUDGES].mean(axis=1))
    groups = lines.groupby(["method", "data"])
    rates, seconds = groups["bcr"].mean().unstack(), groups["seconds"].median().unstack()
    return pd.DataFrame(
        {
            "rank": rates.rank(ascending=False).mean(axis=1),
            "bcr": rates.mean(axis=1),
            "seconds": seconds.median(axis=1),
            "slowest": seconds.max(axis=1),
        }
    )


def home(key: str) -> str:
    """Name the documented class of a method; classes of hetsel have public names."""
    method = hetsel.get_method(key)
    own = method.__module__.startswith("hetsel.")
    return f"hetsel.{method.__name__}" if own else f"{method.__module__}.{method.__qualname__}"


def method_rows(methods: list[dict[str, str]], measured: pd.DataFrame) -> str:
    """Make the table of a family; a method without measurements has no numbers."""
    lines = [
        "| method | grows | mean rank | BCR | time | slowest |",
        "|:--|:--|--:|--:|--:|--:|",
    ]
    for row in methods:
        numbers = ["", "", "", ""]
        if row["key"] in measured.index:
            found = measured.loc[row["key"]]
            numbers = [f"{found['rank']:.1f}", f"{found['bcr']:.3f}"]
            numbers += [time_in_words(found[name]) for name in ("seconds", "slowest")]
        link = f"{{py:class}}`{row['key']} <{home(row['key'])}>`"
        grows = f"{row['time']}; {row['memory']}"
        lines.append(f"| {' | '.join([link, grows, *numbers])} |")
    return "\n".join(lines) + "\n"


def time_in_words(seconds: float) -> str:
    """Format a time with two digits and its unit.

    Examples
    --------
    >>> time_in_words(0.00048), time_in_words(0.3456), time_in_words(13.2)
    ('0.48 ms', '350 ms', '13 s')
    """
    value, unit = (seconds, "s") if seconds >= 1 else (1000 * seconds, "ms")
    return f"{float(f'{value:.2g}'):g} {unit}"


def class_page(title: str, methods: list[dict[str, str]]) -> str:
    """Make the page of a family: each class under its key."""
    parts = [f"# {title}"]
    for row in methods:
        parts += [f"## {row['key']}", f"{row['title'][0].upper()}{row['title'][1:]}."]
        parts.append(f"```{{eval-rst}}\n.. autoclass:: {home(row['key'])}\n```")
    return "\n\n".join(parts) + "\n"
