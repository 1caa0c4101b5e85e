"""One self-contained HTML file: words, tables and figures of a study."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pandas as pd

from hetsel import __version__
from hetsel.report import rank_tables, tables
from hetsel.report.bayesian_tables import pairs_by_data_set, pairs_over_data_sets
from hetsel.report.findings import paragraphs, sizes_rule, small_size
from hetsel.report.look import check_suffix, figure_file, house_style, inline_svg
from hetsel.report.pictures import Picture, pictures
from hetsel.report.proofs import proofs
from hetsel.report.summary import Summary
from hetsel.report.tables import PrintedTable
from hetsel.report.treatment_table import treatments_table
from hetsel.report.treatments import treatments_changed, treatments_found
from hetsel.report.words import lead
from hetsel.study.specs import Resamplings
from hetsel.text import listed, slugs, visible
from hetsel.writing import Content, write_files

DRAWN_WITH = ("numpy", "scipy", "pandas", "scikit-learn", "numba", "matplotlib", "jinja2")


def write_report(results: Any, path: str | Path) -> Path:
    """Write the report of a study as one HTML file; all it shows is inside.

    The file is written completely or not at all. The same results give the same bytes.

    Parameters
    ----------
    results : hetsel.study.results.Results
    path : str or Path

    Raises
    ------
    ValueError
        No cell of the study is finished, or the path cannot be a file.
    """
    check_page_path(path)
    summary = Summary(results)
    summary.check()
    with house_style():
        page = rendered("template.html", _content(summary))
    return write_files({path: page})[0]


def check_page_path(path: str | Path) -> None:
    """Refuse a path that cannot be a file.

    Raises
    ------
    ValueError
    """
    if Path(path).is_dir() or not Path(path).absolute().parent.is_dir():
        what = "is a folder" if Path(path).is_dir() else "is in a folder that does not exist"
        raise ValueError(f"{path} {what}: name a file, such as report.html")


def rendered(template: str, content: Mapping[str, Any]) -> str:
    """A page of this folder, filled in; all text in it is escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=lambda value: visible(value, "\n") if type(value) is str else value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["no_break"] = no_break
    return environment.get_template(template).render(**content)


def save_figures(results: Any, folder: str | Path, suffix: str = ".svg") -> list[Path]:
    """Write every figure of a report into a folder: all of them, or none.

    Parameters
    ----------
    results : hetsel.study.results.Results
    folder : str or Path
        Made if it is not there.
    suffix : {".svg", ".png", ".pdf"}

    Returns
    -------
    list of Path
    """
    suffix = check_suffix(f".{str(suffix).lstrip('.')}")
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with house_style():
        files: dict[str | Path, Content] = {
            folder / f"{name}{suffix}": figure_file(picture.figure, suffix)
            for name, picture in _named_pictures(Summary(results))
            if picture.figure is not None
        }
    return write_files(files)


def _named_pictures(summary: Summary) -> list[tuple[str, Picture]]:
    """All pictures, each with a name of its own for a file or a place in the page."""
    every = list(pictures(summary))
    return list(zip(slugs(picture.key for picture in every), every, strict=True))


def no_break(text: str) -> Any:
    """Text of a page whose lines do not break at the hyphens of short words, such as names.

    Examples
    --------
    >>> print(no_break("hfs-nb < rfe-mkl."))
    <span class="no-break">hfs-nb</span> &lt; <span class="no-break">rfe-mkl.</span>
    """
    from markupsafe import Markup, escape

    kept = Markup('<span class="no-break">{}</span>')
    return Markup("").join(
        kept.format(part) if "-" in part and len(part) <= 30 else escape(part)
        for part in re.split(r"(\S+)", visible(text, "\n"))
    )


def _content(summary: Summary) -> dict[str, Any]:
    """What the template fills in."""
    figures: dict[str, list[dict[str, Any]]] = {}
    number = 0
    for key, picture in _named_pictures(summary):
        shown = shown_figure(picture, number + 1, key)
        number += picture.figure is not None
        figures.setdefault(picture.section, []).append(shown)
    results = summary.results
    performance = [
        tables.performance_at_chosen(summary),
        tables.against_reference(summary),
        tables.other_scores(summary),
        tables.classifiers(summary),
    ]
    return {
        "name": results.plan.get("name", "study"),
        "paragraphs": paragraphs(summary),
        "sizes_rule": sizes_rule(summary),
        "small_size": small_size(summary),
        "reference": summary.reference,
        "figures": figures,
        "datasets": summary.datasets,
        "sections": {dataset: f"data-{k}" for k, dataset in enumerate(summary.datasets, 1)},
        "leads": {dataset: lead(summary, dataset) for dataset in summary.datasets},
        "data": tables.data_sets(summary),
        "ranks": rank_tables.mean_ranks(summary),
        "pairs": _made(rank_tables.pairs(summary, measure) for measure in summary.measures),
        "judged": _made([rank_tables.at_own_size(summary)]),
        "probable": _made([pairs_over_data_sets(summary), pairs_by_data_set(summary)]),
        "treatments": treatments_table(summary),
        "treatments_found": [treatments_changed(summary), *treatments_found(summary)],
        "baselines": [rank_tables.against_baseline(summary, one) for one in summary.baselines],
        "printed_ranks": rank_tables.printed_mean_ranks(summary),
        "printed_pairs": _made(
            rank_tables.printed_pairs(summary, measure) for measure in summary.measures
        ),
        "performance": _made(performance),
        "stability": tables.stability_at_chosen(summary),
        "proofs": proofs(summary),
        "seconds": tables.seconds(summary),
        "plan": _plan(results.plan),
        "methods": _methods(results.plan),
        "failures": _failures(results),
        "warnings": _warnings(results),
        "versions": _versions(results),
        "digest": results.digest(),
        "version": __version__,
    }


def _made(several: Iterable[PrintedTable | None]) -> list[PrintedTable]:
    """The tables that there is something to fill with."""
    return [table for table in several if table is not None]


def shown_figure(picture: Picture, number: int, key: str) -> dict[str, Any]:
    """A figure as the template shows it."""
    if picture.figure is None:
        return {"key": key, "svg": None, "caption": picture.caption, "number": 0, "width": 0}
    svg = inline_svg(picture.figure, key, picture.spoken)
    width = round(96 * picture.figure.get_figwidth() * 1.25)
    return {
        "key": key,
        "svg": svg,
        "caption": picture.caption,
        "number": number,
        "width": width,
    }


def _plan(plan: dict[str, Any]) -> list[tuple[str, str]]:
    """The plan but its methods, name and value."""
    splits = plan["resamplings"]
    sizes = plan["sizes"]
    auto = "auto: every size up to 40 features, beyond that those of an elimination of 20 % a step"
    classifiers = (f"{c['label']} ({_settings(c['params'])})" for c in plan["classifiers"])
    entries = ({**entry, **entry.get("split", {})} for entry in plan["datasets"])
    sources = (
        entry["name"]
        + (f" ({_settings(entry, without=('name', 'split'))})" if len(entry) > 1 else "")
        for entry in entries
    )
    return [
        ("data sets", "; ".join(sources)),
        (
            "resamplings",
            f"{splits['count']}, {splits['kind']}: {Resamplings.of('the plan', splits).in_words()}",
        ),
        ("sizes", auto if sizes == "auto" else ", ".join(map(str, sizes))),
        ("final classifiers", "; ".join(classifiers)),
        ("seed", str(plan["seed"])),
    ]


def _methods(plan: dict[str, Any]) -> PrintedTable:
    rows = [
        [m["label"], m["key"], str(m.get("revision", "–")), _settings(m["params"])]
        for m in plan["methods"]
    ]
    head = ["method", "key", "revision", "parameters"]
    note = _asked_columns(plan["methods"])
    return PrintedTable("methods", "Methods with all their parameters.", head, rows, note=note)


def _asked_columns(methods: Sequence[dict[str, Any]]) -> str:
    """Which methods leave columns without a rank, and which have some always in."""
    partial = [m["label"] for m in methods if m["params"].get("columns") == "supported"]
    forced = [m["label"] for m in methods if m["params"].get("always")]
    said = []
    if partial:
        said.append(
            f"Columns of a kind that a method does not take have no rank by {listed(partial)}, and "
            "no signature that would need one is judged."
        )
    if forced:
        said.append(
            f"Features are always in by {listed(forced)}: their stability counts these as well, "
            "and is the larger for it."
        )
    return " ".join(said)


def _settings(values: dict[str, Any], without: Iterable[str] = ()) -> str:
    return ", ".join(f"{k} = {v}" for k, v in values.items() if k not in without) or "none"


def _failures(results: Any) -> PrintedTable | None:
    """Cells that failed, those of one reason together."""
    failures = results.failures()
    frame = pd.DataFrame(failures)
    if frame.empty:
        return None
    groups = frame.groupby(["dataset", "method", "reason"], sort=False)["resampling"]
    rows = []
    for (dataset, method, reason), numbers in groups:
        shown = ", ".join(map(str, sorted(numbers)[:12])) + (" …" if len(numbers) > 12 else "")
        rows.append([str(dataset), str(method), f"{len(numbers)}", shown, str(reason)])
    head = ["data set", "method", "cells", "resamplings", "reason"]
    return PrintedTable("failures", "Cells that failed; they count nowhere above.", head, rows)


def _warnings(results: Any) -> PrintedTable | None:
    """What cells warned of; they count."""
    frame = results.warnings()
    if frame.empty:
        return None
    columns = ["dataset", "method", "cells", "warning"]
    rows = [[str(value) for value in row] for row in frame[columns].itertuples(index=False)]
    head = ["data set", "method", "cells", "warning"]
    return PrintedTable("warnings", "What cells warned of; they count.", head, rows)


def _versions(results: Any) -> list[tuple[str, str]]:
    """Versions that the cells were computed with, as the results know them, and of this report."""
    known = getattr(results, "versions", None)
    if callable(known):
        known = known()
    computed = [] if known is None else _listed(known)
    drawn = []
    for package in DRAWN_WITH:
        try:
            drawn.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return [*computed, ("this report", f"hetsel {__version__}, {', '.join(drawn)}")]


def _listed(known: Any) -> list[tuple[str, str]]:
    """One line for each set of versions."""
    several = known if isinstance(known, list | tuple) else [known]
    lines = [", ".join(f"{k} {v}" for k, v in dict(one).items()) for one in several]
    return [("cells" if len(lines) == 1 else f"cells ({k})", s) for k, s in enumerate(lines, 1)]
