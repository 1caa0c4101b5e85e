"""Rank tests of methods as tables, diagrams and sentences."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from hetsel.ground.rounding import reaches
from hetsel.report.elements.blocks import Picture, PrintedTable, bold
from hetsel.study.comparison.rank_tests import Analysis, RankedMeasure, RankTest
from hetsel.study.comparison.study_summary import Summary
from hetsel.words.phrases import inside, join, number, p_number

GAPS = (
    "Where a data set lacks a method, the test is that of Skillings and Mack, by permutations, and "
    "mean ranks are adjusted for the gaps: they may lie a little below 1 or above the number of "
    "methods. Nemenyi's test then takes the variance of each pair: there is no critical difference."
)
NO_BLOCKS = " Treatments of a table are no blocks of their own and are left out."
EQUAL = "at equal mean ranks the one that comes first in the study"


def mean_ranks(summary: Summary) -> PrintedTable:
    """Mean ranks of the analyses that treat methods alike."""
    rows: dict[str, Callable[[RankTest], str]] = {
        "number of data sets": lambda test: f"{test.blocks}",
        "values that lack": lambda test: f"{test.gaps}",
        "permutation p": lambda test: _shown(test, test.permutation),
        "critical difference": lambda test: number(test.critical_difference, 2),
    }
    note = (
        "A block is a data set: its mean ranks over all sizes, ranked again; its cross-fitted "
        "means with a size for each method; those with one size for all. Best mean rank in bold. "
        "Permutation p is of Friedman's test, by permutations within data sets: it holds its level "
        "however few they are. The critical difference is Nemenyi's at 0.05. KI: sizes below the "
        "number of features; a method whose own size is all features has no value."
    )
    if any(a.test.gaps for m in summary.measures for a in summary.analyses(m)):
        note += f" {GAPS}"
    else:
        del rows["values that lack"]
    caption = "Mean ranks (1 is best), data sets as blocks."
    return _ranks_table(summary, "ranks", caption, summary.analyses, rows, note)


def printed_mean_ranks(summary: Summary) -> PrintedTable:
    """Mean ranks of the analyses as paul2015 prints them."""
    rows: dict[str, Callable[[RankTest], str]] = {
        "number of blocks": lambda test: f"{test.blocks}",
        "Friedman p": lambda test: _shown(test, test.pvalue),
        "Iman–Davenport p": lambda test: (
            _shown(test, test.f_pvalue) if test.reason or np.isfinite(test.f) else "F infinite"
        ),
        "critical difference": lambda test: number(test.critical_difference, 2),
    }
    note = (
        "The heads say what a block is. Best mean rank in bold. Friedman's and Nemenyi's tests are "
        "those of paul2015; Iman and Davenport's F stands beside them. KI: sizes below the number "
        "of features, at which all methods select the same. A block that lacks a value of a method "
        "is left out. The critical difference is Nemenyi's at 0.05."
    )
    caption = "As paul2015 prints it: mean ranks (1 is best) and rank tests."
    return _ranks_table(summary, "printed-ranks", caption, summary.printed, rows, note)


def _ranks_table(
    summary: Summary,
    key: str,
    caption: str,
    analyses: Callable[[RankedMeasure], list[Analysis]],
    facts: dict[str, Callable[[RankTest], str]],
    note: str,
) -> PrintedTable:
    """Methods and facts in rows, tests in columns; the best mean ranks are bold."""
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


def pairs(summary: Summary, measure: RankedMeasure) -> PrintedTable | None:
    """Every pair of methods in the analyses that treat methods alike."""
    found = summary.analyses(measure)
    note = (
        "p-values over all pairs together, at most 0.05 in bold; the method named first has the "
        f"better mean rank over all sizes ({EQUAL}). Nemenyi's are at least the permutation p of "
        f"the same comparison. {_least(found)}"
    )
    caption = f"{measure.label}: pairs of methods, p-values, data sets as blocks."
    return _pairs_table(f"pairs-{measure.key}", caption, found, note)


def printed_pairs(summary: Summary, measure: RankedMeasure) -> PrintedTable | None:
    """Every pair of methods in the analyses as paul2015 prints them."""
    found = summary.printed(measure)
    note = (
        "p-values over all pairs together, at most 0.05 in bold; the method named first has the "
        f"better mean rank over all sizes ({EQUAL}). Sizes of one data set are correlated blocks: "
        "p-values of data set × size are too small. Nemenyi's test is that of paul2015, Wilcoxon's "
        f"with Holm's correction stands beside it. {_least(found[1:])}"
    )
    caption = f"As paul2015 prints it: {measure.label}, pairs of methods, p-values."
    return _pairs_table(f"printed-pairs-{measure.key}", caption, found, note)


def _least(analyses: Sequence[Analysis]) -> str:
    """How small Wilcoxon's p-values with Holm's correction can be."""
    bounds = {a.test.blocks: a.test.least for a in analyses if np.isfinite(a.test.least)}
    several = (f"{p_number(least)} with {n} data sets" for n, least in sorted(bounds.items()))
    return f"Least attainable by Wilcoxon–Holm: {', '.join(several)}." if bounds else ""


def _pairs_table(
    key: str, caption: str, analyses: Sequence[Analysis], note: str
) -> PrintedTable | None:
    """A row for each pair in the order of the first test, a column for each kind of p-values."""
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
    summary: Summary, analyses: Callable[[RankedMeasure], list[Analysis]]
) -> Iterator[Picture]:
    """Critical-difference diagrams of every analysis, one figure for all measures."""
    for same in zip(*map(analyses, summary.measures), strict=True):
        tests = [(measure, a.test) for measure, a in zip(summary.measures, same, strict=True)]
        yield _diagrams(same[0].key, tests, inside(same[0].where))


def _diagrams(section: str, tests: Sequence[tuple[RankedMeasure, RankTest]], where: str) -> Picture:
    able = [(test, _phrase(measure)) for measure, test in tests if not test.reason]
    missing = [(test, _phrase(measure)) for measure, test in tests if test.reason]
    from hetsel.report.figures.critical_difference import plot_critical_difference

    if not able:
        reason = f"No critical-difference diagram, {where}: {missing[0][0].reason}."
        return Picture(f"diagram-{section}", reason, "", None)
    titles = [f"{m.quality} ({m.name})" for m, test in tests if not test.reason]
    figure = plot_critical_difference([test for test, _ in able], titles=titles)
    held = any(np.isfinite(test.permutation) for test, _ in able)
    rule = "Nemenyi, 0.05; all are joined where the test by permutations rejects nothing"
    caption = (
        f"Mean ranks (1 is best), {where}: {join(name for _, name in able)}; a block is a "
        f"{able[0][0].what}. Thick lines join methods whose mean ranks do not differ significantly "
        f"({rule if held else 'Nemenyi, 0.05'}); CD is Nemenyi's critical difference."
    )
    caption += "".join(f" No diagram of {name}: {test.reason}." for test, name in missing)
    spoken = "Critical-difference diagram. " + " ".join(
        f"{name}: " + ", ".join(f"{method} {rank:.2f}" for method, rank in test.ordered) + "."
        for test, name in able
    )
    return Picture(f"diagram-{section}", caption, spoken, figure)


def _phrase(measure: RankedMeasure) -> str:
    return f"{measure.quality.lower()} ({measure.name})"
