"""Which kinds of columns are questioned, and which orders are read from levels."""

import numpy as np
import pandas as pd
import pytest

import hetsel
from hetsel.pitfalls.kinds_in_doubt import reading_order

DRAW = np.random.default_rng(54)
ROWS = 120

ORDERS = [
    ["Low", "Medium", "High"],
    ["I", "II", "III", "IV"],
    ["stage I", "stage IIA", "stage IIB", "stage III"],
    ["G1", "G2", "G3", "G4", "G5"],
    ["T0", "T1", "T2"],
    ["mild", "moderate", "severe"],
    ["never", "sometimes", "always"],
    ["poor", "fair", "good", "excellent"],
    ["strongly disagree", "disagree", "agree", "strongly agree"],
    ["1st", "2nd", "3rd"],
    ["18-24", "25-34", "35-44", "45+"],
    ["<1000", "1,000-5,000", "5,000-10,000", "over 10,000"],
    ["0", "1-2", "3-5", "6 or more"],
    ["0", "1", "2", "3+"],
    ["0-5yrs", "6-11yrs", "12+ yrs"],
    ["[0, 10)", "[10, 20)", "[20, 30)"],
    ["small", "medium", "large"],
]
NONE = [
    ["low", "high"],
    ["red", "green", "blue"],
    ["A1", "A2", "A3"],
    ["Low", "Medium", "High", "unknown"],
    ["1-0", "1-1", "0-2"],
    ["1", "2", "1-2"],
    ["1", "2", "3"],
    ["555-1234", "555-2345", "555-3456"],
    ["X1", "X2", "X3"],
    ["t1", "t2", "t3"],
    [f"T{i}" for i in range(9)],
    ["G1", "G7", "G9"],
    ["0-10", "10-20", "20-30", "10+"],
    ["no", "yes", "unsure"],
    ["January", "February", "March"],
    ["I", "You", "They"],
    ["2001-02-03", "2001-02-04", "2001-02-05"],
]


@pytest.mark.parametrize("levels", ORDERS, ids=str)
def test_words_numbered_grades_and_ranges_are_read_in_their_order(levels):
    for turned in (levels[::-1], sorted(levels), [*DRAW.permutation(levels)]):
        assert reading_order([str(level) for level in turned]) == tuple(levels)


@pytest.mark.parametrize("levels", NONE, ids=str)
def test_other_levels_have_none(levels):
    assert reading_order(levels) is None


def said_of(frame, **options):
    return {(one.what, *one.columns): one for one in hetsel.cautions(frame, **options)}


def test_classes_that_differ_by_case_or_blanks_are_told():
    frame = pd.DataFrame({"x": DRAW.normal(size=ROWS)})
    labels = np.array(["yes", "no", "Yes", "no"])[np.arange(ROWS) % 4]
    told = str(said_of(frame, y=labels)["labels",])
    assert told.startswith("target: classes that differ by case or blanks only")
    assert "'Yes', 'yes'" in told
    assert ("labels",) not in said_of(frame, y=np.char.lower(labels))
    accents = np.array(["caf\u00e9", "cafe\u0301"])[np.arange(ROWS) % 2]
    assert ("labels",) in said_of(frame, y=accents)


def test_an_order_is_told_with_the_option_that_settles_it():
    frame = pd.DataFrame({"risk": ["Low", "High", "Medium"] * 40, "x": DRAW.normal(size=ROWS)})
    fix = said_of(frame)["order", "risk"].note.fixes[0]
    assert (fix.option, fix.levels) == ("ordinal", ("Low", "Medium", "High"))
    assert not said_of(frame, ordinal={"risk": list(fix.levels)})
    ordered = pd.Categorical(frame["risk"], ["Low", "Medium", "High"], ordered=True)
    assert not said_of(frame.assign(risk=ordered))


def test_many_whole_numbers_with_the_name_of_codes_are_told():
    region = DRAW.integers(1, 20, ROWS)
    frame = pd.DataFrame({"x": DRAW.normal(size=ROWS), "region": region, "visits": region[::-1]})
    assert set(said_of(frame)) == {("codes", "region")}
    some = frame.assign(region=DRAW.choice([10115, 20095, 50667, 80331, 1067], ROWS))
    assert set(said_of(some)) == {("codes", "region")}
    assert not said_of(frame, nominal=["region"])
    assert not said_of(frame.rename(columns={"region": "region_income"}))
    assert not said_of(frame.assign(region=region + 0.5))


def test_columns_of_which_each_row_has_one_1_are_indicators_of_one_factor():
    code = DRAW.integers(0, 4, ROWS)
    flags = pd.DataFrame(np.eye(4)[code], columns=[f"race{i}" for i in range(4)])
    frame = flags.assign(other=DRAW.integers(0, 2, ROWS), x=DRAW.normal(size=ROWS))
    assert [key for key in said_of(frame) if key[0] == "indicators"] == [
        ("indicators", *flags.columns)
    ]
    gone = frame.drop(columns="race2")  # a row may have none
    assert not [key for key in said_of(gone) if key[0] == "indicators"]
    gaps = frame.copy()
    gaps.loc[:9, list(flags)] = np.nan
    assert ("indicators", *flags.columns) in said_of(gaps)
    assert not [key for key in said_of(DRAW.integers(0, 2, (ROWS, 9))) if key[0] == "indicators"]


def test_notes_on_kinds_are_told_once():
    frame = pd.DataFrame(
        {
            "grade": [1, 2, 3] * 40,
            "mixed": [*map(str, DRAW.integers(0, 60, ROWS - 1)), "."],
            "name": [f"name {i}" for i in range(ROWS)],
            "mark": [*DRAW.normal(size=ROWS - 2), 999.0, 999.0],
        }
    )
    said = said_of(frame)
    assert set(said) == {
        ("kind", "grade"),
        ("kind", "mixed"),
        ("identifier", "name"),
        ("sentinel", "mark"),
    }
    assert said["kind", "mixed"].to_dict()["fixes"][0]["option"] == "missing_marks"
