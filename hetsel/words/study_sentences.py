"""Sentences of the report of a study; a table or figure repeats each of their numbers."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from hetsel.ground import listed
from hetsel.ground.rounding import reaches
from hetsel.resampling.resampling_entry import Resamplings
from hetsel.statistics.performance.scores import SCORES
from hetsel.study.comparison.study_summary import Summary
from hetsel.study.comparison.training_sizes import smaller_parts
from hetsel.words.phrases import count, join, p_number


def setting(summary: Summary) -> str:
    """Describe the design of the study."""
    plan = summary.results.plan
    apart = [entry["name"] for entry in plan["datasets"] if {"split", "test_rows"} & set(entry)]
    own = ""
    if apart:
        own = f"; {join(apart)} {'has its' if len(apart) == 1 else 'have their'} own split sizes"
    text = (
        f"The study compares {count(len(summary.methods), 'method')} on "
        f"{count(len(summary.datasets), 'data set')} with "
        f"{number_of_resamplings(summary)} ({_splits_into(summary)}{own}). Each method selects "
        f"features on the training rows. The judge, the {summary.judge} {summary.classifier}, is "
        "trained on the signature of every size and scored on the held-out rows."
    )
    others = [label for label in summary.classifiers if label != summary.classifier]
    if others:
        text += f" {count(len(others), 'more judge')} scored these signatures: {join(others)}."
    text += training_rows(summary)
    text += treatments(summary.treatments) + row_groups(summary.results.datasets)
    return text + row_weights(summary.results.datasets)


def number_of_resamplings(summary: Summary) -> str:
    """State the number of resamplings, or its range if given folds differ in it."""
    numbers = sorted(set(_planned_resamplings(summary).values()))
    if len(numbers) < 2:
        return count(numbers[-1], "resampling")
    return f"{numbers[0]:,} to {count(numbers[-1], 'resampling')}"


def _planned_resamplings(summary: Summary) -> dict[str, int]:
    """Return the number of resamplings of each data set in the plan."""
    number = summary.results.plan["resamplings"].get("count")
    return {
        name: int(about.get("given_resamplings") or number)
        for name, about in summary.results.datasets.items()
    }


def _splits_into(summary: Summary) -> str:
    sizes = Resamplings.of("the plan", summary.results.plan["resamplings"]).in_words()
    kind = kind_of_splits(summary)
    return sizes if kind == "given" else f"{kind} splits into {sizes}"


def kind_of_splits(summary: Summary) -> str:
    """Name the kind of splits: stratified splits of a numeric target are random ones."""
    kind = str(summary.results.plan["resamplings"]["kind"])
    plain = summary.judge == "regressor" and kind == "stratified"
    return "random" if plain else kind


def held_level(summary: Summary) -> str:
    """State the level of each kind of test; together they hold a familywise rate of 0.05."""
    main, others = summary.levels
    what = "ranks over the data sets" if summary.main else "pairs of methods"
    return (
        "The tests behind these findings together have a familywise error rate of at most 5%. "
        f"The level is {p_number(main)} for {what} by {summary.performance.phrase} "
        f"and {p_number(others)} for each other kind of test."
    )


def short_setting(summary: Summary) -> str:
    """Describe the design in one line, and how many cells are finished if some are not."""
    status = summary.study.status()
    cells, done = int(status["cells"]), int(status["finished"])
    several = len(summary.datasets) > 3
    where = count(len(summary.datasets), "data set") if several else join(summary.datasets)
    text = (
        f"{count(len(summary.methods), 'method')} on {where}, "
        f"{number_of_resamplings(summary)}, judge {summary.classifier}"
    )
    if done < cells:
        text += f"; {done:,} of {cells:,} cells are finished"
    return f"{text}.{fallback(summary)} {held_level(summary)}"


def row_weights(datasets: Mapping[str, Mapping[str, Any]]) -> str:
    """Name the data sets with row weights and what uses them; empty if there are none.

    Examples
    --------
    >>> row_weights({"a": {"rows": 9}, "b": {"rows": 2, "row_weights": [0.5, 1.5]}})
    ' Rows have weights in b. Selection, classifiers and scores use these weights.'
    """
    weighted = [name for name, about in datasets.items() if "row_weights" in about]
    if not weighted:
        return ""
    judge = SCORES[datasets[weighted[0]].get("target", "classes")].judge
    return (
        f" Rows have weights in {join(weighted)}. Selection, {judge}s and scores use these weights."
    )


def training_rows(summary: Summary) -> str:
    """State which numbers of training rows a study has, and which one comparisons use."""
    parts = smaller_parts(summary.study.datasets)
    if not parts:
        return ""
    several = [name for name in summary.results.datasets if name in parts.values()]
    return (
        f" {join(several)} {'is' if len(several) == 1 else 'are'} also used with fewer training "
        "rows, on the same held-out rows. These results are not independent blocks: tests, mean "
        "ranks and diagrams use the largest number of training rows. A separate section shows the "
        "performance by number of training rows."
    )


def treatments(treats: Mapping[str, str]) -> str:
    """Name the treatments and their data sets, and what omits them; empty if there are none.

    Examples
    --------
    >>> treatments({"ranks": "heart"})
    ' 1 data set is a treatment of another (ranks of heart) and has the same resamplings. Treatments are not independent blocks: tests over data sets, mean ranks and diagrams omit them. A separate section compares each treatment with its untreated data set.'
    """  # noqa: E501
    if not treats:
        return ""
    n = len(treats)
    return (
        f" {count(n, 'data set')} {'is a treatment' if n == 1 else 'are treatments'} of another "
        f"({join(f'{name} of {base}' for name, base in treats.items())}) and "
        f"{'has' if n == 1 else 'have'} the same resamplings. Treatments are not independent "
        "blocks: tests over data sets, mean ranks and diagrams omit them. A separate section "
        "compares each treatment with its untreated data set."
    )


def row_groups(datasets: Mapping[str, Mapping[str, Any]]) -> str:
    """Name the data sets with row groups and how groups are split; empty if there are none.

    Examples
    --------
    >>> row_groups({"a": {"rows": 9}, "b": {"rows": 90, "row_groups": 30, "largest_row_group": 4}})
    ' There are row groups in b (90 rows in 30 groups of up to 4 rows). All rows of a group are training rows or all are held out. Scores count rows; corrected intervals and tests count groups.'
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
        f" There are row groups in {join(grouped)}. All rows of a group are training rows or all "
        "are held out. Scores count rows; corrected intervals and tests count groups."
    )


def repeated_rows(datasets: Mapping[str, Mapping[str, Any]]) -> str:
    """Name the data sets with duplicate rows on both sides of splits; empty if there are none.

    Examples
    --------
    >>> repeated_rows({"a": {"rows": 9}, "b": {"rows": 90, "repeated_rows": 60}})
    'There are duplicate rows in b (60 of 90 rows are equal or nearly equal to others). Resamplings train on some duplicates and test on others, so scores of this data set are too optimistic. Set row_groups = "copies" to keep duplicates together.'
    """  # noqa: E501
    parted = [
        f"{name} ({about['repeated_rows']:,} of {about['rows']:,} rows are equal or nearly equal "
        "to others)"
        for name, about in datasets.items()
        if "repeated_rows" in about
    ]
    if not parted:
        return ""
    these = "this data set" if len(parted) == 1 else "these data sets"
    advice = 'Set row_groups = "copies" to keep duplicates together'
    if any("repeated_rows" in about and "row_groups" in about for about in datasets.values()):
        advice = "Use row groups that also keep duplicates together"
    return (
        f"There are duplicate rows in {join(parted)}. Resamplings train on some duplicates and "
        f"test on others, so scores of {these} are too optimistic. {advice}."
    )


def absent_classes(summary: Summary) -> str:
    """Name the classes that held-out parts lack, and how often."""
    lacking = summary.results.absent_classes()
    if lacking.empty:
        return ""
    parts = (
        f"{row['dataset']}: class {row['class']} in {row['lacking']} of "
        f"{count(int(row['resamplings']), 'resampling')}"
        for _, row in lacking.iterrows()
    )
    return (
        f"The held-out rows of some resamplings lack a class ({'; '.join(parts)}). With a single "
        f"class left there is no {summary.performance.label} and no AUC, and means omit the "
        "resampling. With more classes left, these scores use the classes that are present."
    )


def chosen_sizes(summary: Summary) -> str:
    """State the small size of each data set and the rule that chose it."""
    score = summary.performance.phrase
    sizes = join(f"{name}: {size}" for name, size in summary.chosen.items())
    if summary.counts.to_numpy().max() < 2:
        return (
            "One resampling gives no interval. The small size of a data set is therefore the size "
            f"with the best {score} of {summary.reference} ({sizes})."
        )
    absent = [name for name in summary.datasets if not summary.counts.loc[name, summary.reference]]
    if absent:
        sizes += (
            f"; on {join(absent)}, where {summary.reference} has no cell, the first method with "
            "cells chooses"
        )
    corrected = summary.small_sizes_by("nadeau-bengio")
    other = " This interval is naive. The wider interval corrected by Nadeau and Bengio "
    if corrected == summary.chosen:
        other += "gives the same sizes."
    else:
        pairs = (f"{name}: {size}" for name, size in corrected.items())
        other += f"gives other sizes ({join(pairs)})."
    return (
        f"The small size of a data set is the smallest size at which the mean {score} of "
        f"{summary.reference} lies in the 95% CI of its best mean {score} ({sizes}).{other}"
        f"{_ties_of_choice(summary)}"
    )


def _ties_of_choice(summary: Summary) -> str:
    """State where the order of the study or the smaller size decided a tie."""
    text = ""
    if len(summary.references) > 1:
        text += (
            f" {join(summary.references)} are equally good; {summary.reference} chooses because it "
            "comes first in the study."
        )
    tied = [
        f"{name}: {join(map(str, sizes))}"
        for name, sizes in summary.best_sizes.items()
        if len(sizes) > 1
    ]
    if tied:
        text += f" Several sizes have the best mean ({'; '.join(tied)}); the smallest is used."
    return text


def lead(summary: Summary, dataset: str) -> str:
    """Introduce one data set: its size, and the best and the worst method on it."""
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
        return f"{text} No resampling is finished for all methods."
    values = small["value"].to_numpy()
    best, last = values[0], values[-1]
    first = list(small.loc[reaches(values, best), "method"])
    end = list(small.loc[reaches(-values, -last), "method"])
    who = f"{join(first)} {'has' if len(first) == 1 else 'share'} the best"
    if len(small) > 1 and len(first) == len(small):
        who = "all methods have the same"
    text += (
        f" At size {size}, which {summary.reference} chooses, {who} mean "
        f"{summary.performance.phrase} ({summary.performance.text(best)})"
    )
    if len(first) < len(small):
        verb = "has" if len(end) == 1 else "share"
        text += f"; {join(end)} {verb} the lowest ({summary.performance.text(last)})"
    return f"{text}."


def completeness(summary: Summary) -> str:
    """State how many cells are finished and what is missing."""
    status = summary.study.status()
    total, done, failed = (int(status[name]) for name in ("cells", "finished", "failed"))
    if done >= total:
        return f"All {total:,} cells (data set × method × resampling) are finished."
    absent: Sequence[str] = [
        name
        for name in (*summary.results.methods, *summary.results.datasets)
        if name not in summary.methods and name not in summary.datasets
    ]
    text = f"{done:,} of {total:,} cells (data set × method × resampling) are finished."
    text += f" {count(failed, 'cell')} failed (see the reasons below)." if failed else ""
    text += fallback(summary)
    text += f" No cell of {join(absent)} is finished." if absent else ""
    text += "".join(_behind(summary, method) for method in summary.methods)
    others = "other numbers" if summary.fallen_back else "numbers"
    text += f" All {others} below are from finished cells."
    shared = summary.shared.groupby("dataset")["resampling"].nunique()
    fewer = shared[shared < summary.counts.max(axis=1).reindex(shared.index)]
    if len(fewer):
        parts = join(f"{number} on {dataset}" for dataset, number in fewer.items())
        text += f" Ranks and best means use the resamplings that all methods share ({parts})."
    for dataset, method, own, every in summary.left_out:
        text += (
            f" On {dataset}, {method} is a missing value in ranks and best means, since it has "
            f"{own:,} of {count(every, 'resampling')}."
        )
    return text


def fallback(summary: Summary) -> str:
    """State how failed cells are scored; empty without a fallback."""
    if not (number := summary.fallen_back):
        return ""
    have = "1 failed cell has" if number == 1 else f"{number:,} failed cells have"
    return (
        f" {have} the {summary.performance.label} of the baseline, which uses no features, at "
        "every size. Stability and seconds omit failed cells."
    )


def _behind(summary: Summary, method: str) -> str:
    """State how many resamplings a method has finished, where some are missing."""
    planned = pd.Series(_planned_resamplings(summary))
    counts = summary.counts[method]
    short = counts[counts < planned.reindex(counts.index)]
    if short.empty:
        return ""
    parts = join(f"{count(number, 'resampling')} on {name}" for name, number in short.items())
    of = join(str(number) for number in dict.fromkeys(planned[short.index]))
    return f" {method} has finished {parts} (of {of})."


def asked_columns(methods: Sequence[dict[str, Any]]) -> str:
    """Name the methods that leave columns unranked and those that always include some."""
    partial = [m["label"] for m in methods if m["params"].get("unsupported") == "skip"]
    forced = [m["label"] for m in methods if m["params"].get("always")]
    said = []
    if partial:
        said.append(
            f"{listed(partial)} {'does' if len(partial) == 1 else 'do'} not rank every kind of "
            "column. Signatures that would need an unranked column are not scored."
        )
    if forced:
        said.append(
            f"{listed(forced)} always {'includes' if len(forced) == 1 else 'include'} some "
            "features. Stability counts these features too and is therefore larger."
        )
    return " ".join(said)


def sizes_rule(summary: Summary) -> str:
    """Explain how cross-fitted sizes are chosen."""
    text = (
        "Sizes are cross-fitted. Odd-numbered resamplings choose the size at which even-numbered "
        "resamplings are scored, and vice versa. Each half of the resamplings chooses the smallest "
        f"size whose mean {summary.performance.phrase} lies in the naive 95% CI of the best mean. "
        "The curve is either that of each method (own size) or the mean of all methods (one size). "
        "Both rules treat all methods alike. Both halves use the same rows of a data set, so they "
        "share its chance patterns."
    )
    absent = summary.own_size.absent
    if absent:
        text += (
            f" {join(absent)} {'has' if len(absent) == 1 else 'have'} too few resamplings that all "
            "methods share (2 even-numbered and 2 odd-numbered are needed), or no size that all "
            "methods have."
        )
    return text
