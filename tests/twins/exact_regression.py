"""Regression with a tube, and machines that rank survival times, in rational arithmetic."""

from fractions import Fraction

import numpy as np
from sklearn.svm import SVR
from twins.exact_machines import solve


def exact_regression(gram, y, C, tube):
    """beta (n,) in fractions, proved by the optimality conditions; None if the guess does not hold.

    maximize sum y beta - tube sum |beta| - beta' K beta / 2 over -C <= beta <= C, sum beta = 0.
    libsvm guesses which rows are free, and on which side of the tube each row is.
    """
    n, zero = len(y), Fraction(0)
    floats = np.array([[float(x) for x in row] for row in gram])
    machine = SVR(kernel="precomputed", C=float(C), epsilon=float(tube), tol=1e-10)
    machine.fit(floats, [float(value) for value in y])
    guess = np.zeros(n)
    guess[machine.support_] = machine.dual_coef_[0]
    sides = [1 if b > 0 else -1 for b in guess]
    share = np.abs(guess) / float(C)
    free = [i for i in range(n) if 1e-7 < share[i] < 1 - 1e-7]
    beta = [C * sides[i] if share[i] >= 1 - 1e-7 else zero for i in range(n)]
    if free:
        matrix = [[*(gram[i][j] for j in free), Fraction(1)] for i in free]
        matrix.append([*[Fraction(1)] * len(free), zero])
        right = [y[i] - tube * sides[i] - sum(gram[i][j] * beta[j] for j in range(n)) for i in free]
        found = solve(matrix, [*right, -sum(beta)])
        if found is None:
            return None
        for i, value in zip(free, found, strict=False):
            beta[i] = value
    return beta if is_optimal(gram, y, C, tube, beta) else None


def is_optimal(gram, y, C, tube, beta):
    """Whether the optimality conditions hold exactly."""
    if sum(beta) != 0 or any(abs(b) > C for b in beta):
        return False
    rising, falling = [], []
    for row, value, b in zip(gram, y, beta, strict=True):
        error = value - sum(g * other for g, other in zip(row, beta, strict=True))
        if b < C:
            rising.append(error - (tube if b >= 0 else -tube))
        if b > -C:
            falling.append(error - (tube if b > 0 else -tube))
    return max(rising) <= min(falling)


def comparable(times, events):
    """Pairs of rows (i, j) of which i has its event before j has one, or is censored."""
    rows = range(len(times))
    return [
        (i, j)
        for i in rows
        for j in rows
        if events[i]
        and (times[i] < times[j] or (times[i] == times[j] and not events[j] and i != j))
    ]


def exact_ranking(gram, times, events, C, guess):
    """beta (n,) in fractions of a machine on survival times; None if the guess does not hold.

    minimize beta' K beta / 2 + (gamma / 2) sum over the pairs of max(0, 1 - (f_i - f_j))^2, with
    f = K beta and gamma = C n / (number of pairs). A rough beta says which pairs are too close.
    """
    n, pairs = len(times), comparable(times, events)
    gamma = C * n / len(pairs)
    rough = np.array([[float(x) for x in row] for row in gram]) @ guess
    close = [(i, j) for i, j in pairs if rough[i] - rough[j] < 1]
    laplacian = [[Fraction(0)] * n for _ in range(n)]
    pull = [Fraction(0)] * n
    for i, j in close:
        for a, b in ((i, j), (j, i)):
            laplacian[a][a] += gamma
            laplacian[a][b] -= gamma
        pull[i] += gamma
        pull[j] -= gamma
    columns = list(zip(*gram, strict=True))
    matrix = [
        [sum(a * b for a, b in zip(row, column, strict=True)) for column in columns]
        for row in laplacian
    ]
    for i in range(n):
        matrix[i][i] += 1
    beta = solve(matrix, pull)
    if beta is None:
        return None
    risks = [sum(g * b for g, b in zip(row, beta, strict=True)) for row in gram]
    held = [(i, j) for i, j in pairs if risks[i] - risks[j] < 1]
    return beta if set(held) == set(close) else None
