"""Nested cross-validation by models that leave out two folds, against scikit-learn's."""

import numpy as np
import pytest
from frames import mixed_frame
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV, PredefinedSplit
from sklearn.pipeline import make_pipeline

from hetsel import ClinicalSVC, Schema, get_method
from hetsel.evaluation.by_key.judges_by_key import ClassifierSpec
from hetsel.evaluation.by_key.methods_by_key import MethodSpec
from hetsel.evaluation.data.encoded_data import EncodedData
from hetsel.signature.nested.fold_models import FoldModels
from hetsel.signature.nested.nested_cross_validation import left_out_folds, nested_run
from hetsel.tables import Classes

SVM = {"key": "clinical-svm", "params": {"class_weight": "balanced"}}


def parts_of(method="hsic", sizes=(1, 2, 4), folds=4, **options):
    given = {"runs": 1, "pairs": True, "seed": 3} | options
    spec, model = MethodSpec.of("", method), ClassifierSpec.of("", SVM)
    return FoldModels(spec, sizes, (model,), folds, **given)


def data_of(frame, y, **options):
    return EncodedData(
        "table", Schema.infer(frame).encode(frame), Classes.of(y), "impute", "", **options
    )


def best_mean(sizes, scores):
    return sizes[int(np.argmax(scores.mean(axis=0).round(12)))]


def mean_area(model, X, y):
    values = model.decision_function(X).round(9)
    if values.ndim == 1:
        return roc_auc_score(y, values)
    return np.mean([roc_auc_score(y == c, values[:, k]) for k, c in enumerate(model.classes_)])


@pytest.mark.slow
@pytest.mark.parametrize("classes", [2, 3])
def test_nested_predictions_are_those_of_a_grid_search_in_each_outer_part(classes):
    frame, y = mixed_frame(72, 3, 2, seed=5, classes=classes)
    parts, data = parts_of(), data_of(frame, y)
    results = {k: parts.run(data, k, str(k)) for k in range(len(parts))}
    problem = data.problem(seed=parts.seed)
    fold, labels = parts.folds_of(problem, 0), problem.target.labels
    predictions = parts.of_run(0, results)
    decisions = parts.decisions_of_run(0, results)
    run = nested_run(problem.target.codes, fold, parts.sizes, predictions, best_mean, decisions)
    pipeline = make_pipeline(get_method("hsic")(), ClinicalSVC(10.0, class_weight="balanced"))
    for k in range(4):
        train, test = fold != k, fold == k
        grid = GridSearchCV(
            pipeline,
            {f"{pipeline.steps[0][0]}__size": list(parts.sizes)},
            scoring=mean_area,
            cv=PredefinedSplit(fold[train]),
        ).fit(frame[train], y[train])
        assert run.chosen.of_fold[k] == next(iter(grid.best_params_.values()))
        assert np.array_equal(labels[run.predicted[test]], grid.predict(frame[test]))


def test_models_of_fewer_rows_are_compared_at_the_size_that_fewer_rows_choose():
    """By hand: three folds of a row of each class, two sizes, decision values as scripted."""
    truth, fold = np.array([0, 1] * 3), np.repeat([0, 1, 2], 2)
    scripted = {
        (0,): [[-1, 1], [1, -1]],
        (1,): [[1, 2], [-1, -2]],
        (2,): [[-2, -1], [1, 0.5]],
        (0, 1): [[-1, 1, 1, -1], [1, -1, -1, 1]],
        (0, 2): [[-1, 1, -1, 1], [1, 1, 1, 1]],
        (1, 2): [[1, -1, -1, 1], [1, -1, 1, -1]],
    }
    decisions = {out: np.array(own, dtype=float)[..., None] for out, own in scripted.items()}
    predictions = {out: (own[..., 0] > 0).astype(int) for out, own in decisions.items()}
    run = nested_run(truth, fold, (1, 2), predictions, best_mean, decisions)
    # areas of fold 0 by folds 1 and 2, size 1: 0 and 1; size 2: 1 and 1/2; of fold 1 by 0 and 2:
    # 1 and 1; 0 and 0; of fold 2 by 0 and 1: 1 and 0; 1/2 and 0
    assert run.chosen.of_fold == (2, 1, 1)
    # fold 0 by fold 2 alone, and by fold 1 alone
    assert run.chosen.with_less == ((2, 1, 2), (1, 1, 1), (1, 1, 1))
    assert run.predicted.tolist() == [1, 0, 1, 1, 0, 0]
    assert run.right.tolist() == [0, 0, 0, 1, 1, 0]
    # both rows of fold 0 are right without 0 and 1 at size 1, row 1 without 0 and 2 at size 2
    assert run.right_with_less.tolist() == [0.5, 1.0, 0.0, 0.0, 1.0, 1.0]
    assert run.scores.tolist() == [[1, 0]] * 3
    single = [{k: v for k, v in given.items() if len(k) < 2} for given in (predictions, decisions)]
    fixed = nested_run(truth, fold, (1, 2), single[0], 2, single[1])
    assert fixed.chosen.of_fold == (2, 2, 2)
    assert np.isnan(fixed.right_with_less).all()


def test_a_fold_of_one_class_tells_nothing():
    truth, fold = np.array([0, 1, 0, 0]), np.array([0, 0, 1, 1])
    decisions = {(k,): np.array([[[-1.0], [1.0]], [[np.nan], [np.nan]]]) for k in (0, 1)}
    predictions = {k: np.array([[0, 1], [-1, -1]]) for k in decisions}
    run = nested_run(truth, fold, (1, 2), predictions, 1, decisions)
    assert run.scores[:, 0].tolist() == [1.0, 0.5]
    assert np.isnan(run.scores[:, 1]).all()


def test_what_the_held_out_rows_hold_changes_no_model_that_has_not_seen_them():
    """Cells and labels of one fold are spoiled: its models choose and predict others alike."""
    frame, y = mixed_frame(60, 3, 2, seed=1)
    parts = parts_of(method="rfe-svm")
    data = data_of(frame, y)
    problem = data.problem(seed=parts.seed)
    fold = parts.folds_of(problem, 0)
    spoiled = frame.copy()
    spoiled.loc[fold == 2, "c0"] *= -50.0
    before = parts.run(data, parts.left_out.index((2, 3)), "")
    after = parts.run(data_of(spoiled, y), parts.left_out.index((2, 3)), "")
    others = fold[np.isin(fold, (2, 3))] == 3
    assert np.array_equal(before.predicted[:, others], after.predicted[:, others])
    assert not np.array_equal(before.decisions[:, ~others], after.decisions[:, ~others])


def test_ten_folds_take_55_models():
    assert len(left_out_folds(10)) == 55
    assert len(left_out_folds(10, pairs=False)) == 10
