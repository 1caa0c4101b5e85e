"""The commands `hetsel study run | merge | status | export | report | schema`.

Only argparse is loaded before a command is known.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hetsel.ground.errors import TableError
from hetsel.shell.command_line import add_command, add_dask, add_json, add_raw_text

if TYPE_CHECKING:
    from hetsel.study.results import Results

ABOUT = """\
Compare selection methods over resamplings of data sets. A plan, a TOML file, says which; a store,
one SQLite file, keeps every finished cell, so that a run that was stopped goes on where it was."""
EPILOG = """\
examples:
  hetsel study run vignettes/first-study.toml
  hetsel study status vignettes/first-study.toml
  hetsel study report vignettes/first-study.toml --out report.html
  hetsel study export vignettes/first-study.toml --out tables
  hetsel study run big.toml --part 1/20
  hetsel study merge big.part-*-of-20.sqlite --into big.sqlite
  hetsel study schema > plan.schema.json
"""


def add(commands: Any, summary: str) -> None:
    """Add the command `study` and its own commands to the command line."""
    study = add_command(commands, "study", summary, description=ABOUT, epilog=EPILOG)
    actions = study.add_subparsers(title="commands", metavar="COMMAND", required=True)
    run = _add(actions, "run", "compute what the store lacks", _run)
    run.add_argument(
        "--part",
        metavar="I/N",
        help="the I-th of N parts of the cells only, into a store of its own, by default "
        "NAME.part-I-of-N.sqlite; `merge` makes one of them",
    )
    run.add_argument("--jobs", type=int, metavar="N", help="worker processes; default: every CPU")
    run.add_argument(
        "--time-limit",
        type=float,
        metavar="SECONDS",
        help="of a cell: one that takes longer is ended and fails; default: none",
    )
    add_dask(run)
    run.add_argument(
        "--retry", action="store_true", help="compute failed and damaged cells once more"
    )
    run.add_argument(
        "--anew",
        metavar="METHOD",
        action="append",
        help="compute the cells of a method of this label anew; may be given several times",
    )
    run.add_argument("--quiet", action="store_true", help="no progress on stderr")
    _add_merge(actions)
    status = _add(actions, "status", "how far the study is, also while it runs", _status)
    add_json(status)
    summary = "write scores, summary, comparison and rankings as CSV files"
    export = _add(actions, "export", summary, _export)
    export.add_argument("--out", metavar="DIR", required=True, help="folder to write into")
    add_raw_text(export)
    report = _add(actions, "report", "write the report", _report)
    out = "the page to write: .html, .md or .docx"
    report.add_argument("--out", metavar="FILE", required=True, help=out)
    for command in (export, report):
        command.add_argument(
            "--score",
            metavar="NAME",
            help="what methods are compared by; default: bcr; of numbers r2, of survival times "
            "concordance",
        )
    report.add_argument("--figures", metavar="DIR", help="write every figure into a folder as well")
    report.add_argument(
        "--format", choices=("pdf", "svg", "png"), default="pdf", help="of --figures; default: pdf"
    )
    schema = actions.add_parser(
        "schema",
        help="print the JSON schema of a plan",
        description="Print the JSON schema of a plan, by which an editor completes and checks it: "
        "the first line of the plan names it, e.g. #:schema ./plan.schema.json",
    )
    schema.set_defaults(run=_schema)


def _add(actions: Any, name: str, summary: str, action: Any) -> argparse.ArgumentParser:
    command = add_command(actions, name, summary, action)
    what = "the .toml file" if name == "run" else "the .toml file, or the .sqlite store itself"
    command.add_argument("plan", metavar="PLAN", help=what)
    command.add_argument(
        "--store", metavar="FILE", help="default: NAME.sqlite here, NAME as the plan says"
    )
    return command


def _add_merge(actions: Any) -> None:
    merge = add_command(
        actions,
        "merge",
        "merge the stores of parts into one, as if one run had written it",
        _merge,
        description="Merge the stores of the parts of a study, made on one machine or on several. "
        "The merged store has\nthe digest of a single run. What a part lacks is said, and `run` "
        "with the merged store computes it.",
    )
    merge.add_argument("stores", metavar="STORE", nargs="+", help="a .sqlite file, kept as it is")
    merge.add_argument(
        "--into",
        metavar="FILE",
        required=True,
        help="the merged store; one that is there keeps what it holds",
    )
    merge.add_argument("--quiet", action="store_true", help="nothing on stderr")


def _run(options: argparse.Namespace) -> int:
    from hetsel.study.run import Study

    study = Study.load(options.plan)
    results = study.run(
        options.store,
        part=options.part,
        jobs=options.jobs,
        dask=options.dask,
        time_limit=options.time_limit,
        retry=options.retry,
        anew=options.anew or (),
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
    from hetsel.report.pages.study_page import save_figures, write_report
    from hetsel.shell.output_files import need_packages

    check_page_path(options.out, "study")
    need_packages("report", Path(options.out).suffix.lower())
    try_writing([options.out])
    results = _results(options)
    print(f"wrote {write_report(results, options.out, score=options.score)}")
    if options.figures is not None:
        for path in save_figures(results, options.figures, options.format, score=options.score):
            print(f"wrote {path}")
    return 0


def _schema(options: argparse.Namespace) -> int:
    from hetsel.study.plan.plan_schema import plan_schema

    print(json.dumps(plan_schema(), indent=1, ensure_ascii=False))
    return 0
