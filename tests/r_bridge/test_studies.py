"""Studies of the R package, called the way reticulate calls them."""

import signal
import sys

import crossing as facade
import numpy as np
import pandas as pd
import pytest
from crossing import column
from study.studies import cells_in

import hetsel
from hetsel.evaluation.data.encoded_data import prepare
from hetsel.evaluation.engines import local_workers
from hetsel.ground.errors import HetselWarning, PlanError, TableError
from r_bridge.from_r import studies, study_plans
from r_bridge.from_r.asked import tables_of, usable_jobs
from r_bridge.r_vectors import as_vector

PLAN = {
    "name": "small",
    "datasets": "heart",
    "methods": ["rfe-mkl", {"key": "hfs-nb", "params": []}],
    "resamplings": {"count": 2.0, "test_share": 0.1},
    "sizes": [1.0, 3.0],
    "classifiers": {"key": "clinical-svm", "params": {"C": 10.0}},
    "seed": 4.0,
}
K = np.arange(40.0)
FRAME = pd.DataFrame(
    {
        "a": np.sin(K) + (K % 2),
        "b": pd.Categorical.from_codes((K % 3).astype(int), ["x", "y", "z"]),
    }
)
LABELS = pd.Series(np.array(["no", "yes"])[(K % 2).astype(int)], dtype="category")
TABLE = {
    "name": "own",
    "columns": FRAME,
    "target": LABELS,
    "kinds": {"nominal": None, "ordinal": {"b": ["z", "x", "y"]}, "continuous": None},
    "missing": None,
}
ARGUMENTS = {"methods": ["rfe-mkl", "hfs-nb"], "resamplings": 2, "sizes": [1, 3], "seed": 4}


def plan_of(plan, *tables):
    """The plan with tables of the session, as R sends them."""
    return study_plans.plan_of(plan, tables_of(as_vector([*tables])))


def said(answer):
    """The sentence in place of an answer."""
    return answer["error"]["message"]


def test_a_table_of_the_session_has_its_scale(tmp_path):
    plan = {**PLAN, "datasets": []}
    plain, scaled = (
        facade.study(plan, str(tmp_path / f"{k}.sqlite"), tables=[{**TABLE, **more}], jobs=0.0)
        for k, more in enumerate([{}, {"scale": "quantile"}])
    )
    assert "scale" not in plain["plan"]["datasets"][0]
    assert scaled["plan"]["datasets"][0]["scale"] == "quantile"
    assert plain["digest"] != scaled["digest"]


def test_merged_parts_are_the_study_of_one_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plan = {**PLAN, "methods": "rfe-svm"}
    whole = facade.study(plan, str(tmp_path / "whole.sqlite"), jobs=0.0)
    parts = [facade.study(plan, part=f"{i}/2", jobs=0) for i in (1, 2)]
    stores = [part["store"] for part in parts]
    assert stores == [str(tmp_path / f"small.part-{i}-of-2.sqlite") for i in (1, 2)]
    merged = facade.merge_stores(stores, "all.sqlite")
    assert merged.keys() == whole.keys()
    assert (merged["digest"], merged["status"]) == (whole["digest"], whole["status"])
    one = facade.merge_stores(stores[0], "one.sqlite")  # reticulate makes a scalar of one
    assert one["status"]["missing"] == 1
    assert "twice" in said(facade.merge_stores(stores[:1] * 2, "two.sqlite"))
    assert "part must be i/n" in said(facade.study(plan, part="3/2"))


def test_a_study_is_that_of_python(tmp_path):
    answer = facade.study(PLAN, str(tmp_path / "r.sqlite"))
    assert "error" not in answer
    study = hetsel.Study("small", datasets=["heart"], **ARGUMENTS)
    results = study.run(tmp_path / "python.sqlite", n_jobs=0, progress=False)
    assert answer["digest"] == results.digest()
    assert answer["plan"] == results.plan
    frame = results.frame()
    for name in set(frame) - {"rank_seconds", "rank_elapsed"}:
        assert answer["scores"][name] == frame[name].tolist()
    counts = {"cells": 4, "finished": 4, "failed": 0, "missing": 0}
    assert {name: answer["status"][name] for name in counts} == counts
    again = facade.study(PLAN, str(tmp_path / "r.sqlite"))
    assert again == answer


def by_row(tmp_path, name, plan=PLAN, **more):
    """A study of the table of the session, whose entry has more of its rows."""
    content = {**plan, "datasets": []}
    answer = facade.study(
        content, str(tmp_path / f"{name}.sqlite"), tables=[TABLE | more], jobs=0.0
    )
    assert "error" not in answer, answer
    return answer


def of_python(tmp_path, **more):
    """The same table from Python."""
    entry = {"name": "own", "X": FRAME, "y": LABELS, "ordinal": TABLE["kinds"]["ordinal"]}
    arguments = ARGUMENTS | more.pop("arguments", {})
    study = hetsel.Study("small", datasets=entry | more, **arguments)
    return study.run(tmp_path / "python.sqlite", n_jobs=0, progress=False)


def test_row_groups_of_a_table_of_the_session_are_those_of_python(tmp_path):
    person = (K // 4).astype(int)
    answer = by_row(tmp_path, "array", row_groups=K // 4)
    results = of_python(tmp_path, row_groups=person)
    assert answer["digest"] == results.digest() != by_row(tmp_path, "none")["digest"]
    assert answer["scores"]["bcr"] == results.frame()["bcr"].tolist()
    for _, cell in cells_in(results, "own", "rfe-mkl"):
        assert np.isin(person, person[cell.test]).sum() == len(cell.test)
    named = by_row(tmp_path, "named", columns=FRAME.assign(person=K // 4), row_groups="person")
    assert named["digest"] == answer["digest"]
    labels = column("factor", K // 4, list("jihgfedcba"))
    assert by_row(tmp_path, "factor", row_groups=labels)["digest"] == answer["digest"]


def test_the_order_of_a_table_of_the_session_is_that_of_python(tmp_path):
    splits = {"count": 2.0, "kind": "time-ordered", "test_count": 8.0}
    days = 20_000 + (K * 7) % 40
    plan = {**PLAN, "resamplings": splits}
    answer = by_row(tmp_path, "dates", plan, order=column("date", days))
    whole = {"count": 2, "kind": "time-ordered", "test_count": 8}
    results = of_python(tmp_path, order=days, arguments={"resamplings": whole})
    assert answer["digest"] == results.digest()
    for r, cell in cells_in(results, "own", "rfe-mkl"):
        assert sorted(days[cell.test] - 20_000) == list(range(32 - 8 * r, 40 - 8 * r))


def test_what_says_nothing_of_every_row_is_refused(tmp_path):
    def refused(**more):
        store = str(tmp_path / "refused.sqlite")
        return said(facade.study({**PLAN, "datasets": []}, store, tables=[TABLE | more]))

    short = K[:3]
    assert "row_groups must have 40 values, one per row. Got 3" in refused(row_groups=short)
    assert "row_groups: the table has no column 'patient'" in refused(row_groups="patient")
    assert "has order, which needs kind = 'time-ordered'." in refused(order=short)
    for option in ("row_groups", "order", "target"):
        with pytest.raises(PlanError, match=f"{option} must be the name of a column. Got 2"):
            study_plans.plan_of({**PLAN, "datasets": [{"name": "heart", option: 2.0}]})


def test_the_pairs_of_a_study_are_those_of_python(tmp_path):
    plan = {**PLAN, "resamplings": 10.0, "methods": ["rfe-svm", "variance"]}
    answer = by_row(tmp_path, "pairs", plan)
    results = hetsel.Results(tmp_path / "pairs.sqlite")
    found = hetsel.compare_methods(results).bayesian_pairs()
    assert answer["bayesian_pairs"] == {name: found[name].tolist() for name in found}
    assert "single data sets" in answer["probable"]
    nothing = facade.study(PLAN, str(tmp_path / "few.sqlite"), jobs=0.0)
    assert nothing["probable"] == ""
    assert set(nothing["bayesian_pairs"]) == set(found)


def test_own_tables_stand_in_their_places():
    named = plan_of({**PLAN, "datasets": ["own", "heart"]}, TABLE)
    assert [spec.name for spec in named.datasets] == ["own", "heart"]
    assert named.datasets[0].X.shape == (40, 2)
    last = plan_of(PLAN, TABLE)
    assert [spec.name for spec in last.datasets] == ["heart", "own"]
    alone = plan_of({k: v for k, v in PLAN.items() if k != "datasets"}, TABLE)
    assert [spec.name for spec in alone.datasets] == ["own"]
    assert alone.datasets[0].ordinal == {"b": ["z", "x", "y"]}
    with pytest.raises(PlanError, match="data must name each entry once. Got 'own' twice"):
        plan_of(PLAN, TABLE, TABLE)


def test_a_parameter_is_what_its_default_is():
    entry = {"key": "rfe-mkl", "params": {"C": 1.0, "step": 1.0}, "label": "all steps"}
    spec = study_plans.plan_of({**PLAN, "methods": entry}).methods[0]
    default = hetsel.RFEMKL().get_params()
    for name, value in spec.params.items():
        assert type(value) is type(default[name]), name


def test_empty_lists_of_r_are_tables_of_parameters_at_any_depth():
    inner = {"key": "sklearn.linear_model.LogisticRegression", "params": []}
    params = {"estimator": inner, "n_features_to_select": 2.0}
    entry = {"key": "sklearn.feature_selection.RFE", "params": params, "label": None}
    (spec,) = study_plans.plan_of({**PLAN, "methods": [entry]}).imported().methods
    assert spec.build().estimator.n_features_to_select == 2
    wrong = {**entry, "params": {"estimator": {**inner, "params": [1.0]}}}
    with pytest.raises(
        PlanError, match=r"methods\[\[1\]\].params.estimator.params must be a table"
    ):
        study_plans.plan_of({**PLAN, "methods": [wrong]}).imported()


def test_one_text_of_r_is_one_missing_mark(tmp_path):
    (tmp_path / "own.csv").write_text("a,y\n1,0\nn,1\nunknown,1\n1,0\n")
    entry = {"file": str(tmp_path / "own.csv"), "target": "y", "missing_marks": "unknown"}
    spec = study_plans.plan_of({**PLAN, "datasets": [entry]}).datasets[0]
    assert spec.to_dict()["missing_marks"] == ["unknown"]
    table = prepare(spec).table  # "n" is no mark, so the column is not one of numbers
    assert table.schema.columns[0].levels == ("1", "n")


def test_positions_of_columns_count_from_one(tmp_path):
    (tmp_path / "own.csv").write_text("a,b,c,y\n1,2,3,0\n2,3,4,1\n1,2,5,1\n1,3,3,0\n")
    entry = {"file": str(tmp_path / "own.csv"), "target": "y", "nominal": [1.0], "drop": 2.0}
    spec = study_plans.plan_of({**PLAN, "datasets": [entry]}).datasets[0]
    columns = prepare(spec).table.schema.columns
    assert [(column.name, column.kind) for column in columns] == [
        ("a", "nominal"),
        ("c", "continuous"),
    ]
    with pytest.raises(PlanError, match="nominal must be names, or positions from 1. Got 0"):
        study_plans.plan_of({**PLAN, "datasets": [{**entry, "nominal": 0.0}]})


def test_errors_count_entries_from_one():
    with pytest.raises(PlanError, match=r"^plan: datasets\[\[1\]\].name must be one of"):
        study_plans.plan_of({**PLAN, "datasets": "hart"})
    with pytest.raises(PlanError, match=r"^plan: methods\[\[2\]\].key must be one of"):
        study_plans.plan_of({**PLAN, "methods": ["rfe-mkl", "lasso"]})
    with pytest.raises(PlanError, match=r"^plan: sizes\[\[2\]\] must be .* Got 0"):
        study_plans.plan_of({**PLAN, "sizes": [1.0, 0.0]})
    with pytest.raises(PlanError, match="^plan must have the entry 'datasets'"):
        study_plans.plan_of({"methods": "rfe-mkl"})
    with pytest.raises(PlanError, match=r"^plan has no key 'size'.* Did you mean 'sizes'"):
        study_plans.plan_of({**PLAN, "size": 4.0})


def test_workers_run_python_and_not_r(monkeypatch):
    real = sys.executable
    monkeypatch.setattr(sys, "executable", "/usr/lib/R/bin/exec/R")
    assert local_workers.python().startswith(sys.prefix)
    monkeypatch.setattr(sys, "prefix", "/nowhere")
    assert local_workers.python() is None
    monkeypatch.setattr(sys, "executable", real)
    assert local_workers.python() == real


def test_a_session_that_knows_no_python_computes_in_itself(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/usr/lib/R/bin/exec/R")
    monkeypatch.setattr(sys, "prefix", "/nowhere")
    study = study_plans.plan_of({**PLAN, "resamplings": 1.0})
    with pytest.raises(
        PlanError, match="time_limit needs a worker process, but the Python program of this"
    ):
        study.run(tmp_path / "a.sqlite", n_jobs=2, time_limit=9.0, progress=False)
    with pytest.warns(HetselWarning, match="Python"):
        results = study.run(tmp_path / "a.sqlite", n_jobs=2, progress=False)
    assert results.status()["missing"] == 0


def test_the_number_of_workers_is_a_whole_number():
    assert usable_jobs(2.0) == 2
    assert usable_jobs(None) is None
    for wrong in (1.5, -1.0):
        with pytest.raises(TableError, match="jobs must be a whole number, 0 or larger"):
            usable_jobs(wrong)


def test_an_interrupted_study_says_where_its_cells_are(tmp_path, monkeypatch):
    before = signal.getsignal(signal.SIGINT)

    def interrupted(self, *_, **__):
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(hetsel.Study, "run", interrupted)
    answer = facade.study(PLAN, str(tmp_path / "r.sqlite"))
    assert answer["interrupted"] == str(tmp_path / "r.sqlite")
    assert signal.getsignal(signal.SIGINT) is before


def test_the_report_is_written_with_and_without_the_plan(tmp_path):
    store = str(tmp_path / "r.sqlite")
    answer = facade.study(PLAN, store, tables=[TABLE], jobs=0.0)
    page = tmp_path / "report.html"
    done = facade.study_report(str(page), store, PLAN, [TABLE], answer["digest"])
    assert done == str(page)
    assert "no final model" not in page.read_text()
    assert facade.study_report(str(page), store) == str(page)
    assert "no final model" in page.read_text()
    facade.study_report(str(page), store, figures=str(tmp_path / "f"), format="png")
    assert len([*(tmp_path / "f").glob("*.png")]) >= 2
    with pytest.warns(UserWarning, match="contains other results"):
        studies.study_report(str(page), store, digest="0" * 64)
    assert "no such store" in said(facade.study_report(str(page), str(tmp_path / "no")))


def test_classes_keep_their_order_and_the_positive_one_is_named(tmp_path):
    def classes(name, **more):
        plan = {"methods": "t-test", "resamplings": 2.0, "name": name}
        table = {**TABLE, "columns": FRAME[["a"]], "kinds": {}, **more}
        return facade.study(plan, str(tmp_path / f"{name}.sqlite"), tables=[table], jobs=0.0)

    factor = column("factor", 2 * (K % 2), ["well", "unused", "ill"])
    assert classes("factor", target=factor)["datasets"]["classes"] == ["well (20), ill (20)"]
    named = classes("named", target=factor, positive="well")
    assert named["datasets"]["classes"] == ["ill (20), well (20)"]
    whole = K % 2
    assert classes("whole", target=whole)["datasets"]["classes"] == ["0 (20), 1 (20)"]
    first = classes("first", target=whole, positive=0.0)
    assert first["datasets"]["classes"] == ["1 (20), 0 (20)"]


def test_a_folder_in_place_of_a_file_is_one_sentence(tmp_path):
    assert said(facade.study(str(tmp_path))) == f"{tmp_path}: Is a directory"


def test_a_treatment_of_a_table_of_the_session(tmp_path):
    """It is named in the plan or comes with a table; its pairs are columns of plain values."""
    named = {"name": "q", "treatment_of": "own", "scale": "quantile"}
    answer = facade.study(
        {**PLAN, "datasets": [named]}, str(tmp_path / "a.sqlite"), tables=[TABLE], jobs=0
    )
    assert "error" not in answer
    found = answer["treatments"]
    assert set(zip(found["dataset"], found["treatment"], strict=True)) == {("own", "q")}
    assert found["method"] == ["rfe-mkl", "hfs-nb"]
    whole = {**TABLE, "name": "q", "treatment_of": "own", "scale": "quantile"}
    again = facade.study(
        {**PLAN, "datasets": []}, str(tmp_path / "b.sqlite"), tables=[TABLE, whole], jobs=0
    )
    assert again["digest"] == answer["digest"]
    plain = facade.study(
        {**PLAN, "datasets": []}, str(tmp_path / "c.sqlite"), tables=[TABLE], jobs=0
    )
    assert plain["treatments"]["dataset"] == []


def test_a_treatment_in_a_file_follows_the_table_of_the_session(tmp_path):
    (tmp_path / "plan.toml").write_text(
        'methods = "rfe-svm"\ndatasets = ["heart", '
        '{name = "q", treatment_of = "heart", scale = "quantile"}]\n'
    )
    study = plan_of(str(tmp_path / "plan.toml"), {**TABLE, "name": "heart"})
    tables = [prepare(spec).table for spec in study.datasets]
    assert tables[0].names == tables[1].names == ["a", "b"]


def test_a_study_of_survival_times_names_their_columns_as_python_does(tmp_path):
    rng = np.random.default_rng(0)
    columns = {"a": rng.normal(size=60), "days": rng.exponential(size=60).round(3)}
    columns["status"] = np.arange(60) % 3 // 2 + 1
    pd.DataFrame(columns).assign(b=np.arange(60) % 2).to_csv(tmp_path / "own.csv", index=False)
    target = {"time": "days", "event": "status", "event_value": 2.0}
    entry = {"file": str(tmp_path / "own.csv"), "target": target}
    plan = {
        "datasets": [entry],
        "methods": ["univariate-tests"],
        "sizes": [1.0],
        "resamplings": 2.0,
    }
    answer = facade.study(plan, str(tmp_path / "r.sqlite"), jobs=0.0)
    assert "error" not in answer
    longest = f"{columns['days'].max():.6g}"
    assert answer["datasets"]["target"] == [f"20 events, times to {longest}"]
    assert answer["classifiers"] == "cox"
    assert {"concordance", "uno", "ibs"} <= set(answer["scores"])
    entry["target"] = {**target, "event_value": 2}
    study = hetsel.Study(datasets=[entry], methods=["univariate-tests"], sizes=[1], resamplings=2)
    found = study.run(tmp_path / "p.sqlite", n_jobs=0, progress=False)
    assert found.digest() == answer["digest"]


def test_a_study_of_several_kinds_has_its_ranks_over_all_data_sets(tmp_path):
    for kind in ("classes", "numbers", "survival"):
        rng = np.random.default_rng(3)
        score = rng.normal(size=60)
        columns = {"a": score + rng.normal(size=60), "b": rng.normal(size=60)}
        columns |= {
            "classes": {"y": np.where(score > 0, "yes", "no")},
            "numbers": {"y": score},
            "survival": {"t": np.exp(-score), "e": rng.integers(2, size=60)},
        }[kind]
        pd.DataFrame(columns).to_csv(tmp_path / f"{kind}.csv", index=False)
    data = [
        {"file": str(tmp_path / f"{kind}.csv"), "target": "y"} for kind in ("classes", "numbers")
    ]
    data += [{"file": str(tmp_path / "survival.csv"), "target": {"time": "t", "event": "e"}}]
    plan = {
        "datasets": data,
        "methods": ["univariate-tests", "rfe-svm"],
        "sizes": [1.0, 2.0],
        "resamplings": 10.0,
    }
    answer = facade.study(plan, str(tmp_path / "r.sqlite"), jobs=0.0)
    assert "error" not in answer, answer
    results = hetsel.Results(tmp_path / "r.sqlite")
    comparison = hetsel.compare_methods(results)
    assert answer["digest"] == results.digest()
    assert list(answer["found"]) == list(comparison.found)
    assert len(answer["datasets"]["target"]) == 3
    assert {"bcr", "r2", "concordance"} <= set(answer["scores"])
    by_size = comparison.ranks[comparison.ranks["measure"] == "first score"]
    ranks = dict(zip(by_size["method"], by_size["mean_rank"], strict=False))
    assert len(answer["crossfitted"]["dataset"]) == len(comparison.crossfitted)
    assert set(answer["ranks"]["method"]) <= set(ranks)
    assert answer["classifiers"] == ["clinical-svm", "ridge", "cox"]
