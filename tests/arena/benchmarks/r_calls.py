"""Prints what hetsel_rank() takes in R on 10,000 x 50 cells, against the same call in Python.

Both sides work in one R session, in turn, on a data frame that is there already: R's own, and one
of pandas. What R answers has the cautions on the table, too, so Python asks for these as well; the
ranking alone is timed beside it.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[variable] = "1"

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pandas as pd
import tables

import hetsel

PACKAGE = Path(__file__).parents[3] / "r_bridge" / "hetsel"
METHODS = {"hsic": 21, "mi-histogram": 21, "univariate-tests": 11, "l1-logistic": 5}  # rounds
SCRIPT = """
library(hetsel)
arguments <- commandArgs(TRUE)
table <- read.csv(file.path(arguments[1], "table.csv"), stringsAsFactors = TRUE)
y <- table$target
x <- table[names(table) != "target"]
python <- reticulate::import_from_path("r_calls", arguments[2])
python$load(arguments[1])
seconds <- function(method) system.time(hetsel_rank(x, y, method = method))[["elapsed"]]
for (k in seq(3, length(arguments), 2)) {
  method <- arguments[k]
  seconds(method)
  python$answer(method)
  for (round in seq_len(as.integer(arguments[k + 1]))) {
    cat(method, seconds(method), python$ranking(method), python$answer(method), "\n")
  }
}
"""
held = {}


def load(folder):
    """Hold the table of a folder, ready for use."""
    held["y"] = pd.read_pickle(Path(folder) / "y.pickle")
    held["X"] = pd.read_pickle(Path(folder) / "X.pickle")


def ranking(method):
    """Seconds of a ranking."""
    start = time.perf_counter()
    hetsel.get_method(method)().fit(held["X"], held["y"]).frame()
    return time.perf_counter() - start


def answer(method):
    """Seconds of a ranking and of the cautions on its table."""
    start = time.perf_counter()
    hetsel.get_method(method)().fit(held["X"], held["y"]).frame()
    hetsel.cautions(held["X"], held["y"])
    return time.perf_counter() - start


def measured(folder):
    """Lines of a method and its three times, from one R session."""
    library = Path(folder) / "library"
    library.mkdir()
    install = ["R", "CMD", "INSTALL", "--no-docs", "-l", str(library), str(PACKAGE)]
    subprocess.run(install, check=True, capture_output=True)
    frame, classes = tables.synthetic(10_000, 50, 20)
    y = pd.Series(classes).map({0: "well", 1: "ill"}).astype("category")
    frame.assign(target=y).to_csv(Path(folder) / "table.csv", index=False)
    frame.to_pickle(Path(folder) / "X.pickle")
    y.to_pickle(Path(folder) / "y.pickle")
    rounds = [str(part) for pair in METHODS.items() for part in pair]
    done = subprocess.run(
        ["Rscript", "--vanilla", "-e", SCRIPT, folder, str(Path(__file__).parent), *rounds],
        env={**os.environ, "RETICULATE_PYTHON": sys.executable, "R_LIBS": str(library)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def main():
    """Print the median times, and the medians of the ratios of each round."""
    print("\nhetsel_rank() from R on 10,000 x 50 (30 continuous, 20 nominal) / the same in Python")
    print(f"{'method':<18} {'R ms':>8} {'same ms':>8} {'ratio':>6} {'fit ms':>8} {'ratio':>6}")
    with tempfile.TemporaryDirectory() as folder:
        lines = measured(folder)
    for method in METHODS:
        rows = [line.split()[1:] for line in lines if line.split()[0] == method]
        times = [[1e3 * float(cell) for cell in row] for row in rows]
        from_r, alone, same = map(statistics.median, zip(*times, strict=True))
        whole = statistics.median(r / s for r, _, s in times)
        part = statistics.median(r / a for r, a, _ in times)
        print(f"{method:<18} {from_r:8.1f} {same:8.1f} {whole:6.2f} {alone:8.1f} {part:6.2f}")
    print("same: fit and hetsel.cautions, as R's answer has them (asked for: at most 1.2)")


if __name__ == "__main__":
    main()
