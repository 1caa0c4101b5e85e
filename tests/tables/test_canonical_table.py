import numpy as np
import pytest
from frames import kernels_of, mixed_frame

from hetsel import Schema
from hetsel.kernels.feature_kernels import FeatureKernels
from hetsel.tables import Table
from hetsel.tables.canonical_table import canonical_form


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


def assert_the_same_form(there, here):
    for one, other in zip(there[:3], here[:3], strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_changed_tables_have_the_same_form_to_the_bit(seed, missing):
    table, y = encoded(seed, missing=missing, classes=2 + seed % 2)
    here = canonical_form(table, y)
    rng = np.random.default_rng(seed)
    for _ in range(5):
        other, classes, columns = changed(table, y, rng)
        there = canonical_form(other, classes)
        assert_the_same_form(there, here)
        np.testing.assert_array_equal(columns[there.columns], here.columns)


def test_the_form_of_levels_alone():
    """Rows that share all their cells may change places: the form stays the same."""
    rng = np.random.default_rng(3)
    levels = rng.integers(0, 3, size=(40, 5)).astype(float)
    frame, _ = mixed_frame(40, 0, 5)
    schema = Schema.infer(frame)
    table, y = Table(levels, schema), np.arange(40) % 2
    here = canonical_form(table, y)
    for _ in range(5):
        rows = rng.permutation(40)
        assert_the_same_form(canonical_form(table.take(rows), y[rows]), here)


def test_the_kernels_are_those_of_the_table():
    table, y = encoded(seed=2, missing=0.1)
    form = canonical_form(table, y)
    weights = np.random.default_rng(0).random(table.shape[1])
    here = kernels_of(table).gram(weights)
    there = FeatureKernels(form.cells, form.nominal).gram(weights[form.columns])
    # in another order of the rows, which the class and the row sums tell
    np.testing.assert_allclose(np.sort(there.sum(axis=1)), np.sort(here.sum(axis=1)), atol=1e-4)
    np.testing.assert_allclose(
        np.sort(np.linalg.eigvalsh(there)), np.sort(np.linalg.eigvalsh(here)), atol=1e-5
    )
    np.testing.assert_array_equal(np.sort(form.codes), np.sort(y))


def test_a_column_that_mirrors_itself_is_turned_by_a_cell():
    """0 and 1 in equal numbers, in each class too: no mean tells one end from the other."""
    first = np.tile([0.0, 0.0, 1.0, 1.0], 10)
    second = np.random.default_rng(0).normal(size=40)
    y = np.tile([0, 1], 20)
    schema = Schema.infer(np.column_stack([second, second]))
    for flipped in (first, 1.0 - first):
        form = canonical_form(Table(np.column_stack([flipped, second]), schema), y)
        assert form.cells[form.columns.tolist().index(0), 0] == 0.0
    here = canonical_form(Table(np.column_stack([first, second]), schema), y)
    assert_the_same_form(form, here)
