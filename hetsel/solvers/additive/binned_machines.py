"""Support vector machines and their kernel weights on a sum of kernels of binned columns.

The dual is: maximize sum y'beta - epsilon sum |beta| - 1/2 ||(s_f)||_r over the box with the sum of
beta 0, where r = q/(q - 1). It is solved by the method of multipliers. With a center c and a width
h of the margin, each step solves

    maximize  dual(beta) - sum (beta_i - c_i)^2 / (2 sigma_i),      sigma_i = C_i / (2 h),

The primal of this problem has a smooth loss, quadratic where the margin is within about h of 1 and
linear elsewhere. Newton's method minimizes it over functions of the columns, and only rows near the
margin enter its equations (:mod:`hetsel.solvers.additive.conjugate_steps`). Once the smooth problem
is solved accurately enough, beta becomes the center and h shrinks; the gap first falls
quadratically in h. Each step needs one look-up per row and column. A model of many rows starts from
one of fewer rows.

Rockafellar 1976, Mathematics of Operations Research 1 (the method of multipliers); Yan and Li 2020,
Optimization Methods and Software 35 (support vector machines, semismooth Newton steps); Kloft et
al. 2011 (the dual with kernel weights). The form with functions of single columns is new.
"""

import numpy as np

from hetsel.kernels.binned.binned_kernels import BinnedKernels
from hetsel.solvers.additive import conjugate_steps, proximal_rows
from hetsel.solvers.additive.additive_problem import AdditiveProblem, AdditiveSolution, Functions
from hetsel.solvers.mkl.kernel_weights import mixed_power
from hetsel.solvers.svm.two_class_svm import even_pull

FASTER = 3.0  # how much less h is once a smooth problem is solved
SETTLED = 0.2  # gap of the smooth problem at which it is, as a share of the gap itself
FORCING = 0.1  # share of the residual that a Newton step leaves at most
MOST_ROWS = 40_000  # free ones of a machine that enter a step at first
FEW_ROWS = 0.5  # a step that is shorter near the optimum asks for twice as many
NEAR = 0.01  # relative gap
MOST_STEPS = 200
MOST_TURNS = 500  # of the conjugate gradients
STEPS_BEFORE_NARROWING = 4  # steps of a smooth problem, after which the next one is narrower
SHORT = 0.05  # a step that is shorter asks for a wider margin
STUCK = 3  # steps in a row that rounding lets go nowhere
LEVEL = 0.1  # share of the slope at its start that a line search leaves
REBUILT = 8  # steps after which sums are built anew, so that rounding cannot pile up


class Climb:
    """Newton's method with multipliers on one problem; see the module of the machines."""

    def __init__(
        self,
        problem: AdditiveProblem,
        sums: np.ndarray,
        bias: np.ndarray,
        center: np.ndarray,
        width: float,
    ) -> None:
        self.problem, self.kernels = problem, problem.kernels
        self.functions = Functions.of(self.kernels, sums, problem.q)
        self.residual = problem.labels - self._decisions(self.functions)
        self.bias, self.center, self.width = bias.copy(), center.copy(), width
        self.sigma = problem.sigma(width)
        self.beta, self._rows = np.zeros_like(center), np.empty(self.kernels.n, dtype=np.int64)
        self._known, self._sums, self._age = np.zeros_like(center), np.zeros_like(sums), 0
        self.dual = self.primal = self.inner = np.nan
        self.rows = MOST_ROWS  # of each machine that enter a step
        self.looked = 0  # rows that turns of conjugate gradients looked at, in all

    def _decisions(self, functions: Functions) -> np.ndarray:
        """sum mu_f K_f B_f of each row (machines, n)."""
        tables = self.kernels.weighted(functions.images, functions.weights)
        return np.array([self.kernels.look_up(table) for table in tables])

    @property
    def gap(self) -> float:
        """Of the machines, in the units of the objective."""
        return self.primal - self.dual

    @property
    def share(self) -> float:
        """The gap relative to the value of the primal."""
        return self.gap / max(abs(self.primal), 1e-300)

    def settle(self) -> None:
        """Find biases and beta for the functions, and the values of all problems."""
        asked, residual = self.problem, self.residual
        smooth, loss, linear, apart = 0.0, 0.0, 0.0, 0.0
        for c in range(len(residual)):
            box = asked.low[c], asked.high[c], asked.tube, self.beta[c]
            near = self.center[c], self.sigma[c]
            self.bias[c] = proximal_rows.balance(residual[c], self.bias[c], *near, *box, self._rows)
            told = proximal_rows.sums_of_rows(
                asked.labels[c], residual[c], self.bias[c], *near, *box
            )
            smooth, loss = smooth + told[0], loss + told[1]
            linear, apart = linear + told[2], apart + told[3]
        size = Functions.of(self.kernels, self._sums_of_beta(), asked.q).size
        self.dual = linear - 0.5 * size
        self.primal = 0.5 * self.functions.size + loss
        self.inner = 0.5 * self.functions.size + smooth - (self.dual - apart)

    def _sums_of_beta(self) -> np.ndarray:
        """Sums (machines, bins) of beta, from those known and what changed."""
        fresh = self._age % REBUILT == 0
        self._age += 1
        for c, own in enumerate(self.beta):
            if fresh:
                self._sums[c] = self.kernels.sums(own)
            else:
                self.kernels.add(own - self._known[c], self._sums[c])
        self._known[:] = self.beta
        return self._sums

    def move_center(self, width: float, center: bool = True) -> None:
        """Take beta for the center, and another width."""
        if center:
            self.center[:] = self.beta
        self.width = width
        self.sigma = self.problem.sigma(width)
        self.settle()

    def step(self) -> float:
        """One step of Newton's method; how far it went, as a share."""
        kernels, now, q = self.kernels, self.functions, self.problem.q
        curvature = curvature_at(kernels, now, q)
        turn = self._newton(curvature)
        tables = np.empty_like(turn)
        bends = conjugate_steps.set_curved(curvature, turn, tables)
        change = np.array([kernels.look_up(table) for table in tables])
        # functions K_f a_f of each column, by their coefficients a_f
        here = kernels.weighted(now.sums, now.weights)
        ahead = kernels.weighted(turn, now.weights) + kernels.weighted(now.sums, bends)
        with_change = [kernels.products(part, tables) for part in (here, ahead)]
        squares = np.array([now.weights**2 * now.energy, *with_change])
        share = self._line_search(squares, change)
        parts = squares[0] + share * (2.0 * squares[1] + share * squares[2])
        weights = weights_of_parts(np.maximum(parts, 0.0), q)
        inverse = np.divide(1.0, weights, out=np.zeros_like(weights), where=weights > 0.0)
        self.functions = Functions.of(kernels, kernels.weighted(here + share * ahead, inverse), q)
        self.residual -= share * change
        if share < FEW_ROWS and self.share < NEAR:
            self.rows *= 2
        return share

    def _newton(self, curvature: conjugate_steps.Curvature) -> np.ndarray:
        """What Newton's step adds to the sums (machines, bins), of very many free rows by some."""
        asked, kernels, codes = self.problem, self.kernels, self.kernels.columns.codes
        gradient = self.functions.sums - self._sums_of_beta()
        rows, sigma, ends = [], [], [0]
        for c, own in enumerate(self.beta):
            count = proximal_rows.gather_free(
                own, asked.low[c], asked.high[c], asked.tube, self._rows
            )
            some = self._rows[: count : -(-count // self.rows) or 1].copy()
            rows.append(some)
            sigma.append(self.sigma[c][some] * (count / max(len(some), 1)))
            ends.append(ends[-1] + len(some))
        if ends[-1] == 0:
            return -gradient
        near = np.empty((ends[-1], kernels.p), dtype=codes.dtype)
        for c, own in enumerate(rows):
            near[ends[c] : ends[c + 1]] = codes[own]
        rough = np.sqrt(max(self.inner, 0.0) / max(abs(self.primal), 1e-300))
        precision = max(1e-10, FORCING * min(1.0, rough))
        pulls, free = np.zeros_like(gradient), (near, np.array(ends), np.concatenate(sigma))
        turns = conjugate_steps.solve_functions(
            curvature, *free, gradient, precision, MOST_TURNS, pulls
        )
        self.looked += turns * len(near)
        return pulls

    def _line_search(self, squares: np.ndarray, change: np.ndarray) -> float:
        """The share of a step where the smooth primal is least, of ||h_f||^2, <h_f, d_f>,
        ||d_f||^2.
        """
        q, trial, bias = self.problem.q, np.empty(self.kernels.n), self.bias.copy()

        def slope(share: float) -> float:
            parts = squares[0] + share * (2.0 * squares[1] + share * squares[2])
            moving = 2.0 * (squares[1] + share * squares[2])
            total = slope_of_norm(parts, moving, q)
            for c, own in enumerate(self.residual):
                np.multiply(change[c], -share, out=trial)
                np.add(trial, own, out=trial)
                asked = self.problem.low[c], self.problem.high[c], self.problem.tube
                rows = self.center[c], self.sigma[c], *asked, self.beta[c], self._rows
                bias[c] = proximal_rows.balance(trial, bias[c], *rows)
                total -= proximal_rows.product_of(self.beta[c], change[c])
            return total

        # at the start beta is what it is, and the sums of it with the change tell the slope
        first = slope_of_norm(squares[0], 2.0 * squares[1], q)
        first -= sum(map(proximal_rows.product_of, self.beta, change))
        if not first < 0.0:  # rounding is all that is left
            return 0.0
        ahead, share = slope(1.0), 1.0
        left, right, at_left, at_right = 0.0, 1.0, first, ahead
        for _ in range(10):
            if share == 1.0 and ahead <= LEVEL * abs(first):
                break
            share = left - at_left * (right - left) / (at_right - at_left)
            edge = 0.1 * (right - left)
            share = min(max(share, left + edge), right - edge)
            here = slope(share)
            if abs(here) <= LEVEL * abs(first):
                break
            if here > 0.0:
                right, at_right = share, here
            else:
                left, at_left = share, here
        return share


class _Patience:
    """When the next smooth problem is narrower: after a quick one, and not soon after a failure."""

    def __init__(self) -> None:
        self._wait, self._next, self._narrowed = 0, 1, False

    def asked(self, turns: int) -> bool:
        """Whether to go on narrower after a smooth problem of so many steps."""
        if self._narrowed:
            self._next = max(self._next // 2, 1)
        self._narrowed = turns <= STEPS_BEFORE_NARROWING and self._wait == 0
        self._wait = max(self._wait - 1, 0)
        return self._narrowed

    def failed(self) -> None:
        """The margin was too narrow: wait for twice as many problems as last time."""
        if self._narrowed:
            self._wait, self._next, self._narrowed = self._next, min(2 * self._next, 16), False


def ascend_in_bins(
    problem: AdditiveProblem,
    sums: np.ndarray,
    bias: np.ndarray,
    center: np.ndarray,
    width: float,
    tolerance: float,
    turns: float = np.inf,
) -> AdditiveSolution:
    """Climb from sums, biases, a center and a width, in about so many looks at all rows."""
    climb = Climb(problem, sums, bias, center, width)
    climb.settle()
    trace, steps, stuck, patience = [], 0, 0, _Patience()
    for _ in range(MOST_STEPS):
        trace.append((climb.primal, climb.share))
        if climb.share <= tolerance or climb.looked > turns * problem.kernels.n:
            break
        if climb.inner <= SETTLED * climb.gap:
            climb.move_center(climb.width / (FASTER if patience.asked(steps) else 1.0))
            steps = 0
            if climb.share <= tolerance:
                trace.append((climb.primal, climb.share))
                break
        steps += 1
        went = climb.step()
        stuck = stuck + 1 if went == 0.0 else 0
        if stuck == STUCK:
            break
        if went < SHORT:
            climb.move_center(climb.width * FASTER, center=False)
            patience.failed()
            steps += STEPS_BEFORE_NARROWING
        else:
            climb.settle()
    found = Functions.of(problem.kernels, climb._sums, problem.q)
    machines = (found.weights, climb.beta, climb.bias, found.energy)
    return AdditiveSolution(*machines, *trace[-1], climb.functions.sums, climb.width, tuple(trace))


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
        return ascend_in_bins(
            problem, start.sums, start.bias, start.beta, start.width, tolerance, turns
        )
    sums, bias, width = None, np.zeros(len(labels)), WIDEST
    for rows in _samples(labels, tube):
        part = _sample(problem, rows)
        if sums is None:
            sums, bias = _even_start(part)
        last = rows == kernels.n
        ends = ascend_in_bins(part, sums, bias, part.middle, width, tolerance if last else ROUGH)
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
    ends = ascend_in_bins(
        problem._replace(kernels=plain, q=np.inf), first, bias, problem.middle, WIDEST, ROUGH
    )
    return ends.sums, ends.bias


def curvature_at(kernels: BinnedKernels, now: Functions, q: float) -> conjugate_steps.Curvature:
    """Minus the second derivative of the dual at some functions."""
    power = 0.0 if np.isinf(q) else 1.0 / (q - 1.0)
    turn = 2.0 * power / max(now.size, 1e-300)
    bends = turn * mixed_power(now.energy, now.size, power - 1.0) if power else 0.0 * now.energy
    sums, images, energy, weights, size = now
    return conjugate_steps.Curvature(kernels.bins, sums, images, energy, weights, bends, turn, size)


def weights_of_parts(squares: np.ndarray, q: float) -> np.ndarray:
    """mu_f (p,) that make sum ||h_f||^2 / mu_f least, of ||h_f||^2 (p,), ||mu||_q = 1."""
    if np.isinf(q) or not squares.any():
        return np.ones(len(squares))
    parts = (squares / squares.max()) ** (1.0 / (q + 1.0))
    return np.asarray(parts / (parts**q).sum() ** (1.0 / q))


def slope_of_norm(squares: np.ndarray, moving: np.ndarray, q: float) -> float:
    """Derivative of 1/2 sum ||h_f||^2 / mu_f, of ||h_f||^2 (p,) with these derivatives."""
    if np.isinf(q):
        return 0.5 * float(moving.sum())
    weights = weights_of_parts(np.maximum(squares, 0.0), q)
    parts = np.divide(moving, weights, out=np.zeros_like(moving), where=weights > 0)
    return 0.5 * float(parts.sum())
