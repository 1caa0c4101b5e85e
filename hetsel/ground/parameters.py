"""Checks of numeric parameters; an error states the legal values."""

import math
from collections.abc import Callable
from numbers import Integral, Real
from typing import Any, TypeGuard

from hetsel.ground.errors import TableError


def instead_of_splits(value: object) -> str:
    """Explain what to do with a scikit-learn splitter, or a list of splits, given as `folds`.

    Models are nested in these folds and in pairs of them, so hetsel must draw the folds itself.
    """
    if isinstance(value, str) or not (hasattr(value, "split") or isinstance(value, list | tuple)):
        return ""
    return (
        ". Give the number of folds. Folds are stratified, and each row group (`groups` of fit) "
        "lies in one fold. To use your own splits, pass them to scikit-learn: "
        "cross_validate(estimator, X, y, cv=splits)"
    )


def whole_number(name: str, value: object, lowest: int) -> int:
    """Return a whole number; 2.0 is one, since R and JSON have one type of numbers."""
    if not is_whole(value) or value < lowest:
        instead = instead_of_splits(value) if name == "folds" else ""
        raise TableError(
            f"{name} must be a whole number, {lowest} or larger. Got {value!r:.60}{instead}"
        )
    return int(value)


def is_whole(value: object) -> TypeGuard[float]:
    """Check for a whole number: 2 and 2.0 are whole; True, infinity and NaN are not.

    >>> is_whole(2), is_whole(2.0), is_whole(2.5), is_whole(True)
    (True, True, False, False)
    """
    if isinstance(value, Integral):
        return not isinstance(value, bool)
    return isinstance(value, Real) and float(value).is_integer()


def is_number(value: object) -> TypeGuard[float]:
    """Check for a real number; text, True and None are none."""
    return isinstance(value, Real) and not isinstance(value, bool)


def positive(name: str, value: object) -> float:
    """Return a parameter that must be a finite number above 0."""
    return _number(name, value, lambda number: 0.0 < number < math.inf, "a positive number")


def not_negative(name: str, value: object) -> float:
    """Return a parameter that must be a finite number, at least 0."""
    return _number(name, value, lambda number: 0.0 <= number < math.inf, "a number, 0 or larger")


def share(name: str, value: object) -> float:
    """Return a parameter that must be a number from 0 to 1."""
    return _number(name, value, lambda number: 0.0 <= number <= 1.0, "a number in [0, 1]")


def between_0_and_1(name: str, value: object) -> float:
    """Return a parameter that must be a number above 0 and below 1."""
    return _number(name, value, lambda number: 0.0 < number < 1.0, "a number above 0 and below 1")


def _number(name: str, value: Any, legal: Callable[[float], bool], what: str) -> float:
    if not is_number(value) or not legal(value):
        raise TableError(f"{name} must be {what}. Got {value!r:.60}")
    return float(value)


def number_of_jobs(name: str, value: object) -> int | None:
    """Return a number of processes, or None; negative numbers count from all processors."""
    if value is None:
        return None
    if not is_whole(value) or value == 0:
        raise TableError(
            f"{name} must be a whole number, 1 or larger; or -1 for all processors, -2 for all but "
            f"one, and so on. Got {value!r}"
        )
    return int(value)


def seed_drawn(name: str, value: Any) -> int:
    """Draw a seed from a random state: a whole number, None or a numpy RandomState."""
    from sklearn.utils import (
        check_random_state,
    )  # slow to load; the shell help does not need it

    try:
        numbers = check_random_state(int(value) if is_whole(value) else value)
    except (ValueError, TypeError):
        raise TableError(
            f"{name} must be a whole number from 0 to {2**32 - 1}, None or a RandomState. "
            f"Got {value!r:.60}"
        ) from None
    return int(numbers.randint(2**31 - 1))
