"""Hybrid selection of numbers and times against a slow twin that computes all anew every step."""

import numpy as np
import pytest
from mixed_tables import mixed
from scipy import stats
from sklearn.metrics import r2_score
from sksurv.compare import compare_survival
from sksurv.metrics import concordance_index_censored
from twins import held_out_rates as slow
from twins.hybrid_merging import hybrid_order

from hetsel import get_method, survival
from hetsel.ground.errors import TableError
from hetsel.resampling.folds import draw_folds
from hetsel.resampling.row_parts import in_canonical_order
from hetsel.selection import Problem
from hetsel.tables import Numbers, Survival


def told_numbers(seed, n=36, missing=0.0):
    table, y = mixed(seed, n=n, missing=missing)
    return Problem(table, Numbers(y + np.random.default_rng(seed).normal(size=n)), (1,), seed=9)


def flat(table):
    """The columns of one value."""
    return np.flatnonzero(np.ptp(table.values, axis=0) == 0).tolist()


def own_pvalues(table, y):
    """p-values of the columns by scipy."""
    found = []
    for column, nominal in zip(table.values.T, table.nominal, strict=True):
        there = ~np.isnan(column)
        if nominal:
            groups = [y[column == level] for level in np.unique(column[there])]
            groups += [y[~there]] * (not there.all())
            found.append(stats.f_oneway(*groups).pvalue)
        elif np.ptp(column[there]) > 0:
            found.append(stats.pearsonr(column[there], y[there]).pvalue)
        else:
            found.append(1.0)
    return np.array(found)


@pytest.mark.seconds
@pytest.mark.parametrize("seed", range(1, 5))  # sums that rounding to 2^-24 tells apart: seed 0
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_the_order_of_numbers_equals_the_slow_twin(seed, missing):
    problem = told_numbers(seed, missing=missing)
    ordered = in_canonical_order(problem, "separate", "range")
    table, y, fold = ordered.table, ordered.numbers.values, draw_folds(ordered, 5)[0]

    def rate(subset):
        found = slow.neighbor_means(table.values, table.nominal, y, fold, subset, 3)
        return round(r2_score(y, found), 6)

    pvalue = own_pvalues(table, y)
    order, rates = hybrid_order(rate, pvalue, table.nominal, flat(table))
    found = get_method("hfs-5nn")(neighbors=3).solve(problem)
    assert found.order.tolist() == order
    assert [step.objective for step in found.steps] == pytest.approx(rates, abs=2e-6)
    np.testing.assert_allclose(found.extras["log_pvalue"], np.log(pvalue), atol=1e-7)


def own_log_ranks(table, times, events):
    """p-values of nominal columns by scikit-survival; of times without ties all tests agree."""
    y = survival(times, events)
    return [
        compare_survival(y, np.nan_to_num(column, nan=-1.0))[1]
        for column, nominal in zip(table.values.T, table.nominal, strict=True)
        if nominal
    ]


@pytest.mark.seconds
@pytest.mark.parametrize("seed", range(1, 4))
def test_the_order_of_survival_times_equals_the_slow_twin(seed):
    table, y = mixed(seed, n=36)
    rng = np.random.default_rng(seed)
    target = Survival(np.exp(-y - rng.normal(size=36)), rng.random(36) < 0.7)
    problem = Problem(table, target, (1,), seed=9)
    ordered = in_canonical_order(problem, "separate", "range")
    table, fold = ordered.table, draw_folds(ordered, 5)[0]
    told = ordered.survival.times, ordered.survival.events

    def rate(subset):
        found = slow.neighbor_mortalities(table.values, table.nominal, *told, fold, subset, 3)
        return concordance_index_censored(told[1], told[0], np.round(found, 9))[0]

    found = get_method("hfs-5nn")(neighbors=3).solve(problem)
    pvalue = np.exp(found.extras["log_pvalue"])
    np.testing.assert_allclose(pvalue[table.nominal], own_log_ranks(table, *told), atol=1e-7)
    order, rates = hybrid_order(rate, pvalue, table.nominal, flat(table))
    assert found.order.tolist() == order
    assert [step.objective for step in found.steps] == pytest.approx(rates, abs=1e-9)


def test_naive_bayes_says_why_it_takes_classes_only():
    problem = told_numbers(0)
    for key in ("hfs-nb", "sffs-nb"):
        with pytest.raises(TableError, match="classes as its target.* naive Bayes"):
            get_method(key)().fit(problem.table, problem.numbers)
