"""A batch of cells, as the engines hand it on and compute it in a worker."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from hetsel.study.cell import CellFailure, CellResult, run_cell
from hetsel.study.data_set import StudyData
from hetsel.study.queue import Job

Outcomes = list[CellResult | CellFailure]
AHEAD = 2  # batches on the way for each worker, so that none is idle


@dataclass(frozen=True)
class Packed:
    """A data set in a file, which each worker reads once."""

    fingerprint: str
    path: str

    def unpack(self) -> StudyData:
        """The data set."""
        with open(self.path, "rb") as file:
            data: StudyData = pickle.load(file)
        return data


_HELD: dict[str, StudyData] = {}


def run_batch(data: StudyData | Packed, jobs: Sequence[Job]) -> Outcomes:
    """Compute a batch in a worker."""
    if data.fingerprint not in _HELD:
        _HELD[data.fingerprint] = data.unpack() if isinstance(data, Packed) else data
    held = _HELD[data.fingerprint]
    with threadpool_limits(limits=1):
        return [run_cell(held, recipe, resampling, key) for recipe, resampling, key in jobs]
