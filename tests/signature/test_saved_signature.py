"""A saved signature is what was written, or it is refused, or loaded by the wish of its user."""

import json

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame

import hetsel
from hetsel.ground.errors import TableError
from hetsel.shell.main import main

QUICK = {"method": "rfe-svm", "size": 3, "permutations": 0, "repeats": 1, "folds": 3, "pairs": 2}


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    frame, y = mixed_frame(80, 3, 2, seed=3, missing=0.05)
    path = tmp_path_factory.mktemp("saved") / "s.json"
    hetsel.Signature(**QUICK).fit(frame, y).save(path)
    frame.to_csv(path.with_name("rows.csv"), index=False)
    return path, frame


def edited(path, change):
    content = json.loads(path.read_text(encoding="utf-8"))
    change(content)
    other = path.with_name("edited.json")
    other.write_text(json.dumps(content), encoding="utf-8-sig")  # as editors of Windows write it
    return other


def test_a_file_that_is_laid_out_anew_is_the_same(saved):
    path, frame = saved
    again = edited(path, lambda content: content)
    found = hetsel.load_signature(again).decision_function(frame)
    assert np.array_equal(found, hetsel.load_signature(path).decision_function(frame))


CHANGES = {
    "model.intercept": lambda c: c["model"]["intercept"].__setitem__(0, 0.25),
    "model.curves": lambda c: c["model"]["curves"][0][1][0].__setitem__(0, -9.5),
    "model.fill": lambda c: c["model"]["fill"].__setitem__(0, 0.5),
    "calibration.parameters": lambda c: c["calibration"]["parameters"][0].__setitem__(0, 0.5),
    "facts.version": lambda c: c["facts"].update(version="9.9"),
    "facts.more": lambda c: c["facts"].update(more=1),
    "reference.rows": lambda c: c["reference"].update(rows=81),
    "calibration.class_proportions": lambda c: c["calibration"].pop("class_proportions"),
    "digests": lambda c: c.pop("digests"),
}


@pytest.mark.parametrize("part", CHANGES)
def test_what_was_edited_is_refused_by_its_name(saved, part):
    with pytest.raises(TableError, match=rf"\b{part}\b.* differ.*trust_edited=True"):
        hetsel.load_signature(edited(saved[0], CHANGES[part]))


def test_what_was_edited_is_loaded_by_the_wish_of_its_user(saved):
    path, frame = saved
    before = hetsel.load_signature(path).decision_function(frame)
    content = json.loads(path.read_text(encoding="utf-8"))
    moved = 0.25 - content["model"]["intercept"][0]
    other = edited(path, CHANGES["model.intercept"])
    found = hetsel.load_signature(other, trust_edited=True).decision_function(frame)
    assert np.allclose(found - before, moved, rtol=0, atol=1e-12)


def swap(value, *place):
    def change(content):
        inside = content
        for key in place[:-1]:
            inside = inside[key]
        inside[place[-1]] = value

    return change


NO_SIGNATURE = {
    "kind of a number": swap("0.5", "model", "intercept", 0),
    "NaN": swap(float("nan"), "model", "intercept", 0),
    "infinity": swap(float("inf"), "model", "low", 0),
    "400 digits": swap(10**400, "model", "intercept", 0),
    "overflow of sums": swap(1e308, "model", "intercept", 0),
    "facts": swap(5, "facts"),
    "no map": swap(None, "calibration", "map"),
    "map of other classes": swap(3, "calibration", "classes"),
    "length of a list": lambda c: c["model"]["low"].pop(),
    "length of a curve": lambda c: c["model"]["curves"][0][1][0].pop(),
    "order of knots": lambda c: c["model"]["curves"][0][0].reverse(),
    "no such level": lambda c: c["model"]["schema"]["columns"][0].update(kind="nominal", levels=[]),
    "kind of target": swap("ranks", "facts", "kind"),
    "one class": lambda c: c["model"]["classes"].pop(),
    "no rows": swap(0, "reference", "rows"),
    "sketch": lambda c: c["reference"]["all"]["sketches"][0].pop(),
    "no facts of probabilities": swap(None, "facts", "probabilities"),
}


@pytest.mark.parametrize("what", NO_SIGNATURE)
def test_what_is_no_signature_is_refused_even_if_it_is_trusted(saved, what):
    change = NO_SIGNATURE[what]
    if what == "overflow of sums":
        twice = swap(1e308, "model", "curves", 0, 2, 0)
        path = edited(saved[0], lambda c: (change(c), twice(c)))
    else:
        path = edited(saved[0], change)
    for trust_edited in (False, True):
        with pytest.raises(TableError):
            hetsel.load_signature(path, trust_edited=trust_edited)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("a,b\n1,2\n", "it is not JSON"),
        ('{"format": ', "cut off or damaged at line 1, column 12"),
        ('{"a": 1}', "Got no format"),
    ],
)
def test_the_error_for_another_file_states_what_is_wrong(content, words, tmp_path):
    (tmp_path / "s.json").write_text(content)
    with pytest.raises(TableError, match=words):
        hetsel.load_signature(tmp_path / "s.json")


def test_the_error_for_a_wrong_value_names_its_place(saved):
    path = edited(saved[0], swap("clases", "facts", "performance", "kind"))
    with pytest.raises(TableError, match=r"performance\.kind: invalid value 'clases'$"):
        hetsel.load_signature(path, trust_edited=True)


@pytest.mark.parametrize(
    "content", ["[" * 200_000, "5", "null", "", '{"format": 5}', "\ufeff{}", '"\\ud800"', "\0"]
)
def test_what_is_no_text_of_a_signature_is_a_sentence(content, tmp_path):
    path = tmp_path / "s.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(TableError, match=r"s\.json"):
        hetsel.load_signature(path, trust_edited=True)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(TableError, match="not text"):
        hetsel.load_signature(path)
    with pytest.raises(TableError, match="is a folder"):
        hetsel.load_signature(tmp_path)


def test_a_file_of_another_format_is_refused(saved):
    path, _ = saved
    with pytest.raises(TableError, match="format must be 'hetsel signature 4'"):
        hetsel.load_signature(edited(path, lambda c: c.update(format="hetsel signature 1")))


def test_the_shell_names_the_option(saved, capsys):
    path = edited(saved[0], CHANGES["model.intercept"])
    rows = str(path.with_name("rows.csv"))
    assert main(["predict", str(path), rows]) == 1
    said = capsys.readouterr().err
    assert "model.intercept" in said
    assert "--trust-edited" in said
    assert main(["predict", str(path), rows, "--trust-edited"]) == 0
    assert main(["predict", str(edited(saved[0], NO_SIGNATURE["NaN"])), rows]) == 1
    assert "NaN" in capsys.readouterr().err


def test_what_no_fold_tells_is_null_in_the_file_and_a_dash_on_the_page(tmp_path):
    times = np.arange(1.0, 31.0)
    frame = pd.DataFrame({"a": np.sin(times), "b": np.cos(times * 3)})
    options = {"folds": 8, "repeats": 1, "permutations": 0, "pairs": 0, "size": 1}
    # one late event in each fold, after which none is followed: no two rows are comparable
    found = hetsel.Signature(**options).fit(frame, hetsel.survival(times, times > 22))
    path = tmp_path / "s.json"
    found.save(path)
    written = json.loads(path.read_text(encoding="utf-8"))["facts"]["performance"]
    unknown = {"optimism": None, "training_gain": None}
    assert {name: written[name] for name in unknown} == unknown
    assert written["measures"][0]["key"] == "harrell"
    assert written["measures"][0]["estimate"] is None
    facts = hetsel.load_signature(path).facts
    assert facts == found.facts()
    assert (facts.performance.optimism, facts.performance.training_gain) == (None, None)
    assert np.isnan(facts.performance.main.value)
    said = hetsel.summary(facts)
    assert "integrated Brier score" in said
    assert "Harrell" not in said
    assert "nan" not in said
    page = hetsel.write_signature_report(facts, tmp_path / "s.md").read_text(encoding="utf-8")
    (row,) = (line for line in page.splitlines() if line.startswith("| Harrell's C |"))
    assert row == "| Harrell's C | – | – | 30 |"
    assert "nan" not in page.split()
