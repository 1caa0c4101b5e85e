"""Run the commands `hetsel study run`, merge, status, export, report and schema."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hetsel.ground import TableError, counted
from hetsel.ground.writing import try_writing
from hetsel.shell import output_files, printing

if TYPE_CHECKING:
    from hetsel.study.results import Results


def compute(options: argparse.Namespace) -> int:
    from hetsel.study.run import Study

    store = _store_of(options)
    results = Study.load(options.plan).run(
        store,
        part=options.part,
        n_jobs=options.jobs,
        dask=options.dask,
        time_limit=options.time_limit,
        retry=options.retry,
        anew=options.anew,
        progress=not options.quiet,
    )
    status = results.status()
    print(f"{results}\ndigest {results.digest()}")
    return 1 if status["failed"] else 0


def _store_of(options: argparse.Namespace) -> str | None:
    """Return the store that a command names: that of the option, or the store as its plan."""
    store: str | None = options.store
    if Path(options.plan).suffix.lower() == ".toml":
        return store
    if store is not None:
        raise TableError(
            f"--store is for a plan. Got the store {options.plan} as PLAN: leave --store out"
        )
    return str(options.plan)


def plan(options: argparse.Namespace) -> int:
    from hetsel.study.plan.stored_plan import plan_text
    from hetsel.study.results import Results

    results = Results(options.plan)
    print(plan_text(results.plan, results.asked_judges), end="")
    return 0


def merge(options: argparse.Namespace) -> int:
    from hetsel.study.merged_stores import merge_stores

    results = merge_stores(options.stores, options.into, progress=not options.quiet)
    print(f"{results}\ndigest {results.digest()}")
    return 0


def _results(options: argparse.Namespace) -> Results:
    """Return the results of the study that the command names."""
    from hetsel.study.plan.plan import Plan
    from hetsel.study.results import Results

    store = _store_of(options)
    if Path(options.plan).suffix.lower() != ".toml":
        return Results(options.plan)
    study = Plan.load(options.plan)
    results = Results(study.default_store() if store is None else store, study)
    changed = results.changes()
    if changed:
        print(
            f"hetsel: note: {options.plan} has changed since the last run. These results are those "
            f"of the last run; `hetsel study run {options.plan}` computes the changed plan:",
            *(f"hetsel:   changed: {change}" for change in changed),
            sep="\n",
            file=sys.stderr,
        )
    return results


def status(options: argparse.Namespace) -> int:
    from hetsel.study.plan.parts import missing_in_words

    results = _results(options)
    status = results.status()
    failures = results.failures()
    if options.json:
        reasons = failures.drop(columns="trace").to_dict("records")
        printing.print_json({**status, "failures": reasons})
        return 0
    print(f"{results}; {status['missing']} to compute")
    width = max(len(part["dataset"]) for part in status["parts"])
    for part in status["parts"]:
        failed = f", {part['failed']} failed" if part["failed"] else ""
        done = f"{part['finished']:>5} of {part['cells']}"
        print(f"  {part['dataset']:<{width}}  {done}  {part['method']}{failed}")
    if status["by_part"]:
        print(*missing_in_words(status), sep="\n")
    kinds = Counter(zip(failures["method"], failures["reason"], strict=True))
    for (method, reason), number in kinds.most_common():
        print(f"{method}: {counted(number, 'cell')} failed: {reason}")
    return 0


def _compared(options: argparse.Namespace) -> dict[str, Any]:
    """Return the options of a comparison."""
    from hetsel.study.comparison.summary_of_kinds import COMPARED

    return {name: getattr(options, name) for name in COMPARED}


def export(options: argparse.Namespace) -> int:
    from hetsel.report.pages.exported_tables import export_tables

    written = export_tables(
        _results(options),
        options.out,
        format=options.format,
        **_compared(options),
        spreadsheet_safe=not options.raw_text,
    )
    for path in written:
        print(f"wrote {path}")
    return 0


def archive(options: argparse.Namespace) -> int:
    from hetsel.report.pages.study_archive import archive_study

    try_writing([options.out])
    path = archive_study(
        _results(options), options.out, with_tables=options.with_tables, **_compared(options)
    )
    print(f"wrote {path}")
    return 0


def verify(options: argparse.Namespace) -> int:
    from hetsel.report.pages.study_archive import verify_archive

    checks = verify_archive(options.archive, repeated=options.repeated)
    for check in checks:
        print(f"{'ok    ' if check.passed else 'FAILED'} {check.what}: {check.found}")
    return 0 if all(check.passed for check in checks) else 1


def report(options: argparse.Namespace) -> int:
    from hetsel.report.formats.document_files import check_page_path
    from hetsel.report.pages.study_page import save_figures, write_study_report

    check_page_path(options.out, "study")
    output_files.need_packages("report", Path(options.out).suffix.lower())
    try_writing([options.out])
    results = _results(options)
    compared = _compared(options)
    print(f"wrote {write_study_report(results, options.out, **compared)}")
    if options.figures is not None:
        for path in save_figures(results, options.figures, options.format, **compared):
            print(f"wrote {path}")
    return 0


def schema(options: argparse.Namespace) -> int:
    from hetsel.study.plan.plan_schema import plan_schema

    print(json.dumps(plan_schema(), indent=1, ensure_ascii=False))
    return 0
