"""Rank tests of methods as tables and diagrams."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from hetsel.ground.rounding import reaches
from hetsel.report.elements.blocks import Picture, PrintedTable, bold
from hetsel.study.comparison.rank_tests import Analysis, RankedMeasure, RankTest
from hetsel.study.comparison.ranked_summary import RankedSummary
from hetsel.study.comparison.study_summary import Summary
from hetsel.words.phrases import inside, join, number, p_number

GAPS = (
    "If a data set has no value of a method, the test is Skillings and Mack's permutation test. "
    "Mean ranks are then adjusted for missing values and may be slightly below 1 or above the "
    "number of methods. Nemenyi's test then uses the variance of each pair, so there is no "
    "critical difference."
)
NO_BLOCKS = " Treatments are not independent blocks and are omitted."
EQUAL = "for equal mean ranks, the method that comes first in the study"


def mean_ranks(summary: RankedSummary) -> PrintedTable:
    """Tabulate mean ranks of the analyses that treat all methods alike."""
    rows: dict[str, Callable[[RankTest], str]] = {
        "number of data sets": lambda test: f"{test.blocks}",
        "missing values": lambda test: f"{test.gaps}",
        "permutation p": lambda test: _shown(test, test.permutation),
        "critical difference": lambda test: number(test.critical_difference, 2),
    }
    note = (
        "Bold: best mean rank. A block is a data set. All sizes: mean ranks over all sizes, ranked "
        "again within the data set. Own size: cross-fitted means, one size per method. One size: "
        "cross-fitted means, one size for all methods. Permutation p: Friedman's test with "
        "permutations within data sets, which has the exact level for any number of data sets. "
        "Critical difference: Nemenyi's test at level 0.05. KI (Kuncheva index) uses sizes below "
        "the number of features; a method whose own size is all features has no value."
    )
    if any(a.test.gaps for m in summary.measures for a in summary.analyses(m)):
        note += f" {GAPS}"
    else:
        del rows["missing values"]
    caption = "Mean ranks (1 is best), data sets as blocks."
    return _ranks_table(summary, "ranks", caption, summary.analyses, rows, note)


def printed_mean_ranks(summary: Summary) -> PrintedTable:
    """Tabulate mean ranks of the analyses of Paul et al. (2015)."""
    rows: dict[str, Callable[[RankTest], str]] = {
        "number of blocks": lambda test: f"{test.blocks}",
        "Friedman p": lambda test: _shown(test, test.pvalue),
        "Iman–Davenport p": lambda test: (
            _shown(test, test.f_pvalue) if test.reason or np.isfinite(test.f) else "F infinite"
        ),
        "critical difference": lambda test: number(test.critical_difference, 2),
    }
    note = (
        "Bold: best mean rank. Table heads name the blocks; a block without a value of each "
        "method is omitted. Paul et al. (2015) uses Friedman's and Nemenyi's tests; Iman and "
        "Davenport's F is an addition. Critical difference: Nemenyi's test at level 0.05. KI "
        "(Kuncheva index) uses sizes below the number of features, where signatures can differ."
    )
    caption = "Analyses of Paul et al. (2015): mean ranks (1 is best) and rank tests."
    return _ranks_table(summary, "printed-ranks", caption, summary.printed, rows, note)


def _ranks_table(
    summary: RankedSummary,
    key: str,
    caption: str,
    analyses: Callable[[RankedMeasure], list[Analysis]],
    facts: dict[str, Callable[[RankTest], str]],
    note: str,
) -> PrintedTable:
    """Build a table with methods and facts in rows and tests in columns."""
    columns = []
    for measure in summary.measures:
        for one in analyses(measure):
            ranks = np.array(one.test.mean_ranks)
            best = reaches(-ranks, -min(ranks)) & (one.test.blocks > 0)
            cells = [bold(number(r, 2), b) for r, b in zip(ranks, best, strict=True)]
            cells += [shown(one.test) for shown in facts.values()]
            columns.append([f"{measure.label}: {one.head}", *cells])
    head, *rows = map(list, zip(["method", *summary.methods, *facts], *columns, strict=True))
    return PrintedTable(key, caption, head, rows, note + (NO_BLOCKS if summary.treatments else ""))


def _shown(test: RankTest, pvalue: float) -> str:
    return "–" if test.reason else p_number(pvalue)


def pairs(summary: RankedSummary, measure: RankedMeasure) -> PrintedTable | None:
    """Tabulate every pair of methods in the analyses that treat all methods alike."""
    found = summary.analyses(measure)
    note = (
        "p-values are adjusted for all pairs; bold: at most 0.05. The first method of a pair has "
        f"the better mean rank over all sizes ({EQUAL}). p-values of Nemenyi's test are at least "
        f"the permutation p of the same analysis. {_least(found)}"
    )
    caption = f"{measure.label}: p-values of pairs of methods, data sets as blocks."
    return pairs_table(f"pairs-{measure.key}", caption, found, note)


def printed_pairs(summary: Summary, measure: RankedMeasure) -> PrintedTable | None:
    """Tabulate every pair of methods in the analyses of Paul et al. (2015)."""
    found = summary.printed(measure)
    note = (
        "p-values are adjusted for all pairs; bold: at most 0.05. The first method of a pair has "
        f"the better mean rank over all sizes ({EQUAL}). The sizes of a data set are correlated, "
        "so p-values with data set × size as blocks are too small. Paul et al. (2015) uses "
        "Nemenyi's test; Wilcoxon's test with Holm's adjustment is an addition. "
        f"{_least(found[1:])}"
    )
    caption = f"Analyses of Paul et al. (2015): {measure.label}, p-values of pairs of methods."
    return pairs_table(f"printed-pairs-{measure.key}", caption, found, note)


def _least(analyses: Sequence[Analysis]) -> str:
    """State the smallest possible p-values of Wilcoxon's test with Holm's adjustment."""
    bounds = {a.test.blocks: a.test.least for a in analyses if np.isfinite(a.test.least)}
    several = (f"{p_number(least)} with {n} data sets" for n, least in sorted(bounds.items()))
    return f"Smallest possible Wilcoxon–Holm p-value: {', '.join(several)}." if bounds else ""


def pairs_table(
    key: str, caption: str, analyses: Sequence[Analysis], note: str
) -> PrintedTable | None:
    """Build a table with pairs in rows, in the order of the first test, and tests in columns."""
    tables = {a.head: a.test.pairs for a in analyses if a.test.pairs is not None}
    if not tables:
        return None
    columns: dict[str, dict[frozenset[str], float]] = {}
    for head, table in tables.items():
        pairs = list(map(frozenset, zip(table["better"], table["worse"], strict=True)))
        for name, of in (("Nemenyi", "pvalue"), ("Wilcoxon–Holm", "wilcoxon")):
            if of in table:
                columns[f"{head}: {name}"] = dict(zip(pairs, table[of], strict=True))
    first = next(iter(tables.values()))
    rows = []
    for pair in zip(first["better"], first["worse"], strict=True):
        values = [column[frozenset(pair)] for column in columns.values()]
        rows.append([" – ".join(pair), *(bold(p_number(p), p <= 0.05) for p in values)])
    return PrintedTable(key, caption, ["pair", *columns], rows, note)


def diagrams(
    summary: RankedSummary, analyses: Callable[[RankedMeasure], list[Analysis]]
) -> Iterator[Picture]:
    """Draw critical-difference diagrams, one figure with all measures for each analysis."""
    for same in zip(*map(analyses, summary.measures), strict=True):
        tests = [(measure, a.test) for measure, a in zip(summary.measures, same, strict=True)]
        yield _diagrams(same[0].key, tests, inside(same[0].where))


def _diagrams(section: str, tests: Sequence[tuple[RankedMeasure, RankTest]], where: str) -> Picture:
    able = [(test, _phrase(measure)) for measure, test in tests if not test.reason]
    missing = [(test, _phrase(measure)) for measure, test in tests if test.reason]
    from hetsel.report.figures.critical_difference import plot_critical_difference

    if not able:
        reason = missing[0][0].reason
        reason = f"There is no critical-difference diagram ({where}) because {reason}."
        return Picture(f"diagram-{section}", reason, "", None)
    titles = [f"{m.quality} ({m.name})" for m, test in tests if not test.reason]
    figure = plot_critical_difference([test for test, _ in able], titles=titles)
    held = any(np.isfinite(test.permutation) for test, _ in able)
    rule = "; all methods are joined if the permutation test does not reject" if held else ""
    caption = (
        f"Mean ranks (1 is best) by {join(name for _, name in able)}, {where}; each block is a "
        f"{able[0][0].what}. Thick lines join methods that do not differ significantly (Nemenyi's "
        f"test, level 0.05{rule}); CD is Nemenyi's critical difference."
    )
    caption += "".join(
        f" There is no diagram of {name} because {test.reason}." for test, name in missing
    )
    spoken = "Critical-difference diagram. " + " ".join(
        f"{name}: " + ", ".join(f"{method} {rank:.2f}" for method, rank in test.ordered) + "."
        for test, name in able
    )
    return Picture(f"diagram-{section}", caption, spoken, figure)


def _phrase(measure: RankedMeasure) -> str:
    return f"{measure.quality.lower()} ({measure.name})"
