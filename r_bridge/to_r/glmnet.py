"""Rank features by their order of entry into the path of R's glmnet."""

from hetsel.ground.errors import TableError
from hetsel.selection import About, Cost, Problem
from r_bridge.to_r.importance_in_r import ImportanceInR

# glmnet wants two columns: one of zeros more, which never enters. It warns of classes of fewer than
# eight rows, of which only an order is asked here, and where the path ends before its time.
_PATH = """
function(x, y, alpha) {
  columns <- lapply(x, function(v) {
    if (is.factor(v)) outer(as.integer(v), seq_along(levels(v)), "==") + 0 else v
  })
  owner <- rep(seq_along(columns), vapply(columns, NCOL, 1L))
  design <- do.call(cbind, c(unname(columns), list(0)))
  family <- if (!is.factor(y)) {
    if (survival::is.Surv(y)) "cox" else "gaussian"
  } else if (nlevels(y) == 2) "binomial" else "multinomial"
  path <- glmnet::glmnet(design, y, family = family, alpha = alpha, type.multinomial = "grouped")
  coefficients <- if (is.list(path$beta)) path$beta else list(path$beta)
  squares <- Reduce(`+`, lapply(coefficients, function(b) as.matrix(b)^2))
  squares <- squares[seq_along(owner), , drop = FALSE]
  columns <- design[, seq_along(owner), drop = FALSE]
  spread <- colMeans(sweep(columns, 2, colMeans(columns))^2)
  norm <- sqrt(rowsum(squares * spread, owner))
  entry <- apply(norm > 0, 1, function(entered) match(TRUE, entered))
  there <- !is.na(entry)
  importance <- size <- numeric(length(entry))
  importance[there] <- path$lambda[entry[there]]
  size[there] <- norm[cbind(which(there), entry[there])]
  list(importance = importance, norm = size)
}
"""


class Glmnet(ImportanceInR):
    """Rank features by the penalty at which they enter the path of R's glmnet.

    glmnet minimizes −(1/n) log-likelihood + λ (α ‖w‖_1 + (1 − α)/2 ‖w‖_2²) on standardized columns,
    for λ from the smallest value at which all w are 0 downward. The likelihood is that of logistic
    regression for classes, of linear regression for numeric targets (half the mean squared error,
    of the target scaled to variance 1), and of Cox regression for survival times (Breslow's partial
    likelihood). A nominal feature has one indicator column per level, without a baseline. The
    importance of a feature is the largest λ of the path with a coefficient that is not 0. It is 0
    if the feature does not enter before the path ends. The path ends at 1/10,000 of the first λ
    (1/100 with fewer rows than columns), or where glmnet separates the classes or does not
    converge. With more than two classes, all coefficients of a column enter together. Features that
    enter at the same λ are ordered by the norm of their coefficients over columns and classes, each
    coefficient multiplied by the standard deviation of its column.

    Parameters
    ----------
    alpha : float
        Weight of the l1 norm in the penalty, above 0 and at most 1; 1 is the lasso.

    References
    ----------
    Friedman, Hastie and Tibshirani (2010), Regularization paths for generalized linear models via
    coordinate descent, Journal of Statistical Software 33(1). Simon, Friedman, Hastie and
    Tibshirani (2011), Regularization paths for Cox's model, ibid. 39(5).
    """

    alpha: float = 1.0

    about = About(
        "path of R's glmnet, order of entry, the indicators of a factor as one group",
        paper="Friedman, Hastie and Tibshirani 2010",
        cost=Cost("n d", "4 n d"),
        requires=("r",),
        family="embedded",
        targets=("classes", "numbers", "survival"),
    )

    package = "glmnet"
    in_r = _PATH
    muffled = "fewer than 8|Convergence for"
    ranked_by = ("importance", "norm")

    def _settings(self, problem: Problem) -> tuple[object, ...]:
        if not 0 < self.alpha <= 1:
            raise TableError(f"alpha must be above 0 and at most 1. Got {self.alpha!r}")
        return (float(self.alpha),)
