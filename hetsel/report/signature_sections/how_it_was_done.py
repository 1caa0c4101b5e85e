"""All steps of the analysis that used the data, in order, and which used the target."""

from collections.abc import Iterator

import pandas as pd

from hetsel import __version__
from hetsel.ground import listed, plain_number
from hetsel.methods.registry import get_method, method_keys
from hetsel.report.elements.blocks import Names, PrintedTable, Shown
from hetsel.signature.joint_effects import FOLDS, MOST_FEATURES
from hetsel.words import methods_section, phrases, signature_sentences
from hetsel.words.target_words import Facts, risk_slope, words_of

ProcedureStep = tuple[
    str, str, str, str
]  # step, description, whether it used the target, whether it was repeated in each fold
YES, NO, JUDGES = "yes", "no", "only to score predictions"
OTHERS = "yes, by an inner cross-validation"
FEWEST = 2 * FOLDS  # rows of a class with which interactions are searched
AFTER = "no: signature and performance do not depend on it"


def blocks(facts: Facts) -> Iterator[Shown]:
    """Yield the steps and the settings."""
    steps = [*_treatment(facts), *_answer(facts), *_judgement(facts), *_further(facts)]
    rows = [[f"{k}. {name}", *cells] for k, (name, *cells) in enumerate(steps, 1)]
    head = ["step", "description", "used the target", "repeated for each fold"]
    note = (
        "The estimates do not account for decisions before this analysis, such as the choice of "
        "the candidates, of the method and of its settings. If these rows influenced such a "
        "decision, the estimates can be too good. Report how you made these decisions."
    )
    yield PrintedTable(
        "steps",
        "Analysis steps that used the data, in order.",
        head,
        rows,
        note=note,
        of_words=True,
    )
    yield _settings(facts)


def _treatment(facts: Facts) -> Iterator[ProcedureStep]:
    """Yield the treatment of rows and values."""
    if facts.duplicate_rows:
        one = facts.duplicate_rows
        what = f"{one.rows:,} duplicate rows formed {phrases.count(one.groups, 'row group')}"
        yield "duplicate rows", what, NO, "no: once, before all other steps"
    elif facts.groups is not None:
        what = (
            f"{facts.groups:,} specified row groups stay together in folds, half-samples and tests"
        )
        yield "row groups", what, NO, "no: once, before all other steps"
    yield "missing values", methods_section.MISSING[facts.missing], NO, YES
    yield "scale", f"continuous features are {methods_section.SCALES[facts.scale]}", NO, YES


def _answer(facts: Facts) -> Iterator[ProcedureStep]:
    """Yield the steps that lead to the signature."""
    one, test = facts.performance, facts.permutation_test
    if facts.rule:
        folds = f"{one.folds} folds" if one else "folds"
        rule = signature_sentences.rule(facts)
        size = f"cross-validation with {folds}: {rule}; {phrases.count(facts.size, 'feature')}"
        yield "size", size, YES, OTHERS
    else:
        yield "size", f"{phrases.count(facts.size, 'feature')}, specified in advance", NO, "–"
    anew = YES if one or test else "–"
    words = methods_section.method_in_words(methods_section.method_named(facts)[0])
    model = methods_section.model_in_words(facts.model)
    kept = f"; always included: {listed(facts.always, 12)}" if facts.always else ""
    yield "selection", f"{words}, on all rows{kept}", _looks(facts), anew
    yield "final model", f"{model}, trained with the selected features on all rows", YES, anew


def _looks(facts: Facts) -> str:
    """State whether the method uses the target; some ignore it."""
    key = facts.method
    return NO if key in method_keys() and "blind" in get_method(key).about.flaws else YES


def _judgement(facts: Facts) -> Iterator[ProcedureStep]:
    """Yield the steps that evaluate the signature."""
    one, test, words = facts.performance, facts.permutation_test, words_of(facts)
    if one is not None:
        held = ", whole row groups held out" if facts.groups is not None else ""
        how = f"{phrases.count(one.runs, 'nested cross-validation')} with {one.folds} folds{held}"
        if one.training_gain is not None:
            how += f"; training gain {one.training_gain:+z.3f}"
        yield (
            "performance",
            how,
            JUDGES,
            "–",
        )
        if facts.kind == "survival":
            slope = plain_number(risk_slope(facts), 3)
            yield (
                "unit of the risk score",
                f"slope of a Cox model on the held-out risk scores, {slope}: converts effects to "
                "log relative risks; does not change the order of risk scores",
                YES,
                "no: from held-out rows",
            )
    if probabilities := facts.probabilities:
        yield (
            "probabilities",
            f"{methods_section.a_map(probabilities.map)}. The logistic map, which has the fewest "
            "parameters, is used unless another map is clearly better on held-out rows",
            YES,
            OTHERS,
        )
    if test is not None:
        yield (
            "permutation test",
            f"{len(test.permuted)} permutations of the {words.permuted}. For each, selection and "
            f"training are repeated in {methods_section.runs_of(test)}",
            "yes: original and permuted",
            "no: has its own folds",
        )


def _further(facts: Facts) -> Iterator[ProcedureStep]:
    """Yield the steps that add information on the signature."""
    if facts.stability is not None:
        what = f"selection repeated in {facts.stability.half_samples} half-samples"
        yield "stability", what, YES, AFTER
        what = "models with one selected feature replaced, on held-out rows"
        if facts.performance is not None:
            yield "alternatives", what, YES, AFTER
    if facts.performance is None:
        return
    if "joint effects" in facts.not_computed:
        yield "interactions", "not searched, because the run was quick", NO, "–"
    elif facts.kind == "classes":
        if why := _unsearched(facts):
            yield "interactions", f"not searched, because {why}", NO, "–"
            return
        found = "one found" if facts.interaction else "none found that improves the model clearly"
        yield "interactions", f"search for an interaction of two features: {found}", YES, AFTER
    else:
        what = "not searched: this is done only for a target of classes"
        yield "interactions", what, NO, "–"


def _unsearched(facts: Facts) -> str:
    """State why no interaction was searched; empty if one was."""
    if facts.columns > MOST_FEATURES:
        return f"there are more than {MOST_FEATURES} features"
    if facts.columns < 2:
        return "there is only one feature"
    if facts.groups is None and min(facts.class_rows) < FEWEST:
        return f"a class has fewer than {FEWEST} rows"
    return ""


def _settings(facts: Facts) -> Names:
    given = facts.parameters
    meant = {name: f" ({words})" for name, words in facts.stands_for.items()}
    each = [f"{name} = {value}{meant.get(name, '')}" for name, value in given.items()]
    parameters = ", ".join(each) or "no parameters"
    rarest = f"{int(pd.Series(facts.class_rows).min()):,}" if facts.classes else ""
    settings = [
        ("method", f"{facts.method} ({parameters})"),
        ("final model", facts.model),
        ("missing values", facts.missing),
        ("option scale", facts.scale),
        ("rows of the rarest class", rarest),
        ("seed", "not set" if facts.seed is None else str(facts.seed)),
        ("hetsel", f"signature from version {facts.version}, page from version {__version__}"),
    ]
    return Names([(name, value) for name, value in settings if value])
