"""Prints what a cell of the study of paul2015 costs, and what a second worker brings."""

import os
import tempfile
import time
from pathlib import Path
from unittest import mock

import numpy as np

from hetsel import Results, Study
from hetsel.datasets import PAUL2015
from hetsel.solvers.svm import active_set
from hetsel.solvers.svm.active_set import solve_box

METHODS = ["rfe-mkl", "rfe-svm", "rfe-svm-printed", "hfs-nb", "hfs-5nn"]


def run(folder, jobs, resamplings):
    """Wall seconds of a run with this many workers, and its results."""
    here = os.environ.get("HETSEL_DATA")
    datasets = list(PAUL2015) if here else ["heart"]
    study = Study("bench", datasets=datasets, methods=METHODS, resamplings=resamplings, seed=2015)
    store = Path(folder) / f"{jobs}-{resamplings}.sqlite"
    start = time.perf_counter()
    study.run(store, n_jobs=jobs, progress=False)
    return time.perf_counter() - start, Results(store)


def cell_table(results):
    """CPU milliseconds per cell, ranking + final machine at every size."""
    print("\nCPU ms per cell: ranking + final machine at every size")
    print(f"{'data':<12}" + "".join(f"{method:>18}" for method in METHODS))
    for dataset in results.datasets:
        texts = []
        for method in METHODS:
            cells = [cell for _, cell in results.cells(dataset, method)]
            rank = 1e3 * np.mean([cell.rank_seconds for cell in cells])
            final = 1e3 * np.mean([cell.classify_seconds for cell in cells])
            texts.append(f"{f'{rank:.1f} + {final:.1f}':>18}")
        print(f"{dataset:<12}" + "".join(texts), flush=True)


def largest_violation(resamplings):
    """Of the optimality conditions, over the final machines of every cell at every size."""
    found = []

    def noted(gram, linear, low, high, beta, scale, near):
        result = solve_box(gram, linear, low, high, beta, scale, near)
        gradient = linear - gram @ beta
        rising, falling = gradient[beta < high], gradient[beta > low]
        found.append((rising.max(initial=-np.inf) - falling.min(initial=np.inf)) / scale)
        return result

    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.object(active_set, "solve_box", noted),
    ):
        run(folder, 0, resamplings)  # here, where the machines are seen
    worst = max(found)
    print(f"{len(found):,} final machines, largest violation {worst:.1e} (asked for: below 1e-10)")


def main():
    """Print both tables."""
    with tempfile.TemporaryDirectory() as folder:
        run(folder, 2, 1)  # compiled code is cached
        one, results = run(folder, 1, 40)
        two, other = run(folder, 2, 40)
        cell_table(results)
        largest_violation(200)
        assert results.digest() == other.digest()
        print(
            f"\n1 worker {one:.1f} s, 2 workers {two:.1f} s, ratio {one / two:.2f} "
            f"(asked for: at least 1.8), same digest; load {os.getloadavg()[0]:.2f}"
        )


if __name__ == "__main__":
    main()
