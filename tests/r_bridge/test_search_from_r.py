"""A search from R finds what the same search from Python finds, interrupted or not."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest

import hetsel

TABLE = """
library(hetsel)
k <- 0:89
x <- data.frame(
  dose = (k * 7) %% 13 + 3 * (k %% 3 == 0), site = factor(c("hip", "knee", "hand")[1 + k %% 3]),
  smoker = k %% 4 == 0, weight = (k * 11) %% 37, stage = factor(
    c("low", "mid", "high")[1 + (k %/% 2) %% 3], levels = c("low", "mid", "high"), ordered = TRUE
  ),
  age = (k * 17) %% 41 + (k %% 5 == 0), name = c("a", "b")[1 + (k %/% 7) %% 2],
  pulse = (k * k) %% 23
)
x$dose[5] <- x$site[6] <- x$smoker[7] <- NA
y <- ifelse((k %% 3 == 0) == (k %% 11 < 9), "sick", "well")
"""
OPTIONS = {
    "sffs": ("", {}),
    "dos": ("search = 'dos', ties = c(0.01, 0.05)", {"search": "dos", "ties": [0.01, 0.05]}),
    "votes": (
        "'dos', c('1nn', '3nn', '5nn'), voting = 'trimmed-median', depth = 3, seed = 4",
        {
            "search": "dos", "criterion": ["1nn", "3nn", "5nn"], "voting": "trimmed-median",
            "depth": 3, "random_state": 4,
        },
    ),
    "column_groups": (
        "column_groups = list(c('dose', 'age'), c(3, 7)), always = 'stage', never = 'pulse', "
        "rate = 'auc'",
        {
            "column_groups": [["dose", "age"], ["smoker", "name"]], "always": ["stage"],
            "never": ["pulse"], "rate": "auc",
        },
    ),
    "costs": (
        "costs = c(dose = 3, site = 0.5, age = 1), budget = 1.5, ties = 0.1, size = 3",
        {"costs": {"dose": 3.0, "site": 0.5, "age": 1.0}, "budget": 1.5, "ties": 0.1, "size": 3},
    ),
    "rows": (
        "row_groups = paste('patient', k %/% 3), search = 'sbfs', criterion = 'naive-bayes', "
        "folds = 4",
        {"search": "sbfs", "criterion": "naive-bayes", "folds": 4},
    ),
    "filter": (
        "hybrid = 0.5, prefilter = 'naive-bayes', repeats = 2",
        {"hybrid": 0.5, "prefilter": "naive-bayes", "repeats": 2},
    ),
    "stopped": (
        "search = 'sbs', early_stopping = TRUE", {"search": "sbs", "early_stopping": True},
    ),
    "sample": ("sample = 40, criterion = 'hsic'", {"sample": 40, "criterion": "hsic"}),
    "all": ("sample = 'all'", {"sample": "all"}),
    "hybrid": (
        "hybrid = 0.5, count = 2, missing = 'separate', nominal = 'pulse'",
        {"hybrid": 0.5, "count": 2, "missing": "separate", "nominal": ["pulse"]},
    ),
}  # fmt: skip
CALLS = "\n".join(
    f"kept('{name}', hetsel_search(x, y, {said or 'seed = 0'}))"
    for name, (said, _) in OPTIONS.items()
)
SAME = f"""
{TABLE}
folder <- commandArgs(TRUE)[1]
kept <- function(name, path) {{
  result <- as.data.frame(path)
  result$score <- sprintf("%.17g", result$score)
  result$selected <- path$size
  result$evaluations <- path$evaluations
  result$equal <- paste(vapply(path$equal, paste, "", collapse = ", "), collapse = "; ")
  write.csv(result, file.path(folder, paste0(name, ".csv")), row.names = FALSE)
}}
{CALLS}
kept("key", hetsel_rank(x, y, method = "dos-5nn"))
part <- hetsel_search(
  x, y, archive = file.path(folder, "archive"), max_evaluations = 25, never = "pulse"
)
stopifnot(part$stopped == "evaluations")
"""
INTERRUPTED = f"""
{TABLE}
search <- function() hetsel_search(x, y, "exhaustive", "10nn", repeats = 200, archive = "archive")
got <- tryCatch(search(), interrupt = function(e) "interrupted")
cat("first:", if (is.character(got)) got else "finished", "\\n")
counted <- tryCatch({{ Sys.sleep(0.2); "quiet" }}, interrupt = function(e) "again")
cat("afterwards:", counted, "\\n")
heard <- tryCatch(
  {{ tools::pskill(Sys.getpid(), tools::SIGINT); Sys.sleep(5); "deaf" }},
  interrupt = function(e) "heard"
)
cat("R itself:", heard, "\\n")
cat("kept:", length(readLines("archive")), "\\n")
cat("selected:", search()$selected, "\\n")
"""


@pytest.fixture(scope="module")
def environment(r_library):
    return {**os.environ, "RETICULATE_PYTHON": sys.executable, "R_LIBS": r_library}


@pytest.fixture(scope="module")
def folder(environment, tmp_path_factory):
    """Where R wrote what it found."""
    folder = tmp_path_factory.mktemp("searches")
    command = ["Rscript", "--vanilla", "-e", SAME, str(folder)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return folder


@pytest.fixture(scope="module")
def table():
    k = pd.Series(range(90))
    frame = pd.DataFrame(
        {
            "dose": ((k * 7) % 13 + 3 * (k % 3 == 0)).astype(float),
            "site": (k % 3).map(dict(enumerate(["hip", "knee", "hand"]))),
            "smoker": (k % 4 == 0).astype(object),
            "weight": ((k * 11) % 37).astype(float),
            "stage": pd.Categorical.from_codes(k // 2 % 3, ["low", "mid", "high"], ordered=True),
            "age": ((k * 17) % 41 + (k % 5 == 0)).astype(float),
            "name": (k // 7 % 2).map({0: "a", 1: "b"}),
            "pulse": ((k * k) % 23).astype(float),
        }
    )
    frame.loc[4, "dose"] = frame.loc[5, "site"] = frame.loc[6, "smoker"] = None
    return frame, np.where((k % 3 == 0) == (k % 11 < 9), "sick", "well"), k // 3


def same(file, selector):
    """Whether R wrote what this selector found, to the last bit."""
    got = pd.read_csv(file, dtype=str, keep_default_na=False)
    expected, names = selector.frame(), selector.schema_.names
    assert len(expected) > 1
    assert got["size"].astype(int).tolist() == expected["size"].tolist()
    assert got["features"].tolist() == [", ".join(s) for s in expected["features"]]
    assert got["score"].astype(float).tolist() == expected["score"].tolist()
    assert set(got["selected"]) == {str(selector.size_)}
    assert set(got["evaluations"]) == {str(len(selector.answer_.evaluated))}
    equal = [", ".join(names[j] for j in s) for s in selector.answer_.equal.values()]
    assert set(got["equal"]) == {"; ".join(equal)}


@pytest.mark.parametrize("name", OPTIONS)
def test_the_search_from_r_is_that_from_python(folder, table, name):
    x, y, rows = table
    selector = hetsel.SubsetSearch(**OPTIONS[name][1])
    same(folder / f"{name}.csv", selector.fit(x, y, groups=rows if name == "rows" else None))


def test_a_method_that_searches_gives_its_path(folder, table):
    x, y, _ = table
    same(folder / "key.csv", hetsel.get_method("dos-5nn")().fit(x, y))


def test_python_goes_on_from_an_archive_that_r_began(folder, table):
    x, y, _ = table
    archive = folder / "archive"
    begun = archive.read_bytes()
    resumed = hetsel.SubsetSearch(never=["pulse"], archive=archive).fit(x, y)
    assert archive.read_bytes().startswith(begun)
    assert begun.count(b"\n") > 10
    fresh = hetsel.SubsetSearch(never=["pulse"]).fit(x, y)
    assert resumed.answer_.evaluated == fresh.answer_.evaluated
    assert resumed.frame().equals(fresh.frame())


def lines_in(file):
    return file.read_bytes().count(b"\n") if file.exists() else 0


def test_ctrl_c_leaves_an_archive_that_is_gone_on_from(environment, table, tmp_path):
    session = subprocess.Popen(
        ["Rscript", "--vanilla", "-e", INTERRUPTED],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=tmp_path,
        start_new_session=True,
    )
    while lines_in(tmp_path / "archive") < 8:
        assert session.poll() is None, session.communicate()
        time.sleep(0.02)
    os.killpg(session.pid, signal.SIGINT)
    output, errors = session.communicate(timeout=300)
    assert session.returncode == 0, errors[-3000:]
    said = dict(line.split(": ", 1) for line in output.strip().splitlines())
    said = {name: text.strip() for name, text in said.items()}
    assert said["first"] == "interrupted"
    assert said["afterwards"] == "quiet"  # heard once
    assert said["R itself"] == "heard"
    assert 8 <= int(said["kept"]) < 256
    assert "Repeat the call to continue" in errors
    assert "Traceback" not in errors
    x, y, _ = table
    search = hetsel.SubsetSearch(search="exhaustive", criterion="10nn", repeats=200)
    assert said["selected"].split() == search.fit(x, y).get_feature_names_out().tolist()
