"""Sentences on a plan of rows, made of its facts."""

from typing import Any

from hetsel.signature.planning.plan_facts import CurveFacts, PlanFacts
from hetsel.words import phrases

PURPOSES = {
    "develop": "To develop the model, as a regression on all candidates",
    "interval": "For the requested width of the CI",
    "rate": "For the requested performance",
    "validate": "For the external validation",
}
FLAT = 5e-4  # loss that is none in three digits
NAMES = {
    "candidates": "candidate parameters",
    "prevalence": "prevalence",
    "c_statistic": "C statistic",
    "r2": "R²",
    "nagelkerke_r2": "Nagelkerke's R²",
    "event_rate": "event rate",
    "follow_up": "mean follow-up",
    "horizon": "horizon",
    "mean": "mean",
    "deviation": "standard deviation",
}


def sentences(facts: PlanFacts) -> list[str]:
    """List the sentences, the most rows first."""
    lines = [_head(facts), _expected(facts), *_criteria(facts)]
    lines += [f"Not computed: {reason}." for reason in facts.lacking]
    return [line for line in (*lines, *_curve(facts), *_found(facts)) if line]


def _head(facts: PlanFacts) -> str:
    out_of_reach = [one.asks for one in facts.criteria if one.rows is None]
    if facts.rows is None:
        said = "SAMPLE SIZE: unknown."
    else:
        least = "at least " if out_of_reach else ""
        said = f"SAMPLE SIZE: {least}{facts.rows:,} rows (needed for: {facts.asked_by})."
    for asks in out_of_reach:
        said += f" Needs more rows than the learning curve can predict: {asks}."
    if facts.validation_rows is not None:
        said += f" External validation: {facts.validation_rows:,} further rows."
    return said


def _expected(facts: PlanFacts) -> str:
    one = facts.expected
    said = []
    for name, words in NAMES.items():
        value = getattr(one, name)
        if value is not None:
            words = "Cox-Snell R²" if name == "r2" and one.kind != "numbers" else words
            if name == "nagelkerke_r2" and one.kind == "numbers":
                continue
            mark = " (from the table)" if name in facts.from_table else ""
            mark = " (assumed, as nothing is known)" if name in facts.assumed else mark
            said.append(f"{words} {_number(value)}{mark}")
    return f"Expected values: {', '.join(said)}."


def _number(value: Any) -> str:
    if isinstance(value, list | tuple):
        return "/".join(map(_number, value))
    return f"{value:.4g}" if isinstance(value, float) else f"{value:,}"


def _criteria(facts: PlanFacts) -> list[str]:
    lines = []
    last = ""
    for one in facts.criteria:
        if one.purpose != last:
            last = one.purpose
            lines.append(f"{PURPOSES[last]}:")
        rows = "more" if one.rows is None else f"{one.rows:,}"
        events = "" if one.events is None else f" ({one.events:,.0f} events)"
        lines.append(f"  {rows:>9} rows{events}: {one.asks}; {one.source}.")
    return lines


def _curve(facts: PlanFacts) -> list[str]:
    curve = facts.curve
    if curve is None:
        return []
    lines = [
        f"Learning curve of the {curve.measure} from "
        f"{phrases.count(curve.rows, 'available row')} (the whole procedure on random subsets, "
        "with nested cross-validation in each):"
    ]
    for one in curve.points:
        spread = (
            " (all rows)"
            if one.spread is None
            else (
                f" (standard deviation {one.spread:.3f} over "
                f"{phrases.count(one.repeats, 'subset')}, Monte Carlo error "
                f"{one.standard_error:.3f})"
            )
        )
        lines.append(f"  {one.rows:>9,} rows: {one.estimate:.3f}{spread}.")
    law = curve.law
    flat = " The curve is flat within its noise." if law.loss < FLAT else ""
    lines.append(
        f"Fitted curve: {law.limit:.3f} - {law.loss:.3f} (rows / {curve.rows})^-"
        f"{law.exponent:.2f}.{flat} Predictions with 95% band, up to {curve.farthest:,} rows (four "
        "times the available rows):"
    )
    for at in curve.band:
        if at.rows > curve.rows:
            ends = f"[{at.low:.3f}, {at.high:.3f}]"
            lines.append(f"  {at.rows:>9,.0f} rows: {at.estimate:.3f} {ends}.")
    rate = facts.rate
    if rate is not None:
        by_law, fewest, most = (_rows(n, curve) for n in (rate.rows, rate.fewest, rate.most))
        lines.append(
            f"Rows for a {curve.measure} of {rate.rate:g}: {by_law} by the fitted curve, {most} "
            f"by the lower limit of the band, {fewest} by the upper limit."
        )
    return lines


def _rows(number: int | None, curve: CurveFacts) -> str:
    """Write the number of rows, or that the curve does not reach it."""
    if number is None:
        return f"not reached within {curve.farthest:,} rows"
    fewer = " or fewer" * (number <= curve.points[0].rows)
    return f"{number:,} rows{fewer}"


def _found(facts: PlanFacts) -> list[str]:
    effect = facts.effect
    if effect is None:
        return []
    lines = [
        f"Probability that a signature of {phrases.count(effect.size, 'feature')} selects a "
        f"{effect.kind} feature with effect {effect.effect:g} that is planted among the columns "
        "of the table:"
    ]
    for one in facts.found:
        lines.append(
            f"  {one.rows:>9,} rows: {one.proportion:.2f} [{one.low:.2f}, {one.high:.2f}], Monte "
            f"Carlo error {one.standard_error:.2f}, planted {phrases.count(one.repeats, 'time')}."
        )
    if facts.found and facts.found[-1].proportion < 0.5:
        lines.append(
            "If the selected features are stronger than the planted one, more rows do not help to "
            "find it. A larger size does."
        )
    return lines
