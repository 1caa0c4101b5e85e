"""Data sets by name.

A loader is a function without needed arguments that returns a :class:`Dataset`; the table below
gives it a name, by which Python and the shell find it.
"""

from collections.abc import Callable

from hetsel.datasets.dataset import Dataset
from hetsel.datasets.heart import load_heart

LOADERS: dict[str, Callable[[], Dataset]] = {
    "heart": load_heart,
}

__all__ = ["LOADERS", "Dataset", "load", "load_heart"]


def load(name: str) -> Dataset:
    """The data set of this name.

    Raises
    ------
    ValueError
        No data set of that name.

    Examples
    --------
    >>> load("heart").X.shape
    (303, 13)
    """
    if name not in LOADERS:
        raise ValueError(f"name must be one of {', '.join(sorted(LOADERS))}. Got {name!r}")
    return LOADERS[name]()
