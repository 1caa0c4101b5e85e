"""Eliminations with the clinical kernel: the common part of RFE^SVM and RFE^MKL."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

from hetsel.ground import TableError, positive
from hetsel.ground.equal_numbers import tied
from hetsel.kernels import feature_kernels, normalization
from hetsel.kernels.binned import binned_columns, binned_kernels
from hetsel.search.rankings.additive_elimination import AdditiveElimination
from hetsel.search.rankings.gram_or_bins import without_gram
from hetsel.search.rankings.proof_effort import UNPROVED, precision_of
from hetsel.search.rankings.proved_cuts import Importances
from hetsel.search.rankings.recursive_elimination import recursive_elimination
from hetsel.selection import Cost, Problem, Ranking, WeighingSelector
from hetsel.solvers.comparable_pairs import ComparablePairs, comparable_pairs, pull_at_rest
from hetsel.solvers.mkl.mkl_certificate import Certificate
from hetsel.solvers.survival_machine import RankingMachine, solve_ranking
from hetsel.solvers.svm import two_class_svm as svm
from hetsel.tables import Numbers, Survival, canonical_form
from hetsel.tables.canonical_table import CanonicalForm


class ClinicalProblem(NamedTuple):
    """The start of an elimination: p features of n rows in canonical form."""

    form: CanonicalForm
    normal: normalization.Normalization  # with the kernels to train on
    spread: np.ndarray  # (p,), the mean distance between two rows
    labels: np.ndarray  # (machines, n), -1 and +1, or the numbers
    bounds: np.ndarray  # (machines, n), on the dual variables
    classes: np.ndarray  # labels of the classes; empty for a numeric target
    tube: float = 0.0  # epsilon of a regression; 0 for classes
    pairs: ComparablePairs | None = None  # for survival times, which have no labels and bounds
    proved: bool = True  # whether the order is to be proved

    @property
    def tolerance(self) -> float:
        """Relative gap that models may have; 0 leaves only rounding."""
        return 0.0 if self.proved else UNPROVED

    @property
    def pull(self) -> np.ndarray:
        """Pull (machines, n) of the rows on margins, see :func:`pull_on_margins`.

        For survival times it is the pull of pairs.
        """
        if self.pairs is not None:
            return pull_at_rest(self.pairs)
        return pull_on_margins(self.labels, self.bounds, self.tube)

    def warn_of_missed_classes(self, decisions: np.ndarray) -> None:
        """Warn if decision values (machines, n) assign no row to some class."""
        if self.tube or self.pairs is not None:
            return
        svm.warn_of_missed_classes(decisions, self.bounds, self.form.codes, self.classes)


def pull_on_margins(labels: np.ndarray, bounds: np.ndarray, tube: float) -> np.ndarray:
    """Return the even pull of rows (machines, n) for classes; with a tube, C_i (y_i - mean)."""
    if tube:
        mean = (labels * bounds).sum(axis=1) / bounds.sum(axis=1)
        return np.asarray(bounds * (labels - mean[:, None]))
    return svm.even_pull(labels, bounds)


class ClinicalElimination(WeighingSelector):
    """Base of the methods that eliminate features by models on the clinical kernel.

    Parameters
    ----------
    C : float
        Bound on the dual variables of the support vector machine; the paper uses 0.1.
    step : float
        Proportion of the remaining features that each step drops.
    class_weight : "balanced", mapping of class to weight, or None
        "balanced" multiplies C by n / (2 n_class), a mapping by the weight of the class.
    epsilon : float
        For a numeric target: half the width of the tube in which errors cost nothing, in standard
        deviations of the target.
    normalize : {"none", "norm", "trace", "p-value"}
        Correction for columns of many levels, whose kernels have larger energies by chance; see
        :class:`hetsel.kernels.normalization.Normalization`. "norm" and "trace" train on normalized
        kernels. "p-value" uses -log10 of the p-value of s_f for J. For a numeric target and
        survival times s_f then comes from the model without f, which trains as many models at each
        step as features remain.
    solver : {"auto", "gram", "additive"}
        "gram" uses the matrix of kernels of all rows. "additive" cuts the values into bins, and its
        time and memory grow with the number of rows: see
        :mod:`hetsel.solvers.additive.binned_machines`. "auto" is "additive" above 5,000 rows where
        that is possible: not for survival times, normalize="p-value", or q of 1 or infinity.
    bins : int
        Maximum number of bins of a column for "additive", from 4 to 65,535; a column with fewer
        distinct values keeps them.
    tolerance : float, optional
        For "additive": relative duality gap of a model at which a cut between two steps, or at a
        requested size, is left open. 0 continues until the cut is proved or only rounding is left.
        None is 0 with two exceptions. It stops where a proof takes a hundred times as long as most
        proofs do, as for columns that are uninformative about a rare class. Above 10 million values
        only cuts at requested sizes are proved, and all other models have a gap of 1e-4, since
        proofs take several times as long. On resamplings that only evaluate a signature models have
        a gap of 1e-6.

    Warns
    -----
    HetselWarning
        The first model predicts no row of a class whose weight is less than half of the largest
        one.

    Notes
    -----
    A numeric target has epsilon-insensitive regression in place of the classifier, on a target with
    mean 0 and standard deviation 1. Since -C <= beta_i <= C and sum beta_i = 0, energies and proofs
    are the same, see :mod:`hetsel.solvers.svm.tube`. Survival times have a machine that ranks the
    rows by their risk. There, too, sum beta_i = 0 and the proofs rest on the same bounds, see
    :mod:`hetsel.solvers.survival_machine`.

    Among uninformative columns these two models put one of many levels first, at the default C and
    under every normalization but "p-value", see vignettes/numbers_and_survival.md. For classes the
    p-value uses the model as it is: `rfe-mkl` then misses informative nominal columns, and "trace"
    or `hsic` finds more of them. The same document has the numbers.

    The table is ranked in its :func:`canonical form
    <hetsel.tables.canonical_table.canonical_form>`: the order of rows and columns, the names of
    levels and the units do not change a rank.

    If "additive" cuts values into bins, the proof is about the order of the binned table;
    `answer_.rounding` reports how far the bins moved a value.

    Values are rounded to a grid of 2^-24 of the range of their column. The bounds include the
    effect on each s_f of moving the values back with the dual variables held fixed. The small
    change of the dual variables is not bounded, so that the proof is about the order of the rounded
    table, with this margin.
    """

    C: float = 0.1
    step: float = 0.2
    class_weight: Any = None
    epsilon: float = 0.1
    normalize: str = "none"
    solver: str = "auto"
    bins: int = binned_columns.MOST_BINS
    tolerance: float | None = None

    squares: ClassVar[float] = 2.6  # matrices of n x n numbers, where Gram matrices are taken

    use_of_sizes = "cuts"

    def refuse_weights(self, option: str = "sample_weight") -> None:
        """Refuse row weights with normalized kernels, whose scales count all rows alike."""
        if self.normalize != "none":
            raise TableError(f"{option} needs normalize='none'. Got normalize={self.normalize!r}")

    def _importances(self, asked: ClinicalProblem) -> Importances:
        """Return a function that trains a model on the remaining features and rates them."""
        raise TypeError(f"{type(self).__name__} must define _importances")

    def _additive(
        self, asked: AdditiveElimination, warn: Callable[[np.ndarray], None]
    ) -> Importances:
        """Return the same by models on binned columns."""
        raise TypeError(f"{type(self).__name__} must define _additive")

    def _cost(self, problem: Problem) -> Cost | None:
        """Return the cost, with the Gram matrices of all rows where they are used."""
        if isinstance(problem.target, Survival) or self._without_gram(problem):
            return super()._cost(problem)
        return Cost("n^2 p", f"{self.squares} n^2 + 4 n p")

    def _select(self, problem: Problem) -> Ranking:
        if self._without_gram(problem):
            return self._select_additive(problem)
        form = canonical_form(problem.table, problem.target.content)
        plain = feature_kernels.FeatureKernels(form.cells, form.nominal)
        normal, spread = normalization.Normalization(self.normalize, plain), plain.spreads()
        weights = None if problem.weights is None else problem.weights[form.rows]
        machines = self._machines(problem, form, weights)
        asked = ClinicalProblem(form, normal, spread, *machines, proved=problem.proved)
        among = self.step, problem.sizes, problem.always
        return recursive_elimination(self._importances(asked), form.columns, *among)

    def _without_gram(self, problem: Problem) -> bool:
        """Return whether machines are trained on binned columns."""
        q = getattr(self, "q", 2.0)
        return without_gram(problem, self.solver, self.bins, self.normalize, q)

    def _select_additive(self, problem: Problem) -> Ranking:
        form = binned_columns.binned_form(problem.table, problem.target.content, self.bins)
        columns, kernels = form.columns, binned_kernels.BinnedKernels(form.columns)
        if self.normalize != "none":
            kernels = binned_kernels.normalized(self.normalize, kernels)
        weights = None if problem.weights is None else problem.weights[form.rows]
        labels, bounds, classes, tube, _ = self._machines(problem, form, weights)
        pull = pull_on_margins(labels, bounds, tube)
        off = np.where(columns.rounding > 0.0, 0.0, form.off)
        precision, every = precision_of(columns.codes.size, self.tolerance, proved=problem.proved)
        asked = AdditiveElimination(kernels, labels, bounds, pull, off, np.inf, tube, precision)

        def warn(decisions: np.ndarray) -> None:
            if not tube:
                svm.warn_of_missed_classes(decisions, bounds, form.codes, classes)

        importances = self._additive(asked, warn)
        ranking = recursive_elimination(
            importances, form.order, self.step, problem.sizes, problem.always, every=every
        )
        return replace(ranking, rounding=float(columns.rounding.max()))

    def _machines(
        self,
        problem: Problem,
        form: CanonicalForm | binned_columns.BinnedForm,
        weights: np.ndarray | None,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, float, ComparablePairs | None]:
        """Return labels and bounds (machines, n), labels of the classes, the tube and the pairs."""
        nothing = np.array([])
        if isinstance(problem.target, Survival):
            svm.refuse_class_weight(self.class_weight, problem.target.kind)
            pairs = comparable_pairs(form.codes, positive("C", self.C), weights)
            empty = np.zeros((1, problem.n))
            return empty, empty, nothing, 0.0, pairs
        if isinstance(problem.target, Numbers):
            svm.refuse_class_weight(self.class_weight, problem.target.kind)
            tube = svm.tube_of(self.epsilon)
            y = problem.numbers.standardized(form.rows, problem.weights)
            bounds = svm.number_bounds(len(y), self.C, weights)
            return y[None], bounds, nothing, tube, None
        classes = problem.classes.labels
        bounds = svm.problem_bounds(form.codes, self.C, self.class_weight, classes, weights)
        return svm.two_class_problems(form.codes), bounds, classes, 0.0, None


def p_value_keys(
    asked: ClinicalProblem, models: Any, left: np.ndarray, energy: np.ndarray, beta: np.ndarray
) -> tuple[np.ndarray, ...]:
    """Return keys (k,) of the remaining features by their p-values, with the feature permuted.

    For classes the p-values are those of s_f, `energy` (k,), from the model as it is. For a numeric
    target and survival times a model fits each of its columns, so that s_f comes from the model
    without f, as in a score test.
    """
    if len(asked.classes):
        importance, standardized = asked.normal.keys(energy, beta, left)
        return tied(importance), tied(standardized)
    importance, standardized = np.empty((2, len(left)))
    for place in range(len(left)):
        feature = left[place : place + 1]
        unseen = models.without(place) if len(left) > 1 else asked.pull
        energies = asked.normal.kernels.subset(feature).energies(unseen)
        (importance[place],), (standardized[place],) = asked.normal.keys(energies, unseen, feature)
    return tied(importance), tied(standardized)


def norm_rounding(beta: np.ndarray) -> float:
    """Return a bound on the rounding of the root of s_f, see `kernels.energies_and_grams`.

    It is off by less than n + 2 roundings of sum |beta|, and half as many of itself.
    """
    return 4.0 * (beta.shape[1] + 2) * 2.0**-53 * float(np.abs(beta).sum())


class RankingMachines:
    """Survival machines on fewer and fewer features, each started from the one before."""

    exact = False  # the bounds include the rounding of double precision, which is the last

    def __init__(
        self,
        kernels: feature_kernels.FeatureKernels,
        pairs: ComparablePairs,
        q: float,
        tolerance: float,
    ) -> None:
        if not q > 1.0:
            raise TableError(f"q must be above 1 for survival times. Got {q!r}")
        self._kernels, self._pairs, self._q = kernels, pairs, q
        self._tolerance = tolerance
        self._last: RankingMachine | None = None
        self._features = np.arange(kernels.p)

    def fit(self, features: np.ndarray) -> RankingMachine:
        """Train the machine on these features."""
        start = None if self._last is None else self._last.beta
        kernels = self._kernels.subset(features)
        self._last = solve_ranking(kernels, self._pairs, self._q, start, self._tolerance)
        self._features = features
        return self._last

    def without(self, place: int) -> np.ndarray:
        """Return beta (1, n) of the machine on the last features except the one at this place."""
        kernels = self._kernels.subset(np.delete(self._features, place))
        return solve_ranking(kernels, self._pairs, self._q, self.last.beta, self._tolerance).beta

    @property
    def last(self) -> RankingMachine:
        """The last machine."""
        assert self._last is not None
        return self._last

    def refine(self) -> RankingMachine:
        """Return the last machine, which cannot be refined."""
        return self.last

    def certify(self, effort: int) -> Certificate:
        """Bound the distance of the last machine from its optimum, whatever the effort."""
        machine = self.last
        whole = machine.gap * abs(machine.objective)
        return Certificate(whole, machine.energy, machine.radius, np.empty((0, 0)))
