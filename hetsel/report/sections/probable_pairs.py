"""Pairs of methods by the probabilities that one is better, or both practically equal."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from hetsel.report.elements.blocks import COMPARISON, PrintedTable, Section, bold, part_of
from hetsel.statistics.comparisons import bayesian_ranks, corrections
from hetsel.study.comparison import baselines, pair_probabilities, study_summary
from hetsel.words.comparison_sentences import PROBABLE, decided, pairs_at_own_size

CELLS = (
    "In a cell the probabilities that the first method of the pair is better, that both are "
    f"practically equal, and that the second is better, rounded (0: below 0.005; 1: above 0.995). "
    f"What differs by {corrections.ROPE:g} or less is practically equal."
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


def pairs_over_data_sets(summary: study_summary.Summary) -> PrintedTable | None:
    """Every pair over the data sets, by the Bayesian signed-rank test."""
    pairs = summary.bayesian_pairs
    over = pairs[pairs["dataset"].isna()]
    if over.empty:
        return None
    rules = list(dict.fromkeys(over["analysis"]))
    rows = [
        [f"{one} – {other}", f"{own['number'].iloc[0]}", *_cells(own, "analysis", rules)]
        for (one, other), own in over.groupby(["one", "other"], sort=False)
    ]
    caption = f"{summary.performance.label}: better, or practically equal, over data sets."
    note = (
        f"{CELLS} Bayesian signed-rank test of the mean differences (Benavoli and others, 2017); "
        f"prior: {bayesian_ranks.STRENGTH:g} of a data set, without difference; "
        f"{bayesian_ranks.DRAWS:,} draws by a fixed seed, "
        f"standard error of a probability below 0.003. In bold where one is above {PROBABLE:g}, of "
        f"each pair alone. {NOISE} "
        f"Pairs with fewer than {pair_probabilities.FEWEST_DATA_SETS} common data sets are left "
        "out: there a prior on "
        f"one side would keep every probability of the other one below {PROBABLE:g}."
    )
    head = ["pair", "data sets", *rules]
    return PrintedTable("probable-pairs", caption, head, rows, note)


def pairs_by_data_set(summary: study_summary.Summary) -> PrintedTable | None:
    """Every pair on each data set, by the Bayesian t-test over its resamplings."""
    own = pairs_at_own_size(summary)
    single = own[own["dataset"].notna()]
    if single.empty:
        return None
    datasets = [name for name in summary.datasets if (single["dataset"] == name).any()]
    rows = [
        [f"{one} – {other}", *_cells(pair, "dataset", datasets)]
        for (one, other), pair in single.groupby(["one", "other"], sort=False)
    ]
    caption = (
        f"{summary.performance.label}: better, or practically equal, each method at its own size."
    )
    note = (
        f"{CELLS} Bayesian correlated t-test over the resamplings, from {baselines.FEWEST} on, "
        f"with the correction by parted pairs of rows. In bold where one is above {PROBABLE:g}, "
        "of each pair alone."
    )
    return PrintedTable("probable-by-data", caption, ["pair", *datasets], rows, note)


def _cells(pair: pd.DataFrame, column: str, heads: list[str]) -> Iterator[str]:
    """The three probabilities of a pair, which do not leave their line; a dash where it lacks."""
    for three in (
        pair.set_index(column)[pair_probabilities.CASES].reindex(heads).to_numpy(np.float64)
    ):
        shown = "\u00a0/\u00a0".join(map(probability, three))
        yield "–" if np.isnan(three).any() else bold(shown, three.max() > PROBABLE)


def _paragraphs(summary: study_summary.Summary) -> Iterator[tuple[str, list[str]]]:
    if probable := decided(summary):
        yield "Better, or practically equal", [probable]


SECTION = Section(
    parts=lambda summary: [
        part_of(*COMPARISON, [pairs_over_data_sets(summary), pairs_by_data_set(summary)])
    ],
    paragraphs=_paragraphs,
    tables={"bayesian_pairs": lambda summary: summary.bayesian_pairs},
)
