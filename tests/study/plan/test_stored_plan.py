"""A store carries its plan: printed as TOML, and run again where the store is."""

import shutil
import sys
import tomllib
from pathlib import Path

import pytest
from frames import mixed_frame
from sklearn.feature_selection import SelectKBest
from study.studies import small_study

from hetsel import Results, Study, merge_stores
from hetsel.ground.errors import PlanError, StoreError
from hetsel.shell.main import main
from hetsel.study.plan.plan import Plan, changes
from hetsel.study.plan.stored_plan import plan_text

PLAN = """
seed = 5
resamplings = {count = 3, kind = "k-fold", folds = 3}
sizes = [1, 2]
methods = [
    {key = "rfe-svm", params = {C = 0.5}, label = "a \\u00e9 b"},
    {key = "sklearn.feature_selection.SelectKBest", params = {k = 2}, encoding = "one-hot"},
]
classifiers = [{key = "5nn", params = {neighbors = 3}}, "naive-bayes"]
[[datasets]]
name = "heart"
[[datasets]]
name = "own \\"x\\""
file = "own.csv"
target = "y"
nominal = ["n0"]
missing_marks = ["?"]
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    X, y = mixed_frame(n=45, continuous=2, nominal=1, seed=3)
    X.assign(y=y).to_csv(tmp_path / "own.csv", index=False)
    (tmp_path / "plan.toml").write_text(PLAN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_plan_of_a_store_is_the_plan_that_was_run(folder, capsys):
    assert main(["study", "run", "plan.toml", "--jobs", "0", "--quiet"]) == 0
    digest = Results("plan.sqlite").digest()
    capsys.readouterr()
    assert main(["study", "plan", "plan.sqlite"]) == 0
    Path("again.toml").write_text(capsys.readouterr().out)
    first, second = (Study.load(name).imported().to_dict() for name in ("plan.toml", "again.toml"))
    assert list(changes(first, second)) == []
    assert main(["study", "run", "again.toml", "--jobs", "0", "--store", "plan.sqlite"]) == 0
    assert "nothing to compute" in capsys.readouterr().err
    assert Results("plan.sqlite").digest() == digest


def test_a_store_is_run_where_its_tables_are(folder, capsys):
    assert main(["study", "run", "plan.toml", "--part", "1/3", "--jobs", "0", "--quiet"]) == 0
    whole = Study.load("plan.toml").run("whole.sqlite", n_jobs=0, progress=False)
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    shutil.copy("plan.part-1-of-3.sqlite", elsewhere / "all.sqlite")
    shutil.copy("own.csv", elsewhere)
    Path("plan.toml").unlink()
    assert main(["study", "run", "elsewhere/all.sqlite", "--jobs", "0", "--quiet"]) == 0
    assert Results("elsewhere/all.sqlite").digest() == whole.digest()
    found = Study.load("elsewhere/all.sqlite").run("elsewhere/all.sqlite", progress=False)
    assert found.status()["missing"] == 0
    (elsewhere / "own.csv").write_text(Path("own.csv").read_text().replace("1", "2", 1))
    capsys.readouterr()
    assert main(["study", "run", "elsewhere/all.sqlite", "--jobs", "0"]) == 1
    assert "data set 'own \"x\"' is not the one of the store" in capsys.readouterr().err
    (elsewhere / "own.csv").unlink()
    Path("own.csv").unlink()
    assert main(["study", "run", "elsewhere/all.sqlite", "--jobs", "0"]) == 1
    assert "own.csv of data set 'own \"x\"' must be in" in capsys.readouterr().err
    assert main(["study", "run", "elsewhere/all.sqlite", "--store", "b.sqlite"]) == 1
    assert "--store is for a plan" in capsys.readouterr().err


def test_tables_of_python_are_named(tmp_path):
    path = tmp_path / "a.sqlite"
    small_study(methods=["rfe-svm", SelectKBest(k=1)]).run(path, n_jobs=0, progress=False)
    text = plan_text(Results(path).plan)
    assert "# Tables given in Python: mixed" in text
    assert tomllib.loads(text)["methods"][1]["key"] == "sklearn.feature_selection.SelectKBest"
    with pytest.raises(PlanError, match="the tables of mixed were given in Python"):
        Study.load(path)


def test_a_merged_store_is_completed_by_its_own_plan(tmp_path):
    options = {"datasets": "heart", "resamplings": 2, "sizes": [1, 3]}
    stores = [tmp_path / "a.sqlite", tmp_path / "b.sqlite"]
    Study(methods=["hsic"], classifiers=["5nn"], **options).run(stores[0], progress=False, n_jobs=0)
    Study(methods=["cmim"], **options).run(stores[1], progress=False, n_jobs=0)
    into = tmp_path / "all.sqlite"
    assert merge_stores(stores, into, progress=False).status()["missing"] == 4
    done = Study.load(into).run(into, progress=False, n_jobs=0)
    assert done.status()["missing"] == 0
    whole = Study(methods=["cmim", "hsic"], classifiers=["clinical-svm", "5nn"], **options)
    expected = whole.run(tmp_path / "w.sqlite", progress=False, n_jobs=0).digest()
    assert done.digest() == expected


def test_what_is_no_store_is_read_as_a_plan(tmp_path):
    (tmp_path / "a.sqlite").write_bytes(b"SQLite format 3\0" + b"x" * 100)
    with pytest.raises(StoreError, match=r"a\.sqlite"):
        Study.load(tmp_path / "a.sqlite")
    (tmp_path / "b.toml").write_text("datasets = 3")
    with pytest.raises(PlanError):
        Study.load(tmp_path / "b.toml")


def test_modules_beside_the_plan_are_found(tmp_path, monkeypatch):
    (tmp_path / "beside_the_plan.py").write_text(
        "from sklearn.feature_selection import SelectKBest\n"
        "class Best(SelectKBest):\n    '''Ranks as its base does.'''\n"
    )
    (tmp_path / "plan.toml").write_text(
        'datasets = ["heart"]\nmethods = ["beside_the_plan.Best", "cmim"]\nresamplings = 2\n'
        "sizes = [1]\n"
    )
    monkeypatch.setattr(sys, "path", list(sys.path))
    results = Study.load(tmp_path / "plan.toml").run(
        tmp_path / "a.sqlite", n_jobs=1, progress=False
    )
    assert results.status()["finished"] == 4
    sys.modules.pop("beside_the_plan", None)


def test_every_entry_of_a_plan_has_a_value_in_toml():
    plan = Plan(datasets=["heart"], methods=["rfe-mkl"], resamplings={"count": 4, "test_count": 20})
    content = tomllib.loads(plan_text(plan.to_dict()))
    assert Plan(**content).to_dict() == plan.to_dict()


@pytest.mark.parametrize(
    "judges", ["", 'classifiers = ["5nn", {key = "clinical-svm", params = {C = 2.0}}]']
)
def test_judges_of_several_kinds_of_targets_come_back_as_they_were_asked_for(
    tmp_path, monkeypatch, judges
):
    X, y = mixed_frame(n=60, continuous=3, nominal=1, seed=3)
    X.assign(y=y).to_csv(tmp_path / "a.csv", index=False)
    X.assign(y=X["c0"] + y).to_csv(tmp_path / "b.csv", index=False)
    (tmp_path / "plan.toml").write_text(
        f'methods = ["hsic"]\nresamplings = 2\nsizes = [1]\n{judges}\n'
        'datasets = [{file = "a.csv", target = "y"}, {file = "b.csv", target = "y"}]\n'
    )
    monkeypatch.chdir(tmp_path)
    results = Study.load("plan.toml").run("a.sqlite", n_jobs=0, progress=False)
    assert results.kinds == ["classes", "numbers"]
    again = Study.load("a.sqlite").run("a.sqlite", n_jobs=0, progress=False)
    assert again.digest() == results.digest()
    Path("again.toml").write_text(plan_text(results.plan, results.asked_judges))
    third = Study.load("again.toml").run("a.sqlite", n_jobs=0, progress=False)
    assert third.classifiers == results.classifiers
    assert third.digest() == results.digest()
