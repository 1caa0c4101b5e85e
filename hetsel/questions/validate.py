"""Options of `hetsel validate`: how does a saved signature perform on new labeled rows?"""

from typing import Literal

from hetsel.questions import of_a_table, of_files, select
from hetsel.questions.option import File, PerRow, option

SAID = "stored in the signature"


class NewRows(of_a_table.Weights, of_a_table.Rows, heading="rows"):
    """Options of the new rows."""

    row_groups: PerRow | None = option(
        "Group of each row, such as the patient; confidence intervals account for the groups. "
        f'"copies" (default): {of_a_table.COPIES} "rows": each row is a separate group.',
        shell="Column with the group of each row, such as the patient; confidence intervals "
        "account for the groups. Instead of a column you can write copies or rows. copies "
        f"(default): {of_a_table.COPIES} rows: each row is a separate group.",
        documented='array-like of shape (n,), "copies" or "rows"',
    )
    row_weights: PerRow | None = option(
        "Weight of each row; 0 leaves the row out.",
        shell="Column with the weight of each row, a number above 0.",
    )
    seen: Literal["error", "drop"] = option(
        'Handling of rows that are equal or nearly equal to a training row. "error": refuse them. '
        '"drop": leave them out.',
        "error",
    )
    drop_seen: bool = option(
        "Leave out rows that are equal or nearly equal to a training row; the same as `seen` drop.",
        False,
        lacks=dict.fromkeys(("Python", "R"), '`seen` = "drop"'),
    )


class SavedTarget(of_a_table.Target, heading="target", Python=SAID, R=SAID):
    """Options of the target of a signature."""

    target_kind: Literal["classes", "numbers", "survival", "martingale"] | None = option(
        "Kind of the target. Default: the kind of the target of the signature.",
        metavar="{classes,numbers,survival}",
        also=("--as",),
    )


class Validate(
    of_files.Printed,
    select.Probabilities,
    NewRows,
    of_files.Reading,
    SavedTarget,
    of_files.TableFile,
    of_files.SavedModel,
    plan="a study trains and scores its own models",
):
    """Options of a validation.

    The result is a :class:`hetsel.signature.validation.validated.Validation`.
    """

    report: File | None = option(
        "Write a report as a .html, .md or .docx file.", lacks=of_files.WRITTEN
    )
