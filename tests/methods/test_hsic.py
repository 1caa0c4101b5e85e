"""HSIC of each feature against traces of full Gram matrices."""

import numpy as np
import pytest
from frames import mixed_frame
from mixed_tables import mixed
from twins import traces
from twins.kernel_sums import feature_gram

from hetsel import HSIC


@pytest.mark.parametrize("missing", [0.0, 0.15])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("kernel", ["clinical", "gaussian"])
def test_scores_equal_traces_of_full_matrices(kernel, classes, missing):
    table, y = mixed(classes, n=37, classes=classes, missing=missing)
    found = HSIC(kernel=kernel, missing="separate").fit(table, y).importances_
    expected = []
    for f in range(6):
        column, nominal = table.values[:, f], table.nominal[f]
        plain = nominal or kernel == "clinical"
        gram = feature_gram(column, nominal) if plain else traces.gaussian_gram(column)
        expected.append(traces.hsic(gram, y.tolist()))
    np.testing.assert_allclose(found, expected, atol=1e-9)
    assert found[0] > 0.01


def test_by_hand():
    # K of x: 1 on the diagonal, 1/2 between neighbors in size, 0 between 0 and 1
    x = np.array([[0.0], [0.5], [1.0], [0.5]])
    gram = np.array([[1, 0.5, 0, 0.5], [0.5, 1, 0.5, 1], [0, 0.5, 1, 0.5], [0.5, 1, 0.5, 1]])
    # classes 0, 0, 1, 1: H L H is 1/2 inside a class and -1/2 between
    sign = np.array([1, 1, -1, -1])
    expected = 0.5 * sign @ gram @ sign / 9
    assert expected == pytest.approx(1 / 9)
    found = HSIC().fit(x, [0, 0, 1, 1]).importances_
    np.testing.assert_allclose(found, [expected], atol=1e-9)


@pytest.mark.parametrize("kernel", ["clinical", "gaussian"])
def test_a_spread_that_differs_is_seen_where_means_are_equal(kernel):
    rng = np.random.default_rng(0)
    y = np.arange(400) % 2
    x = rng.normal(size=(400, 3))
    x[:, 1] *= 1 + 4 * y
    assert HSIC(kernel=kernel).fit(x, y).signature(1).tolist() == [1]


@pytest.mark.parametrize("kernel", ["clinical", "gaussian"])
def test_order_of_rows_and_units_change_no_bit(kernel):
    frame, y = mixed_frame(80, 5, 3, classes=3)
    plain = HSIC(kernel=kernel).fit(frame, y).importances_
    turn = np.random.default_rng(0).permutation(80)
    other = frame.iloc[turn].copy()
    other[["c0", "c1"]] = -2.54 * other[["c0", "c1"]] + 7
    moved = HSIC(kernel=kernel).fit(other, y[turn]).importances_
    np.testing.assert_array_equal(moved, plain)


def test_an_unknown_kernel_is_named():
    frame, y = mixed_frame(30, 2, 1)
    with pytest.raises(ValueError, match="kernel must be one of clinical, gaussian. Got 'rbf'"):
        HSIC(kernel="rbf").fit(frame, y)
