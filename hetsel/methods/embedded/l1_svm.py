import warnings
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

from hetsel.kernels.scaled_kernels import Expansion
from hetsel.search.rankings.path_entries import PathSelector
from hetsel.selection import About, Cost, Problem, Ranking, order_best_first
from hetsel.solvers.svm.two_class_svm import two_class_problems
from hetsel.tables import canonical_form

INTERCEPT = 100.0  # the intercept is penalized as |b| / 100, since liblinear has no unpenalized one
STRICTER = 0.01  # tolerance of liblinear as a proportion of ours
MOST_SWEEPS = 10_000
SEEDS = 5  # liblinear may end in a corner: then try another order of the columns
NOTHING = 1e-12  # a first lambda up to this is only rounding


class L1SVM(PathSelector):
    """Rank features by where they enter the path of an L1-penalized SVM.

    minimize (1/n) sum_i max(0, 1 - y_i (b + <w, z_i>))^2 + lambda ||w||_1

    as lambda decreases, by liblinear. z_i are standardized columns: one for a number, and one per
    level for a nominal feature of three levels or more (:mod:`hetsel.kernels.scaled_kernels`); a
    nominal feature of two levels is the number 0 or 1. More than two classes have one machine
    against the rest per class. A feature enters when any of its weights does, in any machine.
    Columns of all kinds are accepted; the target must be classes. Prefer `l1-logistic` if the
    levels of a factor should enter together.

    The pull of a feature is the largest |derivative of the loss| of its weights.

    Parameters
    ----------
    normalize : {"trace", "norm", "none"}
        Scaling that makes kinds of features comparable, see :mod:`hetsel.kernels.scaled_kernels`.

    Notes
    -----
    liblinear penalizes the intercept, too: here by lambda |b| / 100, so that its optimality
    condition is violated by a hundredth of lambda. It visits the columns in a random order with a
    fixed seed. If the tolerance is not met, it runs again with another seed.

    See Also
    --------
    L1Logistic : The path of logistic regression, each factor as one group.
    RFELinear : Recursive elimination with a linear machine.

    References
    ----------
    Bradley and Mangasarian 1998, International Conference on Machine Learning, 82-90; Fan, Chang,
    Hsieh, Wang and Lin 2008, Journal of Machine Learning Research 9, 1871-1874 (liblinear).

    Examples
    --------
    >>> from hetsel import L1SVM, datasets
    >>> heart = datasets.load("heart")
    >>> L1SVM(size=3).fit(heart.X, heart.y).get_feature_names_out().tolist()
    ['exerc ind ang', 'ST by exercise', 'major vessels colored']
    """

    steps: int = 50
    normalize: str = "trace"

    about = About(
        "L1-penalized support vector machine, order of entry",
        paper="Bradley and Mangasarian 1998",
        cost=Cost("n d", "8 n d"),
        why_not=dict.fromkeys(
            ("numbers", "survival"),
            "its hinge loss is for classes; use group-lasso, with the same penalty",
        ),
        trial={"steps": 20, "shortest": 0.1},
    )

    def _select(self, problem: Problem) -> Ranking:
        self._check()
        form = canonical_form(problem.table, problem.classes.codes)
        nominal = form.nominal & (form.cells > 1).any(axis=1)
        first, copies = _distinct(form.cells, nominal)
        features = Expansion.of(form.cells[first], nominal[first], self.normalize)
        labels = two_class_problems(form.codes)
        importance, entry = self._entries(_path(features, labels, self), len(first))
        order = form.columns[order_best_first(importance[copies])]
        back = np.empty(problem.p, dtype=np.intp)
        back[form.columns] = copies
        return Ranking(order, importance[back], extras={"entry": entry[back]})


class L1PathPoint(NamedTuple):
    """A step of the path: its lambda, entered features (p,), their pulls (p,), and convergence."""

    penalty: float
    inside: np.ndarray
    pulls: np.ndarray
    converged: bool


def _path(features: Expansion, labels: np.ndarray, method: L1SVM) -> Iterator[L1PathPoint]:
    """Yield the machines as lambda falls from the value at which no feature has entered.

    At that value b is the mean of y, the columns have mean 0, and a pull is |2/n sum_i y_i z_i|.
    """
    z = features.columns
    n = len(z)
    pulls = np.abs(2.0 / n * labels @ z)
    largest = float(pulls.max(initial=0.0))
    if largest <= NOTHING:
        return
    yield L1PathPoint(largest, np.zeros(features.p, dtype=bool), _most(features, pulls), True)
    for step in range(1, method.steps + 1):
        penalty = largest * method.shortest ** (step / method.steps)
        weights, slopes = np.zeros((2, len(labels), z.shape[1]))
        missed = 0.0
        for k, y in enumerate(labels):
            allowed = method.tolerance * largest
            weights[k], slopes[k], miss = _machine(z, y, penalty, allowed, method.tolerance)
            missed = max(missed, miss / largest)
        inside, pulls = _most(features, weights != 0.0) > 0, _most(features, np.abs(slopes))
        yield L1PathPoint(penalty, inside, pulls, missed <= method.tolerance)


def _machine(
    z: np.ndarray, y: np.ndarray, penalty: float, allowed: float, tolerance: float
) -> tuple[np.ndarray, np.ndarray, float]:
    """Return weights w (d,) of a machine, -d loss / d w (d,), and the largest violation.

    It is the first of some orders of the columns that violates an optimality condition by no more
    than `allowed`, otherwise the best one.
    """
    missed = np.inf
    for seed in range(SEEDS):
        machine = LinearSVC(
            penalty="l1",
            dual=False,
            C=1.0 / (len(y) * penalty),
            intercept_scaling=INTERCEPT,
            tol=STRICTER * tolerance,
            max_iter=MOST_SWEEPS,
            random_state=seed,
        )
        with warnings.catch_warnings():
            # liblinear may go on over rounding errors; the optimality conditions decide
            warnings.simplefilter("ignore", ConvergenceWarning)
            machine.fit(z, y)
        w = machine.coef_[0]
        losses = np.maximum(0.0, 1.0 - y * (z @ w + machine.intercept_[0]))
        derivatives = 2.0 / len(y) * (y * losses) @ z
        beyond = np.abs(derivatives - penalty * np.sign(w)) - np.where(w == 0.0, penalty, 0.0)
        if beyond.max() < missed:
            weights, slopes, missed = w, derivatives, max(float(beyond.max()), 0.0)
        if missed <= allowed:
            break
    return weights, slopes, missed


def _most(features: Expansion, values: np.ndarray) -> np.ndarray:
    """Return the largest value (k, d) over the columns of each feature (p,), 0 without columns."""
    largest = np.zeros(features.p)
    np.maximum.at(largest, features.feature, values.max(axis=0, initial=0.0))
    return largest


def _distinct(cells: np.ndarray, nominal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the first column (p, n) of each content, and the index (p,) of it for each column."""
    place_of: dict[tuple[str, bytes], int] = {}
    first: list[int] = []
    copies = np.empty(len(cells), dtype=np.intp)
    for f, column in enumerate(cells):
        away = column != column[0]
        two = not np.isnan(column).any() and len(np.unique(column[away])) <= 1
        kind = "two" if two else "nominal" if nominal[f] else "number"
        key = kind, (away if two else column).tobytes()
        if key not in place_of:
            place_of[key] = len(first)
            first.append(f)
        copies[f] = place_of[key]
    return np.array(first), copies
