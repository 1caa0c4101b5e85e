"""Estimate the p-value of Fisher's test by Monte Carlo.

There are three estimates: plain sampling, importance sampling, and multilevel splitting for
p-values far below those that random tables reach. The improbability T(t) = sum_ij log t_ij! orders
the tables of given margins as Fisher's test does, and a population of tables climbs. At each level,
copies of the more improbable half of the tables replace the other half. The copies then walk, by
steps that keep the margins, among the tables at least as improbable as the level. The p-value is
the product of the proportions that stayed. If that climb is too long, the asymptotic p-value of the
likelihood ratio is used (decision 034).
"""

from dataclasses import dataclass
from math import exp, inf, log, log2, nan, sqrt

import numpy as np
from scipy import optimize, special
from scipy.special import gammaln
from scipy.stats import random_table

from hetsel.compiling.compiled import compiled
from hetsel.ground.array_types import Floats, Integers
from hetsel.statistics.column_tests.chi_squared import log_chi2_tail
from hetsel.statistics.fisher import counting

SMALLEST_TILT = -64.0
LARGEST_TILTED = 20_000_000  # cells of the dynamic program of the tilted sampler
FEWEST, MOST = 50, 400  # tables of the population of multilevel splitting
STEPS = 12  # of a walk, per cell of the table; fewer, down to 1, if the climb is long
WORK = 20_000_000  # steps of all walks, about a second
WALKS = 100  # for a first table above a level where tables are rare


@dataclass(frozen=True)
class FisherResult:
    """Hold the p-value of Fisher's exact test and how it was computed.

    Parameters
    ----------
    log_pvalue : float
        Natural logarithm of the two-sided p-value; finite even if the p-value underflows.
    exact : bool
        Whether every table was counted; otherwise the p-value is a Monte Carlo estimate.
    standard_error : float
        Standard error of the p-value divided by the p-value; 0 if exact, NaN if asymptotic.
    method : str
        How the p-value was computed, in words.

    See Also
    --------
    hetsel.stats.fisher_exact

    Examples
    --------
    >>> FisherResult(0.0, True, 0.0, "exact").pvalue
    1.0
    """

    log_pvalue: float
    exact: bool
    standard_error: float
    method: str

    @property
    def pvalue(self) -> float:
        """The p-value; 0.0 if it is below the smallest double."""
        return exp(self.log_pvalue)

    def __str__(self) -> str:
        size = f"p = {self.pvalue:.4g} (log p = {self.log_pvalue:.6g})"
        error = "" if self.exact else f", relative standard error {self.standard_error:.2g}"
        return f"Fisher's exact test: {size}{error}; {self.method}"


def plain_sampling(counts: Integers, samples: int, seed: int) -> FisherResult:
    """Estimate p = (hits + 1) / (samples + 1) over random tables with the observed margins."""
    rng = np.random.default_rng(seed)
    tables = random_table(counts.sum(axis=1), counts.sum(axis=0))
    observed = gammaln(counts + 1.0).sum() - counting.TIE
    batch = max(1, 2_000_000 // counts.size)
    hits = 0
    for done in range(0, samples, batch):
        drawn = tables.rvs(size=min(batch, samples - done), random_state=rng)
        hits += int(np.sum(gammaln(drawn + 1.0).sum(axis=(1, 2)) >= observed))
    p = (hits + 1) / (samples + 1)
    found = f"{hits} of {samples} random tables were as improbable"
    if hits == 0:
        found += ". p is at most about this; its error is not known"
    error = sqrt((1 - p) / (p * samples)) if hits else inf
    return FisherResult(log(p), False, error, f"Monte Carlo, seed {seed}: {found}")


def tilted_sampling(counts: Integers, samples: int, seed: int) -> FisherResult:
    """Estimate p by the mean of P/q over draws from q ~ P^g as improbable as the observed table."""
    rng = np.random.default_rng(seed)
    rows, totals = counting.total_rows(counts.sum(axis=1)), counts.sum(axis=0)
    small, total = int(rows.totals[0]), int(totals.sum())
    log_factorials = counting.log_factorial_table(total.bit_length())
    columns = [margin.ways for margin in counting.margins_of(totals, rows, log_factorials)]
    values = np.concatenate([ways.values for ways in columns])
    weights = np.concatenate([ways.weights for ways in columns])
    offsets = np.cumsum([0] + [len(ways.codes) for ways in columns])
    observed = float(log_factorials[totals].sum() - log_factorials[counts].sum())

    def excess(tilt: float) -> float:
        _, means = _normalizers(values, weights, offsets, small, tilt)
        return float(means[0, small]) - observed

    tilt = 1.0
    if excess(1.0) > 0:
        lowest = -1.0
        while lowest > SMALLEST_TILT and excess(lowest) > 0:
            lowest *= 2
        tilt = optimize.brentq(excess, lowest, 1.0, xtol=1e-2) if lowest > SMALLEST_TILT else lowest
    logs, _ = _normalizers(values, weights, offsets, small, tilt)
    drawn, remaining = np.zeros(samples), np.full(samples, small, dtype=np.int64)
    for j, ways in enumerate(columns):
        order = np.argsort(remaining, kind="stable")
        uniforms = rng.random(samples)
        _draw(remaining, order, uniforms, ways.values, ways.weights, tilt, logs[j + 1], drawn)
    ratios = np.where(drawn <= observed + counting.TIE, (1 - tilt) * drawn, -inf)
    scale = logs[0, small] + log_factorials[rows.totals].sum() - log_factorials[total]
    return _weighted(ratios, float(scale), f"tilt {tilt:.3f}, seed {seed}")


def _weighted(ratios: Floats, scale: float, how: str) -> FisherResult:
    """Return the mean of the weights and its relative standard error, on the log scale."""
    samples, hits = len(ratios), int(np.sum(ratios > -inf))
    how = f"importance sampling, {how}: {hits} of {samples} random tables were as improbable"
    if hits == 0:
        return FisherResult(-log(samples + 1), False, inf, how + "; the error is not known")
    top = float(ratios.max())
    weights = np.exp(ratios - top)
    mean = float(weights.mean())
    error = float(weights.std()) / (mean * sqrt(samples))
    return FisherResult(min(0.0, scale + top + log(mean)), False, error, how)


@compiled
def _normalizers(values, weights, offsets, small, tilt):
    """Compute log normalizer and mean log weight of q for what columns j.. place of `small`."""
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


@compiled
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


def split_sampling(counts: Integers, samples: int, seed: int) -> FisherResult:
    """Estimate p as the product of the proportions of tables that stay at each level.

    This serves tables that none of `samples` random tables matches in improbability; p is never
    above 1 / (samples + 1). The relative standard error is that of m independent tables, sqrt(sum
    over levels of (1 - share) / (share m)). If walks are short, or few kinds of tables are as
    improbable as the observed table, it may be several times as large. If the climb is too long, or
    no table finds the way up, p is the asymptotic p-value of the likelihood ratio, and its error is
    NaN. Botev and Kroese 2012, Statistics and Computing 22, 1-16.
    """
    asymptotic = _likelihood_ratio(counts)
    work = WORK * log(2.0) / max(-asymptotic, 1.0)  # steps of a level
    many = min(max(int(work / (STEPS * counts.size)), FEWEST), MOST)
    walk = min(STEPS * counts.size, int(work / many))
    if walk < counts.size:
        return _asymptotic(asymptotic, samples)
    rng = np.random.default_rng(seed)
    log_factorials = counting.log_factorial_table(int(counts.sum()).bit_length())
    goal = float(log_factorials[counts].sum()) - counting.TIE
    drawn = random_table(counts.sum(axis=1), counts.sum(axis=0)).rvs(many, random_state=rng)
    tables = np.ascontiguousarray(drawn, dtype=np.int64)
    heights = log_factorials[tables].sum(axis=(1, 2))
    scales = 1 + int(log2(max(1.0, sqrt(counts.sum() / counts.size))))
    log_p, variance, levels, level = 0.0, 0.0, 0, -inf
    while level < goal:
        # the level that half of the tables reach; if many heights are equal within TIE, just above
        # them
        half = float(np.partition(heights, many // 2)[many // 2]) - counting.TIE / 2
        floor, level = level, min(goal, max(float(heights.min()) + counting.TIE, half))
        stay, seen = tables[heights >= level], many
        while len(stay) == 0 and seen < WALKS * many:
            uniforms = rng.random((many, walk, 4))
            _walk(tables, floor, uniforms, scales, log_factorials)
            heights = log_factorials[tables].sum(axis=(1, 2))
            stay, seen = tables[heights >= level], seen + many
        if len(stay) == 0:
            # the tables are on a hill lower than the goal; p is also below that of the level
            return _asymptotic(min(asymptotic, log_p), samples)
        share = len(stay) / seen
        log_p += log(share)
        variance += (1 - share) / (share * seen)
        levels += 1
        tables = stay[rng.permutation(many) % len(stay)]
        uniforms = rng.random((many, walk, 4))
        _walk(tables, level, uniforms, scales, log_factorials)
        heights = log_factorials[tables].sum(axis=(1, 2))
    found = f"{levels} levels of {many} tables, after no hit of {samples} random tables"
    how = f"multilevel splitting, seed {seed}: {found}"
    return FisherResult(min(log_p, -log(samples + 1)), False, sqrt(variance), how)


def _likelihood_ratio(counts: Integers) -> float:
    """Compute the log p-value of G = 2 sum_ij t_ij log(t_ij / e_ij), asymptotically chi-squared."""
    expected = np.outer(counts.sum(axis=1) / counts.sum(), counts.sum(axis=0))
    apart = counts - expected  # it adds up to 0; subtracting it term by term loses no digits
    g = 2 * float((special.xlog1py(counts, apart / expected) - apart).sum())
    return float(log_chi2_tail(max(g, 0.0), (counts.shape[0] - 1) * (counts.shape[1] - 1)))


def of_many_counts(counts: Integers) -> FisherResult:
    """Return the asymptotic p-value of tables with too many counts to draw tables of."""
    found = f"asymptotic, since {counts.sum():,} counts are too many to draw tables"
    return FisherResult(_likelihood_ratio(counts), False, nan, found)


def _asymptotic(log_p: float, samples: int) -> FisherResult:
    found = f"asymptotic, after no hit in {samples} random tables; its error is not known"
    return FisherResult(min(log_p, -log(samples + 1)), False, nan, found)


@compiled
def _walk(tables, level, uniforms, scales, log_factorials):
    """Take Metropolis steps of P(t), none below the level, of 1, 2, 4, ... counts in four cells."""
    many, steps, _ = uniforms.shape
    rows, columns = tables.shape[1:]
    for m in range(many):
        table = tables[m]
        height = 0.0
        for i in range(rows):
            for j in range(columns):
                height += log_factorials[table[i, j]]
        for s in range(steps):
            i = int(uniforms[m, s, 0] * rows * (rows - 1))
            j = int(uniforms[m, s, 1] * columns * (columns - 1))
            i, k = i // (rows - 1), i % (rows - 1)
            j, h = j // (columns - 1), j % (columns - 1)
            k += k >= i
            h += h >= j
            move = 1 << int(uniforms[m, s, 2] * scales)
            if table[i, j] < move or table[k, h] < move:
                continue
            after = (
                height
                + log_factorials[table[i, j] - move]
                - log_factorials[table[i, j]]
                + log_factorials[table[k, h] - move]
                - log_factorials[table[k, h]]
                + log_factorials[table[i, h] + move]
                - log_factorials[table[i, h]]
                + log_factorials[table[k, j] + move]
                - log_factorials[table[k, j]]
            )
            if after >= level and uniforms[m, s, 3] < np.exp(height - after):
                table[i, j] -= move
                table[k, h] -= move
                table[i, h] += move
                table[k, j] += move
                height = after
