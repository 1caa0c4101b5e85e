"""Compiled functions: kept on disk between runs where that is possible, and working where not."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Callable
from typing import Any

from numba import njit
from numba.core import config
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    InTreeCacheLocator,
    UserProvidedCacheLocator,
)

FIX = "set NUMBA_CACHE_DIR to a folder that can be written to"
_LOST: list[str] = []  # why code was not kept, each time
_LOG = logging.getLogger(__name__)
_said: list[bool] = []  # whether this process has said that it compiles


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a function of arrays at its first call, and keep the code for later runs.

    numba's njit(cache=True) refuses to load where no folder can be written, and fails on a damaged
    file or a full disk. Here a cache is a convenience: what it cannot give is compiled, and the
    logger of this module says so once. Threads may run the function at the same time.

    Examples
    --------
    >>> @compiled
    ... def twice(x):
    ...     return 2 * x
    >>> twice(21)
    42
    """
    dispatcher = njit(function, nogil=True)
    with contextlib.suppress(RuntimeError):  # no place for a cache, such as code without a file
        dispatcher._cache = _Cache(function)
    return dispatcher


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a function into each compiled function that calls it.

    For the small parts of an inner loop: arrays that are handed over are counted at every call,
    which costs more than the few steps taken with them.

    Examples
    --------
    >>> @inlined
    ... def half(x):
    ...     return x / 2
    >>> compiled(lambda x: half(x) + 1)(4.0)
    3.0
    """
    return njit(function, nogil=True, inline="always")


def not_kept() -> str:
    """Why code that this process compiled could not be kept; empty if all of it could."""
    return f"compiled code is not kept, each run compiles anew: {_LOST[0]}. {FIX}" if _LOST else ""


def kept_in() -> str | None:
    """The folder that keeps compiled code, one of several alike; None if none can be written."""
    try:
        cache = _Cache(compiled)
    except RuntimeError:
        return None
    readable_only = isinstance(cache._impl.locator, _GivenAsItIs | _InTreeAsItIs)
    return None if readable_only else str(cache.cache_path)


class _GivenAsItIs(UserProvidedCacheLocator):
    """The folder NUMBA_CACHE_DIR, whether or not it can be written."""

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _GivenAsItIs | None:
        return cls(py_func, py_file) if config.CACHE_DIR and os.path.exists(py_file) else None


class _InTreeAsItIs(InTreeCacheLocator):
    """The folder beside the source, whether or not it can be written."""

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _InTreeAsItIs | None:
        return cls(py_func, py_file) if os.path.exists(py_file) else None


class _Places(CompileResultCacheImpl):
    """Where numba looks; if it can write nowhere, what an installation came with is read."""

    _locator_classes = (*CompileResultCacheImpl._locator_classes, _GivenAsItIs, _InTreeAsItIs)


class _Cache(FunctionCache):
    """numba's cache of one function, in which nothing is an error."""

    _impl_class = _Places

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        # a damaged file can raise anything when it is unpickled; what cannot be read is not there
        found = None
        with contextlib.suppress(Exception):
            found = super().load_overload(sig, target_context)
        if found is None and not _said:
            _said.append(True)
            _LOG.info("compiling, once after an installation: a few seconds")
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            try:
                super().save_overload(sig, data)
            except OSError:
                raise
            except Exception:  # the index of what is kept is damaged: begin a new one
                self.flush()
                super().save_overload(sig, data)
        except OSError as reason:  # no folder, no permission, no space
            _LOST.append(f"{self.cache_path}: {(reason.strerror or str(reason)).lower()}")
