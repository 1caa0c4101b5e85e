"""The report of a study: what was found, a figure for each question, and parts with the detail."""

from pathlib import Path
from typing import Any

from hetsel import __version__
from hetsel.ground import write_files
from hetsel.report.elements.blocks import Block, Document, Items, Part, Picture, placed
from hetsel.report.figures.figure_style import check_suffix, figure_file, house_style
from hetsel.report.formats.document_files import check_page_path, document_files
from hetsel.report.pages import first_screen, section_list
from hetsel.study.comparison.study_summary import Summary
from hetsel.words.study_sentences import short_setting


def write_study_report(results: Any, file: str | Path, *, score: str | None = None) -> Path:
    """Write the report of a study.

    The file is written completely or not at all. The same results give the same bytes.

    Parameters
    ----------
    results : hetsel.study.results.Results
    file : str or Path
        Its ending says the format: .html, one file with all that it shows inside; .md, Markdown
        with its figures as .png files beside it; .docx, Word.
    score : str, optional
        What methods are compared by, as in :func:`hetsel.compare_methods`.

    Raises
    ------
    TableError
        No cell of the study is finished, the path cannot be a file, another ending, no score of
        this name.
    """
    check_page_path(file, "study")
    return write_files(document_files(study_document(results, score), file))[0]


def study_document(results: Any, score: str | None = None) -> Document:
    """All that the report of a study shows, its first screen first."""
    summary = Summary(results, score)
    summary.check()
    with house_style():
        first: list[Block] = [
            Items(section_list.headlines(summary)),
            *first_screen.overview(summary),
        ]
        return Document(
            results.plan.get("name", "study"),
            short_setting(summary),
            __version__,
            section_list.parts(summary),
            Part("summary", "", first),
            ": a comparison of feature selection methods",
            results.digest(),
        )


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
    shown = placed(study_document(results, score))
    Path(folder).mkdir(parents=True, exist_ok=True)
    with house_style():
        return write_files(
            {
                Path(folder) / f"{one.place}{suffix}": figure_file(one.block.figure, suffix)
                for _, blocks in shown
                for one in blocks
                if isinstance(one.block, Picture) and one.block.figure is not None
            }
        )
