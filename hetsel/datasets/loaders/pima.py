"""Pima: 768 women, 8 continuous features."""

import pandas as pd

from hetsel.datasets.dataset import Dataset
from hetsel.datasets.originals import GITHUB, Original
from hetsel.datasets.parsing import classes, numbers, read_rows

ORIGINAL = Original(
    "pima/pima-indians-diabetes.csv",
    "6bfe5d0f379d17a0e0819b996407e3c09bf80febd4287f2ed212190dfff154af",
    f"{GITHUB}/jbrownlee/Datasets/d20fcb6402ae34e653d4513b00f39257bb37ed7f/"
    "pima-indians-diabetes.csv",
)
DESCRIPTION = (
    "Women of Pima Indian heritage, at least 21 years old: 768 rows, 8 continuous features, "
    "nothing marked as missing. Class 1 (268 rows): diabetes within five years; class 0 (500 "
    "rows): none. Zeros are kept as they are, though they cannot be true of glucose (5 rows), "
    "blood pressure (35), triceps (227), insulin (374) and body mass (11)."
)
CITATION = (
    "Smith, J. W., Everhart, J. E., Dickson, W. C., Knowler, W. C., & Johannes, R. S. (1988). "
    "Using the ADAP learning algorithm to forecast the onset of diabetes mellitus. Proceedings of "
    "the Symposium on Computer Applications and Medical Care, 261-265."
)
LICENSE = "Formerly of the UCI Machine Learning Repository, CC BY 4.0; no longer offered there"

NAMES = (
    *("pregnancies", "glucose", "blood pressure", "triceps", "insulin", "body mass", "pedigree"),
    "age",
)


def load_pima() -> Dataset:
    """The Pima diabetes table (768 x 8), zeros kept as they are.

    Returns
    -------
    Dataset
        y is 1 (diabetes, 268 rows) or 0 (500 rows).

    References
    ----------
    Ramona, Richard, David (2012), Multiclass feature selection with kernel Gram-matrix-based
    criteria, Table I.
    """
    *features, codes = zip(*read_rows(ORIGINAL.fetch()), strict=True)
    X = pd.DataFrame(dict(zip(NAMES, map(numbers, features), strict=True)))
    y = classes(codes, {"0": 0, "1": 1}, "diabetes")
    return Dataset("pima", X, y, DESCRIPTION, CITATION, LICENSE)
