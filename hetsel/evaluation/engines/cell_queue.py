"""The cells that wait, handed out in batches that are neither too small nor too large."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from hetsel.evaluation.computation import Computation, Computed
from hetsel.evaluation.data.encoded_data import EncodedData

SECONDS = 0.25  # of work in a batch: handing it over costs nothing, and losing it costs little
MOST = 16  # cells in a batch

Job = tuple[Computation, int, str]  # recipe, number of the resampling, key
Work = tuple[EncodedData, list[Job]]


@dataclass(frozen=True)
class PlannedCell:
    """A cell of a plan with all that computes it."""

    data: EncodedData
    recipe: Computation
    resampling: int
    key: str

    @property
    def place(self) -> tuple[str, str]:
        """Data set and label of the method."""
        return self.data.name, self.recipe.method.label


class CellQueue:
    """Cells that wait; a batch holds cells of one data set, of about a quarter of a second.

    The data sets take turns by the number of the resampling, so that what is finished is balanced.
    How long a cell takes is learned from those that are done; the first goes alone.
    """

    def __init__(self, cells: Iterable[PlannedCell]) -> None:
        self._waiting: dict[str, deque[PlannedCell]] = {}
        self._places: dict[str, tuple[str, str]] = {}
        self._seconds: dict[tuple[str, str], tuple[float, int]] = {}
        self.add(cells)

    def add(self, cells: Iterable[PlannedCell]) -> None:
        """Let more cells wait."""
        for cell in cells:
            self._waiting.setdefault(cell.data.fingerprint, deque()).append(cell)
            self._places[cell.key] = cell.place

    def __bool__(self) -> bool:
        return any(self._waiting.values())

    def take(self) -> Work:
        """The next batch."""
        held = min(
            (cells for cells in self._waiting.values() if cells), key=lambda c: c[0].resampling
        )
        data = held[0].data
        jobs: list[Job] = []
        expected = 0.0
        while held and len(jobs) < MOST and expected < SECONDS:
            cell = held.popleft()
            jobs.append((cell.recipe, cell.resampling, cell.key))
            total, count = self._seconds.get(cell.place, (SECONDS, 1))
            expected += total / count
        return data, jobs

    def learn(self, outcome: Computed) -> None:
        """How long a cell took."""
        place = self._places[outcome.key]
        total, count = self._seconds.get(place, (0.0, 0))
        self._seconds[place] = (
            total + outcome.rank_seconds + outcome.classify_seconds,
            count + 1,
        )
