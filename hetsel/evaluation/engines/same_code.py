"""Whether another process computes cells by the same code as this one."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

from hetsel import __version__
from hetsel.evaluation.by_key.code_of_modules import Facts, digest, module_facts
from hetsel.evaluation.computation import Computation


def code_of(recipes: Iterable[Computation]) -> Facts:
    """The code that cells of these recipes are computed by, what a session defines left out."""
    code = _code_of_hetsel()
    for recipe in recipes:
        for read in (recipe.method.code, *(judge.code for judge in recipe.classifiers)):
            code = code | read.in_modules
    return code


@cache
def _code_of_hetsel() -> Facts:
    """The code of hetsel, and the methods of other packages, in this process."""
    code = {"hetsel": f"version {__version__}", "the code of hetsel": _of_hetsel()}
    for entry in sorted(entry_points(group="hetsel.methods")):
        by = f"{entry.dist.name} {entry.dist.version}" if entry.dist else "no package"
        code[f"method {entry.name!r}"] = f"{entry.value} of {by}"
    return code


def _of_hetsel() -> str:
    home = Path(__file__).parents[3]
    paths = sorted([*home.glob("hetsel/**/*.py"), *home.glob("r_bridge/**/*.py")])
    return f"sha256 {digest(b''.join(path.name.encode() + path.read_bytes() for path in paths))}"


def difference(wanted: Facts) -> str:
    """In what this process differs from the code that is wanted; nothing where it does not."""
    here = _code_of_hetsel()
    for name in wanted:
        if name.startswith(("module ", "package ")):
            here = here | module_facts(name.split("'")[1])
    for name in sorted({*wanted, *here}, key=lambda name: (name not in wanted, name)):
        if wanted.get(name) != here.get(name):
            return f"{name}: {here.get(name, 'not there')} in place of {wanted.get(name, 'none')}"
    return ""
