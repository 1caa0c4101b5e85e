"""Files of R are the data frame in them, as R writes it."""

import shutil
import subprocess

import pytest
from frames import refused_file as refused

from hetsel.files.reading import read_table
from hetsel.tables import Table

WRITE = """
options(stringsAsFactors = FALSE)
d <- data.frame(
  age = c(61.5, NA, 3), n = c(1L, NA, 3L), sex = factor(c("f", "m", NA), levels = c("m", "f")),
  grade = factor(c("low", "high", "mid"), levels = c("low", "mid", "high"), ordered = TRUE),
  flag = c(TRUE, NA, FALSE), town = c("Aachen", NA, "K\\u00f6ln")
)
for (how in c("gzip", "bzip2", "xz")) saveRDS(d, paste0(how, ".rds"), compress = how)
saveRDS(d, "none.rds", compress = FALSE)
saveRDS(d, "text.rds", ascii = TRUE)
save(d, file = "one.rda")
few <- d[1:2, 1:2]; m <- matrix(1:4, 2)
save(d, few, m, file = "several.RData")
saveRDS(m, "matrix.rds")
named <- d; row.names(named) <- c("p1", "p2", "p3"); saveRDS(named, "named.rds")
class(d) <- c("tbl_df", "tbl", "data.frame"); saveRDS(d, "tibble.rds")
l <- data.frame(id = 1:3)
l$sex <- structure(
  c(1, 2, NA), labels = c(male = 1, female = 2),
  class = c("haven_labelled", "vctrs_vctr", "double")
)
l$wide <- structure(c(1.5e-323, -0.0, 2e-323), class = "integer64")
saveRDS(l, "packages.rds")
l$m <- matrix(1:6, 3); saveRDS(l, "with_matrix.rds")
saveRDS(d[0, ], "empty.rds")
na <- data.frame(a = 1:4, f = addNA(factor(c("v", NA, "u", "v"))))
saveRDS(na, "na_level.rds")
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    if shutil.which("Rscript") is None:
        pytest.skip("R is not installed")
    folder = tmp_path_factory.mktemp("r")
    subprocess.run(
        ["Rscript", "--vanilla", "-e", WRITE], cwd=folder, check=True, capture_output=True
    )
    return folder


def test_a_level_that_is_na_is_a_missing_cell(folder):
    cells = read_table(folder / "na_level.rds")["f"]
    assert cells.cat.categories.tolist() == ["u", "v"]
    assert cells.isna().tolist() == [False, True, False, False]


@pytest.mark.parametrize(
    "name", ["gzip.rds", "bzip2.rds", "xz.rds", "none.rds", "text.rds", "tibble.rds", "one.rda"]
)
def test_factors_keep_their_levels_and_their_order(folder, name):
    frame = read_table(folder / name)
    kinds = {c.name: (c.kind, c.levels) for c in Table.read(frame).schema.columns}
    assert kinds == {
        "age": ("continuous", ()),
        "n": ("continuous", ()),
        "sex": ("nominal", ("m", "f")),
        "grade": ("ordinal", ("low", "mid", "high")),
        "flag": ("nominal", (False, True)),
        "town": ("nominal", ("Aachen", "Köln")),
    }
    gaps = {"age": [1], "n": [1], "sex": [2], "grade": [], "flag": [1], "town": [1]}
    assert {c: frame.index[frame[c].isna()].tolist() for c in frame} == gaps


def test_one_of_several_data_frames_is_named(folder):
    refused(folder / "several.RData", "2 data frames (d, few)", "sheet='d' or sheet='few'")
    assert read_table(folder / "several.RData", sheet="few").shape == (2, 2)
    refused(folder / "several.RData", "'d', 'few'", "Did you mean 'few'", sheet="fex")
    refused(folder / "matrix.rds", "contains no data frame")


def test_names_of_rows_are_left_out_with_a_note(folder):
    assert "row names" in str(read_table(folder / "named.rds").attrs["notes"][0])
    assert read_table(folder / "gzip.rds").attrs["notes"] == ()


def test_vectors_of_packages(folder):
    frame = read_table(folder / "packages.rds")
    column = Table.read(frame[["sex"]]).schema.columns[0]
    assert (column.kind, column.levels) == ("nominal", ("male", "female"))
    assert frame["wide"].tolist()[0::2] == [3, 4]
    assert frame["wide"].isna().tolist() == [False, True, False]


def test_what_is_no_table_is_refused_in_one_sentence(folder, tmp_path):
    refused(folder / "with_matrix.rds", "column 'm' of with_matrix.rds must be a vector")
    refused(folder / "empty.rds", "has columns but no rows")
    for name in ("a.rds", "a.rda"):
        (tmp_path / name).write_bytes(b"")
        refused(tmp_path / name, f"{name} is empty")
        (tmp_path / name).write_bytes(b"x,y\n1,2\n" * 99)
        refused(tmp_path / name, f"{name} cannot be read as a file of R")
        whole = (folder / "gzip.rds").read_bytes()
        (tmp_path / name).write_bytes(whole[: len(whole) // 2])
        refused(tmp_path / name, name, "cannot be")
