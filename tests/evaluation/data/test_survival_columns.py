"""Survival times in a plan: which columns hold them, what is refused, what a store knows."""

import numpy as np
import pandas as pd
import pytest

from hetsel import Study, survival
from hetsel.evaluation.data.encoded_data import prepare
from hetsel.ground.errors import PlanError, TableError
from hetsel.study.plan.plan_schema import plan_schema

ROWS = 60
RNG = np.random.default_rng(0)
TIMES, EVENTS = RNG.exponential(size=ROWS).round(2), RNG.random(ROWS) < 0.7
FRAME = pd.DataFrame({"a": RNG.normal(size=ROWS), "b": RNG.integers(0, 2, ROWS)})
TABLE = FRAME.assign(days=TIMES, status=EVENTS + 1)
TARGET = {"time": "days", "event": "status", "event_value": 2}


def spec(**changes):
    entry = {"name": "own", "X": TABLE, "target": TARGET} | changes
    return Study(datasets=[entry], methods=["pearson"]).datasets[0]


def loaded(folder, target, **changes):
    TABLE.assign(**changes).to_csv(folder / "own.csv", index=False)
    lines = [f'datasets = [{{file = "own.csv", target = {target}}}]', 'methods = ["pearson"]']
    (folder / "plan.toml").write_text("\n".join(lines))
    return Study.load(folder / "plan.toml")


def test_two_columns_are_the_target_and_no_features(tmp_path):
    told = '{time = "days", event = "status", event_value = 2}'
    from_file = prepare(loaded(tmp_path, told).datasets[0])
    given = spec(X=FRAME, y=survival(TIMES, EVENTS), target=None)
    for data in (prepare(spec()), from_file, prepare(given)):
        assert data.table.names == ["a", "b"]
        np.testing.assert_array_equal(data.target.times, TIMES)
        np.testing.assert_array_equal(data.target.events, EVENTS)
        assert data.fingerprint == from_file.fingerprint
    facts = from_file.to_dict()
    assert (facts["target"], facts["classes"]) == ("survival", [])
    assert facts["events"] == EVENTS.sum()
    assert facts["longest"] == TIMES.max()


def test_another_time_or_event_is_another_table():
    changed = [TABLE.assign(days=np.where(np.arange(ROWS) == 5, 9.0, TIMES))]
    changed.append(TABLE.assign(status=np.where(np.arange(ROWS) == 5, 1 + ~EVENTS, EVENTS + 1)))
    found = [prepare(spec(X=table)).fingerprint for table in (TABLE, *changed)]
    assert len(set(found)) == 3


@pytest.mark.parametrize("column", ["days", "status"])
def test_rows_whose_time_or_event_is_missing_are_refused_or_left_out(column):
    gapped = TABLE.assign(**{column: TABLE[column].where(np.arange(ROWS) > 2)})
    with pytest.raises(TableError, match="missing in 3 rows. Use drop_unlabeled=True"):
        prepare(spec(X=gapped))
    kept = prepare(spec(X=gapped, drop_unlabeled=True))
    np.testing.assert_array_equal(kept.target.times, TIMES[3:])
    np.testing.assert_array_equal(kept.target.events, EVENTS[3:])


@pytest.mark.parametrize(
    ("target", "facts"),
    [
        ({"time": "days"}, ["datasets[0].target", "event"]),
        ({"time": "days", "event": 3}, ["target.event must be text"]),
        ({"time": "days", "event": "days"}, ["two columns, time and event", "'days' twice"]),
        ({"time": "days", "status": "status"}, ["no key 'status'", "time, event, event_value"]),
    ],
)
def test_a_target_that_names_no_two_columns_is_no_plan(target, facts):
    with pytest.raises(PlanError) as error:
        spec(target=target)
    assert all(fact in str(error.value) for fact in facts)


def test_a_kind_of_survival_needs_both_columns():
    with pytest.raises(
        PlanError, match=r"target must be \{time = column, event = column\}.*'days'"
    ):
        spec(target="days", target_kind="survival")


@pytest.mark.parametrize(
    ("changes", "facts"),
    [
        ({"target": {"time": "days", "event": "status"}}, ["1, 2", "event_value=2"]),
        ({"target": TARGET | {"event_value": 3}}, ["event_value", "1, 2", "Got 3"]),
        ({"target": TARGET | {"time": "day"}}, ["target.time", "'days'"]),
        ({"X": TABLE.assign(days=-TIMES)}, ["0 or larger"]),
        ({"target_kind": "numbers"}, ["target_kind", "survival times: 60 rows"]),
        ({"positive": 2}, ["positive needs two classes", "survival times"]),
    ],
)
def test_what_are_no_survival_times_is_refused_by_name(changes, facts):
    with pytest.raises(TableError) as error:
        prepare(spec(**changes))
    assert all(fact in str(error.value) for fact in ["data set 'own'", *facts])


def test_a_plan_writes_its_columns_down_and_reads_them_again():
    written = spec().to_dict()
    assert written["target"] == TARGET
    again = Study(datasets=[written | {"X": TABLE}], methods=["pearson"]).datasets[0]
    assert prepare(again).fingerprint == prepare(spec()).fingerprint


@pytest.mark.parametrize(
    ("target", "valid"),
    [
        ({"time": "days", "event": "status"}, True),
        (TARGET, True),
        ({"time": "days", "event": "status", "event_value": "dead"}, True),
        ({"time": "days"}, False),
        ({"time": "days", "event": "status", "entry": "start"}, False),
        (3, False),
    ],
)
def test_the_schema_of_plans_knows_survival_times(target, valid):
    jsonschema = pytest.importorskip("jsonschema")
    plan = {"datasets": [{"file": "own.csv", "target": target}], "methods": ["pearson"]}
    assert jsonschema.Draft7Validator(plan_schema()).is_valid(plan) == valid


def test_a_treatment_has_the_survival_times_of_its_table():
    treated = {"name": "ranks", "treatment_of": "own", "scale": "quantile"}
    entry = {"name": "own", "X": TABLE, "target": TARGET}
    one, other = map(prepare, Study(datasets=[entry, treated], methods=["pearson"]).datasets)
    assert one.target.signed.tolist() == other.target.signed.tolist()
    with pytest.raises(PlanError, match="target: a treatment has the rows, .* of 'own'"):
        Study(datasets=[entry, treated | {"target": TARGET}], methods=["pearson"])
