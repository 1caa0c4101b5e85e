"""What a study found beside ranks over data sets: baselines, single data sets, treatments."""

from collections.abc import Iterator

import pandas as pd

from hetsel.ground.rounding import reaches
from hetsel.statistics.comparisons.corrections import ROPE
from hetsel.study.comparison import baselines, pair_probabilities, rank_tests, treated_pairs
from hetsel.study.comparison.study_summary import Summary
from hetsel.words.phrases import NAMED, count, inside, join, p_value, some, who_is_better


def baseline_name(summary: Summary, one: baselines.Baseline) -> str:
    label = summary.measure(one.score).label
    return f"{label[0].upper()}{label[1:]} against {one.what}"


def baseline_found(summary: Summary, one: baselines.Baseline) -> str:
    """Whether methods know anything."""
    text = f"{baseline_name(summary, one)} (mean over all sizes)"
    able = one.overall["holm"].notna()
    if able.any():
        above = one.above(summary.levels[1])
        below = [str(m) for m in one.overall.loc[able, "method"] if m not in above]
        text += f": over the data sets {_those_above(above, below, one.what)}"
    else:
        needs = "a test over the data sets needs two of them"
        if summary.measure(one.score).unit and len(summary.datasets) > 1:
            needs = "there is no test over the data sets, whose units differ"
        text += f": {needs}"
    tested = one.by_dataset.dropna(subset=["holm"])
    if tested.empty:
        return f"{text}. A test on a single data set needs {baselines.FEWEST} resamplings."
    on = {m: one.above_on(m, summary.levels[1]) for m in summary.methods}
    hits = [m for m in summary.methods if on[m]]
    datasets = list(dict.fromkeys(tested["dataset"]))
    never = [d for d in datasets if not any(d in on[m] for m in hits)]
    if not hits:
        return f"{text}. On no single data set is any method shown to be above {one.what}."
    always = [d for d in datasets if all(d in on[m] for m in summary.methods)]
    some = [d for d in datasets if d not in never and d not in always]
    said = []
    if always:
        said.append(f"all methods are above it on {join(always)}")
    said += [f"on {d} only {join(m for m in hits if d in on[m])}" for d in some]
    if never:
        said.append(f"none is shown to be above it on {join(never)}")
    return f"{text}. On single data sets {'; '.join(said)}."


def _those_above(above: list[str], below: list[str], what: str) -> str:
    if not above:
        return f"no method is shown to be above {what}"
    if not below:
        return f"all methods are above {what}" if len(above) > 1 else f"{above[0]} is above {what}"
    verb = "is" if len(above) == 1 else "are"
    return f"{join(above)} {verb} above {what}, {join(below)} not shown to be"


def baselines_headline(summary: Summary) -> str:
    """Which methods know anything."""
    said: dict[str, list[str]] = {}
    for one in summary.baselines:
        said.setdefault(_who(summary, one), []).append(one.what)
    parts = [f"{who} {join(what)}" for who, what in said.items() if who]
    parts = parts[:1] + [inside(part) for part in parts[1:]]
    return f"{'; '.join(parts)}." if parts else ""


def _who(summary: Summary, one: baselines.Baseline) -> str:
    """Which methods are above a baseline, over the data sets or on the only one."""
    table = one.overall if len(summary.datasets) > 1 else one.by_dataset
    tested = table.dropna(subset=["holm"])
    if tested.empty:
        return ""
    above = [str(m) for m in tested.loc[baselines.shown_above(tested, summary.levels[1]), "method"]]
    below = [str(m) for m in tested["method"] if m not in above]
    if not above:
        return "No method is shown to be above"
    if not below:
        return "All methods are above" if len(above) > 1 else f"{above[0]} is above"
    are = "is" if len(above) == 1 else "are"
    named = f" ({join(above)})" if len(above) <= NAMED else ""
    return f"{len(above)} of {count(len(tested), 'method')}{named} {are} shown to be above"


def best_at_own_size(summary: Summary, measure: rank_tests.RankedMeasure) -> str:
    """The best and the last mean on a study's only data set, each method at its own size."""
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
        return f"{text}all methods have the same value, {measure.text(high)}."
    text += f"{_have(best)} the best value, {measure.text(high)}, "
    text += f"{_have(last)} the lowest, {measure.text(low)}"
    pairs = summary.own_pairs.dropna(subset=["holm"])
    if measure is rank_tests.KI or pairs.empty:
        return f"{text}."
    apart = pairs[pairs["holm"] <= summary.pairs_level]
    if apart.empty:
        return f"{text}; no two methods differ significantly."
    worse = list(apart.loc[apart["better"] == best[0], "worse"])
    if not worse:
        return f"{text}; {count(len(apart), 'pair')} of {len(pairs)} differ significantly."
    return f"{text}; {best[0]} is significantly better than {some(worse, 'other method')}."


def _have(names: list[str]) -> str:
    return f"{some(names, 'method')} {'has' if len(names) == 1 else 'have'}"


def single_found(summary: Summary) -> str:
    """Which methods differ on one data set, each at its own size."""
    pairs = summary.own_pairs
    if pairs.empty:
        return ""
    apart = pairs[pairs["holm"] <= summary.pairs_level]
    where = (
        "On single data sets, each method at its own size (t-tests with the correction by parted "
        f"pairs of rows, Holm's for {count(len(pairs), 'comparison')})"
    )
    if apart.empty:
        return f"{where}, no two methods differ significantly in {summary.performance.phrase}."
    parts = []
    for dataset, own in apart.groupby("dataset", sort=False):
        better = {
            str(one): [str(other) for other in rest["worse"]]
            for one, rest in own.groupby("better", sort=False)
        }
        parts.append(f"on {dataset} {who_is_better(better)}")
    return f"{where}: {'; '.join(parts)}; no other two differ significantly."


def single_headline(summary: Summary) -> str:
    """How many pairs differ on single data sets, where there are several."""
    pairs = summary.own_pairs.dropna(subset=["holm"])
    if len(summary.datasets) < 2 or pairs.empty:
        return ""
    apart = pairs[pairs["holm"] <= summary.pairs_level]
    text = f"On single data sets {len(apart) or 'none'} of {count(len(pairs), 'comparison')} of two"
    if apart.empty:
        return f"{text} methods is significant."
    where = some(list(dict.fromkeys(apart["dataset"])), "data set")
    return f"{text} methods {'is' if len(apart) == 1 else 'are'} significant, on {where}."


PROBABLE = 0.95  # a pair is decided where one of its three probabilities is above


NAMED_PAIRS = 12  # more pairs than these are counted in a sentence, and named in the table alone


def pairs_at_own_size(summary: Summary) -> pd.DataFrame:
    """The pairs with each method at its own size."""
    pairs = summary.bayesian_pairs
    return pairs[pairs["analysis"] == "own size"]


def decided(summary: Summary) -> str:
    """Which pairs are better or practically equal with a probability above 0.95."""
    own = pairs_at_own_size(summary)
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
        "Over the data sets there is no probability: it takes "
        f"{pair_probabilities.FEWEST_DATA_SETS} that have both methods of a pair. "
        "With fewer the answer is that of the prior."
    )


def _over(pairs: pd.DataFrame) -> str:
    """What is decided over the data sets, by name where it is not too much."""
    said = [*_better(pairs), *_equal(pairs)]
    if not said or sum(_verdicts(pairs).values()) > NAMED_PAIRS:
        return f"over the data sets {_counted(pairs)}"
    return f"over the data sets {', '.join(said)} ({_counted(pairs)})"


def _verdicts(pairs: pd.DataFrame) -> dict[str, int]:
    """How many pairs are decided, by case."""
    return {case: int((pairs[case] > PROBABLE).sum()) for case in pair_probabilities.CASES}


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


def treatments_changed(summary: Summary) -> str:
    """What each treatment changes; nothing where there are none."""
    parts = (
        f"{treated} of {base} ({treated_pairs.changed(summary.results.datasets, base, treated)})"
        for treated, base in summary.treatments.items()
    )
    return f"The treatments and what they change: {join(parts)}."


def treatments_found(summary: Summary) -> list[str]:
    """What the comparisons of treatments say; nothing where there are none."""
    score = summary.performance
    one, mean = (treated_pairs.paired(summary, sizes=sizes) for sizes in ("chosen", "mean"))
    texts = [
        _treatments_apart(one, score, "at the chosen size", summary.levels[1]),
        _treatments_apart(
            mean, score, "by the mean over all sizes, where no size is chosen", summary.levels[1]
        ),
    ]
    caution = _caution(one, score, summary.levels[1])
    return [f"Treatments of one table: {'; '.join(texts)}.{caution}"]


def _treatments_apart(
    found: pd.DataFrame, score: rank_tests.RankedMeasure, where: str, level: float
) -> str:
    tested = found.dropna(subset=["holm"])
    if tested.empty:
        return f"{where}, nothing is tested, as no pair has {baselines.FEWEST} resamplings"
    apart = tested[tested["holm"] <= level]
    pairs = f"t-tests of {count(len(tested), 'pair')} with Holm's correction"
    if apart.empty:
        least = p_value(float(tested["holm"].min()))
        shown = f"no treatment is shown to change {score.phrase}"
        return f"{where}, {shown} ({pairs}, the smallest {least})"
    parts = (
        f"{row['method']} is {'better' if row['difference'] > 0 else 'worse'} on "
        f"{row['treatment']} than on {row['dataset']}, by {score.text(abs(row['difference']))} "
        f"({p_value(row['holm'])})"
        for _, row in apart.iterrows()
    )
    rest = "" if len(apart) == len(tested) else ", and no other difference is significant"
    return f"{where} ({pairs}), {join(parts)}{rest}"


def _caution(found: pd.DataFrame, score: rank_tests.RankedMeasure, level: float) -> str:
    """How large the differences may be that are not shown."""
    open_ = found[found["holm"] > level]
    if open_.empty:
        return ""
    low, high = open_["low"].min(), open_["high"].max()
    return (
        " That no difference is shown is no proof of equal treatments: at the chosen size the "
        f"intervals reach from {score.text(low)} to {score.signed(high)}."
    )


def treatments_headline(summary: Summary) -> str:
    """Whether treatments of a table change anything."""
    tested = treated_pairs.paired(summary).dropna(subset=["holm"])
    if tested.empty:
        return ""
    apart = tested[tested["holm"] <= summary.levels[1]]
    phrase = summary.performance.phrase
    if apart.empty:
        return (
            f"No treatment is shown to change {phrase} (smallest corrected "
            f"{p_value(float(tested['holm'].min()))}), which is no proof of equal treatments."
        )
    return (
        f"Treatments change {phrase} significantly in {len(apart)} of "
        f"{count(len(tested), 'comparison')} with the table: "
        f"{some(list(dict.fromkeys(apart['treatment'])), 'treatment')}."
    )
