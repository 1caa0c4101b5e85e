"""Targets of numbers in the shell: what is inferred is printed, what is said is done."""

import json

import pandas as pd
import pytest
from sklearn.datasets import load_diabetes

from hetsel import choose_size, get_method
from hetsel.shell.main import main


@pytest.fixture
def table(tmp_path):
    """The diabetes table with its outcome as whole numbers, and with fractions."""
    frame = load_diabetes(as_frame=True, scaled=False).frame
    frame["sex"] = frame["sex"].map({1.0: "m", 2.0: "f"})
    frame["fine"] = frame["target"] + 0.5
    frame.to_csv(tmp_path / "diabetes.csv", index=False)
    return tmp_path / "diabetes.csv"


def ranked(table, capsys, *arguments):
    assert main(["rank", str(table), "--method", "anova-f", *arguments]) == 0
    return capsys.readouterr().out


def test_what_was_inferred_is_printed(table, capsys):
    out = ranked(table, capsys, "--target", "fine", "--drop", "target")
    assert "target fine (numbers, 214 values from 25.5 to 346.5)" in out.splitlines()[0]
    assert out.splitlines()[2].split()[1] == "bmi"


def test_the_ranking_is_that_of_python(table, capsys):
    frame = pd.read_csv(table).drop(columns="fine")
    selector = get_method("anova-f")(target_kind="numbers")
    there = selector.fit(frame.drop(columns="target"), frame["target"]).frame()
    options = ("--target", "target", "--as", "numbers", "--drop", "fine", "--json")
    found = json.loads(ranked(table, capsys, *options))
    former = ("--target", "target", "--target-kind", "numbers", "--drop", "fine", "--json")
    again = json.loads(ranked(table, capsys, *former))
    assert again["ranking"] == found["ranking"]
    assert [row["feature"] for row in found["ranking"]] == there["feature"].tolist()
    facts = {"target_kind": "numbers", "values": 214, "lowest": 25.0, "highest": 346.0}
    assert facts.items() <= found.items()
    assert "classes" not in found


def test_any_numbers_are_labels_if_it_is_said(table, tmp_path, capsys):
    halves = pd.read_csv(table).drop(columns="fine").assign(half=lambda f: f["target"] % 2 + 0.5)
    halves.to_csv(tmp_path / "halves.csv", index=False)
    options = ("--target", "half", "--as", "classes", "--drop", "sex", "--json")
    found = json.loads(ranked(tmp_path / "halves.csv", capsys, *options))
    assert list(found["classes"]) == ["0.5", "1.5"]
    assert found["positive"] == "1.5"


@pytest.mark.parametrize(
    ("arguments", "fact"),
    [
        (("--target", "target"), "--as numbers"),
        (("--target", "fine", "--as", "classes"), "Class 25.5 has one"),
        (("--target", "sex", "--as", "numbers"), "finite numbers. Got 'f' in"),
        (
            ("--target", "fine", "--method", "t-test"),
            "into classes, or use anova-f, ",
        ),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_sentence(table, capsys, arguments, fact):
    assert main(["rank", str(table), "--method", "anova-f", *arguments]) == 1
    error = capsys.readouterr().err
    assert fact in error
    assert sum(line.startswith("hetsel: error") for line in error.splitlines()) == 1


def test_a_figure_of_a_ranking(table, tmp_path, capsys):
    ranked(table, capsys, "--target", "fine", "--plot", str(tmp_path / "ranking.png"))
    assert (tmp_path / "ranking.png").stat().st_size > 10_000


def test_a_search_by_the_r2_of_ridge_regression(table, capsys):
    arguments = ["search", str(table), "--target", "fine", "--drop", "target", "--search", "sfs"]
    assert main([*arguments, "--criterion", "ridge", "--size", "3"]) == 0
    assert "signature of size 3: bmi, bp, s5" in capsys.readouterr().out
    assert main([*arguments, "--criterion", "naive-bayes"]) == 1
    assert "criterion 'naive-bayes' needs classes as its target" in capsys.readouterr().err


def test_the_size_is_chosen_as_in_python(table, capsys):
    options = ("--target", "fine", "--drop", "target", "--size", "auto")
    found = json.loads(ranked(table, capsys, *options, "--json"))
    frame = pd.read_csv(table).drop(columns="target")
    x, y = frame.drop(columns="fine"), frame["fine"]
    wanted = choose_size(get_method("anova-f")(random_state=0).fit(x, y), x, y)
    assert len(found["signature"]) == wanted.size
    assert found["size_choice"]["inner_scores"] == wanted.means.tolist()
    searching = ["search", str(table), *options, "--search", "sfs", "--criterion", "ridge"]
    assert main(searching) == 0
    assert " by the rule one-se: inner R² 0." in capsys.readouterr().out


def test_inspect_says_what_a_target_is_taken_for(table, capsys):
    assert main(["inspect", str(table), "--target", "fine"]) == 0
    assert "target fine: numbers, 214 values from 25.5 to 346.5" in capsys.readouterr().out
    assert main(["inspect", str(table), "--target", "sex"]) == 0
    assert "target sex: 207 of class f, 235 of class m" in capsys.readouterr().out
