"""Parts of a study: balanced, disjoint, and the same whatever way a plan is written."""

import itertools
from collections import Counter

import pytest
from frames import mixed_frame
from study.studies import small_study

from hetsel.ground.errors import PlanError
from hetsel.study.plan.parts import StudyPart, by_part, dealt, missing_in_words
from hetsel.study.planned_cells import cell_places, plan_cells


def places(tables, methods, resamplings):
    """Every cell of a study as table, method and resampling."""
    return list(itertools.product("abcdefgh"[:tables], "xyz"[:methods], range(resamplings)))


@pytest.mark.parametrize("given", ["2/3", " 2 / 3 ", (2, 3), [2, 3]])
def test_a_part_is_text_or_a_pair(given):
    assert StudyPart.read(given) == StudyPart(2, 3)


@pytest.mark.parametrize(
    "given",
    [
        *("3/2", "0/4", "x", "", "1", "1/", "/2", "-1/2", "1.0/2", "1/2/3", "1/0", "٢/٣"),
        *((3, 2), (0, 1), (1,), (1, 2, 3), (True, True), (1.5, 2.0), 1, None, {1, 2}),
        "9" * 99 + "/1",
    ],
)
def test_what_is_no_part_is_refused_with_what_one_is(given):
    with pytest.raises(PlanError, match=r"^part must be i/n.* such as 1/4\. Got "):
        StudyPart.read(given)


@pytest.mark.parametrize("tables", [1, 2, 5])
@pytest.mark.parametrize("resamplings", [1, 4, 10])
@pytest.mark.parametrize("of", range(1, 11))
def test_with_fewer_parts_than_splits_a_split_is_whole_and_tables_are_spread(
    tables, resamplings, of
):
    if of > tables * resamplings:
        return
    cells = places(tables, 3, resamplings)
    numbers = dealt(cells, of)
    assert set(numbers) == set(range(1, of + 1))
    splits = {}
    for (table, _, resampling), number in zip(cells, numbers, strict=True):
        splits.setdefault((table, resampling), set()).add(number)
    assert all(len(parts) == 1 for parts in splits.values())
    whole = Counter(number for (number,) in splits.values())
    assert max(whole.values()) - min(whole.values()) <= 1
    for table in {table for table, *_ in cells}:
        own = Counter(next(iter(parts)) for (name, _), parts in splits.items() if name == table)
        assert max(own.values()) - min(own[number] for number in range(1, of + 1)) <= 1


@pytest.mark.parametrize("of", range(1, 11))
@pytest.mark.parametrize("tables", [1, 3])
def test_a_part_has_splits_of_even_and_of_odd_number(tables, of):
    cells = places(tables, 1, 20)
    found = {(t, number, r % 2) for (t, _, r), number in zip(cells, dealt(cells, of), strict=True)}
    assert len(found) == tables * of * 2


@pytest.mark.parametrize("of", range(5, 13))
def test_with_more_parts_than_splits_no_part_has_two_cells_of_a_method(of):
    cells = places(2, 3, 2)
    numbers = dealt(cells, of)
    assert set(numbers) == set(range(1, of + 1))
    found = Counter((number, m) for (_, m, _), number in zip(cells, numbers, strict=True))
    assert max(found.values()) == 1
    counts = Counter(numbers)
    assert max(counts.values()) - min(counts.values()) <= 1


def test_more_parts_than_cells_are_refused_with_the_most_that_there_are():
    with pytest.raises(PlanError, match=r"at most 12 parts.* Got 13"):
        dealt(places(2, 3, 2), 13)


def parts_of_cells(study, of):
    """Number of the part of each key."""
    cells = plan_cells(study)
    numbers = dealt(cell_places(study, cells), of)
    return {cell.key: number for cell, number in zip(cells, numbers, strict=True)}


@pytest.mark.parametrize("of", [2, 3, 7, 11])
def test_how_a_plan_is_written_changes_no_part(of):
    own = [
        {"name": name, "X": X, "y": y}
        for name, (X, y) in (("one", mixed_frame(n=60)), ("two", mixed_frame(n=50)))
    ]
    methods = ["rfe-svm", "rfe-mkl", {"key": "rfe-svm", "params": {"C": 3}, "label": "other"}]
    as_written = parts_of_cells(small_study(datasets=own, methods=methods, resamplings=3), of)
    methods[2] = {**methods[2], "label": "a name"}
    names = [{**entry, "name": f"no {k}"} for k, entry in enumerate(own)]
    otherwise = small_study(datasets=names[::-1], methods=methods[::-1], resamplings=3)
    assert parts_of_cells(otherwise, of) == as_written


@pytest.mark.parametrize("of", [3, 6])
def test_a_table_and_its_treatment_are_in_one_part(of):
    X, y = mixed_frame(n=60)
    tables = [
        {"name": "other", "X": X.iloc[:50], "y": y[:50]},
        {"name": "quantiles", "treatment_of": "mixed", "scale": "quantile"},
        {"name": "mixed", "X": X, "y": y},
    ]
    study = small_study(datasets=tables, methods=["rfe-svm"], resamplings=3)
    cells = plan_cells(study)
    numbers = dealt(cell_places(study, cells), of)
    found = {(c.data.name, c.resampling): n for c, n in zip(cells, numbers, strict=True)}
    assert all(found["mixed", r] == found["quantiles", r] for r in range(3))
    assert set(numbers) == set(range(1, of + 1))
    with pytest.raises(PlanError, match="at most 6 parts"):
        dealt(cell_places(study, cells), 7)


def test_what_is_missing_is_said_by_part_or_by_data_set_and_method():
    parts = by_part({"of": 4, "numbers": [1, 1, 2, 3, 4]}, "abcde", {"a"}, {"c"})
    assert [part["finished"] + part["failed"] for part in parts] == [1, 1, 0, 0]
    said = list(missing_in_words({"by_part": parts, "parts": []}))
    assert said == ["part 1 of 4: 1 of 2 cells missing", "parts 3, 4 of 4: all cells missing (2)"]
    assert by_part(None, "abc", set(), set()) == []
    assert list(missing_in_words({"by_part": parts[1:2], "parts": []})) == []
