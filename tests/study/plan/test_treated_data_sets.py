"""A data set that is a treatment of another: what it takes over, and what it is refused for."""

import json
import sqlite3
from contextlib import closing

import numpy as np
import pandas as pd
import pytest
from study.studies import small_study

from hetsel import Results, Study, datasets
from hetsel.evaluation.data.encoded_data import prepare
from hetsel.ground.errors import HetselError, PlanError, TableError

N = 60
K = np.arange(N)


def frame():
    """Codes, numbers, groups of rows, times, a given test set and classes."""
    return pd.DataFrame(
        {
            "g": K % 4,
            "t": (K * 7) % 5,
            "a": np.sin(K),
            "b": np.where(K % 9 == 2, np.nan, np.cos(3 * K)),
            "person": K // 2,
            "day": N - K,
            "kept": K % 3 == 0,
            "class": np.where((K + K // 7) % 2 == 0, "no", "yes"),
        }
    )


def table(**options):
    others = ("person", "day", "kept")
    entry = {"name": "base", "X": frame().drop(columns=list(others)), "target": "class"}
    return entry | {"nominal": ["g", "t"]} | options


def plan(*treatments, base=None, **options):
    return Study(datasets=[base or table(), *treatments], methods="t-test", **options)


def refused(*treatments, kind=PlanError, **options):
    """What is said of a plan that is refused, at the latest when it runs."""
    with pytest.raises(kind) as error:
        plan(*treatments, **options).run("never-made.sqlite", n_jobs=0, progress=False)
    return str(error.value)


def treated(**options):
    return {"name": "treated", "treatment_of": "base", **options}


def kinds(spec):
    return {c.name: c.kind for c in prepare(spec).table.schema.columns}


def test_a_treatment_takes_over_what_it_does_not_say():
    base, other = plan(treated(scale="quantile")).datasets
    one, two = prepare(base), prepare(other)
    np.testing.assert_array_equal(one.table.values, two.table.values)
    assert kinds(base) == kinds(other)
    assert (one.scale, two.scale) == ("range", "quantile")
    # it is what a data set of its own with the same options is, by another name
    alone = plan(base=table(scale="quantile")).datasets[0]
    assert prepare(alone).fingerprint == two.fingerprint


def test_columns_that_are_dropped_or_named_anew_leave_the_lists_of_the_table():
    _, dropped, named = plan(
        treated(drop="t"),
        treated(ordinal={"g": [3, 2, 1, 0]}) | {"name": "named"},
    ).datasets
    assert kinds(dropped) == {"g": "nominal", "a": "continuous", "b": "continuous"}
    assert kinds(named) == {"g": "ordinal", "t": "nominal", "a": "continuous", "b": "continuous"}
    said = refused(treated(drop=[1]))
    assert "must name columns" in said
    said = refused(treated(drop="t"), base=table(nominal=[0, 1]))
    assert "must name columns" in said


def test_a_table_of_hetsel_by_its_name_and_one_that_it_knows_as_treated():
    study = Study(
        datasets=[{"name": "q", "treatment_of": "heart", "scale": "quantile"}, "heart"],
        methods="t-test",
    )
    assert [spec.name for spec in study.datasets] == ["q", "heart"]
    assert prepare(study.datasets[0]).table.names == list(datasets.load("heart").X.columns)
    told = study.to_dict()["datasets"]
    plain = {"name": "heart", "missing": "impute"}
    assert told == [plain | {"name": "q", "treatment_of": "heart", "scale": "quantile"}, plain]


def test_a_file_beside_the_plan(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "plans"
    folder.mkdir()
    frame()[["g", "a", "class"]].to_csv(folder / "own.csv", index=False)
    (folder / "plan.toml").write_text(
        'methods = "t-test"\n'
        'datasets = [{file = "own.csv", target = "class", nominal = "g"}, '
        '{name = "less", treatment_of = "own", drop = "g"}]\n'
    )
    study = Study.load("plans/plan.toml")
    assert [prepare(spec).table.names for spec in study.datasets] == [["g", "a"], ["a"]]


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"treatment_of": "bass"}, ["datasets[1].treatment_of", "base", "'bass'"]),
        ({"treatment_of": 3}, ["datasets[1].treatment_of", "text", "3"]),
        ({"treatment_of": "treated"}, ["not a treatment", "'treated'"]),
        ({"target": "a"}, ["datasets[1].target", "Leave target out"]),
        ({"row_groups": "g"}, ["datasets[1].row_groups", "Leave row_groups out"]),
        ({"split": {"test_count": 9}}, ["datasets[1].split", "Leave split out"]),
        ({"drop_unlabeled": True}, ["Leave drop_unlabeled out"]),
        ({"positive": "no"}, ["Leave positive out"]),
        ({"scales": "range"}, ["no key 'scales'"]),
        ({"missing_marks": ["?"]}, ["datasets[1]", "a table X"]),
    ],
)
def test_what_a_plan_refuses(entry, words):
    said = refused(treated(**entry))
    for word in words:
        assert word in said


def test_a_treatment_alone_is_refused():
    with pytest.raises(PlanError, match="must name another data set of the plan"):
        small_study(datasets=[{"name": "treated", "treatment_of": "hart"}])


def test_no_treatment_of_a_treatment_whatever_the_order():
    second = {"name": "second", "treatment_of": "treated", "scale": "quantile"}
    for entries in ([treated(scale="robust"), second], [second, treated(scale="robust")]):
        said = refused(*entries)
        assert "'treated'" in said
        assert "a treatment of 'base'" in said


def test_a_treatment_that_changes_nothing_is_the_same_table():
    assert "are the same table" in refused(treated())


def moved(column):
    """The rows of a class in another order: nothing but the cells tell them apart."""
    X = frame().drop(columns=["person", "day", "kept"])
    order = np.argsort(X["class"], kind="stable")
    back = np.empty(N, dtype=int)
    back[order] = np.concatenate(
        [part[::-1] for part in np.split(order, [X["class"].eq("no").sum()])]
    )
    return X.assign(**{name: X[name].to_numpy()[back] for name in column})


@pytest.mark.parametrize(
    ("X", "words"),
    [
        (frame().drop(columns=["person", "day", "kept"])[:-4], ["56 rows", "60"]),
        (
            frame().drop(columns=["person", "day", "kept"]).replace({"class": {"no": "none"}}),
            ["none, yes", "no, yes"],
        ),
        (
            frame().drop(columns=["person", "day", "kept"]).assign(**{"class": ["no", "yes"] * 30}),
            ["target", "rows"],
        ),
        (moved(["g", "t", "a", "b"]), ["another order"]),
    ],
)
def test_a_table_of_other_rows_is_no_treatment(X, words):
    said = refused(treated(X=X, target="class", nominal=["g", "t"]), kind=TableError)
    assert "'treated' is not a treatment of 'base'" in said
    for word in words:
        assert word in said


def test_a_shuffled_column_is_a_treatment():
    X = moved(["a"])
    study = plan(treated(X=X, target="class", nominal=["g", "t"]), resamplings=2, sizes=[1])
    assert len(study.datasets) == 2
    with pytest.raises(HetselError, match="jobs"):  # all else is in order
        study.run("never-made.sqlite", n_jobs=-1)


@pytest.mark.parametrize("role", ["row_groups", "test_rows"])
def test_roles_of_rows_are_those_of_the_table(role):
    column = {"row_groups": "person", "test_rows": "kept"}[role]
    X = frame()
    drop = [name for name in ("person", "day", "kept") if name != column]
    base = {"name": "base", "X": X, "target": "class", role: column, "drop": drop}
    first, second = plan(treated(drop=[*drop, "a"]), base=base).datasets
    np.testing.assert_array_equal(getattr(prepare(first), role), getattr(prepare(second), role))
    less = treated(X=X.drop(columns=[column]), target="class", drop=drop)
    assert f"only one of the two has {role}" in refused(less, base=base, kind=TableError)
    other = X.assign(**{column: np.roll(X[column], 1)})
    said = refused(treated(X=other, target="class", drop=drop, **{role: column}), base=base,
                   kind=TableError)  # fmt: skip
    assert f"{role} differs in" in said


def test_the_order_in_time_is_that_of_the_table():
    base = {"name": "base", "X": frame(), "target": "class", "order": "day"}
    base["drop"] = ["person", "kept"]
    timed = {"kind": "time-ordered", "count": 2, "test_count": 6}
    study = plan(treated(drop=["person", "kept", "a"]), base=base, resamplings=timed)
    one, two = map(prepare, study.datasets)
    np.testing.assert_array_equal(one.order, two.order)
    other = treated(X=frame().assign(day=K), target="class", order="day", drop=["person", "kept"])
    said = refused(other, base=base, resamplings=timed, kind=TableError)
    assert "order differs in" in said


def test_the_sizes_of_the_parts_are_those_of_the_table():
    own = treated(X=frame()[["a", "class"]], target="class", split={"test_count": 9})
    assert "datasets[1].split must be the same as that of 'base'" in refused(own)


def test_cells_do_not_depend_on_the_key_and_an_old_store_is_read(tmp_path):
    """A store of a plan without the key: all of its cells count, and it has no treatments."""
    X = frame()[["g", "t", "a", "b", "class"]]
    both = [{"name": name, "X": X, "target": "class", "scale": scale}
            for name, scale in (("base", "range"), ("treated", "quantile"))]  # fmt: skip
    path = tmp_path / "s.sqlite"
    old = small_study(datasets=both).run(path, n_jobs=0, progress=False)
    assert all("treatment_of" not in entry for entry in old.plan["datasets"])
    both[1] = {"name": "treated", "treatment_of": "base", "scale": "quantile"}
    new = small_study(datasets=both)
    known = Results(path, new)
    assert known.changes() == ["datasets.treated.treatment_of is new"]
    with closing(sqlite3.connect(path)) as file:
        finished = file.execute("SELECT key, finished FROM selections ORDER BY key").fetchall()
    again = new.run(path, n_jobs=0, progress=False)
    with closing(sqlite3.connect(path)) as file:
        assert (
            file.execute("SELECT key, finished FROM selections ORDER BY key").fetchall() == finished
        )
        stored = dict(file.execute("SELECT name, value FROM about"))
    assert json.loads(stored["plan"])["datasets"][1]["treatment_of"] == "base"
    assert again.digest() == old.digest()
