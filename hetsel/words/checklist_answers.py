"""What a signature itself answers of the items of TRIPOD+AI, with its numbers."""

from collections.abc import Callable
from typing import NamedTuple

from hetsel.ground.text import counted, listed, plain_number, shown
from hetsel.signature.reported_values import NOT_SHOWN
from hetsel.words import signature_sentences
from hetsel.words.methods_section import (
    MISSING,
    SCALES,
    method_named,
    missing_told,
    seed_said,
)
from hetsel.words.signature_sentences import RULES
from hetsel.words.target_words import Facts, kind_of, words_of

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


def known(facts: Facts) -> dict[str, str]:
    """By number of the item what is known; items of which nothing is are left out."""
    told = {number: answer(facts) for number, answer in ANSWERS.items()}
    return {number: answer for number, answer in told.items() if answer}


def _see(key: str) -> str:
    return f"See “{TITLES[key]}”."


def _outcome(facts: Facts) -> str:
    target = f"target {shown(facts['target'])}: " if facts.get("target") else ""
    kinds = {
        "classes": f"classes {listed(map(str, facts['classes']), NAMED)}",
        "numbers": "a number",
        "survival": "a time with an event or without",
    }
    return f"{target}{kinds[kind_of(facts)]}."


def _candidates(facts: Facts) -> str:
    left = [name for one in facts.get("left_out", ()) for name in one["columns"]]
    out = f"; no candidates: {listed(left, NAMED)}" if left else ""
    listing = f" {_see('rows')}" if "candidates" in facts else ""
    return f"{counted(facts['columns'], 'candidate')}{out}.{listing}"


def _sample_size(facts: Facts) -> str:
    each = f"{facts['rows']:,} rows"
    if facts["classes"]:
        fewest = min(facts["class_rows"])
        each += f", {fewest:,} of the rarest class, {fewest / facts['columns']:.3g} of it for each"
        return each + " candidate."
    if kind_of(facts) == "survival":
        events = facts["told"]["events"]
        return f"{each}, {events:,} events, {events / facts['columns']:.3g} for each candidate."
    return f"{each}, {facts['rows'] / facts['columns']:.3g} for each candidate."


def _missing(facts: Facts) -> str:
    return f"{missing_told(facts)}. Missing cells were {MISSING[facts['missing']]}."


def _use(facts: Facts) -> str:
    one = facts["performance"]
    if one is None:
        return "All rows selected the features and trained the model; none were held out."
    return (
        f"All rows selected the features and trained the model; "
        f"{counted(one['runs'], 'nested cross-validation')} of {one['folds']} folds judged it. "
        "No rows were set apart."
    )


def _form(facts: Facts) -> str:
    scale = SCALES.get(facts.get("scale", ""))
    told = f"Continuous features {scale}; effects piecewise linear, by level of categorical ones."
    return told if scale else "Effects piecewise linear, by level of categorical features."


def _building(facts: Facts) -> str:
    words, _ = method_named(facts)
    size = RULES[facts["rule"]] if facts["rule"] else f"{facts['size']} features, given"
    return f"{words}; size: {size}; final model: {facts['model']}. {_see('how')}"


def _clusters(facts: Facts) -> str:
    if facts["groups"] is None:
        return ""
    return f"{facts['groups']:,} groups of rows, held out and permuted together."


def _measures(facts: Facts) -> str:
    one = facts["performance"]
    if one is None:
        return ""
    if "measures" in one:
        return f"{', '.join(measure['label'] for measure in one['measures'])}, with intervals."
    told = "Balanced classification rate, rate of each class, area under the ROC curve"
    if facts.get("probabilities"):
        told += "; Brier score, calibration intercept, slope and curve, net benefit"
    return f"{told}."


def _prediction(facts: Facts) -> str:
    return f"The sum of the effects. {_see('model')}" if "intercept" in facts else ""


def _imbalance(facts: Facts) -> str:
    if not facts["classes"]:
        return "No classes: does not apply."
    counts = zip(facts["classes"], facts["class_rows"], strict=True)
    each = ", ".join(f"class {shown(str(label))} {rows:,}" for label, rows in counts)
    told = (
        f"Rows: {each}. The final model weighs the classes alike, so that its decision value "
        "knows no prevalence; rates are by class"
    )
    if not facts.get("probabilities"):
        return f"{told}."
    return f"{told}. Probabilities know the shares of the classes among the rows, or as asked."


def _parts(facts: Facts) -> str:
    """Performance in parts of the rows, if it was asked for."""
    parts = (facts.get("probabilities") or {}).get("by") or ()
    columns = dict.fromkeys(shown(part["column"]) for part in parts)
    if not columns:
        return ""
    return f"Performance by {listed(columns, NAMED)}. {_see('probabilities')}"


def _output(facts: Facts) -> str:
    if kind_of(facts) == "numbers":
        return "A predicted number, in the unit of the target."
    if kind_of(facts) == "survival":
        return "A risk; larger means sooner."
    if one := facts.get("probabilities"):
        at = ", at the prevalence asked for" if one["prevalence"] is not None else ""
        costs = one.get("threshold")
        mark = f"; threshold from costs: {plain_number(costs, 3)}" if costs else ""
        return f"A probability of each class{at}{mark}. {_see('probabilities')}"
    if len(facts["classes"]) > 2:
        return "A decision value for each class; the largest says the class."
    return "A decision value; above 0 it says the positive class."


def _code(facts: Facts) -> str:
    return f"hetsel {facts['version']}, GPL-3.0-or-later, {seed_said(facts)}."


def _flow(facts: Facts) -> str:
    flow = facts.get("flow") or {}
    read = f"{flow['read']:,} rows read; " if flow.get("read") else ""
    out = [
        f"{flow[key]:,} {why}"
        for key, why in (("unlabeled", "without a target"), ("weightless", "of weight 0"))
        if flow.get(key)
    ]
    left = f"{' and '.join(out)} left out; " if out else ""
    return f"{read}{left}{facts['rows']:,} analyzed. {_see('rows')}"


def _characteristics(facts: Facts) -> str:
    if "candidates" not in facts:
        return ""
    return f"Ranges, levels and missing cells of the candidates. {_see('rows')}"


def _each_analysis(facts: Facts) -> str:
    if facts["classes"]:
        counts = zip(facts["classes"], facts["class_rows"], strict=True)
        told = ", ".join(f"{rows:,} of class {shown(str(label))}" for label, rows in counts)
    elif kind_of(facts) == "survival":
        one = facts["told"]
        longest = plain_number(one["longest"])
        told = f"{one['events']:,} events, followed until {longest}"
    else:
        told = "all with a number"
    return f"{facts['rows']:,} rows ({told}) in selection, model and cross-validation alike."


def _model(facts: Facts) -> str:
    names = listed((one["feature"] for one in facts["features"]), NAMED)
    where = "model" if "intercept" in facts else "features"
    return f"{counted(facts['size'], 'feature')}: {names}. {_see(where)}"


def _performance(facts: Facts) -> str:
    told = signature_sentences.performance(facts)
    test = facts["chance"]
    if not told:
        return facts["reason"]
    against = f" p = {test['pvalue']:.2g} against chance." if test is not None else ""
    parts = [told + against, signature_sentences.probabilities(facts), _parts(facts)]
    return " ".join(part for part in parts if part)


def _limits(facts: Facts) -> str:
    told = []
    if facts["performance"] is not None:
        told.append("Internal validation only, no rows from elsewhere")
    if facts["verdict"] == NOT_SHOWN:
        told.append(f"{facts['verdict']}, by {words_of(facts).tested}")
    if facts.get("few"):
        told.append(str(facts["few"]))
    if facts["stability"] is not None:
        told.append(f"stability of the selection {facts['stability']['nogueira']:.2f}")
    return f"{'; '.join(told)}." if told else ""


def _input(facts: Facts) -> str:
    fill = facts.get("fill")
    cells = "A missing cell is filled in as the model says; " if fill else ""
    told = f"{cells}a level never seen is refused, a value beyond the range counts as its end."
    return told[0].upper() + told[1:]


ANSWERS: dict[str, Callable[[Facts], str]] = {
    "8a": _outcome,
    "9a": _candidates,
    "10": _sample_size,
    "11": _missing,
    "12a": _use,
    "12b": _form,
    "12c": _building,
    "12d": _clusters,
    "12e": _measures,
    "12g": _prediction,
    "13": _imbalance,
    "14": _parts,
    "15": _output,
    "18f": _code,
    "20a": _flow,
    "20b": _characteristics,
    "21": _each_analysis,
    "22": _model,
    "23a": _performance,
    "26": _limits,
    "27a": _input,
}


# The items of TRIPOD+AI in words of our own, and what a program cannot know of each.


class Item(NamedTuple):
    """A part of the checklist.

    Parameters
    ----------
    number : str
    section : str
    topic : str
        What it is about.
    write : str
        What the authors must write; empty where all of it can be known here.
    """

    number: str
    section: str
    topic: str
    write: str


ITEMS = (
    Item("1", "title", "kind of study in the title", "say developed or evaluated, whom, outcome"),
    Item("2", "abstract", "what it holds", "follow the TRIPOD+AI list for abstracts"),
    Item("3a", "introduction", "clinical context", "say diagnosis or prognosis, why, what exists"),
    Item("3b", "introduction", "whom it is for, and who uses it", "say where in care it stands"),
    Item("3c", "introduction", "known inequalities", "say between which groups of people"),
    Item("4", "introduction", "aims", "say whether the study develops, evaluates, or both"),
    Item(
        "5a",
        "methods",
        "where the data come from",
        "say cohort, registry, trial; why these; whom they stand for",
    ),
    Item("5b", "methods", "dates", "say begin and end of inclusion and of follow-up"),
    Item("6a", "methods", "setting", "say centers, how many, where"),
    Item("6b", "methods", "eligibility", "say who was included and who was not"),
    Item("6c", "methods", "treatments", "say which were given, and how they were dealt with"),
    Item("7", "methods", "preparation of the data", "say what was done before hetsel read them"),
    Item("8a", "methods", "outcome", "define it: what, when, how assessed, at which time"),
    Item("8b", "methods", "who judged the outcome", "say their training, if judgment is needed"),
    Item("8c", "methods", "blinding of the outcome", "say what its judges knew"),
    Item("9a", "methods", "choice of candidate predictors", "say why these were offered"),
    Item("9b", "methods", "definition of predictors", "say how and when each was measured"),
    Item("9c", "methods", "who judged predictors", "say their training, if judgment is needed"),
    Item("10", "methods", "sample size", "say why so many, by which calculation"),
    Item("11", "methods", "missing data", "say why any data were left out"),
    Item("12a", "methods", "use of the data", ""),
    Item("12b", "methods", "form of the predictors", "say what was transformed before"),
    Item("12c", "methods", "model, its building and internal validation", "say why this method"),
    Item("12d", "methods", "differences between clusters", "say how centers or countries differ"),
    Item("12e", "methods", "measures of performance", "say which matter for the decision"),
    Item("12f", "methods", "updating", "say so of an evaluation: recalibrated, for whom, or not"),
    Item("12g", "methods", "how predictions are made", "say so of an evaluation: formula or file"),
    Item("13", "methods", "balance of the classes", ""),
    Item("14", "methods", "fairness", "say what was done to be fair to which groups"),
    Item("15", "methods", "output of the model", "say what a user sees, and any threshold"),
    Item(
        "16", "methods", "development against evaluation", "say how data differ, if there are both"
    ),
    Item("17", "methods", "ethics", "name the board, the approval, the consent"),
    Item("18a", "open science", "funding", "name sources and their part"),
    Item("18b", "open science", "conflicts of interest", "declare those of all authors"),
    Item("18c", "open science", "protocol", "say where it is, or that there is none"),
    Item("18d", "open science", "registration", "give registry and number, or say not registered"),
    Item("18e", "open science", "sharing of data", "say where and how they can be had"),
    Item("18f", "open science", "sharing of code", "publish the call and the saved signature"),
    Item("19", "patients", "patients and the public", "say how they took part, or that none did"),
    Item(
        "20a",
        "results",
        "flow of participants",
        "say who never came into the table, and the follow-up",
    ),
    Item(
        "20b",
        "results",
        "characteristics",
        "give a table of them, by source and by group of people",
    ),
    Item("20c", "results", "against the development data", "compare predictors, in an evaluation"),
    Item("21", "results", "participants and events in each analysis", ""),
    Item("22", "results", "the full model", "say where the saved file can be had, on which terms"),
    Item("23a", "results", "performance with intervals", "give it for subgroups that matter"),
    Item("23b", "results", "performance by cluster", "give it by center or country, if several"),
    Item("24", "results", "results of updating", "give the updated model, in an evaluation"),
    Item("25", "discussion", "interpretation", "say what it means, fairness and other studies too"),
    Item("26", "discussion", "limitations", "name them: who is missing, bias, overfitting"),
    Item("27a", "discussion", "poor or missing input in use", "say what a user should do then"),
    Item("27b", "discussion", "users", "say what they must do and know"),
    Item("27c", "discussion", "next steps", "say what must follow: evaluation elsewhere first"),
)
