"""Signatures of numbers and of survival times whose truth is known: are the intervals honest?

    python tests/arena/campaigns/measured_signatures.py --tables 200             # numbers
    python tests/arena/campaigns/measured_signatures.py --tables 200 --survival  # times to an event
    python tests/arena/campaigns/measured_signatures.py --tables 200 --fresh     # other designs
    python tests/arena/campaigns/measured_signatures.py --tables 100 --verdicts  # noise: chance?

Tables of n rows and p columns, every second one nominal with three levels, all correlated by a
common factor; the first k columns tell a share of the variance of the outcome, of a target of
numbers of y itself, of survival times of the logarithm of the hazard (Weibull), with a share of the
rows censored. The noise of numbers is normal, has heavy tails (Student's t of 5 degrees of
freedom), is skewed (lognormal) or uneven (three times as large where the first column is large).
Where rows come in recordings of a patient half of the variance is the patient's. The truth of a
signature is what its model reaches on 20,000 new rows. Of Uno's C and the Brier score it is what it
reaches where no row is censored, until the tau of the signature; curves of the new rows are those
of Cox's model of the risk, learned from the held-out risks of the table.

A fault is: fewer than 94 % of the 95 % intervals of a design that hold the truth, beyond what 1 in
1,000 campaigns of that many tables would show at 94 %; more than 5 % of the tables of noise that
are said to be better than chance, alike.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from functools import cache
from typing import NamedTuple
from unittest import mock

import numpy as np
import pandas as pd
from claim_lines import add_results_option, append_claim
from scipy.stats import binom
from signatures import drawn_columns
from sksurv.metrics import concordance_index_censored

from hetsel import Signature, survival
from hetsel.signature.nested import judged_runs
from hetsel.signature.nested.survival_performance import cox_curves, survival_performance
from hetsel.signature.signature_facts import ABOVE
from hetsel.statistics.survival.curves_and_martingale_residuals import (
    StepFunction,
    integrated_brier_rows,
    kaplan_meier,
)

NEW = 20_000
WEIGHING = "rfe-svm"  # the method where rows have weights
PAIRED = 3000  # of them, of which all pairs are looked at


class Design(NamedTuple):
    """What tables are drawn from; `told` is a share of the variance."""

    rows: int
    columns: int
    telling: int
    told: float
    errors: str = "normal"
    recordings: int = 1
    weighted: bool = False
    censored: float = 0.0
    alike: bool = True
    unlike: bool = False


NUMBERS = [
    Design(100, 20, 4, 0.5),
    Design(60, 10, 2, 0.5),
    Design(40, 8, 2, 0.3),
    Design(200, 20, 4, 0.1),
    Design(100, 15, 0, 0.0),
    Design(100, 10, 3, 0.9),
    Design(100, 10, 3, 0.5, "heavy"),
    Design(100, 10, 3, 0.5, "skewed"),
    Design(100, 10, 3, 0.5, "uneven"),
    Design(200, 10, 3, 0.5, recordings=4),
    Design(200, 10, 0, 0.0, recordings=4),
    Design(120, 10, 3, 0.5, weighted=True),
    Design(30, 6, 2, 0.7),
]
SURVIVAL = [
    Design(100, 15, 3, 0.5, censored=0.2),
    Design(150, 15, 3, 0.5, censored=0.6),
    Design(60, 8, 2, 0.5, censored=0.3),
    Design(200, 15, 3, 0.15, censored=0.4),
    Design(100, 10, 0, 0.0, censored=0.4),
    Design(100, 8, 3, 0.9, censored=0.2),
    Design(200, 8, 3, 0.5, recordings=4, censored=0.3),
    Design(120, 8, 3, 0.5, weighted=True, censored=0.3),
]
# drawn once the intervals stood; columns are unlike
FRESH = [
    Design(60, 4, 0, 0.0, unlike=True),
    Design(100, 4, 0, 0.0, "heavy", unlike=True),
    Design(96, 4, 0, 0.0, recordings=4, alike=False, unlike=True),
    Design(80, 8, 2, 0.15, unlike=True),
    Design(60, 5, 2, 0.5, "skewed", unlike=True),
    Design(40, 4, 2, 0.8, unlike=True),
]
FRESH_TIMES = [
    Design(60, 4, 0, 0.0, censored=0.3, unlike=True),
    Design(100, 4, 0, 0.0, censored=0.7, unlike=True),
    Design(96, 4, 0, 0.0, recordings=4, censored=0.4, alike=False, unlike=True),
    Design(80, 8, 2, 0.15, censored=0.4, unlike=True),
    Design(80, 4, 2, 0.5, censored=0.7, unlike=True),
    Design(50, 5, 2, 0.8, censored=0.2, unlike=True),
]
NOISE = [Design(80, 12, 0, 0.0), Design(120, 8, 0, 0.0, recordings=4)]
NOISE_OF_TIMES = [Design(80, 10, 0, 0.0, censored=0.4), Design(100, 8, 0, 0.0, censored=0.7)]


def drawn_values(rng, n, p):
    """Numbers (n, p) with a common factor."""
    return np.sqrt(0.7) * rng.normal(size=(n, p)) + np.sqrt(0.3) * rng.normal(size=(n, 1))


def signal(values, telling):
    """What the first columns tell of each row: levels where they are nominal."""
    out = np.zeros(len(values))
    for k in range(telling):
        own = np.digitize(values[:, k], [-0.5, 0.6]) - 1.0 if k % 2 else values[:, k]
        out += own * (1 if k % 3 else -1)
    return out


@cache
def signal_width(columns, telling):
    """Standard deviation of the signal."""
    return signal(drawn_values(np.random.default_rng(0), 100_000, columns), telling).std() or 1.0


def drawn_noise(rng, values, design):
    """Noise (n,) of variance 1."""
    n = len(values)
    if design.errors == "heavy":
        return rng.standard_t(5, size=n) / np.sqrt(5 / 3)
    if design.errors == "skewed":
        drawn = np.exp(0.8 * rng.normal(size=n))
        return (drawn - np.exp(0.32)) / np.sqrt((np.exp(0.64) - 1) * np.exp(0.64))
    plain = rng.normal(size=n)
    if design.errors == "uneven":
        return plain * np.where(values[:, 0] > 0.8, 1.8, 0.6)
    return plain


def drawn(rng, design):
    """A table, its numbers or times of events and of censoring, its patients and weights."""
    units = design.rows // design.recordings
    counts = np.full(units, design.recordings)
    if not design.alike:
        counts = rng.integers(1, 2 * design.recordings, units)
    patient = np.arange(units).repeat(counts)
    values = drawn_values(rng, units, design.columns)[patient]
    if design.recordings > 1:
        values = np.sqrt(0.5) * (values + drawn_values(rng, len(patient), design.columns))
    known = signal(values, design.telling) / signal_width(design.columns, design.telling)
    noise = drawn_noise(rng, values, design)
    if design.recordings > 1:
        noise = np.sqrt(0.5) * (rng.normal(size=units)[patient] + noise)
    y = np.sqrt(design.told) * known + np.sqrt(1 - design.told) * noise
    frame = drawn_columns(rng, values, design.unlike)
    if design.censored:
        y = drawn_times(rng, y, design.censored)  # (2, n)
    weights = rng.uniform(0.2, 3.0, len(values)) if design.weighted else None
    return frame, y, patient if design.recordings > 1 else None, weights


def drawn_times(rng, y, censored):
    """Times of events, the sooner the larger y is, and times from when a row is not followed."""
    time = np.exp(-1.2 * y + 3.0)
    stop = rng.exponential(size=len(y)) * np.exp(3.0)
    return np.stack([time, stop * censoring_scale(censored)])


def followed(times):
    """What is seen of times of events and of censoring."""
    return survival(times.min(axis=0), times[0] <= times[1])


@cache
def censoring_scale(censored):
    """What the times of censoring are multiplied by, for this share of rows to be censored."""
    rng = np.random.default_rng(0)
    time, stop = np.exp(-1.2 * rng.normal(size=100_000)), rng.exponential(size=100_000)
    return float(np.quantile(time / stop, 1 - censored) if censored else np.inf)


def truths(found, design, rng, runs, seen):
    """What the model reaches on new rows, by measure."""
    rows = NEW // design.recordings * design.recordings
    X, y, _, _ = drawn(rng, design._replace(rows=rows))
    predicted = found.predict(X)
    if design.censored:
        return survival_truths(found, y, predicted, runs, seen)
    error = y - predicted
    return {
        "r2": 1 - (error**2).mean() / y.var(),
        "rmse": np.sqrt((error**2).mean()),
        "mae": np.abs(error).mean(),
        "rank": concordant(-y[:PAIRED], predicted[:PAIRED], np.ones(PAIRED, bool)) * 2 - 1,
    }


def survival_truths(found, times, risk, runs, seen):
    """Both C of new rows, their integrated Brier score and what it explains."""
    new, (event, _), tau = followed(times), times, found.performance_.shown.tau
    few, every = risk[:PAIRED], np.ones(len(risk), bool)
    truth = {
        "harrell": concordant(new["time"][:PAIRED], few, new["event"][:PAIRED]),
        "uno": concordant(event[:PAIRED], few, event[:PAIRED] <= tau),
    }
    grid = np.unique(seen.times[seen.events & (seen.times <= tau)])
    if len(grid) < 2:
        return truth
    never = StepFunction(np.array([0.0]), np.array([1.0]), 1.0)  # nobody is censored
    errors = []
    for run in runs:
        curves = cox_curves(seen.times, seen.events, run.predicted, risk, grid)
        errors.append(integrated_brier_rows(event, every, curves, grid, never).mean())
    plain = kaplan_meier(seen.times, seen.events).at(grid)
    known = integrated_brier_rows(event, every, plain, grid, never).mean()
    return truth | {"ibs": np.mean(errors), "skill": 1 - np.mean(errors) / known}


def concordant(time, risk, event):
    """Harrell's C, by all pairs."""
    return concordance_index_censored(event, time, risk)[0]


def judged(design, seed, options, permutations=0):
    """What a signature says of itself, and the truth."""
    rng = np.random.default_rng([seed, *(int(1000 * part) for part in design[:4])])
    X, y, patient, weights = drawn(rng, design)
    y = followed(y) if design.censored else y
    given = {"repeats": options.repeats, "folds": options.folds, "permutations": permutations}
    kind = "survival" if design.censored else "numbers"
    method = used_method(design, options)
    found = Signature(method, pairs=0, random_state=seed, target_kind=kind, **given)
    with (
        mock.patch.object(
            judged_runs, "survival_performance", side_effect=survival_performance
        ) as recorded,
        mock.patch.object(Signature, "_add_up"),  # no points: they move no estimate
    ):
        found.fit(X, y, weights, groups=patient)
    runs, seen = recorded.call_args.args[:2] if recorded.called else ((), None)
    known = truths(found, design, rng, runs, seen)
    row = {"size": found.size_, "verdict": found.verdict_}
    for measure in found.performance_.measures:
        if measure.key in known:
            row[f"{measure.key} truth"] = known[measure.key]
            row |= {
                f"{measure.key} {part}": getattr(measure, part)
                for part in ("estimate", "low", "high")
            }
    return row


def coverage(rows, design, options):
    """How often the intervals of one design hold the truth; the faults."""
    faults, measures = 0, {}
    for key in (name.removesuffix(" truth") for name in rows if name.endswith(" truth")):
        truth, rate, low, high = (
            rows[f"{key} {part}"] for part in ("truth", "estimate", "low", "high")
        )
        held, apart = (low <= truth) & (truth <= high), rate - truth
        bad = binom.cdf(held.sum(), len(rows), 0.94) < 0.001
        faults += int(bad)
        measures |= {f"{key}: intervals that hold the truth": held.mean()}
        error = apart.std() / np.sqrt(len(rows))
        print(
            f"  {key}: truth {truth.mean():.3f}, estimate less truth {apart.mean():+.4f} (standard "
            f"error {error:.4f}), {100 * held.mean():.1f} % of the intervals hold it, "
            f"{100 * (low > truth).mean():.1f} % are too high, {100 * (high < truth).mean():.1f} % "
            f"too low, width {(high - low).mean():.3f}, needed {3.92 * apart.std():.3f}"
            f"{'   FAULT' if bad else ''}",
            flush=True,
        )
        measures |= {f"{key}: estimate less truth": (apart.mean(), error)}
    given = {"method": used_method(design, options), "tables": len(rows)}
    append_claim(options.results, "measured estimate", design._asdict(), measures, **given)
    return faults


def verdicts(rows, design, options):
    """How many tables of noise of one design are said to be better than chance; the faults."""
    wrong = int((rows["verdict"] == ABOVE).sum())
    bad = binom.sf(wrong - 1, len(rows), 0.05) < 0.001
    print(f"{wrong} of {len(rows)} are said to be {ABOVE}{'   FAULT' if bad else ''}", flush=True)
    given = {"method": used_method(design, options), "tables": len(rows)}
    measures = {"tables called better than chance": wrong}
    append_claim(options.results, "measured verdict", design._asdict(), measures, **given)
    return int(bad)


def used_method(design, options):
    """The method, another where rows have weights."""
    return WEIGHING if design.weighted else options.method


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--method", default="rfe-mkl")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--survival", action="store_true")
    parser.add_argument("--verdicts", action="store_true")
    parser.add_argument("--fresh", action="store_true", help="designs that nothing was tuned on")
    parser.add_argument("--designs", help="their places, with commas")
    add_results_option(parser)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    designs = SURVIVAL if options.survival else NUMBERS
    if options.fresh:
        designs = FRESH_TIMES if options.survival else FRESH
    if options.verdicts:
        designs = NOISE_OF_TIMES if options.survival else NOISE
    if options.designs:
        designs = [designs[int(place)] for place in options.designs.split(",")]
    faults, permutations = 0, 499 if options.verdicts else 0
    for design in designs:
        seeds = range(options.seed * options.tables, (options.seed + 1) * options.tables)
        rows = pd.DataFrame([judged(design, seed, options, permutations) for seed in seeds])
        print(", ".join(f"{name} {value}" for name, value in design._asdict().items() if value))
        faults += (verdicts if options.verdicts else coverage)(rows, design, options)
    print(f"{faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
