"""Tables for the tests: mixed, with known signal, from a seed."""

import numpy as np
import pandas as pd

from hetsel import Schema
from hetsel.kernels.feature_kernels import FeatureKernels, Scaling

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


def kernels_of(table):
    """The kernels of a table whose missing cells are resolved, in the order of its columns."""
    return FeatureKernels(Scaling.fit(table).apply(table), table.nominal)


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
