"""Two-class problems and their bounds, by hand and against scikit-learn."""

import warnings

import numpy as np
import pytest
from sklearn.utils.class_weight import compute_class_weight

from hetsel.ground.errors import HetselWarning
from hetsel.solvers.svm.two_class_svm import (
    numeric_bound,
    problem_bounds,
    two_class_problems,
    warn_of_missed_classes,
)

CODES = np.array([0, 1, 2, 1, 0, 0])


def test_two_classes_are_one_problem_and_more_one_each():
    assert two_class_problems(np.array([0, 1, 1])).tolist() == [[-1, 1, 1]]
    assert two_class_problems(CODES).tolist() == [
        [1, -1, -1, -1, 1, 1],
        [-1, 1, -1, 1, -1, -1],
        [-1, -1, 1, -1, -1, -1],
    ]


def test_balanced_is_that_of_scikit_learn_within_each_problem():
    for row, y in zip(
        problem_bounds(CODES, 2.0, "balanced"), two_class_problems(CODES), strict=True
    ):
        weights = compute_class_weight("balanced", classes=np.array([-1.0, 1.0]), y=y)
        np.testing.assert_allclose(row, 2.0 * weights[(y > 0).astype(int)])


def test_weights_by_label():
    found = problem_bounds(CODES, 2.0, {"b": 3.0}, ["a", "b", "c"])
    assert found.tolist() == [[2, 6, 2, 6, 2, 2]] * 3
    assert (problem_bounds(CODES, 0.5) == 0.5).all()


@pytest.mark.parametrize(
    ("label", "classes"),
    [("1", [0, 1]), ("1", [0.0, 1.0]), ("TRUE", [False, True]), ("true", [False, True])],
)
def test_the_text_of_a_label_stands_for_it(label, classes):
    found = problem_bounds(np.array([0, 1]), 1.0, {label: 3.0}, np.array(classes))
    assert found.tolist() == [[1, 3]]
    twice = {label: 3.0, classes[1]: 2.0}
    with pytest.raises(ValueError, match="each once"):
        problem_bounds(np.array([0, 1]), 1.0, twice, np.array(classes))


@pytest.mark.parametrize("C", [0, -1.0, np.inf, float("nan"), "1", True])
def test_C_is_a_positive_number(C):
    with pytest.raises(ValueError, match="C must be a positive number"):
        problem_bounds(CODES, C)


@pytest.mark.parametrize("weight", ["even", {"d": 1.0}, {"a": 0.0}, {"a": -1.0}])
def test_other_weights_are_refused(weight):
    with pytest.raises(ValueError, match="class_weight must"):
        problem_bounds(CODES, 1.0, weight, ["a", "b", "c"])


def test_the_C_of_the_radius_is_that_of_rows_about_the_origin():
    z = np.random.default_rng(0).normal(size=(7, 3))
    own = np.array([row @ row for row in z])
    by_hand = 1 / np.mean([np.linalg.norm(row) for row in z]) ** 2
    assert numeric_bound("radius", own) == pytest.approx(by_hand)
    # a Gaussian kernel: |phi(x) - phi(0)|^2 = 2 - 2 exp(-|x|^2)
    gaussian = 1 / np.mean([np.sqrt(2 - 2 * np.exp(-(row @ row))) for row in z]) ** 2
    assert numeric_bound("radius", 2 - 2 * np.exp(-own)) == pytest.approx(gaussian)
    assert numeric_bound(2, own) == 2.0
    for C in (0, -1.0, "1", None):
        with pytest.raises(ValueError, match="C must be a positive number or 'radius'"):
            numeric_bound(C, own)


@pytest.mark.parametrize(
    ("codes", "scores", "missed"),
    [
        ([0, 0, 0, 0, 0, 1, 1], [[-1.0] * 7], "of class b, "),
        ([0, 0, 0, 0, 0, 1, 1], [[-1.0] * 6 + [0.5]], None),
        ([0, 0, 0, 0, 1, 1], [[-1.0] * 6], None),  # half of the largest class is not small
        ([0, 1, 1, 1, 2], [[0, 0, 0, 0, 0], [1, 1, 1, 1, 1], [0] * 5], "of class a, c, "),
        ([0, 1, 1, 1, 2], [[2, 0, 0, 0, 0], [1, 1, 1, 1, 1], [0] * 5], "of class c, "),
    ],
)
def test_a_small_class_that_no_row_is_predicted_to_be_is_named(codes, scores, missed):
    codes = np.array(codes)
    for weight in (None, "balanced"):
        bounds = problem_bounds(codes, 0.1, weight)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            warn_of_missed_classes(np.array(scores, dtype=float), bounds, codes, ["a", "b", "c"])
        told = [str(warning.message) for warning in caught]
        assert len(told) == (missed is not None and weight is None)
        assert all(missed in text and "class_weight='balanced'" in text for text in told)
        assert all(warning.category is HetselWarning for warning in caught)
