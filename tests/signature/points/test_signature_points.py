"""A signature and its points: one table, told alike by frame, facts, file and page."""

import numpy as np
import pytest
from frames import mixed_frame, told_frame
from report.page_texts import signature_page
from report.pages.test_study_page import Page
from sklearn.metrics import roc_auc_score

from hetsel import Signature, load_signature
from hetsel.ground.errors import TableError
from hetsel.report.signature_sections.points_to_add_up import points_sentence, points_tables

QUICK = {"method": "rfe-svm", "folds": 3, "repeats": 2, "permutations": 0, "pairs": 0}


@pytest.fixture(scope="module")
def table():
    frame, y = mixed_frame(120, 3, 2, seed=4, missing=0.03)
    return frame, np.where(np.arange(120) % 4 == 0, 1, y)


@pytest.fixture(scope="module")
def found(table):
    return Signature(**QUICK, size=3).fit(*table)


def test_totals_of_the_rows_and_risks_say_what_the_table_says(table, found):
    points, one = found.points(), found.facts().points
    assert [*dict.fromkeys(points["feature"])] == [*found.features_]
    assert points.groupby("feature")["points"].min().eq(0).all()
    assert points.groupby("feature")["rows"].sum().eq(120).all()
    assert points.groupby("feature")["points"].max().sum() == one.largest
    assert sum(band.rows for band in one.totals) == 120
    risks = [end for band in one.totals for end in (band.probability_low, band.probability_high)]
    assert risks == sorted(risks)
    assert one.cut == next(t for t in range(one.largest + 1) if one.constant + one.unit * t > 0)


@pytest.mark.seconds
@pytest.mark.parametrize("positive", [0, 1])
@pytest.mark.parametrize("size", [2, "one-se"])
def test_the_model_beside_the_points_is_that_of_the_page(table, positive, size):
    frame, y = table
    signature = Signature(**QUICK, size=size, positive=positive).fit(frame, y)
    auc, bcr = signature.points_.cost
    found = signature.performance_  # of models of all rows, which learn from more
    assert auc.model == pytest.approx(found["auc"].estimate, abs=0.05)
    assert bcr.model == pytest.approx(found["bcr"].estimate - found.training_gain)
    assert abs(auc.difference) < 0.1
    assert abs(bcr.difference) < 0.15
    fitted = roc_auc_score(y == signature.classes_[1], signature.decision_function(frame))
    assert fitted > 0.7
    seen = [band.observed for band in signature.points_.totals if band.observed is not None]
    assert seen[0] < seen[-1]


def test_the_order_of_rows_changes_nothing(table, found):
    frame, y = table
    order = np.random.default_rng(1).permutation(120)
    again = Signature(**QUICK, size=3).fit(frame.iloc[order], y[order])
    assert again.facts().points == found.facts().points


def test_the_shares_of_rows_with_weights_are_weighted(table):
    frame, y = table
    plain = Signature(**QUICK, size=2).fit(frame, y).facts().points
    twice = Signature(**QUICK, size=2).fit(frame, y, np.full(120, 3.0)).facts().points
    assert twice.features == plain.features
    assert [one.observed for one in twice.totals] == pytest.approx(
        [one.observed for one in plain.totals]
    )


def test_risks_are_those_at_the_prevalence_that_is_asked_for(table):
    plain, rare = (
        Signature(**QUICK, size=2, prevalence=share).fit(*table).facts().points
        for share in (None, 0.02)
    )
    assert rare.features == plain.features
    shares = plain.probabilities.class_proportions
    for one, other in zip(plain.totals, rare.totals, strict=True):
        odds = (
            one.probability_low
            / (1 - one.probability_low)
            * (0.02 / 0.98)
            / (shares[1] / shares[0])
        )
        assert other.probability_low == pytest.approx(odds / (1 + odds))


@pytest.mark.parametrize("target", ["numbers", "survival"])
def test_numbers_and_risks_have_points_too(target):
    frame, y = told_frame(target, 90, 3, 2)
    signature = Signature(**QUICK, size=2, target_kind=target).fit(frame, y)
    (cost,) = signature.points_.cost
    assert cost.key == {"numbers": "r2", "survival": "concordance"}[target]
    assert abs(cost.difference) < 0.1
    tables = points_tables(signature.facts())
    assert [one.key for one in tables] == ["points", "totals"][: 1 + (target == "numbers")]
    if target == "numbers":
        one = signature.facts().points
        first, last = (row[1] for row in (tables[1].rows[0], tables[1].rows[-1]))
        assert float(first) == pytest.approx(one.constant, rel=1e-3)
        assert float(last) == pytest.approx(one.constant + one.unit * one.largest, rel=1e-3)


@pytest.mark.seconds
def test_more_than_two_classes_have_no_points_and_say_why():
    frame, y = mixed_frame(90, 2, 1, classes=3)
    signature = Signature(**QUICK, size=2).fit(frame, y)
    with pytest.raises(TableError, match="3 classes"):
        signature.points()
    facts = signature.facts()
    assert points_tables(facts) == []
    assert "Got 3 classes" in facts.points.reason
    assert "points" not in Page(signature_page(facts)).ids


def test_too_few_rows_to_judge_have_points_without_risks():
    frame, y = mixed_frame(12, 2, 1)
    y = np.where(np.arange(12) < 2, "rare", "common")
    signature = Signature(**QUICK, size=1).fit(frame, y)
    one = signature.facts().points
    assert one.features
    assert one.totals == one.cost == []
    assert points_sentence(one) == ""
    assert [table.key for table in points_tables(signature.facts())] == ["points"]


@pytest.mark.seconds
def test_a_file_keeps_the_points(found, tmp_path):
    found.save(tmp_path / "new.json")
    assert load_signature(tmp_path / "new.json").facts.points == found.facts().points


@pytest.mark.seconds
def test_the_page_has_every_band_and_what_rounding_costs(found):
    facts = found.facts()
    values, totals = points_tables(facts)
    assert [int(row[2]) for row in values.rows] == found.points()["points"].tolist()
    assert [row[0] for row in values.rows if row[0]] == [*found.features_]
    assert len(totals.rows) == len(facts.points.totals)
    page = Page(signature_page(facts))
    text = " ".join(page.words)
    assert {"table-points", "table-totals"} <= set(page.ids)
    for cost in facts.points.cost:
        assert f"{cost.label} {cost.points:.3f}" in text
