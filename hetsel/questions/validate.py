"""What is a signature worth on new labeled rows?"""

from typing import Literal

from hetsel.questions.of_a_table import Rows, Target, Weights
from hetsel.questions.of_files import WRITTEN, Printed, Reading, SavedModel, TableFile
from hetsel.questions.option import File, PerRow, option
from hetsel.questions.select import Probabilities

SAID = "the signature says it"


class NewRows(Weights, Rows, heading="the rows"):
    """The rows that judge."""

    row_groups: PerRow | None = option(
        None,
        'labels of the rows: those of one label belong together, in intervals; "copies", equal or '
        'nearly equal rows (default); or "rows", each row for itself',
        "COLUMN",
        documented='array-like of shape (n,), "copies" or "rows"',
    )
    row_weights: PerRow | None = option(None, "weight of each row; 0 leaves it out", "COLUMN")
    seen: Literal["error", "drop"] = option(
        "error",
        'what becomes of rows that the signature was learned from, or nearly equal ones: "error", '
        'or "drop", which leaves them out',
    )
    drop_seen: bool = option(
        False,
        "leave out rows that the signature was learned from, or nearly equal ones: `seen` drop",
        lacks=dict.fromkeys(("Python", "R"), '`seen` = "drop"'),
    )


class SavedTarget(Target, heading="the target", Python=SAID, R=SAID):
    """The target of a signature."""


class Validate(
    Printed,
    Probabilities,
    NewRows,
    Reading,
    SavedTarget,
    TableFile,
    SavedModel,
    plan="a study learns and judges anew",
):
    """Everything that is asked of a validation."""

    report: File | None = option(None, "write a page: .html, .md or .docx", "FILE", lacks=WRITTEN)
