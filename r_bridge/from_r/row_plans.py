"""How many rows a study needs, for R: the plan as plain vectors."""

from collections.abc import Mapping

from msgspec import Struct

from hetsel.evaluation.progress import of_step
from hetsel.ground.sealed_json import plain_values
from hetsel.questions.asked_values import read_asked
from hetsel.questions.plan_rows import PlanRows
from hetsel.signature.planning.row_plan import RowPlan
from hetsel.signature.planning.row_plan import plan_rows as planned
from hetsel.words.plan_sentences import sentences
from r_bridge.from_r.asked import (
    Column,
    Frame,
    Kinds,
    Options,
    Target,
    groups_of,
    parameters_of,
    whole,
)
from r_bridge.from_r.described import as_told, rows_of
from r_bridge.from_r.described import kinds_of_columns as kinds
from r_bridge.from_r.signatures import lines_on_stderr, signature_asked
from r_bridge.r_vectors import RVector

CRITERION = kinds(str, "purpose", "asks") | {"rows": int, "events": float, "source": str}
POINT = {"rows": int} | kinds(float, "rate", "spread", "error") | {"repeats": int}
BAND = {"rows": int} | kinds(float, "rate", "low", "high")
FOUND = {"rows": int} | kinds(float, "share", "low", "high", "error") | {"repeats": int}


class RowPlanAnswer(Struct, kw_only=True):
    """The rows that a study needs."""

    rows: int | None
    asked_by: str
    validation_rows: int | None
    criteria: RVector
    points: RVector  # of the learning curve
    band: RVector
    measure: str
    law: object
    signature_size: object
    rate: dict[str, tuple[float, ...]] | None
    found: RVector
    effect: object
    target_kind: str
    expected: Mapping[str, object]
    from_table: tuple[str, ...]
    lacking: tuple[str, ...]
    sentences: tuple[str, ...]


def plan_rows(
    asked: Options,
    columns: Frame | None = None,
    target: Target | None = None,
    method: str = "rfe-mkl",
    size: str | float | None = None,
    missing: str = "impute",
    kinds: Kinds | None = None,
    seed: float = 0,
    row_groups: Column | None = None,
    options: Options | None = None,
    jobs: float | None = 1,
    parameters: Options | None = None,
    progress: bool = False,
) -> RowPlanAnswer:
    """Plan the rows of a study; as :func:`hetsel.plan_rows` does in Python."""
    options_of_plan = read_asked(PlanRows, asked)
    if columns is None or target is None:
        return contents(planned(**options_of_plan))
    named = {"key": str(method), "params": parameters_of(str(method), parameters or {})}
    given = {"method": named, "size": whole(size), "missing": missing}
    signature = signature_asked(given, kinds or {}, seed, options or {}, jobs)
    found = planned(
        columns,
        as_told(target, len(columns), signature.target_kind),
        groups=groups_of(row_groups, len(columns)),
        signature=signature,
        progress=of_step(lines_on_stderr() if progress else None, "tables"),
        **options_of_plan,
    )
    return contents(found)


def contents(found: RowPlan) -> RowPlanAnswer:
    """What a plan says."""
    facts = plain_values(found.facts())
    curve, rate = facts["curve"] or {}, facts["rate"]
    kept = ("rows", "validation_rows", "target_kind", "effect", "expected")
    return RowPlanAnswer(
        **{name: facts[name] for name in kept},
        asked_by=facts["asked_by"] or "",
        criteria=rows_of(facts["criteria"], CRITERION),
        points=rows_of(curve.get("points", ()), POINT),
        band=rows_of(curve.get("band", ()), BAND),
        found=rows_of(facts["found"], FOUND),
        measure=curve.get("measure", ""),
        law=curve.get("law"),
        signature_size=curve.get("size"),
        rate=rate and {name: (value,) for name, value in rate.items()},
        from_table=tuple(facts["from_table"]),
        lacking=tuple(facts["lacking"]),
        sentences=tuple(sentences(found.facts())),
    )
