"""Columns: their notes, on their own and together."""

import json

import pandas as pd

from hetsel import Schema
from hetsel.ground.errors import Fix
from hetsel.tables import Column, Note
from hetsel.tables.column import open_questions

NOTE = Note(("only ", 3, " values"), (Fix("ordinal", ("x",), levels=("a", "b")),))


def test_a_note_comes_back_from_json():
    columns = (Column("x", "ordinal", ("a", "b"), note=NOTE), Column("y", "continuous"))
    assert Schema.from_dict(json.loads(Schema(columns).to_json())).columns == columns


def test_each_face_words_the_fixes():
    said = NOTE.in_words(lambda fix: f"--{fix.option} {fix.value[0]}")
    assert said.startswith("only 3 values")
    assert said.endswith("--ordinal x")


def test_other_advice_stands_apart():
    notes = [Note((3, " values"), (Fix(option, ("x",)),)) for option in ("drop", "nominal")]
    columns = [Column(f"c{k}", "nominal", note=note) for k, note in enumerate(notes)]
    assert [names for names, _ in open_questions(columns)] == [["c0"], ["c1"]]


def test_notes_of_one_wording_stand_together():
    frame = pd.DataFrame({f"x{k}": [1, 2, 3, 1 + k] * 3 for k in range(5)} | {"z": ["1", "2"] * 6})
    asked = open_questions(Schema.infer(frame).columns)
    assert [names for names, _ in asked] == [["x0", "x1", "x2", "x3", "x4"], ["z"]]
    assert "only 3 to 4 distinct whole numbers" in str(asked[0][1])
    assert "nominal=['x0', 'x1', 'x2', 'x3', 'x4']" in str(asked[0][1])
    assert "continuous=['z']" in str(asked[1][1])


def test_the_fix_for_many_columns_names_none_of_them():
    frame = pd.DataFrame({f"x{k}": [1, 2, 3] * 3 for k in range(9)})
    ((names, note),) = open_questions(Schema.infer(frame).columns)
    assert len(names) == 9
    assert "only 3 distinct whole numbers" in str(note)
    assert "nominal=['NAME']" in str(note)


def test_numbers_in_cells_and_names_are_not_taken_for_counts():
    frame = pd.DataFrame({f"x{k}": [*map(str, range(20)), f"odd{k}"] for k in (1, 2)})
    asked = open_questions(Schema.infer(frame).columns)
    assert [names for names, _ in asked] == [["x1"], ["x2"]]
    assert [note.fixes[0].value for _, note in asked] == [("odd1",), ("odd2",)]
