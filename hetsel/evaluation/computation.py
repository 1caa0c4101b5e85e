"""Computations of an engine, their outcomes, versions and warnings."""

import contextlib
import platform
import re
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Protocol, TypeVar

import numpy as np

from hetsel import __version__
from hetsel.evaluation import printed_text
from hetsel.evaluation.by_key import judges_by_key, methods_by_key
from hetsel.evaluation.data.encoded_data import EncodedData
from hetsel.evaluation.held_out import split_of
from hetsel.ground.errors import FOR_DEVELOPERS, interrupted
from hetsel.selection import Problem
from hetsel.tables import Classes, Column, Numbers, Schema, Survival, Table, TargetKind, TypedTarget

MOST_NOTES = 50  # maximum number of warnings of a cell
FoundValue = TypeVar("FoundValue")
Outcome = TypeVar("Outcome")


class Computation(Protocol):
    """A computation of an engine on a data set, such as a recipe, for a range of numbers."""

    @property
    def method(self) -> methods_by_key.MethodSpec: ...

    @property
    def sizes(self) -> tuple[int, ...]: ...

    @property
    def classifiers(self) -> tuple[judges_by_key.ClassifierSpec, ...]: ...

    def run(self, data: EncodedData, resampling: int, key: str) -> "ComputedResult | CellFailure":
        """Return the outcome of this number, or a failure."""


class ComputedResult(Protocol):
    """The result of a computation with its key and CPU times."""

    @property
    def key(self) -> str: ...

    @property
    def rank_seconds(self) -> float: ...

    @property
    def classify_seconds(self) -> float: ...


@dataclass(frozen=True)
class CellFailure:
    """The reason why a cell has no result; `kind` is the class of the error, if there is one."""

    key: str
    reason: str
    trace: str
    kind: str = ""

    @property
    def sentence(self) -> str:
        """Kind and reason, without the kind of hetsel's own errors."""
        own = self.kind in ("", "TableError")
        return self.reason if own else f"{self.kind}: {self.reason}"


def guarded(
    recipe: Computation,
    key: str,
    compute: Callable[[], FoundValue],
    finish: Callable[[FoundValue, tuple[str, ...]], Outcome],
    kind: TargetKind,
    *,
    keeps_printed: bool = False,
) -> Outcome | CellFailure:
    """Run a computation and `finish` it with its warnings; errors become failures.

    With `keeps_printed`, what is printed is one of the warnings, or part of the traceback.
    """
    with contextlib.ExitStack() as kept:
        caught = kept.enter_context(warnings.catch_warnings(record=True))
        said = None
        try:
            warm_up(recipe, kind)
            warnings.simplefilter("always")
            said = kept.enter_context(printed_text.printed()) if keeps_printed else None
            return finish(compute(), (*_notes(caught), *_printed(said)))
        except BaseException as reason:  # sys.exit() in a method ends only the cell
            if interrupted(reason):
                raise KeyboardInterrupt from reason
            text, trace, name = reason_and_trace(reason)
            return CellFailure(key, text, "\n".join([trace, *_printed(said)]), name)


def _printed(said: printed_text.PrintedText | None) -> tuple[str, ...]:
    """Return a note of what was printed, if anything was."""
    return (in_a_line(f"printed: {said.text}"),) if said is not None and said.text else ()


def _notes(caught: Sequence[warnings.WarningMessage]) -> tuple[str, ...]:
    """Return the texts of warnings for users, each once, up to a maximum number."""
    told = [w for w in caught if not issubclass(w.category, FOR_DEVELOPERS)]
    notes = sorted({in_a_line(f"{w.category.__name__}: {w.message}") for w in told})
    more = len(notes) - MOST_NOTES
    return (*notes[:MOST_NOTES], *([f"and {more} other warnings"] if more > 0 else []))


_WARM: set[str] = set()


def warm_up(recipe: Computation, kind: TargetKind) -> None:
    """Run method and judges once per process on a toy table, so that no cell loads code or R."""
    warm_up_classifiers(recipe, kind)
    known = f"method {recipe.method.key} {kind} {recipe.method.target}"
    if known in _WARM:
        return
    _WARM.add(known)
    with warnings.catch_warnings(), _not_interrupted():
        warnings.simplefilter("ignore")
        problem = recipe.method.told(Problem(*_toy(kind), (1, 2, 3)))
        recipe.method.trial().solve(problem)


def warm_up_classifiers(recipe: Computation, kind: TargetKind) -> None:
    new = [c for c in recipe.classifiers if f"classifier {c.key} {kind}" not in _WARM]
    if not new:
        return
    _WARM.update(f"classifier {classifier.key} {kind}" for classifier in new)
    table, target = _toy(kind)
    subsets = [np.arange(1), np.arange(3)]
    with warnings.catch_warnings(), _not_interrupted():
        warnings.simplefilter("ignore")
        rows = split_of(
            Problem(table, target, ()), table.take(rows=slice(4)), both=kind == "survival"
        )
        for classifier in new:
            if kind == "classes":
                classifier.judge(rows, subsets, np.arange(2), 2, seed=0)
            else:
                classifier.predict(rows, subsets, seed=0)


def _toy(kind: TargetKind) -> tuple[Table, TypedTarget]:
    """Build a table that is large enough to call the code that real tables call."""
    numbers = (Column("a", "continuous"), Column("b", "continuous"))
    schema = Schema((*numbers, Column("c", "nominal", (0, 1, 2))))
    values = np.random.default_rng(0).normal(size=(96, 3))
    values[:, 2] = np.digitize(values[:, 0], [-0.5, 0.5])
    table, rows, total = Table(values, schema), np.arange(len(values)), values[:, 1] + values[:, 0]
    if kind == "numbers":
        return table, Numbers.of(total)
    if kind == "survival":
        return table, Survival(np.abs(total), rows % 3 > 0)
    return table, Classes.of(rows % 2)


@contextlib.contextmanager
def _not_interrupted() -> Iterator[None]:
    """Ignore errors and output of a method, which occur again in its cell."""
    try:
        with printed_text.printed():
            yield
    except BaseException as reason:
        if interrupted(reason):
            raise KeyboardInterrupt from None


_VERSIONS: dict[tuple[Any, ...], dict[str, str]] = {}


def versions(
    of: methods_by_key.MethodSpec | judges_by_key.ClassifierSpec,
) -> dict[str, str]:
    """Return the versions of the software that a method or a judge uses."""
    selector = getattr(of, "selector", None)
    known = (selector, of.home)
    if known not in _VERSIONS:
        found = {"hetsel": __version__, "python": platform.python_version()}
        packages = ["numpy", "scipy", "scikit-learn", "numba"]
        if selector is not None and "r" in selector.about.requires:
            packages += ["rpy2", "rpy2-rinterface"]
        packages += [of.home] if of.home not in ("hetsel", "r_bridge", "__main__") else []
        for package in packages:
            try:
                found[package] = version(package)
            except PackageNotFoundError:
                continue
        if selector is not None:
            found |= {str(k): in_a_line(str(v)) for k, v in selector.foreign_versions().items()}
        found["machine"] = f"{platform.system()} {platform.machine()}"
        _VERSIONS[known] = found
    return _VERSIONS[known]


# Errors as printable text of limited length, for any file.
LINE = 400  # maximum number of characters of a reason or warning
TRACE = 20_000  # maximum number of characters of a traceback
# characters that files, databases or pages cannot hold, except tab and newline
_ODD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def reason_and_trace(error: BaseException) -> tuple[str, str, str]:
    """Return an error as one line, its traceback and its class, even if its text fails.

    Examples
    --------
    >>> reason_and_trace(ValueError("two\\nlines"))
    ('two', 'ValueError: two\\nlines\\n', 'ValueError')
    """
    name = type(error).__name__
    try:
        said = str(error).strip()
    except BaseException as reason:  # in the code of the error
        said = f"(an error whose text raises {type(reason).__name__})"
    try:
        trace = "".join(traceback.format_exception(error))
    except BaseException as reason:  # in the code of the error
        trace = f"{name}: (an error whose traceback raises {type(reason).__name__})"
    first = said.partition("\n")[0] or "(without a message)"
    return in_a_line(first, LINE - len(name) - len(": ")), shorten_text(trace, TRACE), name


def in_a_line(text: str, longest: int = LINE) -> str:
    """Return a text as one line of limited length.

    Examples
    --------
    >>> in_a_line("a \\x00\\n b"), len(in_a_line("a" * 10**6)) < 500
    ('a \\\\x00 b', True)
    """
    return " ".join(shorten_text(text, longest).split())


def shorten_text(text: str, longest: int) -> str:
    """Shorten a long text in the middle and escape characters that files cannot hold."""
    if len(text) > longest:
        half = longest // 2
        text = f"{text[:half]} ... ({len(text)} characters) ... {text[-half:]}"
    return _ODD.sub(lambda odd: ascii(odd[0])[1:-1], text)
