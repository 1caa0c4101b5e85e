"""Objects of R as bytes: R itself says what they are."""

import subprocess

import msgspec
import numpy as np
import pandas as pd
import pytest

from r_bridge import r_vectors
from r_bridge.r_vectors import NA_INTEGER, RVector, dumps, loads, plain, texts

OBJECTS = """list(
  whole = 1:3, gaps = c(1L, NA), real = c(1.5, NA, NaN, -Inf), flags = c(TRUE, NA, FALSE),
  text = c("a", NA, "\\u00e4", ""), empty = list(integer(), double(), character(), logical()),
  none = NULL, factor = factor(c("u", NA, "v"), levels = c("v", "u")),
  order = factor("b", levels = c("a", "b"), ordered = TRUE), day = as.Date("2020-02-29"),
  time = as.POSIXct(0.5, origin = "1970-01-01", tz = "UTC"), span = as.difftime(2, units = "hours"),
  matrix = matrix(1:4, 2, dimnames = list(NULL, c("a", "b"))), bytes = as.raw(0:255),
  frame = data.frame(a = 1:2, b = c("x", NA), c = factor(c("p", "q"))), named = c(a = 1, b = 2),
  inside = list(list(a = 1, list()), "x")
)"""


def run(code):
    done = subprocess.run(
        ["Rscript", "--vanilla", "-e", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_what_r_writes_comes_back_as_it_was(tmp_path):
    there, back = tmp_path / "there", tmp_path / "back"
    write = f"writeBin(serialize({OBJECTS}, NULL, xdr = FALSE, version = 2), '{there}')"
    run(write)
    back.write_bytes(dumps(loads(there.read_bytes())))
    same = f"identical(unserialize(readBin('{back}', 'raw', 1e6)), {OBJECTS})"
    assert run(f"cat({same})") == "TRUE"


class Answer(msgspec.Struct):
    label: str
    share: float | None


def test_values_of_python_are_those_of_r(tmp_path):
    frame = pd.DataFrame({"n": [1, 2], "s": ["p", None], "c": pd.Categorical(["u", None])})
    value = {
        "one": 1, "real": [1.5, None], "text": ["x", None, "ä"], "flags": [True, None],
        "large": 3_000_000_000, "none": None, "frame": frame, "array": np.array([], dtype=float),
        "texts": texts([]), "answers": [Answer("a", 0.5)], "deep": {"in": {"side": (1, 2)}},
    }  # fmt: skip
    (tmp_path / "x").write_bytes(dumps(value))
    expected = """list(
      one = 1L, real = c(1.5, NA), text = c("x", NA, "\\u00e4"), flags = c(TRUE, NA), large = 3e9,
      none = NULL, frame = data.frame(n = 1:2, s = c("p", NA), c = factor(c("u", NA))),
      array = double(), texts = character(), answers = list(list(label = "a", share = 0.5)),
      deep = list("in" = list(side = 1:2))
    )"""
    file = tmp_path / "x"
    same = f"all.equal(unserialize(readBin('{file}', 'raw', 1e6)), {expected}, tolerance = 0)"
    assert run(f"cat({same})") == "TRUE"


def test_plain_values_are_one_or_several_by_name():
    vector = RVector("integer", np.array([1, NA_INTEGER], dtype=np.int32))
    named = RVector("list", [texts(["a"]), vector, None], {"names": texts(["x", "y", "z"])})
    assert plain(loads(dumps(named))) == {"x": "a", "y": [1, None], "z": None}


@pytest.mark.parametrize("code", ["function(x) x", "quote(a + b)", "globalenv()"])
def test_what_holds_no_data_is_refused(tmp_path, code):
    run(f"writeBin(serialize({code}, NULL, xdr = FALSE, version = 2), '{tmp_path / 'x'}')")
    with pytest.raises(ValueError, match="holds no data"):
        loads((tmp_path / "x").read_bytes())


def test_another_format_is_refused():
    with pytest.raises(ValueError, match="serialize"):
        loads(b"X\n\0\0\0\2")


@pytest.mark.parametrize("count", [0, 2**31 - 1, 2**31, 3 * 2**31, 2**33 + 5])
def test_vectors_have_any_length(count):
    content = memoryview(r_vectors._length(count))
    assert r_vectors._Reader(content, 0)._length() == count
