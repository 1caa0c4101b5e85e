"""Which of the candidates, tuples of features, goes next: the best by one criterion, or by a vote;
and which of them a second criterion lets pass before (somol2011, 4.1 and 4.2).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from hetsel.ground import TableError, share
from hetsel.ground.equal_numbers import equalized
from hetsel.search.subsets import subset_values

Units = tuple[int, ...]
# candidates to add (1) or to remove (-1), values (candidates, m) by each member: the place of one
Choice = Callable[[Sequence[Units], np.ndarray, int], int]


def best_mean(tuples: Sequence[Units], values: np.ndarray, sign: int) -> int:
    """The candidate of the largest mean value; of equal ones the first."""
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

    "order": votes are the places in each member's order, equal values on the same place (Eq. 15 to
    17); "median": on the median of the places that they take (remark 3.1); "weighted": what a
    candidate falls short of the member's best value (Eq. 18 and 19). With "trimmed-" before it each
    candidate's best and worst vote is left out (section 5). Of equal candidates the one goes whose
    votes were better on average so far, in additions and in removals each for itself; then the
    first.
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


@dataclass(frozen=True)
class Prefilter:
    """Hybrid search: of T candidates max(1, round(share T)) go on, halves up, T - 1 to remove.

    somol2011, definitions 4.1 and 4.2.
    """

    evaluation: subset_values.SubsetEvaluation
    share: float

    def __post_init__(self) -> None:
        share("hybrid", self.share)

    def keep(self, subset: int, tuples: list[Units], sign: int) -> list[Units]:
        """The candidates that go on, in the order in which they came."""
        among = len(tuples) - (sign < 0)
        count = max(1, int(np.floor(self.share * among + 0.5)))
        if count >= len(tuples):
            return tuples
        values = merit(self.evaluation.neighbors(subset, tuples, sign))
        best = np.argsort(-values, kind="stable")[:count]
        return [tuples[k] for k in np.sort(best)]
