"""RF10000 against R's randomForest called without the bridge."""

import subprocess

import numpy as np
import pandas as pd
import pytest
from sklearn.utils import check_random_state

from hetsel import Schema, get_method
from r_bridge.to_r import canonical_columns, session

ORACLE = """
frame <- read.csv(commandArgs(TRUE)[1])
first <- function(v) factor(v, levels = unique(v))
for (name in c("site", "y")) frame[[name]] <- first(frame[[name]])
set.seed(SEED)
fit <- randomForest::randomForest(
  frame[c(ORDER)], frame$y, ntree = 500, importance = TRUE, proximity = TRUE
)
cat(sprintf("%.17g", randomForest::importance(fit, type = 1, scale = SCALE)))
"""


def mixed(n=90, classes=2):
    rng = np.random.default_rng(5)
    y = rng.integers(0, classes, n)
    frame = pd.DataFrame(
        {
            "dose": rng.normal(size=n) + y,
            "age": rng.integers(20, 60, n),
            "site": rng.choice(["hip", "knee", "hand", "é"], n),
            "noise": rng.normal(size=n),
        }
    )
    return frame, y


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("classes", [2, 3])
def test_importances_equal_those_of_r_alone(tmp_path, scaled, classes):
    frame, y = mixed(classes=classes)
    table = Schema.infer(frame).encode(frame)
    order = [frame.columns[j] for j in table.canonical_order()]
    draw = check_random_state(0).randint(2**31 - 1)
    seed = int(np.random.default_rng(draw).integers(2**31 - 1))
    frame.assign(y=y).to_csv(tmp_path / "table.csv", index=False, float_format="%.17g")
    code = ORACLE.replace("SEED", str(seed)).replace("SCALE", str(scaled).upper())
    code = code.replace("ORDER", ", ".join(f'"{name}"' for name in order))
    done = subprocess.run(
        ["Rscript", "-e", code, str(tmp_path / "table.csv")],
        capture_output=True,
        text=True,
        check=True,
    )
    expected = dict(zip(order, map(float, done.stdout.split()), strict=True))
    selector = get_method("rf10000")(ntree=500, scaled=scaled).fit(frame, y)
    assert dict(zip(frame.columns, selector.importances_, strict=True)) == expected


def test_names_places_units_and_level_orders_change_nothing():
    frame, y = mixed()
    frame["town"] = [f"t{k}" for k in np.random.default_rng(1).integers(0, 70, len(frame))]
    plain = dict(
        zip(frame, get_method("rf10000")(ntree=200).fit(frame, y).importances_, strict=True)
    )
    names = {"hip": "z", "knee": "y", "hand": "x", "é": "w"}
    other = frame[["town", "site", "noise", "age", "dose"]].assign(
        age=0.1 * frame["age"] + 3,
        dose=frame["dose"] * 0.3,
        site=frame["site"].map(names),
        town=frame["town"].map(lambda t: 1000 - int(t[1:])).astype("category"),
    )
    again = get_method("rf10000")(ntree=200).fit(other, np.where(y == 0, "b", "a"))
    assert dict(zip(other, again.importances_, strict=True)) == plain


def test_what_r_gets_is_within_its_limits():
    rng = np.random.default_rng(2)
    n = 300
    frame = pd.DataFrame(
        {
            "many": pd.Categorical([f"l{k}" for k in rng.permutation(np.arange(n) % 92)]),
            "some": pd.Categorical(
                rng.choice(["b", "a"], n), categories=[f"c{k}" for k in range(80)] + ["a", "b"]
            ),
            "gap": np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n)),
            "ordered": pd.Categorical(rng.choice([3, 1, 2], n), categories=[1, 2, 3], ordered=True),
        }
    )
    frame.loc[4, "some"] = None
    frame.loc[7, "ordered"] = None
    table = Schema.infer(frame).encode(frame).resolve_missing("separate")
    merged = canonical_columns.canonical(table, 53)
    assert np.bincount(merged.values[:, 0].astype(int))[-1] == n - 24 * 4 - 28 * 3
    assert len(merged.schema.columns[0].levels) == 53
    sent = canonical_columns.canonical(table, 53, np.arange(n) % 2)
    assert not np.isnan(sent.values).any()
    assert [c.kind for c in sent.schema.columns] == [
        "continuous",
        "nominal",
        "continuous",
        "continuous",
    ]
    assert len(sent.schema.columns[1].levels) == 3
    assert set(np.unique(sent.values[:, 0])) == set(range(92))
    for missing in ("impute", "separate"):
        for y in (np.arange(n) % 2, np.arange(n) % 3):
            selector = get_method("rf10000")(ntree=20, missing=missing, many_levels="order")
            selector.fit(frame, y)
            assert np.isfinite(selector.importances_).all()


def test_columns_that_are_constant_once_filled_do_not_keep_r_for_ever():
    frame = pd.DataFrame({"once": [np.nan, 8.0, np.nan, np.nan, np.nan], "same": [1.0] * 5})
    selector = get_method("rf10000")(ntree=5, missing="separate").fit(frame, [0, 0, 1, 1, 0])
    assert selector.importances_.tolist() == [0.0, 0.0]


def test_options_are_checked():
    frame, y = mixed()
    for name, value in (("ntree", 0), ("ntree", 2.5), ("mtry", 5), ("mtry", True)):
        with pytest.raises(ValueError, match=f"{name} must be a whole number"):
            get_method("rf10000")(**{"ntree": 5, name: value}).fit(frame, y)


def test_the_generator_of_r_is_left_as_it_was():
    frame, y = mixed()
    session.call('function() set.seed(1, kind = "Wichmann-Hill")')
    before = list(session.call("function() get('.Random.seed', globalenv())"))
    get_method("rf10000")(ntree=5).fit(frame, y)
    assert list(session.call("function() get('.Random.seed', globalenv())")) == before
    session.call('function() set.seed(NULL, kind = "default")')


def test_a_column_of_92_levels_of_noise_is_not_flattered():
    signal, merged, ordered = [], [], []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        y = np.arange(455) % 2
        frame = pd.DataFrame(
            {
                "signal": rng.normal(size=455) + 0.8 * y,
                "noise": rng.normal(size=455),
                "levels": pd.Categorical(rng.integers(0, 92, 455)),
            }
        )
        with pytest.warns(UserWarning, match=r"merged in levels \(9\d levels\)"):
            importances = get_method("rf10000")(ntree=500).fit(frame, y).importances_
        signal.append(importances[0])
        merged.append(importances[2])
        forest = get_method("rf10000")(ntree=500, many_levels="order").fit(frame, y)
        ordered.append(forest.importances_[2])
    assert np.mean(merged) < 0.25 * np.mean(signal)
    assert np.mean(ordered) > 0.5 * np.mean(signal)
    with pytest.raises(ValueError, match="many_levels must be 'merge' or 'order'. Got 'both'"):
        get_method("rf10000")(many_levels="both").fit(frame, y)


def test_versions_of_r_are_known():
    asked = 'cat(as.character(getRversion()), as.character(packageVersion("randomForest")))'
    told = subprocess.run(["Rscript", "-e", asked], capture_output=True, text=True, check=True)
    found = get_method("rf10000").foreign_versions()
    assert list(found.values()) == told.stdout.split()
    assert list(found) == ["R", "randomForest"]
