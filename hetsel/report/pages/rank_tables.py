"""The tables that compare methods: mean ranks, pairs, cross-fitted means, baselines."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hetsel.ground.rounding import reaches
from hetsel.report.numbers.baselines import FEWEST, Baseline
from hetsel.report.numbers.compared_measures import Analysis, Measure
from hetsel.report.numbers.rank_tests import RankTest
from hetsel.report.numbers.study_summary import Summary
from hetsel.report.pages.tables_as_text import PrintedTable
from hetsel.report.pages.wording import p_number

GAPS = (
    "Where a data set lacks a method, the test is that of Skillings and Mack, by permutations, and "
    "mean ranks are adjusted for the gaps: they may lie a little below 1 or above the number of "
    "methods. Nemenyi's test then takes the variance of each pair: there is no critical difference."
)
NO_BLOCKS = " Treatments of a table are no blocks of their own and are left out."
EQUAL = "at equal mean ranks the one that comes first in the study"
Column = tuple[str, RankTest, str]


def mean_ranks(summary: Summary) -> PrintedTable:
    """Mean ranks of the analyses that treat methods alike."""
    tests = [
        (f"{m.label}: {a.head}", a.test) for m in summary.measures for a in summary.analyses(m)
    ]
    rows = [
        ["number of data sets", *(f"{test.blocks}" for _, test in tests)],
        ["permutation p", *(_shown(test, test.permutation) for _, test in tests)],
        ["critical difference", *(_rank(test.critical_difference) for _, test in tests)],
    ]
    note = (
        "A block is a data set: its mean ranks over all sizes, ranked again; its cross-fitted "
        "means with a size for each method; those with one size for all. Best mean rank in bold. "
        "Permutation p is of Friedman's test, by permutations within data sets: it holds its level "
        "however few they are. The critical difference is Nemenyi's at 0.05. KI: sizes below the "
        "number of features; a method whose own size is all features has no value."
    )
    if any(test.gaps for _, test in tests):
        rows.insert(1, ["values that lack", *(f"{test.gaps}" for _, test in tests)])
        note += f" {GAPS}"
    caption = "Mean ranks (1 is best), data sets as blocks."
    note += NO_BLOCKS if summary.treatments else ""
    return _ranks_table(summary, "ranks", caption, tests, rows, note)


def printed_mean_ranks(summary: Summary) -> PrintedTable:
    """Mean ranks of the analyses as paul2015 prints them."""
    tests = [
        (f"{measure.label}: {a.head}", a.test)
        for measure in summary.measures
        for a in summary.printed(measure)
    ]
    rows = [
        ["number of blocks", *(f"{test.blocks}" for _, test in tests)],
        ["Friedman p", *(_shown(test, test.pvalue) for _, test in tests)],
        ["Iman–Davenport p", *(_iman_davenport(test) for _, test in tests)],
        ["critical difference", *(_rank(test.critical_difference) for _, test in tests)],
    ]
    note = (
        "The heads say what a block is. Best mean rank in bold. Friedman's and Nemenyi's tests are "
        "those of paul2015; Iman and Davenport's F stands beside them. KI: sizes below the number "
        "of features, at which all methods select the same. A block that lacks a value of a method "
        "is left out. The critical difference is Nemenyi's at 0.05."
    )
    caption = "As paul2015 prints it: mean ranks (1 is best) and rank tests."
    note += NO_BLOCKS if summary.treatments else ""
    return _ranks_table(summary, "printed-ranks", caption, tests, rows, note)


def _ranks_table(
    summary: Summary,
    key: str,
    caption: str,
    tests: Sequence[tuple[str, RankTest]],
    facts: list[list[str]],
    note: str,
) -> PrintedTable:
    """Methods and facts in rows, tests in columns; the best mean ranks are bold."""
    rows = [
        [method, *(_rank(test.mean_ranks[k]) for _, test in tests)]
        for k, method in enumerate(summary.methods)
    ]
    best = {
        (int(k), place)
        for place, (_, test) in enumerate(tests, 1)
        if test.blocks
        for k in np.flatnonzero(reaches(-np.array(test.mean_ranks), -min(test.mean_ranks)))
    }
    head = ["method", *(name for name, _ in tests)]
    return PrintedTable(key, caption, head, [*rows, *facts], best, note)


def _rank(value: float) -> str:
    return f"{value:.2f}" if np.isfinite(value) else "–"


def _shown(test: RankTest, pvalue: float) -> str:
    return "–" if test.reason else p_number(pvalue)


def _iman_davenport(test: RankTest) -> str:
    if test.reason:
        return "–"
    return p_number(test.f_pvalue) if np.isfinite(test.f) else "F infinite"


def pairs(summary: Summary, measure: Measure) -> PrintedTable | None:
    """Every pair of methods in the analyses that treat methods alike."""
    found = summary.analyses(measure)
    note = (
        "p-values over all pairs together, at most 0.05 in bold; the method named first has the "
        f"better mean rank over all sizes ({EQUAL}). Nemenyi's are at least the permutation p of "
        f"the same comparison. {_least(found)}"
    )
    caption = f"{measure.label}: pairs of methods, p-values, data sets as blocks."
    return _pairs_table(f"pairs-{measure.key}", caption, _columns(found), note)


def printed_pairs(summary: Summary, measure: Measure) -> PrintedTable | None:
    """Every pair of methods in the analyses as paul2015 prints them."""
    found = summary.printed(measure)
    note = (
        "p-values over all pairs together, at most 0.05 in bold; the method named first has the "
        f"better mean rank over all sizes ({EQUAL}). Sizes of one data set are correlated blocks: "
        "p-values of data set × size are too small. Nemenyi's test is that of paul2015, Wilcoxon's "
        f"with Holm's correction stands beside it. {_least(found[1:])}"
    )
    caption = f"As paul2015 prints it: {measure.label}, pairs of methods, p-values."
    return _pairs_table(f"printed-pairs-{measure.key}", caption, _columns(found), note)


def _least(analyses: Sequence[Analysis]) -> str:
    """How small Wilcoxon's p-values with Holm's correction can be."""
    bounds = {a.test.blocks: a.test.least for a in analyses if np.isfinite(a.test.least)}
    several = (f"{p_number(least)} with {n} data sets" for n, least in sorted(bounds.items()))
    return f"Least attainable by Wilcoxon–Holm: {', '.join(several)}." if bounds else ""


def _columns(analyses: Sequence[Analysis]) -> list[Column]:
    """Heads, tests and the column of their p-values, where there are any."""
    columns = []
    for analysis in analyses:
        table = analysis.test.pairs
        for name, key in (("Nemenyi", "pvalue"), ("Wilcoxon–Holm", "wilcoxon")):
            if table is not None and key in table.columns:
                columns.append((f"{analysis.head}: {name}", analysis.test, key))
    return columns


def _pairs_table(
    key: str, caption: str, columns: Sequence[Column], note: str
) -> PrintedTable | None:
    if not columns:
        return None
    first = columns[0][1].pairs
    assert first is not None
    found: list[dict[frozenset[str], float]] = []
    for _, test, name in columns:
        assert test.pairs is not None
        pairs = test.pairs[["better", "worse", name]].itertuples(index=False)
        found.append({frozenset((one, other)): float(value) for one, other, value in pairs})
    values = [
        [column[frozenset(pair)] for column in found]
        for pair in first[["better", "worse"]].itertuples(index=False)
    ]
    names = zip(first["better"], first["worse"], values, strict=True)
    rows = [[f"{one} – {other}", *map(p_number, row)] for one, other, row in names]
    best = {(r, 1 + c) for r, row in enumerate(values) for c, p in enumerate(row) if p <= 0.05}
    return PrintedTable(key, caption, ["pair", *(head for head, *_ in columns)], rows, best, note)


def at_own_size(summary: Summary) -> PrintedTable | None:
    """Cross-fitted means, each method at its own size."""
    found = summary.own_size
    if found.scores.empty:
        return None
    sizes = found.sizes.set_index(["dataset", "method"])
    measure = summary.performance
    rows: list[list[str]] = []
    best: set[tuple[int, int]] = set()
    for dataset, own in found.scores.groupby("dataset", sort=False):
        table = own.set_index("method")
        cells = []
        for place, method in enumerate(summary.methods, 1):
            if method not in table.index:
                cells.append("–")
                continue
            row, size = table.loc[method], sizes.loc[(dataset, method)]
            if reaches([row["value"]], table["value"].max())[0]:
                best.add((len(rows), place))
            each = " and ".join(str(int(s)) for s in dict.fromkeys(size[["even", "odd"]]))
            cells.append(
                f"{measure.text(row['value'])}\ncorrected ± {measure.text(row['corrected'])}\n"
                f"naive ± {measure.text(row['naive'])}\nsize {each}"
            )
        rows.append([str(dataset), *cells])
    note = (
        "Resamplings of even number are judged at the first size, those of odd number at the "
        "second: each was chosen on the other half. Best mean of each data set in bold, which need "
        "not differ from the others. Corrected: half the 95 % interval of Nadeau and Bengio "
        "(2003); naive: half the one that takes the resamplings as independent, too narrow."
    )
    caption = f"Mean {measure.phrase}, each method at its own cross-fitted size."
    return PrintedTable("own-size", caption, ["data set", *summary.methods], rows, best, note)


def against_baseline(summary: Summary, one: Baseline) -> PrintedTable:
    """A score minus what is reached without the features, data set by data set and over all."""
    measure = summary.measure(one.score)
    table = one.by_dataset.set_index(["dataset", "method"])
    rows: list[list[str]] = []
    best: set[tuple[int, int]] = set()
    for dataset in summary.datasets:
        there = [m for m in summary.methods if (dataset, m) in table.index]
        here = one.by_dataset["dataset"] == dataset
        base = float(one.by_dataset.loc[here, "baseline"].mean())
        cells = []
        for place, method in enumerate(summary.methods, 2):
            if method not in there:
                cells.append("–")
                continue
            row = table.loc[(dataset, method)]
            cells.append(_difference(row["difference"], row["pvalue"], measure))
            if row["holm"] <= 0.05:
                best.add((len(rows), place))
        rows.append([dataset, measure.text(base) if np.isfinite(base) else "–", *cells])
    cells = []
    for place, (_, row) in enumerate(one.overall.iterrows(), 2):
        cells.append(_difference(row["difference"], row["pvalue"], measure))
        if row["holm"] <= 0.05:
            best.add((len(rows), place))
    every = "all data sets, without treatments" if summary.treatments else "all data sets"
    rows.append([every, "", *cells])
    label = measure.label
    note = (
        "Mean difference over all sizes, so that no size is chosen, and the one-sided p-value of "
        "each alone; bold where it is at most 0.05 with Holm's correction: for all methods in the "
        f"last row, for all data sets and methods above it. On a data set, from {FEWEST} "
        "resamplings on: t-test over the resamplings with the correction by parted pairs of rows "
        "(that of Nadeau and Bengio rejects too often on noise). All data sets: t-test over their "
        "means."
    )
    caption = f"{label[0].upper()}{label[1:]} against {one.what}."
    head = ["data set", one.what, *summary.methods]
    return PrintedTable(f"baseline-{one.score}", caption, head, rows, best, note)


def _difference(value: float, pvalue: float, measure: Measure) -> str:
    if not np.isfinite(value):
        return "–"
    shown = measure.signed(value)
    return f"{shown}\np {p_number(pvalue)}" if np.isfinite(pvalue) else shown
