from typing import Any

import numpy as np

from hetsel.compiling.arithmetic import matrix_vector_product, product
from hetsel.compiling.compiled import compiled
from hetsel.ground import whole_number
from hetsel.ground.equal_numbers import tied
from hetsel.kernels.scaled_kernels import Expansion, ScaledKernel, gaussian_width
from hetsel.resampling.folds import draw_folds
from hetsel.search.criteria.kernel_criteria import negative_exponentials
from hetsel.search.rankings.proved_cuts import Evaluation
from hetsel.search.rankings.recursive_elimination import varying_elimination
from hetsel.selection import About, BaseSelector, Cost, Problem, Ranking
from hetsel.solvers.svm import two_class_svm
from hetsel.solvers.svm.two_class_svm import Sigmoid, SVMSolution
from hetsel.tables import Classes, canonical_form
from hetsel.tables.canonical_table import CanonicalForm

GAUSSIAN = ScaledKernel("gaussian")


class FSPP(BaseSelector):
    """Rank features by the sensitivity of the posteriors of a Gaussian SVM.

    J(f) = (1/(c n)) sum_i sum_classes |P(class | x_i) - P(class | x_i with f of another row)|,

    with the other row taken from a random permutation of the rows. J is the mean over several
    permutations, which all features share, so that copies have the same J. The posteriors are
    Platt's sigmoid of the decision values, fitted to the decision values of held-out rows. More
    than two classes have one machine per pair of classes, whose posteriors are coupled. The
    features with the smallest J are dropped and machines are trained on the others, or all features
    are ranked in one pass. Columns of all kinds are accepted; the target must be classes. Prefer
    FSPP if predicted probabilities matter more than decisions.

    The kernel is exp(-gamma sum_g |z_g - z_g'|^2) with the columns z_g of feature g: a number in
    standard deviations, or the indicators of the levels, with the same total variance for all
    features, see :mod:`hetsel.kernels.scaled_kernels`.

    Parameters
    ----------
    C : float or "radius"
        Bound on the dual variables. "radius" is 1 / (mean distance of a row from the origin in
        feature space)^2, the default of SVMlight.
    gamma : float or "scale"
        "scale" is 1 / (remaining features) at each step; a number applies to all steps.
    step : float, int or None
        Proportion of the remaining features that each step drops, or their number; None ranks all
        features in one pass.
    permutations : int
        Number of permutations over which J is averaged.
    folds : int
        Number of folds for the held-out decision values, at most the number of rows in the rarest
        class.
    class_weight : "balanced", mapping of class to weight, or None
        "balanced" multiplies C by n / (2 n_class) within each pair, a mapping by the weight of the
        class.
    normalize : {"trace", "norm", "none"}
        Scaling that makes kinds of features comparable, see :mod:`hetsel.kernels.scaled_kernels`.

    Notes
    -----
    The table is ranked in its :func:`canonical form
    <hetsel.tables.canonical_table.canonical_form>`: the order of rows and columns has no effect.

    See Also
    --------
    RFEGaussian : Recursive elimination with the same kernel by the change of the margin.
    RandomForest : Permutation importance of a random forest.

    References
    ----------
    Shen, Ong, Li and Wilder-Smith 2008, Machine Learning 70, 1-20, FSPP2 (two classes); the same,
    IEEE Conference on Systems, Man and Cybernetics 2008, 1116-1121 (more); Wu, Lin and Weng 2004.

    Examples
    --------
    >>> from hetsel import FSPP, datasets
    >>> heart = datasets.load("heart")
    >>> selector = FSPP(size=3, permutations=1).fit(heart.X, heart.y)
    >>> selector.get_feature_names_out().tolist()
    ['chest pain', 'major vessels colored', 'thal']
    """

    C: Any = 1.0
    gamma: Any = "scale"
    step: float | None = 0.2
    permutations: int = 5
    folds: int = 5
    class_weight: Any = None
    normalize: str = "trace"

    about = About(
        "sensitivity of the posteriors of a support vector machine, Gaussian kernel",
        paper="Shen et al. 2008, FSPP2 and its form for more classes",
        cost=Cost("n^2 p", "4 n^2 + 4 n p"),
        draws=True,
        trial={"permutations": 1},
    )

    def _select(self, problem: Problem) -> Ranking:
        whole_number("permutations", self.permutations, 1)
        form = canonical_form(problem.table, problem.classes.codes)
        features = Expansion.of(form.cells, form.nominal, self.normalize)
        folds = draw_folds(_in_canonical_order(problem, form), self.folds)[0]
        rng = problem.rng(1)
        donors = [rng.permutation(problem.n) for _ in range(self.permutations)]

        def importances(left: np.ndarray) -> Evaluation:
            part = features.subset(left)
            machines = PairedMachines(part, form.codes, folds, problem.classes.labels, self)
            return Evaluation((tied(machines.sensitivities(donors)),), gap=machines.gap)

        if self.step is not None:
            return varying_elimination(
                importances, form.columns, features.varies, self.step, (), problem.always
            )
        varying = np.flatnonzero(features.varies)
        among = Ranking.from_importance(importances(varying)[0][0])
        return among.within(form.columns[varying], problem.p)


def _in_canonical_order(problem: Problem, form: CanonicalForm) -> Problem:
    """Return the problem with the rows of the form; row groups are numbered by appearance."""
    groups = problem.row_groups
    if groups is not None:
        _, first, groups = np.unique(groups[form.rows], return_index=True, return_inverse=True)
        groups = np.argsort(np.argsort(first))[groups]
    target = Classes(form.codes, problem.classes.labels)
    table = problem.table.take(rows=form.rows)
    return Problem(table, target, problem.sizes, problem.seed, row_groups=groups)


class PairedMachines:
    """Support vector machines of all pairs of classes, with their sigmoids.

    Takes the p remaining features, codes (n,) and folds (n,) of the rows, and the parameters of
    `method`.
    """

    def __init__(
        self,
        features: Expansion,
        codes: np.ndarray,
        folds: np.ndarray,
        labels: np.ndarray,
        method: FSPP,
    ) -> None:
        self._features, self._count, self._codes = features, len(labels), codes
        self._u = np.full(features.p, gaussian_width(method.gamma, features.p))
        self._C = two_class_svm.numeric_bound(method.C, GAUSSIAN.from_origin(features, self._u))
        self._balanced = method.class_weight == "balanced"
        weight = None if self._balanced else method.class_weight
        self._bounds = two_class_svm.problem_bounds(codes, self._C, weight, labels)[0]
        gram = GAUSSIAN.gram(features, self._u)
        pairs = two_class_svm.class_pairs(self._count)
        self._beta, self._bias = np.zeros((len(pairs), len(codes))), np.zeros(len(pairs))
        self._sigmoids: list[Sigmoid] = []
        self.gap = 0.0
        for k, (a, b) in enumerate(pairs):
            rows = np.flatnonzero((codes == a) | (codes == b))
            fit = self._fit(gram, rows, a)
            self._beta[k, rows], self._bias[k] = fit.beta, fit.bias
            self.gap = max(self.gap, fit.gap)
            values = np.empty(len(codes))
            for fold in np.unique(folds[rows]):
                out, kept = rows[folds[rows] == fold], rows[folds[rows] != fold]
                fit = self._fit(gram, kept, a)
                values[out] = matrix_vector_product(gram[np.ix_(out, kept)], fit.beta) + fit.bias
            self._sigmoids.append(two_class_svm.fit_sigmoid(values[rows], codes[rows] == a))

    def _fit(self, gram: np.ndarray, rows: np.ndarray, positive: int) -> SVMSolution:
        """Train the machine of one class against another, on their rows."""
        own = self._codes[rows] == positive
        bounds = self._bounds[rows]
        if self._balanced:
            bounds = two_class_svm.problem_bounds(own.astype(np.intp), self._C, "balanced")[0]
        y = np.where(own, 1.0, -1.0)
        return two_class_svm.solve_svm(gram[np.ix_(rows, rows)], y, bounds)

    def sensitivities(self, donors: list[np.ndarray]) -> np.ndarray:
        """Return J (p,), the mean over donors (n,): the row from which each row reads a feature."""
        rows = np.flatnonzero((self._beta != 0).any(axis=0))
        beta = np.ascontiguousarray(self._beta[:, rows].T)
        scaled = self._features.scaled(self._u)
        exponents = GAUSSIAN.between(scaled, scaled[rows])
        kernel = np.empty_like(exponents)
        first = np.searchsorted(self._features.feature, np.arange(self._features.p + 1))
        nobody = np.arange(len(scaled))
        before = self._posteriors(fill_kernel(exponents, scaled[:, :0], nobody, rows, kernel), beta)
        out = np.zeros(self._features.p)
        for f in range(len(out)):
            own = np.ascontiguousarray(scaled[:, first[f] : first[f + 1]])
            for donor in donors:
                after = self._posteriors(fill_kernel(exponents, own, donor, rows, kernel), beta)
                out[f] += np.abs(after - before).mean()
        return out / len(donors)

    def _posteriors(self, kernel: np.ndarray, beta: np.ndarray) -> np.ndarray:
        """Return posteriors (n, c) from the kernel (n, m) of the rows and the support vectors."""
        values = product(kernel, beta.T) + self._bias
        pairwise = [s.of(column) for s, column in zip(self._sigmoids, values.T, strict=True)]
        return two_class_svm.couple(np.column_stack(pairwise), self._count)


@compiled
def fill_kernel(exponents, columns, donors, vectors, kernel):
    """Write the kernel with some columns read from donors into `kernel` (n, m); return it.

    The kernel is exp(-(t_ij - |z_i - z_j|^2 / 2 + |z_donor(i) - z_j|^2 / 2)), where t is
    `exponents` (n, m), between the rows and those of `vectors` (m,), and z are the columns (n, k).
    """
    for i in range(len(exponents)):
        row = kernel[i]
        row[:] = exponents[i]
        donor = donors[i]
        for c in range(columns.shape[1]):
            before, after = columns[i, c], columns[donor, c]
            if before != after:
                # difference of the squares
                middle, away = 0.5 * (before + after), after - before
                for j in range(len(vectors)):
                    row[j] += away * (middle - columns[vectors[j], c])
        negative_exponentials(row, 1.0)
    return kernel
