"""Criteria of a Gram matrix K that measure how well it separates the target, with derivatives.

With n rows, n_c of them in class c, C classes, and Frobenius products (ramona2012):

    alignment           A = <K, T> / (|K| |T|)                       Eq. 3, 4, 10
    class separability  C = tr S_b / (tr S_w + epsilon tr K)         Eq. 14 to 18
    Frobenius           F = <K, T>                                   Eq. 24

T is the target matrix: "even" is 1 for rows of one class and -1/(C - 1) for others (Eq. 10),
"uneven" is 1/n_c - 1/n and -1/n, which for two classes is Eq. 4 up to a factor. With W = sum_c
(1/n_c) sum of K within class c, tr S_b = W - (1/n) sum K and tr S_w = tr K - W: n times those of
Eq. 12 (the factor 1/n of Eq. 15 and 17 does not fit Eq. 16). The paper does not specify epsilon. As
a factor of tr K it has no unit, and no scale of a linear kernel makes it negligible. For numbers
and survival times, T is the centered kernel of the target; see
:mod:`hetsel.kernels.target_kernels`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hetsel.compiling.arithmetic import product
from hetsel.ground import TableError
from hetsel.kernels import scaled_kernels, target_kernels
from hetsel.kernels.scaled_kernels import Expansion, GramSums, ScaledKernel, SummedKernels
from hetsel.tables import Classes, TypedTarget

TARGETS = ("uneven", "even")
MOST_COLUMNS = 2000  # most columns whose pairwise products are held


class Rated(NamedTuple):
    """The value of a criterion and its derivatives (p,) by the squared scale factors."""

    value: float
    slopes: np.ndarray


@dataclass(frozen=True, eq=False)
class KernelCriterion:
    """A criterion of a Gram matrix and a target, as a function of a few sums."""

    sides: np.ndarray  # (n, c), see `target_sides`
    targets: np.ndarray  # (m, c, c): M of the target matrices T = sides M sides' that it needs
    square: bool  # whether it needs the sum of the squares
    rate: Callable[[GramSums], Rated]


def target_sides(target: TypedTarget) -> np.ndarray:
    """Return W (n, c) of target matrices T = W M W': class indicators, else target directions."""
    if isinstance(target, Classes):
        return (target.codes[:, None] == np.arange(int(target.codes.max()) + 1)) * 1.0
    return target_kernels.target_directions(target).T


def target_table(codes: np.ndarray, target: str = "uneven") -> np.ndarray:
    """Return T (c, c) between rows of two classes."""
    if target not in TARGETS:
        raise TableError(f"target must be one of {', '.join(TARGETS)}. Got {target!r}")
    counts = np.bincount(codes)
    same = np.eye(len(counts))
    if target == "uneven":
        return np.asarray(same / counts - 1.0 / len(codes))
    return np.where(same > 0, 1.0, -1.0 / (len(counts) - 1))


def _kernel_of(target: TypedTarget, matrix: str) -> tuple[np.ndarray, np.ndarray, float]:
    """Return the sides (n, c) and M (c, c) of the target matrix T, and |T|."""
    sides = target_sides(target)
    if isinstance(target, Classes):
        table = target_table(target.codes, matrix)
        counts = np.bincount(target.codes)
        return sides, table, float(np.sqrt((counts[:, None] * (table * table) * counts).sum()))
    refuse_classes_option(matrix, target)
    across = product(sides.T, sides.T)
    return sides, np.eye(len(across)), float(np.sqrt((across * across).sum()))


def refuse_classes_option(matrix: str, target: TypedTarget) -> None:
    """Refuse a target matrix other than "uneven" for a target without classes."""
    if matrix != "uneven":
        raise TableError(
            f"target must be 'uneven' unless the target holds classes. Got {matrix!r} for "
            f"{target.in_words()}"
        )


def alignment(target: TypedTarget, matrix: str = "uneven") -> KernelCriterion:
    """Compute the kernel-target alignment, Eq. 3, with its derivative, Eq. 9; 0 if K is 0."""
    sides, table, norm = _kernel_of(target, matrix)

    def rate(sums: GramSums) -> Rated:
        if sums.square <= 0.0:
            return Rated(0.0, np.zeros(len(sums.d_square)))
        length = np.sqrt(sums.square)
        value = float(sums.targets[0] / (length * norm))
        slopes = sums.d_targets[0] / (length * norm) - value * sums.d_square / (2.0 * sums.square)
        return Rated(value, slopes)

    return KernelCriterion(sides, table[None], True, rate)


def class_separability(classes: Classes, epsilon: float) -> KernelCriterion:
    """Compute kernel class separability tr S_b / (tr S_w + epsilon tr K), Eq. 18; 0 if K is 0."""
    within = np.diag(1.0 / np.bincount(classes.codes))
    between = within - 1.0 / len(classes)

    def rate(sums: GramSums) -> Rated:
        top, inside = sums.targets
        bottom = (1.0 + epsilon) * sums.trace - inside
        if bottom <= 0.0:
            return Rated(0.0, np.zeros(len(sums.d_trace)))
        value = float(top / bottom)
        inside_slopes = (1.0 + epsilon) * sums.d_trace - sums.d_targets[1]
        slopes = (sums.d_targets[0] - value * inside_slopes) / bottom
        return Rated(value, slopes)

    return KernelCriterion(target_sides(classes), np.stack([between, within]), False, rate)


def frobenius(target: TypedTarget, matrix: str = "uneven") -> KernelCriterion:
    """Compute the Frobenius product with the target, Eq. 24, divided by n^2."""
    n = len(target)
    sides, table, _ = _kernel_of(target, matrix)

    def rate(sums: GramSums) -> Rated:
        return Rated(float(sums.targets[0]) / n**2, sums.d_targets[0] / n**2)

    return KernelCriterion(sides, table[None], False, rate)


def rate_factors(
    criterion: KernelCriterion,
    features: Expansion | SummedKernels,
    kernel: ScaledKernel,
    *,
    block_size: int = scaled_kernels.BLOCK_SIZE,
) -> Callable[[np.ndarray], Rated]:
    """Return the criterion as a function of squared scale factors u (p,)."""
    if isinstance(features, Expansion):
        d, few = features.columns.shape[1], max(MOST_COLUMNS, len(criterion.sides))
        if kernel.shape == "linear" and d <= few:
            features = SummedKernels.linear(features, criterion.sides)
    if isinstance(features, SummedKernels):
        held = features.sums(criterion.targets)
        return lambda u: criterion.rate(held(u))
    expanded = features

    def rated(u: np.ndarray) -> Rated:
        parts, square = (criterion.sides, criterion.targets), criterion.square
        sums = scaled_kernels.gram_sums(
            expanded, kernel, u, *parts, square=square, block_size=block_size
        )
        return criterion.rate(sums)

    return rated
