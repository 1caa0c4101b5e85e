"""Rows to predict: the columns of the signature are enough; what is far from the fit is told."""

import json
import warnings

import numpy as np
import pandas as pd
import pytest

import hetsel
from hetsel.ground.errors import TableError
from hetsel.shell.main import main

N = 100


def draw(seed):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.uniform(20, 80, N),
            "bmi": rng.normal(25, 3, N),
            "noise": rng.normal(size=N),
            "site": rng.choice(list("abc"), N),
        }
    )
    y = frame["age"] + 5 * (frame["bmi"] - 25) + rng.normal(size=N) * 15 > 50
    return frame[["age", "noise", "bmi", "site"]], np.where(y, "ill", "well")


X, Y = draw(1)
NEW, NEW_Y = draw(2)
QUICK = {"size": 2, "folds": 3, "repeats": 1, "permutations": 0, "pairs": 0}


@pytest.fixture(scope="module")
def fitted():
    found = hetsel.Signature(**QUICK).fit(X, Y)
    assert found.features_ == ("age", "bmi")
    return found


def test_the_columns_of_the_signature_are_enough(fitted):
    wanted = fitted.predict_proba(NEW)
    frames = (
        NEW[["age", "bmi"]],
        NEW[NEW.columns[::-1]],
        NEW.assign(site="elsewhere", more=1),
        fitted.schema_.encode(NEW),
        fitted.model_.schema_.encode(NEW),
    )
    for frame in frames:
        np.testing.assert_array_equal(fitted.predict_proba(frame), wanted)
        if isinstance(frame, pd.DataFrame):
            np.testing.assert_array_equal(fitted.saved().predict_proba(frame), wanted)
    for lacking in (fitted.predict, fitted.saved().predict):
        with pytest.raises(TableError, match="needs the columns age, bmi. Missing: bmi"):
            lacking(NEW.drop(columns="bmi"))


def test_an_array_has_the_columns_of_the_fit():
    cells = X[["age", "noise", "bmi"]].to_numpy()
    found = hetsel.Signature(**QUICK).fit(cells, Y)
    assert found.features_ == ("x0", "x2")
    with pytest.raises(ValueError, match="expecting 3 features"):
        found.predict(cells[:, [0, 2]])
    assert len(found.predict(cells)) == N


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"age": [1e9, -1e300, *[50.0] * (N - 2)]}, "age is far .* in 2 rows"),
        ({"bmi": np.nan}, "bmi is missing in all 100 rows"),
    ],
)
def test_what_is_far_from_the_fit_is_told(fitted, change, said):
    frame = NEW.assign(**change)
    for model in (fitted, fitted.saved()):
        for tell in (model.predict, model.predict_proba, model.decision_function):
            with pytest.warns(UserWarning, match=said):
                tell(frame)


def test_held_out_rows_and_single_cells_are_no_reason_to_warn(fitted):
    for frame in (
        NEW,
        NEW.head(1).assign(age=np.nan),
        NEW.assign(age=np.r_[np.nan, NEW["age"][1:]]),
    ):
        fitted.predict(frame)
        fitted.saved().predict(frame)


def test_the_shell_tells_it_once(fitted, tmp_path, capsys):
    fitted.save(tmp_path / "model.json")
    NEW.assign(age=1e9).to_csv(tmp_path / "new.csv", index=False)
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        assert main(["predict", str(tmp_path / "model.json"), str(tmp_path / "new.csv")]) == 0
        assert capsys.readouterr().err.count("age is far") == 1
        files = [str(tmp_path / "model.json"), str(tmp_path / "new.csv")]
        assert main(["predict", *files, "--json"]) == 0
    (note,) = json.loads(capsys.readouterr().out)["notes"]
    assert (note["what"], note["note"][:10]) == ("rows", "age is far")
    NEW.assign(age=np.r_[np.nan, np.nan, NEW["age"][2:]]).to_csv(tmp_path / "new.csv", index=False)
    assert main(["predict", *files, "--json"]) == 0
    said = capsys.readouterr()
    notes = {note["what"]: note["note"] for note in json.loads(said.out)["notes"]}
    assert notes["missing"] == "2 missing values imputed in age"
    assert set(notes) <= {"missing", "range"}
    assert "hetsel: note: 2 missing values imputed in age" in said.err


@pytest.mark.seconds
def test_rows_that_stand_twice_count_once_in_intervals(fitted, tmp_path, capsys):
    twice, labels = pd.concat([NEW, NEW], ignore_index=True), np.r_[NEW_Y, NEW_Y]
    widths = {}
    for groups in (None, "copies", "rows", np.arange(2 * N) % N):
        found = hetsel.validate_signature(fitted, twice, labels, groups=groups)
        area = found.performance["auc"]
        widths[str(groups)[:6]] = area.high - area.low
        assert ("nearly equal" in hetsel.summary(found)) == (
            groups is None or (isinstance(groups, str) and groups == "copies")
        )
    once = hetsel.validate_signature(fitted, NEW, NEW_Y).performance["auc"]
    assert widths["None"] == widths["copies"] == widths["[ 0  1"]
    assert widths["None"] == pytest.approx(once.high - once.low, rel=0.02)
    assert widths["rows"] < 0.8 * widths["None"]
    fitted.save(tmp_path / "model.json")
    twice.assign(y=labels).to_csv(tmp_path / "new.csv", index=False)
    call = ["validate", str(tmp_path / "model.json"), str(tmp_path / "new.csv"), "--target", "y"]
    for words, groups in (
        ([], N),
        (["--row-groups", "rows"], None),
        (["--row-groups", "copies"], N),
    ):
        assert main([*call, *words, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["groups"] == groups
