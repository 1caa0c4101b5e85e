"""Compare categorical columns as features with one-hot columns, by the error of a machine.

The data are Heart and German credit with methods of ramona2012. "native": a nominal column is one
feature. "groups": the method ranks the one-hot columns one by one; a feature has the rank of its
best column. "columns": the k best one-hot columns themselves. A machine with the Gaussian kernel is
trained on the selected columns. Two thirds of the rows are training rows, the others are held out.

    python tables.py run native-or-one-hot
"""

import numpy as np
import pandas as pd

import hetsel
from hetsel.models.final_classifiers import classify
from hetsel.models.train_test_arrays import Split
from hetsel.tables import Schema

SIZES = (3, 5, 8)
METHODS = {
    "sas": hetsel.SAS(),
    "scss": hetsel.SCSS(),
    "bahsic": hetsel.BAHSIC(),
    "gmkl": hetsel.GMKL(),
}
SPLITS = 20


def one_hot(frame):
    """Return the table with one-hot columns, and the feature of each column."""
    wide, owner = {}, []
    for j, name in enumerate(frame):
        column = frame[name]
        if isinstance(column.dtype, pd.CategoricalDtype):
            for level in column.cat.categories:
                wide[f"{name} = {level}"] = (column == level).to_numpy(dtype=float)
                owner.append(j)
        else:
            wide[name] = column.to_numpy(dtype=float)
            owner.append(j)
    return pd.DataFrame(wide), np.array(owner)


def errors(table, codes, train, test, subsets):
    """Return the error (subsets,) of a machine on the columns of each subset."""
    split = Split.of(table.take(rows=train), table.take(rows=test), codes[train])
    params = {"C": 1.0, "gamma": "size"}
    decisions = classify("gaussian-svm", split, subsets, seed=0, params=params)[:, :, 0]
    return ((decisions > 0) != (codes[test] == 1)).mean(axis=1)


def compare(name):
    """Yield the errors of one table for each split, method, encoding and size."""
    data = hetsel.datasets.load(name)
    native = Schema.infer(data.X).encode(data.X).resolve_missing("impute")
    filled = data.X.copy()
    for j, column in enumerate(filled):
        if filled[column].isna().any():
            levels = native.schema.columns[j].levels
            cells = native.values[:, j]
            filled[column] = (
                pd.Categorical([levels[int(c)] for c in cells], filled[column].cat.categories)
                if native.nominal[j]
                else cells
            )
    wide, owner = one_hot(filled)
    columns = Schema.infer(wide, continuous=list(wide)).encode(wide)
    codes = np.unique(data.y.to_numpy(), return_inverse=True)[1]
    rng = np.random.default_rng(2012)
    for split in range(SPLITS):
        rows = rng.permutation(len(codes))
        train, test = np.sort(rows[: 2 * len(codes) // 3]), np.sort(rows[2 * len(codes) // 3 :])
        for key, method in METHODS.items():
            ours = method.fit(native.take(rows=train), codes[train]).answer_
            order = method.fit(columns.take(rows=train), codes[train]).answer_.order
            features = list(dict.fromkeys(owner[order].tolist()))
            chosen = {
                "native": (native, [ours.signature(size) for size in SIZES]),
                "groups": (native, [np.array(features[:size]) for size in SIZES]),
                "columns": (columns, [order[:size] for size in SIZES]),
            }
            for encoding, (table, subsets) in chosen.items():
                wrong = errors(table, codes, train, test, subsets)
                for size, error in zip(SIZES, wrong, strict=True):
                    yield name, split, key, encoding, size, 100 * error


def lines():
    """Return mean errors, and t statistics of native against the other encodings.

    The splits have rows in common. The variance of the mean difference is therefore multiplied by
    1 + J n_test / n_train over J splits (Nadeau and Bengio 2003).
    """
    found = pd.DataFrame(
        [row for name in ("german-credit", "heart") for row in compare(name)],
        columns=["data", "split", "method", "encoding", "size", "error"],
    )
    wide = found.pivot_table(
        index=["data", "method", "size", "split"], columns="encoding", values="error"
    )
    table = wide.groupby(level=[0, 1, 2]).mean()
    for other in ("groups", "columns"):
        differences = (wide["native"] - wide[other]).groupby(level=[0, 1, 2])
        t = differences.apply(lambda d: d.mean() / (d.std() or 1.0) / np.sqrt(1 / SPLITS + 0.5))
        table[f"t, native - {other}"] = t
    return table.round(1).reset_index().to_dict("records")
