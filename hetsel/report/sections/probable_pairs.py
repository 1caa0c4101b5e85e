"""Probabilities that one method of a pair is better or both are practically equivalent."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from hetsel.report.elements.blocks import COMPARISON, PrintedTable, Section, bold, part_of
from hetsel.statistics.comparisons import bayesian_ranks, corrections
from hetsel.study.comparison import baselines, pair_probabilities, study_summary
from hetsel.words.comparison_sentences import PROBABLE, decided, pairs_at_own_size

CELLS = (
    "Each cell shows three probabilities: the first method is better, both are practically "
    f"equivalent (difference at most {corrections.ROPE:g}), the second method is better. They are "
    "rounded (0: below 0.005; 1: above 0.995)."
)
# two exchangeable methods whose differences are normal and far larger than the region; the
# numbers are those of tests/report/numbers/test_pair_probabilities.py
NOISE = (
    "The probabilities are not error rates. For two equal methods whose differences are noise, far "
    "larger than the region of practical equivalence, one method has a probability above 0.95 in "
    "about 15% of studies with 6 data sets and in about 12% with 20."
)


def probability(value: float) -> str:
    """Format a probability with two decimals, or 0 and 1 if it rounds to them.

    Examples
    --------
    >>> probability(0.004), probability(0.954), probability(0.998)
    ('0', '0.95', '1')
    """
    shown = f"{value:.2f}"
    return {"0.00": "0", "1.00": "1"}.get(shown, shown)


def pairs_over_data_sets(summary: study_summary.Summary) -> PrintedTable | None:
    """Tabulate every pair over the data sets by the Bayesian signed-rank test."""
    pairs = summary.bayesian_pairs
    over = pairs[pairs["dataset"].isna()]
    if over.empty:
        return None
    rules = list(dict.fromkeys(over["analysis"]))
    rows = [
        [f"{one} – {other}", f"{own['number'].iloc[0]}", *_cells(own, "analysis", rules)]
        for (one, other), own in over.groupby(["one", "other"], sort=False)
    ]
    caption = (
        f"{summary.performance.label}: probabilities that a method is better or practically "
        "equivalent, over data sets."
    )
    note = (
        f"{CELLS} Bold: above {PROBABLE:g}, for each pair alone. {NOISE} The test is the Bayesian "
        "signed-rank test of mean differences (Benavoli et al. 2017). Its prior has the weight "
        f"of {bayesian_ranks.STRENGTH:g} data sets without a difference. It uses "
        f"{bayesian_ranks.DRAWS:,} draws with a fixed seed; the standard error of a probability "
        f"is below 0.003. Pairs with fewer than {pair_probabilities.FEWEST_DATA_SETS} common data "
        "sets are omitted: a prior that favors one method would keep the probability of the "
        f"other below {PROBABLE:g}."
    )
    head = ["pair", "data sets", *rules]
    return PrintedTable("probable-pairs", caption, head, rows, note)


def pairs_by_data_set(summary: study_summary.Summary) -> PrintedTable | None:
    """Tabulate every pair on each data set by the Bayesian t-test over resamplings."""
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
        f"{summary.performance.label}: probabilities that a method is better or practically "
        "equivalent, each method at its own size."
    )
    note = (
        f"{CELLS} Bold: above {PROBABLE:g}, for each pair alone. The test is the Bayesian "
        "correlated t-test over resamplings with the parted-pairs correction; it needs "
        f"{baselines.FEWEST} resamplings."
    )
    return PrintedTable("probable-by-data", caption, ["pair", *datasets], rows, note)


def _cells(pair: pd.DataFrame, column: str, heads: list[str]) -> Iterator[str]:
    """Format the three probabilities of a pair on one line; a dash if they are missing."""
    for three in (
        pair.set_index(column)[pair_probabilities.CASES].reindex(heads).to_numpy(np.float64)
    ):
        shown = "\u00a0/\u00a0".join(map(probability, three))
        yield "–" if np.isnan(three).any() else bold(shown, three.max() > PROBABLE)


def _paragraphs(summary: study_summary.Summary) -> Iterator[tuple[str, list[str]]]:
    if probable := decided(summary):
        yield "Better or practically equivalent", [probable]


SECTION = Section(
    parts=lambda summary: [
        part_of(*COMPARISON, [pairs_over_data_sets(summary), pairs_by_data_set(summary)])
    ],
    paragraphs=_paragraphs,
    tables={"bayesian_pairs": lambda summary: summary.bayesian_pairs},
)
