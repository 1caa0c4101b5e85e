"""A study of survival times: cell by cell what scikit-survival finds on the same split."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GridSearchCV, GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sksurv.datasets import load_veterans_lung_cancer
from sksurv.ensemble import RandomSurvivalForest
from sksurv.linear_model import CoxPHSurvivalAnalysis
from sksurv.metrics import (
    concordance_index_censored,
    concordance_index_ipcw,
    integrated_brier_score,
)
from sksurv.nonparametric import nelson_aalen_estimator
from sksurv.svm import FastSurvivalSVM
from study.studies import KINDS, AsTheyCome, cells_in, refused_at_once, run

from hetsel import (
    ClinicalSurvivalSVM,
    ClinicalSVR,
    Ranking,
    Results,
    Study,
    get_method,
    survival,
    write_study_report,
)
from hetsel.evaluation.data.encoded_data import prepare
from hetsel.evaluation.data.train_and_test_rows import train_and_test
from hetsel.ground.errors import PlanError, TableError
from hetsel.selection import About, WeighingSelector
from hetsel.study.model_on_all_rows import final_model
from hetsel.study.planned_cells import plan_cells

SIZES = (1, 3, 6)
COX = {"key": "sksurv.linear_model.CoxPHSurvivalAnalysis", "label": "Cox", "params": {"alpha": 0.1}}


class LastFirst(WeighingSelector):
    """Ranks the last column first."""

    about = About("the last column first", targets=KINDS)

    def _select(self, problem):
        return Ranking.from_importance(np.arange(float(problem.p)))


@pytest.fixture(scope="module")
def veterans():
    X, y = load_veterans_lung_cancer()
    X = X.astype({c: "float" for c in ("Age_in_years", "Karnofsky_score", "Months_from_Diagnosis")})
    times = y["Survival_in_days"] + np.arange(len(y)) / 1024  # at ties the two weigh otherwise
    return X, survival(times, y["Status"])


def study_of(data, **changes):
    X, y = data
    plan = {"methods": [AsTheyCome, LastFirst], "classifiers": [COX], "sizes": SIZES, "seed": 1}
    plan |= {"resamplings": {"count": 4, "test_share": 0.3}}
    return Study(**(plan | {"datasets": [{"name": "veterans", "X": X, "y": y}]} | changes))


@pytest.fixture(scope="module")
def results(veterans, tmp_path_factory):
    return run(study_of(veterans), tmp_path_factory.mktemp("survival") / "a.sqlite")


def encoded(X, train):
    """Columns of 0 and 1 for all levels, numbers standardized as the training rows teach."""
    parts = []
    for name in X:
        if X[name].dtype == "category":
            parts.append(np.array([X[name] == level for level in X[name].cat.categories]).T * 1.0)
        else:
            column = X[[name]].to_numpy()
            parts.append(StandardScaler().fit(column[train]).transform(column))
    return np.hstack(parts)


@pytest.mark.seconds
def test_each_cell_has_the_scores_of_scikit_survival_on_its_split(veterans, results):
    X, y = veterans
    study = results.study
    data = prepare(study.datasets[0])
    frame = results.frame().set_index(["method", "resampling", "size"])
    seen = 0
    for method in ("AsTheyCome", "LastFirst"):
        for resampling, cell in cells_in(results, "veterans", method):
            train, test, _ = train_and_test(data, study.resamplings, 1, resampling)
            assert cell.test.tolist() == test.tolist()
            assert np.abs(cell.truth).tolist() == y["time"][test].tolist()
            assert (~np.signbit(cell.truth)).tolist() == y["event"][test].tolist()
            tau = min(y["time"][test].max(), y["time"][train].max())
            grid = np.unique(y["time"][train][y["event"][train]])
            grid = grid[(grid >= y["time"][test].min()) & (grid < tau)]
            own = y[test]  # scikit-survival takes no row that is followed for longer than tau
            beyond = own["time"] >= tau
            own["time"][beyond], own["event"][beyond] = (grid[-1] + tau) / 2, False
            for place, size in enumerate(SIZES):
                Z = encoded(X.loc[:, cell.chosen[place]], train)
                model = CoxPHSurvivalAnalysis(alpha=0.1).fit(Z[train], y[train])
                risk = model.predict(Z)
                row = frame.loc[(method, resampling, size)]
                # the penalized Cox model of scikit-survival stops at its own tolerance
                assert cell.predictions[0, place] == pytest.approx(risk[test], abs=1e-6)
                harrell = concordance_index_censored(y["event"][test], y["time"][test], risk[test])
                assert row["concordance"] == pytest.approx(harrell[0], abs=1e-12)
                uno = concordance_index_ipcw(y[train], own, risk[test])
                assert row["uno"] == pytest.approx(uno[0], rel=1e-9)
                curve = CoxPHSurvivalAnalysis(ties="breslow", tol=1e-12)
                curve.fit(risk[train, None], y[train])
                predicted = [s(grid) for s in curve.predict_survival_function(risk[test, None])]
                brier = integrated_brier_score(y[train], own, np.array(predicted), grid)
                assert row["ibs"] == pytest.approx(brier, rel=1e-6)
                assert row["concordance_by_chance"] == 0.5
                seen += 1
    assert seen == 2 * 4 * len(SIZES)


@pytest.mark.seconds
def test_any_estimator_of_scikit_survival_judges(veterans, tmp_path):
    X, y = veterans
    forest = {
        "key": "sksurv.ensemble.RandomSurvivalForest",
        "params": {"n_estimators": 3, "random_state": 0},
    }
    machine = {"rank_ratio": 0.5, "fit_intercept": True, "random_state": 0}
    by_times = FastSurvivalSVM(**machine)  # predicts times: the longer, the later
    judges = {
        "FastSurvivalSVM": by_times,
        "Pipeline": make_pipeline(StandardScaler(), CoxPHSurvivalAnalysis(alpha=1.0)),
        "GridSearchCV": GridSearchCV(by_times, {"alpha": [1.0, 10.0]}, cv=3),
    }
    study = study_of(
        veterans, methods=AsTheyCome, classifiers=[*judges.values(), forest], sizes=[3]
    )
    found = run(study, tmp_path / "a.sqlite")
    frame = found.frame().set_index(["classifier", "resampling"])
    for resampling, cell in cells_in(found, "veterans", "AsTheyCome"):
        test = np.isin(np.arange(len(y)), cell.test)
        Z = encoded(X.iloc[:, :3], np.flatnonzero(~test))
        for label, judge in judges.items():
            sign = 1 if label == "Pipeline" else -1
            risk = sign * judge.fit(Z[~test], y[~test]).predict(Z[test])
            wanted = concordance_index_censored(y["event"][test], y["time"][test], risk)[0]
            assert frame.loc[(label, resampling), "concordance"] == pytest.approx(wanted)
        assert frame.loc[("GridSearchCV", resampling), "concordance"] > 0.4
        assert np.isfinite(frame.loc[("RandomSurvivalForest", resampling), "ibs"])
    written = study.to_dict()["classifiers"]
    again = study_of(veterans, methods=AsTheyCome, classifiers=written, sizes=[3])
    assert again.to_dict() == study.to_dict()


def test_the_unit_of_time_changes_no_score(veterans, results, tmp_path):
    X, y = veterans
    found = run(study_of((X, survival(y["time"] * 7.0, y["event"]))), tmp_path / "a.sqlite")
    frame, other = results.frame(), found.frame()
    for name in results.scores.names:
        assert other[name].to_numpy() == pytest.approx(frame[name].to_numpy(), rel=1e-6)


@pytest.mark.seconds
def test_a_study_that_names_no_judge_has_one(veterans, tmp_path):
    study = study_of(veterans, classifiers=None, methods=AsTheyCome)
    found = run(study, tmp_path / "a.sqlite")
    assert [judge["key"] for judge in found.plan["classifiers"]] == ["cox"]
    assert found.changes() == []
    assert Results(tmp_path / "a.sqlite", study).changes() == []
    assert found.frame()["concordance"].notna().all()
    rng = np.random.default_rng(0)
    numbers = {"name": "numbers", "X": veterans[0], "y": rng.normal(size=len(veterans[0]))}
    told = run(study_of(veterans, datasets=numbers, classifiers=None), tmp_path / "b.sqlite")
    assert [judge["key"] for judge in told.plan["classifiers"]] == ["ridge"]


def test_a_copy_of_a_plan_names_no_more_than_the_plan(veterans):
    study = study_of(veterans, classifiers=None)
    copy = replace(study, seed=2)
    for plan in (study, copy, copy.for_kind("numbers")):
        assert [judge.key for judge in plan.for_kind("survival").classifiers] == ["cox"]
    named = replace(study, classifiers="clinical-svm")
    assert [judge.key for judge in named.for_kind("survival").classifiers] == ["clinical-svm"]


@pytest.mark.seconds
@pytest.mark.parametrize(("kind", "penalty"), [("numbers", 3.0), ("survival", 1.0)])
def test_the_clinical_machine_judges_every_kind_of_target(veterans, tmp_path, kind, penalty):
    X, y = veterans
    y = np.log1p(y["time"]) if kind == "numbers" else y
    machines = {"numbers": ClinicalSVR, "survival": ClinicalSurvivalSVM}
    named = {"key": "clinical-svm", "label": "named", "params": {"C": 7.0}}
    study = study_of((X, y), classifiers=["clinical-svm", named], methods=AsTheyCome)
    found = run(study, tmp_path / "a.sqlite")
    params = [judge["params"] for judge in found.plan["classifiers"]]
    assert [given["C"] for given in params] == [penalty, 7.0]
    assert ("epsilon" in params[0]) == (kind == "numbers")
    for _, cell in cells_in(found, "veterans", "AsTheyCome"):
        train = np.setdiff1d(np.arange(len(y)), cell.test)
        for judge, C in enumerate((penalty, 7.0)):
            for place, size in enumerate(SIZES):
                model = machines[kind](C).fit(X.iloc[train, :size], y[train])
                apart = cell.predictions[judge, place] - model.predict(X.iloc[cell.test, :size])
                level = apart[0] if kind == "survival" else 0.0  # a risk has none
                assert apart - level == pytest.approx(np.zeros(len(apart)), abs=2e-5)


@pytest.mark.parametrize(
    ("params", "said"),
    [
        (
            {"class_weight": "balanced"},
            "class_weight needs a target of classes.*survival times: 137 rows",
        ),
        ({"epsilon": 0.2}, "epsilon needs a target of numbers.* Leave it out"),
    ],
)
def test_parameters_of_another_kind_of_target_are_refused(veterans, params, said):
    judge = {"key": "clinical-svm", "params": params}
    with pytest.raises(PlanError, match=said):
        plan_cells(study_of(veterans, classifiers=judge))


def test_splits_keep_the_share_of_the_events(veterans):
    X, y = veterans
    events = np.arange(len(y)) % 4 == 0
    data = prepare(study_of((X, survival(y["time"], events))).datasets[0])
    resamplings = study_of(veterans).resamplings
    for resampling in range(4):
        train, test, _ = train_and_test(data, resamplings, 1, resampling)
        assert len(np.intersect1d(train, test)) == 0
        assert events[test].sum() == round(0.3 * events.sum())


@pytest.mark.seconds
def test_folds_groups_times_and_weights_of_rows(veterans, tmp_path):
    X, y = veterans
    n = len(y)
    groups, weights = np.arange(n) // 3, 1.0 + np.arange(n) % 5
    weights /= weights.mean()  # only ratios count
    data = {"name": "veterans", "X": X, "y": y, "row_groups": groups, "row_weights": weights}
    forest = RandomSurvivalForest(n_estimators=4, random_state=0, min_samples_leaf=5)
    folds = {"kind": "k-fold", "count": 3, "folds": 3}
    changes = {"methods": AsTheyCome, "sizes": [3], "resamplings": folds}
    study = study_of(veterans, datasets=data, classifiers=forest, **changes)
    found = run(study, tmp_path / "a.sqlite")
    tested = []
    frame = found.frame().set_index("resampling")
    for resampling, cell in cells_in(found, "veterans", "AsTheyCome"):
        train = np.setdiff1d(np.arange(n), cell.test)
        assert not np.isin(groups[train], groups[cell.test]).any()
        tested += cell.test.tolist()
        Z = encoded(X.iloc[:, :3], train)
        risk = forest.fit(Z[train], y[train], weights[train]).predict(Z[cell.test])
        assert cell.predictions[0, 0] == pytest.approx(risk)
        wanted = weighted_concordance(y[cell.test], risk, weights[cell.test])
        assert frame.loc[resampling, "concordance"] == pytest.approx(wanted)
    assert sorted(tested) == list(range(n))
    cv = GridSearchCV(CoxPHSurvivalAnalysis(), {"alpha": [0.1, 1.0]}, cv=GroupKFold(3))
    grouped = {k: v for k, v in data.items() if k != "row_weights"}
    held = study_of(veterans, datasets=grouped, classifiers=cv, **changes)
    assert run(held, tmp_path / "c.sqlite").frame()["concordance"].notna().all()
    ordered = {"kind": "time-ordered", "count": 2, "test_count": 40}
    late = study_of(
        veterans,
        datasets={"name": "veterans", "X": X, "y": y, "order": np.arange(n)},
        **changes | {"resamplings": ordered},
    )
    assert run(late, tmp_path / "b.sqlite").frame()["concordance"].notna().all()


def weighted_concordance(y, risk, weights):
    """Harrell's C pair by pair, a pair weighing the product of its rows."""
    right = total = 0.0
    for i in np.flatnonzero(y["event"]):
        for j in range(len(y)):
            later = y["time"][j] > y["time"][i]
            if later or (y["time"][j] == y["time"][i] and not y["event"][j]):
                pair = weights[i] * weights[j]
                right += pair * (1.0 if risk[i] > risk[j] else 0.5 * (risk[i] == risk[j]))
                total += pair
    return right / total


@pytest.mark.seconds
def test_a_run_that_was_interrupted_goes_on_to_the_same_digest(veterans, tmp_path):
    flag = tmp_path / "flag"
    changes = {"methods": {"key": AsTheyCome, "params": {"flag": str(flag)}}, "sizes": [2, 4]}
    changes["resamplings"] = 5
    flag.write_text("")
    wanted = run(study_of(veterans, **changes), tmp_path / "a.sqlite").digest()
    flag.write_text("...")  # the third cell
    with pytest.raises(KeyboardInterrupt):
        run(study_of(veterans, **changes), tmp_path / "b.sqlite")
    assert 0 < Results(tmp_path / "b.sqlite").status()["finished"] < 5
    assert run(study_of(veterans, **changes), tmp_path / "b.sqlite").digest() == wanted


@pytest.mark.seconds
def test_workers_find_what_one_process_finds(veterans, tmp_path):
    plan = {"classifiers": [COX, "5nn"], "methods": [AsTheyCome, LastFirst], "sizes": [2, 4]}
    one = run(study_of(veterans, **plan), tmp_path / "a.sqlite")
    two = study_of(veterans, **plan).run(tmp_path / "b.sqlite", n_jobs=2, progress=False)
    assert one.digest() == two.digest()


@pytest.mark.slow
def test_the_report_shows_what_features_do_to_the_risk(veterans, results, tmp_path):
    page = write_study_report(results, tmp_path / "r.html").read_text()
    assert "on the risk score of the final model" in page
    assert "above 0 mean an earlier event" in page
    X, y = veterans
    model = final_model(results, "veterans", "LastFirst", 2)
    assert model.names == tuple(X.columns[[-1, -2]])
    fitted = ClinicalSurvivalSVM().fit(X.iloc[:, -2:], y)
    for own, wanted in zip(model.curves, fitted.effect_curves(), strict=True):
        assert (own.name, own.kind) == (wanted.name, wanted.kind)
        assert own.values == pytest.approx(wanted.values)


def test_tables_of_a_study_are_written_down(veterans, results, tmp_path):
    files = {path.stem: path for path in results.export(tmp_path)}
    summary = pd.read_csv(files["summary"])
    assert {"concordance", "uno", "ibs", "concordance_low_corrected", "kuncheva"} <= set(summary)
    assert "absent_classes" not in files
    assert set(results.scores.columns) <= set(pd.read_csv(files["scores"]))
    about = results.datasets["veterans"]
    assert about["events"] == veterans[1]["event"].sum()


@pytest.mark.parametrize(
    ("changes", "facts"),
    [
        (
            {"classifiers": "naive-bayes"},
            ["must name a survival model", "Got naive-bayes, a classifier"],
        ),
        ({"classifiers": "ridge"}, ["Got ridge, a regressor", "Use cox"]),
        (
            {"classifiers": "sklearn.linear_model.LinearRegression"},
            ["Got LinearRegression, a regressor", "137 rows, 128 with an event", "of scikit-s"],
        ),
        (
            {"resamplings": {"train_per_class": 9}},
            ["train_per_class needs a target of classes", "train_count"],
        ),
    ],
)
def test_what_takes_no_survival_times_is_refused_before_anything_is_computed(
    veterans, tmp_path, changes, facts
):
    refused_at_once(study_of(veterans, **changes), tmp_path / "a.sqlite", facts)


def test_a_method_that_takes_no_survival_times_is_refused(veterans):
    class OfClasses(AsTheyCome):
        about = About("columns as they come", targets=("classes",))

    with pytest.raises(PlanError, match="data set 'veterans'.*survival times: 137 rows"):
        plan_cells(study_of(veterans, methods=OfClasses))


def test_a_method_for_numbers_is_told_martingale_residuals_of_the_training_rows(veterans, tmp_path):
    X, y = veterans
    X = X.select_dtypes("number")
    methods = [{"key": "pearson", "target": "martingale"}, LastFirst]
    study = study_of((X, y), methods=methods, sizes=[1, 2])
    found = run(study, tmp_path / "a.sqlite")
    assert found.methods == ["pearson (martingale)", "LastFirst"]
    for _, cell in cells_in(found, "veterans", "pearson (martingale)"):
        train = np.setdiff1d(np.arange(len(y)), cell.test)
        own = y[train]
        times, hazard = nelson_aalen_estimator(own["event"], own["time"])
        residuals = own["event"] - hazard[np.searchsorted(times, own["time"])]
        size = [abs(np.corrcoef(X.iloc[train, j], residuals)[0, 1]) for j in range(X.shape[1])]
        assert cell.order.tolist() == np.argsort(size)[::-1].tolist()
    assert found.frame()["concordance"].notna().all()
    written = {k: v for k, v in study.to_dict()["methods"][0].items() if k != "revision"}
    again = study_of((X, y), methods=written, sizes=[1, 2])
    assert run(again, tmp_path / "a.sqlite").status()["finished"] == 4  # nothing was computed anew
    selector = get_method("pearson")(target_kind="martingale")
    assert study_of((X, y), methods=selector).methods[0].to_dict() == again.methods[0].to_dict()


def test_residuals_are_for_survival_times_and_methods_that_take_numbers(veterans):
    X, y = veterans
    numbers = {"name": "numbers", "X": X, "y": np.arange(len(X)) + 0.5}
    method = {"key": "univariate-tests", "target": "martingale"}
    with pytest.raises(PlanError, match="target = 'martingale' needs survival times. Got numbers"):
        plan_cells(study_of((X, y), datasets=numbers, methods=method, classifiers=None))
    with pytest.raises(PlanError, match="needs classes.* in 'martingale residuals'"):
        plan_cells(study_of((X, y), methods={"key": "l1-logistic", "target": "martingale"}))
    with pytest.raises(PlanError, match=r"methods\[0\].target must be one of martingale"):
        study_of((X, y), methods={"key": "pearson", "target": "residuals"})


def test_judges_that_cannot_weigh_are_refused(veterans):
    X, y = veterans
    data = {"name": "veterans", "X": X, "y": y, "row_weights": np.arange(len(y)) + 1.0}
    for judge, said in (("5nn", "judge 5nn does not support row weights"), (COX, "Cox.*weights")):
        with pytest.raises((PlanError, TableError), match=said):
            plan_cells(study_of(veterans, datasets=data, classifiers=[judge]))


@pytest.mark.parametrize("judge", [CoxPHSurvivalAnalysis(), FastSurvivalSVM()])
def test_a_survival_model_is_refused_for_classes(veterans, judge):
    X, _ = veterans
    data = {"name": "labeled", "X": X, "y": np.arange(len(X)) % 2}
    with pytest.raises(PlanError, match="must name a classifier, .* a survival model"):
        plan_cells(study_of(veterans, datasets=data, classifiers=judge))
