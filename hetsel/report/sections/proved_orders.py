"""The proportion of cuts that are proved at the sizes of a study."""

import pandas as pd

from hetsel.report.elements.blocks import PrintedTable, Section, part_of
from hetsel.selection.verdicts_in_words import OPEN, PROVED, TIE
from hetsel.study.comparison.study_summary import Summary

CLAIMS = (PROVED, TIE, OPEN)


def cut_shares(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the proportions of proved, tied and open cuts by data set and method."""
    places = ["dataset", "method", "resampling", "size"]
    cuts = frame[frame["cut"].isin(CLAIMS)].drop_duplicates(places)
    found = {verdict: cuts["cut"] == verdict for verdict in CLAIMS}
    groups = cuts.assign(cuts=1, **found).groupby(["dataset", "method"], sort=False)
    return groups.agg({"cuts": "sum", **dict.fromkeys(CLAIMS, "mean")}).reset_index()


def proofs(summary: Summary) -> PrintedTable | None:
    """Tabulate these proportions for methods that can prove; None if there is no such method."""
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
        "A cut separates the features of a signature from the other features; percentages are "
        "over all sizes and resamplings. Proved: an exact solution of the model that made the "
        "cut gives the same signature (values are rounded to 2^-24 of their range, and the proof "
        "has a margin for this). Tie: features on both sides of the cut are equal within the "
        "precision; their content decides, then the order of the columns. Open: neither is "
        "confirmed. A proof refers to the model on these training rows, not to new rows. Methods "
        "without a column do not prove their order."
    )
    caption = "Percentage of cuts that are proved / tie / open, at the sizes of the study."
    return PrintedTable("proofs", caption, ["data set", *methods], rows, note=note)


def percent(share: float) -> str:
    """Format a proportion in percent; 0 and 100 only if they are exact.

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


SECTION = Section(
    parts=lambda summary: [part_of("proofs", "Proved orders", [proofs(summary)])],
    tables={"proofs": lambda summary: cut_shares(summary.full)},
)
