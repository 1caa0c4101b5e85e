"""Find alternative features: features that replace a selected one at no measurable loss."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd

from hetsel.evaluation.by_key import judges_by_key, methods_by_key
from hetsel.evaluation.computation import CellFailure, guarded
from hetsel.evaluation.data.encoded_data import EncodedData
from hetsel.evaluation.engines.engine_runs import all_results
from hetsel.evaluation.held_out import predict_held_out
from hetsel.evaluation.progress import OnProgress
from hetsel.evaluation.target_scores import folds_beside, target_scores
from hetsel.kernels.feature_kernels import FeatureKernels
from hetsel.kernels.training_ranges import Scaling
from hetsel.resampling.row_parts import part_and_rest
from hetsel.statistics.performance.rate_intervals import OVERLAP, effective_rows
from hetsel.tables import Table

SWAPS = 4  # stream of the seed
FREQUENT = 5  # features outside the signature that are tried, the most frequently selected ones
ALIKE = 5  # further features per selected feature, those most related to it


@dataclass(frozen=True)
class FoldResult:
    """Hold what each subset predicts for the rows of a fold, (subsets, m).

    For classes it is whether the prediction is correct; else numbers or risk scores.
    """

    key: str
    predicted: np.ndarray
    classify_seconds: float
    rank_seconds: float = 0.0


@dataclass(frozen=True, eq=False)
class Swaps:
    """Compute models of feature subsets; each number is a fold that they do not see."""

    method: methods_by_key.MethodSpec  # only its label counts
    subsets: tuple[tuple[int, ...], ...]
    classifiers: tuple[judges_by_key.ClassifierSpec, ...]
    folds: int
    seed: int
    sizes: tuple[int, ...] = ()

    def __len__(self) -> int:
        return self.folds

    def folds_of(self, data: EncodedData) -> np.ndarray:
        """Return the fold (n,) of each row."""
        source = np.random.SeedSequence(self.seed, spawn_key=(SWAPS,))
        seed = int(source.generate_state(1)[0])
        problem = data.problem(seed=seed)
        return np.asarray(target_scores(problem.target).folds(problem, self.folds))

    def run(self, data: EncodedData, resampling: int, key: str) -> FoldResult | CellFailure:
        """Learn from the other folds, and predict this one."""

        def finish(found: tuple[np.ndarray, float], _: object) -> FoldResult:
            return FoldResult(key, *found)

        return guarded(self, key, lambda: self._compute(data, resampling), finish, data.target.kind)

    def _compute(self, data: EncodedData, number: int) -> tuple[np.ndarray, float]:
        start = time.thread_time()
        problem = data.problem(seed=self.seed)
        held_out = self.folds_of(data) == number
        method = self.method.build().set_params(missing=data.missing, scale=data.scale)
        part, test = part_and_rest(method, problem, held_out)
        subsets = [np.array(subset) for subset in self.subsets]
        (predicted,) = predict_held_out(self.classifiers, part, test, subsets, problem.target)[0]
        if problem.target.kind == "classes":
            predicted = predicted == problem.classes.codes[held_out]
        return predicted, time.thread_time() - start


def candidates(table: Table, signature: np.ndarray, chosen: np.ndarray) -> list[list[int]]:
    """Return the features to try in the place of each feature of the signature.

    These are the features that half-samples select most often, and those most related to the
    feature. The relation is the largest s_g / (mean distance of two rows in g), s_g = sum beta' K_g
    beta over the centered values of a feature of numbers, or the centered indicators of its levels.
    `table` (n, p) is complete; `chosen` (2B, p) marks which half-samples select each feature.
    """
    counts = chosen.sum(axis=0)
    outside = np.setdiff1d(np.arange(table.shape[1]), signature)
    by_count = outside[np.argsort(-counts[outside], kind="stable")]
    frequent = [int(g) for g in by_count[:FREQUENT] if counts[g] > 0]
    cells = Scaling.fit(table).apply(table)
    kernels = FeatureKernels(cells, table.nominal)
    spread = np.maximum(kernels.spreads(), 1e-12)
    found = []
    for f in signature.tolist():
        row = np.nan_to_num(cells[f])
        directions = [row == level for level in np.unique(row)] if table.nominal[f] else [row]
        energy = np.zeros(table.shape[1])
        for direction in directions:
            energy += kernels.energies((direction - np.mean(direction))[None, :].astype(np.float64))
        alike = outside[np.argsort(-(energy / spread)[outside], kind="stable")]
        new = [int(g) for g in alike if g not in frequent][:ALIKE]
        found.append([*frequent, *new])
    return found


def swaps(
    method: methods_by_key.MethodSpec,
    classifier: judges_by_key.ClassifierSpec,
    signature: np.ndarray,
    tried: Sequence[Sequence[int]],
    folds: int,
    seed: int,
) -> Swaps:
    """Return the signature, and the signatures with one feature replaced by one candidate.

    `tried` are the candidates of each feature of the signature.
    """
    whole = tuple(sorted(signature.tolist()))
    replaced = [
        tuple(sorted({*whole, g} - {f}))
        for f, others in zip(signature.tolist(), tried, strict=True)
        for g in others
    ]
    named = replace(method, label="swaps")
    return Swaps(named, (whole, *replaced), (classifier,), folds, seed)


Gain = Callable[[np.ndarray, np.ndarray], tuple[float, float]]


def alternatives(
    predicted: np.ndarray,
    gain: Gain,
    computed: Swaps,
    signature: np.ndarray,
    chosen: np.ndarray,
    names: list[str],
) -> pd.DataFrame:
    """List the alternative features of each feature of the signature.

    A feature is an alternative if performance falls by no more than one standard error of the
    paired difference. The performance is that of rows that chose the features, so it is not
    reported. `predicted` (subsets, n) is the prediction of each subset's model for each row without
    its fold; `gain` returns by how much the second of two predictions is better, and its standard
    error. Each row of the result has feature, alternative, the proportions of half-samples
    (`chosen`, (2B, p)) that select them, and the proportion that selects both.
    """
    shares = chosen.mean(axis=0)
    whole = set(signature.tolist())
    rows = []
    for subset, own in zip(computed.subsets[1:], predicted[1:], strict=True):
        more, error = gain(predicted[0], own)
        if more >= -error - 1e-12:
            (f,), (g,) = whole - set(subset), set(subset) - whole
            both = float((chosen[:, f] & chosen[:, g]).mean())
            rows.append((names[f], names[g], float(shares[f]), float(shares[g]), both))
    return alternatives_frame(rows)


def rate_gain(
    truth: np.ndarray, weights: np.ndarray | None, base: np.ndarray, own: np.ndarray
) -> tuple[float, float]:
    """Compute the gain in balanced accuracy from correct predictions (n,), and its standard error.

    The error is sqrt(OVERLAP sum_c s_c^2 / n_c) / C over the rows of each class. With row weights,
    means and s_c^2 are weighted, and n_c is Kish's effective number of rows.
    """
    counted = np.ones(len(truth)) if weights is None else weights
    classes = [truth == c for c in np.unique(truth)]
    apart = own - base
    means = [np.average(apart[rows_of], weights=counted[rows_of]) for rows_of in classes]
    squares = (variance_of_mean(apart[rows_of], counted[rows_of]) for rows_of in classes)
    error = np.sqrt(OVERLAP * sum(squares)) / len(classes)
    return float(np.mean(means)), float(error)


def variance_of_mean(values: np.ndarray, weights: np.ndarray) -> float:
    """Compute the variance of a weighted mean, s^2 / n_e.

    s^2 = sum_i w_i (x_i - m)^2 / (sum_i w_i - sum_i w_i^2 / sum_i w_i), and n_e is that of
    :func:`hetsel.statistics.performance.rate_intervals.effective_rows`.

    Examples
    --------
    >>> values = np.array([1.0, 2.0, 6.0])
    >>> variance_of_mean(values, np.ones(3)), values.var(ddof=1) / 3
    (2.3333333333333335, np.float64(2.3333333333333335))
    """
    total = weights.sum()
    squares = (weights * (values - np.average(values, weights=weights)) ** 2).sum()
    spread = squares / (total - (weights**2).sum() / total)
    return float(spread / effective_rows(weights))


def alternatives_frame(rows: Sequence[tuple[object, ...]]) -> pd.DataFrame:
    """Return rows of :func:`alternatives` as a frame with its columns."""
    columns = ["feature", "alternative", "frequency", "alternative_frequency", "both"]
    return pd.DataFrame(rows, columns=columns)


def found_alternatives(
    data: EncodedData,
    method: methods_by_key.MethodSpec,
    classifier: judges_by_key.ClassifierSpec,
    signature: np.ndarray,
    chosen: np.ndarray,
    *,
    seed: int,
    n_jobs: int | None,
    progress: OnProgress | None,
    always: Sequence[int] = (),
) -> pd.DataFrame:
    """Find the alternative features of a signature, with models computed by an engine.

    Features that are always included have no alternatives.
    """
    order = np.asarray(signature)
    tried = candidates(data.table.resolve_missing(data.missing), order, chosen)
    tried = [[] if f in always else others for f, others in zip(order, tried, strict=True)]
    computed = swaps(method, classifier, order, tried, folds_beside(data), seed)
    if len(computed.subsets) == 1:
        return alternatives_frame([])
    found = all_results(data, {"swaps": computed}, n_jobs, progress)["swaps"]
    fold = computed.folds_of(data)
    predicted = np.zeros((len(computed.subsets), len(fold)))
    for k in range(computed.folds):
        predicted[:, fold == k] = found[k].predicted
    if data.target.kind == "classes":
        gain: Gain = partial(rate_gain, data.target.codes, data.weights)
    else:
        gain = partial(target_scores(data.target).gain, data, fold)
    return alternatives(predicted, gain, computed, order, chosen, data.table.names)
