"""The hybrid methods against a slow twin that computes everything anew at every step."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from twins import held_out_rates as slow
from twins.fisher_fractions import fisher_fraction
from twins.hybrid_merging import hybrid_order

from hetsel import HFS5NN, HFSNaiveBayes, Schema
from hetsel.ground.errors import TableError
from hetsel.resampling.folds import stratified_folds
from hetsel.selection import Problem
from hetsel.tables import Classes

METHODS = [HFSNaiveBayes, HFS5NN]
RATES = {
    HFSNaiveBayes: slow.naive_bayes_rate,
    HFS5NN: slow.neighbor_rate,
}
both = pytest.mark.parametrize("method", METHODS)


def logs_of(selector):
    """Log p-value of each column's own test."""
    return selector.answer_.extras["log_pvalue"]


def mixed(seed=0, n=40, classes=2, missing=0.0):
    """Four continuous columns, one ordinal, three nominal; in both kinds some tell the class."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % classes)
    frame = pd.DataFrame(rng.normal(size=(n, 4)), columns=list("abcd"))
    frame["a"] += 0.9 * y
    frame["b"] += 0.5 * y
    frame["c"] = np.round(frame["c"] * 2) + 50  # many ties
    grade = np.minimum(rng.integers(0, 3, n) + y, 3)
    frame["grade"] = pd.Categorical.from_codes(grade, ["1", "2", "3", "4"], ordered=True)
    for name, share in (("p", 0.7), ("q", 0.4), ("r", 0.0)):
        codes = np.where(rng.random(n) < share, y % 3, rng.integers(0, 3, n))
        frame[name] = np.array(["u", "v", "w"])[codes]
    if missing:
        frame = frame.mask(rng.random(frame.shape) < missing)
    order = rng.permutation(8)
    return frame.iloc[:, order], y


def own_pvalues(table, y):
    """p-values of the columns by scipy and by exact fractions."""
    found = []
    for column, nominal in zip(table.values.T, table.nominal, strict=True):
        groups = [column[(y == c) & ~np.isnan(column)] for c in range(y.max() + 1)]
        if nominal:
            found.append(float(fisher_fraction(pd.crosstab(column, y).to_numpy().tolist())))
        elif len(groups) == 2:
            found.append(stats.ttest_ind(*groups, equal_var=False).pvalue)
        else:
            found.append(stats.f_oneway(*groups).pvalue)
    return np.array(found)


@pytest.mark.slow
@both
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_order_and_rates_equal_the_slow_twin(method, seed, classes):
    frame, y = mixed(seed, n=30, classes=classes)
    table = Schema.infer(frame).encode(frame)
    problem = Problem(table, Classes.of(y), (1,), seed=9)
    y = problem.target.codes  # ties between classes go by their numbers
    fold = stratified_folds(y, 5, np.random.default_rng(9))
    pvalue = own_pvalues(table, y)
    order, rates = hybrid_order(
        lambda subset: RATES[method](table.values, table.nominal, y, fold, subset),
        pvalue,
        table.nominal,
    )
    found = method().solve(problem)
    assert found.order.tolist() == order
    assert [step.objective for step in found.steps] == pytest.approx(rates, abs=1e-9)
    np.testing.assert_allclose(found.extras["log_pvalue"], np.log(pvalue), atol=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_missing_cells_apart_equal_the_slow_twin(seed):
    frame, y = mixed(seed, n=30, missing=0.15)
    table = Schema.infer(frame).encode(frame).resolve_missing("separate")
    problem = Problem(table, Classes.of(y), (1,), seed=9)
    y = problem.target.codes
    fold = stratified_folds(y, 5, np.random.default_rng(9))
    order, _ = hybrid_order(
        lambda subset: slow.neighbor_rate(table.values, table.nominal, y, fold, subset, 3),
        own_pvalues(table, y),
        table.nominal,
    )
    method = HFS5NN(neighbors=3)
    assert method.solve(problem).order.tolist() == order


@both
def test_the_lists_are_merged_not_sorted(method):
    frame, y = mixed(1)
    found = method().fit(frame, y)
    order, logs = found.answer_.order, logs_of(found)
    nominal = Schema.infer(frame).nominal
    for kind in (nominal, ~nominal):
        assert (np.diff(logs[order[kind[order]]]) >= 0).all()
    orders = {tuple(method().fit(*mixed(s)).answer_.order) for s in range(6)}
    by_pvalue = {tuple(np.argsort(logs_of(method().fit(*mixed(s))))) for s in range(6)}
    assert orders != by_pvalue


@both
def test_equal_rates_go_to_the_smaller_pvalue_then_the_lower_column(method):
    y = np.repeat([0, 1], 10)
    tells = y + np.linspace(0, 0.1, 20)
    text = np.where(y == 0, "n", "y")
    frame = pd.DataFrame({"text": text, "number": tells, "copy": text})
    found = method().fit(frame, y)
    assert [step.objective for step in found.answer_.steps] == [1.0, 1.0, 1.0]
    assert logs_of(found)[1] < logs_of(found)[0]
    assert found.answer_.order.tolist() == [1, 0, 2]


@both
@pytest.mark.parametrize("missing", ["impute", "separate"])
@pytest.mark.parametrize("seed", range(3))
def test_units_level_names_and_column_order_change_nothing(method, missing, seed):
    frame, y = mixed(seed, n=60, missing=0.1)
    plain = method(missing=missing).fit(frame, y)
    other = frame.assign(
        a=frame["a"] * 2.54 + 3,
        c=frame["c"] / 3,
        p=frame["p"].replace({"u": "zebra", "v": "yak", "w": "ox"}),
    )
    other = other[other.columns[np.random.default_rng(seed).permutation(8)]]
    found = method(missing=missing).fit(other, y)
    assert found.frame()["feature"].tolist() == plain.frame()["feature"].tolist()
    assert [s.objective for s in found.answer_.steps] == [s.objective for s in plain.answer_.steps]


@both
def test_the_trace_and_the_importances_tell_the_order(method):
    found = method().fit(*mixed())
    assert [step.size for step in found.answer_.steps] == list(range(8))
    assert [step.features for step in found.answer_.steps] == [(f,) for f in found.answer_.order]
    assert found.importances_[found.answer_.order].tolist() == list(range(8, 0, -1))


@both
def test_one_kind_one_column_constant_and_duplicate_columns(method):
    frame, y = mixed()
    nominal = method().fit(frame[["p", "q", "r"]], y)
    assert nominal.answer_.order.tolist() == np.argsort(logs_of(nominal)).tolist()
    numbers = method().fit(frame[["a", "b", "grade"]], y)
    assert numbers.answer_.order.tolist() == np.argsort(logs_of(numbers)).tolist()
    assert method().fit(frame[["a"]], y).ranking_.tolist() == [1]
    twice = pd.DataFrame({"flat": 1.0, "a": frame["a"], "b": frame["a"], "one": "level"})
    assert method().fit(twice, y).answer_.order.tolist()[:2] == [1, 2]


@both
def test_a_rare_class_limits_the_folds(method):
    frame, _ = mixed()
    y = np.array([0] * 38 + [1] * 2)
    assert sorted(method().fit(frame, y).answer_.order) == list(range(8))


@both
def test_folds_are_drawn_from_the_seed(method):
    frame, y = mixed(n=30)
    fits = [method(random_state=seed).fit(frame, y) for seed in (0, 0, 1, 2)]
    traces = [repr(fit.answer_.steps) for fit in fits]  # steps with a NaN equal none since 3.13
    assert traces[0] == traces[1]
    assert traces[0] != traces[2] or traces[0] != traces[3]


@pytest.mark.parametrize(
    ("selector", "message"),
    [
        (HFSNaiveBayes(folds=1), "^folds must be a whole number, 2 or larger. Got 1$"),
        (HFSNaiveBayes(smoothing=0), "^smoothing must be a number larger than 0. Got 0$"),
        (HFSNaiveBayes(var_smoothing=-1.0), "^var_smoothing must be .* Got -1.0$"),
        (HFS5NN(folds=2.5), "^folds must be .* Got 2.5$"),
        (HFS5NN(neighbors=0), "^neighbors must be .* 1 or larger. Got 0$"),
    ],
)
def test_parameters_out_of_range_are_refused(selector, message):
    with pytest.raises(TableError, match=message):
        selector.fit(*mixed())


@both
def test_a_fisher_test_out_of_reach_is_told_once(method):
    frame, y = mixed(n=60, classes=3)
    exact = method().fit(frame, y)
    with pytest.warns(UserWarning, match="standard error .* 5000 tables") as caught:
        drawn = method(samples=5000, limit=0).fit(frame, y)
    assert len(caught) == 1
    nominal = Schema.infer(frame).nominal
    assert (logs_of(drawn)[nominal] != logs_of(exact)[nominal]).any()
    assert (logs_of(drawn)[~nominal] == logs_of(exact)[~nominal]).all()
