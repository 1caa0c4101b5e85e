"""The question that a method answers: which features of this table tell the target?"""

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import numpy as np

from hetsel.statistics.survival.curves_and_martingale_residuals import martingale_residuals
from hetsel.tables import Classes, Numbers, Survival, Table, TargetKind, TypedTarget, read_target

WantedTarget = TypeVar("WantedTarget", bound=TypedTarget)


@dataclass(frozen=True, eq=False)
class Problem:
    """A table, its target, and the sizes of signature that will be asked for.

    The arrays are read-only: a method that writes into them is refused. The classes are numbered by
    content, the largest first, see :func:`hetsel.tables.content.by_content`: what they are
    called and how their names sort has no part in any answer.

    Parameters
    ----------
    table : Table of shape (n, p)
        Complete: no cell is missing but those that are a value of their own.
    target : TypedTarget
        What is told, one entry a row: classes, numbers or survival times.
    sizes : tuple of int
        Sizes of the signatures that will be asked for, each in 1..p; empty where no size is named.
    seed : int
        Seed of the methods that draw.
    weights : ndarray of shape (n,), optional
        Weight of each row, positive: a row of weight 2 counts as two rows that are alike. None
        weighs all the same. Methods that cannot weigh rows refuse it.
    groups : tuple of tuple of int, optional
        Columns that are selected together; None groups none.
    row_groups : ndarray of int, shape (n,), optional
        Rows of one number belong together (one patient, say) and are held out together.
    always : tuple of int
        Columns that every signature holds. A method need not know of them: they are put first into
        its answer. An elimination does: it never drops them.
    """

    table: Table
    target: TypedTarget
    sizes: tuple[int, ...]
    seed: int = 0
    weights: np.ndarray | None = None
    groups: tuple[tuple[int, ...], ...] | None = None
    row_groups: np.ndarray | None = None
    always: tuple[int, ...] = ()
    proved: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "target", self.target.by_content(self.table))

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.table.shape[0]

    @property
    def p(self) -> int:
        """Number of features."""
        return self.table.shape[1]

    @property
    def classes(self) -> Classes:
        """The target of a method that takes classes."""
        return self._target_of(Classes, "classes")

    @property
    def numbers(self) -> Numbers:
        """The target of a method that takes numbers."""
        return self._target_of(Numbers, "numbers")

    @property
    def survival(self) -> Survival:
        """The target of a method that takes survival times."""
        return self._target_of(Survival, "survival times")

    def _target_of(self, kind: type[WantedTarget], what: str) -> WantedTarget:
        if not isinstance(self.target, kind):
            raise TypeError(f"the target holds {self.target.kind}, and no {what}")
        return self.target

    def rng(self, *stream: int) -> np.random.Generator:
        """A generator of the problem's seed; of another stream, independent of it."""
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=stream))


# Which sizes of signature are judged.


EVERY = 40  # sizes of a ranking up to here are all judged, then each a tenth larger


def thinned_sizes(sizes: Sequence[int]) -> tuple[int, ...]:
    """All sizes up to 40, then each about a tenth larger than the one before, and the last.

    >>> thinned_sizes(range(1, 61))[38:]
    (39, 40, 44, 49, 54, 60)
    """
    out: list[int] = []
    for size in sizes:
        if not out or size <= EVERY or size >= out[-1] * 1.1 or size == sizes[-1]:
            out.append(int(size))
    return tuple(out)


# The target that a selector was asked for: as it is, or residuals in place of survival times.


MARTINGALE: Literal["martingale"] = "martingale"


def read_asked_target(
    y: Any,
    n: int | None = None,
    kind: TargetKind | Literal["martingale"] | None = None,
    weights: np.ndarray | None = None,
) -> TypedTarget:
    """The target that y (n,) holds, see :func:`hetsel.tables.target.read_target`; with "martingale"
    the numbers that :func:`martingale` makes of survival times, by weights (n,) of the rows."""
    if kind != MARTINGALE:
        return read_target(y, n, kind)
    return martingale(Survival.of(y, n), weights)


def martingale(target: Survival, weights: np.ndarray | None = None) -> Numbers:
    """Martingale residuals (n,) of the model without features, in place of survival times.

    M_i = d_i - H(t_i), larger where the risk is higher: with them every criterion for numbers is
    one for survival times; the score of Cox's model of a column is its sum of products with them
    (Therneau, Grambsch and Fleming 1990, Biometrika 77, 147-160; LeBlanc and Crowley 1992,
    Biometrics 48, 411-425).
    """
    of = f" of {target.name}" if target.name else ""
    values = martingale_residuals(target.times, target.events, weights)
    return Numbers(values, f"martingale residuals{of}")


# The generators that a whole process shares: seeded for a method, and left as they were.


@contextmanager
def seeded_globals(seed: int) -> Iterator[None]:
    """Seed numpy's and Python's global generators, from which a method of another package may draw
    whatever its random_state says, for what runs inside; then put them back."""
    of_numpy, of_python = np.random.get_state(), random.getstate()  # noqa: NPY002
    np.random.seed(seed % 2**32)  # noqa: NPY002
    random.seed(seed)
    try:
        yield
    finally:
        np.random.set_state(of_numpy)  # noqa: NPY002
        random.setstate(of_python)
