"""Random forests of a target of numbers against R's randomForest, scikit-learn and a slow twin."""

import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestRegressor
from sklearn.tree import DecisionTreeRegressor

from hetsel import RandomForest, RandomForestGini
from hetsel.methods.embedded.random_forest import permutation_drops
from hetsel.models.train_test_arrays import order_levels_by_mean

R_CODE = """
library(randomForest)
arguments <- commandArgs(TRUE)
x <- read.csv(arguments[1])
y <- x$y
x$y <- NULL
x$text <- factor(x$text)
set.seed(1)
forest <- randomForest(x, y, ntree = 3000, mtry = 2, nodesize = 1, importance = TRUE)
answer <- cbind(importance(forest, type = 1, scale = FALSE), forest$importanceSD,
                importance(forest, type = 2))
write.table(answer, arguments[2], row.names = FALSE, col.names = FALSE)
"""


def mixed(n=90, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=n)
    frame = pd.DataFrame(rng.normal(size=(n, 5)), columns=list("abcde"))
    frame["a"] += y
    frame["b"] = np.round(frame["b"] + 0.5 * y, 1)
    codes = np.where(rng.random(n) < 0.6, np.digitize(y, [-0.8, 0, 0.8]), rng.integers(0, 4, n))
    frame["text"] = np.array(["s", "p", "r", "q"])[codes]
    return frame, y


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("seed", range(3))
def test_rises_of_the_error_equal_those_of_one_column_permuted_at_a_time(seed, missing):
    frame, y = mixed(seed=seed)
    rng = np.random.default_rng(seed)
    values = frame[list("abcde")].to_numpy(dtype=np.float32)
    values[rng.random(values.shape) < missing] = np.nan
    bag, rows = np.arange(60), np.arange(60, 90)
    tree = DecisionTreeRegressor(max_features="sqrt", random_state=seed).fit(values[bag], y[bag])
    used, rises = permutation_drops(tree, values, y, rows, np.random.default_rng(5))
    donors = np.random.default_rng(5).permuted(np.tile(rows, (len(used), 1)), axis=1)
    before = np.mean((tree.predict(values[rows]) - y[rows]) ** 2)
    assert used.tolist() == sorted({int(f) for f in tree.tree_.feature if f >= 0})
    for f, order, rise in zip(used, donors, rises, strict=True):
        permuted = values[rows].copy()
        permuted[:, f] = values[order, f]
        after = np.mean((tree.predict(permuted) - y[rows]) ** 2)
        assert rise == pytest.approx(after - before, abs=1e-12)


@pytest.mark.slow
def test_importances_agree_with_randomforest_in_r(tmp_path: Path):
    frame, y = mixed(n=150)
    frame.assign(y=y).to_csv(tmp_path / "table.csv", index=False)
    (tmp_path / "forest.R").write_text(R_CODE)
    call = ["Rscript", str(tmp_path / "forest.R"), str(tmp_path / "table.csv")]
    call.append(str(tmp_path / "answer.txt"))
    subprocess.run(call, check=True, capture_output=True, timeout=120)
    theirs, their_error, purity = np.loadtxt(tmp_path / "answer.txt").T
    theirs, their_error = theirs / y.var(), their_error / y.var()
    options = {"n_estimators": 3000, "max_features": 2, "n_jobs": 2}
    ours = RandomForest(**options).fit(frame, y)
    noise = np.hypot(ours.answer_.extras["standard_error"], their_error)
    assert (np.abs(ours.importances_ - theirs) < 4 * noise + 0.01 * theirs.max()).all()
    assert theirs.max() > 40 * noise.max()
    impurity = RandomForestGini(**options).fit(frame, y).importances_
    np.testing.assert_allclose(impurity * y.var() * len(y), purity, rtol=0.08)


def test_the_decrease_in_variance_is_near_that_of_a_forest_of_scikit_learn():
    frame, y = mixed(n=120)
    cells = frame[list("abcde")]
    ours = RandomForestGini(n_estimators=300, max_features=2).fit(cells, y).importances_
    forest = RandomForestRegressor(300, max_features=2, random_state=0).fit(cells, y)
    np.testing.assert_allclose(ours / ours.sum(), forest.feature_importances_, atol=0.03)


def test_levels_are_ordered_by_the_mean_of_the_rows_in_the_bag():
    codes = np.array([[0, 0, 1, 1, 2, 2, 3, 3], [0, 1, 0, 1, 0, 1, 0, 1]])
    y = np.array([5.0, 1.0, 2.0, 2.0, 9.0, 7.0, 0.0, 100.0])
    weight = np.array([1, 3, 2, 0, 1, 1, 0, 0])
    # in the bag: 2, 2, 8 and, without a row, the mean of all: 28 / 8
    assert order_levels_by_mean(codes[:1], y, weight)[0].tolist() == [0, 0, 1, 1, 3, 3, 2, 2]
    found = order_levels_by_mean(codes, y, weight)
    assert found[1].tolist() == order_levels_by_mean(codes[1:], y, weight)[0].tolist()


@pytest.mark.slow
def test_many_levels_that_tell_nothing_look_unimportant():
    found = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        y = rng.normal(size=150)
        town = pd.Series(rng.integers(0, 60, 150)).astype(str)
        frame = pd.DataFrame({"signal": rng.normal(size=150) + y, "town": town})
        found.append(RandomForest(n_estimators=50).fit(frame, y).importances_)
    signal, town = np.mean(found, axis=0)
    assert signal > 3 * abs(town)


@pytest.mark.parametrize("method", [RandomForest, RandomForestGini])
@pytest.mark.parametrize("missing", ["impute", "separate"])
def test_units_names_and_orders_of_rows_and_columns_change_nothing(missing, method):
    frame, y = mixed()
    frame = frame.mask(np.random.default_rng(2).random(frame.shape) < 0.1)
    frame["twin"], frame["flat"] = frame["b"], 3.0
    plain = method(n_estimators=20, missing=missing).fit(frame, y)
    other = frame.assign(a=frame["a"] * 0.3 + 7, text=frame["text"].replace({"q": "a", "s": "z"}))
    turn = np.random.default_rng(0).permutation(8)
    rows = np.random.default_rng(1).permutation(len(y))
    found = method(n_estimators=20, missing=missing)
    found.fit(other.iloc[rows, turn], 7.0 + 0.3 * y[rows])
    np.testing.assert_array_equal(found.importances_, plain.importances_[turn])
    assert plain.importances_[6] == plain.importances_[1]
    assert plain.importances_[7] == 0
    assert plain.frame()["feature"][0] == "a"
