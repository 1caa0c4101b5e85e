"""Cells on a Dask cluster."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from hetsel.study.cell import CellFailure, run_cell
from hetsel.study.data_set import StudyData
from hetsel.study.orders import Outcomes
from hetsel.study.queue import CellQueue, Job

AHEAD = 2  # batches on the way for each worker, so that none is idle


def run_batch(data: StudyData, jobs: Sequence[Job]) -> Outcomes:
    """Compute a batch in a worker."""
    with threadpool_limits(limits=1):
        return [run_cell(data, recipe, resampling, key) for recipe, resampling, key in jobs]


def on_cluster(queue: CellQueue, address: str) -> Generator[Outcomes]:
    """Compute on an existing Dask cluster.

    Raises
    ------
    ImportError
        Dask is not installed.
    RuntimeError
        No cluster answers, it has no worker, or a worker runs more than one thread.
    """
    try:
        from distributed import Client
    except ImportError:
        raise ImportError("a Dask cluster needs the extra: pip install 'hetsel[dask]'") from None
    try:
        client = Client(address, timeout=20, set_as_default=False)
    except (OSError, ValueError) as reason:
        raise RuntimeError(f"no Dask cluster answers at {address}: {reason}") from None
    try:
        threads = client.nthreads()
        if not threads:
            raise RuntimeError(f"the Dask cluster at {address} has no worker")
        if max(threads.values()) > 1:
            raise RuntimeError(
                f"the workers of the Dask cluster at {address} must run one thread each "
                f"(--nthreads 1). Got {max(threads.values())}"
            )
        yield from _through_cluster(client, queue, len(threads))
    finally:
        client.close()


def _through_cluster(client: Any, queue: CellQueue, workers: int) -> Generator[Outcomes]:
    from distributed import wait as wait_for

    held: dict[str, Any] = {}
    flying: dict[Any, list[Job]] = {}
    try:
        while queue or flying:
            while queue and len(flying) < AHEAD * workers:
                data, jobs = queue.take()
                if data.fingerprint not in held:
                    held[data.fingerprint] = client.scatter(data, broadcast=True, hash=False)
                place = held[data.fingerprint]
                future = client.submit(run_batch, place, jobs, pure=False)
                flying[future] = jobs
            with client.as_current():
                finished = wait_for(list(flying), return_when="FIRST_COMPLETED").done
            for done in finished:
                jobs = flying.pop(done)
                if done.status == "finished":
                    yield done.result()
                else:  # not of a cell, which catches its own: of the worker itself
                    text = " ".join(str(done.exception()).split())
                    yield [CellFailure(key, f"on the cluster: {text}", text) for *_, key in jobs]
    finally:
        client.cancel(list(flying))
