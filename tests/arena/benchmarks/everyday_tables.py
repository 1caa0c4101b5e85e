"""What `hetsel select` costs on tables of every day: seconds, peak memory, and a forest beside it.

    python tests/arena/benchmarks/everyday_tables.py [TABLE ...] [--hetsel COMMAND] [--into FILE]
        [--nestedcv LIBRARY]

Each cell runs the command in a process of its own, `--jobs 1`, all threads set to one, and tells
its processor seconds and its peak memory, from the start of Python on. Beside each table of classes
or numbers stands a forest of 1,000 trees by scikit-learn on the same rows, one thread, levels as
numbers, the seconds of its fit; with a library of R that holds nestedcv, one nested
cross-validation of 10 x 10 folds by it, of its ten mixing parameters and of one of them. Adult is
read from `HETSEL_DATA`; the other tables are drawn.
"""

import argparse
import json
import os
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

THREADS = {
    name: "1"
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
}
ADULT = [
    *("age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation"),
    *("relationship", "race", "sex", "capital-gain", "capital-loss", "hours-per-week"),
    *("native-country", "income"),
]
SIZES = {"adult": (500, 1_000, 2_000, 4_000, 6_000, 20_000, 48_842)}
DRAWN = (100, 300, 1_000, 5_000)
UNTESTED = ("--permutations", "0")


def adult(n):
    """The first n rows of Adult in an order that is drawn once."""
    folder = Path(os.environ["HETSEL_DATA"]) / "adult"
    parts = [
        pd.read_csv(folder / name, names=ADULT, skiprows=skip, skipinitialspace=True, na_values="?")
        for name, skip in (("adult.data.gz", 0), ("adult.test.gz", 1))
    ]
    frame = pd.concat(parts, ignore_index=True)
    frame["income"] = frame["income"].str.rstrip(".")
    return frame.iloc[np.random.default_rng(0).permutation(len(frame))[:n]]


def mixed(n, kind):
    """A table of 10 numbers and 5 factors, five of which tell the target a bit."""
    rng = np.random.default_rng(n)
    numbers, factors = rng.normal(size=(n, 10)), rng.integers(0, 4, (n, 5))
    told = numbers[:, 0] + 0.7 * numbers[:, 1] + 0.5 * numbers[:, 2]
    told += 0.8 * (factors[:, 0] == 1) - 0.5 * (factors[:, 1] == 2)
    frame = pd.DataFrame({f"x{j}": numbers[:, j] for j in range(10)})
    for j in range(5):
        frame[f"f{j}"] = np.array(["a", "b", "c", "d"])[factors[:, j]]
    if kind == "numbers":
        frame["y"] = told + 1.5 * rng.normal(size=n)
        return frame, ("--target", "y")
    times, ends = rng.exponential(np.exp(-0.7 * told)), rng.exponential(2.0, n)
    frame["months"] = np.round(np.minimum(times, ends), 4) + 1e-4
    frame["dead"] = (times <= ends).astype(int)
    return frame, ("--time", "months", "--event", "dead")


def genes():
    """120 rows of 3,000 numbers in blocks that go together, ten of which tell two classes."""
    rng = np.random.default_rng(3)
    shared = np.repeat(rng.normal(size=(120, 300)), 10, axis=1)
    cells = 0.6 * shared + 0.8 * rng.normal(size=(120, 3_000))
    told = cells[:, ::300].sum(axis=1) + rng.normal(size=120)
    frame = pd.DataFrame(cells, columns=[f"g{j}" for j in range(3_000)])
    frame["y"] = np.where(told > np.median(told), "ill", "well")
    return frame, ("--target", "y")


def five_classes():
    """333 rows of 16 numbers and a factor of 23 levels, of five classes."""
    rng = np.random.default_rng(5)
    codes = rng.choice(5, 333, p=[0.4, 0.25, 0.2, 0.1, 0.05])
    frame = pd.DataFrame({f"x{j}": rng.normal(size=333) + (j < 4) * codes for j in range(16)})
    frame["site"] = [f"s{k}" for k in (rng.integers(0, 23, 333) + codes) % 23]
    frame["y"] = [f"c{k}" for k in codes]
    return frame, ("--target", "y", "--method", "univariate-tests")


def short_survival():
    """26 rows of two numbers and survival times."""
    frame, options = mixed(26, "survival")
    return frame[["x0", "x1", "months", "dead"]], options


def tables():
    """By name what makes a frame and the options of its target."""
    found = {"survival-26": short_survival, "heart": lambda: (None, ())}
    found |= {f"adult-{n}": lambda n=n: (adult(n), ("--target", "income")) for n in SIZES["adult"]}
    found |= {"genes": genes, "five-classes": five_classes}
    for kind in ("numbers", "survival"):
        found |= {f"{kind}-{n}": lambda n=n, kind=kind: mixed(n, kind) for n in DRAWN}
    return found


def forest_seconds(frame, options):
    """Processor seconds of a forest of 1,000 trees; nothing of survival times."""
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    if "--time" in options:
        return None
    target = frame[options[1]]
    cells = frame.drop(columns=options[1])
    cells = cells.apply(lambda c: c if c.dtype.kind in "if" else c.astype("category").cat.codes)
    kind = RandomForestRegressor if target.dtype.kind == "f" else RandomForestClassifier
    model = kind(1_000, n_jobs=1, random_state=0)
    start = time.process_time()
    model.fit(cells.to_numpy(float), target)
    return time.process_time() - start


def cost(command, limit):
    """Processor seconds, clock seconds and peak MB of a command, and what it printed."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(
            command, stdout=out, stderr=subprocess.DEVNULL, env=os.environ | THREADS
        )
        try:
            process.wait(limit)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        out.seek(0)
        printed = out.read()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {
        "seconds": round(spent, 2),
        "clock": round(time.perf_counter() - start, 2),
        "ended": process.returncode == 0,
    }, printed


def peaked(command, limit):
    """:func:`cost` in a process of its own, which is the only way to know the peak of one child."""
    code = (
        "import sys, json, resource; sys.path.insert(0, sys.argv[1]); import everyday_tables as e;"
        "told, printed = e.cost(json.loads(sys.argv[2]), float(sys.argv[3]));"
        "told['mb'] = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024;"
        "print(json.dumps([told, printed]))"
    )
    given = [str(Path(__file__).parent), json.dumps(command), str(limit)]
    done = subprocess.run(
        [sys.executable, "-c", code, *given], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def beside(frame, options, library, limit):
    """What nestedcv costs and finds, of ten mixing parameters and of one."""
    target = ",".join(options[1:4:2] if options[0] == "--time" else options[1:2])
    filled = frame.copy()
    for name, cells in frame.items():
        if cells.isna().any():
            other = cells.median() if cells.dtype.kind in "if" else "missing"
            filled[name] = cells.astype(object).where(cells.notna(), other)
    if "--time" not in options and frame[target].dtype.kind != "f":
        filled[target] = [f"class {label}" for label in frame[target]]  # R reads 0 and 1 as numbers
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
        filled.to_csv(file, index=False)
        file.flush()
        told = {}
        for alphas in ("default", "0.9"):
            script = str(Path(__file__).with_name("nestedcv.R"))
            command = ["Rscript", script, file.name, target, alphas, library]
            told[alphas], printed = peaked(command, limit)
            told[alphas] |= json.loads(printed or "{}")
    return told


def main():
    """Run every table with the chance test and without."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*")
    parser.add_argument("--hetsel", default=f"{sys.executable} -m hetsel")
    parser.add_argument("--limit", type=float, default=600.0)
    parser.add_argument("--into", type=Path)
    parser.add_argument("--keep", type=Path, help="a folder for what was printed")
    parser.add_argument("--without-forest", action="store_true")
    parser.add_argument("--nestedcv", metavar="LIBRARY", help="of R, that holds nestedcv")
    asked = parser.parse_args()
    known = tables()
    folder = Path(tempfile.mkdtemp())
    for name in asked.tables or known:
        frame, options = known[name]()
        place = "heart"
        if frame is None:
            import hetsel

            heart = hetsel.datasets.load("heart")
            rows, target = heart.X.assign(y=heart.y), ("--target", "y")
        else:
            place, rows, target = str(folder / f"{name}.csv"), frame, options
            frame.to_csv(place, index=False)
        told = {"table": name, "rows": len(rows), "columns": rows.shape[1]}
        if not asked.without_forest and len(rows) <= 20_000:
            told["forest"] = forest_seconds(rows, target)
        if asked.nestedcv:
            told["nestedcv"] = beside(rows, target, asked.nestedcv, asked.limit)
        command = [*shlex.split(asked.hetsel), "select", place, *options, "--jobs", "1", "--json"]
        for label, more in (("with", ()), ("without", UNTESTED)):
            told[label], printed = peaked([*command, *more], asked.limit)
            if printed:
                told[label]["size"] = len(json.loads(printed)["features"])
            if printed and asked.keep:
                (asked.keep / f"{name}-{label}.json").write_text(printed)
        print(json.dumps(told), flush=True)
        if asked.into:
            with asked.into.open("a") as file:
                file.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main()
