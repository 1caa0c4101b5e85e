"""The page of a signature in HTML, Markdown or Word."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from hetsel.ground import Content, TableError, plain_number, shown, write_files
from hetsel.ground.sealed_json import read_as
from hetsel.ground.text import value_or_type
from hetsel.report.elements.blocks import Document, Shown, part_of, united
from hetsel.report.figures.figure_style import house_style
from hetsel.report.formats.document_files import check_page_path, document_files
from hetsel.report.signature_sections import (
    for_a_paper,
    full_model,
    how_good,
    how_it_was_done,
    points_to_add_up,
    probabilities,
    rows_and_columns,
    what_features_do,
    what_was_found,
)
from hetsel.signature.signature_facts import SignatureFacts
from hetsel.words import checklist_answers, phrases, target_words

# the sections in the order of the page: key (of links), function of the facts, short title
SECTIONS: dict[str, tuple[Callable[[target_words.Facts], Iterable[Shown]], str]] = {
    "found": (what_was_found.blocks, ""),
    "good": (how_good.blocks, "Performance"),
    "probabilities": (probabilities.blocks, "Probabilities"),
    "sure": (how_good.how_sure, "Stability"),
    "features": (what_features_do.blocks, "Effects"),
    "points": (points_to_add_up.blocks, ""),
    "rows": (rows_and_columns.blocks, ""),
    "how": (how_it_was_done.blocks, ""),
    "model": (full_model.blocks, ""),
    "paper": (for_a_paper.methods_blocks, ""),
    "checklist": (for_a_paper.checklist, "Checklist"),
}


def write_signature_report(facts: Any, file: str | Path, *, title: str | None = None) -> Path:
    """Write the report of a signature as a page.

    The page shows the features, their performance on new rows, calibration, stability, effects,
    the full model, a draft of a methods section and the TRIPOD+AI checklist. The same facts give
    the same bytes.

    Parameters
    ----------
    facts : Signature, SavedSignature, SignatureFacts or mapping
        A fitted signature, a signature from its file, or its facts, also as read from JSON.
    file : str or Path
        The ending chooses the format: .html (one self-contained file), .md (Markdown, with .png
        figures beside it) or .docx (Word).
    title : str, optional
        The title of the page. The default names the number of features, the target and the table.

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
    >>> with TemporaryDirectory() as folder:
    ...     hetsel.write_signature_report(found, f"{folder}/signature.md").name
    'signature.md'
    """
    check_page_path(file, "signature")
    if isinstance(facts, Mapping):
        facts = read_as("the facts", facts, SignatureFacts)
    if not isinstance(facts, SignatureFacts):
        if not hasattr(facts, "facts"):
            raise TableError(
                "signature must be a fitted Signature, or hetsel.load_signature(path). "
                f"Got {value_or_type(facts)}"
            )
        facts = facts.facts() if callable(facts.facts) else facts.facts
    return write_files(report_files(facts, file, title=title))[0]


def report_files(
    facts: target_words.Facts, path: str | Path, *, title: str | None = None
) -> dict[str | Path, Content]:
    """Return the page and its figures, for :func:`hetsel.ground.writing.write_files`."""
    return document_files(signature_document(facts, title), path)


def signature_document(facts: target_words.Facts, title: str | None = None) -> Document:
    """Return all parts of the page, in their order."""
    with house_style():
        parts = united(
            part_of(key, checklist_answers.TITLES[key], blocks(facts), short)
            for key, (blocks, short) in SECTIONS.items()
        )
    return Document(title or _title(facts), _lead(facts), facts.version, parts)


def _title(facts: target_words.Facts) -> str:
    """Name the size, the target and the table, as far as they are known."""
    table, target = facts.table, facts.target
    about = f" for {shown(target)}" if target else ""
    return f"A signature of {phrases.count(facts.size, 'feature')}{about}" + (
        f" (table {shown(table)})" if table else ""
    )


def _lead(facts: target_words.Facts) -> str:
    groups = facts.groups
    grouped = "" if groups is None else f" in {phrases.count(groups, 'row group')}"
    by = f" ({shown(facts.row_weights)})" if facts.row_weights else ""
    weighted = f" with weights{by}" if facts.effective_sample_size is not None else ""
    return (
        f"{facts.rows:,} rows{weighted}{grouped}, "
        f"{phrases.count(facts.columns, 'candidate feature')}; {_told(facts)}. hetsel "
        f"{facts.version}."
    )


def _told(facts: target_words.Facts) -> str:
    """Describe the target."""
    if facts.kind == "classes":
        return ", ".join(
            f"{rows:,} of class {label}" for label, rows in target_words.classes_of(facts)
        )
    one = facts.target_facts
    if facts.kind == "survival":
        events = phrases.count(one["events"], "event")
        return (
            f"{events}, longest follow-up {plain_number(one['longest'])}, median "
            f"{plain_number(one['median_time'])}"
        )
    names = ("least", "largest", "mean", "deviation")
    least, largest, mean, deviation = (plain_number(one[name]) for name in names)
    return f"target between {least} and {largest}, mean {mean}, standard deviation {deviation}"
