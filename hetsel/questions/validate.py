"""What is a signature worth on new labeled rows?"""

from typing import Literal

from hetsel.questions import of_a_table, of_files, select
from hetsel.questions.option import File, PerRow, option

SAID = "the signature says it"


class NewRows(of_a_table.Weights, of_a_table.Rows, heading="the rows"):
    """The rows that judge."""

    row_groups: PerRow | None = option(
        'labels of the rows: those of one label belong together, in intervals; "copies", equal or '
        'nearly equal rows (default); or "rows", each row for itself',
        documented='array-like of shape (n,), "copies" or "rows"',
    )
    row_weights: PerRow | None = option("weight of each row; 0 leaves it out")
    seen: Literal["error", "drop"] = option(
        'what becomes of rows that the signature was learned from, or nearly equal ones: "error", '
        'or "drop", which leaves them out',
        "error",
    )
    drop_seen: bool = option(
        "leave out rows that the signature was learned from, or nearly equal ones: `seen` drop",
        False,
        lacks=dict.fromkeys(("Python", "R"), '`seen` = "drop"'),
    )


class SavedTarget(of_a_table.Target, heading="the target", Python=SAID, R=SAID):
    """The target of a signature."""


class Validate(
    of_files.Printed,
    select.Probabilities,
    NewRows,
    of_files.Reading,
    SavedTarget,
    of_files.TableFile,
    of_files.SavedModel,
    plan="a study learns and judges anew",
):
    """Everything that is asked of a validation.

    It answers with :class:`hetsel.signature.validation.validated.Validation`.
    """

    report: File | None = option("write a page: .html, .md or .docx", lacks=of_files.WRITTEN)
