"""Support vector machines and their kernel weights on a sum of kernels of binned columns.

The dual, maximize sum y'beta - epsilon sum |beta| - 1/2 ||(s_f)||_r over the box with the sum of
beta 0, r = q/(q - 1), is climbed by the method of multipliers: with a center c and a width h of the
margin it takes

    maximize  dual(beta) - sum (beta_i - c_i)^2 / (2 sigma_i),      sigma_i = C_i / (2 h),

whose primal has a smooth loss, quadratic where the margin is within about h of 1 and straight
elsewhere. Newton's method minimizes that primal over functions of the columns: only the rows near
the margin enter its equations (:mod:`hetsel.solvers.additive.conjugate_steps`). Once the smooth
problem is solved well enough, beta becomes the center and h shrinks: the gap falls quadratically in
h at first. A row asks for one look-up a column at each step, and the first model of many rows
starts from one of fewer.

Rockafellar 1976, Mathematics of Operations Research 1 (the method of multipliers); Yan and Li 2020,
Optimization Methods and Software 35 (support vector machines, semismooth Newton steps); Kloft et
al. 2011 (the dual with kernel weights). That of functions of single columns is hetsel's own.
"""

import numpy as np

from hetsel.kernels.binned.binned_kernels import BinnedKernels
from hetsel.solvers.additive.additive_problem import AdditiveProblem, AdditiveSolution
from hetsel.solvers.additive.proximal_climb import ascend
from hetsel.solvers.svm.two_class_svm import even_pull

FIRST = 4_000  # rows of the first sample
GROWTH = 5  # times as many rows in the next one
FEWEST = 50  # rows on either side of each machine, in a sample
ROUGH = 0.003  # relative gap of a model of a sample
WIDEST = 2.0  # h at the start, about the range of a margin
WIDE = 0.3  # h after more rows came


def solve_additive(
    kernels: BinnedKernels,
    labels: np.ndarray,
    bounds: np.ndarray,
    q: float,
    *,
    tube: float = 0.0,
    start: AdditiveSolution | None = None,
    tolerance: float = 1e-4,
    turns: float = np.inf,
) -> AdditiveSolution:
    """Machines with a shared weighted sum of kernels, to a relative duality gap of `tolerance`.

    labels and bounds (machines, n) are -1 and +1 with bounds on alpha, or numbers with bounds on
    |beta| and epsilon as the `tube`; rows come in random order: samples are the first ones. q,
    above 1, is the norm of the kernel weights; infinity the plain sum. It starts from the solution
    of a similar problem of the same rows, and ends after `turns` of conjugate gradients.
    """
    problem = AdditiveProblem.of(kernels, labels, bounds, q, tube)
    if start is not None:
        return ascend(problem, start.sums, start.bias, start.beta, start.width, tolerance, turns)
    sums, bias, width = None, np.zeros(len(labels)), WIDEST
    for rows in _samples(labels, tube):
        part = _sample(problem, rows)
        if sums is None:
            sums, bias = _even_start(part)
        last = rows == kernels.n
        ends = ascend(part, sums, bias, part.middle, width, tolerance if last else ROUGH)
        sums, bias, width = ends.sums, ends.bias, WIDE
    return ends


def _samples(labels: np.ndarray, tube: float) -> list[int]:
    """Numbers of first rows to solve for, ascending; the last one is all."""
    n = labels.shape[1]
    sizes = [n]
    while sizes[0] > FIRST * GROWTH:
        sizes.insert(0, -(-sizes[0] // GROWTH))
    if tube:
        return sizes

    def fit(rows: int) -> bool:
        return all(min((y[:rows] > 0).sum(), (y[:rows] < 0).sum()) >= FEWEST for y in labels)

    return [rows for rows in sizes if rows == n or fit(rows)]


def _sample(problem: AdditiveProblem, rows: int) -> AdditiveProblem:
    """The problem on the first rows, a bit less regular than on all: few rows fit too well."""
    kernels, labels, bounds = problem.kernels, problem.labels[:, :rows], problem.bounds[:, :rows]
    if rows == kernels.n:
        return problem
    weight = np.sqrt(kernels.n / rows)
    labels, bounds = (np.ascontiguousarray(part) for part in (labels, weight * bounds))
    return AdditiveProblem.of(kernels.head(rows), labels, bounds, problem.q, problem.tube)


def _even_start(problem: AdditiveProblem) -> tuple[np.ndarray, np.ndarray]:
    """Sums (machines, bins) and biases of machines on kernels of even weights: others start too
    far.
    """
    kernels, labels, bounds, q = problem.kernels, problem.labels, problem.bounds, problem.q
    pull = bounds * (labels - labels.mean(axis=1)[:, None])
    if not problem.tube:
        pull = even_pull(labels, bounds)
    first = np.array([kernels.sums(own) for own in pull]) / max(np.abs(pull).sum(), 1e-300)
    bias = np.zeros(len(labels))
    if np.isinf(q):
        return first, bias
    even = kernels.p ** (-1.0 / q)
    plain = BinnedKernels(kernels.columns, even * kernels.factors)
    ends = ascend(
        problem._replace(kernels=plain, q=np.inf), first, bias, problem.middle, WIDEST, ROUGH
    )
    return ends.sums, ends.bias
