"""Delimited text as pandas, R, Excel and people write it: read, or refused with the option."""

import numpy as np
import pandas as pd
import pytest

from hetsel import Table
from hetsel.files import reading
from hetsel.files.reading import read_table
from hetsel.ground.errors import TableError

FRAME = pd.DataFrame({"age": [61.5, np.nan, 40.0], "sex": ["f", "m", "f"], "n": [1, 2, 3]})
CSV = FRAME.to_csv(index=False)
SHORT = '"age" "sex" "n"\n"1" 61.5 "f" 1\n"2" NA "m" 2\n"3" 40 "f" 3\n'


@pytest.fixture
def read(tmp_path):
    """Write a file and read it."""

    def write_and_read(content, name="a.csv", **options):
        (tmp_path / name).write_text(content, newline="")
        return read_table(tmp_path / name, **options)

    return write_and_read


def notes(frame):
    return [str(note) for note in frame.attrs["notes"]]


def per_line(begin="", end=""):
    return "".join(f"{begin}{line}{end}\n" for line in CSV.splitlines())


ROW_NAMES = {
    "to_csv": ("a.csv", FRAME.to_csv()),
    "to_csv, names": ("a.csv", FRAME.set_axis(["p1", "p2", "p2"]).to_csv()),
    "write.csv": ("a.csv", FRAME.to_csv().replace("age", '"age"')),
    "write.table": ("a.txt", SHORT),
    "write.table, tabs": ("a.tsv", SHORT.replace(" ", "\t")),
    "write.table, commas": ("a.csv", SHORT.replace(" ", ",")),
    "write.table, names with blanks": ("a.txt", SHORT.replace('"2"', '"patient 2"')),
    "write.table, semicolons": ("a.txt", SHORT.replace(" ", ";")),
}


@pytest.mark.parametrize(("name", "content"), ROW_NAMES.values(), ids=ROW_NAMES)
def test_names_of_rows_are_left_out_and_that_is_said(read, name, content):
    frame = read(content, name)
    pd.testing.assert_frame_equal(frame, FRAME, check_dtype=False)
    assert any("row names" in note for note in notes(frame))


SAME = {
    "pipes": ("a.csv", CSV.replace(",", "|"), {"separator": "|"}),
    "pipes found": ("a.txt", CSV.replace(",", "|"), {}),
    "a separator at each end": ("a.csv", per_line(end=","), {}),
    "separators at each end": ("a.csv", per_line(end=",,,"), {}),
    "at the ends of the rows": ("a.csv", per_line(end=",").replace("n,\n", "n\n"), {}),
    "at the end of the header": ("a.csv", CSV.replace("n\n", "n,\n", 1), {}),
    "a title": ("a.csv", "Results of 2020\n\n" + CSV, {"skip": 1}),
    "comments": ("a.csv", "# ours\n# of Monday, of Tuesday\n" + CSV, {"skip": 2}),
    "a wide title": ("a.csv", "Results,,\n" + CSV, {"skip": 1}),
    "as Excel names it": ("a.csv", "sep=;\n" + CSV.replace(",", ";"), {}),
}


@pytest.mark.parametrize(("name", "content", "options"), SAME.values(), ids=SAME)
def test_what_is_around_the_table_is_no_part_of_it(read, name, content, options):
    pd.testing.assert_frame_equal(read(content, name, **options), FRAME)


REFUSED = {
    "a title": ("a.csv", "Results of 2020\n" + CSV, "skip=1"),
    "a title with commas": ("a.csv", "ours, theirs\na,b,c,d\n1,2,3,4\n", "first line"),
    "two comments": ("a.csv", "# ours\n# of Monday\n" + CSV, "skip=2"),
    "a comment above tabs": ("a.txt", "# ours\n" + CSV.replace(",", "\t"), "skip=1"),
    "a wide title": ("a.csv", "Results,,\n" + CSV, "skip=1"),
    "a title with the other separator": ("a.csv", "ours; theirs\n\n" + CSV, "skip=1"),
    "a comment below": ("a.csv", CSV + "# the end\n", "line 5 of a.csv must have 3 values"),
    "pipes in a csv": ("a.csv", CSV.replace(",", "|"), "separator='|'"),
    "decimal commas": ("a.csv", "x;y\n1,5;2,5\n1,0;2,0\n", "separator=';'"),
    "a column without a name": ("a.csv", "a,,b\n1,2,3\n4,5,6\n", "column 2"),
    "a last one without": ("a.csv", "a,b,\n1,2,3\n4,5,\n", "column 3"),
    "a last one far below": ("a.csv", "a,\n" + "1,\n" * 60 + "1,2\n", "column 2"),
    "a header and no more": ("a.csv", "x,y", "a.csv has column names but no rows"),
    "nothing after its separator": ("a.csv", "sep=;\n", "no table after 1 skipped line"),
    "nothing after the lines": ("a.csv", CSV, "no table after 9 skipped lines"),
    "names of rows twice": ("a.csv", "title,of it\na,b,c\n1,2,3\n1,2,4\n", "twice"),
}


@pytest.mark.parametrize(("name", "content", "words"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_table_is_refused_with_the_option_that_helps(read, name, content, words):
    with pytest.raises(TableError) as reason:
        read(content, name, **({"skip": 9} if "9 skipped" in words else {}))
    assert words in str(reason.value)
    assert "\n" not in str(reason.value)


def test_lines_are_counted_from_the_first_of_the_file(read):
    with pytest.raises(TableError, match="line 5 of a.csv must have . values.* Got 2 values"):
        read("# ours\na,b,c\n1,2,3\n4,5,6\n7,8\n", skip=1)


COMMAS = {"decimal": ","}
SIGNED = {
    "percent": (["12 %", "7.5 %", "100 %"], {}, [12, 7.5, 100]),
    "percent without a blank": (["12%", "7%", "-1%"], {}, [12, 7, -1]),
    "dollars": (["$1200", "$0.5", "-$7"], {}, [1200, 0.5, -7]),
    "euros": (["0,5 €", "3 €", ""], COMMAS, [0.5, 3, np.nan]),
    "grouped dollars": (["$1,200", "$950.5", "$1,234,567"], {"thousands": ","}, None),
    "grouped": (["1,200", "950.5", "1,234,567"], {"thousands": ","}, None),
    "German": (["1.200", "950,5", "1.234.567"], {"thousands": ".", **COMMAS}, None),
    "French": (["1 200", "950,5", "1\u202f234\u202f567"], {"thousands": " ", **COMMAS}, None),
    "Swiss": (["1'200", "950.5", "1’234’567"], {"thousands": "'"}, None),
    "a typographic minus": (["−1.5", "2", "−0.5"], {}, [-1.5, 2, -0.5]),
}


@pytest.mark.parametrize(("cells", "options", "values"), SIGNED.values(), ids=SIGNED)
def test_signs_and_groups_of_digits_are_read(read, cells, options, values):
    content = pd.DataFrame({"x": cells, "y": ["a", "b", "c"]}).to_csv(index=False, sep=";")
    frame = read(content, **{"separator": ";", **options})
    expected = [1200, 950.5, 1234567] if values is None else values
    np.testing.assert_array_equal(frame["x"].to_numpy(dtype=float), expected)
    signs = {"%", "$", "€"} & set("".join(cells))
    assert len(notes(frame)) == len(signs)
    assert all(f"without {sign!r}" in note for sign in signs for note in notes(frame))


OPEN_MARKS = {
    "one comma": (
        ["1,5", "2", "3,25"],
        {},
        ["If ',' is the decimal", "decimal=','"],
        ["thousands"],
    ),
    "groups by commas": (["1,200", "950"], {}, ["decimal=','", "thousands=','"], []),
    "both": (["1,200.5", "950"], {}, ["thousands=','"], ["decimal"]),
    "both, German": (["1.200,5", "950"], {}, ["decimal=','", "thousands='.'"], []),
    "dollars": (["$1,200", "$950"], {}, ["thousands=','"], []),
    "points beside decimal commas": (["1.200", "950"], {"decimal": ","}, ["thousands='.'"], []),
}


@pytest.mark.parametrize(
    ("cells", "options", "words", "not_words"), OPEN_MARKS.values(), ids=OPEN_MARKS
)
def test_numbers_with_marks_that_are_open_are_refused(read, cells, options, words, not_words):
    content = pd.DataFrame({"x": cells, "y": ["a", "b", "c"][: len(cells)]}).to_csv(
        index=False, sep=";"
    )
    with pytest.raises(TableError, match="column 'x' of a.csv has numbers") as reason:
        read(content, separator=";", **options)
    assert all(word in str(reason.value) for word in words)
    assert not any(word in str(reason.value) for word in not_words)


@pytest.mark.parametrize(
    "cells",
    [
        ["$5", "5 €"],
        ["5 %", "5"],
        ["5 mg", "6 mg"],
        ["A5", "A6"],
        ["5-6", "7-8"],
        ["1:5", "2:7"],
        ["٣%", "٤%"],
        ["0٣", "0٤"],
        ["１２", "３４"],
    ],
)
def test_text_with_digits_stays_text(read, cells):
    frame = read(pd.DataFrame({"x": cells, "y": [1, 2]}).to_csv(index=False))
    assert frame["x"].tolist() == cells
    assert not notes(frame)


def test_groups_of_digits_by_blanks_are_noted(read):
    frame = read("x,y\n120 080,1\n130 090,2\n")
    assert frame["x"].tolist() == ["120 080", "130 090"]
    assert [note for note in notes(frame) if "thousands=' '" in note]


def test_leading_zeros_are_dropped_with_a_note_unless_they_tell_codes_apart(read):
    frame = read("zip,x,n,code\n01234,0.5,-05,7\n10001,-0.25,1.5,007\nNA,01,2,7\n")
    np.testing.assert_array_equal(frame["zip"], [1234, 10001, np.nan])
    assert frame["x"].tolist() == [0.5, -0.25, 1.0]
    assert frame["n"].tolist() == [-5, 1.5, 2]
    assert frame["code"].tolist() == ["7", "007", "7"]
    (note,) = notes(frame)
    assert "zip: whole numbers lost their leading zeros" in note
    assert "nominal=['zip']" in note


@pytest.mark.parametrize(
    "options",
    [
        {"thousands": ";"},
        {"thousands": " '"},
        {"thousands": "."},
        {"skip": -1},
        {"skip": True},
        {"skip": "1"},
    ],
)
def test_marks_and_lines_out_of_range_are_refused(read, options):
    with pytest.raises(TableError, match="must be"):
        read(CSV, **options)


@pytest.mark.parametrize(
    "form", ["{}", "{:,}", "{} %"], ids=["plain", "in groups of digits", "with a sign"]
)
def test_whole_numbers_beside_a_gap_are_read_as_they_are(read, form):
    whole = [2**60 + k for k in range(9)]
    rows = [f"{form.format(k)};1" for k in whole]
    frame = read("\n".join(["k;n", *rows, ";2", ""]), separator=";", thousands=",")
    assert frame["k"].dropna().tolist() == whole
    with pytest.raises(TableError, match="'k'.*floating-point numbers"):
        Table.read(frame, continuous=["k"])
    small = read("k;n\n9007199254740992;1\n;2\n", separator=";")
    assert small["k"].dtype == float


@pytest.mark.parametrize("many", [1, 30])
def test_each_of_many_columns_of_text_is_read_as_if_it_stood_alone(read, many):
    columns = {
        "plain": (["u", "v", "u"], ["u", "v", "u"]),
        "blanks": (["\u00a0u", "v", "u"], ["u", "v", "u"]),
        "marks": (["u", " ? ", "u"], ["u", np.nan, "u"]),
        "formula": (["'=1", "x", "x"], ["=1", "x", "x"]),
        "euros": (["€ 1", "€ 2", "€ 3"], [1, 2, 3]),
        "some": (["€ 1", "two", "€ 3"], ["€ 1", "two", "€ 3"]),
        "codes": (["007", "08", "x"], ["007", "08", "x"]),
        "nothing": (["?", "?", "?"], [np.nan] * 3),
        "number": (["0.5", "1e-05", "2"], [0.5, 1e-05, 2.0]),
    }
    names = [f"{name}{k}" for k in range(many) for name in columns]
    cells = [columns[name.rstrip("0123456789")] for name in names]
    rows = [",".join(given[i] for given, _ in cells) for i in range(3)]
    frame = read("\n".join([",".join(names), *rows]) + "\n")
    assert frame.columns.tolist() == names
    for name, (_, wanted) in zip(names, cells, strict=True):
        expected = pd.Series(wanted, name=name, dtype=object)
        pd.testing.assert_series_equal(frame[name].astype(object), expected)
    notes = [str(note) for note in frame.attrs["notes"]]
    assert [note.partition(":")[0] for note in notes] == [f"euros{k}" for k in range(many)]


def test_marks_of_spreadsheets_and_of_pandas_are_missing_and_none_is_a_level(read):
    marks = ["n/a", "#N/A", "<NA>", "NA", "N/A", "null"]
    lines = [f"{mark},{mark},{word}" for mark, word in zip(marks, ["None", "no"] * 3, strict=True)]
    frame = read("\n".join(["x,t,w", "1.5,a,no", *lines, "2,b,None"]) + "\n")
    assert frame["x"].isna().sum() == frame["t"].isna().sum() == len(marks)
    assert frame["x"].dtype == float
    assert sorted(frame["w"].unique()) == ["None", "no"]


def test_names_of_columns_among_the_rows_are_refused_with_their_line(read, monkeypatch):
    text = "x,g\n1.5,a\n2.5,b\nx,g\n3.5,a\n"
    with pytest.raises(TableError, match="line 4 of a.csv repeats the column names"):
        read(text)
    with pytest.raises(TableError, match="line 5 of a.tsv repeats"):
        read(("title\n" + text).replace(",", "\t"), "a.tsv", skip=1)
    monkeypatch.setattr(reading, "LARGE", 16)
    large = text.replace("x,g\n1.5", "x,g\n" + "0.5,b\n" * 60 + "1.5")
    with pytest.raises(TableError, match="line 64 of b.csv repeats"):
        read(large, "b.csv")
    # a cell that is called as its column is none
    assert read("x,g\n1.5,g\n2.5,b\n", "c.csv")["g"].tolist() == ["g", "b"]
    assert len(read("x,g\nx,g\n1.5,a\n", "d.csv", header=False)) == 3


def test_the_names_of_columns_without_a_header_are_told(read):
    frame = read("1.5,a,2\n2.5,b,3\n", header=False)
    (note,) = frame.attrs["notes"]
    assert frame.columns.tolist() == ["x0", "x1", "x2"]
    assert str(note).endswith("x0, x1, x2")
    (note,) = read("1.5,a,2,3,4,5,6\n2.5,b,3,4,5,6,7\n", "w.csv", header=False).attrs["notes"]
    assert "x0, x1, x2, x3, x4, ... (7 in all)" in str(note)


def test_a_cell_that_is_too_long_is_refused_with_its_likely_cause(read):
    with pytest.raises(TableError, match="131,072 characters.* open quotation mark"):
        read('x,y\n1,"b\n' + "2,c\n" * 50_000)
