"""Sample size plans for R."""

from typing import Any

import pandas as pd

from hetsel.evaluation.progress import of_step
from hetsel.ground.sealed_json import plain_values
from hetsel.questions.asked_values import read_asked
from hetsel.questions.plan_rows import PlanRows
from hetsel.signature.planning.learning_curve import CurvePoint
from hetsel.signature.planning.row_plan import RowPlan
from hetsel.signature.planning.row_plan import plan_rows as planned
from hetsel.words.plan_sentences import sentences
from r_bridge.from_r.asked import Cells, Labels, groups_of
from r_bridge.from_r.described import as_told
from r_bridge.from_r.signatures import lines_on_stderr, signature_asked
from r_bridge.r_vectors import Values, as_vector, fields, kinds, named_list, table, texts

CRITERION = kinds(str, "purpose", "asks") | {"rows": int, "events": float, "source": str}
BAND = {"rows": int} | kinds(float, "estimate", "low", "high")


def plan_rows(
    asked: Values,
    columns: pd.DataFrame | None = None,
    target: Labels | None = None,
    method: str = "rfe-mkl",
    size: str | float | None = None,
    row_groups: Cells | None = None,
    progress: bool = False,
    **of_signature: Any,
) -> Values:
    """Plan the number of rows of a study like :func:`hetsel.plan_rows`."""
    options_of_plan = read_asked(PlanRows, asked)
    if columns is None or target is None:
        return contents(planned(**options_of_plan))
    signature = signature_asked(str(method), size, **of_signature)
    found = planned(
        columns,
        as_told(target, len(columns), signature.target_kind),
        groups=groups_of(row_groups, len(columns)),
        signature=signature,
        progress=of_step(lines_on_stderr() if progress else None, "tables"),
        **options_of_plan,
    )
    return contents(found)


def contents(found: RowPlan) -> Values:
    """Convert a sample size plan."""
    answer = found.facts()
    facts, curve = plain_values(answer), answer.curve
    return {
        **fields(answer, "rows"),
        "asked_by": answer.asked_by or "",
        **fields(answer, "validation_rows"),
        "criteria": table(facts["criteria"], CRITERION),
        "points": as_vector(curve.points if curve else [], list[CurvePoint]),
        "band": table(facts["curve"]["band"] if curve else (), BAND),
        "measure": curve.measure if curve else "",
        "law": curve and curve.law,
        "signature_size": curve and curve.size,
        "rate": facts["rate"] and named_list(facts["rate"], float),
        **fields(answer, "found", "effect", "target_kind"),
        "expected": facts["expected"],
        **fields(answer, "from_table", "lacking"),
        "sentences": texts(sentences(answer)),
    }
