"""Signatures of tables whose truth is known: is the estimate unbiased, is the interval honest?

    python tests/campaigns/signatures.py --tables 200           # estimates against the truth
    python tests/campaigns/signatures.py --tables 100 --verdicts  # noise and a planted signal

Tables of n rows and p columns, every second one nominal with three levels, all correlated by a
common factor; the first k columns differ between the classes by d standard deviations. The truth of
a signature is the balanced rate of its model on 20,000 new rows.

A fault is: a mean of estimate less truth that is more than two of its standard errors from 0; fewer
than 90 % of the 95 % intervals that hold the truth; more than 5 % of the noise tables that are said
to be better than chance, or of the tables with a planted signal that are said not to be, beyond
what 1 in 1,000 campaigns of that many tables would show at 5 %.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings

import numpy as np
import pandas as pd
from noise_studies import too_often

from hetsel import Signature

NEW = 20_000
# rows, columns, that tell the class, by how many standard deviations, share of the second class
DESIGNS = [(100, 20, 4, 0.8, 0.4), (60, 10, 2, 1.0, 0.5), (200, 30, 5, 0.5, 0.3)]
NOISE, PLANTED = (100, 20, 0, 0.0, 0.4), (100, 20, 4, 1.2, 0.4)


def drawn(rng, n, p, k, d, share):
    """A table and its classes; at least 15 rows of each."""
    y = (rng.random(n) < share).astype(int)
    while min(y.sum(), n - y.sum()) < min(15, n * share / 2):
        y = (rng.random(n) < share).astype(int)
    common = rng.normal(size=(n, 1))
    values = np.sqrt(0.7) * rng.normal(size=(n, p)) + np.sqrt(0.3) * common
    shift = np.zeros(p)
    shift[:k] = d * np.where(np.arange(k) % 2, -1, 1)
    values += (y[:, None] - 0.5) * shift
    frame = pd.DataFrame(values, columns=[f"x{j}" for j in range(p)])
    for j in range(1, p, 2):
        levels = np.digitize(values[:, j], [-0.5, 0.6])
        frame[f"x{j}"] = pd.Categorical(levels.astype(str), categories=list("012"))
    return frame, y


def judged(design, seed, method, permutations, repeats):
    """What a signature says of itself, and the truth."""
    rng = np.random.default_rng([seed, *map(int, np.array(design) * 1000)])
    X, y = drawn(rng, *design)
    found = Signature(method, repeats=repeats, permutations=permutations, random_state=seed)
    found.fit(X, y)
    new, truth = drawn(rng, NEW, *design[1:])
    right = found.predict(new) == truth
    bcr, one = np.mean([right[truth == c].mean() for c in (0, 1)]), found.performance_.bcr
    return {
        "seed": seed,
        "design": list(design),
        "truth": float(bcr),
        "rate": one.rate,
        "low": one.low,
        "high": one.high,
        "optimism": found.performance_.optimism,
        "learning": found.performance_.learning,
        "size": found.size_,
        "verdict": found.verdict_,
        "pvalue": None if found.chance_ is None else found.chance_.pvalue,
    }


def estimates(rows):
    """How the estimates of one design compare with the truth; the faults."""
    apart = rows["rate"] - rows["truth"]
    error = apart.std() / np.sqrt(len(rows))
    plain = apart - rows["learning"]
    held = ((rows["low"] <= rows["truth"]) & (rows["truth"] <= rows["high"])).mean()
    print(
        f"{len(rows)} tables: truth {rows['truth'].mean():.3f}, estimate less truth "
        f"{apart.mean():+.4f} (standard error {error:.4f}; {plain.mean():+.4f} before what more "
        f"rows teach), intervals that hold the truth {100 * held:.1f} %, optimism "
        f"{rows['optimism'].mean():.3f}"
    )
    return int(abs(apart.mean()) > 2 * error) + int(held < 0.9)


def verdicts(rows, wrong):
    """How many verdicts are wrong; the faults."""
    shares = (rows["verdict"] == wrong).astype(float).tolist()
    print(f"{len(rows)} tables: {sum(shares):.0f} are said to be {wrong}")
    return int(too_often(shares))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--method", default="rfe-mkl")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--verdicts", action="store_true")
    parser.add_argument("--out", help="write each table's numbers, a line of JSON each")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    faults, lines = 0, []
    permutations = 99 if options.verdicts else 0
    for design in (NOISE, PLANTED) if options.verdicts else DESIGNS:
        seeds = range(options.seed * options.tables, (options.seed + 1) * options.tables)
        given = (options.method, permutations, options.repeats)
        rows = pd.DataFrame([judged(design, seed, *given) for seed in seeds])
        lines += rows.to_dict("records")
        print("rows {}, columns {}, telling {}, by {}, share {}".format(*design))
        faults += estimates(rows) if len(rows) >= 20 else 0
        if options.verdicts:
            wrong = "better than chance" if design is NOISE else "no better than chance"
            faults += verdicts(rows, wrong)
        sys.stdout.flush()
    if options.out:
        with open(options.out, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines)
    print(f"{faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
