"""Text that a spreadsheet would run as a formula: an apostrophe before it makes it text."""

import re
from typing import Any

# what begins a formula, with the wide forms of East Asian keyboards; apostrophes may stand before
_FORMULA = re.compile("'*[=+@\t\r\n\uff1d\uff0b\uff0d\uff20-]")


def with_apostrophe(cell: Any) -> Any:
    """A cell as a spreadsheet takes it for text; only text that looks like a formula changes."""
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell


def without_apostrophe(cell: Any) -> Any:
    """What :func:`with_apostrophe` was given."""
    if isinstance(cell, str) and cell.startswith("'") and _FORMULA.match(cell):
        return cell[1:]
    return cell
