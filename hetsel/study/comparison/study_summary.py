"""The numbers of a report: means, intervals, stability, chosen sizes and mean ranks."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from hetsel.ground import TableError
from hetsel.statistics.comparisons import friedman, resampled_means
from hetsel.statistics.performance.scores import Scores
from hetsel.statistics.stability.measures_of_stability import nogueira_interval
from hetsel.study.comparison import crossfitted_scores, rank_tests, reference_size
from hetsel.study.comparison.baselines import WHAT, Baseline, baseline
from hetsel.study.comparison.pair_probabilities import bayesian_pairs
from hetsel.study.comparison.rank_tests import Analysis, RankedMeasure, RankTest
from hetsel.study.plan.treated_data_sets import treatments_in

KEYS = ["dataset", "method", "size"]
MOST, BEST = 8, 5  # methods told apart in a figure: all up to 8, of more the best 5
OWN, ONE = "Each method at its own size", "All methods at one size"


class Summary:
    """All numbers that tables, figures and words share, each computed once.

    `score` is what methods are compared by, the first of the target where none is named. Of an
    error, of which less is better, the negative takes its place (`neg_mae`), as in scikit-learn:
    larger is better everywhere, and rank 1 is best.
    """

    def __init__(self, results: Any, score: str | None = None) -> None:
        if not hasattr(results, "scores"):
            raise TableError(
                f"results must be those of a study, as hetsel.Results(store). Got {results!r:.60}"
            )
        self.results = results
        names = results.scores.names
        if score is not None and score not in names:
            raise TableError(f"score must be one of {', '.join(names)}. Got {score!r}")
        self.score: str = names[0] if score is None else score
        self.full = _with_negatives(results.frame(), results.scores)
        scored = self.full.groupby("dataset")[self.performance.key].count()
        present, here = set(self.full["method"]), set(scored.index[scored > 0])
        self.methods = [label for label in results.methods if label in present]
        self.datasets = [name for name in results.datasets if name in here]
        self.treatments = treatments_in(results.plan, self.datasets)
        self.classifiers = list(results.classifiers)
        self.classifier = self.classifiers[0]
        self.frame = self.full[self.full["classifier"] == self.classifier]

    def check(self) -> None:
        """Refuse a study in which there is nothing to compare."""
        if not self.datasets and len(self.full):
            advice = "Ask for more test rows"
            if self.judge != "regressor":  # of numbers splits keep no shares
                advice += ", or for stratified resamplings"
            raise TableError(
                f"no test part has {self.results.scores.needs}: there is no "
                f"{self.performance.label} to report. {advice}"
            )
        if not self.datasets:
            raise TableError("no cell of the study is finished: there is nothing to report")

    @cached_property
    def performance(self) -> RankedMeasure:
        """The score that methods are compared by: as asked, or the first of the target."""
        return rank_tests.ranked_measure(self.results.scores, self.score)

    @property
    def judge(self) -> str:
        """What predicts, in a word: "classifier", "regressor" or "survival model"."""
        return str(self.results.scores.judge)

    @property
    def measures(self) -> tuple[RankedMeasure, RankedMeasure]:
        """What methods are ranked by: performance and stability."""
        return self.performance, rank_tests.KI

    @cached_property
    def scores(self) -> pd.DataFrame:
        """`mean_intervals` of the performance, with `corrected`, half that of Nadeau and Bengio."""
        return self._scored(self.frame)

    def _scored(self, frame: pd.DataFrame) -> pd.DataFrame:
        table = mean_intervals(frame, self.performance.key)
        shares = table["dataset"].map(self.results.test_shares)
        return table.assign(
            corrected=resampled_means.half_widths(table["std"], table["number"], shares)
        )

    @cached_property
    def categorical(self) -> pd.DataFrame:
        """Mean number of categorical features in a signature, with its naive 95 % t interval."""
        return mean_intervals(self.frame, "n_categorical")

    @cached_property
    def stability(self) -> pd.DataFrame:
        """Kuncheva's index by data set, method and size below p; Nogueira's interval is its own."""
        return self._stability(self.frame)

    def _stability(self, frame: pd.DataFrame) -> pd.DataFrame:
        rows = []
        for dataset in self.datasets:
            sizes = np.unique(self.frame.loc[self.frame["dataset"] == dataset, "size"])
            for method in self.methods:
                here = (frame["dataset"] == dataset) & (frame["method"] == method)
                some = frame.loc[here, "resampling"].unique()
                p = len(self.names(dataset))
                for size in sizes[sizes < p]:
                    numbers, chosen = self.results.signatures(dataset, method, int(size))
                    chosen = chosen[np.isin(numbers, some)]
                    if len(chosen) > 1:
                        value = nogueira_interval(chosen, level=reference_size.LEVEL)
                        ends = (value.stability, value.low, value.high)
                        rows.append((dataset, method, int(size), *ends))
        return pd.DataFrame(rows, columns=[*KEYS, "value", "low", "high"])

    def shares(self, dataset: str) -> pd.DataFrame:
        """Share of resamplings (features, methods) with a feature in the chosen signature."""
        columns = {}
        for method in self.methods:
            _, signatures = self.results.signatures(dataset, method, self.chosen[dataset])
            if len(signatures):
                columns[method] = signatures.mean(axis=0)
        return pd.DataFrame(columns, index=self.names(dataset))

    def names(self, dataset: str) -> list[str]:
        """Names of the features of a data set."""
        return [str(name) for name in self.results.datasets[dataset]["features"]]

    @cached_property
    def reference(self) -> str:
        """The method whose performance chooses the small size: rfe-mkl, else the first best."""
        return self.references[0]

    @cached_property
    def references(self) -> list[str]:
        """The reference, and before it is chosen by its place those that tie with it."""
        if reference_size.REFERENCE in self.methods:
            return [reference_size.REFERENCE]
        scores = self._tables(self.scores)
        means = scores.groupby("method")["value"].mean().reindex(self.methods).dropna()
        return reference_size.best_methods(
            _blocks(scores, ["dataset", "size"], self.methods), means
        )

    def made(self, measure: RankedMeasure) -> list[Analysis]:
        """The analyses that have a test."""
        return [a for a in self.analyses(measure) if not a.test.reason]

    def named(self, measure: RankedMeasure) -> Analysis | None:
        """The analysis that sentences are by, at their level: the first that has a test."""
        made = self.made(measure)
        return replace(made[0], test=made[0].test.at(self.level_of(measure))) if made else None

    def level_of(self, measure: RankedMeasure) -> float:
        """The level of the ranks by a measure over the data sets."""
        return self.levels[0] if measure is self.performance else self.levels[1]

    @property
    def pairs_level(self) -> float:
        """The level of pairs on single data sets: the main question, where ranks have no test."""
        return self.levels[1] if self.main else self.levels[0]

    @cached_property
    def main(self) -> RankTest | None:
        """Ranks by performance over the data sets, where so many data sets can reject."""
        tests = [analysis.test for analysis in self.made(self.performance)[:1]]
        return next((test for test in tests if test.can_reject), None)

    @cached_property
    def levels(self) -> tuple[float, float]:
        """The levels of the main family of tests, and of each other one."""
        others = [self.made(m)[:1] for m in self.measures if m is not self.performance]
        ranks = [analysis.test for made in others for analysis in made]
        tables = [self.own_pairs]
        for one in self.baselines:
            tables += [one.by_dataset, one.overall]
        asked = 2 if self.treatments else 0  # at either rule of sizes
        return rank_tests.levels_of_sentences(self.main, ranks, tables, asked)

    @cached_property
    def leaders(self) -> list[str]:
        """Methods by their mean rank on performance: by the first test, or at their own sizes."""
        made = self.made(self.performance)
        test = made[0].test if made else self.analyses(self.performance)[1].test
        if np.isnan(test.mean_ranks).all():
            test = self.by_dataset(self.performance)
        order = np.argsort(np.nan_to_num(test.mean_ranks, nan=np.inf), kind="stable")
        return [self.methods[k] for k in order]

    @property
    def told(self) -> list[str]:
        """Methods that figures tell apart: all, or of many the best ones."""
        return self.methods if len(self.methods) <= MOST else self.leaders[:BEST]

    @cached_property
    def chosen(self) -> dict[str, int]:
        """For each data set the smallest size as good as the best, by the naive interval."""
        return self.small_sizes_by("naive")

    @cached_property
    def best_sizes(self) -> dict[str, list[int]]:
        """For each data set the sizes of the reference's best mean: several where these tie."""
        return {
            name: reference_size.sizes_of_best_mean(curves)
            for name, curves in self._reference_curves()
        }

    def small_sizes_by(self, correction: resampled_means.Correction) -> dict[str, int]:
        """For each data set the smallest size in the interval of the reference's best mean."""
        return {
            name: reference_size.small_size_of(curves, self.results.test_shares[name], correction)
            for name, curves in self._reference_curves()
        }

    def _reference_curves(self) -> Iterator[tuple[str, pd.DataFrame]]:
        score = self.performance.key
        return reference_size.reference_curves(self.frame, score, self.reference, self.datasets)

    def against_reference(
        self, dataset: str, method: str
    ) -> tuple[resampled_means.ResampledTest, ...]:
        """Paired t-tests of the reference's performance minus a method's at the chosen size."""
        small = self.frame[
            (self.frame["dataset"] == dataset) & (self.frame["size"] == self.chosen[dataset])
        ]
        table = small.pivot(index="resampling", columns="method", values=self.performance.key)
        return reference_size.paired_tests(
            table, self.reference, method, self.results.test_shares[dataset]
        )

    def small(self, values: pd.DataFrame) -> pd.DataFrame:
        """The rows of a table that belong to the chosen sizes."""
        return values[values["size"] == values["dataset"].map(self.chosen)]

    @cached_property
    def shared(self) -> pd.DataFrame:
        """The rows of the resamplings that every method of a data set has finished."""
        methods = self.frame.groupby(["dataset", "resampling"])["method"].transform("nunique")
        most = self.frame.groupby("dataset")["method"].transform("nunique")
        return self.frame[methods == most]

    @cached_property
    def shared_scores(self) -> pd.DataFrame:
        """Mean performance over the shared resamplings: means over others do not compare."""
        return self._scored(self.shared)

    @cached_property
    def shared_stability(self) -> pd.DataFrame:
        """Stability over the shared resamplings."""
        complete = len(self.shared) == len(self.frame)
        return self.stability if complete else self._stability(self.shared)

    def _ranked(self, measure: RankedMeasure) -> pd.DataFrame:
        """What methods are ranked by: a measure over the shared resamplings."""
        return self._tables(
            self.shared_stability if measure is rank_tests.KI else self.shared_scores
        )

    def _tables(self, values: pd.DataFrame) -> pd.DataFrame:
        """The rows of the tables; their treatments are no independent blocks."""
        return values[~values["dataset"].isin(self.treatments)]

    @cached_property
    def own_size(self) -> crossfitted_scores.CrossfittedScores:
        """Each method at a size of its own, chosen by its curve on the other half."""
        return crossfitted_scores.score_crossfitted(
            self.results, self.shared, self.performance.key, self.datasets, own=True
        )

    @cached_property
    def one_size(self) -> crossfitted_scores.CrossfittedScores:
        """All methods at one size, chosen by the mean of their curves on the other half."""
        return crossfitted_scores.score_crossfitted(
            self.results, self.shared, self.performance.key, self.datasets, own=False
        )

    @cached_property
    def kept_shares(self) -> pd.Series:
        """Share of the features that each method keeps at its own size, mean over the data sets."""
        table = self.own_size.sizes
        features = table["dataset"].map(lambda name: len(self.names(name)))
        shares = table[["even", "odd"]].mean(axis=1) / features
        return shares.groupby(table["method"]).mean().reindex(self.methods)

    @cached_property
    def own_pairs(self) -> pd.DataFrame:
        """Pairs of methods on each data set, each method at its own size; see `pair_tests`."""
        return crossfitted_scores.pair_tests(self.own_size, self.results.test_shares)

    @cached_property
    def resampled(self) -> pd.DataFrame:
        """Scores at cross-fitted sizes by both rules: `analysis`, and the columns of `frame`."""
        rules = {"own size": self.own_size.frame, "one size": self.one_size.frame}
        parts = (frame.assign(analysis=name) for name, frame in rules.items())
        columns = ["analysis", "dataset", "method", "resampling", "size", "value"]
        return pd.concat(parts, ignore_index=True)[columns]

    @cached_property
    def bayesian_pairs(self) -> pd.DataFrame:
        """See `bayesian_pairs`; none by an error, in whose unit nothing is practically equal."""
        shares = self.results.test_shares
        if self.performance.unit:
            return bayesian_pairs(self.resampled[:0], shares, self.methods)
        return bayesian_pairs(self.resampled, shares, self.methods, treatments=self.treatments)

    @cached_property
    def baselines(self) -> list[Baseline]:
        """Scores against what is reached without the features, a score for each kind of that."""
        scores, shares = self.results.scores, self.results.test_shares
        kinds: dict[str, tuple[str, str]] = {}
        for score, column in scores.baselines.items():
            if WHAT[column] not in kinds or score == self.score:
                kinds[WHAT[column]] = score, column
        made = []
        for what, (score, column) in kinds.items():
            sign, unit = (
                rank_tests.NEGATIVE if score in scores.losses else "",
                score in scores.in_units,
            )
            names = f"{sign}{score}", f"{sign}{column}"
            made.append(
                baseline(
                    self.frame, *names, shares, self.methods, self.treatments, what=what, unit=unit
                )
            )
        return made

    def measure(self, key: str) -> RankedMeasure:
        """The measure of a score or of its negative, by the name of its column."""
        return rank_tests.ranked_measure(self.results.scores, key.removeprefix(rank_tests.NEGATIVE))

    def analyses(self, measure: RankedMeasure) -> list[Analysis]:
        """The comparisons that treat methods alike, data sets as blocks: they hold their level."""
        return self._analyses[measure.key]

    @cached_property
    def _analyses(self) -> dict[str, list[Analysis]]:
        return {
            one.key: [
                Analysis("all-sizes", "all sizes", "Over all sizes", self.by_dataset(one)),
                Analysis("own-size", "own size", OWN, self._at(self.own_size, one, OWN)),
                Analysis("one-size", "one size", ONE, self._at(self.one_size, one, ONE)),
            ]
            for one in self.measures
        }

    def _at(
        self, rule: crossfitted_scores.CrossfittedScores, measure: RankedMeasure, where: str
    ) -> RankTest:
        values = self._tables(rule.stability if measure is rank_tests.KI else rule.scores)
        blocks = _table(values, ["dataset"], self.methods)
        return rank_tests.compare_ranks(blocks, f"data set ({where.lower()})", permute=True)

    def printed(self, measure: RankedMeasure) -> list[Analysis]:
        """The comparisons as paul2015 prints them."""
        return self._printed[measure.key]

    @cached_property
    def _printed(self) -> dict[str, list[Analysis]]:
        every = "data set × size", "Over all sizes of all data sets"
        small = f"size chosen by {self.reference}", f"At the size that {self.reference} chooses"
        return {
            one.key: [
                Analysis("printed-all-sizes", *every, self.all_sizes(one)),
                Analysis("printed-one-size", *small, self.small_sizes(one)),
            ]
            for one in self.measures
        }

    def all_sizes(self, measure: RankedMeasure) -> RankTest:
        """Every size of every data set is a block: paul2015, section 4.2."""
        table = _blocks(self._ranked(measure), ["dataset", "size"], self.methods)
        return rank_tests.compare_ranks(table, "data set × size")

    def by_dataset(self, measure: RankedMeasure) -> RankTest:
        """Data sets are blocks: ranks, averaged over the sizes of a data set, ranked again."""
        table = _table(self._ranked(measure), ["dataset", "size"], self.methods)
        # at sizes that all methods have which the data set has at all
        has = table.notna().groupby(level="dataset").transform("any")
        means = friedman.mean_ranks_by_dataset(table[(table.notna() | ~has).all(axis=1)])
        what = "data set (mean ranks over its sizes)"
        return rank_tests.compare_ranks(means, what, larger_is_better=False, permute=True)

    def small_sizes(self, measure: RankedMeasure) -> RankTest:
        """Data sets are blocks, each at the size that the reference chose: paul2015, section 5."""
        table = _blocks(self.small(self._ranked(measure)), ["dataset"], self.methods)
        return rank_tests.compare_ranks(
            table, f"data set (at the size that {self.reference} chooses)"
        )

    @cached_property
    def seconds(self) -> pd.DataFrame:
        """Mean CPU seconds of one ranking of a method (columns) on a data set (rows)."""
        return self._of_cells("rank_seconds", "mean")

    @cached_property
    def counts(self) -> pd.DataFrame:
        """Number of resamplings that a method (columns) finished on a data set (rows)."""
        return self._of_cells("resampling", "count").fillna(0).astype(int)

    def _of_cells(self, column: str, aggregate: Any) -> pd.DataFrame:
        cells = self.full.drop_duplicates(["dataset", "method", "resampling"])
        table = cells.pivot_table(column, "dataset", "method", aggfunc=aggregate)
        return table.reindex(index=self.datasets, columns=self.methods)


def _with_negatives(frame: pd.DataFrame, scores: Scores) -> pd.DataFrame:
    """The scores and the negatives of those of which less is better, and of their baselines."""
    names = [*scores.losses, *(scores.baselines[n] for n in scores.losses if n in scores.baselines)]
    return frame.assign(**{f"{rank_tests.NEGATIVE}{name}": -frame[name] for name in names})


def mean_intervals(frame: pd.DataFrame, column: str) -> pd.DataFrame:
    """Means over the resamplings with the naive t interval, m ± t_(K-1) s / sqrt(K)."""
    groups = frame.groupby(KEYS, sort=False, observed=True)[column]
    table = groups.agg(["mean", "std", "count"]).reset_index()
    table = table.rename(columns={"mean": "value", "count": "number"})
    half = resampled_means.half_widths(table["std"], table["number"])
    return table.assign(low=table["value"] - half, high=table["value"] + half)


def _blocks(values: pd.DataFrame, blocks: list[str], methods: list[str]) -> pd.DataFrame:
    """One row per block and one column per method; blocks that lack a method are left out."""
    return _table(values, blocks, methods).dropna()


def _table(values: pd.DataFrame, blocks: list[str], methods: list[str]) -> pd.DataFrame:
    """One row per block and one column per method."""
    if values.empty:
        return pd.DataFrame(columns=[*blocks, *methods], dtype=np.float64).set_index(blocks)
    table = values.pivot_table("value", blocks, "method", aggfunc="mean")
    return table.reindex(columns=methods)
