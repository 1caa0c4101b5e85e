"""Splits in the order of time: the rows before the test rows train."""

import numpy as np

from hetsel.ground.errors import PlanError
from hetsel.resampling.resamplings import Resamplings
from hetsel.resampling.splits import quotas

FEWEST = 2  # training rows


def before_and_after(
    order: np.ndarray,
    resamplings: Resamplings,
    resampling: int,
    groups: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Training rows, and the test rows that come after them, both ascending.

    `order` (n,) is the place of each row in time; rows of one time are taken as they come in the
    table. Resampling 0 tests the last rows.
    """
    n = len(order)
    _, (m,) = quotas(np.array([n]), _test_part(resamplings))
    most = (n - FEWEST) // m
    if resamplings.count > most:
        raise PlanError(
            f"count must be in 1..{most}, as often as {m} of {n} rows can be tested after others. "
            f"Got {resamplings.count}"
        )
    latest = np.argsort(order, kind="stable")
    cut = n - (resampling + 1) * m
    test = latest[cut : cut + m]
    earlier = latest[:cut][-resamplings.train_count if resamplings.train_count else 0 :]
    training = order[earlier] < order[test].min()
    if groups is not None:
        training &= ~np.isin(groups[earlier], groups[test])
    if training.sum() < FEWEST:
        raise PlanError(
            f"resampling {resampling} has no {FEWEST} training rows before its test rows, of "
            "another time and group: take fewer resamplings or test rows"
        )
    return np.sort(earlier[training]), np.sort(test)


def _test_part(resamplings: Resamplings) -> Resamplings:
    """The number of test rows alone: the training rows before them are a window."""
    return Resamplings(
        kind="random", test_count=resamplings.test_count, test_share=resamplings.test_share
    )
