"""The cells of a study; tables, splits, targets and judges are checked before any run."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import cast

from hetsel.evaluation.by_key import judges_by_key
from hetsel.evaluation.data import encoded_data, train_and_test_rows
from hetsel.evaluation.data.data_entry import DataSpec
from hetsel.evaluation.engines.cell_queue import PlannedCell
from hetsel.ground import PlanError, TableError, text
from hetsel.resampling.resampling_entry import Resamplings
from hetsel.resampling.splits import quotas
from hetsel.study.cell import (
    Recipe,
    identity_of_judge,
    identity_of_method,
)
from hetsel.study.plan.judges_of_kinds import JudgesByKind, judges_by_kind
from hetsel.study.plan.parts import CellPlace
from hetsel.study.plan.plan import Plan


def judgments_of(cell: PlannedCell) -> list[str]:
    """Return the keys of the judgments of a cell, one for each judge."""
    return cast(Recipe, cell.recipe).judgments(cell.key)


def plan_cells(study: Plan) -> list[PlannedCell]:
    """Return all cells, resamplings outermost, so that an unfinished study is balanced."""
    rows = []
    seen: dict[str, str] = {}
    tables = {s.name: encoded_data.prepare(s, study.resamplings) for s in study.datasets}
    judges = judges_by_kind(study, (data.target.kind for data in tables.values()))
    selected_by = [identity_of_method(method) for method in study.methods]
    judged_by = {kind: tuple(map(identity_of_judge, own)) for kind, own in judges.items()}
    train_and_test_rows.check_treatments(study.datasets, tables)
    _check_targets(study, tables, judges)
    for spec in study.datasets:
        data = tables[spec.name]
        known = getattr(study, "_tables", {}).get(data.name, data.fingerprint)
        if known != data.fingerprint:
            raise PlanError(
                f"the table of data set {data.name!r} is not the one of the store. Use the table "
                "of the store, or run a plan into another store"
            )
        content = data.content
        if content in seen:
            raise PlanError(
                f"data sets {seen[content]!r} and {spec.name!r} are the same table. "
                "Leave one of them out"
            )
        seen[content] = spec.name
        for data, resamplings in _at_training_sizes(study, spec, tables):
            sizes = study.sizes_for(data.table.shape[1])
            if not sizes:
                raise PlanError(
                    f"sizes must include one up to {data.table.shape[1]}, the number of features "
                    f"of data set {data.name!r}. Got {text.listed(study.sizes)}"
                )
            _check_splits(data, resamplings, study.seed)
            for method, by in zip(study.methods, selected_by, strict=True):
                recipe = Recipe(
                    method,
                    sizes,
                    judges[data.target.kind],
                    resamplings,
                    study.seed,
                    selected_by=by,
                    judged_by=judged_by[data.target.kind],
                )
                keys = recipe.keys(data, resamplings.count)
                rows.append([PlannedCell(data, recipe, r, key) for r, key in enumerate(keys)])
    return [cell for cells in zip_longest(*rows) for cell in cells if cell is not None]


def _at_training_sizes(
    study: Plan, spec: DataSpec, tables: Mapping[str, encoded_data.EncodedData]
) -> Iterator[tuple[encoded_data.EncodedData, Resamplings]]:
    """Yield a data set with its splits, for each number of training rows, the largest first."""
    data = tables[spec.name]
    *smaller, largest = study.resamplings.of_data(spec.split).training_sizes or (None,)
    if smaller and largest is not None:
        every = [data.with_training_rows(largest, largest=True)]
        every += [data.with_training_rows(size, largest=False) for size in reversed(smaller)]
    else:
        every = [data]
    for one in every:
        if one.smaller_part_of is not None and one.name in tables:
            raise PlanError(
                f"data set {one.name!r} must have another name, because it is that of "
                f"{spec.name!r} with {one.training_rows} training rows"
            )
        splits = train_and_test_rows.splits_of(study.resamplings, spec.split, one.facts_of_splits)
        yield one, splits


def _check_splits(data: encoded_data.EncodedData, resamplings: Resamplings, seed: int) -> None:
    """Raise an error if a data set cannot be split."""
    try:
        if resamplings.kind in ("stratified", "random"):
            quotas(data.split_counts, resamplings, data.test_counts)
        train_and_test_rows.train_and_test(data, resamplings, seed, 0)
        train_and_test_rows.mean_test_share(data, resamplings, seed)
    except PlanError as reason:
        raise PlanError(f"data set {data.name!r}: {reason}") from None


def cell_places(study: Plan, cells: Sequence[PlannedCell]) -> list[CellPlace]:
    """Return data set, method and resampling of each cell by content, for parts of a study."""
    prints = {cell.data.name: cell.data.fingerprint for cell in cells}
    tables = {spec.name: prints[spec.treatment_of or spec.name] for spec in study.datasets}
    for cell in cells:
        tables.setdefault(cell.data.name, tables[cell.data.smaller_part_of or cell.data.name])
    methods = {}
    for spec in study.methods:
        content = {name: value for name, value in spec.to_dict().items() if name != "label"}
        methods[spec.label] = json.dumps(content, sort_keys=True)
    return [(tables[c.place[0]], methods[c.place[1]], c.resampling) for c in cells]


def judges_of_cells(cells: Sequence[PlannedCell]) -> JudgesByKind:
    """Return the judges of each kind of target."""
    return {cell.data.target.kind: cast(Recipe, cell.recipe).classifiers for cell in cells}


def _check_targets(
    study: Plan, tables: Mapping[str, encoded_data.EncodedData], judges: JudgesByKind
) -> None:
    """Raise an error if methods, judges or splits do not fit the targets."""
    for spec in study.datasets:
        data = tables[spec.name]
        try:
            for method in study.methods:
                method.refuse_target(data.target)
        except TableError as reason:
            raise PlanError(f"data set {data.name!r}: {reason}") from None
        for classifier in judges[data.target.kind]:
            classifier.refuse_target(f"data set {data.name!r}: classifiers", data.target)
            _check_judge_weighs(classifier, data)
        resamplings = study.resamplings.of_data(spec.split)
        if resamplings.train_per_class is not None and data.target.kind != "classes":
            raise PlanError(
                f"data set {data.name!r}: train_per_class needs a target of classes. Got "
                f"{data.target.in_words()}. Use train_count"
            )


def _check_judge_weighs(
    judge: judges_by_key.ClassifierSpec, data: encoded_data.EncodedData
) -> None:
    if data.weights is not None:
        try:
            judge.refuse_weights(data.target.kind)
        except TableError as reason:
            raise PlanError(f"data set {data.name!r}: {reason}") from None
