"""A cell as it is sent to another process, and what comes back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from joblib.externals.loky.cloudpickle_wrapper import dumps  # joblib's own, or the package

from hetsel.evaluation.computation import CellFailure, Computed
from hetsel.evaluation.engines.cell_queue import Work

Outcomes = list[Computed | CellFailure]
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
    """A cell to compute.

    Parameters
    ----------
    data, recipe : Parcel
    resampling : int
    key : str
    loading : float
        Seconds beyond a time limit that loading may take, once in each process.
    """

    data: Parcel
    recipe: Parcel
    resampling: int
    key: str
    loading: float

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
        """The cell as one that cannot be computed."""
        reason = (
            f"the worker process died twice at this cell, the second time with nothing beside it "
            f"({self.how}): out of memory, a crash in compiled code, or an exit"
        )
        return CellFailure(self.key, reason, reason)


Heard = Computed | CellFailure | Lost


class Engine(Protocol):
    """Where batches of cells are sent, and from where their outcomes come."""

    @property
    def idle(self) -> bool:
        """Whether nothing is on its way."""

    @property
    def room(self) -> bool:
        """Whether another batch can be sent."""

    def send(self, orders: Sequence[Order]) -> None:
        """Send a batch: cells of one data set."""

    def hear(self) -> list[Heard]:
        """What has come back; waits for a moment where nothing has."""

    def stop(self) -> list[Heard]:
        """End all at once; what was finished by then."""

    def close(self) -> None:
        """End."""


def orders_of(work: Work) -> list[Order]:
    """The cells of a batch as orders."""
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
