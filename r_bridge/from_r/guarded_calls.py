"""Answer calls from R without raising exceptions."""

import os
import sysconfig
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import get_type_hints

from msgspec import Struct

from hetsel.ground.errors import FOR_DEVELOPERS
from r_bridge.from_r.asked import read_asked
from r_bridge.from_r.r_words import told_in_r
from r_bridge.interrupts import ctrl_c_heard
from r_bridge.r_vectors import RVector, as_vector
from r_bridge.to_r.session import called_from_r


@contextmanager
def same_python() -> Iterator[None]:
    """Let child processes load the Python library of this process.

    R puts its folders first in the search path for libraries, with the libpython of the system.
    """
    folder, library = map(sysconfig.get_config_var, ("LIBDIR", "INSTSONAME"))
    name = "LD_LIBRARY_PATH"
    before = os.environ.get(name)
    if not (before and folder and library and os.path.exists(os.path.join(folder, library))):
        yield
        return
    os.environ[name] = os.pathsep.join([folder, before])
    try:
        yield
    finally:
        os.environ[name] = before


class Answer(Struct):
    """The answer to a call; errors and warnings have the parts of :func:`told_in_r`."""

    value: RVector | None = None
    error: dict[str, str] | None = None
    interrupted: object = None  # by Ctrl-C: True, or the file with finished work
    warnings: tuple[dict[str, str], ...] = ()


class Kept(KeyboardInterrupt):
    """Ctrl-C interrupted a computation that keeps its work in a file, the argument."""


@contextmanager
def kept_in(path: str | None) -> Iterator[None]:
    """Raise Ctrl-C as :class:`Kept` if a file keeps the work."""
    try:
        with ctrl_c_heard():
            yield
    except KeyboardInterrupt:
        if path:
            raise Kept(os.path.abspath(path)) from None
        raise


def answered(function: Callable[..., object], asked: RVector | None) -> Answer:
    """Call a function and return its value, exceptions and warnings as an answer.

    Ctrl-C becomes `interrupted`: R unwinds after Python has returned, never through it.
    """
    try:
        with (
            called_from_r(),
            same_python(),
            ctrl_c_heard(),
            warnings.catch_warnings(record=True) as caught,
        ):
            warnings.simplefilter("default")
            found = function(**read_asked(function, asked))
            value = as_vector(found, get_type_hints(function)["return"])
    except KeyboardInterrupt as reason:
        return Answer(interrupted=reason.args[0] if isinstance(reason, Kept) else True)
    except (ValueError, TypeError, RuntimeError, ImportError) as reason:
        return Answer(error=told_in_r(reason))
    except OSError as reason:
        about = "" if reason.filename is None else f"{reason.filename}: "
        return Answer(error=told_in_r(f"{about}{reason.strerror or reason}"))
    except Exception as reason:  # its name helps an R user more than a traceback
        return Answer(error=told_in_r(f"{type(reason).__name__}: {reason}"))
    told = [w for w in caught if not issubclass(w.category, FOR_DEVELOPERS)]
    said = {parts["message"]: parts for parts in (told_in_r(w.message) for w in told)}
    return Answer(value, warnings=tuple(said.values()))
