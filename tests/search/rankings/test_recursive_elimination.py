"""Elimination: its steps, and its order with scripted importances and against a slow twin."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.feature_selection import RFE
from sklearn.svm import LinearSVC
from twins.elimination import elimination

from hetsel.search.rankings.proved_cuts import Evaluation
from hetsel.search.rankings.recursive_elimination import elimination_sizes, recursive_elimination


@pytest.mark.parametrize(
    ("p", "steps"), [(262, 23), (34, 14), (13, 9), (19, 11), (17, 11), (103, 19), (4355, 36)]
)
def test_steps_of_the_paper(p, steps):
    assert len(elimination_sizes(p)) == steps


def test_elimination_with_scripted_importances():
    table = {4: [0.4, 0.1, 0.3, 0.1], 3: [0.2, 0.5, 0.2], 2: [0.7, 0.7], 1: [1.0]}

    def importances(left):
        return Evaluation((np.array(table[len(left)]),), float(len(left)))

    ranking = recursive_elimination(importances, np.arange(4))
    # 4: features 1 and 3 tie, the higher index goes; 3: of 0, 1, 2 the tie of 0 and 2 drops 2
    np.testing.assert_array_equal(ranking.order, [0, 1, 2, 3])
    np.testing.assert_array_equal(ranking.importance, [1.0, 0.7, 0.2, 0.1])
    with pytest.raises(ValueError, match="step must be .* between 0 and 1.*Got 1.5"):
        recursive_elimination(importances, np.arange(4), 1.5)


@pytest.mark.parametrize("number", [1, 2, 3, 7])
def test_a_step_from_1_on_is_a_number_of_features_as_in_scikit_learn(number):
    x, y = make_classification(60, 8, n_informative=4, random_state=0)
    ranks = RFE(LinearSVC(), n_features_to_select=1, step=number).fit(x, y).ranking_

    def importances(left):
        return Evaluation((LinearSVC().fit(x[:, left], y).coef_[0] ** 2,))

    for step in (number, float(number), np.float64(number)):
        found = recursive_elimination(importances, np.arange(8), step)
        for k in range(7 // number):
            assert {*found.steps[k].features} == {*np.flatnonzero(ranks == ranks.max() - k)}


@pytest.mark.parametrize("step", [0, -1, 0.0, 1.5, True, np.inf, np.nan])
def test_a_step_is_a_share_or_a_number_of_features(step):
    scores = np.array([3.0, 1.0, 4.0, 2.0, 5.0])
    found = recursive_elimination(lambda left: Evaluation((scores[left],)), np.arange(5), 2)
    assert [s.features for s in found.steps] == [(3, 1), (2, 0), (4,)]
    with pytest.raises(ValueError, match="or a whole number of features. Got"):
        recursive_elimination(lambda left: Evaluation((scores[left],)), np.arange(5), step)


@pytest.mark.parametrize("share", [0.2, 0.5])
@pytest.mark.parametrize("p", [1, 2, 7, 23])
def test_the_order_is_that_of_the_printed_algorithm(p, share):
    rng = np.random.default_rng(p)
    table = {size: rng.integers(0, 4, size=p) / 4 for size in range(1, p + 1)}  # many ties
    slow = elimination(lambda left: table[len(left)][left], p, share)
    columns = rng.permutation(p)
    found = recursive_elimination(
        lambda left: Evaluation((table[len(left)][left],)), columns, share
    )
    np.testing.assert_array_equal(found.order, columns[slow])
    assert (
        found.importance[columns[0]]
        == table[next(s.size for s in found.steps if columns[0] in s.features)][0]
    )


def test_a_later_key_breaks_the_ties_of_the_first():
    keys = (np.array([1.0, 1.0, 2.0]), np.array([3.0, 5.0, 0.0]))
    found = recursive_elimination(
        lambda left: Evaluation(tuple(k[left] for k in keys)), np.arange(3)
    )
    assert found.order.tolist() == [2, 1, 0]
    np.testing.assert_array_equal(found.importance, keys[0])


def scripted(values, radius, refined, asked):
    """Importances with a radius, which a refinement makes smaller; counts the refinements."""

    def importances(left):
        def again():
            asked.append(len(left))
            return Evaluation((values[left],), radius=np.full(len(left), refined))

        return Evaluation((values[left],), radius=np.full(len(left), radius), refine=again)

    return importances


def test_cuts_are_proved_tied_or_open():
    values, asked = np.array([8.0, 5.0, 5.0, 4.9, 3.0, 1.0]), []
    found = recursive_elimination(scripted(values, 0.2, 0.2, asked), np.arange(6), 1)
    assert found.order.tolist() == [0, 1, 2, 3, 4, 5]
    assert found.cuts == ("proved", "tie", "open", "proved", "proved")
    assert [step.verdict for step in found.steps] == [*reversed(found.cuts), ""]
    assert asked == [4]  # only where a cut is open
    assert {step.bound for step in found.steps} == {0.2}
    asked.clear()
    found = recursive_elimination(scripted(values, 0.2, 0.01, asked), np.arange(6), 1)
    assert found.cuts == ("proved", "tie", "proved", "proved", "proved")
    assert asked == [4]


def test_inside_of_a_step_only_the_sizes_asked_for_are_refined():
    values, asked = np.array([8.0, 7.0, 3.0, 2.9, 2.8, 2.7]), []
    importances = scripted(values, 0.2, 0.01, asked)
    found = recursive_elimination(importances, np.arange(6), 4)
    assert found.cuts == ("proved", "proved", "open", "open", "open")
    assert asked == []
    found = recursive_elimination(importances, np.arange(6), 4, sizes=(4,))
    assert found.cuts == ("proved",) * 5
    assert asked == [6]


def test_a_wide_radius_of_one_feature_opens_every_cut_that_it_may_cross():
    values, radius = np.array([4.0, 3.0, 2.0, 1.0]), np.array([0.1, 0.1, 0.1, 2.0])
    found = recursive_elimination(
        lambda left: Evaluation((values[left],), radius=radius[left]), np.arange(4), 3
    )
    assert found.cuts == ("proved", "open", "open")


def test_without_a_radius_nothing_is_said():
    found = recursive_elimination(lambda left: Evaluation((left * 1.0,)), np.arange(3))
    assert found.cuts == ("", "")
    assert np.isnan(found.steps[0].bound)
