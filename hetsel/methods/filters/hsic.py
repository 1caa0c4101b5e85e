import numpy as np

from hetsel.compiling.arithmetic import exponential, exponentiate
from hetsel.compiling.compiled import compiled
from hetsel.ground import TableError, column_blocks
from hetsel.ground.equal_numbers import equalized, unit_scale
from hetsel.kernels import feature_kernels, normalization, target_kernels, training_ranges
from hetsel.selection import About, BaseSelector, Cost, Problem, Ranking, order_best_first
from hetsel.tables import Table

KERNELS = ("clinical", "gaussian")
COST = Cost("n p c + n p log n", "0.2 n p + 32 n + 2 n c")


class HSIC(BaseSelector):
    """Rank features by the Hilbert-Schmidt independence criterion.

    J(f) = tr(K_f H L H) / (n - 1)^2,   H = I - 11'/n,

    with K_f the kernel of the feature and L the kernel of the target. K_f is I(a = b) for a nominal
    column. For continuous and ordinal columns it is the clinical kernel 1 - |a - b| / range_f or
    the Gaussian kernel exp(-(a - b)^2 / (2 s_f^2)), whose width is the standard deviation s_f.
    Columns of all kinds and all targets are accepted. Prefer HSIC as a fast filter for mixed tables
    that detects any dependence of one feature on the target; `bahsic`, `fohsic` and `hsic-lasso`
    consider features jointly.

    L depends on the target. For classes it is I(y_i = y_j) n / (c n_y), which weighs the c classes
    alike. For a numeric target it is exp(-(y_i - y_j)^2 / (2 s^2)) with s the standard deviation of
    the target. For survival times H L H is the matrix of the kernel log-rank test, see
    :mod:`hetsel.kernels.target_kernels`, and J(f) is its statistic times n^2 / (n - 1)^2.

    A constant column has J = 0. With missing="separate" two missing values are equal, and a missing
    value has k = 0 with all others.

    Parameters
    ----------
    kernel : {"clinical", "gaussian"}
        Kernel of continuous and ordinal columns.
    normalize : {"none", "norm", "trace", "p-value"}
        Correction for columns of many levels, which have larger traces by chance. With A_f = H K_f
        H, "norm" divides the trace by ||A_f|| and "trace" by tr A_f, times n / 2. "p-value" makes
        J(f) -log10 of the p-value under permuted rows. Columns of equal p-values, such as 1, are
        then ordered by the distance of their trace from its mean over the permutations, in standard
        deviations. See :func:`hetsel.kernels.normalization.permutation_importance`.

    Attributes
    ----------
    answer_ : Ranking
        Its extra `standardized` (p,) under normalize="p-value" is this distance.

    Notes
    -----
    H L H has rank at most c - 1, so the trace is a sum of c energies of K_f. It takes O(n c) after
    one sort, and O(n^2) for the Gaussian kernel; c is a few tens for a numeric target and survival
    times. No n x n matrix is held, unless a Gaussian kernel or a column with missing values is
    normalized, which takes O(n^3).

    See Also
    --------
    BAHSIC : Backward elimination with HSIC of the subset.
    FOHSIC : Forward selection with HSIC of the subset.
    HSICLasso : Relevance and redundancy in one regression.

    References
    ----------
    Gretton, Bousquet, Smola and Schoelkopf 2005, ALT, 63-77; Song, Smola, Gretton, Bedo and
    Borgwardt 2012, Journal of Machine Learning Research 13, 1393-1434; Fernandez, Gretton, Rindt
    and Sejdinovic 2023, Journal of the American Statistical Association 118, 925-936 (survival).

    Examples
    --------
    >>> from hetsel import HSIC, datasets
    >>> heart = datasets.load("heart")
    >>> selector = HSIC().fit(heart.X, heart.y)
    >>> selector.frame()[["feature", "importance"]].head(3).round(3)
             feature  importance
    0           thal       0.062
    1     chest pain       0.048
    2  exerc ind ang       0.041
    """

    kernel: str = "clinical"
    normalize: str = "none"

    about = About(
        "HSIC of each feature with the target, clinical kernel",
        paper="Gretton et al. 2005; Song et al. 2012",
        cost=COST,
        targets=("classes", "numbers", "survival"),
    )

    def _cost(self, problem: Problem) -> Cost:
        """Return the cost, with the matrix of a column for a normalized Gaussian kernel."""
        if self.kernel == "gaussian" and self.normalize != "none":
            return Cost("n^3 p", "3 n^2")
        return COST

    def _select(self, problem: Problem) -> Ranking:
        if self.kernel not in KERNELS:
            raise TableError(f"kernel must be one of {', '.join(KERNELS)}. Got {self.kernel!r}")
        normalization.check_normalization(self.normalize)
        table, size = problem.table, (problem.n - 1) ** 2
        directions = target_kernels.target_directions(problem.target)
        if self.normalize == "none":
            parts = (table.take(columns=block) for block in column_blocks(*table.shape))
            traces = np.concatenate([self._traces(part, directions)[0] for part in parts])
            return Ranking.from_importance(equalized(traces / size))
        traces, kernels, columns = self._traces(table, directions)
        sums = normalization.centered_sums(kernels)
        for f, column in columns.items():
            for part, value in zip(
                sums[1:], normalization.matrix_sums(gaussian_gram(column)), strict=True
            ):
                part[f] = value
        if self.normalize == "p-value":
            result = normalization.permutation_importance(traces, directions, sums)
            importance, standardized = map(equalized, result)
            order = order_best_first(importance, standardized)
            return Ranking(order, importance, extras={"standardized": standardized})
        traces *= normalization.scale_factors(self.normalize, sums)
        return Ranking.from_importance(equalized(traces / size))

    def _traces(
        self, table: Table, directions: np.ndarray
    ) -> tuple[np.ndarray, feature_kernels.FeatureKernels, dict[int, np.ndarray]]:
        """Return tr(K_f H L H) (p,), the kernels, and the values (n,) of Gaussian ones by place."""
        kernels = feature_kernels.FeatureKernels(
            training_ranges.Scaling.fit(table).apply(table), table.nominal
        )
        traces = kernels.energies(directions)
        numbers = np.flatnonzero(~table.nominal & (self.kernel == "gaussian"))
        cells = unit_scale(table.values[:, numbers]).T if len(numbers) else ()
        columns = {f: unit_spread(own) for f, own in zip(numbers.tolist(), cells, strict=True)}
        for f, column in columns.items():
            traces[f] = gaussian_energy(column, directions)
        return traces, kernels, columns


def unit_spread(column: np.ndarray) -> np.ndarray:
    """Return values (n,) divided by their standard deviation, if it is not 0; NaN is missing."""
    present = column[~np.isnan(column)]
    spread = present.std() if len(present) else 0.0
    return column / (spread if spread > 0 else 1.0)


def gaussian_gram(cells: np.ndarray) -> np.ndarray:
    """Return the Gaussian kernel (n, n) of values of unit spread.

    It is 1 between missing values, and 0 between a missing and a present one.
    """
    gram = -0.5 * (cells[:, None] - cells) ** 2
    unknown = np.isnan(gram)
    exponentiate(gram)
    gram[unknown] = 0.0
    gaps = np.isnan(cells)
    gram[np.ix_(gaps, gaps)] = 1.0
    return np.asarray(gram)


def gaussian_energy(column: np.ndarray, directions: np.ndarray) -> float:
    """Return the sum over the directions (c, n) of d' K d, K the Gaussian kernel of the values."""
    present = np.flatnonzero(~np.isnan(column))
    missing = directions[:, np.isnan(column)].sum(axis=1)
    cells = column[present]
    weights = np.ascontiguousarray(directions[:, present].T)
    return float(sum_gaussian(cells, weights) + (missing * missing).sum())


@compiled
def sum_gaussian(cells, weights):
    """Return sum_ij exp(-(x_i - x_j)^2 / 2) w_i' w_j, of values (n,) and weights (n, c)."""
    total = 0.0
    for i in range(len(cells)):
        for c in range(weights.shape[1]):
            total += weights[i, c] * weights[i, c]
        for j in range(i):
            product = 0.0
            for c in range(weights.shape[1]):
                product += weights[i, c] * weights[j, c]
            away = cells[i] - cells[j]
            total += 2.0 * exponential(-0.5 * away * away) * product
    return total
