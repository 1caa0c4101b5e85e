"""One form of a table in bins, against the canonical form of all cells, and under other names."""

import numpy as np
import pandas as pd
import pytest
from binned_cells import binned
from mixed_tables import mixed

from hetsel import Schema
from hetsel.kernels.binned.binned_columns import ROWS_IN_CANONICAL_ORDER, binned_form
from hetsel.tables.canonical_table import canonical_form


def frame_of(seed, n, missing=0.0):
    """Numbers, balanced 0 and 1, copies, few values, levels; classes."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, size=n)
    flag = np.arange(n) % 2
    frame = pd.DataFrame(
        {
            "number": rng.normal(size=n) + y,
            "skewed": rng.gamma(0.3, size=n),
            "flag": rng.permutation(flag).astype(float),
            "other": rng.permutation(flag).astype(float),
            "few": rng.integers(0, 4, size=n).astype(float),
            "level": pd.Categorical(rng.choice(list("abcde"), size=n)),
            "pair": pd.Categorical(rng.choice(["no", "yes"], size=n)),
        }
    )
    frame["copy"] = frame["number"]
    if missing:
        frame = frame.mask(rng.random(frame.shape) < missing)
    return frame, y


def table_of(frame, missing="separate"):
    return Schema.infer(frame).encode(frame).resolve_missing(missing)


def same(one, other):
    for left, right in zip(one.columns, other.columns, strict=True):
        np.testing.assert_array_equal(left, right)
    np.testing.assert_array_equal(one.codes, other.codes)
    np.testing.assert_allclose(one.off, other.off, atol=2.0**-49)


@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_canonical_form_in_bins(seed, missing):
    for table, y in [
        (lambda frame, y: (table_of(frame), y))(*frame_of(seed, 900, missing)),
        mixed(seed, n=80, classes=3, missing=missing),
    ]:
        form, found = canonical_form(table, y), binned_form(table, y)
        np.testing.assert_array_equal(found.order, form.columns)
        np.testing.assert_array_equal(found.codes, form.codes)
        np.testing.assert_allclose(found.off, form.off, atol=2.0**-50)
        for own, slow in zip(found.columns, binned(form.cells, form.nominal), strict=True):
            np.testing.assert_array_equal(own, slow)


@pytest.mark.parametrize("n", [500, ROWS_IN_CANONICAL_ORDER + 1_000])
def test_it_does_not_know_how_rows_columns_levels_and_units_are_called(n):
    """Of few values and levels only, too, where many rows are alike."""
    rng = np.random.default_rng(n)
    for kept in (slice(None), slice(2, 7)):
        frame, y = frame_of(7, n, 0.05)
        frame = frame.iloc[:, kept]
        known = binned_form(table_of(frame), y)
        rows, columns = rng.permutation(n), rng.permutation(frame.shape[1])
        other = frame.iloc[rows, columns].reset_index(drop=True)
        for name in other.select_dtypes("number").columns:
            other[name] = 3.0 - 4.0 * other[name]
        names = dict(zip("abcde", rng.permutation(list("vwxyz")), strict=True))
        other["level"] = other["level"].cat.rename_categories(names)
        other = other.rename(columns=lambda name: f"{name} of mine")
        found = binned_form(table_of(other), y[rows])
        same(known, found)
        assert [f"{frame.columns[f]} of mine" for f in known.order] == list(
            other.columns[found.order]
        ) or "copy" in frame


def test_columns_with_one_head_are_ordered_by_all_of_their_cells():
    n = 1_500
    cells = np.tile(np.arange(n, dtype=float)[:, None], (1, 3))
    cells[-1, 0], cells[-2, 2] = 3.0, 5.0
    y = np.arange(n) % 2
    order = [binned_form(table_of(cells[:, list(p)]), y).order for p in [(0, 1, 2), (2, 0, 1)]]
    np.testing.assert_array_equal(np.array([0, 1, 2])[order[0]], np.array([2, 0, 1])[order[1]])
