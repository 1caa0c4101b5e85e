"""Sentences on ranks of methods over data sets and on their differences."""

import math
from collections.abc import Iterator

from hetsel.study.comparison.rank_tests import KI, LEVEL, Analysis, RankedMeasure, RankTest
from hetsel.study.comparison.ranked_summary import RankedSummary
from hetsel.study.comparison.reference_size import REFERENCE
from hetsel.study.comparison.study_summary import Summary
from hetsel.words.phrases import count, inside, join, p_number, p_value, some, who_is_better
from hetsel.words.study_sentences import chosen_sizes, held_level


def ranking(test: RankTest, measure: RankedMeasure, where: str) -> str:
    """Name the best and the worst method by mean rank; `where` begins the sentence."""
    if not test.blocks or not any(map(math.isfinite, test.mean_ranks)):
        return f"{where}, methods cannot be ranked by {measure.phrase} because {test.reason}."
    order = test.ordered
    best, last = order[0], order[-1]
    first = [name for name, rank in order if math.isclose(rank, best[1])]
    verb = "share the best mean rank" if len(first) > 1 else "has the best mean rank"
    text = f"{where}, {join(first)} {verb} on {measure.phrase}"
    text += f", {best[1]:.2f} (1 is best, {len(order)} is worst)"
    if len(order) > 1 and len(first) < len(order):
        end = [name for name, rank in order if math.isclose(rank, last[1])]
        text += f"; {join(end)} {'have' if len(end) > 1 else 'has'} the worst, {last[1]:.2f}"
    return text + "."


def significance(test: RankTest) -> str:
    """Report the rank test: by permutations if it has such a p-value, else approximate."""
    if test.reason:
        return f"There is no rank test because {test.reason}."
    blocks = count(test.blocks, "block")
    if test.gaps:
        blocks += f" with {count(test.gaps, 'missing value')}"
    each = f"Each block is a {test.what}."
    if math.isfinite(test.permutation):
        name = "Skillings and Mack's" if test.gaps else "Friedman's"
        return f"{name} permutation test on {blocks}: {p_value(test.permutation)}. {each}"
    correction = f"Iman–Davenport: {p_value(test.f_pvalue)}"
    if not math.isfinite(test.f):
        correction = "Iman–Davenport's F is infinite because all blocks have the same ranks"
    chi2 = f"χ²\u00a0=\u00a0{test.chi2:.2f}"
    return f"Friedman's test on {blocks}: {chi2}, {p_value(test.pvalue)} ({correction}). {each}"


def differences(test: RankTest) -> str:
    """Name the methods that differ by Nemenyi's test."""
    if test.reason:
        return ""
    cd = f"critical difference {test.critical_difference:.2f} at level 0.05"
    if test.gaps:
        cd = "level 0.05, with missing values"
    if test.permutation > LEVEL:
        return "No two methods differ significantly."
    if not test.differences:
        return f"By Nemenyi's test ({cd}), no two methods differ significantly."
    caution = ""
    if test.pvalue > 0.05 and not math.isfinite(test.permutation):
        caution = " Friedman's test is not significant at 0.05, so this is weak evidence."
    return f"By Nemenyi's test ({cd}), {who_is_better(test.differences)}.{caution}"


def rank_tests(one: Analysis, measure: RankedMeasure) -> str:
    """Report one rank analysis: best method, test and differences."""
    texts = ranking(one.test, measure, one.where), significance(one.test), differences(one.test)
    return " ".join(filter(None, texts))


def ranks_found(summary: Summary) -> Iterator[str]:
    texts = [_verdict(summary, measure) for measure in summary.measures]
    if any(not a.test.reason for m in summary.measures for a in summary.analyses(m)):
        texts[-1] += _gaps(summary)
    texts[0] += _features_kept(summary)
    yield from [*texts, _no_power(summary), held_level(summary)]


def _features_kept(summary: Summary) -> str:
    """State how many features methods keep at their own sizes, where these differ."""
    shares = summary.kept_shares.dropna()
    if len(summary.datasets) < 2 or shares.round(2).nunique() < 2:
        return ""
    # ties: the first method of the study
    pairs = list(zip(shares.to_list(), map(str, shares.index), strict=True))
    least, most = (end(pairs, key=lambda pair: pair[0]) for end in (min, max))
    ends = [f"{100 * share:.0f}% ({method})" for share, method in (least, most)]
    return f" At their own sizes, methods keep on average {' to '.join(ends)} of the features."


def _verdict(summary: Summary, measure: RankedMeasure) -> str:
    """Name the methods that differ over the data sets."""
    named = summary.named(measure)
    name = f"{measure.quality} ({measure.label})"
    if named is None:
        reason = summary.analyses(measure)[0].test.reason
        return f"{name}: there is no test over data sets because {reason}."
    others = [a for a in summary.made(measure) if a.key != named.key]
    text = f"{name}: {_in_words(named, summary.level_of(measure))}."
    if others:
        shown = (f"{inside(a.where)} {p_value(a.test.permutation)}" for a in others)
        text += f" Other analyses, not used for this conclusion: {'; '.join(shown)}."
    return text


def _gaps(summary: Summary) -> str:
    """State which analyses have missing values and the test that allows for them."""
    lacking = [
        f"{measure.label}, {inside(analysis.where)}: {count(analysis.test.gaps, 'value')}"
        for measure in summary.measures
        for analysis in summary.analyses(measure)
        if analysis.test.gaps and not analysis.test.reason
    ]
    if not lacking:
        return ""
    return (
        f" Some data sets have no value of a method ({'; '.join(lacking)}). There the test is "
        "Skillings and Mack's instead of Friedman's, so that no data set is omitted."
    )


def _in_words(analysis: Analysis, level: float) -> str:
    test, where = analysis.test, inside(analysis.where)
    if test.permutation > level:
        return _not_shown(test, level, where)
    shown = p_value(test.permutation)
    if not test.differences:
        return f"{where}, methods differ ({shown}), but Nemenyi's test finds no pair that differs"
    return f"{where}, {who_is_better(test.differences)} ({shown})"


def _not_shown(test: RankTest, level: float, where: str) -> str:
    """State that there is no significant difference, and the level where it is below 0.05."""
    shown = p_value(test.permutation)
    if test.least_permutation > level:
        shown += f"; with so few data sets, p is always above the level {p_number(level)}"
    elif test.permutation <= LEVEL:
        shown += f", above the level {p_number(level)}"
    return f"methods do not differ significantly {where} ({shown})"


def _no_power(summary: Summary) -> str:
    """State that there are too few data sets for a significant difference."""
    tests = [a.test for a in summary.analyses(summary.performance) if not a.test.reason]
    least = max((test.least for test in tests if math.isfinite(test.least)), default=0.0)
    if not least > LEVEL:
        return ""
    blocks, k = min(test.blocks for test in tests), len(summary.methods)
    text = (
        f"With {count(blocks, 'data set')} and {count(k * (k - 1) // 2, 'pair')} of methods, the "
        "smallest possible p-value of Wilcoxon's test with Holm's adjustment is "
        f"{p_number(least)}"
    )
    tests_are = "This test"
    fewest = max(test.least_permutation for test in tests)
    if fewest > summary.levels[0]:
        text += f" and that of Friedman's permutation test is {p_number(fewest)}"
        tests_are = "These tests"
    return f"{text}. {tests_are} cannot find a difference between methods."


def ranks_headlines(summary: RankedSummary) -> Iterator[str]:
    return (_over_data_sets(summary, measure) for measure in summary.measures)


def _over_data_sets(summary: RankedSummary, measure: RankedMeasure) -> str:
    """Name the best method over the data sets and the methods that it beats."""
    named = summary.named(measure)
    if named is None:
        return ""
    test, where = named.test, inside(named.where)
    begin = f"{measure.quality} ({measure.label}), {count(test.blocks, 'data set')}:"
    if test.permutation > summary.level_of(measure):
        return f"{begin} {_not_shown(test, summary.level_of(measure), where)}."
    shown = p_value(test.permutation)
    best = test.ordered[0][0]
    text = f"{begin} {where}, {best} has the best mean rank"
    if best in test.differences:
        text += f" and is better than {some(test.differences[best], 'other method')}"
    elif not test.differences:
        text += ", but no two methods differ significantly"
    return f"{text} ({shown})."


FLATTERS = (  # the number is of tests/arena/campaigns/noise_studies.py
    " The held-out scores of {reference} both choose the size and measure the performance, which "
    "favors {reference}. In 200 simulated studies of five equal methods on noise, the method that "
    "chose had the best mean rank in 37% of the studies; 20% would be fair."
)


def as_printed(summary: Summary) -> list[str]:
    return [
        "Every size of every data set is a block, as in section 4.2 of Paul et al. (2015). The "
        "sizes of a data set are correlated, so these p-values are too small.",
        *_printed_tests(summary, 0),
        f"Each data set has one small size. {small_size(summary)}",
        *_printed_tests(summary, 1),
    ]


def small_size(summary: Summary) -> str:
    """State how the small size is chosen and why this favors the method that chooses."""
    text = (
        "The rule is that of section 5 of Paul et al. (2015), where the kind of interval is not "
        "specified. "
        if summary.reference == REFERENCE
        else f"The rule is that of section 5 of Paul et al. (2015), where {REFERENCE} chooses. "
        f"Here {summary.reference} chooses because {REFERENCE} is not in the study and "
        f"{summary.reference} ranks best over all sizes. This already favors {summary.reference}. "
    )
    text += chosen_sizes(summary)
    if len(summary.methods) > 1:
        text += FLATTERS.format(reference=summary.reference)
    return text


def _printed_tests(summary: Summary, place: int) -> Iterator[str]:
    for measure in summary.measures:
        one = summary.printed(measure)[place]
        text = rank_tests(one, measure)
        if measure is KI and place == 0 and math.isfinite(one.test.pvalue):
            text += " Signatures of all features are omitted because all methods agree on them."
        yield text
