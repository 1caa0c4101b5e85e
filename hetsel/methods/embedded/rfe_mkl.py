from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from hetsel.ground.equal_numbers import NORM_WIDTH, merged, tied
from hetsel.kernels.feature_kernels import FeatureKernels
from hetsel.search.rankings import clinical_elimination
from hetsel.search.rankings.additive_elimination import AdditiveElimination, AdditiveImportances
from hetsel.search.rankings.proved_cuts import Evaluation, Importances
from hetsel.selection import About, Cost
from hetsel.solvers.additive.additive_certificate import AdditiveCertificate
from hetsel.solvers.mkl import kernel_weights, mkl_solution
from hetsel.solvers.mkl.mkl_certificate import Certificate, certify, certify_roughly, refine

MOST_EFFORT = 2
SPARSE_TOLERANCE = 1e-6  # relative gap for q = 1, where machines and weights alternate


class RFEMKL(clinical_elimination.ClinicalElimination):
    """Rank features by recursive elimination with multiple kernel learning.

    J(f) = mu_f,   the weight of the feature's clinical kernel in k = sum_f mu_f k_f, ||mu||_q = 1,

    taken at mu_f ~ s_f^(1/(q-1)), its value at the optimum. For more than two classes there is one
    machine against the rest per class, with one shared mu. Columns of all kinds and all targets are
    accepted. It is hetsel's default method. Prefer it to `rfe-svm` if few features should get most
    of the weight: a q near 1 gives sparse weights.

    Parameters
    ----------
    q : float
        Norm of the kernel weights, at least 1.
    prove : bool
        Whether open cuts are refined until :data:`hetsel.solvers.mkl.mkl_newton.MOST_IN_ALL` pairs
        of rows have moved, which can take a thousand times as long as the ranking itself. Without
        it the work is limited to a few times what successful refinements take. If columns predict
        the classes perfectly, both may leave cuts open.

    Notes
    -----
    Each model is solved until only rounding is left, and for 1 < q < infinity the order is proved.
    :mod:`hetsel.solvers.mkl.mkl_certificate` bounds the distance of the root t_f of s_f from its
    value at the optimum by the duality gap. It does so first in double precision and, where a cut
    stays open, in twice this precision (for q = 2; other powers are computed in double precision).
    Features whose t_f differ by less than 1e-10 of sqrt(sum t_f^2) tie. Of tied features the one
    with the larger mean distance between two rows comes first, then the content decides, and copies
    are ordered by their position. `answer_.steps` and `answer_.cuts` state which cuts are proved
    and which are ties.

    Nothing is proved in three cases. For q = 1 equal kernels can share their weight in any way. For
    infinite q all weights are equal. Under normalize="p-value" no bound is available. On
    resamplings that only evaluate a signature, models are solved to a relative gap of 1e-6.

    See Also
    --------
    RFESVM : Equal kernel weights.
    GMKL : A product of kernels.
    EnsembleRFEMKL : The same method on resamplings of the rows.

    References
    ----------
    Paul, D'Ambrosio and Dupont 2015, sections 2.1 and 2.4, Eq. 6 to 8.

    Examples
    --------
    >>> from hetsel import RFEMKL, datasets
    >>> heart = datasets.load("heart")
    >>> selector = RFEMKL().fit(heart.X, heart.y)
    >>> selector.frame()[["feature", "importance", "verdict", "step"]].head(3).round(2)
                     feature  importance verdict  step
    0                   thal        1.00  proved     9
    1             chest pain        0.59  proved     8
    2  major vessels colored        0.43  proved     7
    """

    q: float = 2.0
    prove: bool = False

    squares = 2.0

    about = About(
        "recursive elimination with multiple kernel learning, clinical kernel",
        paper="paul2015, Eq. 6-8",
        cost=Cost("n p", "0.3 n p + 40 n"),
        costs={"survival": Cost("n p + n log n", "5 n p + 40 n")},
        targets=("classes", "numbers", "survival"),
    )

    def _importances(self, asked: clinical_elimination.ClinicalProblem) -> Importances:
        kernels, form, pull = asked.normal.kernels, asked.form, asked.pull
        models: FollowedModels | clinical_elimination.RankingMachines
        if asked.pairs is None:
            given = (kernels, asked.labels, asked.bounds, self.q, asked.tube, asked.tolerance)
            models = FollowedModels(*given, prove=self.prove)
        else:
            models = clinical_elimination.RankingMachines(
                kernels, asked.pairs, self.q, asked.tolerance
            )

        def evaluated(left: np.ndarray, effort: int = 0) -> Evaluation:
            solution = models.fit(left) if effort == 0 else models.last
            if (
                isinstance(solution, mkl_solution.MKLSolution)
                and effort == 0
                and len(left) == kernels.p
            ):
                decisions = kernels.decisions(solution.weights, solution.beta, solution.bias)
                asked.warn_of_missed_classes(decisions)
            if self.normalize == "p-value":
                keys = clinical_elimination.p_value_keys(
                    asked, models, left, solution.energy, solution.beta
                )
                return Evaluation(keys, solution.objective, solution.gap)
            margin = None
            if len(left) == kernels.p:
                margin = tied(kernels.margins(solution.beta, pull))  # weights are proportions
            if not 1.0 < self.q < np.inf:
                keys = (tied(solution.weights),)
                return Evaluation(keys, solution.objective, solution.gap, compared=margin)
            if not asked.proved:
                rounding = clinical_elimination.norm_rounding(solution.beta) * np.sqrt(
                    kernels.largest
                )
                _, shared = tied_norms(solution.energy, rounding)
                key = kernel_shares(shared, solution.energy, self.q)
                keys = (key, asked.spread[left])
                return Evaluation(keys, solution.objective, solution.gap, compared=margin)
            known = models.certify(effort)
            moved = kernels.subset(left).moved(solution.beta, form.off)
            rounding = clinical_elimination.norm_rounding(solution.beta) * np.sqrt(kernels.largest)
            key, radius = importances(known, rounding, self.q, moved)
            gap = known.gap / max(abs(solution.objective), 1e-300)
            last = effort == MOST_EFFORT or asked.pairs is not None
            more = None if last else lambda: evaluated(left, effort + 1)
            keys = (key, asked.spread[left])
            return Evaluation(keys, solution.objective, gap, radius, more, margin)

        return evaluated

    def _additive(
        self, asked: AdditiveElimination, warn: Callable[[np.ndarray], None]
    ) -> Importances:
        def keys(
            known: AdditiveCertificate, moved: np.ndarray
        ) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
            key, radius = importances(known, known.rounding, self.q, moved)
            return (key,), radius

        return AdditiveImportances(asked._replace(q=self.q), keys, warn)


def importances(
    known: Certificate | AdditiveCertificate, rounding: Any, q: float, moved: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return mu_f (p,) = (t_f / T)^(2/(q-1)), with exact ties, and a bound on its error.

    T is that of the found model. `rounding` bounds the distance of t_f from its exact value.
    """
    norm, shared = tied_norms(known.energy, rounding)
    grid = norm - np.sqrt(np.maximum(known.energy - moved, 0.0))
    off = known.radius + rounding + grid + shared - norm
    ends = (shared, shared + off, np.maximum(shared - off, 0.0))
    key, above, below = (kernel_shares(part, known.energy, q) for part in ends)
    return key, np.maximum(above - key, key - below)


def tied_norms(energy: np.ndarray, rounding: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the roots t_f of s_f (p,), and the same with one value for those that tie."""
    norm = np.sqrt(energy)
    width = max(NORM_WIDTH * np.sqrt(energy.sum()), 10.0 * float(np.max(rounding)))
    return norm, merged(norm, width)


def kernel_shares(norm: np.ndarray, energy: np.ndarray, q: float) -> np.ndarray:
    """Return (t_f / T)^(2/(q-1)) (p,) for roots t_f, with T of these s_f."""
    whole = np.sqrt(kernel_weights.energy_norm(energy, q / (q - 1.0))) if energy.any() else 1.0
    return np.asarray((norm / whole) ** (2.0 / (q - 1.0)))


class FollowedModels:
    """Models on fewer and fewer features, each started from the one before."""

    def __init__(
        self,
        kernels: FeatureKernels,
        labels: np.ndarray,
        bounds: np.ndarray,
        q: float,
        tube: float = 0.0,
        tolerance: float = 0.0,
        *,
        prove: bool = False,
    ) -> None:
        self._kernels, self._labels, self._bounds, self._q = kernels, labels, bounds, q
        self._tube, self._prove = tube, prove
        self._tolerance = tolerance if 1.0 < q < np.inf else SPARSE_TOLERANCE
        self._features = np.arange(kernels.p)
        self._rests = np.zeros(labels.shape)
        self._known: Certificate | None = None
        self.solution: mkl_solution.MKLSolution | None = None

    def fit(self, features: np.ndarray) -> mkl_solution.MKLSolution:
        """Train the model on these features, to the tolerance."""
        self.solution = self._solved(features)
        self._features, self._rests[:] = features, 0.0
        return self.solution

    def without(self, place: int) -> np.ndarray:
        """Return beta (machines, n) of the model on the last features except one."""
        return self._solved(np.delete(self._features, place)).beta

    def _solved(self, features: np.ndarray) -> mkl_solution.MKLSolution:
        """Train the model on some of the last features, started from the last model."""
        start = self.solution
        if start is not None:
            # one more update is free: it needs only the energies
            weights = kernel_weights.update_weights(start.weights, start.energy, self._q)
            start = replace(start, weights=weights[np.searchsorted(self._features, features)])
        return mkl_solution.solve_mkl(
            self._kernels.subset(features),
            self._labels,
            self._bounds,
            q=self._q,
            start=start,
            tolerance=self._tolerance,
            tube=self._tube,
        )

    @property
    def last(self) -> mkl_solution.MKLSolution:
        """The last model."""
        assert self.solution is not None
        return self.solution

    def certify(self, effort: int) -> Certificate:
        """Bound the distance of the last model from its optimum.

        Effort 0 uses double precision, 1 twice this precision, and 2 refines the model itself to
        it.
        """
        if effort == 0:
            kernels, labels, bounds, beta, _, q = self._state
            return certify_roughly(kernels, labels, bounds, beta, q, self._tube)
        if effort == 2 and self._known is not None:
            refine(*self._state, self._known, self._tube, prove=self._prove)
        self._known = certify(*self._state, self._tube)
        return self._known

    @property
    def _state(
        self,
    ) -> tuple[FeatureKernels, np.ndarray, np.ndarray, np.ndarray, np.ndarray, float]:
        assert self.solution is not None
        kernels = self._kernels.subset(self._features)
        return kernels, self._labels, self._bounds, self.solution.beta, self._rests, self._q
