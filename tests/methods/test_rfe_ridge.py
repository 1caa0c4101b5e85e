"""RFE of numbers and survival times by ridge: against scikit-learn, scikit-survival, by hand."""

import numpy as np
import pandas as pd
import pytest
from frames import same
from mixed_tables import mixed
from sklearn.feature_selection import RFE
from sklearn.linear_model import Ridge
from sksurv.linear_model import CoxPHSurvivalAnalysis
from twins.elimination import elimination
from twins.scaled_kernels import pieces

from hetsel import RFELinear, survival
from hetsel.ground.errors import TableError
from hetsel.selection.verdicts_in_words import OPEN


def followed(told, seed=1):
    """Survival times, many alike, of rows with the log hazard told."""
    rng = np.random.default_rng(seed)
    n = len(told)
    happened, seen = rng.exponential(size=n) / np.exp(told), 2 * rng.exponential(size=n)
    return survival(np.ceil(20 * np.minimum(happened, seen)), happened <= seen)


def normal(seed, n=70, p=9):
    """Normal columns of which the first three tell a number."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, p)) * np.geomspace(0.1, 10, p) + 5
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    return pd.DataFrame(x), z, z[:, :3] @ [1.0, -0.7, 0.4] + rng.normal(size=n)


@pytest.mark.seconds
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("C", [0.005, 0.5])
@pytest.mark.parametrize("p", [9, 90])
def test_of_numbers_the_ranking_is_that_of_scikit_learn(seed, C, p):
    frame, z, y = normal(seed, p=p)
    outside = RFE(Ridge(alpha=1 / C), n_features_to_select=1, step=1).fit(z, y / y.std())
    found = RFELinear(C=C, step=1).fit(frame, y)
    same(found.ranking_, outside.ranking_)
    assert OPEN not in found.answer_.cuts


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("p", [9, 50])
def test_of_survival_times_the_ranking_is_that_of_scikit_survival(seed, p):
    frame, z, told = normal(seed, n=40, p=p)
    y = followed(told)

    def energies(left):
        cox = CoxPHSurvivalAnalysis(alpha=4.0, ties="breslow", tol=1e-14)
        return (cox.fit(z[:, left], y).coef_ ** 2).tolist()

    slow = elimination(energies, p)
    found = RFELinear(C=0.25).fit(frame, y)
    assert found.answer_.order.tolist() == slow.tolist()
    assert OPEN not in found.answer_.cuts


@pytest.mark.parametrize("C", ["radius", 0.5])
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_of_mixed_columns_the_order_is_that_of_kernels_by_hand(C, missing):
    table, codes = mixed(1, n=36, missing=missing)
    y = np.nan_to_num(table.values[:, 1]) / 3 + codes
    varying = 6 if missing else 5
    center = np.eye(36) - 1 / 36
    grams = []
    for f in range(varying):
        inner = pieces(table.values[:, f].tolist(), bool(table.nominal[f]))[0]
        grams.append(center @ [[inner(i, j) for j in range(36)] for i in range(36)] @ center)

    def energies(left):
        gram = sum(grams[f] for f in left)
        penalty = np.sqrt(np.diagonal(gram)).mean() ** 2 if C == "radius" else 1 / C
        beta = np.linalg.solve(gram + penalty * np.eye(36), y - y.mean())
        return [beta @ grams[f] @ beta for f in left]

    slow = elimination(energies, varying)
    found = RFELinear(C=C, missing="separate", target_kind="numbers").fit(table, y)
    assert found.answer_.order[:varying].tolist() == slow.tolist()


@pytest.mark.parametrize("kind", ["numbers", "survival"])
def test_copies_tie(kind):
    frame, _, told = normal(0, n=50, p=3)
    frame["copy"] = -3.0 * frame[0] + 1
    frame.columns = frame.columns.astype(str)
    found = RFELinear(step=4).fit(frame, told if kind == "numbers" else followed(told))
    assert found.importances_[0] == found.importances_[3]
    assert found.ranking_[0] + 1 == found.ranking_[3]


def test_weights_of_classes_are_for_classes():
    frame, _, y = normal(0)
    with pytest.raises(TableError, match="class_weight is for classes. The target holds numbers"):
        RFELinear(class_weight="balanced").fit(frame, y)
