"""What a study found, as data frames."""

from __future__ import annotations

import hashlib
from collections import Counter
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hetsel.statistics.resampled import half_widths
from hetsel.statistics.scores import area_under_curve, balanced_rate, recalls
from hetsel.study.cell import CellResult
from hetsel.study.plan import Plan, changes
from hetsel.study.specs import Resamplings, plain
from hetsel.study.splits import quotas
from hetsel.study.store import Store, StoreError
from hetsel.text import in_ranges, slugs, without_numbers

PLACE = ["dataset", "method", "resampling", "size", "classifier"]


class Results:
    """The results of a study, read from its store; also while a run writes.

    Parameters
    ----------
    store : str or Path
        The SQLite file of the study. What the plan of the last run does not ask for is left out.
    study : Plan, optional
        The plan, where it is at hand: a report needs it to read a user's own table again.

    Attributes
    ----------
    plan : dict
        The plan of the last run.
    datasets : dict
        By name: `features`, `kinds`, `rows`, `classes`, `class_counts`, `fingerprint` and more.
    sizes : dict
        Sizes of signatures of each data set, ascending.
    """

    def __init__(self, store: str | Path, study: Plan | None = None) -> None:
        self.path = Path(store)
        self.study = study
        with Store(self.path) as file:
            self.plan: dict[str, Any] | None = file.about("plan")
            if self.plan is None:
                raise StoreError(f"{self.path} holds no study yet; `hetsel study run` starts one")
            self.datasets: dict[str, dict[str, Any]] = {
                data["name"]: data for data in file.about("datasets")
            }
            self.sizes: dict[str, list[int]] = file.about("sizes")
            self._planned = file.plan()
            self._failed = file.failed()
            self._finished = file.finished()

    def __repr__(self) -> str:
        status = self.status()
        return (
            f"{status['name']}: {status['finished']} of {status['cells']} cells, "
            f"{status['failed']} failed ({self.path})"
        )

    @property
    def methods(self) -> list[str]:
        """Labels of the methods, in the order of the plan."""
        return [method["label"] for method in self._entries("methods")]

    @property
    def classifiers(self) -> list[str]:
        """Labels of the final classifiers, in the order of the plan."""
        return [classifier["label"] for classifier in self._entries("classifiers")]

    def _entries(self, name: str) -> list[dict[str, Any]]:
        assert self.plan is not None
        return list(self.plan[name])

    def cells(self, dataset: str, method: str) -> list[tuple[int, CellResult]]:
        """Number of the resampling and result of each finished cell, ascending."""
        for what, given, legal in (
            ("dataset", dataset, list(self.datasets)),
            ("method", method, self.methods),
        ):
            if given not in legal:
                raise ValueError(f"{what} must be one of {', '.join(legal)}. Got {given!r}")
        rows = [(r, key) for key, d, m, r in self._planned if (d, m) == (dataset, method)]
        rows = sorted((r, key) for r, key in rows if key in self._finished)
        with Store(self.path) as file:
            found = {cell.key: cell for cell in file.results(key for _, key in rows)}
        return [(r, found[key]) for r, key in rows]

    def orders(self, dataset: str, method: str) -> np.ndarray:
        """Rankings (K, p) of the finished resamplings: indices of the features, best first."""
        found = self.cells(dataset, method)
        p = len(self.datasets[dataset]["features"])
        return np.array([cell.order for _, cell in found], dtype=np.int64).reshape(-1, p)

    def frame(self) -> pd.DataFrame:
        """One row per data set, method, resampling, size and final classifier.

        Columns: `dataset`, `method`, `resampling`, `size`, `classifier`; `bcr`, the balanced
        classification rate (Eq. 12 of paul2015; the mean recall for more than two classes, over the
        classes with test rows); `sensitivity` and `specificity`, the recalls of the second and the
        first of two classes; `auc`; `n_categorical`, the nominal and ordinal features of the
        signature; `rank_seconds`, processor time of the ranking.
        """
        return self._frame.copy()

    @cached_property
    def _frame(self) -> pd.DataFrame:
        parts = [
            self._scores(dataset, method, resampling, cell)
            for dataset in self.datasets
            for method in self.methods
            for resampling, cell in self.cells(dataset, method)
        ]
        names = [*PLACE, "bcr", "sensitivity", "specificity", "auc", "n_categorical"]
        if not parts:
            return pd.DataFrame(columns=[*names, "rank_seconds"])
        columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        return pd.DataFrame(columns)

    def _scores(
        self, dataset: str, method: str, resampling: int, cell: CellResult
    ) -> dict[str, Any]:
        """The rows of one cell: classifiers outside, sizes inside."""
        n_classifiers, n_sizes = cell.confusion.shape[:2]
        n = n_classifiers * n_sizes
        found = recalls(cell.confusion).reshape(n, -1)
        two = found.shape[1] == 2
        sizes = np.array(self.sizes[dataset])
        categorical = np.array(self.datasets[dataset]["kinds"]) != "continuous"
        counts = np.cumsum(categorical[cell.order])[sizes - 1]
        return {
            "dataset": np.full(n, dataset, dtype=object),
            "method": np.full(n, method, dtype=object),
            "resampling": np.full(n, resampling),
            "size": np.tile(sizes, n_classifiers),
            "classifier": np.repeat(np.array(self.classifiers, dtype=object), n_sizes),
            "bcr": balanced_rate(cell.confusion).ravel(),
            "sensitivity": found[:, 1] if two else np.full(n, np.nan),
            "specificity": found[:, 0] if two else np.full(n, np.nan),
            "auc": np.concatenate([area_under_curve(d, cell.truth) for d in cell.decisions]),
            "n_categorical": np.tile(counts, n_classifiers),
            "rank_seconds": np.full(n, cell.rank_seconds),
        }

    @cached_property
    def test_shares(self) -> dict[str, float]:
        """For each data set the share of its rows that are test rows, as it was split."""
        assert self.plan is not None
        splits = Resamplings.of("the plan", self.plan["resamplings"])
        return {
            name: float(quotas(np.array(data["class_counts"]), splits).sum() / data["rows"])
            for name, data in self.datasets.items()
        }

    def summary(self) -> pd.DataFrame:
        """One row per data set, method, final classifier and size, over the resamplings.

        Columns: `resamplings`, their number; `bcr` with its 95 % interval `bcr_low`, `bcr_high`
        (Nadeau and Bengio 2003: the training sets overlap, so the variance of the mean is
        (1/K + n_test/n_train) times that of the values); `auc`; `kuncheva`, Kuncheva's index (Eq.
        13); `n_categorical` and `rank_seconds`, means.
        """
        keys = ["dataset", "method", "classifier", "size"]
        if self._frame.empty:
            columns = ["resamplings", "bcr", "bcr_low", "bcr_high", "auc", "kuncheva"]
            return pd.DataFrame(columns=[*keys, *columns, "n_categorical", "rank_seconds"])
        groups = self._frame.groupby(keys, sort=False, observed=True)
        table = groups.agg(
            resamplings=("bcr", "size"),
            bcr=("bcr", "mean"),
            spread=("bcr", "std"),
            auc=("auc", "mean"),
            n_categorical=("n_categorical", "mean"),
            rank_seconds=("rank_seconds", "mean"),
        ).reset_index()
        shares = table["dataset"].map(self.test_shares)
        half = half_widths(table["spread"], table["resamplings"], shares)
        table.insert(6, "bcr_low", table["bcr"] - half)
        table.insert(7, "bcr_high", table["bcr"] + half)
        stability = [self._stability(d, m) for d in self.datasets for m in self.methods]
        table = table.merge(pd.concat(stability), how="left", on=["dataset", "method", "size"])
        order = ["resamplings", "bcr", "bcr_low", "bcr_high", "auc", "kuncheva"]
        return table[[*keys, *order, "n_categorical", "rank_seconds"]]

    def _stability(self, dataset: str, method: str) -> pd.DataFrame:
        from hetsel.statistics.stability import kuncheva_by_size

        sizes = np.array(self.sizes[dataset])
        orders = self.orders(dataset, method)
        index = np.full(len(sizes), np.nan)
        if len(orders) > 1:
            index = kuncheva_by_size(orders)[sizes - 1]
        columns = {"dataset": dataset, "method": method, "size": sizes, "kuncheva": index}
        return pd.DataFrame(columns)

    def digest(self) -> str:
        """sha256 of all that was found: rankings, confusion counts, decision values; no times."""
        total = hashlib.sha256()
        with Store(self.path) as file:
            for cell in file.results(sorted({key for key, *_ in self._planned})):
                total.update(cell.key.encode())
                for array in (cell.order, cell.test, cell.truth, cell.confusion, cell.decisions):
                    total.update(array.tobytes())
        return total.hexdigest()

    def failures(self) -> pd.DataFrame:
        """The cells that failed: `dataset`, `method`, `resampling`, `reason`, `trace`."""
        rows = [
            (d, m, r, *self._failed[key]) for key, d, m, r in self._planned if key in self._failed
        ]
        return pd.DataFrame(rows, columns=["dataset", "method", "resampling", "reason", "trace"])

    def warnings(self) -> pd.DataFrame:
        """What cells warned of: `dataset`, `method`, `warning` and the number of `cells`.

        Warnings that differ in numbers only are one, with the range of each number.
        """
        rows: list[tuple[str, str, str, int]] = []
        for dataset in self.datasets:
            for method in self.methods:
                groups: dict[tuple[str, ...], list[str]] = {}
                for _, cell in self.cells(dataset, method):
                    for text in cell.warnings:
                        groups.setdefault(without_numbers(text), []).append(text)
                for _, alike in sorted(groups.items()):
                    rows.append((dataset, method, in_ranges(alike), len(alike)))
        return pd.DataFrame(rows, columns=["dataset", "method", "warning", "cells"])

    def versions(self) -> list[dict[str, str]]:
        """Versions of hetsel, Python and packages that the cells ran on, each combination once."""
        with Store(self.path) as file:
            return file.versions()

    def status(self) -> dict[str, Any]:
        """How far the study is: counts of cells in all and by data set and method."""
        parts: dict[tuple[str, str], Counter[str]] = {}
        for key, dataset, method, _ in self._planned:
            part = parts.setdefault((dataset, method), Counter())
            part["cells"] += 1
            part["finished"] += key in self._finished
            part["failed"] += key in self._failed and key not in self._finished
        totals = sum(parts.values(), Counter())
        assert self.plan is not None
        return {
            "name": self.plan["name"],
            "store": str(self.path),
            "cells": totals["cells"],
            "finished": totals["finished"],
            "failed": totals["failed"],
            "missing": totals["cells"] - totals["finished"] - totals["failed"],
            "parts": [
                {"dataset": d, "method": m, **{n: c[n] for n in ("cells", "finished", "failed")}}
                for (d, m), c in sorted(parts.items())
            ],
        }

    def changes(self) -> list[str]:
        """What of the plan at hand differs from that of the last run, entry by entry."""
        if self.study is None:
            return []
        return list(changes(self.plan, plain(self.study.to_dict())))

    def export(self, folder: str | Path) -> list[Path]:
        """Write frame, summary, rankings (names of features, best first) and failures as CSV."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        tables = {"scores": self.frame(), "summary": self.summary(), "failures": self.failures()}
        for dataset, name in zip(self.datasets, slugs(self.datasets), strict=True):
            tables[f"rankings_{name}"] = self._named_orders(dataset)
        paths = []
        for name, table in tables.items():
            path = folder / f"{name}.csv"
            table.to_csv(path, index=False)
            paths.append(path)
        return paths

    def _named_orders(self, dataset: str) -> pd.DataFrame:
        names = np.array(self.datasets[dataset]["features"], dtype=object)
        columns = {
            f"{method} {r}": names[cell.order]
            for method in self.methods
            for r, cell in self.cells(dataset, method)
        }
        return pd.DataFrame({"rank": np.arange(1, len(names) + 1), **columns})
