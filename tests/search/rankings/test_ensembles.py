"""Ensembles: scripted methods, scikit-learn in each resampling, what changes nothing, refusals."""

import pickle
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from scipy import stats
from sklearn.feature_selection import f_classif

import hetsel
from hetsel import Ensemble, Ranking, SearchPath, Table, get_method
from hetsel.evaluation.by_key.methods_by_key import MethodSpec
from hetsel.ground.errors import TableError
from hetsel.search.rankings.ensembles import EnsembleSelector
from hetsel.selection import About, BaseSelector, Problem
from hetsel.tables import Classes


class Marked(BaseSelector):
    """The last feature first; the first one second where the row of its largest cell is there."""

    about = About("selects by a row")

    def _select(self, problem):
        importance = np.zeros(problem.p)
        importance[-1], importance[1] = 3, 1
        importance[0] = 2 * (problem.table.values[:, 0].max() == 99)
        return Ranking.from_importance(importance)


class EnsembleOfMarked(EnsembleSelector):
    about = About("ensemble of a scripted method", draws=True)

    def _base(self):
        return Marked


class Recorder(BaseSelector):
    """Keeps what it was asked."""

    step: float = 0.2

    about = About("records problems")
    seen: ClassVar[list] = []

    def _select(self, problem):
        self.seen.append((problem, self.step))
        return Ranking.from_importance(problem.rng().normal(size=problem.p))


class EnsembleOfRecorders(EnsembleSelector):
    about = About("ensemble of a recorder", draws=True)

    def _base(self):
        return Recorder


@pytest.fixture
def seen():
    Recorder.seen.clear()
    return Recorder.seen


def marked_table():
    x, y = np.random.default_rng(0).normal(size=(30, 6)), np.arange(30) % 2
    x[7, 0] = 99
    return x, y


def test_a_scripted_method_is_merged_as_computed_by_hand():
    """The row is in about half of the halves: there the first feature is second, else third."""
    x, y = marked_table()
    options = {"resamplings": 40, "kind": "subsample"}
    by_rank = EnsembleOfMarked(**options).fit(x, y).answer_
    ranks = by_rank.extras["mean_rank"]
    share = 3 - ranks[0]  # rank 2 where the row is, else the first of the zeros: rank 3
    assert 0.25 < share < 0.75
    np.testing.assert_allclose(ranks, [3 - share, 2 + share, 4, 5, 6, 1])
    by_weight = EnsembleOfMarked(merge="weight", **options).fit(x, y).importances_
    wanted = [share * 2 / 6, share / 6 + (1 - share) / 4, 0, 0, 0, share / 2 + (1 - share) * 3 / 4]
    np.testing.assert_allclose(by_weight, wanted)
    often = EnsembleOfMarked(merge="frequency", size=2, **options).fit(x, y)
    assert often.signature().tolist() == [5, 0 if share > 0.5 else 1]
    assert often.answer_.sizes == (2,)
    assert often.answer_.cut(2) == ""
    assert by_rank.cuts == ()


@pytest.mark.parametrize("key", ["rfe-svm", "rfe-mkl", "anova-f", "relieff"])
def test_one_resampling_that_is_all_rows_is_the_method_itself(key):
    frame, y = mixed_frame(60, 5, 0 if key == "anova-f" else 3, seed=1)
    alone = get_method(key)().fit(frame, y)
    options = {"method": key, "resamplings": 1, "kind": "subsample", "share": 1.0}
    by_rank = Ensemble(**options).fit(frame, y)
    np.testing.assert_array_equal(by_rank.ranking_, alone.ranking_)
    for size in (1, 3):
        often = Ensemble(merge="frequency", size=size, **options).fit(frame, y)
        np.testing.assert_array_equal(often.signature(), alone.signature(size))
    first_model = get_method(key)(**({"step": frame.shape[1]} if "rfe" in key else {}))
    wanted = first_model.fit(frame, y).answer_
    by_weight = Ensemble(merge="weight", **options).fit(frame, y)
    np.testing.assert_array_equal(by_weight.ranking_, wanted.ranks)
    np.testing.assert_allclose(
        by_weight.importances_, wanted.importance / np.abs(wanted.importance).sum()
    )


def test_the_mean_of_f_statistics_is_that_of_scikit_learn(seen):
    x, y = np.random.default_rng(2).normal(size=(46, 9)), np.arange(46) % 2
    x[:, 3] += y
    EnsembleOfRecorders(resamplings=8).fit(x, y)
    merged = Ensemble(method="fisher-score", resamplings=8, merge="weight").fit(x, y)
    shares = []
    for problem, _ in seen:
        f = f_classif(problem.table.values, problem.target.codes)[0]
        shares.append(f / f.sum())  # Fisher's score is F times (c - 1) / (n - c)
    assert len(shares) == 8
    np.testing.assert_allclose(merged.importances_, np.mean(shares, axis=0), rtol=1e-7)


def test_each_resampling_has_rows_and_a_seed_of_its_own_whatever_their_number(seen):
    x, y = marked_table()
    EnsembleOfRecorders(resamplings=6).fit(x, y)
    six = [(problem.table.values.tobytes(), problem.seed) for problem, _ in seen]
    assert len(set(six)) == 6
    assert len({seed for _, seed in six}) == 6
    seen.clear()
    EnsembleOfRecorders(resamplings=3).fit(x, y)
    assert [(problem.table.values.tobytes(), problem.seed) for problem, _ in seen] == six[:3]
    seen.clear()
    EnsembleOfRecorders(resamplings=3, random_state=1).fit(x, y)
    assert not {problem.table.values.tobytes() for problem, _ in seen} & {rows for rows, _ in six}


def test_an_elimination_makes_its_first_step_only_where_weights_are_merged(seen):
    x, y = marked_table()
    EnsembleOfRecorders(merge="weight", resamplings=1, params={"step": 0.3}, size=2).fit(x, y)
    EnsembleOfRecorders(merge="rank", resamplings=1, params={"step": 0.3}, size=2).fit(x, y)
    EnsembleOfRecorders(merge="frequency", resamplings=1).fit(x, y)
    assert [step for _, step in seen] == [6, 0.3, 0.2]
    assert [problem.sizes for problem, _ in seen] == [(), (2,), (1, 2, 3, 4, 5, 6)]


def test_frequencies_without_a_size_are_those_of_every_size():
    frame, y = mixed_frame(60, 4, 4)
    method = Ensemble(merge="frequency", resamplings=5).fit(frame, y)
    assert method.size_ == 4
    assert method.answer_.sizes == tuple(range(1, 9))
    for size in (1, 4, 7):
        alone = Ensemble(merge="frequency", resamplings=5, size=size).fit(frame, y)
        assert alone.answer_.sizes == (size,)
        assert set(alone.signature()) == set(method.signature(size))
    assert hetsel.choose_size(method, frame, y, repeats=1).sizes == tuple(range(1, 9))


@pytest.mark.slow
@pytest.mark.parametrize("merge", ["rank", "frequency", "weight"])
@pytest.mark.parametrize("kind", ["bootstrap", "subsample"])
def test_the_order_of_rows_and_columns_names_and_units_change_nothing(merge, kind):
    frame, y = mixed_frame(50, 4, 3, seed=3, missing=0.05)
    groups = np.random.default_rng(1).integers(0, 25, 50)
    rng = np.random.default_rng(0)
    rows, columns = rng.permutation(50), rng.permutation(7)
    other = frame.iloc[rows, columns].copy()
    for name in other.select_dtypes("number"):
        other[name] = 3.0 - 2.5 * other[name]
    names = np.array(["b", "a"])[y]
    for given in (None, groups):
        for missing in ("impute", "separate"):
            method = Ensemble(merge=merge, kind=kind, resamplings=4, size=3, missing=missing)
            here = method.fit(frame, y, groups=given).signature()
            moved = None if given is None else given[rows]
            there = method.fit(other, names[rows], groups=moved).signature()
            np.testing.assert_array_equal(columns[there], here)


class Coin(BaseSelector):
    """The first of two features with probability 0.7, whatever the rows."""

    about = About("throws a coin", draws=True)

    def _select(self, problem):
        heads = problem.rng().random() < 0.7
        return Ranking.from_importance(np.array([1.0, 0.0] if heads else [0.0, 1.0]))


class EnsembleOfCoins(EnsembleSelector):
    about = About("ensemble of coins", draws=True)

    def _base(self):
        return Coin


@pytest.mark.slow
@pytest.mark.parametrize("merge", ["rank", "frequency", "weight"])
def test_the_majority_of_coins_is_as_stable_as_the_binomial_distribution_says(merge):
    """Of 9 throws with probability 0.7 five or more are heads in 90.1 %; exact test of 120."""
    x, y = np.random.default_rng(0).normal(size=(8, 2)), np.arange(8) % 2
    heads = 0
    for seed in range(120):
        method = EnsembleOfCoins(merge=merge, resamplings=9, size=1, random_state=seed)
        heads += int(method.fit(x, y).signature()[0] == 0)
    expected = stats.binom.sf(4, 9, 0.7)
    assert expected == pytest.approx(0.901, abs=5e-4)
    assert stats.binomtest(heads, 120, expected).pvalue > 0.01
    assert stats.binomtest(heads, 120, 0.7, alternative="greater").pvalue < 1e-4


class OfSizeTwo(BaseSelector):
    about = About("answers with one size")

    def _select(self, problem):
        return SearchPath(problem.p, {2: np.array([0, 1])}, {2: 1.0}, 2)


class EnsembleOfSearches(EnsembleSelector):
    about = About("ensemble of searches", draws=True)

    def _base(self):
        return OfSizeTwo


def test_what_cannot_be_used_is_refused():
    x, y = marked_table()
    with pytest.raises(ValueError, match="method must be one of .*Got 'rfe'"):
        Ensemble(method="rfe").fit(x, y)
    with pytest.raises(TableError, match=r"params must name one of C, always, .*Got 'c'"):
        Ensemble(params={"c": 1.0}).fit(x, y)
    with pytest.raises(TableError, match="one of always, unsupported. Got 'size'"):
        Ensemble(method="anova-f", params={"size": 1}).fit(x, y)
    with pytest.raises(TableError, match="merge must be 'rank' or 'frequency' or 'weight'"):
        Ensemble(merge="mean").fit(x, y)
    with pytest.raises(TableError, match="resamplings must be a whole number, 1 or larger"):
        Ensemble(resamplings=0).fit(x, y)
    with pytest.raises(TableError, match="merge must be 'frequency'.*Got 'rank'"):
        EnsembleOfSearches(resamplings=2).fit(x, y)
    assert EnsembleOfSearches(resamplings=2, merge="frequency", size=2).fit(x, y).size_ == 2
    with pytest.raises(ValueError, match="a signature of size=1 in every resampling"):
        EnsembleOfSearches(resamplings=2, merge="frequency", size=1).fit(x, y)
    with pytest.raises(TableError, match="nominal"):
        Ensemble(method="t-test").fit(*mixed_frame(40, 2, 2))


def test_an_ensemble_of_searches_with_folds_is_merged_by_frequency():
    """Copies of a row in a bootstrap are held out together, and the search takes that."""
    frame, y = mixed_frame(60, 3, 2)
    method = Ensemble(method="sfs-5nn", merge="frequency", resamplings=3, size=2)
    assert set(method.fit(frame, y).get_feature_names_out()) & {"c0", "n0"}


def test_cells_know_the_ensemble_by_plain_values_and_by_the_revision_of_its_method(monkeypatch):
    entry = {"key": "ensemble", "params": {"method": "rfe-svm", "params": {"C": 1.0}}}
    spec = pickle.loads(pickle.dumps(MethodSpec.of("method", entry)))
    written = spec.to_dict()
    assert written["params"]["params"] == {"C": 1.0}
    assert written["params"]["method"] == "rfe-svm"
    assert written["revision"] == f"1.{hetsel.RFESVM.about.revision}"
    made = MethodSpec.of("method", Ensemble(params={"C": 1.0}))
    assert made.to_dict() == written
    own = MethodSpec.of("method", "ensemble-rfe-mkl").to_dict()
    assert own["revision"] == f"1.{hetsel.RFEMKL.about.revision}"
    nested = MethodSpec.of("method", {"key": "ensemble", "params": {"method": "ensemble"}})
    assert nested.revision == f"1.1.{hetsel.RFESVM.about.revision}"


def test_the_ensembles_of_the_paper_are_the_general_one():
    frame, y = mixed_frame(50, 3, 2)
    for key in ("rfe-mkl", "rfe-svm"):
        options = {"resamplings": 3, "params": {"C": 0.5}}
        own = get_method(f"ensemble-{key}")(**options).fit(frame, y)
        general = Ensemble(method=key, **options).fit(frame, y)
        np.testing.assert_array_equal(own.ranking_, general.ranking_)


def test_missing_cells_that_are_a_value_are_not_filled_in_a_resampling(seen):
    """A study completes the table beforehand: the selector's own option is not that of its data."""
    table = Table.read(pd.DataFrame({"x": [1.0, np.nan, 3.0] * 8})).resolve_missing("separate")
    given = Problem(table, Classes.of(np.arange(24) % 2, 24), (1,))
    EnsembleOfRecorders(resamplings=2).solve(given)
    for problem, _ in seen:
        assert np.isnan(problem.table.values).any()
        assert set(problem.table.values[~np.isnan(problem.table.values)]) <= {1.0, 3.0}


@pytest.mark.parametrize("target", ["numbers", "survival"])
def test_an_ensemble_takes_the_targets_of_its_method(target):
    rng = np.random.default_rng(5)
    frame, _ = mixed_frame(60, 4, 2, seed=1)
    told = frame["c1"] + rng.normal(size=60) / 3
    y = told if target == "numbers" else hetsel.survival(np.exp(-told), rng.random(60) < 0.7)
    options = {"method": "rfe-svm" if target == "numbers" else "sfs-5nn", "resamplings": 6}
    merge = {"merge": "rank" if target == "numbers" else "frequency", "size": 1}
    found = Ensemble(**options, **merge).fit(frame, y)
    assert found.get_feature_names_out().tolist() == ["c1"]
    with pytest.raises(TableError, match="needs classes as its target.*naive Bayes"):
        Ensemble(method="hfs-nb").fit(frame, y)


@pytest.mark.parametrize("key", ["ensemble-rfe-svm", "ensemble-rfe-mkl"])
@pytest.mark.parametrize("target", ["numbers", "survival"])
def test_ensembles_of_eliminations_take_numbers_and_survival_times(key, target):
    rng = np.random.default_rng(6)
    frame, _ = mixed_frame(50, 3, 2, seed=2)
    told = frame["c1"] + rng.normal(size=50) / 3
    y = told if target == "numbers" else hetsel.survival(np.exp(-told), rng.random(50) < 0.7)
    here = get_method(key)(resamplings=5).fit(frame, y)
    assert here.frame()["feature"][0] == "c1"
    columns, rows = rng.permutation(5), rng.permutation(50)
    there = get_method(key)(resamplings=5).fit(frame.iloc[rows, columns], np.asarray(y)[rows])
    np.testing.assert_array_equal(there.ranking_, here.ranking_[columns])
