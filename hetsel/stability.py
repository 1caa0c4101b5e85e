"""Measure the stability of selections, and bound the expected false selections."""

from hetsel.statistics.stability.false_selection_bounds import (
    false_selection_bound,
    most_selected,
    selection_threshold,
)
from hetsel.statistics.stability.measures_of_stability import (
    ati,
    cw_rel,
    kuncheva,
    nogueira,
    nogueira_interval,
)

__all__ = [
    "ati",
    "cw_rel",
    "false_selection_bound",
    "kuncheva",
    "most_selected",
    "nogueira",
    "nogueira_interval",
    "selection_threshold",
]
