"""The code of modules without importing them: versions of packages, texts of files.

For a file, the code is the text of the module, of its packages and of all their imports, also
within functions, except installed packages. A module whose name is computed is not found.
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
from threading import Lock
from typing import Self

OURS = ("hetsel", "r_bridge")
SESSION = ("__main__", "__mp_main__")
INSTALLED = {"site-packages", "dist-packages"}
TRIES = 20  # of reading a module while other threads do
_PARSING = Lock()
_PYTHON = Path(os.__file__).parent.resolve()
# looking up these names takes 0.3 s
_CALLED = {"sklearn": "scikit-learn", "sksurv": "scikit-survival"}


class CodeOf(str):
    """Kind and name of the owner of code, such as a module, package or class."""

    kind: str
    name: str

    def __new__(cls, kind: str, name: str = "") -> Self:
        made = super().__new__(cls, f"{kind} {name!r}" if name else kind)
        made.kind, made.name = kind, name
        return made


CodeFacts = dict[CodeOf, str]  # owner -> version or digest


def digest(content: bytes) -> str:
    """Return the first digits of the SHA-256, whatever the line endings."""
    return hashlib.sha256(content.replace(b"\r\n", b"\n")).hexdigest()[:16]


def is_known(name: str) -> bool:
    """Return whether a module belongs to hetsel or Python, whose versions cells record."""
    home = name.partition(".")[0]
    if home in OURS or home not in sys.stdlib_module_names:
        return home in OURS
    origin = file_of(home)  # a user's file may have the name of a module of Python
    return origin is None or origin.resolve().is_relative_to(_PYTHON)


def is_own(name: str) -> bool:
    """Return whether a module is a file or session of the user."""
    origin = file_of(name)
    return not is_known(name) and (origin is None or not INSTALLED & set(origin.parts))


def module_facts(name: str) -> CodeFacts:
    """Return the version of the package of a module, or the digest of its file.

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
    """Return the facts of a module and, recursively, of its imports."""
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
    """Return the versions of the distributions of a module, or ""."""
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
    """Return the file of a module; None for sessions and built-in modules."""
    if name in SESSION:
        return None
    spec = _spec(name)
    if spec is not None:
        return Path(str(spec.origin)) if spec.has_location else None
    file = getattr(sys.modules.get(name), "__file__", None)
    return Path(file) if file else None


def _parsed(source: bytes) -> ast.Module:
    """Return the syntax tree of a module, in any thread.

    Before 3.11.8 Python counts the depth of all threads that parse together, and raises SystemError
    if the collector lets another one go on in between (python/cpython#106905).
    """
    with _PARSING:
        for _ in range(TRIES - 1):
            try:
                return ast.parse(source)
            except SystemError:  # a thread of another package
                continue
        return ast.parse(source)


def _imported_by(name: str, origin: Path) -> Iterator[str]:
    """Yield the modules that the file of a module imports."""
    try:
        tree = _parsed(origin.read_bytes())
    except (OSError, SyntaxError, ValueError):  # compiled code or a missing file
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
    """Yield modules with these names in a package, or the package that defines a name."""
    for name in names:
        inner = f"{base}.{name}"
        yield base if is_known(base) or _spec(inner) is None else inner
