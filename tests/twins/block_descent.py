"""Slow twin of the descent over blocks of coefficients: one number after the other."""

from math import exp, sqrt


def sweeps(columns, starts, roots, weights, members, hits, penalty, many):
    """Coefficients and intercepts after `many` sweeps from 0; every gradient from the start."""
    n, outputs = len(hits), len(hits[0])
    bound = 0.25 if outputs == 1 else 0.5
    beta = [[0.0] * outputs for _ in roots]
    intercepts = [0.0] * outputs

    def cell(i, f, a):
        number = starts[f + 1] - starts[f] == 1
        return columns[i][f] if number else roots[starts[f] + a] * (columns[i][f] == a)

    def residual(i, c):
        scores = list(intercepts)
        for f in range(len(weights)):
            for a in range(starts[f + 1] - starts[f]):
                for o in range(outputs):
                    scores[o] += cell(i, f, a) * beta[starts[f] + a][o]
        if outputs == 1:
            return 1 / (1 + exp(-scores[0])) - hits[i][0]
        return exp(scores[c]) / sum(exp(s) for s in scores) - hits[i][c]

    for _ in range(many):
        means = [sum(residual(i, c) for i in range(n)) / n for c in range(outputs)]
        intercepts = [b - mean / bound for b, mean in zip(intercepts, means, strict=True)]
        for f in members:
            size = starts[f + 1] - starts[f]
            wanted = []
            for a in range(size):
                for c in range(outputs):
                    slope = sum(cell(i, f, a) * residual(i, c) for i in range(n)) / n
                    wanted.append(beta[starts[f] + a][c] - slope / bound)
            norm = sqrt(sum(w * w for w in wanted))
            shrink = max(0.0, 1 - penalty * weights[f] / bound / norm)
            for a in range(size):
                for c in range(outputs):
                    beta[starts[f] + a][c] = shrink * wanted[a * outputs + c]
    return beta, intercepts
