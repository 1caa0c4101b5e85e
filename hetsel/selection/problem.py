"""The problem that a method solves: a table, a target and the requested sizes."""

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
    """State the problem that a method solves: a table, a target and the requested sizes.

    Authors of methods read it in `_select`. The arrays are read-only, and a method that writes into
    them fails. The classes are numbered by content, the largest first, so labels do not affect any
    result; see :func:`hetsel.tables.content.by_content`.

    Parameters
    ----------
    table : Table of shape (n, p)
        The features, without missing values except those treated as a separate value.
    target : TypedTarget
        The target of each row: classes, numbers or survival times.
    sizes : tuple of int
        Requested sizes of signatures, each in 1..p; empty if no size is requested.
    seed : int
        Seed of random draws.
    weights : ndarray of shape (n,), optional
        Positive row weights: a row of weight 2 counts as two equal rows. None means equal weights.
        Methods without support for row weights refuse them.
    groups : tuple of tuple of int, optional
        Columns that are selected together; None means no groups.
    row_groups : ndarray of int, shape (n,), optional
        Group of each row, such as a patient; each group is held out together.
    always : tuple of int
        Always included columns. A method may ignore them, since they are put first into its answer.
        An elimination must not drop them.
    proved : bool
        Whether a method that proves its ranks should do so.

    See Also
    --------
    hetsel.selection.BaseSelector : The base class of methods.

    Examples
    --------
    >>> from hetsel import Table
    >>> table = Table.read(np.array([[1.0, 5.0], [2.0, 4.0], [3.0, 7.0]]))
    >>> problem = Problem(table, Numbers.of([0.5, 1.5, 2.5]), sizes=(1,))
    >>> problem.n, problem.p, problem.target.kind
    (3, 2, 'numbers')
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
        """The target of a method for classes."""
        return self._target_of(Classes, "classes")

    @property
    def numbers(self) -> Numbers:
        """The target of a method for numbers."""
        return self._target_of(Numbers, "numbers")

    @property
    def survival(self) -> Survival:
        """The target of a method for survival times."""
        return self._target_of(Survival, "survival times")

    def _target_of(self, kind: type[WantedTarget], what: str) -> WantedTarget:
        if not isinstance(self.target, kind):
            raise TypeError(f"the target must hold {what}. Got {self.target.kind}")
        return self.target

    def rng(self, *stream: int) -> np.random.Generator:
        """Return a generator of the seed of the problem; other streams are independent."""
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=stream))


# The sizes of signatures that are scored.


EVERY = 40  # all sizes up to here, then each about a tenth larger


def thinned_sizes(sizes: Sequence[int]) -> tuple[int, ...]:
    """Return all sizes up to 40, then each about a tenth larger, and the last size.

    >>> thinned_sizes(range(1, 61))[38:]
    (39, 40, 44, 49, 54, 60)
    """
    out: list[int] = []
    for size in sizes:
        if not out or size <= EVERY or size >= out[-1] * 1.1 or size == sizes[-1]:
            out.append(int(size))
    return tuple(out)


# The requested target: as it is, or martingale residuals in place of survival times.


MARTINGALE: Literal["martingale"] = "martingale"


def read_asked_target(
    y: Any,
    n: int | None = None,
    kind: TargetKind | Literal["martingale"] | None = None,
    weights: np.ndarray | None = None,
) -> TypedTarget:
    """Read the target of y (n,); see :func:`hetsel.tables.target.read_target`.

    "martingale" replaces survival times by :func:`martingale` residuals, with row weights (n,).
    """
    if kind != MARTINGALE:
        return read_target(y, n, kind)
    return martingale(Survival.of(y, n), weights)


def martingale(target: Survival, weights: np.ndarray | None = None) -> Numbers:
    """Compute martingale residuals (n,) of the model without features.

    M_i = d_i - H(t_i) is larger where the risk is higher. With it every criterion for numeric
    targets applies to survival times; the score statistic of a column in Cox's model is its sum of
    products with the residuals (Therneau, Grambsch and Fleming 1990, Biometrika 77, 147-160;
    LeBlanc and Crowley 1992, Biometrics 48, 411-425).
    """
    of = f" of {target.name}" if target.name else ""
    values = martingale_residuals(target.times, target.events, weights)
    return Numbers(values, f"martingale residuals{of}")


# The global random generators: seeded for a method, then restored.


@contextmanager
def seeded_globals(seed: int) -> Iterator[None]:
    """Seed the global generators of numpy and Python within the block, then restore them.

    Methods of other packages may draw from them whatever their random_state.
    """
    of_numpy, of_python = np.random.get_state(), random.getstate()  # noqa: NPY002
    np.random.seed(seed % 2**32)  # noqa: NPY002
    random.seed(seed)
    try:
        yield
    finally:
        np.random.set_state(of_numpy)  # noqa: NPY002
        random.setstate(of_python)
