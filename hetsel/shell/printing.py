"""Print JSON, the classes of a target, and the seconds while a command runs."""

import json
import math
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from hetsel.ground import counted, listed
from hetsel.ground.signals import start_deaf


def print_json(content: dict[str, Any]) -> None:
    """Print JSON on stdout; NaN and infinities become null."""
    print(json.dumps(json_value(content), indent=1, ensure_ascii=False, allow_nan=False))


def json_value(value: Any) -> Any:
    """Convert a value for JSON; NaN and infinities become None."""
    if isinstance(value, dict):
        return {str(key): json_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [json_value(item) for item in value]
    if hasattr(value, "item"):  # a number of numpy
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def class_line(counts: dict[str, int], n_unlabeled: int = 0, positive: str | None = None) -> str:
    """List the classes with their rows and the positive class."""
    text = listed((f"{count} of class {label}" for label, count in sorted(counts.items())), 8)
    text += "" if positive is None else f"; positive class: {positive}"
    return text + (f"; missing in {counted(n_unlabeled, 'row')}" if n_unlabeled else "")


@contextmanager
def elapsed(what: str, state: Callable[[], str] = str) -> Iterator[None]:
    """Show the elapsed seconds on the terminal; do nothing if stderr is not a terminal.

    `state` returns further words for each update.
    """
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()

    def count() -> None:
        start = time.perf_counter()
        while not done.wait(0.5):
            seconds = time.perf_counter() - start
            line = f"{what}: {seconds:.0f} s{state()} "[: shutil.get_terminal_size().columns - 1]
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)

    clock = threading.Thread(target=count, daemon=True)
    start_deaf(clock.start)
    try:
        yield
    finally:
        done.set()
        clock.join()
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
