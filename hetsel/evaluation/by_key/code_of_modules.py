"""The code of modules, none of which is imported for it: versions of packages, texts of files.

A file is the text of the module, of its packages, and of all that these import, also in functions,
as far as they are no installed packages. A module whose name is computed is not seen.
"""

import ast
import hashlib
import importlib.util
import os
import sys
from collections.abc import Iterator
from functools import cache
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path
from typing import Self

OURS = ("hetsel", "r_bridge")
SESSION = ("__main__", "__mp_main__")
INSTALLED = {"site-packages", "dist-packages"}
_PYTHON = Path(os.__file__).parent.resolve()
# looking them up takes 0.3 s
_CALLED = {"sklearn": "scikit-learn", "sksurv": "scikit-survival"}


class CodeOf(str):
    """What code is of, a module, a package, a class, and its name; as text what people read."""

    kind: str
    name: str

    def __new__(cls, kind: str, name: str = "") -> Self:
        made = super().__new__(cls, f"{kind} {name!r}" if name else kind)
        made.kind, made.name = kind, name
        return made


CodeFacts = dict[CodeOf, str]  # what it is the code of -> what it is


def digest(content: bytes) -> str:
    """The begin of the sha256; ends of lines do not count, they are those of the machine."""
    return hashlib.sha256(content.replace(b"\r\n", b"\n")).hexdigest()[:16]


def is_known(name: str) -> bool:
    """Whether a module is hetsel's own or Python's, whose versions every cell notes."""
    home = name.partition(".")[0]
    if home in OURS or home not in sys.stdlib_module_names:
        return home in OURS
    origin = file_of(home)  # a file of a user may have the name of one of Python's modules
    return origin is None or origin.resolve().is_relative_to(_PYTHON)


def is_own(name: str) -> bool:
    """Whether a module is a user's file or session: not hetsel's, Python's or an installed one."""
    origin = file_of(name)
    return not is_known(name) and (origin is None or not INSTALLED & set(origin.parts))


def module_facts(name: str) -> CodeFacts:
    """The version of the package that a module is of, or else the digest of its file.

    Examples
    --------
    >>> print(*module_facts("sklearn.svm"))
    package 'sklearn'
    >>> module_facts("json"), module_facts("hetsel")
    ({}, {})
    """
    if is_known(name) or name in SESSION:
        return {}
    home, origin = name.partition(".")[0], file_of(name)
    if origin is None or INSTALLED & set(origin.parts):
        found = _version(home)
        if found or origin is None:
            return {CodeOf("package", home): f"version {found}"} if found else {}
    return {CodeOf("module", name): f"sha256 {_text_of(origin)}"}


def facts_with_imports(name: str) -> CodeFacts:
    """The facts of a module and of all modules that it imports, and so on."""
    facts: CodeFacts = {}
    left, seen = [name], set()
    while left:
        if (name := left.pop()) in seen:
            continue
        seen.add(name)
        found = module_facts(name)
        facts |= found
        origin = file_of(name)
        if origin is not None and CodeOf("module", name) in found:
            left += [*_imported_by(name, origin), name.rpartition(".")[0] or name]
    return facts


def _text_of(origin: Path) -> str:
    try:
        return digest(origin.read_bytes())
    except OSError:
        return "not there"


@cache
def _version(home: str) -> str:
    """Versions of the distributions that have a module; empty where none has."""
    try:
        return version(_CALLED.get(home, home))
    except PackageNotFoundError:
        names = sorted(set(packages_distributions().get(home, ())))
        return ", ".join(version(name) for name in names)


def _spec(name: str) -> ModuleSpec | None:
    above = name.rpartition(".")[0]
    try:
        if name in sys.modules:
            return sys.modules[name].__spec__
        if not above:
            return importlib.util.find_spec(name)
        package = _spec(above)
        where = None if package is None else package.submodule_search_locations
        return None if where is None else PathFinder.find_spec(name, where)
    except (ImportError, ValueError, AttributeError):
        return None


def file_of(name: str) -> Path | None:
    """The file of a module; None of a session, and of what is built in."""
    if name in SESSION:
        return None
    spec = _spec(name)
    if spec is not None:
        return Path(str(spec.origin)) if spec.has_location else None
    file = getattr(sys.modules.get(name), "__file__", None)
    return Path(file) if file else None


def _imported_by(name: str, origin: Path) -> Iterator[str]:
    """Modules that the file of a module imports."""
    try:
        tree = ast.parse(origin.read_bytes())
    except (OSError, SyntaxError, ValueError):  # compiled code, or a file that has gone
        return
    package = (name if origin.stem == "__init__" else name.rpartition(".")[0]).split(".")
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for parts in (alias.name.split(".") for alias in node.names):
                yield from (".".join(parts[:k]) for k in range(1, len(parts) + 1))
        elif isinstance(node, ast.ImportFrom) and (package[0] or not node.level):
            above = package[: len(package) + 1 - node.level] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from named_in(base, [alias.name for alias in node.names])


def named_in(base: str, names: list[str]) -> Iterator[str]:
    """The modules of these names in a package, or the package that has something of the name."""
    for name in names:
        inner = f"{base}.{name}"
        yield base if is_known(base) or _spec(inner) is None else inner
