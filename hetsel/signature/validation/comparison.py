"""Whether a signature is worth on new rows what it was estimated to be worth."""

from collections.abc import Mapping
from math import hypot
from typing import Any, Literal, get_args

from hetsel.signature.reported.wording_by_target import area_of

Verdict = Literal["better", "worse", "undecided"]
BETTER, WORSE, UNDECIDED = get_args(Verdict)


def comparison(here: Mapping[str, Any], before: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The main measure on new rows less what it was estimated to be, with its interval.

    low = d - sqrt((here - low_here)^2 + (high_before - before)^2), high alike, of the difference d:
    two intervals that overlap can be of measures that differ. Of 200 tables a design and new rows
    of the same population "better" or "worse" was said in 0 to 3 %, see
    tests/campaigns/validations.py.

    Parameters
    ----------
    here : mapping
        Performance on new rows.
    before : mapping or None
        What the signature said of itself.

    Returns
    -------
    dict or None
        `verdict`, one of "better", "worse" and "undecided"; `measure`; `here` and `before`, its
        values with their intervals; the `difference` with its ends `low` and `high`. None where one
        of them is not known.

    References
    ----------
    Zou & Donner (2008) Statistics in Medicine 27, 1693-1702.

    Examples
    --------
    >>> then = {"auc": {"rate": 0.85, "low": 0.79, "high": 0.9}}
    >>> now = {"auc": {"rate": 0.7, "low": 0.62, "high": 0.8}}
    >>> found = comparison(now, then)
    >>> found["verdict"], round(found["low"], 3), round(found["high"], 3)
    ('worse', -0.244, -0.033)
    """
    if before is None:
        return None
    if "measures" in here:
        one, then = here["measures"][0], before["measures"][0]
    else:
        one, then = area_of(here), area_of(before)
    if any(
        side is None or None in (side["rate"], side["low"], side["high"]) for side in (one, then)
    ):
        return None
    difference = one["rate"] - then["rate"]
    low = difference - hypot(one["rate"] - one["low"], then["high"] - then["rate"])
    high = difference + hypot(one["high"] - one["rate"], then["rate"] - then["low"])
    verdict: Verdict = WORSE if high < 0 else BETTER if low > 0 else UNDECIDED
    sides = {"here": one, "before": then}
    return {
        "verdict": verdict,
        "measure": one.get("label", "area under the ROC curve"),
        **{
            name: {key: side[key] for key in ("rate", "low", "high")}
            for name, side in sides.items()
        },
        "difference": difference,
        "low": low,
        "high": high,
    }
