"""The test against chance: its level, what it finds beside 199 permutations, and what it draws.

    python tests/arena/campaigns/chance_tests.py --tables 250          # noise of every design
    python tests/arena/campaigns/chance_tests.py --tables 130 --weak   # weak signals, 199 beside
    python tests/arena/campaigns/chance_tests.py --tables 50 --seeds 20  # near the boundary

Tables of the designs below, each drawn anew: classes, a rare one, patients with several recordings,
weights of rows, numbers, survival times. Both tests see the same permutations, as far as both draw
them. A fault is a share of noise that is rejected at 0.025, 0.05 or 0.1 more often than 1 in 1,000
campaigns would show, a power that is lower than that of 199 permutations by more than 0.01 over all
designs, and a verdict that a seed moves.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from claim_lines import add_results_option, append_claim
from noise_studies import too_often
from scipy import stats
from signatures import Design, drawn

import hetsel
from hetsel import Signature, Table
from hetsel.signature.nested.permuted_tables import ChanceDrawing, DrawnTables
from hetsel.signature.procedure import _tables
from hetsel.signature.request import encode_rows, procedure_of, target_of

LEVELS = (0.025, 0.05, 0.1)


class Case(NamedTuple):
    """Where tables come from: a design of classes, or rows, and the shift of a telling column."""

    name: str
    kind: str
    design: Design | None
    rows: int = 0
    by: float = 0.0
    weighed: bool = False


WEAK = [
    Case("60 rows", "classes", Design(60, 10, 2, 0.6, 0.4)),
    Case("100 rows, 20 columns", "classes", Design(100, 20, 3, 0.5, 0.5)),
    Case("a rare class", "classes", Design(120, 12, 2, 0.7, 0.15)),
    Case("patients", "classes", Design(160, 8, 2, 0.6, 0.5, recordings=4, alike=False)),
    Case("weights", "classes", Design(90, 9, 2, 0.6, 0.5), weighed=True),
    Case("three classes", "classes", Design(90, 8, 3, 0.7, 0.6, classes=3)),
    Case("numbers", "numbers", None, 80, 0.35),
    Case("survival", "survival", None, 90, 0.4),
]


def noise_of(case: Case) -> Case:
    """The same without a signal."""
    if case.design is None:
        return case._replace(by=0.0)
    return case._replace(design=case.design._replace(telling=0, by=0.0))


def table_of(case: Case, seed: int) -> tuple[Any, Any, Any, Any]:
    """Columns, target, groups and weights of a table of a case."""
    rng = np.random.default_rng([seed, len(case.name), case.rows])
    if case.design is not None:
        X, y, groups = drawn(rng, case.design)
        weights = rng.uniform(0.3, 3.0, len(y)) if case.weighed else None
        return X, y, groups, weights
    n = case.rows
    numbers, levels = rng.normal(size=(n, 6)), rng.integers(0, 3, (n, 3))
    X = pd.DataFrame({f"x{j}": numbers[:, j] for j in range(6)})
    for j in range(3):
        X[f"f{j}"] = np.array(["a", "b", "c"])[levels[:, j]]
    told = case.by * (numbers[:, 0] + (levels[:, 0] == 1))
    if case.kind == "numbers":
        return X, told + rng.normal(size=n), None, None
    times, ends = rng.exponential(np.exp(-told)), rng.exponential(2.0, n)
    return X, hetsel.survival(np.minimum(times, ends) + 1e-6, times <= ends), None, None


class Tested(NamedTuple):
    """What one test of a table says and takes."""

    pvalue: float
    above: bool
    permutations: int
    models: int


@contextmanager
def remembering() -> Iterator[None]:
    """Areas of one fold of one table by one seed and one method are computed once in here."""
    known: dict[Any, np.ndarray] = {}
    compute = DrawnTables._areas

    def remembered(self, data, table, first, end):
        problem = data.problem(seed=self.seed)
        cells = (problem.table.values, *problem.target.parts, problem.weights, problem.row_groups)
        content = tuple(None if part is None else part.tobytes() for part in cells)
        asked = (repr((self.method, self.sizes, self.classifiers, self.folds, self.seed)), content)
        for fold in range(first, end):
            key = (*asked, table, fold)
            if key not in known:
                known[key] = next(compute(self, data, table, fold, fold + 1))
            yield known[key]

    DrawnTables._areas = remembered
    try:
        yield
    finally:
        DrawnTables._areas = compute


def tests_of(case: Case, seed: int, asked: list[int | None]) -> list[Tested]:
    """Tests with these numbers of permutations, which share what they compute."""
    X, y, groups, weights = table_of(case, seed)
    signature = Signature(target_kind=case.kind, random_state=seed)
    table, target = Table.read(X), target_of(signature, y, len(X))
    procedure = procedure_of(signature, table.names, case.kind, len(X))
    data = encode_rows(signature, table, target, procedure, weights, groups)
    with remembering():
        return [_tested(data, procedure, most) for most in asked]


def _tested(data: Any, procedure: Any, most: int | None) -> Tested:
    drawing = ChanceDrawing(_tables(data, procedure, procedure.sizes(data.table.shape[1])), most)
    turn, models = drawing.first(), 0
    while turn is not None:
        results = {k: turn.run(data, k, str(k)) for k in range(len(turn))}
        models += sum(len(one.areas) for one in results.values())
        drawing.learn(turn, results)
        turn = drawing.more()
    found = drawing.found()
    return Tested(found.pvalue, found.above_chance, len(found.permuted), models)


def shown(name: str, values: dict[str, Any]) -> None:
    """A line of JSON."""
    print(json.dumps({"case": name, **values}), flush=True)


def noise(cases: list[Case], tables: int, first: int, results: Path | None) -> int:
    """How often noise is rejected; the faults."""
    faults, every = 0, []
    for case in map(noise_of, cases):
        found = [tests_of(case, first + k, [None])[0] for k in range(tables)]
        every += found
        told = _level(found)
        shown(case.name, told)
        _claimed(results, design_of(case), told, LEVELS[:1])
    told = _level(every)
    shown("all", told)
    _claimed(results, {"telling": 0, "kinds": len(cases)}, told, LEVELS)
    for level in LEVELS:
        faults += too_often([float(one.pvalue <= level) for one in every], level)
    return faults


def design_of(case: Case) -> dict[str, Any]:
    """What tables of a case are drawn from."""
    drawn_from = {"rows": case.rows} if case.design is None else case.design._asdict()
    return {**drawn_from, "telling": 0, "kind": case.name}


def _claimed(results: Path | None, design: dict[str, Any], told: dict[str, Any], levels) -> None:
    """Lines of how often noise is rejected; of all designs how probable so many are, too."""
    n, measures = told["tables"], {}
    for level in levels:
        rejected = told[f"rejected at {level}"]
        measures[f"tables rejected at {level}"] = rejected
        if "kinds" in design:
            measures[f"p at {level}"] = stats.binom.sf(rejected - 1, n, level)
    append_claim(results, "verdict on noise", design, measures, method="rfe-mkl", tables=n)


def _level(found: list[Tested]) -> dict[str, Any]:
    values: dict[str, Any] = {"tables": len(found)}
    for level in LEVELS:
        values[f"rejected at {level}"] = sum(one.pvalue <= level for one in found)
    return values | _drawn(found)


def _drawn(found: list[Tested]) -> dict[str, Any]:
    permutations, models = ([getattr(one, what) for one in found] for what in Tested._fields[2:])
    return {
        "permutations": [float(np.median(permutations)), float(np.quantile(permutations, 0.95))],
        "models": [float(np.median(models)), float(np.quantile(models, 0.95))],
    }


def weak(cases: list[Case], tables: int, first: int) -> int:
    """What is found beside 199 permutations; the faults."""
    every: list[list[Tested]] = []
    for case in cases:
        found = [tests_of(case, first + k, [199, None]) for k in range(tables)]
        every += found
        shown(case.name, _power(found))
    told = _power(every)
    shown("all", told)
    return int(told["found"] < told["found by 199"] - 0.01 * len(every))


def _power(found: list[list[Tested]]) -> dict[str, Any]:
    always, own = zip(*found, strict=True)
    return {
        "tables": len(found),
        "found by 199": sum(one.above for one in always),
        "found": sum(one.above for one in own),
        "other verdict": sum(a.above != b.above for a, b in found),
        **_drawn([*own]),
    }


def seeds(cases: list[Case], tables: int, first: int, tried: int) -> int:
    """Verdicts of tables near the boundary by several seeds; how many a seed moves."""
    near, moved, number = 0, 0, first
    while near < tables:
        case = cases[number % len(cases)]
        number += 1
        X, y, groups, weights = table_of(case, number)
        options = {"target_kind": case.kind, "repeats": 1, "pairs": 0, "folds": 3}
        one = Signature(**options).fit(X, y, weights, groups=groups)
        if not 0.01 < one.permutation_test_.pvalue < 0.06:
            continue
        near += 1
        with remembering():
            others = [
                Signature(**options, random_state=seed).fit(X, y, weights, groups=groups)
                for seed in range(1, tried)
            ]
        moved += any(
            other.permutation_test_.pvalue != one.permutation_test_.pvalue for other in others
        )
        shown(case.name, {"table": number, "p": one.permutation_test_.pvalue, "moved": moved})
    return moved


def main() -> int:
    """Run what is asked for; 1 with a fault."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="number of the first table")
    parser.add_argument("--weak", action="store_true")
    parser.add_argument("--seeds", type=int, default=0)
    parser.add_argument("--case", help="only the case of this name")
    add_results_option(parser)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    cases = [case for case in WEAK if asked.case in (None, case.name)]
    if asked.seeds:
        faults = seeds(cases, asked.tables, asked.first, asked.seeds)
    elif asked.weak:
        faults = weak(cases, asked.tables, asked.first)
    else:
        faults = noise(cases, asked.tables, asked.first, asked.results)
    print(f"{faults} faults")
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
