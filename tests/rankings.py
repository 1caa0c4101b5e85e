"""Prints the rankings of every method that computes in this process, as JSON, for comparison."""

import json

import numpy as np
import pandas as pd
from frames import mixed_frame

from hetsel import get_method, method_keys
from hetsel.datasets import load


def tables():
    """Tables by name, and their classes: the bundled one, and mixed ones with copies and gaps."""
    heart = load("heart")
    yield "heart", heart.X, heart.y
    for seed in range(4):
        frame, y = mixed_frame(
            70, 8, 4, seed=seed, missing=0.05 * (seed % 2), classes=2 + seed // 3
        )
        frame["copy"] = 7.3 - 3.7 * frame["c1"]
        yield f"mixed {seed}", frame, y


def fitting(key, frame):
    """The columns of the frame that the method takes."""
    nominal = frame.dtypes.map(lambda dtype: isinstance(dtype, pd.CategoricalDtype))
    takes = get_method(key).about.takes
    return frame.loc[:, np.where(nominal, "nominal" in takes, "continuous" in takes)]


def order(answer):
    """What the answer says of each size."""
    if hasattr(answer, "ranks"):
        return answer.ranks.tolist()
    return [np.sort(answer.signature(size)).tolist() for size in answer.sizes]


def rankings():
    """Rank of each column, by table and method."""
    # rf10000 computes in R, which the settings of numba and numpy do not reach
    keys = [key for key in method_keys() if key != "rf10000"]
    return {
        f"{name}, {key}": order(
            get_method(key)(**get_method(key).about.trial).fit(fitting(key, frame), y).answer_
        )
        for name, frame, y in tables()
        for key in keys
    }


if __name__ == "__main__":
    print(json.dumps(rankings()))
