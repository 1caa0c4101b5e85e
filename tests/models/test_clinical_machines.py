import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from sklearn.metrics import balanced_accuracy_score
from sklearn.pipeline import make_pipeline
from twins.kernel_sums import weighted_gram

from hetsel import RFEMKL, ClinicalMKL, ClinicalSVC
from hetsel.ground.errors import TableError


@pytest.mark.parametrize("classifier", [ClinicalSVC, ClinicalMKL])
@pytest.mark.parametrize("missing", ["impute", "separate"])
@pytest.mark.parametrize("classes", [2, 3])
def test_curves_and_decision_equal_the_kernel_sum(classifier, missing, classes):
    frame, y = mixed_frame(60, 4, 3, missing=0.1, classes=classes)
    model = classifier(missing=missing).fit(frame, y)
    table = model.schema_.encode(frame).resolve_missing(missing)
    gram = weighted_gram(table.values, table.nominal, model.weights_)
    by_kernel = model.dual_coef_ @ gram + model.intercept_[:, None]
    decision = np.atleast_2d(model.decision_function(frame).T)
    np.testing.assert_allclose(decision, by_kernel, atol=1e-9)
    by_curves = np.repeat(model.intercept_[:, None], len(frame), axis=1)
    for curve, cells in zip(model.effect_curves(), table.values.T, strict=True):
        by_curves += effects(curve, cells, model.schema_)
    np.testing.assert_allclose(by_curves, decision, atol=1e-9)


def effects(curve, cells, schema):
    """Effect of each cell by the public curve alone."""
    column = next(c for c in schema.columns if c.name == curve.name)
    values = np.zeros((len(curve.values), len(cells)))
    for i, cell in enumerate(cells):
        if np.isnan(cell) or (column.kind == "nominal" and cell == len(column.levels)):
            values[:, i] = curve.missing
        elif column.kind == "nominal":
            place = list(curve.knots).index(column.levels[int(cell)])
            values[:, i] = curve.values[:, place]
        else:
            values[:, i] = [np.interp(cell, curve.knots, row) for row in curve.values]
    return values


@pytest.mark.parametrize("classifier", [ClinicalSVC, ClinicalMKL])
def test_other_names_places_and_units_give_the_same_bits(classifier):
    frame, y = mixed_frame(50, 12, 3, missing=0.1)
    other = frame.assign(
        c0=frame["c0"] * 1024,  # without rounding
        n2=frame["n2"].cat.rename_categories({"level 0": "z", "level 3": "a"}).astype(object),
    )
    other = other.iloc[:, np.random.default_rng(0).permutation(frame.shape[1])]
    here = classifier(missing="separate").fit(frame, y)
    there = classifier(missing="separate").fit(other, y)
    assert np.array_equal(here.dual_coef_, there.dual_coef_)
    assert np.array_equal(here.intercept_, there.intercept_)
    weights = dict(zip(other.columns, there.weights_, strict=True))
    assert here.weights_.tolist() == [weights[name] for name in frame.columns]


def test_a_level_without_training_rows_adds_nothing():
    frame, y = mixed_frame(60, 2, 3)
    rows = frame["n2"] != "level 3"
    model = ClinicalSVC().fit(frame[rows], y[rows])
    other = ClinicalSVC(unseen="separate").fit(
        frame[rows].assign(n2=frame[rows]["n2"].astype(str)), y[rows]
    )
    np.testing.assert_allclose(
        model.decision_function(frame),
        other.decision_function(frame.assign(n2=frame["n2"].astype(str))),
        atol=1e-12,
    )
    strict = ClinicalSVC().fit(frame[rows].assign(n2=frame[rows]["n2"].astype(str)), y[rows])
    with pytest.raises(
        TableError, match="'n2' must hold levels .*: level 0.* Got the unseen level level 3"
    ):
        strict.predict(frame.assign(n2=frame["n2"].astype(str)))


def test_classes_and_balance():
    frame, y = mixed_frame(90, 4, 2, classes=3)
    labels = np.array(["low", "mid", "high"])[y]
    model = ClinicalSVC().fit(frame, labels)
    assert set(model.predict(frame)) == {"low", "mid", "high"}
    assert balanced_accuracy_score(labels, model.predict(frame)) > 0.8
    frame, y = mixed_frame(100, 3, 1, seed=5)
    rare = (y == 0) | (np.arange(100) < 20)
    plain = ClinicalSVC(C=0.1).fit(frame[rare], y[rare]).predict(frame[rare])
    even = ClinicalSVC(C=0.1, class_weight="balanced").fit(frame[rare], y[rare])
    assert balanced_accuracy_score(y[rare], even.predict(frame[rare])) > 0.2 + (
        balanced_accuracy_score(y[rare], plain)
    )


def test_parameters_of_another_kind_are_refused():
    frame, y = mixed_frame(30, 2, 1)
    for machine, words in (
        (ClinicalMKL(tolerance="a"), "tolerance must be a number, 0 or larger. Got 'a'"),
        (ClinicalMKL(tolerance=-1), "tolerance must be a number, 0 or larger. Got -1"),
        (ClinicalMKL(q="2"), "q must be at least 1. Got '2'"),
        (ClinicalMKL(q=None), "q must be at least 1. Got None"),
        (ClinicalSVC(class_weight=pd.Series({0: 1.0, 1: 2.0})), "None, 'balanced' or a mapping"),
        (ClinicalSVC(unseen="drop"), "unseen must be one of error, separate. Got 'drop'"),
        (ClinicalSVC(class_weight=np.array([1.0, 2.0])), "None, 'balanced' or a mapping"),
    ):
        with pytest.raises(TableError, match=words):
            machine.fit(frame, y)


def test_missing_cells_are_filled_with_training_values():
    frame, y = mixed_frame(50, 3, 2)
    model = ClinicalSVC().fit(frame, y)
    gaps = frame.copy()
    gaps["c1"] = np.nan
    gaps["n1"] = gaps["n1"].where(np.zeros(50, dtype=bool))
    filled = frame.assign(c1=frame["c1"].median(), n1=frame["n1"].mode()[0])
    np.testing.assert_allclose(model.decision_function(gaps), model.decision_function(filled))


def test_behind_a_selector_in_a_pipeline():
    frame, y = mixed_frame(80, 6, 4)
    pipeline = make_pipeline(RFEMKL(size=3), ClinicalSVC()).fit(frame, y)
    assert [c.name for c in pipeline[-1].schema_.columns] == list(
        pipeline[0].get_feature_names_out()
    )
    assert "nominal" in [c.kind for c in pipeline[-1].schema_.columns]
    assert pipeline.score(frame, y) > 0.75
