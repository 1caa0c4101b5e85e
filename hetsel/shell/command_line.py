"""Add the commands to the command line; each loads its libraries when it runs."""

import argparse
import textwrap
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
from hetsel.questions.study import (
    ArchiveStudy,
    ExportStudy,
    MergeStores,
    PlanOfStore,
    ReportStudy,
    RunStudy,
    StudyStatus,
    VerifyArchive,
)
from hetsel.questions.validate import Validate
from hetsel.shell import asked_options, deferred_imports, error_words

FILES = """\
TABLE is one of:
  a text file      .csv .tsv .txt .data .arff .json .jsonl, also packed (.gz .bz2 .xz .zip)
  a workbook       .xlsx .xls .ods
  a binary file    .parquet .feather .dta (Stata) .sav (SPSS) .sas7bdat .xpt (SAS) .rds .rda (R)
  a data set       heart comes with hetsel; arrhythmia, bands, hepatitis, housing and van-t-veer
                   are downloaded once, or read from the folder that the environment variable
                   HETSEL_DATA names

COLUMN,... are column names, separated by commas. Options that take COLUMN,... can be repeated.
Empty cells, NA, N/A, n/a, #N/A, <NA>, NaN, nan, ?, null and NULL are missing values. The text None
is read as a level, not as a missing value, and hetsel prints a note.
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
Plan the number of rows of a study before it starts.

Without a table, hetsel computes the criteria of Riley et al. (as pmsampsize does) for two or more
classes, a numeric target or survival times, and the rows that a 95% CI of a given width needs.
With a table, it also computes the learning curve of `hetsel select` on nested subsets of the rows,
the rows that a given width or performance needs, and the probability that the selection finds a
feature with a given effect. For two classes, hetsel estimates from the table what you do not
specify of the expected study.""",
    "search": """\
Search for the subset of features that is best by a criterion. The score of the criterion is
optimistic, since the search maximizes it: performance on new rows is lower.""",
    "select": """\
Select one signature of a table: the number of features, the features, and a model on them.
Nested cross-validation estimates the performance on held-out rows. A permutation test compares it
with chance. The selection is repeated in random halves of the rows (half-samples) to show how
stable it is.""",
    "study": """\
Compare selection methods over resamplings of data sets. The plan, a TOML file, defines the study.
The store, an SQLite file, keeps every finished cell, so that an interrupted run continues where it
stopped.""",
    "validate": """\
Validate a saved signature on labeled rows that it was not trained on. The report gives the
performance, the calibration of predicted probabilities, unseen levels, and features with another
distribution than in the training rows. Rows that are equal or nearly equal to a training row are
refused, where the columns can identify them. The defaults of --prevalence, --thresholds and
--harm-ratio are the values of the signature.""",
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

An interrupted search with --archive continues when you run the same command again.
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
  hetsel study archive big.toml --out paper.zip
  hetsel study verify paper.zip
  hetsel study plan big.sqlite > big.toml
  hetsel study schema > plan.schema.json
""",
    "validate": """\
examples:
  hetsel validate signature.json hospital.csv --target relapse
  hetsel validate signature.json hospital.csv --target relapse --by sex --report validation.html
""",
}
OF_MERGE = """\
Merge the stores of one study: those of its parts, or of plans that differ in methods, judges, data
sets or the number of resamplings. The merged store has the digest of a single run of the merged
plan. hetsel reports missing cells; `hetsel study run` with the merged store computes them."""
OF_SCHEMA = """\
Print the JSON schema of a plan. An editor uses it to complete and check a plan whose first line
names it, for example: #:schema ./plan.schema.json"""


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Format help without breaking words such as one-se at a hyphen."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)


def add_command(commands: Any, name: str, summary: str) -> None:
    """Add a command of `hetsel` to the parser."""
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
            help="Key of a method; list only these methods, with details of their memory.",
        )


def _add_actions(study: argparse.ArgumentParser) -> None:
    """Add the commands of `hetsel study` to its parser."""
    actions = study.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _added(actions, "run", "compute the missing cells of a study", "study.compute", RunStudy)
    of_store = "print the plan that a store carries, as a TOML file"
    _added(actions, "plan", of_store, "study.plan", PlanOfStore)
    merged = "merge the stores of one study into one store"
    _added(actions, "merge", merged, "study.merge", MergeStores, OF_MERGE)
    status = "show how many cells are finished, also during a run"
    _added(actions, "status", status, "study.status", StudyStatus)
    tables = "write scores, summary, comparison and rankings to CSV files"
    _added(actions, "export", tables, "study.export", ExportStudy)
    _added(actions, "report", "write the report of a study", "study.report", ReportStudy)
    archived = "write plan, results, tables, report and figures into one archive"
    _added(actions, "archive", archived, "study.archive", ArchiveStudy)
    _added(actions, "verify", "check an archive of a study", "study.verify", VerifyArchive)
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
    """Add a command whose options are those of a question; `place` names its function."""
    files = FILES if any(one.name == "table" for one in asked_by(question)) else ""
    command: argparse.ArgumentParser = commands.add_parser(
        name,
        help=summary,
        description=about or summary[0].upper() + summary[1:] + ".",
        epilog="\n".join(filter(None, (examples, files))),
        formatter_class=HelpFormatter,
        add_help=False,
    )
    command.add_argument("-h", "--help", action="help", help="Show this help and exit.")
    if place:
        command.set_defaults(run=partial(_run, place))
    asked_options.add_asked(command, question)
    command.set_defaults(flags=error_words.flags_of(command))
    return command


def _run(place: str, options: argparse.Namespace) -> int:
    """Load the module of a command, run its function and return the exit code."""
    file, function = place.split(".")
    if file not in WITHOUT_TABLES:
        deferred_imports.load_libraries()
    code: int = getattr(import_module(f"hetsel.shell.commands.{file}"), function)(options)
    return code
