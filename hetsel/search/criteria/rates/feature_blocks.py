"""Features of every kind as blocks of centered columns of one total variance.

A column of numbers is itself, a factor the indicators of its levels (their sum is left out by
orthonormal contrasts, which changes no fit), numbers with missing cells are the numbers (their mean
in the gaps) and the indicator of a gap.
"""

import numpy as np


def feature_block(column: np.ndarray, nominal: bool) -> np.ndarray:
    """Centered columns (m, n) of a feature (n,), of total variance 1; 0 where it is constant.

    Examples
    --------
    >>> feature_block(np.array([0.0, 0.0, 1.0, 1.0]), True)
    array([[ 1.,  1., -1., -1.]])
    """
    gaps = np.isnan(column)
    if nominal:
        columns = contrasts(np.unique(column, return_inverse=True)[1])
    else:
        mean = column[~gaps].mean() if not gaps.all() else 0.0
        columns = np.where(gaps, mean, column)[None, :]
        if gaps.any():
            columns = np.concatenate([columns, gaps[None, :].astype(np.float64)])
    columns = columns - columns.mean(axis=1, keepdims=True)
    variance = (columns * columns).mean(axis=1).sum()
    constant = ((column == column[0]) | (gaps & gaps[0])).all()
    return np.asarray(columns * (0.0 if constant else 1.0 / np.sqrt(variance)))


def contrasts(codes: np.ndarray) -> np.ndarray:
    """Orthonormal combinations (levels - 1, n) of the indicators of levels 0, 1, ... (Helmert).

    The sums of squares of a centered row of indicators are kept, only their common direction,
    along which they do not vary, is left out.
    """
    levels = np.arange(1, max(int(codes.max()), 1) + 1)[:, None]
    contrast = (codes < levels).astype(np.float64) - levels * (codes == levels)
    return np.asarray(contrast / np.sqrt(levels * (levels + 1)))
