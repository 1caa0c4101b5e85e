"""Multiple kernel learning, q = 2, two classes, in 50 digits: a guess made exact and proved."""

from decimal import Decimal, localcontext

DIGITS = 50
SMALL = Decimal(10) ** -38


def as_decimal(gram):
    """A matrix of fractions in decimals."""
    return [[Decimal(x.numerator) / Decimal(x.denominator) for x in row] for row in gram]


def images(grams, beta):
    """K_f beta of each kernel."""
    return [[sum(g * b for g, b in zip(row, beta, strict=True)) for row in gram] for gram in grams]


def state(grams, beta):
    """K_f beta, s_f, their norm S, mu = s / S and u = sum mu_f K_f beta."""
    parts = images(grams, beta)
    energy = [sum(b * v for b, v in zip(beta, part, strict=True)) for part in parts]
    size = sum(s * s for s in energy).sqrt()
    weights = [s / size for s in energy]
    u = [sum(m * part[i] for m, part in zip(weights, parts, strict=True)) for i in range(len(beta))]
    return parts, energy, size, weights, u


def solve(matrix, right):
    """Solution of a square system by elimination with pivots."""
    n = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        if abs(rows[pivot][k]) < SMALL:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(n):
            if i != k:
                factor = rows[i][k] / rows[k][k]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
    return [rows[k][n] / rows[k][k] for k in range(n)]


def exact_energies(gram_fractions, y, C, guess, tube=0.0):
    """s_f at the optimum of sum y beta - ||s||_2 / 2, 0 <= y beta <= C, sum beta = 0.

    Of a regression, with a tube, less tube sum |beta|, -C <= beta <= C. None where the free rows of
    the guess do not lead to a point that meets the conditions.
    """
    with localcontext() as context:
        context.prec = DIGITS
        grams = [as_decimal(gram) for gram in gram_fractions]
        n, bound, edge = len(y), Decimal(C), Decimal(tube)
        y = [Decimal(float(value)) for value in y]
        share = [abs(float(b)) / C for b in guess]
        free = [i for i in range(n) if 1e-6 < share[i] < 1 - 1e-6]
        sides = [1 if b > 0 else -1 for b in guess] if tube else [int(value) for value in y]
        beta = [sides[i] * bound if share[i] > 0.5 else Decimal(0) for i in range(n)]
        for i in free:
            beta[i] = Decimal(float(guess[i]))
        linear = [value - edge * side for value, side in zip(y, sides, strict=True)]
        if not free or not newton(grams, linear, beta, free):
            return None
        _, energy, _, _, u = state(grams, beta)
        if tube:
            good = is_optimal_regression(y, bound, edge, beta, free, u, sides)
        else:
            good = is_optimal(y, bound, beta, free, u)
        return energy if good else None


def exact_ranking_energies(gram_fractions, pairs, C, guess):
    """s_f at the optimum of a machine on survival times, q = 2, in 50 digits, or None.

    beta = -L'(u) with u = sum mu_f K_f beta and the loss of the pairs (i, j), by Newton's method
    for the pairs that a guess has too close.
    """
    with localcontext() as context:
        context.prec = DIGITS
        grams = [as_decimal(gram) for gram in gram_fractions]
        n, zero, one = len(guess), Decimal(0), Decimal(1)
        gamma = Decimal(C) * n / len(pairs)
        beta = [Decimal(float(b)) for b in guess]
        _, _, _, _, u = state(grams, beta)
        close = [(i, j) for i, j in pairs if u[i] - u[j] < 1]
        laplacian = [[zero] * n for _ in range(n)]
        for i, j in close:
            for a, b in ((i, j), (j, i)):
                laplacian[a][a] += gamma
                laplacian[a][b] -= gamma
        for _ in range(40):
            parts, energy, size, weights, u = state(grams, beta)
            lack = [-b for b in beta]
            for i, j in close:
                lack[i] += gamma * (1 - u[i] + u[j])
                lack[j] -= gamma * (1 - u[i] + u[j])
            if max(map(abs, lack)) < SMALL:
                held = [(i, j) for i, j in pairs if u[i] - u[j] < 1]
                return energy if held == close else None
            curve = [
                [
                    sum(m * gram[i][j] for m, gram in zip(weights, grams, strict=True))
                    + 2 * (sum(part[i] * part[j] for part in parts) - u[i] * u[j]) / size
                    for j in range(n)
                ]
                for i in range(n)
            ]
            matrix = [
                [
                    sum(laplacian[i][k] * curve[k][j] for k in range(n)) + (one if i == j else zero)
                    for j in range(n)
                ]
                for i in range(n)
            ]
            steps = solve(matrix, lack)
            if steps is None:
                return None
            beta = [b + step for b, step in zip(beta, steps, strict=True)]
        return None


def newton(grams, y, beta, free):
    """Newton's method for the free rows, beta in place; whether it converged."""
    one = Decimal(1)
    for _ in range(30):
        parts, _, size, weights, u = state(grams, beta)
        matrix = []
        for i in free:
            row = []
            for j in free:
                mixed = sum(m * gram[i][j] for m, gram in zip(weights, grams, strict=True))
                bend = sum(part[i] * part[j] for part in parts) - u[i] * u[j]
                row.append(mixed + 2 * bend / size)
            matrix.append([*row, one])
        matrix.append([*[one] * len(free), Decimal(0)])
        slopes = [y[i] - u[i] for i in free]
        found = solve(matrix, [*slopes, -sum(beta)])
        if found is None:
            return False
        for i, step in zip(free, found, strict=False):
            beta[i] += step
        if max(abs(step) for step in found[:-1]) < SMALL:
            return True
    return False


def is_optimal_regression(y, bound, tube, beta, free, u, sides):
    """The same of a regression: the errors of the rows beside the tube."""
    slack = Decimal(10) ** -36
    bias = y[free[0]] - u[free[0]] - tube * sides[free[0]]
    for i, b in enumerate(beta):
        error = y[i] - u[i] - bias
        if i in free:
            good = 0 < sides[i] * b < bound and abs(sides[i] * error - tube) < slack
        elif b:
            good = sides[i] * error > tube + slack
        else:
            good = abs(error) < tube - slack
        if not good:
            return False
    return True


def is_optimal(y, bound, beta, free, u):
    """Whether the conditions hold, to 1e-36 for the free rows and surely for the others."""
    slack = Decimal(10) ** -36
    bias = int(y[free[0]]) - u[free[0]]
    for i, b in enumerate(beta):
        alpha, away = int(y[i]) * b, int(y[i]) * (int(y[i]) - u[i] - bias)
        if i in free:
            good = 0 < alpha < bound and abs(away) < slack
        else:
            good = away > slack if alpha > 0 else away < -slack
        if not good:
            return False
    return True
