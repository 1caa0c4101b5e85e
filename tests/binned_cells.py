"""Columns in bins, made from all cells at once."""

import numpy as np

from hetsel.kernels.binned.binned_columns import (
    MOST_BINS,
    STEPS,
    BinnedColumns,
    bins_of,
    check_bins,
)


def binned(cells, nominal, bins=MOST_BINS):
    """Bins of cells (p, n): numbers on the grid of 2^-24 in [0, 1], levels as codes, NaN."""
    check_bins(bins)
    parts = []
    for column, levels in zip(cells, nominal, strict=True):
        steps = np.where(np.isnan(column), -1.0, column if levels else column * STEPS)
        parts.append(bins_of(steps.astype(np.int64), bool(levels), bins))
    codes = np.empty(cells.shape[::-1], dtype=np.result_type(*(codes for codes, _ in parts)))
    for f, (column, _) in enumerate(parts):
        codes[:, f] = column
    return BinnedColumns.of(codes, [columns for _, columns in parts], np.asarray(nominal))
