"""Entry points of probabilities and validation: the numbers are those of the call in Python."""

import json

import crossing as facade
import numpy as np
import pandas as pd
import pytest
from crossing import column

import hetsel
from hetsel.ground.sealed_json import plain_values

RNG = np.random.default_rng(4)
N = 120
ILL = RNG.random(N) < 0.4
FRAME = pd.DataFrame(
    {
        "dose": RNG.normal(size=N) + 1.5 * ILL,
        "age": RNG.normal(size=N),
        "smoker": RNG.random(N) < 0.5,
    }
)
NEW = pd.DataFrame(
    {
        "dose": RNG.normal(size=60) + 2 * (np.arange(60) % 3 == 0),
        "age": RNG.normal(size=60) + 1,
        "smoker": np.arange(60) % 4 == 0,
    }
)
NEW_ILL = np.arange(60) % 3 == 0
OPTIONS = {"folds": 3.0, "repeats": 1.0, "permutations": 0.0, "pairs": 10.0}
ASKED = {"thresholds": [0.2, 0.4], "harm_ratio": 4.0}


@pytest.fixture(scope="module")
def answer():
    shares = {"TRUE": 0.1, "FALSE": 0.9}
    return facade.select(
        FRAME,
        ILL,
        "rfe-svm",
        2.0,
        options={**OPTIONS, **ASKED, "prevalence": shares},
        by=FRAME[["smoker", "age"]],
    )


@pytest.fixture(scope="module")
def fitted():
    return hetsel.Signature(
        "rfe-svm",
        2,
        folds=3,
        repeats=1,
        permutations=0,
        pairs=10,
        prevalence={True: 0.1, False: 0.9},
        thresholds=[0.2, 0.4],
        harm_ratio=4.0,
    ).fit(FRAME, ILL, by=["smoker", "age"])


def same(table, records, names):
    """Whether the columns of a table have what these records have, NaN in place of None."""
    for name in names:
        value = [one[name] for one in records]
        np.testing.assert_array_equal(
            np.array(table[name], dtype=float), np.array(value, dtype=float), err_msg=name
        )


def with_ends(table, records, name):
    for end, key in (("", "estimate"), ("_low", "low"), ("_high", "high")):
        found = np.array(table[name + end], dtype=float)
        expected = np.array([one[name][key] for one in records], dtype=float)
        np.testing.assert_array_equal(found, expected, err_msg=name + end)


def as_python(found, facts):
    """Whether R is told what Python has in its facts of probabilities."""
    facts = plain_values(facts)
    each = facts["classes"]
    for name in ("brier", "scaled_brier"):
        same({k: [v] for k, v in found[name].items()}, [facts[name]], ("estimate", "low", "high"))
    for name in ("intercept", "slope", "observed_expected_ratio"):
        with_ends(found["calibration"], each, name)
    same(found["calibration"], [one["curve"] for one in each], ("ici", "e50", "e90"))
    same(found["calibration"], each, ("likelihood_slope",))
    for key in ("curve", "decision"):
        for name in set(found[key]) - {"class"}:
            value = [cell for one in each for cell in one[key][name]]
            same({name: found[key][name]}, [{name: cell} for cell in value], [name])
    at = [one for of_class in each for one in of_class["at"]]
    same(found["thresholds"], at, ("threshold", "treat_all"))
    for name in ("above", "sensitivity", "positive_predictive_value", "over_better"):
        with_ends(found["thresholds"], at, name)
    counts = [n for one in each for n in one["histogram"]["own"]]
    assert found["histogram"]["own"] == counts
    assert found["parts"]["column"] == [one["column"] for one in facts["by"]]
    assert found["parts"]["rows"] == [one["rows"] for one in facts["by"]]
    with_ends(found["parts"], facts["by"], "auc")
    with_ends(found["parts"], facts["by"], "brier")


def test_probabilities_of_a_signature_are_those_of_python(answer, fitted):
    found, facts = answer["probabilities"], plain_values(fitted.probabilities_)
    as_python(found, fitted.probabilities_)
    assert found["map"] == facts["map"]
    assert found["prevalence"] == {"FALSE": 0.9, "TRUE": 0.1}
    assert (found["threshold"], found["harm_ratio"]) == (0.2, 4.0)
    assert set(found["thresholds"]["class"]) == {"TRUE"}
    assert found["parts"]["level"][:2] == ["FALSE", "TRUE"]
    rows = [one["class_rows"] for one in facts["by"]]
    assert found["parts"]["rows TRUE"] == [count[1] for count in rows]
    moved = found["prediction_instability"]
    assert {k: v for k, v in moved.items() if k in ("pairs", "median", "high")} == {
        k: facts["prediction_instability"][k] for k in ("pairs", "median", "high")
    }
    same(
        moved["disagreement"],
        facts["prediction_instability"]["disagreement"],
        ("threshold", "proportion"),
    )
    assert moved["example_rows"]["low"] == [
        one[1] for one in facts["prediction_instability"]["example_rows"]
    ]
    assert answer["model"] == fitted.saved().to_json()
    assert set(answer["changed"]) >= {"prevalence", "thresholds", "harm_ratio"}
    assert answer["options"]["prevalence"] == {"True": 0.1, "False": 0.9}


def test_rows_are_predicted_with_probabilities(answer, fitted):
    predicted = facade.predict_signature(answer["model"], NEW)
    assert np.array_equal(predicted["probabilities"], fitted.predict_proba(NEW))


def test_few_rows_and_numbers_have_none():
    part = np.r_[np.flatnonzero(ILL)[:2], np.flatnonzero(~ILL)[:20]]
    few = facade.select(FRAME.iloc[part], ILL[part], "rfe-svm", 1.0, options=OPTIONS)
    assert few["probabilities"] is None
    assert facade.predict_signature(few["model"], NEW)["probabilities"] is None
    y = FRAME["dose"].to_numpy() + 0.1
    numbers = facade.select(FRAME[["age"]], y, "rfe-svm", 1.0, options=OPTIONS)
    assert numbers["probabilities"] is None
    for name, value in ASKED.items():
        told = facade.select(FRAME, y, "rfe-svm", 1.0, options={name: value})["error"]
        assert told["argument"] == name
        assert "is for a target of classes" in told["message"]


def test_more_classes_have_a_row_each():
    three = np.array(["u", "v", "w"])[np.digitize(FRAME["dose"], [0.0, 1.0])]
    shares = {"w": 0.2, "u": 0.5, "v": 0.3}
    given = {**OPTIONS, "prevalence": shares}
    found = facade.select(FRAME, three, "rfe-svm", 2.0, options=given, by=FRAME[["smoker"]])
    fitted = hetsel.Signature(
        "rfe-svm", 2, folds=3, repeats=1, permutations=0, pairs=10, prevalence=shares
    ).fit(FRAME, three, by="smoker")
    as_python(found["probabilities"], fitted.probabilities_)
    assert found["probabilities"]["calibration"]["class"] == ["u", "v", "w"]
    assert not any(found["probabilities"]["parts"]["sensitivity"])
    told = facade.select(FRAME, three, "rfe-svm", 2.0, options={"prevalence": 0.2})["error"]
    assert told["problem"].startswith("prevalence must have a proportion for each class: u, v, w")


def test_a_validation_has_the_numbers_of_python(answer, fitted):
    weights, groups = 1 + np.arange(60.0) % 3, np.arange(60) // 2
    found = facade.validate_signature(
        answer["model"],
        NEW,
        NEW_ILL,
        row_groups=groups,
        row_weights=weights,
        by=NEW[["smoker"]],
        options={"prevalence": {"FALSE": 0.7, "TRUE": 0.3}, "thresholds": None},
    )
    told = hetsel.validate_signature(
        fitted, NEW, NEW_ILL, weights, groups=groups, by="smoker", prevalence=0.3
    )
    facts = plain_values(told)
    as_python(found["probabilities"], told.probabilities)
    same(found["performance"], facts["performance"]["measures"], ("estimate", "low", "high"))
    assert found["performance"]["class"] == ["", "FALSE", "TRUE", ""]
    assert found["performance"]["rows"] == [60, 40, 20, 60]
    same(found["features"], facts["features"], ("missing", "below", "above", "shift", "pvalue"))
    assert found["features"]["levels"] == ["", ""]
    assert (found["rows"], found["groups"], found["left_out"]) == (60, 30, 0)
    as_python(found["before"]["probabilities"], fitted.probabilities_)
    assert found["sentences"] == [
        said.replace("True", "TRUE").replace("False", "FALSE")
        for said in hetsel.summary(told).split("\n")
    ]


def test_levels_that_were_never_seen_are_named():
    k = np.arange(90)
    frame = pd.DataFrame({"site": np.array(["hip", "knee", "hand"])[(k + (k % 2)) % 3]})
    model = facade.select(frame, k % 3 == 0, "rfe-svm", 1.0, options=OPTIONS)["model"]
    new = {"site": np.array(["hip", "knee", "hand", "toe", "ear"])[k[:30] % 5]}
    found = facade.validate_signature(model, new, k[:30] % 2 == 1, seen="drop")
    assert found["features"]["levels"] == ["toe, ear"]
    assert found["features"]["unseen"] == [12]


def test_rows_of_the_fit_are_refused_in_the_words_of_r(answer):
    told = facade.validate_signature(answer["model"], FRAME, ILL)["error"]
    assert told["fix"] == 'Use seen = "drop" to leave them out'
    assert told["argument"] == "seen"
    both = pd.concat([FRAME[:5], NEW], ignore_index=True)
    y = np.concatenate([ILL[:5], NEW_ILL])
    left = facade.validate_signature(answer["model"], both, y, seen="drop")
    assert (left["left_out"], left["rows"]) == (5, 60)
    short = np.ones(3)
    for name in ("row_weights", "row_groups"):
        given = {name: short}
        told = facade.validate_signature(answer["model"], NEW, NEW_ILL, **given)
        assert told["error"]["argument"] == name


def test_logical_classes_may_come_as_text(answer):
    text = column("factor", NEW_ILL, ["FALSE", "TRUE"])
    given = (answer["model"], NEW)
    found = facade.validate_signature(*given, text)
    assert found["facts"] == facade.validate_signature(*given, NEW_ILL)["facts"]
    other = column("factor", NEW_ILL, ["well", "ill"])
    assert "classes" in facade.validate_signature(*given, other)["error"]["message"]


def test_the_page_of_a_validation_is_written_from_its_text(answer, tmp_path):
    found = facade.validate_signature(answer["model"], NEW, NEW_ILL)
    assert json.loads(found["facts"])["classes"] == ["FALSE", "TRUE"]
    page = facade.validation_report(found["facts"], str(tmp_path / "page.md"))
    text = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert page == str(tmp_path / "page.md")
    assert "TRUE" in text
    assert "True" not in text
