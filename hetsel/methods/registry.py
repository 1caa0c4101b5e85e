"""The registry of methods: the files of hetsel.methods, then what other packages register."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points
from typing import cast

import pandas as pd

from hetsel.selection.base import BaseSelector

FAMILIES = ("filters", "embedded", "wrappers")


@cache
def _homes() -> dict[str, str]:
    """Module of each method of hetsel by its key, which is the name of the file."""
    found = {}
    for family in FAMILIES:
        package = importlib.import_module(f"hetsel.methods.{family}")
        for module in pkgutil.iter_modules(package.__path__):
            found[module.name.replace("_", "-")] = f"{package.__name__}.{module.name}"
    return found


def method_keys() -> list[str]:
    """Keys of the methods: the files of hetsel.methods, then what other packages register."""
    return sorted(_homes()) + sorted(e.name for e in entry_points(group="hetsel.methods"))


def get_method(key: str) -> type[BaseSelector]:
    """The class of a method.

    Raises
    ------
    ValueError
        No method of that key.
    """
    keys = method_keys()
    if key not in keys:
        raise ValueError(f"method must be one of {', '.join(keys)}. Got {key!r}")
    for entry in entry_points(group="hetsel.methods"):
        if entry.name == key:
            return cast(type[BaseSelector], entry.load())
    module = importlib.import_module(_homes()[key])
    for value in vars(module).values():
        if isinstance(value, type) and issubclass(value, BaseSelector) and value.key == key:
            return value
    raise ValueError(f"{module.__name__} has no selector whose key is {key!r}")


def method_table() -> pd.DataFrame:
    """The catalogue as a data frame: key, title, family, kinds, classes, extras and paper."""
    rows = []
    for key in method_keys():
        method = get_method(key)
        rows.append(
            {
                "key": key,
                "title": method.title,
                "family": method.family,
                "takes": ", ".join(method.takes),
                "classes": method.classes,
                "requires": ", ".join(method.requires),
                "paper": method.paper,
            }
        )
    return pd.DataFrame(rows)
