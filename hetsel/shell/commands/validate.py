"""Run the command `hetsel validate`."""

import argparse
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from hetsel.ground import Content
from hetsel.ground.sealed_json import plain_values
from hetsel.shell import output_files, printed_cautions, printing, selection_input
from hetsel.signature.saved_signature import load_signature
from hetsel.signature.validation.validated import Validation, validate_signature
from hetsel.words.summary import summary


def run(options: argparse.Namespace) -> int:
    """Validate the signature; print and write the result."""
    paths = output_files.output_paths(options)
    saved = load_signature(options.model, trust_edited=options.trust_edited)
    given = selection_input.read_rows(options)
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
        harm_ratio=options.harm_ratio,
    )
    with output_files.written(paths, partial(_files, found), quiet=options.json):
        if options.json:
            printing.print_json(
                {**plain_values(found), "notes": printed_cautions.notes_of(options)}
            )
        else:
            print(summary(found))
    return 0


def _files(facts: Validation, option: str, path: str) -> Mapping[str | Path, Content]:
    """Return the files of the report."""
    from hetsel.report.pages.validation_page import validation_files

    return validation_files(facts, path)
