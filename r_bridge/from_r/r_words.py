"""Translate errors, warnings and their fixes from Python to R."""

import ast
import json
import re

import numpy as np

from hetsel.ground.errors import (
    FOR_SCIKIT_LEARN,
    PYTHON_NAMES,
    ErrorWithFixes,
    Fix,
    worded,
)
from hetsel.tables.survival_times import FORM
from r_bridge.to_r.session import Rpy2Missing, RUnavailable

# Python's names; `groups` is an English word, too
R_NAMES = {python: name for name, python in PYTHON_NAMES.items() if "_" in python}
_CONSTANTS = {"None": "NULL", "True": "TRUE", "False": "FALSE", "NaN": "NA", "nan": "NA"}
_VALUES = {**_CONSTANTS, "-inf": "-Inf", "inf": "Inf", **R_NAMES}
_NAMES = {
    "`hetsel methods`": "hetsel_methods()",
    "hetsel.method_keys()": "hetsel_methods()",
    "permuted_ranking": "hetsel_permuted()",
    "as in fit.": "as in the training rows.",
    "'balanced' or a mapping of class to weight": (
        '"balanced" or weights named by class, such as c(sick = 2)'
    ),
    "stability needs 2 subsets or more": "x must have 2 signatures or more",
    f"a survival target must be {FORM}": "y must be survival::Surv(time, event)",
    "Got a Series": "Got a vector",
    "Got a ndarray": "Got a vector",
    **dict.fromkeys(FOR_SCIKIT_LEARN, ""),
    "w / w.max() / (w / w.max()).mean()": "w / max(w) / mean(w / max(w))",
}
_VALUE = re.compile(rf"(?<![\w'\"./\\-])({'|'.join(_VALUES)})(?![\w'\"/\\-])")
_ROW = re.compile(r"\brow (\d+) \(counted from 0\)")
# how to install rpy2 where R finds it; by pip into a Python of the user
RPY2 = (
    'Run install_hetsel(extras = c("report", "r")). If reticulate creates the environment, set '
    'options(hetsel.extras = c("report", "r")) before the package is loaded. In a Python of your '
    "own, run pip install 'hetsel[r]'. Then restart R"
)
_ARGUMENT = re.compile(r"(C|[a-z_]+)(?= must | is for )")  # that of an error that begins with it
_GOT = "Got "
_DAMAGED = "is not what hetsel saved"
_WHOLE = re.compile(r"(?<=Got )('?)(-?\d+)\.0\1(?=$|[ .;,)])")  # a double, which R writes as 2
_OPTION = re.compile(r"\b([a-z_]+)='([^']*)'")


def told_in_r(message: object) -> dict[str, str]:
    """Return the message of an error or a warning in R, its problem, fix and argument.

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
        return {"message": f"{message.problem}. {fix}", **parts}
    if not isinstance(message, ErrorWithFixes):
        message = ErrorWithFixes(str(message))
    if _DAMAGED in message.sentence:
        problem, fix = with_r_values(message.sentence), "Read the result again, or repeat its call"
        return {"message": f"{problem}. {fix}", "problem": problem, "fix": fix, "argument": ""}
    problem = with_r_values(message.sentence)
    begins = _ARGUMENT.match(problem)
    options = [fix.option for fix in message.fixes if fix.option not in ("drop", "run")]
    named = begins[0] if begins else next(iter(options), "")
    return {
        "message": with_r_values(message.in_words(as_argument)),
        "problem": problem,
        "fix": with_r_values(worded("", message.fixes, as_argument)),
        "argument": R_NAMES.get(named, named),
    }


def in_r(fix: Fix) -> str:
    """Write a fix as an argument of the functions of the R package.

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
    if fix.option == "unseen":  # noticed when rows are predicted, but set before
        return f'unseen = "{fix.value}" in the fitting function'
    if fix.option == "row_groups":
        return f"hetsel_select(row_groups = {quoted[0]})"
    if fix.option == "trust_edited":  # R repeats the call instead
        return ""
    if fix.option == "drop":
        return f"drop {', '.join(quoted)}"
    if fix.option == "missing_marks":
        return f"set {', '.join(quoted)} to NA"
    if fix.value is None:
        return f"{fix.option} ="
    if isinstance(fix.value, int):
        return f"{fix.option} = {str(fix.value).upper()}"
    if fix.levels:
        levels = f"c({', '.join(map(_text, fix.levels))})"
        return f"{fix.option} = list({', '.join(f'{name} = {levels}' for name in quoted)})"
    return f"{fix.option} = {quoted[0] if len(quoted) == 1 else 'c(' + ', '.join(quoted) + ')'}"


def as_argument(fix: Fix) -> str:
    """Write a fix as an argument of the function that failed, which has row groups itself."""
    return f"row_groups = {_text(fix.values[0])}" if fix.option == "row_groups" else in_r(fix)


def with_r_values(sentence: str) -> str:
    """Write a sentence with the names and values of R, and with rows counted from 1.

    Quoted text is unchanged.

    Examples
    --------
    >>> print(with_r_values("depth must be 0, or None. Got 'None' in row 2 (counted from 0)"))
    depth must be 0, or NULL. Got 'None' in row 3
    >>> print(with_r_values("weights must be positive. Got {'sick': 2.0, 'well': -1.0}"))
    weights must be positive. Got c("sick" = 2, "well" = -1)
    """
    for there, here in _NAMES.items():
        sentence = sentence.replace(there, here)
    sentence = _WHOLE.sub(r"\1\2\1", _with_r_literals(sentence))
    sentence = _ROW.sub(lambda found: f"row {int(found[1]) + 1}", sentence)
    return _OPTION.sub(r'\1 = "\2"', _VALUE.sub(lambda found: _VALUES[found[0]], sentence))


def _with_r_literals(sentence: str) -> str:
    """Write a list, tuple or dictionary that an error got as R does."""
    head, got, tail = sentence.partition(_GOT)
    if not got or tail[:1] not in ("[", "(", "{"):
        return sentence
    for end in (m.end() for m in re.finditer(r"[\])}]", tail)):
        try:
            value = ast.literal_eval(tail[:end])
        except (ValueError, SyntaxError):
            continue
        return f"{head}{got}{_as_r(value)}{tail[end:]}"
    return sentence


def _as_r(value: object) -> str:
    """Write a literal of Python as R does."""
    if isinstance(value, dict):
        each = [f"{_text(str(name))} = {_as_r(part)}" for name, part in value.items()]
        parts = list(value.values())
    elif isinstance(value, list | tuple | set):
        parts = list(value)
        each = [_as_r(part) for part in parts]
        if len(each) == 1:  # a vector of one value
            return each[0]
    else:
        return (
            "NULL" if value is None else _text(value) if isinstance(value, str) else text_of(value)
        )
    plain = not any(part is None or isinstance(part, dict | list | tuple | set) for part in parts)
    return f"{'c' if plain else 'list'}({', '.join(each)})"


def text_of(label: object) -> str:
    """Write a class or a level as R does.

    Examples
    --------
    >>> text_of(True), text_of(0.1 + 0.2), text_of(7), text_of("True")
    ('TRUE', '0.3', '7', 'True')
    """
    if isinstance(label, bool | np.bool_):
        return str(label).upper()
    return f"{label:.15g}" if isinstance(label, float) else str(label)


def _text(value: str) -> str:
    """Quote a text; the escapes of JSON are valid in R."""
    return json.dumps(value, ensure_ascii=False)
