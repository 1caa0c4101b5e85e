"""Entry points of probabilities and validation: the numbers are those of the call in Python."""

import json

import numpy as np
import pandas as pd
import pytest

import hetsel
from hetsel.ground.sealed_json import plain_values
from r_bridge.from_r import entry_points as facade

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
ASKED = {"thresholds": [0.2, 0.4], "cost_of_missing": 4.0}


def columns_of(frame):
    return [
        {
            "name": name,
            "form": "flag" if frame[name].dtype == bool else "number",
            "cells": frame[name].to_numpy().astype(np.float64).tobytes(),
        }
        for name in frame
    ]


def flags(y):
    return {"form": "flag", "cells": y.astype(np.float64).tobytes()}


@pytest.fixture(scope="module")
def answer():
    shares = {"TRUE": 0.1, "FALSE": 0.9}
    return facade.select(
        columns_of(FRAME),
        flags(ILL),
        "rfe-svm",
        2.0,
        options={**OPTIONS, **ASKED, "prevalence": shares},
        by=columns_of(FRAME[["smoker", "age"]]),
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
        cost_of_missing=4.0,
    ).fit(FRAME, ILL, by=["smoker", "age"])


def same(table, records, names):
    """Whether the columns of a table have what these records have, NaN in place of None."""
    for name in names:
        value = [one[name] for one in records]
        np.testing.assert_array_equal(
            np.array(table[name], dtype=float), np.array(value, dtype=float), err_msg=name
        )


def with_ends(table, records, name):
    for end, key in (("", "rate"), ("_low", "low"), ("_high", "high")):
        found = np.array(table[name + end], dtype=float)
        expected = np.array([one[name][key] for one in records], dtype=float)
        np.testing.assert_array_equal(found, expected, err_msg=name + end)


def as_python(found, facts):
    """Whether R is told what Python has in its facts of probabilities."""
    facts = plain_values(facts)
    each = facts["classes"]
    for name in ("brier", "scaled_brier"):
        same({k: [v] for k, v in found[name].items()}, [facts[name]], ("rate", "low", "high"))
    for name in ("intercept", "slope", "observed_over_expected"):
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
    assert found["prevalence"] == {"class": ["FALSE", "TRUE"], "share": [0.9, 0.1]}
    assert (found["threshold"], found["cost_of_missing"]) == (0.2, 4.0)
    assert set(found["thresholds"]["class"]) == {"TRUE"}
    assert found["parts"]["level"][:2] == ["FALSE", "TRUE"]
    rows = [one["class_rows"] for one in facts["by"]]
    assert found["parts"]["rows TRUE"] == [count[1] for count in rows]
    moved = found["movement"]
    assert {k: v for k, v in moved.items() if k in ("pairs", "median", "high")} == {
        k: facts["movement"][k] for k in ("pairs", "median", "high")
    }
    same(moved["crossed"], facts["movement"]["crossed"], ("threshold", "share"))
    assert moved["persons"]["low"] == [one[1] for one in facts["movement"]["persons"]]
    assert answer["model"] == fitted.saved().to_json()
    assert set(answer["changed"]) >= {"prevalence", "thresholds", "cost_of_missing"}
    assert answer["options"]["prevalence"] == {"True": 0.1, "False": 0.9}


def test_rows_are_predicted_with_probabilities(answer, fitted):
    predicted = facade.predict_signature(answer["model"], columns_of(NEW))
    assert predicted["labels"] == ["FALSE", "TRUE"]
    assert predicted["probabilities"] == [v.tolist() for v in fitted.predict_proba(NEW).T]


def test_few_rows_and_numbers_have_none():
    part = np.r_[np.flatnonzero(ILL)[:2], np.flatnonzero(~ILL)[:20]]
    few = facade.select(
        columns_of(FRAME.iloc[part]), flags(ILL[part]), "rfe-svm", 1.0, options=OPTIONS
    )
    assert few["probabilities"] is None
    assert "probabilities" not in facade.predict_signature(few["model"], columns_of(NEW))
    y = {"form": "number", "cells": (FRAME["dose"].to_numpy() + 0.1).tobytes()}
    numbers = facade.select(columns_of(FRAME[["age"]]), y, "rfe-svm", 1.0, options=OPTIONS)
    assert numbers["probabilities"] is None
    for name, value in ASKED.items():
        told = facade.select(columns_of(FRAME), y, "rfe-svm", 1.0, options={name: value})["error"]
        assert told["argument"] == name
        assert "is for a target of classes" in told["message"]


def test_more_classes_have_a_row_each():
    three = np.array(["u", "v", "w"])[np.digitize(FRAME["dose"], [0.0, 1.0])]
    target = {"form": "text", "cells": np.searchsorted(["u", "v", "w"], three).astype(float)}
    target |= {"levels": ["u", "v", "w"]}
    shares = {"w": 0.2, "u": 0.5, "v": 0.3}
    given = {**OPTIONS, "prevalence": shares}
    columns = columns_of(FRAME)
    found = facade.select(columns, target, "rfe-svm", 2.0, options=given, by=columns[2:])
    fitted = hetsel.Signature(
        "rfe-svm", 2, folds=3, repeats=1, permutations=0, pairs=10, prevalence=shares
    ).fit(FRAME, three, by="smoker")
    as_python(found["probabilities"], fitted.probabilities_)
    assert found["probabilities"]["calibration"]["class"] == ["u", "v", "w"]
    assert np.isnan(found["probabilities"]["parts"]["sensitivity"]).all()
    told = facade.select(columns, target, "rfe-svm", 2.0, options={"prevalence": 0.2})["error"]
    assert told["problem"].startswith("prevalence must be shares named u, v, w, as there are 3")


def test_a_validation_has_the_numbers_of_python(answer, fitted):
    weights, groups = 1 + np.arange(60.0) % 3, np.arange(60) // 2
    found = facade.validate_signature(
        answer["model"],
        columns_of(NEW),
        flags(NEW_ILL),
        row_groups={"form": "number", "cells": groups.astype(float).tobytes()},
        row_weights={"form": "number", "cells": weights.tobytes()},
        by=columns_of(NEW[["smoker"]]),
        options={"prevalence": {"FALSE": 0.7, "TRUE": 0.3}, "thresholds": None},
    )
    told = hetsel.validate_signature(
        fitted, NEW, NEW_ILL, weights, groups=groups, by="smoker", prevalence=0.3
    )
    facts = plain_values(told)
    as_python(found["probabilities"], told.probabilities)
    same(found["performance"], facts["performance"]["measures"], ("rate", "low", "high"))
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
    target = {"form": "flag", "cells": (k % 3 == 0).astype(float).tobytes()}
    levels = ["hip", "knee", "hand", "toe", "ear"]
    cells = [levels.index(one) for one in frame["site"]]
    column = {"name": "site", "form": "text", "levels": levels[:3]}
    model = facade.select([column | {"cells": cells}], target, "rfe-svm", 1.0, options=OPTIONS)
    new = column | {"levels": levels, "cells": [float(one) for one in k[:30] % 5]}
    some = {"form": "flag", "cells": (k[:30] % 2).astype(float).tobytes()}
    found = facade.validate_signature(model["model"], [new], some, seen="drop")
    assert found["features"]["levels"] == ["toe, ear"]
    assert found["features"]["unseen"] == [12]


def test_rows_of_the_fit_are_refused_in_the_words_of_r(answer):
    told = facade.validate_signature(answer["model"], columns_of(FRAME), flags(ILL))["error"]
    assert told["fix"] == 'seen = "drop" leaves them out'
    assert told["argument"] == "seen"
    both = pd.concat([FRAME[:5], NEW], ignore_index=True)
    y = np.concatenate([ILL[:5], NEW_ILL])
    left = facade.validate_signature(answer["model"], columns_of(both), flags(y), seen="drop")
    assert (left["left_out"], left["rows"]) == (5, 60)
    short = {"form": "number", "cells": np.ones(3).tobytes()}
    for name in ("row_weights", "row_groups"):
        given = {name: short}
        told = facade.validate_signature(answer["model"], columns_of(NEW), flags(NEW_ILL), **given)
        assert told["error"]["argument"] == name


def test_logical_classes_may_come_as_text(answer):
    text = {"form": "factor", "cells": NEW_ILL.astype(float), "levels": ["FALSE", "TRUE"]}
    given = (answer["model"], columns_of(NEW))
    found = facade.validate_signature(*given, text)
    assert found["facts"] == facade.validate_signature(*given, flags(NEW_ILL))["facts"]
    other = {**text, "levels": ["well", "ill"]}
    assert "knows the classes" in facade.validate_signature(*given, other)["error"]["message"]


def test_the_page_of_a_validation_is_written_from_its_text(answer, tmp_path):
    found = facade.validate_signature(answer["model"], columns_of(NEW), flags(NEW_ILL))
    assert json.loads(found["facts"])["classes"] == ["FALSE", "TRUE"]
    page = facade.validation_report(found["facts"], str(tmp_path / "page.md"))["path"]
    text = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert page == str(tmp_path / "page.md")
    assert "TRUE" in text
    assert "True" not in text
