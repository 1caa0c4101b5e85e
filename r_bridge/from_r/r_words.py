"""The fix of an error in the words of R."""

from __future__ import annotations

import json
import re

from hetsel.ground.errors import Fix

_VALUES = {"None": "NULL", "True": "TRUE", "False": "FALSE"}
_VALUE = re.compile(r"(?<![\w'\"./\\-])(None|True|False)(?![\w'\"/\\-])")
_ROW = re.compile(r"\brow (\d+) \(counted from 0\)")
_OPTION = re.compile(r"\b([a-z_]+)='([^']*)'")


def in_r(fix: Fix) -> str:
    """A fix as an argument of the functions of the R package.

    Examples
    --------
    >>> print(in_r(Fix("nominal", ("a",))), in_r(Fix("drop", ("a", "b"))), sep="; ")
    nominal = "a"; drop "a", "b"
    >>> print(in_r(Fix("ordinal", ("grade",), levels=("lowest", "...", "highest"))))
    ordinal = list("grade" = c("lowest", "...", "highest"))
    """
    quoted = [_text(value) for value in fix.values]
    if fix.option == "run":
        return f"hetsel_study({'retry = TRUE' if fix.value else ''})"
    if fix.option == "unseen":  # heard of when rows are predicted, and settled before
        return f'hetsel_select(unseen = "{fix.value}")'
    if fix.option == "row_groups":
        return f"hetsel_select(row_groups = {quoted[0]})"
    if fix.option == "drop":
        return f"drop {', '.join(quoted)}"
    if fix.option == "missing_marks":
        return f"make {', '.join(quoted)} NA"
    if fix.value is None:
        return f"{fix.option} ="
    if isinstance(fix.value, bool):
        return f"{fix.option} = {str(fix.value).upper()}"
    if fix.levels:
        levels = f"c({', '.join(map(_text, fix.levels))})"
        return f"{fix.option} = list({', '.join(f'{name} = {levels}' for name in quoted)})"
    return f"{fix.option} = {quoted[0] if len(quoted) == 1 else 'c(' + ', '.join(quoted) + ')'}"


def with_r_values(sentence: str) -> str:
    """A sentence with the values of Python as R has them, and with rows counted from 1.

    What stands in quotes stays.

    Examples
    --------
    >>> print(with_r_values("depth must be at least 0, or None. Got 'None'"))
    depth must be at least 0, or NULL. Got 'None'
    >>> print(with_r_values("search='os' looks for subsets of one size"))
    search = "os" looks for subsets of one size
    >>> print(with_r_values("an infinity in row 2 (counted from 0)"))
    an infinity in row 3
    >>> print(with_r_values("`hetsel methods` lists them"))
    hetsel_methods() lists them
    """
    sentence = sentence.replace("`hetsel methods`", "hetsel_methods()")
    sentence = _ROW.sub(lambda found: f"row {int(found[1]) + 1}", sentence)
    return _OPTION.sub(r'\1 = "\2"', _VALUE.sub(lambda found: _VALUES[found[0]], sentence))


def _text(value: str) -> str:
    """Text in quotation marks; the escapes of JSON are R's."""
    return json.dumps(value, ensure_ascii=False)
