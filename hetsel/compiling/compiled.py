"""Compiled functions: machine code that is shipped, saved on disk or compiled now.

They have their own numba target: code for the first of BASELINES that this processor can run, so
that machine code can be shipped. Other numba code of a program is not affected.
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
# features of each level of the x86-64 ABI, in the names of LLVM, fastest first
BASELINES = {
    "x86-64-v4": (*V3, "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"),
    "x86-64-v3": V3,
}
TARGET = "hetsel"
SHIPPED = code_cache.shipped_code(Path(__file__).parents[1], numba.config.CACHE_DIR)
FIX = "Set NUMBA_CACHE_DIR to a writable folder"
_LOST: list[str] = []  # reasons why code was not saved
_CACHES: list[Any] = []
_LOG = logging.getLogger(__name__)
_said: list[bool] = []  # whether this process has logged that it compiles


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a function of arrays at its first call, and save the code for later runs.

    Unlike with numba's njit(cache=True), an unwritable folder, a damaged file or a full disk is no
    error; the logger of this module reports it once. Threads may run the function concurrently.
    """
    return _kept(function)


def compiled_part(function: Callable[..., Any]) -> Any:
    """Compile a function for calls from compiled functions, without the wrapper for Python.

    The wrapper is most of the code of a small function. If Python calls the function, it is
    compiled again for this process.
    """
    dispatcher = _kept(function, no_cpython_wrapper=True)
    dispatcher.from_python = numba.njit(function, nogil=True, _target=TARGET)
    return dispatcher


def inlined(function: Callable[..., Any]) -> Any:
    """Inline a function into compiled callers, for inner loops where calls are slow."""
    return _kept(function, inline="always")


def _kept(function: Callable[..., Any], **options: Any) -> Any:
    """Make a numba dispatcher with these options, whose code is saved."""
    dispatcher = numba.njit(function, nogil=True, no_cfunc_wrapper=True, _target=TARGET, **options)
    try:
        cache = _Cache(function)
    except RuntimeError:  # no cache, such as for code without a file
        return dispatcher
    compile_now = dispatcher.compile

    def compile_in_turn(signature: Any) -> Any:
        # constants are no separate specializations
        arguments = tuple(map(numba.types.unliteral, signature))
        with cache.turn():
            return compile_now(arguments)

    dispatcher._cache, dispatcher.compile = cache, compile_in_turn
    return dispatcher


@functools.cache
def processor() -> tuple[str, str]:
    """Return LLVM's name and features of the processor for which code is compiled.

    It is that of NUMBA_CPU_NAME and related variables, else the first shipped baseline, else the
    first baseline, else this processor.
    """
    if numba.config.CPU_NAME is None and numba.config.CPU_FEATURES is None:
        able = baselines()
        came = [name for name in able if (SHIPPED / name).is_dir()]
        for name in came or able:
            return name, ""
    return _named_by_numba()


def baselines() -> list[str]:
    """Return the BASELINES that this processor can run, fastest first."""
    if numba.config.ENABLE_AVX and numba.llvm.get_process_triple().startswith("x86_64"):
        with contextlib.suppress(RuntimeError):  # LLVM does not know this processor
            here = numba.llvm.get_host_cpu_features()
            return [name for name, needed in BASELINES.items() if all(map(here.get, needed))]
    return []


def _named_by_numba() -> tuple[str, str]:
    generator = numba.codegen.JITCPUCodegen  # queried only: there is no function for it
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
    """A compiled function that raises the exception of a signal handler called during it.

    Python calls handlers in the code around the machine code. numba does not check whether one
    raised, so Python finds a result and an error, and raises a SystemError caused by the error.
    """

    targetdescr = _Target()
    from_python: Any = None  # the function for calls from Python, if different

    def compile(self, signature: Any) -> Any:
        """Load or compile code for these argument types, without interruption by Ctrl-C.

        numba reads definitions from iterators, and an interruption would lose some of them.
        """
        with held_back(), numba.targets.target_override(TARGET):  # nested ones, too
            return super().compile(signature)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        try:
            return _call(self.from_python or self, *arguments, **named)
        except SystemError as reason:
            own = _behind(reason)
            if own is reason:
                raise
        try:
            raise own  # outside the handler, so that it is not its own cause
        finally:
            del own  # so that the frames of the error do not keep it


numba.targets.dispatcher_registry[_Processor] = _Dispatcher
# used by numba for its own functions
numba.targets.jit_registry[_Processor] = functools.partial(numba.jit, _target=TARGET)


def _behind(reason: BaseException) -> BaseException:
    """Return the first error other than a SystemError among an error and its causes."""
    cause: BaseException | None = reason
    while isinstance(cause, SystemError):
        cause = cause.__cause__ or cause.__context__
    return reason if cause is None else cause


def compilations() -> int:
    """Count the functions that this process compiled, once for each type of arguments."""
    return sum(cache.compiled for cache in _CACHES)


def not_kept() -> str:
    """Explain why compiled code could not be saved; empty if it could."""
    problem = "each run compiles again, since code cannot be saved"
    return f"{problem}: {_LOST[0]}. {FIX}" if _LOST else ""


def examine_code() -> dict[str, Any]:
    """Examine the compiled code of the loaded functions, for `hetsel doctor`.

    It counts the files shipped for this processor (`came`), those that fit this numba and Python
    (`fit`) and the damaged ones, and names the folder.
    """
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
    """The folder NUMBA_CACHE_DIR, writable or not."""

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> "_GivenAsItIs | None":
        return cls(py_func, py_file) if numba.config.CACHE_DIR and os.path.exists(py_file) else None


class _InTreeAsItIs(numba.caching.InTreeCacheLocator):
    """The folder next to the source, writable or not."""

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> "_InTreeAsItIs | None":
        return cls(py_func, py_file) if os.path.exists(py_file) else None


class _Places(numba.caching.CompileResultCacheImpl):
    """The folders of numba; shipped files are read even if no folder is writable."""

    _known = numba.caching.CompileResultCacheImpl._locator_classes
    _locator_classes = (*_known, _GivenAsItIs, _InTreeAsItIs)


class _Cache(numba.caching.FunctionCache):
    """The numba cache of one function, without errors."""

    _impl_class = _Places

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        base = self._impl.filename_base
        shipped = SHIPPED / processor()[0]
        self._cache_file = code_cache.CodeFiles(Path(self.cache_path), shipped, base, function)
        self._turns: list[contextlib.ExitStack] = []  # contexts that end with a compilation
        self.compiled = 0
        _CACHES.append(self)

    def came(self) -> list[bool]:
        """Check for each shipped file whether it is complete and of this function."""
        code = _Dispatcher.targetdescr.target_context.codegen()
        _, made_for, (content, _) = self._index_key((), code)
        return self._cache_file.came(made_for, content)

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """Let other processes wait for this compilation and read its code."""
        with numba.global_compiler_lock, contextlib.ExitStack() as turn:
            if gc.isenabled():  # it takes a tenth of the time and finds almost nothing
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
        # code of other versions may fail to unpickle: ignore it
        with contextlib.suppress(Exception):
            return super().load_overload(sig, target_context)
        self._cache_file.kept_only = True  # otherwise shipped files would hide saved ones
        with contextlib.suppress(Exception):
            return super().load_overload(sig, target_context)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        self.compiled += 1
        try:
            super().save_overload(sig, data)
        except OSError as reason:  # no folder, no permission, no space
            _LOST.append(f"{self.cache_path}: {(reason.strerror or str(reason)).lower()}")
