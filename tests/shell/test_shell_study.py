"""The shell: hetsel study run, status, export, report."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from study.studies import cells_in

from hetsel import Results, Study, compare_methods
from hetsel.shell.main import main
from hetsel.study.model_on_all_rows import final_model

PLAN = """
name = "my study"
datasets = [{name = "own", file = "own.csv", target = "y", nominal = ["code"]}]
methods = ["rfe-svm", "hfs-nb"]
resamplings = 3
"""


@pytest.fixture
def plan(tmp_path, monkeypatch):
    rows = [f"{i % 7},{(i // 3) % 4},{'yes' if i % 7 > 3 else 'no'}" for i in range(60)]
    (tmp_path / "own.csv").write_text("x,code,y\n" + "\n".join(rows) + "\n")
    (tmp_path / "plan.toml").write_text(PLAN)
    monkeypatch.chdir(tmp_path)
    return "plan.toml"


@pytest.mark.slow
def test_run_status_export_report(plan, tmp_path, capsys):
    assert main(["study", "run", plan, "--jobs", "0"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("my study: 6 of 6 cells, 0 failed (my-study.sqlite)\ndigest ")
    assert "6 of 6 cells to compute" in err
    assert main(["study", "run", plan, "--jobs", "0", "--quiet"]) == 0
    again, err = capsys.readouterr()
    assert (again, err) == (out, "")
    assert main(["study", "status", plan]) == 0
    assert "own      3 of 3  hfs-nb" in capsys.readouterr().out
    assert main(["study", "status", "my-study.sqlite", "--json"]) == 0
    status = json.loads(capsys.readouterr().out)
    assert (status["finished"], status["missing"], status["failures"]) == (6, 0, [])
    assert main(["study", "export", plan, "--out", "tables"]) == 0
    names = ["rankings_own", "comparison_crossfitted", "comparison_ranks", "absent_classes"]
    assert all((tmp_path / "tables" / f"{name}.csv").exists() for name in names)
    capsys.readouterr()
    assert main(["study", "report", plan, "--out", "r.html", "--figures", "f", "--format=png"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "wrote r.html"
    pictures = sorted(path.name for path in (tmp_path / "f").iterdir())
    of_the_data_set = ["curves-own.png", "effects-own.png", "selection-own.png"]
    of_all = ["time.png", "performance-by-size.png", "stability-against-performance.png"]
    assert pictures == sorted(of_the_data_set + of_all)
    assert len(said) == 1 + len(pictures)
    assert main(["study", "report", plan, "--out", "r.md"]) == 0
    beside = {path.name for path in tmp_path.glob("r-*.png")}
    assert {f"r-{name}" for name in pictures} == beside


@pytest.mark.slow
def test_the_exported_pairs_are_those_of_python(plan, tmp_path):
    (tmp_path / plan).write_text(PLAN.replace('"hfs-nb"', '"mi-histogram"').replace("= 3", "= 12"))
    assert main(["study", "run", plan, "--jobs", "0", "--quiet"]) == 0
    assert main(["study", "export", plan, "--out", "tables"]) == 0
    found = compare_methods(Results("my-study.sqlite")).bayesian_pairs()
    exported = pd.read_csv(tmp_path / "tables" / "comparison_bayesian_pairs.csv")
    assert exported["number"].tolist() == [12, 12]
    pd.testing.assert_frame_equal(exported, found, check_dtype=False, check_exact=True)


@pytest.mark.slow
def test_what_is_exported_is_compared_by_the_score_that_is_asked_for(plan, tmp_path, capsys):
    assert main(["study", "run", plan, "--jobs", "0", "--quiet"]) == 0
    assert main(["study", "export", plan, "--out", "tables", "--score", "auc"]) == 0
    found = compare_methods(Results("my-study.sqlite"), score="auc").crossfitted
    exported = pd.read_csv(tmp_path / "tables" / "comparison_crossfitted.csv")
    pd.testing.assert_frame_equal(exported, found, check_dtype=False, check_exact=True)
    capsys.readouterr()
    assert main(["study", "export", plan, "--out", "other", "--score", "r2"]) == 1
    assert "sensitivity, specificity, auc. Got" in capsys.readouterr().err
    assert not (tmp_path / "other").exists()


@pytest.mark.slow
def test_methods_are_tested_against_the_reference_that_is_asked_for(plan, tmp_path, capsys):
    for name, rows in (("own", 60), ("other", 50)):
        table = [[i % 7, (i // 3) % 4, i**2 % 11, i**3 % 17] for i in range(rows)]
        lines = [f"{a},{b},{c},{d},{'yes' if a + c + d > 15 else 'no'}" for a, b, c, d in table]
        (tmp_path / f"{name}.csv").write_text("\n".join(["x,code,z,u,y", *lines]) + "\n")
    two = '[{name = "other", file = "other.csv", target = "y", nominal = ["code"]}, {name = "own"'
    (tmp_path / plan).write_text(PLAN.replace('[{name = "own"', two).replace("hfs-nb", "cmim"))
    assert main(["study", "run", plan, "--jobs", "0", "--quiet"]) == 0
    label = Results("my-study.sqlite").methods[0]
    assert main(["study", "export", plan, "--out", "tables", "--reference", label]) == 0
    found = compare_methods(Results("my-study.sqlite"), reference=label).control
    exported = pd.read_csv(tmp_path / "tables" / "comparison_control.csv")
    assert len(exported) > 0
    pd.testing.assert_frame_equal(exported, found, check_dtype=False, check_exact=True)
    assert main(["study", "report", plan, "--out", "r.md", "--reference", label]) == 0
    assert f"against {label}" in (tmp_path / "r.md").read_text(encoding="utf-8")
    capsys.readouterr()
    assert main(["study", "report", plan, "--out", "other.md", "--reference", "nobody"]) == 1
    assert f"one of {label}" in capsys.readouterr().err
    assert not (tmp_path / "other.md").exists()


BY_ROW = """
methods = ["rfe-svm", "mi-histogram"]
sizes = [1, 2]
seed = 2
resamplings = {splits}
[[datasets]]
name = "own"
file = "own.csv"
target = "y"
nominal = ["site"]
{role}
"""


@pytest.mark.seconds
@pytest.mark.parametrize(
    ("role", "splits"),
    [
        ({"row_groups": "person"}, {"count": 5, "kind": "k-fold", "folds": 5}),
        ({"order": "day"}, {"count": 3, "kind": "time-ordered", "test_count": 9}),
    ],
)
def test_a_plan_says_of_the_rows_what_a_call_does(tmp_path, monkeypatch, capsys, role, splits):
    monkeypatch.chdir(tmp_path)
    k = np.arange(90)
    y = np.where((k // 3) % 2 == 0, "sick", "well")
    features = pd.DataFrame({"dose": np.sin(k // 3) + (k * 7) % 13, "site": k % 4})
    day = pd.Timestamp("2024-01-01") + pd.to_timedelta((k * 37) % 90, unit="D")
    given = {"row_groups": [f"p{v}" for v in k // 3], "order": day.strftime("%Y-%m-%d")}
    (option, column), *_ = role.items()
    features.assign(**{column: given[option]}, y=y).to_csv("own.csv", index=False)
    settings = ", ".join(f"{name} = {json.dumps(value)}" for name, value in splits.items())
    text = BY_ROW.format(splits=f"{{{settings}}}", role=f'{option} = "{column}"')
    (tmp_path / "by-row.toml").write_text(text)
    assert main(["study", "run", "by-row.toml", "--jobs", "0", "--quiet"]) == 0
    numbers = {"row_groups": k // 3, "order": (k * 37) % 90}
    called = Study(
        "by-row",
        datasets={"name": "own", "X": features, "y": y, "nominal": ["site"]}
        | {option: numbers[option]},
        methods=["rfe-svm", "mi-histogram"],
        sizes=[1, 2],
        resamplings=splits,
        seed=2,
    ).run("python.sqlite", n_jobs=0, progress=False)
    assert capsys.readouterr().out.splitlines()[-1] == f"digest {called.digest()}"
    frame = Results("by-row.sqlite").frame()
    assert frame["bcr"].tolist() == called.frame()["bcr"].tolist()
    groups, places = numbers["row_groups"], np.asarray(numbers["order"])
    for r, cell in cells_in(called, "own", "rfe-svm"):
        if option == "row_groups":
            assert np.isin(groups, groups[cell.test]).sum() == len(cell.test)
        else:
            assert sorted(places[cell.test]) == list(range(81 - 9 * r, 90 - 9 * r))


def test_errors(plan, capsys):
    assert main(["study", "status", plan]) == 1
    assert "my-study.sqlite. Use `hetsel study run` to make it" in capsys.readouterr().err
    assert main(["study", "run", "other.toml"]) == 1
    assert "hetsel: error: no such file: other.toml" in capsys.readouterr().err
    assert main(["study", "run", plan, "--jobs", "-1"]) == 1
    assert "error: --jobs must be a whole number, 0 or larger. Got -1" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["study"])


def test_a_report_is_never_written_over_what_it_is_made_of(plan, tmp_path, capsys):
    assert main(["study", "run", plan, "--jobs", "0", "--quiet"]) == 0
    held = {path: path.read_bytes() for path in tmp_path.iterdir()}
    for path in held:
        assert main(["study", "report", plan, "--out", path.name]) == 1
        assert f", .md, .markdown, .docx. Got {path.name}" in (capsys.readouterr().err)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == held


@pytest.mark.seconds
def test_a_plan_that_has_changed_since_its_run(plan, tmp_path, capsys):
    assert main(["study", "run", plan, "--jobs", "0", "--quiet"]) == 0
    capsys.readouterr()
    assert main(["study", "status", plan]) == 0
    assert capsys.readouterr().err == ""
    file = tmp_path / plan
    file.write_text(
        PLAN.replace("= 3", "= 5").replace('"hfs-nb"', '{key = "t-test", label = "hfs-nb"}')
    )
    assert main(["study", "status", plan]) == 0
    err = capsys.readouterr().err
    assert "hetsel: note: plan.toml has changed since the last run" in err
    assert "changed: resamplings.count: 3 -> 5" in err
    assert "changed: methods.hfs-nb.key: 'hfs-nb' -> 't-test'" in err
    assert main(["study", "status", "my-study.sqlite"]) == 0
    assert capsys.readouterr().err == ""
    results = Results("my-study.sqlite", Study.load(plan))
    # the model of a report is that of the method that ran, not of its label now
    assert final_model(results, "own", "hfs-nb", 2).names == ("x", "code")
    assert main(["study", "status", "my-study.sqlite", "--store", "other.sqlite"]) == 1
    assert "the store my-study.sqlite as PLAN" in capsys.readouterr().err


@pytest.mark.slow
def test_a_study_of_numbers(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
    X[["bmi", "bp", "s5"]].assign(progression=y).to_csv("diabetes.csv", index=False)
    table = '{file = "diabetes.csv", target = "progression"}'
    plan = (
        f'datasets = [{table}]\nmethods = ["pearson", "relieff"]\nresamplings = 4\nsizes = [1, 2]\n'
    )
    (tmp_path / "plan.toml").write_text(plan)
    assert main(["study", "run", "plan.toml", "--jobs", "0", "--quiet"]) == 1
    assert "data set 'diabetes'" in (said := capsys.readouterr().err)
    assert 'target_kind = "numbers"' in said
    plan = plan.replace('"progression"', '"progression", target_kind = "numbers"')
    (tmp_path / "plan.toml").write_text(f'classifiers = "naive-bayes"\n{plan}')
    assert main(["study", "run", "plan.toml", "--jobs", "0", "--quiet"]) == 1
    assert "must name a regressor" in (said := capsys.readouterr().err)
    assert "Got naive-bayes" in said
    assert "Use ridge, clinical-svm, 5nn, random-forest or a regressor of scikit-learn" in said
    (tmp_path / "plan.toml").write_text(plan)  # of numbers the judge is ridge
    assert main(["study", "run", "plan.toml", "--jobs", "0", "--quiet"]) == 0
    assert main(["study", "export", "plan.toml", "--out", "tables"]) == 0
    scores = pd.read_csv("tables/scores.csv").query("method == 'pearson' and size == 2")
    results = Results("plan.sqlite")
    for resampling, cell in cells_in(results, "diabetes", "pearson"):
        train, chosen = np.setdiff1d(np.arange(len(y)), cell.test), cell.chosen[1]
        own = X[["bmi", "bp", "s5"]].loc[:, chosen]
        model = make_pipeline(StandardScaler(), Ridge()).fit(own.iloc[train], y[train])
        r2 = model.score(own.iloc[cell.test], y[cell.test])
        row = scores[scores["resampling"] == resampling]
        assert row["r2"].item() == pytest.approx(r2, rel=1e-6)
    assert not (tmp_path / "tables" / "absent_classes.csv").exists()
    assert main(["study", "report", "plan.toml", "--out", "r.html", "--score", "mae"]) == 0
    assert "negative MAE" in (tmp_path / "r.html").read_text()
    capsys.readouterr()
    assert main(["study", "report", "plan.toml", "--out", "r.html", "--score", "bcr"]) == 1
    assert "score must be one of r2, mae, rmse. Got 'bcr'" in capsys.readouterr().err


@pytest.mark.seconds
def test_parts_of_a_study_and_their_merged_store(plan, tmp_path, capsys):
    (tmp_path / plan).write_text(PLAN.replace('"hfs-nb"', '"variance"'))
    assert main(["study", "run", plan, "--jobs", "0", "--quiet"]) == 0
    digest = capsys.readouterr().out.splitlines()[-1]
    for part in ("2/2", "1/2"):
        assert main(["study", "run", plan, "--part", part, "--jobs", "0", "--quiet"]) == 0
    assert "4 of 6 cells" in capsys.readouterr().out
    stores = ["my-study.part-1-of-2.sqlite", "my-study.part-2-of-2.sqlite"]
    assert main(["study", "merge", stores[0], "--into", "all.sqlite"]) == 0
    assert "part 2 of 2: all cells missing (4)" in capsys.readouterr().err
    assert main(["study", "status", "all.sqlite"]) == 0
    assert "part 2 of 2: all cells missing (4)" in capsys.readouterr().out
    assert main(["study", "merge", *stores, "--into", "all.sqlite", "--quiet"]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines() == ["my study: 6 of 6 cells, 0 failed (all.sqlite)", digest]
    assert said.err == ""
    assert main(["study", "run", plan, "--store", "all.sqlite", "--jobs", "0"]) == 0
    assert "nothing to compute" in capsys.readouterr().err
    assert main(["study", "status", stores[0], "--json"]) == 0
    parts = json.loads(capsys.readouterr().out)["by_part"]
    assert [part["finished"] for part in parts] == [2, 0]


@pytest.mark.parametrize("part", ["3/2", "0/4", "x", "1/100"])
def test_no_part_of_a_study_is_refused(plan, tmp_path, capsys, part):
    assert main(["study", "run", plan, "--part", part, "--jobs", "0"]) == 1
    assert "error: --part" in (said := capsys.readouterr().err)
    assert part.split("/")[-1] in said
    assert not list(tmp_path.glob("*.sqlite"))


def test_stores_that_do_not_merge_are_refused(plan, tmp_path, capsys):
    assert main(["study", "merge", "none.sqlite", "--into", "all.sqlite"]) == 1
    assert "no such store: none.sqlite" in capsys.readouterr().err
    text = PLAN.replace('"rfe-svm", "hfs-nb"', '"variance"')
    for number in (1, 2):
        (tmp_path / plan).write_text(f"seed = {number}\n{text}")
        assert main(["study", "run", plan, "--part", f"{number}/2", "--jobs", "0"]) == 0
    stores = sorted(path.name for path in tmp_path.glob("*.sqlite"))
    capsys.readouterr()
    assert main(["study", "merge", *stores, "--into", "all.sqlite"]) == 1
    assert "seed: 1 -> 2" in capsys.readouterr().err
    assert not (tmp_path / "all.sqlite").exists()
    with pytest.raises(SystemExit):
        main(["study", "merge", *stores])
