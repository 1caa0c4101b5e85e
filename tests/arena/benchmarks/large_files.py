"""Prints what reading a large delimited file costs, block by block and as a whole text.

The table has 70 columns of numbers with six digits and 30 of short text. Each side reads it in a
process of its own; memory is the peak above what was there before, in tables as they are read.
`large_files.py ROWS` takes another number of rows than 100,000; `large_files.py ROWS blocks` reads
it block by block only.
"""

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

from hetsel import read_table
from hetsel.files import reading

ROWS, NUMBERS, TEXTS = 100_000, 70, 30
AT_ONCE = 20_000  # rows that are made
WORDS = np.array(["low", "normal", "high", "not known", "blue", "green", "A", "B+"], dtype=object)
SIDES = {"blocks": 0, "whole": 2**62}  # bytes from which on a file is large


def write_table(path, rows):
    """A table of numbers and short text as CSV."""
    rng = np.random.default_rng(0)
    for start in range(0, rows, AT_ONCE):
        n = min(AT_ONCE, rows - start)
        frame = pd.DataFrame(rng.normal(size=(n, NUMBERS))).add_prefix("x")
        texts = pd.DataFrame(WORDS[rng.integers(0, len(WORDS), (n, TEXTS))]).add_prefix("t")
        frame = pd.concat([frame, texts], axis=1)
        frame.to_csv(path, mode="a", header=start == 0, index=False, float_format="%.6g")


def peak():
    """Peak bytes of this process."""
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def side(name, path):
    """Seconds of one way of reading, and its memory in tables."""
    reading.LARGE = 0
    small = path.with_name("small.csv")
    with path.open() as lines:
        small.write_text("".join(next(lines) for _ in range(100)))
    read_table(small)  # what is imported or compiled is there
    reading.LARGE = SIDES[name]
    before, start, own = peak(), time.perf_counter(), time.process_time()
    frame = read_table(path)
    seconds, processor = time.perf_counter() - start, time.process_time() - own
    size = frame.memory_usage(deep=True).sum()
    print(seconds, processor, size / 1e6, (peak() - before) / size)


def main():
    """One line for each way of reading."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    if len(sys.argv) > 3:
        side(sys.argv[2], Path(sys.argv[3]))
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "large.csv")
        write_table(path, rows)
        size = path.stat().st_size / 1e6
        print(f"{rows:,} rows of {NUMBERS} numbers and {TEXTS} texts, {size:.0f} MB")
        print("way     seconds  of processors  table MB  memory/table", flush=True)
        found = {}
        for name in sys.argv[2:3] or SIDES:
            command = [sys.executable, __file__, str(rows), name, str(path)]
            out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            wall, processor, megabytes, memory = found[name] = [*map(float, out.split())]
            line = f"{wall:8.2f} {processor:14.2f} {megabytes:9.0f} {memory:13.2f}"
            print(f"{name:<6} {line}", flush=True)
        if len(found) == 2:
            blocks, whole = found.values()
            print(
                f"whole/blocks: {whole[0] / blocks[0]:.1f} in seconds, "
                f"{whole[1] / blocks[1]:.1f} in "
                f"those of processors, {whole[3] / blocks[3]:.1f} in memory"
            )


if __name__ == "__main__":
    main()
