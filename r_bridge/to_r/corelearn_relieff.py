"""ReliefF of R's CORElearn."""

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
    """Rank the features by ReliefF of R's CORElearn.

    W(f) = (1/n) Σ_i [ Σ_c≠y_i P(c)/(1 − P(y_i)) · mean over the k nearest rows of class c of
    diff_f(i, ·) − mean over the k nearest rows of class y_i of diff_f(i, ·) ]: how much more a
    feature differs from the nearest rows of other classes than from those of the own class. diff is
    the share of the range for numbers, where CORElearn takes a small difference for none and a
    large one for a whole one, and 0 or 1 for levels.

    Of rows that are equally far CORElearn takes those that its sort has first, so that the order of
    the rows has a part in the scores; the method `relieff` shares their places, and has the same
    scores where no distances tie and CORElearn's ``numAttrProportionEqual`` is 0 and
    ``numAttrProportionDifferent`` 1.

    A nominal column has any number of levels.

    Parameters
    ----------
    k : int
        Number of nearest rows of each class.

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
            "numbers": "the order of the rows breaks its ties, relieff has the same RReliefF",
            "survival": "CORElearn knows no survival times, relieff takes them",
        },
    )

    package = "CORElearn"
    in_r = _RELIEFF
    limits = (("k", 1, 100_000),)
    takes_constants = False
