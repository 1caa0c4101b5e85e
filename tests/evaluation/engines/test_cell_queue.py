"""The queue: batches of one data set and of about a quarter of a second."""

from dataclasses import dataclass, replace

import pytest

from hetsel.evaluation.engines.cell_queue import MOST, SECONDS, CellQueue, PlannedCell


@dataclass
class Named:
    """Stands in for data, and for a recipe and its method."""

    name: str
    fingerprint: str = ""
    method: object = None


@dataclass
class Outcome:
    """Stands in for the result of a cell."""

    key: str
    rank_seconds: float
    classify_seconds: float = 0.0


def cells(data="a", count=40, first=0):
    recipe = Named("", method=type("Method", (), {"label": "t-test"}))
    one = PlannedCell(Named(data, data), recipe, 0, "")
    numbers = range(first, first + count)
    return [replace(one, resampling=k, key=f"{data}{k}") for k in numbers]


def keys(batch):
    return [key for _, _, key, _ in batch[1]]


def test_the_first_cell_goes_alone():
    assert keys(CellQueue(cells()).take()) == ["a0"]


@pytest.mark.parametrize(
    ("seconds", "size"), [(10 * SECONDS, 1), (SECONDS / 2, 2), (SECONDS / 4, 4), (1e-9, MOST)]
)
def test_a_batch_grows_to_a_quarter_of_a_second(seconds, size):
    queue = CellQueue(cells())
    queue.take()
    queue.learn(Outcome("a0", 0.75 * seconds, 0.25 * seconds))
    assert keys(queue.take()) == [f"a{k}" for k in range(1, 1 + size)]


def test_the_mean_of_what_was_learned_counts():
    queue = CellQueue(cells())
    queue.take()
    for seconds in (SECONDS, 0.0):
        queue.learn(Outcome("a0", seconds))
    assert len(keys(queue.take())) == 2


def test_data_sets_take_turns_by_the_number_of_the_resampling():
    queue = CellQueue(cells("a", 3) + cells("b", 3))
    taken = []
    while queue:
        batch = queue.take()
        taken += keys(batch)
        assert len({key[0] for key in keys(batch)}) == 1
        assert batch[0].name == keys(batch)[0][0]
    assert taken == ["a0", "b0", "a1", "b1", "a2", "b2"]
    assert not queue


def test_no_cell_is_no_work():
    assert not CellQueue([])
