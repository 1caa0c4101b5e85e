"""Tables whose truth is known, for targets that are no classes: which columns does a method find?

    python tests/arena/campaigns/planted_targets.py --target numbers
    python tests/arena/campaigns/planted_targets.py --target survival --noise --methods hsic relieff

Planted: 200 rows and 30 columns, five of which tell the target, each by the same share of the
variance of the predictor: two continuous ones by a line, one by its exponential, one column of 3
levels and one of 6 in no order. Beside them are noise: 12 continuous columns, 5 that go together
(correlations of 0.6), 4 that go with the first one that tells (0.5 each), and columns of 2, 3, 6
and 20 levels. The columns are shuffled. Numbers are the predictor and normal noise, at two ratios
of their variances; survival times are Weibull of shape 1.5 with proportional hazards, whose
logarithm has a standard deviation of 0.75 or 1.5, 20 % or 60 % of them censored at uniform times. A
method's rate is the share of planted columns among the first five, nominal and continuous ones
apart; of a search over subsets those of its subset of five columns or, where it has none, of its
own size. Methods that take continuous columns only are given these.

Noise (--noise): 100 rows, three columns each of numbers, 2, 5 and 20 levels, and none tells the
target: which kind comes first? Each should in as many tables as it has columns, a quarter.

The target "martingale" is survival times given to methods for numbers as martingale residuals;
"classes" are the numbers above their median and those below.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from hetsel import Table, get_method, method_keys
from hetsel.kernels.normalization import NORMALIZATIONS
from hetsel.kernels.scaled_kernels import NORMS
from hetsel.methods.registry import own_parameters
from hetsel.selection import Problem, Ranking
from hetsel.selection.problem import martingale
from hetsel.tables import Classes, Column, Numbers, Schema, Survival

TARGETS = ("numbers", "survival", "martingale", "classes")
ROWS, NOISE_ROWS = 200, 100
PLANTED = ("line 1", "line 2", "exponential", "3 levels", "6 levels")
NUMBER_DESIGNS = {f"signal to noise {ratio:g}": {"ratio": ratio} for ratio in (0.5, 2.0)}
SURVIVAL_DESIGNS = {
    f"{word}, {100 * share:.0f} % censored": {"spread": spread, "censored": share}
    for word, spread in (("weak", 0.75), ("strong", 1.5))
    for share in (0.2, 0.6)
}
NOISE_DESIGNS = {f"{100 * s:.0f} % censored": {"spread": 0.0, "censored": s} for s in (0.2, 0.6)}
KINDS = (0, 2, 5, 20)  # levels of the columns of noise tables; 0 is a column of numbers
FOREST = {"n_estimators": 500}
PARAMS: dict[str, dict[str, Any]] = {
    "random-forest": FOREST,
    "random-forest-gini": FOREST,
    "rf10000": {"ntree": 500},
}


def designs(target: str, noise: bool) -> dict[str, dict[str, float]]:
    """What the targets of a kind are drawn from, by a few words."""
    if target in ("numbers", "classes"):
        return {"noise": {"ratio": 0.0}} if noise else NUMBER_DESIGNS
    return NOISE_DESIGNS if noise else SURVIVAL_DESIGNS


def standard(values: np.ndarray) -> np.ndarray:
    """The values (n,) with mean 0 and variance 1."""
    return (values - values.mean()) / values.std()


def of_levels(codes: np.ndarray, levels: int, rng: np.random.Generator) -> np.ndarray:
    """Effects (n,) of levels: evenly spaced, in no order of theirs."""
    return standard(rng.permutation(np.linspace(-1.0, 1.0, levels))[codes])


def planted_columns(rng: np.random.Generator) -> tuple[list[tuple[str, int, np.ndarray]], Any]:
    """Columns as (what it is, levels, cells), and the predictor (n,)."""
    numbers = rng.normal(size=(3, ROWS))
    three, six = rng.integers(3, size=ROWS), rng.integers(6, size=ROWS)
    told = [standard(numbers[0]), standard(numbers[1]), standard(np.exp(numbers[2]))]
    told += [of_levels(three, 3, rng), of_levels(six, 6, rng)]
    cells = [*numbers, three, six]
    columns = list(zip(PLANTED, (0, 0, 0, 3, 6), cells, strict=True))
    common = rng.normal(size=ROWS)
    noise = rng.normal(size=(21, ROWS))
    noise[:5] = np.sqrt(0.6) * common + np.sqrt(0.4) * noise[:5]
    noise[5:9] = 0.5 * numbers[0] + np.sqrt(0.75) * noise[5:9]
    columns += [("noise", 0, one) for one in noise]
    columns += [("noise", k, rng.integers(k, size=ROWS)) for k in (2, 3, 6, 20)]
    return columns, standard(np.sum(told, axis=0))


def noise_columns(rng: np.random.Generator) -> tuple[list[tuple[str, int, np.ndarray]], Any]:
    """Three columns of each kind, and a predictor (n,) that none of them tells."""
    n = NOISE_ROWS
    columns = [
        ("noise", k, rng.integers(k, size=n) if k else rng.normal(size=n)) for k in KINDS * 3
    ]
    return columns, np.zeros(n)


def drawn_target(target: str, design: dict[str, float], told: np.ndarray, seed: tuple) -> Any:
    """The target of a predictor (n,) with variance 1, or 0 in a table of noise."""
    rng = np.random.default_rng(np.random.SeedSequence(31, spawn_key=(*seed, 1)))
    if target in ("numbers", "classes"):
        values = np.sqrt(design["ratio"]) * told + rng.normal(size=len(told))
        return Numbers(values) if target == "numbers" else Classes.of(values > np.median(values))
    hazards = np.exp(design["spread"] * told)
    times = (rng.exponential(size=len(told)) / hazards) ** (1 / 1.5)
    ends = rng.uniform(size=len(told))
    ends *= np.quantile(times / ends, 1.0 - design["censored"])
    found = Survival(np.minimum(times, ends), times <= ends)
    return martingale(found) if target == "martingale" else found


def drawn_problem(
    target: str, design: dict[str, float], noise: bool, number: int, takes: tuple[str, ...]
) -> tuple[Problem, list[tuple[str, int]]]:
    """One table with the columns that a method takes; and what each column is, with its levels."""
    seed = (int(noise), number)
    rng = np.random.default_rng(np.random.SeedSequence(31, spawn_key=(*seed, 0)))
    columns, told = noise_columns(rng) if noise else planted_columns(rng)
    y = drawn_target(target, design, told, seed)
    columns = [columns[j] for j in rng.permutation(len(columns))]
    kept = [c for c in columns if ("nominal" if c[1] else "continuous") in takes]
    schema = Schema(
        tuple(
            Column(f"x{j}", "nominal" if k else "continuous", tuple(range(k)))
            for j, (_, k, _) in enumerate(kept)
        )
    )
    values = np.column_stack([cells for *_, cells in kept]).astype(np.float64)
    return Problem(Table(values, schema), y, (), number), [(what, k) for what, k, _ in kept]


def first_five(answer: Any) -> np.ndarray:
    """The first five columns of a ranking, a search's subset of five or of the size it chose."""
    if isinstance(answer, Ranking) or 5 in answer.sizes:
        return answer.signature(5)
    return answer.signature(answer.best_size)


def noted(answer: Any, columns: list[tuple[str, int]], noise: bool) -> dict[str, float]:
    """What counts of one answer; the mean over the tables is the result."""
    if noise:
        size = 1 if isinstance(answer, Ranking) or 1 in answer.sizes else answer.best_size
        chosen = [columns[j][1] for j in answer.signature(size)]
        present = [k for k in KINDS if k in {levels for _, levels in columns}]
        return {f"first {title(k)}": chosen.count(k) / len(chosen) for k in present}
    chosen = {columns[j][0] for j in first_five(answer)}
    found = {what: float(what in chosen) for what in PLANTED if what in dict(columns)}
    shares = {
        "continuous": np.mean([found[what] for what in PLANTED[:3] if what in found] or [np.nan]),
        "nominal": np.mean([found[what] for what in PLANTED[3:] if what in found] or [np.nan]),
    }
    whole = {name: float(share) for name, share in shares.items() if not np.isnan(share)}
    found["found"] = float(np.mean(list(found.values())))
    if not isinstance(answer, Ranking):
        best = [columns[j][0] != "noise" for j in answer.signature(answer.best_size)]
        found |= {"own size": float(len(best)), "right at its own size": float(np.mean(best))}
    return whole | found


def title(levels: int) -> str:
    """Name of a kind of column."""
    return f"{levels} levels" if levels else "numbers"


def units(target: str, keys: list[str], plain: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    """Methods that take the target, those with kernels also normalized if not plain."""
    kind = "numbers" if target == "martingale" else target
    for key in keys:
        method = get_method(key)
        if kind not in method.about.targets:
            continue
        yield key, {}
        own = own_parameters(method)
        if "normalize" in own and not plain:
            kinds = NORMALIZATIONS if own["normalize"] == "none" else NORMS
            for one in kinds:
                if one != own["normalize"]:
                    yield key, {"normalize": one}


def line(unit: tuple[str, dict[str, Any]], told: dict[str, str], tables: int) -> dict[str, Any]:
    """What a method does on all tables of a design: means, standard errors, seconds a table."""
    (key, params), method = unit, get_method(unit[0])
    target, noise = told["target"], told["tables are"] == "noise"
    design = designs(target, noise)[told["design"]]
    takes = method.about.takes_for("numbers" if target == "martingale" else target)
    found = []
    start = time.process_time()
    for number in range(tables):
        problem, columns = drawn_problem(target, design, noise, number, takes)
        answer = method(**PARAMS.get(key, {}), **params).solve(problem)
        found.append(noted(answer, columns, noise))
    seconds = (time.process_time() - start) / tables
    values = {name: np.array([one[name] for one in found]) for name in found[0]}
    errors = {name: v.std() / np.sqrt(max(tables - 1, 1)) for name, v in values.items()}
    return {
        **{name: float(f"{v.mean():.4g}") for name, v in values.items()},
        "errors": {name: float(f"{error:.2g}") for name, error in errors.items()},
        "seconds": float(f"{seconds:.2g}"),
    }


def known(path: Path | None) -> list[dict[str, Any]]:
    """The lines that a file of results has."""
    if path is None or not path.exists():
        return []
    return [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]


def main() -> None:
    """Print a row for each method and design."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--target", default="numbers", choices=TARGETS)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--methods", nargs="+", default=method_keys(), choices=method_keys())
    parser.add_argument("--C", type=float, help="another C, of methods that have one")
    parser.add_argument("--noise", action="store_true", help="tables that say nothing")
    parser.add_argument("--plain", action="store_true", help="no kernels that are normalized")
    parser.add_argument("--results", type=Path, help="append lines of JSON that are not there yet")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    done = {
        (one["tables are"], one["target"], one["design"], one["method"])
        for one in known(options.results)
    }
    kind = "noise" if options.noise else "planted"
    for key, params in units(options.target, options.methods, options.plain):
        label = ", ".join([key, *map(str, params.values())])
        if options.C and "C" in own_parameters(get_method(key)):
            params, label = {**params, "C": options.C}, f"{label}, C = {options.C:g}"
        for words in designs(options.target, options.noise):
            if (kind, options.target, words, label) in done:
                continue
            told = {"tables are": kind, "target": options.target, "design": words}
            found = line((key, params), told, options.tables)
            if options.results:
                text = json.dumps({**told, "method": label, "tables": options.tables, **found})
                with options.results.open("a", encoding="utf-8") as file:
                    file.write(text + "\n")
            errors, seconds = found.pop("errors"), found.pop("seconds")
            cells = [f"{name} {mean:.3f} ({errors[name]:.3f})" for name, mean in found.items()]
            print(f"| {label} | {words} | {' | '.join(cells)} | {seconds:.2g} s |", flush=True)


if __name__ == "__main__":
    main()
