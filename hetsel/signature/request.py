"""Check what a signature is asked for, and put its rows into the canonical order."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from hetsel.evaluation.by_key import judges_by_key, methods_by_key
from hetsel.evaluation.data.encoded_data import EncodedData
from hetsel.evaluation.size_rules import RULES
from hetsel.ground import TableError, did_you_mean, listed, seed_drawn, whole_number
from hetsel.methods.registry import refuse_weights
from hetsel.models.rows_in_bins import ROWS_WORTH_BINNING
from hetsel.resampling.row_parts import canonical_rows, problem_in_order
from hetsel.selection import Problem, answer, column_choices
from hetsel.signature.final_models import FINAL_MODELS, penalty_of
from hetsel.signature.nested.against_chance import LEVEL, fewest_permutations
from hetsel.signature.probabilities.asked_probabilities import (
    AskedProbabilities,
    asked_probabilities,
)
from hetsel.signature.probabilities.subgroups import Subgroups, subgroups_of
from hetsel.signature.procedure import SignatureProcedure
from hetsel.tables import Table, as_frame, find_column, frame_or_array, survival_times, validation
from hetsel.tables.target import (
    Classes,
    Numbers,
    TargetKind,
    TypedTarget,
    read_target,
    weighed_rows,
)

# defaults for up to ROWS_WORTH_BINNING rows, and for more
EFFORTS = {"folds": (10, 5), "repeats": (3, 1), "pairs": (50, 20)}
FEWEST = {"folds": 3, "repeats": 1, "pairs": 0}
QUICK = {"repeats": 1, "pairs": 0, "permutations": 0}  # defaults of a quick signature


def procedure_of(
    asked: Any, names: Sequence[str], kind: TargetKind = "classes", rows: int = 0
) -> SignatureProcedure:
    """Check the parameters of a :class:`hetsel.Signature` and return its procedure.

    Larger tables have fewer repeats; `rows` counts those with weight.
    """
    rule = FINAL_MODELS[kind].rule if asked.size is None else asked.size
    if isinstance(rule, str) and rule not in RULES:
        hint = did_you_mean(rule, RULES)
        raise TableError(f"size must be one of {', '.join(RULES)}, or a number. Got {rule!r}{hint}")
    methods = [_spec_of(one, kind) for one in methods_of(asked.method)]
    given = column_choices.positions(names, asked.always) or column_choices.positions(
        names, methods[0].params.get("always")
    )
    always = tuple(names[j] for j in given)
    if always:
        methods = [replace(one, params={**one.params, "always": always}) for one in methods]
    size = rule if isinstance(rule, str) else answer.check_size(rule, len(names))
    if not isinstance(size, str) and size < len(always):
        raise TableError(
            f"size must be at least {len(always)}, since {listed(always)} "
            f"{'is' if len(always) == 1 else 'are'} always included. Got {size}"
        )
    if not isinstance(asked.quick, bool | np.bool_):
        raise TableError(f"quick must be True or False. Got {asked.quick!r}")
    given_efforts = {name: getattr(asked, name) for name in (*EFFORTS, "permutations")}
    if asked.quick:
        given_efforts |= {k: v for k, v in QUICK.items() if given_efforts[k] is None}
    efforts = {name: _effort(name, given_efforts[name], rows) for name in EFFORTS}
    permutations = given_efforts["permutations"]
    if permutations is not None:
        permutations = whole_number("permutations", permutations, 0)
        fewest = fewest_permutations(LEVEL / len(methods))
        if 0 < permutations < fewest:
            among = f" among {len(methods)} methods" if len(methods) > 1 else ""
            raise TableError(
                f"permutations must be 0 (no test) or at least {fewest}, to reject at "
                f"{LEVEL}{among}. Got {permutations}"
            )
    entry = FINAL_MODELS[kind].entry(penalty_of(kind, asked.C))
    return SignatureProcedure(
        methods[0],
        judges_by_key.ClassifierSpec.of("the final model", entry).for_kind(kind),
        size,
        efforts["folds"],
        efforts["repeats"],
        permutations,
        efforts["pairs"],
        seed_drawn("random_state", asked.random_state),
        tuple(methods[1:]),
        bool(asked.quick),
    )


def methods_of(method: object) -> list[object]:
    """Return the requested methods: one, or a sequence of several.

    Examples
    --------
    >>> methods_of("rfe-mkl"), methods_of(["hsic", "rfe-mkl"])
    (['rfe-mkl'], ['hsic', 'rfe-mkl'])
    """
    if not isinstance(method, list | tuple):
        return [method]
    given = [*method]
    if not given or any(one in given[:k] for k, one in enumerate(given)):
        raise TableError(f"method must be one method or several different ones. Got {method!r:.80}")
    return given


def _spec_of(method: object, kind: TargetKind) -> methods_by_key.MethodSpec:
    return balanced(method) if kind == "classes" else _untuned(method)


def _untuned(method: object) -> methods_by_key.MethodSpec:
    spec = methods_by_key.MethodSpec.of("method", method)
    if spec.tune:
        raise TableError(
            f"tune is for the methods of a study. Got {listed(spec.tune)}. Leave it out, or name "
            "several methods with these parameters"
        )
    return spec


def _effort(name: str, given: object, rows: int) -> int:
    """Return a number of folds, repeats or pairs; the default for the rows if it is None."""
    if given is None:
        return EFFORTS[name][rows > ROWS_WORTH_BINNING]
    return whole_number(name, given, FEWEST[name])


def target_of(asked: Any, y: object, n: int) -> TypedTarget:
    """Read the target of a :class:`hetsel.Signature`; of two classes the positive one is last.

    Numbers are a target only if `target_kind` requests them, since scikit-learn otherwise knows the
    estimator as a classifier, which refuses numbers.
    """
    told = isinstance(y, Numbers) or survival_times.is_survival(
        y
    )  # fractions alone may be codes, or a mistake
    target = read_target(y, n, asked.target_kind, fractions=told)
    if isinstance(target, Classes):
        return target.with_positive(asked.positive)
    if asked.positive is not None:
        raise TableError(f"positive is for two classes. Got {target.in_words()}. Leave it out")
    return target


def check_request(
    asked: Any, target: TypedTarget, by: object, X: object, n: int
) -> tuple[AskedProbabilities | None, Subgroups, int]:
    """Check the requests on probabilities and subgroups; return them with the number of rows n."""
    names = ("prevalence", "thresholds", "harm_ratio")
    given = [getattr(asked, name) for name in names]
    refuse_for_classes(target, **dict(zip(names, given, strict=True)), by=by)
    if not isinstance(target, Classes):
        return None, {}, n
    found = asked_probabilities(target.labels.tolist(), *given)
    return found, {} if by is None else subgroups_of(columns_by(X, by), n), n


def refuse_for_classes(target: TypedTarget, **given: object) -> None:
    """Refuse options of classes for another target."""
    asked = [name for name, one in given.items() if one is not None]
    if asked and not isinstance(target, Classes):
        raise TableError(
            f"{asked[0]} is for a target of classes. Got {target.in_words()}. Leave it out"
        )


def columns_by(X: object, by: object) -> dict[str, object]:
    """Return columns by name: those of a frame, or the named ones of the table."""
    if hasattr(by, "columns") or isinstance(by, Mapping):
        given = by if isinstance(by, Mapping) else frame_or_array(by)
        assert not isinstance(given, np.ndarray)
        return {str(name): given[name] for name in given}
    frame = as_frame(X)
    names = [*by] if isinstance(by, Iterable) and not isinstance(by, str) else [by]
    every = frame.columns.tolist()
    return {str(n): frame[n] for n in (find_column(every, name, option="by") for name in names)}


def balanced(method: object) -> methods_by_key.MethodSpec:
    """Return a method as a spec; one given by its key gets balanced class weights if it can."""
    spec = _untuned(method)
    named = isinstance(method, str | type)
    if isinstance(method, Mapping):
        named = "class_weight" not in (method.get("params") or {})
    if named and "class_weight" in methods_by_key.settable(spec.selector):
        return replace(spec, params={**spec.params, "class_weight": "balanced"})
    return spec


def encode_rows(
    asked: Any,
    table: Table,
    target: TypedTarget,
    procedure: SignatureProcedure,
    sample_weight: object = None,
    rows: np.ndarray | None = None,
) -> EncodedData:
    """Put the rows, with groups and mean weight 1, into the canonical order.

    `asked` has the treatment of missing values and scales; `rows` (n,) are row groups.
    """
    weights, known = None, np.arange(len(target))
    for selector in (one.build() for one in procedure.methods):
        selector.refuse_target(target)
        if selector.unsupported != "skip":
            selector.refuse_columns(table, target.kind)
        if sample_weight is not None:
            refuse_weights(selector)
    if sample_weight is not None:
        given = validation.weights_of_rows(sample_weight, len(target))
        kept, table, target, given = weighed_rows(table, target, given)
        known = known[kept]
        weights = validation.relative_weights(given)
        rows = None if rows is None else np.unique(rows[kept], return_inverse=True)[1]
    problem = Problem(table, target, (), procedure.seed, weights, row_groups=rows)
    ordered = canonical_rows(problem, asked.missing, asked.scale)
    problem = problem_in_order(problem, ordered)
    return EncodedData(
        "table",
        problem.table,
        as_given(problem.target, target),
        asked.missing,
        "",
        row_groups=problem.row_groups,
        scale=asked.scale,
        weights=problem.weights,
        given_rows=known[ordered],
    )


def as_given(target: TypedTarget, given: TypedTarget) -> TypedTarget:
    """Return the target of a problem, with classes in the order of `given`."""
    if isinstance(target, Classes) and isinstance(given, Classes):
        return target.in_order(target.places_of(given))
    return target
