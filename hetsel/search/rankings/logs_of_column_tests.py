"""Logarithms of the p-values of the columns of a table, one test each, on one scale."""

import warnings
from collections.abc import Sequence

import numpy as np

from hetsel.ground import listed
from hetsel.ground.equal_numbers import equalized
from hetsel.statistics.column_tests.group_means import anova_f, t_test
from hetsel.statistics.fisher import FisherResult, fisher_exact
from hetsel.tables import Table

JUDGING = 5_000  # tables drawn for a part that only evaluates: a relative error of 10% at p = 0.02
JUDGED_STATES = 30_000  # states of an exact sum for such a part, which takes as long as drawing


def t_test_logs(values: np.ndarray, y: np.ndarray, equal_var: bool = False) -> np.ndarray:
    """Return log p-values (p,) of continuous columns (n, p), the same in every unit."""
    test = t_test(values, y, equal_var=equal_var) if y.max() == 1 else anova_f(values, y)
    return equalized(test.log_pvalue)


def to_importance(log_pvalues: np.ndarray) -> np.ndarray:
    """Convert natural logarithms of p-values to -log10 p."""
    return np.asarray(-log_pvalues / np.log(10.0) + 0.0)


def fisher_tests(
    table: Table,
    y: np.ndarray,
    *,
    samples: int = 100_000,
    limit: int = 3_000_000,
    seed: int = 0,
    judging: bool = False,
) -> list[FisherResult]:
    """Test every column of a table, whatever its kind, with Fisher's exact test.

    `samples` and `limit` are those of :func:`hetsel.statistics.fisher.fisher_exact`. With
    `judging`, for resamplings that only evaluate a signature, sums of more than 30,000 states are
    estimated from at most 5,000 tables. Otherwise one warning lists the columns whose test is not
    exact, with their standard errors.
    """
    if judging:
        samples, limit = min(samples, JUDGING), min(limit, JUDGED_STATES)
    tests = [
        fisher_exact(counts(column, y), samples=samples, limit=limit, seed=seed)
        for column in table.values.T
    ]
    inexact = [
        f"{name} (relative standard error of p {test.standard_error:.2g})"
        for name, test in zip(table.names, tests, strict=True)
        if not test.exact
    ]
    if inexact and not judging:
        warnings.warn(
            f"Fisher's exact test takes too long for {listed(inexact)}. These p-values are Monte "
            f"Carlo estimates from {samples} tables. Merge rare levels to avoid this",
            UserWarning,
            stacklevel=2,
        )
    return tests


def fisher_logs(tests: Sequence[FisherResult]) -> np.ndarray:
    """Return log p-values (p,) of the tests, rounded so that mathematically equal tests tie."""
    return equalized(np.array([test.log_pvalue for test in tests], dtype=np.float64))


def counts(column: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Count rows by level (NaN is a level) and class; no name changes the order of levels."""
    levels, codes = np.unique(column, return_inverse=True)
    cells = np.zeros((len(levels), int(y.max()) + 1), dtype=np.int64)
    np.add.at(cells, (codes, y), 1)
    return cells[np.lexsort(cells.T[::-1])]
