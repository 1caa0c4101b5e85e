"""Criteria that look at a sample of the rows of a large table: the same answer as of the sample."""

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame, told_frame

from hetsel import SubsetSearch, Table, get_method
from hetsel.ground.errors import TableError
from hetsel.resampling.row_parts import content_sample, rows_taken
from hetsel.search.criteria.criteria_by_name import criterion_of
from hetsel.search.criteria.criterion import rows_seen
from hetsel.selection import Problem
from hetsel.selection.problem import read_asked_target
from hetsel.tables import Classes

SAMPLED = ("5nn", "1nn,3nn", "svm", "gaussian-svm", "hsic", "gaussian-alignment")
SAMPLED += ("class-separability", "frobenius")
OTHERS = ("5nn", "hsic", "gaussian-alignment", "frobenius")


def problem_of(frame, y):
    return Problem(Table.read(frame), read_asked_target(np.asarray(y), len(y), None), ())


def asked(name, **settings):
    state = criterion_of(name, settings)
    return state, lambda problem: state.start(problem, [1]).values_with([0, 2, 3])


@pytest.mark.parametrize("name", SAMPLED)
def test_a_criterion_of_a_large_table_is_that_of_its_sample(name):
    problem = problem_of(*mixed_frame(120, 3, 2))
    least = 5 if "nn" in name or "svm" in name else 1
    alone = content_sample(problem, 50, least)
    criterion, few = asked(name, sample=50)
    _, every = asked(name, sample=None)
    np.testing.assert_array_equal(few(problem), every(alone))
    assert min(rows_seen(criterion, problem)) == alone.n < 55
    assert (few(problem) != every(problem)).any()


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("target", ["numbers", "survival"])
def test_of_other_targets_it_is_that_of_the_sample_too(name, target):
    problem = problem_of(*told_frame(target, n=120))
    _, few = asked(name, sample=50)
    _, every = asked(name, sample=None)
    np.testing.assert_array_equal(few(problem), every(content_sample(problem, 50)))


@pytest.mark.parametrize("name", SAMPLED)
def test_a_table_of_no_more_rows_is_looked_at_whole(name):
    problem = problem_of(*mixed_frame(60, 3, 2))
    usual, whole = asked(name)
    _, exactly = asked(name, sample=60)
    _, every = asked(name, sample=None)
    np.testing.assert_array_equal(whole(problem), every(problem))
    np.testing.assert_array_equal(exactly(problem), every(problem))
    assert set(rows_seen(usual, problem)) == {60}


@pytest.mark.parametrize("name", SAMPLED)
def test_every_such_criterion_has_a_number_of_its_own(name):
    criterion = criterion_of(name, {})
    assert criterion.sample == (10_000 if "nn" in name else 5_000)
    assert "sample" not in repr(criterion)  # an archive of before holds the same values


@pytest.mark.parametrize("name", ["5nn", "svm", "hsic"])
def test_order_names_and_units_change_no_search_of_a_sample(name):
    frame, y = mixed_frame(120, 3, 2)
    found = SubsetSearch(criterion=name, sample=50, search="sfs").fit(frame, y).answer_
    turn = np.random.default_rng(3).permutation(len(y))
    moved = frame.iloc[turn, [4, 2, 0, 3, 1]].copy()
    for column in moved.columns:
        if moved[column].dtype.kind == "f":
            moved[column] = 16.0 - 4.0 * moved[column]
        else:
            moved[column] = "level " + moved[column].astype(str).str[::-1]
    labels = np.array(["z", "a", "m"])[np.unique(y, return_inverse=True)[1]]
    other = SubsetSearch(criterion=name, sample=50, search="sfs").fit(moved, labels[turn])
    names = list(moved.columns)
    for size in found.sizes:
        assert found.score(size) == other.answer_.score(size)
        here = {frame.columns[j] for j in found.signature(size)}
        assert here == {names[j] for j in other.answer_.signature(size)}
    assert found.sampled == other.answer_.sampled > 0


def test_a_rare_class_keeps_as_many_rows_as_folds_or_all_that_it_has():
    target = Classes.of([0] * 180 + [1] * 17 + [2] * 3)
    assert rows_taken(target, 20) == [18, 2, 1]
    assert rows_taken(target, 20, least=5) == [18, 5, 3]
    problem = Problem(Table.read(np.arange(400.0).reshape(200, 2) ** 0.5), target, ())
    assert content_sample(problem, 20, 5).classes.counts.tolist() == [18, 5, 3]
    assert rows_seen(criterion_of("5nn", {"sample": 20}), problem) == (26,)


def test_a_path_says_of_how_many_rows_it_is():
    frame, y = mixed_frame(80, 2, 2)
    for criterion, sample, expected in [
        ("5nn", None, 0),
        ("5nn", 80, 0),
        ("5nn", "all", 0),
        ("5nn", 40, sum(rows_taken(Classes.of(y), 40, 5))),
        ("naive-bayes", None, 0),
    ]:
        search = SubsetSearch(criterion=criterion, sample=sample, search="bif").fit(frame, y)
        assert search.answer_.sampled == expected
    mixed = [criterion_of("3nn", {"sample": 40}), criterion_of("naive-bayes", {})]
    seen = SubsetSearch(criterion=mixed, search="bif").fit(frame, y).answer_
    assert seen.sampled == sum(rows_taken(Classes.of(y), 40, 5))


def test_the_hybrid_merges_by_a_sample_and_tests_by_all_rows():
    frame, y = mixed_frame(120, 3, 2)
    method = get_method("hfs-5nn")
    whole, few = method(sample=None).fit(frame, y), method(sample=50).fit(frame, y)
    tests = [one.answer_.extras["log_pvalue"] for one in (whole, few)]
    np.testing.assert_array_equal(*tests)
    assert few.answer_.sampled == sum(rows_taken(Classes.of(y), 50, 5))
    assert whole.answer_.sampled == method().fit(frame, y).answer_.sampled == 0
    assert [step.objective for step in few.answer_.steps] != [
        step.objective for step in whole.answer_.steps
    ]


def test_an_archive_is_one_of_the_rows_that_were_looked_at(tmp_path):
    frame, y = mixed_frame(80, 2, 2)
    whole, few = tmp_path / "whole", tmp_path / "few"
    SubsetSearch(search="sfs", archive=whole).fit(frame, y)
    SubsetSearch(search="sfs", archive=whole, sample=80).fit(frame, y)  # the same rows
    SubsetSearch(search="sfs", archive=few, sample=40).fit(frame, y)
    SubsetSearch(search="sfs", archive=few, sample=40).fit(frame.iloc[::-1], y[::-1])
    with pytest.raises(TableError, match="archive"):
        SubsetSearch(search="sfs", archive=few, sample=50).fit(frame, y)
    with pytest.raises(TableError, match="archive"):
        SubsetSearch(search="sfs", archive=few).fit(frame, y)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"sample": "some"}, "sample must be a whole number, 2 or larger, or 'all'. Got 'some'"),
        ({"sample": 1}, "sample must be a whole number, 2 or larger. Got 1"),
        ({"sample": 2.5}, "sample must be a whole number, 2 or larger. Got 2.5"),
        ({"sample": 9, "criterion": "ridge"}, "criterion 'ridge' has no option sample"),
        ({"sample": "all", "criterion": "naive-bayes"}, "'naive-bayes' has no option sample"),
    ],
)
def test_a_sample_that_is_none_is_refused(settings, message):
    frame, y = mixed_frame(40, 2, 1)
    with pytest.raises(TableError, match=message):
        SubsetSearch(search="bif", **settings).fit(frame, y)


def test_rows_of_one_group_are_held_out_together_in_a_sample_too():
    rng = np.random.default_rng(0)
    patient = np.repeat(np.arange(100), 2)
    frame = pd.DataFrame(np.repeat(rng.normal(size=(100, 3)), 2, axis=0))
    frame += rng.normal(scale=1e-6, size=frame.shape)
    frame.columns = list("abc")
    y = np.repeat(rng.permutation(np.arange(100) % 2), 2)
    search = SubsetSearch(search="sfs", criterion="1nn", sample=150)
    leaking = search.fit(frame, y).answer_
    honest = search.fit(frame, y, groups=patient).answer_
    assert leaking.sampled == honest.sampled == 150
    assert honest.score(honest.best_size) < leaking.score(leaking.best_size) - 0.1
