"""The lasso of numbers and of survival times: where features enter, and what changes nothing."""

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame, same
from sklearn.linear_model import lasso_path as path_of_scikit_learn

from hetsel import L1Logistic, get_method, survival

GroupLasso = get_method("group-lasso")


def measured(n=90, missing=0.0, seed=0):
    """A frame whose columns c0 and n0 tell a number, and that number."""
    rng = np.random.default_rng(seed)
    y = rng.normal(size=n)
    frame = pd.DataFrame({f"c{j}": rng.normal(size=n) for j in range(4)})
    frame["c0"] += 1.5 * y
    frame["n0"] = pd.Categorical.from_codes(np.digitize(y, [-0.5, 0.5]), ["low", "middle", "high"])
    frame["n1"] = pd.Categorical.from_codes(rng.integers(0, 4, n), list("abcd"))
    if missing:
        frame = frame.mask(rng.random(frame.shape) < missing)
    return frame, y


def followed(y, seed=1):
    """Survival times, many alike, of rows with the log hazard y."""
    rng = np.random.default_rng(seed)
    happened, seen = rng.exponential(size=len(y)) / np.exp(y), 2 * rng.exponential(size=len(y))
    return survival(np.ceil(20 * np.minimum(happened, seen)), happened <= seen)


def target(kind, y):
    return 100 + 20 * y if kind == "numbers" else followed(y)


KINDS = pytest.mark.parametrize("kind", ["numbers", "survival"])


def test_the_importance_of_the_first_is_its_correlation():
    frame, y = measured()
    numbers = frame[["c0", "c1", "c2", "c3"]]
    found = GroupLasso().fit(numbers, y)
    assert found.importances_.max() == pytest.approx(
        abs(np.corrcoef(frame["c0"], y)[0, 1]), abs=1e-6
    )
    z = ((numbers - numbers.mean()) / numbers.std(ddof=0)).to_numpy()
    penalties = found.importances_.max() * 0.05 ** (np.arange(101) / 100)
    _, beta, _ = path_of_scikit_learn(
        z, (y - y.mean()) / y.std(), alphas=penalties, tol=1e-10, max_iter=100_000
    )
    entry = np.array([penalties[np.flatnonzero(row)[0]] if row.any() else 0.0 for row in beta])
    np.testing.assert_allclose(found.answer_.extras["entry"], entry, rtol=1e-5)


@KINDS
def test_constant_and_repeated_columns(kind):
    frame, y = measured()
    frame["still"], frame["again"], frame["two"] = 1.0, -2.5 * frame["c0"], (y > 0.3) * 1.0
    frame["two again"] = pd.Categorical(np.where(y > 0.3, "a", "b"))
    found = GroupLasso().fit(frame, target(kind, y))
    values = dict(zip(frame, found.importances_.tolist(), strict=True))
    assert values["c0"] == values["again"] > 0
    assert values["two"] == values["two again"] > 0
    assert values["still"] == 0


@pytest.mark.parametrize("classes", [2, 3])
def test_of_classes_it_is_l1_logistic(classes):
    frame, y = mixed_frame(60, 4, 3, classes=classes)
    here, there = GroupLasso().fit(frame, y), L1Logistic().fit(frame, y)
    same(here.importances_, there.importances_)
    same(here.answer_.extras["entry"], there.answer_.extras["entry"])
