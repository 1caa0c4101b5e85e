from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeAlias

import numpy as np
from joblib import Parallel, delayed
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from hetsel.compiling.compiled import compiled, inlined
from hetsel.ground import number_of_jobs, whole_number
from hetsel.models.train_test_arrays import order_levels, order_levels_by_mean
from hetsel.resampling.row_parts import in_canonical_order
from hetsel.selection import About, BaseSelector, Cost, Problem, Ranking
from hetsel.tables import Numbers, content_ranks

Tree: TypeAlias = DecisionTreeClassifier | DecisionTreeRegressor


def permutation_drops(
    tree: Tree, values: np.ndarray, y: np.ndarray, rows: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return the features (u,) that a tree uses and the loss (u,) when each is permuted.

    The loss is the drop in accuracy, or the rise of the mean squared error, on the rows (m,) out of
    the tree's bag; values are (n, p).
    """
    nodes = tree.tree_
    used = np.unique(nodes.feature[nodes.feature >= 0])
    donors = rng.permuted(np.tile(rows, (len(used), 1)), axis=1)
    arrays = (nodes.feature, nodes.threshold, nodes.children_left, nodes.children_right)
    classes = isinstance(tree, DecisionTreeClassifier)
    leaves = nodes.value[:, 0, :]
    predicted = leaves.argmax(axis=1).astype(np.float64) if classes else leaves[:, 0].copy()
    cells = (values, y.astype(np.float64), rows, used, donors)  # one type for each argument
    return used, _error_rises(*cells, *arrays, nodes.missing_go_to_left, predicted, classes)


class RandomForest(BaseSelector):
    """Rank features by the permutation importance of a random forest.

    J(f) = mean over trees of (r - r_f) / m, with m the number of rows out of the tree's bag, r how
    many of them the tree predicts correctly, and r_f how many after the values of f are permuted
    among these rows. A feature that a tree does not use adds 0. Columns of all kinds are accepted.
    Prefer the method if effects are nonlinear or features interact; correlated features share their
    importance.

    For a numeric target J(f) = mean over trees of (e_f - e) / v, with e the mean squared error of
    the tree on the rows out of its bag, e_f this error after the values of f are permuted, and v
    the variance of the target. This is R's importance without its scale, in units of v.

    Parameters
    ----------
    n_estimators : int
        Number of trees.
    max_features : {"sqrt", "log2"}, int, float or None
        Number of features that each split tries, as in scikit-learn.
    min_samples_leaf : int
        Minimum number of rows in a leaf.
    n_jobs : int, optional
        Number of processors that grow the trees; None is one, -1 all. The result is the same.

    Attributes
    ----------
    answer_ : Ranking
        Its extra `standard_error` (p,) is the standard error of each importance over the trees;
        more trees reduce it.

    Notes
    -----
    The trees see ranks. Each tree orders the levels of a nominal column by the rows in its bag. For
    two classes the order is that of the proportion of the second class, which loses nothing. For
    more classes it is that of the first principal component of the class proportions, and for a
    numeric target that of its mean. The rows out of the bag have no part in this order. Otherwise
    an uninformative column of many levels would look important. If missing="separate" leaves
    missing values in a continuous column, they go to the side of each split that fits the bag
    better. Columns of equal content share their importance.

    See Also
    --------
    RandomForestGini : Importance by the decrease in impurity, biased toward many values.
    FSPP : Permutation sensitivity of a support vector machine.

    References
    ----------
    Breiman 2001, Machine Learning 45, 5-32; Breiman et al. 1984, Theorem 4.5 (two classes);
    Coppersmith, Hong and Hosking 1999, Data Mining and Knowledge Discovery 3, 197-217 (more);
    Breiman et al. 1984, section 8.8 (numbers).

    Examples
    --------
    >>> from hetsel import RandomForest, datasets
    >>> heart = datasets.load("heart")
    >>> selector = RandomForest(size=3, n_estimators=100).fit(heart.X, heart.y)
    >>> selector.get_feature_names_out().tolist()
    ['chest pain', 'major vessels colored', 'thal']
    """

    n_estimators: int = 1000
    max_features: Any = "sqrt"
    min_samples_leaf: Any = 1
    n_jobs: int | None = None

    about = About(
        "random forest, out-of-bag permutation importance",
        paper="Breiman 2001; paul2015, section 3",
        cost=Cost("n p^0.5 log n", "7 n p"),
        draws=True,
        trial={"n_estimators": 60},
        targets=("classes", "numbers"),
        why_not={"survival": "scikit-learn grows no survival trees; use ranger"},
    )

    # features (u,) that a tree uses and their importance (u,) in it
    _importance: ClassVar[Callable[..., tuple[np.ndarray, np.ndarray]]] = staticmethod(
        permutation_drops
    )

    def _select(self, problem: Problem) -> Ranking:
        whole_number("n_estimators", self.n_estimators, 1)
        number_of_jobs("n_jobs", self.n_jobs)
        if isinstance(problem.target, Numbers):
            problem = in_canonical_order(problem, "separate", "range")
            y = problem.numbers.standardized(np.arange(problem.n))
        else:
            y = problem.classes.codes.copy()  # a compiled function needs one type, writable
        table = problem.table
        place = table.canonical_order()
        ranks = content_ranks(table.values, table.nominal)[place]
        seeds = problem.rng().integers(2**31, size=self.n_estimators).tolist()
        grown = Parallel(n_jobs=self.n_jobs, prefer="threads")(
            delayed(self._grow)(ranks, table.nominal[place], y, seed) for seed in seeds
        )
        mean, error = _mean_drops(grown, len(place))
        content = np.column_stack([table.nominal[place], ranks])
        twins = np.unique(content, axis=0, return_inverse=True)[1].ravel()
        share = np.bincount(twins)
        importance, errors = np.empty(len(place)), np.empty(len(place))
        importance[place] = (np.bincount(twins, mean) / share)[twins]
        errors[place] = (np.bincount(twins, error) / share)[twins]
        return Ranking.from_importance(importance, extras={"standard_error": errors})

    def _grow(
        self, ranks: np.ndarray, nominal: np.ndarray, y: np.ndarray, seed: int
    ) -> tuple[np.ndarray, np.ndarray] | None:
        """Grow one tree; return its features and losses, or None if its bag holds every row."""
        rng, n = np.random.default_rng(seed), len(y)
        weight = np.bincount(rng.integers(n, size=n), minlength=n)
        rows = np.flatnonzero(weight == 0)
        if not len(rows):
            return None
        values = ranks.T.astype(np.float32)
        numbers = y.dtype.kind == "f"
        if nominal.any():
            ordered = order_levels_by_mean if numbers else order_levels
            values[:, nominal] = ordered(ranks[nominal], y, weight).T
        values[:, ~nominal] = np.where(values[:, ~nominal] < 0, np.nan, values[:, ~nominal])
        grow = DecisionTreeRegressor if numbers else DecisionTreeClassifier
        tree = grow(
            max_features=self.max_features,
            min_samples_leaf=self.min_samples_leaf,
            random_state=int(rng.integers(2**31)),
        ).fit(values, y, sample_weight=weight)
        return self._importance(tree, values, y, rows, rng)


def _mean_drops(
    grown: Sequence[tuple[np.ndarray, np.ndarray] | None], p: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean (p,) of the losses over the trees and its standard error (p,)."""
    total, squares, trees = np.zeros(p), np.zeros(p), 0
    for used, drop in filter(None, grown):
        total[used] += drop
        squares[used] += drop**2
        trees += 1
    mean = total / max(trees, 1)
    spread = np.maximum(squares / max(trees, 1) - mean**2, 0.0)
    return mean, np.sqrt(spread / max(trees, 1))


@inlined
def _leaf(values, row, donor, f, feature, threshold, left, right, missing_left):
    """Return the leaf of a row whose feature f is read from a donor."""
    node = 0
    while left[node] >= 0:
        value = values[donor if feature[node] == f else row, feature[node]]
        goes_left = missing_left[node] if np.isnan(value) else value <= threshold[node]
        node = left[node] if goes_left else right[node]
    return node


@compiled
def _error_rises(
    values, y, rows, used, donors, feature, threshold, left, right, missing_left, predicted, classes
):
    """Return the rise of the mean error of `rows` when feature used[u] is read from donors[u].

    The error is squared for numbers, and 1 for a wrong class with `classes`.
    """
    before, after = 0.0, np.zeros(len(used))
    for u in range(-1, len(used)):
        for i in range(len(rows)):
            donor, f = (donors[u, i], used[u]) if u >= 0 else (rows[i], -1)
            node = _leaf(values, rows[i], donor, f, feature, threshold, left, right, missing_left)
            error = (predicted[node] - y[rows[i]]) ** 2
            if classes:
                error = min(error, 1.0)  # codes are whole numbers
            if u < 0:
                before += error
            else:
                after[u] += error
    return (after - before) / len(rows)
