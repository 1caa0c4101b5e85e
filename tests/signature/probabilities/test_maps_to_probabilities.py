"""Maps from decision values to probabilities, against statsmodels and scikit-learn."""

import msgspec
import numpy as np
import pytest
import statsmodels.api as sm
from sklearn.isotonic import isotonic_regression
from sklearn.linear_model import LogisticRegression

from hetsel.signature.nested.nested_decisions import NestedDecisions
from hetsel.signature.probabilities.asked_probabilities import ClassProbabilities, MapContent
from hetsel.signature.probabilities.nested_probabilities import nested_probabilities
from hetsel.statistics.probabilities.calibration_maps import (
    fit_map,
    maps_of,
    smoothed,
)
from hetsel.statistics.probabilities.logistic_fit import fit_conditional_logit


def drawn(n, classes, seed):
    draw = np.random.default_rng(seed)
    truth = draw.integers(0, classes, n)
    if classes == 2:
        return draw.normal(size=(n, 1)) + 1.2 * truth[:, None], truth
    return draw.normal(size=(n, classes)) + 1.5 * np.eye(classes)[truth], truth


@pytest.mark.parametrize("weighted", [False, True])
def test_the_logistic_map_is_platts(weighted):
    f, y = drawn(150, 2, 0)
    w = np.random.default_rng(1).uniform(0.3, 2, 150) if weighted else np.ones(150)
    found = fit_map("logistic", f, y, 2, w)
    kish = [w[y == c].sum() ** 2 / (w[y == c] ** 2).sum() for c in (0, 1)]
    targets = np.where(y == 1, (kish[1] + 1) / (kish[1] + 2), 1 / (kish[0] + 2))
    glm = sm.GLM(targets, sm.add_constant(f), sm.families.Binomial(), var_weights=w).fit(tol=1e-12)
    assert found.parameters[0] == pytest.approx(glm.params, rel=1e-6)
    assert found.probabilities(f)[:, 1] == pytest.approx(glm.predict(sm.add_constant(f)), rel=1e-6)


def test_of_more_classes_it_is_a_conditional_logit():
    f, y = drawn(200, 3, 2)
    x = np.zeros((200, 3, 3))
    x[:, 1, 0] = x[:, 2, 1] = 1
    x[:, :, 2] = f
    found = fit_conditional_logit(x, np.eye(3)[y], np.ones(200))
    # the same as a logistic regression on differences to class 0, rows doubled by what was chosen
    rows = np.concatenate([x[np.arange(200), y] - x[:, c][np.arange(200)] for c in range(3)])
    p = np.exp(x @ found)
    p /= p.sum(axis=1, keepdims=True)
    slopes = np.einsum("ic,ick->k", np.eye(3)[y] - p, x)
    assert np.abs(slopes).max() < 1e-7  # the gradient of the likelihood
    assert len(rows) == 600
    whole = LogisticRegression(C=1e10, tol=1e-10, max_iter=10_000).fit(f, y)
    told = np.log(p[np.arange(200), y]).mean()
    free = np.log(whole.predict_proba(f)[np.arange(200), y]).mean()
    assert told <= free + 1e-9  # which has a slope for each pair of class and column
    assert told > free - 0.05


def test_the_beta_map_is_a_logistic_regression_on_two_logarithms():
    f, y = drawn(400, 2, 5)
    found = fit_map("beta", f, y, 2)
    q = fit_map("logistic", f, y, 2).probabilities(f)
    x = np.column_stack([np.ones(400), np.log(q[:, 1]), -np.log(q[:, 0])])
    glm = sm.GLM(smoothed(y, 2, np.ones(400))[:, 1], x, sm.families.Binomial()).fit(tol=1e-12)
    assert (glm.params[1:] > 0).all()
    assert found.probabilities(f)[:, 1] == pytest.approx(glm.predict(x), rel=1e-5)


def test_the_isotonic_map_is_that_of_scikit_learn():
    f, y = drawn(80, 2, 7)
    f = f.round(1)
    found = fit_map("isotonic", f, y, 2).probabilities(f)[:, 1]
    levels, place, counts = np.unique(f[:, 0], return_inverse=True, return_counts=True)
    shares = np.bincount(place, y) / counts
    counted = y.sum()
    ends = 1 / (80 - counted + 2), (counted + 1) / (counted + 2)
    wanted = np.clip(isotonic_regression(shares, sample_weight=counts), *ends)
    assert len(levels) == len(wanted)
    assert found == pytest.approx(wanted[place], rel=1e-8)


@pytest.mark.parametrize("classes", [2, 3, 4])
def test_every_map_gives_probabilities_and_is_saved(classes):
    f, y = drawn(300, classes, 9)
    for key in maps_of(classes):
        one = fit_map(key, f, y, classes)
        p = one.probabilities(f)
        assert p.shape == (300, classes)
        assert p.sum(axis=1) == pytest.approx(np.ones(300))
        assert ((p > 0) & (p < 1)).all()
        kept = ClassProbabilities(one, (1 / classes,) * classes).content()
        again = ClassProbabilities.of_content(
            msgspec.json.decode(msgspec.json.encode(kept), type=MapContent)
        )
        assert np.array_equal(again.of(f), p)


def test_separable_classes_have_a_map_and_noise_the_share():
    f = np.repeat([-1.0, 1.0], 30)[:, None]
    y = np.repeat([0, 1], 30)
    p = fit_map("logistic", f, y, 2).probabilities(f)[:, 1]
    assert p[-1] == pytest.approx(31 / 32, rel=1e-3)  # Platt's target
    turned = fit_map("logistic", -f, y, 2)  # decision values that say the opposite
    assert turned.probabilities(f)[:, 1] == pytest.approx(np.full(60, 0.5))


def decisions_of(seed, n=120, folds=5):
    draw = np.random.default_rng(seed)
    truth = draw.integers(0, 2, n)
    fold = np.arange(n) % folds
    outer = draw.normal(size=(n, 1)) + truth[:, None]
    inner = draw.normal(size=(folds, n, 1)) + truth[:, None]
    less = draw.normal(size=(folds, n, 1)) + truth[:, None]
    for k in range(folds):
        inner[k, fold == k] = less[k, fold == k] = np.nan
    return NestedDecisions(fold, outer, inner, less, outer), truth


def test_no_row_that_is_judged_has_a_part_in_its_map():
    run, truth = decisions_of(3)
    known = nested_probabilities([run], truth, 2).held_out[0]
    for k in range(5):
        poisoned = truth.copy()
        poisoned[run.fold == k] = 1 - poisoned[run.fold == k]
        found = nested_probabilities([run], poisoned, 2).held_out[0]
        assert np.array_equal(found[run.fold == k], known[run.fold == k])
        assert not np.allclose(found[run.fold != k], known[run.fold != k])


def test_a_bent_course_is_seen_where_there_are_rows_enough():
    draw = np.random.default_rng(4)
    n = 6000
    f = draw.uniform(-2, 2, size=(n, 1))
    p = np.where(f[:, 0] < 0, 0.1, 0.9)  # a step, which no logistic map follows
    truth = (draw.random(n) < p).astype(int)
    fold = np.arange(n) % 3
    inner = np.repeat(f[None], 3, axis=0)
    for k in range(3):
        inner[k, fold == k] = np.nan
    run = NestedDecisions(fold, f, inner, np.full(inner.shape, np.nan), f)
    found = nested_probabilities([run], truth, 2)
    assert found.final.key == "isotonic"
    assert {one.key for of_run in found.maps for one in of_run} == {"isotonic"}
    few = slice(0, 300)
    small = NestedDecisions(fold[few], f[few], inner[:, few], run.with_less[:, few], f[few])
    assert nested_probabilities([small], truth[few], 2).final.key == "logistic"
