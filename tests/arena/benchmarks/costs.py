"""Measure seconds and peak memory of every method at 10^3, 10^4, 10^5 and 10^6 rows, as Markdown.

    python tests/arena/benchmarks/costs.py [METHOD ...] [--limit 60] [--into vignettes/costs.md]

The simulated table has 20 columns, 6 of them nominal with 10 levels, and two classes. A method that
accepts only some kinds of columns ranks those. Each cell runs in a separate process, on one thread,
on a table that is already read: the memory is what the ranking adds. A cell is not run if the
previous cell took longer than the limit, if the declared memory does not fit, or if the declared
growth predicts twice the limit. Needs Linux.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[variable] = "1"

import argparse
import ctypes
import gc
import json
import re
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np

from hetsel import Table, get_method, method_keys
from hetsel.ground.memory import available_memory

COLUMNS, NOMINAL, LEVELS = 20, 6, 10
SIZES = (1_000, 10_000, 100_000, 1_000_000)
START = 20  # seconds for Python, numba and the table


def simulated(n, p=COLUMNS, nominal=NOMINAL):
    """Simulate a table (n, p) with so many nominal columns; four columns predict two classes."""
    rng = np.random.default_rng(0)
    places = np.arange(nominal) * 3 + 1
    cells = rng.normal(size=(n, p))
    cells[:, places] = rng.integers(0, LEVELS, (n, nominal))
    told = cells[:, 0] + cells[:, 2] - 0.5 * cells[:, 3]
    told += (cells[:, 1] if nominal else 0.0) % 3 + rng.normal(size=n)
    table = Table.read(cells, nominal=places.tolist())
    return table, (told > np.quantile(told, 0.6)).astype(int)


def peak_above(call):
    """Return the seconds of a call and the peak of the memory of the process above the start."""
    gc.collect()
    ctypes.CDLL("libc.so.6").malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5")  # reset the peak
    before, start = held("VmRSS"), time.perf_counter()
    call()
    return time.perf_counter() - start, max(held("VmHWM") - before, 0)


def held(name):
    """Return a size in bytes that Linux reports for this process."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))


def cell(key, n, p):
    """Print seconds and bytes of one method on n rows."""
    warnings.simplefilter("ignore")
    nominal = NOMINAL * p // COLUMNS
    get_method(key)(unsupported="skip").fit(*simulated(60, p, nominal))  # code is loaded
    (table, y), selector = simulated(n, p, nominal), get_method(key)(unsupported="skip")
    print(json.dumps(peak_above(lambda: selector.fit(table, y))))


def measured(key, n, p, limit):
    """Return seconds and bytes of a cell, or None and the reason."""
    command = ["nice", "-n", "10", sys.executable, __file__, "--cell", key, str(n), str(p)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit + START)
    except subprocess.TimeoutExpired:
        return None, f"over {limit:g} s"
    if done.returncode:
        return None, done.stderr.strip().splitlines()[-1][:80]
    return json.loads(done.stdout.splitlines()[-1]), ""


def row(key, limit):
    """Return the cells of a method in the table."""
    cost = get_method(key).about.cost
    cells, seconds, steps = [f"`{key}`", cost.time, cost.of_memory], 0.0, 1.0
    for n in SIZES:
        d = COLUMNS + NOMINAL * (LEVELS - 1)
        sizes = {"n": n, "p": COLUMNS, "d": d, "c": 2, "k": COLUMNS}
        expected = seconds * cost.steps(**sizes) / steps
        steps = cost.steps(**sizes)
        needed, free = cost.bytes(**sizes), available_memory()
        if free is not None and needed > free:
            cells.append(f"needs {in_words(needed)}")
            break
        if seconds > limit or expected > 2 * limit:
            cells.append(f"about {timed(expected)}")
            break
        found, why = measured(key, n, COLUMNS, limit)
        if found is None:
            cells.append(why)
            break
        seconds = found[0]
        cells.append(f"{timed(seconds)}, {in_words(found[1])}")
    return cells + [""] * (3 + len(SIZES) - len(cells))


def in_words(size):
    """Format a size in bytes with two digits.

    Examples
    --------
    >>> in_words(1_234_000), in_words(2.1e13)
    ('1.2 MB', '21 TB')
    """
    power = next((k for k in (12, 9) if size >= 10**k), 6)
    return f"{float(f'{size / 10**power:.2g}'):g} {({6: 'MB', 9: 'GB', 12: 'TB'})[power]}"


def timed(seconds):
    """Format a time with two digits.

    Examples
    --------
    >>> timed(0.0123), timed(75.2), timed(7200.0), timed(1e6)
    ('0.012 s', '75 s', '2 h', '12 days')
    """
    units = {"days": 86_400, "h": 3600, "min": 60, "s": 1}
    unit = next((name for name, length in units.items() if seconds >= 2 * length), "s")
    return f"{float(f'{seconds / units[unit]:.2g}'):g} {unit}"


def main():
    """Print a line per method as it is measured, then write the table into the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("methods", nargs="*", metavar="METHOD")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds of a cell")
    parser.add_argument("--into", type=Path, help="page whose table is replaced")
    options = parser.parse_args()
    own = [key for key in method_keys() if not get_method(key).about.requires]
    powers = [f"10^{round(np.log10(n))} rows" for n in SIZES]
    lines = [f"| {' | '.join(['method', 'time', 'memory', *powers])} |"]
    lines.append(f"|:--|:--|:--|{'--:|' * len(SIZES)}")
    print(*lines, sep="\n", flush=True)
    for key in options.methods or own:
        lines.append(f"| {' | '.join(row(key, options.limit))} |")
        print(lines[-1], flush=True)
    if options.into:
        text = options.into.read_text(encoding="utf-8")
        table = re.compile(r"^\| method \|.*?(?=\n\n|\Z)", re.DOTALL | re.MULTILINE)
        options.into.write_text(table.sub("\n".join(lines), text, count=1), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--cell"]:
        cell(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    else:
        main()
