"""`hetsel plan-rows`: the plan of Python, with a table and without, and how it fails."""

import json

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame

import hetsel
from hetsel.ground.sealed_json import plain_values

BINARY = ("--candidates", 24, "--prevalence", 0.174)


@pytest.fixture(scope="module")
def pilot(tmp_path_factory):
    frame, y = mixed_frame(60, 3, 1, seed=4)
    path = tmp_path_factory.mktemp("plan") / "pilot.csv"
    y = np.where(np.arange(60) % 6 == 0, 1 - y, y)
    ill = np.where(y == 1, "yes", "no")
    frame.assign(ill=ill, ward=np.arange(60) // 2).to_csv(path, index=False)
    return path


@pytest.mark.parametrize(
    ("options", "given"),
    [
        ((*BINARY, "--r2", 0.288), {"candidates": 24, "prevalence": 0.174, "r2": 0.288}),
        (
            (*BINARY, "--auc", 0.89, "--width", 0.1),
            {"candidates": 24, "prevalence": 0.174, "c_statistic": 0.89, "width": 0.1},
        ),
        (
            ("--candidates", 17, "--prevalence", "0.2,0.3,0.5", "--nagelkerke-r2", 0.15),
            {"candidates": 17, "prevalence": [0.2, 0.3, 0.5], "nagelkerke_r2": 0.15},
        ),
        (
            (
                *("--candidates", 30, "--r2", 0.051),
                *("--event-rate", 0.065, "--follow-up", 2.07, "--horizon", 2),
            ),
            {"candidates": 30, "event_rate": 0.065, "follow_up": 2.07, "horizon": 2, "r2": 0.051},
        ),
        (
            ("--candidates", 25, "--r2", 0.2, "--mean", 1.9, "--deviation", 0.6),
            {"candidates": 25, "r2": 0.2, "mean": 1.9, "deviation": 0.6},
        ),
    ],
)
def test_without_a_table_it_is_the_plan_of_python(run, options, given):
    plan = hetsel.plan_rows(**given)
    code, out, err = run("plan-rows", *options, "--json")
    assert code == 0, err
    assert json.loads(out) == json.loads(json.dumps(plain_values(plan.facts())))
    code, out, err = run("plan-rows", *options)
    assert (code, out) == (0, f"{hetsel.summary(plan)}\n")


@pytest.mark.seconds
def test_with_a_table_it_is_the_plan_of_python(run, pilot, tmp_path):
    out_file = tmp_path / "plan.csv"
    procedure = ("--method", "rfe-svm", "--size", 1, "--folds", 3, "--repeats", 2, "--seed", 3)
    wanted = ("--rate", 0.9, "--find-effect", 1, "--plantings", 4, "--row-groups", "ward")
    asked = ("plan-rows", pilot, "--target", "ill", *procedure, *wanted)
    code, out, err = run(*asked, "--json", "--out", out_file)
    assert code == 0, err
    frame = hetsel.read_table(pilot)
    signature = hetsel.Signature("rfe-svm", 1, folds=3, random_state=3)
    plan = hetsel.plan_rows(
        frame.drop(columns=["ill", "ward"]),
        frame["ill"],
        groups=frame["ward"],
        signature=signature,
        repeats=2,
        rate=0.9,
        find_effect=1.0,
        plantings=4,
    )
    told = json.loads(out)
    for key, value in json.loads(json.dumps(plain_values(plan.facts()))).items():
        assert told[key] == value, key
    assert told["target"] == "ill"
    written = pd.read_csv(out_file)
    assert written["criterion"].tolist() == [one["asks"] for one in told["criteria"]]
    assert "Learning curve" in run(*asked)[1]


def test_what_it_cannot_do_is_one_sentence(fails, pilot):
    assert "candidates" in fails("plan-rows")
    assert "--nagelkerke-r2" in fails("plan-rows", *BINARY)
    assert "need a TABLE" in fails("plan-rows", *BINARY, "--r2", 0.2, "--target", "ill")
    assert "rate needs a table" in fails("plan-rows", *BINARY, "--r2", 0.2, "--rate", 0.8)
    assert "--target" in fails("plan-rows", pilot)
    asked = ("plan-rows", pilot, "--target", "ill", "--find-effect", 2, "--effect-kind", "nominal")
    assert "Cohen's w" in fails(*asked)


def test_a_share_that_is_no_number_is_wrong_on_the_command_line(run):
    with pytest.raises(SystemExit) as reason:
        run("plan-rows", "--prevalence", "half")
    assert reason.value.code == 2
