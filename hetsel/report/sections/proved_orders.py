"""How much of the order is proved, at the sizes of a study."""

import pandas as pd

from hetsel.report.elements.blocks import PrintedTable, Section, part_of
from hetsel.selection.verdicts_in_words import OPEN, PROVED, TIE
from hetsel.study.comparison.study_summary import Summary

CLAIMS = (PROVED, TIE, OPEN)


def cut_shares(frame: pd.DataFrame) -> pd.DataFrame:
    """Shares of cuts proved, tied and open by data set and method, no row where none is claimed."""
    places = ["dataset", "method", "resampling", "size"]
    cuts = frame[frame["cut"].isin(CLAIMS)].drop_duplicates(places)
    found = {verdict: cuts["cut"] == verdict for verdict in CLAIMS}
    groups = cuts.assign(cuts=1, **found).groupby(["dataset", "method"], sort=False)
    return groups.agg({"cuts": "sum", **dict.fromkeys(CLAIMS, "mean")}).reset_index()


def proofs(summary: Summary) -> PrintedTable | None:
    """The shares for each data set and each method that makes claims; none without one."""
    table = cut_shares(summary.full)
    if table.empty:
        return None
    methods = [method for method in summary.methods if method in set(table["method"])]
    shares = {
        (dataset, method): " / ".join(map(percent, found))
        for dataset, method, _, *found in table.itertuples(index=False)
    }
    rows = [
        [name, *(shares.get((name, method), "–") for method in methods)]
        for name in summary.datasets
        if name in set(table["dataset"])
    ]
    note = (
        "Percent of the cuts between what a signature holds and the rest, over all sizes and "
        "resamplings. Proved: no feature would change sides if the model that made the cut were "
        "solved exactly, on cells rounded to 2^-24 of their range, with a margin for that. Tie: "
        "features on its two sides are equal as far as can be told; their content decided, "
        "then the order of the columns. Open: the order as it was found. A proof is of what "
        "the model says of these training rows, not of what is true beyond them. "
        "Methods that are not here claim nothing."
    )
    caption = "Cuts at the sizes of the study: proved / tie / open, in percent."
    return PrintedTable("proofs", caption, ["data set", *methods], rows, note=note)


def percent(share: float) -> str:
    """A share in percent that is 0 or 100 only if it is exact.

    Examples
    --------
    >>> percent(1.0), percent(0.9999), percent(0.00001), percent(0.125)
    ('100', '> 99.9', '< 0.1', '12.5')
    """
    if share in (0.0, 1.0):
        return f"{100 * share:.0f}"
    if share > 0.999:
        return "> 99.9"
    return "< 0.1" if share < 0.001 else f"{100 * share:.1f}"


SECTION = Section(parts=lambda summary: [part_of("proofs", "Proved orders", [proofs(summary)])])
