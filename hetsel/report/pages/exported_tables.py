"""The tables of a study as files: all numbers of its report, or the tables of a paper."""

from pathlib import Path
from typing import Any, Literal, get_args

import pandas as pd

from hetsel import __version__
from hetsel.ground import Content, TableError, write_files
from hetsel.report.elements.blocks import Document, PrintedTable, part_of
from hetsel.report.elements.paper_tables import paper_tables
from hetsel.report.formats.latex_file import latex_files
from hetsel.report.pages import section_list
from hetsel.report.pages.found_over_kinds import tables_over_kinds
from hetsel.study.comparison.failed_cells import Fallback
from hetsel.study.comparison.study_summary import Summary
from hetsel.study.comparison.summary_of_kinds import COMPARED, SummaryOfKinds, summarized
from hetsel.words import phrases

TableFormat = Literal["csv", "latex", "markdown", "docx"]


def export_tables(
    results: Any,
    folder: str | Path,
    *,
    format: TableFormat = "csv",
    score: str | None = None,
    classifier: str | None = None,
    reference: str | None = None,
    fallback: Fallback | None = None,
    spreadsheet_safe: bool = True,
) -> list[Path]:
    """Write the tables of a study into a folder, all of them or none.

    With "csv", every number of a table or figure of the report is in a file `comparison_NAME.csv`;
    see `tables` of the result of :func:`hetsel.compare_methods`. The other files are those of
    `hetsel.Results.export`.

    The other formats are the tables of a paper, one file for each of performance, stability and
    seconds: means and standard errors by data set (rows) and method (columns), the best mean of a
    row in bold, methods that are not shown to be worse in italics, mean ranks and the p-value of
    their test below. The caption states sizes, judge, standard error and tests. With several kinds
    of targets, each kind has its tables in a folder of its name.

    Parameters
    ----------
    results : hetsel.Results
        Results of a study, also while it runs.
    folder : str or Path
        Folder for the files; it is created if it does not exist.
    format : {"csv", "latex", "markdown", "docx"}
        Format of the tables. "latex" also writes `tables.tex`, which has all of them, and
        `tables-example.tex`, which compiles and names the packages. Default: "csv".
    score : str, optional
        Score that methods are compared by, as in :func:`hetsel.compare_methods`.
    classifier : str, optional
        Judge whose scores are compared, as in :func:`hetsel.compare_methods`.
    reference : str, optional
        Label of a method that all others are tested against, as in :func:`hetsel.compare_methods`.
    fallback : {"baseline"}, optional
        How failed cells count, as in :func:`hetsel.compare_methods`.
    spreadsheet_safe : bool
        Write names so that spreadsheets do not run them as formulas, see
        :func:`hetsel.ground.writing.csv`. Only for "csv". Default: True.

    Returns
    -------
    list of Path
        The written files.

    Raises
    ------
    TableError
        If the format or the score is not legal, or if no cell of the study is finished (except for
        "csv").

    See Also
    --------
    hetsel.write_study_report : Write the report with the same numbers.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from hetsel import Study
    >>> study = Study(datasets=["heart"], methods=["hsic", "cmim"], resamplings=2, sizes=[1, 2])
    >>> with TemporaryDirectory() as folder:
    ...     results = study.run(f"{folder}/study.sqlite", n_jobs=0, progress=False)
    ...     written = export_tables(results, f"{folder}/tables")
    >>> "comparison_paul2015_stability.csv" in [path.name for path in written]
    True
    """
    if format not in (legal := get_args(TableFormat)):
        raise TableError(f"format must be one of {', '.join(legal)}. Got {format!r}")
    compared: Any = dict(zip(COMPARED, (score, classifier, reference, fallback), strict=True))
    if format != "csv":
        return _write_paper_tables(results, Path(folder), format, compared)
    frames: dict[str, pd.DataFrame] = {}
    if len(results.kinds) == 1 or len(results.frame()):
        summary = summarized(results, **compared)
        if isinstance(summary, SummaryOfKinds):
            frames = tables_over_kinds(summary)
        elif summary.datasets:
            frames = section_list.tables(summary)
    more = {f"comparison_{name}": table for name, table in frames.items()}
    paths: list[Path] = results.export(folder, spreadsheet_safe=spreadsheet_safe, more=more)
    return paths


def _write_paper_tables(
    results: Any, folder: Path, format: TableFormat, compared: dict[str, Any]
) -> list[Path]:
    """Write the tables of a paper, for each kind of target."""
    found = summarized(results, **compared)
    if isinstance(found, SummaryOfKinds):
        parts = {folder / kind: one for kind, one in found.by_kind.items()}
    else:
        parts = {folder: found}
    contents: dict[str | Path, Content] = {}
    for place, summary in parts.items():
        summary.check()
        files = paper_files(summary, format)
        contents |= {place / name: content for name, content in files.items()}
    for place in parts:
        place.mkdir(parents=True, exist_ok=True)
    return write_files(contents)


def paper_files(summary: Summary, format: TableFormat) -> dict[str, Content]:
    """Return the tables of a paper by the name of their file."""
    tables = paper_tables(summary)
    if format == "latex":
        return dict(latex_files(tables))
    # both load matplotlib, for the figures of other documents
    from hetsel.report.formats.markdown_files import markdown_files
    from hetsel.report.formats.word_file import word_file

    files: dict[str, Content] = {}
    for table in tables:
        document = _document(summary, table)
        if format == "docx":
            files[f"{table.key}.docx"] = word_file(document)
        else:
            path = Path(f"{table.key}.md")
            files[path.name] = markdown_files(document, path)[path]
    return files


def _document(summary: Summary, table: PrintedTable) -> Document:
    results = summary.results
    return Document(
        results.plan.get("name", "study"),
        f"{phrases.count(len(summary.methods), 'method')} on "
        f"{phrases.count(len(summary.datasets), 'data set')}, "
        f"{phrases.count(int(results.plan['resamplings']['count']), 'resampling')}.",
        __version__,
        [part_of(table.key, "", [table])],
        digest=results.digest(),
    )
