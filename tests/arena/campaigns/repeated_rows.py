"""Repeated rows: how often are they found, and how often where there are none?

    python tests/arena/campaigns/repeated_rows.py --tables 20
    python tests/arena/campaigns/repeated_rows.py --tables 20 --clean
    python tests/arena/campaigns/repeated_rows.py --real       # the tables of HETSEL_DATA

Tables of 60 to 300 rows, every second column with three levels where it says mixed. Copies have
normal noise of a share of a standard deviation; patients share a part of the variance. A fault is a
clean design of which more than 1 table in 50 alarms beyond what chance gives, or copies that are
exact, or noisy by 0.02, in 10 columns or more, of which fewer than 9 in 10 tables are found. A
curve whose cells are rounded has rows that are equal in truth: its alarms are printed, and are no
fault.
"""

from __future__ import annotations

import argparse
import sys
import warnings

import numpy as np
import pandas as pd
from claim_lines import add_results_option, append_claim
from noise_studies import too_often

from hetsel import Table, cautions, datasets
from hetsel.ground.errors import TableError
from hetsel.pitfalls.repeated_rows import find_repeated_rows

SHAPES = [(50, 5), (120, 2), (120, 15), (250, 8), (250, 40), (70, 300), (40, 2000)]


def framed(values, levels=0, cuts=(-0.5, 0.6)):
    """Every `levels`-th column is nominal; 0 is none."""
    frame = pd.DataFrame(values).add_prefix("x")
    for name in frame.columns[1 :: levels or len(frame.columns) + 1] if levels != 1 else frame:
        frame[name] = pd.Categorical(np.digitize(frame[name], cuts).astype(str))
    return frame


def correlated(rng, n, p, share=0.3):
    common = rng.normal(size=(n, 1))
    return np.sqrt(1 - share) * rng.normal(size=(n, p)) + np.sqrt(share) * common


def curve(rng, n, p):
    place = rng.uniform(0, 6, (n, 1))
    return np.sin(place * (1 + np.arange(p) % 4) / 2 + np.arange(p))


def sparse(rng, n, p):
    return rng.poisson(np.exp(correlated(rng, n, p, 0.5))) * (rng.random((n, p)) < 0.3)


def patterns(rng, n, p):
    """Answers of eight kinds of persons."""
    told = rng.beta(0.3, 0.3, size=(8, p))
    return (rng.random((n, p)) < told[rng.integers(0, 8, n)]) * 1.0


def ages(rng, n, p):
    flags = rng.random((n, p)) < 0.2
    return np.where(np.arange(p) < 2, rng.normal(50, 12, (n, p)).round(), flags)


CLEAN = {
    "normal": lambda r, n, p: framed(correlated(r, n, p)),
    "mixed": lambda r, n, p: framed(correlated(r, n, p), 2),
    "three levels": lambda r, n, p: framed(correlated(r, n, p), 1),
    "six levels": lambda r, n, p: framed(correlated(r, n, p), 1, (-1.5, -0.7, 0, 0.7, 1.5)),
    "two levels": lambda r, n, p: framed(correlated(r, n, p), 1, (0,)),
    "one decimal": lambda r, n, p: framed(correlated(r, n, p).round(1)),
    "integers": lambda r, n, p: framed((3 * correlated(r, n, p)).round(), 3),
    "curve": lambda r, n, p: framed(curve(r, n, p)),
    "curve, rounded": lambda r, n, p: framed(curve(r, n, p).round(1)),
    "surface": lambda r, n, p: framed(np.tanh(r.normal(size=(n, 2)) @ r.normal(size=(2, p))), 3),
    "heavy tails": lambda r, n, p: framed(
        r.standard_t(1.5, (n, p)) * np.exp(r.normal(size=(n, 1)))
    ),
    "rows of many scales": lambda r, n, p: framed(
        r.normal(size=(n, p)) * np.exp(2 * r.normal(size=(n, 1)))
    ),
    "many zeros": lambda r, n, p: framed(sparse(r, n, p)),
    "three blobs": lambda r, n, p: framed(
        correlated(r, n, p) + 6 * r.normal(size=(3, p))[r.integers(0, 3, n)], 2
    ),
    "ten blobs": lambda r, n, p: framed(
        correlated(r, n, p) + 4 * r.normal(size=(10, p))[r.integers(0, 10, n)]
    ),
    "patterns": lambda r, n, p: framed(patterns(r, n, p), 1, (0.5,)),
    "random walk": lambda r, n, p: framed(np.cumsum(r.normal(size=(n, p)), axis=0)),
    "gaps": lambda r, n, p: framed(np.where(r.random((n, p)) < 0.3, np.nan, correlated(r, n, p))),
    "ages and flags": lambda r, n, p: framed(ages(r, n, p)),
    "few far rows": lambda r, n, p: framed(correlated(r, n, p) + 8.0 * (np.arange(n) < 6)[:, None]),
}


EQUAL = {"curve, rounded"}


def copied(noise, rows, levels=2):
    """Rows (of a unit each) with noise; patients are noise of a half of the variance."""

    def draw(rng, p):
        unit = rows(rng)
        values = correlated(rng, unit.max() + 1, p)[unit]
        return framed(values + noise * rng.normal(size=values.shape), levels), unit

    return draw


def thrice(rng):
    return np.arange(30).repeat(3)


def half_again(rng):
    return np.append(np.arange(60), rng.permutation(60)[:30])


def unequal(rng):
    return np.arange(25).repeat(rng.integers(1, 12, 25))


REPEATED = {
    f"{rows.__name__}, noise {noise:g}, {kind}": copied(noise, rows, levels)
    for rows in (thrice, half_again, unequal)
    for noise in (0.0, 0.02, 0.1, 0.3)
    for kind, levels in (("numbers", 0), ("mixed", 2))
}


def found_share(name, tables, results):
    """Share of the tables of which repeats are found, by columns; and of the pairs that are."""
    lines, faults = [], 0
    for p in (3, 5, 10, 20, 200):
        hits, pairs = 0, []
        for seed in range(tables):
            frame, unit = REPEATED[name](np.random.default_rng([28, seed, p]), p)
            found = find_repeated_rows(Table.read(frame))
            hits += found is not None
            if found is not None:
                same = unit[:, None] == unit
                got = found.groups[:, None] == found.groups
                off = ~np.eye(len(unit), dtype=bool)
                pairs.append((got[same & off].mean(), (~same & got)[off].sum() / got[off].sum()))
        right, wrong = np.mean(pairs, axis=0) if pairs else (0.0, 0.0)
        lines.append(f"{p}: {hits / tables:.2f} ({right:.2f}, {wrong:.2f})")
        copies, noise, cells = name.split(", ")
        spread = float(noise.removeprefix("noise "))
        design = {"copies": copies, "noise": spread, "cells": cells, "columns": p}
        append_claim(results, "repeated rows", design, {"found": hits / tables}, tables=tables)
        sure = p >= 10 and any(f"noise {noise}," in name for noise in ("0", "0.02"))
        faults += sure and hits < 0.9 * tables
    print(f"{name:34}", *lines, sep="  ", flush=True)
    return faults


def alarms(name, tables, results):
    """Clean tables that alarm, by shape."""
    lines, faults = [], 0
    for n, p in SHAPES:
        hits = []
        for seed in range(tables):
            frame = CLEAN[name](np.random.default_rng([29, seed, n, p]), n, p)
            hits.append(float(find_repeated_rows(Table.read(frame)) is not None))
        lines.append(f"{n}x{p}: {sum(hits):.0f}")
        design = {"kind": name, "rows": n, "columns": p}
        append_claim(results, "no repeated rows", design, {"alarms": sum(hits)}, tables=tables)
        faults += name not in EQUAL and bool(too_often(hits, 0.02))
    print(f"{name:20}", *lines, sep="  ", flush=True)
    return faults


def real():
    """What is said of rows, identifiers and outcomes in the tables that can be loaded."""
    for name in datasets.NAMES:
        try:
            data = datasets.load(name)
        except TableError as reason:
            print(f"{name}: {reason}")
            continue
        told = [one for one in cautions(data.X, data.y) if one.what in KINDS]
        print(f"{name} {data.X.shape}:", *told, sep="\n    ", flush=True)


KINDS = ("rows", "identifier", "outcome")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--clean", action="store_true")
    parser.add_argument("--real", action="store_true")
    add_results_option(parser)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.real:
        real()
        return 0
    if options.clean:
        faults = sum(alarms(name, options.tables, options.results) for name in CLEAN)
    else:
        print("columns: share of tables found (of the pairs of one unit, of pairs that are none)")
        faults = sum(found_share(name, options.tables, options.results) for name in REPEATED)
    print(f"{faults} faults")
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
