"""Prints the ratios of the README: hetsel against R's randomForest and scikit-learn, in one run.

Everything runs on one thread, the two sides in turn; ratios of medians are what to quote.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[variable] = "1"

import platform
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from importlib.metadata import version

import numpy as np
import tables
from sklearn.svm import SVC

from hetsel import RFEMKL, RFESVM, clinical_kernel
from hetsel.methods.registry import key_of
from hetsel.solvers.svm.two_class_svm import solve_svm
from r_bridge.to_r.rf10000 import RF10000


def seconds(call, runs):
    """Seconds of each of several runs."""
    taken = []
    for _ in range(runs):
        start = time.perf_counter()
        call()
        taken.append(time.perf_counter() - start)
    return taken


def rank_table():
    """Full ranking by rfe-mkl against R's randomForest, 10,000 trees with importance."""
    print("\nFull ranking: R randomForest(ntree = 10000, importance = TRUE) / rfe-mkl")
    print(f"{'data':<12} {'shape':>10} {'forest s':>9} {'rfe-mkl ms':>11} {'ratio':>6}")
    lowest = np.inf
    for name, frame, y in tables.shapes():
        RFEMKL().fit(frame, y)  # compiled code is loaded
        mine, forest = [], []
        for _ in range(5 if frame.size < 10_000 else 1):  # in turn: the machine is shared
            mine += seconds(lambda f=frame, t=y: RFEMKL().fit(f, t), 10)
            forest += seconds(lambda f=frame, t=y: RF10000().fit(f, t), 1)
            mine += seconds(lambda f=frame, t=y: RFEMKL().fit(f, t), 10)
        ratio = statistics.median(forest) / statistics.median(mine)
        lowest = min(lowest, ratio)
        shape = f"{frame.shape[0]} x {frame.shape[1]}"
        print(
            f"{name:<12} {shape:>10} {statistics.median(forest):9.2f} "
            f"{1e3 * statistics.median(mine):11.2f} {ratio:6.0f}",
            flush=True,
        )
    print(f"lowest ratio {lowest:.0f} (asked for: at least 300)")


def solver_table():
    """The support vector machine on a Gram matrix, to its end, against scikit-learn's."""
    print("\nSVM on a Gram matrix: scikit-learn SVC(kernel='precomputed') / hetsel")
    print(f"{'n':>5} {'C':>5} {'tol':>6} {'SVC ms':>8} {'hetsel ms':>10} {'ratio':>6}")
    real = tables.folder() is not None
    frame, y = tables.housing() if real else tables.synthetic(455, 17, 2)
    gram = clinical_kernel(frame)
    labels = np.where(np.asarray(y) == 1, 1.0, -1.0)
    for C in (0.1, 1.0, 10.0):
        for tolerance in (1e-3, 1e-5, 1e-10):
            machine = SVC(kernel="precomputed", C=C, tol=tolerance)

            def own(C=C):
                return solve_svm(gram, labels, C)

            own()
            pairs = [
                (seconds(lambda m=machine: m.fit(gram, labels), 1)[0], seconds(own, 1)[0])
                for _ in range(25)
            ]
            theirs, mine = (statistics.median(side) for side in zip(*pairs, strict=True))
            print(
                f"{len(gram):5d} {C:5.1f} {tolerance:6.0e} {1e3 * theirs:8.2f} "
                f"{1e3 * mine:10.2f} {theirs / mine:6.1f}",
                flush=True,
            )


MEMORY = """
import re
import numpy as np
import hetsel
def peak(key):
    return int(re.search(key + r":\\s+(\\d+) kB", open("/proc/self/status").read())[1]) / 1024
rng = np.random.default_rng(0)
hetsel.{method}().fit(rng.normal(size=(20, 5)), np.arange(20) % 2)
X, y = rng.normal(size=({n}, {p})), np.arange({n}) % 2
open("/proc/self/clear_refs", "w").write("5")  # forget the peak of the import
before = peak("VmRSS")
hetsel.{method}().fit(X, y)
print(peak("VmHWM") - before)
"""


def memory_table():
    """Peak memory of a ranking above what the import takes, each in a process of its own."""
    print("\nPeak memory of a ranking above the import (asked for: under 150 MB)")
    for n, p in ((69, 4355), (387, 262)):
        for method in (RFEMKL, RFESVM):
            code = MEMORY.format(method=method.__name__, n=n, p=p)
            out = subprocess.run(
                [sys.executable, "-c", code], capture_output=True, text=True, check=True
            )
            print(f"{n:4d} x {p:<5d} {key_of(method):<8} {float(out.stdout):6.1f} MB", flush=True)


def start_table():
    """Time of the import and of a second `hetsel rank`, as whole processes."""
    print("\nWhole processes, median of 5")
    bare = [sys.executable, "-c", "pass"]
    load = [sys.executable, "-c", "import hetsel"]
    run = lambda command: subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: E731
    base = statistics.median(seconds(lambda: run(bare), 5))
    print(
        f"import hetsel: {statistics.median(seconds(lambda: run(load), 5)) - base:.3f} s "
        "above the bare interpreter (asked for: under 0.3 s)"
    )
    with tempfile.TemporaryDirectory() as out:
        rank = [sys.executable, "-m", "hetsel", "rank", "heart", "--out", f"{out}/ranking.csv"]
        subprocess.run(rank, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        command = lambda: subprocess.run(  # noqa: E731
            rank, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        print(
            f"hetsel rank heart: {statistics.median(seconds(command, 5)):.2f} s "
            "(asked for: under 3 s)"
        )


def main():
    """Print every table, with versions and machine first."""
    warnings.simplefilter("error")
    # the town of Housing has more levels than R's randomForest takes
    warnings.filterwarnings("ignore", "R's randomForest accepts at most", UserWarning)
    packages = ("hetsel", "numpy", "scipy", "scikit-learn", "numba", "pandas", "rpy2-rinterface")
    print(
        f"Python {platform.python_version()}, "
        + ", ".join(f"{name} {version(name)}" for name in packages)
    )
    from r_bridge.to_r.session import probe

    facts = probe()
    print(
        f"R {facts['r']}, randomForest {facts['randomForest']}; "
        f"{platform.machine()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.2f}"
    )
    solver_table()
    memory_table()
    start_table()
    rank_table()


if __name__ == "__main__":
    main()
