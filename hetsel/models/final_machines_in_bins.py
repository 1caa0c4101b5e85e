"""The clinical machines of many rows, at every size of signature, without a Gram matrix."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hetsel.models.rows_in_bins import RowsInBins, effect
from hetsel.models.train_test_arrays import Split, Subsets

GAP = 1e-6  # relative duality gap of each machine: most decisions to 1e-3
TURNS = 2_000  # looks at all rows after which a machine ends; the gap is 1e-5 by then


def decisions_in_bins(
    split: Split,
    subsets: Subsets,
    content: np.ndarray,
    asked: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]],
    tube: float = 0.0,
) -> np.ndarray:
    """Decision values (subsets, m, machines) of the test rows: :class:`hetsel.ClinicalSVC`.

    The largest subset comes first, and each machine starts from the one before where that had half
    of its features. All are trained to a relative gap of 1e-6, or 1e-5 where they take long.

    Parameters
    ----------
    split : Split
    subsets : sequence of ndarray of int
    content : ndarray of shape (n,)
        Of the target: class codes, or the dense ranks of numbers.
    asked : callable
        Labels and bounds (machines, n) of the training rows in an order (n,).
    tube : float
    """
    assert split.tables is not None
    inside = RowsInBins(split.tables[0], split.train, content)
    labels, bounds = asked(inside.rows)
    out = np.empty((len(subsets), split.test.shape[1], len(labels)))
    for place in sorted(range(len(subsets)), key=lambda k: -len(subsets[k])):
        own, columns = out[place], np.sort(subsets[place])
        found, _ = inside.solve(
            columns, labels, bounds, np.inf, tube=tube, tolerance=GAP, turns=TURNS
        )
        curves = inside.curves(columns)
        own[:] = found.bias
        for f, curve in zip(columns, curves, strict=True):
            own += effect(curve, split.test[f], bool(split.nominal[f])).T
    return out
