"""USPS: 9298 handwritten digits, 256 continuous features; ten classes, or two."""

from dataclasses import replace

import numpy as np
import pandas as pd

from hetsel.datasets.dataset import Dataset
from hetsel.datasets.originals import GITHUB, Original
from hetsel.datasets.parsing import read_r_objects

_ORIGIN = f"{GITHUB}/cran/ElemStatLearn/253e54016d004ac67879b594311651be3debbed4/data"
TRAINING = Original(
    "usps/zip.train.RData",
    "68cc11b888f8f199b91500818358855ef352dc7f7cb0f599f4a3323fae4eef8b",
    f"{_ORIGIN}/zip.train.RData",
)
TEST = Original(
    "usps/zip.test.RData",
    "dd652f33aa679d1a71662a0df49b75dac30b616dac1a51c353fd21109301782a",
    f"{_ORIGIN}/zip.test.RData",
)
_IMAGES = (
    "Digits of zip codes on envelopes, scanned: 9298 rows, 256 continuous features (the gray of "
    "16 x 16 pixels, -1 to 1; r1c2 is row 1, column 2), nothing missing. The first 7291 rows are "
    "the training part, the other 2007 the test part."
)
DESCRIPTION = (
    f"{_IMAGES} The classes are the digits: class 0 (1553 rows), class 1 (1269 rows), class 2 (929 "
    "rows), class 3 (824 rows), class 4 (852 rows), class 5 (716 rows), class 6 (834 rows), class "
    "7 (792 rows), class 8 (708 rows), class 9 (821 rows)."
)
BINARIZED = f"{_IMAGES} Class 0 (5427 rows): digits 0 to 4; class 1 (3871 rows): digits 5 to 9."
CITATION = (
    "LeCun, Y., Boser, B., Denker, J. S., Henderson, D., Howard, R. E., Hubbard, W., & Jackel, L. "
    "D. (1990). Handwritten digit recognition with a back-propagation network. Advances in Neural "
    "Information Processing Systems 2, 396-404."
)
LICENSE = "R package ElemStatLearn 2015.6.26.2, GPL (>= 2)"


def load_usps() -> Dataset:
    """The USPS digits (9298 x 256), ten classes.

    Returns
    -------
    Dataset
        y is the digit, 0 to 9; `n_training` is 7291.

    References
    ----------
    Ramona, Richard, David (2012), Multiclass feature selection with kernel Gram-matrix-based
    criteria, Tables I and II.
    """
    return _digits("usps", DESCRIPTION)


def load_usps_binarized() -> Dataset:
    """The USPS digits (9298 x 256), 0 to 4 against 5 to 9.

    Returns
    -------
    Dataset
        y is 1 (5 to 9, 3871 rows) or 0 (5427 rows); `n_training` is 7291.

    References
    ----------
    Ramona, Richard, David (2012), Multiclass feature selection with kernel Gram-matrix-based
    criteria, Section V-C and Table V.
    """
    data = _digits("usps-binarized", BINARIZED)
    return replace(data, y=(data.y > 4).astype("int64").rename("digit > 4"))


def _digits(name: str, description: str) -> Dataset:
    """Both parts, one below the other, with the ten classes."""
    training = read_r_objects(TRAINING.fetch())["zip.train"]
    rows = np.vstack([training, read_r_objects(TEST.fetch())["zip.test"]])
    pixels = [f"r{row}c{column}" for row in range(1, 17) for column in range(1, 17)]
    X = pd.DataFrame(rows[:, 1:], columns=pixels)
    y = pd.Series(rows[:, 0].astype(np.int64), name="digit")
    return Dataset(name, X, y, description, CITATION, LICENSE, n_training=len(training))
