"""Entry point of plans of rows: the numbers are those of the same call in Python."""

import crossing as facade
import numpy as np
import pandas as pd

import hetsel
from hetsel.ground.sealed_json import plain_values
from r_bridge.from_r import signatures

RNG = np.random.default_rng(2)
Y = np.arange(60) % 2 == 0
FRAME = pd.DataFrame({"a": RNG.normal(size=60) + Y, "b": RNG.normal(size=60)})
WANTED = {"width": 0.1, "rate": None, "find_effect": None, "effect_kind": "continuous"}
WANTED |= {"repeats": 2.0, "plantings": 3.0}


def columns_of(rows, names):
    return {name: [row[name] for row in rows] for name in names}


def test_without_a_table():
    expected = {"candidates": 24.0, "prevalence": 0.174, "c_statistic": 0.89, "r2": None}
    found = facade.plan_rows(expected | WANTED)
    plan = hetsel.plan_rows(candidates=24, prevalence=0.174, c_statistic=0.89, width=0.1)
    facts = plain_values(plan.facts())
    names = ("purpose", "asks", "rows", "events", "source")
    assert found["criteria"] == columns_of(facts["criteria"], names)
    assert found["rows"] == plan.rows
    assert found["sentences"] == hetsel.summary(plan).split("\n")
    assert found["points"]["rows"] == []


def test_several_shares_cross_as_a_list():
    expected = {"candidates": 17.0, "prevalence": [0.2, 0.3, 0.5], "nagelkerke_r2": 0.15}
    found = facade.plan_rows(expected)
    plan = hetsel.plan_rows(candidates=17, prevalence=[0.2, 0.3, 0.5], nagelkerke_r2=0.15)
    assert found["rows"] == plan.rows
    assert found["expected"]["prevalence"] == [0.2, 0.3, 0.5]


def test_with_a_table():
    wanted = WANTED | {"rate": 0.999, "find_effect": 0.8}
    given = {"method": "t-test", "size": 1.0, "seed": 3.0, "options": {"folds": 3.0}}
    grouped = np.arange(60) // 2
    found = facade.plan_rows(wanted, FRAME, Y, row_groups=grouped, **given)
    assert "error" not in found, found
    signature = hetsel.Signature("t-test", 1, folds=3, random_state=3)
    asked = {"repeats": 2, "plantings": 3, "width": 0.1, "rate": 0.999, "find_effect": 0.8}
    groups = np.arange(60) // 2
    plan = hetsel.plan_rows(FRAME, Y, signature=signature, groups=groups, **asked)
    facts = plain_values(plan.facts())
    curve = facts["curve"]
    assert found["band"] == columns_of(curve["band"], ("rows", "estimate", "low", "high"))
    assert found["points"]["estimate"] == [point["estimate"] for point in curve["points"]]
    assert found["found"]["proportion"] == [one["proportion"] for one in facts["found"]]
    assert found["law"] == curve["law"]
    assert found["rate"]["rows"] is None
    assert found["sentences"] == hetsel.summary(plan).split("\n")


def test_what_cannot_be_planned_is_a_sentence():
    assert "candidates" in facade.plan_rows({})["error"]["message"]
    told = facade.plan_rows({"candidates": 2.5, "prevalence": 0.1, "r2": 0.05})
    assert "whole number" in told["error"]["message"]


def test_progress_is_said_while_a_table_is_planned(monkeypatch, capsys):
    monkeypatch.setattr(signatures, "EVERY", 0.0)
    given = {"method": "t-test", "size": 1.0, "seed": 3.0, "options": {"folds": 3.0}}
    found = facade.plan_rows(WANTED | {"find_effect": 0.8}, FRAME, Y, **given)
    told = facade.plan_rows(WANTED | {"find_effect": 0.8}, FRAME, Y, progress=True, **given)
    assert told == found
    lines = capsys.readouterr().err.splitlines()
    assert lines
    assert all(line.startswith("hetsel: tables, ") for line in lines)
