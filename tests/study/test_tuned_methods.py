"""Tuned methods in studies: plans, keys, stores, and the level on noise."""

import json

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from sklearn.feature_selection import RFE
from sklearn.linear_model import LogisticRegression
from study.studies import Rotated, run, small_study

from hetsel import Results, Study, get_method
from hetsel.evaluation.tuned_selector import TunedSelector
from hetsel.ground.errors import PlanError
from hetsel.study.planned_cells import plan_cells

TUNE = {"C": [0.1, 10], "step": [1, 0.5]}
TUNED = {"key": "rfe-svm", "tune": TUNE}
SCIKIT = {
    "key": "sklearn.feature_selection.RFE",
    "params": {"estimator": {"key": "sklearn.linear_model.LogisticRegression"}},
    "tune": {"estimator__C": [0.1, 1], "estimator": [{"key": "sklearn.svm.SVC"}]},
}


def keys(method, **changes):
    return [cell.key for cell in plan_cells(small_study(methods=method, **changes))]


def test_a_study_keeps_the_chosen_parameters(tmp_path):
    results = run(small_study(methods=[TUNED, "rfe-svm"], sizes=[1, 3]), tmp_path / "a.sqlite")
    assert results.methods == ["rfe-svm (tuned)", "rfe-svm"]
    assert results.failures().empty
    tuned = Results(tmp_path / "a.sqlite").tuned()
    assert tuned["method"].unique().tolist() == ["rfe-svm (tuned)"]
    assert tuned["resampling"].tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    for (_, r), own in tuned.groupby(["dataset", "resampling"]):
        picked = dict(zip(own["parameter"], own["value"], strict=True))
        assert all(value in TUNE[name] for name, value in picked.items())
        params = {"key": "rfe-svm", "params": picked}
        plain = run(small_study(methods=params, sizes=[1, 3]), tmp_path / f"{r}.sqlite")
        first, second = (
            dict(found.cells("mixed", label))[r].selection.order
            for found, label in ((results, "rfe-svm (tuned)"), (plain, "rfe-svm"))
        )
        assert first.tolist() == second.tolist()
    written = results.export(tmp_path / "out")
    (exported,) = (pd.read_csv(path) for path in written if path.name == "tuned.csv")
    assert exported["value"].tolist() == tuned["value"].astype(float).tolist()


def test_what_is_tried_is_in_the_key_and_labels_and_the_order_of_names_are_not():
    own = keys(TUNED, sizes=[1, 3])
    assert keys({**TUNED, "label": "x"}, sizes=[1, 3]) == own
    assert keys({**TUNED, "tune": dict(reversed(TUNE.items()))}, sizes=[1, 3]) == own
    selector = TunedSelector(method=get_method("rfe-svm")(), tune=TUNE)
    assert keys(selector, sizes=[1, 3]) == own
    for other in (
        "rfe-svm",
        {**TUNED, "tune": {"C": [0.1, 10]}},
        {**TUNED, "tune": {**TUNE, "C": [10, 0.1]}},
        {**TUNED, "params": {"bins": 16}},
    ):
        assert not {*keys(other, sizes=[1, 3])} & {*own}
    assert not {*keys(TUNED, sizes=[1, 2])} & {*own}  # sizes choose the parameters
    (spec,) = small_study(methods=TUNED).methods
    assert spec.identity()["tuned_by"]["classes"][0] == "clinical-svm"


@pytest.mark.parametrize("entry", [TUNED, SCIKIT])
def test_what_is_written_makes_the_same_method_once_more(entry):
    study = small_study(methods=entry)
    told = json.loads(json.dumps(study.to_dict()))["methods"]
    again = [{k: v for k, v in one.items() if k != "revision"} for one in told]
    assert small_study(methods=again).to_dict()["methods"] == told


def test_a_selector_of_scikit_learn_is_tuned(tmp_path):
    entry = {"key": RFE(LogisticRegression()), "tune": {"estimator__C": np.array([0.01, 1.0])}}
    results = run(small_study(methods=[entry]), tmp_path / "a.sqlite")
    assert results.failures().empty
    assert set(results.tuned()["value"]) <= {0.01, 1.0}


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"tune": {"c": [1]}}, r"tune has no key 'c'.*C"),
        ({"tune": {"always": [1]}}, r"tune has no key 'always'"),
        ({"tune": {"C": []}}, r"tune must be a table of lists"),
        ({"tune": {"C": 1}}, r"tune must be a table of lists"),
        ({"tune": [1]}, r"tune must be a table of lists"),
        ({"tune": {"C": [1]}, "params": {"C": 2}}, "C must not be one of the params"),
        ({**SCIKIT, "tune": {"estimator_C": [1]}}, r"no key 'estimator_C'.*estimator__C"),
        ({**SCIKIT, "tune": {"estimator": [{"key": "no.where"}]}}, "cannot be imported"),
    ],
)
def test_what_cannot_be_tuned_is_refused_when_the_plan_is_read(entry, message):
    with pytest.raises(PlanError, match=message):
        small_study(methods={"key": "rfe-svm"} | entry)


def test_a_plan_in_a_file_is_read_without_an_import(tmp_path):
    path = tmp_path / "plan.toml"
    text = 'datasets = "heart"\nmethods = [{key = "nowhere.Selector", tune = {C = LIST}}]\n'
    path.write_text(text.replace("LIST", "[1, 2]"))
    (spec,) = Study.load(path).methods
    assert spec.label == "Selector (tuned)"
    path.write_text(text.replace("LIST", "[]"))
    with pytest.raises(PlanError, match="tune must be a table of lists"):
        Study.load(path)


def test_held_out_rows_have_no_influence_on_the_choice(tmp_path):
    frame, y = mixed_frame(n=80, continuous=5, nominal=1)
    frame["held_out"] = np.arange(80) % 4 == 0
    other = frame.copy()
    rows = frame["held_out"].to_numpy()
    numbers = [f"c{j}" for j in range(5)]
    other.loc[rows, numbers] = other.loc[rows, numbers].to_numpy()[::-1] * 7 - 3
    found = []
    for name, X in (("a", frame), ("b", other)):
        data = {"name": "d", "X": X, "y": y, "test_rows": "held_out"}
        method = {"key": Rotated, "tune": {"first": [0, 1, 2, 3, 4, 5]}}
        study = small_study(datasets=data, methods=[method, TUNED], resamplings=1, sizes=[1, 2])
        found.append(run(study, tmp_path / f"{name}.sqlite").tuned())
    assert len(found[0]) == 3
    pd.testing.assert_frame_equal(*found)


@pytest.mark.seconds
def test_on_noise_a_tuned_method_scores_at_the_chance_level(tmp_path):
    """The choice among 8 columns is not paid for by the held-out rows."""
    rng = np.random.default_rng(0)
    data = [
        {"name": f"d{k}", "X": pd.DataFrame(rng.normal(size=(60, 8))), "y": np.arange(60) % 2}
        for k in range(30)
    ]
    study = Study(
        datasets=data,
        methods={"key": Rotated, "tune": {"first": list(range(8))}},
        classifiers="linear-svm",
        sizes=[1],
        resamplings={"count": 2, "kind": "k-fold", "folds": 2},
    )
    results = run(study, tmp_path / "a.sqlite")
    scores = results.frame().groupby("dataset")["bcr"].mean()
    error = scores.std() / np.sqrt(len(scores))
    assert abs(scores.mean() - 0.5) < 3 * error
    assert results.tuned()["value"].nunique() > 4
