"""Seconds, memory and file sizes of a study of many cells, of its report, and of a further judge.

    python tests/arena/benchmarks/large_study.py --tables 10 --resamplings 200

Ten small tables, ten filters and 200 resamplings are 20,000 cells. The methods are quick, so that
the study shows what the house costs. It uses public names only, so that two versions are compared
by PYTHONPATH; the second part, a judge that comes later, needs stores of format 5 or newer.
"""

import argparse
import json
import resource
import tempfile
import time
from pathlib import Path

import numpy as np

from hetsel import Results, Study, compare_methods, write_study_report

METHODS = ["hsic", "cmim", "mi-histogram", "variance", "jmi", "mrmr", "relieff", "mi-parzen"]
METHODS += ["univariate-tests", "hfs-nb"]


def tables(count):
    """Tables of 60 rows, three numbers and three categories."""
    out = []
    for k in range(count):
        rng = np.random.default_rng(k)
        columns = {f"x{j}": rng.normal(size=60) for j in range(3)}
        columns |= {f"c{j}": rng.integers(3, size=60).astype(str) for j in range(3)}
        import pandas as pd

        y = (columns["x0"] + rng.normal(size=60) > 0).astype(int)
        out.append({"name": f"t{k}", "X": pd.DataFrame(columns), "y": y})
    return out


def timed(what, compute):
    start = time.perf_counter()
    value = compute()
    kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds = time.perf_counter() - start
    print(json.dumps({"what": what, "seconds": round(seconds, 1), "MB": kib // 1024}), flush=True)
    return value


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--resamplings", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    entries = {"datasets": tables(options.tables), "methods": METHODS, "sizes": [1, 2, 3, 4]}
    entries["resamplings"] = options.resamplings
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "a.sqlite"

        def run(*judges):
            study = Study(**entries, classifiers=list(judges))
            return study.run(store, n_jobs=options.jobs, progress=False)

        results = timed("run", lambda: run("naive-bayes"))
        cells = results.status()["finished"]
        print(json.dumps({"cells": cells, "store_MB": round(store.stat().st_size / 1e6, 1)}))
        timed("nothing to compute", lambda: run("naive-bayes"))
        timed("scores", lambda: Results(store).frame())
        timed("digest", lambda: Results(store).digest())
        timed("comparison", lambda: compare_methods(Results(store)))
        timed("report", lambda: write_study_report(Results(store), Path(folder) / "r.html"))
        timed("a further judge", lambda: run("5nn", "naive-bayes"))
        print(json.dumps({"store_MB": round(store.stat().st_size / 1e6, 1)}))


if __name__ == "__main__":
    main()
