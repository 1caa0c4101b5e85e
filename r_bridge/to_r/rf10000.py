"""Rank features by RF10000, the permutation importance of R's randomForest (paul2015, 3.2)."""

from typing import Literal

import numpy as np

from hetsel.ground.errors import Fix, TableError
from hetsel.selection import About, Cost, Problem
from hetsel.tables import Table
from r_bridge.to_r import canonical_columns
from r_bridge.to_r.importance_in_r import TREES, ImportanceInR, tried_at_split

_FOREST = """
function(x, y, ntree, mtry, scale) {
  forest <- randomForest::randomForest(
    x, y, ntree = ntree, mtry = mtry, importance = TRUE, keep.forest = FALSE
  )
  list(importance = as.double(randomForest::importance(forest, type = 1, scale = scale)))
}
"""


class RF10000(ImportanceInR):
    """Rank features by the permutation importance of R's randomForest.

    The importance of feature f is the mean decrease in accuracy
    VI(f) = (1/T) Σ_t (correct_t − correct_t,π(f)) / |OOB_t|: the mean over T trees of the accuracy
    of tree t on its out-of-bag rows, minus that accuracy after permuting f among them. For numeric
    targets it is the increase of the mean squared error, of the target scaled to variance 1.

    randomForest accepts neither missing values nor factors of more than 53 levels, so:

    - unused levels are dropped;
    - a nominal column of at most 53 levels is a factor, and trees split on sets of levels;
    - a nominal column of more levels keeps its 52 most frequent levels, and the others are merged
      into one, with a warning that names the column; ``many_levels="order"`` replaces the levels by
      numbers instead.

    The order of the columns in R depends on their content only. Continuous columns are counted in
    steps of their grid or scaled to [0, 1], and levels and classes are in the order of their first
    rows. Names, positions, units and the order of levels therefore do not influence the result.
    `answer_.seeded` has that order and the seed, with which R alone computes the same importances.

    Parameters
    ----------
    ntree : int
        Number of trees.
    mtry : int, optional
        Number of features tried at each split, 1..p; None is floor(sqrt(p)), for numeric targets
        floor(p/3).
    many_levels : {"merge", "order"}
        How to handle a nominal column of more than 53 levels. "merge" merges the rarest levels.
        "order" orders the levels: for two classes by the proportion of the second class among the
        training rows, which loses no split at the root (Breiman et al. 1984, section 4.2); for more
        classes by the first principal component of their class proportions (Coppersmith et al.
        1999); for numeric targets by their mean. The targets of out-of-bag rows then influence the
        order by which these rows are predicted, so an uninformative column of many levels looks
        important: with 92 random levels in 455 rows its importance is 0.04 to 0.07, like that of a
        column whose class means are 0.8 standard deviations apart.
    scaled : bool
        Divide the mean decrease by its standard error, the default of R's ``importance()``. The
        unscaled mean is Breiman's importance.

    References
    ----------
    Breiman (2001), Random forests, section 10. Liaw and Wiener (2002), R News 2(3).
    Breiman, Friedman, Olshen and Stone (1984), Classification and regression trees.
    Coppersmith, Hong and Hosking (1999), Partitioning nominal attributes in decision trees.
    """

    ntree: int = 10_000
    mtry: int | None = None
    many_levels: Literal["merge", "order"] = "merge"
    scaled: bool = False

    about = About(
        "random forest of R, permutation importance",
        paper="paul2015",
        cost=Cost("n p^0.5 log n", "4 n p"),
        requires=("r",),
        draws=True,
        trial={"ntree": 200},
        family="embedded",
        targets=("classes", "numbers"),
        why_not={"survival": "R's randomForest does not support survival times; use ranger"},
    )

    package = "randomForest"
    in_r = _FOREST
    muffled = "five or fewer unique"
    limits = (TREES,)
    most_levels = 53  # of a factor, in R's randomForest
    ties_by_content = False  # as the cells of studies have them

    def _settings(self, problem: Problem) -> tuple[object, ...]:
        (ntree,), p = super()._settings(problem), problem.p
        mtry = tried_at_split(self.mtry, p, None if problem.target.kind == "classes" else p // 3)
        if self.many_levels not in ("merge", "order"):
            raise TableError(f"many_levels must be 'merge' or 'order'. Got {self.many_levels!r}")
        return ntree, mtry, bool(self.scaled)

    def _columns(self, table: Table, order: np.ndarray, told: np.ndarray) -> Table:
        ordered_by = told if self.many_levels == "order" else None
        if ordered_by is None:
            apart = Fix("many_levels", "order", "to keep all levels, which favors such columns")
            canonical_columns.warn_of_merged(table, "R's randomForest", self.most_levels, apart)
        taken = table.take(columns=order)
        return canonical_columns.canonical(taken, self.most_levels, ordered_by)
