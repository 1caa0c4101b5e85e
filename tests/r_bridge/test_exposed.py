"""Python hosts R: the R package answers in the R that rpy2 runs."""

import subprocess
import sys

import pytest

ANSWERS = """
import numpy as np
from rpy2 import robjects
from rpy2.robjects import pandas2ri
import hetsel, r_bridge

r_bridge.expose()
heart, r = hetsel.datasets.load("heart"), robjects.r
with (robjects.default_converter + pandas2ri.converter).context():
    robjects.globalenv["table"] = heart.X.assign(y=heart.y)
ranked = np.array(r('hetsel_rank(y ~ ., table, method = "rfe-svm")$ranking$importance'))
ours = hetsel.get_method("rfe-svm")().fit(heart.X, heart.y).frame()["importance"]
assert np.array_equal(ranked, ours)
r("s <- hetsel_select(y ~ ., table, size = 2, quick = TRUE, folds = 3, pairs = 2)")
model = hetsel.Signature(size=2, quick=True, folds=3, pairs=2)
model.fit(heart.X, heart.y)
assert list(r("s$features$feature")) == list(model.features_)
shares = np.array(r('predict(s, table, type = "prob")'))
assert np.array_equal(shares, model.predict_proba(heart.X))
r(f'pdf("{FOLDER}/s.pdf"); plot(s); dev.off()')
r(f'''st <- hetsel_study(
  list(name = "st", seed = 1, datasets = list("heart"), methods = list("variance", "spearman"),
       sizes = c(1, 3), resamplings = list(count = 2)),
  store = "{FOLDER}/st.sqlite", jobs = 0, progress = FALSE)''')
assert r("nrow(as.data.frame(st))")[0] > 0
assert r('hetsel_rank(y ~ ., table, method = "rf10000", ntree = 20)$selected[1]')[0] in heart.X
wrong = r('tryCatch(hetsel_rank(y ~ ., table, "no"), error = conditionMessage)')[0]
assert "method must be one of" in wrong
print("all equal")
"""
PRESSED = """
import os, signal, time
from rpy2 import robjects
from rpy2.rinterface_lib.embedded import RRuntimeError
import hetsel, r_bridge

r_bridge.expose()


def pressed(*_):
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(60)


hetsel.get_method("variance")._score = pressed
try:
    robjects.r('hetsel_rank(infert[2:4], infert$case, "variance")')
except RRuntimeError as reason:
    print(str(reason).strip())
print(robjects.r('nrow(hetsel_rank(infert[2:4], infert$case, "spearman")$ranking)')[0])
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """R's package in a library of R, as a user has it."""
    folder = tmp_path_factory.mktemp("library")
    command = ["R", "CMD", "INSTALL", "--no-docs", "--no-test-load", "-l", str(folder)]
    done = subprocess.run(
        [*command, "r_bridge/hetsel"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder


def run(code, library, monkeypatch):
    monkeypatch.setenv("R_LIBS", str(library))
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_answers_in_cells_of_r_are_those_of_python(library, tmp_path, monkeypatch):
    code = ANSWERS.replace("{FOLDER}", str(tmp_path))
    assert run(code, library, monkeypatch)[-1] == "all equal"


def test_ctrl_c_ends_a_call_and_nothing_else(library, monkeypatch):
    assert run(PRESSED, library, monkeypatch) == ["Error: interrupted", "3"]


def test_the_package_of_this_python_is_installed_where_r_has_none(tmp_path, monkeypatch):
    code = "import r_bridge; from rpy2 import robjects; r_bridge.expose()\n"
    code += (
        'print(robjects.r("hetsel_available()")[0], robjects.r("nrow(hetsel_methods())")[0] > 60)'
    )
    assert run(code, tmp_path, monkeypatch)[-1] == "True True"
