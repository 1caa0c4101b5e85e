"""Large Parquet and Feather files, a group of columns at a time, are the same table."""

import numpy as np
import pandas as pd
import pytest

from hetsel.files import files_of_programs
from hetsel.files.reading import read_table
from hetsel.ground import memory
from hetsel.ground.errors import TableError

pytest.importorskip("pyarrow")

N = 50
FRAME = pd.DataFrame({f"x{j}": np.arange(N) * j / 7 for j in range(20)}).assign(
    text=["a", "b"] * 25,
    grade=pd.Categorical(["low", "high"] * 25, ["low", "high"], ordered=True),
    day=pd.date_range("2020-01-01", periods=N),
    flag=np.arange(N) % 2 == 0,
    gaps=pd.array([1, None] * 25, dtype="Int64"),
)
FRAMES = {
    "columns of every kind": FRAME,
    "named rows": FRAME.set_index("text"),
    "rows of two names": FRAME.set_index(["text", "x3"]),
    "rows by number": FRAME.set_index(np.arange(N) * 2),
    "names with points": FRAME.rename(columns={"x1": "x0.y", "x2": "x0.z"}),
    "names that are numbers": FRAME.filter(regex="^x").set_axis(range(20), axis=1),
    "names in two lines": FRAME.set_axis(
        pd.MultiIndex.from_tuples([(name, "m") for name in FRAME]), axis=1
    ),
    "few columns": FRAME[["x1", "text"]],
}


def written(suffix):
    """The frames that a format can hold: names of Feather are text."""
    for name, frame in FRAMES.items():
        if suffix == ".parquet" or all(isinstance(column, str) for column in frame.columns):
            yield pytest.param(frame, suffix, id=f"{name}{suffix}")


@pytest.mark.parametrize(("frame", "suffix"), [*written(".parquet"), *written(".feather")])
def test_groups_of_columns_are_the_whole_table(tmp_path, monkeypatch, frame, suffix):
    path = tmp_path / f"a{suffix}"
    if suffix == ".parquet":
        frame.to_parquet(path)
    else:
        frame.reset_index(drop=True).to_feather(path)
    whole = read_table(path)
    monkeypatch.setattr(files_of_programs, "LARGE", 0)
    read = []
    for name in ("read_parquet", "read_feather"):
        monkeypatch.setattr(pd, name, counted(getattr(pd, name), read))
    pd.testing.assert_frame_equal(read_table(path), whole)
    points = any("." in str(name) for name in frame.columns)
    assert len(read) == 1 if points else 1 < len(read) <= files_of_programs.GROUPS


@pytest.mark.seconds
@pytest.mark.parametrize("suffix", [".parquet", ".feather"])
@pytest.mark.parametrize("large", [0, files_of_programs.LARGE])
def test_an_index_that_has_a_name_is_columns(tmp_path, monkeypatch, suffix, large):
    monkeypatch.setattr(files_of_programs, "LARGE", large)
    path = tmp_path / f"a{suffix}"
    write = pd.DataFrame.to_parquet if suffix == ".parquet" else pd.DataFrame.to_feather
    indexes = {"one": ["text"], "two": ["text", "x3"], "categories": ["grade"], "dates": ["day"]}
    for names in indexes.values():
        write(FRAME.set_index(names), path)
        found = read_table(path)
        assert found.columns.tolist() == [*names, *FRAME.columns.drop(names)]
        plain = tmp_path / f"b{suffix}"
        write(FRAME, plain)
        pd.testing.assert_frame_equal(found, read_table(plain)[found.columns])
    write(FRAME.set_index("text", drop=False), path)
    assert read_table(path).columns.tolist() == FRAME.columns.tolist()
    write(FRAME.set_index(FRAME["x3"] + 1), path)
    with pytest.raises(TableError, match="a column and an index of the same name. Got 'x3'"):
        read_table(path)
    write(FRAME.set_index(FRAME["x3"].to_numpy() + 1), path)
    assert read_table(path).columns.tolist() == FRAME.columns.tolist()


def counted(reader, read):
    def reading(*args, **kwargs):
        read.append(kwargs.get("columns"))
        return reader(*args, **kwargs)

    return reading


@pytest.mark.parametrize("suffix", [".parquet", ".feather"])
def test_what_does_not_fit_into_memory_is_refused_before_it_is_read(tmp_path, monkeypatch, suffix):
    path = tmp_path / f"a{suffix}"
    frame = FRAME.filter(regex="^x")
    (frame.to_parquet if suffix == ".parquet" else frame.to_feather)(path)
    monkeypatch.setattr(files_of_programs, "LARGE", 0)
    monkeypatch.setattr(memory, "WORTH", 0)
    monkeypatch.setattr(memory, "available_memory", lambda: 8 * N * 20)
    assert read_table(path).shape == (N, 20)
    monkeypatch.setattr(memory, "available_memory", lambda: 8 * N * 20 - 1)
    with pytest.raises(TableError, match=rf"a{suffix} needs .* for {N} rows"):
        read_table(path)


@pytest.mark.parametrize("suffix", [".parquet", ".feather"])
def test_a_broken_file_is_refused_in_the_same_words(tmp_path, monkeypatch, suffix):
    path = tmp_path / f"a{suffix}"
    path.write_bytes(b"PAR1 no table at all")
    with pytest.raises(TableError, match="cannot be read as"):
        read_table(path)
    monkeypatch.setattr(files_of_programs, "LARGE", 0)
    with pytest.raises(TableError, match="cannot be read as"):
        read_table(path)
