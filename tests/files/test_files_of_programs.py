"""Excel, Stata, SPSS, SAS, Feather and JSON lines: the table that delimited text would give.

The files are written by the libraries of their formats; pyreadstat cannot write .sas7bdat.
"""

import datetime
import json
import sys
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pyreadstat
import pytest
import statsmodels
from frames import mixed_frame
from frames import refused_file as refused

from hetsel import RFESVM, Table
from hetsel.files.reading import read_table

SEX = {1: "f", 2: "m"}
GRADE = {1: "I", 2: "II", 3: "III"}


def patients(n=60):
    """Numbers, whole numbers, levels, a date, missing cells, a target; the same in every format."""
    frame, y = mixed_frame(n, 3, 1, seed=4, missing=0.1)
    rng = np.random.default_rng(4)
    frame = frame.round(6)  # the digits that pandas writes as JSON
    frame["n0"] = frame["n0"].astype(object)
    frame["stay"] = rng.integers(0, 40, n) + 5 * y
    frame["sex"] = rng.choice(["f", "m"], n)
    frame["seen"] = pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, n), "D")
    frame["relapse"] = np.where(y == 1, "yes", "no")
    return frame


def codes(frame):
    """The frame with numbers for levels, as statistics packages keep them, and their labels."""
    labels = {"sex": SEX, "relapse": {0: "no", 1: "yes"}, "n0": {0: "level 0", 1: "level 1"}}
    coded = frame.copy()
    for name, of_value in labels.items():
        coded[name] = frame[name].map({text: value for value, text in of_value.items()})
    coded["seen"] = coded["seen"].dt.date
    return coded, {name: of_value for name, of_value in labels.items()}


def put_xlsx(frame, path):
    frame.to_excel(path, index=False)


def put_jsonl(frame, path):
    frame = frame.assign(seen=frame["seen"].astype(str))
    frame.to_json(path, orient="records", lines=True, double_precision=15)


def put_feather(frame, path):
    frame.to_feather(path)


def put_sav(frame, path):
    coded, labels = codes(frame)
    pyreadstat.write_sav(coded, path, variable_value_labels=labels)


def put_dta(frame, path):
    coded, labels = codes(frame)
    coded["n0"] = coded["n0"].astype("Int64")
    pyreadstat.write_dta(coded, path, variable_value_labels=labels)


def put_xpt(frame, path):
    coded = frame.assign(seen=frame["seen"].dt.date)
    pyreadstat.write_xport(coded.fillna({"n0": ""}), path, file_format_version=8)


WRITERS = {
    "a.xlsx": put_xlsx,
    "a.jsonl": put_jsonl,
    "a.feather": put_feather,
    "a.sav": put_sav,
    "a.zsav": put_sav,
    "a.dta": put_dta,
    "a.xpt": put_xpt,
}


@pytest.mark.parametrize("name", WRITERS)
def test_schema_and_ranking_are_those_of_delimited_text(tmp_path, name):
    frame = patients()
    frame.to_csv(tmp_path / "a.csv", index=False)
    WRITERS[name](frame, tmp_path / name)
    tables, rankings = [], []
    for file in ("a.csv", name):
        read = read_table(tmp_path / file)
        # text has no dates of its own
        table = Table.read(read.drop(columns="relapse"), continuous=["seen"])
        tables.append(table)
        found = RFESVM(missing="separate").fit(table, read["relapse"].astype(str))
        rankings.append(found.frame())
    text, other = tables
    assert [(c.name, c.kind, c.levels, c.time) for c in other.schema.columns] == [
        (c.name, c.kind, c.levels, c.time) for c in text.schema.columns
    ]
    np.testing.assert_allclose(other.values, text.values, rtol=1e-14)
    pd.testing.assert_frame_equal(rankings[1], rankings[0])
    assert tables[1].values.shape == (60, 7)


# ---- Excel ---------------------------------------------------------------------------------------


def book(path, **sheets):
    """A workbook of sheets of rows."""
    workbook = openpyxl.Workbook()
    workbook.remove(workbook.active)
    for name, rows in sheets.items():
        sheet = workbook.create_sheet(name)
        for row in rows:
            sheet.append(row)
    workbook.save(path)
    return path


NOTES = [["These data, of two hospitals,"], ["are described in the manual"]]
DATA = [["age", "sex"], [61, "f"], [54, "m"]]


def test_a_sheet_of_notes_before_the_table_is_told_with_the_next_one(tmp_path):
    path = book(tmp_path / "a.xlsx", Notes=NOTES, Data=DATA, More=DATA)
    refused(path, "sheet 'Notes' is the first of 3 (Notes, Data, More)", "sheet='Data'")
    assert read_table(path, sheet="Data").shape == (2, 2)
    path = book(tmp_path / "b.xlsx", Notes=[["by", None, "of"], [1, 2, 3]], Data=DATA)
    refused(path, "sheet 'Notes' is the first of 2 (Notes, Data). column 2", "sheet='Data'")


def test_merged_cells_and_formulas_without_a_value_are_told(tmp_path):
    workbook = openpyxl.Workbook()
    for row in (["site", "x", "y"], ["A", 1, "=B2*2"], [None, 2, "=B3*2"], ["B", 3, 6]):
        workbook.active.append(row)
    workbook.active.merge_cells("A2:A3")
    workbook.save(tmp_path / "a.xlsx")
    frame = read_table(tmp_path / "a.xlsx")
    assert frame["site"].isna().tolist() == [False, True, False]
    notes = [str(note) for note in frame.attrs["notes"]]
    assert any("1 merged cell, in row 2, column 1" in note for note in notes)
    assert any("2 formulas have no saved value" in note for note in notes)
    workbook.active.append([None, 4, 8])
    workbook.active.merge_cells("A4:A5")
    workbook.save(tmp_path / "a.xlsx")
    notes = [str(note) for note in read_table(tmp_path / "a.xlsx").attrs["notes"]]
    assert any("2 merged cells, the first in row 2, column 1" in note for note in notes)
    (tmp_path / "plain").mkdir()
    assert read_table(book(tmp_path / "plain/a.xlsx", one=DATA)).attrs["notes"] == ()


def test_an_old_workbook_is_read_as_the_table_that_was_made_from_it():
    """macrodata.csv of statsmodels is from its macrodata.xls, whose first sheet holds notes."""
    folder = Path(statsmodels.__file__).parent / "datasets" / "macrodata"
    old = next((path for path in folder.rglob("*.xls") if path.is_file()), None)
    if old is None:
        pytest.skip("statsmodels before 0.15 comes without the workbook")
    refused(old, "sheet 'README' is the first of 3 (README, Monthly, Quarterly)", "sheet='Monthly'")
    workbook, csv = read_table(old, sheet="Quarterly"), read_table(folder / "macrodata.csv")
    workbook = workbook[workbook["DATE"] >= "1959-01-01"]
    for name, own in {"GDPC96": "realgdp", "PCECC96": "realcons", "GPDIC96": "realinv"}.items():
        np.testing.assert_allclose(workbook[name], csv[own])


def test_cells_of_a_sheet_are_what_they_are(tmp_path):
    day, moment = datetime.date(2020, 1, 2), datetime.datetime(2021, 3, 4, 5, 6)
    rows = [
        ["age", "flag", "when", "share", "text", "mixed", "broken\nname"],
        [61.5, True, day, "12 %", "a,b", 1, "#N/A"],
        [None, False, moment, "7 %", 'say "x"', day, 1],
        [],
        [40, True, None, "9 %", "two\nlines", "text", 2],
    ]
    frame = read_table(book(tmp_path / "a.xlsx", one=rows))
    assert frame["age"].tolist()[0::2] == [61.5, 40.0]
    assert frame["flag"].tolist() == [True, False, True]
    assert frame["when"].tolist()[:2] == [pd.Timestamp(day), pd.Timestamp(moment)]
    assert frame["when"].isna().tolist() == [False, False, True]
    assert frame["share"].tolist() == [12, 7, 9]
    assert frame["text"].tolist() == ["a,b", 'say "x"', "two lines"]
    assert frame["mixed"].tolist() == ["1", "2020-01-02", "text"]
    assert frame["broken name"].isna().tolist() == [True, False, False]


@pytest.mark.parametrize("decimal", [".", ","])
def test_numbers_keep_every_digit_whatever_the_decimal_mark_of_text_is(tmp_path, decimal):
    numbers = [1 / 3, 1e-300, -2.5e17, 12345678901234.5]
    rows = [["x", "t"], *([number, f"3{decimal}5"] for number in numbers)]
    frame = read_table(book(tmp_path / "a.xlsx", one=rows), decimal=decimal)
    np.testing.assert_allclose(frame["x"], numbers, rtol=3e-16)
    assert frame["t"].tolist() == [3.5] * 4


def test_margins_of_a_sheet_are_left_out(tmp_path):
    rows = [[], [], [None, None, "x", None, "y"], [None, None, 1, None, 2], [None, None, 3]]
    frame = read_table(book(tmp_path / "a.xlsx", one=rows))
    assert frame.columns.tolist() == ["x", "y"]
    assert frame["x"].tolist() == [1, 3]


def test_a_sheet_is_chosen_by_name_or_place_and_said_where_it_is_not(tmp_path):
    path = book(tmp_path / "a.xlsx", cover=[], one=[["x", "y"], [1, 2]], two=[["u", "v"], [3, 4]])
    frame = read_table(path)
    assert frame.columns.tolist() == ["x", "y"]
    (note,) = frame.attrs["notes"]
    assert "'one'" in str(note)
    assert "sheet='two'" in str(note)
    for sheet in ("two", "3"):
        frame = read_table(path, sheet=sheet)
        assert frame.columns.tolist() == ["u", "v"]
        assert not frame.attrs["notes"]
    refused(path, "'cover', 'one', 'two'", "Got 'tow'", "Did you mean 'two'?", sheet="tow")
    refused(path, "'cover' of a.xlsx is empty", sheet="cover")


def test_what_is_wrong_with_a_sheet_is_said_as_for_text(tmp_path):
    title = [["Patients of 2020"], ["x", "y"], [1, 2]]
    path = book(tmp_path / "a.xlsx", one=title)
    refused(path, "not part of its table", "skip=1")
    assert read_table(path, skip=1)["y"].tolist() == [2]
    refused(book(tmp_path / "b.xlsx", one=[["x", "x"], [1, 2]]), "'x' more than once")
    refused(book(tmp_path / "c.xlsx", one=[["x", 3], [1, 2]]), "header=False")
    refused(book(tmp_path / "d.xlsx", one=[["x", "y"]]), "no rows")
    refused(book(tmp_path / "e.xlsx", one=[]), "e.xlsx is empty")
    assert read_table(tmp_path / "c.xlsx", header=False).columns.tolist() == ["x0", "x1"]
    (tmp_path / "f.csv").write_text("x,y\n1,2\n")
    refused(tmp_path / "f.csv", "sheet is only for workbooks", sheet="one")


def test_a_cell_far_from_the_table_is_refused_before_memory_is_taken(tmp_path):
    workbook = openpyxl.Workbook()
    for place, cell in {"A1": "x", "B1": "y", "A2": 1, "B2": 2, "XFD1048576": 3}.items():
        workbook.active[place] = cell
    workbook.save(tmp_path / "a.xlsx")
    refused(tmp_path / "a.xlsx", "row 1048576", "column 16384")


# ---- SPSS, Stata, SAS ----------------------------------------------------------------------------


def test_spss_says_what_levels_are_ordered_and_which_values_are_missing(tmp_path):
    frame = pd.DataFrame(
        {
            "sex": [1.0, 2, 1, 9],
            "grade": [3.0, 1, 2, 2],
            "stage": [1.0, 2, 4, 4],
            "score": [5.0, 7, 99, 8],
            "pain": [0.0, 3, 7, 10],
            "town": ["b", "", "a", "x"],
            "same": [1.0, 2, 3, 3],
            "hour": [datetime.time(6, 30), None, datetime.time(12), datetime.time(0)],
        }
    )
    path = tmp_path / "a.sav"
    pyreadstat.write_sav(
        frame,
        path,
        variable_value_labels={
            "sex": {**SEX, 9: "refused"},
            "grade": GRADE,
            "score": {99: "unknown"},
            "pain": {0: "none", 10: "worst"},
            "town": {"a": "Aa", "b": "Bb"},
            "same": {1: "other", 2: "one", 3: "other"},
        },
        variable_measure={"grade": "ordinal", "stage": "ordinal", "sex": "scale"},
        missing_ranges={"sex": [9], "score": [{"lo": 90, "hi": 100}], "town": ["x"]},
    )
    read = read_table(path)
    kinds = {c.name: (c.kind, c.levels) for c in Table.read(read).schema.columns}
    assert kinds["sex"] == ("nominal", ("f", "m"))
    assert read["sex"].isna().tolist() == [False, False, False, True]
    assert kinds["grade"] == ("ordinal", ("I", "II", "III"))
    assert kinds["stage"] == ("ordinal", (1, 2, 4))
    assert kinds["score"] == ("continuous", ())
    assert read["score"].isna().tolist() == [False, False, True, False]
    assert kinds["pain"] == ("continuous", ())
    assert read["pain"].tolist() == [0, 3, 7, 10]
    assert kinds["town"] == ("nominal", ("Aa", "Bb"))
    assert read["town"].isna().tolist() == [False, True, False, True]
    assert kinds["same"] == ("nominal", ("other (1)", "one", "other (3)"))
    hours = Table.read(read).values[:, read.columns.get_loc("hour")]
    assert hours.tolist()[0::2] == [6.5, 12]
    notes = [str(note) for note in read.attrs["notes"]]
    assert any(note.startswith("pain: only some values have labels") for note in notes)
    assert any("missing" in note and "'0', '10'" in note for note in notes)
    assert (
        read_table(path, missing_marks=("0", "5"))["pain"].isna().tolist() == [True] + [False] * 3
    )


def test_letters_of_stata_for_missing_are_no_levels(tmp_path):
    frame = pd.DataFrame({"x": [1, 2, "a", 2], "z": [1.5, 2, np.nan, 3]})
    path = tmp_path / "a.dta"
    labels = {"x": {1: "low", 2: "high", "a": "refused"}}
    missing = {"x": ["a"]}
    pyreadstat.write_dta(frame, path, variable_value_labels=labels, missing_user_values=missing)
    read = read_table(path)
    assert read["x"].cat.categories.tolist() == ["low", "high"]
    assert read["x"].isna().tolist() == [False, False, True, False]


def test_days_that_nanoseconds_do_not_reach_are_dates(tmp_path):
    frame = pd.DataFrame({"d": [datetime.date(1600, 1, 1), datetime.date(9999, 12, 31)]})
    for name, write in (("a.sav", pyreadstat.write_sav), ("a.dta", pyreadstat.write_dta)):
        write(frame, tmp_path / name)
        column = Table.read(read_table(tmp_path / name)).schema.columns[0]
        assert (column.kind, column.time) == ("continuous", "date")


def test_files_of_sas_go_to_the_reader_of_sas(tmp_path, monkeypatch):
    """There is nothing here to write one with: the transport format stands in for it."""
    put_xpt(patients(), tmp_path / "a.sas7bdat")
    refused(tmp_path / "a.sas7bdat", "a.sas7bdat cannot be read as a file of SAS")
    monkeypatch.setattr(pyreadstat, "read_sas7bdat", pyreadstat.read_xport)
    assert read_table(tmp_path / "a.sas7bdat").shape == (60, 8)


# ---- JSON lines and all of them ------------------------------------------------------------------


def test_json_lines_may_lack_names_and_have_marks(tmp_path):
    lines = [
        {"x": 1, "t": " a ", "f": True},
        {"t": "NA", "x": None, "f": False},
        {"x": 2.5, "w": 2**70, "f": None},
    ]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)) + "\n\n")
    read = read_table(path)
    assert read["x"].tolist()[0::2] == [1, 2.5]
    assert read["x"].dtype == float
    assert read["t"].isna().tolist() == [False, True, True]
    assert read["f"].tolist()[:2] == [True, False]
    assert read["w"].tolist()[2] == 2**70


REFUSED_LINES = {
    "no JSON": ('{"x": 1}\n{"x": \n', "line 2 of a.jsonl is not valid JSON"),
    "no object": ("5\n", "line 1 of a.jsonl must be an object"),
    "an array of arrays": ("[[1, 2]]\n", "record 1 of a.jsonl must be an object"),
    "nested": ('{"x": {"y": 1}, "z": [1]}\n', "a list or an object as the value of 'x', 'z'"),
    "twice": ('{"x": 1, "x": 2}\n', "'x' more than once"),
    "depth": ("[" * 100_000 + "\n", "is not valid JSON"),
    "digits": ('{"x": ' + "1" * 5000 + "}\n", "is not valid JSON"),
    "no names": ("{}\n{}\n", "has no columns"),
}


@pytest.mark.parametrize(("content", "words"), REFUSED_LINES.values(), ids=REFUSED_LINES)
def test_json_lines_that_are_none_are_refused(tmp_path, content, words):
    (tmp_path / "a.jsonl").write_text(content)
    refused(tmp_path / "a.jsonl", words)


def test_a_list_of_objects_is_a_table(tmp_path):
    frame = pd.DataFrame({"x": [1.5, None], "t": ["a", "NA"], "f": [True, False]})
    frame.to_json(tmp_path / "a.json", orient="records", indent=1)
    read = read_table(tmp_path / "a.json")
    assert read["x"].tolist()[:1] == [1.5]
    assert read.isna().sum().tolist() == [1, 1, 0]
    (tmp_path / "b.json").write_text('{\n"x": {"0": 1}}\n')
    refused(tmp_path / "b.json", "not valid JSON", "a list of objects")


BINARY = ["a.xlsx", "a.sav", "a.zsav", "a.dta", "a.sas7bdat", "a.xpt", "a.feather"]


@pytest.mark.parametrize("name", BINARY)
def test_empty_and_other_content_is_refused_in_one_sentence(tmp_path, name):
    (tmp_path / name).write_bytes(b"")
    refused(tmp_path / name, f"{name} is empty")
    (tmp_path / name).write_bytes(b"x,y\n1,2\n" * 99)
    refused(tmp_path / name, f"{name} cannot be read as")


@pytest.mark.parametrize("name", ["a.xlsx", "a.sav", "a.dta", "a.feather"])
def test_a_file_that_ends_early_is_refused(tmp_path, name):
    WRITERS[name](patients(), tmp_path / name)
    content = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(content[: len(content) // 2])
    refused(tmp_path / name, f"{name} cannot be read as")


@pytest.mark.parametrize(
    ("name", "package"),
    [("a.xlsx", "python_calamine"), ("a.sav", "pyreadstat"), ("a.feather", "pyarrow")],
)
def test_a_missing_library_names_the_extra(tmp_path, monkeypatch, name, package):
    (tmp_path / name).write_bytes(b"something")
    monkeypatch.setitem(sys.modules, package, None)
    refused(tmp_path / name, package.replace("_", "-"), "pip install 'hetsel[files]'")


def test_a_mark_counts_in_typed_files_only_where_it_is_asked_for(tmp_path):
    frame = pd.DataFrame({"x": [1.0, -9, 3], "t": ["NA", "a", "gone"]})
    frame["c"] = pd.Categorical(["u", "v", "-9"])
    for name, write in (("a.feather", frame.to_feather), ("a.parquet", frame.to_parquet)):
        write(tmp_path / name)
        assert not read_table(tmp_path / name).isna().any().any()
        read = read_table(tmp_path / name, missing_marks=("-9", "gone"))
        assert read.isna().to_numpy().tolist() == [
            [False] * 3,
            [True, False, False],
            [False] + [True] * 2,
        ]
