"""Methods compared over data sets, and the stability of selections, for R."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from hetsel.statistics.stability.measures_of_stability import MEASURES, kuncheva, nogueira_interval
from hetsel.study.results import Results
from r_bridge.from_r.answering import answer
from r_bridge.from_r.described import NONE
from r_bridge.from_r.vectors import numbers, strings

TESTS = {  # by the name of the number in R
    "chi2": "chi2",
    "pvalue": "pvalue",
    "f": "f",
    "f_pvalue": "f_pvalue",
    "permutation_pvalue": "permutation",
    "critical_difference": "critical_difference",
    "least_wilcoxon": "least",
}
PAIRS = {"pvalue": "nemenyi", "wilcoxon": "wilcoxon_holm"}
BAYESIAN = ("one", "other", "number", "difference", "one_better", "equivalent", "other_better")


@answer
def compare_scores(
    scores: Any,
    methods: Any,
    datasets: Any,
    larger_is_better: bool = True,
    rope: float = 0.01,
) -> dict[str, Any]:
    """Compare methods by a table of scores, as the report of a study does over its data sets.

    Parameters
    ----------
    scores : bytes or list
        Scores of the data sets by the first method, then by the second, ...; NaN is a gap.
    methods, datasets : list of str
    larger_is_better : bool
    rope : float
        Differences up to this one are practically none.

    Returns
    -------
    dict
        By column ``tests``, ``ranks``, ``pairs``, ``groups`` and ``bayesian``, see
        :func:`compare_study`.
    """
    from hetsel.statistics.doors.score_tables import read_scores
    from hetsel.study.comparison.pair_probabilities import over_data_sets
    from hetsel.study.comparison.rank_tests import compare_ranks

    names = strings(methods)
    cells = numbers(scores).reshape(len(names), -1).T
    read_scores(cells, names, gaps=True)
    table = pd.DataFrame(cells, index=strings(datasets), columns=names)
    table = table if larger_is_better else -table
    found = compare_ranks(table, "data set", permute=True)
    bayesian = pd.DataFrame(over_data_sets(table, names, rope=rope), columns=list(BAYESIAN))
    bayesian = bayesian.assign(analysis="", dataset="")
    return {**_contents([("score", "", found)]), "bayesian": _columns(bayesian), "found": []}


@answer
def compare_study(
    store: str, digest: str, score: str | None = None, rope: float = 0.01
) -> dict[str, Any]:
    """Compare the methods of a study; as :func:`hetsel.compare_methods` does in Python.

    Parameters
    ----------
    store, digest : str
        The file of the study, and what its results are expected to be.
    score : str, optional
        What methods are compared by.
    rope : float
        As in :func:`compare_scores`.

    Returns
    -------
    dict
        By column ``tests``: measure, analysis, blocks, gaps, Friedman's ``chi2`` and ``pvalue``
        (Skillings and Mack's, where there are gaps), Iman and Davenport's ``f`` and ``f_pvalue``,
        ``permutation_pvalue``, ``critical_difference``, ``least_wilcoxon``, and the ``reason`` of
        no test; ``ranks``: method, mean_rank; ``pairs``: better, worse, difference, nemenyi,
        wilcoxon_holm, differs; ``groups``: group, method; ``bayesian``: dataset ("" over all), one,
        other, number, difference, one_better, equivalent, other_better. ``found``, sentences.
    """
    from hetsel.report.pages.method_comparison import compare_methods
    from hetsel.study.comparison.study_summary import Summary

    results = _results(store, digest)
    comparison = compare_methods(results, score=score)
    summary = Summary(results, score)
    tests = [
        (measure.label, analysis.head, analysis.test)
        for measure in summary.measures
        for analysis in summary.analyses(measure)
    ]
    bayesian = comparison.bayesian_pairs(rope=rope)
    over_all = bayesian["dataset"].isna()
    bayesian["dataset"] = bayesian["dataset"].astype(object).where(~over_all, "")
    found = list(comparison.found)
    return {**_contents(tests), "bayesian": _columns(bayesian), "found": found}


def _results(store: str, digest: str) -> Results:
    results = Results(store)
    if results.digest() != digest:
        warnings.warn(
            f"{store} holds other results now than the study that was given: those of the store "
            "are taken",
            stacklevel=2,
        )
    return results


def _contents(tests: Sequence[tuple[str, str, Any]]) -> dict[str, Any]:
    """Rank tests by column, each with its measure and its analysis."""
    facts, ranks, pairs, groups = [], [], [], []
    for measure, analysis, test in tests:
        place = {"measure": measure, "analysis": analysis}
        own = {name: float(getattr(test, key)) for name, key in TESTS.items()}
        counts = {"blocks": test.blocks, "gaps": test.gaps}
        facts.append({**place, **counts, **own, "reason": test.reason})
        both = zip(test.names, map(float, test.mean_ranks), strict=True)
        ranks += [{**place, "method": name, "mean_rank": rank} for name, rank in both]
        groups += [
            {**place, "group": k, "method": name}
            for k, group in enumerate(test.groups, start=1)
            for name in group
        ]
        if test.pairs is not None:
            pairs.append(test.pairs.rename(columns=PAIRS).assign(**place))
    columns = ["measure", "analysis", "better", "worse", "difference", *PAIRS.values(), "differs"]
    every = pd.concat(pairs) if pairs else pd.DataFrame()
    return {
        "tests": _columns(pd.DataFrame(facts)),
        "ranks": _columns(pd.DataFrame(ranks)),
        "pairs": _columns(every.reindex(columns=columns)),
        "groups": _columns(pd.DataFrame(groups, columns=[*place, "group", "method"])),
    }


@answer
def stability(chosen: Any, subsets: float, level: float = 0.95) -> dict[str, Any]:
    """Every measure of the stability of subsets of features.

    Parameters
    ----------
    chosen : bytes or list
        1 where the first, second, ... subset has the first feature, then the second, ...; else 0.
    subsets : number
        How many there are.
    level : float
        Of the interval of Nogueira's measure.

    Returns
    -------
    dict
        ``subsets`` and ``features``, their numbers; a number by the name of each measure, NaN where
        it does not apply to subsets of different sizes; ``low`` and ``high`` of Nogueira's.
    """
    return _stability(numbers(chosen).reshape(-1, int(subsets)).T == 1, level)


@answer
def study_stability(store: str, digest: str, level: float = 0.95) -> dict[str, Any]:
    """:func:`stability` of every data set, method and size of a study, by column.

    Parameters
    ----------
    store, digest : str
        The file of the study, and what its results are expected to be.
    level : float
    """
    results = _results(store, digest)
    rows = []
    for dataset, sizes in results.sizes.items():
        for method in results.methods:
            for size in sizes:
                _, chosen = results.signatures(dataset, method, size)
                if len(chosen) > 1:
                    place = {"dataset": dataset, "method": method, "size": int(size)}
                    rows.append({**place, **_stability(chosen, level)})
    return {"rows": _columns(pd.DataFrame(rows))}


def _stability(chosen: np.ndarray, level: float) -> dict[str, Any]:
    interval = nogueira_interval(chosen, level=level)
    alike = len(np.unique(chosen.sum(axis=1))) == 1
    return {
        "subsets": interval.n_subsets,
        "features": interval.n_features,
        **{
            name: float(measure(chosen)) if alike or measure is not kuncheva else NONE
            for name, measure in MEASURES.items()
        },
        "low": float(interval.low),
        "high": float(interval.high),
    }


def _columns(frame: pd.DataFrame) -> dict[str, list[Any]]:
    return {str(name): frame[name].tolist() for name in frame.columns}
