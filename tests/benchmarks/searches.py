"""Prints what sequential forward selection costs by 3-NN, against mlxtend where it is installed.

Both sides search a table like Sonar on the same folds, of 42 rows each, on one thread; then one
evaluation of a subset of a table like waveform-40 is timed.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import time

import numpy as np

from hetsel.search.criteria.held_out import draw_folds
from hetsel.search.criteria.neighbors_rate import NeighborsRate, NeighborsRates
from hetsel.selection.problem import Problem
from hetsel.tables.table import Schema
from hetsel.tables.target import Classes

SIZE = 15


def sonar_like(n=210, p=60, seed=0):
    """Two classes, weak signal, each column correlated with the one before; scaled to [0, 1]."""
    rng = np.random.default_rng(seed)
    y, x = np.arange(n) % 2, rng.normal(size=(n, p))
    for j in range(1, p):
        x[:, j] = 0.7 * x[:, j - 1] + 0.7 * x[:, j]
    x += 0.4 * rng.normal(size=p) * y[:, None]
    return (x - x.min(axis=0)) / np.ptp(x, axis=0), y


def waveform_like(n=4500, p=40, seed=0):
    """Three classes, 21 columns with signal and 19 without."""
    rng = np.random.default_rng(seed)
    y, x = rng.integers(0, 3, n), rng.normal(size=(n, p))
    x[:, :21] += np.sin(np.arange(21) / 3 + y[:, None])
    return x, y


def problem_of(x, y):
    """The problem of a table of numbers."""
    return Problem(Schema.infer(x).encode(x), Classes.of(y, len(y)), (1,))


def forward(state, p):
    """Features and rates of a forward selection."""
    left, rates = list(range(p)), []
    for _ in range(SIZE):
        values = state.values_with(left)
        best = int(values.argmax())
        rates.append(float(values[best]))
        state.add(left.pop(best))
    return state.subset, rates


def search_table():
    """Forward selection to 15 of 60 features."""
    x, y = sonar_like()
    problem = problem_of(x, y)
    criterion = NeighborsRate(3, rate="accuracy")
    forward(criterion.start(problem), x.shape[1])  # compiled code is loaded
    taken = []
    for _ in range(5):
        start = time.perf_counter()
        forward(criterion.start(problem), x.shape[1])
        taken.append(time.perf_counter() - start)
    mine = float(np.median(taken))
    print(f"SFS of {SIZE} of 60 features, 210 rows, 3-NN: {1e3 * mine:.0f} ms")
    try:
        from mlxtend.feature_selection import SequentialFeatureSelector
    except ImportError:
        print("mlxtend is not installed: no ratio")
        return
    from sklearn.model_selection import PredefinedSplit
    from sklearn.neighbors import KNeighborsClassifier

    folds = PredefinedSplit(draw_folds(problem, 5)[0])
    search = SequentialFeatureSelector(
        KNeighborsClassifier(3), k_features=SIZE, scoring="accuracy", cv=folds
    )
    start = time.perf_counter()
    search.fit(x, y)
    theirs = time.perf_counter() - start
    for found in search.subsets_.values():  # of equal subsets each may follow another
        rate = criterion.start(problem, found["feature_idx"]).value
        assert abs(rate - found["avg_score"]) < 1e-9
    print(f"mlxtend: {theirs:.1f} s, ratio {theirs / mine:.0f}; the same accuracy at every size")


def evaluation_table():
    """CPU milliseconds of one subset of 4500 rows, and of four numbers of neighbors for one."""
    problem = problem_of(*waveform_like())
    for size in (1, 5, 10, 20):
        subset, rest = tuple(range(size)), list(range(size, 40))
        times = []
        for criterion in (NeighborsRate(7), NeighborsRates((1, 3, 5, 7))):
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


if __name__ == "__main__":
    search_table()
    evaluation_table()
