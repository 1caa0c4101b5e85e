"""Repeat Table II of Ramona, Richard and David (2012) with pixels selected per pair of digits.

Each of the 45 machines uses the pixels that a method selects from the rows of its two digits. The
machines vote, or their posteriors are coupled (Platt's sigmoid, fitted on values of held-out rows).

    python tables.py run table2-pairs
"""

import numpy as np

import hetsel
from hetsel.models.final_classifiers import classify
from hetsel.models.train_test_arrays import Split
from hetsel.solvers.svm.two_class_svm import class_pairs, couple, fit_sigmoid
from hetsel.tables import Schema

SIZES = (5, 10, 30, 50, 100)
METHODS = {
    "fisher-criterion": hetsel.FisherCriterion(),
    "arom": hetsel.AROM(),
    "rfe-linear": hetsel.RFELinear(),
    "sas, ten steps": hetsel.SAS(target="even", solver="gradient", iterations=10),
}
TRAIN, TEST, DIVISIONS = 100, 2007, 2
PARAMS = {"C": "radius", "gamma": "size"}


def values_of(table, codes, train, test, subsets):
    """Return decision values (subsets, test rows), above 0 for class 1."""
    split = Split.of(table.take(rows=train), table.take(rows=test), codes)
    return classify("gaussian-svm", split, subsets, seed=0, params=PARAMS)[:, :, 0]


def posteriors(table, codes, rows, test, subsets):
    """Return P(class 1) and votes of the test rows, (subsets, test rows) each.

    Rows of both classes take turns as held-out rows of the sigmoid.
    """
    held = np.empty((len(subsets), len(rows)))
    for part in (0, 1):
        train = np.arange(len(rows)) % 2 != part
        held[:, ~train] = values_of(table, codes[train], rows[train], rows[~train], subsets)
    values = values_of(table, codes, rows, test, subsets)
    own = [fit_sigmoid(v, codes == 1).of(w) for v, w in zip(held, values, strict=True)]
    return np.array(own), values > 0


def errors(divisions=DIVISIONS):
    """Yield the rule of agreement, size, method and error in percent of each resampling."""
    data = hetsel.datasets.load("usps")
    table = Schema.infer(data.X).encode(data.X)
    labels, y = np.unique(data.y.to_numpy(), return_inverse=True)
    pairs = class_pairs(len(labels))
    rng = np.random.default_rng(2012)
    for _ in range(divisions):
        mixed = rng.permutation(len(y))
        digits = [mixed[y[mixed] == c][:TRAIN] for c in range(len(labels))]
        test = np.setdiff1d(mixed, np.concatenate(digits), assume_unique=True)
        test = rng.permutation(test)[:TEST]
        for name, method in METHODS.items():
            first = np.empty((len(SIZES), len(test), len(pairs)))
            votes = np.zeros((len(SIZES), len(test), len(labels)))
            for k, (a, b) in enumerate(pairs):
                rows = np.concatenate([digits[a], digits[b]])
                codes = np.repeat([1, 0], TRAIN)
                selector = method.fit(table.take(rows=rows), codes)
                subsets = [selector.signature(size) for size in SIZES]
                first[:, :, k], won = posteriors(table, codes, rows, test, subsets)
                votes[:, :, a] += won
                votes[:, :, b] += ~won
            for size, p, count in zip(SIZES, first, votes, strict=True):
                for rule, score in (("votes", count), ("coupled", couple(p, len(labels)))):
                    yield rule, size, name, 100 * np.mean(score.argmax(axis=1) != y[test])
