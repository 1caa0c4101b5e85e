"""What a signature itself answers of the items of TRIPOD+AI, with its numbers."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from hetsel.ground import counted, listed, plain_number, shown
from hetsel.signature.signature_facts import NOT_SHOWN
from hetsel.words import signature_sentences
from hetsel.words.methods_section import MISSING, SCALES, method_named, missing_told, seed_said
from hetsel.words.signature_sentences import RULES
from hetsel.words.target_words import Facts, classes_of, words_of

NAMED = 8  # names in a cell
TITLES = {  # of the sections of a signature's page, by the key of each
    "found": "What was found",
    "good": "How good it is on new rows",
    "probabilities": "What its probabilities are worth",
    "sure": "How many features, and how sure",
    "features": "What each feature does",
    "points": "Points to add up",
    "rows": "Rows and columns",
    "how": "How it was done",
    "model": "The model in full",
    "paper": "Methods, to copy",
    "checklist": "Reporting checklist",
}


def known_items(facts: Facts) -> dict[str, str]:
    """By number of the item what is known; items of which nothing is are left out."""
    told = {number: answer(facts) for number, answer in ANSWERS.items()}
    return {number: answer for number, answer in told.items() if answer}


def _see(key: str) -> str:
    return f"See “{TITLES[key]}”."


def _outcome(facts: Facts) -> str:
    target = f"target {shown(facts.target)}: " if facts.target else ""
    kinds = {
        "classes": f"classes {listed(map(str, facts.classes), NAMED)}",
        "numbers": "a number",
        "survival": "a time with an event or without",
    }
    return f"{target}{kinds[facts.kind]}."


def _candidates(facts: Facts) -> str:
    left = [name for one in facts.left_out or () for name in one.columns]
    out = f"; no candidates: {listed(left, NAMED)}" if left else ""
    return f"{counted(facts.columns, 'candidate')}{out}. {_see('rows')}"


def _sample_size(facts: Facts) -> str:
    each = f"{facts.rows:,} rows"
    if facts.classes:
        fewest = min(facts.class_rows)
        each += f", {fewest:,} of the rarest class, {fewest / facts.columns:.3g} of it for each"
        return each + " candidate."
    if facts.kind == "survival":
        events = facts.told["events"]
        return f"{each}, {events:,} events, {events / facts.columns:.3g} for each candidate."
    return f"{each}, {facts.rows / facts.columns:.3g} for each candidate."


def _use(facts: Facts) -> str:
    one = facts.performance
    if one is None:
        return "All rows selected the features and trained the model; none were held out."
    return (
        f"All rows selected the features and trained the model; "
        f"{counted(one.runs, 'nested cross-validation')} of {one.folds} folds judged it. "
        "No rows were set apart."
    )


def _form(facts: Facts) -> str:
    scale = SCALES[facts.scale]
    return f"Continuous features {scale}; effects piecewise linear, by level of categorical ones."


def _building(facts: Facts) -> str:
    words, _ = method_named(facts)
    size = RULES[facts.rule] if facts.rule else f"{facts.size} features, given"
    return f"{words}; size: {size}; final model: {facts.model}. {_see('how')}"


def _clusters(facts: Facts) -> str:
    if facts.groups is None:
        return ""
    return f"{facts.groups:,} groups of rows, held out and permuted together."


def _measures(facts: Facts) -> str:
    one = facts.performance
    if one is None:
        return ""
    if one.kind != "classes":
        return f"{', '.join(measure.label for measure in one.measures)}, with intervals."
    told = "Balanced classification rate, rate of each class, area under the ROC curve"
    if facts.probabilities:
        told += "; Brier score, calibration intercept, slope and curve, net benefit"
    return f"{told}."


def _imbalance(facts: Facts) -> str:
    if not facts.classes:
        return "No classes: does not apply."
    each = ", ".join(f"class {label} {rows:,}" for label, rows in classes_of(facts))
    told = (
        f"Rows: {each}. The final model weighs the classes alike, so that its decision value "
        "knows no prevalence; rates are by class"
    )
    if not facts.probabilities:
        return f"{told}."
    return f"{told}. Probabilities know the shares of the classes among the rows, or as asked."


def _parts(facts: Facts) -> str:
    """Performance in parts of the rows, if it was asked for."""
    parts = [] if facts.probabilities is None else facts.probabilities.by
    columns = dict.fromkeys(shown(part.column) for part in parts)
    if not columns:
        return ""
    return f"Performance by {listed(columns, NAMED)}. {_see('probabilities')}"


def _output(facts: Facts) -> str:
    if facts.kind == "numbers":
        return "A predicted number, in the unit of the target."
    if facts.kind == "survival":
        return "A risk; larger means sooner."
    if one := facts.probabilities:
        at = ", at the prevalence asked for" if one.prevalence is not None else ""
        costs = one.threshold
        mark = f"; threshold from costs: {plain_number(costs, 3)}" if costs else ""
        return f"A probability of each class{at}{mark}. {_see('probabilities')}"
    if len(facts.classes) > 2:
        return "A decision value for each class; the largest says the class."
    return "A decision value; above 0 it says the positive class."


def _flow(facts: Facts) -> str:
    flow = facts.flow
    read = f"{flow.read:,} rows read; " if flow.read else ""
    out = [
        f"{count:,} {why}"
        for count, why in ((flow.unlabeled, "without a target"), (flow.weightless, "of weight 0"))
        if count
    ]
    left = f"{' and '.join(out)} left out; " if out else ""
    return f"{read}{left}{facts.rows:,} analyzed. {_see('rows')}"


def _each_analysis(facts: Facts) -> str:
    if facts.classes:
        told = ", ".join(f"{rows:,} of class {label}" for label, rows in classes_of(facts))
    elif facts.kind == "survival":
        one = facts.told
        longest = plain_number(one["longest"])
        told = f"{one['events']:,} events, followed until {longest}"
    else:
        told = "all with a number"
    return f"{facts.rows:,} rows ({told}) in selection, model and cross-validation alike."


def _model(facts: Facts) -> str:
    names = listed((one.feature for one in facts.features), NAMED)
    return f"{counted(facts.size, 'feature')}: {names}. {_see('model')}"


def _performance(facts: Facts) -> str:
    told = signature_sentences.performance(facts)
    test = facts.chance
    if not told:
        return str(facts.reason)
    against = f" p = {test.pvalue:.2g} against chance." if test is not None else ""
    parts = [told + against, signature_sentences.probabilities(facts), _parts(facts)]
    return " ".join(part for part in parts if part)


def _limits(facts: Facts) -> str:
    told = []
    if facts.performance is not None:
        told.append("Internal validation only, no rows from elsewhere")
    if facts.verdict == NOT_SHOWN:
        told.append(f"{facts.verdict}, by {words_of(facts).tested}")
    if facts.few:
        told.append(str(facts.few))
    if facts.stability is not None:
        told.append(f"stability of the selection {facts.stability.nogueira:.2f}")
    return f"{'; '.join(told)}." if told else ""


def _input(facts: Facts) -> str:
    begin = "A missing cell is filled in as the model says; a" if facts.fill else "A"
    return f"{begin} level never seen is refused, a value beyond the range counts as its end."


ANSWERS: dict[str, Callable[[Facts], str]] = {
    "8a": _outcome,
    "9a": _candidates,
    "10": _sample_size,
    "11": lambda facts: f"{missing_told(facts)}. Missing cells were {MISSING[facts.missing]}.",
    "12a": _use,
    "12b": _form,
    "12c": _building,
    "12d": _clusters,
    "12e": _measures,
    "12g": lambda facts: f"The sum of the effects. {_see('model')}",
    "13": _imbalance,
    "14": _parts,
    "15": _output,
    "18f": lambda facts: f"hetsel {facts.version}, GPL-3.0-or-later, {seed_said(facts)}.",
    "20a": _flow,
    "20b": lambda facts: f"Ranges, levels and missing cells of the candidates. {_see('rows')}",
    "21": _each_analysis,
    "22": _model,
    "23a": _performance,
    "26": _limits,
    "27a": _input,
}


class Item(NamedTuple):
    """A part of the checklist, in words of our own."""

    number: str
    section: str
    topic: str
    write: str  # what the authors must write; empty where all of it can be known here


_LINES = Path(__file__).with_name("tripod_ai.txt").read_text(encoding="utf-8").splitlines()
ITEMS = tuple(Item(*map(str.strip, line.split("|"))) for line in _LINES[1:])
