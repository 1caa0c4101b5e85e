"""`hetsel validate`, and what `hetsel select` says of probabilities."""

import json
import re

import numpy as np
import pandas as pd
import pytest

import hetsel
from hetsel.ground.sealed_json import plain_values
from hetsel.shell.main import main

QUICK = ("--method", "rfe-svm", "--folds", "4", "--repeats", "1", "--permutations", "0")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder, draw = tmp_path_factory.mktemp("validate"), np.random.default_rng(4)
    frame = pd.DataFrame(
        {
            "x": draw.normal(size=260),
            "age": draw.normal(60, 9, size=260),
            "site": draw.choice(list("abc"), 260),
            "sex": draw.choice(["f", "m"], 260),
        }
    )
    signal = frame["x"] + (frame["site"] == "a") + draw.normal(size=260)
    frame["ill"] = np.where(signal > 0.4, "yes", "no")
    frame[:140].to_csv(folder / "old.csv", index=False)
    frame[140:].to_csv(folder / "new.csv", index=False)
    frame[100:200].to_csv(folder / "mixed.csv", index=False)
    given = ["--target", "ill", "--drop", "sex", "--by", "sex", "--harm-ratio", "4"]
    given += ["--pairs", "3", "--jobs", "1", "--save", str(folder / "model.json")]
    assert main(["select", str(folder / "old.csv"), *given, *QUICK]) == 0
    return folder


def told(capsys, *arguments):
    code = main([*map(str, arguments)])
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.mark.seconds
def test_it_says_what_python_says(files, capsys):
    given = ("validate", files / "model.json", files / "new.csv", "--target", "ill", "--by", "sex")
    code, out, err = told(capsys, *given, "--json")
    assert code == 0, err
    saved = hetsel.load_signature(files / "model.json")
    frame = hetsel.read_table(files / "new.csv")
    found = hetsel.validate_signature(saved, frame.drop(columns="ill"), frame["ill"], by="sex")
    assert json.loads(out) == json.loads(json.dumps({**plain_values(found), "notes": []}))
    assert {part.level for part in found.probabilities.by} == {"f", "m"}
    assert found.probabilities.threshold == 0.2  # as the signature was asked
    code, out, err = told(capsys, *given)
    assert out.strip() == hetsel.summary(found)


@pytest.mark.seconds
def test_rows_of_the_fit_are_refused_or_left_out(files, capsys):
    given = ("validate", files / "model.json", files / "mixed.csv", "--target", "ill")
    code, _, err = told(capsys, *given)
    assert code == 1
    assert "40 rows of 100 equal or nearly equal training rows" in err
    assert "Use --drop-seen to leave them out" in err
    for left_out in (["--drop-seen"], ["--seen", "drop"]):
        code, out, err = told(capsys, *given, *left_out, "--json")
        assert json.loads(out)["rows"] == 60


@pytest.mark.seconds
@pytest.mark.parametrize("end", ["html", "md", "docx"])
def test_a_page_is_written(files, tmp_path, capsys, end):
    page = tmp_path / f"page.{end}"
    given = ("validate", files / "model.json", files / "new.csv", "--target", "ill", "--by", "sex")
    code, _, err = told(capsys, *given, "--report", page)
    assert (code, f"wrote {page}" in err) == (0, True)
    content = page.read_bytes()
    if end == "docx":  # the one of these that is a ZIP file, which could hold the time
        assert told(capsys, *given, "--report", page)[0] == 0
        assert page.read_bytes() == content
    else:
        for words in ("on new rows", "calibration slope", "sex: f", "internal validation"):
            assert words in content.decode()


def test_predictions_have_probabilities_and_say_who_is_above_the_threshold(files, capsys):
    code, out, _ = told(capsys, "predict", files / "model.json", files / "new.csv", "--json")
    rows = json.loads(out)["rows"]
    assert code == 0
    p = hetsel.load_signature(files / "model.json").predict_proba(
        hetsel.read_table(files / "new.csv")
    )
    assert [row["probability yes"] for row in rows] == p[:, 1].tolist()
    assert [row["above 0.2"] for row in rows] == (p[:, 1] >= 0.2).tolist()


def test_columns_are_kept_beside_what_is_predicted(files, tmp_path, capsys):
    frame = hetsel.read_table(files / "new.csv")
    frame.insert(0, "patient", [f"{number:03}" for number in range(1, len(frame) + 1)])
    frame["class"] = 1
    frame.to_csv(tmp_path / "new.csv", index=False)
    given = ("predict", files / "model.json", tmp_path / "new.csv")
    code, _, err = told(capsys, *given, "--keep", "patient,sex", "--out", tmp_path / "found.csv")
    assert code == 0
    found = pd.read_csv(tmp_path / "found.csv")
    model = hetsel.load_signature(files / "model.json")
    assert list(found.columns[:4]) == ["row", "patient", "sex", "class"]
    assert found["patient"].tolist() == list(range(1, len(frame) + 1))
    assert found["sex"].tolist() == frame["sex"].tolist()
    assert found["class"].tolist() == model.predict(frame).tolist()
    # no option of this command would settle it
    assert "patient: whole numbers lost their leading zeros\n" in err
    code, _, err = told(capsys, *given, "--keep", "class")
    assert (code, "that predict writes itself. Got 'class'" in err) == (1, True)
    code, _, err = told(capsys, *given, "--keep", "patent")
    assert (code, "Did you mean 'patient'?" in err) == (1, True)


def test_a_level_that_no_row_of_the_fit_had_is_refused_or_adds_nothing(files, tmp_path, capsys):
    frame = hetsel.read_table(files / "new.csv")
    frame.loc[3, "site"] = "d"
    frame.to_csv(tmp_path / "new.csv", index=False)
    given = ("predict", files / "model.json", tmp_path / "new.csv")
    code, _, err = told(capsys, *given)
    assert code == 1
    assert "site" in err
    assert "a, b, c" in err
    assert "--unseen separate" in err
    code, out, err = told(capsys, *given, "--unseen", "separate", "--json")
    rows = json.loads(out)["rows"]
    assert "site: 1 row with a level that no training row had: d" in err
    assert (code, len(rows)) == (0, len(frame))
    model = hetsel.load_signature(files / "model.json")
    assert "site" in model.features
    known = model.decision_function(frame.drop(index=3))
    assert [row["decision"] for row in rows[:3] + rows[4:]] == known.tolist()
    (curve,) = [one for one in model.model.effect_curves() if one.name == "site"]
    as_a = model.decision_function(frame.assign(site="a"))[3]
    of_a = curve.values[0, list(curve.knots).index("a")]
    assert rows[3]["decision"] == pytest.approx(as_a - of_a, abs=1e-12)


def test_a_method_is_chosen_of_several(files, capsys):
    given = ("select", files / "old.csv", "--target", "ill", "--pairs", "0", "--jobs", "1")
    several = ("--folds", "4", "--repeats", "1", "--permutations", "0")
    code, out, err = told(capsys, *given, "--methods", "rfe-svm, hsic", *several)
    assert code == 0, err
    assert "was chosen among 2 methods" in out
    assert re.search(r"outer folds chose rfe-svm .*hsic", out)
    code, _, err = told(capsys, *given, "--methods", "hsic", "--param", "x=1")
    assert code == 1
    assert "--param is for --method only" in err


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (("--prevalence", "2"), "prevalence must be between 0 and 1"),
        (("--by", "gender"), "--by: the table has no column 'gender'"),
        (("--param", "step=1.5"), "error: step must be"),
        (("--thresholds", "0.2,1"), "thresholds must be probabilities in (0, 1)"),
    ],
)
def test_what_cannot_be_asked(files, capsys, option, said):
    code, _, err = told(capsys, "select", files / "old.csv", "--target", "ill", *option, *QUICK)
    assert (code, said in err) == (1, True)


@pytest.mark.seconds
def test_the_signature_decides_which_targets_can_validate_it(files, tmp_path, capsys):
    frame = pd.read_csv(files / "new.csv").assign(event=1, size=0.5)
    frame["time"] = np.arange(len(frame))
    frame.loc[3, "size"] = 1.5
    frame.to_csv(tmp_path / "new.csv", index=False)
    frame[frame["ill"] == "no"].to_csv(tmp_path / "well.csv", index=False)
    given = ("validate", files / "model.json")
    code, out, _ = told(capsys, *given, tmp_path / "well.csv", "--target", "ill")
    assert (code, "recall of class no" in out) == (0, True)
    for target in (("--time", "time", "--event", "event"), ("--target", "size")):
        code, _, err = told(capsys, *given, tmp_path / "new.csv", *target)
        assert "classes" in err
        assert "no, yes" in err


@pytest.mark.seconds
def test_sketches_can_stay_at_home(files, tmp_path, capsys):
    model = tmp_path / "model.json"
    given = ("--target", "ill", "--pairs", "0", "--jobs", "1", "--save", model)
    code, _, _ = told(capsys, "select", files / "old.csv", *given, "--without-sketches", *QUICK)
    assert code == 0
    assert "sketches" not in model.read_text()
    code, out, _ = told(capsys, "validate", model, files / "old.csv", "--target", "ill")
    assert code == 0
    assert "unknown whether training rows are among them" in out


@pytest.mark.seconds
def test_predict_and_validate_count_the_same_rows_that_were_never_seen(files, tmp_path, capsys):
    frame = hetsel.read_table(files / "new.csv")
    frame.loc[:2, "site"], frame.loc[4:5, "x"] = "d", [9.0, -9.0]
    frame.to_csv(tmp_path / "new.csv", index=False)
    given = (files / "model.json", tmp_path / "new.csv")
    code, out, _ = told(capsys, "predict", *given, "--unseen", "separate", "--json")
    notes = {one["what"]: one for one in json.loads(out)["notes"] if "x" in one["columns"]}
    assert code == 0
    code, out, _ = told(capsys, "validate", *given, "--target", "ill", "--json")
    features = {one["feature"]: one for one in json.loads(out)["features"]}
    beyond = features["x"]["below"] + features["x"]["above"]
    assert features["site"]["unseen"] == 3
    assert beyond >= 2
    assert f"{beyond} rows outside the range" in notes["range"]["note"]
