"""Monte Carlo estimates of the p-value of Fisher's test, plain and by importance sampling."""

from math import exp, inf, log, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import optimize
from scipy.special import gammaln
from scipy.stats import random_table

from hetsel.compiling.compiled import compiled
from hetsel.statistics.fisher.margins import TIE, log_factorial_table, margins_of, rows_of

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

SMALLEST_TILT = -64.0
LARGEST_TILTED = 20_000_000  # cells of the dynamic programme behind the tilted sampler


class Estimate(NamedTuple):
    """An estimated p-value: its logarithm, its relative standard error, how it was found."""

    log_pvalue: float
    standard_error: float
    method: str


def plain_sampling(counts: Integers, samples: int, seed: int) -> Estimate:
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
    return Estimate(log(p), error, f"Monte Carlo, seed {seed}: {found}")


def tilted_sampling(counts: Integers, samples: int, seed: int) -> Estimate:
    """p = mean of P/q over draws from q ~ P^g that are as improbable as the observed table."""
    rng = np.random.default_rng(seed)
    rows, totals = rows_of(counts.sum(axis=1)), counts.sum(axis=0)
    small, total = int(rows.totals[0]), int(totals.sum())
    log_factorials = log_factorial_table(total.bit_length())
    columns = [margin.ways for margin in margins_of(totals, rows, log_factorials)]
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
    ratios = np.where(drawn <= observed + TIE, (1 - tilt) * drawn, -inf)
    scale = logs[0, small] + log_factorials[rows.totals].sum() - log_factorials[total]
    return _weighted(ratios, float(scale), f"tilt {tilt:.3f}, seed {seed}")


def _weighted(ratios: Floats, scale: float, how: str) -> Estimate:
    """The mean of the weights and its relative standard error, on the log scale."""
    samples, hits = len(ratios), int(np.sum(ratios > -inf))
    how = f"importance sampling, {how}: {hits} of {samples} random tables were as improbable"
    if hits == 0:
        return Estimate(-log(samples + 1), inf, how + "; the error is not known")
    top = float(ratios.max())
    weights = np.exp(ratios - top)
    mean = float(weights.mean())
    error = float(weights.std()) / (mean * sqrt(samples))
    return Estimate(min(0.0, scale + top + log(mean)), error, how)


@compiled
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
