"""The plan of rows: the criteria of each kind of target, what a table says, what is refused."""

import json
from itertools import combinations

import numpy as np
import pytest
from frames import mixed_frame
from msgspec.structs import replace

import hetsel
from hetsel.ground.errors import TableError
from hetsel.ground.sealed_json import plain_values
from hetsel.signature.planning.anticipated import anticipated
from hetsel.signature.planning.asked_rows import AskedRows, for_width
from hetsel.signature.planning.plan_facts import WantedRate
from hetsel.signature.planning.row_plan import RowPlan, plan_rows
from hetsel.statistics.sample_size.development_criteria import r2_of_c_statistic
from hetsel.statistics.sample_size.validation_criteria import balanced_width, rows_for_auc_width
from hetsel.words.plan_sentences import sentences

BINARY = {"candidates": 24, "prevalence": 0.174}
TIMES = {"candidates": 30, "event_rate": 0.065, "follow_up": 2.07, "horizon": 2}
QUICK = hetsel.Signature("rfe-svm", 2, folds=3, repeats=1)


def develop(plan):
    return [one.rows for one in plan.asked if one.purpose == "develop"]


@pytest.mark.parametrize(
    ("given", "rows"),
    [  # pmsampsize and multsampsize, see tests/statistics/sample_size
        ({**BINARY, "r2": 0.288}, [623, 662, 221]),
        ({"candidates": 30, "prevalence": 0.07, "r2": 0.05, "shrinkage": 0.95}, [11098, 1455, 101]),
        ({**TIMES, "r2": 0.051}, [5143, 1039, 141]),
        ({"candidates": 25, "r2": 0.2, "mean": 1.9, "deviation": 0.6}, [918, 401, 259, 38]),
        ({"candidates": 25, "r2": 0.2}, [918, 401, 259]),
        (
            {"candidates": 17, "prevalence": [1 / 6, 1 / 3, 1 / 2], "nagelkerke_r2": 0.15},
            [2660, 714, 574],
        ),
    ],
)
def test_without_a_table_the_criteria_are_those_of_the_target(given, rows):
    plan = plan_rows(**given)
    assert develop(plan) == rows
    assert plan.rows == max(rows)
    assert plan.facts().asked_by == max(plan.asked[: len(rows)], key=lambda one: one.rows).asks


def test_a_c_statistic_stands_for_its_r2():
    by_c = plan_rows(**BINARY, c_statistic=0.89)
    by_r2 = plan_rows(**BINARY, r2=r2_of_c_statistic(0.89, 0.174))
    assert develop(by_c) == develop(by_r2) == [615, 660, 221]
    assert abs(develop(by_c)[0] - 617) <= 2  # pmsampsize draws, and rounds R^2 to 0.2902
    assert by_c.facts().expected.r2 == pytest.approx(0.291, abs=1e-3)


def test_two_shares_are_a_prevalence_and_an_event_is_one_of_the_last():
    assert develop(plan_rows(candidates=24, prevalence=[0.826, 0.174], r2=0.288)) == [623, 662, 221]
    first = plan_rows(**BINARY, r2=0.288).facts().criteria[0]
    assert first.events == pytest.approx(623 * 0.174, abs=0.05)


def test_a_width_asks_for_rows_of_both_intervals_and_a_validation_for_its_own():
    plan = plan_rows(**BINARY, c_statistic=0.8, width=0.1)
    by_purpose = {}
    for one in plan.asked:
        by_purpose.setdefault(one.purpose, {})[one.key] = one.rows
    assert set(by_purpose["interval"]) == {"BCR", "AUC"}
    assert by_purpose["interval"]["AUC"] == rows_for_auc_width(0.8, 0.174, 0.1, 3.0)
    assert set(by_purpose["validate"]) == {"observed over expected", "slope", "C statistic"}
    assert plan.validation_rows == max(by_purpose["validate"].values())
    others = [one.rows for one in plan.asked if one.purpose != "validate"]
    assert plan.rows == max(others)


def test_the_rows_of_a_pair_of_classes_are_by_their_own_prevalence():
    shares = (0.2, 0.3, 0.5)
    one = anticipated({"candidates": 5, "prevalence": shares, "c_statistic": 0.8})
    expected = [
        r2_of_c_statistic(0.8, shares[j] / (shares[i] + shares[j]))
        for i, j in combinations(range(3), 2)
    ]
    np.testing.assert_allclose(one.pair_r2(), expected)


@pytest.fixture(scope="module")
def planned():
    frame, y = mixed_frame(80, 3, 2, seed=4)
    y = np.where(np.arange(80) % 6 == 0, 1 - y, y)
    frame["k"] = np.array(list("abcd"))[np.arange(80) % 4]
    given = {"signature": QUICK, "repeats": 2, "width": 0.1, "rate": 0.999, "groups": "rows"}
    return frame, plan_rows(frame, np.where(y == 1, "ill", "well"), **given)


@pytest.mark.seconds
def test_a_table_says_what_is_expected(planned):
    frame, plan = planned
    columns = hetsel.Table.read(frame).schema.columns
    parameters = sum(len(c.levels) - 1 if c.kind == "nominal" else 1 for c in columns)
    assert plan.expected.candidates == parameters > len(columns)
    assert set(plan.from_table) == {"candidates", "prevalence", "c_statistic"}
    performance = plan.curve.performance
    assert plan.expected.c_statistic == performance["auc"].estimate
    assert plan.expected.shares[-1] == performance.recalls[-1].rows / 80


def test_as_many_rows_as_there_are_have_the_width_that_they_have(planned):
    _, plan = planned
    found = plan.curve.performance
    wide = found.main.high - found.main.low
    asked = for_width(plan.expected, wide + 1e-9, found, 80)
    assert asked[0].rows == 80
    recalls = [one.estimate for one in found.recalls]
    independent = balanced_width(recalls, plan.expected.shares, 80)
    assert wide > independent  # rows that train each other's models tell less


def test_a_rate_out_of_reach_is_no_number_and_said_first(planned):
    _, plan = planned
    facts = plan.facts()
    rate = next(one for one in facts.criteria if one.purpose == "rate")
    assert rate.rows is None
    assert facts.rate.rows is None
    head = sentences(facts)[0]
    assert "at least" in head
    assert rate.asks in head
    assert plan.frame()["rows"].isna().sum() == 1


def test_the_rows_of_a_rate_have_the_ends_of_the_curve(planned):
    facts = planned[1].facts()
    curve = facts.curve
    first, last = curve.points[0].rows, curve.farthest
    known = replace(facts, rate=WantedRate(0.6, last, first, None))
    said = next(line for line in sentences(known) if line.startswith("Rows for"))
    assert f"not reached within {last:,} rows by the lower limit" in said
    assert f"{first:,} rows or fewer by the upper limit" in said
    assert f"{last:,} rows by the fitted curve" in said


def test_the_facts_are_plain_values(planned):
    _, plan = planned
    plain = json.dumps(plain_values(plan.facts()), allow_nan=False)
    assert json.loads(plain)["curve"]["rows"] == 80


@pytest.mark.seconds
def test_what_is_said_stands_above_what_the_table_says():
    frame, y = mixed_frame(60, 3, 1, seed=4)
    given = {"signature": QUICK, "repeats": 2, "groups": "rows"}
    plan = plan_rows(frame, y, **given, candidates=24, prevalence=0.174, r2=0.288)
    assert develop(plan) == [623, 662, 221]
    assert plan.from_table == ()


@pytest.mark.seconds
def test_an_auc_of_1_is_no_c_statistic_that_a_study_can_expect():
    x = np.arange(60.0)[:, None]
    plan = plan_rows(x, x[:, 0] > 29, signature=hetsel.Signature("t-test", 1, folds=3), repeats=2)
    assert develop(plan) == []
    assert "c_statistic" in plan.lacking[0]


@pytest.mark.seconds
def test_where_nothing_is_known_that_is_said():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(60, 2))
    y = hetsel.survival(np.exp(x[:, 0]), np.arange(60) % 5 > 0)
    asked = hetsel.Signature("univariate-tests", 1, folds=3, repeats=1)
    plan = plan_rows(x, y, signature=asked, repeats=2, groups="rows")
    facts = plan.facts()
    assert facts.assumed == ["nagelkerke_r2"]
    assert facts.expected.nagelkerke_r2 == pytest.approx(0.15)
    assert "nothing is known" in hetsel.summary(plan)
    assert set(plan.from_table) == {"candidates", "event_rate", "follow_up", "horizon"}


def test_a_plan_of_nothing_that_can_be_asked_has_no_rows():
    one = anticipated({"candidates": 5, "prevalence": 0.3, "r2": 0.1})
    plan = RowPlan(one, (AskedRows("rate", "rate", "more", np.inf, "here"),))
    assert plan.rows == 0
    assert plan.facts().rows is None
    assert "unknown" in hetsel.summary(plan)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "candidates"),
        ({"candidates": 5}, "prevalence for classes, event_rate"),
        (BINARY, "nagelkerke_r2 0.15"),
        ({**BINARY, "r2": 0.1, "c_statistic": 0.8}, "Got c_statistic and r2"),
        ({**BINARY, "r2": 0.61}, "below 0.603"),
        ({**BINARY, "c_statistic": 0.5}, "above 0.5"),
        ({**BINARY, "c_statistic": 1.0}, "below 1"),
        ({**BINARY, "r2": 0.28, "shrinkage": 0.2}, "below shrinkage"),
        ({**BINARY, "r2": 0.28, "candidates": 2.5}, "whole number"),
        ({**BINARY, "r2": 0.28, "prevalence": 1.0}, "below 1"),
        ({**BINARY, "r2": 0.28, "prevalence": [0.2, 0.2]}, "sum 1"),
        ({**BINARY, "r2": 0.28, "c_statistics": 0.8}, "Did you mean 'c_statistic'"),
        ({**BINARY, **TIMES, "r2": 0.05}, "Got both"),
        ({"candidates": 3, "event_rate": 0.1, "r2": 0.05}, "follow_up, horizon"),
        ({**TIMES, "c_statistic": 0.8}, "c_statistic is for classes"),
        ({**TIMES, "event_rate": -1.0, "r2": 0.05}, "positive"),
        ({**BINARY, "r2": 0.28, "width": 1.5}, "width"),
        ({**BINARY, "r2": 0.28, "rate": 0.8}, "rate needs a table"),
        ({**BINARY, "r2": 0.28, "find_effect": 0.8}, "find_effect needs a table"),
        ({"candidates": 3, "r2": 0.2, "mean": 2.0}, "specified together"),
        ({"candidates": 3, "r2": 0.2, "mean": 0.0, "deviation": 1.0}, "other than 0"),
    ],
)
def test_what_is_lacking_or_out_of_range_is_said(given, said):
    with pytest.raises(TableError, match=said):
        plan_rows(**given)


def test_what_is_said_of_another_target_than_that_of_the_table_is_refused():
    frame, y = mixed_frame(60, 3, 1, seed=4)
    with pytest.raises(TableError, match="event_rate is not for this target"):
        plan_rows(frame, y, signature=QUICK, repeats=2, groups="rows", event_rate=0.1)
