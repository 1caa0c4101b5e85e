"""Which of the candidates goes next: the best by one criterion, or by the vote of several.

Candidates are tuples of features that may be added to, or removed from, the working subset
(somol2011, definitions 1.1 and 1.2).
"""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from scipy import stats

from hetsel.ground.errors import TableError
from hetsel.ground.ties import equalized

Units = tuple[int, ...]


class Choice(Protocol):
    """Picks one of the candidates."""

    def __call__(self, tuples: Sequence[Units], values: np.ndarray, sign: int) -> int:
        """Place of the candidate to take.

        Parameters
        ----------
        tuples : sequence of tuple of int
            The candidates.
        values : ndarray of shape (candidates, m)
            What each member of the ensemble says of the subset with the candidate added or removed.
        sign : int
            1 if candidates are added, -1 if they are removed.
        """


def best_mean(tuples: Sequence[Units], values: np.ndarray, sign: int) -> int:
    """The candidate of the largest mean value; of equal ones the first.

    Examples
    --------
    >>> best_mean([(0,), (1,), (2,)], np.array([[0.5], [0.7], [0.7]]), 1)
    1
    """
    return int(merit(values).argmax())


def merit(values: np.ndarray) -> np.ndarray:
    """One value for each row: the mean over the members of an ensemble."""
    return values[:, 0] if values.shape[1] == 1 else np.asarray(equalized(values.mean(axis=1)))


# what a candidate falls short of a member's best one, by what the vote is called
SHORTFALLS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "order": lambda values: stats.rankdata(-values, method="dense", axis=0),
    "median": lambda values: stats.rankdata(-values, method="average", axis=0),
    "weighted": lambda values: values.max(axis=0) - values,
}
TRIMMED = "trimmed-"
VOTING = tuple(trim + name for trim in ("", TRIMMED) for name in SHORTFALLS)


class Voting:
    """Votes of the members of an ensemble (somol2011, section 3.1).

    Of equal candidates the one goes whose votes were better on average so far in the search, in
    additions and in removals each for itself; then the first.

    Parameters
    ----------
    how : str
        "order": votes are the places in each member's order, equal values on the same place, the
        next on the next place (Eq. 15 to 17); "median": equal values on the median of the places
        that they take (remark 3.1); "weighted": what a candidate falls short of the member's best
        value (Eq. 18 and 19). With "trimmed-" before it each candidate's best and worst vote is
        left out (section 5).

    Raises
    ------
    TableError
        Trimmed votes of fewer than three members.

    Examples
    --------
    >>> values = np.array([[0.9, 0.1], [0.8, 0.8], [0.7, 0.9]])
    >>> Voting().votes(values), Voting("weighted").votes(values).round(2)
    (array([-2., -2., -2.]), array([-0.4, -0.1, -0.1]))
    """

    def __init__(self, how: str = "order") -> None:
        self._shortfall = SHORTFALLS[how.removeprefix(TRIMMED)]
        self._trimmed = how.startswith(TRIMMED)
        self._sums: dict[int, dict[Units, tuple[float, int]]] = {1: {}, -1: {}}

    def votes(self, values: np.ndarray) -> np.ndarray:
        """Vote (candidates,) for each candidate, larger is better: the mean over the members."""
        short = self._shortfall(values)
        if self._trimmed:
            if values.shape[1] < 3:
                raise TableError("trimmed votes need an ensemble of three criteria or more")
            short = np.sort(short, axis=1)[:, 1:-1]
        return np.asarray(-equalized(short.mean(axis=1)))

    def __call__(self, tuples: Sequence[Units], values: np.ndarray, sign: int) -> int:
        votes = self.votes(values)
        seen = self._sums[sign]
        for units, vote in zip(tuples, votes.tolist(), strict=True):
            total, count = seen.get(units, (0.0, 0))
            seen[units] = (total + vote, count + 1)
        first = np.flatnonzero(votes == votes.max())
        averages = [seen[tuples[k]][0] / seen[tuples[k]][1] for k in first.tolist()]
        return int(first[int(np.argmax(equalized(np.array(averages))))])
