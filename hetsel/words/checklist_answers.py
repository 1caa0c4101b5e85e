"""What a signature itself answers to the items of TRIPOD+AI, with its numbers."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from hetsel.ground import listed, plain_number, shown
from hetsel.signature.signature_facts import NOT_SHOWN
from hetsel.words import phrases, signature_sentences
from hetsel.words.methods_section import (
    MISSING,
    SCALES,
    method_in_words,
    method_named,
    missing_values,
    model_in_words,
    seed_used,
)
from hetsel.words.signature_sentences import rule
from hetsel.words.target_words import Facts, classes_of, words_of

NAMED = 8  # names in a cell
TITLES = {  # of the sections of a signature's page, by the key of each
    "found": "Signature",
    "good": "Performance on new rows",
    "probabilities": "Predicted probabilities",
    "sure": "Size and stability",
    "features": "Effects of the features",
    "points": "Point score",
    "rows": "Rows and columns",
    "how": "Analysis steps",
    "model": "Full model",
    "paper": "Methods text",
    "checklist": "TRIPOD+AI checklist",
}


def known_items(facts: Facts) -> dict[str, str]:
    """Answer the items by their number; items without an answer are left out."""
    answers = {number: answer(facts) for number, answer in ANSWERS.items()}
    return {number: answer for number, answer in answers.items() if answer}


def _see(key: str) -> str:
    return f"See “{TITLES[key]}”."


def _outcome(facts: Facts) -> str:
    target = f"target {shown(facts.target)}: " if facts.target else ""
    kinds = {
        "classes": f"classes {listed(map(str, facts.classes), NAMED)}",
        "numbers": "a number",
        "survival": "a right-censored survival time",
    }
    return f"{target}{kinds[facts.kind]}."


def _candidates(facts: Facts) -> str:
    left = [name for one in facts.left_out or () for name in one.columns]
    out = f"; not candidates: {listed(left, NAMED)}" if left else ""
    return f"{phrases.count(facts.columns, 'candidate')}{out}. {_see('rows')}"


def _sample_size(facts: Facts) -> str:
    each = f"{facts.rows:,} rows"
    if facts.classes:
        fewest = min(facts.class_rows)
        return (
            f"{each}; {fewest:,} of the rarest class, {fewest / facts.columns:.3g} per candidate."
        )
    if facts.kind == "survival":
        events = facts.target_facts["events"]
        return f"{each}, {events:,} events, {events / facts.columns:.3g} events per candidate."
    return f"{each}, {facts.rows / facts.columns:.3g} per candidate."


def _use(facts: Facts) -> str:
    one = facts.performance
    if one is None:
        return "All rows were used for selection and training. No rows were held out."
    return (
        "All rows were used for selection and training. "
        f"{phrases.count(one.runs, 'nested cross-validation')} with {one.folds} folds estimated "
        "the performance. No separate test set."
    )


def _form(facts: Facts) -> str:
    scale = SCALES[facts.scale]
    return (
        f"Continuous features: {scale}. Their effects are piecewise linear. Categorical features: "
        "one effect per level."
    )


def _building(facts: Facts) -> str:
    words = method_in_words(method_named(facts)[0])
    size = rule(facts) or f"{facts.size}, specified in advance"
    model = model_in_words(facts.model)
    return f"Selection: {words}. Number of features: {size}. Final model: {model}. {_see('how')}"


def _clusters(facts: Facts) -> str:
    if facts.groups is None:
        return ""
    return f"{phrases.count(facts.groups, 'row group')}, each held out and permuted as a whole."


def _measures(facts: Facts) -> str:
    one = facts.performance
    if one is None:
        return ""
    if one.kind != "classes":
        return f"{', '.join(measure.label for measure in one.measures)}, with CIs."
    recalls = "sensitivity, specificity" if len(facts.classes) == 2 else "recall of each class"
    measures = f"Balanced accuracy, {recalls}, AUC"
    if facts.probabilities:
        measures += "; Brier score, calibration intercept, slope and curve, net benefit"
    return f"{measures}, with CIs."


def _imbalance(facts: Facts) -> str:
    if not facts.classes:
        return "Not applicable: the target has no classes."
    each = ", ".join(f"{rows:,} of class {label}" for label, rows in classes_of(facts))
    handled = (
        f"Rows: {each}. The final model weights the classes equally, so its decision value does "
        "not depend on the prevalence. Performance is reported by class."
    )
    if not facts.probabilities:
        return handled
    where = "in the training rows"
    if facts.probabilities.prevalence is not None:
        where = "that was specified"
    return f"{handled} Probabilities refer to the prevalence {where}."


def _parts(facts: Facts) -> str:
    """Name the subgroups, if there are any."""
    parts = [] if facts.probabilities is None else facts.probabilities.by
    columns = dict.fromkeys(shown(part.column) for part in parts)
    if not columns:
        return ""
    return f"Performance by {listed(columns, NAMED)}. {_see('probabilities')}"


def _output(facts: Facts) -> str:
    if facts.kind == "numbers":
        return "A predicted number, in the unit of the target."
    if facts.kind == "survival":
        return "A risk score; a larger one means an earlier event."
    if one := facts.probabilities:
        at = ", at the specified prevalence" if one.prevalence is not None else ""
        costs = one.threshold
        mark = f"; threshold from costs: {plain_number(costs, 3)}" if costs else ""
        return f"A probability of each class{at}{mark}. {_see('probabilities')}"
    if len(facts.classes) > 2:
        return "A decision value for each class; the class with the largest is predicted."
    return "A decision value; above 0 the positive class is predicted."


def _flow(facts: Facts) -> str:
    flow = facts.flow
    read = f"{flow.read:,} rows read; " if flow.read else ""
    out = [
        f"{count:,} {why}"
        for count, why in ((flow.unlabeled, "without a target"), (flow.zero_weight, "of weight 0"))
        if count
    ]
    left = f"{' and '.join(out)} excluded; " if out else ""
    return f"{read}{left}{facts.rows:,} analyzed. {_see('rows')}"


def _each_analysis(facts: Facts) -> str:
    if facts.classes:
        rows = ", ".join(f"{rows:,} of class {label}" for label, rows in classes_of(facts))
    elif facts.kind == "survival":
        one = facts.target_facts
        longest = plain_number(one["longest"])
        rows = f"{phrases.count(one['events'], 'event')}, longest follow-up {longest}"
    else:
        rows = "all with a target value"
    return f"{facts.rows:,} rows ({rows}) in selection, model and cross-validation."


def _model(facts: Facts) -> str:
    names = listed((one.feature for one in facts.features), NAMED)
    return f"{phrases.count(facts.size, 'feature')}: {names}. {_see('model')}"


def _performance(facts: Facts) -> str:
    values = signature_sentences.performance(facts)
    test = facts.permutation_test
    if not values:
        return f"{facts.reason[:1].upper()}{facts.reason[1:]}." if facts.reason else ""
    tested = f" Permutation test: p = {test.pvalue:.2g}." if test is not None else ""
    parts = [values + tested, signature_sentences.probabilities(facts), _parts(facts)]
    return " ".join(part for part in parts if part)


def _limits(facts: Facts) -> str:
    limits = []
    if facts.performance is not None:
        limits.append("Internal validation only, no external validation")
    if facts.verdict == NOT_SHOWN:
        limits.append(f"{facts.verdict}, by {words_of(facts).tested}")
    if facts.few:
        limits.append(str(facts.few))
    if facts.stability is not None:
        limits.append(f"stability of the selection {facts.stability.nogueira:.2f}")
    return f"{'; '.join(limits)}." if limits else ""


def _input(facts: Facts) -> str:
    imputed = f"Missing values are imputed. {_see('model')} " if facts.imputed_values else ""
    return (
        f"{imputed}A level that no training row had is an error by default. A number outside the "
        "range of the training rows is replaced by the nearest end of the range."
    )


ANSWERS: dict[str, Callable[[Facts], str]] = {
    "8a": _outcome,
    "9a": _candidates,
    "10": _sample_size,
    "11": lambda facts: f"{missing_values(facts)}. Handling: {MISSING[facts.missing]}.",
    "12a": _use,
    "12b": _form,
    "12c": _building,
    "12d": _clusters,
    "12e": _measures,
    "12g": lambda facts: f"A constant plus the sum of the effects. {_see('model')}",
    "13": _imbalance,
    "14": _parts,
    "15": _output,
    "18f": lambda facts: f"hetsel {facts.version}, GPL-3.0-or-later, {seed_used(facts)}.",
    "20a": _flow,
    "20b": lambda facts: f"Ranges, levels and missing values of the candidates. {_see('rows')}",
    "21": _each_analysis,
    "22": _model,
    "23a": _performance,
    "26": _limits,
    "27a": _input,
}


class Item(NamedTuple):
    """An item of the checklist, in our own words."""

    number: str
    section: str
    topic: str
    write: str  # what the authors must write; empty where all of it can be known here


_LINES = Path(__file__).with_name("tripod_ai.txt").read_text(encoding="utf-8").splitlines()
ITEMS = tuple(Item(*map(str.strip, line.split("|"))) for line in _LINES[1:])
