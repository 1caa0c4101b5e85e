"""The page of a validation in HTML, Markdown or Word."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hetsel.ground import Content, listed, shown, write_files
from hetsel.ground.sealed_json import read_as
from hetsel.report.elements.blocks import (
    Callout,
    Document,
    Paragraph,
    PrintedTable,
    Shown,
    part_of,
    united,
)
from hetsel.report.figures.figure_style import house_style
from hetsel.report.formats.document_files import check_page_path, document_files
from hetsel.report.signature_sections import how_good, probabilities
from hetsel.signature.validation import new_performance, validated
from hetsel.words import phrases, signature_sentences
from hetsel.words import validation_sentences as said

NAMED = 3  # levels in a cell
MOODS: dict[new_performance.ChangeVerdict, str] = {
    "better": "good",
    "worse": "bad",
    "undecided": "",
}


def write_validation_report(found: Any, file: str | Path, *, title: str | None = None) -> Path:
    """Write the report of a validation as a page.

    The page shows the performance on the new rows, its difference from internal validation,
    calibration, and features whose distribution differs. The same facts give the same bytes.

    Parameters
    ----------
    found : Validation or mapping
        The result of :func:`hetsel.validate_signature`, also as read from JSON.
    file : str or Path
        The ending chooses the format: .html (one self-contained file), .md (Markdown, with .png
        figures beside it) or .docx (Word).
    title : str, optional
        The title of the page.

    Returns
    -------
    Path
        The page.

    Raises
    ------
    TableError
        The path cannot be a file, or the ending is another one.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import hetsel
    >>> heart = hetsel.datasets.load("heart")
    >>> X, y = heart.X[::3], heart.y[::3]
    >>> quick = hetsel.Signature(size=1, folds=3, repeats=1, permutations=0, pairs=0)
    >>> found = quick.fit(X, y)
    >>> checked = hetsel.validate_signature(found, heart.X[1::3], heart.y[1::3])
    >>> with TemporaryDirectory() as folder:
    ...     hetsel.write_validation_report(checked, f"{folder}/validation.md").name
    'validation.md'
    """
    check_page_path(file, "validation")
    if isinstance(found, Mapping):
        found = read_as("the validation", found, validated.Validation)
    return write_files(validation_files(found, file, title=title))[0]


def validation_files(
    facts: validated.Validation, path: str | Path, *, title: str | None = None
) -> dict[str | Path, Content]:
    """Return the page and its figures, for :func:`hetsel.ground.writing.write_files`."""
    rows = f"{said.rows(facts)} Signature: {listed(facts.signature, 20)}."
    with house_style():
        parts = united(
            [
                part_of("found", "Main result", _found(facts)),
                part_of("good", "Performance on these rows", [_rates(facts)], "Performance"),
                part_of(
                    "probabilities",
                    "Predicted probabilities",
                    probabilities.worth_of(facts.probabilities),
                    "Probabilities",
                ),
                part_of(
                    "rows", "Differences from the training rows", _features(facts), "Differences"
                ),
            ]
        )
    document = Document(
        title or "Validation of a signature on new rows", rows, facts.version, parts
    )
    return document_files(document, path)


def _found(facts: validated.Validation) -> Iterator[Shown]:
    if facts.compared:
        yield Callout(said.compared(facts.compared), MOODS[facts.compared.verdict])
    yield signature_sentences.performance(facts)
    yield from (said.missing(facts), said.outside_training(facts), said.drift(facts.features))
    if facts.compared:
        yield Paragraph(said.CONCLUSIONS[facts.compared.verdict], label="In short:")


def _rates(facts: validated.Validation) -> PrintedTable:
    one = facts.performance
    before = facts.before.performance
    estimated = {}
    if before is not None:
        estimated = {row[0]: f"{row[1]} ({row[2]})" for row in how_good.measure_rows(facts, before)}
    rows = [
        [name, value, ends, estimated.get(name, "–")]
        for name, value, ends, *_ in how_good.measure_rows(facts, one)
    ]
    level = f"{100 * (one.main.level or 0):g}% CI"
    head = ["measure", "value on these rows", level, "internal validation"]
    note = (
        "Internal validation: the estimate of nested cross-validation on the training rows. The "
        "CIs count whole row groups, if there are any."
    )
    return PrintedTable(
        "rates",
        "Performance on these rows, and as estimated by internal validation.",
        head,
        rows,
        note=note,
    )


def _features(facts: validated.Validation) -> Iterator[Shown]:
    if not facts.features:
        return
    rows = []
    for one in facts.features:
        strange = phrases.count(one.unseen, "row") if one.unseen else "–"
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
    head = ["feature", "missing %", "unseen levels", "beyond the range", "index", "p"]
    note = (
        "Missing: in the new rows, in parentheses in the training rows. Index: population "
        "stability index over levels or tenths of the training rows, and missing values; 0.1 is "
        "a moderate and 0.25 a large difference. In parentheses: its mean under equal "
        "distributions. p: test of equal distributions, adjusted for the number of features; it "
        "counts whole row groups, if there are any."
    )
    caption = "The features in these rows and in the training rows."
    yield PrintedTable("drift", caption, head, rows, note=note)
