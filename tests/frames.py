"""Tables for the tests: mixed, with known signal, from a seed."""

import numpy as np
import pandas as pd
import pytest

from hetsel import Schema, read_table, survival
from hetsel.ground.errors import TableError
from hetsel.kernels.feature_kernels import FeatureKernels
from hetsel.kernels.training_ranges import Scaling

NAN = float("nan")
TEXTS = ["b", "a", None, "b", "c", "a"]


def mixed_frame(n=80, continuous=5, nominal=3, seed=0, missing=0.0, classes=2):
    """A frame whose first continuous and first nominal column tell the class, and the class."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % classes
    data = {}
    for j in range(continuous):
        data[f"c{j}"] = rng.normal(size=n) + (1.5 * y if j == 0 else 0.0)
    for j in range(nominal):
        codes = rng.integers(0, 2 + j, size=n)
        if j == 0:
            codes = np.where(rng.random(n) < 0.75, y % 2, codes)
        levels = [f"level {k}" for k in range(2 + j)]
        data[f"n{j}"] = pd.Categorical.from_codes(codes, levels)
    frame = pd.DataFrame(data)
    if missing:
        frame = frame.mask(rng.random(frame.shape) < missing)
    return frame, y


def told_frame(target, n=90, continuous=5, nominal=3, missing=0.0, seed=0):
    """A frame whose columns c0 and n0 tell the target, and the target."""
    rng = np.random.default_rng([seed, n])
    risk = rng.normal(size=n)
    data = {
        f"c{j}": rng.normal(size=n) + (2.0 * risk if j == 0 else 0.0) for j in range(continuous)
    }
    for j in range(nominal):
        codes = rng.integers(0, 2 + j, size=n)
        if j == 0:
            codes = np.where(rng.random(n) < 0.85, risk > 0, codes)
        data[f"n{j}"] = pd.Categorical.from_codes(codes, [f"level {k}" for k in range(2 + j)])
    frame = pd.DataFrame(data)
    if missing:
        frame = frame.mask(rng.random(frame.shape) < missing)
    return frame, outcome(target, risk, rng)


def outcome(target, risk, rng):
    """What the risk (n,) makes of the rows: a number, or a time with an event or without."""
    if target == "numbers":
        return 100.0 + 20.0 * risk
    assert target == "survival", f"say here what tells a method of {target}"
    times = rng.exponential(size=len(risk)) * np.exp(-2.0 * risk)
    ends = rng.exponential(size=len(risk)) * np.quantile(times, 0.9)
    return survival(np.minimum(times, ends), times <= ends)


def kernels_of(table):
    """The kernels of a table whose missing cells are resolved, in the order of its columns."""
    return FeatureKernels(Scaling.fit(table).apply(table), table.nominal)


def sum_of_curves(model, frame):
    """What a clinical machine of one problem adds up to, by its public curves alone."""
    total = np.full(len(frame), model.intercept_[0])
    for curve in model.effect_curves():
        cells = frame[curve.name]
        if curve.kind == "nominal":
            known = dict(zip(curve.knots.tolist(), curve.values[0], strict=True))
            effect = np.array([known.get(cell, 0.0) for cell in cells.astype(object)])
        else:
            effect = np.interp(cells.fillna(0.0), curve.knots, curve.values[0])
        total += np.where(cells.isna(), curve.missing[0], effect)
    return total


def kinds(frame, **options):
    """Kind of each column by name."""
    return {c.name: c.kind for c in Schema.infer(frame, **options).columns}


def only(cells, **options):
    """The one column of a frame, and its encoded cells."""
    frame = pd.DataFrame({"x": cells})
    schema = Schema.infer(frame, **options)
    return schema.columns[0], schema.encode(frame).values[:, 0].tolist()


def same(a, b):
    """Fail unless two arrays are equal; NaN equals NaN."""
    np.testing.assert_array_equal(a, b)


def refused_file(path, *words, **options):
    """Fail unless a file is refused as a table in one line, with these words."""
    with pytest.raises(TableError) as reason:
        read_table(path, **options)
    text = str(reason.value)
    assert "\n" not in text
    for word in words:
        assert word in text, text
