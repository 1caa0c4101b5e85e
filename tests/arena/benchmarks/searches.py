"""Prints what floating selection costs by 3-NN, against mlxtend where it is installed.

Both sides search on the same folds and on one thread; the subsets of both are judged by the same
rate. Then one evaluation of a subset of a table like waveform-40 is timed, and dynamic oscillating
search on it by 3-NN and by the votes of four numbers of neighbors.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import time
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer

from hetsel import read_table
from hetsel.resampling.folds import draw_folds
from hetsel.search.criteria.rates.neighbors_rate import NeighborsRate, NeighborsRates
from hetsel.search.subsets.one_search import SearchOptions, search_subsets
from hetsel.selection import Problem
from hetsel.tables import Classes, Schema

SIZE = 15


def sonar_like(n=210, p=60, seed=0):
    """Two classes, weak signal, each column correlated with the one before; scaled to [0, 1]."""
    rng = np.random.default_rng(seed)
    y, x = np.arange(n) % 2, rng.normal(size=(n, p))
    for j in range(1, p):
        x[:, j] = 0.7 * x[:, j - 1] + 0.7 * x[:, j]
    x += 0.4 * rng.normal(size=p) * y[:, None]
    return scaled(x, y)


def waveform_like(n=4500, p=40, seed=0):
    """Three classes, 21 columns with signal and 19 without."""
    rng = np.random.default_rng(seed)
    y, x = rng.integers(0, 3, n), rng.normal(size=(n, p))
    x[:, :21] += np.sin(np.arange(21) / 3 + y[:, None])
    return x, y


def problem_of(x, y, sizes=(SIZE,)):
    """The problem of a table of numbers."""
    return Problem(Schema.infer(x).encode(x), Classes.of(y, len(y)), sizes)


def tables():
    """Name, columns scaled to [0, 1] and classes of the tables to search."""
    yield "like Sonar, 210 x 60", *sonar_like()
    cancer = load_breast_cancer()
    yield "wdbc, 569 x 30", *scaled(cancer.data, cancer.target)
    if folder := os.environ.get("HETSEL_DATA"):
        path = Path(folder) / "dermatology/dermatology.data"
        frame = read_table(path, header=True).dropna().astype(float).to_numpy()
        yield "dermatology, 358 x 34", *scaled(frame[:, :-1], frame[:, -1].astype(int))


def scaled(x, y):
    """Columns by their range."""
    return (x - x.min(axis=0)) / np.ptp(x, axis=0), y


def search_table(name, x, y):
    """Floating selection to 15 features, and what it costs there."""
    problem, criterion = problem_of(x, y), NeighborsRate(3, rate="accuracy")
    search_subsets(problem, criterion)  # compiled code is loaded
    taken = []
    for _ in range(5):
        start = time.perf_counter()
        path = search_subsets(problem, criterion)
        taken.append(time.perf_counter() - start)
    mine = float(np.median(taken))
    print(f"SFFS to {SIZE} features, 3-NN, {name}: {1e3 * mine:.0f} ms", flush=True)
    try:
        from mlxtend.feature_selection import SequentialFeatureSelector
    except ImportError:
        print("mlxtend is not installed: no ratio")
        return
    from sklearn.model_selection import PredefinedSplit
    from sklearn.neighbors import KNeighborsClassifier

    search = SequentialFeatureSelector(
        KNeighborsClassifier(3),
        k_features=SIZE,
        floating=True,
        scoring="accuracy",
        cv=PredefinedSplit(draw_folds(problem, 5)[0]),
    )
    start = time.perf_counter()
    search.fit(x, y)
    theirs = time.perf_counter() - start
    better = 0
    for size, found in search.subsets_.items():
        rate = criterion.start(problem, found["feature_idx"]).value
        better += path.score(size) >= rate
    print(
        f"  mlxtend: {theirs:.1f} s, ratio {theirs / mine:.0f}; as accurate or better at "
        f"{better} of {len(search.subsets_)} sizes",
        flush=True,
    )


def evaluation_table():
    """CPU milliseconds of one subset of 4500 rows, and of four numbers of neighbors for one."""
    problem = problem_of(*waveform_like())
    for size in (1, 5, 10, 20):
        subset, rest = tuple(range(size)), list(range(size, 40))
        times = []
        for criterion in (NeighborsRate(3), NeighborsRates((1, 3, 5, 7))):
            state = criterion.start(problem, subset)
            for call, features in ((state.values_with, rest), (state.values_without, subset)):
                call(features[:4])  # compiled code is loaded
                start = time.thread_time()
                call(features)
                times.append(1e3 * (time.thread_time() - start) / len(features))
        print(
            f"4500 rows, {size:2d} features, ms a subset: with {times[0]:.1f}, "
            f"without {times[1]:.1f}; 4 numbers of neighbors {times[2]:.1f}, {times[3]:.1f}"
        )


def votes_table():
    """CPU seconds of dynamic oscillating search by 3-NN, and by the votes of four numbers."""
    problem, cost = problem_of(*waveform_like(), sizes=()), {}
    for name, criterion, voting in (
        ("3-NN", NeighborsRate(3, folds=10, rate="accuracy"), None),
        ("votes of 1, 3, 5, 7", NeighborsRates(folds=10, rate="accuracy"), "order"),
    ):
        start = time.thread_time()
        path = search_subsets(problem, criterion, SearchOptions("dos", depth=15, voting=voting))
        seconds, count = time.thread_time() - start, len(path.evaluated)
        cost[name] = seconds / count
        print(f"DOS, 4500 x 40, {name}: {seconds:.1f} s, {count} subsets", flush=True)
    single, votes = cost.values()
    print(f"  an evaluation by votes costs {votes / single:.2f} times as much")


if __name__ == "__main__":
    for each in tables():
        search_table(*each)
    evaluation_table()
    votes_table()
