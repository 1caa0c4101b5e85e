"""The numbers of Paul et al. (2015), section 5: methods at the size that one chooses."""

from itertools import product

import pandas as pd

from hetsel.statistics.stability.measures_of_stability import ati, cw_rel
from hetsel.study.comparison.study_summary import Summary, mean_intervals

PLACE = ["dataset", "method", "size"]


def sizes_frame(summary: Summary) -> pd.DataFrame:
    """Return the chosen sizes, by both intervals of the best mean of the reference."""
    corrected = summary.small_sizes_by("nadeau-bengio")
    rows = [
        (name, summary.reference, size, corrected[name], *_ends(summary.best_sizes[name]))
        for name, size in summary.chosen.items()
    ]
    columns = ["dataset", "reference", "size", "size_corrected", "best_size", "best_size_last"]
    return pd.DataFrame(rows, columns=columns)


def _ends(sizes: list[int]) -> tuple[int, int]:
    return sizes[0], sizes[-1]


def performance_frame(summary: Summary) -> pd.DataFrame:
    """Return mean scores with both half-widths of their 95% CIs."""
    small = summary.small(summary.scores)
    halves = {"naive": small["high"] - small["value"], "resamplings": small["number"]}
    columns = [*PLACE, "resamplings", "value", "std", "low", "high", "naive", "corrected"]
    return small.assign(**halves)[columns].reset_index(drop=True)


def t_tests_frame(summary: Summary) -> pd.DataFrame:
    """Return the paired t-tests of the reference minus each method, naive and corrected."""
    rows = []
    for dataset, method in product(summary.datasets, summary.methods):
        tests = summary.against_reference(dataset, method)
        if method != summary.reference and tests:
            place = (dataset, summary.reference, method, summary.chosen[dataset])
            of_tests = (number for t in tests for number in (t.statistic, t.pvalue))
            rows.append((*place, tests[0].df + 1, tests[0].mean, *of_tests))
    columns = ["dataset", "reference", "method", "size", "resamplings", "difference"]
    columns += ["t_naive", "pvalue_naive", "t_corrected", "pvalue_corrected"]
    return pd.DataFrame(rows, columns=columns)


def scores_frame(summary: Summary) -> pd.DataFrame:
    """Return the other scores with naive 95% CIs; `naive` is half of the interval."""
    small = summary.small(summary.frame)
    names = [name for name in summary.results.scores.names if name != summary.score]
    parts = [mean_intervals(small, name).assign(score=name) for name in names]
    columns = ["score", *PLACE, "number", "value", "low", "high"]
    table = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)
    table = table[columns].rename(columns={"number": "resamplings"})
    return table.assign(naive=table["high"] - table["value"])


def scores_by_judge_frame(summary: Summary) -> pd.DataFrame:
    """Return mean scores by judge."""
    score = summary.performance.key
    groups = summary.small(summary.full).groupby([*PLACE, "classifier"], sort=False)
    return groups[score].mean().reset_index()


def stability_frame(summary: Summary) -> pd.DataFrame:
    """Return Kuncheva's index, which equals Nogueira's measure, its naive 95% CI, CWrel and ATI."""
    small = summary.small(summary.stability).reset_index(drop=True)
    masks = [
        summary.results.signatures(row["dataset"], row["method"], row["size"])[1]
        for _, row in small.iterrows()
    ]
    measures = {"cw_rel": list(map(cw_rel, masks)), "ati": list(map(ati, masks))}
    named = small.rename(columns={"value": "kuncheva"}).assign(nogueira=small["value"], **measures)
    return named[[*PLACE, "kuncheva", "cw_rel", "ati", "nogueira", "low", "high"]]
