# ruff: noqa: F401
"""numba without the settings file of the working directory.

numba reads `.numba_config.yaml` in the working directory. This file may switch compilation off,
change the code, or name a folder whose pickles are loaded. numba needs yaml for it, which is hidden
here. The environment variables NUMBA_* count as usual, except NUMBA_DISABLE_JIT: users set it to
debug their own loops, and hetsel compiles nevertheless.
"""

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def _without_yaml() -> Iterator[None]:
    known: Any = sys.modules.get("yaml")
    sys.modules["yaml"] = None  # type: ignore[assignment]
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "A Numba config file")
            yield
    finally:
        del sys.modules["yaml"]
        if known is not None:
            sys.modules["yaml"] = known


with _without_yaml():
    from llvmlite import __version__ as llvmlite_version
    from llvmlite import binding as llvm
    from numba import __version__ as numba_version
    from numba import jit, types
    from numba import njit as _njit
    from numba.core import caching, codegen, config, cpu, registry
    from numba.core import target_extension as targets
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.serialize import dumps
    from numba.extending import intrinsic


def njit(function: Any, **options: Any) -> Any:
    """Call numba's njit, which then compiles under NUMBA_DISABLE_JIT, too."""
    asked, config.DISABLE_JIT = config.DISABLE_JIT, 0
    try:
        return _njit(function, **options)
    finally:
        config.DISABLE_JIT = asked
