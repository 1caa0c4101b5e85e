"""A study from R finds what the same study from Python finds, interrupted or not."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

import hetsel

PACKAGE = Path(__file__).parents[2] / "r_bridge" / "hetsel"
SAME = """
library(hetsel)
k <- 0:59
own <- data.frame(
  dose = (k * 7) %% 13 + 3 * (k %% 3 == 0), site = factor(c("hip", "knee", "hand")[1 + k %% 3]),
  smoker = k %% 4 == 0
)
own$dose[5] <- NA
own$site[6] <- NA
plan <- list(
  name = "same", datasets = c("heart", "own"), resamplings = list(count = 3, kind = "random"),
  methods = list("rfe-mkl", list(key = "rfe-svm", params = list(C = 1), label = "svm"), "hfs-nb"),
  sizes = c(1, 2, 3), classifiers = c("clinical-svm", "naive-bayes"), seed = 5
)
data <- list(own = list(x = own, y = ifelse(k %% 3 == 0, "sick", "well"), nominal = "smoker"))
for (jobs in 1:2) {
  store <- paste0("same", jobs, ".sqlite")
  cat(hetsel_study(plan, store = store, jobs = jobs, data = data)$digest, "\n")
}
"""
INTERRUPTED = """
library(hetsel)
jobs <- as.integer(commandArgs(TRUE)[1])
plan <- list(
  name = "long", datasets = "heart", methods = c("rfe-mkl", "hfs-nb"), resamplings = 150, seed = 6
)
got <- tryCatch(hetsel_study(plan, jobs = jobs), interrupt = function(e) "interrupted")
cat("first:", if (is.character(got)) got else "finished", "\n")
counted <- tryCatch({ Sys.sleep(0.2); "quiet" }, interrupt = function(e) "again")
cat("afterwards:", counted, "\n")
heard <- tryCatch(
  { tools::pskill(Sys.getpid(), tools::SIGINT); Sys.sleep(5); "deaf" },
  interrupt = function(e) "heard"
)
cat("R itself:", heard, "\n")
study <- hetsel_study(plan, jobs = jobs)
cat("digest:", study$digest, "\n")
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    library = tmp_path_factory.mktemp("library")
    install = ["R", "CMD", "INSTALL", "--no-docs", "-l", str(library), str(PACKAGE)]
    subprocess.run(install, check=True, capture_output=True)
    return {**os.environ, "RETICULATE_PYTHON": sys.executable, "R_LIBS": str(library)}


def rscript(script, *arguments, **options):
    command = ["Rscript", "--vanilla", "-e", script, *arguments]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )


def test_the_digest_from_r_is_that_from_python(environment, tmp_path):
    session = rscript(SAME, env=environment, cwd=tmp_path)
    output, errors = session.communicate(timeout=300)
    assert session.returncode == 0, errors[-3000:]
    k = pd.Series(range(60))
    own = pd.DataFrame(
        {
            "dose": ((k * 7) % 13 + 3 * (k % 3 == 0)).astype(float),
            "site": (k % 3).map(dict(enumerate(["hip", "knee", "hand"]))),
            "smoker": k % 4 == 0,
        }
    )
    own.loc[4, "dose"] = own.loc[5, "site"] = None
    own["site"] = own["site"].astype("category")  # as a factor, its levels are declared
    y = (k % 3 == 0).map({True: "sick", False: "well"})
    study = hetsel.Study(
        "same",
        datasets=["heart", {"name": "own", "X": own, "y": y, "nominal": ["smoker"]}],
        methods=["rfe-mkl", {"key": "rfe-svm", "params": {"C": 1.0}, "label": "svm"}, "hfs-nb"],
        resamplings={"count": 3, "kind": "random"},
        sizes=[1, 2, 3],
        classifiers=["clinical-svm", "naive-bayes"],
        seed=5,
    )
    results = study.run(tmp_path / "python.sqlite", jobs=0, progress=False)
    assert results.status()["finished"] == 18
    assert output.split() == [results.digest()] * 2


def cells_in(store):
    if not store.exists():
        return 0
    try:
        with sqlite3.connect(store) as file:
            return file.execute("SELECT count(*) FROM cells").fetchone()[0]
    except sqlite3.OperationalError:  # not made yet
        return 0


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_leaves_a_store_that_resumes(environment, tmp_path, jobs):
    session = rscript(INTERRUPTED, str(jobs), env=environment, cwd=tmp_path, start_new_session=True)
    store = tmp_path / "long.sqlite"
    while cells_in(store) < 3 and session.poll() is None:
        time.sleep(0.02)
    os.killpg(session.pid, signal.SIGINT)  # as a terminal sends it: to workers too
    output, errors = session.communicate(timeout=300)
    assert session.returncode == 0, errors[-3000:]
    said = dict(line.split(": ", 1) for line in output.strip().splitlines())
    said = {name: text.strip() for name, text in said.items()}
    assert said["first"] == "interrupted"
    assert said["afterwards"] == "quiet"  # heard once
    assert said["R itself"] == "heard"
    assert "the same call goes on from there" in errors
    assert "Traceback" not in errors
    study = hetsel.Study(
        "long", datasets=["heart"], methods=["rfe-mkl", "hfs-nb"], resamplings=150, seed=6
    )
    results = study.run(tmp_path / "python.sqlite", jobs=0, progress=False)
    assert said["digest"] == results.digest()
