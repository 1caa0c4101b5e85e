"""Means of the methods, each at its own cross-fitted size."""

from collections.abc import Iterator

import pandas as pd

from hetsel.ground.rounding import reaches
from hetsel.report.elements.document import COMPARISON, Fold, PrintedTable, Section, bold
from hetsel.report.elements.wording import count, some
from hetsel.report.numbers.compared_measures import KI, Measure
from hetsel.report.numbers.crossfitted_scores import crossfitted_frame
from hetsel.report.numbers.study_summary import Summary


def at_own_size(summary: Summary) -> PrintedTable | None:
    """Cross-fitted means, each method at its own size."""
    found = summary.own_size
    if found.scores.empty:
        return None
    sizes = found.sizes.set_index(["dataset", "method"])
    measure = summary.performance
    rows = []
    for dataset, own in found.scores.groupby("dataset", sort=False):
        cells = dict.fromkeys(summary.methods, "–")
        best = reaches(own["value"].to_numpy(), own["value"].max())
        for (_, row), is_best in zip(own.iterrows(), best, strict=True):
            value, corrected, naive = map(measure.text, row[["value", "corrected", "naive"]])
            size = dict.fromkeys(sizes.loc[(dataset, row["method"]), ["even", "odd"]])
            each = " and ".join(f"{s:.0f}" for s in size)
            shown = f"{value}\ncorrected ± {corrected}\nnaive ± {naive}\nsize {each}"
            cells[row["method"]] = bold(shown, is_best)
        rows.append([str(dataset), *cells.values()])
    if len(rows) > 1:
        shares = summary.kept_shares
        rows.append(["features kept, mean", *(f"{100 * share:.0f} %" for share in shares)])
    note = (
        "Resamplings of even number are judged at the first size, those of odd number at the "
        "second: each was chosen on the other half. Best mean of each data set in bold, which need "
        "not differ from the others. Corrected: half the 95 % interval of Nadeau and Bengio "
        "(2003); naive: half the one that takes the resamplings as independent, too narrow."
    )
    caption = f"Mean {measure.phrase}, each method at its own cross-fitted size."
    return PrintedTable("own-size", caption, ["data set", *summary.methods], rows, note)


def _headlines(summary: Summary) -> Iterator[str]:
    return (_on_one(summary, measure) for measure in summary.measures)


def _on_one(summary: Summary, measure: Measure) -> str:
    """The best and the last mean on a study's only data set, each method at its own size."""
    found = summary.own_size
    values = (found.stability if measure is KI else found.scores).set_index("method")["value"]
    if len(summary.datasets) != 1 or len(values) < 2:
        return ""
    high, low = values.max(), values.min()
    best = [str(method) for method in values.index[reaches(values, high)]]
    last = [str(method) for method in values.index[reaches(-values, -low)]]
    text = f"{measure.quality} ({measure.label}), each method at its own size: "
    if len(best) == len(values):
        return f"{text}all methods have the same value, {measure.text(high)}."
    text += f"{_have(best)} the best value, {measure.text(high)}, "
    text += f"{_have(last)} the lowest, {measure.text(low)}"
    pairs = summary.own_pairs.dropna(subset=["holm"])
    if measure is KI or pairs.empty:
        return f"{text}."
    apart = pairs[pairs["holm"] <= summary.pairs_level]
    if apart.empty:
        return f"{text}; no two methods differ significantly."
    worse = list(apart.loc[apart["better"] == best[0], "worse"])
    if not worse:
        return f"{text}; {count(len(apart), 'pair')} of {len(pairs)} differ significantly."
    return f"{text}; {best[0]} is significantly better than {some(worse, 'other method')}."


def _have(names: list[str]) -> str:
    return f"{some(names, 'method')} {'has' if len(names) == 1 else 'have'}"


def crossfitted(summary: Summary) -> pd.DataFrame:
    """Means at cross-fitted sizes by both rules; see `crossfitted_frame`."""
    score = summary.performance
    return crossfitted_frame(summary.own_size, summary.one_size, score.key, score.limits)


SECTION = Section(
    folds=lambda summary: [Fold(*COMPARISON, [at_own_size(summary)])],
    headlines=_headlines,
    tables={"crossfitted": crossfitted},
)
