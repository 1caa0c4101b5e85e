"""Base class of the methods whose importances a package of R computes."""

from typing import ClassVar

import numpy as np

from hetsel.ground.errors import TableError
from hetsel.selection import BaseSelector, Problem, Ranking, order_best_first
from hetsel.selection.about import with_example
from hetsel.selection.answer import SeededCall
from hetsel.tables import Table
from r_bridge.to_r import canonical_columns, convert, session

TREES = ("ntree", 1, 10_000_000)
EXAMPLE = """\
>>> import pandas as pd
>>> from hetsel import get_method
>>> frame = pd.DataFrame({"dose": [1.0, 2.1, 2.9, 4.2] * 10, "sex": ["f", "m", "m", "f"] * 10})
>>> method = get_method("NAME")(TRIAL)
>>> method.fit(frame, [0, 0, 1, 1] * 10).frame()["feature"].tolist()  # doctest: +SKIP
['dose', 'sex']"""

_CALL = """
function(x, y, muffled, ...) {
  if (is.data.frame(y)) y <- survival::Surv(y$time, y$status)
  importances <- %s
  withCallingHandlers(importances(x, y, ...), warning = function(w) {
    if (nzchar(muffled) && grepl(muffled, conditionMessage(w))) invokeRestart("muffleWarning")
  })
}
"""


class ImportanceInR(BaseSelector):
    """Rank features by importances that R code computes from columns and the target.

    A subclass is a declaration. The order of the columns in R depends on their content only, see
    :mod:`r_bridge.to_r.canonical_columns`. The ranking has the call that repeats it, as
    `answer_.seeded`: after ``set.seed`` with its seed, R computes the same importances from the
    columns in its order. Levels and classes are then in the order of their first rows, numeric
    targets are standardized, and survival times are replaced by ranks, see
    :func:`r_bridge.to_r.canonical_columns.target_of`.

    Notes
    -----
    An ordinal column is passed as the number of its level. With ``missing="separate"``, a missing
    value is replaced by the lower median of its column; in a nominal column missing is a level.
    """

    package: ClassVar[str] = ""
    # a function of a data frame, the target (a factor, numbers, or what Surv makes) and settings; a
    # list of vectors of one number a column
    in_r: ClassVar[str] = ""
    muffled: ClassVar[str] = ""  # a pattern of warnings
    limits: ClassVar[tuple[tuple[str, int, int], ...]] = ()  # of settings that are whole numbers
    most_levels: ClassVar[int | None] = None  # of a nominal column
    takes_constants: ClassVar[bool] = True  # else they have importance 0
    # what is ranked by, of what the source returns: further ones order equals of the one before
    ranked_by: ClassVar[tuple[str, ...]] = ("importance",)
    ties_by_content: ClassVar[bool] = True

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "about" in vars(cls):
            trial = ", ".join(f"{name}={value}" for name, value in cls.about.trial.items())
            key = cls.__module__.rpartition(".")[2].replace("_", "-")
            cls.__doc__ = with_example(str(cls.__doc__), EXAMPLE.replace("TRIAL", trial), key)

    @classmethod
    def foreign_versions(cls) -> dict[str, str]:
        return {"R": session.find_r()[1], cls.package: session.require_package(cls.package)}

    def _settings(self, problem: Problem) -> tuple[object, ...]:
        """Check and return the settings of the R function."""
        return tuple(checked(name, getattr(self, name), *ends) for name, *ends in self.limits)

    def _columns(self, table: Table, order: np.ndarray, told: np.ndarray) -> Table:
        """Columns for R, in this order (p,). Told are class codes, numbers or times (n,)."""
        canonical_columns.warn_of_merged(table, f"R's {self.package}", self.most_levels)
        return canonical_columns.canonical(table.take(columns=order), self.most_levels)

    def _select(self, problem: Problem) -> Ranking:
        session.require_package(self.package)
        settings = self._settings(problem)
        order = problem.table.canonical_order()
        target = canonical_columns.target_of(problem.target)
        told = target.values[:, 0]
        told = told.astype(np.int64) if problem.target.kind == "classes" else told
        complete = self._columns(problem.table, order, told)
        varies = (complete.values != complete.values[0]).any(axis=0)
        if not self.takes_constants:
            complete, order = complete.take(columns=np.flatnonzero(varies)), order[varies]
        seed = int(problem.rng().integers(2**31 - 1))
        found = {name: np.zeros(problem.p) for name in self.ranked_by}
        if varies.any():  # else a forest grows a tree anew until its root splits, for ever
            parts = convert.to_r(target)
            y = parts if problem.target.kind == "survival" else parts[0]
            asked = convert.to_r(complete), y, self.muffled, *settings
            answer = session.call_seeded(_CALL % self.in_r, seed, *asked)
            for name, vector in zip(answer.names or (), answer.values, strict=True):
                # a feature has none, rather than none known, where no row could tell
                found[name][order] = np.nan_to_num(vector.values, nan=0.0)
        keys: list[np.ndarray] = [found[name] for name in self.ranked_by]
        if self.ties_by_content:
            keys.append(-np.argsort(problem.table.canonical_order()))
        return Ranking(
            order_best_first(*keys),
            found.pop("importance"),
            extras=found,
            seeded=SeededCall(seed, tuple(order.tolist())),
        )


class ForestInR(ImportanceInR):
    """Rank features by the importances of a random forest of R.

    Parameters
    ----------
    ntree : int
        Number of trees.
    mtry : int, optional
        Number of features tried at each split, 1..p; None is floor(sqrt(p)).
    """

    ntree: int = 500
    mtry: int | None = None
    limits = (TREES,)

    def _settings(self, problem: Problem) -> tuple[object, ...]:
        return *super()._settings(problem), tried_at_split(self.mtry, problem.p)


def checked(name: str, value: object, least: int, most: int) -> int:
    """Check that a parameter is a whole number in least..most."""
    whole = int(value) if isinstance(value, int | np.integer) else None
    if whole is None or isinstance(value, bool) or not least <= whole <= most:
        raise TableError(f"{name} must be a whole number in {least}..{most}. Got {value!r}")
    return whole


def tried_at_split(mtry: int | None, p: int, usual: int | None = None) -> int:
    """Number of p features tried at each split; None is `usual`, or floor(sqrt(p))."""
    if mtry is not None:
        return checked("mtry", mtry, 1, p)
    return max(1, int(np.sqrt(p)) if usual is None else usual)
