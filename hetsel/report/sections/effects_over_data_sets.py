"""Effects: differences of methods over data sets with intervals, and tests against a reference."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd

from hetsel.report.elements.blocks import (
    EFFECTS,
    Part,
    Picture,
    PrintedTable,
    Section,
    Shown,
    part_of,
)
from hetsel.study.comparison.method_effects import limits_frame
from hetsel.study.comparison.rank_tests import LEVEL, RankedMeasure
from hetsel.study.comparison.study_summary import Summary
from hetsel.words import over_data_sets

FOREST = "own size"  # the analysis of the forest plot
INTERVAL = (
    "First method of a pair minus the second one. Each difference is the Hodges–Lehmann estimate, "
    "the median of the means of all pairs of data sets. In brackets: its exact interval by the "
    "signed-rank distribution, of level 95% or more, for each pair alone: of many intervals, some "
    "are without 0 by chance, and the tests with adjusted p-values decide. Over all sizes, the "
    "score of a data set is the mean over the sizes that all its methods have."
)
RELATIVE = (
    "Each cell has Cohen's d, its variant with medians and median absolute deviations, and Cliff's "
    "delta with its magnitude (negligible below 0.147, small below 0.33, medium below 0.474, else "
    "large), as in the package autorank. They measure the difference against the spread of the "
    "scores over data sets and ignore which scores belong to one data set. Positive values favor "
    "the first method."
)


NO_INTERVAL = (
    " With fewer than 6 data sets there is no 95% interval. The interval then goes from the "
    "smallest to the largest difference and has the level in parentheses."
)


def pair_differences(summary: Summary, measure: RankedMeasure) -> PrintedTable | None:
    """Tabulate the difference of each pair with its interval, a column for each analysis."""
    table = summary.effects[summary.effects["measure"] == measure.label]

    def cell(row: Any, sign: int) -> str:
        low, high = sorted((sign * row.low, sign * row.high))
        shown = f"{measure.signed(sign * row.estimate)} [{measure.signed(low)}, "
        shown += f"{measure.signed(high)}]"
        if row.attained_level < 1 - LEVEL:
            return f"{shown} ({100 * row.attained_level:.4g}%)"
        return shown

    few = (table["attained_level"] < 1 - LEVEL).any()
    caption = f"{measure.label}: differences of pairs of methods over the data sets."
    note = INTERVAL + NO_INTERVAL * bool(few)
    return _by_pair(f"differences-{measure.key}", caption, table, cell, note)


def standardized_differences(summary: Summary, measure: RankedMeasure) -> PrintedTable | None:
    """Tabulate the effect sizes of each pair, a column for each analysis."""

    def cell(row: Any, sign: int) -> str:
        values = (row.standardized, row.standardized_robust, row.cliffs_delta)
        shown = "\u00a0/\u00a0".join(_ratio(sign * value) for value in values)
        return f"{shown} {row.magnitude}"

    table = summary.effects[summary.effects["measure"] == measure.label]
    caption = f"{measure.label}: standardized differences of pairs of methods, and Cliff's delta."
    return _by_pair(f"standardized-{measure.key}", caption, table, cell, RELATIVE)


def _ratio(value: float) -> str:
    shown = f"{value:z.2f}" if np.isfinite(value) else f"{'−' if value < 0 else ''}∞"
    return shown.replace("-", "−")


def _by_pair(
    key: str, caption: str, table: pd.DataFrame, cell: Callable[[Any, int], str], note: str
) -> PrintedTable | None:
    """Build a table with pairs in rows and analyses in columns.

    The order of a pair is that of the first analysis; elsewhere the sign -1 turns it.
    """
    if table.empty:
        return None
    cells: dict[frozenset[str], dict[str, str]] = {}
    names: dict[frozenset[str], tuple[str, str]] = {}
    numbers: dict[frozenset[str], list[int]] = {}
    tuples: Iterator[Any] = table.itertuples()
    for row in tuples:
        pair = frozenset((row.better, row.worse))
        first, _ = names.setdefault(pair, (row.better, row.worse))
        cells.setdefault(pair, {})[row.analysis] = cell(row, 1 if first == row.better else -1)
        numbers.setdefault(pair, []).append(row.blocks)
    heads = list(dict.fromkeys(table["analysis"]))
    rows = [
        [" – ".join(names[pair]), _range(numbers[pair]), *(own.get(head, "–") for head in heads)]
        for pair, own in cells.items()
    ]
    return PrintedTable(key, caption, ["pair", "data sets", *heads], rows, note)


def _range(numbers: list[int]) -> str:
    low, high = min(numbers), max(numbers)
    return f"{low}" if low == high else f"{low} to {high}"


def base_method(summary: Summary) -> str:
    """Return the reference method, or the method with the best mean rank."""
    return summary.control or summary.leaders[0]


def against_base(table: pd.DataFrame, base: str) -> pd.DataFrame:
    """Return the rows of a method's pairs as this method minus the `other` one."""
    own = table[(table["better"] == base) | (table["worse"] == base)]
    turned = (own["worse"] == base).to_numpy()
    sign = np.where(turned, -1.0, 1.0)
    middle = "estimate" if "estimate" in own else "difference"
    low, high = sign * own["low"], sign * own["high"]
    found = own.assign(
        other=own["worse"].where(~turned, own["better"]), low=low.where(~turned, high)
    )
    return found.assign(high=high.where(~turned, low), **{middle: sign * own[middle]})


def forest(summary: Summary) -> Picture | None:
    """Draw the differences of one method on each data set, each method at its own size."""
    base, measure = base_method(summary), summary.performance
    parts = []
    for table in (summary.differences, summary.effects):
        own = table[(table["measure"] == measure.label) & (table["analysis"] == FOREST)]
        parts.append(against_base(own, base))
    each, over = parts
    shown = [name for name in summary.leaders if name in set(over["other"])]
    if len(summary.told) < len(summary.methods):
        shown = [name for name in shown if name in summary.told]
    if not shown:
        return None
    from hetsel.report.figures.forest import plot_forest

    totals = over.set_index("other").loc[shown]
    each = each[each["other"].isin(shown)]
    figure = plot_forest(each, totals, f"difference in {measure.name}")
    which = "the reference method"
    if not summary.control:
        which = "the method with the best mean rank, which its own scores favor"
    caption = (
        f"{base} ({which}) minus each other method, each at its own cross-fitted size: difference "
        f"in {measure.name} on each data set (right of 0: {base} is better). "
    )
    if each["low"].notna().any():
        caption += (
            "Lines are 95% CIs over resamplings with the parted-pairs correction, for each data "
            "set alone. "
        )
    least, most = totals["attained_level"].min(), totals["attained_level"].max()
    level = f"{100 * least:.4g}%{'' if least == most else ' or more'}"
    caption += (
        "The diamond shows the Hodges–Lehmann estimate over the data sets and its exact interval "
        f"of level {level}."
    )
    if len(shown) < len(summary.methods) - 1:
        caption += " The other methods are those with the best mean ranks; all are in the table."
    listed = (
        f"{other} {measure.signed(value)}"
        for other, value in zip(shown, totals["estimate"].to_numpy(np.float64), strict=True)
    )
    spoken = f"Forest plot of {base} minus: {', '.join(listed)}"
    return Picture("forest", caption, spoken, figure, f"{base} against other methods")


def _parts(summary: Summary) -> Iterator[Part]:
    shown: list[Shown] = [*over_data_sets.limits(summary)]
    shown += [pair_differences(summary, measure) for measure in summary.measures]
    shown.append(forest(summary))
    shown += [standardized_differences(summary, measure) for measure in summary.measures]
    yield part_of(*EFFECTS, shown)


SECTION = Section(
    parts=_parts,
    applies=lambda summary: len(summary.methods) > 1 and len(summary.datasets) > 1,
    tables={
        "effects": lambda summary: summary.effects,
        "differences": lambda summary: summary.differences,
        "effect_limits": lambda summary: limits_frame(summary.compared_blocks, summary.control),
    },
)
