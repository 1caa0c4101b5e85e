"""Where cells are computed: in this process, in worker processes, or on a Dask cluster.

An engine takes batches of cells from a queue and hands back their outcomes as they are ready. Which
engine it is changes no result: cells know nothing of it, and libraries of linear algebra run on one
thread.
"""

from __future__ import annotations

from collections.abc import Generator

from hetsel.study.batches import Outcomes
from hetsel.study.cluster import on_cluster
from hetsel.study.in_process import in_process
from hetsel.study.queue import CellQueue
from hetsel.study.workers import in_workers


def computed(queue: CellQueue, workers: int, dask: str | None, own: bool) -> Generator[Outcomes]:
    """Outcomes of all cells of a queue, as they are ready.

    Parameters
    ----------
    queue : CellQueue
    workers : int
        Worker processes of this machine.
    dask : str or None
        Address of a Dask cluster to compute on instead.
    own : bool
        One worker must be a process of its own, as for methods that need R.
    """
    if dask is not None:
        return on_cluster(queue, dask)
    if workers == 1 and not own:
        return in_process(queue)
    return in_workers(queue, workers)
