"""What the test against chance does to the interval of the main measure."""

from __future__ import annotations

from hetsel.signature.nested.measured_performance import MeasuredPerformance
from hetsel.signature.nested.nested_performance import Performance
from hetsel.signature.nested.nested_performance import agreed as agreed_rates


def agreed(
    found: Performance | MeasuredPerformance, above_chance: bool
) -> Performance | MeasuredPerformance:
    """The performance with the interval of its main measure where the test puts it.

    Of classes and of survival times as
    :func:`hetsel.signature.nested.nested_performance.agreed` has it: an order that knows something
    is above 1/2, and the other way round. R^2 is not so, as a model that knows something may be
    worse than the mean: where the test rejects, its interval stays; where it does not, it begins at
    0 or below.

    Parameters
    ----------
    found : Performance or MeasuredPerformance
    above_chance : bool
        What the test says.
    """
    if isinstance(found, Performance):
        return agreed_rates(found, above_chance)
    one = found.main
    if one.rate <= found.chance:
        return found
    if above_chance:
        raised = found.kind == "survival"
        return found.with_low(max(one.low, found.chance)) if raised else found
    return found.with_low(min(one.low, found.chance))
