"""What is asked of a method: its parameters, the weights and the groups of rows."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from hetsel.ground.errors import TableError
from hetsel.methods import homes
from hetsel.methods.registry import get_method, key_of, own_parameters, refuse_weights
from hetsel.pitfalls.cautions_on_rows import COPIES, ROWS
from hetsel.questions.of_a_table import RULES, Target
from hetsel.questions.option import asked_in
from hetsel.questions.search import Limits, Rules, Searched
from hetsel.search.subsets.subset_selector import SubsetSearch
from hetsel.selection import BaseSelector
from hetsel.tables.row_labels import group_codes
from hetsel.tables.validation import weights_in_column
from r_bridge.from_r.asked import numbers, strings, whole
from r_bridge.to_r.r_function import RFunction


def selector_of(
    method: str,
    options: Mapping[str, Any],
    kinds: Mapping[str, Any],
    seed: Any,
    **more: Any,
) -> BaseSelector:
    """A method with its options as R sends them, not yet fitted.

    Raises
    ------
    TableError
        No such method, or an option that it has not.
    """
    chosen = method_named(method)
    searching = issubclass(chosen, SubsetSearch)
    own = settings_of(options, key_of(chosen)) if searching else options_of(chosen, options)
    return chosen(random_state=whole(seed), **kinds, **more, **own)


def weights_of(selector: BaseSelector, column: Any) -> np.ndarray | None:
    """Weights of the rows for a method, if there are any.

    Raises
    ------
    TableError
        A method that cannot weigh rows; what is no number, or negative.
    """
    if column is not None:
        refuse_weights(selector, "row_weights")
    return row_weights_of(column)


def row_weights_of(column: Any) -> np.ndarray | None:
    """Weights of the rows for what can weigh them, if there are any.

    Raises
    ------
    TableError
        What is no number, or negative.
    """
    if column is None:
        return None
    if not isinstance(column, np.ndarray):
        form = _form(column)
        raise TableError(f"row_weights must be numbers, 0 or larger. Got a vector of {form}")
    return weights_in_column("row_weights", "the vector", pd.Series(column), zero=True)


def _form(column: pd.Series) -> str:
    if isinstance(column.dtype, pd.CategoricalDtype):
        return "ordered" if column.cat.ordered else "factor"
    if column.dtype.kind == "M":
        return "date"
    return "flag" if pd.api.types.infer_dtype(column) == "boolean" else "text"


def groups_of(cells: Any, n: int) -> np.ndarray | str | None:
    """Number (n,) of the group of each row, if there are groups; or a word for them.

    Raises
    ------
    TableError
        Not n labels, or missing ones.
    """
    if cells is None:
        return None
    if len(cells) == 1 < n and cells[0] in (COPIES, ROWS):
        return str(cells[0])
    return group_codes(cells, n, "row_groups")


def method_named(key: str) -> type[BaseSelector]:
    """The class of a method by its key, or that of the functions of R.

    Raises
    ------
    TableError
        No method of that key.
    """
    if key in homes() or key != key_of(RFunction):  # a key that is not ours takes 4 ms
        return get_method(key)
    return RFunction


def parameters_of(method: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters of a method by its key, or of a selector of another package by its place."""
    if "." in method:
        return {name: whole(value) for name, value in given.items()}
    return options_of(method_named(method), given)


def options_of(method: type[BaseSelector], options: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters of a method as it takes them.

    Raises
    ------
    TableError
        One that it has not.
    """
    legal = own_parameters(method) | {"always": (), "unsupported": "error", "target_kind": None}
    chosen = {}
    for name, value in options.items():
        if name not in legal and name in RULES:
            raise TableError(
                f"{name} is for methods that search over subsets, such as sffs-5nn, and for "
                f"hetsel_search(). Got {key_of(method)}"
            )
        if name not in legal:
            known = ", ".join(legal) or "none"
            raise TableError(f"{key_of(method)} has no option {name!r}; its options are: {known}")
        chosen[name] = value if isinstance(legal[name], float) else whole(value)
    return chosen


# functions stay on their side: neither a function of progress nor a criterion of one's own crosses
OPTIONS = tuple(
    one.name
    for record in (Searched, Rules, Limits, Target)
    for one in asked_in(record, "R")
    if one.name != "size"
)


def settings_of(options: Mapping[str, Any], owner: str) -> dict[str, Any]:
    """Parameters of a search over subsets, from the options that R sends; None is left out.

    Columns are named by their names: positions count from 1 in R and from 0 here.

    Raises
    ------
    TableError
        An option that a search has not, or that no plain vector can be.
    """
    settings: dict[str, Any] = {}
    for name, value in options.items():
        if name not in OPTIONS:
            known = ", ".join(OPTIONS)
            raise TableError(f"{owner} has no option {name!r}; its options are: {known}")
        if value is None:
            continue
        match name:
            case "always" | "never":
                settings[name] = _columns(name, value)
            case "column_groups":
                groups = value.values() if isinstance(value, Mapping) else value
                if isinstance(groups, str):
                    groups = [groups]
                settings[name] = [_columns(name, group) for group in groups]
            case "costs" if isinstance(value, Mapping):
                settings[name] = {str(key): float(cost) for key, cost in value.items()}
            case "costs" | "ties":
                settings[name] = numbers(value).tolist()
            case _:
                settings[name] = whole(value)
    return settings


def _columns(option: str, given: Any) -> list[str]:
    values = [given] if isinstance(given, str | bool | float | int) else list(given)
    if not all(isinstance(value, str) for value in values):
        raise TableError(f"{option} must hold names of columns. Got {values}")
    return strings(values)
