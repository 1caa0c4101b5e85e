"""Sensitivity of posteriors against scikit-learn's calibrated machines."""

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from mixed_tables import mixed
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import PredefinedSplit
from sklearn.svm import SVC

from hetsel import FSPP
from hetsel.ground.errors import TableError
from hetsel.kernels.scaled_kernels import Expansion
from hetsel.methods.embedded.fspp import PairedMachines
from hetsel.solvers.svm.two_class_svm import class_pairs, couple


def problem(seed, classes, missing):
    """Expanded columns of a mixed table, classes, folds and permutations."""
    table, y = mixed(seed, n=48, classes=classes, missing=missing)
    features = Expansion.of(np.ascontiguousarray(table.values.T), table.nominal)
    rng = np.random.default_rng(seed)
    folds = np.empty(48, dtype=int)
    for c in range(classes):
        folds[y == c] = np.arange((y == c).sum()) % 3
    return features, y, folds, [rng.permutation(48) for _ in range(2)]


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("seed", range(2))
def test_sensitivities_are_those_of_calibrated_machines(seed, classes, missing):
    features, y, folds, donors = problem(seed, classes, missing)
    method = FSPP(C=2.0, gamma=0.1)
    found = PairedMachines(features, y, folds, np.arange(classes), method).sensitivities(donors)
    machines = {}
    for a, b in class_pairs(classes):
        rows = np.flatnonzero((y == a) | (y == b))
        machines[a, b] = CalibratedClassifierCV(
            SVC(C=2.0, gamma=0.1, tol=1e-9), cv=PredefinedSplit(folds[rows]), ensemble=False
        ).fit(features.columns[rows], y[rows] == a)

    def posteriors(columns):
        each = [machine.predict_proba(columns)[:, 1] for machine in machines.values()]
        return couple(np.column_stack(each), classes)

    expected = np.zeros(features.p)
    for f in range(features.p):
        for donor in donors:
            columns = features.columns.copy()
            own = features.feature == f
            columns[:, own] = columns[donor][:, own]
            change = np.abs(posteriors(columns) - posteriors(features.columns))
            expected[f] += change.mean() / len(donors)
    np.testing.assert_allclose(found, expected, atol=3e-4)


def test_what_tells_the_class_by_its_size_only_is_found():
    for seed in range(5):
        x = np.random.default_rng(seed).normal(size=(120, 8))
        y = (x[:, 3] ** 2 + x[:, 5] ** 2 > 1.4).astype(int)
        for step in (0.2, None):
            assert set(FSPP(step=step).fit(x, y).signature(2)) == {3, 5}


def test_one_pass_is_the_first_step_of_an_elimination():
    frame, y = mixed_frame(60, 5, 3, classes=3)
    frame["flat"] = 1.0
    whole, steps = (FSPP(step=step).fit(frame, y).answer_ for step in (None, 0.2))
    assert whole.steps == ()
    dropped = list(steps.steps[0].features)
    assert whole.order[-3:].tolist() == [*dropped, 8]
    np.testing.assert_array_equal(whole.importance[dropped], steps.importance[dropped])
    assert len(dropped) == 2
    assert whole.importance[8] == 0.0


@pytest.mark.parametrize("grouped", [False, True])
def test_the_order_of_rows_and_columns_changes_nothing(grouped):
    frame, y = mixed_frame(70, 5, 3, missing=0.05, classes=3)
    frame["copy"] = 7.3 - 3.7 * frame["c1"]
    groups = np.arange(70) // 3 if grouped else None
    here = FSPP(permutations=2).fit(frame, y, groups=groups)
    ranks = pd.Series(here.ranking_, index=frame.columns)
    assert ranks["copy"] > ranks["c1"]
    rng = np.random.default_rng(0)
    rows, columns = rng.permutation(70), rng.permutation(9)
    names = None if groups is None else [f"group {50 - g}" for g in groups[rows]]
    there = FSPP(permutations=2).fit(frame.iloc[rows, columns], y[rows], groups=names)
    shuffled = pd.Series(there.ranking_, index=frame.columns[columns])
    same_content = shuffled.drop(["copy", "c1"])
    pd.testing.assert_series_equal(
        same_content.sort_index(), ranks[same_content.index].sort_index()
    )


def test_weights_of_classes():
    frame, y = mixed_frame(60, 4, 2, classes=3)
    labels = np.array(["a", "b", "c"])[y]
    plain = FSPP(step=None).fit(frame, labels).importances_
    # three classes of 20 rows: balanced weights are 1 in each pair
    even = FSPP(step=None, class_weight="balanced").fit(frame, labels).importances_
    np.testing.assert_array_equal(plain, even)
    named = FSPP(step=None, class_weight={"b": 3.0}).fit(frame, labels).importances_
    assert not np.array_equal(plain, named)
    with pytest.raises(
        ValueError, match="class_weight must have a positive weight for classes among .* for "
    ):
        FSPP(class_weight={"d": 3.0}).fit(frame, labels)


def test_impossible_parameters_are_named():
    frame, y = mixed_frame(30, 2, 2)
    with pytest.raises(TableError, match="permutations must be a whole number, 1 or larger. Got 0"):
        FSPP(permutations=0).fit(frame, y)
    with pytest.raises(TableError, match="folds must be a whole number, 2 or larger. Got 1"):
        FSPP(folds=1).fit(frame, y)
