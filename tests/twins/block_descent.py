"""Slow twin of the descent over blocks of coefficients: all second derivatives at once."""

import numpy as np


def sweeps(
    columns, starts, roots, weights, members, chances, away, beta, intercepts, penalty, times
):
    """Coefficients and intercepts after `times` sweeps over the quadratic model at the chances."""
    n, outputs = chances.shape
    design = np.ones((n, len(roots) + 1))  # the last column is that of the intercepts
    for f in range(len(weights)):
        for j in range(starts[f], starts[f + 1]):
            level = roots[j] * (columns[:, f] == j - starts[f])
            design[:, j] = level if starts[f + 1] - starts[f] > 1 else columns[:, f]
    bends = np.array([np.diag(p) - np.outer(p, p) for p in chances])
    hessian = np.einsum("ij,ik,icd->jckd", design, design, bends) / n
    count = design.shape[1] * outputs
    hessian = hessian.reshape(count, count)
    first_slope = (design.T @ away / n).ravel()
    start = np.vstack([beta, intercepts]).ravel()
    at = start.copy()

    def slope():
        return first_slope + hessian @ (at - start)

    for _ in range(times):
        own = slice(count - outputs, count)
        at[own] -= np.linalg.pinv(hessian[own, own]) @ slope()[own]
        for f in members:
            own = slice(starts[f] * outputs, starts[f + 1] * outputs)
            wanted = hessian[own, own] @ at[own] - slope()[own]
            at[own] = shrunk(hessian[own, own], wanted, penalty * weights[f])
    at = at.reshape(-1, outputs)
    return at[:-1], at[-1]


def sweeps_of_one_output(
    columns, starts, roots, weights, members, hessian, bound, away, beta, intercept, penalty, times
):
    """The same where the loss has the Hessian (n, n) by the scores of the rows, and one output.

    `bound` (n,) stands for it in the step of a block; an intercept of None is none.
    """
    n = len(columns)
    design = np.ones((n, len(roots)))
    for f in range(len(weights)):
        for j in range(starts[f], starts[f + 1]):
            level = roots[j] * (columns[:, f] == j - starts[f])
            design[:, j] = level if starts[f + 1] - starts[f] > 1 else columns[:, f]
    at, scores = beta.copy(), np.zeros(n)
    for _ in range(times):
        if intercept is not None:
            shift = -(away + hessian @ scores).sum() / bound.sum()
            intercept, scores = intercept + shift, scores + shift
        for f in members:
            z = design[:, starts[f] : starts[f + 1]]
            own = slice(starts[f], starts[f + 1])
            bend = z.T @ (bound[:, None] * z) / n
            wanted = bend @ at[own] - z.T @ (away + hessian @ scores) / n
            new = shrunk(bend, wanted, penalty * weights[f])
            scores, at[own] = scores + z @ (new - at[own]), new
    return at, intercept, scores


def shrunk(bend, wanted, pull):
    """The x with bend x + pull x / ||x|| = wanted, its length by bisection; 0 if there is none."""
    if np.linalg.norm(wanted) <= pull:
        return np.zeros(len(wanted))
    low, high = 0.0, 1e6
    for _ in range(200):
        length = (low + high) / 2
        x = np.linalg.solve(bend + pull / length * np.eye(len(wanted)), wanted)
        low, high = (length, high) if np.linalg.norm(x) > length else (low, length)
    return x
