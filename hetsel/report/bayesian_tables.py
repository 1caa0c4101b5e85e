"""The tables of pairs by the probabilities that one is better, or both practically equal."""

from __future__ import annotations

import numpy as np

from hetsel.report.baselines import FEWEST
from hetsel.report.bayesian_pairs import CASES, FEWEST_DATA_SETS
from hetsel.report.probable import PROBABLE, at_own_size
from hetsel.report.summary import Summary
from hetsel.report.tables import PrintedTable
from hetsel.statistics.bayesian_ranks import DRAWS, STRENGTH
from hetsel.statistics.practical_equivalence import ROPE

THREE = "the first is better / both are practically equal / the second is better"
WORDS = ("first better", "practically equal", "second better")
# of two exchangeable methods whose differences are normal and far larger than the region; the
# numbers are those of tests/report/test_bayesian_pairs.py
NOISE = (
    "They are no error rates: of two methods alike, whose differences are noise far larger than "
    "the region, one is better with more than 0.95 in about 15\u00a0% of studies with 6 data sets "
    "and in about 12\u00a0% with 20."
)


def probability(value: float) -> str:
    """A probability with two decimals, which is 0 or 1 only where it says so.

    Examples
    --------
    >>> [probability(value).replace("\u00a0", " ") for value in (0.0, 0.002, 0.954, 0.998, 1.0)]
    ['0', '< 0.01', '0.95', '> 0.99', '1']
    """
    if value in (0.0, 1.0):
        return f"{value:.0f}"
    if value < 0.01:
        return "<\u00a00.01"
    return ">\u00a00.99" if value > 0.99 else f"{value:.2f}"


def pairs_over_data_sets(summary: Summary) -> PrintedTable | None:
    """Every pair over the data sets, by the Bayesian signed-rank test."""
    pairs = summary.bayesian_pairs
    over = pairs[pairs["dataset"].isna()]
    if over.empty:
        return None
    rules = list(dict.fromkeys(over["analysis"]))
    rows: list[list[str]] = []
    best: set[tuple[int, int]] = set()
    for (one, other), own in over.groupby(["one", "other"], sort=False):
        cells = own.set_index("analysis").loc[rules, CASES].to_numpy(np.float64).ravel()
        best |= {(len(rows), 2 + int(k)) for k in np.flatnonzero(cells > PROBABLE)}
        rows.append([f"{one} – {other}", f"{own['number'].iloc[0]}", *map(probability, cells)])
    score = summary.performance.phrase
    caption = (
        f"{summary.performance.label}: probability that the first method of a pair is better, that "
        "both are practically equal, that the second is better, over data sets."
    )
    note = (
        f"Bayesian signed-rank test of the mean differences in {score} (Benavoli and others, "
        f"2017): what differs by no more than {ROPE:g} is practically equal. Prior: {STRENGTH:g} "
        f"of a data set, without difference; {DRAWS:,} draws by a fixed seed, so that the error of "
        f"a probability is below 0.003. Above {PROBABLE:g} in bold, of each pair alone. {NOISE} "
        f"Pairs with fewer than {FEWEST_DATA_SETS} common data sets are left out: there a prior on "
        f"one side would keep every probability of the other one below {PROBABLE:g}."
    )
    head = ["pair", "data sets", *(f"{rule}: {word}" for rule in rules for word in WORDS)]
    return PrintedTable("probable-pairs", caption, head, rows, best, note)


def pairs_by_data_set(summary: Summary) -> PrintedTable | None:
    """Every pair on each data set, by the Bayesian t-test over its resamplings."""
    own = at_own_size(summary)
    single = own[own["dataset"].notna()]
    if single.empty:
        return None
    datasets = [name for name in summary.datasets if (single["dataset"] == name).any()]
    rows: list[list[str]] = []
    best: set[tuple[int, int]] = set()
    for (one, other), pair in single.groupby(["one", "other"], sort=False):
        table = pair.set_index("dataset")[CASES].reindex(datasets)
        three = table.to_numpy(np.float64)
        best |= {(len(rows), 1 + int(k)) for k in np.flatnonzero((three > PROBABLE).any(axis=1))}
        rows.append([f"{one} – {other}", *map(_three, three)])
    caption = (
        f"{summary.performance.label} on single data sets, each method at its own size: "
        f"probability that {THREE}."
    )
    note = (
        f"Bayesian correlated t-test over the resamplings, from {FEWEST} on, with the correction "
        f"by parted pairs of rows; {ROPE:g} or less is practically equal. In bold where one of the "
        f"three is above {PROBABLE:g}, of each pair alone."
    )
    return PrintedTable("probable-by-data", caption, ["pair", *datasets], rows, best, note)


def _three(values: np.ndarray) -> str:
    """The three probabilities of a pair, which do not leave their line; a dash where it lacks."""
    return "–" if np.isnan(values).any() else "\u00a0/\u00a0".join(map(probability, values))
