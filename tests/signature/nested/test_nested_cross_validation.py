"""Nested cross-validation by models that leave out two folds, against scikit-learn's."""

import numpy as np
import pytest
from frames import mixed_frame
from sklearn.model_selection import GridSearchCV, PredefinedSplit
from sklearn.pipeline import make_pipeline

from hetsel import ClinicalSVC, Schema, get_method
from hetsel.signature.nested.fold_models import Parts
from hetsel.signature.nested.nested_cross_validation import left_out_folds, nested_run
from hetsel.study.plan.planned_classifiers import ClassifierSpec
from hetsel.study.plan.planned_methods import MethodSpec
from hetsel.study.rows.data_set import StudyData
from hetsel.tables.target import Classes

SVM = {"key": "clinical-svm", "params": {"class_weight": "balanced"}}


def parts_of(method="hsic", sizes=(1, 2, 4), folds=4, **options):
    given = {"runs": 1, "pairs": True, "seed": 3} | options
    spec, model = MethodSpec.of("", method), ClassifierSpec.of("", SVM)
    return Parts(spec, sizes, (model,), folds, **given)


def data_of(frame, y, **options):
    return StudyData(
        "table", Schema.infer(frame).encode(frame), Classes.of(y), "impute", "", **options
    )


def best_mean(sizes, scores):
    return sizes[int(np.argmax(scores.mean(axis=0).round(12)))]


@pytest.mark.slow
@pytest.mark.parametrize("classes", [2, 3])
def test_nested_predictions_are_those_of_a_grid_search_in_each_outer_part(classes):
    frame, y = mixed_frame(72, 3, 2, seed=5, classes=classes)
    parts, data = parts_of(), data_of(frame, y)
    results = {k: parts.run(data, k, str(k)) for k in range(len(parts))}
    problem = data.problem(seed=parts.seed)
    fold, labels = parts.folds_of(problem, 0), problem.target.labels
    predictions = parts.of_run(0, results)
    run = nested_run(problem.target.codes, fold, parts.sizes, predictions, best_mean, classes)
    pipeline = make_pipeline(get_method("hsic")(), ClinicalSVC(10.0, class_weight="balanced"))
    for k in range(4):
        train, test = fold != k, fold == k
        grid = GridSearchCV(
            pipeline,
            {f"{pipeline.steps[0][0]}__size": list(parts.sizes)},
            scoring="balanced_accuracy",
            cv=PredefinedSplit(fold[train]),
        ).fit(frame[train], y[train])
        assert run.chosen[k] == next(iter(grid.best_params_.values()))
        assert np.array_equal(labels[run.predicted[test]], grid.predict(frame[test]))


def test_models_of_fewer_rows_are_compared_at_the_size_of_the_outer_fold():
    """By hand: three folds of one row, two sizes, predictions as scripted."""
    truth, fold = np.array([0, 1, 0]), np.array([0, 1, 2])
    predictions = {
        (0,): np.array([[0], [1]]),
        (1,): np.array([[0], [1]]),
        (2,): np.array([[1], [0]]),
        (0, 1): np.array([[0, 1], [1, 0]]),
        (0, 2): np.array([[0, 1], [1, 0]]),
        (1, 2): np.array([[0, 1], [1, 1]]),
    }
    run = nested_run(truth, fold, (1, 2), predictions, best_mean, 2)
    # fold 0 is judged by rows 1 and 2, size 1: right, wrong; size 2: wrong, right; fold 1 by rows
    # 0 and 2, size 1: right, wrong; size 2: wrong, wrong; fold 2 by rows 0 and 1: one right each
    assert run.chosen == (1, 1, 1)
    assert run.predicted.tolist() == [0, 0, 1]
    assert run.right.tolist() == [1, 0, 0]
    # row 0: right without fold 1, right without fold 2; row 1: right, wrong; row 2: never
    assert run.right_with_less.tolist() == [1.0, 0.5, 0.0]
    assert run.scores.tolist() == [[1, 0], [0, 1], [0, 1]]
    fixed = nested_run(
        truth, fold, (1, 2), {k: v for k, v in predictions.items() if len(k) < 2}, 2, 2
    )
    assert fixed.chosen == (2, 2, 2)
    assert np.isnan(fixed.right_with_less).all()


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
