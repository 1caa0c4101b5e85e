"""The catalogue: one file per method; its name is the key, its folder the family.

A file holds one class with its own value `about`: the method. Keys are found without an import.
"""

import ast
import importlib
import pkgutil
from functools import cache
from pathlib import Path
from typing import NamedTuple

from hetsel.selection import about

FAMILIES = ("filters", "embedded", "wrappers")


class Home(NamedTuple):
    """Location of a method of hetsel."""

    family: str
    module: str
    path: Path


@cache
def homes() -> dict[str, Home]:
    """Return the files of hetsel's own methods by key, without importing them."""
    methods = {}
    for folder in __path__:
        for family in FAMILIES:
            for file in pkgutil.iter_modules([str(Path(folder, family))]):
                module = f"{__name__}.{family}.{file.name}"
                path = Path(folder, family, f"{file.name}.py")
                methods[file.name.replace("_", "-")] = Home(family, module, path)
    return methods


def class_names() -> dict[str, str]:
    """Return the key of each method of hetsel by the name of its class, without an import."""
    return {class_in(home.path): key for key, home in homes().items()}


@cache
def class_in(path: Path) -> str:
    """Return the name of the class in a file that has a value `about`."""
    return _method_in(path)[0]


def targets_in(path: Path) -> tuple[str, ...]:
    """Return the kinds of targets that the method in a file accepts."""
    value = _method_in(path)[1]
    for option in value.keywords if isinstance(value, ast.Call) else ():
        if option.arg == "targets":
            return tuple(ast.literal_eval(option.value))
    return about.About("").targets


def _method_in(path: Path) -> tuple[str, ast.expr]:
    """Return the name of the class in a file that has a value `about`, and this value."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef):
            for line in node.body:
                targets = line.targets if isinstance(line, ast.Assign) else []
                if any(isinstance(t, ast.Name) and t.id == "about" for t in targets):
                    assert isinstance(line, ast.Assign)
                    return node.name, line.value
    raise ValueError(f"{path.name} has no method: no class in it has a value `about`")


def takers(target: str) -> list[str]:
    """Return the keys of hetsel's methods that accept a kind of target, without an import."""
    return [key for key, home in sorted(homes().items()) if target in targets_in(home.path)]


def known_methods() -> "dict[str, about.About]":
    """Return the value `about` of hetsel's methods by key; imports all of them."""
    return {
        key: getattr(importlib.import_module(home.module), class_in(home.path)).about
        for key, home in homes().items()
    }


about.catalogue["hetsel"] = takers
about.abouts["hetsel"] = known_methods
