"""Repeat Table V of Ramona, Richard and David (2012): selection from only 7 rows of each digit.

The data are USPS with the digits 0 to 4 against 5 to 9. A machine with the Gaussian kernel is
trained on the selected pixels of 1,000 training rows and tested on the 2,007 rows of the test set.
A study selects and trains on the same rows, so this is a loop.

    python tables.py run table5
"""

import numpy as np

import hetsel
from hetsel.models.final_classifiers import classify
from hetsel.models.train_test_arrays import Split
from hetsel.tables import Schema

SIZES = (50, 40, 20, 10, 5, 3, 1)
# the ten steps of section VI-C, far from the maximum; each warns that it was stopped
TEN = {"solver": "gradient", "iterations": 10}
METHODS = {
    "sas": hetsel.SAS(),
    "sas, ten steps": hetsel.SAS(target="even", **TEN),
    "scss": hetsel.SCSS(),
    "scss, ten steps": hetsel.SCSS(**TEN),
    "kfds": hetsel.KFDS(),
    "r2w2": hetsel.R2W2(C="radius"),
}
PER_DIGIT, LEARN, REPEATS = 7, 1000, 7


def errors(repeats=REPEATS):
    """Yield data set, size, method and error in percent of each repeat."""
    data = hetsel.datasets.load("usps-binarized")
    table = Schema.infer(data.X).encode(data.X)
    y, first = data.y.to_numpy(), data.n_training
    digits = hetsel.datasets.load("usps").y.to_numpy()[:first]
    codes = np.unique(y, return_inverse=True)[1]
    test = table.take(rows=np.arange(first, len(y)))
    rng = np.random.default_rng(2012)
    for _ in range(repeats):
        few = np.concatenate(
            [rng.permutation(np.flatnonzero(digits == d))[:PER_DIGIT] for d in np.unique(digits)]
        )
        learn = rng.permutation(first)[:LEARN]
        split = Split.of(table.take(rows=learn), test, codes[learn])
        for name, method in METHODS.items():
            selector = method.fit(table.take(rows=few), codes[few])
            subsets = [selector.signature(size) for size in reversed(SIZES)]
            params = {"C": "radius", "gamma": "size"}
            decisions = classify("gaussian-svm", split, subsets, seed=0, params=params)[:, :, 0]
            wrong = ((decisions > 0) != (codes[first:] == 1)).mean(axis=1)
            for size, error in zip(reversed(SIZES), wrong, strict=True):
                yield "usps-binarized", size, name, 100 * error
