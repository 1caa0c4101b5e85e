"""Errors of hetsel: a sentence that says what is wrong, and the fixes as data; packages of extras.

A face is a function of a fix to the words of Python, the shell or R; empty if it has no such
option.
"""

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

Value = str | bool | int | tuple[str, ...] | None
LOWEST_TO_HIGHEST = ("lowest", "...", "highest")  # stands for levels that only the user can order
# What Python shows nobody but developers. It is about code, not about a table, and whose call it
# comes in is chance: that in which a module is first loaded, or memory tidied up.
FOR_DEVELOPERS = (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning)
# the names that scikit-learn gives, and Python with it
PYTHON_NAMES = {
    "seed": "random_state",
    "row_weights": "sample_weight",
    "row_groups": "groups",
    "jobs": "n_jobs",
}
# module -> its name in a package index, the extra that has it, what needs it
PACKAGES = {
    "matplotlib": ("matplotlib", "report", "figures"),
    "jinja2": ("jinja2", "report", "reports"),
    "docx": ("python-docx", "report", "pages of signatures as .docx files"),
    "pyarrow": ("pyarrow", "files", "Parquet and Feather files"),
    "python_calamine": ("python-calamine", "files", "workbooks"),
    "pyreadstat": ("pyreadstat", "files", "files of Stata, SPSS and SAS"),
    "rdata": ("rdata", "files", "files of R"),
    "distributed": ("distributed", "dask", "runs on a Dask cluster"),
}


@dataclass(frozen=True)
class Fix:
    """One thing that a user can do."""

    option: str  # name of the option, "drop" columns or "run" a study
    value: Value = None  # word, columns, marks of missing; None: the user says
    then: str = ""  # what it does, or when to do it
    levels: tuple[str, ...] = ()  # in order, of an ordinal column

    @property
    def values(self) -> tuple[str, ...]:
        """The value as a tuple of text."""
        if self.value is None:
            return ()
        return self.value if isinstance(self.value, tuple) else (str(self.value),)


Face = Callable[[Fix], str]


def in_python(fix: Fix) -> str:
    """A fix the way a Python user writes it."""
    quoted = ", ".join(map(repr, fix.values))
    if fix.option == "run":
        return f"Study.run({'retry=True' if fix.value else ''})"
    if fix.option == "drop":
        return f"drop {quoted}"
    if fix.option == "missing_marks":
        return f"name {quoted} as missing when the table is read"
    name = PYTHON_NAMES.get(fix.option, fix.option)
    if fix.option == "row_groups":
        return f"{name}={quoted}"
    if fix.levels:
        return f"{name}={{{quoted}: {list(fix.levels)}}}"
    if fix.value is None:
        return f"{name}="
    return f"{name}={list(fix.value) if isinstance(fix.value, tuple) else repr(fix.value)}"


def worded(sentence: str, fixes: Iterable[Fix], face: Face = in_python) -> str:
    """A sentence followed by its fixes in the words of a face; without one the fixes alone."""
    text, link = sentence, "; " if sentence else ""
    for fix in fixes:
        if said := face(fix):
            text += f"{link}{said} {fix.then}".rstrip()
            link = ", " if fix.then else " or "
    return text


class ErrorWithFixes(Exception):
    """A sentence with its fixes, as an exception carries them; `str()` is the wording of Python."""

    def __init__(self, sentence: str, *fixes: Fix) -> None:
        super().__init__(sentence, *fixes)  # the arguments, by which an exception is pickled
        self.sentence = sentence
        self.fixes = fixes

    def __str__(self) -> str:
        return self.in_words(in_python)

    def in_words(self, face: Face) -> str:
        """The sentence and the fixes in the words of a face."""
        return worded(self.sentence, self.fixes, face)


class HetselError(ErrorWithFixes, ValueError):
    """What was given cannot be used; the message says what to do."""


class TableError(HetselError):
    """A table, a target or an option that cannot be used."""


class CellError(TableError, TypeError):
    """A cell that is none; scikit-learn asks its estimators for a TypeError there."""


class PlanError(HetselError):
    """A plan of a study that cannot be used."""


class StoreError(HetselError):
    """A store of a study that cannot be used."""


class HetselWarning(ErrorWithFixes, UserWarning):
    """What was done is not quite what was asked for."""


def interrupted(reason: BaseException | None) -> bool:
    """Whether Ctrl-C is behind an error; compiled code turns it into a SystemError."""
    seen: list[BaseException] = []  # an error may be its own cause
    while reason is not None and not any(reason is one for one in seen):
        if isinstance(reason, KeyboardInterrupt):
            return True
        seen.append(reason)
        reason = reason.__cause__ or reason.__context__
    return False


class PackageMissing(TableError, ImportError):
    """A package of an extra is not installed, or does not load."""


def need(module: str) -> ModuleType:
    """Import a package of an extra, a key of `PACKAGES`. Where it is missing, the error says which
    extra installs it."""
    try:
        return import_module(module)
    except ImportError as reason:
        name, extra, use = PACKAGES[module]
        absent = getattr(reason, "name", None) == module
        what = "is not installed" if absent else f"does not load ({reason})"
        raise PackageMissing(
            f"{name} {what}, and {use} need it: pip install 'hetsel[{extra}]'"
        ) from None


def is_dask(data: Any) -> bool:
    """Whether it is a frame of Dask, which nobody imports to say so."""
    known = sys.modules.get("dask.dataframe")
    return known is not None and isinstance(data, known.DataFrame)
