"""Slow twin of HSIC Lasso: full Gram matrices block by block, and the design that they make."""

import numpy as np
from twins.kernel_sums import feature_gram
from twins.traces import centered, gaussian_gram


def class_gram(y):
    """I(y_i = y_j) / n_y, row by row."""
    return np.array([[(a == b) / sum(c == a for c in y) for b in y] for a in y])


def plain_gram(column, kernel):
    """The kernel of all rows of a column."""
    return (
        gaussian_gram(column) if kernel == "gaussian" else feature_gram(column, kernel == "equal")
    )


def design(values, kernels, y, blocks):
    """The stacked kernels (cells, p) and that of the classes (cells,): centered, of norm 1 a block.

    Divided by the root of the number of blocks, so that products are means over the blocks.
    """
    grams = [plain_gram(column, kernel) for column, kernel in zip(values.T, kernels, strict=True)]
    parts = []
    for rows in blocks:
        own = [gram[np.ix_(rows, rows)] for gram in grams] + [class_gram(y[rows])]
        parts.append(np.column_stack([unit(centered(gram)).ravel() for gram in own]))
    stacked = np.vstack(parts) / np.sqrt(len(blocks))
    return stacked[:, :-1], stacked[:, -1]


def unit(gram):
    """The matrix divided by its norm; 0 if that is rounding."""
    norm = np.linalg.norm(gram)
    return gram / norm if norm > 1e-9 else 0 * gram
