"""Slow twins of the held-out machines: kernels by loops, machines of scikit-learn."""

from math import isnan

import numpy as np
from sklearn.svm import SVC
from twins.kernel_sums import weighted_gram
from twins.neighbors import squared_distance


def ranges(values):
    """Smallest and largest present value of each column."""
    columns = [[v for v in column if not isnan(v)] for column in values.T.tolist()]
    return [min(c) for c in columns], [max(c) for c in columns]


def column_distances(values, nominal):
    """Squared distance of every two rows in each column, (p, n, n)."""
    low, high = ranges(values)
    return np.array(
        [
            [
                [
                    float(squared_distance([a], [b], nominal[f : f + 1], [low[f]], [high[f]]))
                    for b in x
                ]
                for a in x
            ]
            for f, x in enumerate(values.T.tolist())
        ]
    )


def clinical_kernel(values, nominal):
    """Mean over the columns of the clinical kernel of every two rows."""
    return weighted_gram(values, nominal, np.full(len(nominal), 1.0 / len(nominal)))


def held_out_classes(gram, y, fold, C, tolerance, one_against_rest):
    """Class of every row by SVC on the other folds, and how near it was to another class."""
    classes, near = np.empty(len(y), dtype=int), np.empty(len(y))
    for k in sorted(set(fold.tolist())):
        held, rest = fold == k, fold != k

        def decide(labels, held=held, rest=rest):
            model = SVC(kernel="precomputed", C=C, tol=tolerance, decision_function_shape="ovo")
            model.fit(gram[np.ix_(rest, rest)], labels[rest])
            cells = gram[np.ix_(held, rest)]
            return model.predict(cells), model.decision_function(cells)

        if one_against_rest and y.max() > 1:
            values = np.array([decide((y == c) * 1)[1] for c in range(y.max() + 1)])
            classes[held] = values.argmax(axis=0)
            two = np.sort(values, axis=0)[-2:]
            near[held] = two[1] - two[0]
        else:
            classes[held], values = decide(y)
            near[held] = np.abs(values).reshape(held.sum(), -1).min(axis=1)
    return classes, near
