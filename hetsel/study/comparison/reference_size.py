"""The small size of Paul et al. (2015), section 5: the reference method chooses it."""

from collections.abc import Iterator, Sequence

import pandas as pd

from hetsel.ground.rounding import reaches
from hetsel.statistics.comparisons import friedman, resampled_means

REFERENCE = "rfe-mkl"  # the method that chooses in Paul et al. (2015)
LEVEL = 0.95
AT_CHOSEN_SIZE: tuple[resampled_means.Correction, ...] = ("naive", "nadeau-bengio")


def best_methods(blocks: pd.DataFrame, means: pd.Series) -> list[str]:
    """Return the methods with the best mean rank, or without blocks the best mean."""
    if len(blocks):
        means = -friedman.ranks_in_blocks(blocks).mean()
    best = reaches(means.to_numpy(), float(means.max()))
    return [str(method) for method in means.index[best]]


def reference_curves(
    frame: pd.DataFrame, score: str, reference: str, datasets: Sequence[str]
) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield scores (resamplings, sizes) of the reference by data set, or of the first method."""
    for dataset in datasets:
        every = frame[frame["dataset"] == dataset].dropna(subset=[score])
        own = every[every["method"] == reference]
        own = own if len(own) else every[every["method"] == every["method"].iloc[0]]
        table = own.pivot(index="resampling", columns="size", values=score)
        whole = table.dropna()
        yield dataset, whole if len(whole) else table


def sizes_of_best_mean(curves: pd.DataFrame) -> list[int]:
    """Return the sizes with the best mean of curves (resamplings, sizes)."""
    means = curves.mean()
    best = reaches(means.to_numpy(), float(means.max()))
    return [int(size) for size in means.index[best]]


def small_size_of(
    curves: pd.DataFrame, test_share: float, correction: resampled_means.Correction
) -> int:
    """Return the smallest size in the interval of the best mean, or the best of one resampling."""
    if len(curves) < 2:
        return sizes_of_best_mean(curves)[0]
    choice = resampled_means.smallest_good_size(
        curves.to_numpy(),
        [int(size) for size in curves.columns],
        test_share=test_share,
        level=LEVEL,
        correction=correction,
    )
    return int(choice.size)


def paired_tests(
    scores: pd.DataFrame, reference: str, method: str, test_share: float
) -> tuple[resampled_means.ResampledTest, ...]:
    """Return tests of reference minus method, naive and corrected by Nadeau and Bengio."""
    if not {method, reference} <= set(scores.columns):
        return ()
    difference = (scores[reference] - scores[method]).dropna().to_numpy()
    if len(difference) < 2:
        return ()
    return tuple(
        resampled_means.resampled_t_test(difference, test_share=test_share, correction=correction)
        for correction in AT_CHOSEN_SIZE
    )
