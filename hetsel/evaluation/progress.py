"""Lines on stderr while a study runs: how much is done, and how long the rest will take."""

import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from math import inf
from pathlib import Path

from hetsel.ground import counted

EVERY = 10.0  # seconds between two lines where stderr is no terminal
SURE = 3  # parts after which they tell how long the others take
OnProgress = Callable[[int, int], None]  # (finished, all)
StepProgress = Callable[[int, int, str], None]  # (finished, all, step)
LONG = 2.0  # seconds of one part after which it tells that alone


class Pace:
    """How long the rest of some parts takes, by those since the `first`, which load for all."""

    def __init__(self, first: int) -> None:
        self._begin, self._first = time.perf_counter(), first

    def left(self, finished: int, every: int) -> float:
        """Seconds; infinite as long as fewer than SURE parts tell it, or one of LONG seconds."""
        done, passed = finished - self._first, time.perf_counter() - self._begin
        told = done >= SURE or (done > 0 and passed > LONG * done)
        return passed / done * (every - finished) if told else inf


class RunProgress:
    """What a run says; nothing where `shown` is False."""

    def __init__(self, shown: bool) -> None:
        self._shown = shown
        self._terminal = sys.stderr.isatty()
        self._failed = 0
        self._done: Counter[tuple[str, str]] = Counter()
        self._wanted: Counter[tuple[str, str]] = Counter()
        self._store_seconds = 0.0
        self._total = 0
        self._begin = self._last = time.perf_counter()

    def line(self, text: str) -> None:
        if self._shown:
            clear = "\r\x1b[K" if self._terminal else ""
            print(f"{clear}hetsel: {text}", file=sys.stderr, flush=True)

    def start(self, wanted: Counter[tuple[str, str]], total: int) -> None:
        """Cells to compute, by data set and method; cells of the whole study."""
        self._wanted, self._total = wanted, total
        self._begin = self._last = time.perf_counter()
        self.line(f"{wanted.total()} of {total} cells to compute")

    def stored(self, seconds: float) -> None:
        self._store_seconds += seconds

    def cell(self, place: tuple[str, str], failed: bool) -> None:
        self._done[place] += 1
        self._failed += failed
        now = time.perf_counter()
        if self._shown and now - self._last >= (0.5 if self._terminal else EVERY):
            self._last = now
            self._show(now - self._begin)

    def _show(self, passed: float) -> None:
        done, wanted = self._done.total(), self._wanted.total()
        text = f"{self._total - wanted + done} of {self._total} cells"
        if self._failed:
            text += f", {self._failed} failed"
        text += f", {clock(passed)} passed"
        # resamplings are outermost: once all have begun, the cells to come are like those done
        if done < wanted and self._done.keys() >= self._wanted.keys():
            text += f", about {clock(passed / done * (wanted - done))} left"
        if self._terminal:
            print(f"\r\x1b[K{text} ", end="", file=sys.stderr, flush=True)
        else:
            self.line(text)

    def end(self, failed: Mapping[str, tuple[str, str]], keys: list[str], path: Path) -> None:
        broken = [failed[key][0] for key in keys if key in failed]
        if self._done:
            passed = time.perf_counter() - self._begin
            share = 100 * self._store_seconds / max(passed, 1e-9)
            cells = counted(self._done.total(), "cell")
            self.line(f"{cells} in {clock(passed)} ({share:.1f} % in the store): {path}")
        else:
            self.line(f"nothing to compute: {path} has all {len(keys)} cells")
        for reason, count in Counter(broken).most_common(5):
            self.line(f"{counted(count, 'cell')} failed: {reason}")
        if broken:
            self.line("a run with retry computes failed cells once more")


def clock(seconds: float) -> str:
    """Seconds in words.

    Examples
    --------
    >>> clock(5.25), clock(75), clock(4000)
    ('5.2 s', '1 min 15 s', '1 h 06 min')
    """
    if seconds < 59.5:
        return f"{seconds:.1f} s" if seconds < 9.95 else f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s"
    return f"{minutes // 60} h {minutes % 60:02d} min"


def of_step(progress: StepProgress | None, step: str) -> OnProgress | None:
    """What is called with (finished, all) parts of a step, from what takes its name as well."""
    return None if progress is None else lambda finished, every: progress(finished, every, step)


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
