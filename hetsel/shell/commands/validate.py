"""The command `hetsel validate`; what it works with is loaded when it runs."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING, Any

from hetsel.questions.validate import Validate
from hetsel.shell.command_line import add_command
from hetsel.shell.output_files import output_paths, written

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from hetsel.ground import Content
    from hetsel.signature.validation.validated import Validation

ABOUT = """\
Judge a saved signature by labeled rows that it has not seen: how good it is there, whether its
probabilities hold, what in these rows it never saw, and which features are distributed differently.
Rows that it was learned from are refused, and so are nearly equal ones, as far as the columns
tell them from others. What probabilities are asked is what the signature was asked, if nothing
else is said."""
EXAMPLES = """\
examples:
  hetsel validate signature.json hospital.csv --target relapse
  hetsel validate signature.json hospital.csv --target relapse --by sex --report validation.html
"""


def add(commands: Any, summary: str) -> None:
    """Add the command to the command line."""
    add_command(commands, "validate", summary, run, Validate, ABOUT, EXAMPLES)


def run(options: argparse.Namespace) -> int:
    """Judge the signature; print and write what its worth is here."""
    from hetsel.shell.deferred_imports import load_libraries

    load_libraries()
    from hetsel.ground.sealed_json import plain_values
    from hetsel.shell.printed_cautions import notes_of
    from hetsel.shell.printing import print_json
    from hetsel.shell.selection_input import read_rows
    from hetsel.signature.saved_signature import load_signature
    from hetsel.signature.validation.validated import validate_signature
    from hetsel.words.summary import summary

    paths = output_paths(options)
    saved = load_signature(options.model, trust_edited=options.trust_edited)
    given = read_rows(options, saved.kind)
    found = validate_signature(
        saved,
        given.frame,
        given.y,
        given.row_weights,
        groups=given.row_groups,
        by=given.by,
        seen="drop" if options.drop_seen else options.seen,
        prevalence=options.prevalence,
        thresholds=options.thresholds,
        cost_of_missing=options.cost_of_missing,
    )
    with written(paths, partial(_files, found), quiet=options.json):
        if options.json:
            print_json({**plain_values(found), "notes": notes_of(options)})
        else:
            print(summary(found))
    return 0


def _files(facts: Validation, option: str, path: str) -> Mapping[str | Path, Content]:
    """The page."""
    from hetsel.report.pages.validation_page import validation_files

    return validation_files(facts, path)
