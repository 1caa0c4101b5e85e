"""Rank features by the permutation importance of R's ranger."""

from hetsel.selection import About, Cost
from r_bridge.to_r.importance_in_r import ForestInR

MOST_LEVELS = 10  # a node tries all 2^(k - 1) - 1 ways to part k levels
# one thread: the sum over trees has the same bits wherever it runs
FOREST = """
function(x, y, ntree, mtry) {
  forest <- ranger::ranger(
    x = x, y = y, num.trees = ntree, mtry = mtry, importance = "%s",
    respect.unordered.factors = "partition", write.forest = FALSE, num.threads = 1L
  )
  list(importance = as.double(forest$variable.importance))
}
"""


class Ranger(ForestInR):
    """Rank features by the permutation importance of R's ranger.

    The importance of feature f is the mean decrease in accuracy
    VI(f) = (1/T) Σ_t (correct_t − correct_t,π(f)) / |OOB_t|: the mean over T trees of the accuracy
    of tree t on its out-of-bag rows, minus that accuracy after permuting f among them. For numeric
    targets it is the increase of the mean squared error, of the target scaled to variance 1. For
    survival times it is the decrease of Harrell's concordance, of forests that split by the
    log-rank statistic.

    Trees try all divisions of the levels of a nominal column into two sets. A column of more than
    10 levels therefore keeps its 9 most frequent levels, and the others are merged into one, with a
    warning that names the column. ranger's alternative, to order levels by their class proportions,
    uses the classes of the out-of-bag rows, so it favors columns of many levels.

    References
    ----------
    Breiman (2001), Random forests, section 10. Wright and Ziegler (2017), ranger, Journal of
    Statistical Software 77(1).
    """

    about = About(
        "random forest of R's ranger, permutation importance",
        paper="Wright and Ziegler 2017",
        cost=Cost("n p^0.5 log n", "4 n p"),
        requires=("r",),
        draws=True,
        trial={"ntree": 200},
        family="embedded",
        targets=("classes", "numbers", "survival"),
    )

    package = "ranger"
    most_levels = MOST_LEVELS
    in_r = FOREST % "permutation"
