"""Options of `hetsel predict`: what does a saved signature predict for new rows?"""

from typing import Literal

from hetsel.questions.of_files import WRITTEN, Reading, SavedModel, TableFile, Written
from hetsel.questions.option import Columns, File, option


class Predict(
    Written, Reading, TableFile, SavedModel, plan="a study trains and scores its own models"
):
    """Options of a prediction."""

    unseen: Literal["error", "separate"] | None = option(
        'Handling of a row with a level that no training row had. "error": refuse the row. '
        '"separate": treat the level as a separate level, which adds nothing to the decision '
        "value. Default: as specified when the signature was selected.",
        lacks={"R": "set by `hetsel_select`"},
    )
    keep: Columns | None = option(
        "Columns of the table to copy to the output, such as the patient number.",
        lacks=WRITTEN,
    )
    out: File | None = option("Write the predictions to a .csv or .tsv file.", lacks=WRITTEN)
