"""Boston housing, corrected: 506 census tracts, 15 continuous and 2 categorical features."""

import pandas as pd

from hetsel.datasets.dataset import Dataset
from hetsel.datasets.originals import Original
from hetsel.datasets.parsing import levels, numbers, read_rows

ORIGINAL = Original(
    "boston_corrected/boston_corrected.csv",
    "9abb37ca36cea73aeb3a8af8876b231f4290177dff9de04b2a28d68cdf9fe5ff",
    hint=(
        "In R: data(BostonHousing2, package = 'mlbench'); "
        "write.csv(BostonHousing2, 'boston_corrected.csv', row.names = FALSE)"
    ),
)
DESCRIPTION = (
    "Census tracts around Boston: 506 rows, 15 continuous and 2 categorical features (town, with "
    "92 levels, and chas: does the tract bound the river?), nothing missing. Class 1 (291 rows): "
    "the corrected median value of the homes, cmedv, is above 20,000 dollars; class 0 (215 rows): "
    "it is not. cmedv and the uncorrected medv are not among the features. tract, the number of "
    "the tract, counts as continuous, as in the paper's count of features."
)
CITATION = (
    "Harrison, D., & Rubinfeld, D. L. (1978). Hedonic prices and the demand for clean air. "
    "Journal of Environmental Economics and Management, 5, 81-102. Corrections: Gilley, O. W., & "
    "Pace, R. K. (1996). On the Harrison and Rubinfeld data. Journal of Environmental Economics "
    "and Management, 31, 403-405."
)
LICENSE = "StatLib data without a stated license; the file is that of R's mlbench 2.1-3, GPL-2"


def load_housing() -> Dataset:
    """The corrected Boston housing table (506 x 17), in the shape of Table 1 of the reference.

    Returns
    -------
    Dataset
        y is 1 (median value above 20,000 dollars, 291 rows) or 0 (215 rows).

    References
    ----------
    Paul, D'Ambrosio, Dupont (2015), Kernel methods for heterogeneous feature selection, Table 1.
    """
    header, *rows = read_rows(ORIGINAL.fetch())
    cells = dict(zip(header, zip(*rows, strict=True), strict=True))
    y = pd.Series((numbers(cells["cmedv"]) > 20).astype("int64"), name="cmedv > 20")
    X = pd.DataFrame(
        {
            name: pd.Series(levels(column) if name in ("town", "chas") else numbers(column))
            for name, column in cells.items()
            if name not in ("medv", "cmedv")
        }
    )
    return Dataset("housing", X, y, DESCRIPTION, CITATION, LICENSE)
