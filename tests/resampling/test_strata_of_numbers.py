"""Rows of a target of numbers: folds, halves and permutations ask the target, as for classes."""

import numpy as np
import pandas as pd
import pytest

from hetsel import Table, get_method, permuted_ranking, selection_in_halves
from hetsel.ground.errors import TableError
from hetsel.resampling.folds import draw_folds
from hetsel.resampling.halves_and_bootstraps import draw_halves
from hetsel.resampling.label_permutations import permuted_target
from hetsel.selection import Problem
from hetsel.tables import Numbers

RNG = np.random.default_rng(6)
VALUES = RNG.normal(size=120)
FRAME = pd.DataFrame(RNG.normal(size=(120, 8))).add_prefix("x")
FRAME["x2"] += 1.5 * VALUES
FRAME["n"] = pd.Categorical.from_codes(np.digitize(VALUES, [0.0]), ["low", "high"])


def problem(values=VALUES, groups=None):
    n = len(values)
    return Problem(Table.read(FRAME[:n]), Numbers(values), (), row_groups=groups)


@pytest.mark.parametrize("folds", [2, 5, 10])
def test_folds_have_every_tenth_of_the_numbers_evenly(folds):
    given = problem()
    for fold in draw_folds(given, folds, repeats=3):
        assert np.ptp(np.bincount(fold)) <= 1
        for stratum in range(10):
            counts = np.bincount(fold[given.target.strata == stratum], minlength=folds)
            assert np.ptp(counts) <= 1


def test_folds_of_groups_hold_groups_together():
    groups = np.arange(120) // 3
    for fold in draw_folds(problem(groups=groups), 4, repeats=2):
        assert all(len(np.unique(fold[groups == g])) == 1 for g in range(40))
        assert np.bincount(fold).min() >= 24


@pytest.mark.parametrize("n", [12, 33, 120])
def test_halves_have_every_tenth_of_the_numbers_evenly(n):
    given = problem(np.round(VALUES[:n], 1))
    for half in draw_halves(given, 5, np.random.default_rng(0)):
        assert abs(2 * half.sum() - n) <= 10
        counts = np.bincount(given.target.strata[half], minlength=given.target.strata.max() + 1)
        assert (abs(2 * counts - np.bincount(given.target.strata)) <= 1).all()


def test_permuted_numbers_are_the_same_numbers():
    given = problem(np.round(VALUES, 1))
    drawn = permuted_target(given, np.random.default_rng(1)).numbers.values
    assert sorted(drawn) == sorted(given.numbers.values)
    assert (drawn != given.numbers.values).any()
    groups = np.repeat(np.arange(40), 3)
    shared = problem(np.repeat(VALUES[:40], 3), groups)
    drawn = permuted_target(shared, np.random.default_rng(1)).numbers.values.reshape(40, 3)
    assert (np.ptp(drawn, axis=1) == 0).all()


@pytest.mark.parametrize("key", ["pearson", "anova-f"])
def test_rankings_of_a_number_have_permutation_p_values(key):
    method = get_method(key)(unsupported="error")
    frame = FRAME if key == "anova-f" else FRAME.drop(columns="n")
    found = permuted_ranking(method, frame, VALUES, permutations=39)
    told = [name in ("x2", "n") for name in frame]
    assert (found.pvalues[told] == 1 / 40).all()
    assert found.pvalues[~np.array(told)].min() > 1 / 40


def test_what_tells_a_number_is_selected_in_halves():
    found = selection_in_halves(get_method("anova-f")(), FRAME, VALUES, size=2, pairs=10, bound=1)
    frequency = dict(zip(found.names, found.chosen.mean(axis=0), strict=True))
    assert frequency["x2"] == frequency["n"] == 1.0
    with pytest.raises(TableError, match="needs classes as its target, since .*Got numbers: 120"):
        selection_in_halves(get_method("hfs-nb")(), FRAME, VALUES, size=2, pairs=2, bound=1)
