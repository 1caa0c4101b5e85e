"""Mutual information of a subset of discrete features with the class, a feature less at a time."""

from __future__ import annotations

import numpy as np

from hetsel.statistics.information.mutual_information import Information, to_nats


class SubsetInformation:
    """I(S; y) of the features S left, first all of them, taken as one column of combinations.

    Each row has a key, the sum modulo 2^64 of a scrambled number of each feature and code: rows
    have equal keys if they agree in all features left (and otherwise with probability 2^-64). A
    feature less is a subtraction.

    Parameters
    ----------
    information : Information
        The features.
    y : ndarray of int, shape (n,)
        Class of each row.
    """

    def __init__(self, information: Information, y: np.ndarray) -> None:
        self._information, self._y = information, y
        self._of_class = information.table[np.bincount(y)].sum()
        self._keys = np.zeros(information.n, dtype=np.uint64)
        for f in range(len(information.codes.levels)):
            self._keys += self._key(f)
        self.value = self._of(self._keys)

    def without(self, f: int) -> float:
        """I(S - f; y), in nats."""
        return self._of(self._keys - self._key(f))

    def remove(self, f: int) -> None:
        """Take a feature out of the subset."""
        self._keys -= self._key(f)
        self.value = self._of(self._keys)

    def _of(self, keys: np.ndarray) -> float:
        combinations = np.unique(keys, return_inverse=True)[1]
        table, width = self._information.table, int(self._y.max()) + 1
        joint = table[np.bincount(combinations * width + self._y)].sum()
        shared = table[-1] + joint - table[np.bincount(combinations)].sum() - self._of_class
        return float(to_nats(shared, self._information.n))

    def _key(self, f: int) -> np.ndarray:
        """Scrambled number (n,) of the feature and the code of each row (splitmix64)."""
        z = self._information.codes.cells[f] + (np.uint64(f + 1) << np.uint64(32))
        z *= np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return np.asarray(z ^ (z >> np.uint64(31)))
