"""Clinical machines on scales of quantiles, by scikit-learn and the kernel's slow twin."""

import numpy as np
import pytest
from frames import mixed_frame, sum_of_curves
from sklearn.preprocessing import QuantileTransformer
from twins.kernel_sums import weighted_gram

from hetsel import ClinicalMKL, ClinicalSVC
from hetsel.ground.errors import TableError
from hetsel.signature.effect_pieces import effects_by_piece
from hetsel.tables import Classes

N = 60
MACHINES = pytest.mark.parametrize("machine", [ClinicalSVC, ClinicalMKL])
SCALES = pytest.mark.parametrize("scale", ["quantile", "robust"])
NUMBERS = ["c0", "c1", "c2"]


def tables(missing=0.1, classes=2):
    """Training rows, and later ones with values outside the range and missing cells."""
    frame, y = mixed_frame(2 * N, 3, 2, seed=8, missing=missing, classes=classes)
    frame["c1"] = np.exp(2 * frame["c1"])
    train, later = frame[:N].copy(), frame[N:].copy()
    later.iloc[0, :3] = 1e6
    later.iloc[1, :3] = -1e6
    later.iloc[2, :3] = np.nan
    return train, y[:N], later


def outside(scale, train, rows):
    """The columns of numbers by numpy and scikit-learn, later rows within the training ones."""
    rows = rows.copy()
    for name in NUMBERS:
        known = train[[name]].dropna().to_numpy()
        cells = rows[[name]].to_numpy()
        if scale == "quantile":
            one = QuantileTransformer(n_quantiles=len(known), subsample=None).fit(known)
            rows[name] = one.transform(cells)[:, 0]
        else:
            low, high = np.quantile(known, [0.05, 0.95])
            rows[name] = np.clip((cells[:, 0] - low) / (high - low), 0, 1)
    return rows


@MACHINES
@SCALES
@pytest.mark.parametrize("missing", ["impute", "separate"])
@pytest.mark.parametrize("classes", [2, 3])
def test_decisions_are_those_of_the_transformed_columns(machine, scale, missing, classes):
    train, y, later = tables(classes=classes)
    ours = machine(missing=missing, scale=scale).fit(train, y)
    theirs = machine(missing=missing).fit(outside(scale, train, train), y)
    for rows in (train, later):
        np.testing.assert_allclose(
            ours.decision_function(rows),
            theirs.decision_function(outside(scale, train, rows)),
            atol=1e-7,
        )


@MACHINES
@SCALES
def test_curves_in_units_sum_up_to_the_kernel_sum(machine, scale):
    train, y, later = tables()
    model = machine(scale=scale, missing="separate").fit(train, y)
    table = model.schema_.encode(outside(scale, train, train)).resolve_missing("separate")
    gram = weighted_gram(table.values, table.nominal, model.weights_)
    by_kernel = model.dual_coef_[0] @ gram + model.intercept_[0]
    np.testing.assert_allclose(sum_of_curves(model, train), by_kernel, atol=1e-9)
    expected = model.decision_function(later)
    np.testing.assert_allclose(sum_of_curves(model, later), expected, atol=1e-9)


def test_knots_are_the_training_values_to_the_last_bit():
    train, y, _ = tables(missing=0)
    train["c2"] = (10 * train["c2"]).round() / 7  # with ties, at the ends too
    train.loc[:3, "c2"] = train["c2"].min()
    for curve in ClinicalSVC(scale="quantile").fit(train, y).effect_curves()[:3]:
        np.testing.assert_array_equal(curve.knots, np.unique(train[curve.name]))
    for curve in ClinicalSVC(scale="robust").fit(train, y).effect_curves()[:3]:
        ends = np.quantile(train[curve.name], [0.05, 0.95])
        np.testing.assert_allclose(curve.knots[[0, -1]], ends, rtol=1e-15)


@MACHINES
def test_logarithms_change_no_decision_on_training_values(machine):
    train, y, _ = tables(missing=0)
    bent = train.assign(c0=np.exp(train["c0"]), c1=np.log(train["c1"]), c2=train["c2"] ** 3)
    here, there = machine(scale="quantile").fit(train, y), machine(scale="quantile").fit(bent, y)
    np.testing.assert_array_equal(here.decision_function(train), there.decision_function(bent))
    for one, other in zip(here.effect_curves(), there.effect_curves(), strict=True):
        np.testing.assert_array_equal(one.values, other.values)


@SCALES
def test_every_row_lies_in_one_piece_and_pieces_bend_at_support_vectors(scale):
    train, y, _ = tables()
    model = ClinicalSVC(scale=scale, missing="separate").fit(train, y)
    pieces = effects_by_piece(model.effect_curves(), model.schema_.encode(train), Classes.of(y))
    assert (pieces.groupby("feature")["rows"].sum() == N).all()
    vectors = train[np.abs(model.dual_coef_[0]) > 0]
    ends = pieces[pieces["feature"].isin(NUMBERS) & (pieces["low"] != "missing")]
    for name, part in ends.groupby("feature"):
        known = train[name].dropna()
        edges = known.quantile([0.0, 0.05, 0.95, 1.0]).to_numpy()
        legal = np.r_[vectors[name].dropna(), edges]
        bends = np.r_[part["low"], part["high"]].astype(float)
        assert np.abs(bends[:, None] - legal).min(axis=1).max() < 1e-9 * np.ptp(known)


@MACHINES
def test_another_scale_is_refused(machine):
    train, y, _ = tables()
    with pytest.raises(TableError, match="scale must be one of range, quantile, robust"):
        machine(scale="rank").fit(train, y)
