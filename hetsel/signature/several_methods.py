"""Several methods, of which the best is chosen by the rows that do not judge it.

What the models of all methods predict stands side by side: a candidate is a method with a size, in
the place of a size alone. For each outer fold the other folds choose, for each method the size by
the rule and then the method whose size has the best mean score, the first of equals; so does the
cross-validation of all rows for the final model. No row that is judged has chosen.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np

from hetsel.ground.ties import TIE_WIDTH
from hetsel.signature.nested.fold_models import PartResult, Parts


class Candidate(NamedTuple):
    """A method, by its place, with a size."""

    method: int
    size: int


class Rule(Protocol):
    """What chooses a size of one method, see :class:`hetsel.signature.procedure.Procedure`."""

    @property
    def seed(self) -> int: ...

    def choose(
        self, sizes: tuple[int, ...], scores: np.ndarray, folds: int | None = None
    ) -> int: ...


@dataclass(frozen=True)
class ChoiceOfMethod:
    """Chooses among candidates as a rule chooses among sizes.

    Parameters
    ----------
    rule : Rule
        Of the size of each method.
    """

    rule: Rule
    size: str = "method and size"

    @property
    def seed(self) -> int:
        """That of the rule."""
        return self.rule.seed

    def choose(
        self, sizes: tuple[Candidate, ...], scores: np.ndarray, folds: int | None = None
    ) -> Candidate:
        """The candidate that scores (K, candidates) choose."""
        found, best = sizes[0], -np.inf
        for method in dict.fromkeys(one.method for one in sizes):
            own = [k for k, one in enumerate(sizes) if one.method == method]
            known = tuple(sizes[k].size for k in own)
            size = self.rule.choose(known, scores[:, own], folds)
            mean = float(np.nanmean(scores[:, own[known.index(size)]]))
            if mean > best + TIE_WIDTH:
                found, best = Candidate(method, size), mean
        return found


def side_by_side(
    parts: Sequence[Parts], results: Sequence[Mapping[int, PartResult]]
) -> tuple[Parts, dict[int, PartResult]]:
    """The models of several methods as those of one that has all their candidates.

    Parameters
    ----------
    parts : sequence of Parts
        Alike but for their methods.
    results : sequence of mapping of int to PartResult
    """
    candidates = tuple(Candidate(m, size) for m, one in enumerate(parts) for size in one.sizes)
    whole = {}
    for number in range(len(parts[0])):
        each = [one[number] for one in results]
        whole[number] = replace(
            each[0],
            predicted=np.concatenate([one.predicted for one in each]),
            decisions=np.concatenate([one.decisions for one in each]),
            signatures=sum((one.signatures for one in each), ()),
        )
    return replace(parts[0], sizes=candidates, pairs=True), whole  # type: ignore[arg-type]
