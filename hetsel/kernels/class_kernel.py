"""The kernel of the classes, which weighs them alike, and its centered form.

    l(i, j) = I(y_i = y_j) n / (c n_y),

with n rows, c classes and n_y rows in the class (Song et al. 2012, section 5.2, times n / c): 1 and
0 where the classes have as many rows each. Centered, H L H = sum_c d_c d_c' with H = I - 11'/n.
"""

from __future__ import annotations

import numpy as np


def class_directions(codes: np.ndarray) -> np.ndarray:
    """d_c (c, n) of each class: its centered indicator times sqrt(n / (c n_c)).

    Parameters
    ----------
    codes : ndarray of int, shape (n,)

    Examples
    --------
    >>> class_directions(np.array([0, 1, 0, 1]))
    array([[ 0.5, -0.5,  0.5, -0.5],
           [-0.5,  0.5, -0.5,  0.5]])
    """
    counts = np.bincount(codes)
    indicators = (codes == np.arange(len(counts))[:, None]) - counts[:, None] / len(codes)
    return np.asarray(indicators * np.sqrt(len(codes) / (len(counts) * counts))[:, None])


def centered_by_class(codes: np.ndarray) -> np.ndarray:
    """H L H (c, c) between a row of one class and a row of another.

    Examples
    --------
    >>> centered_by_class(np.array([0, 1, 0, 1]))
    array([[ 0.5, -0.5],
           [-0.5,  0.5]])
    """
    directions = class_directions(codes)
    ends = directions[:, np.unique(codes, return_index=True)[1]]
    return np.asarray(ends.T @ ends)
