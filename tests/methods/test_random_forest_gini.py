"""The decrease in impurity against the formula node by node, scikit-learn's forest and R's."""

import subprocess

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from hetsel import RandomForest, RandomForestGini

R_CODE = """
library(randomForest)
arguments <- commandArgs(TRUE)
x <- read.csv(arguments[1])
y <- factor(x$y)
x$y <- NULL
x$text <- factor(x$text)
set.seed(1)
answer <- importance(randomForest(x, y, ntree = 2000), type = 2) / nrow(x)
write.table(answer, arguments[2], row.names = FALSE, col.names = FALSE)
"""


def numbers(n=120, classes=2, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % classes
    return rng.normal(size=(n, 5)) + np.outer(y, [1.5, 0.7, 0, 0, 0]), y


def decreases(tree, x, y, weight):
    """The decrease by each feature, the rows sent down the tree node by node."""
    found = np.zeros(x.shape[1])

    def descend(node, rows):
        shares = np.bincount(y[rows], weight[rows]) / max(weight[rows].sum(), 1)
        impurity = weight[rows].sum() * (1 - (shares**2).sum())
        f = tree.tree_.feature[node]
        if f >= 0:
            left = x[rows, f] <= tree.tree_.threshold[node]
            below = descend(tree.tree_.children_left[node], rows[left])
            below += descend(tree.tree_.children_right[node], rows[~left])
            found[f] += (impurity - below) / weight.sum()
        return impurity

    descend(0, np.arange(len(y)))
    return found


@pytest.mark.parametrize("classes", [2, 3])
def test_the_decreases_of_a_tree_are_the_formula(classes):
    x, y = numbers(classes=classes)
    x = x.astype(np.float32)
    weight = np.random.default_rng(1).integers(0, 3, len(y))
    tree = DecisionTreeClassifier(max_depth=4, random_state=0).fit(x, y, sample_weight=weight)
    rng = np.random.default_rng(0)
    used, found = RandomForestGini()._importance(tree, x, y, np.arange(3), rng)
    slow = decreases(tree, x, y, weight)
    assert used.tolist() == np.flatnonzero(slow).tolist()
    np.testing.assert_allclose(found, slow[used], atol=1e-12)


@pytest.mark.slow
def test_importances_agree_with_the_forest_of_scikit_learn():
    x, y = numbers()
    ours = RandomForestGini(n_estimators=400).fit(x, y)
    forest = RandomForestClassifier(400, random_state=0).fit(x, y)
    trees = [tree.tree_.compute_feature_importances(normalize=False) for tree in forest]
    noise = np.hypot(ours.answer_.extras["standard_error"], np.std(trees, axis=0) / 20)
    assert (np.abs(ours.importances_ - np.mean(trees, axis=0)) < 4 * noise).all()
    assert ours.answer_.order[:2].tolist() == [0, 1]
    share = ours.importances_ / ours.importances_.sum()
    np.testing.assert_allclose(share, forest.feature_importances_, atol=0.03)


@pytest.mark.slow
def test_importances_agree_with_randomforest_in_r(tmp_path):
    x, y = numbers(150)
    frame = pd.DataFrame(x, columns=list("abcde"))
    codes = np.where(np.random.default_rng(2).random(150) < 0.4, y, np.arange(150) // 2 % 4)
    frame["text"] = np.array(["s", "p", "r", "q"])[codes]
    frame.assign(y=y).to_csv(tmp_path / "table.csv", index=False)
    code = tmp_path / "forest.R"
    code.write_text(R_CODE)
    call = ["Rscript", str(code), str(tmp_path / "table.csv"), str(tmp_path / "answer.txt")]
    subprocess.run(call, check=True, capture_output=True, timeout=120)
    theirs = np.loadtxt(tmp_path / "answer.txt")
    ours = RandomForestGini(n_estimators=2000).fit(frame, y).importances_
    np.testing.assert_allclose(ours, theirs, rtol=0.1)


@pytest.mark.slow
def test_columns_of_many_values_that_say_nothing_look_important():
    """The bias that the docstring names, and that permutation out of the bag does not have."""
    y, gini, permuted = np.arange(120) % 2, np.zeros(3), np.zeros(3)
    for seed in range(8):
        rng = np.random.default_rng(seed)
        frame = pd.DataFrame(
            {
                "two": rng.integers(0, 2, 120).astype(str),
                "number": rng.normal(size=120),
                "weak": np.where(rng.random(120) < 0.3, y, rng.integers(0, 2, 120)).astype(str),
            }
        )
        gini += RandomForestGini(n_estimators=60).fit(frame, y).importances_ / 8
        permuted += RandomForest(n_estimators=60).fit(frame, y).importances_ / 8
    assert gini[1] > 4 * gini[2] > 4 * gini[0]
    assert permuted[2] > permuted[1]
    assert permuted[2] > permuted[0]
    assert abs(permuted[1]) < 0.05
