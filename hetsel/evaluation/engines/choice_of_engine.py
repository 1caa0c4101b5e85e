"""Where cells are computed: in worker processes, on a Dask cluster, or in this process.

Which engine it is changes no result: cells know nothing of it, linear algebra runs on one thread.
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
    """Outcomes of all cells of a queue, as they are ready; `recipes` are those of its cells.

    With 0 `jobs` everything is computed in this process, else in so many workers, or at the address
    of a `dask` cluster; `kept` workers or a cluster stand in place of new ones. `enough`, asked
    between two batches, says when worker processes are to begin; until then it is this process. By
    `alone` jobs a user asks for this process.

    Raises
    ------
    PlanError
        What cannot be sent to another process cannot have a time limit, nor go to a cluster.
    """
    obstacle = _obstacle(recipes)
    if dask is not None:
        if obstacle:
            raise PlanError(f"the cluster cannot be used: {obstacle}")
        return through(
            kept or dask_cluster.DaskCluster(dask, time_limit, cell_queue.code_of_recipes(recipes)),
            queue,
        )
    program = local_workers.python()
    if program is None:
        obstacle = "the program of this session's Python is not known, which a worker would run"
    if jobs and program is not None and not obstacle:
        workers = kept or local_workers.Workers(jobs, program, time_limit, alone)
        return through(workers, queue, enough)
    if time_limit is not None:
        needed = "time_limit needs a worker process"
        if obstacle:
            raise PlanError(f"{needed}: {obstacle}")
        raise PlanError(needed, Fix("jobs", 1, "to start one"))
    if jobs:
        warnings.warn(HetselWarning(obstacle, Fix("jobs", alone, "is used")), stacklevel=2)
    return in_process(queue)


def _obstacle(recipes: Iterable[Computation]) -> str:
    """Why methods cannot be sent to another process; nothing where they can."""
    for recipe in {id(recipe): recipe for recipe in recipes}.values():
        try:
            cell_queue.Parcel("", recipe).packed()
        except Exception as reason:
            label = recipe.method.label
            return f"method {label!r} cannot be sent to another process: {in_a_line(str(reason))}"
    return ""


def through(
    engine: local_workers.Workers | dask_cluster.DaskCluster,
    queue: cell_queue.CellQueue,
    enough: Callable[[], bool] | None = None,
) -> Generator[cell_queue.Outcomes]:
    """Outcomes of all cells of a queue, as an engine has them ready; in this process till `enough`.

    A cell that was being computed when its process died is a suspect: it is computed once more when
    nothing else is, and becomes a failure if its process dies again. The first Ctrl-C is raised
    after the outcomes of all that was finished.
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


# Cells one after the other in this process, and the first Ctrl-C of a run.
PATIENCE = 2.0  # seconds that a cell has to end in after Ctrl-C


def in_process(
    queue: cell_queue.CellQueue, enough: Callable[[], bool] | None = None
) -> Generator[cell_queue.Outcomes]:
    """Compute one cell after the other till `enough`; Ctrl-C waits a moment for a cell to end."""
    with threadpool_limits(limits=1), first_interrupt(PATIENCE) as interrupted:
        while queue and not (enough is not None and enough()):
            data, jobs = queue.take()
            outcomes: cell_queue.Outcomes = []
            try:
                for recipe, resampling, key in jobs:
                    outcomes.append(recipe.run(data, resampling, key))
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
    """The first Ctrl-C sets an event; the next one interrupts at once, as it did before.

    One that came too late for anybody to look at the event interrupts at the end, and so does the
    first after the seconds of `patience`. A KeyboardInterrupt may be lost: one that arises while
    compiled code is being loaded is printed and ignored there, and the run would go on.
    """
    heard = threading.Event()
    before = handlers(signal.SIGINT)
    main = threading.current_thread() is threading.main_thread()
    if not main or before[0] in (None, signal.SIG_IGN):
        yield heard  # not ours to hear, as in the background of a shell
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
    """Ctrl-C for the main thread, also in a sleep."""
    if sys.platform == "win32":
        _thread.interrupt_main()
    else:
        ident = threading.main_thread().ident
        assert ident is not None
        signal.pthread_kill(ident, signal.SIGINT)
