"""Progress of a run on stderr, with the estimated remaining time."""

import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from math import inf
from pathlib import Path

from hetsel.ground import counted
from hetsel.ground.text import in_ranges, without_numbers

EVERY = 10.0  # seconds between two lines if stderr is not a terminal
SURE = 3  # finished parts that suffice to estimate the remaining time
OnProgress = Callable[[int, int], None]  # (finished, all)
StepProgress = Callable[[int, int, str], None]  # (finished, all, step)
LONG = 2.0  # seconds of a part from which on one part suffices


class Pace:
    """Estimate the remaining time from the parts since the `first`, which load for all."""

    def __init__(self, first: int) -> None:
        self._begin, self._first = time.perf_counter(), first

    def left(self, finished: int, every: int) -> float:
        """Return remaining seconds; infinite until enough parts are finished."""
        done, passed = finished - self._first, time.perf_counter() - self._begin
        told = done >= SURE or (done > 0 and passed > LONG * done)
        return passed / done * (every - finished) if told else inf


class RunProgress:
    """Report the progress of a run if `shown`."""

    def __init__(self, shown: bool) -> None:
        self._shown = shown
        self._terminal = sys.stderr.isatty()
        self._failed = 0
        self._done: Counter[tuple[str, str]] = Counter()
        self._wanted: Counter[tuple[str, str]] = Counter()
        self._store_seconds = 0.0
        self._cpu = [0.0, 0.0]  # seconds of selections and of judges
        self._total = 0
        self._begin = self._last = time.perf_counter()

    def line(self, text: str) -> None:
        if self._shown:
            clear = "\r\x1b[K" if self._terminal else ""
            print(f"{clear}hetsel: {text}", file=sys.stderr, flush=True)

    def start(self, wanted: Counter[tuple[str, str]], total: int) -> None:
        """Begin with the numbers of cells to compute and of all cells."""
        self._wanted, self._total = wanted, total
        self._begin = self._last = time.perf_counter()
        self.line(f"{wanted.total()} of {total} cells to compute")

    def stored(self, seconds: float) -> None:
        self._store_seconds += seconds

    def computed(self, selecting: float, judging: float) -> None:
        """Count the CPU seconds of a selection and of its judges."""
        self._cpu = [self._cpu[0] + selecting, self._cpu[1] + judging]

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
        text += f", {clock(passed)} elapsed"
        # resamplings are outermost: when all methods have begun, other cells take as long
        if done < wanted and self._done.keys() >= self._wanted.keys():
            text += f", about {clock(passed / done * (wanted - done))} left"
        if self._terminal:
            print(f"\r\x1b[K{text} ", end="", file=sys.stderr, flush=True)
        else:
            self.line(text)

    def end(self, failures: Sequence[tuple[str, str]], total: int, path: Path) -> None:
        """End with the failures, each a method or judge and a reason, and the number of cells."""
        if self._done:
            passed = time.perf_counter() - self._begin
            share = 100 * self._store_seconds / max(passed, 1e-9)
            cells = counted(self._done.total(), "cell")
            selecting, judging = map(clock, self._cpu)
            self.line(
                f"{cells} in {clock(passed)} (CPU: selections {selecting}, judges {judging}; "
                f"{share:.1f}% for the store): {path}"
            )
        else:
            self.line(f"nothing to compute: {path} has all {total} cells")
        kinds: dict[tuple[str, ...], list[str]] = {}
        for label, reason in failures:
            kinds.setdefault((label, *without_numbers(reason)), []).append(reason)
        for (label, *_), reasons in sorted(kinds.items(), key=lambda kind: -len(kind[1])):
            failed = counted(len(reasons), "cell")
            self.line(f"{label}: {failed} failed: {in_ranges(reasons)}")
        if failures:
            self.line("use --retry, or the argument retry, to compute failed cells again")


def clock(seconds: float) -> str:
    """Format seconds.

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
    """Return a function of (finished, all) that adds the name of the step."""
    return None if progress is None else lambda finished, every: progress(finished, every, step)


class StepsTold:
    """Describe the progress of :meth:`hetsel.Signature.fit` in words.

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
        """Note the finished parts of a step."""
        if step != self._step or finished <= self._finished:
            self._pace = Pace(finished)
        self._step, self._finished, self._all = step, finished, every

    def words(self) -> str:
        """Describe the step and its remaining time; empty before the first step."""
        if not self._step:
            return ""
        said = f"{self._step}, {self._finished} of {self._all} parts"
        left = self._pace.left(self._finished, self._all)
        if self._finished < self._all and left < inf:
            said += f", about {clock(left)} left"
        return said
