"""Weights of rows: repeated rows, and scikit-learn's support vector machine."""

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from sklearn.svm import SVC
from sklearn.utils.validation import has_fit_parameter

from hetsel import RFEMKL, RFESVM, ClinicalMKL, ClinicalSVC, Table, get_method, method_keys
from hetsel.ground.errors import TableError
from hetsel.selection import Problem
from hetsel.solvers.svm.two_class_svm import problem_bounds
from hetsel.tables import Classes

FRAME, Y = mixed_frame(50, 3, 2)
FRAME = FRAME.assign(more=np.random.default_rng(5).normal(size=50))
TIMES = np.random.default_rng(6).integers(1, 4, 50)
REPEATED, REPEATED_Y = FRAME.loc[FRAME.index.repeat(TIMES)].reset_index(drop=True), Y.repeat(TIMES)
THREE = np.arange(50) % 3


def gram(frame):
    """The clinical kernel by its formula, column by column."""
    parts = []
    for _, column in frame.items():
        cells = column.to_numpy()
        if column.dtype.kind == "f":
            parts.append(1 - np.abs(cells[:, None] - cells) / np.ptp(cells))
        else:
            parts.append((cells[:, None] == cells).astype(float))
    return np.array(parts)


@pytest.mark.parametrize("balanced", [None, "balanced"])
def test_decisions_are_those_of_scikit_learn(balanced):
    weights = np.random.default_rng(0).uniform(0.2, 3, 50)
    weights[[3, 17]] = 0
    rows = np.flatnonzero(weights)  # of a given kernel libsvm takes wrong columns where some are 0
    kernel = gram(FRAME).mean(axis=0)[:, rows]
    # scikit-learn's own "balanced" counts rows without their weights
    shares = {c: weights.sum() / (2 * weights[c == Y].sum()) for c in (0, 1)}
    by_class = shares if balanced else None
    known = SVC(kernel="precomputed", C=2.0, tol=1e-10, class_weight=by_class)
    outside = known.fit(kernel[rows], Y[rows], sample_weight=weights[rows])
    wanted = outside.decision_function(kernel)
    found = ClinicalSVC(C=2.0, class_weight=balanced).fit(FRAME, Y, sample_weight=weights)
    ranges = FRAME.loc[weights > 0].select_dtypes("float").agg(np.ptp)
    assert np.allclose(ranges, FRAME.select_dtypes("float").agg(np.ptp))  # or kernels differ
    assert found.decision_function(FRAME) == pytest.approx(wanted, abs=2e-6)


@pytest.mark.parametrize("y", [Y, THREE], ids=["two classes", "three"])
@pytest.mark.parametrize("balanced", [None, "balanced"])
@pytest.mark.parametrize("machine", [ClinicalSVC, ClinicalMKL])
def test_a_machine_of_whole_weights_is_that_of_repeated_rows(machine, balanced, y):
    options = {"class_weight": balanced}
    if machine is ClinicalMKL:
        options["tolerance"] = 1e-9
    weighted = machine(**options).fit(FRAME, y, sample_weight=TIMES)
    repeated = machine(**options).fit(REPEATED, y.repeat(TIMES))
    wanted = repeated.decision_function(FRAME)
    assert weighted.decision_function(FRAME) == pytest.approx(wanted, abs=1e-6)
    assert weighted.weights_ == pytest.approx(repeated.weights_, abs=1e-6)


@pytest.mark.parametrize("y", [Y, THREE], ids=["two classes", "three"])
@pytest.mark.parametrize("method", [RFESVM, RFEMKL, get_method("rfe-svm-printed")])
def test_a_ranking_of_whole_weights_is_that_of_repeated_rows(method, y):
    weighted = method().fit(FRAME, y, sample_weight=TIMES)
    repeated = method().fit(REPEATED, y.repeat(TIMES))
    assert np.array_equal(weighted.ranking_, repeated.ranking_)
    assert weighted.importances_ == pytest.approx(repeated.importances_, rel=1e-6)
    assert (weighted.answer_.order != method().fit(FRAME, y).answer_.order).any() or (
        weighted.importances_ != pytest.approx(method().fit(FRAME, y).importances_, rel=1e-3)
    )


@pytest.mark.parametrize("method", [RFESVM, RFEMKL])
def test_a_row_of_weight_0_is_left_out(method):
    weights = np.where(np.arange(50) % 7 == 2, 0, TIMES)
    known = weights > 0
    found = method().fit(FRAME, Y, sample_weight=weights)
    wanted = method().fit(FRAME[known], Y[known], sample_weight=weights[known])
    assert np.array_equal(found.ranking_, wanted.ranking_)
    assert np.array_equal(found.importances_, wanted.importances_)


def test_an_elimination_of_weighted_rows_is_that_with_scikit_learn():
    weights = np.random.default_rng(1).uniform(0.2, 3, 50)
    parts, left, dropped = gram(FRAME), list(range(FRAME.shape[1])), []
    while len(left) > 1:
        known = SVC(kernel="precomputed", C=0.1, tol=1e-10)
        known.fit(parts[left].mean(axis=0), Y, sample_weight=weights)
        beta = np.zeros(50)
        beta[known.support_] = known.dual_coef_[0]
        energy = np.einsum("i,fij,j->f", beta, parts[left], beta)
        dropped.append(left.pop(int(energy.argmin())))
    found = RFESVM().fit(FRAME, Y, sample_weight=weights).answer_
    assert found.order.tolist() == [*left, *reversed(dropped)]


def test_bounds_by_hand():
    codes, weights = np.array([0, 0, 1, 1]), np.array([1.0, 3.0, 1.0, 1.0])
    assert problem_bounds(codes, 2.0, None, (), weights).tolist() == [[2, 6, 2, 2]]
    balanced = problem_bounds(codes, 2.0, "balanced", (), weights)
    assert balanced.tolist() == [[1.5, 4.5, 3, 3]]
    by_class = problem_bounds(codes, 1.0, {1: 2.0}, [0, 1], weights)
    assert by_class.tolist() == [[1, 3, 2, 2]]


WEIGH = {"rfe-svm", "rfe-svm-printed", "rfe-mkl"}


def test_what_cannot_weigh_rows_refuses_weights():
    takes = {key for key in method_keys() if has_fit_parameter(get_method(key), "sample_weight")}
    assert takes == WEIGH
    with pytest.raises(TableError, match="sample_weight: .* does not support row weights"):
        get_method("hsic")().fit(FRAME, Y, sample_weight=TIMES)
    with pytest.raises(TypeError, match="no parameter 'weights'"):
        get_method("hsic")().fit(FRAME, Y, weights=TIMES)
    ranking = get_method("hsic")().fit(FRAME, Y, sample_weight=None).ranking_
    assert np.array_equal(ranking, get_method("hsic")().fit(FRAME, Y).ranking_)
    problem = Problem(Table.read(FRAME), Classes.of(Y), (1,), weights=TIMES)
    with pytest.raises(TableError, match="sample_weight: .* does not support row weights"):
        get_method("hsic")().solve(problem)
    with pytest.raises(TableError, match="sample_weight needs normalize='none'. Got .*'trace'"):
        RFESVM(normalize="trace").fit(FRAME, Y, sample_weight=TIMES)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 2], "one weight for each of the 50 rows. Got 2"),
        (np.where(TIMES == 1, -1, TIMES), "must be finite numbers, 0 or larger. Got -1"),
        (np.where(TIMES == 1, np.nan, TIMES), "must be finite numbers, 0 or larger. Got nan"),
        (np.zeros(50), "zero"),
        ((Y == 1).astype(int), "the weights leave rows of one class only"),
        (TIMES * 1e-300, "must have a sum from 1e-09 to 1e"),
        (TIMES * 1e300, "must have a sum from 1e-09 to 1e"),
        (TIMES * 5e-324, "must have a sum from 1e-09 to 1e"),
        (np.full(50, 1e308), "Got inf"),
    ],
)
def test_weights_that_are_none_are_refused(weights, message):
    with pytest.raises(TableError, match=message):
        RFESVM().fit(FRAME, Y, sample_weight=weights)
    if "a sum" in message:
        with pytest.raises(TableError, match=message):
            ClinicalSVC().fit(FRAME, Y, sample_weight=weights)


@pytest.mark.parametrize("method", [RFESVM, RFEMKL])
def test_the_order_is_the_same_over_all_weights_that_are_taken(method):
    """So small a C has all rows at their bounds: w is in proportion to it, and the order is one."""
    orders = [method().fit(FRAME, Y, sample_weight=TIMES * s).ranking_ for s in (1e-6, 1e-8, 2e-11)]
    assert all(np.array_equal(orders[0], order) for order in orders)


def test_weights_must_leave_two_classes():
    with pytest.raises(TableError, match="the weights leave rows of one class only"):
        ClinicalSVC().fit(pd.DataFrame(FRAME), Y, sample_weight=(Y == 1).astype(float))
