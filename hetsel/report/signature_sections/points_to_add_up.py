"""The final model as a point score: points of each value, and predictions by total."""

from collections.abc import Iterator

from hetsel.ground import listed, plain_number, shown
from hetsel.report.elements.blocks import PrintedTable, Shown
from hetsel.report.signature_sections.full_model import missing_sentence
from hetsel.signature.points.signature_points import PointsFacts
from hetsel.words import phrases
from hetsel.words.methods_section import a_map
from hetsel.words.target_words import Facts

LINES = 8  # of the table of totals of a numeric target, about


def blocks(facts: Facts) -> Iterator[Shown]:
    """Yield the tables of points, and the loss by rounding."""
    yield from points_tables(facts)
    cost, one = points_sentence(facts.points), facts.performance
    if cost and one is not None and one.training_gain:
        cost += " These values do not include the training gain; “Performance on new rows” does."
    yield cost


def points_tables(facts: Facts) -> list[PrintedTable]:
    """List the points by feature, and the prediction by total; empty without points."""
    one = facts.points
    if not one.features:
        return []
    return [_values(facts, one), *_totals(facts, one)]


def points_sentence(one: PointsFacts) -> str:
    """State the loss of performance by rounding on held-out rows; empty if none were held out.

    Examples
    --------
    >>> from hetsel.signature.points.held_out_points import RoundingCost
    >>> cost = RoundingCost("r2", "R²", 0.61, 0.6, 0.004, -0.01)
    >>> points_sentence(PointsFacts(cost=[cost]))
    'Performance of the point score on held-out rows: R² 0.600 (the model itself: 0.610; difference -0.010, standard error 0.004).'
    """  # noqa: E501
    if not one.cost:
        return ""
    each = [
        f"{cost.label} {cost.points:.3f} (the model itself: {cost.model:.3f}; "
        f"difference {cost.difference:+z.3f}, standard error {cost.standard_error:.3f})"
        for cost in one.cost
    ]
    return f"Performance of the point score on held-out rows: {'; '.join(each)}."


def _values(facts: Facts, one: PointsFacts) -> PrintedTable:
    """Tabulate feature, value, points and rows."""
    rows, without = [], []
    for feature in one.features:
        bands = feature.bands
        if not any(band.points for band in bands):
            without.append(feature.feature)
            continue
        for place, band in enumerate(bands):
            name = "" if place else shown(feature.feature)
            value = listed(band.levels, 12) if band.levels else band.value
            rows.append([name, value, str(band.points), f"{band.rows:,}"])
    note = (
        f"Find the value of each feature and add up the points. {missing_sentence(facts)}".strip()
    )
    if without:
        note += f" Features without points: {listed(without)}."
    caption = f"Points by value; the total is between 0 and {one.largest}."
    return PrintedTable("points", caption, ["feature", "value", "points", "rows"], rows, note=note)


def _totals(facts: Facts, one: PointsFacts) -> list[PrintedTable]:
    """Tabulate the predictions by total, by the kind of the target."""
    kind = facts.kind
    if kind == "numbers":
        return [_predicted(one)]
    if kind != "classes" or not one.totals:
        return []
    positive = shown(str(facts.positive))
    rows = []
    for band in one.totals:
        ends = dict.fromkeys((band.low, band.high))
        risks = dict.fromkeys(
            _percent(risk) for risk in (band.probability_low, band.probability_high)
        )
        seen = "–" if band.observed is None else _percent(band.observed)
        total = " to ".join(map(str, ends))
        rows.append([total, " to ".join(risks), f"{band.rows:,}", seen])
    head = ["total", f"probability of class {positive}", "rows", "observed"]
    probabilities = one.probabilities
    where = "prevalence is that of the training rows"
    assert probabilities is not None
    if probabilities.prevalence is not None:
        where = f"prevalence is {plain_number(probabilities.prevalence[1])}"
    note = (
        "A range of totals has the probabilities of its two ends. "
        f"Probability: from {a_map(probabilities.map)}. It holds where the {where}. The map was "
        "fitted in cross-validation: a row's total came from a point score made without the row. "
        f"Observed: proportion of class {positive} among the training rows with this total. It can "
        "be more extreme than in new rows, because the points were made from the same rows."
    )
    if one.cut is not None:
        points = phrases.count(one.cut, "point")
        note += (
            f" The point score predicts class {positive} from {points} on. The limit is set as if "
            "the classes were equally frequent. The probabilities use the real frequencies, so "
            "the probability at the limit can differ from 50%."
        )
    return [PrintedTable("totals", "Predicted probability by total.", head, rows, note=note)]


def _predicted(one: PointsFacts) -> PrintedTable:
    """Tabulate the predicted number by total."""
    width = max(1, -(-one.largest // LINES))
    totals = [*range(0, one.largest, width), one.largest]
    rows = [[str(t), plain_number(one.constant + one.unit * t)] for t in totals]
    unit, constant = plain_number(one.unit), plain_number(one.constant)
    note = f"Predicted number = {constant} + {unit} × total."
    return PrintedTable("totals", "Prediction by total.", ["total", "predicted"], rows, note=note)


def _percent(share: float) -> str:
    """Write a proportion in whole percent; 0% and 100% only if they are exact."""
    percent = round(100 * share)
    if percent == 0 and share > 0.0:
        return "< 1%"
    return "> 99%" if percent == 100 and share < 1.0 else f"{percent}%"
