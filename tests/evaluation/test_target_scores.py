"""Which rows count where a signature is judged, and what is said of too few."""

from types import SimpleNamespace

import numpy as np
import pytest

from hetsel.evaluation.target_scores import FEW_VALUES, FEWEST_VALUES, target_scores
from hetsel.tables import Classes, Numbers, Survival


def drawn(kind, count, copies=1, groups=False):
    """A table whose target has so many values, each in some rows of one group."""
    known = np.repeat(np.arange(count), copies)
    if kind == "numbers":
        target, group = Numbers(known.astype(float)), known
    else:  # as many censored rows, in groups of their own
        times = np.append(known, known) + 1.0
        target = Survival(times, np.arange(len(times)) < len(known))
        group = np.append(known, known + count)
    return SimpleNamespace(target=target, row_groups=group if groups else None)


@pytest.mark.parametrize(
    ("kind", "groups", "words"),
    [
        ("numbers", False, "rows"),
        ("numbers", True, "row groups"),
        ("survival", False, "events"),
        ("survival", True, "row groups with an event"),
    ],
)
@pytest.mark.parametrize("count", [1, FEWEST_VALUES - 1, FEWEST_VALUES, FEW_VALUES - 1, FEW_VALUES])
def test_numbers_and_events_or_their_groups_are_counted_alike(kind, groups, words, count):
    data = drawn(kind, count, copies=3 if groups else 1, groups=groups)
    judged = target_scores(data.target)
    assert judged.units(data).tolist() == [count]
    assert (judged.too_few(data) == "") == (count >= FEWEST_VALUES)
    assert (judged.few(data) == "") == (count >= FEW_VALUES)
    for said in (judged.too_few(data), judged.few(data)):
        assert not said or f"{count}" in said
        assert not said or f" {words}" in said


@pytest.mark.parametrize("groups", [False, True])
def test_the_rarest_class_is_the_one_that_is_named(groups):
    codes = np.repeat([0, 1, 2], [20, 2, 9])
    data = SimpleNamespace(
        target=Classes(codes, np.array(["a", "b", "c"])),
        row_groups=np.arange(len(codes)) if groups else None,
    )
    what = "row groups" if groups else "rows"
    scores = target_scores(data.target)
    said = scores.too_few(data)
    assert said.startswith("too few")
    assert all(part in said for part in (f" {what} of class b", "2", "3"))
    assert scores.few(data) == f"only 2 {what} of class b"
    even = Classes(np.repeat([0, 1], 10), np.array(["a", "b"]))
    enough = SimpleNamespace(target=even, row_groups=None)
    assert scores.few(enough) == scores.too_few(enough) == ""
