"""The report of a study: findings, a figure for each question, and parts with details."""

from pathlib import Path
from typing import Any

from hetsel import __version__
from hetsel.ground import write_files
from hetsel.report.elements.blocks import Block, Document, Items, Part, Picture, placed
from hetsel.report.figures.figure_style import check_suffix, figure_file, house_style
from hetsel.report.formats.document_files import check_page_path, document_files
from hetsel.report.pages import first_screen, section_list
from hetsel.report.pages.kinds_page import kinds_document
from hetsel.study.comparison.failed_cells import Fallback
from hetsel.study.comparison.summary_of_kinds import COMPARED, SummaryOfKinds, summarized
from hetsel.words.study_sentences import short_setting


def write_study_report(
    results: Any,
    file: str | Path,
    *,
    score: str | None = None,
    classifier: str | None = None,
    reference: str | None = None,
    fallback: Fallback | None = None,
) -> Path:
    """Write the report of a study as HTML, Markdown or Word.

    The report shows findings in sentences, a figure for each question, tables with all tests, a
    part for each data set, and the plan with versions and digest. If data sets have targets of
    several kinds, it shows ranks over all data sets first, then the parts of each kind. The file is
    written completely or not at all. The same results give the same bytes.

    Parameters
    ----------
    results : hetsel.Results
        Results of a study with at least one finished cell.
    file : str or Path
        File to write. The suffix determines the format: .html (one file that includes its figures),
        .md (Markdown, with figures as .png files in the same folder) or .docx (Word).
    score : str, optional
        Score that methods are compared by, as in :func:`hetsel.compare_methods`.
    classifier : str, optional
        Judge whose scores are compared, as in :func:`hetsel.compare_methods`.
    reference : str, optional
        Label of a method that all others are tested against, as in :func:`hetsel.compare_methods`.
    fallback : {"baseline"}, optional
        How failed cells count, as in :func:`hetsel.compare_methods`.

    Returns
    -------
    Path
        The written file.

    Raises
    ------
    TableError
        If no cell of the study is finished, if the path cannot be a file, or if the suffix, the
        score, the judge or the reference is not legal.

    See Also
    --------
    hetsel.compare_methods : Return the same comparison as data frames.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from hetsel import Study
    >>> study = Study(datasets=["heart"], methods=["hsic", "cmim"], resamplings=2, sizes=[1, 2])
    >>> with TemporaryDirectory() as folder:
    ...     results = study.run(f"{folder}/study.sqlite", n_jobs=0, progress=False)
    ...     write_study_report(results, f"{folder}/report.html").name
    'report.html'
    """
    check_page_path(file, "study")
    compared: Any = dict(zip(COMPARED, (score, classifier, reference, fallback), strict=True))
    return write_files(document_files(study_document(results, **compared), file))[0]


def study_document(
    results: Any,
    score: str | None = None,
    classifier: str | None = None,
    reference: str | None = None,
    fallback: Fallback | None = None,
) -> Document:
    """Build the document of a study report, its first screen first."""
    summary = summarized(results, score, classifier, reference, fallback)
    if isinstance(summary, SummaryOfKinds):
        return kinds_document(summary)
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
    results: Any,
    folder: str | Path,
    suffix: str = ".svg",
    *,
    score: str | None = None,
    classifier: str | None = None,
    reference: str | None = None,
    fallback: Fallback | None = None,
) -> list[Path]:
    """Write all figures of a study report into a folder, or none if one of them fails.

    Parameters
    ----------
    results : hetsel.Results
    folder : str or Path
        Folder for the figures; it is created if it does not exist.
    suffix : {".svg", ".png", ".pdf"}
        Format of the figures. Default: ".svg".
    score : str, optional
        Score that methods are compared by, as in :func:`hetsel.compare_methods`.
    classifier : str, optional
        Judge whose scores are compared, as in :func:`hetsel.compare_methods`.
    reference : str, optional
        Label of a method that all others are tested against, as in :func:`hetsel.compare_methods`.
    fallback : {"baseline"}, optional
        How failed cells count, as in :func:`hetsel.compare_methods`.

    Returns
    -------
    list of Path
        The written files.

    Raises
    ------
    TableError
        If no cell of the study is finished, or if the suffix, the score, the judge or the reference
        is not legal.

    See Also
    --------
    hetsel.write_study_report : Write the report that contains these figures.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from hetsel import Study
    >>> from hetsel.plots import save_figures
    >>> study = Study(datasets=["heart"], methods=["hsic", "cmim"], resamplings=2, sizes=[1, 2])
    >>> with TemporaryDirectory() as folder:
    ...     results = study.run(f"{folder}/study.sqlite", n_jobs=0, progress=False)
    ...     written = save_figures(results, f"{folder}/figures")
    >>> {path.suffix for path in written}
    {'.svg'}
    """
    suffix = check_suffix(f".{str(suffix).lstrip('.')}")
    document = study_document(results, score, classifier, reference, fallback)
    return write_figures(document, Path(folder), suffix)


def write_figures(document: Document, folder: Path, suffix: str) -> list[Path]:
    """Write the figures of a document into a folder, or none if one of them fails."""
    shown = placed(document)
    folder.mkdir(parents=True, exist_ok=True)
    with house_style():
        return write_files(
            {
                folder / f"{one.place}{suffix}": figure_file(one.block.figure, suffix)
                for _, blocks in shown
                for one in blocks
                if isinstance(one.block, Picture) and one.block.figure is not None
            }
        )
