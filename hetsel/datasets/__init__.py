"""Load data sets by name, prepared as in the papers that use them.

A loader `load_NAME` is a function without required arguments that returns a :class:`Dataset`. Only
the heart table comes with hetsel. The other loaders read the original file from the folder that the
environment variable HETSEL_DATA names, or from the cache of the user. hetsel downloads a public
original into this cache once; see :mod:`hetsel.datasets.sources`.
"""

import importlib
from typing import Any

from hetsel.datasets.sources import SOURCES, Dataset, loader, loader_name
from hetsel.ground import TableError, did_you_mean

NAMES = tuple(SOURCES)
NOT_PUBLIC = ("rheumagene",)
# the public data sets in Table 1 of Paul, D'Ambrosio, Dupont (2015), in its order
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
    """Load a data set by its name.

    Parameters
    ----------
    name : str
        One of `NAMES`.

    Returns
    -------
    Dataset

    Raises
    ------
    TableError
        The name is unknown, or its file is not available.

    Examples
    --------
    >>> load("heart")
    heart: 303 rows, 13 features, target 'diameter narrowing' (0 164, 1 139)
    """
    if name not in (*NAMES, *NOT_PUBLIC):
        raise TableError(
            f"name must be one of {', '.join(sorted(NAMES))}. Got {name!r}"
            f"{did_you_mean(name, NAMES)}"
        )
    dataset: Dataset = __getattr__(loader_name(name))()  # raises an error if it is not public
    return dataset
