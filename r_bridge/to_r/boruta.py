"""Boruta, by R's package of that name."""

from hetsel.selection import About, Cost
from r_bridge.to_r.importance_in_r import TREES, ImportanceInR
from r_bridge.to_r.ranger import MOST_LEVELS

# The importance of a column by which no tree splits is 0/0, which Boruta takes for 0 and warns of.
# The median is over the runs that the feature took part in: a rejected one leaves the further ones.
_BORUTA = """
function(x, y, ntree, runs) {
  found <- Boruta::Boruta(
    x, y, maxRuns = runs, num.trees = ntree, respect.unordered.factors = "partition",
    num.threads = 1L
  )
  history <- found$ImpHistory[, names(x), drop = FALSE]
  middle <- apply(history, 2, function(v) stats::median(v[is.finite(v)]))
  decision <- match(as.character(found$finalDecision), c("Rejected", "Tentative", "Confirmed"))
  list(importance = as.double(middle), decision = as.double(decision))
}
"""


class Boruta(ImportanceInR):
    """Rank features by Boruta: confirmed, then tentative, then rejected features.

    Each run trains a random forest on the features and their permuted copies, the shadows. A
    feature has a hit if its importance is above that of the best shadow. A feature is confirmed if
    it has significantly more hits than by chance, rejected if it has significantly fewer (binomial
    tests with Bonferroni's adjustment), and tentative if neither holds after the last run. Within
    each group, features are ordered by the median importance over their runs: the mean decrease in
    accuracy of R's ranger divided by its standard error (for numeric targets the increase of the
    mean squared error, for survival times the decrease of Harrell's concordance, see the method
    `ranger`). `answer_.extras["decision"]` is 3, 2 or 1.

    Levels are merged as by the method `ranger`.

    Parameters
    ----------
    ntree : int
        Number of trees of each forest.
    runs : int
        Largest number of runs, at least 11.

    References
    ----------
    Kursa and Rudnicki (2010), Feature selection with the Boruta package, Journal of Statistical
    Software 36(11).
    """

    ntree: int = 500
    runs: int = 100

    about = About(
        "Boruta of R: features against their permuted copies in random forests",
        paper="Kursa and Rudnicki 2010",
        cost=Cost("n p log n", "4 n p"),
        requires=("r",),
        draws=True,
        trial={"ntree": 50, "runs": 20},
        family="wrappers",
        targets=("classes", "numbers", "survival"),
    )

    package = "Boruta"
    in_r = _BORUTA
    muffled = "NaN"
    limits = (TREES, ("runs", 11, 100_000))
    most_levels = MOST_LEVELS
    ranked_by = ("decision", "importance")
