"""How many rows a study needs, for R: the plan as plain vectors."""

from collections.abc import Mapping, Sequence
from typing import Any

from hetsel.evaluation.progress import of_step
from hetsel.ground.sealed_json import plain_values
from hetsel.questions.asked_values import read_asked
from hetsel.questions.plan_rows import PlanRows
from hetsel.signature.planning.row_plan import RowPlan
from hetsel.signature.planning.row_plan import plan_rows as planned
from hetsel.words.plan_sentences import sentences
from r_bridge.from_r.answering import answer
from r_bridge.from_r.described import NONE, as_told, by_column
from r_bridge.from_r.fitted import groups_of, parameters_of
from r_bridge.from_r.signatures import lines_on_stderr, signature_asked
from r_bridge.from_r.vectors import frame_of, target_of, whole

CRITERIA = ("purpose", "asks", "rows", "events", "source")
TABLES = {
    "points": ("rows", "rate", "spread", "error", "repeats"),
    "band": ("rows", "rate", "low", "high"),
    "found": ("rows", "share", "low", "high", "error", "repeats"),
}


@answer
def plan_rows(
    asked: Mapping[str, Any],
    columns: Sequence[Mapping[str, Any]] | None = None,
    target: Mapping[str, Any] | None = None,
    method: str = "rfe-mkl",
    size: str | float | None = None,
    missing: str = "impute",
    kinds: Mapping[str, Any] | None = None,
    seed: float = 0,
    row_groups: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    jobs: float | None = 1,
    parameters: Mapping[str, Any] | None = None,
    progress: bool = False,
) -> dict[str, Any]:
    """Plan the rows of a study; as :func:`hetsel.plan_rows` does in Python.

    Parameters
    ----------
    asked : dict
        The options of :class:`hetsel.questions.plan_rows.PlanRows`; None is not said.
    columns, target, method, size, missing, kinds, seed, row_groups, options, jobs, parameters, \
progress
        As :func:`r_bridge.from_r.entry_points.select` takes them; no columns are no table.

    Returns
    -------
    dict
        ``rows``, ``asked_by``, ``validation_rows``; by column ``criteria``, ``points`` and ``band``
        of the learning curve, and ``found``; ``law``, ``effect``, ``rate``, ``measure``;
        ``expected``; ``from_table``, ``lacking`` and ``sentences``.
    """
    options_of_plan = read_asked(PlanRows, asked)
    if columns is None or target is None:
        return contents(planned(**options_of_plan))
    named = {"key": str(method), "params": parameters_of(str(method), parameters or {})}
    given = {"method": named, "size": whole(size), "missing": missing}
    signature = signature_asked(given, kinds or {}, seed, options or {}, jobs)
    frame, y = frame_of(columns), target_of(target)
    found = planned(
        frame,
        as_told(y, len(frame), signature.target_kind),
        groups=groups_of(row_groups, len(frame)),
        signature=signature,
        progress=of_step(lines_on_stderr() if progress else None, "tables"),
        **options_of_plan,
    )
    return contents(found)


def contents(found: RowPlan) -> dict[str, Any]:
    """What a plan says, see :func:`plan_rows`; NaN stands for None."""
    facts = plain_values(found.facts())
    curve = facts["curve"] or {}
    tables = {"points": curve.get("points", []), "band": curve.get("band", [])}
    tables["found"] = facts["found"]
    return {
        **{name: _or_nan(facts[name]) for name in ("rows", "validation_rows")},
        "asked_by": facts["asked_by"] or "",
        "target_kind": facts["target_kind"],
        "criteria": by_column(facts["criteria"], CRITERIA),
        **{name: by_column(rows, TABLES[name]) for name, rows in tables.items()},
        "measure": curve.get("measure", ""),
        "law": curve.get("law"),
        "signature_size": curve.get("size"),
        "effect": facts["effect"],
        "rate": facts["rate"] and {name: _or_nan(value) for name, value in facts["rate"].items()},
        "expected": {
            k: list(v) if isinstance(v, tuple) else v for k, v in facts["expected"].items()
        },
        "from_table": facts["from_table"],
        "lacking": facts["lacking"],
        "sentences": sentences(found.facts()),
    }


def _or_nan(value: Any) -> Any:
    return NONE if value is None else value
