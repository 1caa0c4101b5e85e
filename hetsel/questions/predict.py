"""Options of `hetsel predict`: what does a saved signature predict for new rows?"""

from typing import Literal

from hetsel.questions.of_files import WRITTEN, Reading, SavedModel, TableFile, Written
from hetsel.questions.option import Columns, option


class Predict(
    Written, Reading, TableFile, SavedModel, plan="a study trains and scores its own models"
):
    """Options of a prediction."""

    unseen: Literal["error", "separate"] | None = option(
        'Handling of a level that no training row had. "error": refuse it. "separate": treat it as '
        "a separate level, which adds nothing to the decision value. Default: as specified at "
        "training.",
        lacks={"R": "set by `hetsel_select`"},
    )
    keep: Columns | None = option(
        "Columns of the table to copy to the output, such as the patient number.",
        lacks=WRITTEN,
    )
