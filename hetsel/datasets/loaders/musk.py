"""Musk, version 1: 476 conformations of 92 molecules, 166 continuous features."""

import pandas as pd

from hetsel.datasets.dataset import Dataset
from hetsel.datasets.originals import GITHUB, UCI_LICENSE, Original
from hetsel.datasets.parsing import classes, numbers, read_rows

# at UCI the file is packed with compress (.Z), which Python cannot unpack
ORIGINAL = Original(
    "musk1/clean1.data",
    "37d199d9c7c1c0763d58adb629a8a2e5ef410cdc088b28344b7c12c0bda5dcd1",
    f"{GITHUB}/doanhlee04/MachineLearning/968f8ddbdbe121d00155327c59f98b19525cbfb4/clean1.data",
)
DESCRIPTION = (
    "Conformations of 92 molecules: 476 rows, 166 continuous features (162 distances along rays "
    "and the place of an oxygen atom), nothing missing. Class 1 (207 rows): the molecule is a "
    "musk; class 0 (269 rows): it is not. Rows of one molecule resemble each other: a resampling "
    "by rows has them on both sides. The names of molecule and conformation are left out."
)
CITATION = (
    "Dietterich, T. G., Lathrop, R. H., & Lozano-Perez, T. (1997). Solving the multiple instance "
    "problem with axis-parallel rectangles. Artificial Intelligence, 89, 31-71."
)


def load_musk() -> Dataset:
    """The musk table, version 1 (476 x 166).

    Returns
    -------
    Dataset
        y is 1 (musk, 207 rows) or 0 (269 rows).

    References
    ----------
    Ramona, Richard, David (2012), Multiclass feature selection with kernel Gram-matrix-based
    criteria, Table I.
    """
    _, _, *features, codes = zip(*read_rows(ORIGINAL.fetch()), strict=True)
    X = pd.DataFrame({f"f{place}": numbers(cells) for place, cells in enumerate(features, start=1)})
    y = classes(codes, {"0.": 0, "1.": 1}, "musk")
    return Dataset("musk", X, y, DESCRIPTION, CITATION, UCI_LICENSE)
