"""Whether the probabilities can be believed, and whether deciding by them does good."""

from collections.abc import Iterator

from hetsel.ground import listed, plain_number, shown
from hetsel.report.elements.blocks import Callout, Head, Picture, PrintedTable, Shown
from hetsel.report.figures.signature_figures import plot_calibration, plot_decision
from hetsel.signature.performance import Interval
from hetsel.signature.probabilities import probability_facts
from hetsel.words import phrases, target_words
from hetsel.words import probability_sentences as said

LINE = {
    "intercept": "calibration intercept (0 at best)",
    "slope": "calibration slope (1 at best)",
    "observed_over_expected": "observed over expected (1 at best)",
}


def worth_of(one: probability_facts.ProbabilityFacts | None) -> Iterator[Shown]:
    """What probabilities are worth, of held-out rows or of new ones, from their facts."""
    if not one:
        return
    yield said.calibration(one)
    yield Callout(warned) if (warned := said.miscalibrated(one)) else None
    yield _measures(one)
    yield Picture(
        "figure-calibration",
        "Left: observed share by probability (local linear smoother) with its band; on the dashed "
        "line probabilities are right. Right: rows by probability, the class above the line, the "
        "others below.",
        said.calibration(one),
        plot_calibration(one),
    )
    yield Head("Deciding by the probability")
    yield said.benefit(one)
    yield Picture("figure-decision", _decision_caption(one), said.benefit(one), plot_decision(one))
    for place, of_class in enumerate(one.classes):
        yield _thresholds(one, of_class, place)
    yield said.movement(one.movement, one.threshold)
    if one.by:
        yield Head("In parts of the rows")
        yield _subgroups(one)


def blocks(facts: target_words.Facts) -> Iterator[Shown]:
    """What the probabilities of a signature are worth."""
    return worth_of(facts.probabilities)


def _measures(one: probability_facts.ProbabilityFacts) -> PrintedTable:
    several = len(one.classes) > 1
    rows = [
        ["Brier score (0 at best)", *phrases.in_cells(one.brier)],
        ["scaled Brier score (1 at best)", *phrases.in_cells(one.scaled_brier)],
    ]
    for of_class in one.classes:
        where = f", class {shown(str(of_class.of_class))}" if several else ""
        rows += [
            [f"{label}{where}", *phrases.in_cells(getattr(of_class, key))]
            for key, label in LINE.items()
        ]
        curve = of_class.curve
        apart = f"{curve.ici:.3f}"
        rows.append([f"mean distance of curve and probability{where}", apart, "–"])
    level = f"{100 * (one.brier.level or 0):g} % interval"
    note = ""
    if one.maps is not None:
        note = (
            "Held-out rows, each with a map from decision values to probabilities that has not "
            "seen its fold. The slope counts folds alike. "
        )
        if one.prevalence is None:
            note += (
                "The interval of the Brier score counts that class prevalence may differ in other "
                "samples. "
            )
    note += _about_slopes(one, several)
    return PrintedTable(
        "probabilities", "Probabilities of new rows.", ["measure", "value", level], rows, note=note
    )


def _about_slopes(one: probability_facts.ProbabilityFacts, several: bool) -> str:
    """Which slope it is, and what the likeliest is that others print."""
    slopes = []
    for of_class in one.classes:
        if of_class.slope.rate is not None:
            value = of_class.likelihood_slope
            slope = "unbounded" if value is None else f"{value:z.3f}"
            slopes.append(f"{slope} of {shown(str(of_class.of_class))}" if several else slope)
    if not slopes:
        return ""
    return (
        "The slope is Firth's: the maximum-likelihood slope is biased upward in small samples, the "
        f"more so where the classes are nearly separated; that is {listed(slopes)}."
    )


def _rate(one: Interval | None) -> str:
    """A rate with its interval in one cell."""
    value, ends = phrases.in_cells(one, 2)
    return value if one is None or one.rate is None else f"{value} [{ends}]"


def _decision_caption(one: probability_facts.ProbabilityFacts) -> str:
    caption = (
        "Net benefit of treating from a threshold on, with its band: cases treated a row, less "
        "needless treatments at what a threshold says they count."
    )
    if isinstance(one.movement, probability_facts.Movement):
        caption += (
            " Right: rows by the mean of their probabilities by models of halves that do not hold "
            "them; the lines hold the middle 95 % of these."
        )
    return caption


def _thresholds(
    one: probability_facts.ProbabilityFacts, of_class: probability_facts.ClassWorth, place: int
) -> PrintedTable:
    """Predictive values at thresholds."""
    keys = ("sensitivity", "specificity", "positive_predictive_value", "negative_predictive_value")
    rows = []
    for at in of_class.at:
        mark = plain_number(at.threshold, 3)
        mark += " (costs)" if at.threshold == one.threshold else ""
        cells = [_percent(getattr(at, key)) for key in ("above", *keys)]
        rows.append([mark, *cells, _benefit(at)])
    name = shown(str(of_class.of_class))
    head = ["threshold", "above", "sensitivity", "specificity", "PPV", "NPV", "net benefit"]
    note = (
        f"Above: rows with a probability of {name} at the threshold or above. PPV, NPV: share of "
        f"{name} above, of other rows below. In %, with intervals. Net benefit in cases a 100 "
        "rows, and by how much it is better than the better one of treating all and none. Near a "
        "threshold where many rows have their probability intervals are wide: a small error of the "
        "map to probabilities moves many rows across."
    )
    return PrintedTable(f"thresholds-{place}", f"Deciding for {name}.", head, rows, note=note)


def _percent(one: Interval) -> str:
    if one.rate is None:
        return "–"
    value, *ends = phrases.in_digits(one, lambda share: f"{100 * share:.0f}")
    return f"{value} ({' to '.join(ends)})" if ends else value


def _benefit(at: probability_facts.AtThreshold) -> str:
    more = at.over_better
    parts = (at.net_benefit.rate, more.rate, more.low, more.high)
    own, rate, low, high = (100 * (part or 0.0) for part in parts)
    return f"{own:z.1f}; {rate:+z.1f} ({low:+z.1f} to {high:+z.1f})"


def _subgroups(one: probability_facts.ProbabilityFacts) -> PrintedTable:
    keys = [
        key
        for key in ("auc", "sensitivity", "specificity", "observed_over_expected", "brier")
        if getattr(one.by[0], key) is not None
    ]
    heads = {
        "auc": "AUC",
        "sensitivity": "sensitivity",
        "specificity": "specificity",
        "observed_over_expected": "O / E",
        "brier": "Brier score",
    }
    rows = []
    for part in one.by:
        counts = " + ".join(f"{count:,}" for count in part.class_rows)
        few = f" ({part.few})" if part.few else ""
        cells = [_rate(getattr(part, key)) for key in keys]
        where = f"{shown(part.column)}: {shown(part.level)}{few}"
        rows.append([where, counts, *cells])
    note = "Rows by class. Intervals of parts are wide: that two parts differ takes more than that."
    if (threshold := one.by[0].threshold) is not None:
        note += (
            f" Sensitivity and specificity at a probability of {threshold:.3g}, "
            "that of the costs or else the share of the class among all rows."
        )
    head = ["part", "rows", *(heads[key] for key in keys)]
    return PrintedTable("subgroups", "Performance in parts of the rows.", head, rows, note=note)
