"""The comparison of a study's methods as values: what the first part of a report shows."""

from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from hetsel.report.pages.section_list import found
from hetsel.report.sections.above_baselines import baselines_frame
from hetsel.report.sections.ranks_over_data_sets import crossfitted, pairs_frame, ranks_frame
from hetsel.statistics.comparisons.corrections import ROPE
from hetsel.study.comparison.pair_probabilities import bayesian_pairs
from hetsel.study.comparison.study_summary import Summary


@dataclass(frozen=True, eq=False)
class Comparison:
    """Methods compared by rules that treat them alike, data sets as blocks.

    What is over data sets takes tables, not treatments of them, which are no independent blocks:
    see :func:`hetsel.compare_treatments`.

    Parameters
    ----------
    found : tuple of str
        What was found, in sentences.
    ranks : DataFrame
        Columns measure, analysis ("all sizes", "own size", "one size"), method, mean_rank, blocks,
        gaps, and pvalue of Friedman's test by permutations; NaN where there is no test. Where
        blocks lack methods, `gaps` counts these values, and test and mean ranks are those of
        :func:`hetsel.stats.skillings_mack`.
    pairs : DataFrame
        Columns measure, analysis, better, worse, nemenyi (at least the p-value by permutations)
        and wilcoxon_holm, p-values over all pairs together; the latter is NaN over all sizes, where
        only ranks are compared.
    crossfitted : DataFrame
        Means at cross-fitted sizes; see
        :func:`hetsel.study.comparison.crossfitted_scores.crossfitted_frame`.
    baselines : DataFrame
        Columns score, against, dataset (missing: over all data sets), method, difference, pvalue
        and holm; see :func:`hetsel.study.comparison.baselines.baseline`.
    reference : str
        The method that chooses the small size of paul2015, section 5, which flatters it.
    resampled : DataFrame
        Columns analysis ("own size", "one size"), dataset, method, resampling, size, value: the
        score of each resampling at its cross-fitted size.
    test_shares : dict
        By data set, the share of the rows that was tested on.
    treatments : dict
        The table that each treatment among the data sets treats.
    """

    found: tuple[str, ...]
    ranks: pd.DataFrame
    pairs: pd.DataFrame
    crossfitted: pd.DataFrame
    baselines: pd.DataFrame
    reference: str
    resampled: pd.DataFrame
    test_shares: dict[str, float]
    treatments: dict[str, str] = field(default_factory=dict)

    def bayesian_pairs(self, *, rope: float = ROPE) -> pd.DataFrame:
        """How probably one method of a pair is better, and how probably both are as good as equal.

        Parameters
        ----------
        rope : float
            Differences of the score up to this one are practically none; errors have the unit of
            the target.

        Returns
        -------
        DataFrame
            See :func:`hetsel.study.comparison.pair_probabilities.bayesian_pairs`.
        """
        methods = list(dict.fromkeys(self.ranks["method"]))
        return bayesian_pairs(
            self.resampled, self.test_shares, methods, rope=rope, treatments=self.treatments
        )

    def __str__(self) -> str:
        return "\n".join(self.found)


def compare_methods(results: Any, *, score: str | None = None) -> Comparison:
    """Compare the methods of a study, and each with what is reached without the features.

    That is chance and the majority class; of numbers the mean of the training rows; of survival
    times chance and the Kaplan-Meier curve.

    Parameters
    ----------
    results : hetsel.Results
    score : str, optional
        What methods are compared by; default: "bcr" of classes, "r2" of numbers, "concordance" of
        survival times. An error ("mae", "rmse", "ibs") is compared by its negative, `neg_mae` and
        so on: larger is better everywhere.

    Raises
    ------
    TableError
        No cell of the study is finished, none has a score, or there is no score of this name.
    """
    summary = Summary(results, score)
    summary.check()
    return Comparison(
        tuple(found(summary)),
        ranks_frame(summary),
        pairs_frame(summary),
        crossfitted(summary),
        baselines_frame(summary),
        summary.reference,
        summary.resampled,
        {name: results.test_shares[name] for name in summary.datasets},
        summary.treatments,
    )
