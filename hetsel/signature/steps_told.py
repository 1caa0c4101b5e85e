"""Which step of a fit is at work, how far it is, and how long the rest of it will take."""

from __future__ import annotations

import time
from collections.abc import Callable

from hetsel.signature.nested.engine_runs import Say
from hetsel.study.progress import clock

SayStep = Callable[[int, int, str], None]  # (finished, all, step)

SURE = 3  # parts of a step after which they tell how long the others take


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
        self._begin, self._first = 0.0, 0

    def __call__(self, finished: int, every: int, step: str) -> None:
        """So many parts of all of this step are finished."""
        if step != self._step or finished <= self._first:
            self._begin, self._first = time.perf_counter(), finished
        self._step, self._finished, self._all = step, finished, every

    def words(self) -> str:
        """Which step it is, and how long it will take from here; nothing before the first."""
        if not self._step:
            return ""
        said = f"{self._step}, {self._finished} of {self._all} parts"
        done = self._finished - self._first
        if done >= SURE and self._finished < self._all:
            passed = time.perf_counter() - self._begin
            said += f", about {clock(passed / done * (self._all - self._finished))} of it left"
        return said
