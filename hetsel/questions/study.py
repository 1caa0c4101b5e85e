"""Options of `hetsel study`: how do methods compare over resamplings of data sets?"""

from typing import Literal

from hetsel.questions.of_files import ForSpreadsheets, Printed
from hetsel.questions.option import File, Question, Texts, option

RUN = "an option of a run, without effect on results"
PLAN = {"Python": "`hetsel.Study.load(path)`, or `hetsel.Study` of the same entries"}
RESULTS = {
    "Python": "use `hetsel.Results` and `hetsel.write_study_report`",
    "R": "use `hetsel_study` and `hetsel_report`",
}


class Said(Question, plan=RUN):
    """Options of the progress report."""

    quiet: bool = option(
        "Report no progress on stderr.",
        False,
        lacks=dict.fromkeys(("Python", "R"), "set `progress` to false"),
    )
    progress: bool = option(
        "Whether to report the progress on stderr.",
        True,
        lacks={"shell": "on, unless `quiet`"},
        in_r="interactive()",
    )


class OfPlan(Question, plan=RUN):
    """The plan and the store of a study."""

    plan: File = option(
        "Plan (.toml file), or the store (.sqlite file) itself.",
        ...,
        metavar="PLAN",
        r="Path of a TOML file, or a list with the entries of a plan; see details.",
        positional=True,
        lacks=PLAN,
    )
    store: File | None = option(
        "SQLite file with the results. Default: NAME.sqlite, where NAME is the name in the plan.",
        r="SQLite file that keeps the results; cells that it holds are not computed again. NULL: "
        "NAME.sqlite, where NAME is the name in the plan. This file is beside a TOML file; for a "
        "list it is in the temporary directory, which ends with the session.",
    )


class Computed(OfPlan):
    """Options of the computation of a study."""

    jobs: int | None = option(
        "Number of worker processes. A method that crashes ends only its worker and its cell; with "
        "0, hetsel computes in this process, which a crash ends. Default: one per processor.",
        r="Number of worker processes, each with its own Python, so that a method that crashes "
        "ends a cell and not the session. NULL: one per processor. 0: compute in this session. "
        "Results do not depend on it.",
        in_r="1",
    )
    part: str | None = option(
        "Compute only part I of N parts of the cells, for independent runs. Each part has its own "
        "store, by default NAME.part-I-of-N.sqlite; `hetsel study merge` combines them.",
        metavar="I/N",
        documented="str or pair of int",
    )
    time_limit: float | None = option(
        "Time limit of a cell in seconds, without the time to load compiled code. A cell that "
        "takes longer is stopped and fails. Default: no limit.",
        metavar="SECONDS",
    )
    dask: str | None = option(
        "Address of a running Dask cluster to compute on, for example tcp://host:8786. Use only a "
        "cluster that you trust, since its messages are unpickled and can run code.",
        metavar="ADDRESS",
    )
    retry: bool = option("Compute failed and damaged cells again.", False)
    anew: Texts | None = option(
        "Labels of methods and judges whose results are computed again. hetsel recomputes them by "
        "itself if the code of a method or judge changed, but not if something changed that it "
        "reads, such as a file.",
        metavar="LABEL",
        shell="Label of a method or judge whose results are computed again; repeat the option for "
        "several. hetsel recomputes them by itself if the code changed, but not if something "
        "changed that it reads, such as a file.",
    )


class RunStudy(Said, Computed):
    """Options of a run."""


class MergeStores(Said):
    """Options of a merge of stores."""

    stores: Texts = option(
        "Stores (.sqlite files) to merge; they remain unchanged. Names, labels and the order of "
        "data sets and methods are those of the first store that has them.",
        ...,
        metavar="STORE",
        positional=True,
        documented="sequence of path",
    )
    into: File = option(
        "Merged store. An existing store keeps its cells and gets the missing ones.", ...
    )


class PlanOfStore(Question, **RESULTS):
    """The store whose plan is printed."""

    plan: File = option("Store (.sqlite file) of a study.", ..., metavar="STORE", positional=True)


class StudyStatus(Printed, OfPlan, **RESULTS):
    """Options of the status of a study."""


class Compared(OfPlan, **RESULTS):
    """Options of the comparison of methods."""

    score: str | None = option(
        "Score by which methods are compared. Default: bcr for classes, r2 for numbers, "
        "concordance for survival times.",
        metavar="SCORE",
    )
    classifier: str | None = option(
        "Judge whose scores are compared, by its label. Default: the first judge of the plan.",
        metavar="JUDGE",
    )
    reference: str | None = option(
        "Label of a method that all others are tested against, beside the tests of all pairs "
        "(Holm's adjustment, Bonferroni–Dunn diagram). Choose it before seeing the results.",
        metavar="LABEL",
    )
    fallback: Literal["baseline"] | None = option(
        "Scores of failed cells: those of the baseline, which uses no features. Default: failed "
        "cells are missing."
    )


class ExportStudy(ForSpreadsheets, Compared):
    """Options of the export of tables."""

    out: File = option("Folder to write the tables into.", ..., metavar="DIR")
    format: Literal["csv", "latex", "markdown", "docx"] = option(
        'Format. "csv" has every number of the report. The others are tables for a paper, data '
        "sets by methods with standard errors, tests and mean ranks.",
        "csv",
    )


class ArchiveStudy(Compared):
    """Options of the archive of a study."""

    out: File = option("Archive to write, a .zip file.", ...)
    with_tables: bool = option(
        "Include the files with the tables of the study. Data sets that hetsel loads by name are "
        "not included.",
        False,
    )


class VerifyArchive(Question, **RESULTS):
    """Options of the check of an archive."""

    archive: File = option("Archive (.zip file) of a study.", ..., metavar="ZIP", positional=True)
    repeated: File | None = option(
        "Store of a repetition of the study, whose digest must be that of the archive.",
        metavar="STORE",
    )


class ReportStudy(Compared):
    """Options of the report of a study."""

    out: File = option("Report to write: a .html, .md or .docx file.", ...)
    figures: File | None = option("Folder to write every figure into as well.", metavar="DIR")
    format: Literal["pdf", "svg", "png"] = option("Format of `figures`.", "pdf")
