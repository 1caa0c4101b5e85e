"""Defer modules that scipy and scikit-learn import and a ranking seldom needs."""

import gc
import sys
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any

# these take half of the import time of scikit-learn; sklearn.feature_selection is last, since
# finding it imports scikit-learn with all its parts
SELDOM_NEEDED = (
    "numpy.f2py",
    "numpy.testing",
    "scipy.stats",
    "scipy.optimize",
    "scipy.spatial",
    "sklearn.feature_selection",
)
IN_PARTS = ("sklearn.feature_selection",)  # only single submodules of it are imported
ALWAYS_NEEDED = ("pandas", "sklearn.base")


def load_libraries() -> None:
    """Import what every command on a table needs, and exempt it from garbage collection.

    Each run of the collector takes a tenth of a second for these modules.
    """
    if all(name in sys.modules for name in ALWAYS_NEEDED):
        return
    collecting = gc.isenabled()
    gc.disable()
    try:
        defer()
        for name in ALWAYS_NEEDED:
            import_module(name)
        gc.freeze()
    finally:
        if collecting:
            gc.enable()


def defer(names: tuple[str, ...] = SELDOM_NEEDED) -> None:
    """Import these modules at their first use; loaded modules stay as they are.

    A submodule loads its package first, as usual, except for :data:`IN_PARTS`. Only programs of
    hetsel use this function: hetsel does not change the imports of other programs.
    """
    for name in names:
        if name in sys.modules:
            continue
        parent, _, child = name.rpartition(".")
        spec = find_spec(name)
        if spec is None or spec.loader is None:
            continue
        module = module_from_spec(spec)
        module.__class__ = _Deferred
        if name not in IN_PARTS:
            del module.__path__  # importing a submodule asks for it
        sys.modules[name] = module
        setattr(sys.modules[parent], child, module)


class _Deferred(ModuleType):
    """Run a module when a name is looked up in it.

    LazyLoader of importlib runs the module at the import, which looks at `__spec__`.
    """

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name != "__path__":
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        self.__class__ = ModuleType  # type: ignore[assignment]
        self.__path__ = self.__spec__.submodule_search_locations  # type: ignore[assignment, union-attr]
        self.__spec__.loader.exec_module(self)  # type: ignore[union-attr]
        return getattr(self, name)
