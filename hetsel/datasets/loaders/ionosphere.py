"""Ionosphere: 351 radar returns, 34 continuous features."""

import pandas as pd

from hetsel.datasets.dataset import Dataset
from hetsel.datasets.originals import UCI, UCI_LICENSE, Original
from hetsel.datasets.parsing import classes, numbers, read_rows

ORIGINAL = Original(
    "ionosphere/ionosphere.data",
    "46d52186b84e20be52918adb93e8fb9926b34795ff7504c24350ae0616a04bbd",
    f"{UCI}/ionosphere/ionosphere.data",
)
DESCRIPTION = (
    "Returns of a radar at Goose Bay, Labrador: 351 rows, 34 continuous features (real and "
    "imaginary part of the autocorrelation at 17 pulse numbers), nothing missing. Class 1 (225 "
    "rows): good, the ionosphere shows some structure; class 0 (126 rows): bad. The first feature "
    "holds only 0 and 1, the second only 0; the documentation calls all continuous."
)
CITATION = (
    "Sigillito, V. G., Wing, S. P., Hutton, L. V., & Baker, K. B. (1989). Classification of radar "
    "returns from the ionosphere using neural networks. Johns Hopkins APL Technical Digest, 10, "
    "262-266."
)


def load_ionosphere() -> Dataset:
    """The ionosphere table (351 x 34).

    Returns
    -------
    Dataset
        y is 1 (good, 225 rows) or 0 (bad, 126 rows).

    References
    ----------
    Ramona, Richard, David (2012), Multiclass feature selection with kernel Gram-matrix-based
    criteria, Table I.
    """
    *features, codes = zip(*read_rows(ORIGINAL.fetch()), strict=True)
    parts = [f"{part} {pulse}" for pulse in range(1, 18) for part in ("real", "imaginary")]
    X = pd.DataFrame(dict(zip(parts, map(numbers, features), strict=True)))
    y = classes(codes, {"b": 0, "g": 1}, "good")
    return Dataset("ionosphere", X, y, DESCRIPTION, CITATION, UCI_LICENSE)
