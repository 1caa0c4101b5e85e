"""Methods of R for numbers and survival times against the same calls made by hand in R."""

import subprocess

import numpy as np
import pandas as pd
import pytest

from hetsel import Schema, get_method, survival
from hetsel.ground.errors import TableError
from hetsel.tables import Numbers, Survival
from r_bridge.to_r import canonical_columns

READ = """
library(survival)
frame <- read.csv(commandArgs(TRUE)[1])
for (name in names(frame)) {
  if (is.character(frame[[name]])) {
    frame[[name]] <- factor(frame[[name]], unique(frame[[name]]))
  }
}
x <- frame[grep("^x", names(frame))]
y <- if (is.null(frame$y)) Surv(frame$time, frame$status) else frame$y
frame <- data.frame(x, y = I(y))
set.seed(SEED)
"""
RANGER = """
    f <- ranger::ranger(x = x, y = y, num.trees = 200, mtry = 2, importance = "%s",
      respect.unordered.factors = "partition", num.threads = 1)
    told <- f$variable.importance[names(x)]"""
GLMNET = """
    X <- do.call(cbind, lapply(x, function(v) if (is.factor(v)) model.matrix(~ v - 1) else v))
    of <- rep(names(x), sapply(x, function(v) if (is.factor(v)) nlevels(v) else 1))
    f <- glmnet::glmnet(X, y, "%s")
    told <- sapply(names(x), function(name) {
      max(0, f$lambda[colSums(as.matrix(f$beta)[of == name, , drop = FALSE] != 0) > 0])
    })"""
CFOREST = """
    library(party)
    data <- x
    data$y <- y
    f <- cforest(y ~ ., data[c("y", names(x))], controls = cforest_unbiased(ntree = 100, mtry = 2))
    capture.output(told <- varimp(f)[names(x)]) -> nothing"""
BORUTA = """
    f <- Boruta::Boruta(x, y, maxRuns = 20, num.trees = 50, num.threads = 1,
      respect.unordered.factors = "partition")
    told <- Boruta::attStats(f)[names(x), "medianImp"]"""
RANDOM_FOREST = """
    f <- randomForest::randomForest(x, y, ntree = 200, importance = TRUE)
    told <- randomForest::importance(f, type = 1, scale = FALSE)[names(x), 1]"""
BY_HAND = {
    ("ranger", "numbers"): RANGER % "permutation",
    ("ranger", "survival"): RANGER % "permutation",
    ("ranger-impurity", "numbers"): RANGER % "impurity_corrected",
    ("ranger-impurity", "survival"): RANGER % "impurity_corrected",
    ("cforest", "numbers"): CFOREST,
    ("cforest", "survival"): CFOREST,
    ("glmnet", "numbers"): GLMNET % "gaussian",
    ("glmnet", "survival"): GLMNET % "cox",
    ("boruta", "numbers"): BORUTA,
    ("boruta", "survival"): BORUTA,
    ("rf10000", "numbers"): RANDOM_FOREST,
}
TRIED = {
    "ranger": {"ntree": 200},
    "ranger-impurity": {"ntree": 200},
    "cforest": {"ntree": 100, "mtry": 2},
    "boruta": {"ntree": 50, "runs": 20},
    "glmnet": {},
    "rf10000": {"ntree": 200},
}
every = pytest.mark.parametrize(("key", "target"), BY_HAND)


def mixed(target, n=110):
    """Columns dose and site tell the target; the latter is numbers, or times that repeat."""
    rng = np.random.default_rng(6)
    risk = rng.normal(size=n)
    site = np.digitize(risk + 0.5 * rng.normal(size=n), [-0.7, 0.0, 0.7])
    frame = pd.DataFrame(
        {
            "dose": rng.normal(size=n) + 1.5 * risk,
            "age": rng.integers(20, 60, n),
            "site": np.array(["knee", "hip", "é", "hand"])[site],
            "sex": rng.choice(["f", "m"], n),
            "noise": rng.normal(size=n),
        }
    )
    if target == "numbers":
        return frame, 40.0 + 7.0 * risk
    return frame, survival(np.round(np.exp(-risk), 2), rng.random(n) < 0.6)


def in_r(code, *arguments):
    """Numbers that an R of its own prints."""
    printed = f'{code}\ncat(sprintf("%.17g", told))'
    command = ["Rscript", "-e", printed, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return list(map(float, done.stdout.split()))


def told_to_r(y):
    return Survival.of(y) if y.dtype.names else Numbers.of(y)


def written(frame, y, columns, path):
    """The columns in this order and the target, in their canonical forms, as a CSV file."""
    table = Schema.infer(frame).encode(frame).take(columns=np.array(columns))
    canonical = canonical_columns.canonical(table)
    target = canonical_columns.target_of(told_to_r(y))
    cells = {
        column.name: np.array(column.levels)[values.astype(int)] if column.levels else values
        for part in (canonical, target)
        for column, values in zip(part.schema.columns, part.values.T, strict=True)
    }
    pd.DataFrame(cells).to_csv(path, index=False, float_format="%.17g")
    return path


@every
def test_importances_equal_those_of_r_alone(key, target, tmp_path):
    frame, y = mixed(target)
    selector = get_method(key)(**TRIED[key], random_state=3).fit(frame, y)
    seeded = selector.answer_.seeded
    file = written(frame, y, seeded.columns, tmp_path / "table.csv")
    by_hand = in_r(READ.replace("SEED", str(seeded.seed)) + BY_HAND[key, target], file)
    found = selector.importances_[list(seeded.columns)]
    if key == "boruta":  # attStats() has the runs after a rejection as -Inf in the median
        told = np.isfinite(by_hand)
        assert found[told].tolist() == np.array(by_hand)[told].tolist()
    else:
        assert found.tolist() == by_hand
    assert len(set(by_hand)) > 2


@every
def test_what_tells_the_target_is_first_in_every_unit_and_order_of_columns(key, target):
    frame, y = mixed(target)
    here = get_method(key)(**TRIED[key]).fit(frame, y)
    assert set(here.frame()["feature"][:2]) == {"dose", "site"}
    turn = np.random.default_rng(0).permutation(5)
    other = frame.assign(dose=3.7 * frame["dose"] - 11.3, sex=frame["sex"].replace("m", "a"))
    unit = 3.7 * y - 11.3 if target == "numbers" else survival(y["time"] / 365.25, y["event"])
    there = get_method(key)(**TRIED[key]).fit(other.iloc[:, turn], unit)
    np.testing.assert_array_equal(there.importances_, here.importances_[turn])


@every
def test_few_values_and_a_constant_column(key, target):
    frame, y = mixed(target)
    frame["still"] = "same"
    numbers = target == "numbers"
    few = np.round(y / 10) if numbers else survival(np.round(y["time"]), y["event"])  # 0 among them
    found = get_method(key)(**TRIED[key], target_kind=target).fit(frame, few)
    assert np.isfinite(found.importances_).all()
    assert sorted(found.ranking_) == [1, 2, 3, 4, 5, 6]
    assert found.importances_[5] == 0


def test_numbers_are_standardized_and_times_are_their_ranks():
    y = np.random.default_rng(0).gamma(2.0, size=50)
    told = canonical_columns.target_of(Numbers(y)).values[:, 0]
    np.testing.assert_allclose(told, (y - y.mean()) / y.std(), atol=1e-6)
    times, events = np.array([3.0, 0.0, 7.5, 3.0]), np.array([True, True, False, False])
    told = canonical_columns.target_of(Survival(times, events))
    assert told.names == ("time", "status") or list(told.names) == ["time", "status"]
    assert told.values.tolist() == [[2, 1], [1, 1], [3, 0], [2, 0]]


def test_levels_beyond_what_randomforest_takes_can_be_ordered_by_their_mean():
    rng = np.random.default_rng(2)
    town = rng.permutation(np.arange(300) % 60)
    y = rng.normal(size=60)[town] + 0.1 * rng.normal(size=300)
    frame = pd.DataFrame({"town": town.astype(str), "x": rng.normal(size=300)})
    found = get_method("rf10000")(ntree=50, many_levels="order").fit(frame, y)
    assert found.signature(1).tolist() == [0]


def test_survival_times_are_refused_by_randomforest_with_the_reason():
    frame, y = mixed("survival")
    with pytest.raises(TableError, match="randomForest does not support survival"):
        get_method("rf10000")(ntree=50).fit(frame, y)
