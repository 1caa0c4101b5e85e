"""`hetsel select` and `hetsel predict`: the signature of Python, its files, and how they fail."""

import json

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame

import hetsel
from hetsel import Signature
from hetsel.ground.sealed_json import plain_values
from hetsel.signature.signature_facts import Flow

FEW = ("--folds", 3, "--repeats", 1, "--pairs", 5, "--method", "rfe-svm", "--jobs", 1)


@pytest.fixture(scope="module")
def signals(tmp_path_factory):
    """A table whose classes are told by one column of each kind."""
    frame, y = mixed_frame(80, 3, 2, seed=4)
    path = tmp_path_factory.mktemp("select") / "signals.csv"
    frame.assign(ill=np.where(y == 1, "yes", "no"), ward=np.arange(80) // 2).to_csv(
        path, index=False
    )
    return path


@pytest.mark.slow
def test_it_is_the_signature_of_python(run, signals):
    options = ("--permutations", 39, "--size", "knee", "--row-groups", "ward", "--seed", 5)
    code, out, err = run("select", signals, "--target", "ill", *FEW, *options, "--json")
    assert code == 0, err
    frame = hetsel.read_table(signals)
    found = Signature(
        "rfe-svm", "knee", folds=3, repeats=1, pairs=5, permutations=39, random_state=5
    ).fit(frame.drop(columns=["ill", "ward"]), frame["ill"], groups=frame["ward"])
    told = json.loads(out)
    for key, value in json.loads(json.dumps(plain_values(found.facts()))).items():
        assert told[key] == value, key
    assert told["target"] == "ill"
    assert told["groups"] == 40


@pytest.mark.slow
def test_it_prints_the_verdict_first_and_writes_files_that_predict(run, signals, tmp_path):
    page, model, out = (tmp_path / name for name in ("a.html", "a.json", "a.csv"))
    files = ("--report", page, "--save", model, "--out", out)
    code, said, err = run(
        "select",
        signals,
        "--target",
        "ill",
        "--drop",
        "ward",
        *FEW,
        "--size",
        2,
        "--permutations",
        39,
        *files,
    )
    assert code == 0, err
    lines = said.splitlines()
    assert lines[0].startswith(
        "rfe-svm: 80 rows, 5 features, target ill (40 of class no, 40 of class yes"
    )
    assert lines[1].startswith("Better than chance")
    assert "p = 0.025" in lines[1]
    assert "2 of 5 features" in lines[2]
    assert "c0" in page.read_text()
    listed = pd.read_csv(out)
    assert set(listed["feature"]) == {"c0", "n0"}
    assert listed["frequency"].between(0, 1).all()
    new = tmp_path / "new.csv"
    frame = hetsel.read_table(signals).drop(columns=["ill", "c1"]).iloc[::-1]
    frame.to_csv(new, index=False)
    code, said, err = run("predict", model, new, "--json")
    assert code == 0, err
    rows = json.loads(said)["rows"]
    saved = hetsel.load_signature(model)
    assert [row["class"] for row in rows] == saved.predict(frame).tolist()
    assert [row["decision"] for row in rows] == saved.decision_function(frame).tolist()
    code, said, err = run("predict", model, new)
    head = said.splitlines()[0].split()
    assert head[:3] == ["row", "class", "probability"]
    assert head[-1] == "decision"
    classes = tmp_path / "classes.csv"
    assert run("predict", model, new, "--out", classes)[0] == 0
    assert pd.read_csv(classes)["class"].tolist() == saved.predict(frame).tolist()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--size", "knees"), "knee"),
        (("--size", "9"), "1..5"),
        (("--permutations", "7"), "39"),
        (("--method", "rfe-smv"), "rfe-svm"),
        (("--positive", "maybe"), "yes"),
        (("--param", "c=1"), "class_weight"),
        (("--report", "a.pdf"), ".html"),
        (("--jobs", "0"), "jobs must be"),
    ],
)
def test_what_cannot_be_used_is_one_sentence(fails, signals, options, said):
    assert said in fails("select", signals, "--target", "ill", "--drop", "ward", *FEW, *options)


def test_a_file_that_holds_no_signature_is_one_sentence(fails, signals, tmp_path):
    assert "no such file" in fails("predict", tmp_path / "a.json", signals)
    other = tmp_path / "b.json"
    other.write_text('{"format": "something"}')
    assert "something" in fails("predict", other, signals)


@pytest.fixture(scope="module")
def survey(tmp_path_factory):
    """A table with a column of weights, one that cannot be, and one with a gap."""
    frame, y = mixed_frame(60, 3, 2, seed=4)
    weight = np.random.default_rng(1).uniform(0.2, 3, 60)
    path = tmp_path_factory.mktemp("survey") / "survey.csv"
    gap, zero = (np.where(np.arange(60) == 7, wrong, weight) for wrong in (np.nan, 0.0))
    frame.assign(ill=np.where(y == 1, "yes", "no"), weight=weight, gap=gap, zero=zero).to_csv(
        path, index=False
    )
    return path


WEIGHTED = ("--target", "ill", "--row-weights", "weight", "--drop", "gap,zero")


@pytest.mark.seconds
def test_weighted_rows_give_the_signature_of_python(run, survey, tmp_path):
    page, model = tmp_path / "a.html", tmp_path / "a.json"
    options = ("--permutations", 0, "--size", 2, "--report", page, "--save", model)
    code, out, err = run("select", survey, *WEIGHTED, *FEW, *options, "--json")
    assert code == 0, err
    frame = hetsel.read_table(survey)
    features = frame.drop(columns=["ill", "weight", "gap", "zero"])
    found = Signature("rfe-svm", 2, folds=3, repeats=1, pairs=5, permutations=0).fit(
        features, frame["ill"], sample_weight=frame["weight"]
    )
    told = json.loads(out)
    for key, value in json.loads(json.dumps(plain_values(found.facts()))).items():
        assert told[key] == value, key
    assert told["row_weights"] == "weight"
    assert told["effective_sample_size"] == list(found.effective_sample_size_)
    assert "60 rows with weights (weight)" in page.read_text()
    saved = hetsel.load_signature(model)
    assert saved.decision_function(features).tolist() == found.decision_function(features).tolist()
    assert run("predict", model, survey)[0] == 0


def test_weighted_rows_are_ranked_as_by_python(run, survey):
    options = ("--method", "rfe-mkl", "--json")
    code, out, err = run("rank", survey, *WEIGHTED, *options)
    assert code == 0, err
    frame = hetsel.read_table(survey)
    features = frame.drop(columns=["ill", "weight", "gap", "zero"])
    ranked = hetsel.RFEMKL().fit(features, frame["ill"], sample_weight=frame["weight"]).frame()
    told = json.loads(out)
    assert pd.DataFrame(told["ranking"]).equals(ranked)
    assert told["row_weights"] == "weight"
    code, out, err = run("rank", survey, *WEIGHTED)
    assert out.startswith("rfe-mkl: 60 rows weighted by weight, 5 features")


@pytest.mark.slow
@pytest.mark.parametrize("command", ["rank", "select"])
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--row-weights", "weights"), ("no column", "weight")),
        (("--row-weights", "ill"), ("--target", "--row-weights")),
        (("--row-weights", "weight", "--row-groups", "weight"), ("--row-groups", "--row-weights")),
        (("--row-weights", "gap"), ("--row-weights", "'gap' is missing in 1 of 60 rows")),
        (("--row-weights", "zero"), ("--row-weights", "above 0", "Got 0 in 1 row")),
        (("--row-weights", "n0"), ("--row-weights", "'n0'", "Got 'level")),
        (("--row-weights", "weight", "--method", "hsic"), ("--row-weights: hsic", "rfe-svm")),
        (
            ("--row-weights", "weight", "--method", "rfe-svm", "--param", "normalize=norm"),
            ("--row-weights", "normalize='none'"),
        ),
    ],
)
def test_weights_that_cannot_be_used_are_one_sentence(fails, survey, command, options, said):
    message = fails(command, survey, "--target", "ill", *options)
    assert all(part in message for part in said), message


def test_a_size_by_inner_resamplings_knows_no_weights(fails, survey):
    assert "hetsel select" in fails("rank", survey, *WEIGHTED, "--size", "auto")


@pytest.mark.seconds
def test_repeated_rows_are_said_first_in_the_summary_and_on_the_page(run, tmp_path):
    draw = np.random.default_rng(0)
    rows = np.arange(24).repeat(3)
    frame = pd.DataFrame(draw.normal(size=(24, 8))[rows]).add_prefix("x")
    path, page = tmp_path / "thrice.csv", tmp_path / "page.html"
    frame.assign(y=rows % 2, relapse=draw.normal(size=72)).to_csv(path, index=False)
    few = ("--target", "y", *FEW[:-4], "--method", "anova-f", "--size", 2, "--permutations", 0)
    code, out, err = run("select", path, *few, "--jobs", 1, "--report", page)
    assert code == 0, err
    assert out.splitlines()[1].startswith("DUPLICATE ROWS")
    assert "relapse: " in err
    text = page.read_text(encoding="utf-8")
    assert text.index("DUPLICATE ROWS") < text.index("Not tested against chance")
    assert "Caution" in text
    code, out, err = run("select", path, *few, "--jobs", 1, "--row-groups", "rows", "--json")
    assert code == 0, err
    assert json.loads(out)["duplicate_rows"] is None


def test_what_is_always_in_is_in_the_signature(run, signals):
    options = ("--permutations", 0, "--size", 2, "--always", "c2", "--drop", "ward")
    code, out, err = run("select", signals, "--target", "ill", *FEW, *options, "--json")
    assert code == 0, err
    told = json.loads(out)
    assert told["always"] == ["c2"]
    assert "c2" in [one["feature"] for one in told["features"]]


@pytest.mark.seconds
def test_a_report_for_a_paper_says_which_rows_and_columns_were_left_out(run, signals, tmp_path):
    frame = hetsel.read_table(signals)
    frame["ill"] = frame["ill"].astype(object).mask(np.arange(len(frame)) % 16 == 0)
    table, model = tmp_path / "gaps.csv", tmp_path / "a.json"
    frame.to_csv(table, index=False)
    options = (*FEW, "--permutations", 0, "--size", 2, "--drop-unlabeled", "--drop", "c1")
    asked = ("select", table, "--target", "ill", "--row-groups", "ward", *options, "--save", model)
    for name in ("a.md", "a.docx"):
        code, _, err = run(*asked, "--report", tmp_path / name)
        assert code == 0, err
        assert f"wrote {tmp_path / name}" in err
    facts = hetsel.load_signature(model).facts
    gone = int(frame["ill"].isna().sum())
    assert facts.flow == Flow(len(frame), gone, 0)
    left_out = {name for one in facts.left_out for name in one.columns}
    assert left_out == {"ill", "ward", "c1"}
    page = (tmp_path / "a.md").read_text(encoding="utf-8")
    assert f"| excluded: no target value | {gone} |" in page
    pictures = {path.name for path in tmp_path.glob("a-*.png")}
    assert pictures >= {"a-rates.png", "a-choice.png", "a-effects.png"}
    assert all(f"({name})" in page for name in pictures)


def test_the_positive_class_is_the_one_named_and_a_guess_by_the_alphabet_is_said(run, tmp_path):
    frame, y = mixed_frame(60, 2, 2, seed=4)
    path = tmp_path / "fever.csv"
    asked = ["--target", "state", "--method", "rfe-svm", "--size", "2", "--folds", "3"]
    asked += ["--repeats", "1", "--permutations", "0", "--pairs", "0", "--jobs", "1"]
    said = "use --positive fever"
    for labels, named, positive, guessed in (
        (("none", "fever"), None, "none", True),
        (("none", "fever"), "fever", "fever", False),
        (("fever", "none"), "none", "none", False),
        (("no", "yes"), None, "yes", False),
    ):
        frame.assign(state=np.where(y == 1, labels[1], labels[0])).to_csv(path, index=False)
        options = [] if named is None else ["--positive", named]
        code, out, err = run("select", path, *asked, *options)
        assert code == 0, err
        assert f"positive class: {positive})" in out.splitlines()[0]
        assert (said in err) == guessed
