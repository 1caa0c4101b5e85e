"""Random options of a search, legal, illegal and at odds, on small tables.

    python tests/arena/campaigns/fuzz_searches.py --seed 1 --searches 20000

Each search must end in an answer that keeps what was asked (size, always, never, groups, budget),
or in one error of hetsel that names an option the user gave. A warning, another error or an answer
that keeps it not is a fault. A search is drawn from the seed and its number alone: `--only N` draws
it again.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from sklearn.naive_bayes import GaussianNB

from hetsel import SubsetSearch, get_method
from hetsel.ground.errors import HetselError
from hetsel.search.criteria.rates.neighbors_rate import NeighborsRate
from hetsel.search.subsets.one_search import SEARCHES

NAMES = ("age", "sex", "dose", "count", "x.1", "size", "b c")
CRITERIA = ("mutual-information", "consistency", "3nn", "1nn,3nn", "naive-bayes", "ridge", "hsic")
COMMON = ("search", "criterion", "size", "always", "never", "count", "ties", "costs")
COMMON = (*COMMON, "column_groups")
CLASSES = (SubsetSearch, SubsetSearch, SubsetSearch, get_method("dos-hybrid"))
CLASSES = (*CLASSES, get_method("dos-voting"), get_method("sfs-5nn"))
WRONG = ("x", "", -1, 0, 1.5, float("nan"), float("inf"), True, [], {}, object(), (1,), np.zeros(2))

Generator = np.random.Generator
Options = dict[str, Any]


def table(rng: Generator) -> tuple[pd.DataFrame, np.ndarray]:
    """A mixed table of 12 to 30 rows and up to seven columns, with few distinct values."""
    n, p = int(rng.integers(12, 31)), int(rng.integers(1, 8))
    y = np.arange(n) % int(rng.integers(2, 4))
    columns = {}
    for name in NAMES[:p]:
        cells = np.round(rng.normal(size=n) + rng.integers(0, 3) * (y == 0), 1)
        levels = np.array(list("abc"))[rng.integers(0, 3, size=n)]
        columns[name] = levels if rng.random() < 0.4 else cells
    frame = pd.DataFrame(columns)
    if (frame == frame.iloc[0]).all(axis=None):
        frame.iloc[0, 0] = frame.iloc[0, 0] * 2 + 1
    return frame, y


def some(rng: Generator, names: list[str], most: int) -> list[Any]:
    """Columns by name or position."""
    few = rng.integers(0, min(most, len(names)) + 1)
    chosen = rng.choice(len(names), size=int(few), replace=rng.random() < 0.05)
    return [int(j) if rng.random() < 0.3 else names[j] for j in chosen]


def draws(rng: Generator, names: list[str]) -> dict[str, Callable[[], Any]]:
    """How a value of each option is drawn; most of them are legal."""
    p = len(names)

    def number(low: float, high: float) -> float:
        return round(float(rng.uniform(low, high)), 2)

    def costs() -> Any:
        if rng.random() < 0.5:
            return [number(0, 3) for _ in range(p + int(rng.random() < 0.1))]
        wrong = {0.0: "x", 1.0: -1.0, 2.0: None}.get(float(rng.integers(0, 30)))
        return {name: number(0, 3) if wrong is None else wrong for name in some(rng, names, p)}

    def of(*values: Any) -> Callable[[], Any]:
        return lambda: values[int(rng.integers(len(values)))]

    return {
        "search": of(*SEARCHES, *SEARCHES, "sfss"),
        "criterion": of(*CRITERIA, ["ridge", "3nn"], ["3nn"], GaussianNB(), NeighborsRate(3), "9n"),
        "size": lambda: int(rng.integers(0 if rng.random() < 0.1 else 1, p + 1)),
        "folds": of(2, 3, 1, 50),
        "repeats": of(1, 2, 0),
        "rate": of("bcr", "accuracy", "auc"),
        "n_jobs": of(1, 2, 0, "x"),
        "count": of(1, 1, 2, 2, 3),
        "depth": of(0, 1, 3, -1),
        "ties": lambda: [number(0, 1.02) for _ in range(2)] if rng.random() < 0.3 else number(0, 1),
        "costs": costs,
        "budget": lambda: number(-0.1, 4),
        "secondary": of(lambda s: -len(s), lambda s: sum(s), lambda s: "x", lambda s: np.nan),
        "voting": of("order", "median", "trimmed-weighted", "loud"),
        "hybrid": lambda: number(0, 1.05),
        "prefilter": of("mutual-information", "hsic", "consistency", "nonsense"),
        "always": lambda: some(rng, names, 2),
        "never": lambda: some(rng, names, 3),
        "column_groups": lambda: [some(rng, names, 3) for _ in range(int(rng.integers(0, 3)))],
        "max_seconds": of(60.0, 1000, 0),
        "max_evaluations": lambda: int(rng.integers(0, 30)),
        "progress": of(None, lambda progress: False, lambda progress: progress.evaluations > 3),
        "random_state": of(0, 7),
    }


def drawn(seed: int, number: int) -> tuple[type, Options, pd.DataFrame, np.ndarray]:
    """Class, options and table of a search."""
    rng = np.random.default_rng([seed, number])
    frame, y = table(rng)
    how = draws(rng, frame.columns.tolist())
    chosen = [name for name in how if rng.random() < (0.3 if name in COMMON else 0.06)]
    options = {name: how[name]() for name in chosen}
    if chosen and rng.random() < 0.1:
        options[chosen[int(rng.integers(len(chosen)))]] = WRONG[int(rng.integers(len(WRONG)))]
    kind = CLASSES[int(rng.integers(len(CLASSES)))]
    if kind is SubsetSearch and rng.random() < 0.8:
        options.setdefault("criterion", "mutual-information")
    if options.get("costs") is not None and rng.random() < 0.7:
        options.setdefault("budget", how["budget"]() + 1.0)
    if "secondary" in options:
        options.setdefault("ties", 0.1)
    return kind, options, frame, y


def fault(kind: type, options: Options, frame: pd.DataFrame, y: np.ndarray) -> tuple[str, str]:
    """How a search ended, and what is wrong with that; nothing if all is well."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = kind(**options).fit(frame, y)
            chosen = found.signature().tolist()
            subsets = [found.signature(size).tolist() for size in found.answer_.sizes]
    except HetselError as reason:
        named = [name for name in options if re.search(rf"\b{name}\b", str(reason))]
        return str(reason), "" if named else f"names none of {[*options]}: {reason}"
    except Exception:
        return "another error", traceback.format_exc(limit=-3)
    wrong = [broken(options, frame.columns.tolist(), s) for s in [chosen, *subsets]]
    size = options.get("size")
    if size is not None and len(chosen) != size:
        wrong.append(f"{len(chosen)} features, not {size}")
    return "answer", next((text for text in wrong if text), "")


def broken(options: Options, names: list[str], subset: list[int]) -> str:
    """Which of the options a subset does not keep."""

    def places(given: Any) -> set[int]:
        given = [given] if isinstance(given, str) else given
        return {names.index(g) if isinstance(g, str) else g % len(names) for g in given}

    here = set(subset)
    if len(here) != len(subset) or not here:
        return f"no subset: {subset}"
    if not places(options.get("always", ())) <= here:
        return f"always is not in {subset}"
    if places(options.get("never", ())) & here:
        return f"never is in {subset}"
    groups = [places(group) for group in options.get("column_groups", ())]
    if any(0 < len(group & here) < len(group) for group in groups):
        return f"a group is torn in {subset}"
    costs, budget = options.get("costs"), options.get("budget")
    if budget is not None:
        each = dict(zip(names, costs, strict=True)) if isinstance(costs, list) else {}
        if isinstance(costs, dict):
            each = {names[j]: costs[k] for k in costs for j in places([k])}
        if sum(each.get(names[j], 0.0) for j in subset) > budget + 1e-9:
            return f"{subset} is beyond the budget"
    return ""


def main() -> int:
    """Run the searches; 0 where none was a fault."""
    options = parse()
    first = options.first if options.only is None else options.only
    numbers = range(first, first + (options.searches if options.only is None else 1))
    print(f"seed {options.seed}, searches {numbers}", flush=True)
    ended: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    start = time.monotonic()
    for number in numbers:
        kind, given, frame, y = drawn(options.seed, number)
        how, wrong = fault(kind, given, frame, y)
        ended["answer" if how == "answer" else "sentence"] += 1
        if options.only is not None:
            print(f"{kind.__name__}({given}) on {frame.shape}: {how}")
        if wrong:
            name = re.sub(r"[0-9.]+|\[.*?\]", "#", wrong.strip().splitlines()[-1])[:90]
            faults[name] += 1
            if faults[name] <= options.show:
                print(f"--only {number}: {kind.__name__}({given}): {wrong}", flush=True)
        if (number + 1) % 5000 == 0:
            print(f"{number + 1}: {time.monotonic() - start:.0f} s, {dict(ended)}", flush=True)
    for name, count in faults.most_common():
        print(f"{count:>6}  {name}")
    print(f"{sum(ended.values())} searches: {dict(ended)}; {sum(faults.values())} faults")
    return 1 if faults else 0


def parse() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--searches", type=int, default=20_000)
    parser.add_argument("--only", type=int, help="this search alone")
    parser.add_argument("--show", type=int, default=1, help="examples of each fault")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
