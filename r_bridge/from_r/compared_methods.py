"""Compare methods over data sets and measure the stability of selections for R."""

import warnings
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from hetsel.statistics.doors.score_tables import read_scores
from hetsel.statistics.stability.measures_of_stability import MEASURES, kuncheva, nogueira_interval
from hetsel.study.comparison.pair_probabilities import bayesian_pairs_over_data_sets
from hetsel.study.comparison.rank_tests import RankTest, compare_ranks
from hetsel.study.comparison.study_summary import Summary
from hetsel.study.plan.plan import Plan
from hetsel.study.results import Results
from r_bridge.from_r.asked import numbers, strings
from r_bridge.r_vectors import RVector, Values, kinds, table, texts

Placed = tuple[str, str, RankTest]  # a test behind its measure and its analysis

OF_TEST = kinds(str, "measure", "analysis")  # a test by what is compared and how
TEST = OF_TEST | kinds(int, "blocks", "gaps") | kinds(float, "chi2", "pvalue", "f", "f_pvalue")
TEST |= kinds(float, "permutation_pvalue", "critical_difference", "least_wilcoxon")
TEST |= {"reason": str}
RANK = OF_TEST | {"method": str, "mean_rank": float}
DIFFERENCE = OF_TEST | kinds(str, "better", "worse")  # of the mean ranks of a pair
DIFFERENCE |= kinds(float, "difference", "nemenyi", "wilcoxon_holm") | {"differs": bool}
ALIKE = OF_TEST | {"group": int, "method": str}
# probabilities that one of a pair is better, or both are equivalent; dataset is NA over all
PAIR = kinds(str, "one", "other") | {"number": int}
PAIR |= kinds(float, "difference", "one_better", "equivalent", "other_better")
PLACE = kinds(str, "dataset", "method") | {"size": int}
STABILITY = kinds(int, "subsets", "features") | kinds(float, *MEASURES, "low", "high")


def compare_scores(
    scores: list[float],
    methods: list[str],
    datasets: list[str],
    larger_is_better: bool = True,
    rope: float = 0.01,
) -> Values:
    """Compare methods by scores: of all data sets by the first method, then by the second, ...

    The tests are those of a study's report over data sets; NaN is a missing score.
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
    store: str,
    digest: str,
    score: str | None = None,
    classifier: str | None = None,
    rope: float = 0.01,
) -> Values:
    """Compare the methods of a study like :func:`hetsel.compare_methods`."""
    from hetsel.report.pages.method_comparison import compare_methods

    results = results_of(store, digest)
    comparison = compare_methods(results, score=score, classifier=classifier)
    summary = Summary(results, score, classifier)
    tests = [
        (measure.label, analysis.head, analysis.test)
        for measure in summary.measures
        for analysis in summary.analyses(measure)
    ]
    compared = _compared(tests, comparison.bayesian_pairs(rope=rope), tuple(comparison.found))
    return {**compared, "tables": _plain_tables(comparison.tables())}


def _plain_tables(tables: Mapping[str, pd.DataFrame]) -> dict[str, RVector]:
    """Convert data frames of Python; columns of text, or without values, are text or numbers."""
    types = {"b": bool, "i": int, "u": int, "f": float}
    return {
        name: table(frame, {str(c): types.get(frame[c].dtype.kind, str) for c in frame})
        for name, frame in tables.items()
    }


def results_of(
    store: str,
    digest: str | None,
    study: Plan | None = None,
    taken: str = "The results of the store are used",
) -> Results:
    """Read the results of a store, and warn if their digest is not the expected one."""
    results = Results(store, study)
    if digest is not None and results.digest() != digest:
        said = f"{store} contains other results than the study. {taken}"
        warnings.warn(said, stacklevel=2)
    return results


def _compared(tests: list[Placed], bayesian: pd.DataFrame, found: Iterable[str] = ()) -> Values:
    """Collect tests, mean ranks, pairs, groups and Bayesian pairs."""
    placed = [({"measure": measure, "analysis": head}, test) for measure, head, test in tests]
    renamed = (
        {
            **vars(test),
            "permutation_pvalue": test.permutation,
            "least_wilcoxon": test.least,
            **place,
        }
        for place, test in placed
    )
    ranks = (
        {"method": name, "mean_rank": rank, **place}
        for place, test in placed
        for name, rank in zip(test.names, test.mean_ranks, strict=True)
    )
    pairs = (
        {**pair, "nemenyi": pair["pvalue"], "wilcoxon_holm": pair.get("wilcoxon"), **place}
        for place, test in placed
        if test.pairs is not None
        for pair in test.pairs.to_dict("records")
    )
    return {
        "tests": table(renamed, TEST),
        "ranks": table(ranks, RANK),
        "pairs": table(pairs, DIFFERENCE),
        "groups": groups_of(tests),
        "bayesian": pairs_of(bayesian),
        "found": texts(found),
    }


def groups_of(tests: Iterable[Placed]) -> RVector:
    """List the largest sets of methods of which no two differ, by test."""
    alike = (
        (measure, analysis, number, method)
        for measure, analysis, test in tests
        for number, group in enumerate(test.groups, start=1)
        for method in group
    )
    return table(alike, ALIKE)


def pairs_of(frame: pd.DataFrame) -> RVector:
    """Convert the probabilities of pairs of methods."""
    named = frame if "analysis" in frame else frame.assign(analysis="")
    types = kinds(str, "analysis", "dataset") | PAIR
    return table(named.reindex(columns=[*types]), types)


def stability(chosen: list[bool], subsets: float, level: float = 0.95) -> RVector:
    """Compute every stability measure of subsets, with a confidence interval for Nogueira's.

    `chosen` contains for the first feature, then the second, ..., whether each subset has it.
    """
    return table([_stability(numbers(chosen).reshape(-1, int(subsets)).T == 1, level)], STABILITY)


def study_stability(store: str, digest: str, level: float = 0.95) -> RVector:
    """Compute the stability for every data set, method and size of a study."""
    results = results_of(store, digest)
    rows = []
    for dataset, sizes in results.sizes.items():
        for method in results.methods:
            for size in sizes:
                _, chosen = results.signatures(dataset, method, size)
                if len(chosen) > 1:
                    place = {"dataset": dataset, "method": method, "size": int(size)}
                    rows.append(_stability(chosen, level, **place))
    return table(rows, PLACE | STABILITY)


def _stability(chosen: np.ndarray, level: float, **place: Any) -> Values:
    interval = nogueira_interval(chosen, level=level)
    alike = len(np.unique(chosen.sum(axis=1))) == 1
    measures: Values = {
        name: float(measure(chosen)) if alike or measure is not kuncheva else None
        for name, measure in MEASURES.items()
    }
    counts: Values = {"subsets": interval.n_subsets, "features": interval.n_features}
    return {**place, **counts, **measures, "low": interval.low, "high": interval.high}
