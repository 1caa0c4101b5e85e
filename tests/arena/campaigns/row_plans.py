"""What `hetsel plan-rows` prints of a pilot, against new tables of the population it came from.

    python tests/arena/campaigns/row_plans.py find --tables 40

- find: the chance to find a planted feature, against the share of new tables with such a column
  whose signature holds it.
- width: the share of new tables of the rows that are asked for whose interval of `hetsel select`
  is no wider than that.
- rate: the share of pilots whose range of rows holds those by which new tables have the rate.

A design is a population: unlike columns (normal, skewed, of heavy tails, of 2 to 30 levels), the
first of them real. Of a column the continuous part is shifted by the class, or by the numbers.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
from claim_lines import add_results_option, append_claim
from scipy.stats import norm
from sklearn.metrics import balanced_accuracy_score

import hetsel
from hetsel.ground.errors import TableError
from hetsel.signature.planning.anticipated import anticipate_from_table, anticipated
from hetsel.signature.planning.asked_rows import for_width
from hetsel.signature.planning.learning_curve import learning_curve, main_label
from hetsel.signature.planning.planted_columns import chance_to_find
from hetsel.signature.planning.row_plan import FOLDS, _read
from hetsel.signature.procedure import judge
from hetsel.tables import Numbers

SIZE = 3
MOST_ROWS = 1500  # of a table that is drawn
# new tables of each number of rows
TRUTH = 300
# rows of the pilot, columns, real ones and their effect, planted effect; the rest by name
FIND = {
    "noise": (40, 12, 0, 0.0, 0.5),
    "noise, wide": (100, 30, 0, 0.0, 0.3),
    "noise, anova-f": (40, 20, 0, 0.0, 0.8, {"method": "anova-f", "columns_are": "normal"}),
    "two strong": (40, 20, 2, 1.2, 0.8),
    "three weak": (100, 16, 3, 0.4, 0.5),
    "six middle": (100, 24, 6, 0.6, 0.5),
    "rare class": (100, 16, 2, 0.8, 0.8, {"share": 0.2}),
    "nominal": (100, 16, 2, 0.6, 0.3, {"kind": "nominal"}),
    "groups": (100, 12, 2, 0.8, 0.8, {"group": 2}),
    "relieff": (40, 12, 0, 0.0, 0.8, {"method": "relieff"}),
    "relieff, two strong": (100, 12, 2, 0.8, 0.5, {"method": "relieff"}),
    "numbers": (100, 16, 2, 0.5, 0.3, {"target": "numbers"}),
    "numbers, noise": (40, 12, 0, 0.0, 0.5, {"target": "numbers"}),
    "survival": (100, 16, 2, 0.5, 0.4, {"target": "survival"}),
    "survival, noise": (60, 12, 0, 0.0, 0.5, {"target": "survival"}),
    "survival, few events": (200, 16, 3, 0.7, 0.6, {"target": "survival", "longest": 0.4}),
    "survival, groups": (120, 12, 2, 0.8, 0.6, {"target": "survival", "group": 2}),
}


def find_design(name):
    """A design of `FIND`, as a dict."""
    rows, columns, real, by, effect, *more = FIND[name]
    given = {"name": name, "rows": rows, "columns": columns, "real": real, "by": by}
    given |= {"effect": effect, "kind": "continuous", "share": 0.5, "group": 1, "target": "classes"}
    if "survival" in name:
        given["longest"] = 2.0  # follow-up: some 40 % are censored
    return given | {"method": "univariate-tests"} | (more[0] if more else {})


def drawn(rng, design, rows):
    """A frame of so many rows, its target (times are not censored) and the group of each row."""
    units = rows // design["group"]
    unit = np.repeat(np.arange(units), design["group"])
    if design["target"] == "numbers":
        y = signal = rng.normal(size=units)[unit]
    elif design["target"] == "survival":
        signal = rng.normal(size=units)[unit]
        y = rng.exponential(size=units)[unit] * np.exp(-signal)
    else:
        y = (rng.permutation(units) < round(design["share"] * units)).astype(int)[unit]
        signal = y - 0.5
    frame = {}
    for j in range(design["columns"]):
        own = rng.normal(size=units)[unit]  # half of it is the group's
        z = own if design["group"] == 1 else np.sqrt(0.5) * (own + rng.normal(size=len(unit)))
        z = z + design["by"] * (j < design["real"]) * signal
        heavy = z * np.sqrt(3 / rng.chisquare(3, size=len(z)))
        levels = (2, 5, 12, 30)[j // 4 % 4]
        kind = 0 if design.get("columns_are") == "normal" else j % 4
        if kind == 3:
            z = np.floor(levels * ((z / 6 + 0.5).clip(0, 0.999)))
            frame[f"x{j}"] = pd.Categorical([f"l{code:.0f}" for code in z])
        else:
            frame[f"x{j}"] = (z, np.exp(z), heavy)[kind]
    return pd.DataFrame(frame), y, unit


def target_of(rng, y, unit, design):
    """What is seen of the target."""
    if design["target"] == "numbers":
        return Numbers(y)
    if design["target"] == "survival":
        follow_up = rng.uniform(0, design["longest"], size=unit[-1] + 1)[unit]
        return hetsel.survival(np.minimum(y, follow_up), y <= follow_up)
    return y


RISKS = norm.ppf((np.arange(2000) + 0.5) / 2000)


def later(times, effect):
    """Share of a population with log hazards effect x, x ~ N(0, 1), whose time is later."""
    return np.array([np.exp(-one * np.exp(effect * RISKS)).mean() for one in times])


def planted(rng, y, unit, effect, kind, target):
    """A column of the effect, see the top of `hetsel.signature.planning.planted_columns`.

    Of survival times it is that of rows of a population where it makes the hazard, whose times have
    the same place among all times.
    """
    if target == "survival":
        x = rng.normal(size=20000)
        own = later(rng.exponential(size=len(x)) * np.exp(-effect * x), effect)
        order = np.argsort(own)
        places = np.searchsorted(own[order], later(y[np.unique(unit, return_index=True)[1]], 1.0))
        return x[order[np.minimum(places, len(x) - 1)]][unit]
    noise, uniform = rng.normal(size=unit[-1] + 1)[unit], rng.uniform(size=unit[-1] + 1)[unit]
    if target == "numbers":
        return effect * (y - y.mean()) / y.std() + np.sqrt(1 - effect**2) * noise
    if kind == "continuous":
        return effect * y + noise
    phi = y.mean()
    apart = effect / (2 * np.sqrt(phi * (1 - phi)))
    chosen = uniform < 0.5 + np.where(y == 1, 1 - phi, -phi) * apart
    return pd.Categorical(np.where(chosen, "b", "a"))


def method_of(design):
    """The method; exact tests of levels take too long here."""
    exact = {"levels": "chi-square"} if design["method"] == "univariate-tests" else {}
    return hetsel.get_method(design["method"])(**exact)


def found_in_new(design, rows, seed):
    """Share of new tables of so many rows whose signature holds the planted column."""
    hits = []
    for table in range(TRUTH):
        rng = np.random.default_rng([seed, rows, table])
        frame, y, unit = drawn(rng, design, rows)
        place = int(rng.integers(frame.shape[1] + 1))
        frame.insert(place, "planted", planted(rng, y, unit, *_effect(design)))
        target = target_of(rng, y, unit, design)
        method = method_of(design).set_params(size=SIZE).fit(frame, target)
        hits.append(bool(method.get_support()[place]))
    return (sum(hits) + 0.5) / (TRUTH + 1)


def _effect(design):
    return design["effect"], design["kind"], design["target"]


def find(design, options):
    """What is said of the chance, by pilot and rows: the intervals and the truth."""
    said = []
    for table in range(options.tables):
        rng = np.random.default_rng([options.seed, table])
        frame, y, unit = drawn(rng, design, design["rows"])
        target = target_of(rng, y, unit, design)
        asked = hetsel.Signature(method_of(design), SIZE, random_state=table)
        data, procedure = _read(frame, target, unit if design["group"] > 1 else "rows", asked)
        each = chance_to_find(data, procedure, design["effect"], SIZE, kind=design["kind"])
        said.append([(one.share.estimate, one.share.low, one.share.high) for one in each])
    rows = [one.rows for one in each]
    truth = np.array([found_in_new(design, m, options.seed) for m in rows])
    rate, low, high = np.moveaxis(np.array(said), 2, 0)
    held = ((low <= truth) & (truth <= high)).mean(axis=0)
    for k, m in enumerate(rows):
        measures = {
            "truth": truth[k],
            "chance": rate[:, k].mean(),
            "intervals that hold the truth": held[k],
            "mean width": (high - low)[:, k].mean(),
        }
        say(design | {"new rows": m}, measures, options, options.tables)


# rows of the pilot, real ones of 12 columns and their effect; the rest by name
WIDTH = {
    "weak": (80, 2, 0.4),
    "middle": (80, 2, 0.85),
    "strong": (80, 2, 1.4),
    "near 1": (80, 2, 2.2),
    "strong, rare class": (120, 2, 1.4, {"share": 0.15}),
    "numbers, strong": (80, 2, 1.2, {"target": "numbers"}),
    "survival": (80, 2, 0.6, {"target": "survival"}),
    "survival, strong": (80, 2, 1.5, {"target": "survival"}),
}


def width_design(name, designs=None):
    """A design of `WIDTH`, as a dict."""
    rows, real, by, *more = (designs or WIDTH)[name]
    given = {"name": name, "rows": rows, "real": real, "by": by, "share": 0.5, "target": "classes"}
    given["c_statistic"] = round(float(norm.cdf(by * np.sqrt(real / 2))), 4)
    return given | {"method": "univariate-tests"} | (more[0] if more else {})


def normal_table(rng, design, rows):
    """Normal columns and a target."""
    x = rng.normal(size=(rows, 12))
    kind, real = design["target"], design["real"]
    if kind == "classes":
        y = (rng.permutation(rows) < round(design["share"] * rows)).astype(int)
        x[:, :real] += design["by"] * y[:, None]
    else:
        y = design["by"] * x[:, :real].sum(axis=1) / np.sqrt(real) + rng.normal(size=rows)
        if kind == "survival":
            end = rng.normal(0.5, 1, size=rows)
            y = hetsel.survival(np.exp(np.minimum(-y, end)), -y <= end)
        else:
            y = Numbers(y)
    return x, y


def judged(rng, design, rows, signature):
    """The data of a table, and its nested performance."""
    data, procedure = _read(*normal_table(rng, design, rows), "rows", signature)
    return data, judge(data, procedure, None).performance


def intervals_of(performance):
    """The intervals by the names that a plan has for them."""
    if performance.kind == "classes":
        return {"BCR": performance["bcr"], "AUC": performance["auc"]}
    return {main_label(performance): performance.main}


def asked_for(design, data, performance, width):
    """Rows by what they are told from, and the interval."""
    expected, _ = anticipate_from_table(anticipated({}, beside_table=True), data, performance)
    plans = {"pilot": for_width(expected, width, performance, design["rows"])}
    if design["target"] == "classes":
        given = {"candidates": 12, "prevalence": design["share"]}
        given["c_statistic"] = design["c_statistic"]
        plans["no table"] = for_width(anticipated(given), width)
    return {(source, line.key): line.rows for source, lines in plans.items() for line in lines}


def width(design, options):
    """How often intervals of the rows that are asked for are no wider than what was wanted."""
    method, reached = method_of(design), {}
    pilot = hetsel.Signature(method, design["real"], folds=FOLDS, permutations=0, pairs=0)
    asked = hetsel.Signature(method, design["real"], permutations=0, pairs=0)
    for table in range(options.tables):
        rng = np.random.default_rng([options.seed, table])
        plans = asked_for(design, *judged(rng, design, design["rows"], pilot), options.width)
        for (source, key), rows in plans.items():
            try:
                found = intervals_of(judged(rng, design, min(MOST_ROWS, int(rows)), asked)[1])[key]
                wide = found.high - found.low
            except TableError:  # too few rows
                wide = np.inf
            reached.setdefault((source, key), []).append((rows, wide))
    for (source, key), each in reached.items():
        rows, wide = np.array(each).T
        measures = {
            "rows": float(np.median(rows)),
            "tables as narrow": float((wide <= options.width).mean()),
            "median width": float(np.median(wide)),
        }
        say(design | {"source": source, "interval": key}, measures, options, len(each))


# as those of WIDTH; the real ones are as many as the signature has
RATE = {
    "two of 12": (60, 2, 0.85),
    "six weak": (80, 6, 0.5),
    "numbers": (60, 3, 0.7, {"target": "numbers"}),
}
REACHED = (1.0, 2.0, 3.0)  # times the rows at hand by which the rate is there
FIRST_PILOT = 1000  # stream of the pilots' seeds, apart from those of the new tables


def rate_design(name):
    """A design of `RATE`, as a dict."""
    return width_design(name, RATE)


def rate_in_new(design, rows, seed, tables=30, new=4000):
    """Mean measure of signatures of so many rows on new rows."""
    found = []
    for table in range(tables):
        rng = np.random.default_rng([seed, rows, table])
        size, target = design["real"], design["target"]
        given = {"folds": 3, "repeats": 1, "permutations": 0, "pairs": 0}
        if target != "classes":
            given["target_kind"] = target
        model = hetsel.Signature(method_of(design), size, **given)
        model.fit(*normal_table(rng, design, rows), groups="rows")
        x, y = normal_table(rng, design, new)
        told = model.predict(x)
        if target == "classes":
            found.append(balanced_accuracy_score(y, told))
        else:
            found.append(1 - np.mean((y.values - told) ** 2) / y.values.var())
    return float(np.mean(found))


def rate(design, options):
    """How often the rows of the band hold those by which new tables have the rate."""
    rows = [round(times * design["rows"]) for times in REACHED]
    truth = [rate_in_new(design, m, options.seed) for m in rows]
    asked = hetsel.Signature(method_of(design), design["real"], folds=FOLDS)
    told = []
    for table in range(options.tables):
        rng = np.random.default_rng([options.seed, FIRST_PILOT + table])
        pilot = normal_table(rng, design, design["rows"])
        data, procedure = _read(*pilot, "rows", asked)
        curve = learning_curve(data, replace(procedure, permutations=0, pairs=0))
        told.append([curve.rows_for(wanted) for wanted in truth])
    law, fewest, most = np.moveaxis(np.array(told), 2, 0)
    for k, m in enumerate(rows):
        measures = {
            "rate": truth[k],
            "bands that hold the rows": ((fewest <= m) & (m <= most))[:, k].mean(),
            "bands without an upper end": np.isinf(most[:, k]).mean(),
            "laws that ask for enough": (law[:, k] >= m).mean(),
            "laws within twice the rows": ((law >= m / 2) & (law <= 2 * m))[:, k].mean(),
            "laws out of reach": np.isinf(law[:, k]).mean(),
        }
        say(design | {"new rows": m}, measures, options, options.tables)


def say(design, measures, options, tables):
    """Print a line of what was measured, and append it."""
    part = [str(design[key]) for key in ("name", "new rows", "source", "interval") if key in design]
    print(f"{', '.join(part)}: " + ", ".join(f"{a} {b:.2f}" for a, b in measures.items()))
    method = design.pop("method")
    append_claim(
        options.results, CLAIMS[options.what], design, measures, method=method, tables=tables
    )
    sys.stdout.flush()


RUNS = {
    "find": (FIND, find_design, find),
    "width": (WIDTH, width_design, width),
    "rate": (RATE, rate_design, rate),
}
CLAIMS = {"find": "chance to find", "width": "rows for a width", "rate": "rows for a rate"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=list(RUNS))
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--width", type=float, default=0.2)
    parser.add_argument("--design", action="append", help="by name; default all")
    add_results_option(parser)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    designs, design_of, run = RUNS[options.what]
    for name in options.design or designs:
        run(design_of(name), options)


if __name__ == "__main__":
    main()
