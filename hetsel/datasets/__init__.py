"""Data sets by name, in the shape of the papers' tables.

A loader, `load_NAME`, is a function without needed arguments that returns a :class:`Dataset`. Only
the heart table ships with hetsel. The other loaders read the original file from the folder that the
environment variable HETSEL_DATA names, or from the user's cache, into which a public original is
downloaded once; see :mod:`hetsel.datasets.sources`.
"""

import importlib
from typing import Any

from hetsel.datasets.sources import SOURCES, Dataset, loader, loader_name
from hetsel.ground import TableError

NAMES = tuple(SOURCES)
NOT_PUBLIC = ("rheumagene",)
# the public ones of Table 1 in Paul, D'Ambrosio, Dupont (2015), in its order
PAUL2015 = ("arrhythmia", "bands", "heart", "hepatitis", "housing", "van-t-veer")
_LOADERS = {loader_name(name): name for name in NAMES}
_HOMES = {
    "load_rheumagene": "rheumagene",
    "simulate_rheumagene": "rheumagene",
    "simulate_linear": "simulated",
    "simulate_nonlinear": "simulated",
}
__all__ = ["NAMES", "PAUL2015", "Dataset", "load", *_LOADERS, *_HOMES]


def __getattr__(name: str) -> Any:
    if name in _LOADERS:
        return loader(_LOADERS[name])
    if name in _HOMES:
        return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)


def load(name: str) -> Dataset:
    """The data set of this name.

    Raises
    ------
    TableError
        No data set of that name, or its file cannot be had.

    Examples
    --------
    >>> load("heart")
    heart: 303 rows, 13 features, target 'diameter narrowing' (0 164, 1 139)
    """
    if name not in (*NAMES, *NOT_PUBLIC):
        raise TableError(f"name must be one of {', '.join(NAMES)}. Got {name!r}")
    dataset: Dataset = __getattr__(loader_name(name))()  # says why not where it is not public
    return dataset
