"""The numbers of a study report: means, intervals, stability, chosen sizes and mean ranks."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from hetsel.ground import TableError
from hetsel.ground.text import value_or_type
from hetsel.statistics.comparisons import friedman, resampled_means
from hetsel.statistics.performance.scores import Scores
from hetsel.statistics.stability.measures_of_stability import nogueira_interval
from hetsel.study.comparison import (
    control_tests,
    crossfitted_scores,
    failed_cells,
    method_effects,
    rank_tests,
    reference_size,
    training_sizes,
)
from hetsel.study.comparison.baselines import WHAT, Baseline, baseline
from hetsel.study.comparison.pair_probabilities import bayesian_pairs
from hetsel.study.comparison.rank_tests import Analysis, RankedMeasure, RankTest
from hetsel.study.comparison.ranked_summary import CLOCKS, RankedBlocks, RankedSummary
from hetsel.study.plan.treated_data_sets import treatments_in

KEYS = ["dataset", "method", "size"]
MOST, BEST = 8, 5  # methods highlighted in figures: all up to 8, otherwise the best 5
OWN, ONE = "Each method at its own size", "All methods at one size"


class Summary(RankedSummary):
    """All numbers of tables, figures and sentences, each computed once.

    Methods are compared by `score`, by default the first score of the target, of the judge
    `classifier`, by default the first one of the plan. Errors are negated (`neg_mae`), as in
    scikit-learn, so that larger is always better and rank 1 is best. `control` is the label of a
    method that the others are tested against, beside the tests of all pairs. With a `fallback`
    failed cells have the scores of the baseline.
    """

    def __init__(
        self,
        results: Any,
        score: str | None = None,
        classifier: str | None = None,
        *,
        control: str | None = None,
        fallback: failed_cells.Fallback | None = None,
    ) -> None:
        if not hasattr(results, "scores"):
            raise TableError(
                "results must be results of a study, such as hetsel.Results(store). Got "
                f"{value_or_type(results)}"
            )
        self.study = results  # with all numbers of training rows
        if smaller := training_sizes.smaller_parts(results.datasets):
            results = results.of_data_sets([n for n in results.datasets if n not in smaller])
        self.results = results
        names = results.scores.names
        if score is not None and score not in names:
            raise TableError(f"score must be one of {', '.join(names)}. Got {score!r}")
        self.score: str = names[0] if score is None else score
        self.classifiers = list(results.classifiers)
        if classifier is not None and classifier not in self.classifiers:
            raise TableError(
                f"classifier must be one of {', '.join(self.classifiers)}, the judges of the "
                f"study. Got {classifier!r:.60}"
            )
        self.classifier = self.classifiers[0] if classifier is None else classifier
        failed_cells.check_fallback(fallback, results.scores, self.score)
        self.fallback = fallback
        self.finished = _with_negatives(results.frame(), results.scores)
        self.full = self._with_fallback(self.finished, results)
        self.frame = self.full[self.full["classifier"] == self.classifier]
        scored = self.frame.groupby("dataset")[self.performance.key].count()
        present, here = set(self.frame["method"]), set(scored.index[scored > 0])
        self.methods = [label for label in results.methods if label in present]
        self.datasets = [name for name in results.datasets if name in here]
        self.treatments = treatments_in(results.plan, self.datasets)
        if control is not None and control not in self.methods:
            raise TableError(
                "reference must be the label of a method with finished cells, one of "
                f"{', '.join(self.methods)}. Got {control!r:.60}"
            )
        self.control = control

    def _with_fallback(self, frame: pd.DataFrame, results: Any) -> pd.DataFrame:
        """Add the failed cells with the scores of the baseline, if there is a fallback."""
        if self.fallback is None or frame.empty or (failures := results.failures()).empty:
            return frame
        judges = {name: results.judges_of(name) for name in results.datasets}
        rows = failed_cells.baseline_rows(frame, failures, results.scores, judges)
        return pd.concat([frame, _with_negatives(rows, results.scores)], ignore_index=True)

    @cached_property
    def fallen_back(self) -> int:
        """The number of cells that have the scores of the baseline, by the judge."""
        cells = self.frame.loc[self.frame["rank_seconds"].isna()]
        return len(cells.drop_duplicates(["dataset", "method", "resampling"]))

    def check(self) -> None:
        """Raise an error if there is nothing to compare."""
        if not self.datasets and len(self.frame):
            advice = "Use more held-out rows"
            if self.judge != "regressor":  # splits of numeric targets have no strata
                advice += " or stratified resamplings"
            raise TableError(
                f"no resampling has {self.results.scores.needs} among its held-out rows, so there "
                f"is no {self.performance.label} to report. {advice}"
            )
        if not self.datasets:
            judged = [label for label in self.classifiers if label != self.classifier]
            if len(self.full):
                raise TableError(
                    f"no cell has a score of the judge {self.classifier!r}. Run the study, or use "
                    f"another judge: {', '.join(judged)}"
                )
            raise TableError("no cell of the study is finished. Run the study first")

    @cached_property
    def by_judge(self) -> "dict[str, Summary]":
        """The same numbers by each judge of the study."""
        return {
            label: self
            if label == self.classifier
            else Summary(self.results, self.score, label, fallback=self.fallback)
            for label in self.classifiers
        }

    @cached_property
    def performance(self) -> RankedMeasure:
        """The measure that methods are compared by."""
        return rank_tests.ranked_measure(self.results.scores, self.score)

    @property
    def judge(self) -> str:
        """The kind of judge: "classifier", "regressor" or "survival model"."""
        return str(self.results.scores.judge)

    @cached_property
    def scores(self) -> pd.DataFrame:
        """`mean_intervals` of the performance; `corrected` is half the corrected interval."""
        return self._scored(self.frame)

    def _scored(self, frame: pd.DataFrame) -> pd.DataFrame:
        table = mean_intervals(frame, self.performance.key)
        shares = table["dataset"].map(self.results.test_shares)
        return table.assign(
            corrected=resampled_means.half_widths(table["std"], table["number"], shares)
        )

    @cached_property
    def categorical(self) -> pd.DataFrame:
        """Mean number of categorical features in a signature, with its naive 95% t interval."""
        return mean_intervals(self.frame, "n_categorical")

    @cached_property
    def stability(self) -> pd.DataFrame:
        """Kuncheva's index by data set, method and size below p, with Nogueira's interval."""
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
        """Return the selection frequency (features, methods) at the chosen size."""
        columns = {}
        for method in self.methods:
            _, signatures = self.results.signatures(dataset, method, self.chosen[dataset])
            if len(signatures):
                columns[method] = signatures.mean(axis=0)
        return pd.DataFrame(columns, index=self.names(dataset))

    def names(self, dataset: str) -> list[str]:
        """Return the names of the features of a data set."""
        return [str(name) for name in self.results.datasets[dataset]["features"]]

    @cached_property
    def reference(self) -> str:
        """The method that chooses the small size: rfe-mkl, otherwise the best method."""
        return self.references[0]

    @cached_property
    def references(self) -> list[str]:
        """The reference and the methods that tie with it."""
        if reference_size.REFERENCE in self.methods:
            return [reference_size.REFERENCE]
        scores = self._tables(self.scores)
        means = scores.groupby("method")["value"].mean().reindex(self.methods).dropna()
        return reference_size.best_methods(
            _blocks(scores, ["dataset", "size"], self.methods), means
        )

    @property
    def pairs_level(self) -> float:
        """The level of pairs on single data sets, the main family if ranks have no test."""
        return self.levels[1] if self.main else self.levels[0]

    @property
    def tested_tables(self) -> list[pd.DataFrame]:
        """Tests beside the ranks: pairs on each data set, and scores against baselines."""
        tables = [self.own_pairs]
        for one in self.baselines:
            tables += [one.by_dataset, one.overall]
        return tables

    @cached_property
    def leaders(self) -> list[str]:
        """Methods by mean rank on performance, in the first test or at their own sizes."""
        made = self.made(self.performance)
        test = made[0].test if made else self.analyses(self.performance)[1].test
        if np.isnan(test.mean_ranks).all():
            test = self.by_dataset(self.performance)
        order = np.argsort(np.nan_to_num(test.mean_ranks, nan=np.inf), kind="stable")
        return [self.methods[k] for k in order]

    @property
    def told(self) -> list[str]:
        """Methods that figures highlight: all, or the best of many."""
        return self.methods if len(self.methods) <= MOST else self.leaders[:BEST]

    @cached_property
    def chosen(self) -> dict[str, int]:
        """The small size of each data set by the naive interval."""
        return self.small_sizes_by("naive")

    @cached_property
    def best_sizes(self) -> dict[str, list[int]]:
        """The sizes of the reference's best mean by data set; several if they tie."""
        return {
            name: reference_size.sizes_of_best_mean(curves)
            for name, curves in self._reference_curves()
        }

    def small_sizes_by(self, correction: resampled_means.Correction) -> dict[str, int]:
        """Return the smallest size in the interval of the reference's best mean by data set."""
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
        """Return paired t-tests of the reference minus a method at the chosen size."""
        small = self.frame[
            (self.frame["dataset"] == dataset) & (self.frame["size"] == self.chosen[dataset])
        ]
        table = small.pivot(index="resampling", columns="method", values=self.performance.key)
        return reference_size.paired_tests(
            table, self.reference, method, self.results.test_shares[dataset]
        )

    def small(self, values: pd.DataFrame) -> pd.DataFrame:
        """Return the rows of a table at the chosen sizes."""
        return values[values["size"] == values["dataset"].map(self.chosen)]

    @cached_property
    def shared(self) -> pd.DataFrame:
        """The rows of resamplings that all methods of a data set have, without those left out."""
        frame = self.frame
        if self.left_out:
            places = pd.MultiIndex.from_frame(frame[["dataset", "method"]])
            frame = frame[
                ~places.isin([(dataset, method) for dataset, method, *_ in self.left_out])
            ]
        return _shared(frame)

    @cached_property
    def left_out(self) -> list[tuple[str, str, int, int]]:
        """Methods that are missing values on a data set, as too many of their cells are missing.

        Methods are compared on the resamplings that all of them have. While these are fewer than
        half of the resamplings of the data set, the method that lacks most of them is left out.
        Each entry has the data set, the method, the number of its resamplings, and that of all.
        """
        cells = self.frame[["dataset", "method", "resampling"]].drop_duplicates()
        left_out = []
        for dataset, own in cells.groupby("dataset", sort=False):
            have = {m: set(rows) for m, rows in own.groupby("method", sort=False)["resampling"]}
            every = len(set().union(*have.values()))
            while len(have) > 1 and 2 * len(set.intersection(*have.values())) < every:
                method = min(reversed(have), key=lambda name: len(have[name]))
                left_out.append((str(dataset), str(method), len(have.pop(method)), every))
        return left_out

    @cached_property
    def shared_scores(self) -> pd.DataFrame:
        """Mean performance over the shared resamplings, which is comparable."""
        return self._scored(self.shared)

    @cached_property
    def shared_stability(self) -> pd.DataFrame:
        """Stability over the shared resamplings."""
        complete = len(self.shared) == len(self.frame)
        return self.stability if complete else self._stability(self.shared)

    def _ranked(self, measure: RankedMeasure) -> pd.DataFrame:
        """Return a measure over the shared resamplings without treatments."""
        return self._tables(
            self.shared_stability if measure is rank_tests.KI else self.shared_scores
        )

    def _tables(self, values: pd.DataFrame) -> pd.DataFrame:
        """Return the rows without treatments, which are not independent blocks."""
        return values[~values["dataset"].isin(self.treatments)]

    @cached_property
    def own_size(self) -> crossfitted_scores.CrossfittedScores:
        """Each method at its own size, chosen by its curve on the other half."""
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
    def by_training_rows(self) -> pd.DataFrame:
        """Means at cross-fitted sizes by number of training rows; see `crossfitted_frame`."""
        parts = training_sizes.smaller_parts(self.study.datasets)
        if not parts:
            return pd.DataFrame()
        names = [n for n in self.study.datasets if n in {*parts, *parts.values()}]
        frame = _with_negatives(self.study.frame(), self.results.scores)
        frame = self._with_fallback(frame, self.study)
        frame = frame[(frame["classifier"] == self.classifier) & frame["dataset"].isin(names)]
        own, one = (
            crossfitted_scores.score_crossfitted(
                self.study, _shared(frame), self.performance.key, names, own=own
            )
            for own in (True, False)
        )
        table = crossfitted_scores.crossfitted_frame(
            own, one, self.performance.key, self.performance.limits
        )
        return training_sizes.by_training_rows(table, self.study.datasets)

    @cached_property
    def kept_shares(self) -> pd.Series:
        """Mean proportion of the features that each method keeps at its own size."""
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
        """See `bayesian_pairs`; empty for errors, whose unit has no practical equivalence."""
        shares = self.results.test_shares
        if self.performance.unit:
            return bayesian_pairs(self.resampled[:0], shares, self.methods)
        return bayesian_pairs(self.resampled, shares, self.methods, treatments=self.treatments)

    @cached_property
    def baselines(self) -> list[Baseline]:
        """Comparisons of scores with baselines, one for each kind of baseline."""
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
        """Return the measure of a score or of its negative by the name of its column."""
        return rank_tests.ranked_measure(self.results.scores, key.removeprefix(rank_tests.NEGATIVE))

    def blocks(self, measure: RankedMeasure) -> list[RankedBlocks]:
        """Return the tables of the analyses that treat methods alike."""
        return [
            self._over_all_sizes(measure),
            self._at("own-size", self.own_size, measure, OWN),
            self._at("one-size", self.one_size, measure, ONE),
        ]

    def _at(
        self,
        key: str,
        rule: crossfitted_scores.CrossfittedScores,
        measure: RankedMeasure,
        where: str,
    ) -> RankedBlocks:
        table, head = self._blocks_of(rule, measure), key.replace("-", " ")
        return RankedBlocks(key, head, where, f"data set ({where.lower()})", table)

    def _blocks_of(
        self, rule: crossfitted_scores.CrossfittedScores, measure: RankedMeasure
    ) -> pd.DataFrame:
        values = self._tables(rule.stability if measure is rank_tests.KI else rule.scores)
        return _table(values, ["dataset"], self.methods)

    @cached_property
    def compared_blocks(self) -> list[method_effects.ComparedBlocks]:
        """The values of data sets and methods that effects are computed from.

        Over all sizes these are means over the sizes that all methods of a data set have. Errors
        are omitted, since the units of data sets differ.
        """
        return [
            method_effects.ComparedBlocks(
                one.label,
                analysis.head,
                self._at_shared_sizes(one).groupby(level="dataset", sort=False).mean()
                if rule is None
                else self._blocks_of(rule, one),
                analysis.test,
                None if rule is None or one is rank_tests.KI else rule.frame,
            )
            for one in self.measures
            if not one.unit
            for analysis, rule in zip(
                self.analyses(one), (None, self.own_size, self.one_size), strict=True
            )
        ]

    @cached_property
    def effects(self) -> pd.DataFrame:
        """Differences of pairs of methods over the data sets; see `effects_frame`."""
        return method_effects.effects_frame(self.compared_blocks)

    @cached_property
    def differences(self) -> pd.DataFrame:
        """Differences of pairs of methods on each data set; see `differences_frame`."""
        return method_effects.differences_frame(self.compared_blocks, self.results.test_shares)

    @cached_property
    def control_tests(self) -> pd.DataFrame:
        """Tests against the control by measure and analysis, if there is one."""
        parts = []
        for one in self.measures if self.control else ():
            ranks = friedman.mean_ranks_by_dataset(self._at_shared_sizes(one))
            tables = (ranks, *(self._blocks_of(r, one) for r in (self.own_size, self.one_size)))
            for k, (analysis, table) in enumerate(zip(self.analyses(one), tables, strict=True)):
                tested = control_tests.control_frame(
                    analysis.test, table, str(self.control), larger_is_better=k > 0
                )
                parts.append(tested.assign(measure=one.label, analysis=analysis.head))
        return method_effects.stacked_tables(parts, [*method_effects.KEYS, *control_tests.COLUMNS])

    def printed(self, measure: RankedMeasure) -> list[Analysis]:
        """Return the analyses of Paul et al. (2015)."""
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
        """Test with every size of every data set as a block: Paul et al. (2015), section 4.2."""
        table = _blocks(self._ranked(measure), ["dataset", "size"], self.methods)
        return rank_tests.compare_ranks(table, "data set × size")

    def by_dataset(self, measure: RankedMeasure) -> RankTest:
        """Test with data sets as blocks: mean ranks over sizes, ranked again."""
        return self._over_all_sizes(measure).analysis().test

    def _over_all_sizes(self, measure: RankedMeasure) -> RankedBlocks:
        means = friedman.mean_ranks_by_dataset(self._at_shared_sizes(measure))
        what = "data set (mean ranks over its sizes)"
        return RankedBlocks(
            "all-sizes", "all sizes", "Over all sizes", what, means, larger_is_better=False
        )

    def _at_shared_sizes(self, measure: RankedMeasure) -> pd.DataFrame:
        """Return a measure at the sizes that all methods of the data set have."""
        table = _table(self._ranked(measure), ["dataset", "size"], self.methods)
        has = table.notna().groupby(level="dataset").transform("any")
        return table[(table.notna() | ~has).all(axis=1)]

    def small_sizes(self, measure: RankedMeasure) -> RankTest:
        """Test with data sets as blocks at the chosen size: Paul et al. (2015), section 5."""
        table = _blocks(self.small(self._ranked(measure)), ["dataset"], self.methods)
        return rank_tests.compare_ranks(
            table, f"data set (at the size that {self.reference} chooses)"
        )

    @cached_property
    def seconds(self) -> dict[str, pd.DataFrame]:
        """Mean seconds of one selection by the keys of `CLOCKS`, then data set and method."""
        return {clock.key: self._of_cells(clock.key, "mean") for clock in CLOCKS}

    @cached_property
    def counts(self) -> pd.DataFrame:
        """Number of finished resamplings by data set (rows) and method (columns)."""
        return self._of_cells("resampling", "count").fillna(0).astype(int)

    def _of_cells(self, column: str, aggregate: Any) -> pd.DataFrame:
        cells = self.finished.drop_duplicates(["dataset", "method", "resampling"])
        table = cells.pivot_table(column, "dataset", "method", aggfunc=aggregate)
        return table.reindex(index=self.datasets, columns=self.methods)


def _with_negatives(frame: pd.DataFrame, scores: Scores) -> pd.DataFrame:
    """Add the negatives of errors and of their baselines."""
    names = [*scores.losses, *(scores.baselines[n] for n in scores.losses if n in scores.baselines)]
    return frame.assign(**{f"{rank_tests.NEGATIVE}{name}": -frame[name] for name in names})


def _shared(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of resamplings that all methods of a data set have finished."""
    methods = frame.groupby(["dataset", "resampling"])["method"].transform("nunique")
    most = frame.groupby("dataset")["method"].transform("nunique")
    return frame[methods == most]


def mean_intervals(frame: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return means over resamplings with naive t intervals, m ± t_(K-1) s / sqrt(K)."""
    groups = frame.groupby(KEYS, sort=False, observed=True)[column]
    table = groups.agg(["mean", "std", "count"]).reset_index()
    table = table.rename(columns={"mean": "value", "count": "number"})
    half = resampled_means.half_widths(table["std"], table["number"])
    return table.assign(low=table["value"] - half, high=table["value"] + half)


def _blocks(values: pd.DataFrame, blocks: list[str], methods: list[str]) -> pd.DataFrame:
    """Return a table of blocks (rows) and methods (columns) without incomplete blocks."""
    return _table(values, blocks, methods).dropna()


def _table(values: pd.DataFrame, blocks: list[str], methods: list[str]) -> pd.DataFrame:
    """Return a table of blocks (rows) and methods (columns)."""
    if values.empty:
        return pd.DataFrame(columns=[*blocks, *methods], dtype=np.float64).set_index(blocks)
    table = values.pivot_table("value", blocks, "method", aggfunc="mean")
    return table.reindex(columns=methods)
