"""Labels of figures: different names have different labels of limited length."""

import numpy as np
import pandas as pd
import pytest

from hetsel.report.figures.critical_difference import plot_critical_difference
from hetsel.report.figures.distinct_labels import LONGEST, distinct_labels
from hetsel.study.comparison.rank_tests import compare_ranks

PREFIX = "a very long name of a method that goes on and on"


@pytest.mark.parametrize(
    "names",
    [
        [f"{PREFIX} {k} {PREFIX}" for k in range(3)],
        [f"{k} {PREFIX}" for k in range(3)],
        [f"{PREFIX} {k}" for k in range(12)],
        ["x" * n for n in range(40, 60)],
        [f"{PREFIX} {k} {PREFIX} {j} {PREFIX}" for k in range(2) for j in range(2)],
        ["", " ", "age", "sex"],
    ],
)
def test_labels_are_short_and_different(names):
    labels = distinct_labels(names)
    assert len(set(labels)) == len(names)
    assert max(map(len, labels)) <= LONGEST


def test_short_names_and_repeated_names_stay():
    assert distinct_labels(["age", 7, "age"]) == ["age", "7", "age"]
    assert len(set(distinct_labels([PREFIX, PREFIX]))) == 1


def test_the_end_of_a_name_stays():
    (label,) = distinct_labels([f"{PREFIX}, mg per liter"])
    assert label.startswith("a very long")
    assert label.endswith("per liter")


def test_a_diagram_tells_long_names_apart():
    names = [f"{PREFIX} {k} {PREFIX}" for k in "abc"]
    scores = np.arange(12.0).reshape(4, 3)
    figure = plot_critical_difference(compare_ranks(pd.DataFrame(scores, columns=names), "table"))
    drawn = {text.get_text() for text in figure.axes[0].texts}
    assert set(distinct_labels(names)) <= drawn
