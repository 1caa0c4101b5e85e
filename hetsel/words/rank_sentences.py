"""Which methods of a study differ in their ranks over the data sets, in sentences."""

import math
from collections.abc import Iterator

from hetsel.study.comparison.rank_tests import KI, LEVEL, Analysis, RankedMeasure, RankTest
from hetsel.study.comparison.reference_size import REFERENCE
from hetsel.study.comparison.study_summary import Summary
from hetsel.words.phrases import count, inside, join, p_number, p_value, some, who_is_better
from hetsel.words.study_sentences import chosen_sizes, held_level


def ranking(test: RankTest, measure: RankedMeasure, where: str) -> str:
    """Who is best and last by mean rank; `where` begins the sentence."""
    if not test.blocks or not any(map(math.isfinite, test.mean_ranks)):
        return f"{where}, nothing can be ranked by {measure.phrase}: {test.reason}."
    order = test.ordered
    best, last = order[0], order[-1]
    first = [name for name, rank in order if math.isclose(rank, best[1])]
    verb = "share the best mean rank" if len(first) > 1 else "has the best mean rank"
    text = f"{where}, {join(first)} {verb} on {measure.phrase}"
    text += f": {best[1]:.2f} of {len(order)}, where 1 is best"
    if len(order) > 1 and len(first) < len(order):
        end = [name for name, rank in order if math.isclose(rank, last[1])]
        text += f"; {join(end)} {'are' if len(end) > 1 else 'is'} last with {last[1]:.2f}"
    return text + "."


def significance(test: RankTest) -> str:
    """The test on these blocks: by permutations where there are, else approximate."""
    blocks = f"{count(test.blocks, 'block')}, each a {test.what}"
    if test.gaps:
        blocks += f", which lack {count(test.gaps, 'value')}"
    if test.reason:
        return f"No rank test ({blocks}): {test.reason}."
    if math.isfinite(test.permutation):
        name = "Skillings and Mack's" if test.gaps else "Friedman's"
        return f"{name} test on {blocks}, by permutations: {p_value(test.permutation)}."
    correction = f"Iman–Davenport: {p_value(test.f_pvalue)}"
    if not math.isfinite(test.f):
        correction = "Iman–Davenport's F is infinite: every block ranks the methods alike"
    chi2 = f"χ²\u00a0=\u00a0{test.chi2:.2f}"
    return f"Friedman's test on {blocks}: {chi2}, {p_value(test.pvalue)} ({correction})."


def differences(test: RankTest) -> str:
    """Which methods differ by Nemenyi's test."""
    if test.reason:
        return ""
    cd = f"critical difference {test.critical_difference:.2f} at 0.05"
    if test.gaps:
        cd = "at 0.05, with gaps"
    if test.permutation > LEVEL:
        return "So no two methods differ significantly."
    if not test.differences:
        return f"By Nemenyi's test ({cd}) no two methods differ significantly."
    caution = ""
    if test.pvalue > 0.05 and not math.isfinite(test.permutation):
        caution = " Friedman's test is not significant at 0.05, so these pairs prove little."
    return f"By Nemenyi's test ({cd}) {who_is_better(test.differences)}.{caution}"


def rank_tests(one: Analysis, measure: RankedMeasure) -> str:
    """Who is best, whether methods differ, and which of them."""
    texts = ranking(one.test, measure, one.where), significance(one.test), differences(one.test)
    return " ".join(filter(None, texts))


def ranks_found(summary: Summary) -> Iterator[str]:
    texts = [_verdict(summary, measure) for measure in summary.measures]
    if any(not a.test.reason for m in summary.measures for a in summary.analyses(m)):
        texts[-1] += _gaps(summary)
    texts[0] += _features_kept(summary)
    yield from [*texts, _no_power(summary), held_level(summary)]


def _features_kept(summary: Summary) -> str:
    """The least and the most features that methods keep at their own sizes, where these differ."""
    shares = summary.kept_shares.dropna()
    if len(summary.datasets) < 2 or shares.round(2).nunique() < 2:
        return ""
    # of several that keep as much the first of the study
    pairs = list(zip(shares.to_list(), map(str, shares.index), strict=True))
    least, most = (end(pairs, key=lambda pair: pair[0]) for end in (min, max))
    ends = [f"{100 * share:.0f} % ({method})" for share, method in (least, most)]
    return f" At their own sizes methods keep from {' to '.join(ends)} of the features, on average."


def _verdict(summary: Summary, measure: RankedMeasure) -> str:
    """Which methods differ, over the data sets."""
    named = summary.named(measure)
    name = f"{measure.quality} ({measure.label})"
    if named is None:
        reason = summary.analyses(measure)[0].test.reason
        return f"{name}: the methods are not compared over data sets: {reason}."
    others = [a for a in summary.made(measure) if a.key != named.key]
    text = f"{name}: {_in_words(named, summary.level_of(measure))}."
    if others:
        shown = (f"{inside(a.where)} {p_value(a.test.permutation)}" for a in others)
        text += f" Other analyses, which decide nothing here: {'; '.join(shown)}."
    return text


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


def _in_words(analysis: Analysis, level: float) -> str:
    test, where = analysis.test, inside(analysis.where)
    if test.permutation > level:
        return _not_shown(test, level, where)
    shown = p_value(test.permutation)
    if not test.differences:
        return f"{where}, they differ ({shown}), but Nemenyi's test tells no two apart"
    return f"{where}, {who_is_better(test.differences)} ({shown})"


def _not_shown(test: RankTest, level: float, where: str) -> str:
    """That no difference is shown, and by which level where 0.05 is not the reason."""
    shown = p_value(test.permutation)
    if test.least_permutation > level:
        shown += f"; so few data sets cannot show one at the level {p_number(level)}"
    elif test.permutation <= LEVEL:
        shown += f", above the level {p_number(level)}"
    return f"no difference between the methods is shown {where} ({shown})"


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
    fewest = max(test.least_permutation for test in tests)
    if fewest > summary.levels[0]:
        text += f", nor Friedman's by permutations below p\u00a0=\u00a0{p_number(fewest)}"
    return f"{text}: that way a difference cannot be found, whatever the scores."


def ranks_headlines(summary: Summary) -> Iterator[str]:
    return (_over_data_sets(summary, measure) for measure in summary.measures)


def _over_data_sets(summary: Summary, measure: RankedMeasure) -> str:
    """Which methods differ over the data sets, by the analyses that treat them alike."""
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
        text += ", but no two methods are told apart"
    return f"{text} ({shown})."


FLATTERS = (  # the number is of tests/arena/campaigns/noise_studies.py
    " The size is chosen on the test scores of {reference} and judged on the same scores, which "
    "flatters {reference}: of five exchangeable methods on noise the one that chose had the best "
    "mean rank in 37\u00a0% of 200 studies, where 20\u00a0% are fair."
)


def as_printed(summary: Summary) -> list[str]:
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
        text = rank_tests(one, measure)
        if measure is KI and place == 0 and math.isfinite(one.test.pvalue):
            text += " Sizes of all features are left out: there all methods agree."
        yield text
