"""Convert a fitted signature to its results."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from hetsel import __version__
from hetsel.evaluation.by_key.methods_by_key import MethodSpec
from hetsel.ground import is_whole, plain_number, shown
from hetsel.ground.sealed_json import plain_label
from hetsel.judging.half_samples import HalfSelection
from hetsel.pitfalls.repeated_rows import RepeatedRows
from hetsel.signature import final_models, joint_effects, performance, procedure, signature_facts
from hetsel.signature.nested.against_chance import ChanceTest
from hetsel.tables import Column, Table, TargetKind, places_in


def facts_of(found: Any) -> signature_facts.SignatureFacts:
    """Collect all results of a fitted :class:`hetsel.Signature`."""
    classes = found.target_kind_ == "classes"
    labels = [plain_label(label) for label in found._labels.tolist()] if classes else []
    order = places_in(found.classes_, found._labels).tolist() if classes else [0]
    effective, model = found.effective_sample_size_, found._model
    return signature_facts.SignatureFacts(
        kind=found.target_kind_,
        target_facts={} if classes else found._told,
        verdict=found.verdict_,
        reason=found.reason_,
        few=found._few,
        size=int(found.size_),
        rule=found._rule,
        features=_features(found),
        frequency={name: float(share) for name, share in found.frequencies_.items()},
        performance=found.performance_,
        probabilities=found.probabilities_,
        permutation_test=_permutation_test(found.permutation_test_),
        stability=_stability(found.stability_, found.selected_),
        stable=_stable(found.half_samples_),
        sizes=_sizes(found.sizes_, found.target_kind_),
        interaction=_interaction(found.interaction_, found.schema_.names),
        alternatives=[signature_facts.Alternative(*row) for row in _rows_of(found.alternatives_)],
        effects=effects_of(found.effects()),
        points=found.points_.facts(),
        classes=labels,
        class_rows=[found.class_counts_[k] for k in order] if classes else [],
        positive=None if found.positive_ is None else plain_label(found.positive_),
        rows=int(sum(found.class_counts_)),
        groups=found.groups_,
        duplicate_rows=_duplicate_rows(found.duplicate_rows_),
        of_one_group=[name for name in found.features_ if name in found._of_one_group],
        effective_sample_size=None if effective is None else [effective[k] for k in order],
        columns=found.n_features_in_,
        always=[*found.always_],
        not_computed=[*found._lacks],
        method=found.method_.key,
        methods=_methods(found.methods_),
        parameters=_parameters(found.method_),
        stands_for=_stands_for(found.method_, found.target_kind_),
        model=final_models.FINAL_MODELS[found.target_kind_].words.format(C=found._penalty),
        C=float(found._penalty),
        on_margin=found._on_margin,
        seed=int(found.random_state) if is_whole(found.random_state) else None,
        missing=str(found.missing),
        scale=str(found.scale),
        version=__version__,
        flow=found._flow,
        candidates=found._candidates,
        intercept=[float(value) for value in model.intercept_],
        imputed_values=_fill(model),
        ordered=_ordered(model),
        probability_map=None if found.calibration_ is None else found.calibration_.content(),
    )


def _parameters(method: MethodSpec) -> dict[str, signature_facts.Parameter]:
    given = method.to_dict()["params"].items()
    return {name: None if value is None else plain_label(value) for name, value in given}


def _methods(one: procedure.ChosenMethod | None) -> signature_facts.TriedMethods | None:
    """Return which of several methods was chosen."""
    if one is None:
        return None
    return signature_facts.TriedMethods(
        [*one.keys], [*one.nested], [performance.number_or_none(mean) for mean in one.means]
    )


def _stands_for(method: MethodSpec, kind: TargetKind) -> dict[str, str]:
    """Return what parameters of the method mean if their values do not say it."""
    words = method.build().about.stands_for.get(kind, {})
    given = method.to_dict()["params"].items()
    return {
        name: words[value] for name, value in given if isinstance(value, str) and value in words
    }


def _features(found: Any) -> list[signature_facts.Feature]:
    kinds = {column.name: column.kind for column in found.schema_.columns}
    shares = found.frequencies_
    others = found.alternatives_.groupby("feature", sort=False)["alternative"].agg(list).to_dict()
    return [
        signature_facts.Feature(
            feature=name,
            kind=kinds[name],
            frequency=float(shares[name]) if len(shares) else None,
            alternatives=others.get(name, []),
        )
        for name in found.features_
    ]


def _rows_of(frame: pd.DataFrame) -> list[tuple[Any, ...]]:
    """Return the rows of a frame with Python values."""
    return list(zip(*(frame[name].tolist() for name in frame), strict=True))


def effects_of(frame: pd.DataFrame) -> list[signature_facts.Effect]:
    """Return the pieces of :func:`hetsel.signature.effect_pieces.effects_by_piece` as records."""
    return [
        signature_facts.Effect(
            name, label, plain_label(low), plain_label(high), first, last, rows, [*counts]
        )
        for name, label, low, high, first, last, rows, *counts in _rows_of(frame)
    ]


def _permutation_test(test: ChanceTest | None) -> signature_facts.PermutationTest | None:
    if test is None:
        return None
    return signature_facts.PermutationTest(
        pvalue=test.pvalue,
        statistic=test.statistic,
        permuted=[float(rate) for rate in test.permuted],
        folds=test.folds,
        draws=test.draws,
        standard_error=test.standard_error,
        full=test.full,
        settled=test.settled,
        tried=test.tried,
    )


def _duplicate_rows(one: RepeatedRows | None) -> signature_facts.DuplicateRows | None:
    if one is None:
        return None
    return signature_facts.DuplicateRows(
        one.rows, one.clusters, one.largest, one.equal, [*one.columns]
    )


def _stability(measure: float | None, selected: np.ndarray) -> signature_facts.Stability | None:
    return None if measure is None else signature_facts.Stability(measure, len(selected))


def _stable(halves: HalfSelection | None) -> signature_facts.StableFeatures | None:
    if halves is None:
        return None
    return signature_facts.StableFeatures(
        features=[halves.names[j] for j in halves.kept],
        above=[halves.names[j] for j in halves.selected],
        threshold=halves.threshold,
        expected_false_selections=halves.bound,
        assumption=halves.assumption,
        doubtful=[halves.names[j] for j in halves.doubtful],
        own_thresholds=halves.own_thresholds,
    )


def _interaction(
    one: joint_effects.JointEffect | None, names: Sequence[str]
) -> signature_facts.Interaction | None:
    if one is None:
        return None
    return signature_facts.Interaction(
        [names[j] for j in one.pair], one.without_pair, one.with_pair, one.error
    )


def _sizes(one: procedure.SizeScores | None, kind: TargetKind) -> signature_facts.Sizes | None:
    if one is None:
        return None
    means = [performance.number_or_none(mean) for mean in one.means]
    auc, inner = (means, None) if kind == "classes" else (None, means)
    return signature_facts.Sizes(
        sizes=[*one.sizes], inner_auc=auc, inner=inner, nested=[*one.nested]
    )


# What a paper reports of the data and the model of a signature.


NAMED_LEVELS = 6  # levels of a column that are named; the others are counted


def described_candidates(table: Table) -> signature_facts.Candidates:
    """Describe all candidate columns, in their order.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [61.0, None, 44.5], "sex": ["m", "f", "m"]})
    >>> described_candidates(Table.read(frame)).values
    ['44.5 to 61', '2 levels: f, m']
    """
    values, missing, constant = [], [], []
    for j, column in enumerate(table.schema.columns):
        cells = table.block([j])[:, 0]
        present = cells[~np.isnan(cells)]
        values.append(_in_words(column, present))
        missing.append(len(cells) - len(present))
        if len(present) == 0 or present.min() == present.max():
            constant.append(column.name)
    columns = table.schema.columns
    return signature_facts.Candidates(
        names=[column.name for column in columns],
        kinds=[column.kind for column in columns],
        values=values,
        missing=missing,
        constant=constant,
    )


def _in_words(column: Column, present: np.ndarray) -> str:
    """Format the range of numbers, or the levels."""
    if column.kind == "continuous":
        if not len(present):
            return "no value"
        low, high = float(present.min()), float(present.max())
        return plain_number(low) if low == high else f"{plain_number(low)} to {plain_number(high)}"
    levels = [shown(level) for level in column.levels]
    mark = " < " if column.kind == "ordinal" else ", "
    named = mark.join(levels[:NAMED_LEVELS]) + (", ..." if len(levels) > NAMED_LEVELS else "")
    return f"{len(levels)} level{'' if len(levels) == 1 else 's'}: {named}"


def _fill(model: final_models.Model) -> dict[str, str | float]:
    """Return what replaces a missing value, in units of the column; empty without imputation."""
    cells = model._fill.fill
    fill: dict[str, str | float] = {}
    if model.missing != "impute" or cells is None:
        return {}
    for j, (column, cell) in enumerate(zip(model.schema_.columns, cells.tolist(), strict=True)):
        if column.kind == "continuous":
            fill[column.name] = float(model._rescaling.units(j, np.array([cell]))[0])
        elif 0 <= cell < len(column.levels):
            fill[column.name] = str(column.levels[int(cell)])
    return {name: cell for name, cell in fill.items() if cell == cell}


def _ordered(model: final_models.Model) -> dict[str, list[str]]:
    """Return the levels of the ordinal features in their order."""
    return {
        column.name: [str(level) for level in column.levels]
        for column in model.schema_.columns
        if column.kind == "ordinal"
    }
