"""Compute cells in worker processes, on a Dask cluster, or in this process.

The engine does not change results: cells do not depend on it, and linear algebra uses one thread.
"""

import _thread
import signal
import sys
import threading
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from hetsel.evaluation.computation import Computation, in_a_line
from hetsel.evaluation.engines import cell_queue, dask_cluster, local_workers
from hetsel.ground import Fix, HetselWarning, PlanError
from hetsel.ground.signals import handlers, restore_handler, start_deaf


def computed(
    queue: cell_queue.CellQueue,
    recipes: Sequence[Computation],
    *,
    jobs: int,
    dask: str | None = None,
    time_limit: float | None = None,
    kept: local_workers.KeptWorkers | dask_cluster.KeptCluster | None = None,
    enough: Callable[[], bool] | None = None,
    alone: int = 0,
) -> Generator[cell_queue.Outcomes]:
    """Yield outcomes of all cells of a queue as they are ready; `recipes` are those of its cells.

    With 0 `jobs` this process computes everything; otherwise this number of workers or a `dask`
    cluster at an address does. `kept` is an existing engine to use. `enough` is called between
    batches; worker processes start when it returns True, and this process computes until then.
    `alone` is the number of jobs by which users choose this process.

    Raises
    ------
    PlanError
        If a method cannot be sent to another process, but a time limit or cluster requires it.
    """
    obstacle = _obstacle(recipes)
    if dask is not None:
        if obstacle:
            raise PlanError(f"the cluster cannot be used because {obstacle}")
        return through(
            kept or dask_cluster.DaskCluster(dask, time_limit, cell_queue.code_of_recipes(recipes)),
            queue,
        )
    program = local_workers.python()
    if program is None:
        obstacle = "the Python program of this session, which a worker would run, is unknown"
    if jobs and program is not None and not obstacle:
        workers = kept or local_workers.Workers(jobs, program, time_limit, alone)
        return through(workers, queue, enough)
    if time_limit is not None:
        needed = "time_limit needs a worker process"
        if obstacle:
            raise PlanError(f"{needed}, but {obstacle}")
        raise PlanError(needed, Fix("jobs", 1, "to start one"))
    if jobs:
        warnings.warn(HetselWarning(obstacle, Fix("jobs", alone, "is used")), stacklevel=2)
    return in_process(queue)


def _obstacle(recipes: Iterable[Computation]) -> str:
    """State why a method cannot be sent to another process; "" if all can."""
    for recipe in {id(recipe): recipe for recipe in recipes}.values():
        try:
            cell_queue.Parcel("", recipe).packed()
        except Exception as reason:
            label = recipe.method.label
            return f"method {label!r} cannot be sent to another process ({in_a_line(str(reason))})"
    return ""


def through(
    engine: local_workers.Workers | dask_cluster.DaskCluster,
    queue: cell_queue.CellQueue,
    enough: Callable[[], bool] | None = None,
) -> Generator[cell_queue.Outcomes]:
    """Yield outcomes of all cells of a queue from an engine; in this process until `enough`.

    A cell whose process died is computed again without other work, and becomes a failure if its
    process dies again. The first Ctrl-C is raised after the outcomes of all finished cells.
    """
    if enough is not None:
        yield from in_process(queue, enough)
        if not queue:
            return
    suspects: deque[cell_queue.Order] = deque()
    flying: dict[str, cell_queue.Order] = {}
    alone = False

    def send(orders: list[cell_queue.Order]) -> None:
        flying.update({order.key: order for order in orders})
        engine.send(orders)

    def settled(heard: cell_queue.Heard) -> cell_queue.Outcomes:
        order = flying.pop(heard.key)
        if not isinstance(heard, cell_queue.Lost):
            return [heard]
        if alone:
            return [heard.failure()]
        suspects.append(order)
        return []

    with first_interrupt() as interrupted, closing(engine):
        while True:
            alone = alone and not engine.idle
            if suspects and engine.idle:
                alone = True
                send([suspects.popleft()])
            while queue and engine.room and not (suspects or alone):
                send(cell_queue.orders_of(queue.take()))
            if engine.idle:
                return
            heard = engine.hear()
            if interrupted.is_set():
                heard += engine.stop()
            if outcomes := [outcome for one in heard for outcome in settled(one)]:
                yield outcomes
            if interrupted.is_set():
                raise KeyboardInterrupt


# Cells in this process, and the first Ctrl-C of a run.
PATIENCE = 2.0  # seconds that a cell may continue after Ctrl-C


def in_process(
    queue: cell_queue.CellQueue, enough: Callable[[], bool] | None = None
) -> Generator[cell_queue.Outcomes]:
    """Compute cells in this process until `enough`; Ctrl-C waits briefly for a cell."""
    with threadpool_limits(limits=1), first_interrupt(PATIENCE) as interrupted:
        while queue and not (enough is not None and enough()):
            data, jobs = queue.take()
            outcomes: cell_queue.Outcomes = []
            try:
                for recipe, resampling, key, known in jobs:
                    outcomes.append(cell_queue.resumed(recipe, known).run(data, resampling, key))
                    if interrupted.is_set():
                        break
            except KeyboardInterrupt:
                yield outcomes
                raise
            yield outcomes
            if interrupted.is_set():
                raise KeyboardInterrupt


@contextmanager
def first_interrupt(patience: float | None = None) -> Iterator[threading.Event]:
    """Set an event on the first Ctrl-C; the next one interrupts at once, as before.

    If nobody checks the event, the first Ctrl-C interrupts at the end, or after `patience` seconds.
    An event is used because a KeyboardInterrupt can be lost: while compiled code is loaded, it is
    printed and ignored, and the run would continue.
    """
    heard = threading.Event()
    before = handlers(signal.SIGINT)
    main = threading.current_thread() is threading.main_thread()
    if not main or before[0] in (None, signal.SIG_IGN):
        yield heard  # Ctrl-C is not handled here, for example in the background of a shell
        return
    again = threading.Timer(patience or 0.0, _interrupt)
    again.daemon = True

    def hear(*_: object) -> None:
        heard.set()
        restore_handler(signal.SIGINT, before)
        if patience is not None:
            start_deaf(again.start)

    signal.signal(signal.SIGINT, hear)
    try:
        yield heard
    finally:
        again.cancel()
        restore_handler(signal.SIGINT, before)
    if heard.is_set():
        raise KeyboardInterrupt


def _interrupt() -> None:
    """Send Ctrl-C to the main thread, also during a sleep."""
    if sys.platform == "win32":
        _thread.interrupt_main()
    else:
        ident = threading.main_thread().ident
        assert ident is not None
        signal.pthread_kill(ident, signal.SIGINT)
