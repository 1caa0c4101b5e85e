"""What a report says first: at most five sentences, each of something that was found."""

from __future__ import annotations

from collections.abc import Sequence

from hetsel.ground.rounding import reaches
from hetsel.report.numbers.baselines import LEVEL, Baseline
from hetsel.report.numbers.compared_measures import KI, Measure
from hetsel.report.numbers.study_summary import Summary
from hetsel.report.pages.findings import inside
from hetsel.report.pages.tables_as_text import seconds_text
from hetsel.report.pages.treatments import paired
from hetsel.report.pages.wording import count, join, p_number, p_value, repeated_rows

MOST = 5  # sentences
NAMED = 4  # methods or data sets by name; more are counted


def headlines(summary: Summary) -> list[str]:
    """The findings, the most important first; what does not apply is not there."""
    said = [
        repeated_rows(summary.results.datasets),
        *(_over_data_sets(summary, m) or _on_one(summary, m) for m in summary.measures),
        _above(summary),
        _treated(summary) or _on_single_data_sets(summary),
        _quickest(summary),
    ]
    return [sentence for sentence in said if sentence][:MOST]


def some(names: Sequence[str], thing: str, several: str = "") -> str:
    """A few names, or how many there are.

    Examples
    --------
    >>> some(["a", "b"], "method"), some(list("abcde"), "other method")
    ('a and b', '5 other methods')
    """
    return join(names) if len(names) <= NAMED else count(len(names), thing, several)


def _over_data_sets(summary: Summary, measure: Measure) -> str:
    """Which methods differ over the data sets, by the analyses that treat them alike."""
    made = summary.made(measure)
    if not made:
        return ""
    pvalues = ", ".join(f"{a.head} {p_number(a.test.permutation)}" for a in made)
    begin = f"{measure.quality} ({measure.label}), {count(made[0].test.blocks, 'data set')}:"
    apart = [a for a in made if a.test.permutation <= LEVEL]
    if not apart:
        return f"{begin} no difference between the methods is shown (p: {pvalues})."
    test = apart[0].test
    best = test.ordered[0][0]
    text = f"{begin} {inside(apart[0].where)}, {best} has the best mean rank"
    if best in test.differences:
        text += f" and is better than {some(test.differences[best], 'other method')}"
    elif not test.differences:
        text += ", but no two methods are told apart"
    return f"{text} (p: {pvalues})."


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
    apart = pairs[pairs["holm"] <= LEVEL]
    if apart.empty:
        return f"{text}; no two methods differ significantly."
    worse = list(apart.loc[apart["better"] == best[0], "worse"])
    if not worse:
        return f"{text}; {count(len(apart), 'pair')} of {len(pairs)} differ significantly."
    return f"{text}; {best[0]} is significantly better than {some(worse, 'other method')}."


def _have(names: list[str]) -> str:
    return f"{some(names, 'method')} {'has' if len(names) == 1 else 'have'}"


def _above(summary: Summary) -> str:
    """Which methods know anything."""
    said: dict[str, list[str]] = {}
    for one in summary.baselines:
        said.setdefault(_who(summary, one), []).append(one.what)
    parts = [f"{who} {join(what)}" for who, what in said.items() if who]
    return f"{'; '.join(parts)}." if parts else ""


def _who(summary: Summary, one: Baseline) -> str:
    """Which methods are above a baseline, over the data sets or on the only one."""
    table = one.overall if len(summary.datasets) > 1 else one.by_dataset
    tested = table.dropna(subset=["holm"])
    if tested.empty:
        return ""
    above = [str(m) for m in tested.loc[tested["holm"] <= LEVEL, "method"]]
    below = [str(m) for m in tested["method"] if m not in above]
    if not above:
        return "No method is shown to be above"
    if not below:
        return "All methods are above" if len(above) > 1 else f"{above[0]} is above"
    rest = f"{some(below, 'method')} not" if len(below) <= len(above) else "the others not"
    are = "is" if len(above) == 1 else "are"
    return f"{some(above, 'method')} {are} shown to be above ({rest}):"


def _treated(summary: Summary) -> str:
    """Whether treatments of a table change anything."""
    if not summary.treatments:
        return ""
    tested = paired(summary).dropna(subset=["holm"])
    if tested.empty:
        return ""
    apart = tested[tested["holm"] <= LEVEL]
    phrase = summary.performance.phrase
    if apart.empty:
        return (
            f"No treatment is shown to change {phrase} (smallest corrected "
            f"{p_value(float(tested['holm'].min()))}), which is no proof of equal treatments."
        )
    return (
        f"Treatments change {phrase} significantly in {len(apart)} of "
        f"{count(len(tested), 'comparison')} with the table: "
        f"{some(list(dict.fromkeys(apart['treatment'])), 'treatment')}."
    )


def _on_single_data_sets(summary: Summary) -> str:
    """How many pairs differ on single data sets, where there are several."""
    pairs = summary.own_pairs.dropna(subset=["holm"])
    if len(summary.datasets) < 2 or pairs.empty:
        return ""
    apart = pairs[pairs["holm"] <= LEVEL]
    text = f"On single data sets {len(apart) or 'none'} of {count(len(pairs), 'comparison')} of two"
    if apart.empty:
        return f"{text} methods is significant."
    where = some(list(dict.fromkeys(apart["dataset"])), "data set")
    return f"{text} methods {'is' if len(apart) == 1 else 'are'} significant, on {where}."


def _quickest(summary: Summary) -> str:
    """How long a ranking takes."""
    means = summary.seconds.mean().dropna().sort_values()
    if len(means) < 2:
        return ""
    ends = [f"{seconds_text(means.iloc[k])} s ({means.index[k]})" for k in (0, -1)]
    over = ", mean over the data sets" if len(summary.datasets) > 1 else ""
    return f"A ranking takes from {' to '.join(ends)} of processor time{over}."
