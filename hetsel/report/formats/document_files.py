"""A document in the format that the name of its file asks for."""

from pathlib import Path

from hetsel.ground.errors import TableError
from hetsel.ground.writing import Content
from hetsel.report.elements.blocks import Document
from hetsel.report.figures.figure_style import house_style
from hetsel.report.formats.html_page import html_page
from hetsel.report.formats.markdown_files import markdown_files
from hetsel.report.formats.word_file import word_file

ENDINGS = {".html": "HTML", ".htm": "HTML", ".md": "Markdown", ".markdown": "Markdown"}
ENDINGS |= {".docx": "Word"}


def check_page_path(path: str | Path, what: str) -> None:
    """Refuse a path that cannot be a file, or an ending that names no format.

    Raises
    ------
    TableError
    """
    if Path(path).is_dir() or not Path(path).absolute().parent.is_dir():
        why = "is a folder" if Path(path).is_dir() else "is in a folder that does not exist"
        raise TableError(f"{path} {why}: name a file, such as report.html")
    if Path(path).suffix.lower() not in ENDINGS:
        known = ", ".join(ENDINGS)
        raise TableError(f"the page of a {what} must end in one of {known}. Got {path}")


def document_files(document: Document, path: str | Path) -> dict[str | Path, Content]:
    """The document, and the figures that stand beside it in Markdown, for `write_files`."""
    with house_style():
        match ENDINGS[Path(path).suffix.lower()]:
            case "Markdown":
                return markdown_files(document, Path(path))
            case "Word":
                return {path: word_file(document)}
            case _:
                return {path: html_page(document)}
