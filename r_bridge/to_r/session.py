"""R in this process: started here, or joined where it runs already; one guarded way to call it.

Importing this module loads neither rpy2 nor R. `python -m r_bridge.to_r.session`, a process of its
own for `hetsel doctor`, starts R and prints what it found as JSON.
"""

import atexit
import ctypes
import json
import os
import platform
import re
import shutil
import subprocess
import threading
import types
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hetsel.ground.signals import held_back
from hetsel.ground.writing import own_folder, remove_folder
from r_bridge.interrupts import passed_to_r
from r_bridge.r_vectors import RVector, as_vector, dumps, loads, texts

if TYPE_CHECKING:
    import rpy2.rinterface as rinterface

OLDEST_R = (4, 1)
_FIX = {
    "rpy2": "Run pip install 'hetsel[r]'",
    "R": "Install R (Debian, Ubuntu: apt-get install r-base-dev)",
}
_IN_DEBIAN = ("glmnet", "party", "randomForest", "ranger")
# The function through which every call goes: R's output, messages, warnings and errors stay inside.
_GUARD = """
function(asked) {
  asked <- unserialize(asked)
  warned <- character()
  # of a function from whose loading an earlier Ctrl-C tore R away; it is loaded anew
  torn <- gettext("restarting interrupted promise evaluation", domain = "R")
  silence <- file(nullfile(), open = "wt")
  sink(silence)
  on.exit({ sink(); close(silence) })
  answer <- tryCatch(
    allowInterrupts(withCallingHandlers(
      {
        f <- eval(parse(text = asked$source, keep.source = FALSE), new.env(parent = baseenv()))
        value <- do.call(f, asked$arguments, quote = TRUE)
        list(value = value, warned = warned)
      },
      warning = function(w) {
        if (conditionMessage(w) != torn) warned <<- c(warned, enc2utf8(conditionMessage(w)))
        invokeRestart("muffleWarning")
      },
      message = function(m) invokeRestart("muffleMessage")
    )),
    error = function(e) list(error = enc2utf8(conditionMessage(e))),
    interrupt = function(i) list(interrupted = TRUE)
  )
  serialize(answer, NULL, xdr = FALSE, version = 2)
}
"""


class _Running(NamedTuple):
    """R that runs."""

    joined: bool  # it was there before
    guard: Callable[["rinterface.ByteSexpVector"], "rinterface.ByteSexpVector"]
    library: ctypes.CDLL


# The empty draw makes R read the state again: reticulate writes back what R has read last.
# A second Ctrl-C must not tear that.
_SEEDED = """
function(source, seed, arguments) {
  generator <- RNGkind()
  state <- get0(".Random.seed", globalenv(), inherits = FALSE)
  on.exit(suspendInterrupts({
    do.call(RNGkind, as.list(generator))
    if (is.null(state)) {
      set.seed(NULL)
    } else {
      assign(".Random.seed", state, envir = globalenv())
      sample.int(2L, 0L)
    }
  }))
  set.seed(seed, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
  f <- eval(parse(text = source, keep.source = FALSE), new.env(parent = baseenv()))
  do.call(f, arguments, quote = TRUE)
}
"""
_VERSION = """
function(p) if (nzchar(system.file(package = p))) format(utils::packageVersion(p)) else ""
"""
_lock = threading.RLock()
_state: list[_Running] = []  # filled when R is up
_calls = {"from_r": 0, "collected": False}  # those that Python answers; see `_prepare_joined`


class RError(RuntimeError):
    """R refused a call; the message is R's own."""


class RUnavailable(RError):
    """R or one of its requirements cannot be used; the message has problem and fix."""

    def __init__(self, problem: str, fix: str) -> None:
        super().__init__(f"{problem}. {fix}")
        self.problem = problem
        self.fix = fix

    def __reduce__(self) -> tuple[type["RUnavailable"], tuple[str, str]]:
        return type(self), (self.problem, self.fix)


class RNotInstalled(RUnavailable):
    """R is not installed."""


class RTooOld(RUnavailable):
    """R is older than the oldest supported version."""


class Rpy2Missing(RUnavailable):
    """The Python package rpy2 is not installed or does not load."""


class RPackageMissing(RUnavailable):
    """An R package is not installed."""


class RWarning(RuntimeWarning):
    """R warned about a call; the message is R's own."""


def find_r() -> tuple[str, str]:
    """Home and version of the R that would be used, without starting it."""
    home = os.environ.get("R_HOME") or _output("R", "RHOME").strip().rpartition("\n")[2]
    binary = os.path.join(home, "bin", "R") if home else ""
    if not home or shutil.which(binary) is None:
        where = f"R_HOME must be the folder of an R. Got {home}" if home else "R is not installed"
        raise RNotInstalled(where, _FIX["R"])
    found = re.search(r"(\d+)\.(\d+)\.\d+", _output(binary, "--version"))
    if found is None:
        raise RNotInstalled(f"{binary} does not run", _FIX["R"])
    if (int(found[1]), int(found[2])) < OLDEST_R:
        oldest = ".".join(map(str, OLDEST_R))
        raise RTooOld(f"R must be {oldest} or newer. Got {found[0]}", "Update R")
    return home, found[0]


def start() -> None:
    """Start R in this process, or join the R that this process runs in; make it ready for a call.

    Raises
    ------
    Rpy2Missing, RNotInstalled, RTooOld
    RError
        Called from a thread other than the main one inside an R session.
    """
    with _lock:
        if not _state:
            check_rpy2()
            home, _ = find_r()
            with held_back():  # half an R is of no use, and cannot be started again
                _state.append(_started(home))
        elif _state[0].joined:
            _prepare_joined()


def own_library() -> str:
    """A folder for packages of R that lives as long as the R of this process."""
    folder = os.path.join(str(call("function() tempdir()")[0]), "library")
    os.makedirs(folder, exist_ok=True)
    return folder


def joined() -> bool:
    """Whether this Python runs inside R (reticulate)."""
    return any(running.joined for running in _state) or _inside_r()


@contextmanager
def called_from_r() -> Iterator[None]:
    """Collect R's garbage only once while Python answers one call of R."""
    _calls["from_r"] += 1
    code_of_others_ran()
    try:
        yield
    finally:
        _calls["from_r"] -= 1
        code_of_others_ran()


def code_of_others_ran() -> None:
    """Note that R ran code that may have created and released Python objects."""
    _calls["collected"] = False


def call(function: str, *arguments: object, **named: object) -> RVector:
    """Call an R function.

    Calls are serialized. R's printed output and messages are dropped, and its warnings become
    :class:`RWarning`. Arguments and value are passed as bytes, see :mod:`r_bridge.r_vectors`; NULL
    is an empty list.

    Parameters
    ----------
    function : str
        R source of the function: a name such as ``"randomForest::importance"``, or
        ``"function(x) ..."``. It sees R's base package only, not the global environment.
    *arguments, **named
        What to pass, see :func:`r_bridge.r_vectors.as_vector`.

    Raises
    ------
    RError
        R's own message; or this Python runs inside an R session and the call comes from another
        thread than the main thread, which would crash R.
    RUnavailable
        R cannot be used; see :func:`start`.
    KeyboardInterrupt
        Ctrl-C was pressed while R worked; R is ready for the next call.
    """
    start()
    values = [as_vector(value) for value in (*arguments, *named.values())]
    names = {"names": texts([""] * len(arguments) + list(named))} if values else {}
    asked = {"source": function, "arguments": RVector("list", values, {**names})}
    with _lock:
        import rpy2.rinterface as rinterface

        packed = rinterface.ByteSexpVector(dumps(asked))
        with passed_to_r(_state[0].library):
            found = _state[0].guard(packed)
            answer = loads(np.asarray(found).tobytes())
            assert answer is not None
            parts = answer.by_name
            if "interrupted" in parts:
                raise KeyboardInterrupt
    if error := parts.get("error"):
        raise RError(str(error[0]).strip())
    warned, value = parts["warned"], parts["value"]
    for text in warned.values if warned else ():
        warnings.warn(str(text), RWarning, stacklevel=2)
    return RVector("list", []) if value is None else value


def call_seeded(function: str, seed: int, *arguments: object) -> RVector:
    """Call an R function after ``set.seed(seed)``, with R's default generators.

    The generator of the session and its state are restored afterwards, also after an error.

    Examples
    --------
    >>> draws = [call_seeded("function() sample.int(100L, 3L)", 7).values for _ in range(2)]
    >>> (draws[0] == draws[1]).all()
    np.True_
    """
    packed = RVector("list", [as_vector(value) for value in arguments])
    return call(_SEEDED, function, seed, packed)


def require_package(name: str) -> str:
    """Return the version of an R package, or raise :class:`RPackageMissing`."""
    number = str(call(_VERSION, name)[0])
    if not number:
        fix = f'Run install.packages("{name}") in R'
        if name in _IN_DEBIAN:
            fix += f" (Debian, Ubuntu: apt-get install r-cran-{name.lower()})"
        raise RPackageMissing(f"the R package {name} is not installed", fix)
    return number


def check_rpy2() -> str:
    """Return the version of rpy2, or raise :class:`Rpy2Missing`."""
    try:
        return version("rpy2-rinterface")
    except PackageNotFoundError:
        raise Rpy2Missing("the Python package rpy2 is not installed", _FIX["rpy2"]) from None


def probe() -> dict[str, str]:
    """Return the versions and paths of R; starts R, so run it in a separate process.

    Unknown values are empty, and so are ``problem`` and ``fix`` if R works; ``package`` is the
    folder of hetsel's R package.
    """
    facts = dict.fromkeys(("r_home", "r", "randomForest", "rpy2", "problem", "fix"), "")
    facts["package"] = str(Path(__file__).parents[1] / "hetsel")
    try:
        facts["r_home"], facts["r"] = find_r()
        facts["rpy2"] = check_rpy2()
        start()
        facts["randomForest"] = require_package("randomForest")
    except RUnavailable as reason:
        facts["problem"], facts["fix"] = reason.problem, reason.fix
    except RError as reason:
        facts["problem"], facts["fix"] = f"R does not run: {reason}", _FIX["R"]
    return facts


def _output(*command: str) -> str:
    """Return the output of a command; empty if it cannot be run."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout


def _inside_r() -> bool:
    """Whether R runs in this process, by its environment variable (reticulate)."""
    return f"PID={os.getpid()}" in os.environ.get("R_SESSION_INITIALIZED", "").split(":")


def _prepare_joined() -> None:
    """Make a call of R safe inside an R session.

    rpy2 releases Python's lock while R runs. R's garbage collection would then delete Python
    objects without the lock and crash the process (reticulate before 1.30). R therefore collects
    garbage now, once per call from R, since it takes a tenth of a second in a session with many
    packages.
    """
    if threading.current_thread() is not threading.main_thread():
        raise RError(
            "methods of R must run in the main thread inside an R session. Got another thread: "
            "set jobs to 1"
        )
    if not _calls["collected"]:
        ctypes.PyDLL(None).R_gc()
        _calls["collected"] = _calls["from_r"] > 0


def _started(home: str) -> _Running:
    joined = _inside_r()
    folder = ""
    if joined:
        _prepare_joined()
    elif folder := own_folder():
        atexit.register(remove_folder, folder)  # R, which comes later, ends before that
    with _no_startup_files(folder):
        rinterface = _load_rpy2(joined)
    guard = rinterface.baseenv["eval"](rinterface.parse(_GUARD)[0], rinterface.baseenv)
    library = ctypes.CDLL(None if joined else _library(home))
    return _Running(joined, guard, library)


def _library(home: str) -> str:
    """Path of the library of the R that rpy2 started."""
    from rpy2.rinterface_lib import openrlib
    from rpy2.situation import get_rlib_path

    compiled: str = openrlib._rinterface_cffi.__file__
    return get_rlib_path(home, platform.system()) if compiled.endswith(".py") else compiled


@contextmanager
def _no_startup_files(folder: str) -> Iterator[None]:
    """Start R without .Rprofile and .Renviron.

    rpy2 starts two more R processes, for which an empty file name also means none. R's folders of
    libraries are removed afterwards, since other programs would load libraries from them.
    """
    files = dict.fromkeys(("R_PROFILE", "R_PROFILE_USER", "R_ENVIRON", "R_ENVIRON_USER"), "")
    before = {name: os.environ.get(name) for name in (*files, "LD_LIBRARY_PATH", "TMPDIR")}
    os.environ.update(files)
    if folder:
        os.environ["TMPDIR"] = folder
    try:
        yield
    finally:
        for name, value in before.items():
            if value is not None:
                os.environ[name] = value
            else:
                os.environ.pop(name, None)


def _load_rpy2(joined: bool) -> types.ModuleType:
    """Start R through the lowest layer of rpy2, without restoring a workspace.

    rpy2 then neither handles Ctrl-C, nor ends R with Python, nor copies another R's environment.
    """
    try:
        import rpy2.rinterface as rinterface
        from rpy2.rinterface_lib import embedded
        from rpy2.rinterface_lib.callbacks import replace_in_module
    except Exception as reason:  # whatever cffi or the dynamic linker raises
        fix = "Run pip install --force-reinstall --no-binary rpy2-rinterface 'hetsel[r]'"
        raise Rpy2Missing(f"rpy2 does not load ({reason})", fix) from reason
    if not embedded.isinitialized():
        embedded.set_initoptions(("rpy2", "--quiet", "--vanilla"))
    quiet = types.SimpleNamespace(signal=lambda *_: None, SIGINT=None, default_int_handler=None)
    environment = (lambda _: None) if joined else rinterface._setrenvvars
    with (
        replace_in_module(rinterface, "signal", quiet),
        replace_in_module(rinterface, "_setrenvvars", environment),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")  # about the thread, which is checked here
        rinterface.initr(interactive=False)
    if joined:
        atexit.unregister(rinterface.endr)
    module: types.ModuleType = rinterface
    return module


if __name__ == "__main__":
    print(json.dumps(probe(), ensure_ascii=True))
