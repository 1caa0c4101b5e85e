"""Selection at a false discovery rate on tables whose truth is known: is the rate kept, or refused?

    python tests/arena/campaigns/false_discoveries.py --store discoveries.jsonl     (again: goes on)
    python tests/arena/campaigns/false_discoveries.py --store discoveries.jsonl --summary
    python tests/arena/campaigns/false_discoveries.py --procedure benjamini-hochberg --methods hsic

Named designs are those on which an earlier construction failed: columns that all go together a
little, counts with many zeros, squares of other columns; and one on which an earlier check failed:
waves along other columns. The others are drawn from the seed, two of each of eleven kinds: weak
dependence, neighbors, blocks, rare levels, mixed columns, zeros, squares, more columns than rows,
heavy tails, mixtures, near copies.

The class is drawn from a logistic model of the cells of the telling columns as they are in the
table (of levels: an effect for each), so it does not depend on any other column once all are known:
that is what is true and false for knockoffs. A column that only goes with a telling one is false.
For p-values by permuted labels (`--procedure`) false is a column that is independent of the class
by itself: telling columns and all that go with one of them are true.

A fault is a design whose mean share of false selections, of the tables that are answered, is above
the wanted rate by more than two standard errors. Beside it: the share of tables that are refused,
and of tables of numbers what second-order Gaussian knockoffs give (those of the sample covariance,
shrunk where there are few rows, equal s).

Tables are drawn in turns, one of each design, so that a run that is stopped says something of all.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from claim_lines import add_results_option, append_claim
from scipy.optimize import brentq
from scipy.special import expit
from scipy.stats import norm

from hetsel import Schema, Table, get_method, knockoff_selection, permuted_ranking
from hetsel.ground.errors import TableError
from hetsel.judging.knockoffs import controlled_selection as module

PROCEDURES = ("knockoffs", "benjamini-hochberg", "benjamini-yekutieli")
OF_NUMBERS = ("t-test", "l1-logistic", "kruskal-wallis", "hsic")
OF_ANY = ("l1-logistic", "hsic", "mi-histogram")
KINDS = {
    "weak": OF_NUMBERS,
    "neighbors": OF_NUMBERS,
    "blocks": OF_NUMBERS,
    "rare levels": OF_ANY,
    "mixed": OF_ANY,
    "zeros": OF_NUMBERS,
    "squares": OF_NUMBERS,
    "wide": OF_NUMBERS,
    "tails": OF_NUMBERS,
    "mixture": OF_NUMBERS,
    "copies": OF_NUMBERS,
}
EQUAL = {"kind": "weak", "columns": 30, "telling": 10, "by": 0.5, "signs": "one"}
NAMED = [
    *({**EQUAL, "rows": 300, "r": r, "method": "t-test"} for r in (0.05, 0.1, 0.2)),
    {**EQUAL, "rows": 1000, "r": 0.1, "method": "t-test"},
    *({**EQUAL, "rows": 300, "r": 0.1, "method": m} for m in ("hsic", "rfe-svm", "rfe-mkl")),
    {**EQUAL, "kind": "zeros", "rows": 300, "r": 0.3, "method": "t-test"},
    {**EQUAL, "kind": "squares", "rows": 300, "r": 0.0, "method": "t-test"},
    {**EQUAL, "kind": "squares", "rows": 300, "r": 0.0, "method": "hsic"},
]
WAVES = [
    {**EQUAL, "kind": "waves", "rows": 300, "r": 0.0, "method": m} for m in ("hsic", "mi-histogram")
]


def drawn_design(rng, number):
    """One design, as a dict."""
    kind = list(KINDS)[number % len(KINDS)]
    wide = kind == "wide"
    return {
        "kind": kind,
        "method": str(rng.choice(KINDS[kind])),
        "rows": int(rng.choice([80, 120] if wide else [150, 250, 400])),
        "columns": int(rng.choice([150, 200] if wide else [20, 30, 50])),
        "r": round(float(rng.uniform(0.03, 0.15) if kind == "weak" else rng.uniform(0.1, 0.6)), 2),
        "telling": int(rng.choice([6, 10, 15])),
        "by": float(rng.choice([0.5, 0.8, 1.2])),
        "signs": str(rng.choice(["one", "drawn"])),
    }


def linked(rng, design):
    """Normal columns (n, p) of variance 1 that go together, and the groups of independent ones."""
    n, p, r = design["rows"], design["columns"], design["r"]
    z, group, kind = rng.normal(size=(n, p)), np.zeros(p, dtype=int), design["kind"]
    if kind == "neighbors":
        for j in range(1, p):
            z[:, j] = r * z[:, j - 1] + np.sqrt(1 - r**2) * z[:, j]
    elif kind in ("blocks", "wide"):
        group = np.arange(p) // 5
        z = np.sqrt(1 - r) * z + np.sqrt(r) * rng.normal(size=(n, p))[:, group]
    elif kind in ("squares", "waves"):
        group = np.arange(p) % (p // 2)
    elif kind == "copies":
        group = np.arange(p) // 2
        z = np.sqrt(1 - r**2 / 4) * rng.normal(size=(n, p))[:, group] + r / 2 * z
    elif kind == "mixture":
        side = rng.random((n, 1)) < 0.4
        z = (z + 2 * r * side) / np.sqrt(1 + 0.24 * 4 * r**2)
    else:
        z = np.sqrt(1 - r) * z + np.sqrt(r) * rng.normal(size=(n, 1))
    return z, group


def columns_of(rng, design):
    """A table, what each cell adds (n, p), and the groups of independent columns."""
    z, group = linked(rng, design)
    n, p, kind = *z.shape, design["kind"]
    if kind in ("squares", "waves"):
        half = p // 2
        bent = z[:, :half] ** 2 if kind == "squares" else np.sin(3 * z[:, :half])
        z[:, half : 2 * half] = bent + 0.3 * z[:, half : 2 * half]
    elif kind == "tails":
        z = np.sinh(1.2 * z)
    elif kind == "zeros":
        z = rng.poisson(np.exp(1.5 + 0.7 * z)) * (rng.random((n, p)) > 0.4).astype(float)
    frame = {f"x{j}": z[:, j] for j in range(p)}
    added = (z - z.mean(axis=0)) / np.maximum(z.std(axis=0), 1e-9)
    if kind in ("mixed", "rare levels"):
        shares = [0.5, 0.3, 0.15, 0.04, 0.01] if kind == "rare levels" else [0.4, 0.35, 0.25]
        cuts = norm.ppf(np.cumsum(shares)[:-1])
        for j in range(0, p, 2):
            codes, ordered = np.digitize(z[:, j], cuts), bool(j % 4)
            names = rng.permutation(len(shares)) if not ordered else np.arange(len(shares))
            levels = [f"l{name}" for name in names]
            cells = np.array(levels)[codes]
            frame[f"x{j}"] = pd.Categorical(cells, sorted(levels), ordered=ordered)
            effects = np.linspace(-1.5, 1.5, len(shares))
            added[:, j] = effects[codes]
    return pd.DataFrame(frame), added, group


def drawn_table(rng, design):
    """A table of the design, its classes, and masks: conditionally true, true by itself."""
    frame, added, group = columns_of(rng, design)
    p = frame.shape[1]
    places = np.arange(p // 2, p) if design["kind"] in ("squares", "waves") else np.arange(p)
    count = min(design["telling"], len(places), p // 2)
    telling = np.isin(np.arange(p), rng.choice(places, count, replace=False))
    signs = np.ones(p) if design["signs"] == "one" else rng.choice([-1.0, 1.0], p)
    odds = design["by"] * (added * signs)[:, telling].sum(axis=1)
    base = brentq(lambda b: expit(odds + b).mean() - 0.5, -300, 300)
    y = (rng.random(len(odds)) < expit(odds + base)).astype(int)
    return frame, y, telling, np.isin(group, group[telling])


class SecondOrder:
    """Ten lines of second-order Gaussian knockoffs, to compare with."""

    def __init__(self, table):
        from sklearn.covariance import ledoit_wolf

        self.table, (n, p) = table, table.values.shape
        self.mean, self.spread = table.values.mean(axis=0), table.values.std(axis=0)
        self.x = (table.values - self.mean) / self.spread
        self.sigma = self.x.T @ self.x / n if n > 2 * p else ledoit_wolf(self.x)[0]
        self.s = np.full(p, min(1.0, 2 * 0.99 * np.linalg.eigvalsh(self.sigma)[0]))

    def draw(self, rng):
        pull = np.linalg.solve(self.sigma, np.diag(self.s))
        sizes, basis = np.linalg.eigh(2 * np.diag(self.s) - self.s[:, None] * pull)
        noise = rng.normal(size=self.x.shape) @ (basis * np.sqrt(np.maximum(sizes, 0))) @ basis.T
        x = (self.x - self.x @ pull + noise) * self.spread + self.mean
        return Table(x, self.table.schema)


def outcome(design, seed, options):
    """Of one table: false share and power, or why it is refused; the same of the oracle."""
    frame, y, telling, alone = drawn_table(np.random.default_rng(seed), design)
    selector = get_method(design["method"])(schema=Schema.infer(frame), random_state=seed[-1])
    if options.procedure != "knockoffs":
        found = permuted_ranking(selector, frame, y, permutations=options.permutations)
        mask = found.adjusted_by(options.procedure) <= options.fdr
        return dict(zip(("false", "power"), rates(mask, alone, telling), strict=True))
    kept = {}
    try:
        found = knockoff_selection(selector, frame, y, fdr=options.fdr, repeats=options.repeats)
        kept["false"], kept["power"] = rates(mask_of(found), telling, telling)
    except TableError as reason:
        kept["refused"] = str(reason)
    if design["kind"] not in ("mixed", "rare levels") and not options.alone:
        own, module.KnockoffModel = module.KnockoffModel, SecondOrder
        try:
            found = knockoff_selection(selector, frame, y, fdr=options.fdr, check=False)
        finally:
            module.KnockoffModel = own
        kept["oracle_false"], kept["oracle_power"] = rates(mask_of(found), telling, telling)
    return kept


def mask_of(found):
    return np.isin(np.arange(len(found.names)), found.selected)


def rates(mask, true, telling):
    return float((mask & ~true).sum() / max(1, mask.sum())), float(mask[telling].mean())


def designs_of(options):
    """The designs, by name."""
    rng = np.random.default_rng(options.seed)
    drawn = [drawn_design(rng, number) for number in range(options.designs)]
    if options.methods:
        drawn = [{**design, "method": str(rng.choice(options.methods))} for design in drawn]
    parts = {"named": NAMED, "drawn": drawn, "waves": WAVES}  # the place of a design is in its seed
    if options.drawn:
        parts = {"drawn": drawn}
    return {f"{part} {k + 1}": d for part, found in parts.items() for k, d in enumerate(found)}


def run(designs, options, done):
    """Draw what is not in the store, in turns."""
    for table in range(options.tables):
        for place, (name, design) in enumerate(designs.items()):
            if table in done.get(name, {}):
                continue
            kept = outcome(design, [options.seed, place, table], options)
            done.setdefault(name, {})[table] = kept
            if options.store:
                with options.store.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"name": name, "table": table, **kept}) + "\n")


def stored(path):
    """What a store has: by design and table."""
    done = {}
    lines = path.read_text(encoding="utf-8").splitlines() if path and path.exists() else []
    for line in lines:
        entry = json.loads(line)
        done.setdefault(entry.pop("name"), {})[entry.pop("table")] = entry
    return done


def mean_of(entries, key):
    """Mean, standard error and count of what the tables have."""
    values = np.array([entry[key] for entry in entries if key in entry])
    error = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
    return values.mean() if len(values) else np.nan, error, len(values)


def summary(designs, options, done):
    """Print a line a design; the number of faults."""
    faults = 0
    for name, design in designs.items():
        entries = list(done.get(name, {}).values())
        rate, error, answered = mean_of(entries, "false")
        fault = answered > 1 and rate > options.fdr + 2 * error
        faults += fault
        words = ", ".join(f"{key} {value}" for key, value in design.items())
        line = f"{name}: {words}: {len(entries)} tables, refused {len(entries) - answered}"
        if answered:
            line += f", rate {rate:.3f} (s.e. {error:.3f}), bound {options.fdr + 2 * error:.3f}"
            line += f", power {mean_of(entries, 'power')[0]:.2f}"
        oracle, oracle_error, known = mean_of(entries, "oracle_false")
        if known:
            line += f"; second-order {oracle:.3f} ({oracle_error:.3f})"
            line += f", power {mean_of(entries, 'oracle_power')[0]:.2f}"
        print(line + ("  ABOVE THE RATE" if fault else ""))
        reasons = [entry["refused"] for entry in entries if "refused" in entry]
        if reasons:
            print(f"    refused: {reasons[0][:200]}")
    print(f"{faults} faults")
    return faults


def append_kinds(designs, options, done):
    """Append what each kind of designs has, named and drawn apart, over all of its tables."""
    kinds = {}
    for name, design in designs.items():
        part = "drawn" if name.startswith("drawn") else "named"
        kinds.setdefault((part, design["kind"]), []).append(name)
    for (part, kind), names in kinds.items():
        entries = [entry for name in names for entry in done.get(name, {}).values()]
        methods = sorted({designs[name]["method"] for name in names})
        measures = {"refused": sum("refused" in entry for entry in entries)}
        for shown, key in MEASURES.items():
            value, error, _ = mean_of(entries, key)
            measures[shown] = (value, error)
        design = {"part": part, "kind": kind, "designs": len(names), "methods": ", ".join(methods)}
        append_claim(options.results, "false discoveries", design, measures, tables=len(entries))


MEASURES = {
    "rate": "false",
    "power": "power",
    "rate, second-order": "oracle_false",
    "power, second-order": "oracle_power",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--designs", type=int, default=22, help="to draw, beside the named ones")
    parser.add_argument("--drawn", action="store_true", help="without the named designs")
    parser.add_argument("--alone", action="store_true", help="without second-order knockoffs")
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--fdr", type=float, default=0.2)
    parser.add_argument("--procedure", default="knockoffs", choices=PROCEDURES)
    parser.add_argument("--methods", nargs="+", help="in place of those that a design draws")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--permutations", type=int, default=499)
    parser.add_argument("--store", type=Path, help="a file to go on from")
    parser.add_argument("--summary", action="store_true", help="print what the store has")
    add_results_option(parser)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    designs, done = designs_of(options), stored(options.store)
    if not options.summary:
        run(designs, options, done)
    append_kinds(designs, options, done)
    return 1 if summary(designs, options, done) else 0


if __name__ == "__main__":
    sys.exit(main())
