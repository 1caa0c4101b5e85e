"""Lists and numbers in sentences."""

import difflib
import re
from collections.abc import Iterable
from typing import Any

# control characters, marks of the writing direction, line separators, lone surrogates and
# noncharacters: they have no visible form, and some change the text next to them
_SHAPELESS = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff"
    "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?!\w)")  # not those inside names


def listed(items: Iterable[Any], limit: int = 6) -> str:
    """List the items, the first few of many."""
    texts = [shown(item) for item in items]
    if len(texts) > limit:
        return ", ".join(texts[: limit - 1]) + f", ... ({len(texts)} in all)"
    return ", ".join(texts)


def visible(text: str, keep: str = "") -> str:
    """Replace each invisible character by its escape, except those in `keep`.

    >>> print(visible("a\\tb\\x1b[31m"))
    a\\tb\\x1b[31m
    """
    return _SHAPELESS.sub(
        lambda found: found[0] if found[0] in keep else found[0].encode("unicode_escape").decode(),
        text,
    )


def shown(name: Any) -> str:
    """Write a name for print and figures: visible, in quotes if it is empty or blank.

    >>> print(shown("age"), shown(""), shown("van\\n't Veer"))
    age '' van\\n't Veer
    """
    text = visible(str(name))
    return text if text.strip() else repr(text)


def value_or_type(value: Any) -> str:
    """Write a value for an error; tables and arrays by their type.

    >>> import pandas as pd
    >>> print(value_or_type(pd.DataFrame()), value_or_type("age"))
    an object of type DataFrame 'age'
    """
    if hasattr(value, "shape"):
        return f"an object of type {type(value).__name__}"
    return f"{value!r:.60}"


def counted(number: int, noun: str) -> str:
    """Write a count: 1 level, 1200 rows."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def plain_number(value: float, digits: int = 4, *, signed: bool = False) -> str:
    """Write a number with `digits` significant digits, and its whole part in full, as papers do.

    There is no exponent from 10^-7 to 10^15, and there are no trailing zeros.
    """
    value += 0.0  # no negative zero
    sign, size = "+" if signed else "", abs(value)
    if 10.0**digits - 0.5 <= size < 1e15:
        return f"{value:{sign}{',' if size >= 9999.5 else ''}.0f}"
    text = f"{value:{sign}.{digits}g}"
    if "e" not in text or not 1e-7 <= size < 1:
        return text
    decimals = digits - 1 - int(text.partition("e")[2])
    return f"{value:{sign}.{decimals}f}".rstrip("0")


def did_you_mean(given: Any, legal: Iterable[str]) -> str:
    """Ask whether the nearest legal word was meant; empty where none is near."""
    near = difflib.get_close_matches(str(given), list(legal), n=1)
    return f". Did you mean {near[0]!r}?" if near else ""


def without_numbers(text: str) -> tuple[str, ...]:
    """Return the words between the numbers of a text."""
    return tuple(_NUMBER.split(text))


def in_ranges(texts: Iterable[str]) -> str:
    """Merge texts that differ in numbers only into one with the range of each number."""
    texts = list(texts)
    ranges = [
        min(column, key=float) + (f" to {max(column, key=float)}" if len(set(column)) > 1 else "")
        for column in zip(*map(_NUMBER.findall, texts), strict=True)
    ]
    words = without_numbers(texts[0])
    return "".join(a + b for a, b in zip(words, [*ranges, ""], strict=True))


def slugs(texts: Iterable[str]) -> list[str]:
    """Turn texts into unique names for files or anchors."""
    found: list[str] = []
    for text in texts:
        stem = re.sub(r"\W+", "-", text.lower()).strip("-")[:60] or "unnamed"
        name, number = stem, 1
        while name in found:
            number += 1
            name = f"{stem}-{number}"
        found.append(name)
    return found
