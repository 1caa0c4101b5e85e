"""The tables of the benchmarks: 90 % of the rows of the paper's data, else synthetic ones."""

import gzip
import os
from pathlib import Path

import numpy as np
import pandas as pd

from hetsel.datasets import load_heart


def folder():
    """Folder of the real data sets, or None."""
    path = os.environ.get("HETSEL_DATA")
    return Path(path) if path and Path(path).is_dir() else None


def training_rows(frame, y, size, seed=0):
    """`size` rows at random, in their own order, without columns that are constant there."""
    rows = np.sort(np.random.default_rng(seed).permutation(len(y))[:size])
    return frame.iloc[rows].reset_index(drop=True), np.asarray(y)[rows]


def housing(size=455):
    """Boston housing, corrected: 15 continuous columns, town and chas categorical."""
    frame = pd.read_csv(folder() / "boston_corrected" / "boston_corrected.csv")
    y = (frame.pop("cmedv") > 20).astype(int)
    frame = frame.drop(columns="medv").astype({"town": "category", "chas": "category"})
    return training_rows(frame, y, size)


def heart(size=272):
    """Cleveland heart disease, from the package."""
    data = load_heart()
    return training_rows(data.X, data.y, size)


def arrhythmia(size=387):
    """Without class 16 and without constant columns; columns of 0 and 1 only are categorical."""
    path = folder() / "arrhythmia" / "arrhythmia.data"
    frame = pd.read_csv(path, header=None, na_values="?").rename(columns=lambda j: f"v{j + 1}")
    code = frame.pop("v280")
    frame, code = frame[code != 16], code[code != 16]
    frame = frame.loc[:, frame.nunique() > 1]
    flags = [name for name in frame if set(frame[name].dropna().unique()) <= {0, 1}]
    return training_rows(frame.astype(dict.fromkeys(flags, "category")), code > 1, size)


def van_t_veer(size=69):
    """The first 4355 probes; synthetic where the data is not at hand."""
    path = folder() / "vant_veer" / "veer_expression_4948.csv.gz"
    with gzip.open(path, "rt") as lines:
        frame = pd.read_csv(lines)
    y = frame.pop("class")
    return training_rows(frame.drop(columns="sample").iloc[:, :4355], y, size)


def synthetic(n, p, nominal, seed=0):
    """n x p normal columns, the last `nominal` of them of two levels; four carry the class."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    frame = pd.DataFrame(rng.normal(size=(n, p)), columns=[f"x{j}" for j in range(p)])
    frame.iloc[:, :4] += y[:, None]
    names = list(frame.columns[p - nominal :])
    flags = {name: pd.Categorical(np.where(frame[name] > 0, "b", "a")) for name in names}
    return frame.assign(**flags), y


def told(n, target="additive", seed=0):
    """A mixed frame (n, 100), its classes, and the places of the columns that tell them.

    The last 30 columns are nominal with 3 to 14 levels. Of "additive" every fifth column tells:
    linearly, by a bent curve, or by an effect of each level; of "xor" two by the product of signs.
    """
    rng = np.random.default_rng(seed)
    columns, score, true = {}, np.zeros(n), []
    for f in range(100):
        tells = f % 5 == 0
        if f >= 70:
            levels = 3 + f % 12
            codes = rng.integers(0, levels, n)
            columns[f"n{f}"] = pd.Categorical.from_codes(codes, [f"l{k}" for k in range(levels)])
            if tells:
                effects = rng.normal(size=levels)
                score += 0.4 * (effects - effects.mean())[codes]
        else:
            cells = rng.normal(size=n) if f % 3 else rng.gamma(2.0, size=n)
            columns[f"x{f}"] = cells
            if tells:
                z = (cells - cells.mean()) / cells.std()
                score += (0.15 + 0.05 * (f % 7)) * (z if f % 10 else np.tanh(2 * z))
        if tells:
            true.append(f)
    if target == "xor":
        score, true = 1.5 * np.sign(columns["x1"]) * np.sign(columns["x2"]), [1, 2]
    return pd.DataFrame(columns), (score + rng.logistic(size=n) > 0).astype(int), true


def shapes():
    """Name, table and class of each shape of the benchmark; the name says if it is synthetic."""
    real = folder() is not None
    yield "Heart", *heart()
    yield ("Housing", *housing()) if real else ("synthetic", *synthetic(455, 17, 2))
    yield ("Arrhythmia", *arrhythmia()) if real else ("synthetic", *synthetic(387, 262, 64))
    yield ("van 't Veer", *van_t_veer()) if real else ("synthetic", *synthetic(69, 4355, 2))
