"""Selection at a false discovery rate on tables whose truth is known: is the rate kept?

    python tests/campaigns/false_discoveries.py --tables 40
    python tests/campaigns/false_discoveries.py --procedure benjamini-hochberg --methods hsic

Designs, drawn from the seed: rows, columns, how many of them nominal or ordinal and of how many
levels, whether the numbers are skewed, how the columns go together (by a common factor, by
neighbors, in blocks, or not at all), the share of the smaller class, how many columns tell the
class and how well, and the method.

The class is drawn from a logistic model of the cells of the telling columns as they are in the
table (of levels: an effect for each), so it does not depend on any other column once all are known:
that is what is true and false for knockoffs. A column that only goes with a telling one is false.
For p-values by permuted labels (`--procedure`) false is a column that is independent of the class
by itself: telling columns and all that go with one of them are true.

Where a design is one of chance (no telling column), the rate is the share of the tables in which
anything is selected. A fault is a design whose mean share of false selections is above the wanted
rate by more than three standard errors.
"""

from __future__ import annotations

import argparse
import sys
import warnings

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.special import expit
from scipy.stats import norm

from hetsel import Schema, get_method, knockoff_selection, permuted_ranking

METHODS = ("l1-logistic", "hsic", "relieff", "random-forest", "rfe-svm", "mi-histogram")
PROCEDURES = ("knockoffs", "benjamini-hochberg", "benjamini-yekutieli")
TOGETHER = ("none", "factor", "neighbors", "blocks")
BLOCK = 5


def drawn_design(rng, methods):
    """One design, as a dict."""
    return {
        "method": str(rng.choice(methods)),
        "rows": int(rng.choice([100, 200, 300])),
        "columns": int(rng.choice([20, 40, 60])),
        "nominal": float(rng.choice([0.0, 0.3, 0.6])),
        "ordinal": float(rng.choice([0.0, 0.3])),
        "levels": int(rng.choice([2, 3, 5])),
        "skewed": bool(rng.random() < 0.3),
        "together": str(rng.choice(TOGETHER)),
        "share": float(rng.choice([0.5, 0.3])),
        "telling": int(rng.choice([0, 6, 10, 15])),
        "by": float(rng.choice([0.8, 1.5])),
    }


def linked(rng, design):
    """Normal columns (n, p) of variance 1 that go together, and the groups of independent ones."""
    n, p = design["rows"], design["columns"]
    z, group = rng.normal(size=(n, p)), np.zeros(p, dtype=int)
    if design["together"] == "none":
        group = np.arange(p)
    elif design["together"] == "factor":
        z = np.sqrt(0.6) * z + np.sqrt(0.4) * rng.normal(size=(n, 1))
    elif design["together"] == "neighbors":
        for j in range(1, p):
            z[:, j] = 0.6 * z[:, j - 1] + 0.8 * z[:, j]
    else:
        group = np.arange(p) // BLOCK
        z = np.sqrt(0.5) * (z + rng.normal(size=(n, p))[:, group])
    return z, group


def drawn_table(rng, design):
    """A table of the design, its classes, and masks: conditionally true, true by itself."""
    n, p = design["rows"], design["columns"]
    z, group = linked(rng, design)
    kind = rng.random(p)
    nominal = kind < design["nominal"]
    ordinal = ~nominal & (kind < design["nominal"] + design["ordinal"])
    cuts = norm.ppf(np.arange(1, design["levels"]) / design["levels"])
    telling = np.isin(np.arange(p), rng.choice(p, min(design["telling"], p // 2), replace=False))
    columns, odds = {}, np.zeros(n)
    for j in range(p):
        cells = z[:, j]
        if nominal[j] or ordinal[j]:
            codes = np.digitize(cells, cuts)
            levels = [f"l{c}" for c in range(design["levels"])]
            columns[f"x{j}"] = pd.Categorical.from_codes(codes, levels, ordered=ordinal[j])
            effects = np.linspace(-1.0, 1.0, design["levels"])
            effects = effects if ordinal[j] else rng.permutation(effects)
            cells = effects[codes] / effects.std()
        else:
            columns[f"x{j}"] = np.exp(cells) if design["skewed"] else cells
        if telling[j]:
            odds += design["by"] * rng.choice([-1.0, 1.0]) * cells
    base = brentq(lambda b: expit(odds + b).mean() - design["share"], -60, 60)
    y = (rng.random(n) < expit(odds + base)).astype(int)
    return pd.DataFrame(columns), y, telling, np.isin(group, group[telling])


def selected(design, procedure, frame, y, seed, options):
    """Mask (p,) of what is selected."""
    selector = get_method(design["method"])(schema=Schema.infer(frame), random_state=seed)
    mask = np.zeros(frame.shape[1], dtype=bool)
    if procedure == "knockoffs":
        run_fdr = options.fdr * options.run_share
        found = knockoff_selection(
            selector, frame, y, fdr=options.fdr, repeats=options.repeats, run_fdr=run_fdr
        )
        mask[found.selected] = True
    else:
        found = permuted_ranking(selector, frame, y, permutations=options.permutations)
        mask = found.adjusted_by(procedure) <= options.fdr
    return mask


def shares(design, procedure, seed, options):
    """False share and power of each table (2, tables)."""
    found = []
    for table in range(options.tables):
        rng = np.random.default_rng([seed, table])
        frame, y, telling, alone = drawn_table(rng, design)
        mask = selected(design, procedure, frame, y, table, options)
        true = telling if procedure == "knockoffs" else alone
        false = (mask & ~true).sum() / max(1, mask.sum())
        power = mask[telling].mean() if telling.any() else np.nan
        found.append((false, power))
    return np.array(found).T


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--designs", type=int, default=50)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="designs before it are left out")
    parser.add_argument("--fdr", type=float, default=0.2)
    parser.add_argument("--procedure", default="knockoffs", choices=PROCEDURES)
    parser.add_argument("--methods", nargs="+", default=METHODS)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--run-share", type=float, default=0.5, help="rate of a repeat / wanted")
    parser.add_argument("--permutations", type=int, default=499)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    rng, faults = np.random.default_rng(options.seed), 0
    for number in range(options.designs):
        design = drawn_design(rng, options.methods)
        if number < options.first:
            continue
        false, power = shares(design, options.procedure, options.seed * 1000 + number, options)
        error = false.std(ddof=1) / np.sqrt(options.tables)
        fault = false.mean() > options.fdr + 3 * error
        faults += fault
        words = ", ".join(f"{key} {value}" for key, value in design.items())
        mark = "  ABOVE THE RATE" if fault else ""
        print(
            f"{number + 1}: {words}: rate {false.mean():.3f} (standard error {error:.3f}) of "
            f"{options.fdr:g}, power {power.mean():.2f}{mark}",
            flush=True,
        )
    print(f"{faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
