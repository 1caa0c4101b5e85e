"""Read the arguments that R sends: columns of a data frame, the target, kinds and numbers.

Columns arrive as vectors of R: doubles, integers, logical and character vectors, factors, dates,
times and differences of times.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from hetsel.ground.errors import PYTHON_NAMES, TableError
from hetsel.ground.parameters import whole_number
from hetsel.ground.text import counted, did_you_mean
from hetsel.methods import homes
from hetsel.methods.registry import get_method, key_of, own_parameters, refuse_weights
from hetsel.pitfalls.cautions_on_rows import COPIES, ROWS
from hetsel.questions import of_a_table
from hetsel.questions.of_a_table import RULES
from hetsel.questions.option import asked_in
from hetsel.questions.rank import Rank
from hetsel.questions.search import Limits, Rules, Searched
from hetsel.search.subsets.subset_selector import SubsetSearch
from hetsel.selection import BaseSelector
from hetsel.tables import Survival, survival
from hetsel.tables.encode import quiet
from hetsel.tables.row_labels import group_codes
from hetsel.tables.validation import weights_in_column
from r_bridge.from_r.r_words import R_NAMES
from r_bridge.r_vectors import NA_INTEGER, RVector, Values, plain
from r_bridge.to_r.r_function import RFunction

Cells = np.ndarray | pd.Series
Labels = Cells | Survival
Parts = dict[str, RVector | None]
Reader = Callable[[RVector], object]
SECONDS = {"secs": 1.0, "mins": 60.0, "hours": 3600.0, "days": 86400.0, "weeks": 604800.0}


def read_asked(function: Callable[..., object], asked: RVector | None) -> Values:
    """Read the arguments of a function from a list of R, by their names."""
    found: dict[str, object] = {}
    for name, given in () if asked is None else asked.by_name.items():
        is_text = function.__annotations__.get(name) is str
        reader: Reader = plain if is_text else READERS.get(name, plain)
        found[name] = None if given is None else reader(given)
    return found


def frame_of(columns: RVector) -> pd.DataFrame:
    """Convert a list of columns to a pandas data frame."""
    names = columns.names or []
    frame = pd.DataFrame(
        {name: cells_of(c) for name, c in zip(names, columns.values, strict=True)}, copy=False
    )
    if frame.shape[1] < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise TableError(
            f"column names must be unique. Got {twice!r} more than once. Rename one of them"
        )
    return frame


def cells_of(column: RVector) -> Cells:
    """Convert one column to an array of numbers or a Series."""
    if column.kind == "character":
        return pd.Series(column.values, dtype=object)
    gaps = column.values == NA_INTEGER if column.kind != "double" else np.isnan(column.values)
    if "factor" in column.classes:
        return _factor(column, gaps)
    if column.kind == "logical":
        cells = column.values.astype(bool)
        if not gaps.any():
            return pd.Series(cells)
        return pd.Series(np.where(gaps, None, cells), dtype=object)
    given = np.where(gaps, np.nan, column.values) if column.kind == "integer" else column.values
    values: np.ndarray = quiet(given)
    if "POSIXct" in column.classes:
        values = values / SECONDS["days"]
    if {"POSIXct", "Date"} & {*column.classes}:
        return pd.to_datetime(pd.Series(values), unit="D")
    unit = column.attributes.get("units")
    return values if unit is None else values * (SECONDS[unit.values[0]] / SECONDS["days"])


def _factor(column: RVector, gaps: np.ndarray) -> pd.Series:
    """Convert a factor; a level NA, as made by addNA(), is a missing value."""
    levels = column.attributes["levels"]
    assert levels is not None
    known = np.array([level is not None for level in [*levels.values, None]])
    codes = np.where(known, np.cumsum(known) - 1, -1)[np.where(gaps, 0, column.values) - 1]
    labels = pd.Index([level for level in levels.values if level is not None])
    ordered = "ordered" in column.classes
    return pd.Series(pd.Categorical.from_codes(codes, labels, ordered=ordered))


def target_of(target: RVector) -> Labels:
    """Convert the target: class labels (of a factor in the order of its levels) or numbers.

    Survival times are a list of ``times`` and ``events``, 1 or 0.
    """
    if target.kind == "list":
        return survival(*(quiet(cells.values) for cells in target.values))
    labels = cells_of(target)
    if isinstance(labels, pd.Series):
        factor = isinstance(labels.dtype, pd.CategoricalDtype)
        return pd.Series(labels.cat.remove_unused_categories()) if factor else labels
    if np.array_equal(labels, np.trunc(labels)):
        return labels.astype(np.int64) if np.abs(labels).max(initial=0) < 2**53 else labels
    return labels


def kinds_of(kinds: RVector) -> Values:
    """Read which columns are nominal, ordinal and continuous.

    Ordered levels are a separate column, so numbers stay numbers.
    """
    chosen: dict[str, object] = {}
    for kind, given in kinds.by_name.items():
        if given is not None and given.kind == "list" and given.names is not None:
            levels = given.by_name.items()
            chosen[kind] = {name: list(cells_of(column)) for name, column in levels if column}
        elif given is not None:
            chosen[kind] = strings(plain(given)) or None
    return chosen


def tables_of(tables: RVector) -> list[Parts]:
    """Split the tables of the session into their parts."""
    return [table.by_name for table in tables.values]


READERS: dict[str, Reader] = dict.fromkeys(("columns", "training", "by"), frame_of)
READERS |= dict.fromkeys(("row_groups", "row_weights"), cells_of)
READERS |= {"target": target_of, "kinds": kinds_of, "tables": tables_of}
# of searches: neither a progress function nor a user-defined criterion can be sent
OPTIONS = tuple(
    one.name
    for record in (Searched, Rules, Limits, of_a_table.Target)
    for one in asked_in(record, "R")
    if one.name != "size"
)
ARGUMENTS = [one.name for one in asked_in(Rank, "R")]  # of functions that rank


def strings(values: str | Iterable[object] | None) -> list[str]:
    """Return one or several texts as a list."""
    return [values] if isinstance(values, str) else [str(v) for v in values or ()]


def numbers(values: object) -> np.ndarray:
    """Return one or several doubles as an array."""
    return quiet(np.atleast_1d(np.asarray(values, dtype=np.float64)))


def whole(value: Any) -> Any:
    """Convert a whole double of R to an integer."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def usable_jobs(jobs: object) -> int | None:
    """Check the number of worker processes."""
    return None if jobs is None else whole_number("jobs", whole(jobs), 0)


def selector_of(
    method: str | None,
    options: Values | None = None,
    kinds: Values | None = None,
    seed: float = 0,
    missing: str = "impute",
    scale: str = "range",
    **more: Any,
) -> BaseSelector:
    """Create a method from the options that R sends; without a name a subset search."""
    chosen = SubsetSearch if method is None else method_named(str(method))
    owner, given = "hetsel_search" if method is None else key_of(chosen), options or {}
    searching = issubclass(chosen, SubsetSearch)
    own = settings_of(given, owner) if searching else options_of(chosen, given, ARGUMENTS)
    treatment = {"missing": missing, "scale": scale, "random_state": whole(seed)}
    return chosen(**treatment, **more, **(kinds or {}), **own)


def weights_of(column: Cells | None, *selectors: BaseSelector) -> np.ndarray | None:
    """Return the row weights, which each of the methods must support."""
    if column is None:
        return None
    for selector in selectors:
        refuse_weights(selector, "row_weights")
    if not isinstance(column, np.ndarray):
        form = _form(column)
        raise TableError(f"row_weights must be numeric, 0 or larger. Got {form}")
    if (wrong := column < 0).any() or np.isinf(column).any():
        first, rows = column[wrong | np.isinf(column)][0], int((wrong | np.isinf(column)).sum())
        raise TableError(
            "row_weights must be finite numbers, 0 or larger. "
            f"Got {first:g} in {counted(rows, 'row')}"
        )
    return weights_in_column("row_weights", pd.Series(column), zero=True)


def _form(column: pd.Series) -> str:
    if isinstance(column.dtype, pd.CategoricalDtype):
        return "an ordered factor" if column.cat.ordered else "a factor"
    if column.dtype.kind == "M":
        return "dates"
    logical = pd.api.types.infer_dtype(column) == "boolean"
    return "a logical vector" if logical else "a character vector"


def groups_of(cells: Cells | None, n: int) -> np.ndarray | str | None:
    """Return the row group (n,) of each row, or a word for automatic groups."""
    if cells is None:
        return None
    if len(cells) == 1 < n and cells[0] in (COPIES, ROWS):
        return str(cells[0])
    return group_codes(cells, n, "row_groups")


def method_named(key: str) -> type[BaseSelector]:
    """Return the class of a method by its key."""
    if key in homes() or key != key_of(RFunction):  # a key that is not ours takes 4 ms
        return get_method(key)
    return RFunction


def parameters_of(method: str, given: Values, arguments: Iterable[str]) -> Values:
    """Read the parameters of a method by its key or its import path; see :func:`options_of`."""
    if "." in method:
        return {name: whole(value) for name, value in given.items()}
    return options_of(method_named(method), given, arguments)


def options_of(
    method: type[BaseSelector], options: Values, arguments: Iterable[str] = ()
) -> Values:
    """Check and convert the parameters of a method; others may be misspelled `arguments`."""
    legal = own_parameters(method) | {"always": (), "unsupported": "error", "target_kind": None}
    options = {p if (p := PYTHON_NAMES.get(n)) in legal else n: v for n, v in options.items()}
    for name in options:
        if name not in legal and name in RULES:
            raise TableError(
                f"{name} must be used with a method that searches subsets, such as sffs-5nn, or "
                f"with hetsel_search(). Got method {key_of(method)}"
            )
        refuse_unknown(name, legal, key_of(method), arguments)
    return {n: v if isinstance(legal[n], float) else whole(v) for n, v in options.items()}


def refuse_unknown(
    name: str, legal: Iterable[str], owner: str, arguments: Iterable[str] = ()
) -> None:
    """Refuse a parameter that the owner does not have; suggest a parameter or an argument."""
    if name not in legal:
        known = sorted((R_NAMES.get(one, one) for one in legal), key=str.lower)
        hint = did_you_mean(name, known)
        if not hint:
            hint = did_you_mean(name, arguments).replace("mean ", "mean the argument ")
        listed = ", ".join(known) or "none"
        raise TableError(f"parameters of {owner} must be among {listed}. Got {name!r}{hint}")


def settings_of(options: Values, owner: str) -> Values:
    """Read the parameters of a subset search from the options that R sends; None is left out.

    Columns are given by name, since positions count from 1 in R and from 0 in Python.
    """
    settings: dict[str, object] = {}
    for name, value in options.items():
        refuse_unknown(name, OPTIONS, owner)
        match name:
            case _ if value is None:
                continue
            case "always" | "never":
                settings[name] = _columns(name, value)
            case "column_groups":
                groups = value.values() if isinstance(value, Mapping) else value
                groups = [groups] if isinstance(groups, str) else groups
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
        raise TableError(f"{option} must be names of columns. Got {values}")
    return strings(values)
