"""Prints what a ranking of many mixed columns costs, and what of it the reading of them does.

Everything runs on one thread, the sides in turn. scikit-learn's OrdinalEncoder, which sorts the
levels of each column of text, is the measure of the reading. `wide.py COLUMNS` takes another number
of columns than 50,000.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[variable] = "1"

import re
import statistics
import subprocess
import sys
import time

import numpy as np
import pandas as pd
from sklearn.preprocessing import OrdinalEncoder

from hetsel import RFEMKL, Table

ROWS, COLUMNS, LEVELS = 100, 50_000, 0.3
KINDS = ("str", "object", "category", "array")
LETTERS = np.array(list("abcdef"), dtype=object)


def wide_frame(kind, columns, seed=0):
    """A mixed frame with columns of levels of a dtype, the options that say so, and the target.

    Three tenths of the columns have 2 to 6 levels. Twenty columns of numbers tell the class, and
    ten of levels.
    """
    rng = np.random.default_rng(seed)
    q, y = int(LEVELS * columns), np.arange(ROWS) % 2
    numbers = rng.normal(size=(ROWS, columns - q))
    numbers[:, :20] += 0.8 * y[:, None]
    codes = (rng.random((ROWS, q)) * rng.integers(2, 7, q)).astype(int)
    codes[:, :10] = np.where(rng.random((ROWS, 10)) < 0.6, y[:, None], codes[:, :10])
    if kind == "array":
        return np.hstack([numbers, codes]), {"nominal": range(columns - q, columns)}, y
    levels = pd.DataFrame(LETTERS[codes], dtype=object).add_prefix("n").astype(kind)
    frame = pd.concat([pd.DataFrame(numbers).add_prefix("c"), levels], axis=1)
    return frame.iloc[:, rng.permutation(columns)], {}, y


def seconds(call):
    """Seconds of a call."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def peak(key):
    """A number of megabytes that the system keeps of this process."""
    with open("/proc/self/status") as status:
        return int(re.search(rf"{key}:\s+(\d+) kB", status.read())[1]) / 1024


def memory_of(call):
    """Peak megabytes of a call above what was there before."""
    with open("/proc/self/clear_refs", "w") as forget:
        forget.write("5")
    before = peak("VmRSS")
    call()
    return peak("VmHWM") - before


def line(kind, columns):
    """One kind of columns: medians of three, and the peak memory in tables of floats."""
    frame, options, y = wide_frame(kind, 200)
    RFEMKL(**options).fit(frame, y)  # compiled code is loaded
    frame, options, y = wide_frame(kind, columns)
    memory = memory_of(lambda: RFEMKL(**options).fit(frame, y)) / (8e-6 * frame.size)
    read, rank, encoded = [], [], []
    for _ in range(3):
        read.append(seconds(lambda: Table.read(frame, **options)))
        rank.append(seconds(lambda: RFEMKL(**options).fit(frame, y)))
        if kind != "array":
            levels = frame.iloc[:, [name[0] == "n" for name in frame.columns]]
            encoded.append(seconds(lambda x=levels: OrdinalEncoder().fit_transform(x)))
    read, rank = statistics.median(read), statistics.median(rank)
    ratio = f"{statistics.median(encoded) / read:12.1f}" if encoded else f"{'-':>12}"
    print(f"{kind:<9} {rank:6.2f} {read:7.2f} {read / rank:7.0%} {ratio} {memory:13.1f}")


def main():
    """One line for each dtype of the columns of levels, each from a process of its own."""
    columns = int(sys.argv[1]) if len(sys.argv) > 1 else COLUMNS
    if len(sys.argv) > 2:
        line(sys.argv[2], columns)
        return
    print(f"rfe-mkl of {ROWS} x {columns} mixed columns (asked for: about 2 s of 50,000)")
    print("levels    rank s  read s   share encoder/read  memory/table", flush=True)
    for kind in KINDS:
        subprocess.run([sys.executable, __file__, str(columns), kind], check=True)


if __name__ == "__main__":
    main()
