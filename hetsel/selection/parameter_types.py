"""Check that the parameters of a method have their declared types."""

import os
from collections.abc import Callable, Collection, Mapping
from copy import copy
from dataclasses import fields
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from hetsel.ground import TableError, is_whole
from hetsel.ground.parameters import instead_of_splits

WORDS: dict[Any, str] = {
    int: "a whole number",
    float: "a number",
    str: "text",
    bool: "True or False",
    NoneType: "None",
    Mapping: "a mapping",
    Collection: "a list",
    Callable: "a function",
    os.PathLike: "a path",
}


def with_declared_types(method: Any, shared: Collection[str]) -> Any:
    """Return the method with parameters of their declared types, itself if they have them.

    A whole number is a number, and 2.0 is a whole number; True, False and NaN are no numbers.
    Annotations of other types are not checked, nor are `shared` parameters, which are checked
    elsewhere.
    """
    kind: Any = type(method)
    whole = [name for name, number in _numbers(kind).items() if number is int]
    given = {name: getattr(method, name) for name in whole if name not in shared}
    for name, declared in _declared(kind).items():
        value = getattr(method, name)
        if name not in shared and not any(_is_of(value, one) for one in declared):
            legal = " or ".join(map(_in_words, declared))
            instead = instead_of_splits(value) if name == "folds" else ""
            raise TableError(f"{name} must be {legal}. Got {value!r:.60}{instead}")
    usable = as_declared(kind, given)
    if all(usable[name] is value for name, value in given.items()):
        return method
    same = copy(method)
    for name, value in usable.items():
        setattr(same, name, value)
    return same


def as_declared(kind: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """Convert whole numbers to the declared type: 2.0, from R or JSON, to 2, or 2 to 2.0."""
    number = _numbers(kind)
    return {
        name: number[name](value)
        if name in number and is_whole(value) and not isinstance(value, number[name])
        else value
        for name, value in given.items()
    }


@lru_cache
def _numbers(method: Any) -> dict[str, type[int] | type[float]]:
    """Return the numeric type of each parameter, by its annotation or else its default."""
    numbers: dict[str, type[int] | type[float]] = {}
    declared = _declared(method)
    for f in fields(method):
        of = declared.get(f.name, (type(f.default),))
        if float in of or int in of:
            numbers[f.name] = float if float in of else int
    return numbers


@lru_cache
def _declared(method: Any) -> dict[str, tuple[Any, ...]]:
    """Return the types of each parameter, without Any and types that cannot be checked.

    A class whose annotations use local names has none.
    """
    try:
        hints = get_type_hints(method)
    except NameError:
        return {}
    members = {
        f.name: get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
        for f in fields(method)
        if (hint := hints.get(f.name)) is not None
    }
    known = (*WORDS, Literal)
    return {
        name: tuple(get_origin(one) or one if get_origin(one) is not Literal else one for one in of)
        for name, of in members.items()
        if of and all((get_origin(one) or one) in known for one in of)
    }


def _is_of(value: Any, declared: Any) -> bool:
    if get_origin(declared) is Literal:
        return any(type(value) is type(legal) and value == legal for legal in get_args(declared))
    if declared is bool:
        return isinstance(value, bool | np.bool_)
    if declared in (int, float):
        if isinstance(value, bool | np.bool_):
            return False
        fractional = isinstance(value, float | np.floating) and not np.isnan(value)
        return is_whole(value) or (declared is float and bool(fractional))
    return isinstance(value, declared)


def _in_words(declared: Any) -> str:
    if get_origin(declared) is Literal:
        return " or ".join(map(repr, get_args(declared)))
    return WORDS[declared]
