"""Pieces of sentences: p-values, names, numbers of things."""

import math
from collections.abc import Iterable, Mapping, Sequence

NAMED = 4  # methods or data sets by name; more are counted


SUPER = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def p_value(value: float) -> str:
    """A p-value in text, without a blank at which a line could break.

    Examples
    --------
    >>> print(p_value(0.0321).replace("\u00a0", " "), p_value(0.00004).replace("\u00a0", " "))
    p = 0.032 p = 4.0 × 10⁻⁵
    """
    if not math.isfinite(value):
        return "no p-value"
    return "\u00a0".join(("p", *_sign_and_number(value)))


def p_number(value: float) -> str:
    """A p-value in a table: the number alone, or the bound that it is below.

    Examples
    --------
    >>> p_number(0.0321)
    '0.032'
    """
    if not math.isfinite(value):
        return "no p-value"
    sign, number = _sign_and_number(value)
    return number if sign == "=" else f"{sign}\u00a0{number}"


def _sign_and_number(value: float) -> tuple[str, str]:
    """What a p-value is equal to or less than: the sign and the number."""
    if value <= 1e-300:
        return "<", "10⁻³⁰⁰"
    if value >= 0.001:
        return "=", f"{value:.2g}" if value < 0.995 else "1"
    digits, exponent = f"{value:.1e}".split("e")
    power = str(int(exponent)).translate(SUPER)
    return "=", f"{digits}\u00a0×\u00a010{power}"


def join(names: Iterable[str]) -> str:
    """Names as a sentence has them.

    Examples
    --------
    >>> join(["a", "b", "c"])
    'a, b and c'
    """
    names = list(names)
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def count(number: int, thing: str) -> str:
    """A number of things.

    Examples
    --------
    >>> count(1, "data set"), count(1200, "cell")
    ('1 data set', '1,200 cells')
    """
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def inside(words: str) -> str:
    """Words that begin a sentence, inside one."""
    return f"{words[0].lower()}{words[1:]}"


def some(names: Sequence[str], thing: str) -> str:
    """A few names, or how many there are.

    Examples
    --------
    >>> some(["a", "b"], "method"), some(list("abcde"), "other method")
    ('a and b', '5 other methods')
    """
    return join(names) if len(names) <= NAMED else count(len(names), thing)


def number(value: float, digits: int = 3) -> str:
    """A number in a table; a dash where there is none."""
    return f"{value:.{digits}f}" if math.isfinite(value) else "–"


def who_is_better(differences: Mapping[str, Sequence[str]]) -> str:
    """Which methods are better than which others, those of the same others together.

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
