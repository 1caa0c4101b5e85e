"""What hetsel needs of numba, loaded without the settings that a folder of data may hold.

numba reads a file `.numba_config.yaml` in the working directory, which may switch compilation off,
change the code or name a folder whose pickles are loaded. It does so by yaml only, so that it finds
none here. Variables of the environment (NUMBA_*) count as ever.
"""

from __future__ import annotations

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
    from numba import __version__ as numba_version
    from numba import njit, types
    from numba.core import config
    from numba.core.caching import (
        CompileResultCacheImpl,
        FunctionCache,
        InTreeCacheLocator,
        UserProvidedCacheLocator,
    )
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import Compiler
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.registry import CPUDispatcher
    from numba.core.serialize import dumps
    from numba.extending import intrinsic

__all__ = [
    "CPUDispatcher",
    "CompileResultCacheImpl",
    "Compiler",
    "FunctionCache",
    "InTreeCacheLocator",
    "JITCodeLibrary",
    "UserProvidedCacheLocator",
    "config",
    "dumps",
    "global_compiler_lock",
    "intrinsic",
    "njit",
    "numba_version",
    "types",
]
