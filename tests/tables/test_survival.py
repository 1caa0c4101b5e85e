"""Survival times as a target: how they are read, what is refused, what splits keep of them."""

import pickle

import numpy as np
import pytest

import hetsel
from hetsel.ground.errors import TableError
from hetsel.tables import Classes, Survival, read_target

TIMES = np.array([3.0, 1.0, 4.0, 1.0, 5.0])
EVENTS = np.array([True, False, False, True, True])


def test_the_array_of_scikit_survival_is_survival_times():
    from sksurv.util import Surv

    ours = hetsel.survival(TIMES, EVENTS)
    assert (ours == Surv.from_arrays(EVENTS, TIMES)).all()
    for y in (ours, Surv.from_arrays(EVENTS, TIMES, name_event="dead", name_time="days")):
        target = read_target(y, 5)
        assert target.kind == "survival"
        np.testing.assert_array_equal(target.times, TIMES)
        np.testing.assert_array_equal(target.events, EVENTS)


@pytest.mark.parametrize("event", [EVENTS, EVENTS.astype(int), EVENTS.astype(float), [*EVENTS]])
def test_events_are_true_and_false_or_one_and_zero(event):
    np.testing.assert_array_equal(hetsel.survival(TIMES, event)["event"], EVENTS)


@pytest.mark.parametrize(
    ("time", "event", "said"),
    [
        (TIMES, EVENTS + 1, "If 2 means an event, .* event_value=2"),
        (TIMES, ["yes"] * 5, "True and False"),
        (TIMES, [True, None, True, True, False], "event is missing in 1 row"),
        (-TIMES, EVENTS, "0 or larger"),
        ([1.0, np.inf, 1.0, 1.0, 2.0], EVENTS, "finite"),
        ([1.0, np.nan, 1.0, 1.0, 2.0], EVENTS, "time is missing in 1 row"),
        (TIMES[:4], EVENTS, "5 rows"),
    ],
)
def test_times_and_events_that_are_none_are_refused(time, event, said):
    with pytest.raises(TableError, match=said):
        hetsel.survival(time, event)


def test_times_and_events_are_one_column_each():
    for time, event in (([[1, 2], [3, 4]], [1, 0]), ([1, 2], [[1, 0], [1, 0]])):
        with pytest.raises(TableError, match=r"must be one column. Got an array of shape \(2, 2\)"):
            hetsel.survival(time, event)
    found = hetsel.survival(np.array([[1.0], [2.0]]), np.array([[1], [0]]))
    assert found["time"].tolist() == [1.0, 2.0]


def test_times_that_tell_nothing_are_refused():
    none = hetsel.survival(TIMES, np.zeros(5, bool))
    with pytest.raises(TableError, match="all censored"):
        read_target(none)
    last = hetsel.survival(TIMES, TIMES == 5)
    with pytest.raises(TableError, match="at least one comparable pair"):
        read_target(last)
    three = np.zeros(5, dtype=[("entry", float), ("exit", float), ("dead", bool)])
    with pytest.raises(TableError, match="left truncation"):
        read_target(three)
    with pytest.raises(TableError, match=r"hetsel\.survival"):
        read_target(TIMES, kind="survival")
    with pytest.raises(TableError, match="survival times: 5 rows, 3 with an event"):
        read_target(hetsel.survival(TIMES, EVENTS), kind="numbers")


def test_the_content_gives_the_target_back_and_ranks_events_before_what_is_censored():
    target = Survival(TIMES, EVENTS)
    assert target.content.tolist() == [2, 1, 5, 0, 6]
    again = target.of_content(target.content)
    np.testing.assert_array_equal(again.times, TIMES)
    np.testing.assert_array_equal(again.events, EVENTS)
    assert target.strata.tolist() == EVENTS.astype(int).tolist()
    assert target.stratum_names == ["The stratum without an event", "The stratum with an event"]
    assert target.take(np.array([0, 3])).strata.tolist() == [0, 0]


def test_signed_times_tell_a_censored_zero_from_an_event_at_zero():
    target = Survival(np.array([0.0, 0.0, 2.0]), np.array([True, False, False]))
    np.testing.assert_array_equal(~np.signbit(target.signed), target.events)
    np.testing.assert_array_equal(np.abs(target.signed), target.times)


def test_no_unit_and_no_increasing_function_is_left_in_the_canonical_form():
    rows, target = np.array([4, 2, 0, 1, 3]), Survival(TIMES, EVENTS)
    own = target.canonical(rows)
    for times in (TIMES * 365.25, np.log(TIMES) + 1, TIMES**3):
        other = Survival(times, EVENTS).canonical(rows)
        np.testing.assert_array_equal(other.times, own.times)
    np.testing.assert_array_equal(own.events, EVENTS[rows])


def test_a_target_survives_pickling_and_is_not_written_to():
    target = pickle.loads(pickle.dumps(Survival(TIMES, EVENTS, "days")))
    assert target.in_words() == "survival times in 'days': 5 rows, 3 with an event"
    with pytest.raises(ValueError, match="read-only"):
        target.times[0] = 2.0
    assert target.facts() == {
        "classes": [],
        "class_counts": [],
        "events": 3,
        "longest": 5.0,
        "median_time": 3.0,
    }


def test_a_method_that_takes_no_survival_times_says_so():
    y = hetsel.survival(TIMES, EVENTS)
    with pytest.raises(TableError, match="Got survival times: 5 rows, 3 with an event"):
        hetsel.TTest().fit(np.arange(5.0)[:, None], y)
    table, classes = hetsel.Table.read(np.arange(5.0)[:, None]), Classes.of([0, 1, 0, 1, 1])
    with pytest.raises(TypeError, match="must hold survival times"):
        hetsel.selection.Problem(table, classes, ()).survival  # noqa: B018


@pytest.mark.parametrize(
    ("event", "value"),
    [
        (EVENTS + 1, 2),
        (EVENTS + 1.0, 2),
        (EVENTS + 1, "2"),
        (np.where(EVENTS, "dead", "alive"), "dead"),
        (np.array(EVENTS, dtype=bool), True),
        (1 - np.array(EVENTS), 0),
    ],
)
def test_which_of_two_values_is_the_event_can_be_said(event, value):
    found = hetsel.survival(TIMES, event, event_value=value)
    assert found["event"].tolist() == np.array(EVENTS, dtype=bool).tolist()


@pytest.mark.parametrize(
    ("event", "value", "said"),
    [
        ([0, 1, 1, 0, 1], 2, "event_value must be a value of event: 0, 1. Got 2"),
        ([0, 1, 2, 1, 0], 1, "competing events"),
        (np.where(EVENTS, "dead", "alive"), None, "event_value= to name"),
    ],
)
def test_which_value_is_the_event_is_not_guessed(event, value, said):
    with pytest.raises(TableError, match=said):
        hetsel.survival(TIMES, event, event_value=value)
