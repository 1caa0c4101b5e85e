"""What stands in the test rows of a cell moves nothing that is learned, whatever the method."""

import numpy as np
import pandas as pd
import pytest
from study.studies import whole

from hetsel import Table, get_method, method_keys
from hetsel.evaluation.by_key.judges_by_key import ClassifierSpec
from hetsel.evaluation.by_key.methods_by_key import MethodSpec
from hetsel.evaluation.data.data_entry import DataSpec
from hetsel.evaluation.data.encoded_data import prepare
from hetsel.resampling.resampling_entry import Resamplings
from hetsel.study.cell import Recipe
from hetsel.tables.rescaling import levels_of_rows

ROWS, CHANGED = 70, 8  # of the 14 test rows, the last ones, the first 8 change
FINAL = ("clinical-svm", "linear-svm", "gaussian-svm", "naive-bayes", "5nn")
FOREST = {"key": "random-forest", "params": {"trees": 20}}
KINDS = {"a": "continuous", "b": "continuous", "g": "ordinal", "h": "ordinal"}


def table(*, spoiled, missing):
    """Columns of every kind with levels of their own; `spoiled` ones have others in test rows."""
    rng = np.random.default_rng(4)
    y = np.arange(ROWS) % 2
    frame = pd.DataFrame(
        {
            "a": rng.normal(size=ROWS) + y,
            "b": rng.normal(size=ROWS),
            "g": np.clip(rng.integers(0, 4, ROWS) + y, 0, 4) * 1.0,
            "h": rng.integers(0, 6, ROWS) * 1.0,
            "t": rng.choice(list("pqr"), ROWS),
            "u": np.where(rng.random(ROWS) < 0.6, np.where(y, "x", "z"), "w"),
        }
    )
    gaps = rng.random(frame.shape) < 0.05 * missing
    if spoiled:
        rows = np.arange(ROWS - 14, ROWS - 14 + CHANGED)
        for name in frame:
            new = [f"new {i}" for i in rows] if name in "tu" else 1e12
            frame.loc[rows, name] = [0.5, 0.6, 0.7, 3.1, 3.2, 11, -3, 1e9] if name in "gh" else new
        gaps[rows[::3]] = missing
    frame[gaps] = np.nan
    return frame, y


def cell(key, *, spoiled, missing="impute", scale="range", gaps=False, classifiers=()):
    frame, y = table(spoiled=spoiled, missing=gaps)
    method = get_method(key)
    columns = [name for name in frame if KINDS.get(name, "nominal") in method.about.takes]
    ordinal = [name for name in "gh" if name in columns]
    X = frame[columns].assign(outside=np.arange(ROWS) >= ROWS - 14)
    treatment = {"missing": missing, "scale": scale, "ordinal": ordinal}
    data = prepare(DataSpec(name="d", X=X, y=y, test_rows="outside", **treatment))
    recipe = Recipe(
        MethodSpec.of("method", method(**method.about.trial)),
        (1, 2, 3),
        tuple(ClassifierSpec.of("classifier", key) for key in classifiers),
        Resamplings(count=1),
        1,
    )
    found = whole(recipe.run(data, 0, ""))
    assert not getattr(found, "reason", ""), found
    return found


@pytest.mark.slow
@pytest.mark.parametrize("key", method_keys())
def test_no_method_learns_from_test_rows(key):
    honest, other = cell(key, spoiled=False), cell(key, spoiled=True)
    assert np.array_equal(honest.order, other.order)
    assert np.array_equal(honest.chosen, other.chosen)


@pytest.mark.slow
@pytest.mark.parametrize("missing", ["impute", "separate"])
@pytest.mark.parametrize("scale", ["range", "quantile", "robust"])
def test_no_final_classifier_learns_from_test_rows(missing, scale):
    options = {"missing": missing, "scale": scale, "gaps": True, "classifiers": (*FINAL, FOREST)}
    honest, other = (cell("hfs-nb", spoiled=spoiled, **options) for spoiled in (False, True))
    assert np.array_equal(honest.chosen, other.chosen)
    assert np.array_equal(honest.decisions[:, :, CHANGED:], other.decisions[:, :, CHANGED:])
    assert not np.array_equal(honest.decisions[:, :, :CHANGED], other.decisions[:, :, :CHANGED])


def test_levels_that_are_declared_stay_and_others_are_those_of_the_training_rows():
    frame = pd.DataFrame(
        {
            "dtype": pd.Categorical(list("aabc"), categories=list("cbaz")),
            "text": list("aabc"),
            "order": [1, 1, 2, 3],
            "grade": [1, 1, 2, 3],
            "number": [1.0, 2.0, 3.0, 9.0],
        }
    )
    whole = Table.read(frame, ordinal={"order": [3, 2, 1], "grade": [1, 2, 3]})
    assert [column.declared for column in whole.schema.columns] == [True, False, True, True, False]
    known = levels_of_rows(whole, np.array([0, 2])).schema.columns
    assert [c.levels for c in known] == [tuple("cbaz"), ("a", "b"), (3, 2, 1), (1, 2, 3), ()]


def test_a_level_of_test_rows_lies_between_its_neighbors_or_is_one_of_its_own():
    frame = pd.DataFrame({"grade": [1, 5, 3, 0, 4, 9], "text": list("apbqcr")})
    known = levels_of_rows(Table.read(frame, ordinal=["grade"]), np.array([0, 1, 2]))
    # 3 would be "missing"; an unseen level is equal to no other
    assert known.values[:, 1].tolist() == [0.0, 2.0, 1.0, 5.0, 4.0, 6.0]
    assert known.values[:, 0].tolist() == [0.0, 2.0, 1.0, 0.0, 1.5, 2.0]


def test_a_column_without_a_training_cell_tells_nothing():
    frame = pd.DataFrame({"grade": [np.nan, np.nan, 3.0], "text": [None, None, "a"]})
    known = levels_of_rows(Table.read(frame, ordinal=["grade"]), np.array([0, 1]))
    train = known.take(rows=[0, 1]).resolve_missing("impute")
    assert train.values.tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert known.values[2].tolist() == [0.0, 2.0]


@pytest.mark.seconds
@pytest.mark.parametrize("classes", [2, 3])
def test_other_names_of_the_classes_give_the_same_cells(classes):
    frame, _ = table(spoiled=False, missing=False)
    y = np.digitize(frame["a"] + frame["g"], [1.0, 3.0][: classes - 1])
    data = [
        prepare(DataSpec(name="d", X=frame, y=np.array(names)[y]))
        for names in (["a", "b", "c"], ["z", "y", "x"])
    ]
    final = tuple(ClassifierSpec.of("classifier", key) for key in (*FINAL, FOREST))
    method = MethodSpec.of("method", "rfe-svm")
    for resampling in range(2):
        recipe = Recipe(method, (1, 2, 5), final, Resamplings(count=2), 1)
        here, there = (whole(recipe.run(one, resampling, "")) for one in data)
        assert np.array_equal(here.test, there.test)
        assert np.array_equal(here.order, there.order)
        for found, codes in ((here.predictions, there.predictions), (here.truth, there.truth)):
            assert np.array_equal(data[0].target.labels[found], renamed(data[1], codes))
        turned = -there.decisions if classes == 2 else there.decisions[..., ::-1]
        assert np.array_equal(here.decisions, turned)


def renamed(data, codes):
    """The first names of the classes of these codes."""
    first = dict(zip("zyx", "abc", strict=True))
    return np.array([first[label] for label in data.target.labels])[codes]
