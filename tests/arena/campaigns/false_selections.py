"""Stability selection on tables whose truth is known: is the bound on false selections kept?

    python tests/arena/campaigns/false_selections.py --tables 40

Fifty designs, drawn from the seed: rows, columns, how many of them nominal and of how many levels,
how the columns go together (by a common factor, by neighbors, in blocks, or not at all), the share
of the smaller class, how many columns tell the class and by how much, the method, and the size that
is selected in each half. Each table is parted into 25 complementary pairs; features are kept from
the threshold on that allows one false selection.

The theorem is about features that a half selects with a probability of size / columns or less
(here: on average of all tables, within three standard errors): of these, and of all columns that
know nothing of the class, the mean number that is kept stands beside the bound (which one:
`--assumption`). Columns that go with one that tells the class are selected more often than that,
and are no part of the bound; a design where all noise keeps within the bound says more than the
theorem.

With `--unlike` columns are unlike and independent: normal, skewed, of heavy tails, of 2 to 5 levels
and some of 12 or 30, which some methods select whatever the target is. There all noise counts, and
`by the common threshold` is what would be kept without halves with a permuted target.
A fault is a design whose mean is above its bound.
"""

from __future__ import annotations

import argparse
import sys
import warnings

import numpy as np
import pandas as pd
from claim_lines import add_results_option, append_claim

from hetsel import Schema, get_method
from hetsel.judging.half_samples import HalfSelection, chosen_in_halves, permuted_pairs
from hetsel.selection import Problem
from hetsel.statistics.stability.false_selection_bounds import (
    ASSUMPTIONS,
    false_selection_bound,
    selection_threshold,
)
from hetsel.tables import Classes

PAIRS = 25
ALLOWED = 1.0
METHODS = ("rfe-svm", "rfe-mkl", "hsic", "relieff", "mi-histogram", "mrmr", "hfs-nb", "t-test")
UNLIKE = ("rfe-mkl", "rfe-linear", "hsic", "mi-histogram", "relieff", "mrmr", "univariate-tests")
TOGETHER = ("none", "factor", "neighbors", "blocks")


def drawn_design(rng):
    """One design, as a dict."""
    p = int(rng.choice([20, 40, 80, 200]))
    method = str(rng.choice(METHODS))
    return {
        "method": method,
        "rows": int(rng.choice([60, 100, 160])),
        "columns": p,
        "nominal": 0.0 if method == "t-test" else float(rng.choice([0.0, 0.3, 0.5, 1.0])),
        "levels": int(rng.choice([2, 3, 6])),
        "together": str(rng.choice(TOGETHER)),
        "share": float(rng.choice([0.5, 0.4, 0.25])),
        "telling": int(rng.choice([0, 2, 5])),
        "by": float(rng.choice([0.6, 1.0, 1.5])),
        "size": int(rng.choice([2, 4, 6])),
    }


def drawn_unlike(rng):
    """One design of unlike columns, as a dict."""
    design = drawn_design(rng)
    design |= {"method": str(rng.choice(UNLIKE)), "together": "unlike", "nominal": 0.3}
    return design | {"many": int(rng.choice([1, 4])), "levels": int(rng.choice([12, 30]))}


def drawn_table(rng, design):
    """A table of the design and its classes; the first columns tell them."""
    if design["together"] == "unlike":
        return unlike_table(rng, design)
    n, p = design["rows"], design["columns"]
    y = (rng.permutation(n) < round(design["share"] * n)).astype(int)
    z = rng.normal(size=(n, p))
    if design["together"] == "factor":
        z = np.sqrt(0.6) * z + np.sqrt(0.4) * rng.normal(size=(n, 1))
    elif design["together"] == "neighbors":
        for j in range(1, p):
            z[:, j] = 0.6 * z[:, j - 1] + 0.8 * z[:, j]
    elif design["together"] == "blocks":
        common = np.repeat(rng.normal(size=(n, -(-p // 5))), 5, axis=1)[:, :p]
        z = np.sqrt(0.5) * (z + common)
    z[:, : design["telling"]] += design["by"] * (y[:, None] - 0.5)
    frame = pd.DataFrame(z, columns=[f"x{j}" for j in range(p)])
    levels = design["levels"]
    for j in np.flatnonzero(np.arange(p) % 10 < 10 * design["nominal"]):
        cuts = np.quantile(z[:, j], np.linspace(0, 1, levels + 1)[1:-1])
        codes = np.digitize(z[:, j], cuts)
        frame[f"x{j}"] = pd.Categorical([f"l{c}" for c in codes])
    return frame, y


def unlike_table(rng, design):
    """As `drawn_table`, of columns that are unlike; the last ones have many levels."""
    n, p = design["rows"], design["columns"]
    y = (rng.permutation(n) < round(design["share"] * n)).astype(int)
    frame = {}
    for j in range(p):
        z = rng.normal(size=n) + design["by"] * (j < design["telling"]) * (y - 0.5)
        kinds = (z, np.exp(z), z * np.sqrt(3 / rng.chisquare(3, n)), None)
        found, levels = kinds[j % 4], 2 + j % 3
        if j >= p - design["many"]:
            found, levels = None, design["levels"]
        if found is None:
            cuts = np.quantile(z, np.linspace(0, 1, levels + 1)[1:-1])
            found = pd.Categorical([f"l{code}" for code in np.digitize(z, cuts)])
        frame[f"x{j}"] = found
    return pd.DataFrame(frame), y


def kept_features(design, tables, seed, assumption):
    """How often each column was selected in a half (tables, p), whether it was kept, and the bound.

    And whether it was kept by the threshold that is common to all.
    """
    given = {"q": design["size"], "p": design["columns"], "pairs": PAIRS}
    given["assumption"] = assumption
    try:
        threshold = selection_threshold(**given, bound=ALLOWED)
    except ValueError:  # no share is enough for so many of so few
        return None
    bound = false_selection_bound(**given, threshold=threshold)
    shares, kept = [], []
    selector = get_method(design["method"])()
    for table in range(tables):
        rng = np.random.default_rng([seed, table])
        frame, y = drawn_table(rng, design)
        target = Classes.of(y)
        problem = Problem(Schema.infer(frame).encode(frame), target, (design["size"],), table)
        chosen = chosen_in_halves(selector, problem, PAIRS)
        permuted = chosen_in_halves(selector, problem, permuted_pairs(PAIRS), permuted=True)
        about = (tuple(frame), design["size"], threshold, bound, assumption, permuted)
        shares.append(chosen.mean(axis=0))
        kept.append(np.isin(np.arange(problem.p), HalfSelection(chosen, *about).selected))
    frequencies = np.array(shares)
    return frequencies, np.array(kept), bound, frequencies >= threshold - 1e-9


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--designs", type=int, default=50)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--unlike", action="store_true")
    parser.add_argument("--assumption", default="unimodal", choices=ASSUMPTIONS)
    add_results_option(parser)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    rng, faults, done = np.random.default_rng(options.seed), 0, 0
    while done < options.designs:
        design = (drawn_unlike if options.unlike else drawn_design)(rng)
        found = kept_features(
            design, options.tables, options.seed * 1000 + done, options.assumption
        )
        if found is None:
            continue
        frequencies, kept, bound, common = found
        done += 1
        telling = np.arange(design["columns"]) < design["telling"]
        about = 3 * frequencies.std(axis=0, ddof=1) / np.sqrt(options.tables)
        rare = frequencies.mean(axis=0) <= design["size"] / design["columns"] + about
        counts = (kept & rare & ~telling).sum(axis=1)
        noise = (kept & ~telling).sum(axis=1)
        power = kept[:, telling].mean() if telling.any() else float("nan")
        error = counts.std(ddof=1) / np.sqrt(options.tables)
        fault = (noise if options.unlike else counts).mean() > bound
        faults += fault
        measures = {
            "bound": bound,
            "false features": (counts.mean(), error),
            "noise kept": (noise.mean(), noise.std(ddof=1) / np.sqrt(options.tables)),
            "power": power,
        }
        given = {"method": design["method"], "tables": options.tables}
        claim = "false selections"
        if options.unlike:
            claim += ", unlike columns"
            measures["by the common threshold"] = (common & ~telling).sum(axis=1).mean()
        append_claim(options.results, claim, design, measures, **given)
        words = ", ".join(f"{key} {value}" for key, value in design.items())
        mark = "  ABOVE ITS BOUND" if fault else ""
        print(
            f"{done}: {words}: bound {bound:.2f}, false {counts.mean():.3f} (standard error "
            f"{error:.3f}), noise kept {noise.mean():.3f} (by the common "
            f"threshold {(common & ~telling).sum(axis=1).mean():.3f}), power {power:.2f}, by that "
            f"{common[:, telling].mean() if telling.any() else float('nan'):.2f}{mark}",
            flush=True,
        )
    print(f"{faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
