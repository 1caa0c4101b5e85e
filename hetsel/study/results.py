"""The results of a study as data frames."""

import copy
import hashlib
import html
import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, Self

import numpy as np
import pandas as pd

from hetsel.evaluation.by_key.import_paths import NotImported
from hetsel.evaluation.data.train_and_test_rows import splits_of, test_share_of
from hetsel.ground import Fix, StoreError, TableError, plan_entries, write_files, writing
from hetsel.ground.text import in_ranges, slugs, without_numbers
from hetsel.resampling.resampling_entry import Resamplings, SplitSizes
from hetsel.statistics.comparisons.resampled_means import half_widths
from hetsel.statistics.performance.scores import SCORES, Scores
from hetsel.statistics.stability.measures_of_stability import kuncheva
from hetsel.study.cell import CellResult
from hetsel.study.plan.judges_of_kinds import judges_by_kind, with_judges
from hetsel.study.plan.parts import by_part
from hetsel.study.plan.plan import Plan, changes
from hetsel.study.store import sqlite_store, stored_cells
from hetsel.tables import TargetKind

PLACE = ["dataset", "method", "resampling", "size", "classifier"]


class Results:
    """Read the results of a study from its store, also while the study runs.

    Parameters
    ----------
    store : str or Path
        SQLite file of the study. Cells that are not in the plan of the last run are omitted.
    study : Plan, optional
        Plan of the study. A report needs it to read the user's own tables again. Default: none.

    Attributes
    ----------
    plan : dict
        Plan of the last run.
    datasets : dict
        Facts of each data set by name: `features`, `kinds`, `rows`, `classes`, `class_counts`,
        `fingerprint` and more.
    sizes : dict
        Signature sizes of each data set, ascending.
    time_limit : float or None
        Maximum number of seconds per cell in the last run.

    See Also
    --------
    hetsel.Study : Run a study.
    hetsel.compare_methods : Compare the methods of a study.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from hetsel import Study
    >>> study = Study(datasets=["heart"], methods=["cmim"], resamplings=2, sizes=[1, 2])
    >>> with TemporaryDirectory() as folder:
    ...     _ = study.run(f"{folder}/study.sqlite", n_jobs=0, progress=False)
    ...     results = Results(f"{folder}/study.sqlite")
    ...     results.frame()[["method", "resampling", "size"]].values.tolist()
    [['cmim', 0, 1], ['cmim', 0, 2], ['cmim', 1, 1], ['cmim', 1, 2]]
    """

    def __init__(self, store: str | Path, study: Plan | None = None) -> None:
        self.path = Path(store)
        with sqlite_store.Store(
            self.path
        ) as file:  # one consistent state; a finished cell never changes
            file.verify()
            facts = {name: file.about(name) for name in stored_cells.FACTS}
            if facts["plan"] is None:
                raise StoreError(f"{self.path} holds no study yet", Fix("run", then="to start one"))
            stored_cells.check_facts_of_store(self.path, facts, file.plan())
            self.plan: dict[str, Any] = facts["plan"]
            self.datasets: dict[str, dict[str, Any]] = {d["name"]: d for d in facts["datasets"]}
            self.study = None if study is None else _of_kinds(study, self.kinds)
            self.sizes: dict[str, list[int]] = facts["sizes"]
            self._planned = file.plan()
            self._dealing = facts["parts"]
            # the judges as the plan names them; None for the default of each kind of target
            self.asked_judges: list[dict[str, Any]] | None = facts["asked_judges"]
            self.time_limit: float | None = facts["time_limit"]
            self._repeated: dict[str, list[str]] = facts["repeated"] or {}
            self._failed = file.failed()
            self._chosen: dict[tuple[str, str], tuple[np.ndarray, np.ndarray]] = {}
            self._places = stored_cells.CellPlaces(self._planned, facts)
            self._judgments = {
                key: self._places.judgments(key, dataset) for key, dataset, *_ in self._planned
            }
            keys = {*self._judgments}.union(*self._judgments.values())
            self._there = file.finished() & keys
            self._versions = {k: v for k, v in file.versions().items() if k in self._there}

    def _repr_html_(self) -> str:
        """Return status and summary for notebooks; names are escaped."""
        said = f"<p>{html.escape(repr(self))}</p>"
        return said + (self.summary().to_html(max_rows=60) if self._there else "")

    def __repr__(self) -> str:
        status = self.status()
        return (
            f"{status['name']}: {status['finished']} of {status['cells']} cells, "
            f"{status['failed']} failed ({self.path})"
        )

    @property
    def kinds(self) -> list[TargetKind]:
        """Kinds of the targets of the data sets, in their order."""
        return list(dict.fromkeys(about["target"] for about in self.datasets.values()))

    def of_kind(self, kind: TargetKind) -> Self:
        """Return the results of the data sets with this kind of target, with their judges.

        Parameters
        ----------
        kind : {"classes", "numbers", "survival"}
            A kind of target in the study, see :attr:`kinds`.

        Returns
        -------
        Results

        Raises
        ------
        TableError
            If no data set of the study has this kind of target.
        """
        if kind not in self.kinds:
            raise TableError(f"kind must be one of {', '.join(self.kinds)}. Got {kind!r}")
        part = self.of_data_sets(
            [name for name, about in self.datasets.items() if about["target"] == kind]
        )
        labels = {label for name in part.datasets for label in self.judges_of(name)}
        judges = [judge for judge in self.plan["classifiers"] if judge["label"] in labels]
        part.plan = {**self.plan, "classifiers": judges}
        return part

    def judges_of(self, dataset: str) -> list[str]:
        """Return the labels of the judges of a data set."""
        return [label for _, label in self._places.judges_of(dataset)]

    @property
    def methods(self) -> list[str]:
        """Labels of the methods in the order of the plan."""
        return [method["label"] for method in self.plan["methods"]]

    @property
    def classifiers(self) -> list[str]:
        """Labels of the judges in the order of the plan."""
        return [classifier["label"] for classifier in self.plan["classifiers"]]

    def of_data_sets(self, names: Collection[str]) -> Self:
        """Return the results of some data sets of the study."""
        part = copy.copy(self)
        for name in ("_frame", "test_shares"):
            part.__dict__.pop(name, None)
        part.datasets = {name: about for name, about in self.datasets.items() if name in names}
        part._dealing = None
        part._planned = [cell for cell in self._planned if cell[1] in names]
        return part

    def cells(self, dataset: str, method: str) -> list[tuple[int, CellResult]]:
        """Return number of the resampling and result of each cell with a selection, ascending.

        Judges without a result are None in the judgments of a cell.
        """
        for what, given, legal in (
            ("dataset", dataset, self.datasets),
            ("method", method, self.methods),
        ):
            if given not in legal:
                raise TableError(f"{what} must be one of {', '.join(legal)}. Got {given!r}")
        rows = sorted(
            (r, key)
            for key, *at, r in self._planned
            if (*at,) == (dataset, method) and key in self._there
        )
        sizes, p = tuple(self.sizes[dataset]), len(self.datasets[dataset]["features"])
        judged = [key for _, cell in rows for key in self._judgments[cell] if key in self._there]
        with sqlite_store.Store(self.path) as file:
            selections = list(file.selections(key for _, key in rows))
            judgments = {found.key: found for found in file.judgments(judged)}
        for selection in selections:
            rows_of = (len(sizes), len(selection.test))
            own = [judgments.get(key) for key in self._judgments[selection.key]]
            if selection.p != p or any(
                found is not None and found.predictions.shape != rows_of for found in own
            ):
                raise StoreError(
                    f"{self.path} was not written by hetsel: sizes or features of a cell of "
                    f"{method!r} on {dataset!r} differ from the plan"
                )
        return [
            (r, CellResult(key, sizes, selection, tuple(map(judgments.get, self._judgments[key]))))
            for (r, key), selection in zip(rows, selections, strict=True)
        ]

    def signatures(self, dataset: str, method: str, size: int) -> tuple[np.ndarray, np.ndarray]:
        """Return numbers of the resamplings with this size (K,) and their signatures (K, p).

        The signatures are boolean masks of the features.
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
        """Scores of this kind of target; methods are compared by the first of them."""
        if len(self.kinds) > 1:
            raise TableError(
                f"scores of {' and '.join(self.kinds)} cannot be compared. Use "
                "results.of_kind(kind) for those of one kind"
            )
        return SCORES[self.kinds[0]]

    def frame(self) -> pd.DataFrame:
        """Return one row per data set, method, resampling, size and judge.

        Sizes without a signature have no row.

        Returns
        -------
        DataFrame
            Columns `dataset`, `method`, `resampling` (from 0), `size`, `classifier` (the judge),
            then the scores:

            - classes: `bcr`, the balanced accuracy (Eq. 12 of Paul et al. 2015; the mean recall
              over the classes with held-out rows; NaN if only one class has held-out rows),
              `accuracy`, `sensitivity` and `specificity` (the recalls of the second and the first
              of two classes) and `auc`. Baselines are `bcr_by_chance`, 1 / (number of classes
              with held-out rows), and `accuracy_of_majority`, the proportion of held-out rows in
              the largest class of the data set. `absent_classes` is the number of classes without
              held-out rows. See :func:`hetsel.statistics.performance.scores.class_scores`.
            - numeric targets: `r2`, `mae` and `rmse`, and the baselines `r2_of_mean`,
              `mae_of_mean` and `rmse_of_mean`, which predict the mean of the training rows. See
              :func:`hetsel.statistics.performance.scores.number_scores`.
            - survival times: `concordance` (Harrell's), `uno` (Uno's), `ibs` (integrated Brier
              score) and `auc` at the median event time, and the baselines `concordance_by_chance`
              and `ibs_of_kaplan_meier`. See
              :func:`hetsel.statistics.performance.scores.survival_scores`.

            If data sets have targets of several kinds, there are the columns of all kinds, NaN
            where they do not apply; see :meth:`of_kind`.

            `n_categorical` is the number of nominal and ordinal features in the signature. `cut`
            is "proved", "tie" or "open", or empty if the method does not state it and at the size
            of all features; see :class:`hetsel.Ranking`. `rank_seconds` is the CPU time of the
            selection, with the processes that the method started; `rank_elapsed` is the elapsed
            time.
        """
        return self._frame.copy()

    @cached_property
    def _frame(self) -> pd.DataFrame:
        parts = [
            cell.rows((dataset, method, r), about, self.judges_of(dataset))
            for dataset, about in self.datasets.items()
            for method in self.methods
            for r, cell in self.cells(dataset, method)
            if cell.judged
        ]
        seconds = ["rank_seconds", "rank_elapsed"]
        scores = dict.fromkeys(name for kind in self.kinds for name in SCORES[kind].columns)
        names = [*PLACE, *scores, "n_categorical", "cut", *seconds]
        if not parts:
            return pd.DataFrame(columns=names)
        if len(self.kinds) > 1:  # a score of another kind is missing
            return pd.concat(map(pd.DataFrame, parts), ignore_index=True)[names]
        columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        return pd.DataFrame(columns)

    @cached_property
    def test_shares(self) -> dict[str, float]:
        """Proportion of held-out rows in a split, by data set.

        With row groups it is the proportion of groups. For time-ordered splits it is the mean over
        the splits, see :func:`hetsel.evaluation.data.train_and_test_rows.mean_test_share`.
        """
        splits = Resamplings.of("the plan", self.plan["resamplings"])
        entries = {entry["name"]: entry for entry in self.plan["datasets"]}
        shares = {}
        for name, about in self.datasets.items():
            entry = entries[about.get("smaller_part_of") or name]
            split = SplitSizes(**entry["split"]) if "split" in entry else None
            shares[name] = test_share_of(about, splits_of(splits, split, about))
        return shares

    def summary(self) -> pd.DataFrame:
        """Return one row per data set, method, judge and size, over the resamplings.

        Returns
        -------
        DataFrame
            Columns `dataset`, `method`, `classifier` (the judge), `size`, `resamplings` (their
            number) and `scored` (the number with the first score); then means over the resamplings
            that have the score.

            The first score is `bcr` for classes, `r2` for numeric targets and `concordance` for
            survival times. It has two 95% CIs, clipped to the limits of the score. The corrected
            one, `bcr_low_corrected` to `bcr_high_corrected`, allows for overlapping training sets:
            the variance of the mean is (1/K + n_test/n_train) times that of the values (Nadeau and
            Bengio 2003). The naive one, `bcr_low_naive` to `bcr_high_naive`, has the factor 1/K; it
            treats resamplings as independent and is too narrow.

            Other scores are `accuracy` and `auc`, `mae` and `rmse`, or `uno` and `ibs`. Columns
            such as `bcr_std` are standard deviations of the values. `kuncheva` is Kuncheva's index
            (Eq. 13 of Paul et al. 2015). `n_categorical` and `rank_seconds` are means.
        """
        if len(self.kinds) > 1:
            return pd.concat([self.of_kind(k).summary() for k in self.kinds], ignore_index=True)
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
        """Return the classes that the held-out rows of some resamplings lack.

        Returns
        -------
        DataFrame
            Columns `dataset`, `class`, `lacking` and `resamplings`. `lacking` is the number of
            finished resamplings whose held-out rows do not include the class. With only one class
            left there is no BCR; with two or more, BCR is over these classes.
        """
        rows = []
        for dataset, about in self.datasets.items():
            truths: dict[int, np.ndarray] = {}
            for method in self.methods:
                truths |= {r: cell.selection.truth for r, cell in self.cells(dataset, method)}
            for code, label in enumerate(about["classes"]):
                lacking = sum(code not in truth for truth in truths.values())
                if lacking:
                    rows.append((dataset, str(label), lacking, len(truths)))
        return pd.DataFrame(rows, columns=["dataset", "class", "lacking", "resamplings"])

    def row_groups(self) -> pd.DataFrame:
        """Return the data sets with row groups, one row each.

        Returns
        -------
        DataFrame
            Columns `dataset`, `rows`, `groups`, `largest` (number of rows of the largest group) and
            `test_share` (mean proportion of held-out groups). Scores count rows, not groups.
        """
        facts = ("name", "rows", "row_groups", "largest_row_group")
        grouped = [about for about in self.datasets.values() if "row_groups" in about]
        rows = [(*(a[fact] for fact in facts), self.test_shares[a["name"]]) for a in grouped]
        return pd.DataFrame(rows, columns=["dataset", "rows", "groups", "largest", "test_share"])

    def tuned(self) -> pd.DataFrame:
        """Return the parameters that inner resamplings chose in the cells of tuned methods.

        Returns
        -------
        DataFrame
            Columns `dataset`, `method`, `resampling`, `parameter` and `value`; no rows without a
            tuned method.
        """
        tuned = [entry["label"] for entry in self.plan["methods"] if entry.get("tune")]
        rows = [
            (dataset, method, r, name, value)
            for dataset in self.datasets
            for method in tuned
            for r, cell in self.cells(dataset, method)
            for name, value in cell.selection.chosen_params.items()
        ]
        frame = pd.DataFrame(
            rows, columns=["dataset", "method", "resampling", "parameter", "value"]
        )
        return frame.astype({"value": object})

    def digest(self) -> str:
        """Return a SHA-256 digest of the signatures, verdicts, predictions and decision values.

        It includes what the plan of the last run needs, in the order of its data sets, methods and
        resamplings by content: labels, the order of the judges and further results in the store
        have no effect.
        """
        total = hashlib.sha256()
        with sqlite_store.Store(self.path) as file:
            cells = [(key, name) for key, name, *_ in sorted(self._planned) if key in self._there]
            judged = {
                key: sorted(k for k in self._judgments[key] if k in self._there) for key, _ in cells
            }
            judgments = file.judgments(k for key, _ in cells for k in judged[key])
            selections = file.selections(key for key, _ in cells)
            for (key, dataset), found in zip(cells, selections, strict=True):
                sizes = self.sizes[dataset]
                total.update(" ".join([key, *found.cuts(sizes)]).encode())
                for features in found.signatures(sizes).values():
                    total.update(features.astype("<i4").tobytes())
                for array in (found.test, found.truth):
                    total.update(array.tobytes())
                for judgment in islice(judgments, len(judged[key])):
                    total.update(judgment.key.encode())
                    for array in (judgment.predictions, judgment.decisions):
                        total.update(array.tobytes())
        return total.hexdigest()

    def failures(self) -> pd.DataFrame:
        """Return failed cells.

        Returns
        -------
        DataFrame
            Columns `dataset`, `method`, `resampling`, `judge` (empty if the method failed),
            `reason` and `trace`.
        """
        rows = []
        for key, dataset, method, r in self._planned:
            labels = ["", *self.judges_of(dataset)]
            for label, own in zip(labels, [key, *self._judgments[key]], strict=True):
                if own in self._failed and own not in self._there:
                    rows.append((dataset, method, r, label, *self._failed[own]))
        columns = ["dataset", "method", "resampling", "judge", "reason", "trace"]
        return pd.DataFrame(rows, columns=columns)

    def warnings(self) -> pd.DataFrame:
        """Return warnings of cells: `dataset`, `method`, `warning`, number of `cells`.

        What a method or judge printed is included as "printed: ...", and methods whose results
        differ between two computations of a cell. Warnings that
        differ only in numbers are combined, with the range of each number.
        """
        rows: list[tuple[str, str, str, int]] = []
        for dataset in self.datasets:
            for method in self.methods:
                groups: dict[tuple[str, ...], list[str]] = {}
                for _, cell in self.cells(dataset, method):
                    texts = {*cell.selection.warnings}.union(*(j.warnings for j in cell.judged))
                    for text in sorted(texts):
                        groups.setdefault(without_numbers(text), []).append(text)
                for _, alike in sorted(groups.items()):
                    rows.append((dataset, method, in_ranges(alike), len(alike)))
        for key, dataset, method, _ in self._planned:
            for own in [key, *self._judgments[key]]:
                if differs := self._repeated.get(own):
                    rows.append((dataset, method, stored_cells.repeated_in_words(differs), 1))
        return pd.DataFrame(rows, columns=["dataset", "method", "warning", "cells"])

    def versions(self) -> list[dict[str, str]]:
        """Return the versions of hetsel, Python and packages that computed the cells."""
        return list({json.dumps(used): used for used in self._versions.values()}.values())

    def status(self) -> dict[str, Any]:
        """Return counts of cells, finished and failed ones: all, and by data set and method.

        A cell is finished if its selection and the judgments of all judges are there.
        `by_part` has the counts by part if the last run computed a part of the study.
        """
        keys = {key: [key, *judgments] for key, judgments in self._judgments.items()}
        finished = {key for key, own in keys.items() if self._there.issuperset(own)}
        failed = {
            key
            for key, own in keys.items()
            if any(one in self._failed and one not in self._there for one in own)
        }
        parts: dict[tuple[str, str], Counter[str]] = {}
        for key, dataset, method, _ in self._planned:
            part = parts.setdefault((dataset, method), Counter())
            part["cells"] += 1
            part["finished"] += key in finished
            part["failed"] += key in failed
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
            "by_part": by_part(self._dealing, (key for key, *_ in self._planned), finished, failed),
        }

    def changes(self) -> list[str]:
        """Return the entries of the current plan that differ from the plan of the last run."""
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
        """Write scores, summary, failures, absent classes and rankings as CSV files.

        Rankings have the best feature first. With row groups there is also a file `row_groups`, see
        :meth:`row_groups`, and with tuned methods a file `tuned`, see :meth:`tuned`. Either all
        files are written or none.

        Parameters
        ----------
        folder : str or Path
            Folder for the files; it is created if it does not exist.
        spreadsheet_safe : bool
            Write names so that spreadsheets do not run them as formulas, see
            :func:`hetsel.ground.writing.csv`. Default: True.
        more : mapping of str to DataFrame, optional
            Additional tables by file name, such as those of :func:`hetsel.compare_methods`.
            Default: none.

        Returns
        -------
        list of Path
            The written files.
        """
        Path(folder).mkdir(parents=True, exist_ok=True)
        tables = {"scores": self.frame(), "summary": self.summary(), "failures": self.failures()}
        if any("absent_classes" in SCORES[kind].beside for kind in self.kinds):
            tables["absent_classes"] = self.absent_classes()
        tables |= more or {}
        if len(groups := self.row_groups()):
            tables["row_groups"] = groups
        if len(tuned := self.tuned()):
            tables["tuned"] = tuned
        for dataset, name in zip(self.datasets, slugs(self.datasets), strict=True):
            tables[f"rankings_{name}"] = self._named_orders(dataset)
        return write_files(
            {
                Path(folder) / f"{name}.csv": writing.csv(table, spreadsheet_safe=spreadsheet_safe)
                for name, table in tables.items()
            }
        )

    def _named_orders(self, dataset: str) -> pd.DataFrame:
        """Return the ranked names of features, best first; unranked places are empty."""
        names = np.array(self.datasets[dataset]["features"], dtype=object)
        columns = {"rank": np.arange(1, len(names) + 1)}
        for method in self.methods:
            for r, cell in self.cells(dataset, method):
                order = cell.selection.order
                if len(order):
                    rest = np.full(len(names) - len(order), "", dtype=object)
                    columns[f"{method} {r}"] = np.concatenate([names[order], rest])
        return pd.DataFrame(columns)


def _of_kinds(study: Plan, kinds: Sequence[TargetKind]) -> Plan:
    """Return the plan with the judges of these kinds of targets."""
    if len(kinds) > 1 and not any(isinstance(j, NotImported) for j in study.classifiers):
        return with_judges(study, judges_by_kind(study, kinds))
    return study.for_kind(kinds[0])
