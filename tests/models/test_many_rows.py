"""Machines of many rows: without a Gram matrix they say what those with one say."""

import numpy as np
import pytest
from frames import mixed_frame, sum_of_curves, told_frame

from hetsel import ClinicalMKL, ClinicalSVC, ClinicalSVR
from hetsel.ground import memory
from hetsel.ground.errors import TableError
from hetsel.models import additive_model, rows_in_bins

CLASSIFIERS = [ClinicalSVC(C=1.0), ClinicalMKL(tolerance=1e-8), ClinicalMKL(q=1.5, tolerance=1e-8)]


def both(model, frame, y, weights, monkeypatch, bins=65_535):
    """The model fitted with a Gram matrix, and without one."""
    plain = type(model)(**model.get_params()).fit(frame, y, weights)
    monkeypatch.setattr(additive_model, "ROWS_WORTH_BINNING", 10)
    monkeypatch.setattr(rows_in_bins, "BINS", bins)
    found = type(model)(**model.get_params()).fit(frame, y, weights)
    monkeypatch.undo()
    return plain, found


@pytest.mark.seconds
@pytest.mark.parametrize("classifier", CLASSIFIERS)
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("missing", ["impute", "separate"])
def test_with_a_bin_for_every_cell_decisions_are_the_same(
    classifier, classes, missing, monkeypatch
):
    frame, y = mixed_frame(240, 4, 3, seed=classes, missing=0.05, classes=classes)
    new, _ = mixed_frame(60, 4, 3, seed=9, missing=0.05, classes=classes)
    classifier = type(classifier)(**{**classifier.get_params(), "missing": missing})
    for weights in (None, 1.0 + np.arange(240) % 3):
        plain, found = both(classifier, frame, y, weights, monkeypatch)
        np.testing.assert_allclose(
            found.decision_function(new), plain.decision_function(new), atol=3e-4
        )
        np.testing.assert_allclose(found.weights_, plain.weights_, atol=2e-3)
        np.testing.assert_array_equal(found.classes_, plain.classes_)
        assert found.dual_coef_.shape == plain.dual_coef_.shape
        np.testing.assert_allclose(found.dual_coef_.sum(axis=1), 0.0, atol=1e-9)
        for one, other in zip(found.effect_curves(), plain.effect_curves(), strict=True):
            assert (one.name, one.kind) == (other.name, other.kind)
            if one.kind == "nominal":
                np.testing.assert_array_equal(one.knots, other.knots)
            else:
                np.testing.assert_allclose(one.knots, other.knots, rtol=1e-12, atol=1e-12)


def test_numbers_are_in_their_units(monkeypatch):
    frame, y = told_frame("numbers", n=240)
    for weights in (None, 1.0 + np.arange(240) % 3):
        plain, found = both(ClinicalSVR(C=1.0), frame, 50.0 + 3.0 * y, weights, monkeypatch)
        np.testing.assert_allclose(found.predict(frame), plain.predict(frame), atol=0.02)


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_curves_sum_up_to_the_decision_and_have_few_knots(classifier, monkeypatch):
    frame, y = mixed_frame(300, 4, 3, seed=3)
    plain, found = both(classifier, frame, y, None, monkeypatch, bins=64)
    curves = found.effect_curves()
    assert [len(curve.knots) for curve in curves][:4] == [64] * 4
    total = sum_of_curves(found, frame)
    np.testing.assert_allclose(found.decision_function(frame), total, atol=1e-10)
    assert (found.predict(frame) == plain.predict(frame)).mean() > 0.97


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_other_names_places_and_units_give_the_same_machine(classifier, monkeypatch):
    frame, y = mixed_frame(300, 4, 3, seed=4)
    monkeypatch.setattr(additive_model, "ROWS_WORTH_BINNING", 10)
    monkeypatch.setattr(rows_in_bins, "BINS", 32)
    rng = np.random.default_rng(5)
    rows, columns = rng.permutation(300), rng.permutation(7)
    other = frame.iloc[rows, columns]
    numbers = other.select_dtypes("number").columns
    other = other.assign(**{name: 4.0 - 2.0 * other[name] for name in numbers})
    known = type(classifier)(**classifier.get_params()).fit(frame, y)
    found = type(classifier)(**classifier.get_params()).fit(other, y[rows])
    np.testing.assert_array_equal(known.dual_coef_[:, rows], found.dual_coef_)
    np.testing.assert_array_equal(known.weights_[columns], found.weights_)
    np.testing.assert_array_equal(known.intercept_, found.intercept_)


@pytest.mark.seconds
def test_a_table_whose_gram_matrix_does_not_fit_is_learned_from(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 10**8)
    x = np.random.default_rng(6).normal(size=(6_000, 2))
    y = x[:, 0] > 0
    assert (ClinicalSVC().fit(x, y).predict(x) == y).mean() > 0.99
    with pytest.raises(TableError, match="memory for 6,000 rows"):
        ClinicalMKL(q=1.0).fit(x, y)
