"""The final model as points to add up: a table of values, and what a total says."""

from collections.abc import Iterator

from hetsel.ground import counted, listed, plain_number, shown
from hetsel.report.elements.blocks import PrintedTable, Shown
from hetsel.report.signature_sections.full_model import missing_sentence
from hetsel.signature.points.signature_points import PointsFacts
from hetsel.words.target_words import Facts

LINES = 8  # of the table of totals of a target of numbers, about


def blocks(facts: Facts) -> Iterator[Shown]:
    """The tables of points, and what rounding costs."""
    yield from points_tables(facts)
    yield points_sentence(facts.points)


def points_tables(facts: Facts) -> list[PrintedTable]:
    """The points by feature, and the risk or the number by total; none without points."""
    one = facts.points
    if not one.features:
        return []
    return [_values(facts, one), *_totals(facts, one)]


def points_sentence(one: PointsFacts) -> str:
    """What adding up points costs on held-out rows; empty where none were held out.

    Examples
    --------
    >>> from hetsel.signature.points.held_out_points import RoundingCost
    >>> cost = RoundingCost("r2", "R²", 0.61, 0.6, 0.004, -0.01)
    >>> points_sentence(PointsFacts(cost=[cost])).partition(", by the")[0]
    'What rounding costs, by points made without the rows that judge: R² 0.600'
    """
    if not one.cost:
        return ""
    told = [
        f"{cost.label} {cost.points:.3f}, by the model {cost.model:.3f} "
        f"(difference {cost.difference:+z.3f}, standard error {cost.error:.3f})"
        for cost in one.cost
    ]
    return f"What rounding costs, by points made without the rows that judge: {'; '.join(told)}."


def _values(facts: Facts, one: PointsFacts) -> PrintedTable:
    """Feature, value, points; a feature is named once."""
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
        note += f" No points at any value: {listed(without)}."
    caption = f"Points by value; totals go from 0 to {one.largest}."
    return PrintedTable("points", caption, ["feature", "value", "points", "rows"], rows, note=note)


def _totals(facts: Facts, one: PointsFacts) -> list[PrintedTable]:
    """What totals say, by the kind of the target."""
    kind = facts.kind
    if kind == "numbers":
        return [_predicted(one)]
    if kind != "classes" or not one.totals:
        return []
    positive = shown(str(facts.positive))
    rows = []
    for band in one.totals:
        ends = dict.fromkeys((band.low, band.high))
        risks = dict.fromkeys(_percent(risk) for risk in (band.risk_low, band.risk_high))
        seen = "–" if band.share is None else _percent(band.share)
        total = " to ".join(map(str, ends))
        rows.append([total, " to ".join(risks), f"{band.rows:,}", seen])
    head = ["total", f"probability of {positive}", "rows", "observed"]
    probabilities = one.probabilities
    shares = "share of the classes in these rows"
    assert probabilities is not None
    if probabilities.prevalence is not None:
        shares = f"prevalence {plain_number(probabilities.prevalence[1])}"
    note = (
        f"Probability: a {probabilities.map} map of the points of held-out rows, at the "
        f"{shares}. Observed: the share of {positive} among the rows with the total, by points "
        "that were learned from them."
    )
    if one.cut is not None:
        points = counted(one.cut, "point")
        note += f" From {points} on the class is predicted to be {positive}."
    return [PrintedTable("totals", "What a total says.", head, rows, note=note)]


def _predicted(one: PointsFacts) -> PrintedTable:
    """Numbers by total."""
    width = max(1, -(-one.largest // LINES))
    totals = [*range(0, one.largest, width), one.largest]
    rows = [[str(t), plain_number(one.constant + one.unit * t)] for t in totals]
    unit, constant = plain_number(one.unit), plain_number(one.constant)
    note = f"Predicted number = {constant} + {unit} × total."
    return PrintedTable("totals", "What a total says.", ["total", "predicted"], rows, note=note)


def _percent(share: float) -> str:
    """A share in whole percent; never 0 or 100 % of what is not."""
    percent = round(100 * share)
    if percent == 0 and share > 0.0:
        return "< 1 %"
    return "> 99 %" if percent == 100 and share < 1.0 else f"{percent} %"
