"""Modules that scipy and scikit-learn import and a ranking seldom needs: loaded when asked for."""

import gc
import sys
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any

# together half of the time that scikit-learn takes to import; what others import stands first, as
# to find sklearn.feature_selection imports scikit-learn and all it is made of
SELDOM_NEEDED = (
    "numpy.f2py",
    "numpy.testing",
    "scipy.stats",
    "scipy.optimize",
    "scipy.spatial",
    "sklearn.feature_selection",
)
IN_PARTS = ("sklearn.feature_selection",)  # a submodule of it is imported, and not the others
ALWAYS_NEEDED = ("pandas", "sklearn.base")


def load_libraries() -> None:
    """Import what every command on a table needs; what nobody can free is not searched for garbage.

    The collector takes a tenth of a second to look through these modules, at each of its rounds.
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
    """Import these modules at the first use of what they hold; those loaded already stay.

    A submodule loads its package first, as it does else, but for those :data:`IN_PARTS`. For
    programs of hetsel's own only: the modules of a process that others wrote are none of its
    business.
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
            del module.__path__  # who imports a submodule asks for it
        sys.modules[name] = module
        setattr(sys.modules[parent], child, module)


class _Deferred(ModuleType):
    """A module that runs when a name is looked up in it.

    importlib's LazyLoader runs it at the import already: that looks at `__spec__`.
    """

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name != "__path__":
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        self.__class__ = ModuleType  # type: ignore[assignment]
        self.__path__ = self.__spec__.submodule_search_locations  # type: ignore[assignment, union-attr]
        self.__spec__.loader.exec_module(self)  # type: ignore[union-attr]
        return getattr(self, name)
