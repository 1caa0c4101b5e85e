"""Keep training rows as sketches, which recognize rows without storing their values.

The sketch of a row is a vector of K numbers: the sum over its columns of the value times Gaussian
numbers that follow from the name of the column. Values are scaled by the range of the training
rows; each level and a missing value have their own Gaussian numbers. Nearly equal rows have nearly
equal sketches, and the distances of others are approximately those of the rows (Johnson &
Lindenstrauss).

References: Johnson & Lindenstrauss (1984) Contemporary Mathematics 26, 189-206; Levina & Bickel
(2005) NIPS 17, 777-784 (the dimension).
"""

import hashlib
from typing import Annotated

import numpy as np
import pandas as pd
from msgspec import Meta, Struct
from scipy import spatial, special, stats

from hetsel.ground.plan_entries import Positive
from hetsel.signature.probabilities.asked_probabilities import ClosedShare
from hetsel.tables import Schema, Table

K = 10  # numbers of a sketch
COLUMNS, ROWS = 40, 5_000  # largest numbers that are kept
DIGITS = 6
EQUAL = 1e-5  # distance of equal rows, up to rounding
NEIGHBORS = 5  # neighbors that estimate the dimension
# relative to the median distance of a row to its neighbor
RATIOS = (0.0, 1e-3, 0.01, 0.03, 0.1, 0.2)
FEWEST = 1e-6  # smallest probability that a new row equals a training row by chance
SURE = 0.99  # level of its upper bounds
PAIRED, ENOUGH = 1_000, 30  # rows that are compared in pairs; pairs that a proportion needs
DECIMALS = (
    # decimals of the span; two rows tie in a column with more, without other ties, with probability
    # TIE
    6
)
TIE = 3e-5
CHANCE = 1e-3  # probability that as many rows resemble training rows by chance, at any ratio
FALSE = 0.1  # largest proportion of them that may be due to chance, if other rows are new
CAREFUL = 0.75  # of the estimated dimension
LARGEST = float(np.finfo(float).max)
FARTHEST = 1e100  # spans from the training rows: far beyond any similar row


def sketches(table: Table, low: np.ndarray, span: np.ndarray) -> np.ndarray:
    """Compute sketches (n, K) of rows; numbers are measured from `low` by `span`, (p,) each."""
    n, p = table.shape
    out = np.zeros((n, K))
    for j, column in enumerate(table.schema.columns):
        cells = table.values[:, j]
        gaps = np.isnan(cells)
        if column.kind == "continuous":
            with np.errstate(over="ignore"):
                measured = np.where(gaps, 0.0, (cells - low[j]) / span[j])
            measured = np.clip(measured, -FARTHEST, FARTHEST)
            own = measured[:, None] * _numbers(column.name)
        else:
            levels = [str(level) for level in column.levels]
            each = np.array([_numbers(column.name, level) for level in [*levels, "unseen"]])
            codes = np.where(gaps, 0, np.minimum(np.nan_to_num(cells), len(levels))).astype(int)
            own = each[codes]
        own[gaps] = _numbers(column.name, "")
        out += own / np.sqrt(p)
    return out


def _numbers(*words: str) -> np.ndarray:
    """Return K Gaussian numbers that follow from words."""
    digest = hashlib.sha256("\x1f".join(words).encode(errors="surrogatepass")).digest()
    return np.random.default_rng(np.frombuffer(digest, dtype=np.uint32)).normal(size=K)


NotNegative = Annotated[float, Meta(ge=0)]


class Sketches(Struct, frozen=True):
    """Training rows as sketches."""

    schema: dict[str, object]  # of up to 40 columns
    low: list[float]  # of numbers
    span: list[Positive]
    sketches: Annotated[list[list[float]], Meta(min_length=1)]  # of up to 5,000 rows
    median: NotNegative  # distance of a row to its neighbor
    dimension: Positive  # of the space of the rows
    # upper bound of the probability that a new row equals one of these by chance
    doubles: ClosedShare


def kept_rows(table: Table, groups: np.ndarray | None = None) -> Sketches:
    """Sketch training rows.

    Missing values are not imputed; rows of one group belong together.
    """
    n, p = table.shape
    columns = np.unique(np.linspace(0, p - 1, min(p, COLUMNS)).astype(np.intp))
    rows = np.unique(np.linspace(0, n - 1, min(n, ROWS)).astype(np.intp))
    part = table.take(columns=columns)
    low, span = np.zeros(len(columns)), np.ones(len(columns))
    for j, column in enumerate(part.schema.columns):
        known = part.values[~np.isnan(part.values[:, j]), j]
        if column.kind == "continuous" and len(known):
            low[j], span[j] = known.min(), min(np.ptp(known / 2), LARGEST / 2) * 2 or 1.0
    own = np.round(sketches(part.take(rows=rows), low, span), DIGITS)
    k = min(NEIGHBORS, len(own) - 1)
    apart = spatial.cKDTree(own).query(own, k=k + 1)[0][:, 1:] if k else np.zeros((1, 1))
    return Sketches(
        schema=part.schema.to_dict(),
        low=low.tolist(),
        span=span.tolist(),
        sketches=own.tolist(),
        median=float(np.median(apart[:, 0])),
        dimension=_dimension(apart),
        doubles=equal_by_chance(part.take(rows=rows), None if groups is None else groups[rows]),
    )


def equal_by_chance(table: Table, groups: np.ndarray | None) -> float:
    """Bound the probability that a new row of the same population equals one of n rows.

    Of the pairs of rows of different groups, N_h differ in at most h columns. If N_0 is 0, N_0 <=
    N_h (N_h / N_{h+1})^h, since numbers of differences are log-concave: columns that distinguish
    rows make equal rows improbable, columns of few levels do not. n times the proportion of equal
    pairs bounds the probability; so does the proportion of rows that have an equal row.

    Examples
    --------
    >>> coins = np.random.default_rng(0).integers(0, 2, (100, 12))
    >>> 100 / 2**12 < equal_by_chance(Table.read(coins), None) < 0.1
    True
    """
    n, p = table.shape
    own = np.arange(n) if groups is None else groups
    codes = np.stack([np.unique(cells, return_inverse=True)[1] for cells in table.values.T], axis=1)
    exact = np.array([_is_exact(table.values[:, j]) for j in range(p)]) & ~table.nominal
    keys = np.unique(codes, axis=0, return_inverse=True)[1].ravel()
    many = np.bincount(np.unique(np.stack([keys, own]), axis=1)[0])[keys] > 1
    doubles = special.betaincinv(many.sum() + 1, max(1, n - many.sum()), SURE)
    rows = np.unique(np.linspace(0, n - 1, min(n, PAIRED)).astype(np.intp))
    coarse, groups_of = codes[rows][:, ~exact], own[rows]
    pairs = np.zeros(coarse.shape[1] + 1)
    for i in range(len(rows) - 1):
        others = groups_of[i + 1 :] != groups_of[i]
        differ = (coarse[i + 1 :][others] != coarse[i]).sum(axis=1)
        pairs += np.bincount(differ, minlength=len(pairs))
    if not pairs.sum():
        return 1.0
    share = _equal_pairs(np.cumsum(pairs)) * TIE ** float(exact.sum())
    return float(np.clip(min(doubles, n * share), FEWEST, 1.0))


def _is_exact(cells: np.ndarray) -> bool:
    """Check whether numbers have so many decimals that only copies tie."""
    known = cells[~np.isnan(cells)]
    span = np.ptp(known) if len(known) > 1 else 0.0
    if len(known) < len(cells) or not 0 < span < FARTHEST:
        return False
    places = known / 10.0 ** (np.floor(np.log10(span)) - DECIMALS)
    return bool(np.median(np.abs(places - np.round(places))) > 1e-3)


def _equal_pairs(within: np.ndarray) -> float:
    """Bound the proportion of equal pairs, from pairs (p + 1,) within 0, 1, ... p differences."""

    def bound(count: float) -> float:  # Poisson's bound
        return float(special.gammaincinv(count + 1, SURE))

    h, total = int(np.argmax(within >= min(ENOUGH, within[-1]))), within[-1]
    if h == 0 or within[0]:
        return float(min(1.0, bound(within[0]) / total))
    ratio = bound(within[h - 1]) / within[h]
    if h + 1 < len(within):
        ratio = min(ratio, within[h] / within[h + 1])
    return float(min(bound(0), within[h] * ratio**h) / total)


def _dimension(apart: np.ndarray) -> float:
    """Estimate local dimension from distances (n, k) to neighbors: 1 / mean of log(T_k / T_j)."""
    last, others = apart[:, -1:], apart[:, :-1]
    ratios = np.log(np.maximum(last, EQUAL) / np.maximum(others, EQUAL))
    mean = float(ratios[apart[:, 0] > EQUAL].mean()) if (apart[:, 0] > EQUAL).any() else np.inf
    return float(np.clip(1 / mean, 0.1, K)) if np.isfinite(mean) and mean > 0 else 0.1


def seen_rows(kept: Sketches, frame: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Find the rows (n,) of a frame that are, or nearly equal, training rows beyond chance.

    If all columns have few levels, rows of the same population equal training rows by chance, see
    :func:`equal_by_chance`; then none of them counts as a training row. A row is nearly equal if
    its distance to a training row is at most `ratio` times the median distance there. Among rows of
    dimension d, a proportion of about log(2) ratio^d is so close by chance. Rows that equal each
    other count once. A second mask (n,) marks the rows that equal a training row, by chance or not.
    """
    schema = Schema.from_dict(kept.schema)
    table = schema.encode(frame[schema.names], unseen="separate")
    own = sketches(table, np.array(kept.low), np.array(kept.span))
    apart = spatial.cKDTree(np.array(kept.sketches)).query(own)[0]
    once = np.unique(np.round(own, DIGITS), axis=0, return_index=True)[1]
    seen = np.zeros(len(apart), dtype=bool)
    for ratio in RATIOS:
        found = apart <= max(ratio * kept.median, EQUAL)
        count = int(found[once].sum())
        share = max(kept.doubles, FEWEST) + np.log(2) * ratio ** (CAREFUL * kept.dimension)
        chance = stats.binom.sf(count - 1, len(once), min(1.0, share))
        few = len(once) * share <= FALSE * count or count == len(once)
        if few and chance < CHANCE / len(RATIOS):
            seen = found
    return seen, apart <= EQUAL
