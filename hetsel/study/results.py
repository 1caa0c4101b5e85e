"""What a study found, as data frames."""

from __future__ import annotations

import hashlib
import importlib
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hetsel.study.cells import CellResult
from hetsel.study.store import Store


class Results:
    """The results of a study, read from its store; also while a run writes.

    Parameters
    ----------
    store : str or Path
        The SQLite file of the study. What the plan of the last run does not ask for is left out.
    """

    def __init__(self, store: str | Path) -> None:
        self.path = Path(store)
        with Store(self.path) as file:
            self.plan: dict[str, Any] = file.about("plan") or {}
            self.datasets: dict[str, dict[str, Any]] = {
                data["name"]: data for data in file.about("datasets") or []
            }
            self.sizes: dict[str, list[int]] = file.about("sizes") or {}
            self._planned = file.plan()
            self._failed = file.failed()
            self._finished = file.finished()

    @property
    def methods(self) -> list[str]:
        """Labels of the methods, in the order of the plan."""
        return [method["label"] for method in self.plan["methods"]]

    @property
    def classifiers(self) -> list[str]:
        """Labels of the final classifiers, in the order of the plan."""
        return [classifier["label"] for classifier in self.plan["classifiers"]]

    def cells(self, dataset: str, method: str) -> list[tuple[int, CellResult]]:
        """Number of the resampling and result of each finished cell, ascending."""
        self._check(dataset, method)
        rows = [
            (r, key)
            for key, d, m, r in self._planned
            if d == dataset and m == method and key in self._finished
        ]
        with Store(self.path) as file:
            found = {cell.key: cell for cell in file.results(key for _, key in rows)}
        return [(r, found[key]) for r, key in sorted(rows)]

    def _check(self, dataset: str, method: str) -> None:
        for what, given, legal in (
            ("dataset", dataset, list(self.datasets)),
            ("method", method, self.methods),
        ):
            if given not in legal:
                raise ValueError(f"{what} must be one of {', '.join(legal)}. Got {given!r}")

    def orders(self, dataset: str, method: str) -> np.ndarray:
        """Rankings (K, p) of the finished resamplings: indices of the features, best first."""
        found = self.cells(dataset, method)
        p = len(self.datasets[dataset]["features"])
        return np.array([cell.order for _, cell in found], dtype=np.int64).reshape(-1, p)

    def digest(self) -> str:
        """sha256 of all that was found: rankings, confusion counts, decision values; no times."""
        total = hashlib.sha256()
        with Store(self.path) as file:
            for cell in file.results(sorted({key for key, *_ in self._planned})):
                total.update(cell.key.encode())
                arrays = (cell.order, cell.test, cell.truth, cell.confusion, cell.decisions)
                for array in arrays:
                    total.update(array.tobytes())
        return total.hexdigest()
