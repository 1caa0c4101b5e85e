"""Sentences on comparisons with baselines, on single data sets and between treatments."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from hetsel.ground.rounding import reaches
from hetsel.statistics.comparisons.corrections import ROPE
from hetsel.study.comparison import baselines, pair_probabilities, rank_tests, treated_pairs
from hetsel.study.comparison.study_summary import Summary
from hetsel.study.summary_tables.judges_side_by_side import JudgesSideBySide
from hetsel.words.phrases import (
    NAMED,
    count,
    inside,
    join,
    number,
    p_number,
    p_value,
    some,
    who_is_better,
)


def baseline_name(summary: Summary, one: baselines.Baseline) -> str:
    label = summary.measure(one.score).label
    return f"{label[0].upper()}{label[1:]} against {one.what}"


def baseline_found(summary: Summary, one: baselines.Baseline) -> str:
    """Name the methods that are above a baseline, over data sets and on single ones."""
    text = f"{baseline_name(summary, one)} (mean over all sizes): "
    able = one.overall["holm"].notna()
    if able.any():
        above = one.above(summary.levels[1])
        below = [str(m) for m in one.overall.loc[able, "method"] if m not in above]
        text += f"over the data sets, {_those_above(above, below, one.what)}"
    else:
        needs = "a test over data sets needs at least 2 data sets"
        if summary.measure(one.score).unit and len(summary.datasets) > 1:
            needs = "there is no test over the data sets because their units differ"
        text += needs
    tested = one.by_dataset.dropna(subset=["holm"])
    if tested.empty:
        return f"{text}. A test on a single data set needs {baselines.FEWEST} resamplings."
    on = {m: one.above_on(m, summary.levels[1]) for m in summary.methods}
    hits = [m for m in summary.methods if on[m]]
    datasets = list(dict.fromkeys(tested["dataset"]))
    never = [d for d in datasets if not any(d in on[m] for m in hits)]
    if not hits:
        return f"{text}. On single data sets, no method is significantly above {one.what}."
    always = [d for d in datasets if all(d in on[m] for m in summary.methods)]
    some = [d for d in datasets if d not in never and d not in always]
    said = []
    if always:
        said.append(f"all methods on {join(always)}")
    said += [f"{join(m for m in hits if d in on[m])} on {d}" for d in some]
    if never:
        said.append(f"no method on {join(never)}")
    return f"{text}. Significantly above {one.what} on single data sets: {'; '.join(said)}."


def _those_above(above: list[str], below: list[str], what: str) -> str:
    if not above:
        return f"no method is significantly above {what}"
    verb = "is" if len(above) == 1 else "are"
    if not below:
        who = "all methods" if len(above) > 1 else above[0]
        return f"{who} {verb} significantly above {what}"
    others = "is" if len(below) == 1 else "are"
    return f"{join(above)} {verb} significantly above {what}; {join(below)} {others} not"


def baselines_headline(summary: Summary) -> str:
    """Count the methods that are above each baseline."""
    said: dict[str, list[str]] = {}
    for one in summary.baselines:
        said.setdefault(_who(summary, one), []).append(one.what)
    parts = [f"{who} {join(what)}" for who, what in said.items() if who]
    parts = parts[:1] + [inside(part) for part in parts[1:]]
    return f"{'; '.join(parts)}." if parts else ""


def _who(summary: Summary, one: baselines.Baseline) -> str:
    """Count the methods that are above a baseline, over the data sets or on the only one."""
    table = one.overall if len(summary.datasets) > 1 else one.by_dataset
    tested = table.dropna(subset=["holm"])
    if tested.empty:
        return ""
    above = [str(m) for m in tested.loc[baselines.shown_above(tested, summary.levels[1]), "method"]]
    below = [str(m) for m in tested["method"] if m not in above]
    if not above:
        return "No method is significantly above"
    if not below:
        who = "All methods are" if len(above) > 1 else f"{above[0]} is"
        return f"{who} significantly above"
    are = "is" if len(above) == 1 else "are"
    named = f" ({join(above)})" if len(above) <= NAMED else ""
    return f"{len(above)} of {count(len(tested), 'method')}{named} {are} significantly above"


def best_at_own_size(summary: Summary, measure: rank_tests.RankedMeasure) -> str:
    """Name the best and the worst method at their own sizes, where there is one data set."""
    found = summary.own_size
    values = (found.stability if measure is rank_tests.KI else found.scores).set_index("method")[
        "value"
    ]
    if len(summary.datasets) != 1 or len(values) < 2:
        return ""
    high, low = values.max(), values.min()
    best = [str(method) for method in values.index[reaches(values, high)]]
    last = [str(method) for method in values.index[reaches(-values, -low)]]
    text = f"{measure.quality} ({measure.label}), each method at its own size: "
    if len(best) == len(values):
        return f"{text}all methods have the same value ({measure.text(high)})."
    text += f"{_have(best)} the best value ({measure.text(high)}) and "
    text += f"{_have(last)} the lowest ({measure.text(low)})"
    pairs = summary.own_pairs.dropna(subset=["holm"])
    if measure is rank_tests.KI or pairs.empty:
        return f"{text}."
    apart = pairs[pairs["holm"] <= summary.pairs_level]
    if apart.empty:
        return f"{text}; no two methods differ significantly."
    worse = list(apart.loc[apart["better"] == best[0], "worse"])
    if not worse:
        differ = "pair differs" if len(apart) == 1 else "pairs differ"
        return f"{text}; {len(apart)} of {len(pairs)} {differ} significantly."
    return f"{text}; {best[0]} is significantly better than {some(worse, 'other method')}."


def _have(names: list[str]) -> str:
    return f"{some(names, 'method')} {'has' if len(names) == 1 else 'have'}"


def single_found(summary: Summary) -> str:
    """Name the methods that differ on single data sets, each at its own size."""
    pairs = summary.own_pairs
    if pairs.empty:
        return ""
    apart = pairs[pairs["holm"] <= summary.pairs_level]
    where = (
        "On single data sets, each method at its own size (t-tests with the parted-pairs "
        f"correction and Holm's adjustment for {count(len(pairs), 'comparison')})"
    )
    if apart.empty:
        return f"{where}, no two methods differ significantly in {summary.performance.phrase}."
    parts = []
    for dataset, own in apart.groupby("dataset", sort=False):
        better = {
            str(one): [str(other) for other in rest["worse"]]
            for one, rest in own.groupby("better", sort=False)
        }
        parts.append(f"on {dataset}, {who_is_better(better)}")
    return f"{where}: {'; '.join(parts)}. No other two methods differ significantly."


def single_headline(summary: Summary) -> str:
    """Count the pairs that differ on single data sets, where there are several."""
    pairs = summary.own_pairs.dropna(subset=["holm"])
    if len(summary.datasets) < 2 or pairs.empty:
        return ""
    apart = pairs[pairs["holm"] <= summary.pairs_level]
    text = (
        f"On single data sets, {len(apart) or 'none'} of {count(len(pairs), 'pairwise comparison')}"
    )
    if apart.empty:
        return f"{text} is significant."
    where = some(list(dict.fromkeys(apart["dataset"])), "data set")
    return f"{text} {'is' if len(apart) == 1 else 'are'} significant ({where})."


PROBABLE = 0.95  # a pair is decided if one of its three probabilities is larger


NAMED_PAIRS = 12  # sentences name up to this many pairs; of more they give the number


def pairs_at_own_size(summary: Summary) -> pd.DataFrame:
    """Return the pairs with each method at its own size."""
    pairs = summary.bayesian_pairs
    return pairs[pairs["analysis"] == "own size"]


def decided(summary: Summary) -> str:
    """Name the pairs that are better or practically equivalent with a probability above 0.95."""
    own = pairs_at_own_size(summary)
    if own.empty:
        return ""
    over, single = own[own["dataset"].isna()], own[own["dataset"].notna()]
    parts = [_over(over)] if len(over) else []
    if len(single):
        parts.append(f"on single data sets, {_counted(single)}")
    text = (
        f"Each method has its own size. Differences in {summary.performance.phrase} of at most "
        f"{ROPE:g} are practically equivalent. "
        f"{' '.join(f'{part[0].upper()}{part[1:]}.' for part in parts)} A pair is decided if a "
        f"probability is above {PROBABLE:g}. The probabilities depend on a prior and refer to each "
        "pair alone; they are not error rates."
    )
    return text if len(over) else f"{text} {_no_posterior(len(summary.datasets))}"


def _no_posterior(datasets: int) -> str:
    """State why there is no probability over the data sets."""
    if datasets < 2:
        return ""
    return (
        "There is no probability over the data sets: at least "
        f"{pair_probabilities.FEWEST_DATA_SETS} data sets must have both methods of a pair. "
        "With fewer data sets the prior would decide."
    )


def _over(pairs: pd.DataFrame) -> str:
    """Name the pairs that are decided over the data sets, or count them if they are many."""
    said = [*_better(pairs), *_equal(pairs)]
    if not said or sum(_verdicts(pairs).values()) > NAMED_PAIRS:
        return f"over the data sets, {_counted(pairs)}"
    return f"over the data sets, {', '.join(said)} ({_counted(pairs)})"


def _verdicts(pairs: pd.DataFrame) -> dict[str, int]:
    """Count the decided pairs by case."""
    return {case: int((pairs[case] > PROBABLE).sum()) for case in pair_probabilities.CASES}


def _better(pairs: pd.DataFrame) -> Iterator[str]:
    """Name the methods that are better than others, in the order of the study."""
    worse: dict[str, list[str]] = {}
    for _, pair in pairs.iterrows():
        if pair["one_better"] > PROBABLE:
            worse.setdefault(str(pair["one"]), []).append(str(pair["other"]))
        if pair["other_better"] > PROBABLE:
            worse.setdefault(str(pair["other"]), []).append(str(pair["one"]))
    for one, others in worse.items():
        yield f"{one} is better than {join(others)}"


def _equal(pairs: pd.DataFrame) -> Iterator[str]:
    """Name the methods that are practically equivalent."""
    for one, own in pairs[pairs["equivalent"] > PROBABLE].groupby("one", sort=False):
        yield f"{one} is practically equivalent to {join(map(str, own['other']))}"


def _counted(pairs: pd.DataFrame) -> str:
    """Count the decided pairs."""
    found = _verdicts(pairs)
    better, equal = found["one_better"] + found["other_better"], found["equivalent"]
    total = count(len(pairs), "pair")
    if not better + equal:
        return f"none of {total} is decided"
    verb = "is" if better + equal == 1 else "are"
    return (
        f"{better + equal:,} of {total} {verb} decided, {better:,} as better and {equal:,} as "
        "equivalent"
    )


def judges_found(summary: Summary, compared: JudgesSideBySide) -> list[str]:
    """State whether the ranks of the methods depend on the judge."""
    effect, judges = compared.effect, count(len(summary.classifiers), "judge")
    if effect is None:
        return [
            f"Whether ranks depend on the judge cannot be tested: {judges} have scores of every "
            f"method on {count(len(compared.datasets), 'data set')} in common, and the test needs "
            "at least 2 data sets and 2 methods."
        ]
    where = f"over {count(len(compared.datasets), 'data set')}"
    text = f"The ranks of the methods by the {judges} {where} "
    if effect.least > rank_tests.LEVEL:
        text += (
            f"cannot be shown to differ: the smallest possible p-value is {p_number(effect.least)}."
        )
    elif effect.pvalue <= rank_tests.LEVEL:
        text += f"differ (permutation test, {p_value(effect.pvalue)}): the judge matters."
    else:
        text += f"do not differ significantly (permutation test, {p_value(effect.pvalue)})."
    agreement = (
        "Kendall's coefficient of concordance of the mean ranks is "
        f"{number(effect.concordance, 2)} (1: all judges order the methods alike)."
    )
    return [
        text,
        *([agreement] if np.isfinite(effect.concordance) else []),
        "This test has level 0.05, without adjustment for the other tests.",
    ]


def treatments_changed(summary: Summary) -> str:
    """State what each treatment changes."""
    parts = (
        f"{treated} of {base} ({treated_pairs.changed(summary.results.datasets, base, treated)})"
        for treated, base in summary.treatments.items()
    )
    return f"Treatments, with their changes in parentheses: {join(parts)}."


def treatments_found(summary: Summary) -> list[str]:
    """Name the methods that a treatment makes better or worse."""
    score = summary.performance
    one, mean = (treated_pairs.paired(summary, sizes=sizes) for sizes in ("chosen", "mean"))
    texts = [
        _treatments_apart(one, score, "at the chosen size", summary.levels[1]),
        _treatments_apart(mean, score, "by the mean over all sizes", summary.levels[1]),
    ]
    caution = _caution(one, score, summary.levels[1])
    return [f"Treatments: {'; '.join(texts)}.{caution}"]


def _treatments_apart(
    found: pd.DataFrame, score: rank_tests.RankedMeasure, where: str, level: float
) -> str:
    tested = found.dropna(subset=["holm"])
    if tested.empty:
        return f"{where}, there is no test because no pair has {baselines.FEWEST} resamplings"
    apart = tested[tested["holm"] <= level]
    pairs = f"t-tests of {count(len(tested), 'pair')} with Holm's adjustment"
    if apart.empty:
        least = p_value(float(tested["holm"].min()))
        shown = f"no treatment changes {score.phrase} significantly"
        return f"{where}, {shown} ({pairs}, smallest {least})"
    parts = (
        f"{row['method']} is {'better' if row['difference'] > 0 else 'worse'} on "
        f"{row['treatment']} than on {row['dataset']}, by {score.text(abs(row['difference']))} "
        f"({p_value(row['holm'])})"
        for _, row in apart.iterrows()
    )
    rest = "" if len(apart) == len(tested) else "; no other difference is significant"
    return f"{where} ({pairs}), {join(parts)}{rest}"


def _caution(found: pd.DataFrame, score: rank_tests.RankedMeasure, level: float) -> str:
    """State how large the differences that are not significant may be."""
    open_ = found[found["holm"] > level]
    if open_.empty:
        return ""
    low, high = open_["low"].min(), open_["high"].max()
    return (
        " A difference that is not significant does not prove equal treatments. At the chosen size "
        f"the 95% CIs of these differences reach from {score.text(low)} to {score.signed(high)}."
    )


def treatments_headline(summary: Summary) -> str:
    """State whether treatments change the performance."""
    tested = treated_pairs.paired(summary).dropna(subset=["holm"])
    if tested.empty:
        return ""
    apart = tested[tested["holm"] <= summary.levels[1]]
    phrase = summary.performance.phrase
    if apart.empty:
        return (
            f"No treatment changes {phrase} significantly (smallest adjusted "
            f"{p_value(float(tested['holm'].min()))}), which does not prove equal treatments."
        )
    return (
        f"Treatments change {phrase} significantly in {len(apart)} of "
        f"{count(len(tested), 'comparison')} with the untreated data set: "
        f"{some(list(dict.fromkeys(apart['treatment'])), 'treatment')}."
    )
