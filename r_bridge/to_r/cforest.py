"""Rank features by the permutation importance of a conditional inference forest of R's party."""

from hetsel.selection import About, Cost
from r_bridge.to_r.importance_in_r import ForestInR

# the settings of cforest_unbiased(), but for less rows than it takes
# party says by a message that importances of survival forests are experimental
_FOREST = """
function(x, y, ntree, mtry) {
  controls <- party::cforest_control(
    teststat = "quad", testtype = "Univ", mincriterion = 0, fraction = 0.632,
    replace = 0.632 * nrow(x) < 10, ntree = ntree, mtry = min(mtry, ncol(x))
  )
  data <- x
  data$y <- y
  forest <- party::cforest(y ~ ., data = data[c("y", names(x))], controls = controls)
  utils::capture.output(importance <- party::varimp(forest))
  list(importance = as.double(importance[names(x)]))
}
"""


class CForest(ForestInR):
    """Rank features by the permutation importance of a conditional inference forest.

    A node splits on the feature with the smallest p-value in a test of independence from the
    target, and then chooses the cut. Features with many levels or values therefore have no
    advantage. Each tree is trained on 63.2% of the rows, drawn without replacement, or on a
    bootstrap sample if these are fewer than 10, which party does not accept. The importance of
    feature f is the mean over trees of the accuracy on the rows outside the sample, minus that
    accuracy after permuting f among them. For numeric targets it is the increase of the mean
    squared error, of the target scaled to variance 1. For survival times, with log-rank tests, it
    is the increase of the integrated Brier score over the ranks of the times, which party calls
    experimental.

    A nominal column may have any number of levels.

    References
    ----------
    Hothorn, Hornik and Zeileis (2006), Unbiased recursive partitioning, Journal of Computational
    and Graphical Statistics 15(3). Strobl, Boulesteix, Zeileis and Hothorn (2007), Bias in random
    forest variable importance measures, BMC Bioinformatics 8(25).
    """

    about = About(
        "conditional inference forest of R's party, permutation importance",
        paper="Hothorn, Hornik and Zeileis 2006; Strobl et al. 2007",
        cost=Cost("n^2 p", "4 n p + 500 n"),
        requires=("r",),
        draws=True,
        trial={"ntree": 40},
        family="embedded",
        targets=("classes", "numbers", "survival"),
    )

    package = "party"
    in_r = _FOREST
    takes_constants = False
