"""What new rows say of a signature, as a page: HTML, Markdown or Word."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hetsel.ground import Content, counted, listed, shown, write_files
from hetsel.ground.sealed_json import read_as
from hetsel.report.elements.blocks import Callout, Document, PrintedTable, Shown, part_of, united
from hetsel.report.figures.figure_style import house_style
from hetsel.report.formats.document_files import check_page_path, document_files
from hetsel.report.signature_sections import how_good, probabilities
from hetsel.signature.validation import new_performance, validated
from hetsel.words import signature_sentences
from hetsel.words import validation_sentences as said

NAMED = 3  # levels in a cell
MOODS: dict[new_performance.ChangeVerdict, str] = {
    "better": "good",
    "worse": "bad",
    "undecided": "",
}


def write_validation_report(found: Any, file: str | Path, *, title: str | None = None) -> Path:
    """Write the page of a validation; the same facts give the same bytes.

    Parameters
    ----------
    found : Validation or mapping
        What :func:`hetsel.validate_signature` found, as JSON has it, too.
    file : str or Path
        Its ending says the format: .html, .md with figures beside it, or .docx.
    title : str, optional

    Raises
    ------
    TableError
        The path cannot be a file; another ending.
    """
    check_page_path(file, "validation")
    if isinstance(found, Mapping):
        found = read_as("the validation", found, validated.Validation)
    return write_files(validation_files(found, file, title=title))[0]


def validation_files(
    facts: validated.Validation, path: str | Path, *, title: str | None = None
) -> dict[str | Path, Content]:
    """The page and what stands beside it, for :func:`hetsel.ground.writing.write_files`."""
    rows = f"{said.rows(facts)} The signature: {listed(facts.signature, 20)}."
    with house_style():
        parts = united(
            [
                part_of("found", "What was found", _found(facts)),
                part_of("good", "How good it is on these rows", [_rates(facts)], "How good"),
                part_of(
                    "probabilities",
                    "What its probabilities are worth",
                    probabilities.worth_of(facts.probabilities),
                    "Probabilities",
                ),
                part_of("rows", "What is new in these rows", _features(facts), "New rows"),
            ]
        )
    document = Document(title or "A signature on new rows", rows, facts.version, parts)
    return document_files(document, path)


def _found(facts: validated.Validation) -> Iterator[Shown]:
    if facts.compared:
        yield Callout(said.compared(facts.compared), MOODS[facts.compared.verdict])
    yield signature_sentences.performance(facts)
    yield from (said.missing(facts), said.never_seen(facts), said.drift(facts.features))


def _rates(facts: validated.Validation) -> PrintedTable:
    one = facts.performance
    before = facts.before.performance
    told = {}
    if before is not None:
        told = {row[0]: f"{row[1]} ({row[2]})" for row in how_good.measure_rows(facts, before)}
    rows = [
        [name, value, ends, told.get(name, "–")]
        for name, value, ends, *_ in how_good.measure_rows(facts, one)
    ]
    head = ["on these rows", "value", f"{100 * (one.main.level or 0):g} % interval", "in the fit"]
    note = (
        "In the fit: as nested cross-validation estimated it there. Intervals count whole groups "
        "where there are any."
    )
    return PrintedTable("rates", "Performance on new rows.", head, rows, note=note)


def _features(facts: validated.Validation) -> Iterator[Shown]:
    if not facts.features:
        return
    rows = []
    for one in facts.features:
        strange = counted(one.unseen, "row") if one.unseen else "–"
        if one.unseen:
            strange += f": {listed(one.levels, NAMED)}"
        beyond = f"{one.below:,} below, {one.above:,} above"
        mean = one.shift_by_chance
        index = "" if mean is None else f" ({mean:.2f})"
        rows.append(
            [
                shown(one.feature),
                f"{100 * one.missing:.1f} ({100 * one.missing_before:.1f})",
                strange,
                beyond if one.below + one.above else "–",
                "–" if one.shift is None else f"{one.shift:.2f}{index}",
                "–" if one.pvalue is None else f"{one.pvalue:.2g}",
            ]
        )
    head = ["feature", "missing %", "levels never seen", "beyond the range", "index", "p"]
    note = (
        "Missing: here, and in the fit. Index: population stability index of the levels or tenths "
        "of the rows of the fit, and of missing cells; 0.1 is some, 0.25 a large difference; in "
        "parentheses its mean where both are of one distribution. p: of a test of that, adjusted "
        "for the number of features; it counts groups of rows where there are any."
    )
    yield PrintedTable("drift", "The features in these rows and in the fit.", head, rows, note=note)
