"""JSON with a digest of each part; an error names the part that is wrong."""

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import msgspec

from hetsel.ground.errors import Fix, TableError
from hetsel.ground.text import listed

DIGESTS = "digests"
SHOWN = 16  # hexadecimal digits of a digest
DIGITS = 400  # most digits of a whole number: more than the largest float has
Record = TypeVar("Record")


def plain_values(record: Any) -> Any:
    """Convert records, and numpy numbers in them, to types of JSON."""
    return msgspec.to_builtins(record, enc_hook=lambda value: value.item())


def plain_label(value: Any) -> str | bool | int | float:
    """Convert a label or a parameter to a type of JSON."""
    value = value.item() if hasattr(value, "item") else value
    return value if isinstance(value, str | bool | int | float) else str(value)


def sealed_json(content: Mapping[str, Any], indent: int | None = None) -> str:
    """Write content as JSON with a digest of each part; see :func:`changed_parts`."""
    text = json.dumps(content, allow_nan=False)
    digests = {name: _digest(value) for name, value in _parts(json.loads(text))}
    sealed = {**content, DIGESTS: digests}
    return json.dumps(sealed, indent=indent, ensure_ascii=False, allow_nan=False)


def changed_parts(content: Mapping[str, Any]) -> list[str]:
    """Name the parts that were changed after they were written, such as 'model.intercept'."""
    written = content.get(DIGESTS)
    if not isinstance(written, Mapping):
        return [DIGESTS]
    found = {name: _digest(value) for name, value in _parts(content) if name != DIGESTS}
    names = dict.fromkeys([*found, *written])
    return [name for name in names if found.get(name) != written.get(name)]


def refuse_changed(content: Mapping[str, Any], where: str) -> None:
    """Refuse content that was changed after it was written.

    Raises
    ------
    TableError
        The message names the changed parts.
    """
    if changed := changed_parts(content):
        raise TableError(
            f"{where} is not what hetsel saved: {listed([f'{name:.60}' for name in changed], 8)} "
            f"{'differs' if len(changed) == 1 else 'differ'}",
            Fix("trust_edited", True, "to load it as it is"),
        )


def _parts(content: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the entries of a mapping and of the mappings in it, by name."""
    for name, value in content.items():
        if isinstance(value, Mapping) and value and name != DIGESTS:
            yield from ((f"{name}.{key}", inner) for key, inner in value.items())
        else:
            yield name, value


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:SHOWN]


def written_text(path: str | Path) -> str:
    """Read the text of a file that hetsel wrote."""
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise TableError(f"no such file: {path}") from None
    except UnicodeDecodeError as reason:
        raise TableError(
            f"{path} is not what hetsel saved: it is not text ({reason!s:.80})"
        ) from None
    except (OSError, ValueError) as reason:  # no permission, a null character in the name
        if Path(path).is_dir():
            raise TableError(f"{path} is a folder. Name a file") from None
        said = getattr(reason, "strerror", None) or str(reason)
        raise TableError(f"{path} cannot be read: {said.lower()}") from None


def read_json(text: str, where: str) -> Any:
    """Parse JSON text; numbers must be finite."""
    try:
        return json.loads(
            text, parse_constant=_refuse, parse_float=_finite, parse_int=_within_floats
        )
    except RecursionError:
        raise TableError(f"{where} is not what hetsel saved: it is nested too deeply") from None
    except json.JSONDecodeError as reason:
        place = f"line {reason.lineno}, column {reason.colno}"
        is_object = text.lstrip().startswith("{")
        what = f"it is cut off or damaged at {place}" if is_object else "it is not JSON"
        raise TableError(f"{where} is not what hetsel saved: {what}") from None
    except ValueError as reason:  # of a number
        raise TableError(f"{where} is not what hetsel saved: {reason!s:.80}") from None


def _refuse(text: str) -> NoReturn:
    raise ValueError(f"numbers must be finite. Got {text:.20}")


def _finite(text: str) -> float:
    value = float(text)
    return value if abs(value) <= sys.float_info.max else _refuse(text)


def _within_floats(text: str) -> int:
    if len(text) > DIGITS or abs(value := int(text)) > sys.float_info.max:
        raise ValueError(f"numbers must fit a float. Got one of {len(text)} digits")
    return value


def read_as(where: str, content: Any, kind: type[Record]) -> Record:
    """Read content of a file as this type; an error names the wrong place, such as [1]."""
    try:
        return msgspec.convert(content, kind)
    except (msgspec.ValidationError, OverflowError, UnicodeEncodeError) as reason:
        said, _, place = str(reason).replace(" enum ", " ").partition(" - at `$")
        at = place.strip("`.")
        raise TableError(
            f"{where} is not what hetsel saved: {at}{at and ': '}{said[:1].lower()}{said[1:]:.120}"
        ) from None
