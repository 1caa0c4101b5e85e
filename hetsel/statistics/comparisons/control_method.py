"""Compare all other methods with one control method over data sets.

Notation as in :mod:`hetsel.statistics.comparisons.friedman`: N blocks, k methods, R_j the mean rank
of method j; c is the control. There are k - 1 comparisons instead of k (k - 1) / 2, so the
adjustment is milder than that of all pairs. The control must be chosen before the scores are seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan, sqrt

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from hetsel.ground import TableError, between_0_and_1
from hetsel.ground.array_types import Floats
from hetsel.ground.rounding import reaches
from hetsel.statistics.comparisons.corrections import holm
from hetsel.statistics.comparisons.friedman import friedman
from hetsel.statistics.comparisons.paired_effects import least_wilcoxon_holm
from hetsel.statistics.comparisons.pairwise_ranks import pair_pvalue
from hetsel.statistics.comparisons.skillings_mack import skillings_mack
from hetsel.statistics.doors.score_tables import read_scores


@dataclass(frozen=True, eq=False)
class ControlComparison:
    """Hold the comparison of k - 1 methods with a control method.

    Parameters
    ----------
    control : str
        The control method.
    others : tuple of str of length k - 1
        The other methods, in the order of the scores.
    n_blocks : int
        Number N of blocks.
    level : float
        Level of significance, over all comparisons together.
    control_mean_rank, mean_ranks : float, ndarray of shape (k - 1,)
        Mean rank of the control and of the others; smaller is better.
    z : ndarray of shape (k - 1,)
        z statistic of R_j - R_c; positive if the control is better.
    uncorrected, pvalues : ndarray of shape (k - 1,)
        Two-sided p-values of z, and the same adjusted by Holm's procedure.
    critical_difference : float
        Bonferroni-Dunn critical difference of mean ranks; NaN if some scores are missing.
    differs : ndarray of bool of shape (k - 1,)
        Whether a method differs from the control by the Bonferroni-Dunn test.
    wilcoxon, wilcoxon_holm : ndarray of shape (k - 1,)
        p-values of Wilcoxon's signed-rank test, and the same adjusted by Holm's procedure.
    least : float
        The smallest possible value of `wilcoxon_holm` with this number of blocks and methods.

    See Also
    --------
    hetsel.stats.compare_with_control

    Examples
    --------
    >>> scores = [[0.9, 0.8, 0.5], [0.8, 0.9, 0.4], [0.7, 0.6, 0.3], [0.9, 0.8, 0.2]]
    >>> result = compare_with_control(scores, "1")
    >>> isinstance(result, ControlComparison), result.others
    (True, ('2', '3'))
    """

    control: str
    others: tuple[str, ...]
    n_blocks: int
    level: float
    control_mean_rank: float
    mean_ranks: Floats
    z: Floats
    uncorrected: Floats
    pvalues: Floats
    critical_difference: float
    differs: NDArray[np.bool_]
    wilcoxon: Floats
    wilcoxon_holm: Floats
    least: float

    def frame(self) -> pd.DataFrame:
        """Return one row per method.

        Columns are `method`, `difference` (mean rank minus that of the control), `z`, `pvalue`,
        `holm`, `bonferroni_dunn_cd`, `differs`, `wilcoxon` and `wilcoxon_holm`.
        """
        return pd.DataFrame(
            {
                "method": self.others,
                "difference": self.mean_ranks - self.control_mean_rank,
                "z": self.z,
                "pvalue": self.uncorrected,
                "holm": self.pvalues,
                "bonferroni_dunn_cd": self.critical_difference,
                "differs": self.differs,
                "wilcoxon": self.wilcoxon,
                "wilcoxon_holm": self.wilcoxon_holm,
            }
        )

    def __str__(self) -> str:
        lines = [
            f"{self.control} against {len(self.others)} methods on {self.n_blocks} blocks at "
            f"{self.level:g}, mean rank {self.control_mean_rank:.3f}"
        ]
        if np.isfinite(self.critical_difference):
            lines.append(f"Bonferroni-Dunn critical difference: {self.critical_difference:.3f}")
        lines += [
            f"{name}: mean rank {rank:.3f}, z = {z:.3f}, p (Holm) = {p:.3g}, p (Wilcoxon and Holm) "
            f"= {signed:.3g}{', differs' if differs else ''}"
            for name, rank, z, p, signed, differs in zip(
                self.others,
                self.mean_ranks,
                self.z,
                self.pvalues,
                self.wilcoxon_holm,
                self.differs,
                strict=True,
            )
        ]
        return "\n".join(lines)


def compare_with_control(
    scores: ArrayLike,
    control: str,
    *,
    names: Sequence[str] | None = None,
    larger_is_better: bool = True,
    level: float = 0.05,
) -> ControlComparison:
    """Compare every other method with a control method by ranks over blocks.

    The statistic of a method j against the control c is

        z = (R_j - R_c) / sqrt(k (k + 1) / (6 N)),

    with the standard normal distribution. Its k - 1 two-sided p-values are adjusted by Holm's
    procedure. The Bonferroni-Dunn test is its single-step form: j differs if |R_j - R_c| >= CD,

        CD = q sqrt(k (k + 1) / (6 N)), where q is the normal quantile at 1 - level / (2 (k - 1)).

    Every difference that the Bonferroni-Dunn test finds, Holm's procedure finds as well. Beside
    them, Wilcoxon's signed-rank test compares each method with the control without regard to the
    other methods, with Holm's adjustment for k - 1 tests; it is exact, while z is an approximation
    that needs some 10 blocks. If scores are missing, mean ranks and z are those of Skillings and
    Mack's test and there is no common critical difference.

    Parameters
    ----------
    scores : frame of any library, dict of columns or array-like of shape (N, k)
        As in :func:`hetsel.stats.friedman`. A missing value is a gap, as in
        :func:`hetsel.stats.skillings_mack`.
    control : str
        Name of the control method.
    names, larger_is_better
        As in :func:`hetsel.stats.friedman`.
    level : float
        Level of significance, over all comparisons together. Default: 0.05.

    Returns
    -------
    ControlComparison

    Raises
    ------
    TableError
        If `control` is not the name of a method, or the scores are no legal input of
        :func:`hetsel.stats.friedman` or :func:`hetsel.stats.skillings_mack`.

    See Also
    --------
    hetsel.stats.nemenyi : All pairs of methods.
    hetsel.stats.hodges_lehmann : How large a difference is.

    References
    ----------
    Demsar (2006) Journal of Machine Learning Research 7, section 3.2.2; Dunn (1961) JASA 56, 52-64;
    Holm (1979) Scandinavian Journal of Statistics 6, 65-70.

    Examples
    --------
    >>> from hetsel.stats import compare_with_control
    >>> scores = [[0.9, 0.8, 0.5], [0.8, 0.9, 0.4], [0.7, 0.6, 0.3], [0.9, 0.8, 0.2]]
    >>> print(compare_with_control(scores, "a", names=["a", "b", "c"]))
    a against 2 methods on 4 blocks at 0.05, mean rank 1.250
    Bonferroni-Dunn critical difference: 1.585
    b: mean rank 1.750, z = 0.707, p (Holm) = 0.48, p (Wilcoxon and Holm) = 0.625
    c: mean rank 3.000, z = 2.475, p (Holm) = 0.0267, p (Wilcoxon and Holm) = 0.25, differs
    """
    level = between_0_and_1("level", level)
    values, labels = read_scores(scores, names, gaps=True)
    if control not in labels:
        raise TableError(f"control must be one of {', '.join(labels)}. Got {control!r:.60}")
    c, k = labels.index(control), len(labels)
    others = [j for j in range(k) if j != c]
    gaps = bool(np.isnan(values).any())
    if gaps:
        gapped = skillings_mack(values, names=labels, larger_is_better=larger_is_better)
        ranks, n = gapped.mean_ranks, gapped.n_blocks
        inverse = np.linalg.pinv(gapped.covariance, hermitian=True)
        contrasts = inverse[others] - inverse[c]
        variances = contrasts[np.arange(k - 1), others] - contrasts[:, c]
        z, distance = contrasts @ gapped.adjusted_sums / np.sqrt(variances), nan
    else:
        result = friedman(values, names=labels, larger_is_better=larger_is_better)
        ranks, n = result.mean_ranks, result.n_blocks
        z = (ranks[others] - ranks[c]) / sqrt(k * (k + 1) / (6 * n))
        distance = bonferroni_dunn(k, n, level=level)
    uncorrected = 2 * stats.norm.sf(np.abs(z))
    pairs = [_both(values, j, c) for j in others]
    signed = np.array([pair_pvalue(*pair) if len(pair[0]) > 1 else nan for pair in pairs])
    several = int(np.isfinite(signed).sum())
    return ControlComparison(
        control=control,
        others=tuple(labels[j] for j in others),
        n_blocks=n,
        level=level,
        control_mean_rank=float(ranks[c]),
        mean_ranks=ranks[others],
        z=z,
        uncorrected=uncorrected,
        pvalues=holm(uncorrected),
        critical_difference=distance,
        differs=reaches(np.abs(z), dunn_quantile(k, level=level)),
        wilcoxon=signed,
        wilcoxon_holm=holm(signed),
        least=least_wilcoxon_holm(max(len(x) for x, _ in pairs), several) if several else nan,
    )


def bonferroni_dunn(k: int, n_blocks: int, *, level: float = 0.05) -> float:
    """Compute the Bonferroni-Dunn critical difference of mean ranks of k methods over N blocks.

    CD = q sqrt(k (k + 1) / (6 N)): Demsar (2006) Journal of Machine Learning Research 7, section
    3.2.2, with q of Table 5(b).
    """
    return dunn_quantile(k, level=level) * sqrt(k * (k + 1) / (6 * n_blocks))


def dunn_quantile(k: int, *, level: float = 0.05) -> float:
    """Compute the two-sided normal quantile at level / (k - 1), for k - 1 comparisons."""
    return float(stats.norm.isf(between_0_and_1("level", level) / (2 * (k - 1))))


def _both(values: Floats, j: int, c: int) -> tuple[Floats, Floats]:
    """Return the scores of two methods on the blocks that have both."""
    pair = values[:, [j, c]]
    pair = pair[~np.isnan(pair).any(axis=1)]
    return pair[:, 0], pair[:, 1]
