"""Files as they come: what is left out, what is open, and the options that settle it."""

import json

import numpy as np
import pandas as pd
import pytest

from hetsel.shell.main import main

N = 30
FRAME = pd.DataFrame(
    {
        "dose": np.arange(N) * 0.5 + np.tile([0, 3], 15),
        "stage": np.arange(N) % 4,
        "grade": np.arange(N) % 3,
        "y": np.tile(["no", "yes"], 15),
    }
)


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run a command on a frame that lies in a file; its exit code, output and errors."""
    monkeypatch.chdir(tmp_path)

    def call(command, frame, *options, **writing):
        frame.to_csv("a.csv", **{"index": False, **writing})
        code = main([command, "a.csv", "--target", "y", *options])
        out, err = capsys.readouterr()
        return code, out, err

    return call


def test_names_of_rows_are_left_out_with_a_note(run):
    code, out, err = run("inspect", FRAME, index=True)
    assert code == 0
    assert "30 rows, 3 columns" in out
    assert "row names" in err


def test_an_empty_column_is_shown_by_inspect_and_refused_by_rank(run):
    frame = FRAME.assign(blank=np.nan, void=np.nan)
    code, out, _ = run("inspect", frame)
    assert code == 0
    assert "2 columns without any value: blank, void. Use --drop blank,void" in out
    code, _, err = run("rank", frame, "--method", "t-test")
    assert (code, "--drop blank,void" in err) == (1, True)


def test_all_columns_of_a_wide_table_are_listed_when_asked_for(run):
    wide = FRAME.assign(**{f"dose{j}": FRAME["dose"] + j for j in range(50)})
    _, out, _ = run("inspect", wide)
    assert "more columns" in out
    _, out, _ = run("inspect", wide, "--all")
    assert "more columns" not in out
    assert all(f"dose{j} " in out for j in range(50))


def test_several_ordinal_columns_are_named_as_nominal_ones_are(run):
    _, out, _ = run("inspect", FRAME, "--ordinal", "stage,grade")
    assert "2 ordinal" in out
    _, out, _ = run("inspect", FRAME, "--ordinal", "stage", "--ordinal", "grade=2<1<0")
    assert "3 levels: 2, 1, 0" in out


def test_rows_without_a_class_are_refused_or_left_out(run):
    frame = FRAME.assign(y=FRAME["y"].where(FRAME.index > 1))
    code, _, err = run("rank", frame, "--method", "t-test")
    assert code == 1
    assert "missing in 2 of 30 rows. Use --drop-unlabeled to leave these rows out" in err
    code, out, err = run("rank", frame, "--method", "t-test", "--drop-unlabeled", "--json")
    assert code == 0
    assert '"rows": 28' in out
    assert "2 rows without y left out" in err


def test_a_mark_that_is_a_number_is_an_option_as_the_note_has_it(run):
    frame = FRAME.assign(lab=np.r_[np.linspace(0, 2, N - 2), -999, -999])
    _, out, _ = run("inspect", frame)
    assert "2 values are -999, far from all others" in out
    assert "use --missing-mark -999" in out
    _, out, _ = run("inspect", frame, "--missing-mark", "-999")
    assert "missing values: 2" in out


def test_copies_and_constants_are_noted(run):
    _, out, err = run("inspect", FRAME.assign(one=1, site="Rome", dose2=FRAME["dose"]))
    assert out.count("the same value in every row: uninformative") == 2
    assert "dose2 and dose: " in err
    assert "use --drop dose2\n" in err
    assert "1 level: Rome" in out


def test_an_unknown_column_is_answered_by_all_that_there_are(run):
    wide = FRAME.assign(**{f"dose{j}": FRAME["dose"] + j for j in range(50)})
    code, _, err = run("inspect", wide, "--nominal", "q")
    assert code == 1
    assert all(f" dose{j}," in err for j in range(49))


def test_a_title_and_groups_of_digits_are_options(run, tmp_path):
    code, _, err = run("inspect", FRAME.assign(dose=["1,200", "950"] * 15))
    assert (code, "--thousands ," in err) == (1, True)
    code, out, _ = run("inspect", FRAME.assign(dose=["1,200", "950"] * 15), "--thousands", ",")
    assert (code, "950 to 1200" in out) == (0, True)
    text = (tmp_path / "a.csv").read_text()
    (tmp_path / "b.csv").write_text("ours\n" + text)
    assert main(["inspect", "b.csv", "--target", "y", "--thousands", ",", "--skip", "1"]) == 0


@pytest.mark.seconds
def test_what_is_said_of_a_table_is_in_json_as_well(run):
    mixed = [*map(str, np.arange(N - 1) % 13), "."]
    frame = FRAME.assign(mixed=mixed, gap=[None, *np.linspace(0, 1, N - 1)])
    frame.loc[3, "y"] = None
    for command in ("inspect", "rank", "search", "plan-rows"):
        options = {"rank": ("--method", "hsic"), "search": ("--search", "bif")}.get(command, ())
        options += () if command == "inspect" else ("--drop-unlabeled", "--missing", "impute")
        code, out, err = run(command, frame, "--json", *options)
        assert code == 0, err
        told = json.loads(out)
        kinds = {one["columns"][0]: one for one in told["cautions"] if one["what"] == "kind"}
        assert set(kinds) == {"stage", "grade", "mixed"}
        assert kinds["mixed"]["fixes"][0] | {"then": ""} == {
            "option": "missing_marks",
            "value": ["."],
            "then": "",
            "levels": [],
        }
        assert "--missing-mark ." in kinds["mixed"]["note"]
        if command != "inspect":
            assert {one["what"] for one in told["notes"]} == {"unlabeled", "missing"}
            assert [one["columns"] for one in told["notes"]] == [["y"], ["gap"]]
            assert all(one["note"] in err for one in told["notes"])
    frame = FRAME.assign(share=[f"{i} %" for i in range(N)])
    code, out, err = run("rank", frame, "--method", "hsic", "--json")
    (note,) = [one for one in json.loads(out)["notes"] if one["what"] == "file"]
    assert f"a.csv: {note['note']}" in err


def test_columns_that_mislead_are_noted_before_the_ranking(run):
    late = np.where(FRAME["y"] == FRAME["y"].iloc[0], 7.5, 8.5) + np.arange(N) / 100
    frame = FRAME.assign(late=late, far=np.r_[np.linspace(0, 2, N - 1), 9999])
    for command in ("inspect", "rank", "search"):
        options = {"rank": ("--method", "hsic"), "search": ("--search", "bif")}.get(command, ())
        code, out, err = run(command, frame, "--json", *options)
        assert code == 0
        told = {one["what"]: one for one in json.loads(out)["cautions"]}
        assert told["leak"]["columns"] == ["late"]
        assert told["leak"]["facts"] == {"rate": 1.0}
        assert told["sentinel"]["facts"]["value"] == 9999
        assert told["sentinel"]["fixes"][0]["value"] == ["9999"]
        assert "note: late: " in err
        assert err.count("--missing-mark 9999") == (
            command != "inspect"
        )  # inspect says it of the column
