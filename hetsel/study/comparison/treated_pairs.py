"""Treatments compared with their untreated data sets, split by split.

A data set and its treatments (`treatment_of` in a plan) have the same rows and the same splits, so
the scores of a method on both are pairs. Treatments are not independent blocks: tests over data
sets, mean ranks and diagrams omit them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from hetsel.ground import TableError
from hetsel.statistics.comparisons import corrections, resampled_means
from hetsel.statistics.stability.measures_of_stability import kuncheva
from hetsel.study.comparison import baselines, study_summary

ComparedSizes = Literal["chosen", "all", "mean"]
COLUMNS = ("dataset", "treatment", "method", "size", "resamplings")
TESTED = ("difference", "low", "high", "pvalue", "holm")
SIGNATURES = ("kuncheva", "kuncheva_treated", "common")


def compare_treatments(
    results: Any,
    *,
    sizes: ComparedSizes = "chosen",
    correction: resampled_means.Correction = "parted-pairs",
    level: float = 0.95,
    score: str | None = None,
    classifier: str | None = None,
) -> pd.DataFrame:
    """Compare treatments with their untreated data set on the same splits.

    The difference of a resampling is x_k = (score on the treatment) - (score on the untreated data
    set). Interval and paired t-test of its mean are those of
    :func:`hetsel.stats.resampled_interval` and :func:`hetsel.stats.resampled_t_test`. p-values are
    adjusted by Holm's method over all rows, which does not require independent rows.

    Parameters
    ----------
    results : hetsel.Results
        Results of a plan with `treatment_of`.
    sizes : {"chosen", "all", "mean"}
        "chosen" (default): the small size of the untreated data set, or the largest smaller size
        that both have. "all": every size that both have, one row each. "mean": the mean score over
        these sizes, so that no size is chosen. A treatment without a common size has no row.
    correction : {"parted-pairs", "nadeau-bengio", "naive"}
        Correction of interval and test for overlapping training sets; see
        :mod:`hetsel.statistics.comparisons.resampled_means`. Default: "parted-pairs".
    level : float
        Confidence level of the intervals. Default: 0.95.
    score : str, optional
        Score to compare, as in :func:`hetsel.compare_methods`.
    classifier : str, optional
        Judge whose scores are compared, as in :func:`hetsel.compare_methods`.

    Returns
    -------
    DataFrame
        Columns:

        - `dataset` (the untreated data set), `treatment`, `method`, `size` (missing: mean over
          sizes) and `resamplings` (number with both scores);
        - the mean score on the untreated data set (`bcr`) and on the treatment (`bcr_treated`),
          `difference` (treatment minus untreated), `low` and `high` (its corrected interval),
          `pvalue` and `holm` (adjusted for all rows). Interval and p-values are missing with fewer
          than 10 resamplings;
        - `kuncheva` and `kuncheva_treated`, Kuncheva's index of the signatures on both, missing at
          the size of all features;
        - `common`, the mean proportion of the features of a signature that are also selected on the
          treatment in the same resampling;
        - `changed`, the changes of the treatment.

    Raises
    ------
    TableError
        If an option is out of range or if no cell of the study is finished.

    See Also
    --------
    hetsel.compare_methods : Compare the methods of a study.

    References
    ----------
    Nadeau & Bengio (2003) Machine Learning 52, 239-281; Holm (1979) Scandinavian Journal of
    Statistics 6, 65-70.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from hetsel import Study
    >>> treated = {"name": "quantiles", "treatment_of": "heart", "scale": "quantile"}
    >>> study = Study(
    ...     datasets=["heart", treated], methods=["rfe-svm"], resamplings=3, sizes=[2], seed=1
    ... )
    >>> with TemporaryDirectory() as folder:
    ...     results = study.run(Path(folder) / "s.sqlite", n_jobs=0, progress=False)
    ...     found = compare_treatments(results)
    >>> found[["dataset", "treatment", "method", "size", "changed"]].values.tolist()
    [['heart', 'quantiles', 'rfe-svm', 2, 'scale quantile, not range']]
    """
    if sizes not in (legal := get_args(ComparedSizes)):
        raise TableError(f"sizes must be one of {', '.join(legal)}. Got {sizes!r}")
    summary = study_summary.Summary(results, score, classifier)
    summary.check()
    return paired(summary, sizes=sizes, correction=correction, level=level)


def paired(
    summary: study_summary.Summary,
    *,
    sizes: ComparedSizes = "chosen",
    correction: resampled_means.Correction = "parted-pairs",
    level: float = 0.95,
) -> pd.DataFrame:
    """Return the data frame of :func:`compare_treatments`."""
    score = summary.performance.key
    scores = (score, f"{score}_treated")
    columns = [*COLUMNS, *scores, *TESTED, *SIGNATURES, "changed"]
    rows = []
    for pair in _pairs(summary):
        share = summary.results.test_shares[pair.base]
        for size in pair.sizes(summary, sizes):
            here, there = pair.scores(summary, size)
            row: dict[str, Any] = {"dataset": pair.base, "treatment": pair.treated}
            row |= {"method": pair.method, "size": size[0] if sizes != "mean" else np.nan}
            row |= {"resamplings": len(here), scores[0]: here.mean(), scores[1]: there.mean()}
            row |= _tested(there - here, share, correction, level)
            row |= pair.signatures(summary, size) if sizes != "mean" else {}
            row["changed"] = changed(summary.results.datasets, pair.base, pair.treated)
            rows.append(row)
    found = pd.DataFrame(rows, columns=columns)
    found["holm"] = corrections.holm(found["pvalue"].astype(np.float64))
    return found


def _tested(
    apart: np.ndarray, share: float, correction: resampled_means.Correction, level: float
) -> dict[str, float]:
    """Return the mean difference, with interval and p-value if there are enough resamplings."""
    if len(apart) < baselines.FEWEST:
        return {"difference": float(apart.mean())}
    interval = resampled_means.resampled_interval(
        apart, test_share=share, level=level, correction=correction
    )
    test = resampled_means.resampled_t_test(apart, test_share=share, correction=correction)
    bounds = {"low": interval.low, "high": interval.high}
    return {"difference": interval.mean, **bounds, "pvalue": test.pvalue}


@dataclass(frozen=True)
class _Pair:
    """A method on a data set and on a treatment of it."""

    base: str
    treated: str
    method: str
    one: pd.DataFrame  # scores (resamplings, sizes) on the untreated data set
    other: pd.DataFrame  # scores on the treatment

    def sizes(self, summary: study_summary.Summary, which: ComparedSizes) -> list[list[int]]:
        """Return the sizes of each row."""
        shared = sorted({int(s) for s in self.one.columns.intersection(self.other.columns)})
        shared = [size for size in shared if len(self.scores(summary, [size])[0])]
        if which == "all":
            return [[size] for size in shared]
        if which == "chosen":
            shared = [size for size in shared if size <= summary.chosen[self.base]][-1:]
        elif shared and not len(self.scores(summary, shared)[0]):
            return []
        return [shared] if shared else []

    def scores(
        self, summary: study_summary.Summary, sizes: list[int]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return scores, or their means over sizes, of the common resamplings."""
        both = [table[sizes].dropna() for table in (self.one, self.other)]
        common = both[0].index.intersection(both[1].index)
        here, there = (t.loc[common].to_numpy(np.float64).mean(axis=1) for t in both)
        return here, there

    def signatures(self, summary: study_summary.Summary, sizes: list[int]) -> dict[str, float]:
        """Return stability of the signatures on both, and their common proportion."""
        (size,) = sizes
        names = [summary.names(dataset) for dataset in (self.base, self.treated)]
        found = [
            summary.results.signatures(dataset, self.method, size)
            for dataset in (self.base, self.treated)
        ]
        common = np.intersect1d(found[0][0], found[1][0])
        here, there = (chosen[np.isin(numbers, common)] for numbers, chosen in found)
        place = {name: k for k, name in enumerate(names[1])}
        shared = [(j, place[name]) for j, name in enumerate(names[0]) if name in place]
        left, right = np.array(shared, dtype=np.int64).reshape(-1, 2).T
        index = (
            kuncheva(masks) if len(masks) > 1 and size < masks.shape[1] else np.nan
            for masks in (here, there)
        )
        alike = (here[:, left] & there[:, right]).sum(axis=1).mean() / size
        return dict(zip(SIGNATURES, (*index, alike), strict=True))


def _pairs(summary: study_summary.Summary) -> Iterator[_Pair]:
    """Yield treatments and methods with scores on both sides, in the order of the study."""
    values = summary.frame.dropna(subset=[summary.performance.key])
    for treated, base in summary.treatments.items():
        for method in summary.methods:
            tables = [
                values[(values["dataset"] == dataset) & (values["method"] == method)].pivot(
                    index="resampling", columns="size", values=summary.performance.key
                )
                for dataset in (base, treated)
            ]
            if all(map(len, tables)):
                yield _Pair(base, treated, method, *tables)


def changed(datasets: Mapping[str, Mapping[str, Any]], base: str, treated: str) -> str:
    """Describe what a treatment changes, as far as the store records it.

    Examples
    --------
    >>> plain = {"features": ["a", "b"], "kinds": ["continuous", "nominal"], "missing": "impute"}
    >>> other = {"features": ["a"], "kinds": ["nominal"], "missing": "separate"}
    >>> changed({"d": plain, "e": other, "f": plain}, "d", "e")
    'missing separate, not impute; without b; a nominal, not continuous'
    >>> changed({"d": plain, "e": other, "f": plain}, "d", "f")
    'values'
    """
    before, after = datasets[base], datasets[treated]
    kinds = [dict(zip(about["features"], about["kinds"], strict=True)) for about in (before, after)]
    parts = []
    for option, default in (("missing", "impute"), ("scale", "range")):
        old, new = before.get(option, default), after.get(option, default)
        if old != new:
            parts.append(f"{option} {new}, not {old}")
    for word, one, other in (("without", *kinds), ("with", *reversed(kinds))):
        names = [str(name) for name in one if name not in other]
        if names:
            parts.append(f"{word} {_few(names)}")
    for name, kind in kinds[0].items():
        if kinds[1].get(name, kind) != kind:
            parts.append(f"{name} {kinds[1][name]}, not {kind}")
    return "; ".join(parts) or "values"


def _few(names: list[str]) -> str:
    if len(names) > 6:
        return f"{', '.join(names[:5])} and {len(names) - 5} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
