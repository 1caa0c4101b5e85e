"""Fisher's exact test for tables of any size: exact where it can be, Monte Carlo where not.

The exact sum meets in the middle. The columns of the table are split into two halves; each half
is convolved column by column. A state is (partial row sums, log weight, log multiplicity): tables
that agree in the first two are merged. A state that can no longer change sides - all its
completions are at most as probable as the observed table, or none is - is settled at once, with
the closed form of the mass of its completions (the longest and shortest path of Mehta & Patel
1983). What remains of the two halves is matched by sorting. All sums are kept as logarithms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, inf, lgamma, log, log1p, prod, sqrt

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq
from scipy.special import gammaln
from scipy.stats import random_table

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

TIE = 1e-7  # tables this much (relative) more probable than the observed one count as ties
WORK = 15  # how many states may be visited, in all, for each one that may be held
TABLED = 2  # how many cells the tables of completions may have, for each state
MARKS_PER_UNIT = 2.0**32  # log weights that agree to 2e-10 are merged
SMALLEST_TILT = -64.0
LARGEST_TILTED = 20_000_000  # cells of the dynamic programme behind the tilted sampler


class OutOfReach(Exception):
    """The exact sum needs more states than the limit allows."""


@dataclass(frozen=True)
class FisherResult:
    """The p-value of Fisher's exact test and how it was found.

    Parameters
    ----------
    log_pvalue : float
        Natural logarithm of the two-sided p-value; finite where the p-value itself underflows.
    exact : bool
        Whether every table was counted; otherwise the p-value is a Monte Carlo estimate.
    standard_error : float
        Standard error of the p-value divided by the p-value; 0 when exact.
    method : str
        How the p-value was found, in words.
    """

    log_pvalue: float
    exact: bool
    standard_error: float
    method: str

    @property
    def pvalue(self) -> float:
        """The p-value; 0.0 where it is below the smallest double."""
        return exp(self.log_pvalue)

    def __str__(self) -> str:
        size = f"p = {self.pvalue:.4g} (log p = {self.log_pvalue:.6g})"
        error = "" if self.exact else f", relative standard error {self.standard_error:.2g}"
        return f"Fisher's exact test: {size}{error}; {self.method}"


def fisher_exact(
    table: ArrayLike, *, samples: int = 100_000, seed: int = 0, limit: int = 3_000_000
) -> FisherResult:
    """Test the independence of rows and columns of a table of counts, two-sided.

    p = sum of P(t) over the tables t with the margins of the observed table o for which
    P(t) <= P(o) (1 + 1e-7), P(t) = prod_i R_i! prod_j C_j! / (N! prod_ij t_ij!).

    Where the exact sum needs more than `limit` states, p is estimated. With two rows (or two
    columns) tables are drawn from q(t) ~ P(t)^g, g chosen so that the observed table is typical
    of q, and reweighted: the relative error stays small however small p is. Larger tables are
    drawn from P itself and p = (hits + 1) / (samples + 1), so p cannot be below that floor.

    Parameters
    ----------
    table : array-like of counts, shape (r, c)
        Whole numbers; rows and columns without a count are dropped.
    samples : int
        Number of tables drawn where the exact sum is out of reach.
    seed : int
        Seed of those draws.
    limit : int
        Number of states that either half may hold, about 100 bytes each; 0 always samples.

    Returns
    -------
    FisherResult

    Raises
    ------
    ValueError
        If the table is not two-dimensional, is empty, or holds something else than counts.

    References
    ----------
    Freeman & Halton (1951) Biometrika 38, 141-149; Mehta & Patel (1983) JASA 78, 427-434.

    Examples
    --------
    >>> print(fisher_exact([[3, 1], [1, 3]]))
    Fisher's exact test: p = 0.4857 (log p = -0.722135); exact
    """
    counts = _checked(table)
    if samples < 1:
        raise ValueError(f"samples must be 1 or larger. Got {samples}.")
    counts = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]
    if min(counts.shape) < 2:
        return FisherResult(0.0, True, 0.0, "exact: only one row or column holds counts")
    if counts.shape[0] > counts.shape[1]:
        counts = counts.T
    counts = counts[np.argsort(counts.sum(axis=1), kind="stable")]
    try:
        return FisherResult(_exact(counts, limit), True, 0.0, "exact")
    except OutOfReach:
        pass
    columns = counts.sum(axis=0)
    tilted_work = (int(counts[0].sum()) + 1) * int((columns + 1).sum())
    if len(counts) == 2 and tilted_work <= LARGEST_TILTED:
        return _tilted_sampling(counts, samples, seed)
    return _plain_sampling(counts, samples, seed)


def _checked(table: ArrayLike) -> Integers:
    """The table as whole numbers, or an error that names what is wrong."""
    values = np.asarray(table, dtype=np.float64)
    if values.ndim != 2:
        raise ValueError(f"table must have 2 dimensions (rows, columns). Got {values.ndim}.")
    if values.size == 0:
        raise ValueError(f"table must have a row and a column. Got shape {values.shape}.")
    wrong = ~(np.isfinite(values) & (values >= 0) & (values == np.floor(values)))
    if wrong.any():
        raise ValueError(
            f"table must hold counts (whole numbers, 0 or larger). Got {values[wrong][0]}."
        )
    return values.astype(np.int64)


# Columns: the ways to fill one


@dataclass(frozen=True, eq=False)
class _Column:
    """All ways to spread one column's total over the rows.

    Columns with one count each all have coefficient 1, so any number of them is one column here:
    value 0, and the number of arrangements as its weight.
    """

    total: int
    parts: Integers  # (m, r): the ways, in lexicographic order
    codes: Integers  # (m,): what each adds to the key of a state, ascending
    values: Floats  # (m,): log multinomial coefficients, what tables are compared by
    weights: Floats  # (m,): log of the number of arrangements that share a value


@lru_cache(maxsize=8)
def _log_factorials(bits: int) -> Floats:
    return np.asarray(gammaln(np.arange(1, (1 << bits) + 2, dtype=np.float64)))


def _compositions(total: int, rows: int) -> Integers:
    """All ways to write `total` as an ordered sum of `rows` whole numbers, shape (m, rows)."""
    ways = np.zeros((1, 0), dtype=np.int64)
    left = np.array([total], dtype=np.int64)
    for _ in range(rows - 1):
        repeats = left + 1
        starts = np.repeat(np.cumsum(repeats) - repeats, repeats)
        part = np.arange(repeats.sum(), dtype=np.int64) - starts
        ways = np.column_stack([np.repeat(ways, repeats, axis=0), part])
        left = np.repeat(left, repeats) - part
    return np.ascontiguousarray(np.column_stack([ways, left]))


def _strides(margins: Integers) -> Integers:
    """Place values of the mixed radix that encodes partial row sums, but the last, as a key."""
    return np.cumprod(np.append(1, margins[-2:0:-1] + 1))[::-1].astype(np.int64)


def _log_ways(total: int, rows: int) -> float:
    return lgamma(total + rows) - lgamma(total + 1) - lgamma(rows)


def _columns(totals: Integers, margins: Integers, log_factorials: Floats) -> list[_Column]:
    """The columns by decreasing total, equal ones being one object; the ones as one, last."""
    strides = _strides(margins)
    found: dict[int, _Column] = {}
    ones = int(np.sum(totals == 1))
    result: list[_Column] = []
    for total in sorted(totals[totals > 1].tolist(), reverse=True) + [ones] * (ones > 0):
        single = ones > 0 and len(result) == len(totals) - ones
        if total not in found or single:
            parts = _compositions(total, len(margins))
            parts = parts[(parts[:, :-1] <= margins[:-1]).all(axis=1)]
            ways = log_factorials[total] - log_factorials[parts].sum(axis=1)
            none = np.zeros(len(ways))
            values, weights = (none, ways) if single else (ways, none)
            found[total] = _Column(total, parts, parts[:, :-1] @ strides, values, weights)
        result.append(found[total])
    return result


def _split(columns: list[_Column]) -> tuple[list[_Column], list[_Column]]:
    """The columns in two halves of balanced cost.

    The cost of a half is the number of states that merging equal columns leaves: a product of
    multiset coefficients C(w + m - 1, m) over the distinct columns, w ways each, m times.
    """

    def cost(half: Sequence[_Column]) -> float:
        found = 0.0
        for column, many in Counter(half).items():
            ways = len(column.codes)
            found += lgamma(ways + many) - lgamma(ways) - lgamma(many + 1)
        return found

    candidates = [(columns[:k], columns[k:]) for k in range(1, len(columns))]
    together = [[column] * many for column, many in Counter(columns).items()]
    for blocks in ([[column] for column in columns], together):
        halves: tuple[list[_Column], list[_Column]] = ([], [])
        sizes = [0.0, 0.0]
        for block in sorted(blocks, key=cost, reverse=True):
            smaller = int(sizes[1] < sizes[0])
            halves[smaller].extend(block)
            sizes[smaller] += cost(block)
        if halves[1]:
            candidates.append(halves)
    return min(candidates, key=lambda halves: max(cost(halves[0]), cost(halves[1])))


# The exact sum


@dataclass(frozen=True)
class _States:
    """What one half left undecided, sorted by key, and the log mass it settled."""

    starts: Integers  # (n_keys + 1,): where the states of each key begin
    values: Floats
    weights: Floats
    settled: float


@dataclass(frozen=True)
class _Tails:
    """For each key: log weight of the heaviest and lightest completion, log mass of all."""

    high: Floats
    low: Floats
    mass: Floats

    @classmethod
    def empty(cls, n_keys: int) -> _Tails:
        return cls(np.full(n_keys, -inf), np.full(n_keys, inf), np.full(n_keys, -inf))


def _exact(counts: Integers, limit: int) -> float:
    """Log p-value by meeting in the middle; OutOfReach beyond `limit` states."""
    margins, totals = counts.sum(axis=1), counts.sum(axis=0)
    rows, total = len(margins), int(totals.sum())
    n_keys = prod(int(m) + 1 for m in margins[:-1])
    widest = max(int(totals.max()), int(np.sum(totals == 1)))
    if exp(min(99.0, _log_ways(widest, rows))) * rows > WORK * limit:
        raise OutOfReach
    if n_keys * len(totals[totals > 1]) > TABLED * limit or total > TABLED * limit:
        raise OutOfReach
    log_factorials = _log_factorials(total.bit_length())
    columns = _columns(totals, margins, log_factorials)
    if len(columns) == 1:
        return 0.0
    observed = float(log_factorials[totals].sum() - log_factorials[counts].sum())
    sweep = _Sweep(margins, _strides(margins), n_keys, observed + TIE, limit)
    left, right = _split(columns)
    first = sweep.enter(left, right, log_factorials)
    second = sweep.meet(right, first)
    found = np.logaddexp(first.settled, second.settled)
    found = np.logaddexp(
        found,
        _match(
            first.starts,
            first.values,
            first.weights,
            second.starts,
            second.values,
            second.weights,
            sweep.threshold,
        ),
    )
    return min(0.0, float(found + log_factorials[margins].sum() - log_factorials[total]))


@dataclass
class _Sweep:
    """The margins of one table, and the work spent on it so far."""

    margins: Integers
    strides: Integers
    n_keys: int
    threshold: float
    limit: int
    work: float = 0.0

    def spend(self, work: float) -> None:
        self.work += work
        if self.work > WORK * self.limit:
            raise OutOfReach

    def enter(self, left: list[_Column], right: list[_Column], log_factorials: Floats) -> _States:
        """Convolve the left half; completions run through all columns that follow."""
        end = _Tails.empty(self.n_keys)
        end.high[-1] = end.low[-1] = end.mass[-1] = 0.0
        tails = self._back(left[1:] + right, end, int(self.margins.sum()), with_mass=False)
        placed = 0
        for column, tail in zip(left, tails, strict=False):
            placed += column.total
            _fill_mass(tail.mass, tail.high, placed, self.margins, self.strides, log_factorials)
        return self._forward(left, tails[: len(left)])

    def meet(self, right: list[_Column], first: _States) -> _States:
        """Convolve the right half; completions end in what the left half left undecided."""
        end = _Tails.empty(self.n_keys)
        _terminal(first.starts, first.values, first.weights, end.high, end.low, end.mass)
        tails = self._back(right[1:], end, sum(c.total for c in right), with_mass=True)
        return self._forward(right, tails)

    def _back(
        self, columns: list[_Column], end: _Tails, placed: int, with_mass: bool
    ) -> list[_Tails]:
        """The tails before each column and after the last, where `placed` counts are placed."""
        tails = [end]
        for column in reversed(columns):
            after, before = tails[-1], _Tails.empty(self.n_keys)
            reachable = np.flatnonzero(after.high > -inf)
            self.spend(len(reachable) * len(column.codes) * (0.5 if with_mass else 0.1))
            _push_back(
                reachable,
                after.high,
                after.low,
                after.mass,
                before.high,
                before.low,
                before.mass,
                with_mass,
                placed,
                self.margins,
                self.strides,
                column.parts,
                column.codes,
                column.values,
                column.weights,
            )
            placed -= column.total
            tails.append(before)
        return tails[::-1]

    def _forward(self, half: list[_Column], tails: list[_Tails]) -> _States:
        """Add column after column to the states, from none."""
        starts = np.array([0, 1], dtype=np.int64)
        values, weights = np.zeros(1), np.zeros(1)
        settled, placed = -inf, 0
        for column, tail in zip(half, tails, strict=True):
            placed += column.total
            reachable = np.flatnonzero(tail.high > -inf)
            pairs = len(reachable) * (len(column.codes) if placed > column.total else 1)
            self.spend(len(values) * len(column.codes) + 0.1 * pairs)
            starts, values, weights, more = _extend(
                starts,
                values,
                weights,
                reachable,
                placed,
                self.margins,
                self.strides,
                column.parts,
                column.codes,
                column.values,
                column.weights,
                tail.high,
                tail.low,
                tail.mass,
                self.threshold,
                self.limit,
            )
            if len(values) > self.limit:
                raise OutOfReach
            settled = float(np.logaddexp(settled, more))
        return _States(starts, values, weights, settled)


# Compiled loops


@njit(cache=True)
def _log_add(a, b):
    if a < b:
        a, b = b, a
    return a if b == -inf else a + log1p(exp(b - a))


@njit(cache=True)
def _digits(key, placed, margins, strides, out):
    """Partial row sums of a key: mixed radix, the last row by subtraction."""
    last = margins.size - 1
    out[last] = placed
    for i in range(last):
        out[i] = (key // strides[i]) % (margins[i] + 1)
        out[last] -= out[i]


@njit(cache=True)
def _fits(parts, m, room):
    fits = True
    for i in range(room.size):
        fits &= parts[m, i] <= room[i]
    return fits


@njit(cache=True)
def _terminal(starts, values, weights, high, low, mass):
    """Tails of the right half: the undecided states of the left half, by complementary key."""
    last = high.size - 1
    for key in range(last + 1):
        for s in range(starts[key], starts[key + 1]):
            high[last - key] = max(high[last - key], values[s])
            low[last - key] = min(low[last - key], values[s])
            mass[last - key] = _log_add(mass[last - key], values[s] + weights[s])


@njit(cache=True)
def _fill_mass(mass, high, placed, margins, strides, log_factorials):
    """Log mass of all completions: the multinomial coefficient of what the rows still lack."""
    digits = np.empty(margins.size, np.int64)
    for key in range(mass.size):
        if high[key] > -inf:
            _digits(key, placed, margins, strides, digits)
            mass[key] = log_factorials[margins.sum() - placed]
            for i in range(margins.size):
                mass[key] -= log_factorials[margins[i] - digits[i]]


@njit(cache=True)
def _push_back(
    reachable,
    high,
    low,
    mass,
    new_high,
    new_low,
    new_mass,
    with_mass,
    placed,
    margins,
    strides,
    parts,
    codes,
    values,
    weights,
):
    """Tails before a column from the tails after it."""
    digits = np.empty(margins.size, np.int64)
    for key in reachable:
        _digits(key, placed, margins, strides, digits)
        for m in range(codes.size):
            if not _fits(parts, m, digits):
                continue
            before = key - codes[m]
            new_high[before] = max(new_high[before], high[key] + values[m])
            new_low[before] = min(new_low[before], low[key] + values[m])
            if with_mass:
                more = mass[key] + values[m] + weights[m]
                new_mass[before] = _log_add(new_mass[before], more)


@njit(cache=True)
def _slot(slots, marks, start, mark):
    """Where `mark` is, or belongs, in an open-addressing table of the states from `start` on."""
    at = mark * 0x9E3779B97F4A7C1
    at = (at ^ (at >> 32)) & (slots.size - 1)
    while slots[at] >= start and marks[slots[at]] != mark:
        at = (at + 1) & (slots.size - 1)
    return at


@njit(cache=True)
def _longer(array):
    longer = np.empty(2 * array.size, array.dtype)
    longer[: array.size] = array
    return longer


@njit(cache=True)
def _extend(
    starts,
    values,
    weights,
    reachable,
    placed,
    margins,
    strides,
    parts,
    codes,
    new_values,
    new_weights,
    high,
    low,
    mass,
    threshold,
    limit,
):
    """Add one column to every state, key by key: prune, settle or merge what comes out."""
    out_starts = np.zeros(high.size + 1, np.int64)
    out_values, out_weights = np.empty(1024), np.empty(1024)
    marks, slots = np.empty(1024, np.int64), np.full(1024, -1, np.int64)
    digits = np.empty(margins.size, np.int64)
    first = starts.size == 2  # the one state of no columns: only one way leads to each key
    count, way, peak, settled = 0, 0, -inf, 0.0
    previous = -1
    for key in reachable:
        out_starts[previous + 1 : key + 1] = count
        previous = key
        start = count
        _digits(key, placed, margins, strides, digits)
        if first:
            while codes[way] < key and way < codes.size - 1:
                way += 1
        for m in range(way, way + 1 if first else codes.size):
            if codes[m] > key:
                break
            if not _fits(parts, m, digits):
                continue
            source = key - codes[m]
            for s in range(starts[source], starts[source + 1]):
                value, weight = values[s] + new_values[m], weights[s] + new_weights[m]
                if value + low[key] > threshold:
                    continue
                if value + high[key] <= threshold:
                    more = weight + value + mass[key]
                    if more > peak:
                        settled, peak = settled * exp(peak - more), more
                    settled += exp(more - peak)
                    continue
                mark = np.int64(value * MARKS_PER_UNIT + 0.5)
                at = _slot(slots, marks, start, mark)
                if slots[at] >= start:
                    old = slots[at]
                    out_weights[old] = _log_add(out_weights[old], weight)
                    continue
                if count == limit:
                    return out_starts, np.empty(limit + 1), out_weights, 0.0
                if count == out_values.size:
                    out_values, out_weights = _longer(out_values), _longer(out_weights)
                    marks = _longer(marks)
                slots[at] = count
                out_values[count], out_weights[count], marks[count] = value, weight, mark
                count += 1
                if 2 * (count - start) > slots.size:
                    slots = np.full(2 * slots.size, -1, np.int64)
                    for old in range(start, count):
                        slots[_slot(slots, marks, start, marks[old])] = old
    out_starts[previous + 1 :] = count
    settled = peak + log(settled) if settled > 0 else -inf
    return out_starts, out_values[:count], out_weights[:count], settled


@njit(cache=True)
def _match(starts, values, weights, other_starts, other_values, other_weights, threshold):
    """Log mass of pairs with complementary keys and values that sum to the threshold or less."""
    found = -inf
    last = starts.size - 2
    for key in range(last + 1):
        begin, end = other_starts[last - key], other_starts[last - key + 1]
        if begin == end or starts[key] == starts[key + 1]:
            continue
        order = np.argsort(other_values[begin:end])
        ordered = other_values[begin:end][order]
        cumulative = other_weights[begin:end][order] + ordered
        for s in range(1, order.size):
            cumulative[s] = _log_add(cumulative[s], cumulative[s - 1])
        for s in range(starts[key], starts[key + 1]):
            upto = np.searchsorted(ordered, threshold - values[s], side="right")
            if upto > 0:
                found = _log_add(found, weights[s] + values[s] + cumulative[upto - 1])
    return found


# Monte Carlo


def _plain_sampling(counts: Integers, samples: int, seed: int) -> FisherResult:
    """p = (hits + 1) / (samples + 1) over tables with the observed margins."""
    rng = np.random.default_rng(seed)
    tables = random_table(counts.sum(axis=1), counts.sum(axis=0))
    observed = gammaln(counts + 1.0).sum() - TIE
    batch = max(1, 2_000_000 // counts.size)
    hits = 0
    for done in range(0, samples, batch):
        drawn = tables.rvs(size=min(batch, samples - done), random_state=rng)
        hits += int(np.sum(gammaln(drawn + 1.0).sum(axis=(1, 2)) >= observed))
    p = (hits + 1) / (samples + 1)
    found = f"{hits} of {samples} random tables were as improbable"
    if hits == 0:
        found += ": p is at most about this, its error is not known"
    error = sqrt((1 - p) / (p * samples)) if hits else inf
    return FisherResult(log(p), False, error, f"Monte Carlo, seed {seed}: {found}")


def _tilted_sampling(counts: Integers, samples: int, seed: int) -> FisherResult:
    """p = mean of P/q over draws from q ~ P^g that are as improbable as the observed table."""
    rng = np.random.default_rng(seed)
    margins, totals = counts.sum(axis=1), counts.sum(axis=0)
    small, total = int(margins[0]), int(totals.sum())
    log_factorials = _log_factorials(total.bit_length())
    columns = _columns(totals, margins, log_factorials)
    values = np.concatenate([column.values for column in columns])
    weights = np.concatenate([column.weights for column in columns])
    offsets = np.cumsum([0] + [len(column.codes) for column in columns])
    observed = float(log_factorials[totals].sum() - log_factorials[counts].sum())

    def excess(tilt: float) -> float:
        _, means = _normalizers(values, weights, offsets, small, tilt)
        return float(means[0, small]) - observed

    tilt = 1.0
    if excess(1.0) > 0:
        lowest = -1.0
        while lowest > SMALLEST_TILT and excess(lowest) > 0:
            lowest *= 2
        tilt = brentq(excess, lowest, 1.0, xtol=1e-2) if lowest > SMALLEST_TILT else lowest
    logs, _ = _normalizers(values, weights, offsets, small, tilt)
    drawn, remaining = np.zeros(samples), np.full(samples, small, dtype=np.int64)
    for j, column in enumerate(columns):
        order = np.argsort(remaining, kind="stable")
        uniforms = rng.random(samples)
        _draw(remaining, order, uniforms, column.values, column.weights, tilt, logs[j + 1], drawn)
    ratios = np.where(drawn <= observed + TIE, (1 - tilt) * drawn, -inf)
    scale = logs[0, small] + log_factorials[margins].sum() - log_factorials[total]
    return _weighted(ratios, float(scale), f"tilt {tilt:.3f}, seed {seed}")


def _weighted(ratios: Floats, scale: float, how: str) -> FisherResult:
    """The mean of the weights and its relative standard error, on the log scale."""
    samples, hits = len(ratios), int(np.sum(ratios > -inf))
    how = f"importance sampling, {how}: {hits} of {samples} random tables were as improbable"
    if hits == 0:
        return FisherResult(-log(samples + 1), False, inf, how + "; the error is not known")
    top = float(ratios.max())
    weights = np.exp(ratios - top)
    mean = float(weights.mean())
    error = float(weights.std()) / (mean * sqrt(samples))
    return FisherResult(min(0.0, scale + top + log(mean)), False, error, how)


@njit(cache=True)
def _normalizers(values, weights, offsets, small, tilt):
    """Log normalizer of q, and mean log weight under q, for what columns j.. place of `small`."""
    n_columns = offsets.size - 1
    logs = np.full((n_columns + 1, small + 1), -inf)
    means = np.zeros((n_columns + 1, small + 1))
    logs[n_columns, 0] = 0.0
    for j in range(n_columns - 1, -1, -1):
        ways = values[offsets[j] : offsets[j + 1]]
        tilted = tilt * ways + weights[offsets[j] : offsets[j + 1]]
        for k in range(small + 1):
            size = min(ways.size, k + 1)
            top = -inf
            for a in range(size):
                top = max(top, tilted[a] + logs[j + 1, k - a])
            if top == -inf:
                continue
            total, moment = 0.0, 0.0
            for a in range(size):
                share = exp(tilted[a] + logs[j + 1, k - a] - top)
                total += share
                moment += share * (ways[a] + means[j + 1, k - a])
            logs[j, k] = top + log(total)
            means[j, k] = moment / total
    return logs, means


@njit(cache=True)
def _draw(remaining, order, uniforms, ways, weights, tilt, logs_after, drawn):
    """Fill one column of every sample; `order` visits equal remainders together."""
    cumulative = np.empty(ways.size)
    current, size = -1, 0
    for s in order:
        if remaining[s] != current:
            current = remaining[s]
            size = min(ways.size, current + 1)
            top = -inf
            for a in range(size):
                cumulative[a] = tilt * ways[a] + weights[a] + logs_after[current - a]
                top = max(top, cumulative[a])
            total = 0.0
            for a in range(size):
                total += exp(cumulative[a] - top)
                cumulative[a] = total
        wanted = uniforms[s] * cumulative[size - 1]
        a = np.searchsorted(cumulative[:size], wanted, side="right")
        drawn[s] += ways[a]
        remaining[s] -= a
