"""The tables of pairs by the probabilities that one is better, or both practically equal."""

from __future__ import annotations

import numpy as np

from hetsel.report.numbers.baselines import FEWEST
from hetsel.report.numbers.pair_probabilities import CASES, FEWEST_DATA_SETS
from hetsel.report.numbers.study_summary import Summary
from hetsel.report.pages.decided_pairs import PROBABLE, at_own_size
from hetsel.report.pages.tables_as_text import PrintedTable
from hetsel.statistics.comparisons.bayesian_ranks import DRAWS, STRENGTH
from hetsel.statistics.comparisons.practical_equivalence import ROPE

CELLS = (
    "In a cell the probabilities that the first method of the pair is better, that both are "
    f"practically equal, and that the second is better, rounded (0: below 0.005; 1: above 0.995). "
    f"What differs by {ROPE:g} or less is practically equal."
)
# of two exchangeable methods whose differences are normal and far larger than the region; the
# numbers are those of tests/report/numbers/test_pair_probabilities.py
NOISE = (
    "They are no error rates: of two methods alike, whose differences are noise far larger than "
    "the region, one is better with more than 0.95 in about 15\u00a0% of studies with 6 data sets "
    "and in about 12\u00a0% with 20."
)


def probability(value: float) -> str:
    """A probability with two decimals; 0 and 1 are what rounds to them.

    Examples
    --------
    >>> probability(0.004), probability(0.954), probability(0.998)
    ('0', '0.95', '1')
    """
    shown = f"{value:.2f}"
    return {"0.00": "0", "1.00": "1"}.get(shown, shown)


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
        three = own.set_index("analysis").loc[rules, CASES].to_numpy(np.float64)
        best |= {(len(rows), 2 + k) for k in _decided(three)}
        rows.append([f"{one} – {other}", f"{own['number'].iloc[0]}", *map(_three, three)])
    caption = f"{summary.performance.label}: better, or practically equal, over data sets."
    note = (
        f"{CELLS} Bayesian signed-rank test of the mean differences (Benavoli and others, 2017); "
        f"prior: {STRENGTH:g} of a data set, without difference; {DRAWS:,} draws by a fixed seed, "
        f"standard error of a probability below 0.003. In bold where one is above {PROBABLE:g}, of "
        f"each pair alone. {NOISE} "
        f"Pairs with fewer than {FEWEST_DATA_SETS} common data sets are left out: there a prior on "
        f"one side would keep every probability of the other one below {PROBABLE:g}."
    )
    head = ["pair", "data sets", *rules]
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
        best |= {(len(rows), 1 + k) for k in _decided(three)}
        rows.append([f"{one} – {other}", *map(_three, three)])
    caption = (
        f"{summary.performance.label}: better, or practically equal, each method at its own size."
    )
    note = (
        f"{CELLS} Bayesian correlated t-test over the resamplings, from {FEWEST} on, with the "
        f"correction by parted pairs of rows. In bold where one is above {PROBABLE:g}, of each "
        "pair alone."
    )
    return PrintedTable("probable-by-data", caption, ["pair", *datasets], rows, best, note)


def _decided(three: np.ndarray) -> list[int]:
    """The rows (m, 3) with a probability above 0.95."""
    return [int(k) for k in np.flatnonzero((three > PROBABLE).any(axis=1))]


def _three(values: np.ndarray) -> str:
    """The three probabilities of a pair, which do not leave their line; a dash where it lacks."""
    return "–" if np.isnan(values).any() else "\u00a0/\u00a0".join(map(probability, values))
