"""RFE with a linear machine: against scikit-learn's, and with kernels of every kind by hand."""

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from mixed_tables import mixed
from sklearn.feature_selection import RFE
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC
from twins.elimination import elimination
from twins.scaled_kernels import pieces

from hetsel import RFELinear


def standardized(frame):
    return ((frame - frame.mean()) / frame.std(ddof=0)).to_numpy()


def coefficients(machines):
    return np.concatenate([machine.coef_ for machine in machines.estimators_])


def corners(seed, classes):
    """Normal columns, of which the first ones part one class from the rest each."""
    rng = np.random.default_rng(seed)
    y = np.arange(60) % classes
    return pd.DataFrame(rng.normal(size=(60, 12)) + 1.5 * (y[:, None] == np.arange(12))), y


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("C", [0.02, 0.2])
def test_the_ranking_is_that_of_scikit_learn(seed, classes, C):
    frame, y = corners(seed, classes)
    machine = OneVsRestClassifier(SVC(kernel="linear", C=C, tol=1e-6))
    outside = RFE(machine, n_features_to_select=1, step=1, importance_getter=coefficients)
    outside.fit(standardized(frame), y)
    found = RFELinear(C=C, step=1).fit(frame, y)
    np.testing.assert_array_equal(found.ranking_, outside.ranking_)


def test_more_columns_than_rows():
    frame, y = mixed_frame(30, 200, 0, seed=5)
    machine = SVC(kernel="linear", C=0.01, tol=1e-6)
    outside = RFE(machine, n_features_to_select=1, step=1).fit(standardized(frame), y)
    found = RFELinear(C=0.01, step=1).fit(frame, y)
    np.testing.assert_array_equal(found.ranking_, outside.ranking_)


def radius_C(gram):
    lengths = [np.sqrt(gram[i, i]) for i in range(len(gram))]
    return 1.0 / (sum(lengths) / len(lengths)) ** 2


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("C", ["radius", 0.5])
def test_the_order_is_that_of_kernels_by_hand(seed, classes, missing, C):
    table, y = mixed(seed, n=36, classes=classes, missing=missing)
    varying = 6 if missing else 5
    grams = []
    for f in range(varying):
        inner = pieces(table.values[:, f].tolist(), bool(table.nominal[f]))[0]
        grams.append(np.array([[inner(i, j) for j in range(36)] for i in range(36)]))

    def energies(left):
        gram = sum(grams[f] for f in left)
        bound, energy = radius_C(gram) if C == "radius" else C, np.zeros(len(left))
        for k in range(1, 2) if classes == 2 else range(classes):
            machine = SVC(kernel="precomputed", C=bound, tol=1e-6).fit(gram, y == k)
            beta = np.zeros(36)
            beta[machine.support_] = machine.dual_coef_[0]
            energy += [beta @ grams[f] @ beta for f in left]
        return energy

    slow = elimination(energies, varying)
    found = RFELinear(C=C, missing="separate").fit(table, y)
    np.testing.assert_array_equal(found.answer_.order, [*slow, *range(varying, 6)])
    assert found.importances_[slow[0]] == pytest.approx(energies(slow[:1])[0], rel=1e-5)


def test_weights_of_classes_stand_for_repeated_rows():
    frame, y = mixed_frame(60, 6, 0, seed=3)
    z = pd.DataFrame(standardized(frame))
    rare = y.copy()
    rare[:20] = 0
    weighted = RFELinear(C=0.1, step=1, class_weight={1: 2.0}).fit(z, rare)
    balanced = RFELinear(C=0.1, step=1, class_weight="balanced").fit(z, rare)
    by_hand = RFELinear(C=0.1, step=1, class_weight={0: 0.75, 1: 1.5}).fit(z, rare)
    assert balanced.ranking_.tolist() == by_hand.ranking_.tolist()
    outside = RFE(SVC(kernel="linear", C=0.1, class_weight={1: 2.0}, tol=1e-6), step=1)
    outside.set_params(n_features_to_select=1).fit(z, rare)
    np.testing.assert_array_equal(weighted.ranking_, outside.ranking_)


@pytest.mark.parametrize("classes", [2, 3])
def test_rows_columns_levels_units_and_copies(classes):
    frame, y = mixed_frame(70, 6, 4, seed=2, classes=classes)
    frame["c0 in inches"] = frame["c0"] / -2.54 + 7
    frame["n2 renamed"] = frame["n2"].cat.rename_categories(lambda level: level[::-1])
    here = RFELinear(step=1).fit(frame, y)
    ranks = pd.Series(here.ranking_, index=frame.columns)
    rng = np.random.default_rng(classes)
    rows, columns = rng.permutation(70), rng.permutation(12)
    other = frame.iloc[rows, columns]
    other = other.assign(**{c: -0.3048 * other[c] + 17 for c in other if c.startswith("c")})
    there = pd.Series(RFELinear(step=1).fit(other, y[rows]).ranking_, index=other.columns)
    single = [c for c in frame if not c.startswith(("c0", "n2"))]
    pd.testing.assert_series_equal(there[single], ranks[single])
    for name in ("c0", "n2"):
        pair = [c for c in frame if c.startswith(name)]
        assert sorted(there[pair]) == sorted(ranks[pair])
    assert ranks["c0"] < ranks["c0 in inches"]


def test_a_machine_that_uses_no_feature_is_said():
    rng = np.random.default_rng(0)
    y = (np.arange(200) < 20).astype(int)
    X = rng.normal(size=(200, 6)) + 0.5 * y[:, None] * np.array([1, 1, 0, 0, 0, 0])
    with pytest.warns(UserWarning, match="uses no feature.*class_weight='balanced'"):
        found = RFELinear().fit(X, y)
    assert not found.importances_.any()
    assert RFELinear(class_weight="balanced").fit(X, y).importances_.all()


def test_impossible_parameters_are_named():
    frame, y = mixed_frame(30, 2, 2)
    for C in ("large", 0.0, True):
        with pytest.raises(ValueError, match="C must be a positive number or 'radius'"):
            RFELinear(C=C).fit(frame, y)
    with pytest.raises(ValueError, match="normalize must be one of trace, norm, none"):
        RFELinear(normalize="range").fit(frame, y)
    with pytest.raises(ValueError, match="step must be .* between 0 and 1"):
        RFELinear(step=2.5).fit(frame, y)
