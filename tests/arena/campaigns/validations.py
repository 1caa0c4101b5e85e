"""What validations say of rows among which nothing moved, or something did.

    python tests/arena/campaigns/validations.py --claim drift --tables 200 --first 0
    python tests/arena/campaigns/validations.py --claim copies --tables 200 --first 0
    python tests/arena/campaigns/validations.py --claim compared --tables 200 --first 0

`drift`: how often a column is called differently distributed, by the test (Holm's p below 0.05) and
in the sentence, of tables whose rows come in groups. `copies`: how often fresh rows are taken for
rows of the fit, and how often true ones are found. `compared`: how often new rows are called
better or worse than the signature was estimated to be, where a share of their classes is flipped,
or of their other targets permuted.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import norm

import hetsel
from hetsel.signature.validation import row_sketches
from hetsel.signature.validation import training_reference as reference
from hetsel.signature.validation.new_performance import (
    comparison,
    new_class_performance,
    new_value_performance,
)
from hetsel.signature.validation.row_sketches import kept_rows, seen_rows
from hetsel.tables import Table, read_target
from hetsel.words.validation_sentences import drift

GROUPS = [  # of the fit, of new rows, rows a group (0: of unlike sizes), share of their variance
    *((120, 90, 1, 0.0), (500, 500, 1, 0.0), (40, 40, 5, 0.3), (40, 40, 5, 0.9)),
    *((120, 120, 5, 0.5), (40, 40, 15, 0.3), (40, 40, 15, 0.9), (40, 12, 15, 0.9)),
    *((15, 15, 15, 0.5), (12, 8, 15, 0.9), (40, 40, 0, 0.5), (200, 20, 5, 0.7)),
    *((100, 100, 15, 0.1), (40, 40, 15, 1.0)),
    *((120, 30, 1, 0.0), (300, 300, 1, 0.0), (300, 30, 1, 0.0)),  # small and large validations
    *((40, 6, 5, 0.5), (40, 60, 5, 0.5), (60, 10, 3, 0.9)),
]
SHARES = {  # of the levels of columns
    "even": [0.5, 0.5],
    "rare": [0.93, 0.07],
    "five": [0.4, 0.3, 0.15, 0.1, 0.05],
    "forty": (1 / np.arange(1, 41) / (1 / np.arange(1, 41)).sum()).tolist(),
}


def drawn(draw: Any, groups: int, size: int, share: float, shift: float) -> tuple[Any, Any]:
    """Columns of unlike kinds that have a part of their variance in groups; `x` is shifted."""
    sizes = np.full(groups, size) if size else 1 + (draw.pareto(1.5, groups) * 3).astype(int) % 60
    group = np.repeat(np.arange(groups), sizes)

    def column() -> Any:
        alone = draw.normal(size=len(group))
        return np.sqrt(share) * draw.normal(size=groups)[group] + np.sqrt(1 - share) * alone

    cells: dict[str, Any] = {"x": column() + shift, "skewed": np.exp(1.5 * column()).round(2)}
    cells["count"] = np.floor(np.exp(column()))
    for name, shares in SHARES.items():
        place = np.searchsorted(norm.ppf(np.cumsum(shares)[:-1]), column())
        cells[name] = pd.Categorical([f"l{k}" for k in place])
    cells["holes"] = np.where(column() > 0.8, np.nan, column())
    return pd.DataFrame(cells), None if size == 1 else group


def of_drift(tables: int, first: int) -> Iterator[tuple[Any, ...]]:
    """By design: how often the test and the sentence say that columns are distributed otherwise."""
    kept = row_sketches.kept_rows
    row_sketches.kept_rows = lambda *_: None  # it takes the time
    for shift in (0.0, 0.8):
        for old, new, size, share in GROUPS:
            test = said = much = 0
            for seed in range(first, first + tables):
                draw = np.random.default_rng([seed, old, new, size])
                frame, groups = drawn(draw, old, size, share, 0.0)
                table = Table.read(frame)
                known = reference.training_reference(table, np.arange(table.shape[1]), groups)
                other, parts = drawn(draw, new, size, share, shift)
                told = reference.new_cells(
                    known,
                    table.schema,
                    other,
                    groups=parts,
                    groups_before=None if groups is None else old,
                )
                p = [1.0 if one.pvalue is None else one.pvalue for one in told]
                test += (p[0] if shift else min(p)) < 0.05
                said += bool(drift(told))
                much += "much" in drift(told)
            yield (shift, old, new, size, share), test / tables, said / tables, much / tables
    row_sketches.kept_rows = kept


TABLES = {  # columns of levels with their shares, numbers with their digits after the point
    "14 binary": ([[0.5, 0.5]] * 14, []),
    "14 skewed binary": ([[0.5, 0.5], [0.8, 0.2], [0.9, 0.1]] * 5, []),
    "25 binary": ([[0.6, 0.4]] * 25, []),
    "lung": ([[0.6, 0.4], [0.3, 0.5, 0.2]], [0, -1, 0]),
    "5 levels, an age": ([[0.3, 0.3, 0.2, 0.2]] * 5, [0]),
    "4 numbers": ([], [3, 3, 3, 3]),
    "mixed": ([[0.7, 0.3]] * 4, [1, 1, 2]),
    "a number": ([], [12]),
}


def of_copies(tables: int, first: int) -> Iterator[tuple[Any, ...]]:
    """By table: fresh validations refused; of those with 1, 5 and all rows of the fit, too."""
    for name, (levels, digits) in TABLES.items():
        for n in (130, 500):
            found = np.zeros(4)
            for seed in range(first, first + tables):
                draw = np.random.default_rng([seed, n, len(levels), len(digits)])
                base = draw.normal(size=2 * n)  # rows are alike in all columns
                cells: dict[str, Any] = {}
                for k, shares in enumerate(levels):
                    place = 0.6 * base + 0.8 * draw.normal(size=2 * n)
                    edges = norm.ppf(np.cumsum(shares)[:-1])
                    cells[f"l{k}"] = pd.Categorical(np.searchsorted(edges, place).astype(str))
                for k, after in enumerate(digits):
                    cells[f"x{k}"] = (9 * (0.6 * base + 0.8 * draw.normal(size=2 * n))).round(after)
                frame = pd.DataFrame(cells)
                kept = kept_rows(Table.read(frame[:n]))
                new = frame[n : n + 100]
                for k, rows in enumerate((0, 1, 5, n)):
                    both = pd.concat([new[: 100 if rows < n else 0], frame[:rows]])
                    found[k] += seen_rows(kept, both)[0].any()
            yield (name, n), *(found / tables)


FITS = [  # rows of the fit, new ones, strength of the features, rows a group
    *((60, 40, 0.8, 1), (150, 300, 0.8, 1), (100, 100, 0.0, 1), (100, 300, 2.0, 1)),
    (240, 120, 0.8, 4),
]
MOVED = (0.0, 0.1, 0.2, 0.4)  # shares of the new rows whose targets are not theirs


def labeled(draw: Any, n: int, strength: float, size: int, kind: str) -> tuple[Any, Any, Any]:
    """Rows of 5 numbers and 3 columns of levels, two of which tell the target; their groups."""
    group = np.arange(n) // size

    def column() -> Any:
        return np.sqrt(0.5) * (draw.normal(size=n)[group] + draw.normal(size=n))

    cells: dict[str, Any] = {f"x{k}": column() for k in range(5)}
    for k, levels in enumerate((2, 3, 5)):
        cells[f"c{k}"] = pd.Categorical([f"l{c}" for c in draw.integers(0, levels, n)])
    told = strength * (cells["x0"] + (cells["c0"] == "l0"))
    told += (size > 1) * column() - strength / 2
    if kind == "classes":
        y: Any = np.where(told + draw.logistic(size=n) / 2 > 0.3, "ill", "well")
    elif kind == "numbers":
        y = told + draw.normal(size=n)
    else:
        y = [draw.exponential(np.exp(-told)), draw.exponential(2.0, n)]
    return pd.DataFrame(cells), y, None if size == 1 else group


def of_compared(tables: int, first: int) -> Iterator[tuple[Any, ...]]:
    """By design: shares called better and worse, for each share of targets that are not theirs."""
    for kind in ("classes", "numbers", "survival"):
        for n, new, strength, size in FITS:
            found = np.zeros((len(MOVED), 2))
            for seed in range(first, first + tables):
                draw = np.random.default_rng([seed, n, new, int(10 * strength), len(kind)])
                frame, y, groups = labeled(draw, n, strength, size, kind)
                asked: Any = {"size": 2, "permutations": 0, "pairs": 0, "target_kind": kind}
                signature = hetsel.Signature("univariate-tests", repeats=1, **asked)
                signature.fit(frame, target(y), groups="rows" if groups is None else groups)
                saved = signature.saved()
                other, z, parts = labeled(draw, new, strength, size, kind)
                cells = saved.model.schema_.encode(saved.columns(other), unseen="separate")
                decisions, alone = saved.reported_decisions(cells), np.ones(new)
                for k, share in enumerate(MOVED):
                    rows, moved = np.arange(new), draw.random(new) < share
                    rows[moved] = draw.permutation(rows[moved])
                    if kind == "classes":
                        classes = saved.facts.classes
                        codes = (z == classes[1]) ^ moved
                        given = (codes.astype(int), decisions, classes, alone, parts)
                        here = new_class_performance(*given)
                    else:
                        truth = read_target(target(np.asarray(z)[..., rows]), new, kind)
                        here = new_value_performance(truth, decisions, alone, parts)
                    one = comparison(here, saved.facts.performance)
                    for j, verdict in enumerate(("better", "worse")):
                        found[k, j] += one is not None and one.verdict == verdict
            yield (kind, n, new, strength, size), *(found / tables).ravel()


def target(y: Any) -> Any:
    """Survival times of event and censoring times; all else as it is."""
    return hetsel.survival(np.minimum(*y), y[0] <= y[1]) if len(y) == 2 else y


def main() -> None:
    """Print a line a design."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claim", choices=["drift", "copies", "compared"], required=True)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    measured = {"drift": of_drift, "copies": of_copies, "compared": of_compared}[options.claim]
    for design, *rates in measured(options.tables, options.first):
        print(*design, *(f"{rate:.3f}" for rate in rates), flush=True)


if __name__ == "__main__":
    main()
