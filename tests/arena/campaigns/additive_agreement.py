"""Compare the rankings of machines on binned columns with those on Gram matrices.

    python tests/arena/campaigns/additive_agreement.py [--resamplings 20] [--methods A B]

Housing, Heart, Arrhythmia and 4,000 rows of Adult, nine tenths of the rows at a time: the relative
difference of the objectives of the first models (each to its optimum), Kendall's tau of the
rankings, and whether the first ten are the same. "all" is a bin for every different cell: there the
orders are compared up to what is open in either. The table is Markdown.
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np
from scipy.stats import kendalltau

from hetsel.datasets import load
from hetsel.datasets.sources import required_data_folder
from hetsel.files.reading import read_table
from hetsel.methods.registry import get_method

BINS = (16, 32, 64, 128, 256, 65_535)
ADULT_ROWS = 4_000


def tables():
    """Name, frame and classes of each table."""
    for name in ("housing", "heart", "arrhythmia"):
        data = load(name)
        yield name, data.X, np.asarray(data.y)
    path = required_data_folder() / "adult" / "adult.data.gz"
    frame = read_table(path, header=False, separator=",")
    yield "adult", frame.iloc[:, :-1], frame.iloc[:, -1].to_numpy()


def agreement(gram, found):
    """First objectives apart (relative), tau, the same ten, and the same up to open cuts."""
    objective = gram.steps[0].objective
    apart = abs(found.steps[0].objective - objective) / objective
    tau = kendalltau(gram.ranks, found.ranks).statistic
    ten = set(gram.order[:10].tolist()) == set(found.order[:10].tolist())
    return apart, tau, ten, same_but_for_open(gram, found)


def same_but_for_open(one, other):
    """Whether two orders agree at every cut that is proved in both: of ties each has its own."""
    both = zip(one.cuts, other.cuts, strict=True)
    settled = [k + 1 for k, cuts in enumerate(both) if set(cuts) == {"proved"}]
    return all(set(one.order[:k].tolist()) == set(other.order[:k].tolist()) for k in settled)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--resamplings", type=int, default=20)
    parser.add_argument("--methods", nargs="+", default=["rfe-mkl", "rfe-svm"])
    parser.add_argument("--bins", nargs="+", type=int, default=list(BINS))
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    print(
        "| table | method | bins | difference of objectives | tau, mean (minimum) | "
        "same first ten | same proved order |"
    )
    print("|---|---|---|---|---|---|---|")
    for name, frame, y in tables():
        for method in asked.methods:
            seen = {bins: [] for bins in asked.bins}
            for number in range(asked.resamplings):
                rng = np.random.default_rng(number)
                rows = rng.permutation(len(y))[: min(round(0.9 * len(y)), ADULT_ROWS)]
                part, labels = frame.iloc[rows], y[rows]
                gram = get_method(method)(solver="gram").fit(part, labels).answer_
                for bins in asked.bins:
                    own = get_method(method)(solver="additive", bins=bins, tolerance=0.0)
                    seen[bins].append(agreement(gram, own.fit(part, labels).answer_))
            for bins, told in seen.items():
                apart, tau, ten, alike = map(np.array, zip(*told, strict=True))
                shown = "all" if bins == BINS[-1] else bins
                print(
                    f"| {name} | {method} | {shown} | {apart.max():.1e} | {tau.mean():.4f} "
                    f"({tau.min():.4f}) | {ten.sum()} of {len(ten)} | "
                    f"{alike.sum()} of {len(alike)} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
