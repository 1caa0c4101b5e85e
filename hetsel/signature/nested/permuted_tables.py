"""The computations of the test against chance: a table with its labels, and with permuted ones.

Table 0 has its labels as they are, the others have permuted ones, drawn with the seed of the
content. All draws of table 0 and two of the first permuted tables are computed first: they say how
much the area of one table moves from draw to draw. Then a permuted table is drawn as often as it
takes to know on which side of table 0 it lies, see
:class:`hetsel.signature.nested.against_chance.Race`; most are told by one draw, and of those near
table 0 one in a hundred may be told wrong, on either side.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from hetsel.resampling.label_permutations import permuted_target
from hetsel.selection.problem import Problem
from hetsel.signature.nested.against_chance import ChanceTest, Race, largest_area, next_look
from hetsel.signature.nested.judgement import judgement_of
from hetsel.study.cell import CellFailure, guarded
from hetsel.study.plan.planned_classifiers import ClassifierSpec
from hetsel.study.plan.planned_methods import MethodSpec
from hetsel.study.rows.data_set import StudyData

FOLDS, LABELS = 1, 2  # streams of the seed
DRAWS = 40  # of folds, of which the area is the mean
PILOTS = 20  # permuted tables that are drawn twice before anything is compared


@dataclass(frozen=True)
class TableAreas:
    """Areas under the ROC curve (draws, sizes) of the held-out rows of one table.

    Where the target holds no classes it is another score, see
    :mod:`hetsel.signature.nested.judgement`.
    """

    key: str
    areas: np.ndarray
    rank_seconds: float
    classify_seconds: float = 0.0


@dataclass(frozen=True, eq=False)
class DrawnTables:
    """Tables with labels as they are or permuted, in draws of folds; each number is one of `work`.

    Parameters
    ----------
    method : MethodSpec
    sizes : tuple of int
    classifiers : tuple of one ClassifierSpec
    folds : int
        No more than the rarest class has rows, or groups of rows.
    seed : int
    work : tuple of (int, int, int)
        Table, its first draw, the one after its last.
    race : Race, optional
        Ends the draws of a table where they are enough.
    known : mapping of int to ndarray of shape (draws, sizes)
        Areas of earlier draws of a table.
    """

    method: MethodSpec
    sizes: tuple[int, ...]
    classifiers: tuple[ClassifierSpec, ...]
    folds: int
    seed: int
    work: tuple[tuple[int, int, int], ...] = ()
    race: Race | None = None
    known: Mapping[int, np.ndarray] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.work)

    def problem_of(self, data: StudyData, table: int) -> Problem:
        """The table with its labels."""
        problem = data.problem(seed=self.seed)
        if table == 0:
            return problem
        source = np.random.SeedSequence(self.seed, spawn_key=(LABELS, table))
        return permuted_target(problem, np.random.default_rng(source))

    def run(self, data: StudyData, resampling: int, key: str) -> TableAreas | CellFailure:
        """Compute the draws of this number."""

        def finish(found: tuple[np.ndarray, float], _: object) -> TableAreas:
            return TableAreas(key, *found)

        return guarded(self, key, lambda: self._compute(data, resampling), finish)

    def _compute(self, data: StudyData, number: int) -> tuple[np.ndarray, float]:
        start = time.thread_time()
        table, first, end = self.work[number]
        problem = self.problem_of(data, table)
        areas = [*self.known.get(table, ())]
        for draw in range(first, end):
            if areas and self.race is not None and self.race.over(np.array(areas)):
                break
            areas.append(self._areas(data, problem, table, draw))
        return np.array(areas), time.thread_time() - start

    def _areas(self, data: StudyData, problem: Problem, table: int, draw: int) -> np.ndarray:
        """Areas (sizes,) of one draw, the mean of its folds; NaN where an answer lacks a size."""
        source = np.random.SeedSequence(self.seed, spawn_key=(FOLDS, table, draw))
        seeded = replace(problem, seed=int(source.generate_state(1)[0]))
        fold = judgement_of(problem.target).folds(seeded, self.folds)
        method = self.method.build().set_params(missing=data.missing, scale=data.scale)
        judgement = judgement_of(problem.target)
        found, known = [], np.ones(len(self.sizes), dtype=bool)
        for k in range(int(fold.max()) + 1):
            rows = fold == k
            if not rows.any():
                continue
            held = judgement.held_out(method, problem, rows, self.sizes, self.classifiers[0])
            known &= judgement.known(held[0])
            areas = np.full(len(self.sizes), np.nan)
            areas[known] = judgement.test_scores(
                problem, rows, (held[0][known], held[1][known], held[2])
            )
            found.append(areas)
        told = [areas for areas in found if np.isfinite(areas).any()]
        mean = np.mean(told, axis=0) if told else np.full(len(self.sizes), np.nan)
        return np.where(known, mean, np.nan)


class ChanceDrawing:
    """What of the test is computed next, by what is known of it.

    Parameters
    ----------
    tables : DrawnTables
        Without work.
    most : int
        Permutations at the most.
    """

    def __init__(self, tables: DrawnTables, most: int) -> None:
        self._tables, self._most, self._done = tables, most, 0
        self._areas: dict[int, np.ndarray] = {}
        self._race: Race | None = None

    def first(self) -> DrawnTables:
        """Table 0 in full, a draw each, and the first permuted ones twice."""
        pilots = range(1, min(PILOTS, self._most) + 1)
        work = [(0, draw, draw + 1) for draw in range(DRAWS)] + [(k, 0, 2) for k in pilots]
        return replace(self._tables, work=tuple(work))

    def learn(self, tables: DrawnTables, results: Mapping[int, Any]) -> None:
        """Take what was computed of tables."""
        parts: dict[int, list[np.ndarray]] = {}
        for number, (table, _, _) in enumerate(tables.work):
            parts.setdefault(table, []).append(results[number].areas)
        self._areas |= {table: np.concatenate(own) for table, own in parts.items()}
        if self._race is None:
            pairs = [[largest_area(area[None]) for area in self._areas[k]] for k in parts if k]
            noise = float(np.sqrt(np.mean(np.diff(pairs, axis=1) ** 2) / 2))
            self._race = Race(largest_area(self._areas[0]), noise, DRAWS)

    def more(self) -> DrawnTables | None:
        """The permuted tables of the next look; None at the end."""
        found = self.found()
        above = int((found.permuted >= found.rate - 1e-9).sum())
        until = next_look(above, self._done, self._most)
        if until == self._done:
            return None
        new = range(self._done + 1, until + 1)
        self._done = until
        known = {k: self._areas[k] for k in new if k in self._areas}
        work = tuple((k, len(known.get(k, ())), DRAWS) for k in new)
        method = replace(self._tables.method, label=f"chance {until}")
        return replace(self._tables, method=method, work=work, race=self._race, known=known)

    def found(self) -> ChanceTest:
        """The test as far as it is done."""
        areas = (self._areas[k] for k in range(1, self._done + 1))
        permuted = np.array([largest_area(area) for area in areas])
        return ChanceTest(largest_area(self._areas[0]), permuted, self._tables.folds, DRAWS)
