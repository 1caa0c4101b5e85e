"""Calibration of the predicted probabilities, and net benefit of decisions by them."""

from collections.abc import Iterator

from hetsel.ground import listed, plain_number, shown
from hetsel.report.elements.blocks import Callout, Head, Picture, PrintedTable, Shown
from hetsel.report.figures.signature_figures import plot_calibration, plot_decision
from hetsel.signature.performance import Interval
from hetsel.signature.probabilities import probability_facts
from hetsel.words import phrases, target_words
from hetsel.words import probability_sentences as said

LINE = {
    "intercept": "calibration intercept (best: 0)",
    "slope": "calibration slope (best: 1)",
    "observed_expected_ratio": "observed/expected ratio (best: 1)",
}


def worth_of(one: probability_facts.ProbabilityFacts | None) -> Iterator[Shown]:
    """Yield calibration and net benefit on held-out or new rows."""
    if not one:
        return
    upward = "the class" if one.classes[1:] else f"class {shown(str(one.classes[0].of_class))}"
    yield said.calibration(one)
    yield Callout(warned) if (warned := said.miscalibrated(one)) else None
    yield _measures(one)
    yield Picture(
        "figure-calibration",
        "Left: calibration curve (local linear smoother) with its confidence band, which can "
        "widen suddenly where the curve reaches 0 or 1. On the dashed line, predicted and "
        f"observed agree. Right: histogram of the predicted probabilities; rows of {upward} "
        f"upward, other rows downward{_of_repeats(one)}.",
        "Calibration curve and histogram of predicted probabilities",
        plot_calibration(one),
    )
    yield Head("Net benefit of decisions")
    yield said.benefit(one)
    yield Picture(
        "figure-decision",
        _decision_caption(one),
        "Decision curve of the model, of treat all and of treat none",
        plot_decision(one),
    )
    for place, of_class in enumerate(one.classes):
        yield _thresholds(one, of_class, place)
    yield said.prediction_instability(one.prediction_instability, one.threshold)
    if one.by:
        yield Head("Subgroups")
        yield _subgroups(one)


def blocks(facts: target_words.Facts) -> Iterator[Shown]:
    """Yield calibration and net benefit of a signature."""
    return worth_of(facts.probabilities)


def _of_repeats(one: probability_facts.ProbabilityFacts) -> str:
    """Say how the rows of repeated cross-validations are counted."""
    runs = one.runs or 1
    if runs == 1:
        return ""
    return (
        f" (a row has {runs} predictions, since cross-validation is repeated; each counts 1/{runs})"
    )


def _measures(one: probability_facts.ProbabilityFacts) -> PrintedTable:
    several = len(one.classes) > 1
    rows = [
        ["Brier score (best: 0)", *phrases.in_cells(one.brier)],
        ["scaled Brier score (best: 1)", *phrases.in_cells(one.scaled_brier)],
    ]
    for of_class in one.classes:
        where = f", class {shown(str(of_class.of_class))}" if several else ""
        rows += [
            [f"{label}{where}", *phrases.in_cells(getattr(of_class, key))]
            for key, label in LINE.items()
        ]
        curve = of_class.curve
        apart = f"{curve.ici:.3f}"
        rows.append([f"integrated calibration index (best: 0){where}", apart, "–"])
    level = f"{100 * (one.brier.level or 0):g}% CI"
    note = ""
    if one.maps is not None:
        note = (
            "These values are estimated on the held-out rows of the nested cross-validation, with "
            "calibration maps that were fitted without these rows. "
        )
        parts = "the training gain"
        if one.prevalence is None:
            parts += " and a small correction for the equal class proportions of the folds"
        note += f"The Brier score includes {parts} (see hetsel's glossary). "
    note += "The calibration intercept is estimated with the slope fixed at 1."
    note += _about_slopes(one, several)
    return PrintedTable(
        "probabilities", "Calibration on new rows.", ["measure", "value", level], rows, note=note
    )


def _about_slopes(one: probability_facts.ProbabilityFacts, several: bool) -> str:
    """Name the slope, and add the maximum-likelihood slope of other software."""
    slopes = []
    for of_class in one.classes:
        if of_class.slope.estimate is not None:
            value = of_class.likelihood_slope
            slope = "unbounded" if value is None else f"{value:z.3f}"
            slopes.append(f"{slope} of {shown(str(of_class.of_class))}" if several else slope)
    if not slopes:
        return ""
    return (
        " The slope is from Firth's bias-reduced logistic regression, because the "
        "maximum-likelihood slope is biased upward in small samples, mainly if the classes are "
        f"nearly separated. The maximum-likelihood slope is {listed(slopes)}."
    )


def _rate(one: Interval | None) -> str:
    """Write a value with its interval in one cell."""
    value, ends = phrases.in_cells(one, 2)
    return value if one is None or one.estimate is None else f"{value} [{ends}]"


def _decision_caption(one: probability_facts.ProbabilityFacts) -> str:
    left = (
        "Left: decision"
        if isinstance(one.prediction_instability, probability_facts.PredictionInstability)
        else "Decision"
    )
    caption = (
        f"{left} curve. The band is the CI of the net benefit, not of the difference between the "
        "curves."
    )
    if isinstance(one.prediction_instability, probability_facts.PredictionInstability):
        caption += (
            " Right: prediction instability. Each line is one row "
            f"({len(one.prediction_instability.example_rows)} rows, taken at equal intervals from "
            "the rows sorted by predicted probability). It covers the middle 95% of the "
            "predictions by models of half-samples without this row; the dot is their mean. "
            "Height and horizontal position of a dot are both this mean, so all dots are on the "
            "diagonal."
        )
    return caption


def _thresholds(
    one: probability_facts.ProbabilityFacts, of_class: probability_facts.ClassWorth, place: int
) -> PrintedTable:
    """Tabulate predictive values at thresholds."""
    keys = ("sensitivity", "specificity", "positive_predictive_value", "negative_predictive_value")
    rows = []
    for at in of_class.at:
        mark = plain_number(at.threshold, 3)
        mark += " (costs)" if at.threshold == one.threshold else ""
        cells = [_percent(getattr(at, key)) for key in ("above", *keys)]
        rows.append([mark, *cells, *_benefit(at)])
    name = shown(str(of_class.of_class))
    head = [
        "threshold",
        "above",
        "sensitivity",
        "specificity",
        "PPV",
        "NPV",
        "net benefit",
        "difference",
    ]
    note = (
        f"In %, with CIs in parentheses. Above: rows with a predicted probability of class {name} "
        f"at or above the threshold. PPV: proportion of class {name} among the rows at or above "
        "the threshold. NPV: proportion of other classes among the rows below the threshold. Net "
        "benefit: per 100 rows. Difference: net benefit minus that of treating all rows or of "
        "treating no rows, whichever is larger. CIs are wide if many rows have a probability near "
        "the threshold: then a small error of the calibration map moves many rows to the other "
        "side."
    )
    caption = f"Decisions for class {name} by threshold."
    return PrintedTable(f"thresholds-{place}", caption, head, rows, note=note)


def _percent(one: Interval) -> str:
    if one.estimate is None:
        return "–"
    value, *ends = phrases.in_digits(one, lambda share: f"{100 * share:.0f}")
    return f"{value} ({' to '.join(ends)})" if ends else value


def _benefit(at: probability_facts.AtThreshold) -> list[str]:
    more = at.over_better
    parts = (at.net_benefit.estimate, more.estimate, more.low, more.high)
    own, rate, low, high = (100 * (part or 0.0) for part in parts)
    return [f"{own:z.1f}", f"{rate:+z.1f} ({low:+z.1f} to {high:+z.1f})"]


def _subgroups(one: probability_facts.ProbabilityFacts) -> PrintedTable:
    keys = [
        key
        for key in ("auc", "sensitivity", "specificity", "observed_expected_ratio", "brier")
        if getattr(one.by[0], key) is not None
    ]
    heads = {
        "auc": "AUC",
        "sensitivity": "sensitivity",
        "specificity": "specificity",
        "observed_expected_ratio": "observed/expected",
        "brier": "Brier score",
    }
    rows = []
    for part in one.by:
        counts = " + ".join(f"{count:,}" for count in part.class_rows)
        few = f" ({part.few})" if part.few else ""
        cells = [_rate(getattr(part, key)) for key in keys]
        where = f"{shown(part.column)}: {shown(part.level)}{few}"
        rows.append([where, counts, *cells])
    note = (
        "Rows by class. CIs of subgroups are wide: two different values alone do not show that two "
        "subgroups differ."
    )
    if (threshold := one.by[0].threshold) is not None:
        note += (
            f" Sensitivity and specificity use the threshold {threshold:.3g} (from the costs if "
            "specified, otherwise the prevalence)."
        )
    head = ["subgroup", "rows", *(heads[key] for key in keys)]
    return PrintedTable("subgroups", "Performance in subgroups.", head, rows, note=note)
