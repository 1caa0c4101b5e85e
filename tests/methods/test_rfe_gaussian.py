"""Recursive elimination with a Gaussian kernel against outside machines and loops."""

import numpy as np
import pandas as pd
import pytest
from mixed_tables import mixed
from sklearn.svm import SVC
from twins import scaled_kernels as twin
from twins.elimination import elimination

from hetsel import RFEGaussian
from hetsel.kernels.scaled_kernels import Expansion, ScaledKernel
from hetsel.solvers.svm.two_class_svm import numeric_bound


def by_hand(cells, nominal, y, left, C, gamma, sign):
    """J of the features left: scikit-learn's machines on Gram matrices made cell by cell."""

    def gram(features):
        part = [cells[f] for f in features], [nominal[f] for f in features]
        return np.array(twin.gram(*part, [2.0 * gamma] * len(features), "gaussian"))

    out = np.zeros(len(left))
    for label in [1] if max(y) == 1 else range(max(y) + 1):
        machine = SVC(kernel="precomputed", C=C, tol=1e-9).fit(gram(left), np.equal(y, label))
        beta = np.zeros(len(y))
        beta[machine.support_] = machine.dual_coef_[0]
        whole = beta @ gram(left) @ beta
        for k, f in enumerate(left):
            rest = [g for g in left if g != f]
            # without any feature every k is 1, and the sum of beta is 0
            without = beta @ gram(rest) @ beta if rest else beta.sum() ** 2
            out[k] += sign(whole - without)
    return out


@pytest.mark.slow
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize(("gamma", "change"), [("scale", "signed"), (0.7, "absolute")])
def test_ranking_is_that_of_the_definition(classes, missing, gamma, change):
    table, y = mixed(classes, n=30, classes=classes, missing=missing)
    table = table.take(columns=np.arange(5))
    cells, nominal = table.values.T.tolist(), table.nominal.tolist()

    def importance(left):
        value = 1.0 / len(left) if gamma == "scale" else gamma
        return by_hand(cells, nominal, y.tolist(), left, 2.0, value, sign)

    sign = abs if change == "absolute" else float
    options = {"C": 2.0, "gamma": gamma, "change": change}
    found = RFEGaussian(**options, missing="separate").fit(table, y)
    assert found.answer_.order.tolist() == list(elimination(importance, 5))
    first = found.answer_.steps[0].features
    np.testing.assert_allclose(
        found.importances_[list(first)], importance(list(range(5)))[list(first)], rtol=1e-5
    )


def test_what_tells_the_class_by_its_size_only_is_found_and_the_sign_matters():
    found = {"signed": 0, "absolute": 0}
    for seed in range(10):
        x = np.random.default_rng(seed).normal(size=(120, 8))
        y = (x[:, 3] ** 2 + x[:, 5] ** 2 > 1.4).astype(int)
        for change in found:
            found[change] += set(RFEGaussian(change=change).fit(x, y).signature(2)) == {3, 5}
    assert found == {"signed": 10, "absolute": 0}


@pytest.mark.parametrize("change", ["signed", "absolute"])
def test_a_constant_column_comes_last(change):
    table, y = mixed(0)
    found = RFEGaussian(change=change).fit(table, y)
    assert found.answer_.order[-1] == 5
    assert found.importances_[5] == 0.0


def test_the_mean_radius_gives_a_bound():
    table, y = mixed(1, n=40)
    cells = np.ascontiguousarray(table.values[:, :5].T)
    features, u = Expansion.of(cells, table.nominal[:5]), np.full(5, 0.4)
    half = 0.5 * (features.scaled(u) ** 2).sum(axis=1)
    for shape, expected in (("gaussian", 2.0 - 2.0 * np.exp(-half)), ("linear", 2.0 * half)):
        squares = ScaledKernel(shape).from_origin(features, u)
        np.testing.assert_allclose(squares, expected, rtol=1e-9)
        assert numeric_bound("radius", squares) == pytest.approx(np.mean(expected**0.5) ** -2)
    assert sorted(RFEGaussian(C="radius").fit(table, y).ranking_) == [1, 2, 3, 4, 5, 6]


def test_a_heavier_class_weighs_more():
    rng = np.random.default_rng(2)
    y = (np.arange(100) % 10 == 0).astype(int)
    frame = pd.DataFrame(rng.normal(size=(100, 6)))
    frame[4] += 2.0 * y
    found = RFEGaussian(C=0.1, class_weight="balanced").fit(frame, y)
    assert found.signature(1).tolist() == [4]


@pytest.mark.parametrize("gamma", [0.0, -1.0, "auto", True])
def test_an_impossible_parameter_is_refused(gamma):
    table, y = mixed(0)
    with pytest.raises(ValueError, match="gamma must be 'scale' or a positive number. Got"):
        RFEGaussian(gamma=gamma).fit(table, y)
    with pytest.raises(ValueError, match="C must be a positive number or 'radius'. Got 'span'"):
        RFEGaussian(C="span").fit(table, y)
    with pytest.raises(ValueError, match="change must be one of signed, absolute. Got 'both'"):
        RFEGaussian(change="both").fit(table, y)
