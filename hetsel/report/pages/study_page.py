"""One self-contained HTML file: what was found, a figure for each question, and folds of detail."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pandas as pd

from hetsel import __version__
from hetsel.ground.errors import TableError
from hetsel.ground.text import slugs, visible
from hetsel.ground.writing import Content, write_files
from hetsel.report.figures.figure_style import check_suffix, figure_file, house_style, inline_svg
from hetsel.report.numbers.study_summary import Summary
from hetsel.report.pages import rank_tables, tables_as_text
from hetsel.report.pages.captioned_figures import Picture, pictures
from hetsel.report.pages.findings import paragraphs, sizes_rule, small_size
from hetsel.report.pages.headlines import headlines
from hetsel.report.pages.overview import overview
from hetsel.report.pages.probability_tables import pairs_by_data_set, pairs_over_data_sets
from hetsel.report.pages.proved_orders import proofs
from hetsel.report.pages.tables_as_text import PrintedTable
from hetsel.report.pages.treatment_table import treatments_table
from hetsel.report.pages.treatments import treatments_changed, treatments_found
from hetsel.report.pages.wording import asked_columns, kind_of_splits, lead, short_setting
from hetsel.resampling.resamplings import Resamplings

ABOUT = (
    "A comparison of feature selection methods on tables that mix continuous and categorical "
    "columns."
)
EVERY_SIZE = (
    "As in section 4.2 of paul2015. The sizes of one data set are correlated blocks: the p-values "
    "are too small."
)
NOT_PRINTED = "The tables of means and stability at this size are not in paul2015."
DIGEST = (
    "sha256 of all rankings and verdicts, test rows, predictions and decision values; not of times"
)
DRAWN_WITH = ("numpy", "scipy", "pandas", "scikit-learn", "numba", "matplotlib", "jinja2")


def write_report(results: Any, path: str | Path, *, score: str | None = None) -> Path:
    """Write the report of a study as one HTML file; all it shows is inside.

    The file is written completely or not at all. The same results give the same bytes.

    Parameters
    ----------
    results : hetsel.study.results.Results
    path : str or Path
    score : str, optional
        What methods are compared by, as in :func:`hetsel.compare_methods`.

    Raises
    ------
    TableError
        No cell of the study is finished, the path cannot be a file, no score of this name.
    """
    check_page_path(path)
    summary = Summary(results, score)
    summary.check()
    with house_style():
        page = rendered("template.html", _content(summary))
    return write_files({path: page})[0]


def check_page_path(path: str | Path) -> None:
    """Refuse a path that cannot be a file.

    Raises
    ------
    TableError
    """
    if Path(path).is_dir() or not Path(path).absolute().parent.is_dir():
        what = "is a folder" if Path(path).is_dir() else "is in a folder that does not exist"
        raise TableError(f"{path} {what}: name a file, such as report.html")


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


def save_figures(
    results: Any, folder: str | Path, suffix: str = ".svg", *, score: str | None = None
) -> list[Path]:
    """Write every figure of a report into a folder: all of them, or none.

    Parameters
    ----------
    results : hetsel.study.results.Results
    folder : str or Path
        Made if it is not there.
    suffix : {".svg", ".png", ".pdf"}
    score : str, optional
        What methods are compared by, as in :func:`hetsel.compare_methods`.

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
            for name, picture in _named_pictures(Summary(results, score))
            if picture.figure is not None
        }
    return write_files(files)


def _named_pictures(summary: Summary) -> list[tuple[str, Picture]]:
    """All pictures, each with a name of its own for a file or a place in the page."""
    every = [*overview(summary), *pictures(summary)]
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


@dataclass(frozen=True)
class Section:
    """A part of the page that folds away.

    Parameters
    ----------
    key : str
        Where links lead.
    title : str
    parts : list of (str, object)
        What it shows, each with the macro that shows it: "head", "words", "table", "text" (a table
        of words), "figure" or "list"; empty ones are left out.
    """

    key: str
    title: str
    parts: list[tuple[str, Any]]


def _content(summary: Summary) -> dict[str, Any]:
    """What the template fills in."""
    figures: dict[str, list[dict[str, Any]]] = {}
    number = 0
    for key, picture in _named_pictures(summary):
        shown = shown_figure(picture, number + 1, key)
        number += picture.figure is not None
        figures.setdefault(picture.section, []).append(shown)
    results = summary.results
    return {
        "name": results.plan.get("name", "study"),
        "setting": short_setting(summary),
        "headlines": headlines(summary),
        "overview": figures.get("overview", []),
        "sections": [
            Section(one.key, one.title, [part for part in one.parts if part[1]])
            for one in _sections(summary, figures)
            if any(part for _, part in one.parts)
        ],
        "datasets": {f"data-{k}" for k, _ in enumerate(summary.datasets, 1)},
        "digest": results.digest(),
        "version": __version__,
    }


def _sections(summary: Summary, figures: dict[str, list[dict[str, Any]]]) -> Iterator[Section]:
    """The folds of the page, in order."""

    def pictured(*keys: str) -> list[tuple[str, Any]]:
        return [("figure", figure) for key in keys for figure in figures.get(key, [])]

    def each(kind: str, *several: Any) -> list[tuple[str, Any]]:
        return [(kind, one) for one in several]

    measures, results = summary.measures, summary.results
    words: list[tuple[str, Any]] = each("words", ABOUT)
    for title, sentences in paragraphs(summary):
        words += [("head", title), *each("words", *sentences)]
    yield Section("words", "In words", words)
    comparison = [
        ("table", tables_as_text.data_sets(summary)),
        ("words", sizes_rule(summary)),
        ("table", rank_tables.mean_ranks(summary)),
        *pictured("all-sizes", "own-size", "one-size"),
        *each("table", *(rank_tables.pairs(summary, measure) for measure in measures)),
        ("table", rank_tables.at_own_size(summary)),
        *each("table", pairs_over_data_sets(summary), pairs_by_data_set(summary)),
        *each("table", *(rank_tables.against_baseline(summary, one) for one in summary.baselines)),
    ]
    yield Section("comparison", "The comparison, data sets as blocks", comparison)
    treated = each("words", treatments_changed(summary), *treatments_found(summary))
    treated.append(("table", treatments_table(summary)))
    yield Section("treatments", "Treatments of one table", treated)
    printed = [
        ("head", "Every size of every data set is a block"),
        ("words", EVERY_SIZE),
        ("table", rank_tables.printed_mean_ranks(summary)),
        *pictured("printed-all-sizes"),
        *each("table", *(rank_tables.printed_pairs(summary, measure) for measure in measures)),
        ("head", f"One small size for each data set, chosen by {summary.reference}"),
        ("words", f"{small_size(summary)} {NOT_PRINTED}"),
        *pictured("printed-one-size"),
        ("table", tables_as_text.performance_at_chosen(summary)),
        ("table", tables_as_text.against_reference(summary)),
        ("table", tables_as_text.other_scores(summary)),
        ("table", tables_as_text.classifiers(summary)),
        ("table", tables_as_text.stability_at_chosen(summary)),
    ]
    yield Section("printed", "As paul2015 prints it", printed)
    for k, dataset in enumerate(summary.datasets, 1):
        parts = [("words", lead(summary, dataset)), *pictured(dataset)]
        yield Section(f"data-{k}", f"Data set {dataset}", parts)
    yield Section("proofs", "Proved orders", each("table", proofs(summary)))
    yield Section("seconds", "CPU time", each("table", tables_as_text.seconds(summary)))
    failures, warned = _failures(results), _warnings(results)
    plan = [
        ("list", _plan(summary)),
        ("text", _methods(results.plan)),
        ("head", "Failures"),
        *each("text", failures),
        ("words", "" if failures else "No cell failed."),
        ("head", "Warnings" if warned else ""),
        ("text", warned),
        ("head", "Versions"),
        ("list", _versions(results)),
        ("head", "Digest"),
        ("words", f"{DIGEST}: {results.digest()}"),
    ]
    yield Section("plan", "Plan", plan)


def shown_figure(picture: Picture, number: int, key: str) -> dict[str, Any]:
    """A figure as the template shows it; those without a title are drawn a fourth larger."""
    shown: dict[str, Any] = {"key": key, "svg": None}
    shown |= {"caption": picture.caption, "title": picture.title}
    if picture.figure is not None:
        width = round((96 if picture.title else 120) * picture.figure.get_figwidth())
        svg = inline_svg(picture.figure, key, picture.spoken)
        shown |= {"svg": svg, "number": number, "width": width}
    return shown


def _plan(summary: Summary) -> list[tuple[str, str]]:
    """The plan but its methods, name and value."""
    plan = summary.results.plan
    drawn = kind_of_splits(summary)
    splits = plan["resamplings"]
    sizes = plan["sizes"]
    auto = "auto: every size up to 40 features, beyond that those of an elimination of 20 % a step"
    classifiers = (f"{c['label']} ({_settings(_told(c))})" for c in plan["classifiers"])
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
            f"{splits['count']}, {drawn}: {Resamplings.of('the plan', splits).in_words()}",
        ),
        ("sizes", auto if sizes == "auto" else ", ".join(map(str, sizes))),
        (f"final {summary.judge}s", "; ".join(classifiers)),
        ("seed", str(plan["seed"])),
    ]


def _methods(plan: dict[str, Any]) -> PrintedTable:
    rows = [
        [m["label"], m["key"], str(m.get("revision", "–")), _settings(m["params"])]
        for m in plan["methods"]
    ]
    head = ["method", "key", "revision", "parameters"]
    note = asked_columns(plan["methods"])
    return PrintedTable("methods", "Methods with all their parameters.", head, rows, note=note)


def _told(classifier: dict[str, Any]) -> dict[str, Any]:
    """The parameters of a classifier, with the import path of one that is not hetsel's."""
    path = {k: classifier[k] for k in ("key", "encoding") if "encoding" in classifier}
    return path | classifier["params"]


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
