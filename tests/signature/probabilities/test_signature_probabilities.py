"""Probabilities of signatures: what users see of them."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import brier_score_loss, confusion_matrix

from hetsel import Signature, load_signature
from hetsel.ground.errors import TableError
from hetsel.signature.probabilities.asked_probabilities import AskedProbabilities
from hetsel.signature.probabilities.judged_probabilities import instability_of
from hetsel.signature.probabilities.probability_facts import PredictedRows
from hetsel.signature.probabilities.subgroups import parts_of, subgroups_of
from hetsel.statistics.performance.rate_intervals import RateInterval
from hetsel.statistics.probabilities.brier_score import brier_score, share_losses
from hetsel.statistics.probabilities.pooled_rows import pooled_rows
from hetsel.statistics.probabilities.threshold_values import moved_probabilities, threshold_values

DRAW = np.random.default_rng(11)
FRAME = pd.DataFrame(
    {
        "x": DRAW.normal(size=90),
        "z": DRAW.normal(size=90),
        "site": pd.Categorical(DRAW.choice(list("ab"), 90)),
        "noise": DRAW.normal(size=90),
    }
)
Y = np.where(FRAME["x"] + 0.6 * (FRAME["site"] == "a") + DRAW.normal(size=90) > 0.3, "yes", "no")
QUICK = {"folds": 4, "repeats": 2, "permutations": 0, "pairs": 3, "method": "rfe-svm"}


@pytest.fixture(scope="module")
def found():
    return Signature(**QUICK, harm_ratio=4).fit(FRAME, Y, by=["site", "z"])


def test_probabilities_are_saved_to_the_last_bit(found, tmp_path):
    p = found.predict_proba(FRAME)
    assert p.sum(axis=1) == pytest.approx(np.ones(90))
    found.save(tmp_path / "s.json")
    saved = load_signature(tmp_path / "s.json")
    assert np.array_equal(saved.predict_proba(FRAME), p)
    assert saved.facts.probabilities == found.probabilities_
    # the larger the decision value, the larger the probability of the positive class
    order = np.argsort(found.decision_function(FRAME), kind="stable")
    assert (np.diff(p[order, 1]) >= 0).all()


def test_what_is_told_follows_from_the_probabilities_of_held_out_rows(found):
    p = found.held_out_[:, :, 1]
    assert p.shape == (2, 90)
    seen = Y == "yes"
    (told,) = found.probabilities_.classes
    assert told.of_class == "yes"
    at = next(one for one in told.at if one.threshold == 0.2)
    rates = []
    for run in p:
        counts = confusion_matrix(seen, run >= 0.2)
        rates.append(counts[1, 1] / counts[1].sum())
    assert at.sensitivity.estimate == pytest.approx(np.mean(rates))
    assert at.sensitivity.low < np.mean(rates) < at.sensitivity.high
    plain = np.mean([brier_score_loss(seen, run) for run in p])
    assert found.probabilities_.brier.estimate == pytest.approx(plain, abs=0.03)
    assert found.probabilities_.threshold == 0.2


def test_the_order_of_rows_changes_nothing(found):
    order = np.random.default_rng(0).permutation(90)
    turned = Signature(**QUICK, harm_ratio=4)
    turned.fit(FRAME.iloc[order], Y[order], by=FRAME[["site", "z"]].iloc[order])
    assert turned.probabilities_ == found.probabilities_
    assert np.array_equal(turned.held_out_, found.held_out_[:, order])
    assert np.array_equal(turned.predict_proba(FRAME), found.predict_proba(FRAME))


@pytest.mark.seconds
def test_a_prevalence_shifts_the_odds_and_nothing_else(found):
    rare = Signature(**QUICK, prevalence=0.05).fit(FRAME, Y)
    share = (Y == "yes").mean()
    ratio = (0.05 / 0.95) / (share / (1 - share))
    p, q = (one.predict_proba(FRAME)[:, 1] for one in (found, rare))
    assert q / (1 - q) == pytest.approx(p / (1 - p) * ratio)
    assert rare.features_ == found.features_
    assert rare.performance_ == found.performance_
    named = Signature(**QUICK, prevalence={"no": 0.95, "yes": 0.05}).fit(FRAME, Y)
    assert named.probabilities_ == rare.probabilities_
    one, other = (s.probabilities_.classes[0].slope.estimate for s in (rare, found))
    assert one == pytest.approx(other, abs=0.2)  # of weighted rows, not another model


def test_chance_shares_of_the_classes_cost_unless_they_are_known(found):
    """At the share among these rows probabilities are the same, but the share is no chance."""
    known = Signature(**QUICK, prevalence=(Y == "yes").mean()).fit(FRAME, Y)
    np.testing.assert_allclose(known.held_out_, found.held_out_, rtol=1e-9)
    lost = np.mean([share_losses(Y == "yes", run).mean() for run in found.held_out_])
    with_it, without = (one.probabilities_.brier.estimate for one in (found, known))
    assert with_it - without == pytest.approx(lost, rel=1e-6)
    assert lost > 0.001


def test_parts_of_the_rows(found):
    parts = {(one.column, one.level): one for one in found.probabilities_.by}
    assert [level for column, level in parts if column == "site"] == ["a", "b"]
    assert len([1 for column, _ in parts if column == "z"]) == 3
    for level in "ab":
        own = (FRAME["site"] == level).to_numpy()
        assert parts["site", level].rows == own.sum()
        assert parts["site", level].class_rows == [
            int((own & (label == Y)).sum()) for label in ("no", "yes")
        ]
        assert "only" in parts["site", level].few or own.sum() >= 40
    assert sum(one.rows for key, one in parts.items() if key[0] == "z") == 90


def test_the_rows_of_a_part_that_is_one_group_count_one_by_one():
    """No model that predicts them has seen them: as of independent rows, and no warning."""
    center = np.random.default_rng(4).choice(list("abcde"), 90)
    found = Signature(**QUICK | {"pairs": 0}).fit(FRAME, Y, groups=center, by={"center": center})
    for part in found.probabilities_.by:
        own = center == part.level
        p, rows = found.held_out_[:, own, 1], int(own.sum())
        units = np.tile(np.arange(rows), 2)
        known = brier_score(np.tile(Y[own] == "yes", 2), p.ravel(), units=units).score
        low, high = part.brier.low, part.brier.high  # with the error of the map
        assert 0 < low <= known.low < known.high <= high
        assert high - low < 2 * (known.high - known.low)
        assert 0.01 < part.auc.low < part.auc.estimate < part.auc.high < 1


def test_a_part_of_one_class_has_a_brier_score_and_no_warning():
    part = np.where(Y == "yes", "all ill", np.arange(len(Y)) % 2)
    found = Signature(**QUICK | {"pairs": 0}).fit(FRAME, Y, by={"part": part})
    one = next(one for one in found.probabilities_.by if one.level == "all ill")
    assert one.rows == one.class_rows[1] == (Y == "yes").sum()
    assert 0 <= one.brier.low < one.brier.estimate < one.brier.high <= 1


def test_numbers_are_parted_in_thirds_and_missing_cells_are_a_part():
    values = [*range(9), None]
    parts = subgroups_of({"n": values}, 10)["n"]
    assert [int(part.rows.sum()) for part in parts] == [3, 3, 3, 1]
    assert parts[-1].name == "missing"
    few = subgroups_of({"grade": [3, 1, 2, 1]}, 4)["grade"]
    assert [part.name for part in few] == ["1", "2", "3"]


def test_what_is_observed_over_expected_in_a_part_is_held_by_every_map():
    rng = np.random.default_rng(4)
    p, units = rng.uniform(0.2, 0.8, 120), np.arange(6).repeat(20)
    truth = (rng.random(120) < p).astype(int)
    own = np.column_stack([1 - p, p])
    rows = PredictedRows(truth, own, np.ones(120), units, 2.0, 120, refitted=True)
    by = subgroups_of({"center": [f"c{unit}" for unit in units]}, 120)
    given = (truth, ["no", "yes"], by, AskedProbabilities())
    area = RateInterval(0.5, 0.2, 0.8, 0.95)
    facts, alone = (
        parts_of(one, *given, lambda kept: area) for one in (rows, replace(rows, refitted=False))
    )
    for unit, parts in enumerate(zip(facts, alone, strict=True)):
        part = units == unit
        wide, narrow = (one.observed_expected_ratio for one in parts)
        by_maps = truth[part].mean() / rows.moved(1)[:, part].mean(axis=1)
        assert wide.low <= by_maps.min() < by_maps.max() <= wide.high
        assert wide.estimate == narrow.estimate
        assert wide.low < narrow.low < narrow.high < wide.high


def test_twelve_levels_are_parts_and_thirteen_are_refused():
    levels = [f"c{k:02}" for k in range(12)]
    assert [part.name for part in subgroups_of({"center": levels}, 12)["center"]] == levels
    with pytest.raises(TableError, match="13 levels in center"):
        subgroups_of({"center": [*levels, None]}, 13)


def test_three_classes_have_probabilities():
    y = np.where(FRAME["z"] > 0.5, "high", Y)
    found = Signature(**QUICK).fit(FRAME, y)
    p = found.predict_proba(FRAME)
    assert p.shape == (90, 3)
    assert p.sum(axis=1) == pytest.approx(np.ones(90))
    told = found.probabilities_
    assert [one.of_class for one in told.classes] == found.classes_.tolist()
    assert told.prediction_instability is None
    with pytest.raises(TableError, match="harm_ratio is for two classes"):
        Signature(**QUICK, harm_ratio=2).fit(FRAME, y)
    with pytest.raises(TableError, match="prevalence must have a proportion for each class"):
        Signature(**QUICK, prevalence=0.1).fit(FRAME, y)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"prevalence": 1.2}, "prevalence must be between 0 and 1"),
        ({"prevalence": {"yes": 0.2}}, "prevalence must have a proportion for each class"),
        ({"thresholds": [0.2, 1.0]}, r"thresholds must be probabilities in \(0, 1\)"),
        ({"harm_ratio": -1}, "harm_ratio must be a positive number"),
    ],
)
def test_what_cannot_be_asked(option, message):
    with pytest.raises(TableError, match=message):
        Signature(**QUICK, **option).fit(FRAME, Y)


def test_numbers_have_no_probabilities():
    with pytest.raises(TableError, match="prevalence is for a target of classes"):
        Signature(**QUICK, target_kind="numbers", prevalence=0.1).fit(FRAME, FRAME["x"])
    assert not hasattr(Signature(target_kind="numbers"), "predict_proba")


def test_how_far_probabilities_lie_apart_by_hand():
    p = np.array([[0.1, 0.8], [0.3, 0.6], [0.2, 0.7]])
    found = instability_of(p, [0.25, 0.9])
    assert found.median == pytest.approx(0.1)
    assert found.mean_difference == pytest.approx(np.mean([0.2 / 3, 0.2 / 3]))
    assert [one.proportion for one in found.disagreement] == pytest.approx([1 / 6, 0.0])


def test_intervals_at_a_threshold_have_the_error_of_the_map():
    alone = Signature(**QUICK | {"pairs": 0}).fit(FRAME, Y)  # no halves are needed
    (of_class,) = alone.probabilities_.classes
    p, truth = alone.held_out_[:, :, 1], Y == "yes"
    n, runs = len(truth), len(p)
    given = (np.tile(truth, runs), p.ravel())
    units, w = np.tile(np.arange(n), runs), np.full(n * runs, 1 / runs)
    (one,) = [at for at in of_class.at if at.threshold == 0.3]
    pooled = pooled_rows(*given, w, units)
    plain = threshold_values(pooled, 0.3, spread=2.0)
    moved = moved_probabilities(pooled) >= 0.3
    rates = moved[:, given[0]].mean(axis=1)
    rate, low, high = plain.sensitivity.estimate, plain.sensitivity.low, plain.sensitivity.high
    assert one.sensitivity.low == pytest.approx(rate - np.hypot(rate - low, rate - min(rates)))
    more = np.hypot(high - rate, max(rates) - rate)
    assert one.sensitivity.high == pytest.approx(min(1.0, rate + more))
