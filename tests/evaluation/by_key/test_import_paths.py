"""Only a plan that is run imports what it names, and only classes with a method fit are called."""

import subprocess
import sys
from importlib.metadata import Distribution, EntryPoint
from itertools import product

import numpy as np
import pytest

from hetsel import Results, Study, write_study_report
from hetsel.evaluation.by_key.import_paths import NotImported
from hetsel.ground.errors import PlanError
from hetsel.methods import registry
from hetsel.shell.main import main
from hetsel.study.model_on_all_rows import final_model
from hetsel.study.plan.plan import Plan
from hetsel.study.store.sqlite_store import Store
from r_bridge.from_r.studies import study_report

MODULE = "module_of_a_file"
CODE = """
from pathlib import Path
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.linear_model import LogisticRegression

Path({marks!r}, "imported").touch()

class Best(SelectKBest):
    def __init__(self, k=2):
        super().__init__(f_classif, k=k)
        Path({marks!r}, "made").touch()

class Judge(LogisticRegression):
    pass

class Other:
    def __init__(self, text=""):
        Path({marks!r}, "called").touch()

def function(*given):
    Path({marks!r}, "called").touch()
"""
PLAN = """
name = "named"
datasets = [{{name = "own", file = "own.csv", target = "y", nominal = ["code"]}}]
methods = [{method}]
classifiers = ["clinical-svm", "{module}.Judge"]
resamplings = 2
sizes = [1, 2]
"""


@pytest.fixture
def marks(tmp_path, monkeypatch):
    """What the module of a plan has done: names of files."""
    (tmp_path / "marks").mkdir()
    (tmp_path / f"{MODULE}.py").write_text(CODE.format(marks=str(tmp_path / "marks")))
    rows = [f"{i % 7},{(i // 3) % 4},{'yes' if i % 7 > 3 else 'no'}" for i in range(60)]
    (tmp_path / "own.csv").write_text("x,code,y\n" + "\n".join(rows) + "\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, MODULE, raising=False)
    yield lambda: sorted(path.name for path in (tmp_path / "marks").iterdir())
    sys.modules.pop(MODULE, None)


def forget(folder):
    sys.modules.pop(MODULE, None)
    for path in (folder / "marks").iterdir():
        path.unlink()


def plan_file(method):
    with open("plan.toml", "w", encoding="utf-8") as file:
        file.write(PLAN.format(method=method, module=MODULE))
    return "plan.toml"


@pytest.mark.seconds
def test_a_run_imports_and_nothing_else_does(marks, tmp_path, capsys):
    plan = plan_file(f'"{MODULE}.Best", "rfe-svm"')
    assert [spec.label for spec in Study.load(plan).methods] == ["Best", "rfe-svm"]
    assert marks() == []
    assert main(["study", "run", plan, "--jobs", "0", "--quiet"]) == 0
    assert marks() == ["imported", "made"]
    for given in (plan, "named.sqlite"):
        forget(tmp_path)
        capsys.readouterr()
        assert main(["study", "status", given]) == 0
        assert "changed" not in capsys.readouterr().err
        assert main(["study", "export", given, "--out", "tables"]) == 0
        assert main(["study", "report", given, "--out", "r.html"]) == 0
        assert main(["study", "merge", "named.sqlite", "--into", "all.sqlite", "--quiet"]) == 0
        assert marks() == []
        assert MODULE not in sys.modules
    found = final_model(Results("named.sqlite", Plan.load(plan)), "own", "Best", 1)
    assert f"{MODULE}.Best is an external method" in found
    assert final_model(Results("named.sqlite", Plan.load(plan)), "own", "rfe-svm", 1).names == (
        "x",
    )


def test_the_method_of_a_session_that_ran_has_its_final_model(marks, tmp_path):
    plan = plan_file(f'"{MODULE}.Best"')
    results = Study.load(plan).run(tmp_path / "a.sqlite", n_jobs=0, progress=False)
    assert final_model(results, "own", "Best", 1).names == ("x",)


def test_what_a_plan_says_less_or_otherwise_than_the_last_run(marks, tmp_path, capsys):
    estimator = '{key = "sklearn.svm._classes.SVC", params = {kernel = "linear"}}'
    rfe = f'{{key = "sklearn.feature_selection.RFE", params = {{estimator = {estimator}}}}}'
    text = f'{{key = "{MODULE}.Best", params = {{k = 1}}}}, {rfe}'
    assert main(["study", "run", plan_file(text), "--jobs", "0", "--quiet"]) == 0
    results = Results("named.sqlite", Plan.load("plan.toml"))
    assert results.changes() == []
    plan_file(text.replace("k = 1", "k = 2").replace("linear", "poly"))
    assert Results("named.sqlite", Plan.load("plan.toml")).changes() == [
        "methods.Best.params.k: 1 -> 2",
        "methods.RFE.params.estimator.params.kernel: 'linear' -> 'poly'",
    ]


# functions are parameters, and are not called there
@pytest.mark.parametrize(
    ("name", "place"),
    [
        *product(["Other"], ["method", "judge", "parameter"]),
        *product(["function"], ["method", "judge"]),
    ],
)
def test_what_is_no_selector_or_judge_is_never_called(marks, name, place):
    key = f"{MODULE}.{name}"
    inner = {"key": "sklearn.feature_selection.RFE", "params": {"estimator": {"key": key}}}
    entries = {
        "method": {"methods": key},
        "judge": {"methods": "pearson", "classifiers": {"key": key, "params": {"text": "a"}}},
        "parameter": {"methods": inner},
    }
    with pytest.raises(PlanError, match=r"a class with a method"):
        Plan(datasets="heart", **entries[place])
    assert marks() == ["imported"]


def hostile_store(folder, method, judge):
    """A store whose seal is right and whose plan names what its author wants."""
    path = folder / "hostile.sqlite"
    Study(datasets="heart", methods=["mi-histogram"], resamplings=2, sizes=[1, 2]).run(
        path, n_jobs=0, progress=False
    )
    with Store(path, writing=True) as file:
        plan = file.about("plan")
        plan["methods"][0] |= method
        plan["classifiers"][0] |= judge
        facts = {name: file.about(name) for name in ("datasets", "sizes", "parts")}
        file.write_plan({**facts, "plan": plan}, file.plan())
    return str(path)


R_CODE = {"key": "r_bridge.to_r.r_function.RFunction", "params": {"packed": "00", "packages": {}}}


@pytest.mark.seconds
@pytest.mark.parametrize("runs", ["shell", "module", "R"])
def test_a_store_that_names_a_program_runs_nothing(marks, runs, tmp_path):
    shell = {"args": f"touch {tmp_path}/marks/shell", "shell": True}
    entry = {
        "shell": {"key": "subprocess.Popen", "params": shell},
        "module": {"key": f"{MODULE}.Best", "params": {}},
        "R": R_CODE,
    }[runs]
    store = hostile_store(tmp_path, entry, entry)
    assert main(["study", "status", store]) == 0
    assert main(["study", "export", store, "--out", "tables"]) == 0
    into = str(tmp_path / "all.sqlite")
    assert main(["study", "merge", store, "--into", into, "--quiet"]) == 0
    if runs == "shell":
        write_study_report(Results(store), tmp_path / "p.html")
        page = (tmp_path / "p.html").read_text(encoding="utf-8")
        assert "a report does not import what a file names" in page
        study_report(str(tmp_path / "q.html"), store)
    else:
        assert "is an external method" in final_model(Results(store), "heart", "mi-histogram", 1)
    assert marks() == []


def test_a_method_that_another_package_registers_is_imported_by_a_run(monkeypatch, marks):
    class Foreign(Distribution):
        metadata = {"Name": "foreign"}  # noqa: RUF012

        def read_text(self, filename):
            return None

        def locate_file(self, path):
            return path

    entry = EntryPoint("foreign-best", f"{MODULE}:Best", "hetsel.methods")._for(Foreign())
    monkeypatch.setattr(registry, "entry_points", lambda group: [entry])
    plan_file('"foreign-best", "rfe-svm"')
    first, second = Plan.load("plan.toml").methods
    assert isinstance(first, NotImported)
    assert not isinstance(second, NotImported)
    assert marks() == []


@pytest.mark.seconds
def test_classes_of_a_script_select_and_judge(tmp_path):
    (tmp_path / "script.py").write_text("""
import numpy as np
import pandas as pd
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression

import hetsel


class Best(SelectKBest):
    pass


class Log(LogisticRegression):
    pass


X = pd.DataFrame(np.random.default_rng(0).normal(size=(40, 2)), columns=["a", "b"])
study = hetsel.Study(
    "s", datasets={"name": "d", "X": X, "y": X["a"] > 0}, methods=[Best(k=1), "hsic"],
    classifiers=[Log()], resamplings=2, sizes=[1],
)
print(study.run("s.sqlite", n_jobs=0, progress=False))
print([one.key for one in (*study.methods, *study.classifiers)])
""")
    run = subprocess.run(
        [sys.executable, "-W", "error", "script.py"], cwd=tmp_path, capture_output=True, text=True
    )
    assert run.stdout.splitlines() == [
        "s: 4 of 4 cells, 0 failed (s.sqlite)",
        "['__main__.Best', 'hsic', '__main__.Log']",
    ], run.stderr


def test_names_of_own_methods_are_not_paths():
    found = Plan(datasets="heart", methods=["rfe-svm"], _imports=False)
    assert found.imported() is found
    assert np.all([not isinstance(spec, NotImported) for spec in found.classifiers])
