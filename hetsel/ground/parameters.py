"""Parameters that are numbers: what they are, or one sentence that says what they must be."""

from collections.abc import Callable
from typing import Any, TypeGuard

import numpy as np
from sklearn.utils import check_random_state

from hetsel.ground.errors import TableError


def instead_of_splits(value: object) -> str:
    """What to do with a splitter of scikit-learn, or a list of splits, that was given for folds.
    Models are nested in these folds, and in pairs of them: they are drawn where they are needed."""
    if isinstance(value, str) or not (hasattr(value, "split") or isinstance(value, list | tuple)):
        return ""
    return (
        ". Give the number of folds: they are stratified, and keep rows together that are of one "
        "of the `groups` of fit. To judge by splits of your own give these to scikit-learn: "
        "cross_validate(estimator, X, y, cv=splits)"
    )


def whole_number(name: str, value: object, lowest: int) -> int:
    """A parameter as a whole number; 2.0 is one, as R and JSON have numbers of one type only."""
    if not is_whole(value) or value < lowest:
        instead = instead_of_splits(value) if name == "folds" else ""
        raise TableError(
            f"{name} must be a whole number, {lowest} or larger. Got {value!r:.60}{instead}"
        )
    return int(value)


def is_whole(value: object) -> TypeGuard[float]:
    """Whether a value is a whole number: 2 and 2.0 are, True, infinity and NaN are not.

    >>> is_whole(2), is_whole(2.0), is_whole(2.5), is_whole(True)
    (True, True, False, False)
    """
    if isinstance(value, float | np.floating):
        return bool(np.isfinite(value)) and float(value).is_integer()
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def is_number(value: object) -> TypeGuard[float]:
    """Whether a value is one real number; text, True and None are none."""
    real = isinstance(value, int | float | np.integer | np.floating)
    return real and not isinstance(value, bool)


def positive(name: str, value: object) -> float:
    """A parameter as a number, if it is one above 0 and finite."""
    return _number(name, value, lambda number: 0.0 < number < np.inf, "a positive number")


def not_negative(name: str, value: object) -> float:
    """A parameter as a number, if it is one from 0 on and finite."""
    return _number(name, value, lambda number: 0.0 <= number < np.inf, "a number, 0 or larger")


def share(name: str, value: object) -> float:
    """A parameter as a number, if it is one from 0 to 1."""
    return _number(name, value, lambda number: 0.0 <= number <= 1.0, "a number in [0, 1]")


def between_0_and_1(name: str, value: object) -> float:
    """A parameter as a number, if it is one above 0 and below 1."""
    return _number(name, value, lambda number: 0.0 < number < 1.0, "a number above 0 and below 1")


def _number(name: str, value: Any, legal: Callable[[float], bool], what: str) -> float:
    if not is_number(value) or not legal(value):
        raise TableError(f"{name} must be {what}. Got {value!r:.60}")
    return float(value)


def number_of_jobs(name: str, value: object) -> int | None:
    """A number of threads or processes: whole and not 0, negative ones count from all; or None."""
    if value is None:
        return None
    if not is_whole(value) or value == 0:
        raise TableError(
            f"{name} must be a whole number, 1 or larger, or -1 for every processor, -2 for all "
            f"but one and so on. Got {value!r}"
        )
    return int(value)


def seed_drawn(name: str, value: Any) -> int:
    """The seed that a random state gives: a whole number, None or a generator of numpy."""
    try:
        numbers = check_random_state(int(value) if is_whole(value) else value)
    except (ValueError, TypeError):
        raise TableError(
            f"{name} must be a whole number, 0 or larger, None or a RandomState. Got {value!r:.60}"
        ) from None
    return int(numbers.randint(2**31 - 1))
