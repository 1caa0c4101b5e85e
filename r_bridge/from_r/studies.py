"""Studies for the R package: a plan from a list of R's, and results as a record."""

import os
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from msgspec import UNSET, Struct, UnsetType

from hetsel import __version__
from hetsel.ground.errors import PlanError, StoreError, TableError
from hetsel.resampling.resamplings import Resamplings
from hetsel.study.comparison.study_summary import Summary
from hetsel.study.merged_stores import merge_stores as merge_all
from hetsel.study.plan.parts import Part
from hetsel.study.results import Results
from hetsel.study.run import Study
from r_bridge.from_r.asked import strings, usable_jobs, whole
from r_bridge.from_r.compared_methods import Alike, BayesianPair, groups_of, pairs_of
from r_bridge.from_r.guarded_calls import Kept
from r_bridge.from_r.r_words import with_r_values
from r_bridge.from_r.study_plans import Tables, plan_of
from r_bridge.interrupts import ctrl_c_heard
from r_bridge.r_vectors import RVector, table

TREATED = (
    *("difference", "low", "high", "pvalue", "holm", "kuncheva", "kuncheva_treated", "common"),
)
FLAGS = ["False", "True"]  # classes as a store has them, which R writes in capitals


class Status(Struct):
    """Cells of a study by what became of them."""

    cells: int
    finished: int
    failed: int
    missing: int
    parts: RVector


class RankRow(Struct):
    """The mean rank of a method in a test."""

    measure: str
    analysis: str
    method: str
    mean_rank: float
    number: int
    pvalue: float
    critical_difference: float


class DataSetRow(Struct):
    """What is known of a data set."""

    dataset: str
    rows: int
    row_groups: int | None
    continuous: int
    categorical: int
    classes: str | UnsetType
    target: str | UnsetType
    missing_cells: int
    chosen: int | None  # the small size of paul2015, section 5


class StudyAnswer(Struct, kw_only=True):
    """All of a study's results."""

    name: str
    found: tuple[str, ...]
    crossfitted: RVector
    probable: str
    bayesian_pairs: tuple[BayesianPair, ...]
    ranks: tuple[RankRow, ...]
    alike: tuple[Alike, ...]
    treatments: RVector
    reference: str
    scores: RVector
    summary: RVector
    status: Status
    failures: RVector
    warnings: RVector
    absent_classes: RVector
    datasets: tuple[DataSetRow, ...]
    methods: tuple[str, ...]
    classifiers: tuple[str, ...]
    digest: str
    store: str
    versions: tuple[dict[str, str], ...]
    plan: Mapping[str, object]
    split: str
    version: str = __version__
    of_flags: tuple[str, ...]  # data sets whose classes R writes in capitals


PLACE: dict[str, type] = {"dataset": str, "method": str}


def contents(results: Results) -> StudyAnswer:
    """What a study found, what a report says first, and the plan."""
    from hetsel.report.pages.section_list import found
    from hetsel.report.sections.ranks_over_data_sets import crossfitted
    from hetsel.study.comparison.treated_pairs import paired
    from hetsel.words.comparison_sentences import decided

    summary, status, plan = Summary(results), results.status(), results.plan or {}
    measured: dict[str, type] = dict.fromkeys(results.scores.columns, float)
    if "absent_classes" in measured:
        measured |= {"absent_classes": int}
    first, *others = results.scores.averaged  # methods are compared by the first one
    ends = [f"{first}_{end}_{how}" for how in ("corrected", "naive") for end in ("low", "high")]
    main = dict.fromkeys([first, *ends], float)
    averaged = dict.fromkeys([*others, *(f"{name}_std" for name in results.scores.averaged)], float)
    of_parts = PLACE | {"cells": int, "finished": int, "failed": int}
    return StudyAnswer(
        name=status["name"],
        found=tuple(found(summary)) if summary.datasets else (),
        crossfitted=table(
            crossfitted(summary),
            PLACE
            | {"rule": str, "size_even": int, "size_odd": int, "resamplings": int}
            | main
            | {"kuncheva": float},
        ),
        probable=decided(summary),
        bayesian_pairs=pairs_of(summary.bayesian_pairs),
        ranks=tuple(_ranks(summary)),
        alike=tuple(groups_of(_tests(summary))),
        treatments=table(
            paired(summary),
            {"dataset": str, "treatment": str, "method": str, "size": int, "resamplings": int}
            | dict.fromkeys((first, f"{first}_treated", *TREATED), float)
            | {"changed": str},
        ),
        reference=summary.reference if summary.datasets else "",
        scores=table(
            results.frame(),
            PLACE
            | {"resampling": int, "size": int, "classifier": str}
            | measured
            | {"n_categorical": int, "cut": str, "rank_seconds": float},
        ),
        summary=table(
            results.summary(),
            PLACE
            | {"classifier": str, "size": int, "resamplings": int, "scored": int}
            | main
            | averaged
            | dict.fromkeys(("kuncheva", "n_categorical", "rank_seconds"), float),
        ),
        status=Status(
            **{name: int(status[name]) for name in ("cells", "finished", "failed", "missing")},
            parts=table(pd.DataFrame(status["parts"], columns=[*of_parts]), of_parts),
        ),
        failures=table(
            _in_words_of_r(results.failures(), "reason"),
            PLACE | {"resampling": int, "reason": str, "trace": str},
        ),
        warnings=table(
            _in_words_of_r(results.warnings(), "warning"), PLACE | {"warning": str, "cells": int}
        ),
        absent_classes=table(
            results.absent_classes(),
            {"dataset": str, "class": str, "lacking": int, "resamplings": int},
        ),
        datasets=tuple(_data_sets(results, summary.chosen if summary.datasets else {})),
        methods=tuple(results.methods),
        classifiers=tuple(results.classifiers),
        digest=results.digest(),
        store=os.path.abspath(results.path),
        versions=tuple(results.versions()),
        plan=plan,
        split=Resamplings.of("the plan", plan["resamplings"]).in_words(),
        of_flags=tuple(d["name"] for d in results.datasets.values() if d["classes"] == FLAGS),
    )


def _in_words_of_r(frame: pd.DataFrame, column: str) -> pd.DataFrame:
    return frame.assign(**{column: [with_r_values(str(text)) for text in frame[column]]})


def _tests(summary: Summary) -> Iterator[tuple[str, str, Any]]:
    """The tests of a study, each with its measure and its analysis."""
    for measure in summary.measures if summary.datasets else ():
        for analysis in summary.made(measure):
            yield measure.key, analysis.head, analysis.test


def _ranks(summary: Summary) -> Iterator[RankRow]:
    """Mean ranks of the methods over the data sets."""
    for measure, head, test in _tests(summary):
        for method, rank in test.ordered:
            facts = test.blocks, test.permutation, test.critical_difference
            yield RankRow(measure, head, method, float(rank), *facts)


def study_signatures(
    store: str, dataset: str, method: str, size: float
) -> dict[str, tuple[str, ...]]:
    """What a method selects of a data set at a size, by the number of the resampling, from 0.

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
    return {str(n): tuple(names[mask]) for n, mask in zip(numbers.tolist(), chosen, strict=True)}


def _data_sets(results: Results, chosen: Mapping[str, int]) -> Iterator[DataSetRow]:
    """What is known of each data set."""
    of_classes = results.scores.judge == "classifier"
    for data in results.datasets.values():
        continuous = data["kinds"].count("continuous")
        yield DataSetRow(
            dataset=data["name"],
            rows=data["rows"],
            row_groups=data.get("row_groups") or None,
            continuous=continuous,
            categorical=len(data["kinds"]) - continuous,
            classes=_target(data) if of_classes else UNSET,
            target=UNSET if of_classes else _target(data),
            missing_cells=data["missing_cells"],
            chosen=chosen.get(data["name"]),
        )


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


def study(
    plan: Any,
    store: str | None = None,
    jobs: float | None = 1,
    tables: Tables = (),
    dask: str | None = None,
    retry: bool = False,
    progress: bool = False,
    time_limit: float | None = None,
    part: str | None = None,
    anew: Any = (),
) -> StudyAnswer:
    """Run what the store of a study lacks; all that was found.

    Parameters
    ----------
    plan : str or dict
        Path of a TOML file, or the entries of a plan.
    store : str, optional
        SQLite file, or a folder, in which it is `<name>.sqlite`, of a part its own; None is that in
        the working directory.
    jobs : number, optional
        Worker processes; None takes every processor, 0 computes in this process.
    tables : list of DataSpec
        Own data sets.
    dask, retry, progress, time_limit, part, anew
        As :meth:`hetsel.Study.run` takes them.

    Raises
    ------
    Kept
        Ctrl-C came; the store has everything that was finished.
    """
    planned = plan_of(plan, tables)
    path = store_in(store, planned, None if part is None else Part.read(part))
    try:
        with ctrl_c_heard():
            results = planned.run(
                path,
                part=part,
                n_jobs=usable_jobs(jobs),
                dask=dask,
                time_limit=time_limit,
                retry=bool(retry),
                anew=tuple(strings(anew)),
                progress=bool(progress),
            )
    except KeyboardInterrupt:
        raise Kept(os.path.abspath(path)) from None
    return contents(results)


def merge_stores(stores: Any, into: str, progress: bool = False) -> StudyAnswer:
    """Merge the stores of parts of a study; what is found there."""
    return contents(merge_all(strings(stores), str(into), progress=bool(progress)))


def study_report(
    path: str,
    store: str | None = None,
    plan: Any = None,
    tables: Tables = (),
    digest: str | None = None,
    figures: str | None = None,
    format: str = "pdf",
) -> str:
    """Write the report of a study, and every figure into a folder; the path of the report.

    Parameters
    ----------
    path : str
        The HTML file.
    store : str, optional
        The SQLite file, or the folder that it is in; None is the one that the plan names.
    plan, tables
        As :func:`study` takes them, to read the tables again for the effect curves.
    digest : str, optional
        What the results are expected to be; others come with a warning.
    figures : str, optional
        The folder.
    format : {"pdf", "svg", "png"}
        Of these files.
    """
    from hetsel.report.pages.study_page import save_figures, write_study_report  # loads matplotlib

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
    if figures is not None:
        save_figures(results, figures, format)
    return os.path.abspath(write_study_report(results, path))
