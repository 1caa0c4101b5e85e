"""Rows of the fit that are known again, and rows that equal them by chance."""

import numpy as np
import pandas as pd
import pytest

from hetsel.signature.validation.row_sketches import equal_by_chance, kept_rows, seen_rows
from hetsel.tables import Table


def binary(n, p, seed):
    draw = np.random.default_rng(seed)
    return pd.DataFrame({f"c{k}": draw.choice(["a", "b"], n) for k in range(p)})


def test_fresh_rows_of_few_levels_are_not_called_seen_and_the_rows_of_the_fit_are():
    equal = 0
    for seed in range(15):
        rows = binary(230, 14, seed)
        kept = kept_rows(Table.read(rows[:130]))
        seen, alike = seen_rows(kept, rows[130:])
        assert not seen.any()
        equal += alike.sum()
        assert seen_rows(kept, rows[:130])[0].all()
    assert equal > 3  # as 100 * 130 / 2^14 a table


def test_columns_of_many_digits_tell_a_single_row():
    draw = np.random.default_rng(7)
    rows = pd.DataFrame({"x": draw.normal(size=230), "z": draw.normal(size=230)})
    kept = kept_rows(Table.read(rows[:130]))
    assert not seen_rows(kept, rows[130:])[0].any()
    seen, _ = seen_rows(kept, pd.concat([rows[130:], rows[:1]]))
    assert (seen.sum(), seen[-1]) == (1, True)


@pytest.mark.parametrize("columns", [8, 11, 14])
def test_the_bound_of_equal_rows_holds(columns):
    true = 1 - (1 - 0.5**columns) ** 130
    bounds = [equal_by_chance(Table.read(binary(130, columns, k)), None) for k in range(10)]
    assert min(bounds) > true
    assert max(bounds) < max(20 * true, 0.6)


def test_equal_rows_of_one_group_make_no_chance():
    draw = np.random.default_rng(8)
    each = np.repeat(np.arange(40), 3)
    rows = pd.DataFrame(draw.normal(size=(40, 4)).round(3)[each], columns=list("wxyz"))
    assert equal_by_chance(Table.read(rows), each) < 1e-4
    assert equal_by_chance(Table.read(rows), None) > 0.5
