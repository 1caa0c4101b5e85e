"""What a report says in sentences; every number in them stands in a table or a figure too."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hetsel.ground.rounding import reaches
from hetsel.ground.text import listed
from hetsel.report.numbers.compared_measures import Measure
from hetsel.report.numbers.rank_tests import LEVEL, RankTest
from hetsel.report.numbers.study_summary import Summary
from hetsel.resampling.resamplings import Resamplings
from hetsel.statistics.performance.scores import SCORES

NAMED = 4  # methods or data sets by name; more are counted
SUPER = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def p_value(value: float) -> str:
    """A p-value in text, without a blank at which a line could break.

    Examples
    --------
    >>> print(p_value(0.0321).replace("\u00a0", " "), p_value(0.00004).replace("\u00a0", " "))
    p = 0.032 p = 4.0 × 10⁻⁵
    """
    if not math.isfinite(value):
        return "no p-value"
    return "\u00a0".join(("p", *_compared(value)))


def p_number(value: float) -> str:
    """A p-value in a table: the number alone, or the bound that it is below.

    Examples
    --------
    >>> p_number(0.0321)
    '0.032'
    """
    if not math.isfinite(value):
        return "no p-value"
    sign, number = _compared(value)
    return number if sign == "=" else f"{sign}\u00a0{number}"


def _compared(value: float) -> tuple[str, str]:
    """What a p-value is equal to or less than: the sign and the number."""
    if value <= 1e-300:
        return "<", "10⁻³⁰⁰"
    if value >= 0.001:
        return "=", f"{value:.2g}" if value < 0.995 else "1"
    digits, exponent = f"{value:.1e}".split("e")
    power = str(int(exponent)).translate(SUPER)
    return "=", f"{digits}\u00a0×\u00a010{power}"


def join(names: Iterable[str]) -> str:
    """Names as a sentence has them.

    Examples
    --------
    >>> join(["a", "b", "c"])
    'a, b and c'
    """
    names = list(names)
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def count(number: int, thing: str) -> str:
    """A number of things.

    Examples
    --------
    >>> count(1, "data set"), count(1200, "cell")
    ('1 data set', '1,200 cells')
    """
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def inside(words: str) -> str:
    """Words that begin a sentence, inside one."""
    return f"{words[0].lower()}{words[1:]}"


def some(names: Sequence[str], thing: str) -> str:
    """A few names, or how many there are.

    Examples
    --------
    >>> some(["a", "b"], "method"), some(list("abcde"), "other method")
    ('a and b', '5 other methods')
    """
    return join(names) if len(names) <= NAMED else count(len(names), thing)


def number(value: float, digits: int = 3) -> str:
    """A number in a table; a dash where there is none."""
    return f"{value:.{digits}f}" if math.isfinite(value) else "–"


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
    """Which data sets are treatments of others, and what that means; nothing if none is.

    Parameters
    ----------
    treats : mapping of str to str
        The table that each of them treats.

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


def ranking(test: RankTest, measure: Measure, where: str) -> str:
    """Who is best and last by mean rank.

    Parameters
    ----------
    where : str
        Begins the sentence: over what the ranks are taken.
    """
    if not test.blocks or not any(map(math.isfinite, test.mean_ranks)):
        return f"{where}, nothing can be ranked by {measure.phrase}: {test.reason}."
    order = test.ordered
    best, last = order[0], order[-1]
    first = [name for name, rank in order if math.isclose(rank, best[1])]
    verb = "share the best mean rank" if len(first) > 1 else "has the best mean rank"
    text = f"{where}, {join(first)} {verb} on {measure.phrase}"
    text += f": {best[1]:.2f} of {len(order)}, where 1 is best"
    if len(order) > 1 and len(first) < len(order):
        end = [name for name, rank in order if math.isclose(rank, last[1])]
        text += f"; {join(end)} {'are' if len(end) > 1 else 'is'} last with {last[1]:.2f}"
    return text + "."


def significance(test: RankTest) -> str:
    """The test on these blocks: by permutations where there are, else approximate."""
    blocks = f"{count(test.blocks, 'block')}, each a {test.what}"
    if test.gaps:
        blocks += f", which lack {count(test.gaps, 'value')}"
    if test.reason:
        return f"No rank test ({blocks}): {test.reason}."
    if math.isfinite(test.permutation):
        name = "Skillings and Mack's" if test.gaps else "Friedman's"
        return f"{name} test on {blocks}, by permutations: {p_value(test.permutation)}."
    correction = f"Iman–Davenport: {p_value(test.f_pvalue)}"
    if not math.isfinite(test.f):
        correction = "Iman–Davenport's F is infinite: every block ranks the methods alike"
    chi2 = f"χ²\u00a0=\u00a0{test.chi2:.2f}"
    return f"Friedman's test on {blocks}: {chi2}, {p_value(test.pvalue)} ({correction})."


def differences(test: RankTest) -> str:
    """Which methods differ by Nemenyi's test."""
    if test.reason:
        return ""
    cd = f"critical difference {test.critical_difference:.2f} at 0.05"
    if test.gaps:
        cd = "at 0.05, with gaps"
    if test.permutation > LEVEL:
        return "So no two methods differ significantly."
    if not test.differences:
        return f"By Nemenyi's test ({cd}) no two methods differ significantly."
    caution = ""
    if test.pvalue > 0.05 and not math.isfinite(test.permutation):
        caution = " Friedman's test is not significant at 0.05, so these pairs prove little."
    return f"By Nemenyi's test ({cd}) {who_is_better(test.differences)}.{caution}"


def who_is_better(differences: Mapping[str, Sequence[str]]) -> str:
    """Which methods are better than which others, those of the same others together.

    Examples
    --------
    >>> who_is_better({"a": ["c", "d"], "b": ["c", "d"], "c": ["d"]})
    'a and b are better than c and d, and c is better than d'
    """
    together: dict[tuple[str, ...], list[str]] = {}
    for one, others in differences.items():
        together.setdefault(tuple(others), []).append(one)
    parts = [
        f"{join(ones)} {'is' if len(ones) == 1 else 'are'} better than {join(others)}"
        for others, ones in together.items()
    ]
    return ", and ".join([", ".join(parts[:-1]), parts[-1]] if parts[1:] else parts)


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
    partial = [m["label"] for m in methods if m["params"].get("columns") == "supported"]
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
