"""How long rankings take; the plan with all parameters, failures, warnings, versions, digest."""

from collections.abc import Iterable, Iterator
from importlib.metadata import version
from typing import Any

import numpy as np

from hetsel import __version__
from hetsel.evaluation.computation import in_a_line
from hetsel.report.elements.blocks import Head, Names, Part, PrintedTable, Section, Shown, part_of
from hetsel.resampling.resampling_entry import Resamplings
from hetsel.study.comparison.study_summary import Summary
from hetsel.words.study_sentences import asked_columns, kind_of_splits

DIGEST = (
    "sha256 of all rankings and verdicts, test rows, predictions and decision values; not of times"
)
DRAWN_WITH = ("numpy", "scipy", "pandas", "scikit-learn", "numba", "matplotlib", "jinja2")


def _parts(summary: Summary) -> Iterator[Part]:
    results = summary.results
    failures, warned = _failures(results), _warnings(results)
    elements: list[Shown] = [
        _plan(summary),
        _methods(results.plan),
        Head("Failures"),
        failures or "No cell failed.",
        Head("Warnings") if warned else None,
        warned,
        Head("Versions"),
        _versions(results),
        Head("Digest"),
        f"{DIGEST}: {results.digest()}",
    ]
    yield part_of("plan", "Plan", elements)


def _plan(summary: Summary) -> Names:
    """The plan but its methods, name and value."""
    plan = summary.results.plan
    splits, sizes = plan["resamplings"], plan["sizes"]
    drawn = f"{kind_of_splits(summary)}: {Resamplings.of('the plan', splits).in_words()}"
    auto = "auto: every size up to 40 features, beyond that those of an elimination of 20 % a step"
    classifiers = (
        f"{c['label']} ({_settings(_of(c, 'key', 'encoding'))})" for c in plan["classifiers"]
    )
    entries = ({**entry, **entry.get("split", {})} for entry in plan["datasets"])
    sources = (
        entry["name"]
        + (f" ({_settings(entry, without=('name', 'split'))})" if len(entry) > 1 else "")
        for entry in entries
    )
    return Names(
        [
            ("data sets", "; ".join(sources)),
            ("resamplings", f"{splits['count']}, {drawn}"),
            ("sizes", auto if sizes == "auto" else ", ".join(map(str, sizes))),
            (f"final {summary.judge}s", "; ".join(classifiers)),
            ("seed", str(plan["seed"])),
        ]
    )


def _methods(plan: dict[str, Any]) -> PrintedTable:
    rows = [
        [m["label"], m["key"], str(m.get("revision", "–")), _settings(_of(m, "target"))]
        for m in plan["methods"]
    ]
    head, note = ["method", "key", "revision", "parameters"], asked_columns(plan["methods"])
    caption = "Methods with all their parameters."
    return PrintedTable("methods", caption, head, rows, note=note, of_words=True)


def _of(entry: dict[str, Any], *names: str) -> dict[str, Any]:
    """The parameters of a method or judge, after its import path or what stands for the target."""
    beside = {name: entry[name] for name in names if names[-1] in entry}
    return beside | entry["params"]


def _settings(values: dict[str, Any], without: Iterable[str] = ()) -> str:
    told = {k: in_a_line(str(v)) for k, v in values.items() if k not in without}
    return ", ".join(f"{k} = {v}" for k, v in told.items()) or "none"


def _failures(results: Any) -> PrintedTable | None:
    """Cells that failed, those of one reason together."""
    frame = results.failures()
    if frame.empty:
        return None
    groups = frame.groupby(["dataset", "method", "reason"], sort=False)["resampling"]
    rows = []
    for (dataset, method, reason), numbers in groups:
        shown = ", ".join(map(str, sorted(numbers)[:12])) + (" …" if len(numbers) > 12 else "")
        rows.append([str(dataset), str(method), f"{len(numbers)}", shown, str(reason)])
    head = ["data set", "method", "cells", "resamplings", "reason"]
    caption = "Cells that failed; they count nowhere above."
    return PrintedTable("failures", caption, head, rows, of_words=True)


def _warnings(results: Any) -> PrintedTable | None:
    frame = results.warnings()[["dataset", "method", "cells", "warning"]]
    if frame.empty:
        return None
    rows = [[str(value) for value in row] for row in frame.itertuples(index=False)]
    head = ["data set", "method", "cells", "warning"]
    return PrintedTable("warnings", "What cells warned of; they count.", head, rows, of_words=True)


def _versions(results: Any) -> Names:
    """Versions that the cells were computed with, and of this report."""
    lines = [", ".join(f"{k} {v}" for k, v in one.items()) for one in results.versions()]
    out = [(f"cells ({k})" if len(lines) > 1 else "cells", s) for k, s in enumerate(lines, 1)]
    drawn = (f"{package} {version(package)}" for package in DRAWN_WITH)
    return Names([*out, ("this report", f"hetsel {__version__}, {', '.join(drawn)}")])


SECTION = Section(parts=_parts)


def seconds(summary: Summary) -> PrintedTable:
    table = summary.seconds
    rows = [
        [str(name), *map(seconds_text, values)]
        for name, values in zip(table.index, table.to_numpy(np.float64), strict=True)
    ]
    caption = "CPU seconds of one ranking, mean over the resamplings, without the final "
    head = ["data set", *summary.methods]
    return PrintedTable("seconds", f"{caption}{summary.judge}s.", head, rows)


def seconds_text(value: float) -> str:
    """Seconds with two digits or more.

    Examples
    --------
    >>> seconds_text(0.01234), seconds_text(1234.5)
    ('0.012', '1,234')
    """
    return "–" if np.isnan(value) else f"{value:#.2g}" if value < 9.95 else f"{value:,.0f}"


def _headline(summary: Summary) -> str:
    means = summary.seconds.mean().dropna().sort_values()
    if len(means) < 2:
        return ""
    ends = [f"{seconds_text(means.iloc[k])} s ({means.index[k]})" for k in (0, -1)]
    over = ", mean over the data sets" if len(summary.datasets) > 1 else ""
    return f"A ranking takes from {' to '.join(ends)} of processor time{over}."


SECONDS = Section(
    parts=lambda summary: [part_of("seconds", "CPU time", [seconds(summary)])],
    headlines=lambda summary: [_headline(summary)],
)
