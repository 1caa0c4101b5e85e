"""What differs by little is as good as equal: the region of practical equivalence.

Notation, of the Bayesian comparisons of two methods. z_1, ..., z_n differences of their scores,
that of the first minus that of the second. The region of practical equivalence is [-rope, rope],
its ends included: what differs by no more is as good as equal. Three probabilities, which add up
to 1: the second method is better (left), the two are equivalent, the first is better (right). No
p-value says the one in the middle. Differences that are at an end of the region up to rounding lie
in it (`rounding`).

Reference: Benavoli, Corani, Demsar & Zaffalon (2017) Journal of Machine Learning Research 18(77).
"""

from __future__ import annotations

from math import inf
from typing import Protocol

from hetsel.ground.errors import TableError
from hetsel.ground.parameters import is_number

ROPE = 0.01  # the 1 % of Benavoli et al. (2017), for scores between 0 and 1


class Compared(Protocol):
    """What a Bayesian comparison of two methods answers."""

    @property
    def left(self) -> float: ...
    @property
    def equivalent(self) -> float: ...
    @property
    def right(self) -> float: ...
    @property
    def rope(self) -> float: ...


def in_three(found: Compared) -> str:
    """The three probabilities in words."""
    return (
        f"P(below -{found.rope:g}) = {found.left:.3g}, P(within {found.rope:g}) = "
        f"{found.equivalent:.3g}, P(above {found.rope:g}) = {found.right:.3g}"
    )


def check_rope(rope: float) -> None:
    """Refuse a largest negligible difference that is none.

    Raises
    ------
    TableError
    """
    if not is_number(rope) or not 0 <= rope < inf:
        raise TableError(
            "rope, the largest difference that is practically none, must be 0 or larger. "
            f"Got {rope!r}."
        )
