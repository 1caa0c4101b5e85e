"""The judges of each kind of target in a plan, whose data sets may have several kinds.

With one kind, all judges of the plan judge all data sets. With several kinds, a data set has the
default judge of its kind, or the judges of the plan that accept its kind. A judge whose defaults
differ between the kinds has the kind in its label, except for the first of them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from hetsel.evaluation.by_key import judges_by_key
from hetsel.evaluation.by_key.judges_by_key import ClassifierSpec
from hetsel.ground import PlanError, listed
from hetsel.study.plan.plan import Plan
from hetsel.tables import TargetKind

JudgesByKind = dict[TargetKind, tuple[ClassifierSpec, ...]]
AnyPlan = TypeVar("AnyPlan", bound=Plan)


def judges_by_kind(plan: Plan, kinds: Iterable[TargetKind]) -> JudgesByKind:
    """Return the judges of each kind, in the order of the plan.

    Raises
    ------
    PlanError
        If there are several kinds, and a judge accepts none or a kind has no judge.
    """
    kinds = list(dict.fromkeys(kinds))
    if len(kinds) == 1:
        return {kinds[0]: plan.for_kind(kinds[0]).classifiers}
    if judges_by_key.is_default(plan.classifiers):
        return {kind: judges_by_key.default_judges(kind) for kind in kinds}
    found: JudgesByKind = dict.fromkeys(kinds, ())
    for judge in plan.classifiers:
        accepted = [kind for kind in kinds if kind in judge.kinds]
        if not accepted:
            raise PlanError(
                f"classifiers: {judge.label} accepts {listed(judge.kinds)}, but the data sets have "
                f"targets of {listed(kinds)}. Leave it out"
            )
        first = judge.for_kind(accepted[0])
        for kind in accepted:
            own = judge.for_kind(kind)
            if own.params != first.params:
                own = replace(own, label=f"{judge.label} ({kind})")
            found[kind] = (*found[kind], own)
    for kind, judges in found.items():
        if not judges:
            raise PlanError(
                f"classifiers must have a judge for each kind of target: {listed(kinds)}. None of "
                f"them accepts {kind}. Add one, or leave classifiers out"
            )
    return found


def with_judges(plan: AnyPlan, judges: Mapping[TargetKind, Sequence[ClassifierSpec]]) -> AnyPlan:
    """Return the plan with the judges of all its kinds, which keep the order of the plan."""
    if len(judges) == 1:
        return plan.for_kind(next(iter(judges)))
    place = {judge.label: k for k, judge in enumerate(plan.classifiers)}
    places = {
        judge: place.get(judge.label.removesuffix(f" ({kind})"), place.get(judge.label, 0))
        for kind, own in judges.items()
        for judge in own
    }
    return replace(plan, classifiers=tuple(sorted(places, key=lambda judge: places[judge])))
