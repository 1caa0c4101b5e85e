"""Prints the time of ReliefF against skrebate's and fast-select's, those installed, in one run.

All on one thread, with 10 neighbors, in turn; ratios of medians are what to quote. The largest
difference of the weights shows that all compute one thing.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[variable] = "1"

import statistics
import time
from importlib.util import find_spec

import numpy as np

from hetsel import ReliefF

SHAPES = ((208, 60), (1000, 100), (1000, 1000), (4000, 60))
MOST_CELLS = 100_000  # skrebate takes minutes for larger tables


def rivals(cells):
    """Name and weights of (x, y) of each program that is installed."""
    if find_spec("fast_select"):
        from fast_select import ReliefF

        rival = ReliefF(n_neighbors=10, n_jobs=1, backend="cpu")
        yield "fast-select", lambda x, y: rival.fit(x, y).feature_importances_
    if find_spec("skrebate") and cells <= MOST_CELLS:
        import skrebate

        other = skrebate.ReliefF(n_neighbors=10)
        yield "skrebate", lambda x, y: other.fit(x.copy(), y).feature_importances_


def main():
    """Print seconds, ratios and differences for each shape."""
    ours = ReliefF(neighbors=10)
    for n, p in SHAPES:
        rng = np.random.default_rng(0)
        y = np.arange(n) % 2
        x = rng.normal(size=(n, p))
        x[:, 0] += y
        programs = {"hetsel": lambda x, y: ours.fit(x, y).importances_, **dict(rivals(n * p))}
        weights = {name: program(x, y) for name, program in programs.items()}  # compiles
        taken = {name: [] for name in programs}
        for _ in range(5):
            for name, program in programs.items():
                start = time.perf_counter()
                program(x, y)
                taken[name].append(time.perf_counter() - start)
        base = statistics.median(taken["hetsel"])
        print(f"{n:5d} x {p:<5d} hetsel {base:.4f} s", end="")
        for name in list(programs)[1:]:
            ratio = statistics.median(taken[name]) / base
            away = np.abs(weights[name] - weights["hetsel"]).max()
            print(f"; {name} {ratio:.2f} times that, weights within {away:.1e}", end="")
        print(flush=True)


if __name__ == "__main__":
    main()
