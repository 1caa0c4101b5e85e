"""Data sets by name, in the shape of the papers' tables.

A loader is a function without needed arguments that returns a :class:`Dataset`; the table below
names its file, which is loaded when it is asked for. Only the heart table ships with hetsel. The
other loaders read the original file from the folder that the environment variable HETSEL_DATA
names, or from the user's cache, into which a public original is downloaded once; see
:mod:`hetsel.datasets.originals`.
"""

import importlib
from typing import Any

from hetsel.datasets.dataset import Dataset
from hetsel.ground.errors import TableError

# a data set's name in Python and the shell, and the file of its loader
FILES = {
    "arrhythmia": "arrhythmia",
    "bands": "bands",
    "heart": "heart",
    "hepatitis": "hepatitis",
    "housing": "housing",
    "van-t-veer": "van_t_veer",
    "credit-approval": "credit",
    "german-credit": "credit",
    "gse7390": "desmedt",
    "gse7390-survival": "desmedt",
    "heart-failure": "heart_failure",
    "ionosphere": "ionosphere",
    "lymphoma": "lymphoma",
    "lymphoma-discrete": "lymphoma",
    "musk": "musk",
    "pima": "pima",
    "spambase": "spambase",
    "usps": "usps",
    "usps-binarized": "usps",
    "van-t-veer-survival": "van_t_veer",
}
NAMES = tuple(FILES)
NOT_PUBLIC = ("rheumagene",)
# the public ones of Table 1 in Paul, D'Ambrosio, Dupont (2015), in its order
PAUL2015 = ("arrhythmia", "bands", "heart", "hepatitis", "housing", "van-t-veer")


def _loader(name: str) -> str:
    return f"load_{name.replace('-', '_')}"


_HOMES = {
    **{_loader(name): f"loaders.{file}" for name, file in FILES.items()},
    "load_rheumagene": "loaders.rheumagene",
    "simulate_rheumagene": "loaders.rheumagene",
    "simulate_linear": "simulated",
    "simulate_nonlinear": "simulated",
}
__all__ = ["NAMES", "PAUL2015", "Dataset", "load", *_HOMES]


def __getattr__(name: str) -> Any:
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
    >>> load("heart").X.shape
    (303, 13)
    """
    if name not in (*NAMES, *NOT_PUBLIC):
        raise TableError(f"name must be one of {', '.join(NAMES)}. Got {name!r}")
    dataset: Dataset = __getattr__(_loader(name))()  # says why not where it is not public
    return dataset
