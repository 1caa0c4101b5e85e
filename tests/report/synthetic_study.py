"""A study small enough to check by hand, with the interface of hetsel.study.results.Results."""

from functools import cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd

from hetsel.report.pages.study_page import write_study_report
from hetsel.statistics.performance.scores import SCORES
from hetsel.study.comparison.study_summary import Summary

METHODS = ("first", "second-method", "third")
# BCR of a method at sizes 1, 2, 3, 4: the same in both data sets but for the shift
BCR = {
    "first": (0.70, 0.80, 0.90, 0.90),
    "second-method": (0.65, 0.75, 0.85, 0.90),
    "third": (0.60, 0.70, 0.80, 0.90),
}
ORDERS = {
    "first": [[0, 1, 2, 3]] * 4,
    "second-method": [[0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 3, 2], [0, 2, 1, 3]],
    "third": [[0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]],
}
# verdicts on the cuts at sizes 1, 2, 3, 4 of the four resamplings; the third claims nothing
ALL = ("proved", "proved", "proved", "")
CUTS = {
    "first": [ALL] * 4,
    "second-method": [ALL, ("tie", "tie", "proved", ""), ("tie", "proved", "open", ""), ALL],
    "third": [("",) * 4] * 4,
}
WOBBLE = (-0.01, 0.01, -0.01, 0.01)  # of the four resamplings


class Synthetic:
    """Two data sets of four features, three methods, four resamplings."""

    study = None
    kinds = ("classes",)

    def __init__(self, datasets=("alpha", "beta"), methods=METHODS, resamplings=4):
        self.names, self.methods, self.resamplings = list(datasets), list(methods), resamplings
        self.classifiers = ["clinical-svm"]
        about = {
            "features": ["age", "weight", "sex", "<stage> & grade"],
            "kinds": ["continuous", "continuous", "nominal", "nominal"],
            "rows": 100,
            "classes": ["no", "yes"],
            "class_counts": [60, 40],
            "missing_cells": 7,
            "missing": "impute",
            "fingerprint": "0" * 64,
        }
        self.datasets = {name: {"name": name, **about} for name in self.names}
        self.plan = {
            "name": "by hand",
            "seed": 0,
            "resamplings": {"count": resamplings, "test_share": 0.1, "kind": "stratified"},
            "sizes": "auto",
            "datasets": [{"name": name, "file": f"{name}.csv"} for name in self.names],
            "methods": [{"key": m, "label": m, "params": {}, "revision": 1} for m in self.methods],
            "classifiers": [{"key": "clinical-svm", "label": "clinical-svm", "params": {"C": 10}}],
        }

    def frame(self):
        rows = []
        for k, dataset in enumerate(self.names):
            for method, r, size in product(self.methods, range(self.resamplings), (1, 2, 3, 4)):
                bcr = BCR[method][size - 1] + WOBBLE[r] - 0.05 * k
                order = ORDERS[method][r]
                rows.append(
                    {
                        "dataset": dataset,
                        "method": method,
                        "resampling": r,
                        "size": size,
                        "classifier": "clinical-svm",
                        "bcr": bcr,
                        "accuracy": bcr + 0.005,
                        "sensitivity": bcr + 0.01,
                        "specificity": bcr - 0.01,
                        "auc": bcr + 0.02,
                        "bcr_by_chance": 0.5,
                        "accuracy_of_majority": 0.6,
                        "absent_classes": 0,
                        "n_categorical": sum(f >= 2 for f in order[:size]),
                        "cut": CUTS[method][r][size - 1],
                        "rank_seconds": 2.0 * r + k,
                        "rank_elapsed": 4.0 * r + 2 * k,
                    }
                )
        return pd.DataFrame(rows)

    def signatures(self, dataset, method, size):
        orders = np.array(ORDERS[method][: self.resamplings])
        chosen = np.argsort(orders, axis=1) < size
        return np.arange(len(orders)), chosen

    @property
    def scores(self):
        return SCORES["classes"]

    @property
    def test_shares(self):
        return dict.fromkeys(self.names, 0.1)

    def failures(self):
        columns = ["dataset", "method", "resampling", "reason", "trace"]
        rows = [("alpha", "third", 4, "a <reason>", "")]
        return pd.DataFrame(rows, columns=columns)

    def warnings(self):
        rows = [("beta", "first", "UserWarning: a <warning>", 3)] * (len(self.names) > 1)
        return pd.DataFrame(rows, columns=["dataset", "method", "warning", "cells"])

    def absent_classes(self):
        columns = ["dataset", "class", "lacking", "resamplings"]
        return pd.DataFrame([("beta", "yes", 1, 4)], columns=columns)

    def status(self):
        cells = len(self.names) * len(self.methods) * self.resamplings
        return {"cells": cells + 1, "finished": cells, "failed": 1}

    def versions(self):
        return [{"hetsel": "0.1.0", "numpy": "2.0"}]

    def digest(self):
        return "ab" * 32


class Drawn(Synthetic):
    """Scores of many resamplings that are drawn; `lead` is what the first method has more."""

    def __init__(self, lead=0.0, chance=0.0, datasets=6, resamplings=12, seed=0):
        super().__init__([f"d{k}" for k in range(datasets)], METHODS, resamplings)
        self.lead, self.chance, self.seed = lead, chance, seed

    def frame(self):
        rng = np.random.default_rng(self.seed)
        index = pd.MultiIndex.from_product(
            [self.names, self.methods, range(self.resamplings), (1, 2, 3)],
            names=["dataset", "method", "resampling", "size"],
        )
        frame = index.to_frame(index=False).assign(classifier="clinical-svm")
        noise = rng.normal(0, 0.05, len(frame))
        frame["bcr"] = 0.5 + self.chance + self.lead * (frame["method"] == "first") + noise
        others = {"sensitivity": 0.5, "specificity": 0.5, "auc": 0.5, "bcr_by_chance": 0.5}
        others |= {"accuracy_of_majority": 0.6, "absent_classes": 0, "n_categorical": 1, "cut": ""}
        return frame.assign(accuracy=0.55 + noise, **others, rank_seconds=1.0, rank_elapsed=1.5)

    def signatures(self, dataset, method, size):
        rng = np.random.default_rng([self.seed, self.names.index(dataset), len(method), size])
        orders = rng.permuted(np.tile(np.arange(4), (self.resamplings, 1)), axis=1)
        return np.arange(self.resamplings), orders < size


class Gapped(Drawn):
    """One data set lacks the third method, and another one a size of the second."""

    def frame(self):
        frame = super().frame()
        gone = (frame["dataset"] == "d1") & (frame["method"] == "third")
        gone |= (
            (frame["dataset"] == "d2") & (frame["method"] == "second-method") & (frame["size"] == 3)
        )
        return frame[~gone]

    def signatures(self, dataset, method, size):
        numbers, chosen = super().signatures(dataset, method, size)
        kept = 0 if (dataset, method) == ("d1", "third") else len(numbers)
        return numbers[:kept], chosen[:kept]


class Many(Synthetic):
    """Any number of data sets and methods, whose curves rise with the size as true ones do."""

    def __init__(self, datasets=20, methods=40, resamplings=6, p=12):
        names = [f"method-{k}" for k in range(methods)]
        super().__init__([f"table {k}" for k in range(datasets)], names, resamplings)
        self.p = p
        for about in self.datasets.values():
            about["features"] = [f"column {j}" for j in range(p)]
            about["kinds"] = ["continuous", "nominal"] * (p // 2)

    def frame(self):
        index = pd.MultiIndex.from_product(
            [self.names, self.methods, range(self.resamplings), range(1, self.p + 1)],
            names=["dataset", "method", "resampling", "size"],
        )
        rng = np.random.default_rng(0)
        skill = rng.normal(0, 0.02, len(self.methods))
        speed = rng.uniform(-3, 1.5, len(self.methods))
        top, cost = rng.uniform([[0.65], [0]], [[0.9], [1]], (2, len(self.names)))
        split = rng.normal(0, 0.02, (len(self.names), self.resamplings))
        d, m, r, s = (np.array(codes) for codes in index.codes)
        bcr = top[d] + skill[m] + split[d, r] - 0.2 * np.exp(-(s + 1) / 2.5)
        frame = index.to_frame(index=False).assign(classifier="clinical-svm", cut="")
        frame["bcr"] = (bcr + rng.normal(0, 0.01, len(frame))).clip(0, 1)
        frame[["accuracy", "sensitivity", "specificity", "auc"]] = frame[["bcr"] * 4].to_numpy()
        others = {"bcr_by_chance": 0.5, "accuracy_of_majority": 0.6, "absent_classes": 0}
        seconds = 10 ** (speed[m] + cost[d])
        return frame.assign(
            **others, n_categorical=s // 2, rank_seconds=seconds, rank_elapsed=1.2 * seconds
        )

    def signatures(self, dataset, method, size):
        place = self.methods.index(method)
        rng = np.random.default_rng([self.names.index(dataset), place])
        steady = 6 * np.cos(place)  # how far apart the importances of the columns are
        merit = steady * np.arange(self.p) / self.p + rng.normal(size=(self.resamplings, self.p))
        return np.arange(self.resamplings), np.argsort(np.argsort(-merit)) < size


@cache
def summary_of(make, **given):
    """The summary of a study that nobody changes, computed once for all tests."""
    return Summary(make(**given))


@cache
def page_of(make, **given):
    """The report of a study, written once for all tests."""
    with TemporaryDirectory() as folder:
        path = write_study_report(make(**given), Path(folder) / "report.html")
        return path.read_text(encoding="utf-8")


class DrawnOtherwise(Drawn):
    """The same of a target that is no class: its facts, its judges, and what these were told."""

    def __init__(self, kind, facts, judges, datasets, resamplings):
        super().__init__(datasets=datasets, resamplings=resamplings)
        self.kind, self.classifiers = kind, list(judges)
        for about in self.datasets.values():
            about.update({"target": kind, "classes": [], "class_counts": [], **facts})
        self.plan["classifiers"] = [
            {"key": key, "label": key, "params": given} for key, given in judges.items()
        ]

    @property
    def scores(self):
        return SCORES[self.kind]

    def told(self, frame, place, noise):
        """The frame with its scores, by the place of the method and what is drawn."""
        raise NotImplementedError

    def frame(self):
        frame = super().frame()
        noise = frame["bcr"] - 0.5
        place = frame["method"].map(dict(zip(METHODS, range(3), strict=True)))
        frame = self.told(frame.drop(columns=[*SCORES["classes"].columns]), place, noise)
        return pd.concat(frame.assign(classifier=label) for label in self.classifiers)

    def absent_classes(self):
        return super().absent_classes()[:0]
