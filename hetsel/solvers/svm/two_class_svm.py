"""Support vector machines of two classes on a Gram matrix, and class probabilities."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning

from hetsel.ground import Fix, HetselWarning, TableError, is_number, listed, positive
from hetsel.ground.equal_numbers import FINE_GRID
from hetsel.solvers.svm.machines import MachineProblem, check_bounds, solve_machines

UNEVEN = 2.0  # weight ratio to the largest class from which on a class is easily missed


@dataclass(frozen=True)
class SVMSolution:
    """Solution of one two-class problem."""

    beta: np.ndarray  # (n,): beta_i = alpha_i y_i; its sum is 0
    bias: float  # b of the decision function f = K beta + b
    objective: float  # value of the dual, sum alpha - beta' K beta / 2
    gap: float  # upper bound on the duality gap relative to the value of the primal


def solve_svm(
    gram: np.ndarray, y: np.ndarray, C: float | np.ndarray = 1.0, *, start: np.ndarray | None = None
) -> SVMSolution:
    """Solve the dual of a two-class SVM for K (n, n) and y (n,) of -1 and +1, from beta (n,).

    maximize sum alpha - 1/2 sum alpha_i alpha_j y_i y_j K_ij, sum alpha_i y_i = 0, alpha <= C.
    """
    gram = np.ascontiguousarray(gram, dtype=np.float64)
    labels = np.ascontiguousarray(y, dtype=np.float64)
    if gram.shape != (len(labels), len(labels)):
        raise TableError(
            f"gram must have shape ({len(labels)}, {len(labels)}), since y has {len(labels)} rows. "
            f"Got {gram.shape}"
        )
    bounds = check_bounds(C, len(labels))
    if not np.array_equal(np.unique(labels), [-1.0, 1.0]):
        raise TableError(f"y must hold -1 and +1, both. Got {np.unique(labels).tolist()}")
    begin = np.zeros(len(labels)) if start is None else np.asarray(start, dtype=np.float64)
    problem = MachineProblem(gram, labels[None, :], bounds[None, :])
    found = solve_machines(problem, begin[None, :])
    objective, gap = float(found.objective), float(found.gap)
    return SVMSolution(found.beta[0], float(found.bias[0]), objective, gap)


def two_class_problems(codes: np.ndarray) -> np.ndarray:
    """Return labels -1 and +1 (problems, n): one row for two classes, else one per class."""
    count = int(codes.max()) + 1
    if count == 2:
        return np.where(codes == 1, 1.0, -1.0)[None, :]
    return np.where(codes == np.arange(count)[:, None], 1.0, -1.0)


def pair_problems(codes: np.ndarray) -> np.ndarray:
    """Return labels (pairs, n) for each pair of classes: 1 the second, -1 the first, 0 neither.

    >>> pair_problems(np.array([0, 1, 2]))
    array([[-1.,  1.,  0.],
           [-1.,  0.,  1.],
           [ 0., -1.,  1.]])
    """
    first, second = np.triu_indices(int(codes.max()) + 1, 1)
    return (codes == second[:, None]).astype(np.float64) - (codes == first[:, None])


def even_pull(labels: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    """Return C_i y_i (problems, n), scaled down on the heavier side so that they sum to 0.

    The product with the weights of a feature is the contribution of the feature to the margins.

    >>> even_pull(np.array([[-1.0, 1.0, 1.0]]), np.array([[2.0, 2.0, 2.0]]))
    array([[-2.,  1.,  1.]])
    """
    pull = labels * bounds
    sides = np.stack([np.maximum(-pull, 0.0).sum(axis=1), np.maximum(pull, 0.0).sum(axis=1)])
    share = sides.min(axis=0) / np.maximum(sides, 1e-300)
    return np.where(pull < 0.0, share[0][:, None], share[1][:, None]) * pull


def problem_bounds(
    codes: np.ndarray,
    C: float,
    class_weight: Literal["balanced"] | Mapping[Any, float] | None = None,
    classes: Sequence[Any] | np.ndarray = (),
    row_weights: np.ndarray | None = None,
) -> np.ndarray:
    """Return bounds on alpha (problems, n) of the two-class problems of a target.

    The bound is C, or C n / (2 n_class) within each problem for "balanced", or C times the weight
    of the class for a mapping (1 for classes that it does not name). The text of a label names it,
    too: "1" for 1, "true" for True. Row weights (n,) multiply the bounds; n and n_class are then
    sums of weights.
    """
    positive("C", C)
    labels = two_class_problems(codes)
    own = np.ones(len(codes)) if row_weights is None else np.asarray(row_weights, dtype=np.float64)
    if class_weight is None:
        return np.tile(C * own, (len(labels), 1))
    if isinstance(class_weight, Mapping):
        weights = _weights_by_class(class_weight, classes)
        return np.tile(C * weights[codes] * own, (len(labels), 1))
    if not isinstance(class_weight, str) or class_weight != "balanced":
        raise TableError(
            f"class_weight must be None, 'balanced' or a mapping of class to weight. "
            f"Got {class_weight!r}"
        )
    n = own.sum()
    above = np.where(labels > 0, own, 0.0).sum(axis=1, keepdims=True)
    return C * n / (2.0 * np.where(labels > 0, above, n - above)) * own


def number_bounds(n: int, C: float, row_weights: np.ndarray | None = None) -> np.ndarray:
    """Return bounds on |beta| (1, n) of a regression: C times the row weights (n,)."""
    C = positive("C", C)
    return C * (np.ones((1, n)) if row_weights is None else row_weights[None].astype(np.float64))


def refuse_class_weight(class_weight: Any, kind: str) -> None:
    """Refuse class weights for a kind of target without classes."""
    if class_weight is not None:
        raise TableError(
            f"class_weight is for classes. The target holds {kind}. Got {class_weight!r}. "
            "Leave it out"
        )


def tube_of(epsilon: Any) -> float:
    """Return the half-width of the tube of a regression, on the grid of standardized numbers."""
    if not is_number(epsilon) or not 1.0 / FINE_GRID <= epsilon <= 1000.0:
        raise TableError(
            f"epsilon must be a number above 0, in standard deviations. Got {epsilon!r}"
        )
    return round(epsilon * FINE_GRID) / FINE_GRID


def _weights_by_class(
    class_weight: Mapping[Any, float], classes: Sequence[Any] | np.ndarray
) -> np.ndarray:
    labels = np.asarray(classes).tolist()
    texts = [f"{label:.15g}" if isinstance(label, float) else str(label) for label in labels]
    by_text = dict(zip(texts, labels, strict=True))
    given: dict[Any, float] = {}
    for name, weight in class_weight.items():
        text = str(name).capitalize() if labels and isinstance(labels[0], bool) else name
        label = name if name in labels else by_text.get(text)
        if label is None or label in given or not (is_number(weight) and 0 < weight < np.inf):
            raise TableError(
                f"class_weight must have a positive weight for classes among {listed(texts)}, each "
                f"once. Got {weight!r} for {name!r}"
            )
        given[label] = weight
    return np.array([float(given.get(label, 1.0)) for label in labels])


def numeric_bound(C: Any, squares: np.ndarray) -> float:
    """Return C, or for "radius" SVMlight's 1 / Rbar^2 from squared distances (n,) to the origin.

    It is 1 if all distances are 0.

    Rbar = (1/n) sum_i sqrt(k(x_i, x_i) - 2 k(x_i, 0) + k(0, 0)) (Joachims 1999; ramona2012,
    footnote 4).
    """
    if isinstance(C, str) and C == "radius":
        mean = float(np.sqrt(squares).mean()) or 1.0
        return 1.0 / (mean * mean)
    if not is_number(C) or not 0 < C < np.inf:
        raise TableError(f"C must be a positive number or 'radius'. Got {C!r}")
    return float(C)


def warn_of_missed_classes(
    decisions: np.ndarray,
    bounds: np.ndarray,
    codes: np.ndarray,
    classes: Sequence[Any] | np.ndarray,
) -> None:
    """Warn of small classes that an SVM on all features never predicts for their rows.

    A class is small if it has less than half of the weight of the largest class.
    """
    two = len(decisions) == 1
    predicted = (decisions[0] > 0).astype(np.intp) if two else decisions.argmax(axis=0)
    every = range(int(codes.max()) + 1)
    weights = np.array([bounds[0 if two else c, codes == c].sum() for c in every])
    small = UNEVEN * weights < weights.max()
    missed = [str(classes[c]) for c in np.flatnonzero(small).tolist() if not (predicted == c).any()]
    if missed:
        warnings.warn(
            HetselWarning(
                "a support vector machine on all features predicts no row of class "
                f"{listed(missed)}, so features that identify it may be missed",
                Fix("class_weight", "balanced", "to give the classes equal weight"),
            ),
            stacklevel=3,
        )


LEAST = 1e-7  # smallest coupled probability, as in LIBSVM


class Sigmoid(NamedTuple):
    """P(positive | f) = 1 / (1 + exp(-(slope f + offset))) of a decision value f."""

    slope: float
    offset: float

    def of(self, values: np.ndarray) -> np.ndarray:
        """Return probabilities of the positive class, in the shape of the values."""
        return np.asarray(expit(self.slope * values + self.offset))


def fit_sigmoid(values: np.ndarray, positive: np.ndarray) -> Sigmoid:
    """Fit Platt's sigmoid to decision values (n,) of held-out rows.

    Platt 1999, Probabilistic outputs for support vector machines, section 2; Lin, Lin and Weng
    2007, Machine Learning 68, 267-276.
    """
    count = int(positive.sum())
    of_positive, of_negative = (count + 1) / (count + 2), 1 / (len(values) - count + 2)
    target = np.where(positive, of_positive, of_negative)
    middle, spread = values.mean(), values.std()
    if not spread > 1e-12 * np.abs(values).max():
        return Sigmoid(0.0, float(np.log(target.sum() / (1.0 - target).sum())))
    # a row is one of each kind, with the shares of its target
    from sklearn.linear_model import LogisticRegression  # half a second, which rankings spare

    model = LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-10)
    column = np.tile((values - middle) / spread, 2)[:, None]
    kinds = np.repeat([1, 0], len(values))
    with warnings.catch_warnings():
        # where rounding ends the steps of Newton's method, L-BFGS takes the last ones
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(column, kinds, sample_weight=np.concatenate([target, 1.0 - target]))
    slope = float(model.coef_[0, 0] / spread)
    return Sigmoid(slope, float(model.intercept_[0] - slope * middle))


def class_pairs(count: int) -> list[tuple[int, int]]:
    """Return the pairs (a, b), a < b, of classes."""
    return [(a, b) for a in range(count) for b in range(a + 1, count)]


def couple(pairwise: np.ndarray, count: int) -> np.ndarray:
    """Couple P(a | a or b) (n, pairs) of all pairs of classes into probabilities (n, c).

    minimize sum_(a != b) (r_ba p_a - r_ab p_b)^2 subject to sum_a p_a = 1, r_ab = P(a | a or b).

    Wu, Lin and Weng 2004, Journal of Machine Learning Research 5, 975-1005, Eq. 19 to 21.
    """
    if count == 2:
        return np.column_stack([pairwise[:, 0], 1.0 - pairwise[:, 0]])
    system = np.zeros((len(pairwise), count + 1, count + 1))
    system[:, :count, count] = system[:, count, :count] = 1.0
    clipped = np.clip(pairwise, LEAST, 1.0 - LEAST).T
    for own, (a, b) in zip(clipped, class_pairs(count), strict=True):
        other = 1.0 - own
        system[:, a, a] += other * other
        system[:, b, b] += own * own
        system[:, a, b] = system[:, b, a] = -own * other
    right = np.zeros((len(pairwise), count + 1, 1))
    right[:, count] = 1.0
    return np.asarray(np.linalg.solve(system, right)[:, :count, 0])
