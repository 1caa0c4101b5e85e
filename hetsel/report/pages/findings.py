"""The summary of a report: what was found comes first, then how, then what paul2015 prints."""

from __future__ import annotations

import math
from collections.abc import Iterator

from hetsel.report.numbers.baselines import FEWEST, Baseline
from hetsel.report.numbers.compared_measures import KI, Analysis, Measure
from hetsel.report.numbers.reference_size import REFERENCE
from hetsel.report.numbers.study_summary import Summary
from hetsel.report.pages.decided_pairs import decided
from hetsel.report.pages.treatments import treatments_found
from hetsel.report.pages.wording import (
    chosen_sizes,
    completeness,
    count,
    differences,
    join,
    p_number,
    p_value,
    ranking,
    repeated_rows,
    setting,
    significance,
)

LEVEL = 0.05
FLATTERS = (  # the number is of tests/campaigns/noise_studies.py
    " The size is chosen on the test scores of {reference} and judged on the same scores, which "
    "flatters {reference}: of five exchangeable methods on noise the one that chose had the best "
    "mean rank in 37\u00a0% of 200 studies, where 20\u00a0% are fair."
)

Paragraphs = list[tuple[str, list[str]]]


def paragraphs(summary: Summary) -> Paragraphs:
    """The summary: a heading each, with its sentences."""
    out = [
        ("What was found", found(summary)),
        ("What was compared", [_text(setting(summary), completeness(summary))]),
    ]
    for measure in summary.measures:
        texts = [
            _text(ranking(a.test, measure, a.where), significance(a.test), differences(a.test))
            for a in summary.analyses(measure)
        ]
        out.append((f"{measure.quality}, data sets as blocks", texts))
    probable = decided(summary)
    if probable:
        out.append(("Better, or practically equal", [probable]))
    return [*out, ("As paul2015 prints it", _as_printed(summary))]


def found(summary: Summary) -> list[str]:
    """What the comparisons that hold their level say."""
    texts = [_verdict(summary, measure) for measure in summary.measures]
    if any(not a.test.reason for m in summary.measures for a in summary.analyses(m)):
        texts[-1] += " Each comparison is made at 0.05, without a correction for the others."
        texts[-1] += _gaps(summary)
    texts += [_on_single_data_sets(summary)]
    texts += [_above(summary, one) for one in summary.baselines]
    texts += treatments_found(summary)
    texts.insert(0, repeated_rows(summary.results.datasets))
    return list(filter(None, [*texts, _no_power(summary), absent_classes(summary)]))


def sizes_rule(summary: Summary) -> str:
    """How the sizes of the first part are chosen."""
    text = (
        "Sizes are cross-fitted: resamplings of even number are judged at the size that those of "
        "odd number choose, and the reverse. A half chooses the smallest size whose mean "
        f"{summary.performance.phrase} lies in the naive 95 % interval of the best mean, of each "
        "method by its own curve (own size), or of all by the mean of their curves (one size). "
        "Both rules treat all methods alike. The halves share the rows of a table: what the table "
        "favors by chance, both favor."
    )
    absent = summary.own_size.absent
    if absent:
        text += (
            f" {join(absent)} {'has' if len(absent) == 1 else 'have'} too few resamplings that all "
            "methods share (2 of even and 2 of odd number), or no size that all methods have."
        )
    return text


def _verdict(summary: Summary, measure: Measure) -> str:
    """Which methods differ, over the data sets."""
    parts = [_in_words(analysis) for analysis in summary.analyses(measure)]
    able = [part for part in parts if part]
    name = f"{measure.quality} ({measure.label})"
    if not able:
        reason = summary.analyses(measure)[0].test.reason
        return f"{name}: the methods are not compared over data sets: {reason}."
    made = [a for a in summary.analyses(measure) if not a.test.reason]
    if all(a.test.permutation > LEVEL for a in made):
        shown = (f"{inside(a.where)} {p_value(a.test.permutation)}" for a in made)
        return f"{name}: no difference between the methods is shown ({'; '.join(shown)})."
    return f"{name}: {'; '.join(able)}."


def _gaps(summary: Summary) -> str:
    """That some data sets lack methods, and what compares the methods there."""
    lacking = [
        f"{measure.label}, {inside(analysis.where)}: {count(analysis.test.gaps, 'value')}"
        for measure in summary.measures
        for analysis in summary.analyses(measure)
        if analysis.test.gaps and not analysis.test.reason
    ]
    if not lacking:
        return ""
    return (
        f" Some data sets lack a method ({'; '.join(lacking)}): these comparisons are by the test "
        "of Skillings and Mack, which takes the place of Friedman's and leaves no data set out."
    )


def inside(words: str) -> str:
    """Words that begin a sentence, inside one."""
    return f"{words[0].lower()}{words[1:]}"


def _in_words(analysis: Analysis) -> str:
    test = analysis.test
    if test.reason:
        return ""
    where = inside(analysis.where)
    shown = p_value(test.permutation)
    if test.permutation > LEVEL:
        return f"{where}, they do not differ significantly ({shown})"
    if not test.differences:
        return f"{where}, they differ ({shown}), but Nemenyi's test tells no two apart"
    pairs = (f"{one} is better than {join(others)}" for one, others in test.differences.items())
    return f"{where}, {' and '.join(pairs)} ({shown})"


def _on_single_data_sets(summary: Summary) -> str:
    """Which methods differ on one data set, each at its own size."""
    pairs = summary.own_pairs
    if pairs.empty:
        return ""
    apart = pairs[pairs["holm"] <= LEVEL]
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
        said = " and ".join(f"{one} is better than {join(rest)}" for one, rest in better.items())
        parts.append(f"on {dataset} {said}")
    return f"{where}: {'; '.join(parts)}; no other two differ significantly."


def _above(summary: Summary, one: Baseline) -> str:
    """Whether methods know anything."""
    label = summary.measure(one.score).label
    name = f"{label[0].upper()}{label[1:]} against {one.what}"
    text = f"{name} (mean over all sizes)"
    able = one.overall["holm"].notna()
    if able.any():
        above = one.above
        below = [str(m) for m in one.overall.loc[able, "method"] if m not in above]
        text += f": over the data sets {_who(above, below, one.what)}"
    else:
        needs = "a test over the data sets needs two of them"
        if summary.measure(one.score).unit and len(summary.datasets) > 1:
            needs = "there is no test over the data sets, whose units differ"
        text += f": {needs}"
    tested = one.by_dataset.dropna(subset=["holm"])
    if tested.empty:
        return f"{text}, and one on a data set {FEWEST} resamplings."
    hits = [m for m in summary.methods if one.above_on(m)]
    datasets = list(dict.fromkeys(tested["dataset"]))
    never = [d for d in datasets if not any(d in one.above_on(m) for m in hits)]
    if not hits:
        return f"{text}. On no single data set is any method shown to be above {one.what}."
    always = [d for d in datasets if all(d in one.above_on(m) for m in summary.methods)]
    some = [d for d in datasets if d not in never and d not in always]
    said = []
    if always:
        said.append(f"all methods are above it on {join(always)}")
    said += [f"on {d} only {join(m for m in hits if d in one.above_on(m))}" for d in some]
    if never:
        said.append(f"none is shown to be above it on {join(never)}")
    return f"{text}. On single data sets {'; '.join(said)}."


def _who(above: list[str], below: list[str], what: str) -> str:
    if not above:
        return f"no method is shown to be above {what}"
    if not below:
        return f"all methods are above {what}" if len(above) > 1 else f"{above[0]} is above {what}"
    verb = "is" if len(above) == 1 else "are"
    return f"{join(above)} {verb} above {what}, {join(below)} not shown to be"


def _no_power(summary: Summary) -> str:
    """Where so few data sets let a test find nothing."""
    tests = [a.test for a in summary.analyses(summary.performance) if not a.test.reason]
    least = max((test.least for test in tests if math.isfinite(test.least)), default=0.0)
    if not least > LEVEL:
        return ""
    blocks, k = min(test.blocks for test in tests), len(summary.methods)
    text = (
        f"With {count(blocks, 'data set')} and {count(k * (k - 1) // 2, 'pair')} of methods "
        f"Wilcoxon's test with Holm's correction cannot go below p\u00a0=\u00a0{p_number(least)}"
    )
    fewest = math.factorial(k) ** (1 - blocks)  # all data sets rank the methods alike
    if fewest > LEVEL and not any(test.gaps for test in tests):
        text += f", nor Friedman's by permutations below p\u00a0=\u00a0{p_number(fewest)}"
    return f"{text}: that way a difference cannot be found, whatever the scores."


def absent_classes(summary: Summary) -> str:
    """Test parts that lack a class, counted and named."""
    lacking = summary.results.absent_classes()
    if lacking.empty:
        return ""
    parts = (
        f"{row['dataset']}: class {row['class']} in {row['lacking']} of {row['resamplings']}"
        for _, row in lacking.iterrows()
    )
    return (
        f"Some test parts lack a class: {'; '.join(parts)}. One with a single class left has no "
        f"{summary.performance.label} and no AUC, and means are over the other resamplings; with "
        "more classes left these scores are over those."
    )


def _as_printed(summary: Summary) -> list[str]:
    return [
        "Every size of every data set is a block, as in section 4.2 of paul2015. The sizes of one "
        "data set are correlated, so that these p-values are too small.",
        *_printed_tests(summary, 0),
        f"One small size for each data set. {small_size(summary)}",
        *_printed_tests(summary, 1),
    ]


def small_size(summary: Summary) -> str:
    """How the printed small size is chosen, and why that favors the method that chooses."""
    text = (
        "As in section 5 of paul2015, which does not say how its interval was made. "
        if summary.reference == REFERENCE
        else f"After section 5 of paul2015, where {REFERENCE} chooses, which is not part of this "
        f"study: {summary.reference} does, because it ranks best over all sizes, which flatters it "
        "a first time. "
    )
    text += chosen_sizes(summary)
    if len(summary.methods) > 1:
        text += FLATTERS.format(reference=summary.reference)
    return text


def _printed_tests(summary: Summary, place: int) -> Iterator[str]:
    for measure in summary.measures:
        one = summary.printed(measure)[place]
        text = _text(
            ranking(one.test, measure, one.where), significance(one.test), differences(one.test)
        )
        if measure is KI and place == 0 and math.isfinite(one.test.pvalue):
            text += " Sizes of all features are left out: there all methods agree."
        yield text


def _text(*sentences: str) -> str:
    """Sentences one after the other; what there is nothing to say of is an empty one."""
    return " ".join(filter(None, sentences))
