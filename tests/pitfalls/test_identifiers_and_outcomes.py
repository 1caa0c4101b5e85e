"""Columns that number rows, and those that are outcomes, by their names and what stands in them."""

import numpy as np
import pandas as pd
import pytest

import hetsel

DRAW = np.random.default_rng(41)
ROWS = 80


def cautions_on(**columns):
    """What is said of these columns, beside five of noise, but for notes on kinds."""
    frame = pd.DataFrame(DRAW.normal(size=(ROWS, 5))).add_prefix("x")
    y = np.arange(ROWS) % 2
    said = hetsel.cautions(frame.assign(**columns), y)
    return {(one.what, *one.columns) for one in said if one.what != "kind"}


@pytest.mark.parametrize("name", ["patient", "PatientID", "subject_nr", "id", "case no"])
def test_whole_numbers_with_the_name_of_an_identifier_are_one(name):
    said = cautions_on(**{name: np.arange(ROWS) // 2 * 37})
    assert said == {("identifier", name), ("rows", name)}  # two rows of each number
    assert cautions_on(**{name: np.arange(ROWS) * 37}) == {("identifier", name)}


@pytest.mark.parametrize("name", ["age", "number of children", "patient age", "idle hours"])
def test_whole_numbers_with_another_name_are_none(name):
    assert cautions_on(**{name: DRAW.normal(50, 12, ROWS).round()}) == set()


def test_numbers_from_one_to_the_number_of_rows_are_an_identifier_whatever_their_name():
    running = DRAW.permutation(ROWS) + 1
    assert cautions_on(tract=running) == {("identifier", "tract")}
    assert cautions_on(a=running, b=DRAW.permutation(ROWS)) == set()  # ranks


def test_numbers_of_the_groups_of_repeated_rows_are_an_identifier():
    group = np.arange(ROWS) // 4
    frame = pd.DataFrame(DRAW.normal(size=(20, 12))[group] + 0.05 * DRAW.normal(size=(ROWS, 12)))
    found = hetsel.cautions(frame.add_prefix("x").assign(batch=group + 100))
    assert [(one.what, *one.columns) for one in found] == [("rows",), ("identifier", "batch")]
    assert found[0].groups.tolist() == group.tolist()


@pytest.mark.parametrize("name", ["follow-up time", "relapse", "vital_status", "décès"])
def test_names_of_outcomes_are_named(name):
    assert cautions_on(**{name: DRAW.normal(size=ROWS)}) == {("outcome", name)}


@pytest.mark.parametrize("name", ["prothrombin time", "history of relapse", "marital status", "t"])
def test_names_of_what_is_known_before_are_not(name):
    assert cautions_on(**{name: DRAW.normal(size=ROWS)}) == set()


@pytest.mark.parametrize("name", ["time", "OS.months", "os", "boat", "days", "event", "t.tdm"])
def test_names_that_may_be_outcomes_are_named_where_the_classes_differ(name):
    y = np.arange(ROWS) % 2
    days = DRAW.exponential(900, ROWS) * (1 - 0.8 * y)
    assert cautions_on(**{name: days}) == {("outcome", name)}
    assert cautions_on(**{name: DRAW.permutation(days)}) == set()
    letters = DRAW.choice(list("abc"), ROWS)
    assert cautions_on(**{name: np.where(y, letters, "d")}) >= {("outcome", name)}
    assert cautions_on(**{name: letters}) == set()


def test_a_number_that_runs_from_1_in_each_class_makes_no_groups():
    frame = pd.DataFrame(DRAW.normal(size=(ROWS, 5))).add_prefix("x")
    y = np.arange(ROWS) // 20
    number = np.arange(ROWS) % 20 + 1
    found = hetsel.cautions(frame.assign(**{"Sample Number": number}), y)
    assert [one.what for one in found] == ["identifier"]
    patients = frame.assign(patient=number, age=DRAW.normal(50, 9, 20)[number - 1].round())
    assert "rows" in [one.what for one in hetsel.cautions(patients, y)]


@pytest.mark.parametrize("target", ["classes", "numbers", "survival"])
def test_a_number_from_1_on_makes_groups_where_the_target_alone_is_alike(target):
    number = np.arange(ROWS) % 20 + 1
    frame = pd.DataFrame(DRAW.normal(size=(ROWS, 5))).add_prefix("x").assign(patient=number)
    own = DRAW.exponential(9, 20)[number - 1]
    times = np.rec.fromarrays([number % 3 > 0, own], names=["event", "time"])
    y = {"classes": own > 6, "numbers": own, "survival": times}[target]
    assert "rows" in [one.what for one in hetsel.cautions(frame, y)]
    assert "rows" not in [one.what for one in hetsel.cautions(frame, DRAW.permutation(y))]


@pytest.mark.parametrize("name", ["mother", "patnr", "father_id", "USUBJID", "family"])
def test_numbers_of_relatives_and_numbers_in_one_word_are_identifiers(name):
    assert ("identifier", name) in cautions_on(**{name: DRAW.integers(0, 30, ROWS) + 4000})


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("NO2", DRAW.integers(5, 60, ROWS)),
        ("index", np.arange(ROWS) % 8),
        ("family", DRAW.poisson(3, ROWS)),
        ("Year", np.arange(ROWS) + 1900),
        ("subject", DRAW.choice(["algebra", "botany", "chemistry", "drama"], ROWS)),
    ],
)
def test_pollutants_positions_sizes_and_years_are_no_identifiers(name, cells):
    assert cautions_on(**{name: cells}) == set()


def test_levels_of_single_rows_are_an_identifier_whatever_their_name():
    spells = [f"{1900 + i}-{1903 + i}" for i in range(ROWS)]
    spells[1] = spells[0]
    (one,) = [
        one for one in hetsel.cautions(pd.DataFrame({"spell": spells, "x": DRAW.random(ROWS)}))
    ]
    assert (one.what, one.facts) == ("identifier", {"distinct": ROWS - 1, "rows": ROWS})
    few = [f"town {i // 2}" for i in range(ROWS)]
    assert cautions_on(town=few) == set()


def test_text_that_may_be_numbers_or_times_is_no_identifier():
    numbers = [f"{i}.5" for i in range(ROWS)]
    assert cautions_on(hour=[f"{i // 60 + 8:02}:{i % 60:02}" for i in range(ROWS)]) == set()
    assert cautions_on(level=[*numbers[1:], "n.d."]) == set()
    assert cautions_on(dose=[f"{one} mg" for one in numbers]) == set()


def test_values_of_as_many_rows_each_are_groups_where_these_are_alike():
    state = np.arange(ROWS) // 5
    own = DRAW.normal(size=(16, 3))[state] + 0.3 * DRAW.normal(size=(ROWS, 3))
    frame = pd.DataFrame(own, columns=list("abc")).assign(state=[f"s{i}" for i in state])
    (one,) = hetsel.cautions(frame)
    assert (one.what, one.columns) == ("identifier", ("state",))
    assert one.facts == {"distinct": 16, "rows": ROWS, "alike": 3}
    assert (one.groups[:, None] == one.groups).tolist() == (state[:, None] == state).tolist()
    assert [one.what for one in hetsel.cautions(frame, groups=state)] == ["group"]
    apart = frame.assign(**{name: DRAW.permutation(frame[name]) for name in "abc"})
    assert not hetsel.cautions(apart)


def test_levels_of_one_row_group_each_say_nothing_of_new_groups():
    town = np.repeat(np.arange(8), 10)
    frame = pd.DataFrame(DRAW.normal(size=(ROWS, 3))).add_prefix("x")
    frame = frame.assign(town=[f"t{i}" for i in town], region=[f"r{i % 3}" for i in town])
    frame = frame.assign(sex=DRAW.choice(list("mf"), ROWS))
    said = {(one.what, *one.columns) for one in hetsel.cautions(frame, groups=town)}
    assert said == {("group", "town")}
    assert not hetsel.cautions(frame, groups=np.arange(ROWS))
