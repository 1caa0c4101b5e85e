"""The commands on the command line; what they work with is loaded when they run."""

import argparse
from functools import partial
from importlib import import_module
from typing import Any

from hetsel.questions.inspect import Inspect
from hetsel.questions.of_files import Printed
from hetsel.questions.option import Question, asked_by
from hetsel.questions.plan_rows import PlanRowsOfTable
from hetsel.questions.predict import Predict
from hetsel.questions.rank import Rank
from hetsel.questions.search import Search
from hetsel.questions.select import Select
from hetsel.questions.study import ExportStudy, MergeStores, ReportStudy, RunStudy, StudyStatus
from hetsel.questions.validate import Validate
from hetsel.shell import asked_options, deferred_imports

FILES = """\
A .csv, .tsv, .txt, .data, .arff, .json or .jsonl file (.gz, .bz2, .xz or .zip may follow); a
.parquet, .feather, .xlsx, .xls or .ods (sheets), .dta (Stata), .sav (SPSS), .sas7bdat or .xpt
(SAS), .rds or .rda (R) file; or the name of a data set: heart comes with hetsel; arrhythmia, bands,
hepatitis, housing and van-t-veer are read from the folder HETSEL_DATA or downloaded once. Empty
cells, NA, N/A, n/a, #N/A, <NA>, NaN, nan, ?, null and NULL mean missing; None is a level, with a
note.
"""
QUESTIONS: dict[str, type[Question]] = {
    "inspect": Inspect,
    "select": Select,
    "predict": Predict,
    "validate": Validate,
    "plan-rows": PlanRowsOfTable,
    "rank": Rank,
    "search": Search,
    "methods": Printed,
    "doctor": Printed,
}
WITHOUT_TABLES = {"methods", "study", "doctor"}
ABOUT = {
    "plan-rows": """\
How many rows a study needs, before it. Without a table: the criteria of Riley and colleagues, by
which pmsampsize computes, for two and more classes, numbers and survival times, and rows for a
wanted width of an interval. With a table: the learning curve of `hetsel select` on nested subsets
of its rows, rows for a wanted width or rate by it, and the chance to find a feature of a given
effect. What is expected of two classes comes from the table then, where it is not said.""",
    "search": """\
Search for the subset of features that is best by a criterion. The criterion is an inner score: the
search looks for its largest value, and rows outside the search do worse.""",
    "select": """\
Find one signature: how many features, which, how good, how sure. The size, the features and the
model are chosen by the rows that are at hand, and judged by nested cross-validation, in which no
row judges what it has chosen; permutations of the labels test whether it is better than chance.""",
    "study": """\
Compare selection methods over resamplings of data sets. A plan, a TOML file, says which; a store,
one SQLite file, keeps every finished cell, so that a run that was stopped goes on where it was.""",
    "validate": """\
Judge a saved signature by labeled rows that it has not seen: how good it is there, whether its
probabilities hold, what in these rows it never saw, and which features are distributed differently.
Rows that it was learned from are refused, and so are nearly equal ones, as far as the columns
tell them from others. What probabilities are asked is what the signature was asked, if nothing
else is said.""",
}
EXAMPLES = {
    "plan-rows": """\
examples:
  hetsel plan-rows --candidates 24 --prevalence 0.174 --c-statistic 0.89 --width 0.1
  hetsel plan-rows --candidates 30 --event-rate 0.065 --follow-up 2.07 --horizon 2 --r2 0.051
  hetsel plan-rows --candidates 25 --r2 0.2 --mean 1.9 --deviation 0.6
  hetsel plan-rows pilot.csv --target relapse --width 0.1 --rate 0.8 --find-effect 0.5
""",
    "search": """\
examples:
  hetsel search heart --search sffs --criterion 5nn --ties 0.01,0.02,0.05 --plot path.png
  hetsel search patients.csv --target relapse --search dos --criterion 1nn,3nn,5nn --voting order
  hetsel search patients.csv --target relapse --costs mri=300,blood=12 --budget 310
  hetsel search patients.csv --target relapse --row-groups patient --archive search.txt
  hetsel search patients.csv --time days --event died --criterion ridge

A search with --archive that was stopped goes on where it was by the same command.
""",
    "select": """\
examples:
  hetsel select heart --report heart.html
  hetsel select patients.csv --target relapse --row-groups patient --save signature.json
  hetsel select patients.csv --target relapse --size 5 --permutations 0
  hetsel select patients.csv --time days --event status --event-value dead
  hetsel select survey.csv --target smokes --row-weights weight --method rfe-svm
""",
    "study": """\
examples:
  hetsel study run vignettes/first-study.toml
  hetsel study status vignettes/first-study.toml
  hetsel study report vignettes/first-study.toml --out report.html
  hetsel study export vignettes/first-study.toml --out tables
  hetsel study run big.toml --part 1/20
  hetsel study merge big.part-*-of-20.sqlite --into big.sqlite
  hetsel study schema > plan.schema.json
""",
    "validate": """\
examples:
  hetsel validate signature.json hospital.csv --target relapse
  hetsel validate signature.json hospital.csv --target relapse --by sex --report validation.html
""",
}
OF_MERGE = """\
Merge the stores of the parts of a study, made on one machine or on several. The merged store has
the digest of a single run. What a part lacks is said; `run` with the merged store computes it."""
OF_SCHEMA = """\
Print the JSON schema of a plan, by which an editor completes and checks it: the first line of the
plan names it, e.g. #:schema ./plan.schema.json"""


def add_command(commands: Any, name: str, summary: str) -> None:
    """Add one of the commands of `hetsel` to its parser."""
    place = "" if name == "study" else f"{name.replace('-', '_')}.run"
    question, about = QUESTIONS.get(name, Question), ABOUT.get(name, "")
    command = _added(commands, name, summary, place, question, about, EXAMPLES.get(name, ""))
    if name == "study":
        _add_actions(command)
    elif name == "methods":
        command.add_argument(
            "methods",
            nargs="*",
            metavar="METHOD",
            help="these alone, with the factors of their memory",
        )


def _add_actions(study: argparse.ArgumentParser) -> None:
    """Add the commands of `hetsel study`."""
    actions = study.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _added(actions, "run", "compute what the store lacks", "study.compute", RunStudy)
    merged = "merge the stores of parts into one, as if one run had written it"
    _added(actions, "merge", merged, "study.merge", MergeStores, OF_MERGE)
    status = "how far the study is, also while it runs"
    _added(actions, "status", status, "study.status", StudyStatus)
    tables = "write scores, summary, comparison and rankings as CSV files"
    _added(actions, "export", tables, "study.export", ExportStudy)
    _added(actions, "report", "write the report", "study.report", ReportStudy)
    schema = "print the JSON schema of a plan"
    _added(actions, "schema", schema, "study.schema", about=OF_SCHEMA)


def _added(
    commands: Any,
    name: str,
    summary: str,
    place: str = "",
    question: type[Question] = Question,
    about: str = "",
    examples: str = "",
) -> argparse.ArgumentParser:
    """A command, added to a parser: the function of that place gets the options of its question."""
    files = FILES if any(one.name == "table" for one in asked_by(question)) else ""
    command: argparse.ArgumentParser = commands.add_parser(
        name,
        help=summary,
        description=about or summary[0].upper() + summary[1:] + ".",
        epilog="\n".join(filter(None, (examples, files))),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    if place:
        command.set_defaults(run=partial(_run, place))
    asked_options.add_asked(command, question)
    return command


def _run(place: str, options: argparse.Namespace) -> int:
    """Load the file of a command, and run its function; returns the exit code."""
    file, function = place.split(".")
    if file not in WITHOUT_TABLES:
        deferred_imports.load_libraries()
    code: int = getattr(import_module(f"hetsel.shell.commands.{file}"), function)(options)
    return code
