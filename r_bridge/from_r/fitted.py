"""A selector fitted to what R sent, and what there is to say of it; the parameters of a method."""

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from hetsel.ground.errors import TableError
from hetsel.methods import homes
from hetsel.methods.registry import get_method, key_of, own_parameters, refuse_weights
from hetsel.pitfalls.cautions_on_rows import COPIES, ROWS
from hetsel.questions.of_a_table import RULES
from hetsel.search.subsets.subset_selector import SubsetSearch
from hetsel.selection import BaseSelector, Ranking
from hetsel.tables import Table
from hetsel.tables.row_labels import group_codes
from hetsel.tables.validation import weights_in_column
from r_bridge.from_r import rankings
from r_bridge.from_r.described import as_told, facts_of_call, settings, weighed
from r_bridge.from_r.searches import contents, settings_of
from r_bridge.from_r.vectors import cells_of, kinds_of, numbers, whole
from r_bridge.interrupts import ctrl_c_heard
from r_bridge.to_r.r_function import RFunction


def answer_of(
    selector: BaseSelector,
    frame: pd.DataFrame,
    y: Any,
    **of_rows: Any,
) -> dict[str, Any]:
    """Fit, with what is said of the rows; the ranking or the path, and facts about the call."""
    options = {kind: getattr(selector, kind) for kind in ("nominal", "ordinal", "continuous")}
    table = Table.read(frame, **options)  # read once, for the method and for what is said of it
    try:
        with ctrl_c_heard():
            selector.fit(table, y, **{k: v for k, v in of_rows.items() if v is not None})
    except KeyboardInterrupt:
        archive = getattr(selector, "archive", None)
        return {"interrupted": os.path.abspath(archive) if archive else True}
    about, defaults = selector.about, own_parameters(type(selector))
    ranked = isinstance(selector.answer_, Ranking)
    answer = rankings.contents(selector) if ranked else contents(selector)
    known = as_told(y, len(frame), selector.target_kind)
    weights, groups = of_rows.get("sample_weight"), of_rows.get("groups")
    table, known, groups = weighed(weights, table, known, groups)
    described = facts_of_call(table, known, str(selector.missing), selector.scale, groups)
    return (
        answer
        | described
        | {
            "title": about.line,
            "paper": about.paper,
            **settings(selector.get_params(deep=False), defaults),
            "seed": float(selector.random_state),
            "draws": about.draws,
        }
    )


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
    return chosen(random_state=whole(seed), **kinds_of(kinds), **more, **own)


def weights_of(selector: BaseSelector, column: Mapping[str, Any] | None) -> np.ndarray | None:
    """Weights of the rows for a method, if there are any.

    Raises
    ------
    TableError
        A method that cannot weigh rows; what is no number, or negative.
    """
    if column is not None:
        refuse_weights(selector, "row_weights")
    return row_weights_of(column)


def row_weights_of(column: Mapping[str, Any] | None) -> np.ndarray | None:
    """Weights of the rows for what can weigh them, if there are any.

    Raises
    ------
    TableError
        What is no number, or negative.
    """
    if column is None:
        return None
    if column["form"] != "number":
        form = column["form"]
        raise TableError(f"row_weights must be numbers, 0 or larger. Got a vector of {form}")
    weights = pd.Series(numbers(column["cells"]))
    return weights_in_column("row_weights", "the vector", weights, zero=True)


def groups_of(column: Mapping[str, Any] | None, n: int) -> np.ndarray | str | None:
    """Number (n,) of the group of each row, if there are groups; or a word for them.

    Raises
    ------
    TableError
        Not n labels, or missing ones.
    """
    if column is None:
        return None
    cells = cells_of(column)
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
