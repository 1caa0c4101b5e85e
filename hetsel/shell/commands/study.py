"""The commands `hetsel study run | merge | status | export | report | schema`.

Only argparse is loaded before a command is known.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hetsel.ground import TableError
from hetsel.questions.study import ExportStudy, MergeStores, ReportStudy, RunStudy, StudyStatus
from hetsel.shell.command_line import add_command

if TYPE_CHECKING:
    from hetsel.study.results import Results

ABOUT = """\
Compare selection methods over resamplings of data sets. A plan, a TOML file, says which; a store,
one SQLite file, keeps every finished cell, so that a run that was stopped goes on where it was."""
EXAMPLES = """\
examples:
  hetsel study run vignettes/first-study.toml
  hetsel study status vignettes/first-study.toml
  hetsel study report vignettes/first-study.toml --out report.html
  hetsel study export vignettes/first-study.toml --out tables
  hetsel study run big.toml --part 1/20
  hetsel study merge big.part-*-of-20.sqlite --into big.sqlite
  hetsel study schema > plan.schema.json
"""
OF_MERGE = """\
Merge the stores of the parts of a study, made on one machine or on several. The merged store has
the digest of a single run. What a part lacks is said; `run` with the merged store computes it."""
OF_SCHEMA = """\
Print the JSON schema of a plan, by which an editor completes and checks it: the first line of the
plan names it, e.g. #:schema ./plan.schema.json"""


def add(commands: Any, summary: str) -> None:
    """Add the command `study` and its own commands to the command line."""
    study = add_command(commands, "study", summary, about=ABOUT, examples=EXAMPLES)
    actions = study.add_subparsers(title="commands", metavar="COMMAND", required=True)
    add_command(actions, "run", "compute what the store lacks", _run, RunStudy)
    merged = "merge the stores of parts into one, as if one run had written it"
    add_command(actions, "merge", merged, _merge, MergeStores, about=OF_MERGE)
    status = "how far the study is, also while it runs"
    add_command(actions, "status", status, _status, StudyStatus)
    tables = "write scores, summary, comparison and rankings as CSV files"
    add_command(actions, "export", tables, _export, ExportStudy)
    add_command(actions, "report", "write the report", _report, ReportStudy)
    schema = "print the JSON schema of a plan"
    add_command(actions, "schema", schema, _schema, about=OF_SCHEMA)


def _run(options: argparse.Namespace) -> int:
    from hetsel.study.run import Study

    study = Study.load(options.plan)
    results = study.run(
        options.store,
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


def _merge(options: argparse.Namespace) -> int:
    from hetsel.study.merged_stores import merge_stores

    results = merge_stores(options.stores, options.into, progress=not options.quiet)
    print(f"{results}\ndigest {results.digest()}")
    return 0


def _results(options: argparse.Namespace) -> Results:
    """The results that the command asks about."""
    from hetsel.study.plan.plan import Plan
    from hetsel.study.results import Results

    if Path(options.plan).suffix.lower() != ".toml":
        if options.store is not None:
            raise TableError(f"--store: {options.plan} is a store itself: leave one of them out")
        return Results(options.plan)
    study = Plan.load(options.plan)
    results = Results(study.default_store() if options.store is None else options.store, study)
    changed = results.changes()
    if changed:
        print(
            f"hetsel: note: {options.plan} has changed since the last run, which this is about; "
            f"`hetsel study run {options.plan}` goes on:",
            *(f"hetsel:   changed: {change}" for change in changed),
            sep="\n",
            file=sys.stderr,
        )
    return results


def _status(options: argparse.Namespace) -> int:
    from hetsel.shell.printing import print_json
    from hetsel.study.plan.parts import missing_in_words

    results = _results(options)
    status = results.status()
    failures = results.failures()
    if options.json:
        reasons = failures.drop(columns="trace").to_dict("records")
        print_json({**status, "failures": reasons})
        return 0
    print(f"{results}; {status['missing']} to compute")
    width = max(len(part["dataset"]) for part in status["parts"])
    for part in status["parts"]:
        failed = f", {part['failed']} failed" if part["failed"] else ""
        done = f"{part['finished']:>5} of {part['cells']}"
        print(f"  {part['dataset']:<{width}}  {done}  {part['method']}{failed}")
    if status["by_part"]:
        print(*missing_in_words(status), sep="\n")
    for reason, count in failures["reason"].value_counts().head(5).items():
        print(f"{count} failed: {reason}")
    return 0


def _export(options: argparse.Namespace) -> int:
    from hetsel.report.pages.section_list import tables
    from hetsel.study.comparison.study_summary import Summary

    results = _results(options)
    summary = Summary(results, options.score)
    found = tables(summary) if summary.datasets else {}
    more = {f"comparison_{name}": table for name, table in found.items()}
    for path in results.export(options.out, spreadsheet_safe=not options.raw_text, more=more):
        print(f"wrote {path}")
    return 0


def _report(options: argparse.Namespace) -> int:
    from hetsel.ground.writing import try_writing
    from hetsel.report.formats.document_files import check_page_path
    from hetsel.report.pages.study_page import save_figures, write_study_report
    from hetsel.shell.output_files import need_packages

    check_page_path(options.out, "study")
    need_packages("report", Path(options.out).suffix.lower())
    try_writing([options.out])
    results = _results(options)
    print(f"wrote {write_study_report(results, options.out, score=options.score)}")
    if options.figures is not None:
        for path in save_figures(results, options.figures, options.format, score=options.score):
            print(f"wrote {path}")
    return 0


def _schema(options: argparse.Namespace) -> int:
    from hetsel.study.plan.plan_schema import plan_schema

    print(json.dumps(plan_schema(), indent=1, ensure_ascii=False))
    return 0
