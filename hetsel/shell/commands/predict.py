"""Run the command `hetsel predict`."""

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
    """Predict the rows of a table; print or write the predictions."""
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
    """Return the columns of the signature; the error of unseen levels names the option."""
    try:
        return saved.rows_of(frame, unseen)
    except TableError as error:
        if not any(fix.option == "unseen" for fix in error.fixes):
            raise
        advice = "With --unseen separate such a level adds nothing to the decision value"
        raise TableError(f"{error.sentence}. {advice}") from None


def _unseen(rows: Table, frame: Any) -> Iterator[tuple[str, Note]]:
    """Yield a note on each column with unseen levels, with the number of rows."""
    for j, column in enumerate(rows.schema.columns):
        strange = rows.values[:, j] > len(column.levels)  # the number after the levels is "missing"
        if column.kind == "nominal" and strange.any():
            levels = listed(map(shown, frame.loc[strange, column.name].unique()))
            who = counted(int(strange.sum()), "row")
            yield (
                column.name,
                Note((f"{column.name}: {who} with a level that no training row had: {levels}",)),
            )


def _beyond(saved: SavedSignature, rows: Table) -> Iterator[tuple[str, Note]]:
    """Yield a note on each column with values outside the range of the training rows."""
    known = () if saved.reference is None else saved.reference.features
    for before, cells in zip(known, rows.values.T, strict=False):
        beyond = sum(rows_beyond(before, cells))
        # otherwise another note covers these rows
        if before.edges and beyond > far_rows(before, cells).sum():
            low, high = before.edges[0], before.edges[-1]
            who = f"{counted(beyond, 'row')} outside the range of the training rows"
            name = before.feature
            effect = "predicted as at the end of the range"
            yield name, Note((f"{name}: {who} ({low:g} to {high:g}), {effect}",))


def _kept(options: argparse.Namespace, names: list[str], taken: list[str]) -> list[str]:
    """Return the columns of --keep; raise an error if the output has a column of that name."""
    given = table_reading.split_names(options.keep, names)
    kept = list(dict.fromkeys(find_column(names, one, option="--keep") for one in given))
    both = [name for name in kept if name in taken]
    if both:
        raise TableError(
            f"--keep must not name a column that predict writes itself. Got {both[0]!r}: rename "
            "this column of the table"
        )
    return kept


def _predicted(saved: SavedSignature, rows: Table) -> dict[str, Any]:
    """Return the columns: class, probabilities and decision values; number; or risk score."""
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
