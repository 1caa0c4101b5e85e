"""RF10000: the permutation importance of R's randomForest (paul2015, section 3.2)."""

from __future__ import annotations

import warnings
from typing import Any, Literal

import numpy as np

from hetsel.ground.errors import Fix, HetselWarning, TableError
from hetsel.ground.text import listed
from hetsel.models.level_order import order_levels
from hetsel.selection.about import About
from hetsel.selection.answer import Ranking
from hetsel.selection.base import BaseSelector
from hetsel.selection.problem import Problem
from hetsel.tables.column import Column
from hetsel.tables.table import Schema, Table, content_ranks
from r_bridge.to_r import convert, session

MOST_LEVELS = 53  # of a factor, in R's randomForest
# The generator is set to R's defaults and put back, so that a session's own draws are not touched.
# The empty draw makes R read the state again: reticulate writes back what R has read last.
# A second Ctrl-C must not tear that.
_FOREST = """
function(x, y, ntree, mtry, scale, seed) {
  generator <- RNGkind()
  state <- get0(".Random.seed", globalenv(), inherits = FALSE)
  on.exit(suspendInterrupts({
    do.call(RNGkind, as.list(generator))
    if (is.null(state)) {
      set.seed(NULL)
    } else {
      assign(".Random.seed", state, envir = globalenv())
      sample.int(2L, 0L)
    }
  }))
  set.seed(seed, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
  forest <- randomForest::randomForest(
    x, y[[1]], ntree = ntree, mtry = mtry, importance = TRUE, keep.forest = FALSE
  )
  as.double(randomForest::importance(forest, type = 1, scale = scale))
}
"""


class RF10000(BaseSelector):
    """Rank the features by the permutation importance of R's randomForest.

    The importance of feature f is the mean decrease in accuracy
    VI(f) = (1/T) Σ_t (correct_t − correct_t,π(f)) / |OOB_t|: over T trees, the share of the
    out-of-bag rows that tree t classifies correctly, less that share after the values of f are
    permuted among them.

    randomForest takes neither missing values nor a factor of more than 53 levels, so:

    - unused levels are dropped;
    - a nominal column of at most 53 levels is a factor, and splits on sets of levels;
    - one of more levels keeps its 52 most frequent ones, and the others become one level, with a
      warning that names the column; ``many_levels="order"`` makes numbers of the levels instead;
    - an ordinal column is the number of its level;
    - a cell that ``missing="separate"`` leaves missing (continuous and ordinal columns) is filled
      with the lower median of its column; in a nominal column missing is a level.

    The columns enter in an order that depends on their content only, continuous ones counted in
    steps of their grid or scaled to [0, 1], levels and classes in the order of their first rows:
    names, places, units and the order of levels change nothing.

    Parameters
    ----------
    ntree : int
        Number of trees.
    mtry : int, optional
        Number of features tried at each split, 1..p; None is floor(sqrt(p)).
    many_levels : {"merge", "order"}
        What becomes of a nominal column of more than 53 levels. "order" numbers its levels by the
        share of the second class among the training rows, which for two classes loses no split at
        the root (Breiman et al. 1984, section 4.2), for more classes by the first principal
        component of their class shares (Coppersmith et al. 1999). But the rows out of the bag then
        have a part in the order on which they are predicted, and a column of many levels that tells
        nothing looks important: with 92 levels of noise in 455 rows, 0.04 to 0.07, as much as a
        column whose class means are 0.8 standard deviations apart.
    scaled : bool
        Divide the mean decrease by its standard error, as R's ``importance()`` does unless told
        otherwise by its argument ``scale``. The mean itself is Breiman's.

    References
    ----------
    Breiman (2001), Random forests, section 10. Liaw and Wiener (2002), R News 2(3).
    Breiman, Friedman, Olshen and Stone (1984), Classification and regression trees.
    Coppersmith, Hong and Hosking (1999), Partitioning nominal attributes in decision trees.

    Examples
    --------
    >>> import pandas as pd
    >>> from hetsel import get_method
    >>> frame = pd.DataFrame({"dose": [1.0, 2.1, 2.9, 4.2] * 10, "sex": ["f", "m", "m", "f"] * 10})
    >>> y = [0, 0, 1, 1] * 10
    >>> get_method("rf10000")(ntree=50).fit(frame, y).frame()["feature"].tolist()
    ['dose', 'sex']
    """

    ntree: int = 10_000
    mtry: int | None = None
    many_levels: Literal["merge", "order"] = "merge"
    scaled: bool = False

    about = About(
        "random forest of R, permutation importance",
        paper="paul2015",
        requires=("r",),
        draws=True,
        trial={"ntree": 200},
        family="embedded",
        former={"scaled": "scale"},
    )

    @classmethod
    def foreign_versions(cls) -> dict[str, str]:
        return {"R": session.find_r()[1], "randomForest": session.require_package("randomForest")}

    def _select(self, problem: Problem) -> Ranking:
        table, y, p = problem.table, problem.classes.codes, problem.p
        ntree = _checked("ntree", self.ntree, 10_000_000)
        mtry = max(1, int(np.sqrt(p))) if self.mtry is None else _checked("mtry", self.mtry, p)
        if self.many_levels not in ("merge", "order"):
            raise TableError(f"many_levels must be 'merge' or 'order'. Got {self.many_levels!r}")
        seed = int(problem.rng().integers(2**31 - 1))
        session.require_package("randomForest")
        order = table.canonical_order()
        classes = content_ranks(y[:, None].astype(np.float64), np.array([True]))[0]
        complete = canonical(table.take(columns=order), classes, self.many_levels)
        if self.many_levels == "merge":
            _warn_of_merged(table)
        if not (complete.values != complete.values[0]).any():
            # randomForest grows a tree anew until its root splits, for ever
            return Ranking.from_importance(np.zeros(p))
        target = Column("y", "nominal", tuple(_names(int(classes.max()) + 1)))
        values = session.call(
            _FOREST,
            convert.to_r(complete),
            convert.to_r(Table(classes[:, None].astype(np.float64), Schema((target,)))),
            ntree,
            mtry,
            bool(self.scaled),
            seed,
        )
        importance = np.empty(p)
        # a feature has no importance, rather than none known, where no row was ever out of bag
        importance[order] = np.nan_to_num(np.array(values.memoryview()), nan=0.0)
        return Ranking.from_importance(importance)


def canonical(
    table: Table, y: np.ndarray, many_levels: Literal["merge", "order"] = "merge"
) -> Table:
    """The table that randomForest gets, complete and within its limits; see :class:`RF10000`.

    Parameters
    ----------
    table : Table
        Values (n, p), of which continuous and ordinal ones may be missing.
    y : ndarray of int, shape (n,)
        Class codes, in the order of first appearance.
    """
    codes = content_ranks(table.values, table.nominal)
    values = np.empty(table.shape)
    columns = []
    for j, column in enumerate(table.schema.columns):
        n_levels = int(codes[j].max()) + 1
        name = f"x{j + 1}"
        if column.kind != "nominal":
            values[:, j] = _filled(table.values[:, j])
            if column.kind == "continuous":
                values[:, j] = _unitless(values[:, j])
        elif n_levels > MOST_LEVELS and many_levels == "order":
            values[:, j] = order_levels(codes[[j]], y, np.ones(len(y), dtype=np.int64))[0]
        else:
            values[:, j] = merged(codes[j])
            columns.append(Column(name, "nominal", tuple(_names(min(n_levels, MOST_LEVELS)))))
            continue
        columns.append(Column(name, "continuous"))
    return Table(values, Schema(tuple(columns)))


def merged(codes: np.ndarray) -> np.ndarray:
    """Level codes (n,), of more than 53 levels the rarest ones merged into the last.

    Of equally frequent levels those of the lower code stay.

    Examples
    --------
    >>> merged(np.array([0, 1, 1, 0]))
    array([0, 1, 1, 0])
    >>> merged(np.concatenate([np.arange(60), np.arange(10, 60)]))[:12]
    array([50, 51, 52, 52, 52, 52, 52, 52, 52, 52,  0,  1])
    """
    counts = np.bincount(codes)
    if len(counts) <= MOST_LEVELS:
        return codes
    place = np.empty(len(counts), dtype=np.int64)
    place[np.argsort(-counts, kind="stable")] = np.arange(len(counts))
    return np.minimum(place, MOST_LEVELS - 1)[codes]


def _warn_of_merged(table: Table) -> None:
    levels = [len(np.unique(column)) for column in table.values.T]
    names = [
        f"{name} ({n} levels)"
        for name, n, nominal in zip(table.names, levels, table.nominal, strict=True)
        if nominal and n > MOST_LEVELS
    ]
    if names:
        warnings.warn(
            HetselWarning(
                f"R's randomForest takes at most {MOST_LEVELS} levels: the rarest ones are merged "
                f"in {listed(names)}",
                Fix("many_levels", "order", "keeps them apart but flatters the column"),
            ),
            stacklevel=2,
        )


def _filled(values: np.ndarray) -> np.ndarray:
    gaps = np.isnan(values)
    if not gaps.any():
        return values
    return np.where(gaps, np.quantile(values[~gaps], 0.5, method="lower"), values)


def _unitless(values: np.ndarray) -> np.ndarray:
    """Values (n,) whose rounding no longer depends on their unit.

    A tree cuts half-way between two values, and a third may lie just there: in another unit
    rounding could put it on the other side. Values on a grid are counted in its steps, which is
    exact; others are scaled to [0, 1] and rounded to 12 decimals.
    """
    values = values / (np.abs(values).max() or 1.0)
    values = values - values.min()
    width = values.max()
    if width == 0:
        return values
    gaps = np.diff(np.unique(values))
    steps = values / gaps[gaps > 1e-9 * width].min()
    if np.abs(steps - np.round(steps)).max() < 1e-6:
        return np.round(steps)
    return np.round(values / width, 12)


def _names(n: int) -> list[str]:
    return [f"l{k + 1}" for k in range(n)]


def _checked(name: str, value: Any, most: int) -> int:
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not whole or not 1 <= value <= most:
        raise TableError(f"{name} must be a whole number in 1..{most}. Got {value!r}")
    return int(value)
