"""Checks of tables, targets, labels and weights before an estimator uses them."""

import warnings
from collections.abc import Iterable, Sequence
from typing import Any, get_args

import numpy as np
import pandas as pd
from sklearn.utils.validation import column_or_1d, validate_data

from hetsel.ground import Fix, HetselWarning, TableError, column_blocks, counted, is_dask, listed
from hetsel.ground.errors import ONE_SAMPLE, UNKNOWN_TYPE
from hetsel.ground.parameters import is_whole
from hetsel.tables import encode, frames
from hetsel.tables.blockwise import dask_frames, large_frames
from hetsel.tables.column import open_questions
from hetsel.tables.table import Schema, Table

NUMBER = (int, float, np.number)
HEAD = 1000  # rows that are checked first
ROWS_COUNTED = (1e-9, 1e15)  # smallest and largest sum of row weights
MANY_CLASSES = 20  # a numeric target with more distinct values does not hold class labels


class MeasuredTarget(TableError):
    """Numbers in place of class labels."""


def read_features(estimator: Any, X: Any, *, reset: bool) -> Table:
    """Encode the X of an estimator; missing values are NaN.

    With `reset` the schema is inferred or taken from the estimator; otherwise the fitted one is
    used. It sets schema_, n_features_in_ and, for named columns, feature_names_in_. It warns where
    text among numbers may mark missing values and makes the column nominal.
    """
    unseen: large_frames.Unseen = getattr(estimator, "unseen", "error")
    if unseen not in get_args(large_frames.Unseen):
        raise TableError(f"unseen must be one of error, separate. Got {unseen!r:.60}")
    if isinstance(X, Table):
        return _taken_as_it_is(estimator, X, reset=reset)
    dask = is_dask(X)  # its values stay with the workers
    X = X if dask else frames.frame_or_array(X)
    if reset and (dask or isinstance(X, pd.DataFrame)):
        # like validate_data, which is slow for many columns
        _set_names(estimator, (dask_frames.names_of(X) if dask else X).columns.tolist())
    elif not dask:
        validate_data(estimator, X, skip_check_array=True, reset=reset)
    if not reset:
        if dask:
            return dask_frames.encode_dask(X, estimator.schema_, unseen=unseen)
        return estimator.schema_.encode(X, unseen=unseen)
    known: Schema | None = estimator.schema
    if known is not None and not isinstance(known, Schema):
        raise TableError(
            f"schema must be a hetsel.Schema, such as hetsel.Schema.load(path). Got {known!r:.60}"
        )
    table: Table
    if known is None:
        options = {kind: getattr(estimator, kind) for kind in ("nominal", "ordinal", "continuous")}
        table = (
            dask_frames.read_dask(X, **options)
            if dask
            else large_frames.read_large_frame(X, **options)
        )
        _warn_of_numbers_as_levels(table.schema)
    else:
        table = dask_frames.encode_dask(X, known) if dask else large_frames.encode_large(X, known)
    estimator.schema_ = table.schema
    return table


def _warn_of_numbers_as_levels(schema: Schema) -> None:
    """Warn of numeric columns that are nominal because some of their values are text."""
    nominal = [column for column in schema.columns if column.kind == "nominal" and column.note]
    for names, note in open_questions(nominal):
        if any(fix.option == "missing_marks" for fix in note.fixes):
            said = f"{listed(names)}: {''.join(map(str, note.parts))}"
            warnings.warn(HetselWarning(said, *note.fixes), stacklevel=4)


def _taken_as_it_is(estimator: Any, table: Table, *, reset: bool) -> Table:
    """Check that an encoded table has the columns of the fit."""
    if reset:
        estimator.schema_ = table.schema
        _set_names(estimator, table.names)
    elif table.schema.columns != estimator.schema_.columns:
        raise TableError(
            "the table must be encoded with the fitted schema. Encode it with schema_.encode(X)"
        )
    return table


def _set_names(estimator: Any, names: Sequence[str]) -> None:
    estimator.n_features_in_ = len(names)
    estimator.feature_names_in_ = np.array(names, dtype=object)


def encode_target(
    y: Any, n: int, *, fewest: int = 2, any_number: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Return class labels and the code (n,) of each row.

    A class must have at least `fewest` rows; with 0 it may be the only class. With `any_number`
    fractions and many distinct numbers are labels, too.
    """
    if hasattr(y, "in_words") or getattr(getattr(y, "dtype", None), "names", None):
        what = y.in_words() if hasattr(y, "in_words") else "survival times"
        raise TableError(f"the target must hold classes here. Got {what}")
    cells = target_cells(y, n)
    if isinstance(cells.dtype, pd.CategoricalDtype):
        cells = cells.cat.remove_unused_categories()
        labels = label_array(cells.cat.categories)
        codes = np.asarray(cells.cat.codes, dtype=np.int64)
    else:
        labels, codes = np.unique(label_array(cells), return_inverse=True)
    if labels.dtype.kind == "f" and np.isinf(labels).any():
        raise TableError("the target must be finite. Got an infinity (inf)")
    if not any_number:
        _refuse_measured(labels)
    _refuse_target(labels, np.bincount(codes, minlength=len(labels)), n, fewest)
    return labels, codes.astype(np.int64)


def target_cells(y: Any, n: int) -> pd.Series:
    """Return the values (n,) of a target; refuse missing values and labels that look equal."""
    if y is None:
        raise TableError("requires y to be passed, but the target y is None")
    if getattr(getattr(y, "dtype", None), "names", None):
        raise TableError("the target must hold classes or numbers here. Got survival times")
    if isinstance(y, pd.Categorical | pd.CategoricalIndex):
        y = pd.Series(y)
    if isinstance(y, pd.DataFrame) and y.shape[1] == 1:
        column_or_1d(np.empty(y.shape), warn=True)  # the warning of scikit-learn
        y = y.iloc[:, 0]
    y = frames.series_or_same(y)
    cells = y if isinstance(y, pd.Series) else pd.Series(_one_column(y))
    _refuse_alike(y if isinstance(y, list | tuple) else cells)
    if len(cells) != n:
        raise TableError(f"the target must have {n} rows, as the table. Got {len(cells)}")
    if n_missing := int(cells.isna().to_numpy().sum()):
        raise TableError(f"the target is missing in {counted(n_missing, 'row')}. Drop such rows")
    return cells


def codes_with_predicted(y: Any, predicted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return codes (n,) of labels and of predicted labels, equal for equal labels."""
    labels = label_array(target_cells(y, len(predicted)))
    if (labels.dtype.kind == "U") != (predicted.dtype.kind == "U"):
        raise TableError(
            "the labels must have the type of the labels in fit, such as "
            f"{predicted[:1].tolist()[0]!r:.60}. Got {labels[:1].tolist()[0]!r:.60}"
        )
    codes = np.unique(np.concatenate([labels, predicted]), return_inverse=True)[1]
    return codes[: len(labels)], codes[len(labels) :]


def is_measured(cells: pd.Series) -> bool:
    """Check whether the values (n,) of a target are fractions, not labels, as in scikit-learn."""
    if not pd.api.types.is_float_dtype(cells.dtype) and (
        cells.dtype != object or not all(isinstance(cell, NUMBER) for cell in cells)
    ):
        return False
    values = cells.to_numpy(dtype=np.float64)
    return bool((np.isfinite(values) & (values != np.round(values))).any())


def measured_values(y: Any, n: int) -> np.ndarray:
    """Return the numbers (n,) of a numeric target with at least two values."""
    values = finite_numbers(y, n)
    if not len(values) or (values == values[0]).all():
        what = f"one value, {values[0]:g}, in {n} rows" if n > 1 else f"1 row{ONE_SAMPLE}"
        raise TableError(f"a numeric target must have at least two values. Got {what}")
    return values


def finite_numbers(y: Any, n: int) -> np.ndarray:
    """Return the finite numbers (n,) of a target."""
    cells = target_cells(y, n)
    if cells.dtype.kind == "b":
        raise TableError("a numeric target must hold numbers. Got True and False")
    values = pd.to_numeric(cells.astype(object), errors="coerce").to_numpy(dtype=np.float64)
    wrong = ~np.isfinite(values)
    if wrong.any():
        raise TableError(
            f"a numeric target must hold finite numbers. Got {str(cells[wrong].iloc[0])!r:.60} "
            f"in {counted(int(wrong.sum()), 'row')}"
        )
    return values


def _refuse_alike(labels: Any) -> None:
    """Refuse labels of different types that look equal, such as 1 and "1"."""
    dtype = getattr(labels, "dtype", None)
    if isinstance(dtype, pd.CategoricalDtype):
        labels = labels.cat.categories
    elif dtype is not None and dtype.kind != "O":
        return
    seen: dict[str, Any] = {}
    for label in labels:
        if isinstance(label, bool | np.bool_):
            kind, text = "logical", str(int(label))
        elif isinstance(label, int | float | np.number):
            kind, text = "number", f"{label:.17g}"
        elif isinstance(label, str):
            kind, text = "text", label.strip()
        else:
            continue
        first_kind, first = seen.setdefault(text, (kind, label))
        if first_kind != kind:
            raise TableError(
                f"the target must have labels that look different. Got {first!r} ({first_kind}) "
                f"and {label!r} ({kind}). Write them alike if they are one class, or rename one"
            )


def _one_column(y: Any) -> np.ndarray:
    """Return labels (n,) of data other than a series; masked labels are missing."""
    what = f"the target must be one column of labels. Got a {type(y).__name__}"
    try:
        array = np.asarray(y)
    except (TypeError, ValueError, RuntimeError):  # such as rows of different lengths
        raise TableError(f"{what} that is not one column") from None
    if isinstance(y, list | tuple) and array.dtype.kind in "US":
        array = np.asarray(y, dtype=object)  # numbers and missing values next to text stay
    if array.dtype.kind == "c":
        raise TableError(f"{what} of complex numbers")
    if array.ndim == 0:
        raise TableError(f"the target must be one column of labels. Got {y!r:.60}")
    if array.ndim > 2 or (array.ndim == 2 and array.shape[1] > 1):
        shape = " x ".join(map(str, array.shape))
        raise TableError(f"{what} of {shape}")
    if isinstance(y, np.ma.MaskedArray) and np.ma.is_masked(y):
        array = array.astype(object)
        array[np.ma.getmaskarray(y)] = None
    return np.asarray(column_or_1d(array, warn=True))


def _refuse_target(labels: np.ndarray, counts: np.ndarray, n: int, fewest: int) -> None:
    if len(labels) < 2 and fewest:
        raise TableError(
            f"the target must have at least two classes. Got 1 class, {labels[0]!s}, in "
            f"{counted(n, 'row')}. Name another target column, or keep rows of other classes"
        )
    if counts.min() < fewest:
        name = labels[int(np.argmin(counts))]
        more = int((counts < 2).sum()) - 1
        numbers = len(labels) > 2 and labels.dtype.kind in "iuf"
        raise TableError(
            f"every class must have at least two rows. Class {name!s} has one row"
            + (f", like {counted(more, 'other class')}" if more == 1 else "")
            + (f", like {more} other classes" if more > 1 else "")
            + ". Drop it, or merge the class with another",
            *([Fix("target_kind", "numbers", "if they are measurements")] if numbers else []),
        )


def _refuse_measured(labels: np.ndarray) -> None:
    """Refuse labels (c,) that look like measurements."""
    fractions = labels.dtype.kind == "f" and (labels != np.round(labels)).any()
    if labels.dtype.kind in "iuf" and (fractions or len(labels) > MANY_CLASSES):
        raise MeasuredTarget(
            f"{UNKNOWN_TYPE}the target holds {len(labels)} distinct numbers and looks "
            "continuous. Cut it into classes, for example y > threshold. If the numbers are "
            "labels, convert them to text"
        )


def weights_of_rows(weights: Any, n: int, name: str = "sample_weight") -> np.ndarray:
    """Return row weights (n,) as numbers; 0 leaves a row out."""
    wanted = f"{name} must have one weight for each of the {n} rows"
    try:
        values = np.asarray(weights, dtype=np.float64).ravel()
    except (TypeError, ValueError):
        raise TableError(f"{wanted}, all numbers. Got {weights!r:.60}") from None
    if len(values) != n:
        raise TableError(f"{wanted}. Got {len(values)}")
    wrong = ~((values >= 0) & np.isfinite(values))
    if wrong.any():
        raise TableError(f"{name} must be finite numbers, 0 or larger. Got {values[wrong][0]:g}")
    return values


def weights_to_score(weights: Any, n: int) -> np.ndarray | None:
    """Return the weights (n,) of scored rows, not all 0, or None."""
    if weights is None:
        return None
    values = weights_of_rows(weights, n)
    refuse_uncounted(values)
    if not values.any():
        raise TableError("sample_weight must have a weight above 0. Got only zeros")
    return values


def refuse_uncounted(weights: np.ndarray) -> None:
    """Refuse weights (n,) whose sum lies outside :data:`ROWS_COUNTED`.

    As bounds of an SVM such weights would vanish in rounding.
    """
    low, high = ROWS_COUNTED
    with np.errstate(over="ignore"):
        total = float(weights.sum())
    if total > 0 and not low <= total <= high:
        raise TableError(
            f"sample_weight must have a sum from {low:g} to {high:g}: a weight of 2 counts as two "
            f"rows. Got {total:g}. Divide by the mean: w / w.max() / (w / w.max()).mean()"
        )


def weights_in_column(name: str, column: pd.Series, zero: bool = False) -> np.ndarray:
    """Return the row weights (n,) of a column; errors begin with `name`; 0 leaves a row out."""
    legal = "0 or larger" if zero else "above 0"
    if gaps := int(column.isna().sum()):
        raise TableError(
            f"{name} is missing in {gaps} of {counted(len(column), 'row')}. Give each row a "
            f"weight, {legal}, or leave these rows out"
        )
    cells = column.astype(object)
    no_number = cells.map(lambda cell: not isinstance(cell, str | int | float | np.number))
    no_number |= cells.map(lambda cell: isinstance(cell, bool | np.bool_))
    values = pd.to_numeric(cells.where(~no_number), errors="coerce").to_numpy(dtype=np.float64)
    wrong = ~(((values >= 0) if zero else (values > 0)) & np.isfinite(values))
    if wrong.any():
        first = cells[wrong].iloc[0]
        shown = f"{first:g}" if isinstance(first, int | float | np.number) else repr(str(first))
        raise TableError(
            f"{name} must be a finite number {legal} in every row. Got {shown} in "
            f"{counted(int(wrong.sum()), 'row')}"
        )
    return np.asarray(values)


def relative_weights(weights: np.ndarray) -> np.ndarray:
    """Divide row weights (n,) by their mean, to 31 binary digits: their unit does not matter.

    >>> relative_weights(np.array([0.1, 0.1, 0.4]))
    array([0.5, 0.5, 2. ])
    """
    shares = weights / weights.max()  # first, so that no sum is too large
    # weights that differ by rounding become equal
    digits, power = np.frexp(shares / shares.mean())
    return np.asarray(np.ldexp(np.rint(np.ldexp(digits, 31)), power - 31))


def constant_columns(table: Table) -> np.ndarray:
    """Return a mask (p,) of the constant columns; missing counts as one value."""
    n = table.shape[0]
    constant = _constant(table.take(rows=slice(HEAD)).block(slice(None)))  # most columns vary there
    left = np.flatnonzero(constant)
    if n > HEAD:
        for block in column_blocks(n, len(left)):
            constant[left[block]] = _constant(table.block(left[block]))
    return constant


def _constant(values: np.ndarray) -> np.ndarray:
    first = values[:1]
    return np.asarray(((values == first) | (np.isnan(values) & np.isnan(first))).all(axis=0))


def refuse_constant(table: Table) -> None:
    """Refuse a table with constant columns only."""
    if constant_columns(table).all():
        raise TableError(
            f"every column is constant ({table.shape[1]} columns, {table.shape[0]} rows). "
            "At least one column must vary"
        )


def refuse_kinds(method: str, takes: Sequence[str], table: Table) -> None:
    """Refuse a table with columns of a kind that a method does not accept."""
    others = [c for c in table.schema.columns if c.kind not in takes]
    if others:
        raise TableError(
            f"{method}: takes {' and '.join(takes)} columns. "
            f"Got {others[0].kind} columns: {listed(c.name for c in others)}. "
            "Drop them, or use a method for mixed columns; `hetsel methods` lists the methods",
            Fix("unsupported", "skip", "to rank the other columns only"),
        )


FLAG, REAL = (bool, np.bool_), (int, float, np.integer, np.floating)


def label_array(cells: pd.Series | pd.Index) -> np.ndarray:
    """Return labels (n,) as a sortable array of text, numbers or logical values."""
    array = np.asarray(cells)
    if array.dtype.kind in "iufb":
        return array
    values = [*cells]
    kinds = _kinds(values)
    if kinds == {"text"}:
        return np.array([str(value) for value in values])
    if kinds in ({"number"}, {"flag"}):
        return np.array(values)
    names = sorted({type(value).__name__ for value in values})
    examples = listed([repr(next(v for v in values if type(v).__name__ == n)) for n in names[:3]])
    raise TableError(
        "the labels of the target must be all text, all numbers, or all True and False. "
        f"Got {' and '.join(names)}: {examples:.120}. Convert them to text with "
        "[str(label) for label in y], or with y.cat.rename_categories(str) for categories"
    )


def labels_of_file(cells: pd.Series) -> pd.Series:
    """Return the values (n,) of a file column as labels.

    Types that no estimator accepts become text. Whole numbers lose the decimal point that some file
    formats give them.
    """
    known = cells.dropna()
    if (
        known.dtype.kind == "f"
        and all(map(is_whole, known))
        and (known.abs() <= encode.EXACT).all()
    ):
        return cells.astype("Int64") if len(known) < len(cells) else cells.astype(np.int64)
    if isinstance(cells.dtype, pd.CategoricalDtype) or known.dtype.kind in "iufb":
        return cells
    if known.dtype.kind == "M" and (known == known.dt.normalize()).all():
        known = known.dt.date
    if len(kinds := _kinds([*known])) == 1 and "" not in kinds:
        return cells
    texts = pd.Series(None, index=cells.index, dtype=object, name=cells.name)
    texts[known.index] = known.map(str).astype(object)
    return texts


def _kinds(values: Iterable[Any]) -> set[str]:
    """Return the types among text, number and flag; "" for all others."""
    found = set()
    for kind in set(map(type, values)):
        if issubclass(kind, str):
            found.add("text")
        elif issubclass(kind, FLAG):
            found.add("flag")
        else:
            found.add("number" if issubclass(kind, REAL) else "")
    return found
