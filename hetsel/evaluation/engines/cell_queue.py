"""A queue of cells that hands out batches of suitable size."""

from collections import deque
from collections.abc import Callable, Iterable
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

SECONDS = 0.25  # of work in a batch: small overhead, and a small loss if it fails
MOST = 16  # maximum number of cells in a batch

# recipe, number of the resampling, key, and what is known of the cell
Job = tuple[Computation, int, str, Any]
Work = tuple[EncodedData, list[Job]]


@dataclass(frozen=True)
class PlannedCell:
    """A cell of a plan with all that its computation needs."""

    data: EncodedData
    recipe: Computation
    resampling: int
    key: str

    @property
    def place(self) -> tuple[str, str]:
        """Data set and label of the method."""
        return self.data.name, self.recipe.method.label


class CellQueue:
    """Waiting cells; a batch has cells of one data set for about a quarter of a second.

    `recall` returns what is known of a cell when it is handed out; see :func:`resumed`. Data sets
    take turns by the number of the resampling, so that finished cells are balanced. The
    time of a cell is estimated from finished cells; the first cell of a method is a separate batch.
    """

    def __init__(
        self,
        cells: Iterable[PlannedCell],
        recall: Callable[[PlannedCell], Any] = lambda _: None,
    ) -> None:
        self._recall = recall
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
            jobs.append((cell.recipe, cell.resampling, cell.key, self._recall(cell)))
            total, count = self._seconds.get(cell.place, (SECONDS, 1))
            expected += total / count
        return data, jobs

    def learn(self, outcome: ComputedResult) -> None:
        place = self._places[outcome.key]
        total, count = self._seconds.get(place, (0.0, 0))
        self._seconds[place] = (total + outcome.rank_seconds + outcome.classify_seconds, count + 1)


def resumed(recipe: Any, known: Any) -> Computation:
    """Return the computation of what is left of a cell, of which something may be known."""
    found: Computation = recipe if known is None else recipe.after(known)
    return found


# A cell as it is sent to another process, and its outcome.
Outcomes = list[ComputedResult | CellFailure]
TICK = 0.25  # seconds that an engine waits for news before it checks its workers
LOADING = 60.0  # extra seconds that a method of hetsel has to load compiled code


@dataclass(frozen=True, eq=False)
class Parcel:
    """A data set or recipe, which is sent once to each process under its name."""

    name: str
    content: Any

    def packed(self) -> bytes:
        """Return the content as bytes, including code that is defined in a session."""
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
    loading: float  # extra seconds for loading, once per process
    known: Any = None  # of the cell

    @property
    def place(self) -> tuple[int, str, float, Any]:
        """All but data set and recipe."""
        return self.resampling, self.key, self.loading, self.known


@dataclass(frozen=True)
class Lost:
    """A cell whose process died while computing it."""

    key: str
    how: str

    def failure(self) -> CellFailure:
        reason = (
            f"the worker process died twice while computing this cell, the second time without "
            f"other work ({self.how}). Possible causes are a lack of memory, a crash in compiled "
            "code, or an exit"
        )
        return CellFailure(self.key, reason, reason)


Heard = ComputedResult | CellFailure | Lost


def orders_of(work: Work) -> list[Order]:
    data, jobs = work
    parcel = Parcel(data.fingerprint, data)
    orders = []
    for recipe, resampling, key, known in jobs:
        method = recipe.method
        own = method.selector.__module__.partition(".")[0] in ("hetsel", "r_bridge")
        loading = LOADING if own and method.home == "hetsel" else 0.0
        named = Parcel(f"{data.fingerprint} {method.label}", recipe)
        orders.append(Order(parcel, named, resampling, key, loading, known))
    return orders


# Check whether another process has the same code as this one.
def code_of_recipes(recipes: Iterable[Computation]) -> CodeFacts:
    """Return the code that computes cells of these recipes, without definitions of the session."""
    code = _code_of_hetsel()
    for recipe in recipes:
        for read in (recipe.method.code, *(judge.code for judge in recipe.classifiers)):
            code = code | read.in_modules
    return code


@cache
def _code_of_hetsel() -> CodeFacts:
    """Return the code of hetsel and of methods of other packages in this process."""
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
    """Describe how the code of this process differs from the required code; "" if it does not."""
    here = _code_of_hetsel()
    for place in wanted:
        if place.kind in ("module", "package"):
            here = here | module_facts(place.name)
    for name in sorted({*wanted, *here}, key=lambda name: (name not in wanted, name)):
        if wanted.get(name) != here.get(name):
            return f"{name}: {here.get(name, 'missing')} instead of {wanted.get(name, 'none')}"
    return ""
