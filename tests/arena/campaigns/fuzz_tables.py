"""Random tables through every method and every policy of missing cells.

    python tests/arena/campaigns/fuzz_tables.py --seed 1 --tables 10000

Every method fits the table as it was encoded once; one method, each table another, gets the data
frame or the array itself. Each fit must end in an answer that is one, or in one sentence, a
ValueError. A warning of another library, another error, an importance that is no number, a changed
input or a fit without end is a fault. A table is drawn from the seed and its number alone:
`--only N` draws it again.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
import time
import traceback
import warnings
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hetsel.methods.registry import get_method, method_keys
from hetsel.selection import Ranking
from hetsel.tables import Table
from r_bridge.to_r.session import RPackageMissing

SECONDS = 120  # of a processor, that a fit of at most 40 rows may take
POLICIES = ("impute", "separate", "error")
METHODS = {key: get_method(key) for key in method_keys()}


def to_be_had() -> list[str]:
    """The methods but for those of R packages that are not installed."""
    keys = []
    for key, method in METHODS.items():
        with suppress(RPackageMissing):
            method.foreign_versions()
            keys.append(key)
    return keys


TREES = {"rf10000": "ntree", "random-forest": "n_estimators", "random-forest-gini": "n_estimators"}
REFUSED = ("infinite", "largest", "mixed", "all missing")  # such columns are rarer
NAMES = ["x", "y", "a b", "é", "1", "=1+1", "", " ", "a,b", 'q"', "<b>", "$x_1$", "class", "size"]

Generator = np.random.Generator


def column(rng: Generator, n: int, y: np.ndarray, before: list[Any]) -> Any:
    """One column: of any dtype, with or without levels, copies and extremes."""
    numbers = {
        "normal": lambda: rng.normal(size=n),
        "shifted": lambda: rng.normal(size=n) + y,
        "scaled": lambda: rng.normal(size=n) * 10.0 ** rng.integers(-307, 307),
        "far": lambda: 10.0 ** rng.integers(8, 18) + rng.normal(size=n),
        "single": lambda: rng.normal(size=n).astype(np.float32),
        "ties": lambda: rng.integers(0, 4, size=n).astype(float),
        "whole": lambda: rng.integers(-50, 50, size=n),
        "small": lambda: rng.integers(0, 200, size=n).astype(np.uint8),
        "huge": lambda: 2**60 + rng.integers(0, 9, size=n),
        "largest": lambda: np.where(rng.random(n) < 0.5, 1.79e308, -1.79e308),
        "denormal": lambda: rng.integers(0, 5, size=n) * 5e-324,
        "infinite": lambda: np.where(rng.random(n) < 0.1, np.inf, rng.normal(size=n)),
        "constant": lambda: np.full(n, rng.normal()),
        "class": lambda: y.astype(float),
        "bool": lambda: rng.random(n) < 0.5,
        "nullable": lambda: pd.array(rng.integers(0, 9, size=n), dtype="Int64"),
        "date": lambda: pd.Timestamp("2020-02-29") + pd.to_timedelta(rng.integers(0, 999, n), "D"),
    }
    count = int(rng.integers(1, 8))
    levels = rng.integers(0, count, size=n)
    words = np.array([f"level {k}" for k in range(count)], dtype=object)
    texts = {
        "text": lambda: words[levels],
        "string": lambda: pd.array(words[levels], dtype="string"),
        "category": lambda: pd.Categorical(words[levels], categories=[*words, "unused"]),
        "ordered": lambda: pd.Categorical(words[levels], categories=words, ordered=True),
        "codes": lambda: pd.Categorical(levels, categories=range(count)),
        "identifier": lambda: np.array([f"id{i}" for i in rng.permutation(n)], dtype=object),
        "mixed": lambda: np.array([1, "1", 2.5, "b", True], dtype=object)[levels % 5],
        "number in text": lambda: np.array([f"{v:.2f}" for v in rng.normal(size=n)], dtype=object),
        "empty text": lambda: np.array(["", " ", "a"], dtype=object)[levels % 3],
        "all missing": lambda: np.full(n, None, dtype=object),
    }
    kinds = {**numbers, **texts}
    if before and rng.random() < 0.08:
        return before[rng.integers(len(before))]
    weights = np.array([0.1 if kind in REFUSED else 1.0 for kind in kinds])
    return pd.Series(kinds[str(rng.choice(list(kinds), p=weights / weights.sum()))]())


def target(rng: Generator, n: int) -> tuple[np.ndarray, Any]:
    """The classes as whole numbers, and the target as somebody would give it."""
    classes = int(rng.choice([2, 2, 2, 3, 4, max(2, n // 2)]))
    y = rng.permutation(np.arange(n) % classes)
    if rng.random() < 0.2:
        y = (np.arange(n) == rng.integers(n)).astype(int)  # a class of one row
    forms = {
        "codes": lambda: y,
        "text": lambda: np.array([f"class {k}" for k in y], dtype=object),
        "bool": lambda: y > 0,
        "category": lambda: pd.Categorical(y, categories=range(int(y.max()) + 2)),
        "floats": lambda: pd.Series(y, dtype=float),
        "list": lambda: y.tolist(),
    }
    given = forms[str(rng.choice(list(forms)))]()
    if rng.random() < 0.03:
        given = pd.Series(given).astype(object)
        given.iloc[rng.integers(n)] = None
    return y, given


def table(seed: int, number: int) -> tuple[Any, Any]:
    """A table and its target."""
    rng = np.random.default_rng([seed, number])
    n, p = int(rng.integers(2, 41)), int(rng.integers(1, 9))
    y, given = target(rng, n)
    columns: list[Any] = []
    for _ in range(p):
        columns.append(column(rng, n, y, columns))
    if rng.random() < 0.15:
        numeric = [c.to_numpy(float) for c in columns if c.dtype.kind in "fiu"]
        if numeric:
            return np.column_stack(numeric), given
    names = [f"x{j}" for j in range(p)]
    if rng.random() < 0.2:
        names = [str(name) for name in rng.choice(NAMES, size=p, replace=False)]
    frame = pd.concat(columns, axis=1, keys=names)
    if rng.random() < 0.5:
        share = rng.choice([0.05, 0.3, 0.9])
        frame = frame.mask(rng.random(frame.shape) < share)
    if rng.random() < 0.1:
        frame.index = pd.Index(rng.permutation(n) + 100)
    return frame, given


class Hang(BaseException):
    """A fit that takes too long."""


def _hang(*_: object) -> None:
    raise Hang


def _give_up(number: int, key: str, policy: str) -> None:
    """End the campaign where a fit hangs in foreign code, which hears no signal."""
    print(f"--only {number} --methods {key} ({policy}): no end, in foreign code", flush=True)
    os._exit(1)


def fault(key: str, policy: str, X: Any, y: Any) -> tuple[str, str | None]:
    """How a fit ended: "answer", or a sentence; and what was wrong, if anything was."""
    before = X.values.copy() if isinstance(X, Table) else X.copy()
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            trees = {TREES[key]: 20} if key in TREES else {}
            selector = METHODS[key](missing=policy, **trees).fit(X, y)
            wrong = _wrong(selector, X)
    except ValueError as reason:
        text = str(reason)
        if not _ours(traceback.extract_tb(reason.__traceback__)[-1].filename):
            return text, f"a ValueError that is not hetsel's: {traceback.format_exc(limit=-4)}"
        return text, None if text and "\n" not in text else f"not one sentence: {text!r}"
    except Hang:
        return "", f"no end after {SECONDS} s of a processor"
    except Exception:
        return "", traceback.format_exc(limit=-4)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    for warning in heard:
        if not issubclass(warning.category, UserWarning) or not _ours(warning.filename):
            wrong = wrong or f"{warning.category.__name__}: {warning.message} ({warning.filename})"
    if isinstance(X, pd.DataFrame):
        same = before.equals(X)
    else:
        same = np.array_equal(before, X.values if isinstance(X, Table) else X, equal_nan=True)
    return "answer", wrong or (None if same else "the fit changed its input")


def _ours(path: str) -> bool:
    """Whether a file is one of hetsel's, or where hetsel's caller stands."""
    return any(part in ("hetsel", "r_bridge") for part in Path(path).parts) or path == __file__


def _wrong(selector: Any, X: Any) -> str | None:
    """What is wrong with an answer."""
    answer, p = selector.answer_, X.shape[1]
    if isinstance(answer, Ranking):
        if sorted(answer.order.tolist()) != list(range(p)) and answer.complete:
            return f"the order is none: {answer.order}"
        if np.isnan(answer.importance).any():
            return f"importances: {answer.importance}"
    for size in answer.sizes:
        if len(set(answer.signature(size).tolist())) != size:
            return f"the signature of size {size}: {answer.signature(size)}"
    if selector.transform(X).shape != (X.shape[0], selector.size_):
        return f"transform gave {selector.transform(X).shape}, {selector.size_} selected"
    selector.frame()
    return None


def main() -> int:
    """Run the tables; 0 where none was a fault."""
    options = parse()
    signal.signal(signal.SIGPROF, _hang)
    numbers = (
        [options.only]
        if options.only is not None
        else range(options.first, options.first + options.tables)
    )
    print(f"seed {options.seed}, tables {numbers}, {len(options.methods)} methods", flush=True)
    ended: Counter[str] = Counter()
    faults: Counter[tuple[str, str]] = Counter()
    start = time.monotonic()
    for number in numbers:
        X, y = table(options.seed, number)
        try:
            encoded = Table.read(X)
        except ValueError:
            encoded = X  # one method says why
        whole = options.methods[number % len(options.methods)]
        missing = bool(pd.isna(pd.DataFrame(X)).any(axis=None))
        for key in options.methods if encoded is not X or options.only is not None else [whole]:
            for policy in POLICIES if missing else POLICIES[:1]:
                watch = threading.Timer(5 * SECONDS, _give_up, (number, key, policy))
                watch.daemon = True
                watch.start()
                how, wrong = fault(key, policy, X if key == whole else encoded, y)
                watch.cancel()
                ended["answer" if how == "answer" else "sentence"] += 1
                if wrong:
                    name = (key, wrong.strip().splitlines()[-1][:90])
                    faults[name] += 1
                    if faults[name] <= options.show:
                        print(f"--only {number} --methods {key} ({policy}): {wrong}", flush=True)
                if options.only is not None:
                    print(f"{key} ({policy}): {how}")
        if (number + 1) % 500 == 0:
            print(f"{number + 1}: {time.monotonic() - start:.0f} s, {dict(ended)}", flush=True)
    for (key, wrong), count in faults.most_common():
        print(f"{count:>6}  {key}: {wrong}")
    print(f"{sum(ended.values())} fits: {dict(ended)}; {sum(faults.values())} faults")
    return 1 if faults else 0


def parse() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--tables", type=int, default=10_000)
    parser.add_argument("--only", type=int, help="this table alone")
    parser.add_argument("--methods", nargs="+", default=to_be_had(), choices=[*METHODS])
    parser.add_argument("--show", type=int, default=1, help="examples of each fault")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
