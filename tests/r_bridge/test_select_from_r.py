"""A signature from R is that from Python, to the last bit, and predicts in a later session."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest

import hetsel
from hetsel.ground.sealed_json import plain_values
from hetsel.signature.performance import Measure, nested_performance
from hetsel.words.signature_sentences import sentences
from r_bridge.from_r import signatures

TABLE = """
library(hetsel)
folder <- commandArgs(TRUE)[1]
table_of <- function(k) {
  sick <- (k %% 3 == 0) == (k %% 11 < 9)
  x <- data.frame(
    dose = (k * 7) %% 13 + 3 * sick,
    site = factor(c("hip", "knee", "hand")[1 + (k + sick) %% 3], levels = c("knee", "hip", "hand")),
    smoker = (k %% 4 == 0) != (sick & k %% 2 == 0), weight = (k * 11) %% 37,
    stage = factor(
      c("low", "mid", "high")[1 + (k %/% 2) %% 3], levels = c("low", "mid", "high"), ordered = TRUE
    ),
    age = 40L + as.integer((k * 17) %% 41), name = c("a", "b")[1 + (k %/% 7) %% 2]
  )
  x$dose[k %% 19 == 4] <- x$site[k %% 23 == 5] <- x$smoker[k %% 29 == 6] <- NA
  list(x = x, y = ifelse(sick, "sick", "well"), three = c("u", "v", "w")[1 + (k + sick) %% 3])
}
kept <- function(name, frame) {
  numbers <- vapply(frame, is.double, NA)
  frame[numbers] <- lapply(frame[numbers], function(v) sprintf("%.17g", v))
  write.csv(frame, file.path(folder, paste0(name, ".csv")), row.names = FALSE)
}
"""
FRAMES = ("features", "performance", "alternatives", "effects", "sizes", "frequency")
# what R says, and what Python says for it
CALLS = {
    "rows": (
        "x, y, method = 'rfe-svm', row_groups = paste('patient', k %/% 2), folds = 4, repeats = 2, "
        "permutations = 0, pairs = 10, positive = 'sick', seed = 3, nominal = 'age'",
        {
            "method": "rfe-svm", "folds": 4, "repeats": 2, "permutations": 0, "pairs": 10,
            "positive": "sick", "random_state": 3, "nominal": ["age"],
        },
    ),
    "three": (
        "x, data$three, 'hsic', 3, missing = 'separate', folds = 3, repeats = 1, "
        "permutations = 39, pairs = 6, C = 1, ordinal = list(name = c('b', 'a')), "
        "unseen = 'separate'",
        {
            "method": "hsic", "size": 3, "missing": "separate", "folds": 3, "repeats": 1,
            "permutations": 39, "pairs": 6, "C": 1.0, "ordinal": {"name": ["b", "a"]},
            "unseen": "separate",
        },
    ),
    "formula": (
        "y == 'sick' ~ . - weight, cbind(x, y = y), method = 'rfe-svm', size = 'knee', folds = 3, "
        "repeats = 1, permutations = 0, pairs = 0, jobs = 2, params = list(C = 3)",
        {
            "method": {"key": "rfe-svm", "params": {"C": 3.0}}, "size": "knee", "folds": 3,
            "repeats": 1, "permutations": 0, "pairs": 0,
        },
    ),
    "weights": (
        "x, y, method = 'rfe-svm', size = 2, row_weights = 1 + (k %% 5) / 3, folds = 3, "
        "repeats = 1, permutations = 0, pairs = 6",
        {
            "method": "rfe-svm", "size": 2, "folds": 3, "repeats": 1, "permutations": 0,
            "pairs": 6,
        },
    ),
}  # fmt: skip
FOUND = f"""
{TABLE}
k <- 0:119
data <- table_of(k)
x <- data$x
y <- data$y
found <- list({", ".join(f"{name} = hetsel_select({said})" for name, (said, _) in CALLS.items())})
for (name in names(found)) {{
  one <- found[[name]]
  for (part in c("{'", "'.join(FRAMES)}")) kept(paste0(name, "-", part), one[[part]])
  writeLines(one$model, file.path(folder, paste0(name, ".json")), sep = "", useBytes = TRUE)
  writeLines(one$sentences, file.path(folder, paste0(name, ".txt")), useBytes = TRUE)
}}
permuted <- found$three$permutation_test$permuted
cat(sprintf("%.17g\\n", permuted), file = file.path(folder, "permuted"))
cat(found$three$stable$features, found$rows$nested, found$rows$groups, sep = "\\n")
kept("weighted", found$weights$effective_sample_size)
for (name in c("rows", "formula", "weights")) {{
  points <- hetsel_points(found[[name]])
  for (part in c("values", "totals", "cost")) kept(paste0(name, "-points-", part), points[[part]])
}}
cat(tryCatch(hetsel_points(found$three), error = conditionMessage), file = file.path(folder, "no"))
kept("ranked", as.data.frame(hetsel_rank(x, y, row_weights = 1 + (k %% 5) / 3)))
saveRDS(found, file.path(folder, "found.rds"))
"""
LATER = f"""
{TABLE}
found <- readRDS(file.path(folder, "found.rds"))
new <- table_of(120:179)$x
new$site <- as.character(new$site)
for (name in names(found)) {{
  decision <- as.data.frame(predict(found[[name]], new, "decision"))
  kept(paste0(name, "-new"), cbind(class = predict(found[[name]], new), decision))
  kept(paste0(name, "-prob"), as.data.frame(predict(found[[name]], new, "prob")))
}}
data <- table_of(0:119)
got <- tryCatch({{
  cat("begin\\n")
  flush(stdout())
  hetsel_select(data$x, data$y, repeats = 500)
}}, interrupt = function(e) "interrupted")
cat("first:", if (is.character(got)) got else "finished", "\\n")
counted <- tryCatch({{ Sys.sleep(0.2); "quiet" }}, interrupt = function(e) "again")
cat("afterwards:", counted, "\\n")
cat("next:", nrow(predict(found$three, new[1:3, ], "decision")), "\\n")
"""


def table(k):
    k = pd.Series(k)
    sick = (k % 3 == 0) == (k % 11 < 9)
    frame = pd.DataFrame(
        {
            "dose": ((k * 7) % 13 + 3 * sick).astype(float),
            "site": pd.Categorical.from_codes(
                ((k + sick) % 3).map({0: 1, 1: 0, 2: 2}), ["knee", "hip", "hand"]
            ),
            "smoker": ((k % 4 == 0) != (sick & (k % 2 == 0))).astype(object),
            "weight": ((k * 11) % 37).astype(float),
            "stage": pd.Categorical.from_codes(k // 2 % 3, ["low", "mid", "high"], ordered=True),
            "age": (40 + (k * 17) % 41).astype(float),
            "name": (k // 7 % 2).map({0: "a", 1: "b"}),
        }
    )
    frame.loc[k % 19 == 4, "dose"] = None
    frame.loc[k % 23 == 5, "site"] = None
    frame.loc[k % 29 == 6, "smoker"] = None
    three = ((k + sick) % 3).map({0: "u", 1: "v", 2: "w"})
    return frame, np.where(sick, "sick", "well"), three.to_numpy()


@pytest.fixture(scope="module")
def environment(r_library):
    return {**os.environ, "RETICULATE_PYTHON": sys.executable, "R_LIBS": r_library}


@pytest.fixture(scope="module")
def folder(environment, tmp_path_factory):
    """Where R wrote what it found."""
    folder = tmp_path_factory.mktemp("signatures")
    command = ["Rscript", "--vanilla", "-e", FOUND, str(folder)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    (folder / "said").write_text(done.stdout)
    return folder


@pytest.fixture(scope="module")
def fitted():
    """The same signatures, found by Python."""
    k = np.arange(120)
    frame, y, three = table(k)
    given = {
        "rows": {"X": frame, "y": y, "groups": k // 2},
        "three": {"X": frame, "y": three},
        "formula": {"X": frame.drop(columns="weight"), "y": y == "sick"},
        "weights": {"X": frame, "y": y, "sample_weight": 1 + (k % 5) / 3},
    }
    return {
        name: hetsel.Signature(**options).fit(**given[name]) for name, (_, options) in CALLS.items()
    }


def same(file, expected):
    """Whether R wrote this data frame, numbers to the last bit."""
    got = pd.read_csv(file, dtype=str, keep_default_na=False)
    assert got.columns.tolist() == expected.columns.tolist()
    assert len(got) == len(expected)
    for name in expected:
        if pd.api.types.is_float_dtype(expected[name]):
            numbers = np.array([np.nan if v in ("NA", "NaN") else float(v) for v in got[name]])
            np.testing.assert_array_equal(numbers, expected[name])
        else:
            assert got[name].tolist() == [in_r(value) for value in expected[name]]


def test_what_no_fold_tells_is_nan():
    unknown = Measure(None, None, None, 0.95, key="harrell", label="Harrell's C", rows=9)
    found = signatures._estimate(nested_performance("survival", [unknown], 0.5, 0.6, np.nan, 3, 1))
    assert found["inner"] == 0.6
    assert np.isnan([found["optimism"], found["training_gain"]]).all()


def in_r(value):
    return str(value).upper() if isinstance(value, bool | np.bool_) else str(value)


def pieces(found):
    """The effects with levels apart from numbers, places of levels counted from 1."""
    kinds = {column.name: column.kind for column in found.schema_.columns}
    effects = found.effects()
    kind = effects["feature"].map(kinds)
    levels = (kind == "nominal") | effects["low"].map(lambda low: isinstance(low, str))
    named = [
        in_r(int(low) if kind_ == "nominal" and isinstance(low, float) else low) if level else ""
        for low, level, kind_ in zip(effects["low"], levels, kind, strict=True)
    ]
    for end in ("low", "high"):
        numbers = [np.nan if level else v for v, level in zip(effects[end], levels, strict=True)]
        effects[end] = np.array(numbers, dtype=float) + (kind == "ordinal")
    effects.insert(2, "level", named)
    effects["class"] = effects["class"].replace({"True": "TRUE", "False": "FALSE"})
    return effects.rename(columns={"rows True": "rows TRUE", "rows False": "rows FALSE"})


@pytest.mark.parametrize("name", CALLS)
def test_the_signature_from_r_is_that_from_python(folder, fitted, name):
    found = fitted[name]
    assert (folder / f"{name}.json").read_text() == found.saved().to_json()
    assert hetsel.load_signature(folder / f"{name}.json").features == found.features_
    frame = pd.DataFrame(plain_values(found.facts())["features"])[["feature", "kind", "frequency"]]
    same(folder / f"{name}-features.csv", frame.astype({"frequency": float}))
    performance = found.performance_.frame()
    performance["measure"] = performance["measure"].replace({"bcr": "BCR", "auc": "AUC"})
    performance["class"] = performance["class"].replace({"True": "TRUE", "False": "FALSE"})
    same(folder / f"{name}-performance.csv", performance)
    same(folder / f"{name}-effects.csv", pieces(found))
    same(folder / f"{name}-alternatives.csv", found.alternatives_)
    shares = found.frequencies_.rename_axis("feature").reset_index()
    same(folder / f"{name}-frequency.csv", shares)
    sizes = found.sizes_
    judged = {"size": sizes.sizes, "inner_auc": sizes.means} if sizes else {}
    same(folder / f"{name}-sizes.csv", pd.DataFrame(judged, columns=["size", "inner_auc"]))


def test_verdict_test_and_sizes_within_cross_too(folder, fitted):
    rows, three = fitted["rows"], fitted["three"]
    permuted = (folder / "permuted").read_text().split()
    assert [float(rate) for rate in permuted] == three.permutation_test_.permuted.tolist()
    for name in ("rows", "three"):
        said = (folder / f"{name}.txt").read_text().splitlines()
        assert said == sentences(fitted[name].facts())
    stable = three.facts().stable
    expected = [*(stable.features if stable else []), *rows.sizes_.nested, rows.groups_]
    assert (folder / "said").read_text().split() == [str(one) for one in expected]


def test_weighted_rows_are_ranked_and_counted_as_by_python(folder, fitted):
    found = fitted["weights"]
    classes = {"class": found.classes_.tolist(), "rows": found.effective_sample_size_}
    same(folder / "weighted.csv", pd.DataFrame(classes))
    k = np.arange(120)
    frame, y, _ = table(k)
    ranked = hetsel.RFEMKL().fit(frame, y, sample_weight=1 + (k % 5) / 3)
    same(folder / "ranked.csv", ranked.frame())


@pytest.mark.parametrize("name", ["rows", "formula", "weights"])
def test_points_are_those_of_python(name, folder, fitted):
    values = fitted[name].points()
    values["value"] = values["value"].str.replace("True", "TRUE").str.replace("False", "FALSE")
    same(folder / f"{name}-points-values.csv", values)
    facts = plain_values(fitted[name].facts().points)
    totals = pd.DataFrame(facts["totals"])[
        ["low", "high", "probability_low", "probability_high", "rows", "observed"]
    ]
    same(folder / f"{name}-points-totals.csv", totals.astype({"observed": float}))
    cost = pd.DataFrame(facts["cost"]).rename(columns={"label": "measure"})
    columns = ["measure", "model", "points", "difference", "standard_error"]
    same(folder / f"{name}-points-cost.csv", cost[columns])
    assert "3 classes" in (folder / "no").read_text()


def test_classes_are_written_as_r_writes_them(folder, fitted):
    text = (folder / "formula.txt").read_text()
    assert "class TRUE" in text
    assert "True" not in text
    assert json.loads((folder / "formula.json").read_text())["facts"]["positive"] is True


def test_a_later_session_predicts_the_same_and_hears_ctrl_c(environment, folder, fitted):
    session = subprocess.Popen(
        ["Rscript", "--vanilla", "-e", LATER, str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,
    )
    assert session.stdout.readline() == "begin\n", session.communicate()
    time.sleep(0.7)
    os.killpg(session.pid, signal.SIGINT)
    output, errors = session.communicate(timeout=300)
    assert session.returncode == 0, errors[-3000:]
    said = dict(line.split(": ", 1) for line in output.strip().splitlines())
    assert {name: text.strip() for name, text in said.items()} == {
        "first": "interrupted",
        "afterwards": "quiet",  # heard once
        "next": "3",
    }
    assert "Traceback" not in errors
    new = table(np.arange(120, 180))[0]
    for name, found in fitted.items():
        rows = new.drop(columns="weight") if name == "formula" else new
        got = pd.read_csv(folder / f"{name}-new.csv", dtype=str)
        assert got.pop("class").tolist() == [in_r(label) for label in found.predict(rows)]
        decision = found.decision_function(rows).reshape(len(rows), -1)
        if found.positive_ is not None and found.positive_ == found.classes_[0]:
            decision = -decision  # in R above 0 for the positive class
        np.testing.assert_array_equal(got.to_numpy().astype(float), decision)
        labels = [in_r(label) for label in found.classes_]  # R has them in the order of the target
        told = pd.read_csv(folder / f"{name}-prob.csv", dtype=str)
        assert told.columns.tolist() == sorted(labels)
        np.testing.assert_array_equal(told[labels].astype(float), found.predict_proba(rows))


def test_progress_says_what_is_done(monkeypatch, capsys):
    monkeypatch.setattr(signatures, "EVERY", 0.0)
    say = signatures.lines_on_stderr()
    say(3, 40, "points")
    told = capsys.readouterr().err
    assert re.fullmatch(r"hetsel: points, 3 of 40 parts, [0-9.]+ s elapsed\n", told)
    monkeypatch.setattr(signatures, "EVERY", 1e9)
    say(4, 40, "points")
    assert capsys.readouterr().err == ""
