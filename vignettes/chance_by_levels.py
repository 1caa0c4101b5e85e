"""Find which number of levels comes first by chance, for every method on uninformative tables.

    python chance_by_levels.py run noise      which of 21 columns of seven kinds is first
    python chance_by_levels.py run three      which of three is first
    python chance_by_levels.py run planted    proportion of the informative columns among the first
    python chance_by_levels.py run heart      the same on the heart table with added noise

A unit (an experiment, a method with its options) is one line of a results file.
what-it-claims.Rmd draws this file. Existing units are not run again.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from hetsel import Table, get_method, method_keys
from hetsel.datasets import load
from hetsel.kernels.normalization import NORMALIZATIONS
from hetsel.kernels.scaled_kernels import NORMS
from hetsel.methods.registry import own_parameters
from hetsel.selection import Problem, Ranking
from hetsel.tables import Classes, Column, Schema

RESULTS = Path(__file__).with_name("chance_by_levels.jsonl")
ROWS = 100
TABLES = 200
KINDS = (0, 2, 3, 5, 10, 20, 50)  # levels; 0 is a continuous column
NOISE = {"noise": KINDS * 3, "three": (0, 2, 50), "planted": KINDS * 3, "heart": KINDS * 3}
# informative columns: levels, and the change of the proportion of class 1 in a level (numbers: the
# difference of the classes in SDs); the test of each column alone detects it in most tables
TRUE = {0: 0.55, 2: 0.14, 5: 0.17, 20: 0.22}
PARAMS: dict[str, dict[str, Any]] = {
    "random-forest": {"n_estimators": 500},
    "random-forest-gini": {"n_estimators": 500},
    "rf10000": {"ntree": 500},
}


def title(levels: int) -> str:
    """Return the name of a kind of column."""
    return f"{levels} levels" if levels else "numbers"


def problem(experiment: str, number: int, takes: tuple[str, ...]) -> tuple[Problem, np.ndarray]:
    """Draw a table of the kinds that a method accepts, in random column order, and its kinds.

    Kinds of informative columns are negative, -1 for continuous columns.
    """
    source = np.random.SeedSequence(2026, spawn_key=(list(NOISE).index(experiment), number))
    rng = np.random.default_rng(source)
    y = rng.permutation(np.arange(ROWS) % 2)
    true: list[tuple[int, np.ndarray]] = []
    if experiment == "planted":
        true = [(levels, told(levels, lean, y, rng)) for levels, lean in TRUE.items()]
    if experiment == "heart":
        table, y = heart()
        counts = [len(column.levels) for column in table.schema.columns]
        true = list(zip(counts, table.values.T, strict=True))
    noise = [
        (levels, rng.integers(levels, size=len(y)) if levels else rng.normal(size=len(y)))
        for levels in NOISE[experiment]
    ]
    both = [*noise, *true]
    kinds = np.array([*(k for k, _ in noise), *(-max(k, 1) for k, _ in true)])
    numbers = np.isin(kinds, (0, -1))
    places = rng.permutation(len(kinds))
    places = places[np.where(numbers, "continuous" in takes, "nominal" in takes)[places]]
    columns = tuple(
        Column(f"x{j}", "continuous")
        if numbers[j]
        else Column(f"x{j}", "nominal", tuple(range(abs(kinds[j]))))
        for j in places
    )
    values = np.column_stack([both[j][1] for j in places]).astype(np.float64)
    sizes = tuple(range(1, len(places) + 1))
    return Problem(Table(values, Schema(columns)), Classes.of(y), sizes, number), kinds[places]


def told(levels: int, lean: float, y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw an informative column: numbers, or levels of which the upper half favors class 1."""
    if not levels:
        return rng.normal(size=len(y)) + lean * y
    upper = rng.random(len(y)) < np.where(y == 1, 0.5 + lean, 0.5 - lean)
    half = levels // 2
    low, high = rng.integers(half, size=len(y)), rng.integers(half, levels, size=len(y))
    return np.where(upper, high, low)


@cache
def heart() -> tuple[Table, np.ndarray]:
    """Return the table of heart disease and its class codes."""
    data = load("heart")
    table = Schema.infer(data.X).encode(data.X).resolve_missing("impute")
    return table, Classes.of(data.y).codes


def line(experiment: str, key: str, params: dict[str, Any]) -> dict[str, Any]:
    """Return the result of one method on all tables of an experiment."""
    method = get_method(key)
    found = []
    start = time.thread_time()
    for number in range(TABLES):
        asked, kinds = problem(experiment, number, method.about.takes)
        answer = method(**PARAMS.get(key, {}), **params).solve(asked)
        found.append(noted(experiment, answer, kinds))
    seconds = (time.thread_time() - start) / TABLES
    names = found[0].keys()
    means = {name: float(f"{np.mean([f[name] for f in found]):.4g}") for name in names}
    return {"tables": TABLES, "seconds": float(f"{seconds:.2g}"), **means}


def noted(experiment: str, answer: Any, kinds: np.ndarray) -> dict[str, float]:
    """Return the measures of one answer; the result is their mean over the tables."""
    true = kinds < 0
    if true.any():
        chosen = kinds[answer.signature(int(true.sum()))]
        found = {"recall": float((chosen < 0).mean())}
        if experiment == "planted":
            shown = {k: f"true {title(k if k > 1 else 0)}" for k in sorted(-kinds[true])}
            found |= {name: float(-k in chosen) for k, name in shown.items()}
        return found
    first = kinds[answer.signature(1)[0]]
    present = [k for k in KINDS if k in kinds]
    shares = {f"first {title(k)}": float(first == k) for k in present}
    if not isinstance(answer, Ranking):
        return shares
    return shares | {f"rank {title(k)}": answer.ranks[kinds == k].mean() for k in present}


def results() -> list[dict[str, Any]]:
    """Return all existing lines."""
    if not RESULTS.exists():
        return []
    return [json.loads(text) for text in RESULTS.read_text().splitlines()]


def run(experiment: str, units: Iterator[tuple[str, dict[str, Any]]]) -> None:
    """Run the missing units."""
    done = [(found["experiment"], found["method"], found["params"]) for found in results()]
    for key, params in units:
        if (experiment, key, params) in done:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = line(experiment, key, params)
        told = {"experiment": experiment, "method": key, "params": params, **found}
        with RESULTS.open("a") as file:
            file.write(json.dumps(told, separators=(",", ":")) + "\n")
        print(told, flush=True)


def units() -> Iterator[tuple[str, dict[str, Any]]]:
    """Return every method of the catalogue; methods with kernels also normalized."""
    for key in method_keys():
        yield key, {}
        own = own_parameters(get_method(key))
        if "normalize" in own:
            kinds = NORMALIZATIONS if own["normalize"] == "none" else NORMS
            for kind in kinds:
                if kind != own["normalize"]:
                    yield key, {"normalize": kind}
        if "centering" in own:
            yield key, {"centering": "unbiased"}


def main() -> None:
    """Run an experiment."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    runs = commands.add_parser("run")
    runs.add_argument("experiment", choices=list(NOISE))
    runs.add_argument("--methods", nargs="+", default=method_keys(), choices=method_keys())
    options = parser.parse_args()
    run(options.experiment, (unit for unit in units() if unit[0] in options.methods))


if __name__ == "__main__":
    main()
