import numpy as np
import pytest
from frames import mixed_frame

from hetsel import Schema
from hetsel.kernels.feature_kernels import FeatureKernels
from hetsel.search.canonical import canonical_form
from hetsel.tables.table import Table


def encoded(seed=0, n=60, missing=0.0, **options):
    frame, y = mixed_frame(n, 6, 4, seed=seed, missing=missing, **options)
    return Schema.infer(frame).encode(frame).resolve_missing("separate"), y


def changed(table, y, rng):
    """Other order of rows and columns, other names of levels and other units."""
    n, p = table.shape
    values = table.values.copy()
    for j in range(p):
        if table.nominal[j]:
            names = rng.permutation(int(values[:, j].max()) + 1)
            values[:, j] = names[values[:, j].astype(int)]
        else:
            values[:, j] = rng.choice([-1, 1]) * rng.uniform(0.1, 9) * values[:, j] + rng.normal()
    rows, columns = rng.permutation(n), rng.permutation(p)
    return Table(values, table.schema).take(rows, columns), y[rows], columns


def numbers(table):
    """The numbers, and the levels in the order of their appearance: both without names."""
    out = table.values.copy()
    for j in np.flatnonzero(table.nominal):
        _, first, codes = np.unique(out[:, j], return_index=True, return_inverse=True)
        out[:, j] = np.argsort(np.argsort(first))[codes]
    return out


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_changed_tables_have_the_same_form_to_the_bit(seed, missing):
    table, y = encoded(seed, missing=missing, classes=2 + seed % 2)
    here, codes = canonical_form(table, y)
    rng = np.random.default_rng(seed)
    for _ in range(5):
        other, classes, columns = changed(table, y, rng)
        there, others = canonical_form(other, classes)
        np.testing.assert_array_equal(others, codes)
        np.testing.assert_array_equal(numbers(there), numbers(here)[:, columns])


def test_the_form_of_levels_alone():
    """Rows that share all their cells may change places: the form stays the same."""
    rng = np.random.default_rng(3)
    levels = rng.integers(0, 3, size=(40, 5)).astype(float)
    frame, _ = mixed_frame(40, 0, 5)
    schema = Schema.infer(frame)
    table, y = Table(levels, schema), np.arange(40) % 2
    here, codes = canonical_form(table, y)
    for _ in range(5):
        rows = rng.permutation(40)
        there, others = canonical_form(table.take(rows), y[rows])
        np.testing.assert_array_equal(others, codes)
        np.testing.assert_array_equal(numbers(there), numbers(here))


def test_the_kernels_are_those_of_the_table():
    table, y = encoded(seed=2, missing=0.1)
    form, codes = canonical_form(table, y)
    weights = np.random.default_rng(0).random(table.shape[1])
    here = FeatureKernels(table).gram(weights).copy()
    there = FeatureKernels(form).gram(weights)
    # in another order of the rows, which the class and the row sums tell
    np.testing.assert_allclose(np.sort(there.sum(axis=1)), np.sort(here.sum(axis=1)), atol=1e-4)
    np.testing.assert_allclose(
        np.sort(np.linalg.eigvalsh(there)), np.sort(np.linalg.eigvalsh(here)), atol=1e-5
    )
    np.testing.assert_array_equal(np.sort(codes), np.sort(y))


def test_a_column_that_mirrors_itself_is_turned_by_a_cell():
    """0 and 1 in equal numbers, in each class too: no mean tells one end from the other."""
    first = np.tile([0.0, 0.0, 1.0, 1.0], 10)
    second = np.random.default_rng(0).normal(size=40)
    y = np.tile([0, 1], 20)
    schema = Schema.infer(np.column_stack([second, second]))
    for flipped in (first, 1.0 - first):
        form, _ = canonical_form(Table(np.column_stack([flipped, second]), schema), y)
        assert form.values[0, 0] == 0.0
    here, _ = canonical_form(Table(np.column_stack([first, second]), schema), y)
    np.testing.assert_array_equal(form.values, here.values)
