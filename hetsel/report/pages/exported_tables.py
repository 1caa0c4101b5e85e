"""The tables of a study as files: all numbers of its report."""

from pathlib import Path
from typing import Any

from hetsel.report.pages import section_list
from hetsel.study.comparison.study_summary import Summary


def export_tables(
    results: Any, folder: str | Path, *, score: str | None = None, spreadsheet_safe: bool = True
) -> list[Path]:
    """Write the tables of a study into a folder, all of them or none.

    Every number of a table or figure of the report is in a file `comparison_NAME.csv`; see
    `tables` of the result of :func:`hetsel.compare_methods`. The other files are those of
    `hetsel.Results.export`.

    Parameters
    ----------
    results : hetsel.Results
        Results of a study, also while it runs.
    folder : str or Path
        Folder for the files; it is created if it does not exist.
    score : str, optional
        Score that methods are compared by, as in :func:`hetsel.compare_methods`.
    spreadsheet_safe : bool
        Write names so that spreadsheets do not run them as formulas, see
        :func:`hetsel.ground.writing.csv`. Default: True.

    Returns
    -------
    list of Path
        The written files.

    Raises
    ------
    TableError
        If the score is not legal.

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
    summary = Summary(results, score)
    frames = section_list.tables(summary) if summary.datasets else {}
    more = {f"comparison_{name}": table for name, table in frames.items()}
    paths: list[Path] = results.export(folder, spreadsheet_safe=spreadsheet_safe, more=more)
    return paths
