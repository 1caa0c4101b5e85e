"""The final model of a data set: the chosen signature on all rows, with its effect curves."""

from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from hetsel.evaluation.by_key import judges_by_key, methods_by_key
from hetsel.evaluation.computation import CellFailure, guarded
from hetsel.evaluation.data import data_entry, encoded_data
from hetsel.evaluation.engines import cell_queue, choice_of_engine
from hetsel.ground import TableError
from hetsel.models import additive_model, clinical_machines
from hetsel.resampling.resampling_entry import Resamplings
from hetsel.selection import Problem
from hetsel.tables import Classes, rescaled

C = 10.0  # of a final classifier, paul2015 section 4.1
LEAST_SECONDS, CELLS = 600.0, 20.0  # a method of others ends after these, or so many of its cells
MACHINES: dict[str, tuple[Any, str]] = {
    "classes": (partial(clinical_machines.ClinicalSVC, C), "Clinical-kernel SVM (C = 10)"),
    "numbers": (clinical_machines.ClinicalSVR, "Clinical-kernel regression (C = 3, epsilon = 0.1)"),
    "survival": (
        clinical_machines.ClinicalSurvivalSVM,
        "Clinical-kernel ranking machine for survival times (C = 1)",
    ),
}


@dataclass(frozen=True)
class ModelOnAllRows:
    """A clinical-kernel machine on the chosen signature, fitted to all rows."""

    names: tuple[str, ...]  # the signature, best first
    curves: tuple[additive_model.EffectCurve, ...]
    classes: tuple[str, ...]  # empty without classes
    kind: str  # of the target
    machine: str  # in words


@dataclass(frozen=True, eq=False)
class OnAllRows:
    """The computation of a final model for an engine."""

    method: methods_by_key.MethodSpec
    sizes: tuple[int, ...]
    seed: int
    classifiers: tuple[judges_by_key.ClassifierSpec, ...] = ()

    def run(
        self, data: encoded_data.EncodedData, resampling: int, key: str
    ) -> "Fitted | CellFailure":
        """Return the final model or the reason why there is none."""
        fit = partial(_fitted, data, self.method, self.sizes[0], self.seed)
        return guarded(self, key, fit, lambda model, _: Fitted(key, model), data.target.kind)


@dataclass(frozen=True, eq=False)
class Fitted:
    """A final model that an engine returns."""

    key: str
    model: ModelOnAllRows
    rank_seconds: float = 0.0
    classify_seconds: float = 0.0


def final_model(results: Any, dataset: str, method: str, size: int) -> ModelOnAllRows | str:
    """Return the final model of a method on all rows, or the reason why there is none.

    With a time limit or an external method, a worker process computes the model, so that no method
    can stop or delay the report. The time limit of the study applies. Without one, the limit of an
    external method is 600 s, or 20 times its longest ranking in a cell if this is longer.
    """
    limit = getattr(results, "time_limit", None)
    try:
        data, spec = _data(results, dataset), _method(results, method)
        recipe = OnAllRows(spec, (size,), int(results.plan.get("seed", 0)))
        jobs = int(limit is not None or spec.is_foreign)
        if limit is None and spec.is_foreign:
            frame = results.frame()
            longest = frame.loc[frame["method"] == method, "rank_seconds"].max()
            limit = max(LEAST_SECONDS, CELLS * float(longest))
        queue = cell_queue.CellQueue([cell_queue.PlannedCell(data, recipe, 0, "final model")])
        with closing(
            choice_of_engine.computed(queue, [recipe], jobs=jobs, time_limit=limit)
        ) as outcomes:
            ((outcome,),) = outcomes
    except (ValueError, OSError, ImportError, RuntimeError, MemoryError) as reason:
        # the table is gone or changed, or R is missing: the report states the reason
        return f"no final model: {' '.join(str(reason).split()) or type(reason).__name__}"
    if isinstance(outcome, Fitted):
        return outcome.model
    assert isinstance(outcome, CellFailure)
    return f"no final model: {method} on all rows: {outcome.sentence}"


def _fitted(
    data: encoded_data.EncodedData, spec: methods_by_key.MethodSpec, size: int, seed: int
) -> ModelOnAllRows:
    complete = rescaled(data.table, data.scale).resolve_missing(data.missing)
    problem = Problem(complete, data.target, (size,), seed, data.weights)
    answer = spec.build().solve(spec.told(problem))
    columns = answer.signature(size)
    part = data.table.take(columns=np.sort(columns))
    machine, words = MACHINES[data.target.kind]
    model = machine(missing=data.missing, scale=data.scale)
    model.fit(part, data.target, data.weights)
    if isinstance(data.target, Classes):
        model = model.in_order(data.target.labels)
    names = tuple(data.table.schema.columns[j].name for j in columns)
    return ModelOnAllRows(
        names, tuple(model.effect_curves()), data.classes, data.target.kind, words
    )


def _data(results: Any, dataset: str) -> encoded_data.EncodedData:
    """Return the table of a study; raise an error if it has changed."""
    study = getattr(results, "study", None)
    specs = {spec.name: spec for spec in study.datasets} if study is not None else {}
    if dataset not in specs:
        entry = next(e for e in results.plan["datasets"] if e["name"] == dataset)
        if "file" in entry:
            raise TableError(f"the file {entry['file']} is not part of the store")
        specs[dataset] = data_entry.DataSpec.of("the plan", entry, Path())
    planned = results.plan["resamplings"] if study is None else study.resamplings
    data = encoded_data.prepare(specs[dataset], Resamplings.of("the plan", planned))
    if data.fingerprint != results.datasets[dataset]["fingerprint"]:
        raise TableError("the table is not the one that the study used")
    return data


def _method(results: Any, method: str) -> methods_by_key.MethodSpec:
    """Return the method that computed the cells, not a newer one with the same label.

    An external method comes from the session, because a file must not determine what is imported.
    """
    study = getattr(results, "study", None)
    entry = next(e for e in results.plan["methods"] if e["label"] == method)
    for spec in study.methods if study is not None else ():
        if (
            spec.label == method
            and spec.to_dict() == entry
            and isinstance(spec, methods_by_key.MethodSpec)
        ):
            return spec
    known = ("key", "params", "label", "target", "tune")
    said = {key: entry[key] for key in known if key in entry}
    spec = methods_by_key.MethodSpec.in_file("the plan", said)
    if isinstance(spec, methods_by_key.MethodSpec):
        return spec
    raise TableError(
        f"{entry['key']} is an external method, and a report does not import what a file names"
    )
