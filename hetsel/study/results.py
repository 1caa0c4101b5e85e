"""What a study found, as data frames."""

import hashlib
import html
import json
from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hetsel.evaluation.by_key.import_paths import NotImported
from hetsel.evaluation.data.train_and_test_rows import test_share_of
from hetsel.ground import Fix, StoreError, TableError, plan_entries, write_files, writing
from hetsel.ground.text import in_ranges, slugs, without_numbers
from hetsel.resampling.resampling_entry import Resamplings, SplitSizes
from hetsel.statistics.comparisons.resampled_means import half_widths
from hetsel.statistics.performance.scores import SCORES, Scores
from hetsel.statistics.stability.measures_of_stability import kuncheva
from hetsel.study.cell import CellResult
from hetsel.study.plan.parts import by_part
from hetsel.study.plan.plan import Plan, changes
from hetsel.study.store import sqlite_store, stored_cells
from hetsel.tables import TargetKind

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
    time_limit : float or None
        Seconds that a cell of the last run might take.
    """

    def __init__(self, store: str | Path, study: Plan | None = None) -> None:
        self.path = Path(store)
        with sqlite_store.Store(
            self.path
        ) as file:  # all of one moment; a finished cell never changes
            file.verify()
            facts = {name: file.about(name) for name in stored_cells.FACTS}
            if facts["plan"] is None:
                raise StoreError(f"{self.path} holds no study yet", Fix("run", then="starts one"))
            stored_cells.check_facts_of_store(self.path, facts, file.plan())
            self.plan: dict[str, Any] = facts["plan"]
            self.datasets: dict[str, dict[str, Any]] = {d["name"]: d for d in facts["datasets"]}
            self._kind: TargetKind = facts["datasets"][0]["target"]
            self.study = None if study is None else study.for_kind(self._kind)
            self.sizes: dict[str, list[int]] = facts["sizes"]
            self._planned = file.plan()
            self._dealing = facts["parts"]
            self.time_limit: float | None = facts["time_limit"]
            self._repeated: dict[str, list[str]] = facts["repeated"] or {}
            self._failed = file.failed()
            self._chosen: dict[tuple[str, str], tuple[np.ndarray, np.ndarray]] = {}
            self._finished = file.finished() & {key for key, *_ in self._planned}
            self._versions = {k: v for k, v in file.versions().items() if k in self._finished}

    def _repr_html_(self) -> str:
        """What is finished, and the summary, for notebooks; names are text, never HTML."""
        said = f"<p>{html.escape(repr(self))}</p>"
        return said + (self.summary().to_html(max_rows=60) if self._finished else "")

    def __repr__(self) -> str:
        status = self.status()
        return (
            f"{status['name']}: {status['finished']} of {status['cells']} cells, "
            f"{status['failed']} failed ({self.path})"
        )

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
        for what, given, legal in (
            ("dataset", dataset, self.datasets),
            ("method", method, self.methods),
        ):
            if given not in legal:
                raise TableError(f"{what} must be one of {', '.join(legal)}. Got {given!r}")
        place = dataset, method
        rows = sorted(
            (r, k) for k, *at, r in self._planned if (*at,) == place and k in self._finished
        )
        shape = len(self.sizes[dataset]), len(self.datasets[dataset]["features"])
        with sqlite_store.Store(self.path) as file:
            found = list(file.results(key for _, key in rows))
        for cell in found:
            if cell.chosen.shape != shape or len(cell.predictions) != len(self.classifiers):
                raise StoreError(
                    f"{self.path} is not what hetsel wrote: a cell of {method!r} on {dataset!r} "
                    "has other sizes, features or judges than its plan"
                )
        return list(zip((r for r, _ in rows), found, strict=True))

    def signatures(self, dataset: str, method: str, size: int) -> tuple[np.ndarray, np.ndarray]:
        """Number (K,) of each finished resampling that knows the size, and its features (K, p).

        The features are a boolean mask.
        """
        if (dataset, method) not in self._chosen:
            found = self.cells(dataset, method)
            shape = (len(found), len(self.sizes[dataset]), len(self.datasets[dataset]["features"]))
            chosen = np.array([cell.chosen for _, cell in found], dtype=bool).reshape(shape)
            self._chosen[dataset, method] = np.array([r for r, _ in found], dtype=np.int64), chosen
        numbers, chosen = self._chosen[dataset, method]
        chosen = chosen[:, self.sizes[dataset].index(size)]
        known = chosen.any(axis=1)
        return numbers[known], chosen[known]

    @property
    def scores(self) -> Scores:
        """The scores of the targets of this study; the first is the one that methods compare by."""
        return SCORES[self._kind]

    def frame(self) -> pd.DataFrame:
        """One row per data set, method, resampling, size and final classifier.

        Columns: `dataset`, `method`, `resampling` (from 0), `size`, `classifier`; the scores,
        for classes `bcr`, the balanced classification rate (Eq. 12 of paul2015; the mean recall for
        more than two classes, over the classes with test rows; NaN where one class only has test
        rows), `accuracy`, 1 less the error rate, `sensitivity` and `specificity`, the recalls of
        the second and the first of two classes, and `auc`; `bcr_by_chance`, 1 / (number of classes
        in the test part), `accuracy_of_majority`, the share of the test rows in the largest class
        of the table, and `absent_classes`, the number of classes without test rows, see
        :func:`hetsel.statistics.performance.scores.class_scores`; for
        numbers `r2`, `mae` and `rmse`, scikit-learn's R^2, mean absolute error and root of the mean
        squared error, and `r2_of_mean`, `mae_of_mean`, `rmse_of_mean`, those of the mean of the
        training rows, see :func:`hetsel.statistics.performance.scores.number_scores`;
        for survival times `concordance` (Harrell's), `uno` (Uno's), `ibs`, the integrated Brier
        score, and `auc` at the median time of an event, and `concordance_by_chance` and
        `ibs_of_kaplan_meier`, of risks that know nothing, see
        :func:`hetsel.statistics.performance.scores.survival_scores`;
        `n_categorical`, the nominal and ordinal features of the signature; `cut`, whether the order
        at this size is proved, a tie or open (empty where the method does not say, and at all
        features), see :class:`hetsel.Ranking`; `rank_seconds`, processor time of the ranking. A
        size that a method has no signature of has no row.
        """
        return self._frame.copy()

    @cached_property
    def _frame(self) -> pd.DataFrame:
        parts = [
            cell.rows((dataset, method, r), about, self.sizes[dataset], self.classifiers)
            for dataset, about in self.datasets.items()
            for method in self.methods
            for r, cell in self.cells(dataset, method)
        ]
        names = [*PLACE, *self.scores.columns, "n_categorical", "cut", "rank_seconds"]
        if not parts:
            return pd.DataFrame(columns=names)
        columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        return pd.DataFrame(columns)

    @cached_property
    def test_shares(self) -> dict[str, float]:
        """For each data set the share of test rows among the rows of a split.

        Where rows are grouped it is the share of groups, and where they are split in the order of
        time the mean over the splits, see
        :func:`hetsel.evaluation.data.train_and_test_rows.mean_test_share`.
        """
        splits = Resamplings.of("the plan", self.plan["resamplings"])
        shares = {}
        for entry in self.plan["datasets"]:
            own = splits.of_data(SplitSizes(**entry["split"]) if "split" in entry else None)
            shares[entry["name"]] = test_share_of(self.datasets[entry["name"]], own)
        return shares

    def summary(self) -> pd.DataFrame:
        """One row per data set, method, final classifier and size, over the resamplings.

        Columns: `resamplings`, their number, and `scored`, how many of them have the first score;
        that score, for classes `bcr`, for numbers `r2`, for survival times `concordance`, with two
        95 % intervals: `bcr_low_corrected` to `bcr_high_corrected` (Nadeau and Bengio 2003: the
        training sets overlap, so the variance of the mean is (1/K + n_test/n_train) times that of
        the values) and `bcr_low_naive` to `bcr_high_naive` (1/K times, as if the resamplings were
        independent: too narrow), both ending at the limits of the score; `accuracy` and `auc`,
        `mae` and `rmse`, or `uno` and `ibs`; `bcr_std` and so on, the standard deviations of the
        values; `kuncheva`, Kuncheva's index (Eq. 13); `n_categorical` and `rank_seconds`, means.
        Where a test part has no score, means are over the others.
        """
        keys = ["dataset", "method", "classifier", "size"]
        main, names = self.scores.names[0], self.scores.averaged
        kinds, ends = ("corrected", "naive"), ("low", "high")
        bounds = [f"{main}_{end}_{kind}" for kind in kinds for end in ends]
        columns = [*keys, "resamplings", "scored", main, *bounds, *names[1:]]
        columns += [f"{name}_std" for name in names]
        columns += ["kuncheva", "n_categorical", "rank_seconds"]
        if self._frame.empty:
            return pd.DataFrame(columns=columns)
        groups = self._frame.groupby(keys, sort=False, observed=True)
        table = groups[[*names, "n_categorical", "rank_seconds"]].mean().reset_index()
        table["resamplings"] = groups[main].size().to_numpy()
        table["scored"] = groups[main].count().to_numpy()
        for name in names:
            table[f"{name}_std"] = groups[name].std().to_numpy()
        shares = table["dataset"].map(self.test_shares)
        for name, share in (("corrected", shares), ("naive", None)):
            half = half_widths(table[f"{main}_std"], table["scored"], share)
            table[f"{main}_low_{name}"] = (table[main] - half).clip(lower=self.scores.limits[0])
            table[f"{main}_high_{name}"] = (table[main] + half).clip(upper=self.scores.limits[1])
        stability = [self._stability(d, m) for d in self.datasets for m in self.methods]
        table = table.merge(pd.concat(stability), how="left", on=["dataset", "method", "size"])
        return table[columns]

    def _stability(self, dataset: str, method: str) -> pd.DataFrame:
        sizes = self.sizes[dataset]
        masks = [self.signatures(dataset, method, size)[1] for size in sizes]
        index = [kuncheva(chosen) if len(chosen) > 1 else np.nan for chosen in masks]
        place = {"dataset": dataset, "method": method}
        return pd.DataFrame({**place, "size": sizes, "kuncheva": index})

    def absent_classes(self) -> pd.DataFrame:
        """Classes that some test parts lack: `dataset`, `class`, `lacking`, `resamplings`.

        `lacking` is the number of the finished resamplings whose test part has no row of the class.
        With one class left a test part has no BCR, with two or more it is over those.
        """
        rows = []
        for dataset, about in self.datasets.items():
            truths: dict[int, np.ndarray] = {}
            for method in self.methods:
                truths |= {r: cell.truth for r, cell in self.cells(dataset, method)}
            for code, label in enumerate(about["classes"]):
                lacking = sum(code not in truth for truth in truths.values())
                if lacking:
                    rows.append((dataset, str(label), lacking, len(truths)))
        return pd.DataFrame(rows, columns=["dataset", "class", "lacking", "resamplings"])

    def row_groups(self) -> pd.DataFrame:
        """Data sets whose rows belong together, one row each.

        Columns: `dataset`, `rows`, `groups`, `largest`, the rows of the largest group, and
        `test_share`, the mean share of the groups that is tested. Scores are over rows.
        """
        facts = ("name", "rows", "row_groups", "largest_row_group")
        grouped = [about for about in self.datasets.values() if "row_groups" in about]
        rows = [(*(a[fact] for fact in facts), self.test_shares[a["name"]]) for a in grouped]
        return pd.DataFrame(rows, columns=["dataset", "rows", "groups", "largest", "test_share"])

    def digest(self) -> str:
        """sha256 of what was found: orders, their verdicts, predictions, decisions; no times."""
        total = hashlib.sha256()
        with sqlite_store.Store(self.path) as file:
            for cell in file.results(sorted(self._finished)):
                total.update(" ".join([cell.key, *cell.cuts]).encode())
                found = (cell.order, cell.chosen, cell.test, cell.truth, cell.predictions)
                for array in (*found, cell.decisions):
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

        Besides, methods that gave another answer where a cell was computed twice. Warnings that
        differ in numbers only are one, with the range of each number.
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
        for key, dataset, method, _ in self._planned:
            if differs := self._repeated.get(key):
                rows.append((dataset, method, stored_cells.repeated_in_words(differs), 1))
        return pd.DataFrame(rows, columns=["dataset", "method", "warning", "cells"])

    def versions(self) -> list[dict[str, str]]:
        """Versions of hetsel, Python and packages that the cells ran on, each combination once."""
        return list({json.dumps(used): used for used in self._versions.values()}.values())

    def status(self) -> dict[str, Any]:
        """How far the study is: counts of cells in all and by data set and method.

        `by_part` has them by part, where the last run was that of a part.
        """
        parts: dict[tuple[str, str], Counter[str]] = {}
        for key, dataset, method, _ in self._planned:
            part = parts.setdefault((dataset, method), Counter())
            part["cells"] += 1
            part["finished"] += key in self._finished
            part["failed"] += key in self._failed and key not in self._finished
        totals = sum(parts.values(), Counter())
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
            "by_part": by_part(
                self._dealing, (key for key, *_ in self._planned), self._finished, self._failed
            ),
        }

    def changes(self) -> list[str]:
        """What of the plan at hand differs from that of the last run, entry by entry."""
        if self.study is None:
            return []
        now = plan_entries.plain_parameter(self.study.to_dict())
        for part in ("methods", "classifiers"):
            written = {entry["label"]: entry for entry in self.plan[part]}
            now[part] = [
                spec.as_in(written.get(spec.label)) if isinstance(spec, NotImported) else entry
                for spec, entry in zip(getattr(self.study, part), now[part], strict=True)
            ]
        return list(changes(self.plan, now))

    def export(
        self,
        folder: str | Path,
        *,
        spreadsheet_safe: bool = True,
        more: Mapping[str, pd.DataFrame] | None = None,
    ) -> list[Path]:
        """Write frame, summary, failures, absent classes and rankings (best first) as CSV.

        Where rows belong together there is a file `row_groups` too, see :meth:`row_groups`. All
        files appear together, or none does. See :func:`hetsel.ground.writing.csv` for what makes
        names harmless to spreadsheets.

        Parameters
        ----------
        folder : str or Path
            Made if it is not there.
        spreadsheet_safe : bool
        more : mapping of str to DataFrame, optional
            Further tables by the names of their files, such as those of
            :func:`hetsel.compare_methods`.
        """
        Path(folder).mkdir(parents=True, exist_ok=True)
        tables = {"scores": self.frame(), "summary": self.summary(), "failures": self.failures()}
        if "absent_classes" in self.scores.beside:
            tables["absent_classes"] = self.absent_classes()
        tables |= more or {}
        if len(groups := self.row_groups()):
            tables["row_groups"] = groups
        for dataset, name in zip(self.datasets, slugs(self.datasets), strict=True):
            tables[f"rankings_{name}"] = self._named_orders(dataset)
        return write_files(
            {
                Path(folder) / f"{name}.csv": writing.csv(table, spreadsheet_safe=spreadsheet_safe)
                for name, table in tables.items()
            }
        )

    def _named_orders(self, dataset: str) -> pd.DataFrame:
        """Names of the features, best first; a method that orders only some leaves cells empty."""
        names = np.array(self.datasets[dataset]["features"], dtype=object)
        columns = {"rank": np.arange(1, len(names) + 1)}
        for method in self.methods:
            for r, cell in self.cells(dataset, method):
                if len(cell.order):
                    rest = np.full(len(names) - len(cell.order), "", dtype=object)
                    columns[f"{method} {r}"] = np.concatenate([names[cell.order], rest])
        return pd.DataFrame(columns)
