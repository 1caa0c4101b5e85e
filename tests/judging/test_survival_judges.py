"""Judges of survival times against scikit-survival's own fit and predict."""

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sksurv.ensemble import RandomSurvivalForest
from sksurv.linear_model import CoxPHSurvivalAnalysis, IPCRidge
from sksurv.metrics import concordance_index_censored
from sksurv.svm import FastSurvivalSVM

from hetsel import Table
from hetsel.ground.errors import TableError
from hetsel.judging.judges import cox, risk_by, why_no_judge
from hetsel.models.train_test_arrays import Split
from hetsel.tables import survival

N, TRAIN = 160, 110
SUBSETS = [np.array(s) for s in ([0], [2, 0], [1, 0, 2], [0, 1, 2, 3])]


def followed():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "a": rng.normal(size=N) * 50,
            "b": rng.choice(list("uvw"), N),
            "c": rng.normal(size=N),
            "d": rng.choice(list("xy"), N),
        }
    )
    rates = np.exp(frame["a"] / 50 + (frame["b"] == "u"))
    happened, seen = rng.exponential(size=N) / rates, 2 * rng.exponential(size=N)
    return frame, survival(np.ceil(20 * np.minimum(happened, seen)), happened <= seen)


def halves(frame, y, **options):
    table = Table.read(frame)
    train, test = table.take(rows=slice(TRAIN)), table.take(rows=slice(TRAIN, N))
    told = {"times": y["time"][:TRAIN], "events": y["event"][:TRAIN]}
    return Split.of(train, test, y["event"][:TRAIN] * 1, **told, **options)


def expected(estimator, frame, y, subset):
    """What scikit-survival does by itself, with a scaler and encoder of the training rows."""
    columns = [frame.columns[f] for f in np.sort(subset)]
    prepared = make_column_transformer(
        (StandardScaler(), [c for c in columns if c in "ac"]),
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), make_column_selector("[bd]")),
    )
    model = make_pipeline(prepared, estimator).fit(frame[columns][:TRAIN], y[:TRAIN])
    return model, frame[columns][TRAIN:]


@pytest.mark.parametrize("alpha", [0.5, 20.0])
def test_cox_is_that_of_scikit_survival_on_a_grid(alpha):
    frame, y = followed()
    frame.loc[N - 1, "b"] = "never seen"
    risks = cox(halves(frame, y), SUBSETS, alpha=alpha)
    for found, subset in zip(risks, SUBSETS, strict=True):
        known = CoxPHSurvivalAnalysis(alpha=alpha, ties="breslow", tol=1e-14)
        model, right = expected(known, frame, y, subset)
        np.testing.assert_allclose(
            np.diff(found), np.diff(model.predict(right)), atol=2.0**-22, rtol=0
        )
    np.testing.assert_array_equal(risks, np.rint(risks * 2.0**24) / 2.0**24)
    found = concordance_index_censored(y["event"][TRAIN:], y["time"][TRAIN:], risks[-1])[0]
    assert found > 0.7


def test_cox_weighs_rows():
    frame, y = followed()
    weights = 1.0 + np.arange(TRAIN) % 3
    weighed = cox(halves(frame, y, weights=weights), SUBSETS[-1:], alpha=2.0)
    assert np.abs(weighed - cox(halves(frame, y), SUBSETS[-1:], alpha=2.0)).max() > 1e-3
    same = cox(halves(frame, y, weights=np.ones(TRAIN)), SUBSETS[-1:], alpha=2.0)
    np.testing.assert_array_equal(same, cox(halves(frame, y), SUBSETS[-1:], alpha=2.0))


@pytest.mark.seconds
@pytest.mark.parametrize(
    "estimator",
    [
        RandomSurvivalForest(20, random_state=0),
        FastSurvivalSVM(random_state=0),
        FastSurvivalSVM(0.01, rank_ratio=0.0, fit_intercept=True, tol=1e-4, random_state=0),
        IPCRidge(),
        make_pipeline(StandardScaler(), IPCRidge()),
    ],
    ids=["forest", "ranking", "regression", "times", "pipeline"],
)
@pytest.mark.parametrize("encoding", ["one-hot", "whole"])
def test_any_estimator_of_scikit_survival_gives_risk_scores(estimator, encoding):
    frame, y = followed()
    y["time"] += 1  # of logarithms
    forest = isinstance(estimator, RandomSurvivalForest)  # the order of the columns matters
    subsets = SUBSETS[:2] if encoding == "whole" or forest else SUBSETS
    risks = risk_by(estimator, halves(frame, y), subsets, seed=0, encoding=encoding)
    if encoding == "whole":
        assert np.isfinite(risks).all()
        return
    for found, subset in zip(risks, subsets, strict=True):
        model, right = expected(estimator, frame, y, subset)
        own = concordance_index_censored(y["event"][TRAIN:], y["time"][TRAIN:], found)[0]
        assert own == pytest.approx(model.score(right, y[TRAIN:]), abs=1e-12)


def test_what_judges_survival_times():
    assert why_no_judge(IPCRidge(), "survival") == ""
    assert why_no_judge(make_pipeline(StandardScaler(), RandomSurvivalForest()), "survival") == ""
    assert "is a survival model" in why_no_judge(IPCRidge(), "numbers")
    assert "is a classifier" in why_no_judge(LogisticRegression(), "survival")
    assert "is a regressor" in why_no_judge(Ridge(), "survival")


def test_impossible_options_are_named():
    frame, y = followed()
    with pytest.raises(TableError, match="alpha must be a positive number. Got 0"):
        cox(halves(frame, y), SUBSETS, alpha=0)
    with pytest.raises(TableError, match="cannot weigh rows"):
        risk_by(FastSurvivalSVM(), halves(frame, y, weights=np.ones(TRAIN)), SUBSETS, seed=0)
