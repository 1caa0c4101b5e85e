"""Compiled functions: kept on disk between runs where that is possible, and working where not."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Callable, Iterator
from typing import Any

from hetsel.code_cache import CodeFiles, checked, try_folder
from hetsel.plain_numba import (
    Compiler,
    CompileResultCacheImpl,
    CPUDispatcher,
    FunctionCache,
    InTreeCacheLocator,
    JITCodeLibrary,
    UserProvidedCacheLocator,
    config,
    global_compiler_lock,
    njit,
    types,
)

FIX = "set NUMBA_CACHE_DIR to a folder that can be written to"
_LOST: list[str] = []  # why code was not kept, each time
_CACHES: list[Any] = []
_UNDER_WAY: list[Any] = []  # functions that are being compiled, each called by the one before
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
    dispatcher = njit(function, nogil=True, no_cfunc_wrapper=True, pipeline_class=_Pipeline)
    dispatcher.__class__ = _Dispatcher
    try:
        cache = _Cache(function)
    except RuntimeError:  # no place for a cache, such as code without a file
        return dispatcher
    compile_now = dispatcher.compile

    def compile_in_turn(signature: Any) -> Any:
        # a constant makes no specialization of its own
        arguments = tuple(map(types.unliteral, signature))
        with cache.turn():
            if not _within() and _is_part(dispatcher.overloads.get(arguments)):
                del dispatcher.overloads[arguments]  # Python calls what was a part so far
            entry = compile_now(arguments)
            if not _within():
                _set_environments(dispatcher.overloads[arguments])
            return entry

    dispatcher._cache, dispatcher.compile = cache, compile_in_turn
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


class _Part(JITCodeLibrary):
    """Code of a function for those that call it, which are made into machine code with it.

    numba makes machine code of each function, then anew of each function with all that it calls:
    what is deep below others is compiled as often as there are levels above it.
    """

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True


class _Pipeline(Compiler):
    """Compile for Python, or for a function that calls the one which is being compiled."""

    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        if _within():
            library = _Part(target.codegen(), "part")
        super().__init__(typing, target, library, *rest)
        self.state.flags.no_cpython_wrapper = _within()
        if _within():  # nothing that Python can call
            self.state.targetctx.get_executable = lambda *_: object()


def _within() -> bool:
    """Whether what is compiled is called by another function that is being compiled."""
    return len(_UNDER_WAY) > 1


def _is_part(result: Any) -> bool:
    """Whether a result of a compilation, or None, is code for other functions only."""
    return result is not None and isinstance(result.library, _Part)


def _set_environments(result: Any) -> None:
    """Tell a function where its parts have their constants, as numba does of code that it reads."""
    for environment in result._find_referenced_environments():
        result.library.codegen.set_env(environment.env_name, environment)


_call = CPUDispatcher.__call__


class _Dispatcher(CPUDispatcher):
    """A compiled function that lets out what a handler of signals raises while it is called.

    Before and after machine code runs, Python code takes arguments apart and puts the result
    together, and Python calls handlers there. numba does not look whether one of them raised;
    Python finds a result beside an error then, which is a SystemError caused by the error.
    """

    def add_overload(self, result: Any) -> None:
        if _is_part(result):
            self.overloads[tuple(result.signature.args)] = result
        else:
            super().add_overload(result)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        try:
            return _call(self, *arguments, **named)
        except SystemError as reason:
            own = _behind(reason)
            if own is reason:
                raise
        try:
            raise own  # outside of the handling, so that it is not caused by itself
        finally:
            del own  # the frames of an error should not hold it


def _behind(reason: BaseException) -> BaseException:
    """The first error that is no SystemError among an error and what caused it."""
    cause: BaseException | None = reason
    while isinstance(cause, SystemError):
        cause = cause.__cause__ or cause.__context__
    return reason if cause is None else cause


def not_kept() -> str:
    """Why code that this process compiled could not be kept; empty if all of it could."""
    return f"compiled code is not kept, each run compiles anew: {_LOST[0]}. {FIX}" if _LOST else ""


def examine() -> dict[str, Any]:
    """How compiled code is kept, by the functions that are loaded: for `hetsel doctor`.

    Returns
    -------
    dict
        `kept_in`, one of several folders alike; `damaged`, the number of files that are no use and
        will be compiled anew; `problem`, why code is not kept or not read, empty if all is well.
    """
    damaged, problem = 0, ""
    folders = dict.fromkeys(cache.cache_path for cache in _CACHES)
    for folder in folders:
        try:
            try_folder(folder)
        except OSError as reason:
            problem = problem or f"{folder}: {(reason.strerror or str(reason)).lower()}"
    for path in (path for cache in _CACHES for path in cache._cache_file.paths()):
        try:
            damaged += checked(path.read_bytes()) is None
        except OSError as reason:
            problem = problem or f"{path}: {(reason.strerror or str(reason)).lower()}"
    return {"kept_in": next(iter(folders), ""), "damaged": damaged, "problem": problem}


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

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = CodeFiles(self.cache_path, self._impl.filename_base, function, stamp)
        self._turns: list[contextlib.ExitStack] = []  # what ends with a compilation
        _CACHES.append(self)

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """Around a compilation: another process waits until it is done, and reads what was kept."""
        with global_compiler_lock, contextlib.ExitStack() as turn:
            self._turns.append(turn)
            _UNDER_WAY.append(self)
            try:
                yield
            finally:
                _UNDER_WAY.pop()
                self._turns.pop()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = self._read(sig, target_context)
        if found is not None:
            return found
        if not _said:
            _said.append(True)
            _LOG.info("compiling, once after an installation: a few seconds")
        if self._turns and not _within():
            key = self._index_key(sig, target_context.codegen())
            self._turns[-1].enter_context(self._cache_file.alone(key))
        return self._read(sig, target_context)

    def _read(self, sig: Any, target_context: Any) -> Any:
        # whatever the unpickling of another version's code raises: it is not there
        with contextlib.suppress(Exception):
            return super().load_overload(sig, target_context)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        if _is_part(data):
            return
        try:
            super().save_overload(sig, data)
        except OSError as reason:  # no folder, no permission, no space
            _LOST.append(f"{self.cache_path}: {(reason.strerror or str(reason)).lower()}")
