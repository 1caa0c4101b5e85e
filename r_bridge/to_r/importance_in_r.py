"""A method whose importances a package of R computes: what all of these have in common."""

from typing import Any, ClassVar

import numpy as np

from hetsel.ground.errors import TableError
from hetsel.selection import BaseSelector, Problem, Ranking, best_first
from hetsel.selection.about import with_example
from hetsel.selection.answer import SeededCall
from hetsel.tables import Table
from r_bridge.to_r import canonical_columns, convert, session
from r_bridge.to_r.seeded_calls import call_seeded

EXAMPLE = """\
>>> import pandas as pd
>>> from hetsel import get_method
>>> frame = pd.DataFrame({"dose": [1.0, 2.1, 2.9, 4.2] * 10, "sex": ["f", "m", "m", "f"] * 10})
>>> method = get_method("NAME")(TRIAL)
>>> method.fit(frame, [0, 0, 1, 1] * 10).frame()["feature"].tolist()  # doctest: +SKIP
['dose', 'sex']"""


class ImportanceInR(BaseSelector):
    """A method of R: a source that computes importances from columns and the target.

    A subclass names the `package` and the `most_levels` that it takes of a nominal column, whether
    it takes columns that are constant (else they have importance 0), and what R computes, `in_r`.
    The columns enter in an order that depends on their content only, see
    :mod:`r_bridge.to_r.canonical_columns`. The ranking has the call that repeats it, as
    `answer_.seeded`: after ``set.seed`` of its seed, R finds the same importances in the columns in
    its order, levels and classes being in the order of their first rows, numbers standardized and
    times their ranks, see :func:`r_bridge.to_r.canonical_columns.target_of`.

    Notes
    -----
    An ordinal column is the number of its level; a cell that ``missing="separate"`` leaves missing
    is filled with the lower median of its column, in a nominal column missing is a level.
    """

    package: ClassVar[str] = ""
    # a function of a data frame, the target (the factor of the classes, numbers, or a data frame of
    # times and status) and the settings; a list of vectors of one number a column
    in_r: ClassVar[str] = ""
    most_levels: ClassVar[int | None] = None
    takes_constants: ClassVar[bool] = True
    # what is ranked by, of what the source returns: further ones order equals of the one before
    ranked_by: ClassVar[tuple[str, ...]] = ("importance",)
    ties_by_content: ClassVar[bool] = True

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "about" in vars(cls):
            trial = ", ".join(f"{name}={value}" for name, value in cls.about.trial.items())
            key = cls.__module__.rpartition(".")[2].replace("_", "-")
            cls.__doc__ = with_example(str(cls.__doc__), EXAMPLE.replace("TRIAL", trial), key)

    @classmethod
    def foreign_versions(cls) -> dict[str, str]:
        return {"R": session.find_r()[1], cls.package: session.require_package(cls.package)}

    def _settings(self, problem: Problem) -> tuple[Any, ...]:
        """What the source is given besides, checked."""
        return ()

    def _columns(self, table: Table, order: np.ndarray, told: np.ndarray) -> Table:
        """What R gets: the columns of a table, in this order (p,).

        Told are class codes (n,), numbers (n,), or times (n,).
        """
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
            answer = call_seeded(self.in_r, seed, convert.to_r(complete), y, *settings)
            for name, vector in zip(answer.names, answer, strict=True):
                # a feature has none, rather than none known, where no row could tell
                found[str(name)][order] = np.nan_to_num(np.array(vector.memoryview()), nan=0.0)
        keys: list[np.ndarray] = [found[name] for name in self.ranked_by]
        if self.ties_by_content:
            keys.append(-np.argsort(problem.table.canonical_order()))
        return Ranking(
            best_first(*keys),
            found.pop("importance"),
            extras=found,
            seeded=SeededCall(seed, tuple(order.tolist())),
        )


class ForestInR(ImportanceInR):
    """A forest of R.

    Parameters
    ----------
    ntree : int
        Number of trees.
    mtry : int, optional
        Number of features tried at each split, 1..p; None is floor(sqrt(p)).
    """

    ntree: int = 500
    mtry: int | None = None

    def _settings(self, problem: Problem) -> tuple[Any, ...]:
        return checked("ntree", self.ntree, 10_000_000), tried_at_split(self.mtry, problem.p)


def checked(name: str, value: Any, most: int, least: int = 1) -> int:
    """A parameter that is a whole number in least..most.

    Raises
    ------
    TableError
    """
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not whole or not least <= value <= most:
        raise TableError(f"{name} must be a whole number in {least}..{most}. Got {value!r}")
    return int(value)


def tried_at_split(mtry: int | None, p: int, usual: int | None = None) -> int:
    """How many of p features a forest tries at each split; None is `usual`, or floor(sqrt(p))."""
    if mtry is not None:
        return checked("mtry", mtry, p)
    return max(1, int(np.sqrt(p)) if usual is None else usual)
