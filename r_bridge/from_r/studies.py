"""Studies for the R package: a plan from a list of R, and results as a record."""

import os
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from hetsel import __version__
from hetsel.ground.errors import PlanError, StoreError, TableError
from hetsel.resampling.resampling_entry import Resamplings
from hetsel.study.comparison.study_summary import Summary
from hetsel.study.comparison.summary_of_kinds import SummaryOfKinds
from hetsel.study.merged_stores import merge_stores as merge_all
from hetsel.study.plan.parts import StudyPart
from hetsel.study.results import Results
from hetsel.study.run import Study
from r_bridge.from_r.asked import Parts, strings, usable_jobs, whole
from r_bridge.from_r.compared_methods import RANK, Placed, groups_of, pairs_of, results_of
from r_bridge.from_r.guarded_calls import kept_in
from r_bridge.from_r.r_words import with_r_values
from r_bridge.from_r.study_plans import PlanAsked, plan_of
from r_bridge.r_vectors import RVector, Values, as_vector, kinds, table, texts

# columns of the tables of a study by their types; others are numbers
COLUMNS = kinds(str, "dataset", "treatment", "method", "classifier", "rule", "cut", "changed")
COLUMNS |= kinds(str, "class", "judge", "warning", "reason", "trace")
COLUMNS |= kinds(int, "resampling", "resamplings", "scored", "size", "size_even", "size_odd")
COLUMNS |= kinds(int, "absent_classes", "lacking", "cells", "finished", "failed")
FLAGS = ["False", "True"]  # classes in a store; R writes FALSE and TRUE
RANKS = RANK | {"number": int} | kinds(float, "pvalue", "critical_difference")


def contents(results: Results) -> Values:
    """Convert the results of a study, the findings of its report, and the plan."""
    status, plan = results.status(), results.plan or {}
    counts, parts = ("cells", "finished", "failed"), pd.DataFrame(status["parts"])
    flags = (data["name"] for data in results.datasets.values() if data["classes"] == FLAGS)
    return {
        "name": status["name"],
        **_compared(results),
        "scores": _table(results.frame(), n_categorical=int),
        "summary": _table(results.summary()),
        "status": {
            **{name: status[name] for name in (*counts, "missing")},
            "parts": _table(parts.reindex(columns=["dataset", "method", *counts])),
        },
        "failures": _table(_in_words_of_r(results.failures(), "reason")),
        "warnings": _table(_in_words_of_r(results.warnings(), "warning")),
        "absent_classes": _table(results.absent_classes()),
        "methods": texts(results.methods),
        "classifiers": texts(results.classifiers),
        "digest": results.digest(),
        "store": os.path.abspath(results.path),
        "versions": as_vector(results.versions(), list[dict[str, str]]),
        "plan": plan,
        "split": Resamplings.of("the plan", plan["resamplings"]).in_words(),
        "version": __version__,
        "of_flags": texts(flags),  # data sets with classes FALSE and TRUE
    }


def _compared(results: Results) -> Values:
    """Convert the comparison of the methods; with several kinds of targets, ranks are over all."""
    from hetsel.report.pages.found_over_kinds import found_over_kinds
    from hetsel.report.pages.section_list import found
    from hetsel.report.sections.ranks_over_data_sets import crossfitted
    from hetsel.study.comparison.treated_pairs import paired
    from hetsel.words.comparison_sentences import decided

    every = [Summary(results.of_kind(kind)) for kind in results.kinds]
    if len(every) == 1:
        every = [Summary(results)]
    done = [summary for summary in every if summary.datasets]
    ranked: Summary | SummaryOfKinds = every[0]
    sentences = found(every[0]) if len(every) == 1 and done else []
    if len(every) > 1 and done:
        ranked = SummaryOfKinds(results)
        sentences = found_over_kinds(ranked)
    probable = [sentence for summary in every if (sentence := decided(summary))]
    chosen = {name: size for summary in done for name, size in summary.chosen.items()}
    return {
        "found": texts(sentences),
        "crossfitted": _table(pd.concat(map(crossfitted, every), ignore_index=True)),
        "probable": " ".join(probable),
        "bayesian_pairs": pairs_of(pd.concat(s.bayesian_pairs for s in every)),
        "ranks": table(_ranks(ranked), RANKS),
        "alike": groups_of(_tests(ranked)),
        "treatments": _table(pd.concat(map(paired, every), ignore_index=True)),
        "reference": done[0].reference if len(every) == 1 and done else "",
        "datasets": _data_sets(results, chosen),
    }


def _table(frame: pd.DataFrame, **more: type) -> RVector:
    """Convert a table of a study; the names of columns determine their types."""
    return table(frame, {name: (COLUMNS | more).get(name, float) for name in map(str, frame)})


def _in_words_of_r(frame: pd.DataFrame, column: str) -> pd.DataFrame:
    return frame.assign(**{column: [with_r_values(str(text)) for text in frame[column]]})


def _tests(summary: Summary | SummaryOfKinds) -> Iterator[Placed]:
    """Iterate over the tests of a study with their measure and analysis."""
    for measure in summary.measures if summary.datasets else ():
        for analysis in summary.made(measure):
            yield measure.key, analysis.head, analysis.test


def _ranks(summary: Summary | SummaryOfKinds) -> Iterator[tuple[object, ...]]:
    """Iterate over the mean ranks of the methods over data sets."""
    for measure, head, test in _tests(summary):
        for method, rank in test.ordered:
            facts = test.blocks, test.permutation, test.critical_difference
            yield measure, head, method, rank, *facts


def study_signatures(
    store: str, dataset: str, method: str, size: float
) -> dict[str, tuple[str, ...]]:
    """Return the features that a method selects in each resampling, by its number from 0."""
    if not os.path.exists(store):
        raise StoreError(
            f"signatures are read from the store of the study, which does not exist: {store}"
        )
    results = Results(store)
    results.cells(dataset, method)  # refuses unknown names
    sizes = [int(known) for known in results.sizes[dataset]]
    if whole(size) not in sizes:
        known = ", ".join(map(str, sizes))
        raise TableError(f"size must be one of {known}. Got {size:g}")
    names = np.array(results.datasets[dataset]["features"], dtype=object)
    numbers, chosen = results.signatures(dataset, method, int(size))
    return {str(n): tuple(names[mask]) for n, mask in zip(numbers.tolist(), chosen, strict=True)}


def _data_sets(results: Results, chosen: Mapping[str, int]) -> RVector:
    """Describe each data set; `chosen` is the small size of paul2015, section 5."""
    target = "classes" if results.kinds == ["classes"] else "target"
    types = {"dataset": str} | kinds(int, "rows", "row_groups", "continuous", "categorical")
    types |= {target: str} | kinds(int, "missing_cells", "chosen")
    rows = []
    for data in results.datasets.values():
        continuous = data["kinds"].count("continuous")
        found = {
            "dataset": data["name"],
            "row_groups": data.get("row_groups") or None,
            "continuous": continuous,
            "categorical": len(data["kinds"]) - continuous,
            target: _target(data),
            "chosen": chosen.get(data["name"]),
        }
        rows.append({**data, **found})
    return table(rows, types)


def _target(data: Values) -> str:
    """Describe the classes with their rows, the range of numbers, or the events."""
    if "events" in data:
        return f"{data['events']} events, times to {data['longest']:.6g}"
    if not data["classes"]:
        return f"{data['least']:.6g} to {data['largest']:.6g}"
    classes = zip(data["classes"], data["class_counts"], strict=True)
    return ", ".join(f"{label} ({count})" for label, count in classes)


def store_in(store: str | None, study: Study, part: StudyPart | None = None) -> str:
    """Return the path of a store, or of the store of a study in a folder."""
    own = str(study.default_store(part))
    if store is None:
        return own
    return os.path.join(store, own) if os.path.isdir(store) else str(store)


def study(
    plan: PlanAsked,
    store: str | None = None,
    jobs: float | None = 1,
    tables: Sequence[Parts] = (),
    dask: str | None = None,
    retry: bool = False,
    progress: bool = False,
    time_limit: float | None = None,
    part: str | None = None,
    anew: str | Sequence[str] = (),
) -> Values:
    """Compute the missing cells of a study like :meth:`hetsel.Study.run`; return all results.

    The store is a file or a folder, by default the working directory; tables are the user's data.
    """
    planned = plan_of(plan, tables)
    path = store_in(store, planned, None if part is None else StudyPart.read(part))
    with kept_in(path):
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
    return contents(results)


def merge_stores(stores: str | list[str], into: str, progress: bool = False) -> Values:
    """Merge the stores of parts of a study and return the results."""
    return contents(merge_all(strings(stores), str(into), progress=bool(progress)))


def study_report(
    path: str,
    store: str | None = None,
    plan: PlanAsked | None = None,
    tables: Sequence[Parts] = (),
    digest: str | None = None,
    figures: str | None = None,
    format: str = "pdf",
) -> str:
    """Write the report of a study, and its figures into a folder; return the path of the report.

    Plan and tables are those of :func:`study`, which the effects need.
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
        raise PlanError("x must be a study or the path of its store")
    results = results_of(store, digest, study, "The report shows the results of the store")
    if figures is not None:
        save_figures(results, figures, format)
    return os.path.abspath(write_study_report(results, path))
