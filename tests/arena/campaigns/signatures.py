"""Signatures of tables whose truth is known: is the estimate unbiased, is the interval honest?

    python tests/arena/campaigns/signatures.py --tables 200           # estimates against the truth
    python tests/arena/campaigns/signatures.py --tables 200 --others  # groups, classes, a rare
    python tests/arena/campaigns/signatures.py --tables 100 --verdicts  # noise and a planted signal
    python tests/arena/campaigns/signatures.py --tables 100 --verdicts --others  # patients, copies
    python tests/arena/campaigns/signatures.py --tables 100 --verdicts --small --method hsic  # weak
    python tests/arena/campaigns/signatures.py --tables 200 --edges  # strong, rare, unequal
    python tests/arena/campaigns/signatures.py --spread --method rfe-svm  # p by 20 other seeds

Tables of n rows and p columns, every second one nominal with three levels, all correlated by a
common factor; the first k columns differ between the classes by d standard deviations. Where rows
come in recordings of a patient, as many of each or from one to twice as many, half of the variance
is the patient's; copies of rows, with noise of a fiftieth of a standard deviation, are not said to
be any. The truth of a signature is the balanced rate of its model on 20,000 new rows.

A fault is: a mean of estimate less truth that is more than two of its standard errors from 0; fewer
than 90 % of the 95 % intervals that hold the truth; a verdict and an interval on two sides of
chance; a p of 199 permutations between 0.01 and 0.05 whose standard deviation over the seeds that
the test might have drawn with is more than 0.02 (where drawing ends early p is rougher: it tells
no more than it takes for a verdict); more than 5 % of the noise tables that are said
to be better than chance, or of the tables with a planted signal that are said not to be, beyond
what 1 in 1,000 campaigns of that many tables would show at 5 %.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from typing import NamedTuple
from unittest import mock

import numpy as np
import pandas as pd
from claim_lines import add_results_option, append_claim
from noise_studies import too_often
from scipy.special import ndtri
from sklearn.metrics import balanced_accuracy_score

from hetsel import Signature
from hetsel.signature.signature_facts import ABOVE, NOT_SHOWN

NEW = 20_000
LEVELS = (2, 5, 12, 30)  # of the nominal ones of unlike columns


class Design(NamedTuple):
    """What tables are drawn from; `by` is in standard deviations, the share that of class 1."""

    rows: int
    columns: int
    telling: int
    by: float
    share: float
    classes: int = 2
    recordings: int = 1
    alike: bool = True
    copies: int = 1
    unlike: bool = False


DESIGNS = [Design(100, 20, 4, 0.8, 0.4), Design(60, 10, 2, 1.0, 0.5), Design(200, 30, 5, 0.5, 0.3)]
OTHERS = [
    Design(200, 15, 3, 1.0, 0.5, recordings=4),
    Design(150, 15, 4, 1.0, 0.6, classes=3),
    Design(200, 15, 3, 1.0, 0.12),
]
EDGES = [
    Design(60, 10, 3, 2.4, 0.5),
    Design(100, 20, 5, 1.7, 0.5),
    Design(40, 10, 3, 1.6, 0.5),
    Design(100, 15, 4, 1.8, 0.2),
    Design(150, 15, 4, 1.6, 0.08),
    Design(320, 10, 3, 1.0, 0.5, recordings=16, alike=False),
    Design(480, 10, 0, 0.0, 0.4, recordings=16, alike=False),
    Design(100, 20, 3, 0.3, 0.5),
    Design(60, 10, 3, 1.0, 0.12),
    Design(640, 10, 3, 2.4, 0.3, recordings=16, alike=False),
]
NEAR = [
    Design(100, 20, 3, 0.7, 0.5),
    Design(100, 20, 3, 0.45, 0.5),
    Design(60, 10, 2, 0.6, 0.4),
    Design(100, 15, 3, 0.6, 0.2),
    Design(100, 20, 0, 0.0, 0.5),
]
SMALL = [
    Design(60, 10, 0, 0.0, 0.4),
    Design(40, 6, 0, 0.0, 0.3),
    Design(100, 12, 0, 0.0, 0.15),
    Design(160, 8, 0, 0.0, 0.5, recordings=4, alike=False),
    Design(60, 10, 2, 0.7, 0.4),
    Design(40, 6, 2, 0.9, 0.3),
    Design(100, 12, 2, 0.7, 0.15),
    Design(160, 8, 2, 0.6, 0.5, recordings=4, alike=False),
]
NOISE, PLANTED = Design(100, 20, 0, 0.0, 0.4), Design(100, 20, 4, 1.2, 0.4)
PATIENTS = Design(200, 15, 0, 0.0, 0.5, recordings=4)
COPIES = Design(120, 15, 0, 0.0, 0.5, copies=3)


def drawn_classes(rng, n, design):
    """Classes of n rows or patients; a share of the rows that are not in class 0."""
    place = rng.random(n) / design.share
    return np.where(place < 1, 1 + (place * (design.classes - 1)).astype(int), 0)


def drawn(rng, design):
    """A table, its classes, at least 15 rows or patients of each if need be, and the patients."""
    n, p, k = design.rows, design.columns, design.telling
    units = n // design.recordings // design.copies
    fewest = min(15, units * design.share / design.classes)
    y = drawn_classes(rng, units, design)
    while np.bincount(y, minlength=design.classes).min() < fewest:
        y = drawn_classes(rng, units, design)
    values = drawn_values(rng, units, p)
    counts = np.full(units, design.recordings * design.copies)
    if not design.alike:
        counts = rng.integers(1, 2 * design.recordings, units)
    patient = np.arange(units).repeat(counts)
    n, y = len(patient), y[patient]
    if design.copies > 1:
        values = values[patient] + 0.02 * rng.normal(size=(n, p))
    elif design.recordings > 1:
        values = np.sqrt(0.5) * (values[patient] + drawn_values(rng, n, p))
    shift = np.zeros(p)
    shift[:k] = design.by * np.where(np.arange(k) % 2, -1, 1)
    if design.classes == 2:
        values += (y[:, None] - 0.5) * shift
    else:  # each class is told by columns of its own
        values += (np.arange(p) % design.classes == y[:, None]) * shift
    frame = drawn_columns(rng, values, design.unlike)
    return frame, y, patient if design.recordings > 1 else None


def drawn_columns(rng, values, unlike):
    """Columns, every second one nominal; unlike: skewed, heavy tails, 2 to 30 levels."""
    frame = {}
    for j, own in enumerate(values.T):
        found, cuts = own, [-0.5, 0.6]
        if unlike:
            heavy = own * np.sqrt(3 / rng.chisquare(3, len(own)))
            found = (own, np.exp(own), heavy)[j // 2 % 3]
            cuts = ndtri(np.linspace(0, 1, LEVELS[j // 2 % 4] + 1)[1:-1] ** 1.5)  # unequal shares
        if j % 2:
            labels = [str(k) for k in range(len(cuts) + 1)]
            found = pd.Categorical.from_codes(np.digitize(own, cuts), labels)
        frame[f"x{j}"] = found
    return pd.DataFrame(frame)


def drawn_values(rng, n, p):
    """Numbers (n, p) with a common factor."""
    common = rng.normal(size=(n, 1))
    return np.sqrt(0.7) * rng.normal(size=(n, p)) + np.sqrt(0.3) * common


def judged(design, seed, method, permutations, repeats, size="one-se"):
    """What a signature says of itself, and the truth; not how stable it is."""
    rng = np.random.default_rng([seed, *map(int, np.array(design[:5]) * 1000)])
    X, y, patient = drawn(rng, design)
    options = {"repeats": repeats, "permutations": permutations, "pairs": 0, "random_state": seed}
    found = Signature(method, size=size, **options)
    found.fit(X, y, groups=patient)
    new, truth, _ = drawn(rng, design._replace(rows=NEW, copies=1))
    bcr, one = balanced_accuracy_score(truth, found.predict(new)), found.performance_["bcr"]
    return {
        "seed": seed,
        "design": list(design),
        "truth": float(bcr),
        "rate": one.estimate,
        "low": one.low,
        "high": one.high,
        "optimism": found.performance_.optimism,
        "learning": found.performance_.training_gain,
        "size": found.size_,
        "verdict": found.verdict_,
        "agrees": (found.verdict_ == "better than chance") == (one.low >= found.performance_.chance)
        or one.low == found.performance_.chance,
        "pvalue": None if found.permutation_test_ is None else found.permutation_test_.pvalue,
    }


def estimates(rows, design, method, results):
    """How the estimates of one design compare with the truth; the faults."""
    apart = rows["rate"] - rows["truth"]
    error = apart.std() / np.sqrt(len(rows))
    plain = apart - rows["learning"]
    held = ((rows["low"] <= rows["truth"]) & (rows["truth"] <= rows["high"])).mean()
    measures = {
        "truth": rows["truth"].mean(),
        "estimate less truth": (apart.mean(), error),
        "estimate less truth, without learning": plain.mean(),
        "intervals that hold the truth": held,
        "optimism": rows["optimism"].mean(),
    }
    given = {"method": method, "tables": len(rows)}
    append_claim(results, "estimate", design._asdict(), measures, **given)
    print(
        f"{len(rows)} tables: truth {rows['truth'].mean():.3f}, estimate less truth "
        f"{apart.mean():+.4f} (standard error {error:.4f}; {plain.mean():+.4f} before what more "
        f"rows teach), intervals that hold the truth {100 * held:.1f} %, optimism "
        f"{rows['optimism'].mean():.3f}"
    )
    return int(abs(apart.mean()) > 2 * error) + int(held < 0.9)


def verdicts(rows, design, options):
    """How many verdicts are wrong; the faults, if signals are strong enough to count."""
    wrong = NOT_SHOWN if design.telling else ABOVE
    counted = not (options.small and design.telling)
    shares = (rows["verdict"] == wrong).astype(float).tolist()
    print(f"{len(rows)} tables: {sum(shares):.0f} are said to be {wrong}")
    apart = int((~rows["agrees"]).sum())
    print(f"{apart} verdicts lie on the other side of chance than the interval")
    rejected = (rows["pvalue"] <= 0.025).sum()
    measures = {"tables rejected at 0.025": rejected, "verdict and interval apart": apart}
    given = {"method": options.method, "tables": len(rows)}
    append_claim(options.results, "verdict", design._asdict(), measures, **given)
    return int(counted and too_often(shares)) + int(apart > 0)


def spread(design, method, results, seeds=20):
    """How far p of one table would go with other seeds of the test; the faults."""
    X, y, patient = drawn(np.random.default_rng(7), design)
    measures, faults = {}, 0
    for permutations, which in ((199, ", 199 permutations"), (None, "")):
        options = {"repeats": 1, "pairs": 0, "permutations": permutations}
        pvalues, rates = [], []
        for seed in range(seeds):
            with mock.patch("hetsel.signature.procedure.content_seed", return_value=seed):
                found = Signature(method, **options).fit(X, y, groups=patient)
            pvalues.append(found.permutation_test_.pvalue)
            rates.append(found.permutation_test_.statistic)
        mean, apart = np.mean(pvalues), np.std(pvalues, ddof=1)
        print(
            f"p{which} {mean:.4f} on average of {seeds} seeds, standard deviation {apart:.4f}, "
            f"{min(pvalues):.3f} to {max(pvalues):.3f}; area {min(rates):.3f} to {max(rates):.3f}"
        )
        told = (mean, apart, min(pvalues), max(pvalues))
        names = ("p", "standard deviation", "smallest p", "largest p")
        measures |= {f"{name}{which}": value for name, value in zip(names, told, strict=True)}
        faults += int(permutations is not None and 0.01 <= mean <= 0.05 and apart > 0.02)
    given = {"method": method, "tables": seeds}
    append_claim(results, "p by other draws", design._asdict(), measures, **given)
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--method", default="rfe-mkl")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--verdicts", action="store_true")
    parser.add_argument("--others", action="store_true")
    parser.add_argument("--edges", action="store_true")
    parser.add_argument("--small", action="store_true", help="few rows, weak signals, size 3")
    parser.add_argument("--spread", action="store_true")
    add_results_option(parser)
    parser.add_argument("--out", help="write each table's numbers, a line of JSON each")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    faults, lines = 0, []
    permutations = 499 if options.verdicts else 0
    if options.verdicts:
        designs = [PATIENTS, COPIES] if options.others else [NOISE, PLANTED]
        designs = SMALL if options.small else designs
    else:
        designs = EDGES if options.edges else OTHERS if options.others else DESIGNS
    if options.spread:
        for design in NEAR:
            print(", ".join(f"{name} {value}" for name, value in design._asdict().items()))
            faults += spread(design, options.method, options.results)
        designs = []
    for design in designs:
        seeds = range(options.seed * options.tables, (options.seed + 1) * options.tables)
        given = (options.method, permutations, options.repeats, 3 if options.small else "one-se")
        rows = pd.DataFrame([judged(design, seed, *given) for seed in seeds])
        lines += rows.to_dict("records")
        print(", ".join(f"{name} {value}" for name, value in design._asdict().items()))
        if len(rows) >= 20:
            faults += estimates(rows, design, options.method, options.results)
        if options.verdicts:
            faults += verdicts(rows, design, options)
        sys.stdout.flush()
    if options.out:
        with open(options.out, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines)
    print(f"{faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
