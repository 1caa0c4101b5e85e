"""Prints what filters on information cost: mRMR of a wide mixed table against a loop.

Everything runs on one thread, the two sides in turn. The loop takes scikit-learn's mutual
information of two columns of the same bins; it is timed on some pairs and multiplied.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[variable] = "1"

import statistics
import time

import numpy as np
from sklearn.metrics import mutual_info_score

from hetsel import Table, get_method
from hetsel.search.rankings.forward_loop import information_of
from hetsel.selection import Problem
from hetsel.tables import Classes

ROWS, COLUMNS, SIZE, PAIRS = 1000, 10_000, 50, 500


def wide_mixed(seed=0):
    """A problem whose columns are normal numbers and, every other one, 2 to 8 levels."""
    rng = np.random.default_rng(seed)
    cells = rng.normal(size=(ROWS, COLUMNS))
    levels = np.arange(1, COLUMNS, 2)
    cells[:, levels] = rng.integers(0, rng.integers(2, 9, len(levels)), (ROWS, len(levels)))
    y = cells[:, 0] + cells[:, 1] + cells[:, 2] + rng.normal(size=ROWS) > 2
    table = Table.read(cells, nominal=levels.tolist())
    return Problem(table, Classes.of(y, ROWS), (SIZE,))


def seconds(call):
    """Wall and processor seconds of a run."""
    wall, processor = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - wall, time.process_time() - processor


def main():
    """One line a method; the loop's time is that of as many pairs as the method looks at."""
    asked = wide_mixed()
    cells = information_of(asked, None, "frequency").codes.cells

    def loop():
        for f in range(PAIRS):
            mutual_info_score(cells[f], cells[0])

    print(f"{SIZE} features of {ROWS} x {COLUMNS} mixed columns (mrmr asked for: under 1 s)")
    print(f"{'method':<14} {'wall s':>7} {'processor s':>12} {'loop s':>7} {'ratio':>6}")
    looks = COLUMNS * SIZE
    for key in ("mrmr", "mrmr-sum", "mrmr-quotient", "cfs", "jmi", "cmim", "mi-forward"):
        method = get_method(key)(depth=SIZE)
        method.solve(asked)  # compiled code is loaded
        runs, loops = [], []
        for _ in range(5):
            runs.append(seconds(lambda m=method: m.solve(asked)))
            loops.append(seconds(loop)[1] * looks / PAIRS)
        wall, processor = (statistics.median(side) for side in zip(*runs, strict=True))
        theirs = statistics.median(loops)
        print(
            f"{key:<14} {wall:7.2f} {processor:12.2f} {theirs:7.0f} {theirs / processor:6.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
