"""One table with several numbers of training rows: parts of one block, not blocks of their own.

With a list as `train_count`, a data set is used with each number of training rows. In one
resampling the held-out rows are the same for all numbers, and the training rows of a smaller number
are among those of a larger one. (With three or more classes a row of a class may differ, because
the rows of the classes are apportioned by largest remainders.) So the numbers are paired and not
independent: all comparisons of methods use the largest number only, and the others are shown as a
curve.
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd


def smaller_parts(datasets: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Return the data sets with a smaller number of training rows, and whose they are.

    Examples
    --------
    >>> smaller_parts({"a": {}, "a (n = 40)": {"smaller_part_of": "a"}})
    {'a (n = 40)': 'a'}
    """
    parts = ((name, about.get("smaller_part_of")) for name, about in datasets.items())
    return {name: base for name, base in parts if base}


def by_training_rows(
    table: pd.DataFrame, datasets: Mapping[str, Mapping[str, Any]]
) -> pd.DataFrame:
    """Return a table by data set with the column `training_rows`, ascending, after `dataset`."""
    base = {name: smaller_parts(datasets).get(name, name) for name in datasets}
    rows = table["dataset"].map(lambda name: datasets[name]["training_rows"])
    found = table.assign(dataset=table["dataset"].map(base))
    found.insert(1, "training_rows", rows)
    place = {name: k for k, name in enumerate(datasets)}
    order = found["dataset"].map(place)
    found = found.assign(place=order).sort_values(["place", "training_rows"], kind="stable")
    return found.drop(columns="place").reset_index(drop=True)
