"""Packed files are what is in them, within bounds."""

import bz2
import gzip
import lzma
import zipfile

import numpy as np
import openpyxl
import pandas as pd
import pytest
from frames import refused_file as refused

from hetsel.files import reading, unpacking
from hetsel.files.reading import read_table

CSV = "age,sex\n61,f\n?,m\n54,f\n"
PACKERS = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}


def zipped(path, **files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


@pytest.mark.parametrize("packing", PACKERS)
def test_a_packed_table_is_the_table(tmp_path, packing):
    (tmp_path / "a.csv").write_text(CSV)
    path = tmp_path / f"a.csv{packing}"
    path.write_bytes(PACKERS[packing](CSV.encode()))
    pd.testing.assert_frame_equal(read_table(path), read_table(tmp_path / "a.csv"))
    whole = path.read_bytes()
    for content in (whole[: len(whole) // 2], b"age,sex\n61,f\n"):
        path.write_bytes(content)
        refused(path, f"{path.name} cannot be unpacked")


def test_a_zip_archive_is_the_one_file_in_it(tmp_path):
    (tmp_path / "a.csv").write_text(CSV)
    plain = read_table(tmp_path / "a.csv")
    files = {"data/patients.csv": CSV, "data/": "", "__MACOSX/data/._patients.csv": "x"}
    pd.testing.assert_frame_equal(read_table(zipped(tmp_path / "a.zip", **files)), plain)
    tabs = {"patients": CSV.replace(",", "\t")}  # the name of the archive says what it is
    pd.testing.assert_frame_equal(read_table(zipped(tmp_path / "a.tsv.zip", **tabs)), plain)
    refused(zipped(tmp_path / "b.zip", **{"a.csv": CSV, "b.csv": CSV}), "2 (a.csv, b.csv)")
    refused(zipped(tmp_path / "c.zip"), "must contain one file")
    refused(zipped(tmp_path / "d.zip", **{"a.parquet": b"PAR1"}), "Unpack it first")
    refused(zipped(tmp_path / "e.zip", **{"a.doc": b"x"}), "the format of e.zip is unknown")
    (tmp_path / "f.zip").write_bytes(b"no archive")
    refused(tmp_path / "f.zip", "f.zip cannot be unpacked")
    path = zipped(tmp_path / "g.csv.zip", **{"a.csv": CSV * 50})
    path.write_bytes(path.read_bytes().replace(b"PK\x03\x04\x14\0\0\0", b"PK\x03\x04\x14\0\1\0"))
    path.write_bytes(
        path.read_bytes().replace(b"PK\1\2\x14\3\x14\0\0\0", b"PK\1\2\x14\3\x14\0\1\0")
    )
    refused(path, "g.csv.zip has a password")


@pytest.mark.parametrize("packing", [*PACKERS, ".zip"])
def test_large_packed_text_is_read_by_blocks(tmp_path, monkeypatch, packing):
    monkeypatch.setattr(reading, "LARGE", 2**12)
    text = "x,g\n" + "".join(f"{i / 7!r},{'ab'[i % 2]}\n" for i in range(2000))
    path = tmp_path / f"a.csv{packing}"
    if packing == ".zip":
        zipped(path, **{"a.csv": text})
    else:
        path.write_bytes(PACKERS[packing](text.encode()))
    shares = []
    frame = read_table(path, watch=shares.append)
    assert shares  # only blocks have some
    np.testing.assert_array_equal(frame["x"], [i / 7 for i in range(2000)])
    assert frame["g"].tolist() == ["a", "b"] * 1000


@pytest.mark.seconds
@pytest.mark.parametrize("packing", [*PACKERS, ".zip"])
def test_blanks_that_no_table_is_made_of_are_refused_before_they_fill_the_memory(
    tmp_path, monkeypatch, packing
):
    monkeypatch.setattr(unpacking, "SUSPICIOUS", 2**20)
    monkeypatch.setattr(unpacking, "CHUNK", 2**18)
    text = b"x,y\n" + b" " * 2**24
    path = tmp_path / f"a.csv{packing}"
    if packing == ".zip":
        zipped(path, **{"a.csv": text})
    else:
        path.write_bytes(PACKERS[packing](text))
    refused(path, f"{path.name} has 0 MB but contains more than", "implausible for a table")


def test_what_does_not_fit_into_memory_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(unpacking, "WORTH", 0)
    monkeypatch.setattr(unpacking, "available_memory", lambda: 2**10)
    for name in ("a.csv", "a.csv.gz"):
        text = b"x,y\n" + b"1,2\n" * 1000
        (tmp_path / name).write_bytes(gzip.compress(text) if name.endswith("gz") else text)
        refused(tmp_path / name, f"{name} contains more than", "are free")


BLANKS = {
    "between the rows": ("<sheetData>", "<sheetData>" + " " * 2**22),
    "in a cell": ("<t>x</t>", f"<t>{' ' * 2**22}</t>"),
    "of empty cells": ("<sheetData>", "<sheetData>" + '<row r="9"><c r="A9"/></row>' * 2**17),
}


@pytest.mark.parametrize("where", BLANKS)
def test_a_workbook_of_blanks_is_refused_before_they_fill_the_memory(tmp_path, monkeypatch, where):
    book = openpyxl.Workbook()
    book.active.append(["x", "y"])
    book.active.append([1, 2])
    book.save(tmp_path / "plain.xlsx")
    assert read_table(tmp_path / "plain.xlsx").shape == (1, 2)
    path = tmp_path / "a.xlsx"
    old, new = BLANKS[where]
    with zipfile.ZipFile(tmp_path / "plain.xlsx") as plain:
        parts = {name: plain.read(name).decode() for name in plain.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    assert old in parts[sheet]
    zipped(path, **{**parts, sheet: parts[sheet].replace(old, new)})
    monkeypatch.setattr(unpacking, "SUSPICIOUS", 2**20)
    refused(path, "a.xlsx has 0 MB but contains more than", "save it as .csv")
