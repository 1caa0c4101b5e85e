"""The largest tail of a distribution of given shape and mean, by generic optimizers."""

import numpy as np
from scipy.optimize import linprog, minimize


def unimodal_tail(mean, least, most):
    """Largest P(X >= least) of a unimodal X on 0..most, E X <= mean: a linear program per mode."""
    support = np.arange(most + 1)
    found = []
    for mode in support:
        rows = [support]
        for i in range(most):
            row = np.zeros(most + 1)
            row[i], row[i + 1] = (1, -1) if i < mode else (-1, 1)  # up to the mode, then down
            rows.append(row)
        limits = np.append(mean, np.zeros(most))
        one = np.ones((1, most + 1))
        answer = linprog(-(support >= least).astype(float), rows, limits, one, [1])
        if answer.success:
            found.append(-answer.fun)
    return max(found)


def r_concave_tail_by_search(mean, least, most, r, starts=30, seed=0):
    """Largest P(X >= least) found of an r-concave X on 0..most, E X <= mean.

    f^r is convex and positive where f is: a constant plus hinges (i - j)+ and (j - i)+ with weights
    of 0 or more. The weights are searched on the logarithmic scale from random starts.
    """
    support = np.arange(most + 1)
    hinges = [np.maximum(support - j, 0) for j in range(most)]
    hinges += [np.maximum(j - support, 0) for j in range(1, most + 1)]
    hinges = np.array(hinges, dtype=float)

    def density(logs):
        f = (1 + np.exp(np.clip(logs, -60, 60)) @ hinges) ** (1 / r)
        return f / f.sum()

    inside = {"type": "ineq", "fun": lambda logs: mean - density(logs) @ support}
    rng = np.random.default_rng(seed)
    best = 0.0
    for _ in range(starts):
        answer = minimize(
            lambda logs: -density(logs)[least:].sum(),
            rng.uniform(-8, 6, len(hinges)),
            method="SLSQP",
            constraints=[inside],
            options={"maxiter": 300, "ftol": 1e-12},
        )
        if density(answer.x) @ support <= mean * (1 + 1e-7):
            best = max(best, -answer.fun)
    return best
