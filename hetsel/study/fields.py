"""Reading the entries of a plan: every error names the entry, the legal values and what it got."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from hetsel.text import listed


class PlanError(ValueError):
    """A plan of a study that cannot be used; the message says what to do."""


def check_keys(where: str, given: Mapping[str, Any], legal: Iterable[str]) -> None:
    """Refuse an unknown key and suggest the nearest legal one."""
    legal = list(legal)
    for key in given:
        if key not in legal:
            near = difflib.get_close_matches(str(key), legal, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            known = f"the keys are {', '.join(legal)}" if legal else "there is nothing to set"
            raise PlanError(f"{where} has no key {key!r}{hint}: {known}")


def one_of(where: str, value: Any, legal: Iterable[str]) -> str:
    """One of a few words."""
    legal = list(legal)
    if not isinstance(value, str) or value not in legal:
        near = difflib.get_close_matches(str(value), legal, n=1)
        hint = f". Did you mean {near[0]!r}?" if near else ""
        raise PlanError(f"{where} must be one of {listed(legal, 30)}. Got {value!r}{hint}")
    return value


def text(where: str, value: Any) -> str:
    """Text that is not empty."""
    if not isinstance(value, str) or not value.strip():
        raise PlanError(f"{where} must be text, e.g. 'heart'. Got {value!r}")
    return value


def whole(where: str, value: Any, lowest: int) -> int:
    """A whole number."""
    number = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not number or value < lowest:
        raise PlanError(f"{where} must be a whole number, {lowest} or larger. Got {value!r}")
    return int(value)


def share(where: str, value: Any) -> float:
    """A share strictly between 0 and 1."""
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    if not number or not 0.0 < value < 1.0:
        raise PlanError(f"{where} must be a number between 0 and 1, e.g. 0.1. Got {value!r}")
    return float(value)


def positive(where: str, value: Any) -> float:
    """A positive number."""
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    if not number or not 0.0 < value < np.inf:
        raise PlanError(f"{where} must be a positive number. Got {value!r}")
    return float(value)


def items(where: str, value: Any) -> list[Any]:
    """A list with something in it; a single entry counts as a list of one."""
    entries = list(value) if isinstance(value, list | tuple | range | np.ndarray) else [value]
    if not entries:
        raise PlanError(f"{where} must name at least one. Got an empty list")
    return entries


def refuse_twice(where: str, names: Iterable[str], advice: str) -> None:
    """Refuse a name that occurs twice."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise PlanError(f"{where}: {name!r} is named twice: {advice}")
        seen.add(name)
