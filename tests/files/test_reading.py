"""Tables from files: what is read, and every fault in one sentence."""

import gzip
import sys

import numpy as np
import pandas as pd
import pytest
from frames import refused_file as refused

from hetsel.files.reading import read_table

CSV = "age,sex,n\n61.5,f,1\n?,m,2\n40,f,3\n"
FRAME = pd.DataFrame({"age": [61.5, np.nan, 40.0], "sex": ["f", "m", "f"], "n": [1, 2, 3]})


@pytest.fixture
def put(tmp_path):
    """Write a file and give its path."""

    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def equal(frame, wanted=FRAME):
    pd.testing.assert_frame_equal(frame, wanted)
    return True


# ---- what is read ------------------------------------------------------------------------------

FORMS = {
    "comma": ("a.csv", CSV, {}),
    "capital suffix": ("a.CSV", CSV, {}),
    "windows lines": ("a.csv", CSV.replace("\n", "\r\n"), {}),
    "old mac lines": ("a.csv", CSV.replace("\n", "\r"), {}),
    "no last newline": ("a.csv", CSV.rstrip(), {}),
    "blank lines": ("a.csv", "\n" + CSV.replace("\n", "\n\n") + "\n\n", {}),
    "blanks around cells": ("a.csv", CSV.replace(",", " , "), {}),
    "quoted": ("a.csv", CSV.replace("sex", '"sex"').replace("f", '"f"'), {}),
    "tab": ("a.tsv", CSV.replace(",", "\t"), {}),
    "text with tabs": ("a.txt", CSV.replace(",", "\t"), {}),
    "text with commas": ("a.txt", CSV, {}),
    "data with semicolons": ("a.data", CSV.replace(",", ";"), {}),
    "data with runs of blanks": ("a.data", "  " + CSV.replace(",", "   ").replace("\n", " \n"), {}),
    "given semicolon": ("a.csv", CSV.replace(",", ";"), {"separator": ";"}),
    "decimal comma": (
        "a.csv",
        CSV.replace(",", ";").replace("61.5", "61,5"),
        {"separator": ";", "decimal": ","},
    ),
    "byte order mark": ("a.csv", CSV.encode("utf-8-sig"), {}),
    "utf-16": ("a.csv", CSV.encode("utf-16"), {}),
    "utf-16 named": ("a.csv", CSV.encode("utf-16-le"), {"encoding": "utf-16-le"}),
    "gzip": ("a.csv.gz", gzip.compress(CSV.encode()), {}),
    "no header": ("a.csv", CSV.split("\n", 1)[1], {"header": False}),
}


@pytest.mark.parametrize(("name", "content", "options"), FORMS.values(), ids=FORMS)
def test_delimited_text(put, name, content, options):
    frame = read_table(put(name, content), **options)
    wanted = FRAME
    if options.get("header") is False:
        wanted = FRAME.set_axis(["x0", "x1", "x2"], axis=1)
    assert equal(frame, wanted)


def test_the_separator_that_was_found_is_told(put):
    (note,) = read_table(put("a.txt", CSV.replace(",", ";"))).attrs["notes"]
    assert "separated by ';'" in str(note)
    assert not read_table(put("a.csv", CSV)).attrs["notes"]


@pytest.mark.parametrize("mark", ["", "NA", "N/A", "NaN", "nan", "?", "null", "NULL", " ? "])
def test_missing_marks(put, mark):
    frame = read_table(put("a.csv", f"x,t\n1,a\n{mark},{mark}\n2.5,b\n"))
    assert frame.isna().sum().tolist() == [1, 1]
    assert frame["x"].dtype == float


def test_other_words_are_no_missing_marks(put):
    frame = read_table(put("a.csv", "x\nNone\n-\nunknown\n"))
    assert frame["x"].tolist() == ["None", "-", "unknown"]
    frame = read_table(put("a.csv", "x\n-\n1\nNA\n"), missing_marks=("-",))
    assert frame["x"].isna().tolist() == [True, False, False]


def test_flags_stay_flags_with_gaps(put):
    assert read_table(put("a.csv", "x\nTrue\nFalse\n"))["x"].dtype == bool
    frame = read_table(put("a.csv", "x,y\nTrue,1\n,2\nFalse,3\n"))
    assert frame["x"].tolist()[0] is True
    assert frame["x"].isna().tolist() == [False, True, False]


def test_cells_may_hold_the_separator_and_line_ends(put):
    frame = read_table(put("a.csv", 'x,y\n"a,b",1\n"c\nd",2\n'))
    assert frame["x"].tolist() == ["a,b", "c\nd"]


def test_names_beyond_ascii(put):
    assert list(read_table(put("a.csv", "größe,年齢\n1,2\n")).columns) == ["größe", "年齢"]
    content = "größe,b\n1,é\n".encode("latin-1")
    frame = read_table(put("a.csv", content), encoding="latin-1")
    assert list(frame.columns) == ["größe", "b"]
    assert frame["b"].tolist() == ["é"]


def test_numbers_as_names_are_names_when_the_user_says_so(put):
    path = put("a.csv", "1007,class\n0.5,a\n0.7,b\n")
    refused(path, "does not look like column names: it has 1007", "header=True")
    assert list(read_table(path, header=True).columns) == ["1007", "class"]


def test_parquet_keeps_types(tmp_path):
    frame = FRAME.assign(sex=FRAME["sex"].astype("category"))
    frame.to_parquet(tmp_path / "a.parquet")
    back = read_table(tmp_path / "a.parquet")
    assert equal(back, frame)


# ---- what is refused ---------------------------------------------------------------------------

GERMAN = CSV.replace(",", ";")
REFUSED = {
    "empty": ("a.csv", "", ["a.csv is empty"]),
    "blank": ("a.csv", " \n\n", ["is empty"]),
    "header only": ("a.csv", "a,b\n", ["has column names but no rows"]),
    "too many cells": (
        "a.csv",
        "a,b\n1,2\n1,2,3\n",
        ["line 3 of a.csv must have 2 values", "Got 3"],
    ),
    "too few cells": ("a.csv", "a,b\n1,2\n1\n", ["line 3 of a.csv must have 2 values", "Got 1"]),
    "open quote": ("a.csv", 'a,b\n"x,1\ny,2\n', ["must have 2", "open quotation mark"]),
    "semicolons": ("a.csv", GERMAN, ["contains ';'", "separator=';'"]),
    "tabs": ("a.csv", CSV.replace(",", "\t"), ["separator='\\t'"]),
    "blanks": ("a.csv", CSV.replace(",", " "), ["separator=' '"]),
    "commas in tsv": ("a.tsv", CSV, ["separator=','"]),
    "no separator fits": (
        "a.txt",
        "a\n1\n2\n",
        ["no separator fits", "Use separator= to name it", "'\\t'"],
    ),
    "two separators fit": ("a.txt", "a,b;c\n1,2;3\n", ["several fit: ',', ';'"]),
    "decimal commas": ("a.tsv", "a\tb\n1,5\t2\n3\t4\n", ["column 'a'", "'1,5'", "decimal=','"]),
    "latin-1": ("a.csv", "a,b\n1,é\n".encode("latin-1"), ["0xe9 in line 2", "encoding='latin-1'"]),
    "duplicate names": ("a.csv", "a,b,a\n1,2,3\n", ["must be unique", "'a' more than once"]),
    "quoted duplicates": ("a.csv", 'a,"a "\n1,2\n', ["'a' more than once"]),
    "no name": ("a.csv", "a,,b\n1,2,3\n", ["column 2 of a.csv has no name"]),
    "no header": ("a.csv", "1.5,a\n2.5,b\n", ["it has 1.5", "header=False"]),
    "a mark as name": ("a.csv", "republican,?\nx,y\n", ["it has ?"]),
    "zip": ("a.csv", b"PK\x03\x04abc", ["is not a text file but a zip archive"]),
    "gzip by another name": ("a.csv", gzip.compress(b"a"), ["a gzip file: rename it to .gz"]),
    "zero bytes": ("a.csv", b"a,b\n\0\1\2,3\n", ["is not a text file", "bytes with the value 0"]),
    "broken gzip": ("a.csv.gz", gzip.compress(b"a,b\n1,2\n" * 99)[:-12], ["cannot be unpacked"]),
    "no gzip": ("a.csv.gz", "a,b\n1,2\n", ["cannot be unpacked", "not of this format"]),
    "text named as a workbook": ("a.xlsx", CSV, ["a.xlsx cannot", "Rename it to .csv or .tsv"]),
    "broken workbook": ("a.xls", b"PK\x03\x04", ["a.xls cannot be read as a workbook"]),
    "a text document": ("a.odt", b"PK\x03\x04", ["the format of a.odt is unknown", ".csv", ".ods"]),
    "no suffix": ("table", CSV, ["the format of table is unknown"]),
    "no parquet": ("a.parquet", CSV, ["cannot be read as Parquet"]),
}


@pytest.mark.parametrize(("name", "content", "words"), REFUSED.values(), ids=REFUSED)
def test_a_file_that_cannot_be_read_is_refused(put, name, content, words):
    refused(put(name, content), *words)


def test_no_such_file_and_folders(tmp_path):
    refused(tmp_path / "a.csv", "no such file")
    (tmp_path / "b.csv").mkdir()
    refused(tmp_path / "b.csv", "is a folder")


def test_one_mark_for_missing_cells_is_one(put):
    path = put("marks.csv", "a,b\n9,x\n-9,y\n4,-\n")
    frame = read_table(path, missing_marks="-9")
    assert (frame["a"].fillna(0).tolist(), frame["b"].tolist()) == ([9, 0, 4], ["x", "y", "-"])
    assert frame.equals(read_table(path, missing_marks=["-9"]))


def test_options_out_of_range(put):
    path = put("a.csv", CSV)
    refused(path, "missing_marks must be texts, for example ['NA', '-9']. Got 5", missing_marks=5)
    refused(
        path, "missing_marks must be texts, for example ['NA', '-9']. Got None", missing_marks=None
    )
    refused(path, "separator must be one of", separator=":")
    refused(path, "header must be True, False or None. Got 'maybe'", header="maybe")
    refused(path, "decimal must be '.' or ','. Got ';'", decimal=";")
    refused(
        path,
        "encoding must be a known one, such as 'utf-8' or 'latin-1'. Got 'latin-99'",
        encoding="latin-99",
    )
    refused(put("b.csv", "a\né\n"), "is not ascii text", "line 2", encoding="ascii")


def test_parquet_without_pyarrow_names_the_extra(put, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    refused(put("a.parquet", b"PAR1"), "pip install 'hetsel[files]'")


def test_an_empty_parquet_file_is_refused(tmp_path):
    FRAME.iloc[:0].to_parquet(tmp_path / "a.parquet")
    refused(tmp_path / "a.parquet", "has columns but no rows")


# ---- ARFF --------------------------------------------------------------------------------------

ARFF = r"""% a comment
@RELATION 'some relation'
@attribute age NUMERIC
@attribute 'blood group' {'A', "B", 'A B', o\'x}
@attribute name string
@attribute "when" date "yyyy-MM-dd HH:mm"
@attribute n integer
@data
% another comment
61.5, 'A B', 'x, \'y\'', "2020-01-31 12:00", 3

?,?,?,?,?
-1e3,A,plain,'2021-12-01 00:00',4
2,'B','?',"2021-12-01 00:00",5
"""


def test_arff_is_typed(put):
    frame = read_table(put("a.arff", ARFF))
    assert frame["age"].tolist()[0::2] == [61.5, -1000.0]
    assert frame["age"].isna().tolist() == [False, True, False, False]
    assert list(frame["blood group"].cat.categories) == ["A", "B", "A B", r"o\'x"]
    assert frame["blood group"].astype(object).tolist()[0] == "A B"
    assert frame["blood group"].isna().tolist() == [False, True, False, False]
    assert frame["name"].tolist()[0] == "x, 'y'"
    assert frame["name"].isna().tolist() == [False, True, False, False]  # a quoted ? is text
    assert frame["when"].tolist()[0] == pd.Timestamp("2020-01-31 12:00")
    assert frame["when"].isna().tolist() == [False, True, False, False]
    assert frame["n"].tolist()[2:] == [4.0, 5.0]


def test_arff_gzipped(put):
    frame = read_table(put("a.arff.gz", gzip.compress(ARFF.encode())))
    assert frame.shape == (4, 5)


HEAD = "@relation r\n@attribute x numeric\n@attribute y {a,b}\n"
REFUSED_ARFF = {
    "sparse": (HEAD + "@data\n{0 1.5}\n", "sparse ARFF"),
    "ragged": (
        HEAD + "@data\n1,a\n1\n",
        "line 6 of a.arff must have 2 values, one per attribute. Got 1",
    ),
    "unknown level": (HEAD + "@data\n1,c\n", "the levels of 'y' must be a, b. Got c"),
    "no number": (HEAD + "@data\none,a\n", "'x' is declared as numeric, but"),
    "no rows": (HEAD + "@data\n", "has attributes but no rows"),
    "no data": (HEAD, "lacks @attribute or @data"),
    "relational": ("@relation r\n@attribute x relational\n@data\n1\n", "Got 'relational'"),
    "duplicates": (HEAD + "@attribute x string\n@data\n1,a,b\n", "'x' more than once"),
    "open quote": (HEAD + "@data\n1,'a\n", "open quotation mark"),
    "open levels": ("@relation r\n@attribute x {a,b\n@data\na\n", "must end with }"),
    "no attribute": (
        "@relation r\n@attribute x\n@data\n1\n",
        "must have the form @attribute name type",
    ),
    "other text": (CSV, "is not ARFF: it must begin with @attribute or @data"),
    "date": ("@relation r\n@attribute x date 'EEE'\n@data\n1\n", "Got 'EEE'"),
    "bad date": ("@relation r\n@attribute x date\n@data\n2020\n", "is declared as date, but"),
}


@pytest.mark.parametrize(("content", "words"), REFUSED_ARFF.values(), ids=REFUSED_ARFF)
def test_an_arff_file_that_cannot_be_read_is_refused(put, content, words):
    refused(put("a.arff", content), words)
