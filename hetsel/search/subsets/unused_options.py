"""Options of a search that would change nothing are refused: who gives one expects something."""

from __future__ import annotations

from typing import Any

import numpy as np

from hetsel.ground.errors import TableError
from hetsel.search.criteria.criteria_by_name import members_of

# the searches that an option does not change
WITHOUT = {
    "count": ("bif", "exhaustive", "branch-and-bound"),
    "early_stopping": ("bif", "sffs", "sbfs", "os", "dos", "exhaustive", "branch-and-bound"),
    "depth": ("bif", "sfs", "sbs", "exhaustive", "branch-and-bound"),
    "voting": ("bif", "exhaustive", "branch-and-bound"),
    "hybrid": ("bif", "exhaustive", "branch-and-bound"),
}
OFF = {"count": 1, "early_stopping": False, "hybrid": 1.0}  # and None


def refuse_idle(search: Any, defaults: Any) -> None:
    """Refuse an option that the others leave without effect.

    Parameters
    ----------
    search : SubsetSearch
    defaults : SubsetSearch
        The search of the same class as it is without options.

    Raises
    ------
    TableError
    """
    for option, searches in WITHOUT.items():
        value = getattr(search, option)
        given = isinstance(value, int | float | str) and value != OFF.get(option)
        if given and isinstance(search.search, str) and search.search in searches:
            raise TableError(f"search={search.search!r} has no {option}: leave it out")
    if search.voting is not None and members_of(search.criterion) == 1:
        raise TableError(
            "voting is between the criteria of an ensemble, such as criterion='1nn,3nn': name "
            "several, or leave voting out"
        )
    no_ties = search.ties is None or np.size(search.ties) == 0
    if search.secondary is not None and no_ties:
        raise TableError("secondary decides between subsets that ties treats as equal: give ties")
    if search.costs is not None and search.budget is None and no_ties:
        raise TableError("costs need a budget, or ties, which then go to the cheaper subset")
    usual = isinstance(search.prefilter, str) and search.prefilter == defaults.prefilter
    if search.hybrid is None and not usual:
        raise TableError("prefilter needs hybrid, the share of the candidates that it leaves")
