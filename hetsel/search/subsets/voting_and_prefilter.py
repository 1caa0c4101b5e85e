"""The choice among candidates, tuples of features: by one criterion or a vote, after a prefilter.

The prefilter is a second criterion that decides which candidates are evaluated (somol2011, 4.1 and
4.2).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from hetsel.ground import TableError, share
from hetsel.ground.equal_numbers import equalized
from hetsel.search.subsets import subset_values

Units = tuple[int, ...]
# candidates to add (1) or remove (-1), values (candidates, m) by each member -> place of one
Choice = Callable[[Sequence[Units], np.ndarray, int], int]


def best_mean(tuples: Sequence[Units], values: np.ndarray, sign: int) -> int:
    """Return the candidate of the largest mean value, the first of equal ones."""
    return int(merit(values).argmax())


def merit(values: np.ndarray) -> np.ndarray:
    """Return one value per row: the mean over the members of an ensemble."""
    return values[:, 0] if values.shape[1] == 1 else np.asarray(equalized(values.mean(axis=1)))


# shortfall of a candidate from a member's best one, by the name of the vote
SHORTFALLS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "order": lambda values: stats.rankdata(-values, method="dense", axis=0),
    "median": lambda values: stats.rankdata(-values, method="average", axis=0),
    "weighted": lambda values: values.max(axis=0) - values,
}
TRIMMED = "trimmed-"
VOTING = tuple(trim + name for trim in ("", TRIMMED) for name in SHORTFALLS)


class Voting:
    """Votes of the members of an ensemble (somol2011, section 3.1).

    "order": votes are the ranks in each member's order, with equal values on the same rank (Eq. 15
    to 17). "median": equal values are on the median of their ranks (remark 3.1). "weighted": the
    shortfall of a candidate from the member's best value (Eq. 18 and 19). "trimmed-" leaves out the
    best and the worst vote of each candidate (section 5). Of equal candidates the one with the
    better mean vote so far is chosen, with additions and removals counted separately, then the
    first.
    """

    def __init__(self, how: str = "order") -> None:
        self._shortfall = SHORTFALLS[how.removeprefix(TRIMMED)]
        self._trimmed = how.startswith(TRIMMED)
        self._sums: dict[int, dict[Units, tuple[float, int]]] = {1: {}, -1: {}}

    def votes(self, values: np.ndarray) -> np.ndarray:
        """Return a vote (candidates,) each, larger is better: the mean over the members."""
        short = self._shortfall(values)
        if self._trimmed:
            if values.shape[1] < 3:
                raise TableError(
                    "trimmed votes need an ensemble of at least three criteria. Name more criteria"
                )
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
    """Filter of a hybrid search: keeps max(1, round(share T)) of T candidates, halves rounded up.

    For removals T is the number of candidates minus 1. somol2011, definitions 4.1 and 4.2.
    """

    evaluation: subset_values.SubsetEvaluation
    share: float

    def __post_init__(self) -> None:
        share("hybrid", self.share)

    def keep(self, subset: int, tuples: list[Units], sign: int) -> list[Units]:
        """Return the candidates that pass, in their original order."""
        among = len(tuples) - (sign < 0)
        count = max(1, int(np.floor(self.share * among + 0.5)))
        if count >= len(tuples):
            return tuples
        values = merit(self.evaluation.neighbors(subset, tuples, sign))
        best = np.argsort(-values, kind="stable")[:count]
        return [tuples[k] for k in np.sort(best)]
