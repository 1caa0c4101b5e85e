"""Protect text that a spreadsheet would run as a formula by a leading apostrophe."""

import re
from typing import Any

# start of a formula, after any apostrophes; includes the wide forms of East Asian keyboards
_FORMULA = re.compile("'*[=+@\t\r\n\uff1d\uff0b\uff0d\uff20-]")


def with_apostrophe(cell: Any) -> Any:
    """Add an apostrophe to text that looks like a formula; other cells stay."""
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell


def without_apostrophe(cell: Any) -> Any:
    """Undo :func:`with_apostrophe`."""
    if isinstance(cell, str) and cell.startswith("'") and _FORMULA.match(cell):
        return cell[1:]
    return cell
