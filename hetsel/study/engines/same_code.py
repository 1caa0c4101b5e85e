"""Whether another process computes cells by the same code as this one."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, entry_points, version
from pathlib import Path
from typing import Any

from hetsel import __version__
from hetsel.study.cell import Computation

Code = dict[str, str]  # what it is the code of -> what it is


def code_of(recipes: Iterable[Computation]) -> Code:
    """The code that cells of these recipes are computed by, what a session defines left out."""
    modules = {
        base.__module__
        for recipe in recipes
        for thing in _parts(recipe.method.build())
        for base in type(thing).__mro__
    }
    return code_here(tuple(sorted(modules - {"builtins", "__main__"})))


def _parts(thing: Any) -> list[Any]:
    """An estimator and all that it is made of."""
    parts = [thing]
    for value in thing.get_params(deep=True).values():
        if hasattr(value, "get_params") and not isinstance(value, type):
            parts.append(value)
    return parts


@cache
def code_here(modules: tuple[str, ...]) -> Code:
    """The code of hetsel, of these modules, and the methods of other packages, in this process."""
    code = {"hetsel": f"version {__version__}", "the code of hetsel": _of_hetsel()}
    for entry in sorted(entry_points(group="hetsel.methods")):
        by = f"{entry.dist.name} {entry.dist.version}" if entry.dist else "no package"
        code[f"method {entry.name!r}"] = f"{entry.value} of {by}"
    for name in modules:
        home = name.partition(".")[0]
        if home in ("hetsel", "r_bridge"):
            continue
        try:
            code[f"package {home!r}"] = f"version {version(_package(home))}"
        except PackageNotFoundError:
            code[f"module {name!r}"] = _of_module(name)
    return code


def _package(home: str) -> str:
    return {"sklearn": "scikit-learn"}.get(home, home)


def _of_module(name: str) -> str:
    try:
        found = importlib.util.find_spec(name)
        return _digest([Path(found.origin)]) if found and found.origin else "not there"
    except (ImportError, ValueError, OSError):
        return "not there"


def _of_hetsel() -> str:
    home = Path(__file__).parents[3]
    return _digest(sorted([*home.glob("hetsel/**/*.py"), *home.glob("r_bridge/**/*.py")]))


def _digest(paths: Iterable[Path]) -> str:
    """Ends of lines do not count: they are those of the machine."""
    total = hashlib.sha256()
    for path in paths:
        total.update(path.name.encode() + path.read_bytes().replace(b"\r\n", b"\n"))
    return f"sha256 {total.hexdigest()[:12]}"


def difference(wanted: Code) -> str:
    """In what this process differs from the code that is wanted; nothing where it does not."""
    modules = (name.split("'")[1] for name in wanted if name.startswith("module "))
    packages = (name.split("'")[1] for name in wanted if name.startswith("package "))
    here = code_here(tuple(sorted({*modules, *packages})))
    for name in sorted({*wanted, *here}, key=lambda name: (name not in wanted, name)):
        if wanted.get(name) != here.get(name):
            return f"{name}: {here.get(name, 'not there')} in place of {wanted.get(name, 'none')}"
    return ""
