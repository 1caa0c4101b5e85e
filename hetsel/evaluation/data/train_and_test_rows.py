"""Training and held-out rows of a data set; see :mod:`hetsel.resampling.resampling_entry`."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from hetsel.evaluation.data import data_entry, encoded_data
from hetsel.ground import PlanError, TableError, counted
from hetsel.resampling import folds, splits
from hetsel.resampling.resampling_entry import Resamplings, SplitSizes
from hetsel.tables import Table

MOST = 50  # resamplings whose proportions of test groups are averaged
FEW, FEWEST = 20, 2  # rows of a trial, and fewest of a stratum


def train_and_test(
    data: encoded_data.EncodedData, resamplings: Resamplings, seed: int, resampling: int
) -> tuple[np.ndarray, np.ndarray, np.random.SeedSequence]:
    """Return training and test rows of a resampling, ascending, and seeds for other draws."""
    codes, groups, given = data.target.split_classes, data.row_groups, data.test_rows
    splitting, drawing = splits.sequence(seed, codes, resampling, given, groups).spawn(2)
    if resamplings.kind == "time-ordered":
        if data.order is None:
            raise PlanError(
                "kind = 'time-ordered' needs order, the column with the time of each row"
            )
        train, test = splits.before_and_after(data.order, resamplings, resampling, groups)
    elif resamplings.kind == "given":
        if data.folds is None:
            raise PlanError("kind = 'given' needs a column or a file with the fold of each row")
        repeat, k = divmod(resampling, int(data.folds.max()) + 1)
        held_out = data.folds[repeat] == k
        train, test = np.flatnonzero(~held_out), np.flatnonzero(held_out)
    elif resamplings.kind == "k-fold":
        repeat, k = divmod(resampling, resamplings.n_folds)
        source = splits.sequence(seed, codes, repeat, given, groups).spawn(2)[0]
        held_out = folds.whole_folds(codes, resamplings.n_folds, source, groups) == k
        train, test = np.flatnonzero(~held_out), np.flatnonzero(held_out)
    elif groups is not None:
        train, test = splits.split_groups(codes, groups, resamplings, splitting, given)
    else:
        train, test = splits.split(codes, resamplings, splitting, given)
    return train, test, drawing


def few_of(rows: np.ndarray, strata: np.ndarray) -> np.ndarray:
    """Return about twenty of some rows (m,), the same number of each stratum (n,), ascending.

    Examples
    --------
    >>> few_of(np.arange(100), np.arange(100) % 2).tolist()[:6]
    [0, 1, 10, 11, 20, 21]
    """
    own = [rows[strata[rows] == stratum] for stratum in np.unique(strata[rows])]
    count = max(FEWEST, -(-FEW // len(own)))
    parts = [part[np.linspace(0, len(part) - 1, min(count, len(part))).astype(int)] for part in own]
    return np.sort(np.concatenate(parts))


def splits_of(
    resamplings: Resamplings, split: SplitSizes | None, about: Mapping[str, Any]
) -> Resamplings:
    """Return the splits of a data set from those of the plan, its `split` and its facts."""
    splits = resamplings.of_data(split)
    if (number := about.get("given_resamplings")) is not None:
        return msgspec.structs.replace(splits, count=number)
    if (size := about.get("training_rows")) is not None:
        return splits.of_training_size(size, about["rows"], fixed="test_counts" in about)
    return splits


def mean_test_share(
    data: encoded_data.EncodedData, resamplings: Resamplings, seed: int
) -> float | None:
    """Return the mean proportion of held-out groups, or of rows of splits that are not drawn.

    It is None for random splits without groups, whose sizes are known.

    Corrections for overlapping training sets use this proportion. Rows of one group are not
    independent and are never separated, so groups replace rows: the correlation of two resamplings
    (Nadeau and Bengio) is the proportion of held-out exchangeable units, and parted pairs are pairs
    of groups. For random groups the first resamplings are averaged.
    """
    groups = data.row_groups
    fixed = resamplings.kind in ("time-ordered", "given")
    if groups is None and not fixed:
        return None
    shares = []
    for resampling in range(resamplings.count if fixed else min(resamplings.count, MOST)):
        train, test, _ = train_and_test(data, resamplings, seed, resampling)
        if groups is not None:
            train, test = np.unique(groups[train]), np.unique(groups[test])
        shares.append(len(test) / (len(train) + len(test)))
    return float(np.mean(shares))


def test_share_of(about: Mapping[str, Any], resamplings: Resamplings) -> float:
    """Return the proportion of held-out rows in a split from the facts of a data set."""
    if resamplings.kind == "k-fold" or "test_share" in about:
        return float(about.get("test_share", 1 / resamplings.n_folds))
    counts = about["class_counts"] or [about["rows"]]  # a numeric target has one class
    if "events" in about:  # rows with and without an event are strata
        counts = [rows for rows in (about["rows"] - about["events"], about["events"]) if rows]
    held = np.array(about["test_counts"]) if "test_counts" in about else None
    train, test = splits.quotas(np.array(counts), resamplings, held)
    return float(test.sum() / (train.sum() + test.sum()))


# Treatments have the rows of their data set, so that they can be compared split by split.
# Roles of rows in a plan, and their attributes in the data
ROLES = {
    "row_groups": "row_groups",
    "row_weights": "weights",
    "order": "order",
    "test_rows": "test_rows",
    "folds": "folds",
}


def check_treatments(
    specs: Sequence[data_entry.DataSpec], tables: Mapping[str, encoded_data.EncodedData]
) -> None:
    """Raise an error if a treatment does not have the rows of its data set."""
    for spec in specs:
        if spec.treatment_of is not None:
            differs = what_differs(tables[spec.treatment_of], tables[spec.name])
            if differs:
                raise TableError(
                    f"data set {spec.name!r} is not a treatment of {spec.treatment_of!r}: {differs}"
                )


def what_differs(base: encoded_data.EncodedData, treated: encoded_data.EncodedData) -> str:
    """Describe how the rows of two tables differ; empty if they do not."""
    if base.table.shape[0] != treated.table.shape[0]:
        return f"it has {counted(treated.table.shape[0], 'row')} instead of {base.table.shape[0]:,}"
    if base.target.kind != treated.target.kind:
        return f"its target holds {treated.target.kind} instead of {base.target.kind}"
    if base.classes != treated.classes:
        here, there = (", ".join(data.classes) for data in (treated, base))
        return f"its classes are {here} instead of {there} (the last of two is the positive class)"
    parts = zip(base.target.parts, treated.target.parts, strict=True)
    other = sum(int((one != another).sum()) for one, another in parts)
    if other:
        return f"the target differs in {counted(other, 'row')}"
    for role, name in ROLES.items():
        there, here = getattr(base, name), getattr(treated, name)
        if (there is None) != (here is None):
            return f"only one of the two has {role}"
        if role == "folds" and there is not None and there.shape != here.shape:
            return f"it has {counted(len(here), 'repeat')} of folds instead of {len(there)}"
        if there is not None and not np.array_equal(there, here):
            return f"{role} differs in {counted(int((there != here).sum()), 'row')}"
    if _in_another_order(base.table, treated.table):
        return "its rows are in another order (columns have the same values in other rows)"
    return ""


def _in_another_order(one: Table, other: Table) -> bool:
    """Return whether common columns have the same values, but in other rows."""
    places = {c.name: (j, c.levels) for j, c in enumerate(other.schema.columns)}
    moved = False
    for j, column in enumerate(one.schema.columns):
        k, levels = places.get(column.name, (0, None))
        if levels != column.levels:
            continue
        here, there = one.values[:, j], other.values[:, k]
        if np.array_equal(here, there, equal_nan=True):
            if len(np.unique(here)) > 1:
                return False
        elif np.array_equal(np.sort(here), np.sort(there), equal_nan=True):
            moved = True
    return moved
