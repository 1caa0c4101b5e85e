"""Pairs of methods by the probabilities that one is better, or both practically equal."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from hetsel.report.elements.document import COMPARISON, Fold, PrintedTable, Section, bold
from hetsel.report.elements.wording import count, join
from hetsel.report.numbers.baselines import FEWEST
from hetsel.report.numbers.pair_probabilities import CASES, FEWEST_DATA_SETS
from hetsel.report.numbers.study_summary import Summary
from hetsel.statistics.comparisons.bayesian_ranks import DRAWS, STRENGTH
from hetsel.statistics.comparisons.corrections import ROPE

PROBABLE = 0.95  # a pair is decided where one of its three probabilities is above
NAMED = 12  # more pairs than these are counted in a sentence, and named in the table alone
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


def _at_own_size(summary: Summary) -> pd.DataFrame:
    """The pairs with each method at its own size."""
    pairs = summary.bayesian_pairs
    return pairs[pairs["analysis"] == "own size"]


def decided(summary: Summary) -> str:
    """Which pairs are better or practically equal with a probability above 0.95."""
    own = _at_own_size(summary)
    if own.empty:
        return ""
    over, single = own[own["dataset"].isna()], own[own["dataset"].notna()]
    parts = [_over(over)] if len(over) else []
    if len(single):
        parts.append(f"on single data sets {_counted(single)}")
    text = (
        f"With each method at its own size, and differences in {summary.performance.phrase} of up "
        f"to {ROPE:g} as good as none: {'; '.join(parts)}. Decided is what has a probability above "
        f"{PROBABLE:g}: of each pair alone, given a prior, which is no error rate."
    )
    return text if len(over) else f"{text} {_no_posterior(len(summary.datasets))}"


def _no_posterior(datasets: int) -> str:
    """Why nothing is said over the data sets."""
    if datasets < 2:
        return ""
    return (
        f"Over the data sets there is no probability: it takes {FEWEST_DATA_SETS} that have both "
        "methods of a pair. With fewer the answer is that of the prior."
    )


def _over(pairs: pd.DataFrame) -> str:
    """What is decided over the data sets, by name where it is not too much."""
    said = [*_better(pairs), *_equal(pairs)]
    if not said or sum(_verdicts(pairs).values()) > NAMED:
        return f"over the data sets {_counted(pairs)}"
    return f"over the data sets {', '.join(said)} ({_counted(pairs)})"


def _verdicts(pairs: pd.DataFrame) -> dict[str, int]:
    """How many pairs are decided, by case."""
    return {case: int((pairs[case] > PROBABLE).sum()) for case in CASES}


def _better(pairs: pd.DataFrame) -> Iterator[str]:
    """Which methods are better than which, in the order of the study."""
    worse: dict[str, list[str]] = {}
    for _, pair in pairs.iterrows():
        if pair["one_better"] > PROBABLE:
            worse.setdefault(str(pair["one"]), []).append(str(pair["other"]))
        if pair["other_better"] > PROBABLE:
            worse.setdefault(str(pair["other"]), []).append(str(pair["one"]))
    for one, others in worse.items():
        yield f"{one} is better than {join(others)}"


def _equal(pairs: pd.DataFrame) -> Iterator[str]:
    """Which methods are practically equal to which."""
    for one, own in pairs[pairs["equivalent"] > PROBABLE].groupby("one", sort=False):
        yield f"{one} is practically equal to {join(map(str, own['other']))}"


def _counted(pairs: pd.DataFrame) -> str:
    """How many pairs are decided, and how."""
    found = _verdicts(pairs)
    better, equal = found["one_better"] + found["other_better"], found["equivalent"]
    total = count(len(pairs), "pair")
    if not better + equal:
        return f"none of {total} is decided"
    verb = "is" if better + equal == 1 else "are"
    return f"{better + equal:,} of {total} {verb} decided, {better:,} as better, {equal:,} as equal"


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
    rows = [
        [f"{one} – {other}", f"{own['number'].iloc[0]}", *_cells(own, "analysis", rules)]
        for (one, other), own in over.groupby(["one", "other"], sort=False)
    ]
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
    return PrintedTable("probable-pairs", caption, head, rows, note)


def pairs_by_data_set(summary: Summary) -> PrintedTable | None:
    """Every pair on each data set, by the Bayesian t-test over its resamplings."""
    own = _at_own_size(summary)
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
        f"{CELLS} Bayesian correlated t-test over the resamplings, from {FEWEST} on, with the "
        f"correction by parted pairs of rows. In bold where one is above {PROBABLE:g}, of each "
        "pair alone."
    )
    return PrintedTable("probable-by-data", caption, ["pair", *datasets], rows, note)


def _cells(pair: pd.DataFrame, column: str, heads: list[str]) -> Iterator[str]:
    """The three probabilities of a pair, which do not leave their line; a dash where it lacks."""
    for three in pair.set_index(column)[CASES].reindex(heads).to_numpy(np.float64):
        shown = "\u00a0/\u00a0".join(map(probability, three))
        yield "–" if np.isnan(three).any() else bold(shown, three.max() > PROBABLE)


def _paragraphs(summary: Summary) -> Iterator[tuple[str, list[str]]]:
    if probable := decided(summary):
        yield "Better, or practically equal", [probable]


def _folds(summary: Summary) -> Iterator[Fold]:
    yield Fold(*COMPARISON, [pairs_over_data_sets(summary), pairs_by_data_set(summary)])


SECTION = Section(
    folds=_folds,
    paragraphs=_paragraphs,
    tables={"bayesian_pairs": lambda summary: summary.bayesian_pairs},
)
