"""Tables for the tests: mixed, with known signal, from a seed."""

import numpy as np
import pandas as pd


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
