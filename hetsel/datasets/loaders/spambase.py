"""Spambase: 4601 e-mails, 57 continuous features."""

from hetsel.datasets.dataset import Dataset
from hetsel.datasets.originals import GITHUB, UCI_LICENSE, Original
from hetsel.datasets.parsing import classes
from hetsel.files.reading import read_table

ORIGINAL = Original(
    "spambase/spambase.arff",
    "de045774b02909770aa52717398b1960258d2567669c35092e1d76f3c279b937",
    f"{GITHUB}/renatopp/arff-datasets/c59f172882592bb58982cc54d2d3c8a2b57e9b73/"
    "classification/spambase.arff",
)
DESCRIPTION = (
    "E-mails of a company: 4601 rows, 57 continuous features (percentages of 48 words and of 6 "
    "characters, and 3 lengths of runs of capital letters), nothing missing. Class 1 (1813 rows): "
    "spam; class 0 (2788 rows): not."
)
CITATION = (
    "Hopkins, M., Reeber, E., Forman, G., & Suermondt, J. (1999). Spambase. UCI Machine Learning "
    "Repository."
)


def load_spambase() -> Dataset:
    """The spambase table (4601 x 57).

    Returns
    -------
    Dataset
        y is 1 (spam, 1813 rows) or 0 (2788 rows).

    References
    ----------
    Ramona, Richard, David (2012), Multiclass feature selection with kernel Gram-matrix-based
    criteria, Table I.
    """
    X = read_table(ORIGINAL.fetch())
    y = classes(X.pop("class"), {"0": 0, "1": 1}, "spam")
    return Dataset("spambase", X, y, DESCRIPTION, CITATION, UCI_LICENSE)
