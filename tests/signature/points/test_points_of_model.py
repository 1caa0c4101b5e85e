"""A table of points is the model in whole numbers: exact where it can be, near elsewhere."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame, told_frame

from hetsel import ClinicalSVC
from hetsel.ground.errors import TableError
from hetsel.models.additive_model import EffectCurve
from hetsel.models.clinical_machines import ClinicalSurvivalSVM, ClinicalSVR
from hetsel.signature.points.points_of_model import (
    LOST_BY_ROUNDING,
    LOST_IN_BANDS,
    effect_of_cells,
    points_table,
)
from hetsel.signature.points.round_cuts import joined_bands, round_cuts, roundest_between
from hetsel.signature.points.signature_points import words_of_band
from hetsel.tables import Table


def made(frame, y, machine=ClinicalSVC, missing="impute", weights=None, **kinds):
    """A fitted machine, its rows and its points."""
    table = Table.read(frame, **kinds)
    model = machine(missing=missing).fit(table, y, weights)
    rows = table.resolve_missing("impute") if missing == "impute" else table
    return model, rows, points_table(model.effect_curves(), rows, model.intercept_[0], weights)


def said(points):
    """Words and points of every band, by feature."""
    return {
        one.name: {words_of_band(one, band): band.points for band in one.bands}
        for one in points.features
    }


def test_whole_effects_of_levels_and_steps_are_found_as_they_are():
    draw = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "site": draw.choice(["north", "south", "west"], 200),
            "count": draw.integers(0, 6, 200).astype(float),
            "stage": pd.Categorical(draw.choice(["I", "II", "III"], 200), ordered=True),
        }
    )
    steps = {0: 0, 1: 0, 2: 5, 3: 5, 4: 11, 5: 11}
    curves = [
        EffectCurve("site", "nominal", np.array(["north", "south", "west"], dtype=object),
                    np.array([[-1.0, 2.0, -1.0]]), np.zeros(1)),
        EffectCurve("count", "continuous", np.arange(6.0),
                    np.array([[steps[k] - 4.0 for k in range(6)]]), np.zeros(1)),
        EffectCurve("stage", "ordinal", np.arange(3.0), np.array([[0.0, 7.0, 6.0]]), np.zeros(1)),
    ]  # fmt: skip
    rows = Table.read(frame, continuous=["count"])
    points = points_table(curves, rows, 3.0, lost_in_bands=1e-9, lost_by_rounding=1e-9)
    assert said(points) == {
        "site": {"north, west": 0, "south": 3},
        "count": {"below 2": 0, "2 to 3": 5, "4 or more": 11},
        "stage": {"I": 0, "II": 7, "III": 6},
    }
    assert points.unit == pytest.approx(1.0)
    assert points.constant == pytest.approx(3.0 - 1.0 - 4.0)
    assert points.largest == 21
    truth = (
        frame["site"].map({"north": -1, "south": 2, "west": -1})
        + frame["count"].map(steps) - 4
        + frame["stage"].map({"I": 0, "II": 7, "III": 6}).astype(int)
        + 3
    )  # fmt: skip
    np.testing.assert_allclose(points.decisions(points.totals(rows)), truth, atol=1e-9)


@pytest.mark.parametrize("seed", [0, 1])
def test_few_bands_are_the_best_of_all_ways_to_make_so_many(seed):
    draw = np.random.default_rng(seed)
    part = np.append(np.arange(8), draw.integers(0, 8, 40))
    effects, weights = draw.normal(size=48) + np.sin(part), draw.uniform(0.5, 2.0, 48)

    def loss(starts):
        band = np.searchsorted(starts, part, side="right")
        means = np.bincount(band, weights * effects) / np.maximum(np.bincount(band, weights), 1e-9)
        return float((weights * (effects - means[band]) ** 2).sum())

    for most in range(1, 6):
        ways = ([0, *rest] for rest in combinations(range(1, 8), most - 1))
        best = min(ways, key=loss)
        found, lost = joined_bands(effects, weights, part, most, 0.0)
        assert found == best
        assert lost == pytest.approx(loss(best))
        fewest, _ = joined_bands(effects, weights, part, 8, loss(best) * 1.001)
        assert len(fewest) == most


def test_cuts_are_round_and_lie_between_their_neighbors():
    draw = np.random.default_rng(0)
    for low, high in np.sort(draw.normal(size=(200, 2)) * 10.0 ** draw.integers(-4, 5, (200, 1))):
        found = roundest_between(low, high)
        assert low < found <= high
        ends = Fraction(low), Fraction(high)  # exact: the largest step that has a multiple between
        steps = (f * Fraction(10) ** e for e in range(8, -12, -1) for f in (5, 2, 1))
        step = next(step for step in steps if ends[1] // step * step > ends[0])
        assert found == float(round(Fraction(found) / step) * step)
    cells = draw.lognormal(size=500)
    cuts = round_cuts(cells, np.ones(500), 8)
    assert len(cuts) == 8
    assert (np.diff(np.searchsorted(np.sort(cells), cuts)) < 500 / 4).all()


@pytest.mark.parametrize(
    ("machine", "target"),
    [(ClinicalSVC, "classes"), (ClinicalSVR, "numbers"), (ClinicalSurvivalSVM, "survival")],
)
def test_points_are_near_the_model(machine, target):
    frame, y = (
        mixed_frame(200, 3, 3, seed=1) if target == "classes" else told_frame(target, 200, 3, 3)
    )
    model, rows, points = made(frame, y, machine)
    exact = model.decision_function(rows) if target == "classes" else model.predict(rows)
    near = points.decisions(points.totals(rows))
    assert near.mean() == pytest.approx(exact.mean())
    # by the triangle of the losses; five bands may be too few for a bent curve
    few = sum(len(one.bands) == 5 for one in points.features)
    bound = (6 * LOST_IN_BANDS**0.5 + LOST_BY_ROUNDING**0.5) ** 2
    lost = np.var(exact - near) / np.var(exact)
    assert lost < bound * (1 + few)
    assert np.corrcoef(exact, near)[0, 1] > 0.95
    assert all(min(band.points for band in one.bands) == 0 for one in points.features)
    assert all(sum(band.rows for band in one.bands) == 200 for one in points.features)


def test_effects_of_the_rows_add_up_to_the_model():
    frame, y = mixed_frame(80, 2, 2, seed=3, missing=0.1)
    for missing in ("impute", "separate"):
        model, rows, _ = made(frame, y, missing=missing)
        each = zip(model.effect_curves(), rows.values.T, rows.schema.columns, strict=True)
        total = sum(effect_of_cells(curve, cells, column.levels) for curve, cells, column in each)
        np.testing.assert_allclose(total + model.intercept_[0], model.decision_function(rows))


def test_neither_the_order_of_rows_nor_names_of_levels_matter():
    frame, y = mixed_frame(120, 2, 3, seed=5)
    _, _, plain = made(frame, y)
    order = np.random.default_rng(0).permutation(120)
    other = frame.iloc[order].copy()
    names = {f"level {k}": f"x{(k * 5 + 2) % 7}" for k in range(4)}
    for column in ("n0", "n1", "n2"):
        other[column] = other[column].cat.rename_categories(names)
    _, _, again = made(other, y[order])
    renamed = {
        feature: {
            ", ".join(sorted(names.get(level, level) for level in value.split(", "))): points
            for value, points in bands.items()
        }
        for feature, bands in said(plain).items()
    }
    ordered = {
        feature: {", ".join(sorted(value.split(", "))): points for value, points in bands.items()}
        for feature, bands in said(again).items()
    }
    assert ordered == renamed
    assert again.unit == pytest.approx(plain.unit)


def test_a_unit_of_ten_moves_the_cuts_with_it_and_another_one_to_round_numbers_near_by():
    frame, y = mixed_frame(300, 2, 1, seed=6)
    frame["c0"] = (170 + 10 * frame["c0"]).round(1)
    _, rows, plain = made(frame, y)
    _, tens, moved = made(frame.assign(c0=frame["c0"] * 100), y)
    (one, other) = (next(f for f in p.features if f.name == "c0") for p in (plain, moved))
    assert [band.low * 100 for band in one.bands] == pytest.approx([b.low for b in other.bands])
    assert moved.totals(tens).tolist() == plain.totals(rows).tolist()
    model, inches, turned = made(frame.assign(c0=frame["c0"] / -2.54 + 7), y)
    exact, near = model.decision_function(inches), turned.decisions(turned.totals(inches))
    before = plain.decisions(plain.totals(rows))
    assert np.var(near - exact) < 1.5 * np.var(before - exact) + 1e-3 * np.var(exact)
    assert np.mean(np.abs(near - before) > plain.unit / 2) < 0.25
    cuts = [b.low for f in turned.features if f.name == "c0" for b in f.bands if np.isfinite(b.low)]
    assert all(len(f"{abs(cut):g}".strip("0.").replace(".", "")) <= 3 for cut in cuts)


def test_a_missing_cell_that_is_a_value_of_its_own_has_points_of_its_own():
    draw = np.random.default_rng(7)
    y = np.arange(160) % 2
    number = draw.normal(size=160)
    number[(y == 1) & (draw.random(160) < 0.5)] = np.nan
    frame = pd.DataFrame({"number": number, "noise": draw.normal(size=160)})
    _, rows, points = made(frame, y, missing="separate")
    bands = said(points)["number"]
    assert bands["missing"] == max(bands.values()) > 0
    (feature,) = (one for one in points.features if one.name == "number")
    own = feature.points_of(rows.values[:, 0], ())
    assert set(own[np.isnan(number)]) == {bands["missing"]}


def test_weights_count_as_so_many_rows():
    frame, y = mixed_frame(60, 1, 2, seed=8)
    weights = np.random.default_rng(0).integers(1, 4, 60).astype(float)
    _, _, weighed = made(frame, y, weights=weights)
    copies = np.repeat(np.arange(60), weights.astype(int))
    _, _, repeated = made(frame.iloc[copies], y[copies])
    assert said(weighed) == said(repeated)
    assert weighed.unit == pytest.approx(repeated.unit, rel=1e-4)
    assert weighed.constant == pytest.approx(repeated.constant, abs=1e-4)


def test_a_constant_model_has_no_points():
    curve = EffectCurve("a", "continuous", np.arange(3.0), np.zeros((1, 3)), np.zeros(1))
    points = points_table([curve], Table.read(pd.DataFrame({"a": [0.0, 1.0, 2.0]})), 0.5)
    assert said(points) == {"a": {"any": 0}}
    assert points.largest == 0
    assert points.constant == 0.5


def test_more_than_two_classes_are_refused():
    frame, y = mixed_frame(60, 1, 1, classes=3)
    with pytest.raises(TableError, match="3 classes"):
        made(frame, y)
