"""Compiled functions: machine code that came with hetsel or was kept on disk, or compiled now.

They have a target of numba's of their own: code for the first of two named processors, BASELINES,
that the processor at hand can run, so that machine code can be shipped. What else a program
compiles with numba is left as it is.
"""

import contextlib
import functools
import gc
import logging
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from hetsel.compiling import code_cache
from hetsel.compiling import plain_numba as numba
from hetsel.ground.signals import held_back

V3 = (
    *("cx16", "popcnt", "sahf", "sse3", "ssse3", "sse4.1", "sse4.2"),
    *("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"),
)
# what the x86-64 ABI asks of a processor of each name, in the words of LLVM, quickest first
BASELINES = {
    "x86-64-v4": (*V3, "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"),
    "x86-64-v3": V3,
}
TARGET = "hetsel"
SHIPPED = code_cache.shipped_code(Path(__file__).parents[1], numba.config.CACHE_DIR)
FIX = "set NUMBA_CACHE_DIR to a folder that can be written to"
_LOST: list[str] = []  # why code was not kept, each time
_CACHES: list[Any] = []
_LOG = logging.getLogger(__name__)
_said: list[bool] = []  # whether this process has said that it compiles


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a function of arrays at its first call, and keep the code for later runs. Unlike with
    numba's njit(cache=True) a folder that cannot be written, a damaged file or a full disk is no
    error: the logger of this module says so once. Threads may run the function at the same time."""
    return _kept(function)


def compiled_part(function: Callable[..., Any]) -> Any:
    """Compile a function that compiled functions call, without what calls from Python need: most of
    the code of a small one. Called from Python it is compiled once more, for this process."""
    dispatcher = _kept(function, no_cpython_wrapper=True)
    dispatcher.from_python = numba.njit(function, nogil=True, _target=TARGET)
    return dispatcher


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a function into each compiled function that calls it: a small part of an inner loop,
    at whose every call the arrays handed over would be counted."""
    return _kept(function, inline="always")


def _kept(function: Callable[..., Any], **options: Any) -> Any:
    """A dispatcher of numba's with these options, whose code is kept."""
    dispatcher = numba.njit(function, nogil=True, no_cfunc_wrapper=True, _target=TARGET, **options)
    try:
        cache = _Cache(function)
    except RuntimeError:  # no place for a cache, such as code without a file
        return dispatcher
    compile_now = dispatcher.compile

    def compile_in_turn(signature: Any) -> Any:
        # a constant makes no specialization of its own
        arguments = tuple(map(numba.types.unliteral, signature))
        with cache.turn():
            return compile_now(arguments)

    dispatcher._cache, dispatcher.compile = cache, compile_in_turn
    return dispatcher


@functools.cache
def processor() -> tuple[str, str]:
    """Name and features, in LLVM's words, of the processor that code is compiled for:
    NUMBA_CPU_NAME and its like, or the first baseline that came with hetsel, or the first, or this
    processor."""
    if numba.config.CPU_NAME is None and numba.config.CPU_FEATURES is None:
        able = baselines()
        came = [name for name in able if (SHIPPED / name).is_dir()]
        for name in came or able:
            return name, ""
    return _named_by_numba()


def baselines() -> list[str]:
    """Those of BASELINES whose code the processor at hand can run, quickest first."""
    if numba.config.ENABLE_AVX and numba.llvm.get_process_triple().startswith("x86_64"):
        with contextlib.suppress(RuntimeError):  # LLVM does not know this processor
            here = numba.llvm.get_host_cpu_features()
            return [name for name, needed in BASELINES.items() if all(map(here.get, needed))]
    return []


def _named_by_numba() -> tuple[str, str]:
    generator = numba.codegen.JITCPUCodegen  # only asked, as there is no function for it
    code = generator.__new__(generator)
    return code._get_host_cpu_name(), code._get_host_cpu_features()


class _Code(numba.codegen.JITCPUCodegen):
    """numba's generator of code, for the processor of `processor`."""

    def _get_host_cpu_name(self) -> str:
        return processor()[0]

    def _get_host_cpu_features(self) -> str:
        return processor()[1]


class _Context(numba.cpu.CPUContext):
    """numba's context of a compilation, with that generator."""

    def init(self) -> None:
        super().init()
        self._internal_codegen = _Code("hetsel.exec")


class _Target(numba.registry.CPUTarget):
    """numba's target for the processor at hand, with that context."""

    def __init__(self) -> None:
        super().__init__(TARGET)
        self._context = _Context(self.typing_context, TARGET)

    @property
    def target_context(self) -> Any:
        return self._context


class _Processor(numba.targets.CPU):
    """The name of the target among those of numba."""


numba.targets.target_registry[TARGET] = _Processor
_call = numba.registry.CPUDispatcher.__call__


class _Dispatcher(numba.registry.CPUDispatcher):
    """A compiled function that lets out what a handler of signals raises while it is called. Python
    calls handlers where the code around machine code runs; numba does not look whether one raised,
    and Python finds a result beside an error then: a SystemError caused by the error."""

    targetdescr = _Target()
    from_python: Any = None  # what a call from Python runs, if that is another

    def compile(self, signature: Any) -> Any:
        """Code for these types of arguments, read or made. Ctrl-C waits: numba takes definitions
        from iterators, and what an error loses of these does not come again in this process."""
        with held_back(), numba.targets.target_override(TARGET):  # for what is compiled on the way
            return super().compile(signature)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        try:
            return _call(self.from_python or self, *arguments, **named)
        except SystemError as reason:
            own = _behind(reason)
            if own is reason:
                raise
        try:
            raise own  # outside of the handling, so that it is not caused by itself
        finally:
            del own  # the frames of an error should not hold it


numba.targets.dispatcher_registry[_Processor] = _Dispatcher
# by this, numba compiles the parts that it has itself
numba.targets.jit_registry[_Processor] = functools.partial(numba.jit, _target=TARGET)


def _behind(reason: BaseException) -> BaseException:
    """The first error that is no SystemError among an error and what caused it."""
    cause: BaseException | None = reason
    while isinstance(cause, SystemError):
        cause = cause.__cause__ or cause.__context__
    return reason if cause is None else cause


def compilations() -> int:
    """How many functions this process has compiled, for each type of arguments of their own."""
    return sum(cache.compiled for cache in _CACHES)


def not_kept() -> str:
    """Why code that this process compiled could not be kept; empty if all of it could."""
    return f"compiled code is not kept, each run compiles anew: {_LOST[0]}. {FIX}" if _LOST else ""


def examine_code() -> dict[str, Any]:
    """How compiled code is kept, by the functions that are loaded, for `hetsel doctor`: files that
    `came` for this processor, `fit` this numba and Python, are `damaged`; and a folder."""
    damaged, problem = 0, ""
    folders = dict.fromkeys(cache.cache_path for cache in _CACHES)
    for folder in folders:
        try:
            code_cache.try_folder(folder)
        except OSError as reason:
            problem = problem or f"{folder}: {(reason.strerror or str(reason)).lower()}"
    for path in (path for cache in _CACHES for path in cache._cache_file.kept()):
        try:
            damaged += code_cache.strip_checksum(path.read_bytes()) is None
        except OSError as reason:
            problem = problem or f"{path}: {(reason.strerror or str(reason)).lower()}"
    came = [fits for cache in _CACHES for fits in cache.came()]
    return {
        "processor": processor()[0],
        "came": len(came),
        "fit": sum(came),
        "kept_in": next(iter(folders), ""),
        "damaged": damaged,
        "problem": problem,
    }


class _GivenAsItIs(numba.caching.UserProvidedCacheLocator):
    """The folder NUMBA_CACHE_DIR, whether or not it can be written."""

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> "_GivenAsItIs | None":
        return cls(py_func, py_file) if numba.config.CACHE_DIR and os.path.exists(py_file) else None


class _InTreeAsItIs(numba.caching.InTreeCacheLocator):
    """The folder beside the source, whether or not it can be written."""

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> "_InTreeAsItIs | None":
        return cls(py_func, py_file) if os.path.exists(py_file) else None


class _Places(numba.caching.CompileResultCacheImpl):
    """Where numba looks; if it can write nowhere, what an installation came with is read."""

    _known = numba.caching.CompileResultCacheImpl._locator_classes
    _locator_classes = (*_known, _GivenAsItIs, _InTreeAsItIs)


class _Cache(numba.caching.FunctionCache):
    """numba's cache of one function, in which nothing is an error."""

    _impl_class = _Places

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        base = self._impl.filename_base
        shipped = SHIPPED / processor()[0]
        self._cache_file = code_cache.CodeFiles(Path(self.cache_path), shipped, base, function)
        self._turns: list[contextlib.ExitStack] = []  # what ends with a compilation
        self.compiled = 0
        _CACHES.append(self)

    def came(self) -> list[bool]:
        """Of each file that came with hetsel, whether it is whole and of this function here."""
        code = _Dispatcher.targetdescr.target_context.codegen()
        _, made_for, (content, _) = self._index_key((), code)
        return self._cache_file.came(made_for, content)

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """Around a compilation: another process waits until it is done, and reads what was kept."""
        with numba.global_compiler_lock, contextlib.ExitStack() as turn:
            if gc.isenabled():  # which takes a tenth of the time, and finds next to nothing
                turn.callback(gc.enable)
                gc.disable()
            self._turns.append(turn)
            try:
                yield
            finally:
                self._turns.pop()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = self._read(sig, target_context)
        if found is not None:
            return found
        if not _said:
            _said.append(True)
            _LOG.info("compiling, once after an installation: a few seconds")
        if self._turns:
            key = self._index_key(sig, target_context.codegen())
            self._turns[-1].enter_context(self._cache_file.alone(key))
        return self._read(sig, target_context)

    def _read(self, sig: Any, target_context: Any) -> Any:
        # whatever the unpickling of another version's code raises: it is not there
        with contextlib.suppress(Exception):
            return super().load_overload(sig, target_context)
        self._cache_file.kept_only = True  # else what came would hide what is kept
        with contextlib.suppress(Exception):
            return super().load_overload(sig, target_context)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        self.compiled += 1
        try:
            super().save_overload(sig, data)
        except OSError as reason:  # no folder, no permission, no space
            _LOST.append(f"{self.cache_path}: {(reason.strerror or str(reason)).lower()}")
