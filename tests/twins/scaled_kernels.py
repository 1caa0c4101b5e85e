"""Kernels with scale factors, cell by cell, and criteria of their Gram matrices, row by row."""

import math


def pieces(cells, nominal, missing=math.isnan):
    """kappa(i, j) of one column: (inner product, half squared distance) as two functions."""
    n = len(cells)
    if nominal:
        shares = [sum(a == b for b in cells) / n for a in cells]
        spread = 1.0 - sum(shares) / n

        def distance(i, j):
            return 0.0 if cells[i] == cells[j] else 1.0 / spread

    else:
        present = [x for x in cells if not missing(x)]
        mean = sum(present) / len(present)
        square = sum((x - mean) ** 2 for x in present) / len(present)
        root = math.sqrt(square) or 1.0
        # a gap lies at the mean, and as far from all numbers in a direction of its own
        places = [(0.0, 1.0) if missing(x) else ((x - mean) / root, 0.0) for x in cells]
        total = sum((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 for a in places for b in places) / (
            2 * n * n
        )

        def distance(i, j):
            a, b = places[i], places[j]
            return ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) / (2.0 * total)

    means = [sum(distance(i, j) for j in range(n)) / n for i in range(n)]
    all_mean = sum(means) / n

    def inner(i, j):  # double centering (Torgerson): inner products of squared distances
        return means[i] + means[j] - all_mean - distance(i, j)

    return inner, distance


def gram(columns, nominal, u, shape, degree=3, coefficient=1.0):
    """K as lists of rows."""
    n = len(columns[0])
    found = [pieces(cells, kind) for cells, kind in zip(columns, nominal, strict=True)]
    out = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            t = sum(w * own[shape == "gaussian"](i, j) for w, own in zip(u, found, strict=True))
            if shape == "gaussian":
                out[i][j] = math.exp(-t)
            elif shape == "polynomial":
                out[i][j] = (1.0 + coefficient * t) ** degree
            else:
                out[i][j] = t
    return out


def target(y, kind):
    """The target matrix as lists of rows."""
    n, classes = len(y), len(set(y))
    if kind == "even":
        return [[1.0 if a == b else -1.0 / (classes - 1) for b in y] for a in y]
    return [[(1.0 / y.count(a) if a == b else 0.0) - 1.0 / n for b in y] for a in y]


def alignment(k, y, kind):
    """<K, T> / (|K| |T|)."""
    t, rows = target(y, kind), range(len(y))
    top = sum(k[i][j] * t[i][j] for i in rows for j in rows)
    squares = [sum(m[i][j] ** 2 for i in rows for j in rows) for m in (k, t)]
    return top / math.sqrt(squares[0] * squares[1])


def separability(k, y, epsilon):
    """tr S_b / (tr S_w + epsilon tr K), from the distances to the class means in feature space."""
    n = len(y)
    rows = range(n)

    def squared_norm(weights):
        return sum(weights[i] * weights[j] * k[i][j] for i in rows for j in rows)

    share = {c: [(b == c) / y.count(c) for b in y] for c in set(y)}
    between = within = 0.0
    for i in rows:
        own = share[y[i]]
        between += squared_norm([w - 1.0 / n for w in own])
        within += squared_norm([w - (i == j) for j, w in enumerate(own)])
    return between / (within + epsilon * sum(k[i][i] for i in rows))


def frobenius(k, y, kind):
    """<K, T> / n^2."""
    t, rows = target(y, kind), range(len(y))
    return sum(k[i][j] * t[i][j] for i in rows for j in rows) / len(y) ** 2
