"""What continuous columns are measured by: scikit-learn's transformers before a selector."""

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, QuantileTransformer, RobustScaler

from hetsel import Ranking, Schema, get_method
from hetsel.ground.errors import TableError
from hetsel.resampling.row_parts import in_canonical_order, part_and_rest
from hetsel.selection import BaseSelector, Problem
from hetsel.tables import Classes

N = 90
SOME = ("rfe-mkl", "rfe-svm", "hsic", "relieff", "t-test", "hfs-nb", "sfs-5nn")
SCALES = ("quantile", "robust")


def in_front(scale, rows=N, clip=True):
    """The continuous columns of a frame by scikit-learn, whose missing cells stay missing."""
    if scale == "quantile":
        numbers = QuantileTransformer(n_quantiles=rows, subsample=None)
    else:
        numbers = make_pipeline(
            FunctionTransformer(between_quantiles if clip else None),
            RobustScaler(quantile_range=(5, 95)),
        )
    columns = make_column_transformer(
        (numbers, make_column_selector(dtype_include="float")),
        remainder="passthrough",
        verbose_feature_names_out=False,
    )
    return columns.set_output(transform="pandas")


def between_quantiles(frame):
    return frame.clip(frame.quantile(0.05), frame.quantile(0.95), axis=1)


class Seen(BaseSelector):
    """Ranks the columns as they come and keeps the table that it gets."""

    def _select(self, problem):
        Seen.table = problem.table
        return Ranking.from_importance(-np.arange(float(problem.p)))


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("key", SOME)
def test_a_scale_is_the_transformer_of_scikit_learn_before_the_selector(key, scale):
    frame, y = mixed_frame(N, 5, 3, seed=3)
    frame["c2"] = np.exp(3 * frame["c2"])
    frame["c0"] = frame["c0"] ** 3
    frame["n1"] = frame["n1"].cat.as_ordered()
    method = get_method(key)
    if "nominal" not in method.about.takes:
        frame = frame.drop(columns=["n0", "n2"])
    ours = method(scale=scale, size=3).fit(frame, y)
    theirs = method(size=3).fit(in_front(scale).fit_transform(frame), y)
    np.testing.assert_array_equal(ours.signature(), theirs.signature())
    if hasattr(ours, "ranking_"):
        np.testing.assert_array_equal(ours.ranking_, theirs.ranking_)
        np.testing.assert_allclose(ours.importances_, theirs.importances_, rtol=1e-5, atol=1e-9)


@pytest.mark.parametrize("key", SOME)
def test_no_increasing_transformation_changes_anything_on_the_scale_of_quantiles(key):
    frame, y = mixed_frame(N, 4, 2, seed=4, missing=0.08)
    method = get_method(key)
    if "nominal" not in method.about.takes:
        frame = frame.drop(columns=["n0", "n1"])
    bends = (np.exp, np.cbrt, lambda x: np.log(x + 9), lambda x: x**3)
    bent = frame.assign(**{f"c{j}": bend(frame[f"c{j}"]) for j, bend in enumerate(bends)})
    here, there = (method(scale="quantile", size=2).fit(X, y) for X in (frame, bent))
    np.testing.assert_array_equal(here.signature(), there.signature())
    if hasattr(here, "ranking_"):
        np.testing.assert_array_equal(here.ranking_, there.ranking_)
        np.testing.assert_array_equal(here.importances_, there.importances_)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["rfe-mkl", "rfe-svm"])
def test_one_cell_of_9999_hides_the_true_feature_by_the_range_only(key):
    first = dict.fromkeys(("range", *SCALES), 0)
    last = 0
    for trial in range(30):
        rng = np.random.default_rng(trial)
        y = np.arange(100) % 2
        X = rng.normal(size=(100, 8))
        X[:, 3] += 2 * y
        X[rng.integers(100), 3] = 9999
        for scale in first:
            rank = get_method(key)(scale=scale).fit(X, y).ranking_[3]
            first[scale] += rank == 1
            last += rank == 8
    assert first == {"range": 0, "quantile": 30, "robust": 30}
    assert last == 30


@pytest.mark.parametrize("key", SOME)
def test_robust_is_the_range_of_the_table_clipped_at_its_quantiles(key):
    frame, y = mixed_frame(N, 5, 0, seed=5, missing=0.05)
    frame.iloc[3, 1] = 9999
    ours = get_method(key)(scale="robust", size=2).fit(frame, y)
    theirs = get_method(key)(size=2).fit(between_quantiles(frame), y)
    np.testing.assert_array_equal(ours.signature(), theirs.signature())
    if hasattr(ours, "ranking_"):
        np.testing.assert_array_equal(ours.ranking_, theirs.ranking_)


@pytest.mark.parametrize("scale", SCALES)
def test_levels_and_ordinal_columns_reach_the_method_as_they_are(scale):
    frame, y = mixed_frame(N, 2, 3, missing=0.1)
    frame["n2"] = frame["n2"].cat.as_ordered()
    Seen(scale=scale, missing="separate").fit(frame, y)
    got = Seen.table
    Seen(missing="separate").fit(frame, y)
    assert got.schema == Seen.table.schema
    np.testing.assert_array_equal(got.values[:, 2:], Seen.table.values[:, 2:])
    assert not np.allclose(got.values[:, :2], Seen.table.values[:, :2], equal_nan=True)


@pytest.mark.parametrize("missing", ["impute", "separate"])
@pytest.mark.parametrize("scale", SCALES)
def test_held_out_rows_are_measured_by_what_the_others_teach(scale, missing):
    frame, y = mixed_frame(N, 3, 0, seed=6, missing=0.1)
    held_out = np.random.default_rng(6).random(N) < 0.3
    frame[held_out] = 3 * frame[held_out] + 1
    table = Schema.infer(frame).encode(frame)
    method = Seen(scale=scale, missing=missing)
    part, rest = part_and_rest(method, Problem(table, Classes.of(y), ()), held_out)
    train, test = frame[~held_out], frame[held_out]
    if scale == "quantile":
        # the resolution of the transformer is that of the column with the fewest cells
        one = [in_front(scale, int(train[c].notna().sum())) for c in frame]
        train, test = (
            pd.concat(
                [t.fit(train[[c]]).transform(rows[[c]]) for t, c in zip(one, frame, strict=True)],
                axis=1,
            )
            for rows in (train, test)
        )
    else:
        ends = train.quantile(0.05), train.quantile(0.95)
        scaler = in_front(scale, clip=False).fit(train)
        train, test = (scaler.transform(rows.clip(*ends, axis=1)) for rows in (train, test))
        width = train.max() - train.min()
        low = train.min()
        train, test = (train - low) / width, (test - low) / width
    if missing == "impute":
        train, test = train.fillna(train.median()), test.fillna(train.median())
    np.testing.assert_allclose(part.table.values, train, atol=1e-12)
    np.testing.assert_allclose(rest.values, test, atol=1e-12)


def test_the_order_of_rows_for_folds_knows_nothing_of_logarithms():
    frame, y = mixed_frame(N, 3, 1, seed=7)
    orders = []
    for X in (frame, frame.assign(c1=np.exp(frame["c1"]))):
        problem = Problem(Schema.infer(X).encode(X), Classes.of(y), ())
        ordered = in_canonical_order(problem, "impute", "quantile")
        orders.append(ordered.table.values[:, 0])
    np.testing.assert_array_equal(*orders)


def test_another_scale_is_refused_with_those_that_there_are():
    frame, y = mixed_frame(40, 2, 1)
    with pytest.raises(TableError, match=r"scale must be one of range, quantile, robust.*'ranks'"):
        get_method("rfe-mkl")(scale="ranks").fit(frame, y)
