"""Small sets of rows that are nearer to each other than to all others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import minimum_spanning_tree


class Cluster(NamedTuple):
    """A node of the tree of single linkage.

    Parameters
    ----------
    rows : tuple of int
    height : float
        Distance at which the last of them joined.
    outside : float
        Distance of the nearest other row.
    """

    rows: tuple[int, ...]
    height: float
    outside: float

    @property
    def ratio(self) -> float:
        """How many times as far the next row is."""
        return self.outside / self.height


def small_clusters(near: np.ndarray, distances: np.ndarray, most: int) -> list[Cluster]:
    """All clusters of single linkage with 2 to `most` rows.

    Parameters
    ----------
    near, distances : ndarray of shape (n, k)
        The nearest rows of each row and their distances; k at least `most`, or all others.
    most : int
    """
    n, k = near.shape
    a, b = np.repeat(np.arange(n), k), near.ravel()
    key, first = np.unique(np.minimum(a, b) * n + np.maximum(a, b), return_index=True)
    graph = csr_matrix((distances.ravel()[first], (key // n, key % n)), shape=(n, n))
    tree = minimum_spanning_tree(graph).tocoo()
    order = np.argsort(tree.data, kind="stable")
    root = list(range(n))
    members: list[tuple[int, ...]] = [(i,) for i in range(n)]
    height = [0.0] * n
    found = []
    for i, j, d in zip(
        tree.row[order].tolist(), tree.col[order].tolist(), tree.data[order].tolist(), strict=True
    ):
        pair = _root_of(root, i), _root_of(root, j)
        for one in pair:
            if 1 < len(members[one]) <= most:
                found.append(Cluster(members[one], height[one], d))
        left, right = pair
        root[right] = left
        joined = members[left] + members[right]
        members[left] = joined[: most + 1]  # more than that is large
        members[right] = ()
        height[left] = d
    return found


def _root_of(root: list[int], i: int) -> int:
    while root[i] != i:
        root[i] = root[root[i]]
        i = root[i]
    return i


def apart(clusters: Iterable[Cluster], n: int) -> list[Cluster]:
    """Clusters of n rows without common ones, each being taken if those before it leave it."""
    taken = np.zeros(n, dtype=bool)
    chosen = []
    for one in clusters:
        rows = list(one.rows)
        if not taken[rows].any():
            taken[rows] = True
            chosen.append(one)
    return chosen


def local_dimension(distances: np.ndarray) -> float:
    """How fast the number of neighbors grows with the distance, as a power of it.

    1 / mean over rows i and j < k of log(r_ik / r_ij): the maximum of the likelihood where the rows
    lie evenly around each other (Levina & Bickel, 2004, Advances in Neural Information Processing
    Systems 17), the inverse being the mean over rows, as MacKay and Ghahramani corrected it.

    Parameters
    ----------
    distances : ndarray of shape (n, k)
        To the k nearest rows, ascending, all above 0.
    """
    mean = float(np.log(distances[:, -1:] / distances[:, :-1]).mean())
    return 1 / max(mean, 1e-9)
