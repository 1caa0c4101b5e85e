"""Studies for the R package: a plan from a list of R's, and results as plain vectors."""

import dataclasses
import os
import warnings
from collections.abc import Mapping, Sequence
from math import nan
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hetsel import __version__
from hetsel.evaluation.data.data_entry import BY_ROW, DataSpec
from hetsel.ground.entry_reading import check_keys, refuse_twice
from hetsel.ground.errors import PlanError, StoreError, TableError
from hetsel.report.pages.study_page import save_figures, write_study_report
from hetsel.resampling.resamplings import Resamplings
from hetsel.study.comparison.study_summary import Summary
from hetsel.study.plan.parts import Part
from hetsel.study.plan.plan import Plan
from hetsel.study.plan.treated_data_sets import with_table_of
from hetsel.study.results import Results
from hetsel.study.run import Study
from r_bridge.from_r.r_words import with_r_values
from r_bridge.from_r.vectors import cells_of, frame_of, kinds_of, target_of, whole

RANKS = "measure", "analysis", "method", "mean_rank", "number", "pvalue", "critical_difference"
ALIKE = "measure", "analysis", "group", "method"
FLAGS = ["False", "True"]  # classes as a store has them, which R writes in capitals


def plan_of(plan: Any, tables: Sequence[Mapping[str, Any]] = ()) -> Study:
    """The plan in a TOML file or in the entries of a list, with the tables of the session.

    What it names by import paths is imported when it is run.

    A table takes the place of the data set of its name; one that the plan does not name comes last.

    Raises
    ------
    PlanError
        An entry that is unknown or out of range; entries of lists are counted from 1, as in R.
    """
    refuse_twice("data", [str(table["name"]) for table in tables], "give each table its own name")
    own = {str(table["name"]): _spec(table) for table in tables}
    if not isinstance(plan, Mapping):
        study = Study.load(str(plan))
        return dataclasses.replace(study, datasets=_with_own(study.datasets, own)) if own else study
    content = {str(key): _value(value) for key, value in plan.items() if value is not None}
    check_keys("plan", content, Plan.entries())
    given = [_from_1(_with_home(entry)) for entry in _several(content.get("datasets", []))]
    content["datasets"] = _with_own(given, own)
    for needed in ("datasets", "methods"):
        if not content.get(needed):
            raise PlanError(f"the plan lacks the entry {needed!r}")
    for needed in ("methods", "classifiers"):
        if needed in content:
            content[needed] = [_with_params(entry) for entry in _several(content[needed])]
    return Study(**content, _where="plan", _place=_counted_from_1, _imports=False)


def _counted_from_1(where: str, i: int) -> str:
    """Item i of a list the way R counts."""
    return f"{where}[[{i + 1}]]"


def _several(entry: Any) -> list[Any]:
    return list(entry) if isinstance(entry, list | tuple) else [entry]


def _with_own(entries: Sequence[Any], own: Mapping[str, DataSpec]) -> list[Any]:
    """The data sets of a plan, those of the session in their places or at the end."""
    left = dict(own)
    placed = [left.pop(name, e) if (name := _name(e)) in own else e for e in entries]
    replaced = {name: e for e in entries if (name := _name(e)) in own}
    for i, entry in enumerate(placed):  # what a file has read of a table that is another one now
        if isinstance(entry, DataSpec) and entry.treatment_of in replaced:
            name = str(entry.treatment_of)
            placed[i] = with_table_of(entry, own[name], before=replaced[name])
    return [*placed, *left.values()]


def _with_home(entry: Any) -> Any:
    """A data set whose file may begin with ~."""
    if isinstance(entry, Mapping) and isinstance(entry.get("file"), str):
        return {**entry, "file": os.path.expanduser(entry["file"])}
    return entry


def _from_1(entry: Any) -> Any:
    """A data set whose columns are named by positions that count from 1."""
    if not isinstance(entry, Mapping):
        return entry
    options = ("nominal", "ordinal", "continuous", "drop")
    for option in ("target", *BY_ROW):
        given = entry.get(option)
        if isinstance(given, int | float) and not isinstance(given, bool):
            raise PlanError(f"{option} must be the name of a column. Got {given}")
    return {k: _shifted(k, v) if k in options else v for k, v in entry.items()}


def _shifted(option: str, given: Any) -> Any:
    if isinstance(given, Mapping):
        return given
    columns = []
    for column in _several(given):
        if isinstance(column, int) and not isinstance(column, bool):
            if column < 1:
                raise PlanError(f"{option} must be names, or positions from 1. Got {column}")
            column -= 1
        columns.append(column)
    return columns


def _name(entry: Any) -> str:
    if isinstance(entry, Mapping):
        return str(entry.get("name"))
    return str(getattr(entry, "name", entry))


def _spec(table: Mapping[str, Any]) -> DataSpec:
    """A table of the session as an entry of a plan."""
    name = str(table["name"])
    entry: dict[str, Any] = {"name": name}
    try:
        entry["X"] = frame_of(table["columns"])
    except ValueError as reason:
        raise PlanError(f"data set {name!r}: {reason}") from None
    entry["y"] = target_of(table["target"])
    kinds = kinds_of(table.get("kinds") or {})
    entry |= {kind: names for kind, names in kinds.items() if names is not None}
    words = ("missing", "scale", "target_kind", "treatment_of")
    entry |= {word: str(table[word]) for word in words if table.get(word) is not None}
    entry |= {k: _by_row(table[k]) for k in BY_ROW if table.get(k) is not None}
    if table.get("positive") is not None:
        entry["positive"] = whole(table["positive"])
    return DataSpec.of(f"data set {name!r}", entry, Path())


def _by_row(given: Any) -> Any:
    """What says something of the rows: a column of its own, or the name of one of the table."""
    return cells_of(given) if isinstance(given, Mapping) else str(given)


def _value(value: Any) -> Any:
    """An entry with the whole numbers of it as such."""
    if isinstance(value, Mapping):
        return {str(key): _value(v) for key, v in value.items() if v is not None}
    if isinstance(value, list | tuple):
        return [_value(v) for v in value]
    return whole(value)


def _with_params(entry: Any) -> Any:
    """A method, classifier or estimator; an empty list of R has no names to tell a mapping by."""
    if not isinstance(entry, Mapping) or "params" not in entry:
        return entry
    params = entry["params"] if entry["params"] != [] else {}
    if isinstance(params, Mapping):
        params = {name: _with_params(value) for name, value in params.items()}
    return {**entry, "params": params}


def contents(results: Results) -> dict[str, Any]:
    """All of a study's results: tables as lists by column, facts, and the plan."""
    status = results.status()
    totals = ("cells", "finished", "failed", "missing")
    plan = results.plan or {}
    return {
        "name": status["name"],
        "store": os.path.abspath(results.path),
        "digest": results.digest(),
        "status": {name: int(status[name]) for name in totals},
        "parts": _columns(pd.DataFrame(status["parts"])),
        "scores": _columns(results.frame()),
        "summary": _columns(results.summary()),
        "failures": _in_words_of_r(results.failures(), "reason"),
        "noted": _in_words_of_r(results.warnings(), "warning"),
        "absent_classes": _columns(results.absent_classes()),
        "of_flags": [d["name"] for d in results.datasets.values() if d["classes"] == FLAGS],
        "measured": list(results.scores.columns),
        "averaged": list(results.scores.averaged),
        **_compared(results),
        "methods": results.methods,
        "classifiers": results.classifiers,
        "versions": results.versions(),
        "plan": plan,
        "split": Resamplings.of("the plan", plan["resamplings"]).in_words(),
        "version": __version__,
    }


def _columns(frame: pd.DataFrame) -> dict[str, list[Any]]:
    return {str(name): frame[name].tolist() for name in frame.columns}


def _in_words_of_r(frame: pd.DataFrame, column: str) -> dict[str, list[Any]]:
    return _columns(frame.assign(**{column: [with_r_values(str(text)) for text in frame[column]]}))


def _compared(results: Results) -> dict[str, Any]:
    """What a report says first, and the data sets."""
    from hetsel.report.pages.section_list import found
    from hetsel.report.sections.ranks_over_data_sets import crossfitted
    from hetsel.study.comparison.treated_pairs import paired
    from hetsel.words.comparison_sentences import decided

    summary = Summary(results)
    return {
        "found": found(summary) if summary.datasets else [],
        "probable": decided(summary),
        "crossfitted": _columns(crossfitted(summary)),
        "bayesian_pairs": _pairs(summary.bayesian_pairs),
        "treatments": _columns(paired(summary)),
        **_ranks(summary),
        "reference": summary.reference if summary.datasets else "",
        "datasets": _data_sets(results, summary.chosen if summary.datasets else {}),
    }


def _ranks(summary: Summary) -> dict[str, dict[str, list[Any]]]:
    """Mean ranks of the methods over the data sets, and which of them do not differ."""
    ranks: dict[str, list[Any]] = {name: [] for name in RANKS}
    alike: dict[str, list[Any]] = {name: [] for name in ALIKE}
    for measure in summary.measures if summary.datasets else ():
        for analysis in summary.made(measure):
            test, place = analysis.test, (measure.key, analysis.head)
            facts = (test.blocks, test.permutation, test.critical_difference)
            for method, rank in test.ordered:
                _append(ranks, (*place, method, float(rank), *facts))
            for number, group in enumerate(test.groups, start=1):
                for method in group:
                    _append(alike, (*place, number, method))
    return {"ranks": ranks, "alike": alike}


def _append(table: Mapping[str, list[Any]], row: Sequence[Any]) -> None:
    for column, value in zip(table.values(), row, strict=True):
        column.append(value)


def signatures(store: str, dataset: str, method: str, size: float) -> dict[str, Any]:
    """What a method selects of a data set at a size, resampling by resampling.

    Returns
    -------
    dict
        ``resampling``, numbers from 0; ``features``, names in the order of the table, a list for
        each; ``p``, how many features the data set has.

    Raises
    ------
    TableError
        A data set, method or size that the study does not have.
    """
    if not os.path.exists(store):
        raise StoreError(f"{store} is not there any more: signatures are read from the store")
    results = Results(store)
    results.cells(dataset, method)  # refuses names that are none
    sizes = [int(known) for known in results.sizes[dataset]]
    if whole(size) not in sizes:
        known = ", ".join(map(str, sizes))
        raise TableError(f"size must be one of {known}. Got {size:g}")
    names = np.array(results.datasets[dataset]["features"], dtype=object)
    numbers, chosen = results.signatures(dataset, method, int(size))
    return {
        "resampling": numbers.tolist(),
        "features": [names[mask].tolist() for mask in chosen],
        "p": len(names),
    }


def _pairs(pairs: pd.DataFrame) -> dict[str, list[Any]]:
    """Pairs by probability; over the data sets the data set is "": R drops a None beside text."""
    names = ["" if pd.isna(name) else str(name) for name in pairs["dataset"]]
    return _columns(pairs.assign(dataset=names))


def _data_sets(results: Results, chosen: Mapping[str, int]) -> dict[str, list[Any]]:
    """What is known of each data set; `chosen` is the small size of paul2015, section 5."""
    sets = list(results.datasets.values())
    what = "classes" if results.scores.judge == "classifier" else "target"
    return {
        "dataset": [data["name"] for data in sets],
        "rows": [data["rows"] for data in sets],
        "row_groups": [float(data.get("row_groups", 0)) or nan for data in sets],
        "continuous": [data["kinds"].count("continuous") for data in sets],
        "categorical": [sum(k != "continuous" for k in data["kinds"]) for data in sets],
        what: [_target(data) for data in sets],
        "missing_cells": [data["missing_cells"] for data in sets],
        "chosen": [float(chosen.get(data["name"], "nan")) for data in sets],
    }


def _target(data: Mapping[str, Any]) -> str:
    """The classes with their rows, the range of the numbers, or the events."""
    if "events" in data:
        return f"{data['events']} events, times to {data['longest']:.6g}"
    if not data["classes"]:
        return f"{data['least']:.6g} to {data['largest']:.6g}"
    classes = zip(data["classes"], data["class_counts"], strict=True)
    return ", ".join(f"{label} ({count})" for label, count in classes)


def store_in(store: str | None, study: Study, part: Part | None = None) -> str:
    """The file of a store, or that of a study in a folder."""
    own = str(study.default_store(part))
    if store is None:
        return own
    return os.path.join(store, own) if os.path.isdir(store) else str(store)


def report(
    path: str,
    store: str | None,
    plan: Any = None,
    tables: Sequence[Mapping[str, Any]] = (),
    digest: str | None = None,
    figures: str | None = None,
    suffix: str = ".pdf",
) -> dict[str, Any]:
    """Write the report of a study, and its figures into a folder; where they are."""
    study = None
    if plan is not None:
        try:
            study = plan_of(plan, tables)
        except ValueError:
            if store is None or os.path.isdir(store):
                raise  # else the store has the plan, but for the user's own tables
    if study is not None:
        store = store_in(store, study)
    if store is None:
        raise PlanError("a report needs a study or its store")
    results = Results(store, study)
    if digest is not None and results.digest() != digest:
        warnings.warn(
            f"{store} holds other results now than the study that was given: the report is on "
            "those of the store",
            stacklevel=2,
        )
    written = [] if figures is None else save_figures(results, figures, suffix)
    page = write_study_report(results, path)
    return {"path": os.path.abspath(page), "figures": list(map(str, written))}
