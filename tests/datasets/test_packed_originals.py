"""The loaders of USPS and lymphoma against their packed originals, unpacked here by hand."""

import bz2
import gzip
import lzma
import struct
import sys
import zlib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hetsel.datasets import load
from hetsel.datasets.readers import read_r_objects
from hetsel.datasets.sources import required_data_folder
from hetsel.ground.errors import TableError

USPS = ("usps/zip.train.RData", "usps/zip.test.RData")
LYMPHOMA = "lymphoma/lymphoma_62x4026.RData"
DISCRETE = "lymphoma/lymphoma_96x4026_discrete.mat"


@pytest.fixture
def at_hand():
    """What reads the originals is there."""
    pytest.importorskip("rdata")


def doubles(path, rows, columns):
    """The one matrix of this size in an .RData file, without a reader of that format."""
    packed = (required_data_folder() / path).read_bytes()
    unpack = {b"BZ": bz2.decompress, b"\xfd7": lzma.decompress, b"\x1f\x8b": gzip.decompress}
    content = unpack[packed[:2]](packed)
    length = struct.pack(">i", rows * columns)
    assert content.count(length) == 1
    start = content.index(length) + 4
    return np.frombuffer(content, ">f8", rows * columns, start).reshape(columns, rows).T


@pytest.mark.originals
@pytest.mark.slow
def test_usps_cell_by_cell(at_hand):
    data, binarized = load("usps"), load("usps-binarized")
    parts = [doubles(path, n, 257) for path, n in zip(USPS, (7291, 2007), strict=True)]
    rows = np.vstack(parts)
    np.testing.assert_array_equal(data.X.to_numpy(), rows[:, 1:])
    assert data.y.tolist() == rows[:, 0].tolist()
    assert binarized.y.tolist() == (rows[:, 0] >= 5).astype(int).tolist()
    pd.testing.assert_frame_equal(data.X, binarized.X)
    # as R 4.2 prints them
    training, rest = data.X[: data.n_training], data.X[data.n_training :]
    assert training.loc[0, ["r1c7", "r1c8", "r1c9", "r1c10"]].tolist() == [
        -1,
        -0.631,
        0.862,
        -0.167,
    ]
    assert training.to_numpy().sum() == pytest.approx(-916521.717)
    assert rest.to_numpy().sum() == pytest.approx(-238801.158)
    assert data.y[:5].tolist() == [6, 5, 4, 7, 3]
    assert data.y[data.n_training :].value_counts().sort_index().tolist() == [
        359, 264, 198, 166, 200, 160, 170, 147, 166, 177,
    ]  # fmt: skip


@pytest.mark.originals
@pytest.mark.slow
def test_a_pixel_s_name_is_its_place(at_hand):
    """A one is a vertical bar: dark in the middle of every row, light at both sides."""
    data = load("usps")
    mean = data.X[data.y == 1].mean()
    for row in range(2, 16):
        assert max(mean[[f"r{row}c8", f"r{row}c9"]]) > 0.4
        assert max(mean[[f"r{row}c1", f"r{row}c16"]]) < -0.9


@pytest.mark.originals
def test_lymphoma_cell_by_cell(at_hand):
    data = load("lymphoma")
    np.testing.assert_array_equal(data.X.to_numpy(), doubles(LYMPHOMA, 62, 4026))
    # as R 4.2 prints them
    assert data.X.iloc[0, :2].tolist() == [-0.37799424049709102, -0.72547122299093736]
    assert data.X.iloc[61, 4025] == 0.010957748990514819
    assert data.y.tolist() == [0] * 42 + [1] * 9 + [2] * 11


@pytest.mark.originals
def test_discrete_lymphoma_cell_by_cell(at_hand):
    """The file's elements are unpacked here without a reader of the format."""
    data = load("lymphoma-discrete")
    content, start, parts = (required_data_folder() / DISCRETE).read_bytes(), 128, []
    while start < len(content):
        kind, size = struct.unpack_from("<ii", content, start)
        assert kind == 15  # packed
        parts.append(zlib.decompress(content[start + 8 : start + 8 + size]))
        start += 8 + size
    values = next(part for part in parts if len(part) > 96 * 4026)
    wide = 2 if len(values) > 2 * 96 * 4026 else 1
    cells = np.frombuffer(values, f"<i{wide}", 96 * 4026, len(values) - 96 * 4026 * wide)
    np.testing.assert_array_equal(data.X.to_numpy(dtype=float), cells.reshape(4026, 96).T)
    assert all(column.cat.ordered for _, column in data.X.items())
    assert data.X["gene1"].cat.categories.tolist() == [-2, 0, 2]


def test_without_rdata_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "rdata", None)
    with pytest.raises(TableError, match=r"rdata is not installed.*'hetsel\[files\]'"):
        read_r_objects(Path("a.RData"))
