"""Columns that number rows, and those that are outcomes, by their names and what stands in them."""

import numpy as np
import pandas as pd
import pytest

import hetsel

DRAW = np.random.default_rng(41)
ROWS = 80


def cautions_on(**columns):
    """What is said of these columns, beside five of noise."""
    frame = pd.DataFrame(DRAW.normal(size=(ROWS, 5))).add_prefix("x")
    y = np.arange(ROWS) % 2
    said = hetsel.cautions(frame.assign(**columns), y)
    return {(one.what, *one.columns) for one in said}


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


@pytest.mark.parametrize(
    "name", ["time", "follow-up time", "OS.months", "relapse", "vital_status", "boat", "décès"]
)
def test_names_of_outcomes_are_named(name):
    assert cautions_on(**{name: DRAW.normal(size=ROWS)}) == {("outcome", name)}


@pytest.mark.parametrize("name", ["prothrombin time", "history of relapse", "marital status", "t"])
def test_names_of_what_is_known_before_are_not(name):
    assert cautions_on(**{name: DRAW.normal(size=ROWS)}) == set()


def test_a_short_name_of_a_time_is_named_where_the_classes_differ():
    y = np.arange(ROWS) % 2
    days = DRAW.exponential(900, ROWS) * (1 - 0.8 * y)
    assert cautions_on(**{"t.tdm": days}) == {("outcome", "t.tdm")}
    assert cautions_on(**{"t.tdm": DRAW.permutation(days)}) == set()
