"""Errors, warnings and their fixes in the words of R."""

import json
import re

import numpy as np

from hetsel.ground.errors import PYTHON_NAMES, ErrorWithFixes, Fix, worded
from r_bridge.to_r.session import Rpy2Missing, RUnavailable

# Python's names; `groups` is an English word, too
_ARGUMENTS = {python: name for name, python in PYTHON_NAMES.items() if "_" in python}
_VALUES = {"None": "NULL", "True": "TRUE", "False": "FALSE", **_ARGUMENTS}
_NAMES = {
    "`hetsel methods`": "hetsel_methods()",
    "permuted_ranking": "hetsel_permuted()",
    "w / w.max() / (w / w.max()).mean()": "w / max(w) / mean(w / max(w))",
}
_VALUE = re.compile(rf"(?<![\w'\"./\\-])({'|'.join(_VALUES)})(?![\w'\"/\\-])")
_ROW = re.compile(r"\brow (\d+) \(counted from 0\)")
# how rpy2 comes to where R looks for it; by pip into a Python of the user's own
RPY2 = (
    'install_hetsel(extras = c("report", "r")), or before the package is loaded '
    'options(hetsel.extras = c("report", "r")) where reticulate makes the environment; '
    "pip install 'hetsel[r]' in a Python of your own. Then restart R"
)
_ARGUMENT = re.compile(r"(C|[a-z_]+)(?= must | is for )")  # that of an error that begins with it
_SHARES = re.compile(r"must be a mapping of (.*) to their shares")
_OPTION = re.compile(r"\b([a-z_]+)='([^']*)'")


def told_in_r(message: object) -> dict[str, str]:
    """The message of an error or a warning, its problem, its fix and the argument it is about.

    Examples
    --------
    >>> lacking = ErrorWithFixes("1 value is missing", Fix("missing", "impute", "to impute it"))
    >>> told_in_r(lacking)["fix"]
    'Use missing = "impute" to impute it'
    >>> told_in_r(ValueError("size must be in 1..3. Got 4"))["argument"]
    'size'
    """
    if isinstance(message, RUnavailable):
        fix = RPY2 if isinstance(message, Rpy2Missing) else message.fix
        parts = {"problem": message.problem, "fix": fix, "argument": ""}
        return {"message": f"{message.problem}: {fix}", **parts}
    if not isinstance(message, ErrorWithFixes):
        message = ErrorWithFixes(str(message))
    begins = _ARGUMENT.match(message.sentence)
    options = [fix.option for fix in message.fixes if fix.option not in ("drop", "run")]
    named = begins[0] if begins else next(iter(options), "")
    return {
        "message": with_r_values(message.in_words(as_argument)),
        "problem": with_r_values(message.sentence),
        "fix": with_r_values(worded("", message.fixes, as_argument)),
        "argument": _ARGUMENTS.get(named, named),
    }


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
        return f'unseen = "{fix.value}" in the fit'
    if fix.option == "row_groups":
        return f"hetsel_select(row_groups = {quoted[0]})"
    if fix.option == "trust_edited":  # what R keeps is made anew
        return ""
    if fix.option == "drop":
        return f"drop {', '.join(quoted)}"
    if fix.option == "missing_marks":
        return f"make {', '.join(quoted)} NA"
    if fix.value is None:
        return f"{fix.option} ="
    if isinstance(fix.value, int):
        return f"{fix.option} = {str(fix.value).upper()}"
    if fix.levels:
        levels = f"c({', '.join(map(_text, fix.levels))})"
        return f"{fix.option} = list({', '.join(f'{name} = {levels}' for name in quoted)})"
    return f"{fix.option} = {quoted[0] if len(quoted) == 1 else 'c(' + ', '.join(quoted) + ')'}"


def as_argument(fix: Fix) -> str:
    """A fix as an argument of the function that refused: row groups are then one of its own."""
    return f"row_groups = {_text(fix.values[0])}" if fix.option == "row_groups" else in_r(fix)


def with_r_values(sentence: str) -> str:
    """A sentence with the values of Python as R has them, and with rows counted from 1.

    What stands in quotes stays.

    Examples
    --------
    >>> print(with_r_values("depth must be 0, or None. Got 'None' in row 2 (counted from 0)"))
    depth must be 0, or NULL. Got 'None' in row 3
    """
    for there, here in _NAMES.items():
        sentence = sentence.replace(there, here)
    sentence = _SHARES.sub(r"must be shares named \1", sentence)
    sentence = _ROW.sub(lambda found: f"row {int(found[1]) + 1}", sentence)
    return _OPTION.sub(r'\1 = "\2"', _VALUE.sub(lambda found: _VALUES[found[0]], sentence))


def text_of(label: object) -> str:
    """A class or a level the way R writes it.

    Examples
    --------
    >>> text_of(True), text_of(0.1 + 0.2), text_of(7), text_of("True")
    ('TRUE', '0.3', '7', 'True')
    """
    if isinstance(label, bool | np.bool_):
        return str(label).upper()
    return f"{label:.15g}" if isinstance(label, float) else str(label)


def _text(value: str) -> str:
    """Text in quotation marks; the escapes of JSON are R's."""
    return json.dumps(value, ensure_ascii=False)
