"""Prints what ranking a Dask frame costs its client, and whether the order is that of pandas.

The partitions of the frame, 70 columns of numbers and 30 of levels, are simulated by two workers of
a cluster on this machine. Memory is the peak of the client above what it held before; that of
pandas is above the frame. `dask_frame.py ROWS` takes another number of rows than 300,000, and
`dask_frame.py ROWS alone` leaves pandas out.
"""

import logging
import sys
import time

import dask
import dask.dataframe as dd
import numpy as np
import tables
from distributed import Client, LocalCluster
from million_rows import WARM, measured

from hetsel import RFEMKL

ROWS, PARTITIONS, WORKERS = 300_000, 16, 2


def part(seed, n):
    """A partition: rows of the additive table, its classes as a column more."""
    frame, y, _ = tables.told(n, seed=seed)
    return frame.assign(y=y)


def rank(frame, y):
    """The order of a full ranking by RFE^MKL."""
    return RFEMKL(size=20).fit(frame, y).answer_.order, []


def whole(rows):
    """The Dask frame, with its column of classes."""
    ends = np.linspace(0, rows, PARTITIONS + 1).astype(int)
    parts = [dask.delayed(part)(k, n) for k, n in enumerate(np.diff(ends).tolist())]
    return dd.from_delayed(parts, meta=part(0, 40).iloc[:0])


def line(title, found):
    """What one side took."""
    wall, processor, above, peak, order, _ = found
    print(
        f"{title:8} {wall:7.1f} s, of the client's processor {processor:7.1f} s, "
        f"{above / 1e6:7,.0f} MB above, {peak / 1e6:7,.0f} MB in all, first "
        + " ".join(map(str, order[:20])),
        flush=True,
    )


def main():
    """One line for the Dask frame, one for pandas, and whether they have one order."""
    rows = int(float(sys.argv[1])) if len(sys.argv) > 1 else ROWS
    rank(*tables.told(WARM)[:2])
    options = {"n_workers": WORKERS, "threads_per_worker": 1, "dashboard_address": None}
    options["silence_logs"] = logging.CRITICAL
    with LocalCluster(**options) as cluster, Client(cluster):
        data = whole(rows)
        X, y = data.drop(columns="y"), data["y"]
        rank(whole(WARM).drop(columns="y"), whole(WARM)["y"])
        start = time.perf_counter()
        there = measured(rank, X, y)
        print(f"{rows:,} x {X.shape[1]} in {PARTITIONS} partitions, {WORKERS} workers")
        line("Dask", there)
        if sys.argv[2:3] == ["alone"]:
            return
        frame = data.compute()
    here = measured(rank, frame.drop(columns="y"), frame["y"])
    line("pandas", here)
    print("the same order" if np.array_equal(there[4], here[4]) else "ANOTHER ORDER")
    print(f"{time.perf_counter() - start:.0f} s in all")


if __name__ == "__main__":
    main()
