"""Every step that looked at the data, in order, and which of them looked at the target."""

from collections.abc import Iterator

import pandas as pd

from hetsel import __version__
from hetsel.ground import counted, listed, plain_number
from hetsel.methods.registry import get_method, method_keys
from hetsel.report.elements.blocks import Names, PrintedTable, Shown
from hetsel.signature.joint_effects import MOST_FEATURES
from hetsel.words import methods_section, signature_sentences
from hetsel.words.target_words import Facts, risk_slope, words_of

ProcedureStep = tuple[
    str, str, str, str
]  # step, what was done, looked at the target, anew without a fold
YES, NO, JUDGES = "yes", "no", "judges"
AFTER = "no: said beside the answer, no part of it"


def blocks(facts: Facts) -> Iterator[Shown]:
    """The steps, and the settings."""
    steps = [*_treatment(facts), *_answer(facts), *_judgement(facts), *_further(facts)]
    rows = [[f"{k}. {name}", *told] for k, (name, *told) in enumerate(steps, 1)]
    head = ["step", "what was done", "looked at the target", "done anew without a fold"]
    note = (
        "What was decided before, which columns to offer, the method and its settings, is no step "
        "of this program and in no estimate: say how it was decided."
    )
    yield PrintedTable(
        "steps", "Data-driven steps, in order.", head, rows, note=note, of_words=True
    )
    yield _settings(facts)


def _treatment(facts: Facts) -> Iterator[ProcedureStep]:
    """What is done to rows and cells."""
    if facts.copies:
        one = facts.copies
        what = f"{one.rows:,} rows that equal others became {counted(one.groups, 'group')}"
        yield "copies grouped", what, NO, "no: once, before all else"
    elif facts.groups is not None:
        what = f"{facts.groups:,} groups, as given, stay together in folds, halves and tests"
        yield "rows grouped", what, NO, "no: once, before all else"
    yield "missing cells", f"missing cells are {methods_section.MISSING[facts.missing]}", NO, YES
    yield "scale", f"continuous features enter {methods_section.SCALES[facts.scale]}", NO, YES


def _answer(facts: Facts) -> Iterator[ProcedureStep]:
    """What the answer comes from."""
    one, test = facts.performance, facts.chance
    if facts.rule:
        folds = f"{one.folds} folds" if one else "folds"
        rule = signature_sentences.RULES[facts.rule]
        size = f"by cross-validation in {folds}: {rule}; {facts.size} features"
        yield "size", size, YES, "yes: by the other folds"
    else:
        yield "size", f"{facts.size} features, as given", NO, "–"
    anew = YES if one or test else "–"
    words, _ = methods_section.method_named(facts)
    kept = f"; always in: {listed(facts.always, 12)}" if facts.always else ""
    yield "selection", f"{words}, on all rows{kept}", _looks(facts), anew
    yield "final model", f"{facts.model}, of the features selected, on all rows", YES, anew


def _looks(facts: Facts) -> str:
    """Whether the method looks at the target: some are blind to it."""
    key = facts.method
    return NO if key in method_keys() and "blind" in get_method(key).about.flaws else YES


def _judgement(facts: Facts) -> Iterator[ProcedureStep]:
    """What judges the answer."""
    one, test, words = facts.performance, facts.chance, words_of(facts)
    if one is not None:
        held = ", those of a group together" if facts.groups is not None else ""
        how = f"{counted(one.runs, 'nested cross-validation')} of {one.folds} folds{held}"
        if one.learning is not None:
            how += (
                f"; what learning from all rows adds ({one.learning:+z.3f}) by models that leave "
                "out two folds"
            )
        yield (
            "performance",
            how,
            JUDGES,
            YES,
        )
        if facts.kind == "survival":
            slope = plain_number(risk_slope(facts), 3)
            yield (
                "unit of the risk",
                f"slope of Cox's model of the held-out risks, {slope}: effects become log relative "
                "risks; it changes no order of risks",
                YES,
                "no: from rows that were held out",
            )
    if probabilities := facts.probabilities:
        yield (
            "probabilities",
            f"a {probabilities.map} map from decision values to probabilities: the one with the "
            "fewest parameters, unless another is clearly better on held-out rows",
            YES,
            "yes: by the other folds",
        )
    if test is not None:
        yield (
            "test against chance",
            f"{len(test.permuted)} permutations of the {words.permuted}, selection and model "
            f"anew for each in {test.folds} folds; {words.tested} of held-out rows, at the size "
            f"where it is largest, mean of {counted(test.draws, 'draw')} of folds; of a "
            "permutation as many folds as tell on which side of that it lies",
            f"{JUDGES}, and permuted",
            YES,
        )


def _further(facts: Facts) -> Iterator[ProcedureStep]:
    """What is said beside the answer."""
    if facts.stability is not None:
        what = f"selected again in {facts.stability.halves} halves of the rows"
        yield "stability", what, YES, AFTER
        what = "models with one feature of the signature replaced, on held-out rows"
        if facts.performance is not None:
            yield "alternatives", what, YES, AFTER
    if facts.performance is None:
        return
    if "joint effects" in facts.lacks:
        yield "joint effects", "not looked for, as it was to be quick", NO, "–"
    elif facts.kind == "classes":
        what = (
            "a look for a pair of features that tells more together than one by one, if there are "
            f"rows enough and {MOST_FEATURES} features at the most: "
        )
        found = "found" if facts.joint else "none told"
        yield "joint effects", what + found, YES, AFTER
    else:
        what = (
            "Pairs of features that tell more together than one by one are looked for only where "
            "the target holds classes"
        )
        yield "joint effects", what, NO, "–"


def _settings(facts: Facts) -> Names:
    given = facts.parameters
    meant = {name: f" ({words})" for name, words in facts.stands_for.items()}
    told = [f"{name} = {value}{meant.get(name, '')}" for name, value in given.items()]
    parameters = ", ".join(told) or "none"
    rarest = f"{int(pd.Series(facts.class_rows).min()):,}" if facts.classes else ""
    settings = [
        ("method", f"{facts.method} ({parameters})"),
        ("final model", facts.model),
        ("missing cells", facts.missing),
        ("scale of numbers", facts.scale),
        ("rows of the rarest class", rarest),
        ("seed", "none was set" if facts.seed is None else str(facts.seed)),
        ("hetsel", f"{facts.version}; this page {__version__}"),
    ]
    return Names([(name, value) for name, value in settings if value])
