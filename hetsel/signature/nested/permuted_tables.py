"""Compute the tables of the permutation test: one with original, others with permuted labels.

Table 0 has the original labels; the others have permuted labels, drawn with the seed of the
content. Their folds are computed one after the other: those of the first draw, of the second, and
so on. A permuted table has as many folds as are needed to know on which side of table 0 it lies,
see :class:`hetsel.signature.nested.against_chance.Race`. One fold is enough for most tables; of
those near table 0, two in a hundred may be put on the wrong side, in either direction. Table 0 has
four draws, and all draws if four do not decide a permuted table. Permuted labels can equal those of
table 0 if few arrangements are possible. Such a table reaches table 0 without computation.
"""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from hetsel.evaluation.by_key import judges_by_key, methods_by_key
from hetsel.evaluation.computation import CellFailure, guarded
from hetsel.evaluation.data.encoded_data import EncodedData
from hetsel.evaluation.target_scores import target_scores
from hetsel.resampling.label_permutations import permuted_target
from hetsel.selection import Problem
from hetsel.signature.nested import against_chance
from hetsel.signature.nested.against_chance import ChanceTest, Race

FOLDS, LABELS = 1, 2  # streams of the seed
DRAWS = 16  # of folds, whose area is averaged
FEW_DRAWS = 4  # of table 0, at first
PILOTS = 5  # permuted tables that are drawn once before the first comparison


@dataclass(frozen=True)
class TableAreas:
    """Hold areas under the ROC curve (folds, sizes) of the held-out rows of one table.

    They are NaN if an answer lacks a size, or a fold is uninformative. Other targets than classes
    have another score, see :mod:`hetsel.evaluation.target_scores`. `same` is True if the labels are
    those of table 0; then no area is computed.
    """

    key: str
    areas: np.ndarray
    rank_seconds: float
    classify_seconds: float = 0.0
    same: bool = False


@dataclass(frozen=True, eq=False)
class DrawnTables:
    """Compute tables with original or permuted labels in folds; a number is one of `work`."""

    method: methods_by_key.MethodSpec
    sizes: tuple[int, ...]
    classifiers: tuple[judges_by_key.ClassifierSpec, ...]
    folds: int  # at most the number of rows, or row groups, of the rarest class
    seed: int
    # table, its first fold, and the fold after its last; fold f is number f % folds in draw f //
    # folds
    work: tuple[tuple[int, int, int], ...] = ()
    race: Race | None = None  # ends the folds of a table when they are enough
    # (f, sizes): areas of earlier folds of a table
    known: Mapping[int, np.ndarray] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.work)

    def problem_of(self, data: EncodedData, table: int) -> Problem:
        """Return the table with its labels."""
        problem = data.problem(seed=self.seed)
        if table == 0:
            return problem
        source = np.random.SeedSequence(self.seed, spawn_key=(LABELS, table))
        return permuted_target(problem, np.random.default_rng(source))

    def run(self, data: EncodedData, resampling: int, key: str) -> TableAreas | CellFailure:
        """Compute the folds of this number."""

        def finish(found: tuple[np.ndarray, float, bool], _: object) -> TableAreas:
            areas, seconds, same = found
            return TableAreas(key, areas, seconds, same=same)

        return guarded(self, key, lambda: self._compute(data, resampling), finish, data.target.kind)

    def _compute(self, data: EncodedData, number: int) -> tuple[np.ndarray, float, bool]:
        start = time.thread_time()
        table, first, end = self.work[number]
        if table and self._same(data, table):
            return np.empty((0, len(self.sizes))), time.thread_time() - start, True
        known = [*self.known.get(table, ())]
        new: list[np.ndarray] = []
        for areas in self._areas(data, table, first, end):
            new.append(areas)
            if self.race is not None and self.race.over(np.array([*known, *new])):
                break
        return np.array(new), time.thread_time() - start, False

    def _same(self, data: EncodedData, table: int) -> bool:
        """Check whether the labels of a permuted table are those of table 0, up to their names."""
        own, permuted = (self.problem_of(data, k).target.parts for k in (0, table))
        return all(map(np.array_equal, own, permuted))

    def _areas(self, data: EncodedData, table: int, first: int, end: int) -> Iterator[np.ndarray]:
        """Iterate over areas (sizes,) of the folds, each computed on request."""
        problem = self.problem_of(data, table)
        judgement = target_scores(problem.target)
        method = self.method.build().set_params(missing=data.missing, scale=data.scale)
        drawn, fold = -1, np.empty(0)
        for number in range(first, end):
            draw, k = divmod(number, self.folds)
            if draw != drawn:
                source = np.random.SeedSequence(self.seed, spawn_key=(FOLDS, table, draw))
                seeded = replace(problem, seed=int(source.generate_state(1)[0]))
                drawn, fold = draw, judgement.folds(seeded, self.folds)
            rows, areas = fold == k, np.full(len(self.sizes), np.nan)
            if rows.any():
                held = judgement.held_out(method, problem, rows, self.sizes, self.classifiers[0])
                known = judgement.known(held[0])
                own = held[0][known], held[1][known], held[2]
                areas[known] = judgement.test_scores(problem, rows, own)
            yield areas


class ChanceDrawing:
    """Decide which tables of the test to compute next.

    All of `most` permutations are drawn; if it is None, until the result is decided.
    """

    def __init__(self, tables: DrawnTables, most: int | None, tried: int = 1) -> None:
        self._tables, self._most, self._tried = tables, most, tried
        self._areas: dict[int, np.ndarray] = {}
        self._same: set[int] = set()
        self._noise = 0.0
        self._turns = 0
        self._begin()

    def _begin(self) -> None:
        """Return to the first end of drawing."""
        self._ends = [*against_chance.ends_of_drawing(self._tried)]
        self._until = self._most or self._ends[0].permutations

    def first(self) -> DrawnTables:
        """Return table 0 in some draws, and the first permuted tables in one draw."""
        folds = self._tables.folds
        pilots = range(1, min(PILOTS, self._until) + 1)
        return self._asked([*self._table_0(0, FEW_DRAWS), *((k, 0, folds) for k in pilots)], None)

    def learn(self, tables: DrawnTables, results: Mapping[int, TableAreas]) -> None:
        """Store the computed areas of tables."""
        for number, (table, _, _) in enumerate(tables.work):
            new = results[number].areas
            known = self._areas.get(table)
            self._areas[table] = new if known is None else np.concatenate([known, new])
            if results[number].same:
                self._same.add(table)
        if self._turns == 1:
            self._noise = _noise([self._areas[k] for k in self._areas if k])
        elif tables.work[0][0] == 0:  # earlier ends were based on fewer draws
            self._begin()

    def more(self) -> DrawnTables | None:
        """Return the next folds to compute; None at the end."""
        while True:
            race, folds = self._race, self._tables.folds
            whole = race.known == race.most
            every = range(1, self._until + 1)
            untold = [k for k in every if k not in self._same and not self._told(k, race)]
            open_ones = [k for k in untold if k in self._areas and len(self._areas[k]) >= folds]
            if open_ones and not whole:
                return self._asked(self._table_0(FEW_DRAWS, DRAWS), None)
            if untold:
                end = race.most if whole else folds
                work = [(k, len(self._areas.get(k, ())), end) for k in untold]
                return self._asked(work, race)
            if self._ended:
                return None
            self._ends.pop(0)
            self._until = self._ends[0].permutations

    def _told(self, table: int, race: Race) -> bool:
        return table in self._areas and race.over(self._areas[table])

    @property
    def _ended(self) -> bool:
        """Whether the permutations so far are enough."""
        if self._most is not None:
            return True
        found, (_, fewest, most) = self.found(), self._ends[0]
        above = int((found.permuted >= found.statistic - against_chance.EQUAL).sum())
        return above <= fewest or above >= most or len(self._ends) == 1

    @property
    def _race(self) -> Race:
        folds = self._tables.folds
        rate, known = against_chance.largest_area(self._areas[0]), len(self._areas[0])
        return Race(rate, self._noise, folds, known, DRAWS * folds)

    def _table_0(self, first: int, end: int) -> list[tuple[int, int, int]]:
        """Return draws of table 0."""
        folds = self._tables.folds
        return [(0, draw * folds, (draw + 1) * folds) for draw in range(first, end)]

    def _asked(self, work: list[tuple[int, int, int]], race: Race | None) -> DrawnTables:
        self._turns += 1
        label = "chance" if self._turns == 1 else f"chance {self._turns}"
        known = {k: self._areas[k] for k, first, _ in work if k and first}
        method = replace(self._tables.method, label=label)
        return replace(self._tables, method=method, work=tuple(work), race=race, known=known)

    def found(self) -> ChanceTest:
        """Return the test so far."""
        rate, folds = against_chance.largest_area(self._areas[0]), self._tables.folds
        every = range(1, self._until + 1)
        permuted = [
            rate if k in self._same else against_chance.largest_area(self._areas[k]) for k in every
        ]
        draws, full = len(self._areas[0]) // folds, self._most is not None
        return ChanceTest(rate, np.array(permuted), folds, draws, tried=self._tried, full=full)


def _noise(areas: list[np.ndarray]) -> float:
    """Compute the standard deviation of the largest area of a fold within tables (folds, sizes)."""
    told = [own[np.isfinite(own).any(axis=1)] for own in areas]
    best = [np.nanmax(own, axis=1) for own in told if len(own) > 1]
    squares = [np.var(own, ddof=1) for own in best]
    return float(np.sqrt(np.mean(squares))) if squares else 0.0
