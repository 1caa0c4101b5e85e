"""Repeat Fig. 1 of Ramona, Richard and David (2012): two features of 202 or 52.

The linear problem has 202 features, the non-linear one 52. Each point of the figure is a data set
of the study: n training rows and 500 test rows, drawn 40 times from 4,000 simulated rows.

    python tables.py run fig1-linear fig1-gaussian
"""

import hetsel
from hetsel.datasets import simulate_linear, simulate_nonlinear

ROWS = (10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
LINEAR = {"kernel": "linear"}
TEN = {"solver": "gradient", "iterations": 10}
METHODS = {
    "linear": [
        "fisher-criterion",
        "fisher-score",
        "arom",
        {"key": "r2w2", "params": LINEAR},
        "rfe-linear",
        {"key": "sas", "params": LINEAR},
        {"key": "sas", "label": "sas, ten steps", "params": {"target": "even", **LINEAR, **TEN}},
        {"key": "scss", "params": LINEAR},
        "kfds",
    ],
    "gaussian": [
        "fisher-criterion",
        "fisher-score",
        "arom",
        "r2w2",
        "rfe-linear",
        "rfe-gaussian",
        "scaled-frobenius",
        "sas",
        {"key": "sas", "label": "sas, ten steps", "params": {"target": "even", **TEN}},
        "scss",
        {"key": "scss", "label": "scss, ten steps", "params": TEN},
        "kfds",
    ],
}
SIMULATORS = {"linear": simulate_linear, "gaussian": simulate_nonlinear}


def study(kernel):
    """Return the study of one half of the figure; the last size is all features."""
    datasets = []
    for n in ROWS:
        drawn = SIMULATORS[kernel](4000, seed=2012 + n)
        split = {"train_count": n, "test_count": 500}
        datasets.append({"name": f"{n} rows", "X": drawn.X, "y": drawn.y, "split": split})
    return hetsel.Study(
        name=f"ramona2012-fig1-{kernel}",
        datasets=datasets,
        methods=METHODS[kernel],
        sizes=[2, drawn.X.shape[1]],
        resamplings=40,
        classifiers=[{"key": f"{kernel}-svm", "params": {"C": "radius"}}],
        seed=2012,
    )
