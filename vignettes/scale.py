"""Compare three scales of continuous columns on the data sets of paul2015.

    python vignettes/scale.py run            the tables as they are, four methods
    python vignettes/scale.py run spoiled    one faulty value in each continuous column
    python vignettes/scale.py tables

Data sets that differ only in the scale have the same splits. A store beside this file keeps
finished cells. The tables are read from the folder HETSEL_DATA.
"""

from __future__ import annotations

import argparse
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import wilcoxon

from hetsel import Results, Schema, Study, cautions
from hetsel.datasets import PAUL2015, load
from hetsel.stability import kuncheva
from hetsel.stats import friedman, resampled_t_test

SCALES = ("range", "quantile", "robust")
# experiments and their methods
EXPERIMENTS = {
    "as they are": ("rfe-mkl", "rfe-svm", "hfs-5nn", "hfs-nb"),
    "spoiled": ("rfe-mkl", "rfe-svm"),
}
# the small sizes of vignettes/paul2015.md
SMALL = dict(zip(PAUL2015, (28, 8, 5, 5, 5, 30), strict=True))
SLIP = 100.0


def spoiled(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table with one faulty value in each continuous column.

    The value of a random row is replaced by a hundred times the largest of the column.
    """
    rng = np.random.default_rng(2026)
    frame = frame.copy()
    for column in Schema.infer(frame).columns:
        row = rng.integers(len(frame))
        if column.kind == "continuous":
            cells = frame[column.name].astype(np.float64)
            cells.iloc[row] = SLIP * cells.abs().max()
            frame[column.name] = cells
    return frame


def study(experiment: str, resamplings: int) -> Study:
    """Return the study of the six tables on each scale."""
    tables = {}
    for name in PAUL2015:
        data = load(name)
        tables[name] = (spoiled(data.X) if experiment == "spoiled" else data.X, data.y)
    return Study(
        name="scale",
        datasets=[
            {"name": f"{name}, {scale}", "X": tables[name][0], "y": tables[name][1], "scale": scale}
            for name, scale in product(PAUL2015, SCALES)
        ],
        methods=EXPERIMENTS[experiment],
        resamplings=resamplings,
        classifiers=[{"key": "clinical-svm", "params": {"C": 10.0}}],
        seed=2015,
    )


def store(experiment: str) -> Path:
    """Return the path of the store of an experiment."""
    return Path(__file__).with_name(f"scale-{experiment.replace(' ', '-')}.sqlite")


def rates(results: Results, name: str, method: str, size: int | None) -> pd.DataFrame:
    """Return BCR by resampling and scale, at a size or as the mean over all sizes."""
    frame = results.frame()
    found = {}
    for scale in SCALES:
        rows = frame[(frame["dataset"] == f"{name}, {scale}") & (frame["method"] == method)]
        rows = rows if size is None else rows[rows["size"] == size]
        found[scale] = rows.groupby("resampling")["bcr"].mean()
    return pd.DataFrame(found)


def stability(results: Results, name: str, method: str, size: int | None) -> list[float]:
    """Return Kuncheva's index on each scale, at a size or as the mean over sizes below p."""
    found = []
    for scale in SCALES:
        data = f"{name}, {scale}"
        p = len(results.datasets[data]["features"])
        sizes = [size] if size is not None else [k for k in results.sizes[data] if k < p]
        found.append(
            float(np.mean([kuncheva(results.signatures(data, method, k)[1]) for k in sizes]))
        )
    return found


def print_method(results: Results, method: str, where: str) -> None:
    """Print the three scales of one method, by data set and over all data sets."""
    print(f"\n{method}, {where}: BCR, Kuncheva's index, and difference of BCR to the range")
    bcr, index = [], []
    for name in PAUL2015:
        p = len(results.datasets[f"{name}, range"]["features"])
        size = {"small size": SMALL[name], "all features": p}.get(where)
        values = rates(results, name, method, size)
        stable = stability(results, name, method, size)
        bcr.append(values.mean().to_numpy())
        index.append(stable)
        share = results.test_shares[f"{name}, range"]
        tests = []
        for scale in SCALES[1:]:
            apart = (values[scale] - values["range"]).to_numpy()
            test = resampled_t_test(apart, test_share=share, correction="parted-pairs")
            tests.append(f"{test.mean:+.4f} p = {test.pvalue:.2g}")
        cells = [f"{rate:.3f} ({value:.2f})" for rate, value in zip(bcr[-1], stable, strict=True)]
        print(f"  {name:<12}" + " | ".join([*cells, *tests]) + f" | {len(values)} splits")
    measures = {"BCR": np.array(bcr), "Kuncheva": np.array(index)}
    if where == "all features":
        del measures["Kuncheva"]
    for title, scores in measures.items():
        test = friedman(scores)
        apart = scores[:, 1:] - scores[:, :1]
        pairs = [
            f"{scale} {np.mean(d):+.4f}, more in {int((d > 0).sum())}, p = {wilcoxon(d).pvalue:.2g}"
            for scale, d in zip(SCALES[1:], apart.T, strict=True)
        ]
        print(
            f"  {title} over data sets: means {scores.mean(axis=0).round(3)}, mean ranks "
            f"{np.round(test.mean_ranks, 2)}, Friedman p = {test.permutation_pvalue():.2g} (by "
            f"permutations); Wilcoxon: {'; '.join(pairs)}"
        )


def print_cautions() -> None:
    """Print how many of the faulty columns a caution names."""
    print("\n== Continuous columns with a caution for their scale: sound, faulty, of all")
    for name in PAUL2015:
        data = load(name)
        tables = [data.X, spoiled(data.X)]
        told = [
            sum(one.what in ("sentinel", "outlier", "heavy tail") for one in cautions(table))
            for table in tables
        ]
        columns = Schema.infer(data.X).columns
        number = sum(column.kind == "continuous" for column in columns)
        print(f"  {name:<12}{told[0]:>5}{told[1]:>6} of {number}")


def main() -> None:
    """Run an experiment, or print the results."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    runs = commands.add_parser("run")
    runs.add_argument("experiment", nargs="?", default="as they are", choices=EXPERIMENTS)
    runs.add_argument("--resamplings", type=int, default=100)
    runs.add_argument("--jobs", type=int, default=1)
    commands.add_parser("tables")
    options = parser.parse_args()
    if options.command == "run":
        planned = study(options.experiment, options.resamplings)
        planned.run(store(options.experiment), n_jobs=options.jobs)
        return
    for experiment, methods in EXPERIMENTS.items():
        if store(experiment).exists():
            results = Results(store(experiment))
            print(f"\n== Tables {experiment}, {results.status()['finished']:,} cells finished")
            for method, where in product(methods, ("mean over all sizes", "small size")):
                print_method(results, method, where)
            print_method(results, methods[0], "all features")
    print_cautions()


if __name__ == "__main__":
    main()
