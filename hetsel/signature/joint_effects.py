"""Test whether an interaction of two features improves on the additive model.

An additive model has an effect for each feature and none for interactions. If the class is whether
two numbers have the same sign, neither number alone is informative. Here the model of the signature
is compared with the same model plus the product of the kernels of one pair of features. The pair is
found without the rows that evaluate both models, the signature with them. This favors the model
without the pair, so that noise does not pass for an interaction.
"""

import time
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from hetsel.compiling.arithmetic import product
from hetsel.evaluation.by_key import judges_by_key, methods_by_key
from hetsel.evaluation.computation import CellFailure, guarded
from hetsel.evaluation.data.encoded_data import EncodedData
from hetsel.evaluation.engines.engine_runs import all_results
from hetsel.evaluation.progress import OnProgress
from hetsel.evaluation.target_scores import target_scores
from hetsel.kernels.energies_and_grams import add_cross
from hetsel.models import final_classifiers, train_test_arrays
from hetsel.resampling.folds import draw_folds
from hetsel.resampling.row_parts import part_and_rest, rows_of_sample
from hetsel.signature.alternatives import variance_of_mean
from hetsel.solvers.svm import two_class_svm
from hetsel.statistics.performance.rate_intervals import OVERLAP
from hetsel.tables import rescaled

STREAM = 6  # of the seed
FOLDS = 5
MOST_ROWS = 4_000  # larger tables are sampled
MOST_FEATURES = 200  # with more features, pairs are not examined
CELLS = 2**22  # kernel values held in memory while pairs are examined
GAIN = 0.05  # smallest gain in balanced accuracy that is reported
ERRORS = 3.0  # standard errors by which a gain must exceed 0


@dataclass(frozen=True)
class JointEffect:
    """Hold a pair of features whose interaction improves on the additive model."""

    pair: tuple[int, int]  # found in most of the folds
    # without_pair, with_pair: balanced accuracy on held-out rows by the features of the signature,
    # and with the pair as well
    without_pair: float
    with_pair: float
    error: float  # standard error of the difference


@dataclass(frozen=True)
class PairPredictions:
    """Hold which rows of a fold are predicted correctly without and with the pair: right (2, m)."""

    key: str
    right: np.ndarray
    pair: tuple[int, int]
    classify_seconds: float
    rank_seconds: float = 0.0


@dataclass(frozen=True, eq=False)
class PairFolds:
    """Compute the two models of each fold; each number is a fold that they do not see."""

    method: methods_by_key.MethodSpec  # only its label counts
    signature: tuple[int, ...]
    C: float  # of both models
    folds: int
    seed: int
    sizes: tuple[int, ...] = ()
    classifiers: tuple[judges_by_key.ClassifierSpec, ...] = ()

    def __len__(self) -> int:
        return self.folds

    def folds_of(self, data: EncodedData) -> np.ndarray:
        """Return the fold (n,) of each row."""
        source = np.random.SeedSequence(self.seed, spawn_key=(STREAM,))
        problem = data.problem(seed=int(source.generate_state(1)[0]))
        return np.asarray(draw_folds(problem, self.folds)[0])

    def run(self, data: EncodedData, resampling: int, key: str) -> PairPredictions | CellFailure:
        """Learn from the other folds, and predict this one."""

        def finish(found: tuple[np.ndarray, tuple[int, int], float], _: object) -> PairPredictions:
            return PairPredictions(key, *found)

        return guarded(self, key, lambda: self._compute(data, resampling), finish, data.target.kind)

    def _compute(self, data: EncodedData, number: int) -> tuple[np.ndarray, tuple[int, int], float]:
        start = time.thread_time()
        problem = data.problem(seed=self.seed)
        held_out = self.folds_of(data) == number
        method = self.method.build().set_params(missing=data.missing, scale=data.scale)
        part, test = part_and_rest(method, problem, held_out)
        rows = train_test_arrays.Split.of(part.table, test, part.classes.codes, part.weights)
        pair = strongest_pair(rows.train, rows.nominal, rows.codes)
        present = problem.classes.places_of(part.classes)
        values = np.array([self._decisions(rows, own) for own in (None, pair)])
        predicted, _ = final_classifiers.predicted_classes(
            values, present, len(problem.classes.labels)
        )
        return predicted == problem.classes.codes[held_out], pair, time.thread_time() - start

    def _decisions(self, rows: train_test_arrays.Split, pair: tuple[int, int] | None) -> np.ndarray:
        """Compute decision values (m, d) of the test rows."""
        grams = []
        signature = np.array(self.signature, dtype=np.int64)
        weights = np.full(len(signature), 1.0 / len(signature))
        for others in (rows.train, rows.test):
            gram = np.zeros((others.shape[1], rows.train.shape[1]))
            terms = (rows.nominal, rows.gaps, signature, weights)
            add_cross(gram, others, rows.train, *terms)
            if pair is not None:
                one, other = (kernel(others[f], rows.train[f], rows.nominal[f]) for f in pair)
                gram += one * other
            grams.append(gram)
        bounds = two_class_svm.problem_bounds(rows.codes, self.C, "balanced", (), rows.weights)
        found = [
            two_class_svm.solve_svm(grams[0], y, own)
            for y, own in zip(two_class_svm.two_class_problems(rows.codes), bounds, strict=True)
        ]
        columns = [product(one.beta[None], grams[1])[0] + one.bias for one in found]
        return np.stack(columns, axis=1)


def kernel(one: np.ndarray, other: np.ndarray, nominal: bool) -> np.ndarray:
    """Compute the clinical kernel (m, n) of scaled cells; missing values equal each other only.

    Examples
    --------
    >>> kernel(np.array([0.0, np.nan]), np.array([0.25, np.nan]), False)
    array([[0.75, 0.  ],
           [0.  , 1.  ]])
    """
    left, right = one[:, None], other[None, :]
    gaps = np.isnan(left), np.isnan(right)
    values = (left == right) * 1.0 if nominal else 1.0 - np.abs(left - right)
    return np.asarray(np.where(gaps[0] | gaps[1], (gaps[0] & gaps[1]) * 1.0, values))


def strongest_pair(cells: np.ndarray, nominal: np.ndarray, codes: np.ndarray) -> tuple[int, int]:
    """Find the pair of features whose multiplied centered kernels relate most to the classes.

    T_fg = sum_(a != b) L_ab K_f,ab K_g,ab divided by the root of sum_(a != b) (K_f,ab K_g,ab)^2,
    with K centered, so the separate effects of the two features are not in it (a V-statistic of the
    interaction, like that of the Hilbert-Schmidt criterion). L_ab is the sum of y_a y_b over the
    problems, with balanced class weights. `cells` (p, n) are scaled to [0, 1]; of many rows, an
    evenly spaced subset is used.
    """
    p, most = len(cells), int(np.sqrt(CELLS / len(cells)))
    order = np.argsort(codes, kind="stable")
    rows = order[np.linspace(0, len(codes) - 1, min(most, len(codes))).astype(np.intp)]
    held = np.empty((p, len(rows) ** 2))
    for f in range(p):
        own = kernel(cells[f, rows], cells[f, rows], bool(nominal[f]))
        own -= own.mean(axis=0)
        own -= own.mean(axis=1)[:, None]
        np.fill_diagonal(own, 0.0)
        held[f] = own.ravel()
    labels = two_class_svm.two_class_problems(np.unique(codes[rows], return_inverse=True)[1])
    pull = two_class_svm.even_pull(labels, np.ones(labels.shape))
    alike = product(pull.T, pull.T).ravel()
    together = product(held * alike, held)
    sizes = np.sqrt(product(held**2, held**2))
    strength = np.where(sizes > 0.0, together / np.maximum(sizes, 1e-300), -np.inf)
    strength[np.tril_indices(p)] = -np.inf
    first, second = np.unravel_index(int(strength.argmax()), strength.shape)
    return int(first), int(second)


def joint_effect(
    data: EncodedData,
    method: methods_by_key.MethodSpec,
    signature: np.ndarray,
    C: float,
    *,
    seed: int,
    n_jobs: int | None = None,
    progress: OnProgress | None = None,
) -> JointEffect | None:
    """Return the pair with a clear interaction, or None.

    Tables of more than 4,000 rows are sampled, see
    :func:`hetsel.resampling.row_parts.content_sample`; the sample shows any gain large enough to
    report. A gain is clear if the balanced accuracy is higher by 0.05 and by three standard errors
    of the paired difference, see :func:`hetsel.signature.alternatives.alternatives`. Pairs are not
    examined if a class has fewer than ten rows, or row groups.
    """
    data = _sampled(data)
    few = int(np.min(target_scores(data.target).units(data))) < 2 * FOLDS
    if few or not 2 <= data.table.shape[1] <= MOST_FEATURES:
        return None
    own = tuple(sorted(int(f) for f in signature))
    computed = PairFolds(replace(method, label="pairs"), own, C, FOLDS, seed)
    found = all_results(data, {"pairs": computed}, n_jobs, progress)["pairs"]
    fold = computed.folds_of(data)
    right = np.zeros((2, len(fold)))
    for k in range(FOLDS):
        right[:, fold == k] = found[k].right
    weights = np.ones(len(fold)) if data.weights is None else data.weights
    classes = [data.target.codes == c for c in range(len(data.target.labels))]
    rates = [[np.average(row[own], weights=weights[own]) for own in classes] for row in right]
    rate, with_pair = (float(np.mean(row)) for row in rates)
    apart = right[1] - right[0]
    squares = sum(variance_of_mean(apart[own], weights[own]) for own in classes)
    error = float(np.sqrt(OVERLAP * squares)) / len(classes)
    if with_pair - rate < max(GAIN, ERRORS * error):
        return None
    pair = Counter(found[k].pair for k in range(FOLDS)).most_common(1)[0][0]
    return JointEffect(pair, rate, with_pair, error)


def _sampled(data: EncodedData) -> EncodedData:
    """Sample at most about 4,000 rows by their content, with the proportion of each class."""
    if len(data.table.values) <= MOST_ROWS:
        return data
    complete = rescaled(data.table, data.scale).resolve_missing(data.missing)
    kept = rows_of_sample(complete, data.problem().target, MOST_ROWS, 2 * FOLDS)
    return replace(
        data,
        table=data.table.take(rows=kept),
        target=data.target.take(np.flatnonzero(kept)),
        weights=None if data.weights is None else data.weights[kept],
        row_groups=None if data.row_groups is None else data.row_groups[kept],
        order=None if data.order is None else data.order[kept],
        test_rows=None,
        fingerprint=f"{MOST_ROWS} rows of {data.fingerprint}",
    )
