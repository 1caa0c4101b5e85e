"""Whether methods know anything: their scores against what is reached without the features."""

import numpy as np
import pandas as pd

from hetsel.report.elements.document import COMPARISON, Fold, PrintedTable, Section, bold
from hetsel.report.elements.wording import NAMED, count, inside, join, p_number
from hetsel.report.numbers.baselines import FEWEST, LEVEL, Baseline, shown_above
from hetsel.report.numbers.compared_measures import Measure
from hetsel.report.numbers.study_summary import Summary


def against_baseline(summary: Summary, one: Baseline) -> PrintedTable:
    """A score minus what is reached without the features, data set by data set and over all."""
    measure = summary.measure(one.score)
    rows = []
    for dataset in summary.datasets:
        own = one.by_dataset[one.by_dataset["dataset"] == dataset]
        base = float(own["baseline"].mean())
        cells = dict.fromkeys(summary.methods, "–") | _differences(own, measure)
        rows.append([dataset, measure.text(base), *cells.values()])
    every = "all data sets, without treatments" if summary.treatments else "all data sets"
    rows.append([every, "", *_differences(one.overall, measure).values()])
    note = (
        "Mean difference over all sizes, so that no size is chosen, and the one-sided p-value of "
        "each alone; bold where it is at most 0.05 with Holm's correction: for all methods in the "
        f"last row, for all data sets and methods above it. On a data set, from {FEWEST} "
        "resamplings on: t-test over the resamplings with the correction by parted pairs of rows "
        "(that of Nadeau and Bengio rejects too often on noise). All data sets: t-test over their "
        "means."
    )
    head = ["data set", one.what, *summary.methods]
    return PrintedTable(f"baseline-{one.score}", f"{_name(summary, one)}.", head, rows, note)


def _name(summary: Summary, one: Baseline) -> str:
    label = summary.measure(one.score).label
    return f"{label[0].upper()}{label[1:]} against {one.what}"


def _differences(tested: pd.DataFrame, measure: Measure) -> dict[str, str]:
    """The cell of each method, bold where the score is above its baseline."""
    cells = {}
    for _, row in tested.iterrows():
        shown = measure.signed(row["difference"]) if np.isfinite(row["difference"]) else "–"
        if np.isfinite(row["pvalue"]):
            shown += f"\np {p_number(row['pvalue'])}"
        cells[str(row["method"])] = bold(shown, row["holm"] <= LEVEL)
    return cells


def _found(summary: Summary, one: Baseline) -> str:
    """Whether methods know anything."""
    text = f"{_name(summary, one)} (mean over all sizes)"
    able = one.overall["holm"].notna()
    if able.any():
        above = one.above(summary.levels[1])
        below = [str(m) for m in one.overall.loc[able, "method"] if m not in above]
        text += f": over the data sets {_shown_above(above, below, one.what)}"
    else:
        needs = "a test over the data sets needs two of them"
        if summary.measure(one.score).unit and len(summary.datasets) > 1:
            needs = "there is no test over the data sets, whose units differ"
        text += f": {needs}"
    tested = one.by_dataset.dropna(subset=["holm"])
    if tested.empty:
        return f"{text}. A test on a single data set needs {FEWEST} resamplings."
    on = {m: one.above_on(m, summary.levels[1]) for m in summary.methods}
    hits = [m for m in summary.methods if on[m]]
    datasets = list(dict.fromkeys(tested["dataset"]))
    never = [d for d in datasets if not any(d in on[m] for m in hits)]
    if not hits:
        return f"{text}. On no single data set is any method shown to be above {one.what}."
    always = [d for d in datasets if all(d in on[m] for m in summary.methods)]
    some = [d for d in datasets if d not in never and d not in always]
    said = []
    if always:
        said.append(f"all methods are above it on {join(always)}")
    said += [f"on {d} only {join(m for m in hits if d in on[m])}" for d in some]
    if never:
        said.append(f"none is shown to be above it on {join(never)}")
    return f"{text}. On single data sets {'; '.join(said)}."


def _shown_above(above: list[str], below: list[str], what: str) -> str:
    if not above:
        return f"no method is shown to be above {what}"
    if not below:
        return f"all methods are above {what}" if len(above) > 1 else f"{above[0]} is above {what}"
    verb = "is" if len(above) == 1 else "are"
    return f"{join(above)} {verb} above {what}, {join(below)} not shown to be"


def _headline(summary: Summary) -> str:
    """Which methods know anything."""
    said: dict[str, list[str]] = {}
    for one in summary.baselines:
        said.setdefault(_who(summary, one), []).append(one.what)
    parts = [f"{who} {join(what)}" for who, what in said.items() if who]
    parts = parts[:1] + [inside(part) for part in parts[1:]]
    return f"{'; '.join(parts)}." if parts else ""


def _who(summary: Summary, one: Baseline) -> str:
    """Which methods are above a baseline, over the data sets or on the only one."""
    table = one.overall if len(summary.datasets) > 1 else one.by_dataset
    tested = table.dropna(subset=["holm"])
    if tested.empty:
        return ""
    above = [str(m) for m in tested.loc[shown_above(tested, summary.levels[1]), "method"]]
    below = [str(m) for m in tested["method"] if m not in above]
    if not above:
        return "No method is shown to be above"
    if not below:
        return "All methods are above" if len(above) > 1 else f"{above[0]} is above"
    are = "is" if len(above) == 1 else "are"
    named = f" ({join(above)})" if len(above) <= NAMED else ""
    return f"{len(above)} of {count(len(tested), 'method')}{named} {are} shown to be above"


def baselines_frame(summary: Summary) -> pd.DataFrame:
    columns = ["score", "against", "dataset", "method", "difference", "pvalue", "holm"]
    parts = [
        table.assign(score=one.score, against=one.what).reindex(columns=columns)
        for one in summary.baselines
        for table in (one.by_dataset, one.overall.assign(dataset=None))
    ]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


SECTION = Section(
    folds=lambda summary: [
        Fold(*COMPARISON, [against_baseline(summary, one) for one in summary.baselines])
    ],
    headlines=lambda summary: [_headline(summary)],
    found=lambda summary: [_found(summary, one) for one in summary.baselines],
    tables={"baselines": baselines_frame},
)
