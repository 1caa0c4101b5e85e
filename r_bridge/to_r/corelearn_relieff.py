"""Rank features by ReliefF of R's CORElearn."""

from hetsel.selection import About, Cost
from r_bridge.to_r.importance_in_r import ImportanceInR

# 0 iterations are one for each row, so that nothing is drawn
_RELIEFF = """
function(x, y, k) {
  found <- CORElearn::attrEval(
    "y", data.frame(x, y = y), estimator = "ReliefFequalK", ReliefIterations = 0,
    kNearestEqual = k, maxThreads = 1
  )
  list(importance = as.double(found[names(x)]))
}
"""


class CORElearnReliefF(ImportanceInR):
    """Rank features by ReliefF of R's CORElearn.

    W(f) = (1/n) Σ_i [ Σ_c≠y_i P(c)/(1 − P(y_i)) · mean over the k nearest rows of class c of
    diff_f(i, ·) − mean over the k nearest rows of class y_i of diff_f(i, ·) ]: how much more a
    feature differs between a row and the nearest rows of other classes than between the row and the
    nearest rows of its own class. For numbers, diff is the difference divided by the range;
    CORElearn sets small differences to 0 and large ones to 1. For levels, diff is 0 or 1.

    CORElearn breaks ties of distances by its sort, so the scores depend on the order of the rows.
    The method `relieff` averages over tied rows. Both have the same scores if no distances tie,
    CORElearn's ``numAttrProportionEqual`` is 0 and its ``numAttrProportionDifferent`` is 1.

    A nominal column may have any number of levels.

    Parameters
    ----------
    k : int
        Number of nearest rows in each class.

    References
    ----------
    Robnik-Šikonja and Kononenko (2003), Theoretical and empirical analysis of ReliefF and RReliefF,
    Machine Learning 53.
    """

    k: int = 10

    about = About(
        "ReliefF of R's CORElearn",
        paper="Robnik-Sikonja and Kononenko 2003",
        cost=Cost("n^2 p", "4 n p"),
        flaws=("copies",),
        requires=("r",),
        family="filters",
        why_not={
            "numbers": "its RReliefF breaks ties by the order of the rows; use relieff",
            "survival": "CORElearn does not support survival times; use relieff",
        },
    )

    package = "CORElearn"
    in_r = _RELIEFF
    limits = (("k", 1, 100_000),)
    takes_constants = False
