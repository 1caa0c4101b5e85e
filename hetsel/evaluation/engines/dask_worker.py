"""What a worker of a Dask cluster does: it keeps one worker process beside itself.

A method that crashes or hangs ends that process and not the worker of the cluster, which others may
use.
"""

import dataclasses
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

from hetsel.evaluation.by_key.code_of_modules import Facts
from hetsel.evaluation.engines.cell_queue import Heard, Order, Parcel, difference
from hetsel.evaluation.engines.local_workers import Workers
from hetsel.evaluation.engines.worker_process import python
from hetsel.ground.signals import start_deaf

IDLE = 60.0  # seconds without a batch, after which the process ends: its run may be gone


@dataclass
class Beside:
    """The worker process that a run has here, and what it has found of a batch."""

    workers: Workers
    found: list[Heard] = field(default_factory=list)
    computing: threading.Lock = field(default_factory=threading.Lock)
    batches: int = 0

    def rest(self, batches: int) -> None:
        """End the process if no batch has come since; the next one starts another."""
        with self.computing:
            if self.batches == batches:
                self.workers.close()


_BESIDE: dict[str, Beside] = {}
_ENDED: set[str] = set()


def compute(
    run: str, data: Parcel, orders: Sequence[Order], limit: float | None, code: Facts
) -> list[Heard] | str:
    """The outcomes of a batch; a sentence where this worker is refused."""
    if differs := difference(code):
        return differs
    program = python()
    if program is None:
        return "its Python is not known, which a worker process would run"
    beside = _BESIDE.setdefault(run, Beside(Workers(1, program, limit)))
    with beside.computing:
        beside.found = []
        beside.batches += 1
        try:
            beside.workers.send([dataclasses.replace(order, data=data) for order in orders])
            while run not in _ENDED and not beside.workers.idle:
                beside.found += beside.workers.hear()
        finally:
            if not beside.workers.idle:  # it is ended or cannot begin; the next batch is another
                beside.found += beside.workers.stop()
        resting = threading.Timer(IDLE, beside.rest, (beside.batches,))
        resting.daemon = True
        start_deaf(resting.start)
        return beside.found


def end(run: str) -> list[Heard]:
    """End the worker process of a run; what it has found of a batch that was not done."""
    _ENDED.add(run)
    beside = _BESIDE.pop(run, None)
    if beside is None:
        return []
    with beside.computing:  # it ends in a moment
        return [*beside.found, *beside.workers.stop()]
