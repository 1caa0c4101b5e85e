"""What a signature is asked for: its parameters, checked, and its rows in the canonical order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from hetsel.ground.errors import TableError
from hetsel.ground.parameters import at_least, positive, seed_drawn
from hetsel.ground.text import did_you_mean, listed
from hetsel.judging.size_rules import RULES
from hetsel.methods.registry import refuse_weights
from hetsel.resampling.row_parts import in_canonical_order
from hetsel.selection.answer import check_size
from hetsel.selection.column_choices import positions
from hetsel.selection.problem import Problem
from hetsel.signature.nested.against_chance import LEVEL, fewest_permutations
from hetsel.signature.procedure import Procedure
from hetsel.study.plan.planned_classifiers import ClassifierSpec
from hetsel.study.plan.planned_methods import MethodSpec, settable
from hetsel.study.rows.data_set import StudyData
from hetsel.tables.table import Table
from hetsel.tables.target import Classes, weighed_rows
from hetsel.tables.validation import relative_weights, weights_of_rows


def procedure_of(asked: Any, names: Sequence[str]) -> Procedure:
    """The procedure that the parameters of a :class:`hetsel.Signature` name.

    Parameters
    ----------
    asked : Signature
    names : sequence of str
        Of the features of the table.

    Raises
    ------
    TableError
        A parameter that cannot be used; size out of range.
    """
    if isinstance(asked.size, str) and asked.size not in RULES:
        hint = did_you_mean(asked.size, RULES)
        raise TableError(
            f"size must be one of {', '.join(RULES)}, or a number. Got {asked.size!r}{hint}"
        )
    method = balanced(asked.method)
    given = positions(names, asked.always) or positions(names, method.params.get("always"))
    always = tuple(names[j] for j in given)
    if always:
        method = replace(method, params={**method.params, "always": always})
    size = asked.size if isinstance(asked.size, str) else check_size(asked.size, len(names))
    if not isinstance(size, str) and size < len(always):
        raise TableError(
            f"size must be at least {len(always)}: {listed(always)} are always in. Got {size}"
        )
    if asked.unseen not in ("error", "separate"):
        raise TableError(f"unseen must be 'error' or 'separate'. Got {asked.unseen!r}")
    at_least("folds", asked.folds, 3)
    at_least("repeats", asked.repeats, 1)
    at_least("permutations", asked.permutations, 0)
    at_least("pairs", asked.pairs, 0)
    if 0 < asked.permutations < fewest_permutations():
        raise TableError(
            f"permutations must be 0 (no test) or {fewest_permutations()} or more, to reject "
            f"at {LEVEL}. Got {asked.permutations}"
        )
    classifier = {
        "key": "clinical-svm",
        "params": {"C": positive("C", asked.C), "class_weight": "balanced"},
    }
    return Procedure(
        method,
        ClassifierSpec.of("the final model", classifier),
        size,
        int(asked.folds),
        int(asked.repeats),
        int(asked.permutations),
        seed_drawn("random_state", asked.random_state),
    )


def balanced(method: Any) -> MethodSpec:
    """A method as a spec; one that is named by its key weighs the classes alike where it can."""
    spec = MethodSpec.of("method", method)
    named = isinstance(method, str | type)
    if isinstance(method, Mapping):
        named = "class_weight" not in (method.get("params") or {})
    if named and "class_weight" in settable(spec.selector):
        return replace(spec, params={**spec.params, "class_weight": "balanced"})
    return spec


def rows_of(
    asked: Any,
    table: Table,
    target: Classes,
    procedure: Procedure,
    sample_weight: Any = None,
    rows: np.ndarray | None = None,
) -> StudyData:
    """The rows in the canonical order, with what is said of them; weights by their mean.

    Parameters
    ----------
    asked : Signature
        Says what becomes of missing cells and of scales.
    table : Table of shape (n, p)
    target : Classes
    procedure : Procedure
    sample_weight : array-like of shape (n,), optional
    rows : ndarray of int, shape (n,), optional
        Group of each row.

    Raises
    ------
    TableError
        Columns that the method does not take; weights that are none, or that it cannot use.
    """
    selector, weights = procedure.method.build(), None
    if selector.columns != "supported":
        selector.refuse_columns(table)
    if sample_weight is not None:
        refuse_weights(selector)
        given = weights_of_rows(sample_weight, len(target))
        known, table, target, given = weighed_rows(table, target, given)
        weights = relative_weights(given)
        rows = None if rows is None else np.unique(rows[known], return_inverse=True)[1]
    problem = in_canonical_order(
        Problem(table, target, (), procedure.seed, weights, row_groups=rows),
        asked.missing,
        asked.scale,
    )
    return StudyData(
        "table",
        problem.table,
        problem.classes.in_order(problem.classes.places_of(target)),
        asked.missing,
        "",
        row_groups=problem.row_groups,
        scale=asked.scale,
        weights=problem.weights,
    )
