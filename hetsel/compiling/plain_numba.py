# ruff: noqa: F401
"""What hetsel needs of numba, loaded without the settings that a folder of data may hold.

numba reads a file `.numba_config.yaml` in the working directory, which may switch compilation off,
change the code or name a folder whose pickles are loaded. It does so by yaml only, so that it finds
none here. Variables of the environment (NUMBA_*) count as ever, but for NUMBA_DISABLE_JIT, which
is set to look into one's own loops: those of hetsel are compiled all the same.
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
    """numba's njit, which compiles under NUMBA_DISABLE_JIT, too."""
    asked, config.DISABLE_JIT = config.DISABLE_JIT, 0
    try:
        return _njit(function, **options)
    finally:
        config.DISABLE_JIT = asked
