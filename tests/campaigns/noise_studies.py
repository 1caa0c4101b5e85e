"""Studies of exchangeable methods on noise: how often does each comparison of a report reject?

    python tests/campaigns/noise_studies.py --studies 200

Each study is a real one: tables without any signal, real splits, the real final classifier. Its
methods differ by nothing but weights of the features, drawn independently for each method and each
table, by which they multiply the difference of the classes in the training rows: no method is
better than another, none better than chance, and what a table favors by accident stays with it over
all resamplings. Every comparison of the first part of the report must reject at most as often as
its level says; those that are named as printed in paul2015 reject as often as they do.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from hetsel import About, BaseSelector, Ranking, Study

LEVEL = 0.05
DATASETS, METHODS, RESAMPLINGS = 6, 5, 20
SIZES = [1, 2, 4, 8]


class Weighted(BaseSelector):
    """Ranks by the difference of the classes in each feature, times weights drawn once."""

    number: int = 0

    about = About("weighted differences of the classes")

    def _select(self, problem):
        words = [*"|".join(problem.table.names).encode(), self.number]
        weights = np.exp(np.random.default_rng(words).normal(size=problem.p))
        values, codes = problem.table.values, problem.target.codes
        gap = values[codes == 1].mean(axis=0) - values[codes == 0].mean(axis=0)
        return Ranking.from_importance(np.abs(gap) / (values.std(axis=0) + 1e-9) * weights)


def noise(rng, name, rows):
    """A table of 5 continuous and 3 nominal columns that know nothing of the classes."""
    columns = {f"{name}-x{j}": rng.normal(size=rows) for j in range(5)}
    levels = np.array(list("abc"), dtype=object)
    columns |= {f"{name}-c{j}": levels[rng.integers(0, 3 - j % 2, rows)] for j in range(3)}
    y = rng.permutation(np.arange(rows) < rows * rng.choice([0.5, 0.6, 0.7]))
    return {"name": name, "X": pd.DataFrame(columns), "y": y}


def noise_study(seed, number, folder):
    """The results of one study."""
    rng = np.random.default_rng([seed, number])
    datasets = [
        noise(rng, f"s{seed}-{number}-d{d}", int(rng.integers(50, 90))) for d in range(DATASETS)
    ]
    study = Study(
        name=f"noise-{number}",
        datasets=datasets,
        methods=[
            {"key": Weighted, "params": {"number": k}, "label": f"m{k}"} for k in range(METHODS)
        ],
        resamplings=RESAMPLINGS,
        sizes=SIZES,
        seed=number,
    )
    return study.run(Path(folder) / f"{number}.sqlite", jobs=0, progress=False)
