"""Blocks of columns: every column once, and the same bits as in the whole table."""

import numpy as np
import pytest
from frames import mixed_frame, told_frame
from test_conformance import fitting

from hetsel import get_method
from hetsel.ground import memory as module
from hetsel.ground.memory import column_blocks

KEYS = (
    "anova-f",
    "fisher-criterion",
    "fisher-score",
    "hsic",
    "kruskal-wallis",
    "mrmr",
    "pearson",
    "spearman",
)
KEYS += ("t-test", "univariate-tests", "variance")


@pytest.mark.parametrize("p", [*range(1, 12), 1000])
@pytest.mark.parametrize("n", [1, 1000, 300_000, 5_000_000])
def test_every_column_once_and_two_at_least_of_a_bounded_number_of_cells(n, p):
    blocks = column_blocks(n, p)
    columns = [j for block in blocks for j in range(p)[block]]
    assert columns == list(range(p))
    widths = [len(range(p)[block]) for block in blocks]
    assert min(widths) >= min(2, p)
    assert max(widths) <= max(3, module.CELLS // n + 1)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("target", ["classes", "numbers"])
def test_a_column_has_the_same_answer_in_a_block_as_in_the_table(key, missing, target, monkeypatch):
    method = get_method(key)
    if target not in method.about.targets:
        return
    options = {"n": 70, "continuous": 9, "nominal": 4, "missing": missing}
    frame, y = mixed_frame(**options) if target == "classes" else told_frame("numbers", **options)
    frame = fitting(key, frame)
    told = []
    for cells in (module.CELLS, 1):
        monkeypatch.setattr(module, "CELLS", cells)
        selector = method(missing="separate").fit(frame, y)
        told.append([selector.importances_, *selector.answer_.extras.values()])
    for one, other in zip(*told, strict=True):
        np.testing.assert_array_equal(one, other)
