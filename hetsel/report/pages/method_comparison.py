"""The comparison of the methods of a study as data frames."""

from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from hetsel.report.pages import section_list
from hetsel.report.pages.found_over_kinds import found_over_kinds, tables_over_kinds
from hetsel.report.sections.above_baselines import baselines_frame
from hetsel.report.sections.ranks_over_data_sets import crossfitted, pairs_frame, ranks_frame
from hetsel.statistics.comparisons.corrections import ROPE
from hetsel.study.comparison.failed_cells import Fallback
from hetsel.study.comparison.pair_probabilities import bayesian_pairs
from hetsel.study.comparison.study_summary import Summary
from hetsel.study.comparison.summary_of_kinds import SummaryOfKinds, summarized


@dataclass(frozen=True, eq=False)
class Comparison:
    """The comparison of the methods of a study, data sets as blocks.

    All rules treat the methods alike. Analyses over data sets omit treatments, which are not
    independent blocks; see :func:`hetsel.compare_treatments` for these. ``str(comparison)`` gives
    the findings in sentences.

    Attributes
    ----------
    found : tuple of str
        Findings in sentences.
    ranks : DataFrame
        Mean ranks with columns measure, analysis ("all sizes", "own size", "one size"), method,
        mean_rank, blocks, gaps and pvalue. The p-value is that of Friedman's permutation test; it
        is NaN if there is no test. If data sets have no value of a method, `gaps` counts the
        missing values, and test and mean ranks are those of :func:`hetsel.stats.skillings_mack`.
    pairs : DataFrame
        Pairs of methods with columns measure, analysis, better, worse, nemenyi and wilcoxon_holm.
        The p-values are adjusted for all pairs. Those of Nemenyi's test are at least the
        permutation p-value. Those of Wilcoxon's test are NaN for the analysis "all sizes", which
        compares ranks only.
    crossfitted : DataFrame
        Means at cross-fitted sizes; see
        :func:`hetsel.study.comparison.crossfitted_scores.crossfitted_frame`.
    baselines : DataFrame
        Tests against baselines with columns score, against, dataset (missing: over all data sets),
        method, mean and baseline (of a data set), difference, pvalue and holm; see
        :func:`hetsel.study.comparison.baselines.baseline`.
    reference : str
        The method that chooses the small size of section 5 of Paul et al. (2015). This choice
        favors the method itself.
    resampled : DataFrame
        Scores of each resampling at its cross-fitted size, with columns analysis ("own size", "one
        size"), dataset, method, resampling, size and value.
    test_shares : dict
        Proportion of held-out rows by data set.
    treatments : dict
        Treatments with their untreated data sets.
    training_rows : DataFrame
        The columns of `crossfitted` by number of training rows (`training_rows`), if the study has
        several; otherwise empty. All other comparisons use the largest number.
    effects : DataFrame
        How far the methods of each pair differ over the data sets, with columns measure, analysis,
        better, worse (by mean rank), estimate, low, high, attained_level, standardized,
        standardized_robust, cliffs_delta, magnitude and blocks (data sets). The estimate is that of
        :func:`hetsel.stats.hodges_lehmann` for the scores of `better` minus those of `worse`, with
        its exact interval. With fewer than 6 data sets no interval has level 0.95, and
        `attained_level` is that of the widest one. The others are the effect sizes of
        :func:`hetsel.stats.effect_sizes`. Over all sizes, the score of a data set is the mean over
        the sizes that all its methods have. Errors are omitted, since units differ.
    differences : DataFrame
        The same pairs on each data set, for forest plots: measure, analysis, dataset, better,
        worse, difference, low and high. The interval over resamplings has the parted-pairs
        correction; it is NaN over all sizes, for stability and with fewer than 10 resamplings.
    control : DataFrame
        Tests of every other method against the one of `reference`, with columns measure, analysis,
        method, difference (in mean ranks), z, pvalue, holm, bonferroni_dunn_cd, differs, wilcoxon,
        wilcoxon_holm and blocks; see :func:`hetsel.stats.compare_with_control`. `holm` is at least
        the permutation p-value of `ranks`, and no method differs if that is above 0.05. Empty
        without a `reference`.
    kinds : dict
        If data sets have targets of several kinds, the comparison of each kind. `ranks` and `pairs`
        are then over all data sets, each ranked by the first score of its kind; `crossfitted` and
        `baselines` have the rows of all kinds; `resampled` is empty and `reference` is "", because
        scores of different kinds are not comparable. Otherwise empty.

    See Also
    --------
    compare_methods : Compare the methods of a study.
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
    training_rows: pd.DataFrame = field(default_factory=pd.DataFrame)
    effects: pd.DataFrame = field(default_factory=pd.DataFrame)
    differences: pd.DataFrame = field(default_factory=pd.DataFrame)
    control: pd.DataFrame = field(default_factory=pd.DataFrame)
    kinds: dict[str, "Comparison"] = field(default_factory=dict)
    _summary: Summary | SummaryOfKinds | None = field(default=None, repr=False)

    def tables(self, *, effect_curves: bool = False) -> dict[str, pd.DataFrame]:
        """Return every number of the tables and figures of the report as data frames.

        `hetsel study export` writes the same data frames to `comparison_NAME.csv`.

        Parameters
        ----------
        effect_curves : bool
            Whether to fit the final model of each data set and include its effect curves.
            Default: False.

        Returns
        -------
        dict of str to DataFrame
            Data frames by name. Among them are:

            - `tests` and `paul2015_tests`: chi-squared, Iman and Davenport's F, permutation test
              and critical difference of each analysis, with the p-values;
            - `groups` and `paul2015_groups`: the methods that do not differ;
            - `pairs_on_data_sets`: paired t-tests of all pairs on each data set, and
              `paul2015_t_tests`: those of the reference against each method;
            - `paul2015_stability`: Nogueira's stability with its 95% CI, Kuncheva's index, CWrel
              and ATI at the chosen size;
            - `curves` by size, and `selection_frequencies` at the chosen size;
            - `data_sets`, `plan`, `methods`, `warnings` and `versions`.

        Examples
        --------
        >>> from tempfile import TemporaryDirectory
        >>> from hetsel import Study
        >>> study = Study(datasets=["heart"], methods=["hsic", "cmim"], resamplings=4, sizes=[2])
        >>> with TemporaryDirectory() as folder:
        ...     results = study.run(f"{folder}/study.sqlite", n_jobs=0, progress=False)
        ...     tables = compare_methods(results).tables()
        >>> tables["paul2015_stability"].columns[3:].tolist()
        ['kuncheva', 'cw_rel', 'ati', 'nogueira', 'low', 'high']
        """
        if self._summary is None:
            return {}
        if isinstance(self._summary, SummaryOfKinds):
            return tables_over_kinds(self._summary)
        return section_list.tables(
            self._summary, without=() if effect_curves else ("effect_curves",)
        )

    def bayesian_pairs(self, *, rope: float = ROPE) -> pd.DataFrame:
        """Compute probabilities that one method is better or both are practically equivalent.

        Parameters
        ----------
        rope : float
            Half-width of the region of practical equivalence: two methods count as equal if their
            scores differ by at most this number. Errors have the unit of the target. Default: 0.01.

        Returns
        -------
        DataFrame
            Pairs of methods with three probabilities each; see
            :func:`hetsel.study.comparison.pair_probabilities.bayesian_pairs`.
        """
        methods = list(dict.fromkeys(self.ranks["method"]))
        return bayesian_pairs(
            self.resampled, self.test_shares, methods, rope=rope, treatments=self.treatments
        )

    def __str__(self) -> str:
        return "\n".join(self.found)


def compare_methods(
    results: Any,
    *,
    score: str | None = None,
    classifier: str | None = None,
    reference: str | None = None,
    fallback: Fallback | None = None,
) -> Comparison:
    """Compare the methods of a study with each other and with baselines.

    Methods are ranked on each data set, and rank tests compare them over data sets (Demšar 2006).
    Baselines use no features: chance and the majority class for classes, the mean of the training
    rows for a numeric target, chance and the Kaplan-Meier curve for survival times.

    Parameters
    ----------
    results : hetsel.Results
        Results of a study with at least one finished cell.
    score : str, optional
        Score that methods are compared by. Default: "bcr" for classes, "r2" for a numeric target,
        "concordance" for survival times. Errors ("mae", "rmse", "ibs") are negated (`neg_mae` and
        so on), so that larger is always better.
    classifier : str, optional
        Label of the judge whose scores are compared. Default: the first judge of the plan.
    reference : str, optional
        Label of a method that all others are tested against, beside the tests of all pairs; see
        `Comparison.control`. Choose it before seeing the results. Default: none.
    fallback : {"baseline"}, optional
        Failed cells have the scores of the baseline, which uses no features. Default: failed cells
        are missing; see :func:`hetsel.stats.skillings_mack`.

    Returns
    -------
    Comparison

    Raises
    ------
    TableError
        If no cell of the study is finished, if no cell has a score, or if `score`, `classifier` or
        `reference` is not legal.

    See Also
    --------
    hetsel.compare_treatments : Compare treatments of a data set with the untreated data set.
    hetsel.write_study_report : Write the comparison as a report with figures.

    References
    ----------
    Demšar (2006) Journal of Machine Learning Research 7, 1-30.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from hetsel import Study
    >>> study = Study(datasets=["heart"], methods=["hsic", "cmim"], resamplings=4, sizes=[2])
    >>> with TemporaryDirectory() as folder:
    ...     results = study.run(f"{folder}/study.sqlite", n_jobs=0, progress=False)
    ...     comparison = compare_methods(results)
    >>> comparison.ranks["analysis"].unique().tolist()
    ['all sizes', 'own size', 'one size']
    """
    summary = summarized(results, score, classifier, reference, fallback)
    if isinstance(summary, SummaryOfKinds):
        return _over_kinds(summary)
    summary.check()
    return _of_one_kind(summary)


def _of_one_kind(summary: Summary) -> Comparison:
    return Comparison(
        tuple(section_list.found(summary)),
        ranks_frame(summary),
        pairs_frame(summary),
        crossfitted(summary),
        baselines_frame(summary),
        summary.reference,
        summary.resampled,
        {name: summary.results.test_shares[name] for name in summary.datasets},
        summary.treatments,
        summary.by_training_rows,
        summary.effects,
        summary.differences,
        summary.control_tests,
        _summary=summary,
    )


def _over_kinds(summary: SummaryOfKinds) -> Comparison:
    """Compare ranks over all data sets, and scores for each kind of target."""
    kinds = {kind: _of_one_kind(one) for kind, one in summary.by_kind.items()}
    every = kinds.values()
    return Comparison(
        tuple(found_over_kinds(summary)),
        ranks_frame(summary),
        pairs_frame(summary),
        pd.concat([one.crossfitted for one in every], ignore_index=True),
        pd.concat([one.baselines for one in every], ignore_index=True),
        "",
        next(iter(every)).resampled[:0],
        {name: share for one in every for name, share in one.test_shares.items()},
        summary.treatments,
        pd.concat([one.training_rows for one in every], ignore_index=True),
        kinds=dict(kinds),
        _summary=summary,
    )
