from collections.abc import Callable

import numpy as np

from hetsel.ground.equal_numbers import NORM_WIDTH, merged, tied
from hetsel.kernels.energies_and_grams import mirror
from hetsel.search.rankings import clinical_elimination
from hetsel.search.rankings.additive_elimination import AdditiveElimination, AdditiveImportances
from hetsel.search.rankings.proved_cuts import Evaluation, Importances
from hetsel.selection import About, Cost
from hetsel.solvers.additive.additive_certificate import AdditiveCertificate
from hetsel.solvers.svm.block_ascent import SOLVED, SOME, ends_of, solve_kernel_box
from hetsel.solvers.svm.machines import MachineProblem, Machines, refine_machines, solve_machines


class RFESVM(clinical_elimination.ClinicalElimination):
    """Rank features by recursive elimination with a clinical-kernel SVM.

    J(f) = s_f = beta' K_f beta

    is the contribution of the feature to W^2 = (1/k) sum_f s_f. The machine of each step is trained
    on the mean (1/k) sum_f K_f of the kernels of the k remaining features: the kernel is
    renormalized after each step. For more than two classes there is one machine against the rest
    per class, and s_f is summed over the classes. Columns of all kinds and all targets are
    accepted. Prefer it to `rfe-mkl`, hetsel's default, if the model should give all kernels the
    same weight, as :class:`hetsel.ClinicalSVC` does.

    Without the term of feature f, and with the factor 1/k kept, W^2 falls by s_f / k. Eq. 4 and 5
    of the paper divide the rest, W^2_(-f), by k - 1, which makes an uninformative feature
    important. `rfe-svm-printed` follows these equations, on the same machines.

    Notes
    -----
    Each machine is solved to the end, and the order is proved. With w_f = sum_i beta_i phi_f(x_i),
    s_f = ||w_f||^2, and G the duality gap of the machine on sum_f K_f,

    sum_f ||w_f - w_f*||^2 <= G,

    see :mod:`hetsel.solvers.svm.certificate`. The root of s_f is therefore within sqrt(G) of its
    value at the optimum: within about 1e-7 of ||w||, and within 1e-11 where a cut needs a
    refinement. Features whose roots differ by less than 1e-10 of ||w|| tie. Of tied features the
    one with the larger mean distance between two rows comes first, since this distance hardly
    changes between parts of a table. Then the content decides, and copies are ordered by their
    position. `answer_.steps` and `answer_.cuts` state which cuts are proved and which are ties.
    Under normalize="norm" and "trace" the kernels themselves are rounded, and cuts within 1e-7 may
    stay open; under "p-value" nothing is proved.

    See Also
    --------
    RFEMKL : Learned kernel weights.
    RFESVMPrinted : The importance as printed in the paper.
    EnsembleRFESVM : The same method on resamplings of the rows.
    ClinicalSVC : The classifier with this kernel.

    References
    ----------
    Paul, D'Ambrosio and Dupont 2015, sections 2.1 and 2.3, Eq. 3.

    Examples
    --------
    >>> from hetsel import RFESVM, datasets
    >>> heart = datasets.load("heart")
    >>> selector = RFESVM().fit(heart.X, heart.y)
    >>> selector.frame()[["feature", "importance", "verdict", "step"]].head(3).round(2)
                     feature  importance verdict  step
    0                   thal        2.54  proved     9
    1             chest pain        2.32  proved     8
    2  major vessels colored        1.77  proved     7
    """

    about = About(
        "recursive elimination with a support vector machine, clinical kernel",
        paper="paul2015, Eq. 3, importance s_f",
        cost=Cost("n p", "0.3 n p + 40 n"),
        costs={"survival": Cost("n p + n log n", "5 n p + 40 n")},
        targets=("classes", "numbers", "survival"),
    )

    def _importances(self, asked: clinical_elimination.ClinicalProblem) -> Importances:
        kernels, form = asked.normal.kernels, asked.form
        machines: SummedMachines | BlockMachines | clinical_elimination.RankingMachines
        if asked.pairs is not None:
            machines = clinical_elimination.RankingMachines(
                kernels, asked.pairs, np.inf, asked.tolerance
            )
        elif asked.proved or self.normalize == "p-value" or kernels.n <= SOME:
            machines = SummedMachines(asked)
        else:
            machines = BlockMachines(asked)

        def evaluated(left: np.ndarray, refined: bool = False) -> Evaluation:
            found = machines.refine() if refined else machines.fit(left)
            energy = kernels.subset(left).energies(found.beta)
            more = None if refined or not machines.exact else lambda: evaluated(left, True)
            if self.normalize == "p-value":
                assert not isinstance(machines, BlockMachines)
                keys = clinical_elimination.p_value_keys(asked, machines, left, energy, found.beta)
                return Evaluation(keys, found.objective, found.gap)  # comparable as they are
            rounding = clinical_elimination.norm_rounding(found.beta) * np.sqrt(kernels.largest)
            width = max(NORM_WIDTH * np.sqrt(energy.sum()), 10.0 * rounding)
            off = np.zeros(len(left))
            if asked.proved:
                moved = energy - kernels.subset(left).moved(found.beta, form.off)
                grid = np.sqrt(energy) - np.sqrt(np.maximum(moved, 0.0))
                off = np.sqrt(found.square) + rounding + grid
            keys, radius = self._keys(energy, off, width)
            margin = None
            if len(left) == kernels.p:  # comparison of the first machines over other labels
                margin = tied(kernels.margins(found.beta, asked.pull))
            keys, told = (*keys, asked.spread[left]), (found.objective, found.gap)
            if not asked.proved:
                return Evaluation(keys, *told, compared=margin)
            return Evaluation(keys, *told, radius, more, margin)

        return evaluated

    def _additive(
        self, asked: AdditiveElimination, warn: Callable[[np.ndarray], None]
    ) -> Importances:
        def keys(
            known: AdditiveCertificate, moved: np.ndarray
        ) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
            # the machine on the mean of the kernels, with p times the dual variables
            p = float(len(moved))
            energy, rounding = p * p * known.energy, p * known.rounding
            width = max(NORM_WIDTH * np.sqrt(energy.sum()), 10.0 * float(rounding.max()))
            grid = np.sqrt(energy) - np.sqrt(np.maximum(energy - p * p * moved, 0.0))
            return self._keys(energy, p * known.radius + rounding + grid, width)

        return AdditiveImportances(asked._replace(mean=True), keys, warn)

    def _keys(
        self, energy: np.ndarray, off: np.ndarray, width: float
    ) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
        """Return the importances of the remaining features and a bound on the error of the first.

        `energy` (k,) is s_f; `off` (k,) bounds the distance of its roots from those at the optimum.
        Roots nearer than `width` tie.
        """
        norms = np.sqrt(energy)
        shared = merged(norms, width)
        off = off + shared - norms
        return (shared * shared,), off * (2.0 * shared + off)


class BlockMachines:
    """The machines of :class:`SummedMachines` for too many rows for a matrix, by blocks of rows.

    See :mod:`hetsel.solvers.svm.block_ascent`. If many rows are free, a matrix is used after all.
    Nothing is proved.
    """

    exact = False  # nothing can be refined

    def __init__(self, asked: clinical_elimination.ClinicalProblem) -> None:
        self._asked, self._kernels = asked, asked.normal.kernels
        self._beta, self._away = np.zeros((2, *asked.labels.shape))
        self._size = 0
        self._summed: SummedMachines | None = None

    def fit(self, features: np.ndarray) -> Machines:
        """Fit the machines on these features."""
        if self._summed is not None:
            return self._summed.fit(features)
        asked, size, started = self._asked, len(features), self._size > 0
        family, even = self._kernels.subset(features).family, np.ones(size)
        self._away *= size / max(self._size, 1)
        bias = np.empty(len(asked.labels))
        for c, (y, bound) in enumerate(zip(asked.labels, asked.bounds, strict=True)):
            ends = ends_of(y, bound, asked.tube)
            given = (family, even, size * y, *ends, self._beta[c], float(size), self._away[c])
            bias[c], violation = solve_kernel_box(*given, started, size * asked.tube)
            if violation > SOLVED * size:
                self._summed = SummedMachines(asked, warn=not started)
                return self._summed.fit(features)
        self._size = size
        if not started:
            asked.warn_of_missed_classes(asked.labels - self._away / size)
        rest, unknown = np.zeros_like(self._beta), np.nan
        return Machines(self._beta, rest, bias / size, unknown, unknown, np.inf)

    def refine(self) -> Machines:
        """Raise a TypeError: there is nothing to refine."""
        raise TypeError("machines on blocks of rows cannot be refined")


class SummedMachines:
    """Support vector machines on (1/p) sum_f K_f through an elimination, each from the one before.

    The kernels of removed features are subtracted from the sum, which is computed again whenever
    half of the features are gone. The sum is not divided by p: values on a grid of 2^-24 make it
    exact.
    """

    def __init__(self, asked: clinical_elimination.ClinicalProblem, *, warn: bool = True) -> None:
        self._asked, kernels = asked, asked.normal.kernels
        self._warn = warn
        self._kernels = kernels
        self._features = np.array([], dtype=np.intp)
        self._built = 0
        # kept for all steps: new memory at each step costs more than the arithmetic
        self._total = np.zeros((kernels.n, kernels.n))
        self._solution: Machines | None = None
        # each entry is the rounded sum of p terms
        self._rounding = 0.0 if kernels.exact else 2.0 * (kernels.p + 2) * 2.0**-53

    @property
    def exact(self) -> bool:
        """Whether the sum of the kernels is free of rounding."""
        return self._rounding == 0.0

    def fit(self, features: np.ndarray) -> Machines:
        """Fit the machines on these features."""
        first = not self._built
        if 2 * len(features) <= self._built or first:
            self._total[:] = 0.0
            self._kernels.subset(features).add(self._total, np.ones(len(features)))
            self._built = len(features)
        else:
            gone = np.setdiff1d(self._features, features, assume_unique=True)
            self._kernels.subset(gone).add(self._total, -np.ones(len(gone)))
        self._features = features
        mirror(self._total)
        start = (
            np.zeros(self._asked.labels.shape) if self._solution is None else self._solution.beta
        )
        self._solution = solve_machines(self._problem, start)
        if first and self._warn:
            decisions = self._solution.beta @ self._total / len(features)
            decisions += self._solution.bias[:, None]
            self._asked.warn_of_missed_classes(decisions)
        return self._solution

    def refine(self) -> Machines:
        """Return the last machines in twice the precision."""
        assert self._solution is not None
        self._solution = refine_machines(self._problem, self._solution)
        return self._solution

    def without(self, place: int) -> np.ndarray:
        """Return beta (machines, n) of the machines on the last features except one."""
        assert self._solution is not None
        total = self._total.copy()
        self._kernels.subset(self._features[place : place + 1]).add(total, -np.ones(1))
        mirror(total)
        problem = self._problem_of(total, len(self._features) - 1)
        return solve_machines(problem, self._solution.beta).beta

    @property
    def _problem(self) -> MachineProblem:
        return self._problem_of(self._total, len(self._features))

    def _problem_of(self, total: np.ndarray, p: int) -> MachineProblem:
        labels, bounds = self._asked.labels, self._asked.bounds
        return MachineProblem(total, labels, bounds, float(p), self._rounding, self._asked.tube)
