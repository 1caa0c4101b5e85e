"""Which step of a fit is at work, how far it is, and how long the rest of it will take."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from hetsel.evaluation.progress import Pace, clock
from hetsel.signature.nested.engine_runs import Say

SayStep = Callable[[int, int, str], None]  # (finished, all, step)


def of_step(say: SayStep | None, step: str) -> Say | None:
    """What is called with (finished, all) parts of a step, from what takes its name as well."""
    return None if say is None else lambda finished, every: say(finished, every, step)


class StepsTold:
    """What :meth:`hetsel.Signature.fit` says, in words.

    Examples
    --------
    >>> told = StepsTold()
    >>> told(2, 30, "points")
    >>> told.words()
    'points, 2 of 30 parts'
    """

    def __init__(self) -> None:
        self._step, self._finished, self._all = "", 0, 0
        self._pace = Pace(0)

    def __call__(self, finished: int, every: int, step: str) -> None:
        """So many parts of all of this step are finished."""
        if step != self._step or finished <= self._finished:
            self._pace = Pace(finished)
        self._step, self._finished, self._all = step, finished, every

    def words(self) -> str:
        """Which step it is, and how long it will take from here; nothing before the first."""
        if not self._step:
            return ""
        said = f"{self._step}, {self._finished} of {self._all} parts"
        left = self._pace.left(self._finished, self._all)
        if self._finished < self._all and left < inf:
            said += f", about {clock(left)} of it left"
        return said
