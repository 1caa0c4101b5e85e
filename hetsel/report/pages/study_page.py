"""One self-contained HTML file: what was found, a figure for each question, and folds of detail."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from hetsel import __version__
from hetsel.ground.errors import TableError, need
from hetsel.ground.text import slugs, visible
from hetsel.ground.writing import Content, write_files
from hetsel.report.elements.document import Bold, Fold, Head, Picture, PrintedTable
from hetsel.report.elements.wording import short_setting
from hetsel.report.figures.figure_style import check_suffix, figure_file, house_style, inline_svg
from hetsel.report.numbers.study_summary import Summary
from hetsel.report.pages.first_screen import overview
from hetsel.report.pages.section_list import folds, headlines

ONE_FILE = (".html", ".htm")  # endings of a page with all that it shows inside
# how the template shows an element
KINDS = {str: "words", Head: "head", PrintedTable: "table", Picture: "figure", list: "names"}


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
    check_page_path(path, ONE_FILE)
    summary = Summary(results, score)
    summary.check()
    with house_style():
        page = rendered("study.html", _content(summary))
    return write_files({path: page})[0]


def check_page_path(path: str | Path, endings: Sequence[str] = ()) -> None:
    """Refuse a path that cannot be a file, or has another ending than one of these.

    Raises
    ------
    TableError
    """
    if Path(path).is_dir() or not Path(path).absolute().parent.is_dir():
        what = "is a folder" if Path(path).is_dir() else "is in a folder that does not exist"
        raise TableError(f"{path} {what}: name a file, such as report.html")
    if endings and Path(path).suffix.lower() not in endings:
        raise TableError(f"the page must be a file that ends in {' or '.join(endings)}. Got {path}")


def rendered(template: str, content: Mapping[str, Any]) -> str:
    """A page of this folder, filled in; all text in it is escaped."""
    jinja2 = need("jinja2")
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=lambda value: visible(value, "\n") if type(value) is str else value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["no_break"] = no_break
    environment.tests["bold"] = lambda cell: isinstance(cell, Bold)
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

    Raises
    ------
    TableError
        No cell of the study is finished, another suffix, no score of this name.
    """
    suffix = check_suffix(f".{str(suffix).lstrip('.')}")
    folder, summary = Path(folder), Summary(results, score)
    summary.check()
    folder.mkdir(parents=True, exist_ok=True)
    with house_style():
        pictures = _pictures(list(overview(summary)), folds(summary))
        files: dict[str | Path, Content] = {
            folder / f"{name}{suffix}": figure_file(picture.figure, suffix)
            for name, picture in pictures
            if picture.figure is not None
        }
    return write_files(files)


def _pictures(first: list[Picture], every: list[Fold]) -> Iterator[tuple[str, Picture]]:
    """All pictures, each with a name of its own for a file or a place in the page."""
    below = [one for fold in every for one in fold.elements if isinstance(one, Picture)]
    return zip(slugs(one.key for one in (*first, *below)), (*first, *below), strict=True)


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
    first, every = list(overview(summary)), folds(summary)
    pictures, numbers = _pictures(first, every), count(1)

    def shown(element: Any) -> tuple[str, Any]:
        kind = KINDS[type(element)]
        if kind != "figure":
            return kind, element
        key, picture = next(pictures)
        return kind, shown_figure(picture, next(numbers) if picture.figure else 0, key)

    results = summary.results
    return {
        "name": results.plan.get("name", "study"),
        "setting": short_setting(summary),
        "headlines": headlines(summary),
        "overview": [figure for _, figure in map(shown, first)],
        "folds": [
            {"key": one.key, "title": one.title, "elements": [shown(each) for each in one.elements]}
            for one in every
        ],
        "datasets": {f"data-{k}" for k, _ in enumerate(summary.datasets, 1)},
        "digest": results.digest(),
        "version": __version__,
    }


def shown_figure(picture: Picture, number: int, key: str) -> dict[str, Any]:
    """A figure as the template shows it; those without a title are drawn a fourth larger."""
    shown: dict[str, Any] = {"key": key, "svg": None}
    shown |= {"caption": picture.caption, "title": picture.title}
    if picture.figure is not None:
        width = round((96 if picture.title else 120) * picture.figure.get_figwidth())
        svg = inline_svg(picture.figure, key, picture.spoken)
        shown |= {"svg": svg, "number": number, "width": width}
    return shown
