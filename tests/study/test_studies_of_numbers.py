"""A study of a target of numbers: cell by cell what scikit-learn finds on the same split."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes
from sklearn.dummy import DummyRegressor
from sklearn.ensemble import RandomForestRegressor
from sklearn.feature_selection import RFE, SelectKBest, f_regression
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.metrics import mean_absolute_error, r2_score, root_mean_squared_error
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from study.studies import AsTheyCome, cells_in, refused_at_once, run

from hetsel import Results, Study
from hetsel.evaluation.data.encoded_data import prepare
from hetsel.evaluation.data.train_and_test_rows import train_and_test
from hetsel.ground.errors import PlanError, TableError
from hetsel.study.planned_cells import plan_cells

METHODS = ("pearson", "relieff", "sffs-ridge")
SIZES = (2, 5, 10)
SCORES = {"r2": r2_score, "mae": mean_absolute_error, "rmse": root_mean_squared_error}


@pytest.fixture(scope="module")
def diabetes():
    return load_diabetes(return_X_y=True, as_frame=True, scaled=False)


def entry(data, **changes):
    X, y = data
    return {"name": "diabetes", "X": X, "y": y, "target_kind": "numbers"} | changes


def study_of(data, **changes):
    plan = {"methods": METHODS, "classifiers": "ridge", "sizes": SIZES, "resamplings": 5}
    plan |= {"datasets": data if data is None else entry(data), "seed": 1}
    return Study(**(plan | changes))


@pytest.fixture(scope="module")
def results(diabetes, tmp_path_factory):
    return run(study_of(diabetes), tmp_path_factory.mktemp("numbers") / "a.sqlite")


@pytest.mark.seconds
def test_each_cell_has_the_scores_of_scikit_learn_on_its_split(diabetes, results):
    X, y = diabetes
    data = prepare(study_of(diabetes).datasets[0])
    frame = results.frame().set_index(["method", "resampling", "size"])
    seen = 0
    for method in METHODS:
        for resampling, cell in cells_in(results, "diabetes", method):
            train, test, _ = train_and_test(data, results.study.resamplings, 1, resampling)
            assert cell.test.tolist() == test.tolist()
            assert cell.truth.tolist() == y.iloc[test].tolist()
            mean = DummyRegressor().fit(X.iloc[train], y.iloc[train]).predict(X.iloc[test])
            for place, size in enumerate(SIZES):
                part = X.loc[:, cell.chosen[place]]
                assert part.shape[1] == size
                model = make_pipeline(StandardScaler(), Ridge(alpha=1.0))
                predicted = model.fit(part.iloc[train], y.iloc[train]).predict(part.iloc[test])
                assert cell.predictions[0, place] == pytest.approx(predicted, abs=2e-5)
                for name, score in SCORES.items():
                    row = frame.loc[(method, resampling, size)]
                    assert row[name] == pytest.approx(score(y.iloc[test], predicted), rel=1e-6)
                    by_mean = score(y.iloc[test], mean)
                    assert row[f"{name}_of_mean"] == pytest.approx(by_mean, rel=1e-12)
                    seen += 1
    assert seen == len(METHODS) * 5 * len(SIZES) * len(SCORES)


def test_any_regressor_of_scikit_learn_judges(diabetes, tmp_path):
    X, y = diabetes
    forest = {"key": "sklearn.ensemble.RandomForestRegressor", "params": {"n_estimators": 3}}
    judges = {
        "LinearRegression": LinearRegression(),
        "Pipeline": make_pipeline(StandardScaler(), KNeighborsRegressor(7)),
        "GridSearchCV": GridSearchCV(Ridge(), {"alpha": [0.1, 10.0]}, cv=3),
    }
    keys = ["sklearn.linear_model.LinearRegression", *list(judges.values())[1:], forest]
    study = study_of(diabetes, methods="pearson", classifiers=keys, sizes=[3], resamplings=2)
    found = run(study, tmp_path / "a.sqlite")
    frame = found.frame().set_index(["classifier", "resampling"])
    for resampling, cell in cells_in(found, "diabetes", "pearson"):
        test = np.isin(np.arange(len(y)), cell.test)
        part = X.loc[:, cell.chosen[0]]
        for label, judge in judges.items():
            own = make_pipeline(StandardScaler(), judge).fit(part[~test], y[~test])
            wanted = r2_score(y[test], own.predict(part[test]))
            assert frame.loc[(label, resampling), "r2"] == pytest.approx(wanted)
    assert frame.loc["RandomForestRegressor", "r2"].notna().all()
    written = study.to_dict()["classifiers"]
    again = study_of(diabetes, methods="pearson", classifiers=written, sizes=[3], resamplings=2)
    assert again.to_dict() == study.to_dict()


def test_the_unit_of_the_target_changes_no_r2_and_scales_the_errors(diabetes, results, tmp_path):
    X, y = diabetes
    found = run(study_of((X, 1000.0 * y - 5.0)), tmp_path / "a.sqlite").frame()
    frame = results.frame()
    assert found["r2"].to_numpy() == pytest.approx(frame["r2"].to_numpy(), abs=1e-6)
    assert found["r2_of_mean"].to_numpy() == pytest.approx(frame["r2_of_mean"].to_numpy())
    for name in ("mae", "rmse"):
        assert found[name].to_numpy() == pytest.approx(1000 * frame[name].to_numpy(), rel=1e-6)


def test_shuffled_rows_have_the_same_scores_on_the_same_test_rows(diabetes, tmp_path):
    X, y = diabetes
    X = X.assign(held=np.arange(len(X)) % 4 == 1)
    order = np.random.default_rng(2).permutation(len(X))
    frames = []
    for name, rows in (("a", np.arange(len(X))), ("b", order)):
        table = entry((X.iloc[rows], y.iloc[rows]), test_rows="held")
        study = study_of(diabetes, datasets=table, methods=["pearson", "sffs-ridge"], resamplings=1)
        frames.append(run(study, tmp_path / name).frame())
    for name in SCORES:
        assert frames[0][name].to_numpy() == pytest.approx(frames[1][name].to_numpy(), rel=1e-6)


def test_splits_are_plain_and_know_nothing_of_the_target(diabetes):
    X, y = diabetes
    splits = [
        train_and_test(prepare(study.datasets[0]), study.resamplings, 1, 3)
        for study in (
            study_of(diabetes),
            study_of((X, y[::-1].reset_index(drop=True) ** 2)),
            study_of(diabetes, resamplings={"count": 5, "kind": "random"}),
        )
    ]
    for train, test, _ in splits:
        assert (len(train), len(test)) == (398, 44)
        assert train.tolist() == splits[0][0].tolist()
        assert np.intersect1d(train, test).size == 0


def test_folds_groups_times_and_weights_of_rows(diabetes, tmp_path):
    X, y = diabetes
    n = len(y)
    groups, weights = np.arange(n) // 3, 1.0 + np.arange(n) % 5
    weights /= weights.mean()  # only ratios count
    data = entry(diabetes, row_groups=groups, row_weights=weights)
    folds = {"kind": "k-fold", "count": 3, "folds": 3}
    changes = {"methods": AsTheyCome, "sizes": [4], "resamplings": folds}
    found = run(study_of(diabetes, datasets=data, **changes), tmp_path / "a.sqlite")
    tested = []
    frame = found.frame().set_index("resampling")
    for resampling, cell in cells_in(found, "diabetes", "AsTheyCome"):
        train = np.setdiff1d(np.arange(n), cell.test)
        assert not np.isin(groups[train], groups[cell.test]).any()
        tested += cell.test.tolist()
        part, own = StandardScaler().fit(X.iloc[train, :4]), weights[cell.test]
        model = Ridge().fit(part.transform(X.iloc[train, :4]), y[train], weights[train])
        predicted = model.predict(part.transform(X.iloc[cell.test, :4]))
        row = frame.loc[resampling]
        for name, score in SCORES.items():
            wanted = score(y[cell.test], predicted, sample_weight=own)
            assert row[name] == pytest.approx(wanted, rel=1e-6)
        mean = np.full(len(own), np.average(y[train], weights=weights[train]))
        assert row["r2_of_mean"] == pytest.approx(r2_score(y[cell.test], mean, sample_weight=own))
    assert sorted(tested) == list(range(n))
    ordered = {"kind": "time-ordered", "count": 2, "test_count": 40}
    late = study_of(
        diabetes,
        datasets=entry(diabetes, order=np.arange(n)),
        **changes | {"resamplings": ordered},
    )
    assert run(late, tmp_path / "b.sqlite").frame()["r2"].notna().all()


@pytest.mark.seconds
def test_a_run_that_was_interrupted_goes_on_to_the_same_digest(diabetes, tmp_path):
    flag = tmp_path / "flag"
    changes = {"methods": {"key": AsTheyCome, "params": {"flag": str(flag)}}, "sizes": [2, 4]}
    flag.write_text("")
    wanted = run(study_of(diabetes, **changes), tmp_path / "a.sqlite").digest()
    flag.write_text("...")  # the third cell
    with pytest.raises(KeyboardInterrupt):
        run(study_of(diabetes, **changes), tmp_path / "b.sqlite")
    assert 0 < Results(tmp_path / "b.sqlite").status()["finished"] < 5
    assert run(study_of(diabetes, **changes), tmp_path / "b.sqlite").digest() == wanted


def test_a_part_without_two_values_has_errors_and_no_r2(tmp_path):
    rng = np.random.default_rng(0)
    y = np.where(np.arange(60) < 50, rng.normal(size=60), 0.5)
    frame = pd.DataFrame(rng.normal(size=(60, 3)), columns=list("abc"))
    held = frame.assign(held=np.arange(60) >= 50)
    table = {"name": "own", "X": held, "y": y, "test_rows": "held"}
    study = study_of(None, datasets=table, methods="pearson", sizes=[2], resamplings=1)
    row = run(study, tmp_path / "a.sqlite").frame().iloc[0]
    assert row[["r2", "r2_of_mean"]].isna().all()
    assert 0 < row["mae"] <= row["rmse"]


def classes(n=40):
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(n, 3)), columns=list("abc"))
    return {"name": "labeled", "X": X, "y": np.repeat(["no", "yes"], n // 2)}


@pytest.mark.parametrize(
    ("changes", "facts"),
    [
        (
            {"classifiers": "linear-svm"},
            [
                "must name a regressor",
                "Got linear-svm",
                "numbers: 214 different",
                "ridge, clinical-svm",
            ],
        ),
        ({"classifiers": ["ridge", "naive-bayes"]}, ["must name a regressor", "Got naive-bayes"]),
        (
            {"classifiers": "sklearn.linear_model.LogisticRegression"},
            ["must name a regressor", "Got LogisticRegression, a classifier"],
        ),
        ({"methods": ["pearson", "t-test"]}, ["as its target", "Got numbers", "pearson"]),
        (
            {"resamplings": {"train_per_class": 9}},
            ["train_per_class needs a target of classes", "train_count"],
        ),
    ],
)
def test_what_takes_no_numbers_is_refused_before_anything_is_computed(
    diabetes, tmp_path, changes, facts
):
    refused_at_once(study_of(diabetes, **changes), tmp_path / "a.sqlite", facts)


@pytest.mark.parametrize("judge", ["ridge", RandomForestRegressor()])
def test_a_regressor_is_refused_for_classes(judge):
    with pytest.raises(PlanError) as error:
        plan_cells(study_of(None, datasets=classes(), classifiers=judge, sizes=[1]))
    for fact in ("must name a classifier", ", a regressor", "classes: no, yes", "clinical-svm"):
        assert fact in str(error.value)


def test_each_kind_of_target_needs_a_judge(diabetes):
    with pytest.raises(PlanError, match=r"a judge for each kind .* None of them accepts classes"):
        plan_cells(study_of(None, datasets=[entry(diabetes), classes()], sizes=[1]))


def test_the_kind_of_a_target_is_that_of_a_ranking(diabetes):
    X, y = diabetes

    def kind(y, **changes):
        return prepare(study_of((X, y), datasets=entry((X, y), **changes)).datasets[0]).target.kind

    assert kind(y + 0.5, target_kind=None) == "numbers"
    assert kind(y > 100, target_kind=None) == "classes"
    with pytest.raises(TableError, match="data set 'diabetes'.*target_kind='numbers'"):
        kind(y, target_kind=None)
    with pytest.raises(TableError, match="positive needs two classes"):
        kind(y, positive=25)
    with pytest.raises(PlanError, match="target_kind must be one of classes, numbers, survival"):
        kind(y, target_kind="number")


def test_a_treatment_has_the_numbers_of_its_table(diabetes, tmp_path):
    treated = {"name": "ranks", "treatment_of": "diabetes", "scale": "quantile"}
    study = study_of(diabetes, datasets=[entry(diabetes), treated], methods="pearson", sizes=[4])
    found = run(study, tmp_path / "a.sqlite")
    one, other = (cells_in(found, name, "pearson") for name in ("diabetes", "ranks"))
    for (_, here), (_, there) in zip(one, other, strict=True):
        assert here.truth.tolist() == there.truth.tolist()


def test_a_selector_of_scikit_learn_for_numbers_selects_on_the_training_rows(diabetes, tmp_path):
    X, y = diabetes
    search = GridSearchCV(
        make_pipeline(StandardScaler(), RFE(Ridge()), Ridge()), {"rfe__estimator__alpha": [1, 100]}
    )
    study = study_of(diabetes, methods=[SelectKBest(f_regression, k=3), search], resamplings=2)
    results = run(study, tmp_path / "a.sqlite")
    data = prepare(study.datasets[0])
    for method, estimator in (("SelectKBest", SelectKBest(f_regression)), ("GridSearchCV", search)):
        for resampling, cell in cells_in(results, "diabetes", method):
            train, _, _ = train_and_test(data, results.study.resamplings, 1, resampling)
            fitted = estimator.fit(X.iloc[np.sort(train)], y.iloc[np.sort(train)])
            if method == "SelectKBest":
                assert cell.selection.order[:5].tolist() == np.argsort(-fitted.scores_)[:5].tolist()
            else:
                ranks = fitted.best_estimator_["rfe"].ranking_
                assert (np.diff(ranks[cell.selection.order]) >= 0).all()


def test_a_selector_for_classes_is_refused_before_the_first_cell(diabetes, tmp_path):
    facts = ("SelectKBest needs classes", "f_classif")
    refused_at_once(study_of(diabetes, methods=SelectKBest(k=2)), tmp_path / "a.sqlite", facts)
