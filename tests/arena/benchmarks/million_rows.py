"""Seconds, peak memory and true columns first: hetsel, boosting and forests on a million rows.

    python tests/arena/benchmarks/million_rows.py [--rows 100000] [--target xor] [--only KEY ...]
    python tests/arena/benchmarks/million_rows.py --only rfe-mkl-0  # proofs above 10 million cells

A simulated table of 100 columns, 30 of them nominal with 3 to 14 levels, as a pandas frame. Of the
target `additive` 20 columns tell: 14 continuous ones, linearly or by a bent curve, and 6 nominal
ones by an effect of each level. Of the target `xor` two continuous columns tell, but only by the
product of their signs: a machine that is a sum of functions of single columns cannot see them.

Each contestant starts from the frame and ends with an order of the columns, in a process of its own
and on one thread. Before it is timed it ranks a small table: imports and compilation are not in the
seconds. The memory is the peak above what the process held with the data, and in all. Simulating
and, for R, handing over the table (a file of doubles) are not timed. A machine on one-hot columns
starts with 10,000 rows and takes twice as many while it ends within five minutes; forests in R have
100,000 at most. LightGBM and R's ranger are no dependencies: what is not installed is left out, and
said. Needs Linux.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[variable] = "1"

import argparse
import ctypes
import gc
import json
import platform
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

import numpy as np
import tables

from hetsel import get_method

COLUMNS = 100
WARM = 6_000  # rows of the table before the timed one, above those of a Gram matrix
TREES = 100
LIMIT = 300  # seconds of a contestant whose rows are doubled
FEWEST = 10_000  # rows that it starts with
FIRST = {"additive": 20, "xor": 5}  # places where a true column counts


class Contestant(NamedTuple):
    """What ranks the columns: `rank(frame, y)` returns their places, best first, and remarks.

    With `source`, an R function of x and y that returns importances, in R. `most` is its largest
    number of rows; one that is `doubled` starts with few and takes twice as many while it stays
    within the limit.
    """

    title: str
    package: str
    rank: Callable | None = None
    source: str = ""
    most: int | None = None
    doubled: bool = False
    asked: bool = False  # only where --only names it


def by_hetsel(key, **options):
    """A full ranking by a method of hetsel, with its verdicts."""

    def rank(frame, y):
        selector = get_method(key)(**options).fit(frame, y)
        answer = selector.frame()
        verdicts = Counter(str(word).split()[0] for word in answer.get("verdict", ()))
        said = ", ".join(f"{count} {word}" for word, count in verdicts.most_common())
        return selector.answer_.order, [f"places by verdict: {said}"] if said else []

    return rank


def by_lightgbm(frame, y):
    """The gain of LightGBM's trees; columns of categories are split as such."""
    import lightgbm

    asked = {"objective": "binary", "num_threads": 1, "verbose": -1, "seed": 0}
    booster = lightgbm.train(asked, lightgbm.Dataset(frame, y), num_boost_round=TREES)
    return np.argsort(-booster.feature_importance("gain"), kind="stable"), []


def by_histograms(frame, y):
    """The loss that permuting a column costs scikit-learn's boosting on rows left out."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.inspection import permutation_importance
    from sklearn.model_selection import train_test_split

    X, test, y, classes = train_test_split(frame, y, test_size=0.2, random_state=0)
    machine = HistGradientBoostingClassifier(
        max_iter=TREES, categorical_features="from_dtype", early_stopping=False, random_state=0
    ).fit(X, y)
    found = permutation_importance(
        machine, test, classes, scoring="neg_log_loss", n_repeats=1, n_jobs=1, random_state=0
    )
    remark = "fitted to four fifths of the rows; log loss on the fifth, each column permuted once"
    return np.argsort(-found.importances_mean, kind="stable"), [remark]


def by_linear_elimination(frame, y):
    """Elimination by a linear machine on one-hot columns.

    Columns come in the order in which the last of their one-hot columns is eliminated; those left
    by the sum of their squared coefficients.
    """
    from sklearn.compose import ColumnTransformer
    from sklearn.feature_selection import RFE
    from sklearn.preprocessing import OneHotEncoder, StandardScaler
    from sklearn.svm import LinearSVC

    levels = [j for j, dtype in enumerate(frame.dtypes) if dtype == "category"]
    numbers = [j for j in range(frame.shape[1]) if j not in levels]
    parts = [("numbers", StandardScaler(), numbers), ("levels", OneHotEncoder(), levels)]
    cells = ColumnTransformer(parts, sparse_threshold=1.0).fit_transform(frame)
    sizes = [len(frame.dtypes.iloc[j].categories) for j in levels]
    owners = np.concatenate([numbers, np.repeat(levels, sizes)]).astype(int)
    search = RFE(LinearSVC(dual=False), n_features_to_select=0.2, step=0.2).fit(cells, y)
    squares, rounds = np.zeros(len(owners)), np.full(frame.shape[1], len(owners))
    squares[search.support_] = search.estimator_.coef_[0] ** 2
    np.minimum.at(rounds, owners, search.ranking_)
    remark = "columns by their last one-hot column in the elimination, those left by their squares"
    return np.lexsort((-np.bincount(owners, squares), rounds)), [remark]


def forest(kind):
    """R source of ranger's importances; levels are ordered by their shares of the classes."""
    return f"""function(x, y) ranger::ranger(
      x = x, y = y, num.trees = {TREES}, importance = "{kind}", seed = 1, num.threads = 1,
      respect.unordered.factors = "order", write.forest = FALSE, verbose = FALSE
    )$variable.importance"""


SCRIPT = """
given <- commandArgs(TRUE)
file <- file(given[1], "rb")
n <- as.integer(given[2])
columns <- lapply(strsplit(given[3], ",")[[1]], function(name) {
  cells <- readBin(file, "double", n)
  if (startsWith(name, "n")) factor(cells) else cells
})
names(columns) <- strsplit(given[3], ",")[[1]]
x <- as.data.frame(columns)
y <- factor(readBin(file, "double", n))
rm(columns)
rank <- eval(parse(text = given[4]))
few <- seq_len(min(n, 2000))
invisible(rank(x[few, ], y[few]))
invisible(gc())
held <- function(key) {
  line <- grep(paste0("^", key, ":"), readLines("/proc/self/status"), value = TRUE)
  1024 * as.numeric(gsub("[^0-9]", "", line))
}
cat("5", file = "/proc/self/clear_refs")
before <- held("VmRSS")
start <- proc.time()
importances <- rank(x, y)
taken <- proc.time() - start
peak <- held("VmHWM")
cat(taken[["elapsed"]], taken[["user.self"]] + taken[["sys.self"]], peak - before, peak,
    order(-importances) - 1)
"""


def in_r(source, frame, y):
    """Seconds, processor seconds, bytes above and in all, and the order, of a function of R."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cells"
        with path.open("wb") as file:
            for name in frame:
                codes = frame[name].dtype == "category"
                (frame[name].cat.codes if codes else frame[name]).to_numpy(float).tofile(file)
            y.astype(float).tofile(file)
        given = [str(path), str(len(y)), ",".join(frame), source]
        done = subprocess.run(
            ["Rscript", "--vanilla", "-e", SCRIPT, *given],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    wall, processor, above, peak, *order = map(float, done.stdout.splitlines()[-1].split())
    return wall, processor, above, peak, np.array(order, dtype=int)


CONTESTANTS = {
    "rfe-mkl": Contestant("hetsel rfe-mkl", "hetsel", by_hetsel("rfe-mkl")),
    "rfe-mkl-0": Contestant(
        "hetsel rfe-mkl, tolerance=0", "hetsel", by_hetsel("rfe-mkl", tolerance=0.0), asked=True
    ),
    "rfe-svm": Contestant("hetsel rfe-svm", "hetsel", by_hetsel("rfe-svm")),
    "hsic": Contestant("hetsel hsic", "hetsel", by_hetsel("hsic")),
    "lightgbm": Contestant(f"LightGBM, {TREES} trees, gain", "lightgbm", by_lightgbm),
    "histograms": Contestant(
        f"HistGradientBoosting, {TREES} trees, permutation",
        "scikit-learn",
        by_histograms,
    ),
    "linear-svc": Contestant(
        "LinearSVC under RFE (step 0.2), one-hot",
        "scikit-learn",
        by_linear_elimination,
        doubled=True,
    ),
    "ranger-impurity": Contestant(
        f"ranger, {TREES} trees, corrected impurity",
        "ranger",
        source=forest("impurity_corrected"),
        most=100_000,
    ),
    "ranger-permutation": Contestant(
        f"ranger, {TREES} trees, permutation",
        "ranger",
        source=forest("permutation"),
        most=100_000,
    ),
}


def held(name):
    """A size in bytes of what Linux says of this process."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))


def measured(rank, frame, y):
    """Seconds, processor seconds, peak bytes above what was held and in all, order, remarks."""
    gc.collect()
    ctypes.CDLL("libc.so.6").malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew
    before, start, used = held("VmRSS"), time.perf_counter(), time.process_time()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        order, remarks = rank(frame, y)
    wall, processor = time.perf_counter() - start, time.process_time() - used
    peak = held("VmHWM")
    remarks = [*remarks, *(" ".join(str(one.message).split()) for one in caught)]
    return wall, processor, peak - before, peak, order, remarks


def cell(key, n, target, seed):
    """Prints what one contestant takes, and where it has the true columns."""
    asked = CONTESTANTS[key]
    if asked.rank:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            asked.rank(*tables.told(WARM, target)[:2])
    frame, y, true = tables.told(n, target, seed)
    found = measured(asked.rank, frame, y) if asked.rank else (*in_r(asked.source, frame, y), [])
    wall, processor, above, peak, order, remarks = found
    assert sorted(order) == list(range(COLUMNS))
    first = order[: FIRST[target]]
    places = np.flatnonzero(np.isin(order, true)) + 1
    answer = {
        "rows": n,
        "wall": wall,
        "processor": processor,
        "above": max(above, 0),
        "peak": peak,
        "true": f"{np.isin(first, true).sum()} of {len(true)}",
        "last": int(places[-1]),
        "first other": int(np.argmin(np.isin(order, true))) + 1,
        "others": [str(frame.columns[f]) for f in first if f not in true],
        "remarks": remarks,
    }
    print(json.dumps(answer))


def run(key, n, target, seed, limit):
    """What a contestant's own process prints; None, and why not, where it prints nothing."""
    command = [sys.executable, __file__, "--cell", key, str(n), target, str(seed)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None, f"{n:,} rows: over {limit:g} s in all"
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"ended by signal {-done.returncode}"]
        return None, f"{n:,} rows: {lines[-1][:200]}"
    return json.loads(done.stdout.splitlines()[-1]), ""


def sizes(asked, rows):
    """Numbers of rows of a contestant, ascending."""
    most = min(rows, asked.most or rows)
    found = [most]
    if asked.doubled:
        found = [FEWEST << k for k in range(40) if FEWEST << k < most] + found
    return found


def largest(key, rows, target, seed, limit):
    """What a contestant takes on the largest number of its rows, and why not more."""
    asked, last = CONTESTANTS[key], None
    for n in sizes(asked, rows):
        allowed = min(limit, LIMIT + 60 + n / 1e4) if asked.doubled else limit
        found, why = run(key, n, target, seed, allowed)
        if found is None or (asked.doubled and found["wall"] > LIMIT):
            return last, why or f"{n:,} rows: {found['wall']:.0f} s"
        last = found
    return last, ""


def version_of(package):
    """Version of a package of Python or, of ranger, R's; None where there is none."""
    if package != "ranger":
        try:
            return version(package)
        except PackageNotFoundError:
            return None
    if shutil.which("Rscript") is None:
        return None
    ask = 'cat(format(packageVersion("ranger")), "of R", format(getRversion()))'
    done = subprocess.run(["Rscript", "--vanilla", "-e", ask], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def line(title, found):
    """A row of the table."""
    cells = [
        title,
        f"{found['rows']:,}",
        f"{found['wall']:.1f}",
        f"{found['processor']:.1f}",
        f"{found['above'] / 1e6:,.0f}",
        f"{found['peak'] / 1e6:,.0f}",
        found["true"],
        str(found["first other"]),
        str(found["last"]),
        ", ".join(found["others"]),
    ]
    return f"| {' | '.join(cells)} |"


def table(keys, rows, target, seed, limit):
    """Prints the table of a target as it is measured, and what was said below it."""
    print(f"\nTarget `{target}`, {rows:,} x {COLUMNS} (30 nominal), one thread\n")
    heads = ["contestant", "rows", "wall s", "processor s", "MB above", "MB in all"]
    heads += [f"true in first {FIRST[target]}", "place of first other", "place of last true"]
    heads.append("others among them")
    print(f"| {' | '.join(heads)} |\n|:--|{'--:|' * 8}:--|", flush=True)
    remarks = []
    for key in keys:
        title, package = CONTESTANTS[key].title, CONTESTANTS[key].package
        if version_of(package) is None:
            remarks.append(f"{title}: {package} is not installed.")
            continue
        found, why = largest(key, rows, target, seed, limit)
        if found:
            print(line(title, found), flush=True)
            remarks += [f"{title}: {text}" for text in found["remarks"]]
        remarks += [f"{title}: {why}"] if why else []
    print("\n".join(["", *(f"- {text}" for text in remarks)]), flush=True)


def processor():
    """The name of the processor."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    names = [text.split(":", 1)[1].strip() for text in lines if text.startswith("model name")]
    return names[0] if names else platform.machine()


def main():
    """The machine and the versions, then a table for each target."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=lambda text: int(float(text)), default=1_000_000)
    parser.add_argument("--only", nargs="+", choices=CONTESTANTS, metavar="KEY")
    parser.add_argument("--target", choices=FIRST, help="both where none is named")
    parser.add_argument("--seed", type=int, default=0, help="of the table")
    parser.add_argument("--limit", type=float, default=3600.0, help="seconds of a process")
    options = parser.parse_args()
    keys = options.only or [key for key, one in CONTESTANTS.items() if not one.asked]
    packages = dict.fromkeys(["numpy", "pandas", *(CONTESTANTS[key].package for key in keys)])
    versions = ", ".join(f"{name} {version_of(name) or 'missing'}" for name in packages)
    print(f"Python {platform.python_version()}, {versions}")
    print(f"{processor()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.2f}")
    for target in [options.target] if options.target else FIRST:
        table(keys, options.rows, target, options.seed, options.limit)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--cell"]:
        cell(sys.argv[2], int(sys.argv[3]), sys.argv[4], int(sys.argv[5]))
    else:
        main()
