"""Sizes chosen on one half of the resamplings and judged on the other.

Notation as in `resampled_means`: K resamplings of one data set, numbered. One half are those of
even number, the other those of odd number.

What this does and what it does not do. A mean at the size where it is largest is too large, and
judging on other resamplings takes away the part of that which is chance of the splits. The halves
share the rows of the table, though: what the table itself favors by chance, it favors in both
halves. A method whose own curve chooses the size for all keeps an advantage at it: in 200 studies
of five exchangeable methods on noise its mean BCR was 0.016 above the others' as printed in
paul2015, 0.006 cross-fitted (standard error 0.0016; `tests/arena/campaigns/noise_studies.py`). A
comparison of methods holds its level by symmetry only: every method at its own size, by one rule,
or one size for all by a rule that treats them alike. There the difference was -0.001.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hetsel.ground.errors import TableError
from hetsel.ground.parameters import whole_number
from hetsel.statistics.comparisons.resampled_means import Correction, smallest_good_size
from hetsel.statistics.doors.held_cells import list_cells
from hetsel.statistics.doors.score_tables import read_numbers

FEWEST = 2  # resamplings in a half


def crossfitted_sizes(
    scores: ArrayLike,
    sizes: Sequence[int],
    numbers: ArrayLike | None = None,
    *,
    test_share: float,
    level: float = 0.95,
    correction: Correction = "naive",
) -> NDArray[np.int64]:
    """The size at which each resampling is judged: that which the other half chooses.

    A half chooses the smallest size whose mean lies in the interval of its best mean, see
    :func:`hetsel.stats.smallest_good_size`: resamplings of even number are judged at the size that
    those of odd number choose, and the reverse.

    Parameters
    ----------
    scores : array-like, shape (K, number of sizes)
        One row per resampling; larger is better. Of one method, or means over several.
    sizes : sequence of int
        The sizes, in the order of the columns, none twice.
    numbers : array-like of int, shape (K,), optional
        Number of each resampling; 0, 1, ... by default.
    test_share, level, correction
        Of the interval, see :func:`hetsel.stats.smallest_good_size`.

    Returns
    -------
    ndarray of int, shape (K,)

    Raises
    ------
    TableError
        If a half has fewer than 2 resamplings, a score is missing, or sizes do not fit.

    References
    ----------
    Stone (1974) Journal of the Royal Statistical Society B 36, 111-147 (choice and assessment);
    Varma & Simon (2006) BMC Bioinformatics 7, 91 (the bias of the same data for both).

    Examples
    --------
    >>> scores = [[0.5, 0.8, 0.8], [0.5, 0.7, 0.9], [0.5, 0.8, 0.8], [0.5, 0.7, 0.9]]
    >>> crossfitted_sizes(scores, [1, 2, 5], test_share=0.1)
    array([5, 2, 5, 2])
    """
    values = read_numbers(
        scores, 2, "scores must have one row per resampling, one column per size", "resampling"
    )
    given = range(len(values)) if numbers is None else list_cells(numbers, "numbers").tolist()
    places = np.array([whole_number("numbers", number, 0) for number in given])
    if places.shape != (len(values),):
        raise TableError(
            f"numbers must be one for each row of scores. Got {places.size} for {len(values)}."
        )
    even = places % 2 == 0
    found = np.empty(len(values), dtype=np.int64)
    for half in (even, ~even):
        if half.sum() < FEWEST:
            raise TableError(
                f"{FEWEST} resamplings of even number and {FEWEST} of odd number are needed. "
                f"Got {int(even.sum())} and {int((~even).sum())}."
            )
        good = smallest_good_size(
            values[half], sizes, test_share=test_share, level=level, correction=correction
        )
        found[~half] = good.size
    return found
