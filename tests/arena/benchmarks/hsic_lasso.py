"""Prints the time of HSIC Lasso against pyHSICLasso's in one run, and whether both select alike.

pyHSICLasso (1.4.2 was tried; it needs future, six and seaborn, and is no dependency of the tests)
draws its blocks by seeds of its own and leaves out the rows that fill none: hetsel's functions are
given the same blocks. Numbers are standardized for both, as its distances are taken in single
precision. Its list may end in a feature without a coefficient, which is none of its selection. The
times are those of the selector, whose blocks are its own, and which ranks all features. One thread,
in turn; ratios of medians of processor seconds are what to quote.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[variable] = "1"

import contextlib
import io
import statistics
import sys
import time
import warnings
from importlib.util import find_spec

import numpy as np

from hetsel import HSICLasso, Table
from hetsel.datasets import load
from hetsel.kernels.kernel_products import CLASS, GAUSSIAN, kernel_products
from hetsel.solvers.nonnegative_lasso import nonnegative_path

BLOCKS = ((0, 1), (20, 3), (50, 2))  # rows of a block (0: all) and permutations
SIZES = (2, 5, 10, 20)
MOST_CELLS = 200_000_000  # pyHSICLasso holds all cells of all kernels, some of them twice
NAMES = ("heart", "hepatitis", "housing", "german-credit", "bands", "arrhythmia", "van-t-veer")
SHAPES = ((200, 50, 2), (500, 100, 3), (1000, 100, 2), (1000, 1000, 2), (100, 4000, 2))


def tables():
    """Name, standardized numbers and classes of each table."""
    for name in NAMES if os.environ.get("HETSEL_DATA") else NAMES[:1]:
        data = load(name)
        table = Table.read(data.X).resolve_missing("impute")
        x = table.values[:, ~table.schema.categorical]
        yield name, x[:, x.std(axis=0) > 0], np.unique(data.y, return_inverse=True)[1]
    for n, p, classes in SHAPES:
        rng = np.random.default_rng(n + p)
        y = np.arange(n) % classes
        x = rng.normal(size=(n, p))
        x[:, :5] += 0.8 * y[:, None]
        x[:, 5] *= 1 + y
        yield f"normal, {classes} classes", x, y


def theirs(x, y, size, rows, times):
    """Selected features and coefficients (p,) of pyHSICLasso."""
    from pyHSICLasso import HSICLasso

    machine = HSICLasso()
    machine.input(x.copy(), y.astype(float))
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # rows that fill no block
        machine.classification(size, B=rows, M=times, n_jobs=1)
    coefficients = machine.beta[:, 0]
    return sorted(f for f in machine.get_index() if coefficients[f] > 0), coefficients


def their_blocks(n, rows, times):
    """Rows of each block as pyHSICLasso draws them."""
    if rows in (0, n):
        return [np.arange(n)]
    order, blocks = np.arange(n), []
    for seed in range(times if n // rows > 1 else 1):
        order = np.random.RandomState(seed).permutation(order)
        blocks += [order[i : i + rows] for i in range(0, n - n % rows, rows)]
    return blocks


def products(x, y, blocks):
    """Means over the blocks of the products of the features and of the classes (p, p + 1)."""
    kernels = np.append(np.full(x.shape[1], GAUSSIAN), CLASS)
    sums = kernel_products(
        np.vstack([x.T, y]), kernels, blocks=blocks, centering="biased", normalized=True
    )
    return sums[:-1] / len(blocks)


def ours(gram, size):
    """Features with a coefficient where one more than `size` would enter, and coefficients (p,)."""
    for knot in nonnegative_path(gram[:, -1], lambda features: gram[:, features]):
        if knot.reached.sum() > size:
            break
    return np.flatnonzero(knot.coefficients > 0).tolist(), knot.coefficients


def seconds(*calls):
    """Median processor seconds of each call, taken in turn."""
    taken = [[] for _ in calls]
    for _ in range(3):
        for call, times in zip(calls, taken, strict=True):
            start = time.process_time()
            call()
            times.append(time.process_time() - start)
    return [statistics.median(times) for times in taken]


def main():
    """Print a line for each table and kind of blocks."""
    if not find_spec("pyHSICLasso"):
        sys.exit("pyHSICLasso is not installed: nothing to compare with")
    same = asked = 0
    for name, x, y in tables():
        x = (x - x.mean(axis=0)) / x.std(axis=0)
        n, p = x.shape
        for rows, times in BLOCKS:
            if n * (rows or n) * times * p > MOST_CELLS:
                continue
            gram = products(x, y, their_blocks(n, rows, times))
            alike, away = [], 0.0
            for size in [size for size in SIZES if size < p]:
                (mine, a), (other, b) = ours(gram, size), theirs(x, y, size, rows, times)
                alike.append(mine == other)
                away = max(away, np.abs(a - b).max())
            selector = HSICLasso(size=min(10, p), block_size=rows or None, permutations=times)
            base, other = seconds(
                lambda s=selector, x=x, y=y: s.fit(x, y),
                lambda x=x, y=y, r=rows, t=times: theirs(x, y, min(10, x.shape[1] - 1), r, t),
            )
            same, asked = same + sum(alike), asked + len(alike)
            print(
                f"{name:<18} {n:5d} x {p:<5d} blocks of {rows or n:4d}, {times} times: "
                f"{sum(alike)} of {len(alike)} selections alike, coefficients within {away:.0e}; "
                f"hetsel {base:.3f} s, pyHSICLasso {other / base:.1f} times that",
                flush=True,
            )
    print(f"{same} of {asked} selections alike")


if __name__ == "__main__":
    main()
