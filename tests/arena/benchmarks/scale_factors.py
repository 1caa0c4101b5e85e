"""Prints what the methods of ramona2012 cost: ratios, exponents in rows and columns, memory.

Value and derivatives of the alignment of 1000 rows and 100 columns against a loop over the columns
with (n, n) matrices, which is what Eq. 9 and section III-D say; then Tables VIII and IX (ten
iterations each, in units of the fastest) with the exponents of the cost; then `sas` on ever more
rows up to 20,000, in a process of its own that says how much memory it took.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[variable] = "1"

import resource
import statistics
import subprocess
import sys
import time
import warnings

import numpy as np

from hetsel import get_method
from hetsel.kernels.class_separation import alignment, rate_factors
from hetsel.kernels.scaled_kernels import Expansion, ScaledKernel
from hetsel.tables.target import Classes

ROWS = (50, 200, 500, 1000)
COLUMNS = (30, 200, 500, 1000, 2000)
TEN = {  # ten iterations of each, as in the paper
    "arom": {"iterations": 10},
    "r2w2": {"iterations": 10},
    "rfe-linear": {},
    "rfe-gaussian": {},
    "sas": {"iterations": 10},
    "gmkl": {"iterations": 10},
    "kfds": {"iterations": 10, "tolerance": 1e-12},
}


def table(n, p, seed=0):
    """Normal columns, the first five of which tell two classes."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    x = rng.normal(size=(n, p))
    x[:, :5] += 0.8 * y[:, None]
    return x, y


def plain_alignment(x, y, u):
    """Alignment and its derivatives, a feature at a time with matrices (n, n)."""
    target = np.outer(2.0 * y - 1.0, 2.0 * y - 1.0)
    exponent = np.zeros(target.shape)
    for column, weight in zip(x.T, u, strict=True):
        exponent -= weight * 0.5 * (column[:, None] - column) ** 2
    gram = np.exp(exponent)
    norm, n = np.linalg.norm(gram), len(y)
    product = np.vdot(gram, target)
    slopes = np.empty(len(u))
    for f, column in enumerate(x.T):
        slope = -0.5 * (column[:, None] - column) ** 2 * gram
        along = np.vdot(slope, target) / norm - product * np.vdot(gram, slope) / norm**3
        slopes[f] = along / n
    return product / norm / n, slopes


def median_time(function, repeats):
    """Median of the seconds of some calls, after one that compiles and warms up."""
    function()
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def against_the_loop():
    """The ratio of one value with its derivatives."""
    x, y = table(1000, 100)
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    u = np.full(100, 0.01)
    features = Expansion.of(np.ascontiguousarray(x.T), np.zeros(100, dtype=bool))
    ours = rate_factors(alignment(Classes(y, np.arange(2))), features, ScaledKernel())
    (value, slopes), (other, plain) = ours(u), plain_alignment(x, y, u)
    away = max(abs(value - other), np.abs(slopes - plain).max() / np.abs(plain).max())
    fast, slow = median_time(lambda: ours(u), 15), median_time(lambda: plain_alignment(x, y, u), 3)
    print(
        f"alignment with derivatives, 1000 x 100: {1e3 * fast:.1f} ms, loop with matrices "
        f"{slow / fast:.0f} times that, within {away:.0e}",
        flush=True,
    )


def ten_iterations(key, n, p):
    """Seconds of a fit of ten iterations."""
    x, y = table(n, p)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # ten iterations are not enough for all
        method = get_method(key)(**TEN[key])
        return median_time(lambda: method.fit(x, y), 3)


def exponent(sizes, taken):
    """Slope of the logarithms of the last three."""
    return np.polyfit(np.log(sizes[-3:]), np.log(taken[-3:]), 1)[0]


def print_table(title, shapes, sizes):
    """Times in units of the fastest, and exponents."""
    taken = {key: [ten_iterations(key, *shape) for shape in shapes] for key in TEN}
    unit = min(min(row) for row in taken.values())
    print(f"{title}, in units of {1e3 * unit:.2f} ms")
    for key, row in taken.items():
        cells = "".join(f"{seconds / unit:10.0f}" for seconds in row)
        print(f"{key:14}{cells}   exponent {exponent(sizes, row):.1f}", flush=True)


def many_rows(n):
    """Fit `sas` to n rows of 100 columns, and print seconds and memory."""
    x, y = table(n, 100)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    start = time.perf_counter()
    found = get_method("sas")().fit(x, y)
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    best = sorted(found.signature(5).tolist())
    print(f"{n} {seconds:.2f} {after:.0f} {before:.0f} {best}")


def large():
    """`sas` on ever more rows, each in a process of its own."""
    sizes, taken = (2500, 5000, 10_000, 20_000), []
    for n in sizes:
        done = subprocess.run(
            [sys.executable, __file__, str(n)], capture_output=True, text=True, check=True
        )
        _, seconds, after, before, best = done.stdout.strip().split(" ", 4)
        taken.append(float(seconds))
        print(
            f"sas, {n} x 100: {seconds} s, {after} MB in all, {before} MB before; "
            f"first five {best}",
            flush=True,
        )
    print(f"exponent in the rows {exponent(sizes, taken):.2f}")


def main():
    """Print everything."""
    against_the_loop()
    print_table("30 columns; rows " + ", ".join(map(str, ROWS)), [(n, 30) for n in ROWS], ROWS)
    shapes = [(30, p) for p in COLUMNS]
    print_table("30 rows; columns " + ", ".join(map(str, COLUMNS)), shapes, COLUMNS)
    large()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        many_rows(int(sys.argv[1]))
    else:
        main()
