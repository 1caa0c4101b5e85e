"""L2-AROM: against the published update on an outside machine, and what it is for."""

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from mixed_tables import mixed
from twins.zero_norm import l2_arom, radius_C

from hetsel import AROM
from hetsel.ground.errors import TableError
from hetsel.kernels.scaled_kernels import Expansion


def standardized(frame):
    return ((frame - frame.mean()) / frame.std(ddof=0)).to_numpy()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("p", [8, 60])
def test_of_numbers_and_two_classes_it_is_the_published_update(seed, p):
    frame, y = mixed_frame(40, p, 0, seed=seed)
    slow, factors = l2_arom(standardized(frame), np.arange(p), y, radius_C)
    found = AROM().fit(frame, y)
    np.testing.assert_array_equal(found.answer_.order, slow)
    stays = list(found.answer_.steps[-1].features)
    np.testing.assert_allclose(found.importances_[stays], factors[stays], rtol=1e-4)


@pytest.mark.parametrize("seed", range(3))
def test_of_a_hard_margin_the_length_of_the_rows_means_nothing(seed):
    frame, y = mixed_frame(20, 40, 0, seed=seed)  # more columns than rows: always parted
    slow, factors = l2_arom(standardized(frame), np.arange(40), y, lambda rows: 1e12, iterations=4)
    found = AROM(C=1e12, iterations=4).fit(frame, y)
    np.testing.assert_array_equal(found.answer_.order, slow)
    stays = list(found.answer_.steps[-1].features)
    np.testing.assert_allclose(found.importances_[stays], factors[stays], rtol=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_a_feature_of_several_columns_has_one_factor(seed, classes, missing):
    table, y = mixed(seed, n=36, classes=classes, missing=missing)
    features = Expansion.of(np.ascontiguousarray(table.values.T), table.nominal)
    varying = int(features.varies.sum())
    slow = l2_arom(features.columns, features.feature, y, radius_C)[0]
    found = AROM(missing="separate").fit(table, y)
    np.testing.assert_array_equal(found.answer_.order, [*slow, *range(varying, 6)])


@pytest.mark.parametrize("seed", range(5))
def test_the_few_features_that_part_the_classes_stay(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(80, 100))
    y = (X[:, 7] - X[:, 20] + X[:, 63] > 0).astype(int)
    found = AROM(C=1e3).fit(X, y).answer_
    assert set(found.signature(3)) == {7, 20, 63}
    assert len(found.steps[-1].features) < 15


def test_steps_tell_when_features_fell():
    frame, y = mixed_frame(60, 30, 4, seed=1)
    found = AROM().fit(frame, y)
    steps = found.answer_.steps
    assert [s.size for s in steps] == [
        34 - sum(len(b.features) for b in steps[:k]) for k in range(len(steps))
    ]
    told = [f for step in reversed(steps) for f in step.features]
    np.testing.assert_array_equal(told, found.answer_.order)
    fallen = [f for step in steps[:-1] for f in step.features]
    assert (found.importances_[fallen] <= 1e-3).all()
    assert (found.importances_[list(steps[-1].features)] > 1e-3).all()
    assert found.importances_.max() == 1.0
    assert len(AROM(iterations=1, threshold=1e-6).fit(frame, y).answer_.steps) == 1


@pytest.mark.parametrize("classes", [2, 3])
def test_rows_columns_levels_units_and_copies(classes):
    frame, y = mixed_frame(70, 6, 4, seed=2, classes=classes)
    frame["c0 in inches"] = frame["c0"] / -2.54 + 7
    frame["n2 renamed"] = frame["n2"].cat.rename_categories(lambda level: level[::-1])
    here = AROM().fit(frame, y)
    importances = pd.Series(here.importances_, index=frame.columns)
    assert importances["c0"] == importances["c0 in inches"]
    assert importances["n2"] == importances["n2 renamed"]
    rng = np.random.default_rng(classes)
    rows, columns = rng.permutation(70), rng.permutation(12)
    other = frame.iloc[rows, columns]
    other = other.assign(**{c: -0.3048 * other[c] + 17 for c in other if c.startswith("c")})
    there = pd.Series(AROM().fit(other, y[rows]).importances_, index=other.columns)
    pd.testing.assert_series_equal(there[frame.columns], importances, rtol=1e-6)


def test_a_machine_that_uses_no_feature_is_said():
    rng = np.random.default_rng(0)
    y = (np.arange(200) < 20).astype(int)
    X = rng.normal(size=(200, 6)) + 0.5 * y[:, None] * np.array([1, 1, 0, 0, 0, 0])
    with pytest.warns(UserWarning, match="uses no feature.*class_weight='balanced'"):
        found = AROM().fit(X, y)
    assert len(set(found.importances_)) == 1
    assert len(set(AROM(class_weight="balanced").fit(X, y).importances_)) == 6


def test_impossible_parameters_are_named():
    frame, y = mixed_frame(30, 2, 2)
    with pytest.raises(ValueError, match="C must be a positive number or 'radius'. Got 'soft'"):
        AROM(C="soft").fit(frame, y)
    with pytest.raises(TableError, match="iterations must be a whole number, 1 or larger. Got 0"):
        AROM(iterations=0).fit(frame, y)
    for threshold in (0.0, 1.0):
        with pytest.raises(ValueError, match="threshold must be a number above 0 and below 1"):
            AROM(threshold=threshold).fit(frame, y)
