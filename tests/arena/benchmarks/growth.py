"""How the time of a ranking grows with the rows and with the columns: slopes and a figure.

    python tests/arena/benchmarks/growth.py [--method rfe-mkl] [--into FOLDER]

Full rankings of mixed tables (three tenths nominal, a fifth of the columns tell the class) on one
thread: 10^4 to 10^6 rows of 100 columns, 10 to 10^4 columns of 10^4 rows, each the least of two
runs in processor seconds, at a relative gap of 1e-4. The slope is that of a line through the
logarithms. The figure, growth.png, needs the extra `report`.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[variable] = "1"

import argparse
import time
from pathlib import Path

import numpy as np
import pandas as pd

from hetsel import get_method

ROWS = (10_000, 30_000, 100_000, 300_000, 1_000_000)
COLUMNS = (10, 30, 100, 300, 1_000, 3_000, 10_000)
FIXED_ROWS, FIXED_COLUMNS = 10_000, 100
RUNS = 2


def simulated(n, p, seed=0):
    """A frame of n rows and p columns, and the classes."""
    rng = np.random.default_rng([seed, n, p])
    columns, score = {}, np.zeros(n)
    for f in range(p):
        if f % 10 < 3:
            codes = rng.integers(0, 3 + f % 12, n)
            columns[f"n{f}"] = pd.Categorical(codes)
            signal = (codes == 0) - (codes == 1).astype(float)
        else:
            columns[f"x{f}"] = signal = rng.normal(size=n)
        if f % 5 == 0:
            score += signal / np.sqrt(p)
    noise = rng.logistic(size=n)
    return pd.DataFrame(columns), (2.0 * score + noise > 0).astype(int)


def seconds(method, n, p):
    """Processor seconds of a ranking, the least of the runs."""
    frame, y = simulated(n, p)
    told = []
    for _ in range(RUNS):
        start = time.process_time()
        get_method(method)(size=1, solver="additive", tolerance=1e-4).fit(frame, y)
        told.append(time.process_time() - start)
    return min(told)


def slope(sizes, told):
    """Slope of the line through the logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(told), 1)[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--method", default="rfe-mkl")
    parser.add_argument("--into", type=Path)
    parser.add_argument("--most-rows", type=int, default=ROWS[-1])
    parser.add_argument("--most-columns", type=int, default=COLUMNS[-1])
    asked = parser.parse_args()
    seconds(asked.method, 6_000, 10)  # imports and machine code
    found = {}
    sides = {
        "rows": ([n for n in ROWS if n <= asked.most_rows], lambda n: (n, FIXED_COLUMNS)),
        "columns": ([p for p in COLUMNS if p <= asked.most_columns], lambda p: (FIXED_ROWS, p)),
    }
    for name, (sizes, shape) in sides.items():
        print(f"\n| {name} | processor seconds | slope to here |\n|--:|--:|--:|", flush=True)
        told = []
        for size in sizes:
            told.append(seconds(asked.method, *shape(size)))
            here = f"{slope(sizes[: len(told)], told):.2f}" if len(told) > 1 else ""
            print(f"| {size:,} | {told[-1]:.2f} | {here} |", flush=True)
        found[name] = (sizes, told)
    if asked.into is not None:
        draw(found, asked)


def draw(found, asked):
    """Both on logarithmic axes, with lines of slope 1."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 3.6), layout="constrained")
    for axes, (name, (sizes, told)) in zip(figure.subplots(1, 2), found.items(), strict=True):
        axes.loglog(sizes, told, "o-", color="#1b4f72", label=asked.method)
        line = told[-1] * np.array(sizes) / sizes[-1]
        axes.loglog(sizes, line, ":", color="#666666", label="slope 1")
        other = f"{FIXED_COLUMNS} columns" if name == "rows" else f"{FIXED_ROWS:,} rows"
        axes.set(xlabel=f"{name} ({other})", ylabel="processor seconds")
        axes.set_title(f"slope {slope(sizes, told):.2f}", fontsize=10)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False)
    figure.savefig(asked.into / "growth.png", dpi=150)


if __name__ == "__main__":
    main()
