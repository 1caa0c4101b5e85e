"""Columns that are always in, and columns of the kinds that a method takes alone."""

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from sklearn.base import clone
from sklearn.feature_selection import SelectKBest

from hetsel import (
    HSIC,
    RFESVM,
    AnovaF,
    Ensemble,
    KruskalWallis,
    Ranking,
    ScikitSelector,
    Study,
    SubsetSearch,
    choose_size,
    get_method,
    knockoff_selection,
    method_keys,
    permuted_ranking,
    selection_in_halves,
)
from hetsel.ground.errors import TableError
from hetsel.selection import SearchPath
from hetsel.selection.column_choices import with_last

KEYS = method_keys()
PARTIAL = [key for key in KEYS if len(get_method(key).about.takes) < 3]


def make(key, **options):
    method = get_method(key)
    return method(**{**method.about.trial, **options})


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_every_method_has_what_is_always_in_in_every_signature(key):
    frame, y = mixed_frame(60, 4, 3)
    always = ["n2", "c3"]
    unsupported = "skip" if key in PARTIAL else "error"
    selector = make(key, always=always, unsupported=unsupported).fit(frame, y)
    answer, names = selector.answer_, list(frame)
    assert min(answer.sizes) >= 2
    for size in answer.sizes:
        assert {*always} <= {names[j] for j in answer.signature(size)}
    assert {*always} <= {*selector.get_feature_names_out()}
    with pytest.raises(ValueError, match=r"size must .* 2\b.* always included.*Got 1"):
        make(key, always=always, unsupported=unsupported, size=1).fit(frame, y)
    if isinstance(answer, Ranking):
        assert set(selector.frame()["feature"][:2]) == {*always}
        assert selector.frame()["always"].tolist() == [True] * 2 + [False] * (len(answer.order) - 2)
        with pytest.raises(ValueError, match=r"size must be at least 2.*Got 1"):
            answer.signature(1)


@pytest.mark.parametrize("selector", [HSIC(), get_method("univariate-tests")()])
def test_a_filter_ranks_the_others_as_before(selector):
    frame, y = mixed_frame(60, 4, 3)
    plain = selector.fit(frame, y).frame()
    asked = clone(selector).set_params(always=[1, "n1"]).fit(frame, y).frame()
    others = plain[~plain["feature"].isin(["c1", "n1"])]
    assert asked["feature"].tolist()[2:] == others["feature"].tolist()
    np.testing.assert_array_equal(asked["importance"][2:], others["importance"])


@pytest.mark.parametrize("always", [["c3"], ["c3", "n1", "c1"]])
def test_an_elimination_drops_the_least_important_of_the_others_each_time(always):
    """The slow way: the model of what is left by a selector of its own, one feature a step."""
    frame, y = mixed_frame(70, 5, 3, seed=2)
    found = RFESVM(step=1, always=always).fit(frame, y)
    left, dropped = list(frame), []
    while left:
        model = RFESVM(step=len(left)).fit(frame[left], y)
        free = [name for name in left if name not in always] or left
        importance = dict(zip(left, model.importances_, strict=True))
        worst = min(free, key=importance.get)
        assert found.importances_[frame.columns.get_loc(worst)] == pytest.approx(importance[worst])
        left.remove(worst)
        dropped.insert(0, worst)
    assert found.frame()["feature"].tolist() == dropped
    cuts = found.answer_.cuts
    assert cuts[len(always) - 1] == ""
    assert set(cuts[len(always) :]) <= {"proved", "tie"}
    sizes = [step.size for step in found.answer_.steps]
    assert sizes == list(range(8, 0, -1))


@pytest.mark.parametrize("key", ["rfe-mkl", "rfe-svm", "rfe-linear", "bahsic"])
def test_a_step_of_an_elimination_never_drops_what_is_always_in(key):
    frame, y = mixed_frame(70, 9, 3, seed=2)
    steps = make(key, always=["c8", "n2"], step=0.5).fit(frame, y).answer_.steps
    early = [step for step in steps if step.size > 2]
    assert not {8, 11} & {j for step in early for j in step.features}
    assert [step.size for step in steps][:4] == [12, 6, 3, 2]


def test_the_whole_ranking_does_not_depend_on_the_order_of_the_columns():
    frame, y = mixed_frame(70, 5, 3, seed=2)
    here = RFESVM(always=["n2", "c1"]).fit(frame, y).frame()
    there = RFESVM(always=["c1", "n2"]).fit(frame[frame.columns[::-1]], y).frame()
    assert here["feature"].tolist() == there["feature"].tolist()


def test_a_constant_column_can_be_always_in():
    frame, y = mixed_frame(40, 3, 2)
    frame["site"] = 1.0
    for method in (RFESVM, HSIC, get_method("rfe-linear")):
        assert method(always=["site"]).fit(frame, y).frame()["feature"][0] == "site"


def test_subsets_of_another_package_get_what_is_always_in():
    frame, y = mixed_frame(40, 4, 0)

    class Support:
        def fit(self, X, y):
            return self

        def get_params(self, deep=True):
            return {}

        def set_params(self, **params):
            return self

        def get_support(self):
            return np.array([True, False, False, False])

    answer = ScikitSelector(estimator=Support(), always=["c3"]).fit(frame, y).answer_
    assert answer.sizes == (2,)
    assert answer.signature(2).tolist() == [3, 0]
    found = ScikitSelector(estimator=SelectKBest(k=1), always=["c3"]).fit(frame, y)
    assert found.frame()["feature"].tolist()[:2] == ["c3", "c0"]


@pytest.mark.parametrize("merge", ["rank", "frequency", "weight"])
def test_an_ensemble_keeps_what_is_always_in_in_every_resampling(merge):
    frame, y = mixed_frame(60, 4, 2)
    options = {"method": "rfe-svm", "merge": merge, "resamplings": 4}
    found = Ensemble(**options, always=["c2", "n1"]).fit(frame, y)
    for size in found.answer_.sizes:
        assert {2, 5} <= set(found.signature(size).tolist())


def test_names_of_columns_are_checked():
    frame, y = mixed_frame(40, 3, 2)
    for always, words in (
        (["c7"], "always: the table has no column 'c7'"),
        (["c1", 1], "always must name each column once. Got c1 twice"),
        (7, "always must be column names or positions"),
        ([True], "always must have a logical value for each of the 5 columns. Got 1"),
    ):
        with pytest.raises(TableError, match=words):
            RFESVM(always=always).fit(frame, y)
    assert RFESVM(always="c1").fit(frame, y).frame()["feature"][0] == "c1"
    flags = RFESVM(always=[False, True, False, False, True]).fit(frame, y).frame()
    assert set(flags["feature"][flags["always"]]) == {"c1", "n1"}
    assert "always" not in RFESVM(always=None).fit(frame, y).frame()


# ---- the kinds that a method takes ---------------------------------------------------------------


@pytest.mark.parametrize("key", PARTIAL)
def test_supported_columns_are_ranked_as_if_they_were_alone(key):
    frame, y = mixed_frame(60, 4, 4)
    takes = get_method(key).about.takes
    own = [name for name in frame if ("nominal" if name[0] == "n" else "continuous") in takes]
    with pytest.raises(TableError, match="takes"):
        make(key).fit(frame, y)
    found = make(key, unsupported="skip").fit(frame, y)
    pd.testing.assert_frame_equal(found.frame(), make(key).fit(frame[own], y).frame())
    others = [name for name in frame if name not in own]
    assert found.unranked_ == tuple(others)
    unranked = found.ranking_[frame.columns.isin(others)]
    assert set(unranked) == {len(own) + 1}
    assert np.isnan(found.importances_[frame.columns.isin(others)]).all()
    assert found.answer_.sizes == tuple(range(1, len(own) + 1))
    assert found.transform(frame).shape[1] == found.size_ <= len(own)


def test_columns_that_no_method_refuses_change_nothing():
    frame, y = mixed_frame(60, 4, 4)
    found = RFESVM(unsupported="skip").fit(frame, y)
    assert found.unranked_ == ()
    pd.testing.assert_frame_equal(found.frame(), RFESVM().fit(frame, y).frame())
    with pytest.raises(TableError, match="takes"):
        AnovaF(unsupported="skip").fit(frame[["n0", "n1"]], y)
    with pytest.raises(TableError, match="unsupported must be one of error, skip. Got 'some'"):
        AnovaF(unsupported="some").fit(frame, y)


@pytest.mark.slow
def test_a_study_has_all_cells_of_a_method_for_some_kinds(tmp_path):
    frame, y = mixed_frame(60, 4, 3)
    plan = {"key": "anova-f", "params": {"unsupported": "skip"}}
    always = {"key": "t-test", "params": {"unsupported": "skip", "always": ["n1"]}, "label": "t"}
    study = Study(
        datasets=[{"name": "mixed", "X": frame, "y": y}],
        methods=[plan, always, "rfe-svm"],
        sizes=[1, 3, 6],
        resamplings=2,
    )
    results = study.run(tmp_path / "s.sqlite", n_jobs=1, progress=False)
    assert not len(results.failures())
    other = Study(datasets=study.datasets, methods=["rfe-svm"], sizes=[1, 3, 6], resamplings=2)
    keys = [study.methods[2].to_dict(), other.methods[0].to_dict()]
    assert keys[0] == keys[1]
    assert "columns" not in keys[0]["params"]


# ---- what is said of selections ------------------------------------------------------------------


def test_halves_count_what_is_selected_and_not_what_is_always_in():
    frame, y = mixed_frame(80, 8, 0)
    asked = KruskalWallis(always=["c7"])
    found = selection_in_halves(asked, frame, y, size=3, pairs=4, threshold=0.9)
    assert found.names == tuple(f"c{j}" for j in range(7))
    assert found.size == 2
    assert (found.chosen.sum(axis=1) == 2).all()
    without = selection_in_halves(
        KruskalWallis(), frame.drop(columns="c7"), y, size=2, pairs=4, threshold=0.9
    )
    assert found.bound == without.bound
    with pytest.raises(ValueError, match="size must be larger than 1"):
        selection_in_halves(asked, frame, y, size=1, pairs=4)


def test_knockoffs_and_permutations_refuse_what_is_always_in():
    frame, y = mixed_frame(60, 5, 0)
    for select in (knockoff_selection, permuted_ranking):
        with pytest.raises(TableError, match="^always: .*Leave this option out"):
            select(KruskalWallis(always=["c1"]), frame, y)
        with pytest.raises(TableError, match="^unsupported: .*Leave this option out"):
            select(KruskalWallis(unsupported="skip"), frame, y)


def test_a_size_is_chosen_among_those_that_hold_what_is_always_in():
    frame, y = mixed_frame(60, 4, 2)
    found = HSIC(always=["c2", "c3"]).fit(frame, y)
    assert min(choose_size(found, frame, y).sizes) == 2


def test_a_search_has_it_too():
    frame, y = mixed_frame(40, 3, 1)
    found = SubsetSearch(search="sfs", criterion="5nn", always=["c2"]).fit(frame, y)
    assert all("c2" in names for names in found.frame()["features"])


def test_features_that_come_last_keep_their_importance_and_the_cuts_above_them():
    ranking = Ranking(np.array([3, 1, 0, 2]), np.arange(4.0), cuts=("proved", "open", "tie"))
    last = np.array([False, True, False, False])
    found = with_last(ranking, last)
    assert found.order.tolist() == [3, 0, 2, 1]
    assert found.importance.tolist() == [0.0, 1.0, 2.0, 3.0]
    assert found.cuts == ("proved", "", "")
    assert with_last(ranking, np.array([False, False, True, False])) is ranking
    assert with_last(ranking, np.array([True, False, True, False])) is ranking
    part = Ranking(np.array([1, 3]), np.zeros(4))  # the best two of four
    assert with_last(part, last).order.tolist() == [3, 1]
    path = SearchPath(2, {1: np.array([1])})
    assert with_last(path, np.array([False, True])) is path
