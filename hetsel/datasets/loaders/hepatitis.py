"""Hepatitis: 155 patients, 6 continuous and 13 categorical features."""

from hetsel.datasets.dataset import Dataset
from hetsel.datasets.originals import UCI, UCI_LICENSE, Original
from hetsel.datasets.parsing import classes, read_rows, typed

ORIGINAL = Original(
    "hepatitis/hepatitis.data",
    "9971f9d18abb4fc9dd6749eefb0f864b36fa7bdd59f54188c0b148a5c28214bc",
    f"{UCI}/hepatitis/hepatitis.data",
)
DESCRIPTION = (
    "Patients with hepatitis: 155 rows, 6 continuous and 13 categorical features, 167 missing "
    "cells. Class 0 (32 rows): died; class 1 (123 rows): lived. The two-valued features keep the "
    "codes 1 and 2 of the original, whose documentation lists their values as no, yes (sex: male, "
    "female) but does not say which code is which."
)
CITATION = (
    "Diaconis, P., & Efron, B. (1983). Computer-intensive methods in statistics. Scientific "
    "American, 248(5), 116-131. Donor of the data: G. Gong."
)

NAMES = (
    *("age", "sex", "steroid", "antivirals", "fatigue", "malaise", "anorexia", "liver big"),
    *("liver firm", "spleen palpable", "spiders", "ascites", "varices", "bilirubin"),
    *("alk phosphate", "sgot", "albumin", "protime", "histology"),
)
CONTINUOUS = ("age", "bilirubin", "alk phosphate", "sgot", "albumin", "protime")


def load_hepatitis() -> Dataset:
    """The hepatitis table (155 x 19), in the shape of Table 1 of the reference.

    Returns
    -------
    Dataset
        y is 0 (died, 32 rows) or 1 (lived, 123 rows).

    References
    ----------
    Paul, D'Ambrosio, Dupont (2015), Kernel methods for heterogeneous feature selection, Table 1.
    """
    codes, *features = zip(*read_rows(ORIGINAL.fetch()), strict=True)
    X = typed(dict(zip(NAMES, features, strict=True)), CONTINUOUS)
    y = classes(codes, {"1": 0, "2": 1}, "survival")
    return Dataset("hepatitis", X, y, DESCRIPTION, CITATION, UCI_LICENSE)
