"""How do methods compare over resamplings of data sets?"""

from typing import Literal

from hetsel.questions.of_files import ForSpreadsheets, Printed
from hetsel.questions.option import File, Question, Texts, option

RUN = "of a run, not of what is computed"
PLAN = {"Python": "`hetsel.Study.load(path)`, or `hetsel.Study` of the same entries"}
RESULTS = {
    "Python": "`hetsel.Results` has it, and `hetsel.write_study_report`",
    "R": "`hetsel_study` and `hetsel_report` have it",
}


class Said(Question, plan=RUN):
    """Whether it is said how far the work is."""

    quiet: bool = option(
        "no progress on stderr", False, lacks=dict.fromkeys(("Python", "R"), "`progress` is false")
    )
    progress: bool = option(
        "say on stderr how far it is",
        True,
        lacks={"shell": "it does, without `quiet`"},
        in_r="interactive()",
    )


class OfPlan(Question, plan=RUN):
    """Which plan, and where its results are."""

    plan: File = option(
        "the .toml file, or the .sqlite store itself",
        ...,
        metavar="PLAN",
        r="the path of a TOML file, or a list with the entries of one; see details",
        positional=True,
        lacks=PLAN,
    )
    store: File | None = option(
        "the SQLite file of the results; default: NAME.sqlite, NAME as the plan says",
        r="the SQLite file that keeps the results; what it holds is not computed again. NULL is "
        "NAME.sqlite, NAME as the plan says: beside a TOML file, and of a list in the temporary "
        "directory, which ends with the session",
    )


class Computed(OfPlan):
    """What is computed, and by whom."""

    jobs: int | None = option(
        "worker processes; default: every CPU. A method that crashes takes its worker with it, "
        "and one cell; 0 computes in this process, and a crash is its own",
        r="worker processes, each a Python of its own, so that a method that crashes ends a cell "
        "and not the session; NULL takes every processor, 0 computes in this session. The results "
        "are the same for any number",
        in_r="1",
    )
    part: str | None = option(
        "I/N: the I-th of N parts of the cells only, for runs that know nothing of each other, "
        "into a store of its own, by default NAME.part-I-of-N.sqlite; `hetsel study merge` "
        "makes one of them",
        metavar="I/N",
        documented="str or pair of int",
    )
    time_limit: float | None = option(
        "seconds that a cell may take, loading compiled code not counted; what takes longer is "
        "ended and fails; default: no limit",
        metavar="SECONDS",
    )
    dask: str | None = option(
        "address of an existing Dask cluster to compute on, e.g. tcp://host:8786: of your own, "
        "as what its scheduler sends is unpickled",
        metavar="ADDRESS",
    )
    retry: bool = option("compute failed and damaged cells once more", False)
    anew: Texts | None = option(
        "labels of methods whose cells are computed anew. A change of their code makes new "
        "cells by itself; what they read besides, such as a file, does not",
        metavar="METHOD",
    )


class RunStudy(Said, Computed):
    """Everything that is asked of a run."""


class MergeStores(Said):
    """Which stores become one."""

    stores: Texts = option(
        "a .sqlite file, kept as it is; or several",
        ...,
        metavar="STORE",
        positional=True,
        documented="sequence of path",
    )
    into: File = option(
        "the merged store; one that is there keeps what it holds and gets what it lacks", ...
    )


class StudyStatus(Printed, OfPlan, **RESULTS):
    """How far a study is."""


class Compared(OfPlan, **RESULTS):
    """What methods are compared by."""

    score: str | None = option(
        "what methods are compared by; default: bcr; of numbers r2, of survival times concordance"
    )


class ExportStudy(ForSpreadsheets, Compared):
    """Where the tables are written."""

    out: File = option("folder to write into", ..., metavar="DIR")


class ReportStudy(Compared):
    """What is written as a page."""

    out: File = option("the page to write: .html, .md or .docx", ...)
    figures: File | None = option("write every figure into a folder as well", metavar="DIR")
    format: Literal["pdf", "svg", "png"] = option("of `figures`", "pdf")
