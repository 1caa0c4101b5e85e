"""The command `hetsel predict`."""

import argparse
import warnings
from collections.abc import Iterator
from typing import Any

import pandas as pd

from hetsel.ground import TableError, counted, listed, shown
from hetsel.shell import output_files, printed_cautions, printing, selection_output, table_reading
from hetsel.signature.saved_signature import SavedSignature, load_signature
from hetsel.signature.validation.training_reference import far_rows, rows_beyond
from hetsel.tables import Note, Table, find_column


def run(options: argparse.Namespace) -> int:
    """Predict the rows of a table; print or write what is told of each."""
    paths = output_files.output_paths(options)
    saved = load_signature(options.model, trust_edited=options.trust_edited)
    frame, _, _ = table_reading.read_asked_table(options)
    with warnings.catch_warnings(record=True) as told:
        rows = _rows(saved, frame, options.unseen)
        predicted = pd.DataFrame(_predicted(saved, rows), index=frame.index)
    kept = frame[_kept(options, list(frame.columns), ["row", *predicted.columns])]
    found = pd.concat([kept, predicted], axis=1)
    found.insert(0, "row", range(1, len(frame) + 1))
    options.missing = saved.model.missing
    printed_cautions.say_missing(rows, options)
    for column, note in _unseen(rows, frame):
        printed_cautions.say(options, "unseen", note, [column])
    for column, note in _beyond(saved, rows):
        printed_cautions.say(options, "range", note, [column])
    for one in told:
        printed_cautions.say(options, "rows", Note((str(one.message),)))
    with output_files.written(
        paths,
        lambda _, path: {path: selection_output.table_file(found, path, options.raw_text)},
        quiet=options.json,
    ):
        if options.json:
            about = {"signature": list(saved.features), "target_kind": saved.kind}
            printing.print_json(
                {
                    **about,
                    "rows": found.to_dict("records"),
                    "notes": printed_cautions.notes_of(options),
                }
            )
        elif not paths:
            print(found.to_string(index=False))
    return 0


def _rows(saved: SavedSignature, frame: Any, unseen: Any) -> Table:
    """The cells of the signature; an error of new levels says what to do."""
    try:
        return saved.rows_of(frame, unseen)
    except TableError as error:
        if not any(fix.option == "unseen" for fix in error.fixes):
            raise
        advice = "with --unseen separate it adds nothing to the decision"
        raise TableError(f"{error.sentence}; {advice}") from None


def _unseen(rows: Table, frame: Any) -> Iterator[tuple[str, Note]]:
    """Each column with levels that no row of the fit had, and how many rows have one."""
    for j, column in enumerate(rows.schema.columns):
        strange = rows.values[:, j] > len(column.levels)  # the number after the levels is "missing"
        if column.kind == "nominal" and strange.any():
            levels = listed(map(shown, frame.loc[strange, column.name].unique()))
            who = counted(int(strange.sum()), "row")
            yield (
                column.name,
                Note((f"{column.name}: {who} with a level that no row of the fit had: {levels}",)),
            )


def _beyond(saved: SavedSignature, rows: Table) -> Iterator[tuple[str, Note]]:
    """Each column with values beyond the range of the fit, and in how many rows."""
    known = () if saved.reference is None else saved.reference.features
    for before, cells in zip(known, rows.values.T, strict=False):
        beyond = sum(rows_beyond(before, cells))
        # else it is said that all of them are far
        if before.edges and beyond > far_rows(before, cells).sum():
            low, high = before.edges[0], before.edges[-1]
            said = f"{counted(beyond, 'row')} beyond its range in the fit ({low:g} to {high:g})"
            name = before.feature
            yield name, Note((f"{name}: {said}; each counts as the end of the range",))


def _kept(options: argparse.Namespace, names: list[str], taken: list[str]) -> list[str]:
    """The columns of --keep, once each; none may have the name of what is written beside it."""
    given = table_reading.split_names(options.keep, names)
    kept = list(dict.fromkeys(find_column(names, one, option="--keep") for one in given))
    both = [name for name in kept if name in taken]
    if both:
        raise TableError(
            f"--keep: {both[0]!r} is also the name of a column that predict writes; rename it"
        )
    return kept


def _predicted(saved: SavedSignature, rows: Table) -> dict[str, Any]:
    """By column: class, probabilities, decisions; the number; or the risk, larger if sooner."""
    predicted = saved.predict(rows)
    if saved.kind != "classes":
        return {"risk" if saved.kind == "survival" else "predicted": predicted}
    decisions, classes = saved.reported_decisions(rows), saved.facts.classes
    found: dict[str, Any] = {"class": predicted}
    if saved.calibration is not None:
        each = zip(classes, saved.calibration.of(decisions).T, strict=True)
        found |= {f"probability {c}": values for c, values in each}
        worth = saved.facts.probabilities
        if worth is not None and (threshold := worth.threshold) is not None:
            found[f"above {threshold:.3g}"] = found[f"probability {saved.positive_}"] >= threshold
    if decisions.ndim == 1:
        return found | {"decision": decisions}
    each = zip(classes, decisions.T, strict=True)
    return found | {f"decision {c}": values for c, values in each}
