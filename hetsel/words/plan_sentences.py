"""What a plan of rows comes to, in sentences made of its facts."""

from typing import Any

from hetsel.ground import counted
from hetsel.signature.planning.plan_facts import CurveFacts, PlanFacts

PURPOSES = {
    "develop": "To develop the model, a regression with all candidates in it",
    "interval": "For the interval",
    "rate": "For the rate",
    "validate": "To validate it on other rows",
}
FLAT = 5e-4  # loss that is none in three digits
NAMES = {
    "candidates": "candidate parameters",
    "prevalence": "prevalence",
    "c_statistic": "C statistic",
    "r2": "R^2",
    "nagelkerke_r2": "Nagelkerke's R^2",
    "event_rate": "event rate",
    "follow_up": "mean follow-up",
    "horizon": "horizon",
    "mean": "mean",
    "deviation": "standard deviation",
}


def sentences(facts: PlanFacts) -> list[str]:
    """The sentences, the most rows first."""
    told = [_head(facts), _expected(facts), *_criteria(facts)]
    told += [f"Not asked: {reason}." for reason in facts.lacking]
    return [line for line in (*told, *_curve(facts), *_found(facts)) if line]


def _head(facts: PlanFacts) -> str:
    out_of_reach = [one.asks for one in facts.criteria if one.rows is None]
    if facts.rows is None:
        said = "ROWS FOR THE STUDY: not known."
    else:
        least = "at least " if out_of_reach else ""
        said = f"ROWS FOR THE STUDY: {least}{facts.rows:,}, asked for by: {facts.asked_by}."
    for asks in out_of_reach:
        said += f" Not within reach of what the rows at hand tell: {asks}."
    if facts.validation_rows is not None:
        said += f" To validate the model on other rows: {facts.validation_rows:,}."
    return said


def _expected(facts: PlanFacts) -> str:
    one, told = facts.expected, facts.from_table
    said = []
    for name, words in NAMES.items():
        value = getattr(one, name)
        if value is not None:
            words = "Cox-Snell R^2" if name == "r2" and one.kind != "numbers" else words
            if name == "nagelkerke_r2" and one.kind == "numbers":
                continue
            mark = " (of the table)" if name in told else ""
            mark = " (nothing is known)" if name in facts.assumed else mark
            said.append(f"{words} {_number(value)}{mark}")
    return f"Expected: {', '.join(said)}."


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
        f"Learning curve of {curve.measure}, {counted(curve.rows, 'row')} at hand: the "
        "whole procedure on subsets of them, nested cross-validation in each:"
    ]
    for one in curve.points:
        spread = (
            ", all rows"
            if one.spread is None
            else (
                f", spread {one.spread:.3f} over {counted(one.repeats, 'subset')}, "
                f"Monte Carlo error {one.error:.3f}"
            )
        )
        lines.append(f"  {one.rows:>9,} rows: {one.rate:.3f}{spread}.")
    law = curve.law
    flat = " flat within its noise:" if law.loss < FLAT else ""
    lines.append(
        f"Law:{flat} {law.limit:.3f} - {law.loss:.3f} (rows / {curve.rows})^-"
        f"{law.exponent:.2f}. By it, with a 95 % band, and no farther than "
        f"{curve.farthest:,} rows, four times those at hand:"
    )
    for at in curve.band:
        if at.rows > curve.rows:
            ends = f"[{at.low:.3f}, {at.high:.3f}]"
            lines.append(f"  {at.rows:>9,.0f} rows: {at.rate:.3f} {ends}.")
    rate = facts.rate
    if rate is not None:
        by_law, fewest, most = (_rows(n, curve) for n in (rate.rows, rate.fewest, rate.most))
        lines.append(
            f"{curve.measure} of {rate.rate:g}: {most} by the low end of the band, {fewest} "
            f"by the high end; {by_law} by the law alone."
        )
    return lines


def _rows(number: int | None, curve: CurveFacts) -> str:
    """So many rows, or that the curve has no such place."""
    if number is None:
        return f"not within {curve.farthest:,} rows"
    fewer = " or fewer" * (number <= curve.points[0].rows)
    return f"{number:,} rows{fewer}"


def _found(facts: PlanFacts) -> list[str]:
    effect = facts.effect
    if effect is None:
        return []
    lines = [
        f"Chance that a signature of {counted(effect.size, 'feature')} finds a {effect.kind} "
        f"feature of the effect {effect.effect:g}, planted among the columns of the table:"
    ]
    for one in facts.found:
        lines.append(
            f"  {one.rows:>9,} rows: {one.share:.2f} [{one.low:.2f}, {one.high:.2f}], "
            f"Monte Carlo error {one.error:.2f}, {one.repeats} planted."
        )
    if facts.found and facts.found[-1].share < 0.5:
        lines.append(
            "Where the features of the signature are stronger than the planted one, more rows do "
            "not find it: a larger size does."
        )
    return lines
