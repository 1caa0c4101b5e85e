"""Eliminations with the clinical kernel: what RFE^SVM and RFE^MKL share."""

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
    """What an elimination starts from: p features of n rows in canonical form."""

    form: CanonicalForm
    normal: normalization.Normalization  # its kernels are those to train on
    spread: np.ndarray  # (p,), the mean distance between two rows
    labels: np.ndarray  # (machines, n), -1 and +1, or the numbers
    bounds: np.ndarray  # (machines, n), on the dual variables
    classes: np.ndarray  # labels of the classes; none of numbers
    tube: float = 0.0  # epsilon of a regression; 0 for classes
    pairs: ComparablePairs | None = (
        None  # of survival times, which have no labels and bounds of their own
    )
    proved: bool = True  # whether the order is to be proved

    @property
    def tolerance(self) -> float:
        """Relative gap that models may have; 0 is what rounding leaves."""
        return 0.0 if self.proved else UNPROVED

    @property
    def pull(self) -> np.ndarray:
        """The pull (machines, n) of the rows on margins, see :func:`pull_on_margins`; of survival
        times that of pairs.
        """
        if self.pairs is not None:
            return pull_at_rest(self.pairs)
        return pull_on_margins(self.labels, self.bounds, self.tube)

    def warn_of_missed_classes(self, decisions: np.ndarray) -> None:
        """Warn where decision values (machines, n) say of no row that it is of some class."""
        if self.tube or self.pairs is not None:
            return
        svm.warn_of_missed_classes(decisions, self.bounds, self.form.codes, self.classes)


def pull_on_margins(labels: np.ndarray, bounds: np.ndarray, tube: float) -> np.ndarray:
    """The even pull of rows (machines, n) of classes; of numbers, with a tube, C_i (y_i - mean)."""
    if tube:
        mean = (labels * bounds).sum(axis=1) / bounds.sum(axis=1)
        return np.asarray(bounds * (labels - mean[:, None]))
    return svm.even_pull(labels, bounds)


class ClinicalElimination(WeighingSelector):
    """A method that eliminates features by models on the clinical kernel.

    Parameters
    ----------
    C : float
        Bound on the dual variables of the support vector machine; the paper takes 0.1.
    step : float
        Share of the features left that each step drops.
    class_weight : "balanced", mapping of class to weight, or None
        Multiplies C by n / (2 n_class), or by the weight of the class.
    epsilon : float
        Of a target of numbers: half of the width of the tube in which errors cost nothing, in
        standard deviations of the numbers.
    normalize : {"none", "norm", "trace", "p-value"}
        What is done about columns of many levels, whose kernels lead by chance; see
        :class:`hetsel.kernels.normalization.Normalization`. "norm" and "trace" train on
        normalized kernels; "p-value" takes -log10 of the p-value of s_f for J, which beside numbers
        and survival times is that of the model without f: as many models at each step as features
        are left.
    solver : {"auto", "gram", "additive"}
        "gram" takes the matrix of kernels of all rows. "additive" puts the cells in bins, and its
        time and memory grow with the rows: see :mod:`hetsel.solvers.additive.binned_machines`.
        "auto" is "additive" above 5,000 rows, where it can be: not for survival times,
        normalize="p-value", or q of 1 or infinity.
    bins : int
        Most bins of a column for "additive", from 4 to 65,535; columns of fewer different cells are
        as they are.
    tolerance : float, optional
        For "additive": relative duality gap of a model with which a cut between two steps, or at a
        size that is asked for, is left open. 0 goes on until it is proved or rounding is all that
        is left. None is 0, but gives up where a proof takes a hundred times as long as most do, as
        on columns that say nothing of a rare class; and above 10 million cells only cuts at sizes
        that are asked for are proved: all other models have a gap of 1e-4, as proofs take several
        times as long. Parts of a table that only judge a signature have models of a gap of 1e-6.

    Warns
    -----
    HetselWarning
        The first model predicts no row of a class that weighs less than half of the largest one.

    Notes
    -----
    A target of numbers has epsilon-insensitive regression in place of the classifier, on numbers of
    mean 0 and standard deviation 1: with -C <= beta_i <= C and sum beta_i = 0 all that is said of
    energies and proofs stays, see :mod:`hetsel.solvers.svm.tube`. Survival times have a machine
    that ranks the rows by their risk, of which sum beta_i = 0 holds, too, and what is proved rests
    on the same bounds, see :mod:`hetsel.solvers.survival_machine`.

    On columns that say nothing, these two put one of many levels first at the default C under every
    normalization but "p-value", see vignettes/numbers_and_survival.md. Of classes the p-value takes
    the model as it is: `rfe-mkl` then loses nominal columns that tell, and "trace" or `hsic` finds
    more; the same document says how many.

    The table is ranked in its
    :func:`canonical form <hetsel.tables.canonical_table.canonical_form>`: the order of rows and
    columns, the names of levels and the units do not move a rank.

    Where "additive" puts cells in bins, what is proved is the order of the binned table;
    `answer_.rounding` says how far it moved a cell.

    Cells are rounded to a grid of 2^-24 of the range of their column. The distances allow for what
    moving them back does to each s_f while the dual variables stay; how little these then change
    is not proved, so that what is proved is the order of the rounded table, with this margin.
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

    def refuse_weights(self, option: str = "sample_weight") -> None:
        """Refuse weights of rows where kernels are normalized by what all rows alike say."""
        if self.normalize != "none":
            raise TableError(f"{option} is for normalize='none'. Got normalize={self.normalize!r}")

    def _importances(self, asked: ClinicalProblem) -> Importances:
        """What trains a model on the features left and says how important they are."""
        raise TypeError(f"{type(self).__name__} is no method: it does not say what it trains")

    def _additive(
        self, asked: AdditiveElimination, warn: Callable[[np.ndarray], None]
    ) -> Importances:
        """The same by models on binned columns."""
        raise TypeError(f"{type(self).__name__} is no method: it does not say what it trains")

    def _cost(self, problem: Problem) -> Cost | None:
        """With the Gram matrices of all rows, where they are taken."""
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
        """Whether machines on binned columns are trained."""
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
        """Labels and bounds (machines, n), labels of the classes, the tube and the pairs."""
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
    """Keys (k,) of the features left by their p-values, rows of the feature permuted.

    Of classes those of s_f, `energy` (k,), of the model as it is. Beside numbers and survival times
    a model fits each of its columns: s_f is that of the model without f, as in a score test.
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
    """Bound on the rounding of the root of s_f, see :mod:`hetsel.kernels.energies_and_grams`.

    It is off by less than n + 2 roundings of sum |beta|, and half as many of itself.
    """
    return 4.0 * (beta.shape[1] + 2) * 2.0**-53 * float(np.abs(beta).sum())


class RankingMachines:
    """Survival machines on fewer and fewer features, each started from the one before."""

    exact = False  # doubles are all that there is: their rounding is in the bounds

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
        """The machine on these features."""
        start = None if self._last is None else self._last.beta
        kernels = self._kernels.subset(features)
        self._last = solve_ranking(kernels, self._pairs, self._q, start, self._tolerance)
        self._features = features
        return self._last

    def without(self, place: int) -> np.ndarray:
        """beta (1, n) of the machine on the last features but the one of this place."""
        kernels = self._kernels.subset(np.delete(self._features, place))
        return solve_ranking(kernels, self._pairs, self._q, self.last.beta, self._tolerance).beta

    @property
    def last(self) -> RankingMachine:
        """The last machine."""
        assert self._last is not None
        return self._last

    def refine(self) -> RankingMachine:
        """The last machine, which is as near as it gets."""
        return self.last

    def certify(self, effort: int) -> Certificate:
        """How far the last machine can be from its optimum, whatever the effort."""
        machine = self.last
        whole = machine.gap * abs(machine.objective)
        return Certificate(whole, machine.energy, machine.radius, np.empty((0, 0)))
