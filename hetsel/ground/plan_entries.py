"""Read the entries of a plan; every error names the entry, the legal values and the given value.

An entry is a typed struct. The title of a type states the legal values. Editors show the
description of a field; a field without a description can be set from Python only.
"""

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin

import msgspec
import numpy as np
from msgspec import Meta

from hetsel.ground import errors, text

Text = Annotated[str, Meta(pattern=r"\S", title="text, e.g. 'heart'")]
WholeNumber = Annotated[int, Meta(ge=0, title="a whole number, 0 or larger")]
Count = Annotated[int, Meta(ge=1, title="a whole number, 1 or larger")]
Share = Annotated[float, Meta(gt=0, lt=1, title="a number between 0 and 1, e.g. 0.1")]
Positive = Annotated[float, Meta(gt=0, le=sys.float_info.max, title="a positive number")]
Flag = Annotated[bool, Meta(title="true or false")]
ParamsTable = Annotated[dict[str, Any], Meta(title="a table of parameters by name, e.g. C = 0.1")]
AS_GIVEN = Meta(extra={"read": False})  # marks a type whose values from Python are kept as they are

Entry = TypeVar("Entry", bound=msgspec.Struct)
ItemPlace = Callable[[str, int], str]  # names an item of a list in an error


def counted_from_0(where: str, i: int) -> str:
    """Name item i of a list, counted from 0 as Python and TOML readers do."""
    return f"{where}[{i}]"


def read_entry(where: str, given: Mapping[str, Any], kind: type[Entry]) -> Entry:
    """Read a mapping as a struct of this kind; None counts as not specified."""
    fields = msgspec.structs.fields(kind)
    of_python = {field.name for field in fields if field.type is Any}
    known = [field.name for field in fields if field.name not in of_python or of_python & {*given}]
    check_keys(where, given, known)
    values = {}
    for field in fields:
        if given.get(field.name) is not None:
            values[field.name] = read_value(f"{where}.{field.name}", given[field.name], field.type)
        elif field.required:
            wanted = _title(field.type) or f"one of {text.listed(_choice(field.type), 30)}"
            raise errors.PlanError(f"{where} must have the key {field.name}, {wanted}")
    return kind(**values)


def read_value(where: str, value: Any, kind: Any) -> Any:
    """Read a value as this type; an error states the title of the type."""
    if kind is Any or AS_GIVEN in get_args(kind):  # a table, its target, arrays
        return value
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    whole = isinstance(value, float) and value.is_integer()
    for given in (value, int(value)) if whole else (value,):  # 3.0 counts as 3
        with contextlib.suppress(msgspec.ValidationError):
            return msgspec.convert(given, kind)
    if title := _title(kind):
        raise errors.PlanError(f"{where} must be {title}. Got {value!r:.80}")
    return one_of(where, value, _choice(kind))


def _title(kind: Any) -> str:
    """Return the title of a type; empty for a choice of words."""
    notes = (part for part in _parts(kind) if isinstance(part, msgspec.Meta))
    return next((note.title for note in notes if note.title), "")


def _choice(kind: Any) -> tuple[str, ...]:
    """Return the words of a type that is a choice of words."""
    return next((get_args(p) for p in _parts(kind) if get_origin(p) is Literal), ())


def _parts(kind: Any) -> Iterator[Any]:
    yield kind
    for part in get_args(kind):
        yield from _parts(part)


def check_keys(where: str, given: Iterable[str], legal: Iterable[str]) -> None:
    """Refuse an unknown key and suggest the nearest legal one."""
    legal = list(legal)
    for key in given:
        if key not in legal:
            known = f"The keys are {', '.join(legal)}" if legal else "It takes no keys"
            raise errors.PlanError(
                f"{where} has no key {key!r:.80}. {known}{text.did_you_mean(key, legal)}"
            )


def one_of(where: str, value: Any, legal: Iterable[str]) -> str:
    """Return a value that must be one of a few words."""
    legal = list(legal)
    if not isinstance(value, str) or value not in legal:
        raise errors.PlanError(
            f"{where} must be one of {text.listed(legal, 30)}. Got {value!r:.80}"
            f"{text.did_you_mean(value, legal)}"
        )
    return value


def items(where: str, value: Any) -> list[Any]:
    """Return a list that must not be empty; a single entry becomes a list of one."""
    entries = list(value) if isinstance(value, list | tuple | range | np.ndarray) else [value]
    if not entries:
        raise errors.PlanError(f"{where} must have at least one entry. Got an empty list")
    return entries


def refuse_repeated_names(where: str, names: Iterable[str], advice: str) -> None:
    """Refuse a repeated name."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise errors.PlanError(
                f"{where} must name each entry once. Got {name!r} twice. {advice.capitalize()}"
            )
        seen.add(name)


def plain_parameter(value: Any) -> Any:
    """Convert a parameter to a type that JSON can write; other objects become their repr."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, set | frozenset):
        return f"{type(value).__name__} {sorted(map(repr, value))}"
    if all(hasattr(value, name) for name in ("dist", "args", "kwds")):  # of scipy, frozen
        return f"{value.dist.name} {plain_parameter(value.args)} {plain_parameter(value.kwds)}"
    if isinstance(value, Mapping):
        return {str(k): plain_parameter(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain_parameter(v) for v in value]
    return value if value is None or isinstance(value, bool | int | float | str) else repr(value)
