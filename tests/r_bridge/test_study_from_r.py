"""A study from R finds what the same study from Python finds, interrupted or not."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import numpy as np
import pandas as pd
import pytest

import hetsel

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
for (jobs in c(0, 2)) {
  store <- paste0("same", jobs, ".sqlite")
  cat(hetsel_study(plan, store = store, jobs = jobs, data = data)$digest, "\n")
}
"""
BY_ROW = """
library(hetsel)
k <- 0:89
person <- paste("patient", k %/% 3)
visit <- as.Date("2024-01-01") + (k * 37) %% 90
own <- data.frame(dose = sin(k %/% 3) + (k * 7) %% 13, site = factor(c("hip", "knee")[1 + k %% 2]))
sick <- (k %/% 3) %% 2 == 0
run <- function(name, x, splits, ...) {
  plan <- list(
    name = name, methods = c("rfe-svm", "mi-histogram"), resamplings = splits, sizes = 1:2, seed = 2
  )
  table <- list(own = list(x = x, y = ifelse(sick, "sick", "well"), ...))
  study <- hetsel_study(plan, store = paste0(name, ".sqlite"), jobs = 0, data = table)
  cat(study$digest, "\\n")
  cat(sprintf("%a", study$scores$bcr), "\\n")
  invisible(study)
}
ten <- list(count = 10, kind = "k-fold")
study <- run("array", own, ten, row_groups = person)
pairs <- study$bayesian_pairs
cat(sprintf("%a", c(pairs$one_better, pairs$equivalent, pairs$other_better)), "\\n")
run("column", cbind(own, person), ten, row_groups = "person")
run("position", cbind(person, own), ten, row_groups = 1)
late <- list(count = 3, kind = "time-ordered", test_count = 9)
run("late", own, late, order = visit)
"""
INTERRUPTED = """
library(hetsel)
plan <- list(
  name = "long", datasets = "heart", methods = c("rfe-mkl", "hfs-nb"), resamplings = 80, seed = 6
)
got <- tryCatch(
  hetsel_study(plan, "long.sqlite", jobs = 2), interrupt = function(e) "interrupted"
)
cat("first:", if (is.character(got)) got else "finished", "\n")
counted <- tryCatch({ Sys.sleep(0.2); "quiet" }, interrupt = function(e) "again")
cat("afterwards:", counted, "\n")
heard <- tryCatch(
  { tools::pskill(Sys.getpid(), tools::SIGINT); Sys.sleep(5); "deaf" },
  interrupt = function(e) "heard"
)
cat("R itself:", heard, "\n")
study <- hetsel_study(plan, "long.sqlite", jobs = 2)
cat("digest:", study$digest, "\n")
"""


@pytest.fixture(scope="module")
def environment(r_library):
    return {**os.environ, "RETICULATE_PYTHON": sys.executable, "R_LIBS": r_library}


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
    results = study.run(tmp_path / "python.sqlite", n_jobs=0, progress=False)
    assert results.status()["finished"] == 18
    assert output.split() == [results.digest()] * 2


def test_rows_that_belong_together_or_have_an_order_score_the_same_to_the_bit(
    environment, tmp_path
):
    session = rscript(BY_ROW, env=environment, cwd=tmp_path)
    output, errors = session.communicate(timeout=300)
    assert session.returncode == 0, errors[-3000:]
    digest, scores, pairs, *others = [line.split() for line in output.strip().splitlines()]
    k = np.arange(90)
    site = pd.Categorical(np.array(["hip", "knee"])[k % 2])
    own = pd.DataFrame({"dose": np.sin(k // 3) + (k * 7) % 13, "site": site})
    y = np.where((k // 3) % 2 == 0, "sick", "well")

    def run(name, resamplings, **more):
        study = hetsel.Study(
            name,
            datasets={"name": "own", "X": own, "y": y, **more},
            methods=["rfe-svm", "mi-histogram"],
            resamplings=resamplings,
            sizes=[1, 2],
            seed=2,
        )
        return study.run(tmp_path / f"{name}-python.sqlite", n_jobs=0, progress=False)

    def to_the_bit(values):
        return [float.fromhex(value) for value in values]

    together = run("array", {"count": 10, "kind": "k-fold"}, row_groups=k // 3)
    assert digest == [together.digest()]
    assert to_the_bit(scores) == together.frame()["bcr"].tolist()
    cases = ["one_better", "equivalent", "other_better"]
    found = hetsel.compare_methods(together).bayesian_pairs()[cases]
    assert len(found) == 2
    assert to_the_bit(pairs) == found.to_numpy().T.ravel().tolist()
    assert others[:4] == [digest, scores] * 2  # a column by name and by position
    late = {"count": 3, "kind": "time-ordered", "test_count": 9}
    ordered = run("late", late, order=(k * 37) % 90)
    assert others[4] == [ordered.digest()]
    assert to_the_bit(others[5]) == ordered.frame()["bcr"].tolist()


def cells_in(store):
    if not store.exists():
        return 0
    try:
        with closing(sqlite3.connect(store)) as file:
            return file.execute("SELECT count(*) FROM selections").fetchone()[0]
    except sqlite3.OperationalError:  # not made yet
        return 0


@pytest.fixture(scope="module")
def long(tmp_path_factory):
    """The digest of the study that nobody interrupts, from Python."""
    study = hetsel.Study(
        "long", datasets=["heart"], methods=["rfe-mkl", "hfs-nb"], resamplings=80, seed=6
    )
    store = tmp_path_factory.mktemp("long") / "python.sqlite"
    return study.run(store, n_jobs=0, progress=False).digest()


def test_ctrl_c_leaves_a_store_that_resumes(environment, long, tmp_path):
    session = rscript(INTERRUPTED, env=environment, cwd=tmp_path, start_new_session=True)
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
    assert "Repeat the call to continue" in errors
    assert "Traceback" not in errors
    assert said["digest"] == long
