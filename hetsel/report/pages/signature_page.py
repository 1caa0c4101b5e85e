"""One signature as a page that a reader of papers understands: HTML, Markdown or Word."""

from collections.abc import Mapping
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

from hetsel.ground.errors import TableError
from hetsel.ground.text import counted, plain_number, shown
from hetsel.ground.writing import Content, write_files
from hetsel.report.elements.document import (
    Callout,
    Document,
    Facts,
    Head,
    Items,
    Paragraph,
    Picture,
    PrintedTable,
    SignatureSection,
    Verbatim,
)
from hetsel.report.figures.figure_style import house_style
from hetsel.report.formats.markdown_files import markdown_files
from hetsel.report.formats.word_file import word_file
from hetsel.report.pages.study_page import check_page_path, rendered, shown_figure

# how the template shows a block
KINDS = {
    str: "words",
    Paragraph: "paragraph",
    Callout: "callout",
    Head: "head",
    Items: "items",
    Verbatim: "verbatim",
    PrintedTable: "table",
    Picture: "figure",
    list: "names",
}
FORMATS = {
    ".html": "a web page",
    ".htm": "a web page",
    ".md": "Markdown",
    ".markdown": "Markdown",
    ".docx": "Word",
}


def write_signature_report(facts: Any, path: str | Path, *, title: str | None = None) -> Path:
    """Write the page of a signature: what it is worth, and what a paper says of it.

    The same facts give the same bytes.

    Parameters
    ----------
    facts : Signature, SavedSignature or mapping
        A fitted signature, one from its file, or the facts of one.
    path : str or Path
        Its ending says the format: .html, one file with all that it shows inside; .md, Markdown
        with its figures as .png files beside it; .docx, Word.
    title : str, optional

    Raises
    ------
    TableError
        The path cannot be a file; another ending.
    """
    check_page_path(path)
    if not isinstance(facts, Mapping):
        if not hasattr(facts, "facts"):
            raise TableError(
                "signature must be a fitted Signature, or hetsel.load_signature(path). "
                f"Got {facts!r:.60}"
            )
        facts = facts.facts() if callable(facts.facts) else facts.facts
    return write_files(report_files(facts, path, title=title))[0]


def report_files(
    facts: Mapping[str, Any], path: str | Path, *, title: str | None = None
) -> dict[str | Path, Content]:
    """The page in the format that the ending of the path names, and what stands beside it.

    Returns
    -------
    dict of path to content
        For :func:`hetsel.ground.writing.write_files`; the page is first.

    Raises
    ------
    TableError
        Another ending.
    """
    return document_files(signature_document(facts, title), path)


def document_files(document: Document, path: str | Path) -> dict[str | Path, Content]:
    """A document in the format that the ending of the path names, and what stands beside it.

    Raises
    ------
    TableError
        Another ending.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        known = ", ".join(FORMATS)
        raise TableError(f"the page of a signature must end in one of {known}. Got {path}")
    with house_style():
        if FORMATS[suffix] == "Markdown":
            return markdown_files(document, Path(path))
        if FORMATS[suffix] == "Word":
            return {path: word_file(document)}
        return {path: _web_page(document)}


def signature_page(facts: Mapping[str, Any], *, title: str | None = None) -> str:
    """The web page as text; the same facts give the same page."""
    document = signature_document(facts, title)
    with house_style():
        return _web_page(document)


def _web_page(document: Document) -> str:
    """The document as HTML; all that it shows is inside."""
    numbers = count(1)

    def shown(block: Any) -> tuple[str, Any]:
        kind = KINDS[type(block)]
        if kind != "figure":
            return kind, block
        return kind, shown_figure(block, next(numbers) if block.figure else 0, block.key)

    parts = [(part, [shown(block) for block in part.blocks]) for part in document.parts]
    return rendered("signature.html", {"document": document, "parts": parts})


# The page of a signature as one list of sections; every format of it walks over the list.


ORDER = (  # files of `report/signature_sections`, each with a SECTION
    "what_was_found",
    "how_good",
    "probabilities",
    "how_sure",
    "what_features_do",
    "points_to_add_up",
    "rows_and_columns",
    "how_it_was_done",
    "full_model",
    "for_the_paper",
    "reporting_checklist",
)


def signature_document(facts: Facts, title: str | None = None) -> Document:
    """All that the page of a signature shows, in its order.

    Parameters
    ----------
    facts : mapping
        Those of a signature, see :func:`hetsel.signature.reported.reported_values.facts_of`; files
        of earlier versions have fewer.
    title : str, optional
    """
    with house_style():
        parts = [section.part(facts) for section in signature_sections()]
    return Document(
        title or _title(facts), _lead(facts), facts["version"], [part for part in parts if part]
    )


def signature_sections() -> list[SignatureSection]:
    """The sections in order."""
    folder = "hetsel.report.signature_sections"
    return [import_module(f"{folder}.{file}").SECTION for file in ORDER]


def _title(facts: Facts) -> str:
    """What was selected for what, as far as it is known."""
    table, target = facts.get("table"), facts.get("target")
    about = f" for {shown(target)}" if target else ""
    return f"A signature of {counted(facts['size'], 'feature')}{about}" + (
        f", {shown(table)}" if table else ""
    )


def _lead(facts: Facts) -> str:
    groups = facts["groups"]
    grouped = "" if groups is None else f" in {counted(groups, 'group')}"
    by = f" ({shown(facts['row_weights'])})" if facts.get("row_weights") else ""
    weighted = f" with weights{by}" if facts.get("effective_rows") is not None else ""
    return (
        f"{facts['rows']:,} rows{weighted}{grouped}, {counted(facts['columns'], 'feature')}; "
        f"{_told(facts)}. hetsel {facts['version']}."
    )


def _told(facts: Facts) -> str:
    """What the target holds."""
    one = facts.get("told")
    if one is None:
        each = zip(facts["classes"], facts["class_rows"], strict=True)
        return "classes " + ", ".join(f"{shown(str(label))}: {rows:,}" for label, rows in each)
    if facts["kind"] == "survival":
        events = counted(one["events"], "event")
        return (
            f"{events}, followed until {plain_number(one['longest'])}, the median row until "
            f"{plain_number(one['median_time'])}"
        )
    names = ("least", "largest", "mean", "deviation")
    least, largest, mean, deviation = (plain_number(one[name]) for name in names)
    return f"numbers from {least} to {largest}, mean {mean}, standard deviation {deviation}"
