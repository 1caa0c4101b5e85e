"""Methods of R against the same calls made by hand in R, without the bridge."""

import subprocess

import numpy as np
import pandas as pd
import pytest

from hetsel import Schema, get_method
from r_bridge.to_r import canonical_columns, session

# what reads the columns and the classes that a method gets
READ = """
frame <- read.csv(commandArgs(TRUE)[1])
for (name in names(frame)) {
  if (is.character(frame[[name]])) {
    frame[[name]] <- factor(frame[[name]], unique(frame[[name]]))
  }
}
x <- frame[names(frame) != "y"]
y <- frame$y
set.seed(SEED)
"""
BY_HAND = {
    "ranger": """
        f <- ranger::ranger(y ~ ., frame, num.trees = 200, mtry = 2, importance = "permutation",
          respect.unordered.factors = "partition", num.threads = 1)
        told <- ranger::importance(f)[names(x)]""",
    "ranger-impurity": """
        f <- ranger::ranger(y ~ ., frame, num.trees = 200, importance = "impurity_corrected",
          respect.unordered.factors = "partition", num.threads = 1)
        told <- ranger::importance(f)[names(x)]""",
    "cforest": """
        library(party)
        f <- cforest(y ~ ., frame, controls = cforest_unbiased(ntree = 100, mtry = 2))
        told <- varimp(f)[names(x)]""",
    "boruta": """
        f <- Boruta::Boruta(y ~ ., frame, maxRuns = 20, num.trees = 50, num.threads = 1,
          respect.unordered.factors = "partition")
        told <- Boruta::attStats(f)[names(x), "medianImp"]""",
    "glmnet": """
        X <- do.call(cbind, lapply(x, function(v) if (is.factor(v)) model.matrix(~ v - 1) else v))
        of <- rep(names(x), sapply(x, function(v) if (is.factor(v)) nlevels(v) else 1))
        family <- if (nlevels(y) > 2) "multinomial" else "binomial"
        f <- glmnet::glmnet(X, y, family, type.multinomial = "grouped")
        w <- if (is.list(f$beta)) f$beta[[1]] else f$beta
        told <- sapply(names(x), function(name) {
          max(0, f$lambda[colSums(as.matrix(w)[of == name, , drop = FALSE] != 0) > 0])
        })""",
    "corelearn-relieff": """
        told <- CORElearn::attrEval(y ~ ., frame, "ReliefFequalK", ReliefIterations = 0,
          kNearestEqual = 10, maxThreads = 1)[names(x)]""",
}
TRIED = {
    "ranger": {"ntree": 200, "mtry": 2},
    "ranger-impurity": {"ntree": 200},
    "cforest": {"ntree": 100, "mtry": 2},
    "boruta": {"ntree": 50, "runs": 20},
    "glmnet": {},
    "corelearn-relieff": {},
}


def mixed(n=90, classes=2):
    rng = np.random.default_rng(5)
    y = rng.integers(0, classes, n)
    frame = pd.DataFrame(
        {
            "dose": rng.normal(size=n) + y,
            "age": rng.integers(20, 60, n),
            "site": rng.choice(["hip", "knee", "hand", "é"], n),
            "sex": np.where(rng.random(n) < 0.3 + 0.4 * (y == 1), "f", "m"),
            "noise": rng.normal(size=n),
        }
    )
    return frame, y


def in_r(code, *arguments):
    """Numbers that an R of its own prints."""
    printed = f'{code}\ncat(sprintf("%.17g", told))'
    command = ["Rscript", "-e", printed, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return list(map(float, done.stdout.split()))


def written(frame, y, columns, path):
    """The columns in this order, in their canonical form, and the classes, as a CSV file."""
    table = Schema.infer(frame).encode(frame).take(columns=np.array(columns))
    canonical = canonical_columns.canonical(table)
    cells = {
        column.name: np.array(column.levels)[values.astype(int)] if column.levels else values
        for column, values in zip(canonical.schema.columns, canonical.values.T, strict=True)
    }
    labels = pd.DataFrame({**cells, "y": [f"class {k}" for k in y]})
    labels.to_csv(path, index=False, float_format="%.17g")
    return path


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("key", BY_HAND)
def test_importances_equal_those_of_r_alone(key, classes, tmp_path):
    frame, y = mixed(classes=classes)
    selector = get_method(key)(**TRIED[key], random_state=3).fit(frame, y)
    seeded = selector.answer_.seeded
    assert sorted(seeded.columns) == list(range(5))
    file = written(frame, y, seeded.columns, tmp_path / "table.csv")
    by_hand = in_r(READ.replace("SEED", str(seeded.seed)) + BY_HAND[key], file)
    found = selector.importances_[list(seeded.columns)]
    if key == "boruta":  # attStats() has the runs after a rejection as -Inf in the median
        told = [value for value in by_hand if np.isfinite(value)]
        assert found[np.isfinite(by_hand)].tolist() == told
        assert len(told) > 1
    else:
        assert found.tolist() == by_hand
    assert len(set(by_hand)) > 2


@pytest.mark.parametrize(
    ("key", "call"),
    [
        (
            "rf10000",
            "randomForest::importance(randomForest::randomForest("
            "x, y, ntree = 200, importance = TRUE), type = 1, scale = FALSE)",
        ),
        (
            "ranger",
            "ranger::ranger(x = x, y = y, num.trees = 200, importance = 'permutation', "
            "respect.unordered.factors = 'partition', num.threads = 1)$variable.importance",
        ),
        (
            "ranger-impurity",
            "ranger::ranger(x = x, y = y, num.trees = 200, importance = 'impurity_corrected', "
            "respect.unordered.factors = 'partition', num.threads = 1)$variable.importance",
        ),
    ],
)
def test_the_seed_and_the_order_of_the_columns_repeat_it_on_the_table_as_it_is(key, call, tmp_path):
    frame, y = mixed(classes=3)
    selector = get_method(key)(ntree=200, random_state=8).fit(frame, y)
    seeded = selector.answer_.seeded
    assert list(seeded.columns) != list(range(5))
    labels = frame.iloc[:, list(seeded.columns)].assign(y=[f"class {k}" for k in y])
    labels.to_csv(tmp_path / "table.csv", index=False, float_format="%.17g")
    code = READ.replace("SEED", str(seeded.seed)) + f"told <- {call}"
    by_hand = in_r(code, tmp_path / "table.csv")
    assert selector.importances_[list(seeded.columns)].tolist() == by_hand


def test_the_call_that_repeats_an_answer_knows_the_columns_of_the_whole_table():
    frame, y = mixed()
    frame["visit"] = pd.Categorical(["first", "second", "third"] * 30, ordered=True)
    whole = get_method("ranger")(ntree=20, always=["age"]).fit(frame, y).answer_
    names = [frame.columns[j] for j in whole.seeded.columns]
    assert sorted(names) == sorted(frame)
    part = whole.seeded.within(np.array([6, 1, 2, 3, 4, 0]))
    assert part.columns[names.index("visit")] == 0
    assert part.columns[names.index("dose")] == 6


@pytest.mark.parametrize("key", BY_HAND)
def test_the_generator_of_r_is_left_as_it_was(key):
    frame, y = mixed()
    session.call('function() set.seed(1, kind = "Wichmann-Hill")')
    before = list(session.call("function() get('.Random.seed', globalenv())"))
    get_method(key)(**TRIED[key]).fit(frame, y)
    assert list(session.call("function() get('.Random.seed', globalenv())")) == before
    session.call('function() set.seed(NULL, kind = "default")')


def test_a_missing_package_is_refused_with_the_call_that_installs_it(monkeypatch):
    frame, y = mixed()
    monkeypatch.setattr(get_method("ranger"), "package", "notthere")
    with pytest.raises(session.RPackageMissing, match=r'install.packages\("notthere"\)'):
        get_method("ranger")(ntree=-1).fit(frame, y)  # before anything else is looked at


def test_levels_beyond_what_ranger_parts_are_merged_by_their_frequency_alone():
    rng = np.random.default_rng(2)
    town = pd.Categorical(rng.permutation(np.arange(300) % 41))
    frame = pd.DataFrame({"town": town, "x": rng.normal(size=300)})
    with pytest.warns(UserWarning, match=r"ranger accepts at most 10 levels.* town \(41 levels"):
        here = get_method("ranger")(ntree=50).fit(frame, np.arange(300) % 2)
    assert np.isfinite(here.importances_).all()
    for key in ("cforest", "glmnet"):  # these have no limit
        get_method(key)(**TRIED[key]).fit(frame, np.arange(300) % 2)


@pytest.mark.parametrize(
    ("key", "options", "said"),
    [
        ("ranger", {"ntree": 0}, "ntree must be a whole number in 1"),
        ("ranger-impurity", {"mtry": 6}, r"mtry must be a whole number in 1\.\.5"),
        ("cforest", {"ntree": 2.5}, "ntree must be a whole number"),
        ("boruta", {"runs": 10}, r"runs must be a whole number in 11\.\."),
        ("glmnet", {"alpha": 0}, "alpha must be above 0 and at most 1. Got 0"),
        ("corelearn-relieff", {"k": 0}, "k must be a whole number"),
    ],
)
def test_options_are_checked(key, options, said):
    frame, y = mixed()
    with pytest.raises(ValueError, match=said):
        get_method(key)(**options).fit(frame, y)


@pytest.mark.parametrize("key", ["boruta"])
def test_boruta_ranks_by_its_decision_first(key):
    frame, y = mixed(300)
    answer = get_method(key)(ntree=100, runs=60).fit(frame, y).answer_
    decision = answer.extras["decision"]
    assert decision[0] == 3
    assert 1 in decision
    assert (np.diff(decision[answer.order]) <= 0).all()
