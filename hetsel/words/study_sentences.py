"""What a report says in sentences; every number in them stands in a table or a figure too."""

from collections.abc import Mapping, Sequence
from typing import Any

from hetsel.ground import listed
from hetsel.ground.rounding import reaches
from hetsel.resampling.resampling_entry import Resamplings
from hetsel.statistics.performance.scores import SCORES
from hetsel.study.comparison.study_summary import Summary
from hetsel.words.phrases import count, join, p_number


def setting(summary: Summary) -> str:
    """What the study did."""
    plan = summary.results.plan
    splits = plan["resamplings"]
    apart = [entry["name"] for entry in plan["datasets"] if {"split", "test_rows"} & set(entry)]
    own = f"; those of {join(apart)} have sizes of their own" if apart else ""
    text = (
        f"The study ranks the features of {count(len(summary.datasets), 'data set')} by "
        f"{count(len(summary.methods), 'method')} on {count(int(splits['count']), 'resampling')} "
        f"({kind_of_splits(summary)} splits into {Resamplings.of('the plan', splits).in_words()}"
        f"{own}) and judges the signatures of every size by the final {summary.judge} "
        f"{summary.classifier}."
    )
    others = summary.classifiers[1:]
    if others:
        text += f" {count(len(others), f'more {summary.judge}')} judged them too: {join(others)}."
    text += treatments(summary.treatments) + row_groups(summary.results.datasets)
    return text + row_weights(summary.results.datasets)


def kind_of_splits(summary: Summary) -> str:
    """How rows are drawn: of numbers there are no classes whose shares could be kept."""
    kind = str(summary.results.plan["resamplings"]["kind"])
    plain = summary.judge == "regressor" and kind == "stratified"
    return "random" if plain else kind


def held_level(summary: Summary) -> str:
    """At which level each kind of test says what differs, so that all sentences hold 0.05."""
    main, others = summary.levels
    what = "ranks over the data sets" if summary.main else "pairs of methods"
    return (
        "A difference is named where all such sentences together are wrong in at most 5 % of "
        f"studies: {what} by {summary.performance.phrase} have the level {p_number(main)}, each "
        f"other kind of test {p_number(others)}."
    )


def short_setting(summary: Summary) -> str:
    """What the study did, in one line, and whether anything is missing."""
    status = summary.results.status()
    cells, done = int(status["cells"]), int(status["finished"])
    several = len(summary.datasets) > 3
    where = count(len(summary.datasets), "data set") if several else join(summary.datasets)
    text = (
        f"{count(len(summary.methods), 'method')} on {where}, "
        f"{count(int(summary.results.plan['resamplings']['count']), 'resampling')}, judged by "
        f"{summary.classifier}"
    )
    if done < cells:
        text += f"; {done:,} of {cells:,} cells are finished"
    return f"{text}. {held_level(summary)}"


def row_weights(datasets: Mapping[str, Mapping[str, Any]]) -> str:
    """Which tables have rows with weights, and what that means; nothing if none has.

    Examples
    --------
    >>> row_weights({"a": {"rows": 9}, "b": {"rows": 2, "row_weights": [0.5, 1.5]}})
    ' Rows have weights in b: selection, classifiers and scores are weighted.'
    """
    weighted = [name for name, about in datasets.items() if "row_weights" in about]
    if not weighted:
        return ""
    judge = SCORES[datasets[weighted[0]].get("target", "classes")].judge
    return f" Rows have weights in {join(weighted)}: selection, {judge}s and scores are weighted."


def treatments(treats: Mapping[str, str]) -> str:
    """Which data sets are treatments of which others, and what that means; nothing if none is.

    Examples
    --------
    >>> treatments({"ranks": "heart"})
    ' Of the data sets 1 is a treatment of another (ranks of heart), split alike. Treatments are no independent blocks: no test over data sets, mean rank or diagram counts them, and a section of its own compares them with the table.'
    """  # noqa: E501
    if not treats:
        return ""
    n = len(treats)
    return (
        f" Of the data sets {n} {'is a treatment' if n == 1 else 'are treatments'} of another "
        f"({join(f'{name} of {base}' for name, base in treats.items())}), split alike. Treatments "
        "are no independent blocks: no test over data sets, mean rank or diagram counts them, and "
        "a section of its own compares them with the table."
    )


def row_groups(datasets: Mapping[str, Mapping[str, Any]]) -> str:
    """Which tables have rows that belong together, and what that means; nothing if none has.

    Examples
    --------
    >>> row_groups({"a": {"rows": 9}, "b": {"rows": 90, "row_groups": 30, "largest_row_group": 4}})
    ' Rows belong together in b (90 rows in 30 groups of up to 4 rows): groups are trained on or tested as a whole, scores are over rows, and corrected intervals and tests count groups in place of rows.'
    """  # noqa: E501
    grouped = [
        f"{name} ({about['rows']:,} rows in {count(about['row_groups'], 'group')} of up to "
        f"{count(about['largest_row_group'], 'row')})"
        for name, about in datasets.items()
        if "row_groups" in about
    ]
    if not grouped:
        return ""
    return (
        f" Rows belong together in {join(grouped)}: groups are trained on or tested as a whole, "
        "scores are over rows, and corrected intervals and tests count groups in place of rows."
    )


def repeated_rows(datasets: Mapping[str, Mapping[str, Any]]) -> str:
    """Which tables have equal or nearly equal rows that resampling parts; nothing if none has.

    Examples
    --------
    >>> repeated_rows({"a": {"rows": 9}, "b": {"rows": 90, "repeated_rows": 60}})
    'Rows are equal or nearly equal to others in b (60 of 90 rows). Resampling parts them, so that rows are tested of which copies trained: scores of this data set are too good. row_groups = "copies" keeps them together.'
    """  # noqa: E501
    parted = [
        f"{name} ({about['repeated_rows']:,} of {about['rows']:,} rows)"
        for name, about in datasets.items()
        if "repeated_rows" in about
    ]
    if not parted:
        return ""
    these = "this data set" if len(parted) == 1 else "these data sets"
    advice = 'row_groups = "copies" keeps them together'
    if any("repeated_rows" in about and "row_groups" in about for about in datasets.values()):
        advice = "Row groups that hold these together, too, keep them from both sides of a split"
    return (
        f"Rows are equal or nearly equal to others in {join(parted)}. Resampling parts them, so "
        f"that rows are tested of which copies trained: scores of {these} are too good. {advice}."
    )


def absent_classes(summary: Summary) -> str:
    """Test parts that lack a class, counted and named."""
    lacking = summary.results.absent_classes()
    if lacking.empty:
        return ""
    parts = (
        f"{row['dataset']}: class {row['class']} in {row['lacking']} of {row['resamplings']}"
        for _, row in lacking.iterrows()
    )
    return (
        f"Some test parts lack a class: {'; '.join(parts)}. One with a single class left has no "
        f"{summary.performance.label} and no AUC, and means are over the other resamplings; with "
        "more classes left these scores are over those."
    )


def chosen_sizes(summary: Summary) -> str:
    """What was chosen as the small size, and how."""
    score = summary.performance.phrase
    sizes = join(f"{name} {size}" for name, size in summary.chosen.items())
    if summary.counts.to_numpy().max() < 2:
        return (
            "One resampling has no interval: the small size of a data set is that of the best "
            f"{score} of {summary.reference}: {sizes}."
        )
    absent = [name for name in summary.datasets if not summary.counts.loc[name, summary.reference]]
    if absent:
        sizes += f"; on {join(absent)}, where it has no cell, that of the first method that has"
    corrected = summary.small_sizes_by("nadeau-bengio")
    other = " This is the naive interval; the corrected one of Nadeau and Bengio, which is wider, "
    if corrected == summary.chosen:
        other += "gives the same sizes."
    else:
        pairs = (f"{name} {size}" for name, size in corrected.items())
        other += f"would give {join(pairs)}."
    return (
        f"The small size of a data set is the smallest at which the mean {score} of "
        f"{summary.reference} lies in the 95 % interval of its best mean {score}: {sizes}.{other}"
        f"{_ties_of_choice(summary)}"
    )


def _ties_of_choice(summary: Summary) -> str:
    """Where the order of the study or the lower size decided a tie."""
    text = ""
    if len(summary.references) > 1:
        text += (
            f" {join(summary.references)} are equally good; {summary.reference} chooses because it "
            "comes first in the study."
        )
    tied = [
        f"{name} {join(map(str, sizes))}"
        for name, sizes in summary.best_sizes.items()
        if len(sizes) > 1
    ]
    if tied:
        text += f" The best mean is that of several sizes ({'; '.join(tied)}): the smallest counts."
    return text


def lead(summary: Summary, dataset: str) -> str:
    """What there is to know of one data set before its figures."""
    about = summary.results.datasets[dataset]
    continuous = sum(kind == "continuous" for kind in about["kinds"])
    size = summary.chosen[dataset]
    text = (
        f"{count(about['rows'], 'row')}, {continuous:,} continuous and "
        f"{len(about['kinds']) - continuous:,} categorical features."
    )
    small = summary.small(summary.shared_scores)
    small = small[small["dataset"] == dataset].sort_values("value", ascending=False, kind="stable")
    if small.empty:
        return f"{text} The methods have no resampling in common."
    values = small["value"].to_numpy()
    best, last = values[0], values[-1]
    first = list(small.loc[reaches(values, best), "method"])
    end = list(small.loc[reaches(-values, -last), "method"])
    who = f"{join(first)} {'has' if len(first) == 1 else 'share'} the best"
    if len(small) > 1 and len(first) == len(small):
        who = "all methods have the same"
    text += (
        f" At the size that {summary.reference} chooses, {size}, {who} mean "
        f"{summary.performance.phrase}, {summary.performance.text(best)}"
    )
    if len(first) < len(small):
        verb = "has" if len(end) == 1 else "share"
        text += f"; {join(end)} {verb} the lowest, {summary.performance.text(last)}"
    return f"{text}."


def completeness(summary: Summary) -> str:
    """How many cells there are, and what is missing."""
    status = summary.results.status()
    total, done, failed = (int(status[name]) for name in ("cells", "finished", "failed"))
    if done >= total:
        return f"All {total:,} cells (data set × method × resampling) are finished."
    absent: Sequence[str] = [
        name
        for name in (*summary.results.methods, *summary.results.datasets)
        if name not in summary.methods and name not in summary.datasets
    ]
    text = f"{done:,} of {total:,} cells (data set × method × resampling) are finished"
    text += f"; {failed:,} failed (see the reasons below)" if failed else ""
    text += f"; nothing of {join(absent)} is there" if absent else ""
    text += "".join(_behind(summary, method) for method in summary.methods)
    text += ". The numbers below are those of the finished cells"
    shared = summary.shared.groupby("dataset")["resampling"].nunique()
    fewer = shared[shared < summary.counts.max(axis=1).reindex(shared.index)]
    if len(fewer):
        parts = join(f"{number} of {dataset}" for dataset, number in fewer.items())
        text += f"; ranks and best means compare the resamplings that all methods share, {parts}"
    return text + "."


def _behind(summary: Summary, method: str) -> str:
    """How many resamplings a method has finished where it has not finished all."""
    planned = int(summary.results.plan["resamplings"]["count"])
    counts = summary.counts[method]
    short = counts[counts < planned]
    if short.empty:
        return ""
    parts = join(f"{number} on {dataset}" for dataset, number in short.items())
    return f"; {method} has {parts} of {count(planned, 'resampling')}"


def asked_columns(methods: Sequence[dict[str, Any]]) -> str:
    """Which methods leave columns without a rank, and which have some always in."""
    partial = [m["label"] for m in methods if m["params"].get("unsupported") == "skip"]
    forced = [m["label"] for m in methods if m["params"].get("always")]
    said = []
    if partial:
        said.append(
            f"Columns of a kind that a method does not take have no rank by {listed(partial)}, and "
            "no signature that would need one is judged."
        )
    if forced:
        said.append(
            f"Features are always in by {listed(forced)}: their stability counts these as well, "
            "and is the larger for it."
        )
    return " ".join(said)


def sizes_rule(summary: Summary) -> str:
    """How the sizes of the first part are chosen."""
    text = (
        "Sizes are cross-fitted: resamplings of even number are judged at the size that those of "
        "odd number choose, and the reverse. A half chooses the smallest size whose mean "
        f"{summary.performance.phrase} lies in the naive 95 % interval of the best mean, of each "
        "method by its own curve (own size), or of all by the mean of their curves (one size). "
        "Both rules treat all methods alike. The halves share the rows of a table: what the table "
        "favors by chance, both favor."
    )
    absent = summary.own_size.absent
    if absent:
        text += (
            f" {join(absent)} {'has' if len(absent) == 1 else 'have'} too few resamplings that all "
            "methods share (2 of even and 2 of odd number), or no size that all methods have."
        )
    return text
