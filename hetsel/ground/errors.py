"""Errors of hetsel: a sentence that states the problem, and the fixes as data; optional packages.

A `Face` turns a fix into the words of Python, the shell or R. It returns an empty text where its
language has no such option.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

Value = str | bool | int | tuple[str, ...] | None
LOWEST_TO_HIGHEST = ("lowest", "...", "highest")  # a placeholder: only the user knows the order
# Warnings that Python shows to developers only. They are about code, not about a table, and they
# appear in an arbitrary call: the one that first loads a module or frees memory.
FOR_DEVELOPERS = (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning)
# phrases that scikit-learn's checks of an estimator require; only Python shows them
UNKNOWN_TYPE, ONE_SAMPLE = FOR_SCIKIT_LEARN = ("Unknown label type: ", " (n_samples = 1)")
# option -> its name in scikit-learn, and so in Python
PYTHON_NAMES = {
    "seed": "random_state",
    "row_weights": "sample_weight",
    "row_groups": "groups",
    "jobs": "n_jobs",
}
# module -> its name in the package index, the extra that installs it, what needs it
PACKAGES = {
    "matplotlib": ("matplotlib", "report", "figures"),
    "jinja2": ("jinja2", "report", "reports"),
    "docx": ("python-docx", "report", "signature pages as .docx files"),
    "pyarrow": ("pyarrow", "files", "Parquet and Feather files"),
    "python_calamine": ("python-calamine", "files", "workbooks"),
    "pyreadstat": ("pyreadstat", "files", "Stata, SPSS and SAS files"),
    "rdata": ("rdata", "files", "R data files"),
    "distributed": ("distributed", "dask", "runs on a Dask cluster"),
}


@dataclass(frozen=True)
class Fix:
    """One thing that a user can do.

    `then` is a condition ("if they are codes"), a purpose ("to impute them") or a predicate
    ("leaves them out"). A fix without it shares that of the next fix; "together" requires both.
    """

    option: str  # name of the option; or "drop" for columns, "run" for a study
    value: Value = None  # a word, columns or marks of missing values; None: only the user knows it
    then: str = ""
    levels: tuple[str, ...] = ()  # of an ordinal column, in order

    @property
    def values(self) -> tuple[str, ...]:
        """Return the value as a tuple of text."""
        if self.value is None:
            return ()
        return self.value if isinstance(self.value, tuple) else (str(self.value),)


Face = Callable[[Fix], str]


def in_python(fix: Fix) -> str:
    """Write a fix as Python code."""
    quoted = ", ".join(map(repr, fix.values))
    if fix.option == "run":
        return f"Study.run({'retry=True' if fix.value else ''})"
    if fix.option == "drop":
        return f"drop {quoted}"
    if fix.option == "missing_marks":
        return f"set {quoted} to missing when you read the table"
    name = PYTHON_NAMES.get(fix.option, fix.option)
    if fix.option == "row_groups":
        return f"{name}={quoted}"
    if fix.levels:
        return f"{name}={{{quoted}: {list(fix.levels)}}}"
    if fix.value is None:
        return f"{name}="
    return f"{name}={list(fix.value) if isinstance(fix.value, tuple) else repr(fix.value)}"


VERBS = ("drop ", "make ", "set ")  # a face writes these fixes as commands, others as options


def worded(sentence: str, fixes: Iterable[Fix], face: Face = in_python) -> str:
    """Write a sentence and then its fixes in the words of a face.

    >>> fixes = (Fix("nominal", ("sex",)), Fix("ordinal", ("sex",), "if they are codes"))
    >>> worded("sex: 2 distinct whole numbers", fixes)
    "sex: 2 distinct whole numbers. If they are codes, use nominal=['sex'] or ordinal=['sex']"
    >>> worded("1 value is missing", [Fix("missing", "impute", "to impute it")])
    "1 value is missing. Use missing='impute' to impute it"
    """
    clauses: list[str] = []
    before = ""
    for choices, then in _alternatives(fixes, face):
        if then.startswith("to ") and before.startswith("to "):
            clauses[-1] += f", or {_command(choices).removeprefix('use ')} {then}"
        else:
            clauses.append(_clause(choices, then))
        before = then
    link = " " if sentence.endswith((".", "?")) else ". "
    return (sentence + link if sentence and clauses else sentence) + ". ".join(clauses)


def _alternatives(fixes: Iterable[Fix], face: Face) -> Iterator[tuple[list[str], str]]:
    """Yield the fixes that share a `then`, in words, and that `then`; a face may lack some."""
    choices: list[str] = []
    for fix in fixes:
        if words := face(fix):
            choices.append(words)
            if fix.then:
                yield choices, fix.then
                choices = []
    if choices:
        yield choices, ""


def _clause(choices: list[str], then: str) -> str:
    """Write alternatives with their condition, purpose or predicate, see :class:`Fix`."""
    if then == "together":
        return _capital(f"use {' and '.join(choices)} {then}")
    if then.startswith("if "):
        return f"{_capital(then)}, {_command(choices)}"
    if then.startswith("to ") or not then:
        return _capital(f"{_command(choices)} {then}".rstrip())
    return f"{' or '.join(choices)} {then}"


def _command(choices: Iterable[str]) -> str:
    """Join fixes by "or"; the first option among them gets a verb."""
    words, used = [], False
    for choice in choices:
        is_command = choice.startswith(VERBS)
        words.append(choice if is_command or used else f"use {choice}")
        used = used or not is_command
    return " or ".join(words)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


class ErrorWithFixes(Exception):
    """An exception with a sentence and its fixes; `str()` has the words of Python."""

    def __init__(self, sentence: str, *fixes: Fix) -> None:
        super().__init__(sentence, *fixes)  # pickle rebuilds an exception from these arguments
        self.sentence = sentence
        self.fixes = fixes

    def __str__(self) -> str:
        return self.in_words(in_python)

    def in_words(self, face: Face) -> str:
        """Return the sentence and the fixes in the words of a face."""
        return worded(self.sentence, self.fixes, face)


class HetselError(ErrorWithFixes, ValueError):
    """An input that cannot be used; the message states what to do."""


class TableError(HetselError):
    """A table, target or option that cannot be used."""


class CellError(TableError, TypeError):
    """A value that no table can hold; scikit-learn requires a TypeError here."""


class PlanError(HetselError):
    """A study plan that cannot be used."""


class StoreError(HetselError):
    """A study store that cannot be used."""


class HetselWarning(ErrorWithFixes, UserWarning):
    """The result differs from what was requested, in the way that the message states."""


def interrupted(reason: BaseException | None) -> bool:
    """Check whether Ctrl-C caused an error; compiled code turns it into a SystemError."""
    seen: list[BaseException] = []  # an error may be its own cause
    while reason is not None and not any(reason is one for one in seen):
        if isinstance(reason, KeyboardInterrupt):
            return True
        seen.append(reason)
        reason = reason.__cause__ or reason.__context__
    return False


class PackageMissing(TableError, ImportError):
    """An optional package that is not installed or cannot be loaded."""


def need(module: str) -> ModuleType:
    """Import a package of `PACKAGES`; the error names the extra that installs it."""
    try:
        return import_module(module)
    except ImportError as reason:
        name, extra, use = PACKAGES[module]
        absent = getattr(reason, "name", None) == module
        what = "is not installed" if absent else f"cannot be loaded ({reason})"
        raise PackageMissing(
            f"{name} {what}, and {use} need it. Install it with: pip install 'hetsel[{extra}]'"
        ) from None


def is_dask(data: Any) -> bool:
    """Check whether data are a Dask frame, without importing Dask."""
    known = sys.modules.get("dask.dataframe")
    return known is not None and isinstance(data, known.DataFrame)
