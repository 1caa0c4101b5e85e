"""What are new rows, by a saved signature?"""

from typing import Literal

from hetsel.questions.of_files import WRITTEN, Reading, SavedModel, TableFile, Written
from hetsel.questions.option import Columns, option


class Predict(Written, Reading, TableFile, SavedModel, plan="a study learns and judges anew"):
    """Everything that is asked of predictions."""

    unseen: Literal["error", "separate"] | None = option(
        'what becomes of a level that no row of the fit had: an "error", or "separate", a level of '
        "its own, which adds nothing to the decision; default: what the fit was told",
        lacks={"R": "`hetsel_select` has it"},
    )
    keep: Columns | None = option(
        "columns of the table to copy beside what is predicted, such as the number of a patient",
        lacks=WRITTEN,
    )
