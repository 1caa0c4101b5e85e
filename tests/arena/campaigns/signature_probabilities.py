"""Probabilities of signatures of tables whose truth is known: unbiased, intervals that hold it?

    python tests/arena/campaigns/signature_probabilities.py --tables 200
    python tests/arena/campaigns/signature_probabilities.py --tables 200 --unseen  # other designs
    python tests/arena/campaigns/signature_probabilities.py --tables 200 --parts  # centers

Tables as those of `signatures.py`. The truth of a signature is what its model and its map from
decision values to probabilities are worth on 20,000 new rows: the balanced rate, the area under the
ROC curve, the Brier score, slope, intercept and O / E of calibration; at thresholds net benefit,
sensitivity, specificity and predictive values; and the smooth curve at three probabilities, on the
curve of the new rows.

A fault is: a mean of estimate less truth of the rate, the area, the slope, the Brier score or the
net benefit that is more than two of its standard errors from 0; fewer than 90 % of the 95 %
intervals that hold the truth.

Beside the estimate of the slope stands what a validation of the same model on as many rows that are
new says by maximum likelihood, as it is common: too large in the mean where classes are nearly
apart.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from unittest import mock

import numpy as np
import pandas as pd
from claim_lines import add_results_option, append_claim
from signatures import NEW, Design, drawn, drawn_columns, drawn_values
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from hetsel import Signature
from hetsel.signature.probabilities.asked_probabilities import AskedProbabilities
from hetsel.signature.probabilities.probability_facts import PredictedRows, probability_facts
from hetsel.statistics.probabilities.calibration import calibration_line
from hetsel.statistics.probabilities.pooled_rows import pooled_rows

DESIGNS = {
    "strong": Design(100, 12, 4, 1.7, 0.5),
    "weak": Design(200, 15, 3, 0.5, 0.4),
    "rare class": Design(300, 12, 3, 1.0, 0.08),
    "groups": Design(240, 10, 3, 1.0, 0.5, recordings=4, alike=False),
    "three classes": Design(150, 12, 4, 1.0, 0.6, classes=3),
    "few rows": Design(60, 10, 2, 1.0, 0.4),
}
UNSEEN = {  # of unlike columns
    "noise": Design(100, 8, 0, 0.0, 0.4, unlike=True),
    "weaker": Design(120, 8, 2, 0.5, 0.5, unlike=True),
    "stronger": Design(80, 6, 2, 1.6, 0.5, unlike=True),
    "rarer": Design(200, 6, 3, 1.0, 0.1, unlike=True),
    "fewer groups": Design(160, 6, 2, 0.9, 0.4, recordings=4, alike=False, unlike=True),
    "other classes": Design(120, 6, 3, 1.2, 0.6, classes=3, unlike=True),
}
PARTS = {  # each center is a part, and a group
    "5 centers": Design(200, 6, 2, 1.0, 0.4, recordings=40, unlike=True),
    "12 centers": Design(300, 6, 2, 1.0, 0.4, recordings=25, unlike=True),
}
HELD = "intervals that hold the truth"
UNBIASED = ("bcr", "auc", "slope", "brier", "net_benefit")
THRESHOLDS = (0.05, 0.2, 0.3, 0.5)
AT_THRESHOLDS = (
    "net_benefit",
    "sensitivity",
    "specificity",
    "positive_predictive_value",
    "negative_predictive_value",
)
AT = (0.25, 0.5, 0.75)  # quantiles of the probabilities at which the curve is compared


def judged(name, design, seed, method, repeats):
    """Estimates with their intervals and the truth of each, by measure."""
    rng = np.random.default_rng([seed, *map(int, np.array(design[:5]) * 1000)])
    X, y, patient = drawn(rng, design)
    given = {"repeats": repeats, "permutations": 0, "pairs": 0, "random_state": seed}
    found = Signature(method, thresholds=THRESHOLDS, **given)
    with mock.patch.object(Signature, "_add_up"):  # no points: they move no estimate
        found.fit(X, y, groups=patient)
    new, truth, persons = drawn(rng, design._replace(rows=NEW, copies=1))
    p = found.predict_proba(new)
    first = 1 if p.shape[1] == 2 else 0  # the first class that is reported
    asked = AskedProbabilities(thresholds=THRESHOLDS, named=True)
    rows = PredictedRows(truth, p, np.ones(len(truth)), persons, 1.0, len(truth))
    whole = probability_facts(rows, [*range(p.shape[1])], asked)
    true, told = measures(whole), measures(found.probabilities_)
    each = [roc_auc_score(truth == c, p[:, c]) for c in range(p.shape[1])]
    decisions = found.decision_function(new)
    if p.shape[1] == 2:
        area = roc_auc_score(truth, decisions)
    else:
        area = np.mean([roc_auc_score(truth == c, decisions[:, c]) for c in range(len(each))])
    others, their_truth, _ = drawn(rng, design._replace(copies=1))
    by_new = calibration_line(
        pooled_rows(their_truth == first, found.predict_proba(others)[:, first])
    )
    auc = found.performance_["auc"]
    told["auc"], true["auc"] = (auc.estimate, auc.low, auc.high), (float(area), None, None)
    bcr, rate = found.performance_["bcr"], balanced_accuracy_score(truth, found.predict(new))
    told["bcr"], true["bcr"] = (bcr.estimate, bcr.low, bcr.high), (float(rate), None, None)
    told |= curve_points(found.probabilities_.classes[0].curve, None)
    true |= curve_points(whole.classes[0].curve, found.probabilities_.classes[0].curve)
    return [
        {
            "design": name,
            "seed": seed,
            "measure": key,
            "truth": true[key][0],
            "rate": told[key][0],
            "low": told[key][1],
            "high": told[key][2],
            "by_new_rows": by_new.likelihood_slope if key == "slope" else np.nan,
        }
        for key in told
    ]


def judged_parts(name, design, seed, method, repeats):
    """Estimates of each center and the truth: new rows of that center."""
    rng = np.random.default_rng([seed, *map(int, np.array(design[:5]) * 1000)])
    count, p = design.rows // design.recordings, design.columns
    moved = 0.7 * rng.normal(size=(count, p))
    shift = design.by * (np.arange(p) < design.telling)

    def rows_of(each):
        center = np.arange(count).repeat(each)
        y = (rng.random(len(center)) < design.share).astype(int)
        values = drawn_values(rng, len(center), p) + moved[center] + (y - 0.5)[:, None] * shift
        return drawn_columns(rng, values, design.unlike), y, center

    X, y, center = rows_of(design.recordings)
    given = {"repeats": repeats, "permutations": 0, "pairs": 0, "random_state": seed}
    with mock.patch.object(Signature, "_add_up"):
        names = {"center": [f"c{c}" for c in center]}
        found = Signature(method, **given).fit(X, y, groups=center, by=pd.DataFrame(names))
    new, truth, of = rows_of(NEW // count)
    p, decisions = found.predict_proba(new)[:, 1], found.decision_function(new)
    lines = []
    for part in found.probabilities_.by:
        own = of == int(part["level"][1:])
        t, q = truth[own], p[own]
        above = q >= part["threshold"]
        true = {
            "auc": roc_auc_score(t, decisions[own]),
            "brier": ((q - t) ** 2).mean(),
            "observed_expected_ratio": t.sum() / q.sum(),
            "sensitivity": above[t == 1].mean(),
            "specificity": (~above)[t == 0].mean(),
        }
        for key, value in true.items():
            told = {
                end: part[key][name]
                for end, name in (("rate", "estimate"), ("low", "low"), ("high", "high"))
            }
            about = {"design": name, "seed": seed, "measure": key, "by_new_rows": np.nan}
            lines.append(about | {"truth": value} | told)
    return lines


def curve_points(curve, at):
    """The smooth curve with its band at three places, those of another curve for the truth."""
    place = [int(q * (len(curve.probability) - 1)) for q in AT]
    grid = (at or curve).probability
    out = {}
    for q, k in zip(AT, place, strict=True):
        x = grid[k]
        parts = (curve.observed, curve.low, curve.high)
        values = (np.interp(x, curve.probability, part) for part in parts)
        out[f"curve {q}"] = tuple(map(float, values))
    return out


def measures(facts):
    """Values with the ends of their intervals, by name; of the first class that is reported."""
    one = facts.classes[0]
    found = {key: getattr(facts, key) for key in ("brier", "scaled_brier")}
    found |= {key: getattr(one, key) for key in ("intercept", "slope", "observed_expected_ratio")}
    for threshold, at in zip(THRESHOLDS, one.at, strict=True):
        found |= {f"{key} at {threshold}": getattr(at, key) for key in AT_THRESHOLDS}
    return {key: (value.estimate, value.low, value.high) for key, value in found.items()}


def faults_of(rows):
    """A line for each measure of a design, and its faults."""
    lines, faults = [], []
    for (design, measure), own in rows.groupby(["design", "measure"], sort=False):
        own = own.dropna(subset=["truth", "rate"])
        apart = own["rate"] - own["truth"]
        error = apart.std() / np.sqrt(len(own))
        held = (own["low"].fillna(-np.inf) <= own["truth"]) & (
            own["truth"] <= own["high"].fillna(np.inf)
        )
        bias = apart.mean() / error if error > 0 else 0.0
        wrong = []
        if measure.split(" at ")[0] in UNBIASED and abs(bias) > 2:
            wrong.append("biased")
        if held.mean() < 0.9:
            wrong.append("covers too little")
        new = [
            f"by new rows {mean:+.4f} ({mean / error:+.1f} SE) "
            for mean, error in by_new_rows(measure, own).values()
        ]
        lines.append(
            f"{design:14} {measure:26} n {len(own):3} truth {own['truth'].mean():7.3f} "
            f"estimate {own['rate'].mean():7.3f} bias {apart.mean():+.4f} ({bias:+.1f} SE) "
            f"median {apart.median():+.4f} held {held.mean():.3f} {' '.join(new + wrong)}"
        )
        faults += [f"{design}: {measure} {one}" for one in wrong]
    return lines, faults


def with_error(apart):
    """A mean with its standard error."""
    return float(apart.mean()), float(apart.std() / np.sqrt(len(apart)))


def by_new_rows(measure, own):
    """What a validation on as many new rows says less the truth, of a measure that has one."""
    apart = (own["by_new_rows"] - own["truth"]).dropna()
    return {f"{measure}: by as many new rows": with_error(apart)} if len(apart) else {}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--unseen", action="store_true")
    parser.add_argument("--parts", action="store_true", help="of centers that are groups")
    parser.add_argument("--method", default="rfe-mkl")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--design", help="one of them only")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    add_results_option(parser)
    options = parser.parse_args()
    designs = PARTS if options.parts else UNSEEN if options.unseen else DESIGNS
    claim = "parts of a signature" if options.parts else "probabilities of a signature"
    warnings.simplefilter("ignore")
    faults = []
    for name, design in designs.items():
        if options.design not in (None, name):
            continue
        rows = []
        for seed in range(options.first, options.first + options.tables):
            rows += (judged_parts if options.parts else judged)(
                name, design, seed, options.method, options.repeats
            )
        frame = pd.DataFrame(rows)
        lines, wrong = faults_of(frame)
        print("\n".join(lines), flush=True)
        faults += wrong
        for measure, own in frame.groupby("measure", sort=False):
            known = own.dropna(subset=["truth", "rate"])
            apart = known["rate"] - known["truth"]
            inside = (known["low"] <= known["truth"]) & (known["truth"] <= known["high"])
            append_claim(
                options.results,
                claim,
                {"kind": name, **design._asdict()},
                {
                    f"{measure}: truth": known["truth"].mean(),
                    f"{measure}: {HELD}": float(inside.mean()),
                    f"{measure}: estimate less truth": with_error(apart),
                    f"{measure}: width": (known["high"] - known["low"]).mean(),
                }
                | by_new_rows(measure, known),
                method=options.method,
                tables=len(known),
            )
    print("\n".join(faults) or "no fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
