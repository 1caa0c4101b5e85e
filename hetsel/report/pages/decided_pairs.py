"""Which pairs of methods the Bayesian comparisons decide: better, or practically equal."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from hetsel.report.numbers.pair_probabilities import CASES, FEWEST_DATA_SETS
from hetsel.report.numbers.study_summary import Summary
from hetsel.report.pages.wording import count, join
from hetsel.statistics.comparisons.practical_equivalence import ROPE

PROBABLE = 0.95  # a pair is decided where one of its three probabilities is above
NAMED = 12  # more pairs than these are counted in a sentence, and named in the table alone


def at_own_size(summary: Summary) -> pd.DataFrame:
    """The pairs with each method at its own size."""
    pairs = summary.bayesian_pairs
    return pairs[pairs["analysis"] == "own size"]


def decided(summary: Summary) -> str:
    """Which pairs are better or practically equal with a probability above 0.95."""
    own = at_own_size(summary)
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
