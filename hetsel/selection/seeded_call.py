"""What repeats an answer that another program computed."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class SeededCall:
    """The seed that another program got, and the columns in the order in which they entered.

    The seed is derived from that of the selector: what R's ``set.seed`` was given, say.
    """

    seed: int
    columns: tuple[int, ...]

    def within(self, columns: np.ndarray) -> "SeededCall":
        """The same call, its features being these columns (k,) of a larger table."""
        return SeededCall(self.seed, tuple(columns[list(self.columns)].tolist()))


# The generators that a whole process shares: seeded for a method, and left as they were.


# ruff: noqa: NPY002


@contextmanager
def seeded_globals(seed: int) -> Iterator[None]:
    """Seed numpy's and Python's global generators for what runs inside, then put them back.

    A method of another package may draw from them, whatever its random_state says: its answer then
    follows from the seed, in any process, and its caller's own draws are those without it.

    Examples
    --------
    >>> with seeded_globals(1):
    ...     here = np.random.random()
    >>> with seeded_globals(1):
    ...     here == np.random.random()
    True
    """
    of_numpy, of_python = np.random.get_state(), random.getstate()
    np.random.seed(seed % 2**32)
    random.seed(seed)
    try:
        yield
    finally:
        np.random.set_state(of_numpy)
        random.setstate(of_python)
