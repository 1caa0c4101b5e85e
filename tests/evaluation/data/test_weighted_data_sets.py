"""Data sets whose rows have weights: estimators that weigh, and scores of scikit-learn."""

import json

import numpy as np
import pytest
from frames import mixed_frame
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import accuracy_score, balanced_accuracy_score, recall_score, roc_auc_score
from study.studies import cells_in, whole

from hetsel import RFESVM, ClinicalSVC, Results, Study
from hetsel.evaluation.by_key.judges_by_key import ClassifierSpec
from hetsel.evaluation.by_key.methods_by_key import MethodSpec
from hetsel.evaluation.data.data_entry import DataSpec
from hetsel.evaluation.data.encoded_data import prepare
from hetsel.ground.errors import PlanError, TableError
from hetsel.models.final_classifiers import classify
from hetsel.models.train_test_arrays import Split
from hetsel.resampling.resampling_entry import Resamplings
from hetsel.study.cell import Recipe
from hetsel.study.model_on_all_rows import final_model
from hetsel.tables import Schema

N = 80
FRAME, Y = mixed_frame(N, 3, 2, seed=9)
WEIGHTS = np.random.default_rng(1).uniform(0.2, 3.0, N)
RELATIVE = WEIGHTS / WEIGHTS.mean()


def data(**options):
    return prepare(DataSpec(**{"name": "d", "X": FRAME, "y": Y} | options))


def plan(**options):
    entry = {"name": "d", "X": FRAME, "y": Y, "row_weights": WEIGHTS}
    given = {"datasets": [entry], "methods": ["rfe-svm"], "resamplings": 4, "sizes": [1, 3]}
    return Study(**{**given, **options})


def test_a_column_or_an_array_has_the_weights_whose_unit_is_none():
    named = data(X=FRAME.assign(w=WEIGHTS * 700), row_weights="w")
    given = data(row_weights=WEIGHTS)
    assert named.table.names == list(FRAME.columns)
    assert named.weights == pytest.approx(RELATIVE, rel=1e-8)
    assert named.fingerprint == given.fingerprint != data().fingerprint
    other = data(row_weights=WEIGHTS[::-1])
    assert other.fingerprint != given.fingerprint
    about = json.loads(json.dumps(given.to_dict()))
    assert about["row_weights"] == given.weights.tolist()
    assert about["class_weights"] == pytest.approx([RELATIVE[c == Y].sum() for c in (0, 1)])
    assert not {"row_weights", "class_weights"} & set(data().to_dict())


def test_a_cell_is_selected_and_classified_by_weight():
    final = ClassifierSpec.of("", {"key": "clinical-svm", "params": {"C": 10.0}})
    splits = Resamplings(count=2, test_share=0.25)
    recipe = Recipe(MethodSpec.of("", "rfe-svm"), (1, 3), (final,), splits, 4)
    for number in range(2):
        cell = whole(recipe.run(data(row_weights=WEIGHTS), number, ""))
        assert (cell.test == whole(recipe.run(data(), number, "")).test).all()
        train = ~np.isin(np.arange(N), cell.test)
        selector = RFESVM().fit(FRAME[train], Y[train], sample_weight=RELATIVE[train])
        for place, size in enumerate((1, 3)):
            columns = np.sort(selector.signature(size))
            assert np.flatnonzero(cell.chosen[place]).tolist() == columns.tolist()
            model = ClinicalSVC(10.0)
            model.fit(FRAME.loc[train].iloc[:, columns], Y[train], RELATIVE[train])
            expected = model.decision_function(FRAME.loc[~train].iloc[:, columns])
            np.testing.assert_allclose(cell.decisions[0, place, :, 0], expected, atol=1e-6)


def test_scores_of_a_study_are_weighted_and_read_from_its_store(tmp_path):
    store = tmp_path / "a.sqlite"
    study = plan(classifiers=["clinical-svm", {"key": "random-forest", "params": {"trees": 9}}])
    study.run(store, n_jobs=0)
    results = Results(store)
    frame = results.frame()
    for number, cell in cells_in(results, "d", "rfe-svm"):
        weights = {"sample_weight": WEIGHTS[cell.test]}
        for place, classifier in enumerate(results.classifiers):
            own = frame[(frame["resampling"] == number) & (frame["classifier"] == classifier)]
            for row, (_, found) in enumerate(own.iterrows()):
                truth, said = cell.truth, cell.predictions[place, row]
                expected = {
                    "bcr": balanced_accuracy_score(truth, said, **weights),
                    "accuracy": accuracy_score(truth, said, **weights),
                    "sensitivity": recall_score(truth, said, **weights),
                    "auc": roc_auc_score(truth, cell.decisions[place, row, :, 0], **weights),
                }
                for name, value in expected.items():
                    assert found[name] == pytest.approx(value, rel=1e-6), name
    model = final_model(Results(store, study), "d", "rfe-svm", 3)
    columns = [name for name in FRAME.columns if name in model.names]
    alone = ClinicalSVC(10.0).fit(FRAME[columns], Y, RELATIVE).effect_curves()
    for one, other in zip(model.curves, alone, strict=True):
        np.testing.assert_allclose(one.values, other.values, atol=1e-6)


def test_a_forest_of_weighted_rows_is_that_of_scikit_learn():
    numbers = FRAME.select_dtypes("float")
    table = Schema.infer(numbers).encode(numbers)
    halves = Split.of(table, table, Y, WEIGHTS)
    columns = [np.arange(numbers.shape[1])]
    found = classify("random-forest", halves, columns, seed=3, params={"trees": 20})
    forest = RandomForestClassifier(20, random_state=3)
    shares = forest.fit(halves.train.T, Y, sample_weight=WEIGHTS).predict_proba(halves.test.T)
    np.testing.assert_allclose(found[0, :, 0], shares[:, 1] - shares[:, 0], rtol=1e-12)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"methods": ["rfe-svm", "hsic"]}, ("'d'", "hsic", "rfe-svm-printed")),
        ({"methods": [{"key": "rfe-mkl", "params": {"normalize": "norm"}}]}, ("'d'", "normalize")),
        ({"classifiers": ["clinical-svm", "5nn"]}, ("'d'", "5nn", "clinical-svm")),
        ({"classifiers": ["naive-bayes"]}, ("'d'", "naive-bayes", "random-forest")),
        ({"classifiers": ["linear-svm"]}, ("'d'", "linear-svm", "random-forest")),
    ],
)
def test_what_cannot_weigh_is_refused_before_a_study_starts(options, named):
    with pytest.raises(PlanError) as refused:
        plan(**options)
    assert all(name in str(refused.value) for name in named)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (np.where(WEIGHTS > 2.9, np.nan, WEIGHTS), "row_weights: 'w' is missing in"),
        (np.where(WEIGHTS > 2.9, 0, WEIGHTS), "row_weights: 'w' must be .* above 0 .* Got 0"),
        (np.where(WEIGHTS > 2.9, "much", "1"), "row_weights: 'w' must be .* Got 'much'"),
    ],
)
def test_weights_that_are_none_are_refused(wrong, message):
    with pytest.raises(TableError, match=message):
        data(X=FRAME.assign(w=wrong), row_weights="w")


def test_a_plan_in_a_file_names_the_column(tmp_path):
    FRAME.assign(ill=Y, w=WEIGHTS).to_csv(tmp_path / "table.csv", index=False)
    (tmp_path / "plan.toml").write_text(
        'methods = ["rfe-svm"]\n[[datasets]]\nfile = "table.csv"\ntarget = "ill"\n'
        'row_weights = "w"\n'
    )
    study = Study.load(tmp_path / "plan.toml")
    assert study.to_dict()["datasets"][0]["row_weights"] == "w"
    assert prepare(study.datasets[0]).weights == pytest.approx(RELATIVE, rel=1e-8)
