"""The forest's importance against R's randomForest, a slow twin and hand-computed orders."""

import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

from hetsel import RandomForest
from hetsel.ground.errors import TableError
from hetsel.methods.embedded.random_forest import permutation_drops
from hetsel.models.train_test_arrays import order_levels

R_CODE = """
library(randomForest)
arguments <- commandArgs(TRUE)
x <- read.csv(arguments[1])
y <- factor(x$y)
x$y <- NULL
x$text <- factor(x$text)
set.seed(1)
forest <- randomForest(x, y, ntree = 3000, importance = TRUE)
answer <- cbind(importance(forest, type = 1, scale = FALSE),
                forest$importanceSD[, "MeanDecreaseAccuracy"])
write.table(answer, arguments[2], row.names = FALSE, col.names = FALSE)
"""


def mixed(n=90, classes=2, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % classes)
    frame = pd.DataFrame(rng.normal(size=(n, 5)), columns=list("abcde"))
    frame["a"] += y
    frame["b"] = np.round(frame["b"] + 0.5 * y, 1)
    codes = np.where(rng.random(n) < 0.5, y, rng.integers(0, 4, n))
    frame["text"] = np.array(["s", "p", "r", "q"])[codes]
    return frame, y


def drops_one_by_one(tree, values, y, rows, rng):
    """The same drops by tree.predict on a table with one column permuted at a time."""
    before = np.mean(tree.predict(values[rows]) == y[rows])
    used = sorted({int(f) for f in tree.tree_.feature if f >= 0})
    donors = rng.permuted(np.tile(rows, (len(used), 1)), axis=1)
    drops = []
    for f, order in zip(used, donors, strict=True):
        permuted = values[rows].copy()
        permuted[:, f] = values[order, f]
        drops.append(before - np.mean(tree.predict(permuted) == y[rows]))
    return used, drops


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("seed", range(5))
def test_drops_equal_the_slow_twin(seed, missing, classes):
    frame, y = mixed(classes=classes, seed=seed)
    rng = np.random.default_rng(seed)
    values = frame[list("abcde")].to_numpy(dtype=np.float32)
    values[rng.random(values.shape) < missing] = np.nan
    bag, rows = np.arange(90)[:60], np.arange(90)[60:]
    tree = DecisionTreeClassifier(max_features="sqrt", random_state=seed).fit(values[bag], y[bag])
    fast = permutation_drops(tree, values, y, rows, np.random.default_rng(5))
    slow = drops_one_by_one(tree, values, y, rows, np.random.default_rng(5))
    assert fast[0].tolist() == slow[0]
    np.testing.assert_allclose(fast[1], slow[1], atol=1e-12)
    assert np.ptp(slow[1]) > 0


@pytest.mark.slow
def test_importances_agree_with_randomforest_in_r(tmp_path: Path):
    frame, y = mixed(n=150)
    frame.assign(y=y).to_csv(tmp_path / "table.csv", index=False)
    code = tmp_path / "forest.R"
    code.write_text(R_CODE)
    call = ["Rscript", str(code), str(tmp_path / "table.csv"), str(tmp_path / "answer.txt")]
    subprocess.run(call, check=True, capture_output=True, timeout=120)
    theirs, their_error = np.loadtxt(tmp_path / "answer.txt").T
    ours = RandomForest(n_estimators=3000, n_jobs=2).fit(frame, y)
    noise = np.hypot(ours.answer_.extras["standard_error"], their_error)
    assert (noise < 0.002).all()
    assert (np.abs(ours.importances_ - theirs) < 4 * noise).all()
    assert theirs.max() > 40 * noise.max()
    np.testing.assert_allclose(ours.answer_.extras["standard_error"], their_error, rtol=0.1)


@pytest.mark.slow
def test_standard_errors_are_those_of_the_mean():
    frame, y = mixed()
    runs = [RandomForest(n_estimators=60, random_state=s).fit(frame, y) for s in range(25)]
    spread = np.std([run.importances_ for run in runs], axis=0, ddof=1)
    told = np.mean([run.answer_.extras["standard_error"] for run in runs], axis=0)
    assert ((told / spread > 0.6) & (told / spread < 1.7)).all()


def places(text, y, weight=None):
    codes = pd.factorize(np.array(list(text)))[0][None]
    weight = np.ones(len(y), dtype=int) if weight is None else np.array(weight)
    return order_levels(codes, np.array(y), weight)[0].tolist()


def test_levels_are_ordered_by_the_share_of_the_second_class():
    # b: 1 of 1, a: 0 of 2, d: 1 of 2, c: 1 of 2; d appears before c
    assert places("baadcdc", [1, 0, 0, 1, 0, 0, 1]) == [3, 0, 0, 1, 2, 1, 2]


def test_only_the_rows_in_the_bag_order_the_levels():
    # in the bag: u 0 of 2, v 2 of 2, w 1 of 4; x is not in it: 3 of 8 as the whole
    text, y = "uvwwxxwu", [0, 1, 0, 1, 1, 1, 1, 1]
    assert places(text, y, [2, 2, 3, 1, 0, 0, 0, 0]) == [0, 3, 1, 1, 2, 2, 1, 0]


def test_columns_of_levels_are_ordered_apart():
    rng = np.random.default_rng(0)
    y, weight = rng.integers(0, 3, 40), rng.integers(0, 3, 40)
    texts = [rng.integers(0, k, 40).astype(str) for k in (2, 5, 3)]
    codes = np.array([pd.factorize(text)[0] for text in texts])
    together = order_levels(codes, y, weight).tolist()
    assert together == [places(text, y, weight) for text in texts]


def test_levels_are_ordered_by_the_first_component_of_three_classes():
    # shares of (class 0, 1, 2): u (1, 0, 0), x (1/2, 1/4, 1/4), w (0, 1/2, 1/2): on one line
    text, y = "xuxuxwxw", [0, 0, 0, 0, 1, 1, 2, 2]
    found = dict(zip(text, places(text, y), strict=True))
    assert found == {"w": 0, "x": 1, "u": 2}


def test_levels_of_equal_shares_keep_the_order_of_their_first_appearance():
    # t and s: (1/2, 1/4, 1/4); a is class 0, b is class 1, the largest entry of the component
    text = "ttttssss" + "a" * 20 + "b" * 20
    y = [0, 1, 2, 0, 1, 0, 2, 0] + [0] * 20 + [1] * 20
    found = dict(zip(text, places(text, y), strict=True))
    assert found == {"a": 0, "t": 1, "s": 2, "b": 3}


@pytest.mark.parametrize("seed", range(10))
def test_levels_of_more_classes_equal_a_slow_component(seed):
    rng = np.random.default_rng(seed)
    y = np.append(np.arange(4), rng.integers(0, 4, 200))
    text = np.minimum(rng.integers(0, 9, 204), rng.integers(0, 9, 204))
    text = np.where(rng.random(204) < 0.3, y, text)
    overall = np.bincount(y) / len(y)
    shares = {
        level: np.bincount(y[text == level], minlength=4) / sum(text == level) for level in text
    }
    covariance = sum(np.outer(shares[v] - overall, shares[v] - overall) for v in text)
    values, vectors = np.linalg.eig(covariance)
    axis = vectors[:, np.argmax(values)].real
    axis *= np.sign(axis[np.argmax(np.abs(axis))])
    slow = sorted(shares, key=lambda level: shares[level] @ axis)
    found = places(text, y)
    assert found == [slow.index(level) for level in text]


def test_missing_numbers_go_with_the_rows_they_resemble():
    # one split tells the classes if missing cells may go with the large values
    x = np.concatenate([np.arange(100.0), np.arange(200.0, 250), np.full(50, np.nan)])
    y = np.repeat([0, 1], 100)
    forest = RandomForest(n_estimators=40, min_samples_leaf=45, missing="separate")
    assert forest.fit(x[:, None], y).importances_[0] > 0.4


@pytest.mark.slow
def test_many_levels_that_tell_nothing_look_unimportant():
    found = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        y = np.arange(150) % 2
        town = pd.Series(rng.integers(0, 60, 150)).astype(str)
        frame = pd.DataFrame({"signal": rng.normal(size=150) + y, "town": town})
        found.append(RandomForest(n_estimators=50).fit(frame, y).importances_)
    signal, town = np.mean(found, axis=0)
    assert signal > 3 * town


def test_a_nominal_and_a_continuous_column_of_equal_codes_stay_apart():
    rng = np.random.default_rng(0)
    codes = np.concatenate([np.arange(5), rng.integers(0, 5, 115)])
    y = ((codes == 1) | (codes == 4)).astype(int)
    frame = pd.DataFrame({"number": codes * 1.0, "name": codes.astype(str)})
    number, name = RandomForest(n_estimators=50).fit(frame, y).importances_
    assert name != number


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("missing", ["impute", "separate"])
def test_units_level_names_and_column_order_change_nothing(missing, classes):
    frame, y = mixed(classes=classes)
    frame["twin"] = frame["b"]
    frame = frame.mask(np.random.default_rng(2).random(frame.shape) < 0.1)
    frame["twin"] = frame["b"]
    plain = RandomForest(n_estimators=20, missing=missing).fit(frame, y)
    other = frame.assign(a=frame["a"] * 0.3 + 7, text=frame["text"].replace({"q": "a", "s": "z"}))
    turn = np.random.default_rng(0).permutation(7)
    found = RandomForest(n_estimators=20, missing=missing).fit(other.iloc[:, turn], y)
    np.testing.assert_array_equal(found.importances_, plain.importances_[turn])
    np.testing.assert_array_equal(
        found.answer_.extras["standard_error"], plain.answer_.extras["standard_error"][turn]
    )


def test_equal_columns_share_their_importance():
    frame, y = mixed()
    frame["twin"], frame["flat"] = frame["a"] * 2, 3.0
    found = RandomForest(n_estimators=100).fit(frame, y)
    assert found.importances_[0] == found.importances_[6] > 0
    assert found.importances_[7] == 0
    assert found.ranking_[6] == found.ranking_[0] + 1


def test_more_processors_give_the_same_and_another_seed_another_forest():
    frame, y = mixed()
    one, two, other = (
        RandomForest(n_estimators=30, n_jobs=jobs, random_state=seed).fit(frame, y)
        for jobs, seed in ((None, 0), (2, 0), (None, 1))
    )
    np.testing.assert_array_equal(one.importances_, two.importances_)
    assert (one.importances_ != other.importances_).any()


def test_no_trees_are_refused():
    with pytest.raises(TableError, match="^n_estimators must be .* 1 or larger. Got 0$"):
        RandomForest(n_estimators=0).fit(*mixed())
