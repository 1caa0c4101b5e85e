"""Prints what a ranking takes for numbers and survival times against classes of the same rows.

Everything runs on one thread, the targets in turn; ratios of medians of processor time.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[variable] = "1"

import statistics
import time
import warnings

import numpy as np
import pandas as pd

from hetsel import RFEMKL, RFESVM, survival

SHAPES = [(150, 30), (387, 262), (500, 20), (1000, 100), (2000, 30)]
TURNS = 7


def drawn(n, p, seed):
    """A mixed table of which five columns matter, and a number that they tell."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.normal(size=(n, p)), columns=[f"x{j}" for j in range(p)])
    for j in range(0, p, 3):
        levels = rng.integers(0, 2 + j % 5, size=n)
        frame[f"x{j}"] = pd.Categorical(levels.astype(str))
    effect = frame["x1"] + 0.7 * frame["x2"] - 0.5 * frame["x4"]
    effect += (frame["x0"] == "1") + 0.7 * (frame["x3"] == "2")
    return frame, (effect + rng.normal(size=n)).to_numpy(), rng


def targets(told, rng):
    """The same rows as classes, numbers and survival times, 40 % of them censored."""
    times = rng.exponential(np.exp(-told))
    until = np.quantile(times, 0.6) * rng.uniform(0.2, 2.0, size=len(told))
    return {
        "classes": told > np.median(told),
        "numbers": told,
        "survival": survival(np.minimum(times, until), times <= until),
    }


def main():
    warnings.simplefilter("ignore")
    print(f"{'method':<8} {'shape':>11} {'classes ms':>11} {'numbers':>8} {'survival':>9}")
    for method in (RFEMKL, RFESVM):
        for n, p in SHAPES:
            frame, told, rng = drawn(n, p, seed=n + p)
            asked = targets(told, rng)
            taken = {kind: [] for kind in asked}
            for turn in range(TURNS + 1):  # the first loads compiled code
                for kind, y in asked.items():
                    start = time.process_time()
                    method().fit(frame, y)
                    if turn:
                        taken[kind].append(time.process_time() - start)
            middle = {kind: statistics.median(values) for kind, values in taken.items()}
            base = middle["classes"]
            shape = f"{n} x {p}"
            print(
                f"{method.__name__:<8} {shape:>11} {1e3 * base:11.1f} "
                f"{middle['numbers'] / base:8.2f} {middle['survival'] / base:9.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
