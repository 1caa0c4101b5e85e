"""Copies: columns equal to an earlier one up to names or units, or nearly so."""

import hashlib

import numpy as np

from hetsel.ground import Fix
from hetsel.ground.equal_numbers import unit_scale
from hetsel.pitfalls.caution import Caution
from hetsel.tables import Note, Table, content_ranks, parts_of_columns

NEAR = 0.999  # smallest rank correlation of near copies
FEWEST = 20  # rows; with fewer such a correlation may be chance
GROUP_NUMBERS = 64  # most distinct numbers that may be names of groups
DIGITS = 6  # digits of a correlation in single precision
SAME = 1e-9  # fraction of the range: rounding of a change of units
MOST_CELLS = 2**25  # largest table whose columns are compared in pairs
MOST_PRODUCTS = 2**36  # most products of this comparison
BLOCK = 256  # columns that are compared with all others at once
GLANCE = 128  # rows that rule out most pairs


class CopyFinder:
    """Collect columns in parts, then find copies; `different` is the number of distinct rows."""

    def __init__(self, table: Table, different: int) -> None:
        self._table, self._different = table, different
        n, p = table.shape
        self._pairs = n >= FEWEST and n * p <= MOST_CELLS and n * p * p <= MOST_PRODUCTS
        self._first: dict[bytes, int] = {}  # column of this content
        self._cautions: dict[int, Caution] = {}
        self._numbers: list[np.ndarray] = []
        self._scores: list[np.ndarray] = []

    def add_levels(self, places: np.ndarray) -> None:
        """Add nominal columns at these places."""
        ranks = content_ranks(self._table.values[:, places], np.ones(len(places), dtype=bool))
        for j, row in zip(places.tolist(), ranks, strict=True):
            if 0 < row.max() < self._different / 2:
                self._like_another(j, row)

    def add_numbers(self, places: np.ndarray, order: np.ndarray, ascending: np.ndarray) -> None:
        """Add numeric columns at these places (q,).

        `order` has their rows by ascending value (q, n), `ascending` these values; NaN is last.
        """
        gaps = np.isnan(ascending)
        starts = np.ones(order.shape, dtype=bool)
        starts[:, 1:] = ascending[:, 1:] != ascending[:, :-1]
        groups = np.cumsum(starts, axis=1, dtype=np.int32) - 1
        groups[gaps] = -1
        distinct = groups.max(axis=1) + 1
        ranks = np.empty_like(groups)
        np.put_along_axis(ranks, order, groups, axis=1)
        few = (distinct > 1) & (distinct <= min(GROUP_NUMBERS, self._different / 2))
        found = np.array(
            [
                k > 1 and self._in_the_order_of_another(j, row, k)
                for j, row, k in zip(places.tolist(), ranks, distinct.tolist(), strict=True)
            ]
        )
        names = np.where(ranks[few] < 0, np.nan, ranks[few]).T
        for j, row in zip(
            places[few].tolist(), content_ranks(names, np.ones(few.sum(), bool)), strict=True
        ):
            self._like_another(j, row)
        left = (distinct > 2) & ~found
        if self._pairs and left.any():
            self._numbers.append(places[left])
            self._scores.append(_rank_scores(order[left], starts[left], gaps[left]))

    def cautions(self) -> list[Caution]:
        """Return the cautions in the order of the columns."""
        if self._numbers:
            places, scores = np.concatenate(self._numbers), np.concatenate(self._scores)
            ascending = np.argsort(places)
            for (late, early), value in nearly_same(scores[ascending]).items():
                j, i = (int(places[ascending[k]]) for k in (late, early))
                said = "nearly the same order of the rows, with a rank correlation of "
                self._add(j, i, Note((said, int(1e4 * value) / 1e4)), value)
        return [self._cautions[j] for j in sorted(self._cautions)]

    def _in_the_order_of_another(self, j: int, ranks: np.ndarray, distinct: int) -> bool:
        """Check whether an earlier column has these ranks (n,), upward or downward."""
        downward = np.where(ranks < 0, ranks, distinct - 1 - ranks)
        turned = min(ranks.tobytes(), downward.tobytes())
        i = self._first.setdefault(_digest(b"numbers", turned), j)
        if i == j:
            return False
        a, b = unit_scale(self._table.values[:, [i, j]]).T
        gap = min(np.nanmax(np.abs(a - b)), np.nanmax(np.abs(1 - a - b)))
        same = "the same numbers up to their unit"
        self._add(j, i, Note((same if gap <= SAME else "the same order of the rows",)), 1.0)
        return True

    def _like_another(self, j: int, ranks: np.ndarray) -> None:
        """Note the column if an earlier one has these groups of rows (n,)."""
        i = self._first.setdefault(_digest(b"levels", ranks.tobytes()), j)
        if i != j:
            self._add(j, i, Note(("the same groups of rows up to their names",)), 1.0)

    def _add(self, j: int, i: int, note: Note, correlation: float) -> None:
        """Add a caution on the later of two columns, unless it has one."""
        i, j = sorted((i, j))
        if j not in self._cautions:
            columns = self._table.schema.columns
            names = (columns[j].name, columns[i].name)
            note = Note(note.parts, (Fix("drop", names[:1], "if one of them is enough"),))
            facts = {"rank_correlation": correlation}
            self._cautions[j] = Caution("copy", names, facts, note)


def nearly_same(scores: np.ndarray) -> dict[tuple[int, int], float]:
    """Return pairs (late, early) of columns whose absolute correlation reaches NEAR.

    `scores` (k, n) has one row for each column, with mean 0 and sum of squares 1, in single
    precision. For unit vectors u, v with |u'v| >= r, every subset S of the rows has
    |u_S|^2 + |v_S|^2 - 2 |u_S'v_S| <= 2 (1 - r). So few rows rule out most pairs; the others are
    computed in full.
    """
    k = len(scores)
    glance = scores[:, :GLANCE]
    squares = np.einsum("ij,ij->i", glance, glance)
    found: dict[int, tuple[int, float]] = {}
    for start in range(0, k, BLOCK):
        block = slice(start, start + BLOCK)
        distance = np.abs(glance[block] @ glance[start:].T)
        distance *= -2
        distance += squares[block, None]
        distance += squares[None, start:]
        early, late = np.nonzero(np.triu(distance <= 2 * (1 - NEAR) + 1e-5, 1))
        if len(early) * 8 > distance.size:
            near = np.abs(scores[block] @ scores[start:].T)[early, late] >= NEAR - 1e-5
            early, late = early[near], late[near]
        value = np.empty(len(early))
        for part in parts_of_columns(len(early), scores.shape[1], 2**20):
            a, b = scores[early[part] + start], scores[late[part] + start]
            value[part] = np.einsum("ij,ij->i", a, b, dtype=np.float64)
        value = np.abs(value).round(DIGITS)
        reached = value >= NEAR
        for i, j, v in zip(early[reached], late[reached], value[reached], strict=True):
            found.setdefault(int(j) + start, (int(i) + start, float(v)))
    return {(j, i): v for j, (i, v) in found.items()}


def _rank_scores(order: np.ndarray, starts: np.ndarray, gaps: np.ndarray) -> np.ndarray:
    """Return centered mean ranks (q, n) with sum of squares 1; 0 for missing values."""
    n = order.shape[1]
    place = np.arange(n, dtype=np.float32)
    first = np.maximum.accumulate(np.where(starts, place, 0), axis=1)
    ends = np.ones(starts.shape, dtype=bool)
    ends[:, :-1] = starts[:, 1:]
    last = np.minimum.accumulate(np.where(ends, place, n)[:, ::-1], axis=1)[:, ::-1]
    middle = first + last
    middle -= (n - gaps.sum(axis=1, keepdims=True, dtype=np.float32)) - 1
    middle[gaps] = 0
    middle /= np.sqrt(np.einsum("ij,ij->i", middle, middle, dtype=np.float64))[:, None]
    out = np.empty(order.shape, dtype=np.float32)
    np.put_along_axis(out, order, middle.astype(np.float32), axis=1)
    return out


def _digest(kind: bytes, content: bytes) -> bytes:
    return hashlib.blake2b(kind + content, digest_size=20).digest()
