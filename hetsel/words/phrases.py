"""Parts of sentences: p-values, names, counts."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

NAMED = 4  # methods or data sets by name; more are counted


SUPER = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def p_value(value: float) -> str:
    """Write a p-value in text, without a space at which a line could break.

    Examples
    --------
    >>> print(p_value(0.0321).replace("\u00a0", " "), p_value(0.00004).replace("\u00a0", " "))
    p = 0.032 p = 4.0 × 10⁻⁵
    """
    if not math.isfinite(value):
        return "no p-value"
    return "\u00a0".join(("p", *_sign_and_number(value)))


def p_number(value: float) -> str:
    """Write a p-value in a table: the number, or its upper bound."""
    if not math.isfinite(value):
        return "no p-value"
    sign, number = _sign_and_number(value)
    return number if sign == "=" else f"{sign}\u00a0{number}"


def _sign_and_number(value: float) -> tuple[str, str]:
    """Return the sign and the number of a p-value."""
    if value <= 1e-300:
        return "<", "10⁻³⁰⁰"
    if value >= 0.001:
        return "=", f"{value:.2g}" if value < 0.995 else "1"
    digits, exponent = f"{value:.1e}".split("e")
    power = str(int(exponent)).translate(SUPER)
    return "=", f"{digits}\u00a0×\u00a010{power}"


def join(names: Iterable[str]) -> str:
    """Join names: a, b and c."""
    names = list(names)
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def count(number: int, thing: str) -> str:
    """Write a count with its noun: 1,200 cells."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def inside(words: str) -> str:
    """Write the first letter in lower case."""
    return f"{words[0].lower()}{words[1:]}"


def some(names: Sequence[str], thing: str) -> str:
    """Join a few names, or count many."""
    return join(names) if len(names) <= NAMED else count(len(names), thing)


def number(value: float, digits: int = 3) -> str:
    """Write a number in a table; a dash if there is none."""
    return f"{value:.{digits}f}" if math.isfinite(value) else "–"


def who_is_better(differences: Mapping[str, Sequence[str]]) -> str:
    """State which methods are better than which others, grouped by the others.

    Examples
    --------
    >>> who_is_better({"a": ["c", "d"], "b": ["c", "d"], "c": ["d"]})
    'a and b are better than c and d, and c is better than d'
    """
    together: dict[tuple[str, ...], list[str]] = {}
    for one, others in differences.items():
        together.setdefault(tuple(others), []).append(one)
    parts = [
        f"{join(ones)} {'is' if len(ones) == 1 else 'are'} better than {join(others)}"
        for others, ones in together.items()
    ]
    return ", and ".join([", ".join(parts[:-1]), parts[-1]] if parts[1:] else parts)


class WithInterval(Protocol):
    """A value with the limits of its interval; None if unknown."""

    @property
    def estimate(self) -> float | None: ...

    @property
    def low(self) -> float | None: ...

    @property
    def high(self) -> float | None: ...


def in_digits(one: WithInterval, show: Callable[[float], str]) -> list[str]:
    """List the digits of a value and of its limits, if it has any."""
    parts = (one.estimate, one.low, one.high)
    return [show(part) for part in (parts[:1] if None in parts else parts) if part is not None]


def bracketed(one: WithInterval, digits: int = 3) -> str:
    """Write a value with its interval, if it has one.

    Examples
    --------
    >>> from hetsel.statistics.performance.rate_intervals import RateInterval
    >>> bracketed(RateInterval(0.41237, 0.25, 0.5, 0.95), 2)
    '0.41 [0.25, 0.50]'
    """
    return in_brackets(in_digits(one, f"{{:z.{digits}f}}".format))


def in_brackets(digits: Sequence[str]) -> str:
    """Write a value, and in brackets its limits, if there are any."""
    value, *ends = digits
    return f"{value} [{', '.join(ends)}]" if ends else value


def in_cells(one: WithInterval | None, digits: int = 3) -> list[str]:
    """Write a value and its interval in two cells; a dash if unknown."""
    if one is None or one.estimate is None:
        return ["–", "–"]
    value, *ends = in_digits(one, f"{{:z.{digits}f}}".format)
    return [value, " to ".join(ends) or "–"]
