"""R^2 of regressors and concordance of risks against cross-validation by scikit-learn."""

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import Ridge, RidgeClassifier
from sklearn.metrics import r2_score
from sklearn.model_selection import PredefinedSplit, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler, minmax_scale
from sksurv.linear_model import CoxPHSurvivalAnalysis, IPCRidge
from sksurv.metrics import concordance_index_censored

from hetsel import SubsetSearch, Table, survival
from hetsel.ground.errors import TableError
from hetsel.search.criteria.rates.estimator_rate import EstimatorRate
from hetsel.selection import Problem
from hetsel.tables import Numbers, Survival


def mixed(n=70):
    rng = np.random.default_rng(8)
    risk = rng.normal(size=n)
    frame = pd.DataFrame(
        {
            "dose": risk + 0.5 * rng.normal(size=n),
            "site": pd.Categorical.from_codes(np.digitize(risk, [-0.5, 0.5]), list("abc")),
            "noise": rng.normal(size=n),
        }
    )
    times = np.exp(-risk) * rng.exponential(size=n) + 0.01
    return frame, risk + rng.normal(size=n), survival(times, rng.random(n) < 0.7)


def problem_of(frame, target):
    return Problem(Table.read(frame), target, (1,), seed=3)


def by_hand(frame, names):
    parts = [
        pd.get_dummies(frame[name]) if name == "site" else minmax_scale(frame[[name]])
        for name in names
    ]
    return np.hstack([np.asarray(part, dtype=float) for part in parts])


def test_the_r2_of_a_regressor_is_that_of_scikit_learn():
    frame, y, _ = mixed()
    model = make_pipeline(StandardScaler(), Ridge(3.0))
    state = EstimatorRate(model, folds=4, repeats=2).start(problem_of(frame, Numbers(y)), (0,))

    def expected(names):
        cells = by_hand(frame, names)
        predicted = [cross_val_predict(model, cells, y, cv=PredefinedSplit(f)) for f in state.fold]
        return pytest.approx(np.mean([r2_score(y, one) for one in predicted]), abs=1e-6)

    assert state.value == expected(["dose"])
    assert state.values_with([1, 2]).tolist() == [
        expected(["dose", "site"]),
        expected(["dose", "noise"]),
    ]
    empty = EstimatorRate(model, folds=4).start(problem_of(frame, Numbers(y)))
    cv = PredefinedSplit(empty.fold[0])
    mean = cross_val_predict(DummyRegressor(), np.zeros((70, 1)), y, cv=cv)
    assert empty.value == pytest.approx(r2_score(y, mean), abs=1e-6)


@pytest.mark.parametrize(
    ("model", "sign"), [(CoxPHSurvivalAnalysis(alpha=1.0), 1), (IPCRidge(alpha=1.0), -1)]
)
def test_the_concordance_of_a_risk_is_that_of_scikit_survival(model, sign):
    frame, _, y = mixed()
    state = EstimatorRate(model, folds=4).start(problem_of(frame, Survival.of(y)), (0,))

    def expected(names):
        cells, fold, risk = by_hand(frame, names), state.fold[0], np.empty(70)
        for k in range(4):
            fitted = model.fit(cells[fold != k], y[fold != k])
            risk[fold == k] = sign * fitted.predict(cells[fold == k])
        return pytest.approx(concordance_index_censored(y["event"], y["time"], risk)[0], abs=1e-9)

    assert state.value == expected(["dose"])
    assert state.values_with([1])[0] == expected(["dose", "site"])
    assert EstimatorRate(model).start(problem_of(frame, Survival.of(y))).value == 0.5


def test_a_search_by_an_estimator_finds_what_tells_the_target():
    frame, y, times = mixed()
    for model, target in ((Ridge(), y), (CoxPHSurvivalAnalysis(alpha=0.1), times)):
        found = SubsetSearch(search="sfs", criterion=model).fit(frame, target)
        assert {"dose", "site"} & set(found.get_feature_names_out())


def test_what_predicts_another_kind_of_target_is_refused():
    frame, y, times = mixed()
    for model, target, said in (
        (RidgeClassifier(), y, "must be a regressor.*Got RidgeClassifier, a classifier"),
        (Ridge(), times, "must be an estimator of survival times.*Got Ridge, a regressor"),
        (Ridge(), y > 0, "must be a classifier.*Got Ridge, a regressor"),
    ):
        with pytest.raises(TableError, match=said):
            SubsetSearch(criterion=model).fit(frame, target)
