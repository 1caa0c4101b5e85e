"""Which methods differ on single data sets, each at its own size."""

from hetsel.report.elements.document import Section, nothing
from hetsel.report.elements.wording import count, some, who_is_better
from hetsel.report.numbers.study_summary import Summary


def _found(summary: Summary) -> str:
    """Which methods differ on one data set, each at its own size."""
    pairs = summary.own_pairs
    if pairs.empty:
        return ""
    apart = pairs[pairs["holm"] <= summary.pairs_level]
    where = (
        "On single data sets, each method at its own size (t-tests with the correction by parted "
        f"pairs of rows, Holm's for {count(len(pairs), 'comparison')})"
    )
    if apart.empty:
        return f"{where}, no two methods differ significantly in {summary.performance.phrase}."
    parts = []
    for dataset, own in apart.groupby("dataset", sort=False):
        better = {
            str(one): [str(other) for other in rest["worse"]]
            for one, rest in own.groupby("better", sort=False)
        }
        parts.append(f"on {dataset} {who_is_better(better)}")
    return f"{where}: {'; '.join(parts)}; no other two differ significantly."


def _headline(summary: Summary) -> str:
    """How many pairs differ on single data sets, where there are several."""
    pairs = summary.own_pairs.dropna(subset=["holm"])
    if len(summary.datasets) < 2 or pairs.empty:
        return ""
    apart = pairs[pairs["holm"] <= summary.pairs_level]
    text = f"On single data sets {len(apart) or 'none'} of {count(len(pairs), 'comparison')} of two"
    if apart.empty:
        return f"{text} methods is significant."
    where = some(list(dict.fromkeys(apart["dataset"])), "data set")
    return f"{text} methods {'is' if len(apart) == 1 else 'are'} significant, on {where}."


SECTION = Section(
    folds=nothing,
    headlines=lambda summary: [] if summary.treatments else [_headline(summary)],
    found=lambda summary: [_found(summary)],
)
