"""All that is to say of a signature, as plain values for the shell, R, a page and a file."""

from typing import Any

import numpy as np

from hetsel import __version__
from hetsel.ground.parameters import is_whole
from hetsel.ground.text import plain_number, shown
from hetsel.signature.final_models import FINAL_MODELS
from hetsel.signature.nested.measured_performance import MeasuredPerformance
from hetsel.statistics.performance.rate_intervals import RateInterval
from hetsel.tables import Column, Table
from hetsel.tables.content import places_in

# the verdicts
ABOVE = "better than chance"
NOT_SHOWN = "not shown to be better than chance"  # which is no proof that it is not
FEW, UNTESTED = "too few rows", ""


def facts_of(found: Any) -> dict[str, Any]:
    """Plain values of a fitted signature; None where there is nothing.

    Parameters
    ----------
    found : Signature

    Returns
    -------
    dict
        `verdict`, `reason`, `few` (how few rows a class has, where they are few), `size`, `rule`,
        `features` (records of feature, kind, frequency and the names of alternatives), `frequency`
        of every feature, `performance`, `probabilities` (what these are worth), `chance`,
        `stability`, `stable` (`above`, what is selected in enough halves, `features`, the same if
        it can be kept, and `doubtful`, what halves with a permuted target select, too), `sizes`,
        `joint` (a pair of features by which a model that is not additive is clearly better),
        `alternatives`, `effects`, `points` (its table, what totals say and what rounding costs, or
        a `reason`), `classes` with their rows, `positive`, `rows`, `groups`, `copies` (the rows
        that were grouped because they are equal or nearly so), `of_one_group` (features each level
        of which stands in one row group only), `effective_rows` of the classes where rows have
        weights, `columns`, `lacks` (what a quick signature was not asked for), `method`, its
        `parameters`, `stands_for` (what is done under the name of one, where the target holds no
        classes), `C` and `on_margin` (share of the decision values that are -1 or 1) of the final
        model, `seed` (the `random_state` that gives the same answer again; None where it was no
        number), `version`. For a paper there are `flow` (rows `read`; `unlabeled`, of them those
        without a target, which the shell can leave out; `weightless`, of weight 0 and left out),
        `candidates` and what the formula of the model needs, see
        :mod:`hetsel.signature.reported_values`; the shell adds `left_out`, columns that
        were no candidates and `why`. Files of earlier versions have none of these. Where the target
        holds no classes there is `kind`, the kind of target, and `told`, what it holds; `classes`
        are none, `performance` has `measures`, and `inner` in the place of `inner_bcr`.
    """
    classes = found.target_kind_ == "classes"
    labels = [_plain(label) for label in found._labels.tolist()] if classes else []
    order = places_in(found.classes_, found._labels).tolist() if classes else [0]
    rule = found._rule
    own = {} if classes else {"kind": found.target_kind_, "told": found._told}
    return own | {
        "verdict": found.verdict_,
        "reason": found.reason_,
        "few": found._few,
        "size": int(found.size_),
        "rule": rule,
        "features": _features(found),
        "frequency": {name: float(share) for name, share in found.frequencies_.items()},
        "performance": _performance(found),
        "probabilities": found.probabilities_,
        "chance": _chance(found),
        "stability": _stability(found),
        "stable": _stable(found),
        "sizes": _sizes(found),
        "joint": _joint(found),
        "alternatives": found.alternatives_.to_dict("records"),
        "effects": [
            {key: _plain(value) for key, value in row.items()}
            for row in found.effects().to_dict("records")
        ],
        "points": found.points_.facts(),
        "classes": labels,
        "class_rows": [found.class_counts_[k] for k in order] if classes else [],
        "positive": None if found.positive_ is None else _plain(found.positive_),
        "rows": int(sum(found.class_counts_)),
        "groups": found.groups_,
        "copies": _copies(found),
        "of_one_group": [name for name in found.features_ if name in found._of_one_group],
        "effective_rows": found.effective_rows_ and [found.effective_rows_[k] for k in order],
        "columns": found.n_features_in_,
        "always": [*found.always_],
        "lacks": [*found._lacks],
        "method": found.method_.key,
        "methods": _methods(found),
        "parameters": {k: _plain(v) for k, v in found.method_.to_dict()["params"].items()},
        "stands_for": _stands_for(found),
        "model": FINAL_MODELS[found.target_kind_].words.format(C=found._penalty),
        "C": float(found._penalty),
        "on_margin": found._on_margin,
        "seed": int(found.random_state) if is_whole(found.random_state) else None,
        "missing": str(found.missing),
        "scale": str(found.scale),
        "version": __version__,
        "flow": dict(found._flow),
        "candidates": found._candidates,
        **model_facts(found._model),
        "probability_map": None if found.calibration_ is None else found.calibration_.to_dict(),
    }


def _methods(found: Any) -> dict[str, Any] | None:
    """Which of several methods was chosen."""
    one = found.methods_
    if one is None:
        return None
    return {"tried": [*one.keys], "nested": [*one.nested], "inner": [*one.means]}


def _stands_for(found: Any) -> dict[str, str]:
    """What parameters of the method stand for, where that is not what their values say."""
    words = found.method_.build().about.stands_for.get(found.target_kind_, {})
    given = found.method_.to_dict()["params"].items()
    return {
        name: words[value] for name, value in given if isinstance(value, str) and value in words
    }


def _features(found: Any) -> list[dict[str, Any]]:
    kinds = {column.name: column.kind for column in found.schema_.columns}
    shares = found.frequencies_
    others = found.alternatives_.groupby("feature", sort=False)["alternative"].agg(list).to_dict()
    return [
        {
            "feature": name,
            "kind": kinds[name],
            "frequency": float(shares[name]) if len(shares) else None,
            "alternatives": others.get(name, []),
        }
        for name in found.features_
    ]


def interval_facts(one: RateInterval) -> dict[str, float]:
    """A rate with its interval."""
    return {"rate": one.rate, "low": one.low, "high": one.high, "level": one.level}


def _performance(found: Any) -> dict[str, Any] | None:
    one = found.performance_
    if one is None:
        return None
    if isinstance(one, MeasuredPerformance):
        return _measures(one)
    recalls = [
        {"class": label, "rows": rows, **interval_facts(recall)}
        for label, rows, recall in zip(one.classes, one.rows, one.recalls, strict=True)
    ]
    return {
        "bcr": interval_facts(one.bcr),
        "recalls": recalls,
        "auc": None if np.isnan(one.auc.rate) else interval_facts(one.auc),
        "inner_bcr": one.inner_bcr,
        "optimism": one.optimism,
        "learning": one.learning,
        "folds": one.folds,
        "runs": one.runs,
        "low_alone": one.low_alone,
    }


def _measures(one: MeasuredPerformance) -> dict[str, Any]:
    """Of a target without classes."""
    measures = [
        {
            "key": m.key,
            "label": m.label,
            **{k: _known(v) for k, v in interval_facts(m.value).items()},
        }
        for m in one.measures
    ]
    return {
        "measures": measures,
        "chance": one.chance,
        "inner": one.inner,
        "optimism": one.optimism,
        "learning": one.learning,
        "folds": one.folds,
        "runs": one.runs,
        "low_alone": one.low_alone,
        "shown": one.shown,
    }


def _known(value: float) -> float | None:
    return value if np.isfinite(value) else None


def _chance(found: Any) -> dict[str, Any] | None:
    test = found.chance_
    if test is None:
        return None
    return {
        "pvalue": test.pvalue,
        "rate": test.rate,
        "permuted": [float(rate) for rate in test.permuted],
        "folds": test.folds,
        "draws": test.draws,
        "error": test.error,
        "full": test.full,
        "settled": test.settled,
        "tried": test.tried,
    }


def _copies(found: Any) -> dict[str, Any] | None:
    one = found.copies_
    if one is None:
        return None
    return {
        "rows": one.rows,
        "groups": one.clusters,
        "largest": one.largest,
        "equal": one.equal,
        "columns": list(one.columns),
    }


def _stability(found: Any) -> dict[str, Any] | None:
    if found.stability_ is None:
        return None
    return {"nogueira": found.stability_, "halves": len(found.selected_)}


def _stable(found: Any) -> dict[str, Any] | None:
    halves = found.halves_
    if halves is None:
        return None
    return {
        "features": [halves.names[j] for j in halves.kept],
        "above": [halves.names[j] for j in halves.selected],
        "threshold": halves.threshold,
        "false_at_most": halves.bound,
        "assumption": halves.assumption,
        "doubtful": [halves.names[j] for j in halves.doubtful],
    }


def _joint(found: Any) -> dict[str, Any] | None:
    one = found.joint_
    if one is None:
        return None
    names = found.schema_.names
    rates = {"rate": one.rate, "with_pair": one.with_pair, "error": one.error}
    return {"features": [names[j] for j in one.pair], **rates}


def _sizes(found: Any) -> dict[str, Any] | None:
    one = found.sizes_
    if one is None:
        return None
    means = [None if np.isnan(mean) else float(mean) for mean in one.means]
    name = "inner_auc" if found.target_kind_ == "classes" else "inner"
    return {"sizes": list(one.sizes), name: means, "nested": list(one.nested)}


def _plain(value: Any) -> Any:
    """A value that JSON knows."""
    if hasattr(value, "item"):
        value = value.item()
    return value if isinstance(value, str | int | float | bool | None) else str(value)


# What a paper says of the data and of the model that a signature came from, as plain values.


NAMED_LEVELS = 6  # of a column; the others are counted


def described_candidates(table: Table) -> dict[str, list[Any]]:
    """All columns that could have been selected: a list for each thing to say, in their order.

    Parameters
    ----------
    table : Table of shape (n, p)
        The rows that the signature learned from, missing cells as they are.

    Returns
    -------
    dict
        `names`; `kinds`; `values`, in words the range of numbers or the levels; `missing`, how many
        cells of each are; `constant`, the names of those of one value.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [61.0, None, 44.5], "sex": ["m", "f", "m"]})
    >>> described_candidates(Table.read(frame))["values"]
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
    return {
        "names": [column.name for column in columns],
        "kinds": [column.kind for column in columns],
        "values": values,
        "missing": missing,
        "constant": constant,
    }


def _in_words(column: Column, present: np.ndarray) -> str:
    """The range of numbers, or the levels."""
    if column.kind == "continuous":
        if not len(present):
            return "no value"
        low, high = float(present.min()), float(present.max())
        return plain_number(low) if low == high else f"{plain_number(low)} to {plain_number(high)}"
    levels = [shown(level) for level in column.levels]
    mark = " < " if column.kind == "ordinal" else ", "
    named = mark.join(levels[:NAMED_LEVELS]) + (", ..." if len(levels) > NAMED_LEVELS else "")
    return f"{len(levels)} level{'' if len(levels) == 1 else 's'}: {named}"


def model_facts(model: Any) -> dict[str, Any]:
    """What the formula of the final model needs beside its effects.

    Parameters
    ----------
    model : ClinicalSVC, or a clinical machine of another target
        Fitted.

    Returns
    -------
    dict
        `intercept`, one number for each decision value; `fill`, what a missing cell counts as, by
        feature, in units of the column; empty where missing is a value of its own or refused;
        `ordered`, the levels of the ordinal features by name, whose places the effects count by.
    """
    columns = model.schema_.columns
    cells = model._fill.fill
    fill: dict[str, Any] = {}
    if model.missing == "impute" and cells is not None:
        for j, (column, cell) in enumerate(zip(columns, cells.tolist(), strict=True)):
            if column.kind == "continuous":
                fill[column.name] = float(model._rescaling.units(j, np.array([cell]))[0])
            elif 0 <= cell < len(column.levels):
                fill[column.name] = str(column.levels[int(cell)])
    return {
        "intercept": [float(value) for value in model.intercept_],
        "fill": {name: cell for name, cell in fill.items() if cell == cell},
        "ordered": {
            column.name: [str(level) for level in column.levels]
            for column in columns
            if column.kind == "ordinal"
        },
    }
