"""Fisher's exact test on its own: a filter for columns of levels."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hetsel.methods.filters.t_test import to_importance
from hetsel.selection.answer import Ranking
from hetsel.selection.base import BaseSelector
from hetsel.statistics.fisher import FisherResult, fisher_exact
from hetsel.tables.table import Table
from hetsel.tables.ties import on_grid
from hetsel.tables.validation import refuse_kinds
from hetsel.text import listed


@dataclass(eq=False, repr=False, kw_only=True)
class FisherExactSelector(BaseSelector):
    """Rank columns of levels by Fisher's exact test of their table of levels and classes.

    J(f) = -log10 p_f. It stays a number where p_f itself is below the smallest double. The order
    of the levels of an ordinal column is not used. With missing="separate" missing is a level.
    `t-test` has the same scale for columns of numbers.

    Parameters
    ----------
    samples : int
        Number of tables drawn for a column whose table is too large for the exact test; a warning
        then names the column and the standard error.
    limit : int
        Number of partial tables that may be counted for one column before the test gives up being
        exact; 0 always draws.

    Attributes
    ----------
    exact_ : ndarray of bool, shape (p,)
        Whether the p-value of the column is exact.
    standard_errors_ : ndarray of float, shape (p,)
        Standard error of the p-value divided by the p-value; 0 where it is exact.

    Raises
    ------
    TableError
        A continuous column: cut it into classes, or use a method for numbers.

    References
    ----------
    Freeman and Halton 1951, Biometrika 38, 141-149; Paul, D'Ambrosio and Dupont 2015, section 3.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"noise": list("abababab"), "sex": list("ffffmmmm")})
    >>> FisherExactSelector(size=1).fit(frame, [0, 0, 0, 0, 1, 1, 1, 1]).importances_.round(3)
    array([0.   , 1.544])
    """

    samples: int = 100_000
    limit: int = 3_000_000

    key: ClassVar[str] = "fisher-exact"
    title: ClassVar[str] = "Fisher's exact test"
    family: ClassVar = "filter"
    paper: ClassVar[str] = "paul2015, section 3"
    takes: ClassVar[tuple[str, ...]] = ("nominal", "ordinal")

    def _select(
        self, table: Table, y: np.ndarray, sizes: Sequence[int], rng: np.random.Generator
    ) -> Ranking:
        refuse_kinds(self, table, "hfs-nb ranks both kinds, t-test the columns of numbers")
        seed = int(rng.integers(2**31))
        tests = fisher_tests(table, y, samples=self.samples, limit=self.limit, seed=seed)
        self.exact_ = np.array([test.exact for test in tests])
        self.standard_errors_ = np.array([test.standard_error for test in tests])
        return Ranking.from_importance(to_importance(fisher_logs(tests)))


def fisher_tests(
    table: Table,
    y: np.ndarray,
    *,
    samples: int = 100_000,
    limit: int = 3_000_000,
    seed: int = 0,
) -> list[FisherResult]:
    """Fisher's exact test of every column of a table, whatever its kind.

    `samples` and `limit` as in :func:`hetsel.statistics.fisher.fisher_exact`.

    Warns
    -----
    UserWarning
        Once, with the columns whose test is not exact and their standard errors.
    """
    tests = [
        fisher_exact(counts(column, y), samples=samples, limit=limit, seed=seed)
        for column in table.values.T
    ]
    inexact = [
        f"{name} (relative standard error of p {test.standard_error:.2g})"
        for name, test in zip(table.names, tests, strict=True)
        if not test.exact
    ]
    if inexact:
        warnings.warn(
            "Fisher's exact test is out of reach for these columns; their p-values are Monte Carlo "
            f"estimates from {samples} tables: {listed(inexact)}. Merging rare levels helps",
            UserWarning,
            stacklevel=2,
        )
    return tests


def fisher_logs(tests: Sequence[FisherResult]) -> np.ndarray:
    """Log p-values (p,) of the tests, rounded so that tests that are equal on paper tie."""
    return on_grid(np.array([test.log_pvalue for test in tests], dtype=np.float64))


def counts(column: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Rows of each level (NaN is one) and class, the levels in an order that no name changes."""
    levels, codes = np.unique(column, return_inverse=True)
    cells = np.zeros((len(levels), int(y.max()) + 1), dtype=np.int64)
    np.add.at(cells, (codes, y), 1)
    return cells[np.lexsort(cells.T[::-1])]
