"""The summary of an answer, in sentences."""

from typing import Any

from hetsel.signature import estimator, saved_signature, signature_facts
from hetsel.signature.planning import plan_facts, row_plan
from hetsel.signature.validation.validated import Validation
from hetsel.words import plan_sentences, signature_sentences, validation_sentences


def summary(
    found: estimator.Signature
    | saved_signature.SavedSignature
    | signature_facts.SignatureFacts
    | Validation
    | row_plan.RowPlan
    | plan_facts.PlanFacts,
) -> str:
    """Summarize a signature, a validation or a plan of rows, one sentence per line.

    Parameters
    ----------
    found : Signature, SavedSignature, Validation or RowPlan
        A fitted signature, a signature from its file, the result of
        :func:`hetsel.validate_signature` or of :func:`hetsel.plan_rows`, or the facts of one of
        these.

    Returns
    -------
    str
        One sentence per line, the most important first.

    Examples
    --------
    >>> import hetsel
    >>> plan = hetsel.plan_rows(candidates=24, prevalence=0.174, r2=0.288)
    >>> hetsel.summary(plan).splitlines()[0].partition(" (")[0]
    'SAMPLE SIZE: 662 rows'
    """
    facts: Any = (
        found.facts() if isinstance(found, estimator.Signature | row_plan.RowPlan) else found
    )
    facts = facts.facts if isinstance(facts, saved_signature.SavedSignature) else facts
    if isinstance(facts, Validation):
        said = validation_sentences.sentences(facts)
    elif isinstance(facts, plan_facts.PlanFacts):
        said = plan_sentences.sentences(facts)
    else:
        said = signature_sentences.sentences(facts)
    return "\n".join(said)
