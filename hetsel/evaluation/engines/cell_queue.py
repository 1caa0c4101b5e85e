"""The cells that wait, handed out in batches that are neither too small nor too large."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from joblib.externals.loky.cloudpickle_wrapper import dumps  # joblib's own, or the package

from hetsel import __version__
from hetsel.evaluation.by_key.code_of_modules import CodeFacts, CodeOf, digest, module_facts
from hetsel.evaluation.computation import CellFailure, Computation, ComputedResult
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
        for cell in cells:
            self._waiting.setdefault(cell.data.fingerprint, deque()).append(cell)
            self._places[cell.key] = cell.place

    def __bool__(self) -> bool:
        return any(self._waiting.values())

    def take(self) -> Work:
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

    def learn(self, outcome: ComputedResult) -> None:
        place = self._places[outcome.key]
        total, count = self._seconds.get(place, (0.0, 0))
        self._seconds[place] = (total + outcome.rank_seconds + outcome.classify_seconds, count + 1)


# A cell as it is sent to another process, and what comes back.
Outcomes = list[ComputedResult | CellFailure]
TICK = 0.25  # seconds after which an engine looks up, if nothing is heard
LOADING = 60.0  # seconds beyond the limit that a method of hetsel has for loading compiled code


@dataclass(frozen=True, eq=False)
class Parcel:
    """A data set or a recipe, which each process is sent once, by its name."""

    name: str
    content: Any

    def packed(self) -> bytes:
        """The content as bytes; what is defined in a session travels by its code."""
        if isinstance(self.content, bytes):
            return self.content
        return bytes(dumps(self.content))


@dataclass(frozen=True, eq=False)
class Order:
    """A cell to compute."""

    data: Parcel
    recipe: Parcel
    resampling: int
    key: str
    loading: float  # seconds beyond a time limit that loading may take, once in each process

    @property
    def place(self) -> tuple[int, str, float]:
        """All but the parcels."""
        return self.resampling, self.key, self.loading


@dataclass(frozen=True)
class Lost:
    """A cell that was being computed when its process died."""

    key: str
    how: str

    def failure(self) -> CellFailure:
        reason = (
            f"the worker process died twice at this cell, the second time with nothing beside it "
            f"({self.how}): out of memory, a crash in compiled code, or an exit"
        )
        return CellFailure(self.key, reason, reason)


Heard = ComputedResult | CellFailure | Lost


def orders_of(work: Work) -> list[Order]:
    data, jobs = work
    parcel = Parcel(data.fingerprint, data)
    orders = []
    for recipe, resampling, key in jobs:
        method = recipe.method
        own = method.selector.__module__.partition(".")[0] in ("hetsel", "r_bridge")
        loading = LOADING if own and method.home == "hetsel" else 0.0
        named = Parcel(f"{data.fingerprint} {method.label}", recipe)
        orders.append(Order(parcel, named, resampling, key, loading))
    return orders


# Whether another process computes cells by the same code as this one.
def code_of_recipes(recipes: Iterable[Computation]) -> CodeFacts:
    """The code that cells of these recipes are computed by, what a session defines left out."""
    code = _code_of_hetsel()
    for recipe in recipes:
        for read in (recipe.method.code, *(judge.code for judge in recipe.classifiers)):
            code = code | read.in_modules
    return code


@cache
def _code_of_hetsel() -> CodeFacts:
    """The code of hetsel, and the methods of other packages, in this process."""
    home = Path(__file__).parents[3]
    paths = sorted([*home.glob("hetsel/**/*.py"), *home.glob("r_bridge/**/*.py")])
    content = digest(b"".join(path.name.encode() + path.read_bytes() for path in paths))
    code = {CodeOf("hetsel"): f"version {__version__}"}
    code[CodeOf("the code of hetsel")] = f"sha256 {content}"
    for entry in sorted(entry_points(group="hetsel.methods")):
        by = f"{entry.dist.name} {entry.dist.version}" if entry.dist else "no package"
        code[CodeOf("method", entry.name)] = f"{entry.value} of {by}"
    return code


def code_difference(wanted: CodeFacts) -> str:
    """In what this process differs from the code that is wanted; nothing where it does not."""
    here = _code_of_hetsel()
    for place in wanted:
        if place.kind in ("module", "package"):
            here = here | module_facts(place.name)
    for name in sorted({*wanted, *here}, key=lambda name: (name not in wanted, name)):
        if wanted.get(name) != here.get(name):
            return f"{name}: {here.get(name, 'not there')} in place of {wanted.get(name, 'none')}"
    return ""
