"""Support vector machines in rational arithmetic: libsvm guesses, fractions solve and prove."""

from fractions import Fraction

import numpy as np
from sklearn.svm import SVC


def fraction_gram(column, nominal):
    """Kernel of one column (n,) as a list of lists of fractions, Eq. 1 and 2 of paul2015."""
    cells = [Fraction(float(x)) for x in column]
    if nominal:
        return [[Fraction(int(a == b)) for b in cells] for a in cells]
    width = max(cells) - min(cells)
    return [[1 - abs(a - b) / width if width else Fraction(1) for b in cells] for a in cells]


def total(grams):
    """Sum of matrices of fractions."""
    n = len(grams[0])
    return [[sum(gram[i][j] for gram in grams) for j in range(n)] for i in range(n)]


def solve(matrix, right):
    """Solution of a square system of fractions; None if it is singular."""
    n = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for k in range(n):
        pivot = next((i for i in range(k, n) if rows[i][k] != 0), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(n):
            if i != k and rows[i][k] != 0:
                factor = rows[i][k] / rows[k][k]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
    return [rows[k][n] / rows[k][k] for k in range(n)]


def exact_machine(gram, y, C):
    """beta (n,) in fractions, proved by the optimality conditions; None if the guess does not hold.

    maximize sum y beta - beta' K beta / 2 over 0 <= y beta <= C, sum beta = 0. libsvm guesses which
    rows are free.
    """
    n = len(y)
    floats = np.array([[float(x) for x in row] for row in gram])
    machine = SVC(kernel="precomputed", C=float(C), tol=1e-10).fit(floats, y)
    guess = np.zeros(n)
    guess[machine.support_] = machine.dual_coef_[0]
    free = [i for i in range(n) if 1e-7 * C < abs(guess[i]) < (1 - 1e-7) * C]
    beta = [C * int(y[i]) if abs(guess[i]) > C / 2 else Fraction(0) for i in range(n)]
    for i in free:
        beta[i] = Fraction(0)
    if free:
        matrix = [[*(gram[i][j] for j in free), Fraction(1)] for i in free]
        matrix.append([*[Fraction(1)] * len(free), Fraction(0)])
        right = [y[i] - sum(gram[i][j] * beta[j] for j in range(n)) for i in free]
        found = solve(matrix, [*right, -sum(beta)])
        if found is None:
            return None
        for i, value in zip(free, found, strict=False):
            beta[i] = value
    return beta if is_optimal(gram, y, C, beta) else None


def is_optimal(gram, y, C, beta):
    """Whether the optimality conditions hold exactly."""
    n = len(y)
    if sum(beta) != 0 or any(not 0 <= int(y[i]) * beta[i] <= C for i in range(n)):
        return False
    gradient = [
        int(y[i]) - sum(g * b for g, b in zip(gram[i], beta, strict=True)) for i in range(n)
    ]
    rising = [gradient[i] for i in range(n) if beta[i] < max(0, C * int(y[i]))]
    falling = [gradient[i] for i in range(n) if beta[i] > min(0, C * int(y[i]))]
    return not rising or not falling or max(rising) <= min(falling)


def energy(gram, beta):
    """s_f = beta' K_f beta."""
    images = [sum(g * b for g, b in zip(row, beta, strict=True) if b) for row in gram]
    return sum(b * image for b, image in zip(beta, images, strict=True))
