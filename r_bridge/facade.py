"""What the R package calls: plain vectors in, plain vectors out, and no exception across.

reticulate turns a vector of length one into a scalar, so every vector is read leniently; cells
cross as the raw bytes of doubles, which keeps NA and is the same whatever the length. Each answer
is a dict; one that failed has the single entry ``error``, a sentence.
"""

from __future__ import annotations

import functools
import json
import os
import platform
import subprocess
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ParamSpec

import numpy as np
import pandas as pd

import hetsel
from hetsel.base import BaseSelector, get_method, method_keys, method_table
from hetsel.table import Table, TableError

_P = ParamSpec("_P")
_OWN = ("size", "nominal", "ordinal", "continuous", "schema", "missing", "random_state")
_PACKAGES = ("numpy", "scipy", "pandas", "scikit-learn", "numba", "rpy2-rinterface")


def _answer(function: Callable[_P, dict[str, Any]]) -> Callable[_P, dict[str, Any]]:
    """The function with its exceptions as the entry `error`, its warnings as `warnings`."""

    @functools.wraps(function)
    def answering(*args: _P.args, **kwargs: _P.kwargs) -> dict[str, Any]:
        try:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("default")
                answer = function(*args, **kwargs)
        except (ValueError, TypeError, RuntimeError, ImportError) as reason:
            return {"error": str(reason)}
        except Exception as reason:  # an R user is served by the name of it, not by a traceback
            return {"error": f"{type(reason).__name__}: {reason}"}
        told = [w for w in caught if not issubclass(w.category, DeprecationWarning)]
        return {**answer, "warnings": list(dict.fromkeys(str(w.message) for w in told))}

    return answering


@_answer
def rank(
    columns: Sequence[Mapping[str, Any]],
    target: Mapping[str, Any],
    method: str = "rfe-mkl",
    size: float | None = None,
    missing: str = "impute",
    kinds: Mapping[str, Any] | None = None,
    seed: float = 0,
    options: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Rank the columns of a data frame; the same call in Python gives the same ranking.

    Parameters
    ----------
    columns : list of dict
        Per column ``name``; ``form``: "number", "date" (days since 1970-01-01), "flag", "text",
        "factor" or "ordered"; ``cells``: the bytes of n doubles (level codes from 0), or the
        numbers themselves, NaN being missing; ``levels``: text.
    target : dict
        The same for the class labels, of which factors are text.
    method : str
        Key of a method.
    size : number, optional
        Size of the signature.
    missing : {"impute", "separate", "error"}
        What becomes of missing cells.
    kinds : dict, optional
        ``nominal``, ``ordinal``, ``continuous``: names of columns; ``ordinal`` may be a dict of
        name to levels in order.
    seed : number
        Seed of the methods that draw.
    options : dict, optional
        Further parameters of the method.

    Returns
    -------
    dict
        ``rank``, ``feature``, ``kind``, ``importance``, best first; ``columns``, in the order of
        the table, with ``name``, ``kind``, ``levels``, ``missing``, ``filled``, ``note``;
        ``trace`` with ``step``, ``size``, ``feature``, ``objective``, ``gap``; facts about the
        call; ``warnings``.
    """
    frame = pd.DataFrame({str(c["name"]): _cells(c) for c in columns}, copy=False)
    if frame.shape[1] < len(columns):
        names = [str(c["name"]) for c in columns]
        twice = next(name for name in names if names.count(name) > 1)
        raise TableError(f"column names must be unique. Got {twice!r} more than once: rename one")
    chosen = get_method(str(method))
    selector = chosen(
        size=_whole(size),
        missing=missing,
        random_state=_whole(seed),
        **_kinds(kinds or {}),
        **_options(chosen, options or {}),
    )
    y = _target(target)
    selector.fit(frame, y)
    ranking = selector.frame()
    counts = pd.Series(y).value_counts().sort_index()
    table = selector.schema_.encode(frame)
    return {
        "rank": [int(v) for v in ranking["rank"]],
        "feature": ranking["feature"].tolist(),
        "kind": ranking["kind"].tolist(),
        "importance": [float(v) for v in ranking["importance"]],
        "columns": _described(table, missing),
        "trace": _trace(selector),
        "method": chosen.key,
        "title": chosen.title,
        "paper": chosen.paper,
        "size": int(selector.size_),
        "seed": float(seed),
        "handling": missing,
        "rows": len(frame),
        "classes": [f"{v:g}" if isinstance(v, float) else str(v) for v in counts.index],
        "counts": [int(v) for v in counts],
        "version": hetsel.__version__,
    }


@_answer
def methods() -> dict[str, Any]:
    """The catalogue: key, title, family, takes, classes, requires, paper and options."""
    catalogue = method_table()
    answer: dict[str, Any] = {name: catalogue[name].tolist() for name in catalogue.columns}
    answer["options"] = [
        ", ".join(f"{k} = {v}" for k, v in _parameters(get_method(key)).items())
        for key in method_keys()
    ]
    return answer


@_answer
def doctor() -> dict[str, Any]:
    """Versions and faults as seen from Python; R is tried in a process of its own."""
    from importlib.metadata import PackageNotFoundError, version

    facts: dict[str, Any] = {"python": platform.python_version(), "executable": sys.executable}
    facts["hetsel"] = hetsel.__version__
    for package in _PACKAGES:
        try:
            facts[package] = version(package)
        except PackageNotFoundError:
            facts[package] = ""
    environment = {k: v for k, v in os.environ.items() if k != "R_SESSION_INITIALIZED"}
    done = subprocess.run(
        [sys.executable, "-m", "r_bridge.session"],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    try:
        found = json.loads(done.stdout.strip().rpartition("\n")[2])
    except ValueError:
        found = {
            "problem": f"R crashed when Python started it (exit status {done.returncode})",
            "fix": "pip install --force-reinstall --no-binary rpy2-rinterface 'hetsel[r]'",
        }
    return facts | {k: str(v) for k, v in found.items() if k != "rpy2"}


def _numbers(cells: Any) -> np.ndarray:
    if isinstance(cells, bytes | bytearray):
        values = np.frombuffer(cells, dtype=np.float64)
    else:
        values = np.atleast_1d(np.asarray(cells, dtype=np.float64))
    # R's NA is a signaling NaN, over which arithmetic stumbles
    return np.where(np.isnan(values), np.nan, values)


def _strings(values: Any) -> list[str]:
    return [values] if isinstance(values, str) else [str(v) for v in values or ()]


def _cells(column: Mapping[str, Any]) -> Any:
    """One column the way a Python user would hold it."""
    form, values = str(column["form"]), _numbers(column["cells"])
    gaps = np.isnan(values)
    if form == "number":
        return values
    if form == "date":
        return pd.to_datetime(pd.Series(values), unit="D")
    if form == "flag":
        cells = values.astype(bool).astype(object)
        cells[gaps] = None
        return pd.Series(cells, dtype=object) if gaps.any() else pd.Series(values.astype(bool))
    levels = _strings(column.get("levels"))
    codes = np.where(gaps, -1, values).astype(np.int64)
    if form == "text":
        return pd.Series(np.array([*levels, None], dtype=object)[codes], dtype=object)
    return pd.Series(pd.Categorical.from_codes(codes, pd.Index(levels), ordered=form == "ordered"))


def _target(target: Mapping[str, Any]) -> Any:
    """Class labels; those of a factor in the order of the letters, whatever its levels' order."""
    form = str(target["form"])
    return _cells({**target, "form": "text" if form in ("factor", "ordered") else form})


def _whole(value: Any) -> Any:
    """R counts in doubles: 5.0 is 5."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _kinds(kinds: Mapping[str, Any]) -> dict[str, Any]:
    chosen: dict[str, Any] = {}
    for kind, names in kinds.items():
        if isinstance(names, Mapping):
            chosen[kind] = {name: _strings(levels) for name, levels in names.items()}
        elif names is not None:
            chosen[kind] = _strings(names) or None
    return chosen


def _parameters(method: type[BaseSelector]) -> dict[str, Any]:
    """The parameters that are the method's own, with their defaults."""
    return {k: v for k, v in method().get_params(deep=False).items() if k not in _OWN}


def _options(method: type[BaseSelector], options: Mapping[str, Any]) -> dict[str, Any]:
    legal = _parameters(method)
    chosen = {}
    for name, value in options.items():
        if name not in legal:
            known = ", ".join(legal) or "none"
            raise TableError(f"{method.key} has no option {name!r}; its options are: {known}")
        chosen[name] = value if isinstance(legal[name], float) else _whole(value)
    return chosen


def _described(table: Table, missing: str) -> dict[str, list[Any]]:
    columns = table.schema.columns
    gaps = np.isnan(table.values).sum(axis=0)
    filled = [""] * len(columns)
    if missing == "impute" and gaps.any():
        fill = table.resolve_missing("impute").fill
        assert fill is not None
        for j in np.flatnonzero(gaps):
            levels = columns[j].levels
            filled[j] = str(levels[int(fill[j])]) if levels else f"{fill[j]:.6g}"
    return {
        "name": table.names,
        "kind": [c.kind for c in columns],
        "levels": [len(c.levels) for c in columns],
        "missing": [int(v) for v in gaps],
        "filled": filled,
        "note": [c.note for c in columns],
    }


def _trace(selector: BaseSelector) -> dict[str, list[Any]]:
    """The steps in long form, one row per feature dropped (or added)."""
    names = selector.schema_.names
    rows = [
        (k, step.size, names[j], float(step.objective), float(step.gap))
        for k, step in enumerate(selector.trace_, start=1)
        for j in step.features
    ]
    fields = ("step", "size", "feature", "objective", "gap")
    return {name: [row[i] for row in rows] for i, name in enumerate(fields)}
