"""Sentences on a study whose data sets have several kinds of targets."""

from hetsel.study.comparison.summary_of_kinds import SummaryOfKinds
from hetsel.words.phrases import count, join, p_number
from hetsel.words.study_sentences import number_of_resamplings

NAMES = {"classes": "Classes", "numbers": "Numbers", "survival": "Survival times"}


def setting_of_kinds(summary: SummaryOfKinds) -> str:
    """Describe the design in one line, and how many cells are finished if some are not."""
    status = summary.study.status()
    kinds = join(
        f"{len(one.datasets)} with {NAMES[kind].lower()}" for kind, one in summary.by_kind.items()
    )
    numbers = dict.fromkeys(map(number_of_resamplings, summary.by_kind.values()))
    judges = dict.fromkeys(one.classifier for one in summary.by_kind.values())
    text = (
        f"{count(len(summary.methods), 'method')} on {count(len(summary.datasets), 'data set')} "
        f"({kinds}), {join(numbers)}, {'judge' if len(judges) == 1 else 'judges'} {join(judges)}"
    )
    if status["finished"] < status["cells"]:
        text += f"; {status['finished']:,} of {status['cells']:,} cells are finished"
    return f"{text}."


def scores_of_kinds(summary: SummaryOfKinds) -> str:
    """State by which score each data set is ranked."""
    scores = join(
        f"{label} for {NAMES[kind].lower()} ({join(summary.by_kind[kind].datasets)})"
        for kind, label in summary.first_scores.items()
    )
    return (
        f"Each data set is ranked by the first score of its kind of target: {scores}. Means and "
        "differences of scores are compared within a kind only."
    )


def held_levels(summary: SummaryOfKinds) -> str:
    """State the levels of the tests over all data sets and of those of each kind."""
    main, others = summary.levels
    return (
        "The two rank tests over all data sets together have a familywise error rate of at most "
        f"5% (level {p_number(main)} for performance, {p_number(others)} for stability). The tests "
        "of each kind of target hold 5% of their own; they are not adjusted for each other."
    )
