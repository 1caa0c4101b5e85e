"""Methods compared over data sets, and the stability of selections, for R."""

import warnings
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pandas as pd
from msgspec import UNSET, Struct, UnsetType

from hetsel.statistics.doors.score_tables import read_scores
from hetsel.statistics.stability.measures_of_stability import MEASURES, kuncheva, nogueira_interval
from hetsel.study.comparison.pair_probabilities import bayesian_pairs_over_data_sets
from hetsel.study.comparison.rank_tests import RankTest, compare_ranks
from hetsel.study.comparison.study_summary import Summary
from hetsel.study.plan.plan import Plan
from hetsel.study.results import Results
from r_bridge.from_r.asked import numbers, strings
from r_bridge.r_vectors import Values, filled

PAIR = ("one", "other", "number", "difference", "one_better", "equivalent", "other_better")
Placed = tuple[str, str, RankTest]  # a test behind its measure and its analysis


class OfTest(Struct):
    """A test by what is compared and how."""

    measure: str
    analysis: str


class Test(OfTest, rename={"permutation": "permutation_pvalue", "least": "least_wilcoxon"}):
    """A :class:`hetsel.study.comparison.rank_tests.RankTest`."""

    blocks: int
    gaps: int
    chi2: float
    pvalue: float
    f: float  # Iman and Davenport's
    f_pvalue: float
    permutation: float
    critical_difference: float  # Nemenyi's at 0.05
    least: float
    reason: str  # of no test


class MeanRank(OfTest):
    """1 is best."""

    method: str
    mean_rank: float


class RankedPair(OfTest, rename={"pvalue": "nemenyi", "wilcoxon": "wilcoxon_holm"}):
    """A pair by the difference of its mean ranks."""

    better: str
    worse: str
    difference: float
    pvalue: float
    wilcoxon: float | None
    differs: bool


class Alike(OfTest):
    """A method of a largest set of which no two differ."""

    group: int
    method: str


class BayesianPair(Struct, kw_only=True):
    """How probably one of a pair is better, or both are practically equal."""

    analysis: str = ""
    dataset: str | None = None  # over the data sets
    one: str
    other: str
    number: int
    difference: float
    one_better: float
    equivalent: float
    other_better: float


class ComparisonAnswer(Struct):
    """What tells methods apart."""

    tests: tuple[Test, ...]
    ranks: tuple[MeanRank, ...]
    pairs: tuple[RankedPair, ...]
    groups: tuple[Alike, ...]
    bayesian: tuple[BayesianPair, ...]
    found: tuple[str, ...] = ()


class StabilityRow(Struct, kw_only=True):
    """Every measure of the stability of selections."""

    dataset: str | UnsetType = UNSET
    method: str | UnsetType = UNSET
    size: int | UnsetType = UNSET
    subsets: int
    features: int
    kuncheva: float | None  # of subsets of one size
    cw_rel: float
    ati: float
    nogueira: float
    low: float
    high: float


def compare_scores(
    scores: list[float],
    methods: list[str],
    datasets: list[str],
    larger_is_better: bool = True,
    rope: float = 0.01,
) -> ComparisonAnswer:
    """Compare methods by scores of the data sets by the first method, then by the second, ...

    As the report of a study does over its data sets; NaN is a gap.
    """
    names = strings(methods)
    cells = numbers(scores).reshape(len(names), -1).T
    read_scores(cells, names, gaps=True)
    table = pd.DataFrame(cells, index=strings(datasets), columns=names)
    table = table if larger_is_better else -table
    found = compare_ranks(table, "data set", permute=True)
    pairs = pd.DataFrame(bayesian_pairs_over_data_sets(table, names, rope=rope), columns=[*PAIR])
    return _compared([("score", "", found)], pairs)


def compare_study(
    store: str, digest: str, score: str | None = None, rope: float = 0.01
) -> ComparisonAnswer:
    """Compare the methods of a study; as :func:`hetsel.compare_methods` does in Python."""
    from hetsel.report.pages.method_comparison import compare_methods

    results = results_of(store, digest)
    comparison = compare_methods(results, score=score)
    summary = Summary(results, score)
    tests = [
        (measure.label, analysis.head, analysis.test)
        for measure in summary.measures
        for analysis in summary.analyses(measure)
    ]
    return _compared(tests, comparison.bayesian_pairs(rope=rope), tuple(comparison.found))


def results_of(
    store: str,
    digest: str | None,
    study: Plan | None = None,
    taken: str = "those of the store are taken",
) -> Results:
    """The results of a store, which may be others than what is expected."""
    results = Results(store, study)
    if digest is not None and results.digest() != digest:
        said = f"{store} holds other results now than the study that was given: {taken}"
        warnings.warn(said, stacklevel=2)
    return results


def _compared(
    tests: list[Placed], bayesian: pd.DataFrame, found: tuple[str, ...] = ()
) -> ComparisonAnswer:
    return ComparisonAnswer(
        tests=tuple(
            filled(Test, test, measure=measure, analysis=analysis)
            for measure, analysis, test in tests
        ),
        ranks=tuple(
            MeanRank(measure, analysis, name, rank)
            for measure, analysis, test in tests
            for name, rank in zip(test.names, test.mean_ranks, strict=True)
        ),
        pairs=tuple(
            RankedPair(
                *(measure, analysis, pair["better"], pair["worse"], pair["difference"]),
                *(pair["pvalue"], pair.get("wilcoxon"), pair["differs"]),
            )
            for measure, analysis, test in tests
            if test.pairs is not None
            for pair in test.pairs.to_dict("records")
        ),
        groups=tuple(groups_of(tests)),
        bayesian=pairs_of(bayesian),
        found=found,
    )


def groups_of(tests: Iterable[Placed]) -> Iterator[Alike]:
    """The groups of tests."""
    for measure, analysis, test in tests:
        for number, group in enumerate(test.groups, start=1):
            for method in group:
                yield Alike(measure, analysis, number, method)


def pairs_of(frame: pd.DataFrame) -> tuple[BayesianPair, ...]:
    """Pairs of methods by probabilities, of a data frame of them."""
    cells = frame[[name for name in ("analysis", "dataset", *PAIR) if name in frame]].astype(object)
    records = cells.where(cells.notna(), None).to_dict("records")
    return tuple(BayesianPair(**{str(name): pair[name] for name in pair}) for pair in records)


def stability(chosen: list[bool], subsets: float, level: float = 0.95) -> tuple[StabilityRow, ...]:
    """Every measure of the stability of subsets, with a Nogueira interval of a level.

    `chosen` says whether the first, second, ... subset has the first feature, then the second, ...
    """
    return (_stability(numbers(chosen).reshape(-1, int(subsets)).T == 1, level),)


def study_stability(store: str, digest: str, level: float = 0.95) -> tuple[StabilityRow, ...]:
    """:func:`stability` of every data set, method and size of a study."""
    results = results_of(store, digest)
    rows = []
    for dataset, sizes in results.sizes.items():
        for method in results.methods:
            for size in sizes:
                _, chosen = results.signatures(dataset, method, size)
                if len(chosen) > 1:
                    place = {"dataset": dataset, "method": method, "size": int(size)}
                    rows.append(_stability(chosen, level, **place))
    return tuple(rows)


def _stability(chosen: np.ndarray, level: float, **place: Any) -> StabilityRow:
    interval = nogueira_interval(chosen, level=level)
    alike = len(np.unique(chosen.sum(axis=1))) == 1
    measures: Values = {
        name: float(measure(chosen)) if alike or measure is not kuncheva else None
        for name, measure in MEASURES.items()
    }
    counts: Values = {"subsets": interval.n_subsets, "features": interval.n_features}
    return StabilityRow(**place, **counts, **measures, low=interval.low, high=interval.high)
