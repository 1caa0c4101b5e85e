"""The selectors of the trial, and the classifiers that judge what they select, on one split.

All see the same arrays: missing cells filled, levels and scales known by the training rows only.
Linear models and forests get the indicators of levels, hetsel's machine and boosting the levels.
"""

from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import numpy as np
from scipy import stats
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression

from hetsel.models.final_classifiers import classify
from hetsel.models.train_test_arrays import Split
from hetsel.resampling.row_parts import part_and_rest
from hetsel.selection import BaseSelector, Problem
from hetsel.signature.request import balanced

HETSEL = {
    "rfe-mkl": "rfe-mkl",
    "rfe-svm": "rfe-svm",
    "mutual information": "mi-histogram",
    "l1 logistic": {"key": "l1-logistic", "params": {"steps": 50, "tolerance": 1e-5}},
    "random forest": {"key": "random-forest", "params": {"n_estimators": 100}},
    "relieff": "relieff",
    "sffs-nb": "sffs-nb",
    "jmi": "jmi",
    "hsic lasso": "hsic-lasso",
}
METHODS = (*HETSEL, "lightgbm gain", "p-values", "all features")


@dataclass(frozen=True, eq=False)
class Part:
    """Training and test rows, and what classifiers learn from."""

    problem: Problem
    split: Split
    truth: np.ndarray

    @classmethod
    def of(cls, problem: Problem, held_out: np.ndarray) -> "Part":
        """The rows that are not held out, and those that are."""
        some = built("rfe-mkl")
        part, test = part_and_rest(some, problem, held_out)
        split = Split.of(part.table, test, part.classes.codes)
        return cls(replace(part, proved=False), split, problem.classes.codes[held_out])

    @cached_property
    def columns(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Of each feature its standardized column, or its indicators: training and test rows."""
        out = []
        for f, nominal in enumerate(self.split.nominal):
            train, test = self.split.train[f], self.split.beyond[f]
            if nominal:
                levels = np.unique(train)
                levels = levels[1:] if len(levels) == 2 else levels
                pair = (train[:, None] == levels, test[:, None] == levels)
            else:
                middle, spread = train.mean(), train.std() or 1.0
                pair = tuple(((cells - middle) / spread)[:, None] for cells in (train, test))
            out.append((pair[0].astype(float), pair[1].astype(float)))
        return out

    def design(self, subset: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Training and test rows of some features for a linear model."""
        chosen = [self.columns[f] for f in sorted(subset)]
        return np.hstack([a for a, _ in chosen]), np.hstack([b for _, b in chosen])

    def rate(self, values: np.ndarray) -> float:
        """BCR of decision values (m,) or (m, classes) of the test rows."""
        found = (values > 0).astype(int) if values.ndim == 1 else values.argmax(axis=1)
        right = (found == self.truth).astype(float)
        counts = np.bincount(self.truth)
        shares = np.bincount(self.truth, right, len(counts))[counts > 0] / counts[counts > 0]
        return round(float(shares.mean()), 6)

    def scores(self, values: np.ndarray) -> list[float]:
        """BCR and AUC, of more than two classes the mean of each against the others."""
        wide = values[:, None] if values.ndim == 1 else values
        classes = [1] if wide.shape[1] == 1 else range(wide.shape[1])
        areas = [area(wide[:, k], self.truth == c) for k, c in enumerate(classes)]
        return [self.rate(values), round(float(np.nanmean(areas)), 6)]


def area(values: np.ndarray, positive: np.ndarray) -> float:
    """Area under the ROC curve, by mid-ranks; NaN without rows of both kinds."""
    one = int(positive.sum())
    if one in (0, len(positive)):
        return float("nan")
    ranks = stats.rankdata(values)[positive].sum()
    return float((ranks - one * (one + 1) / 2) / (one * (len(positive) - one)))


def forest() -> Any:
    return RandomForestClassifier(50, min_samples_leaf=3, class_weight="balanced", random_state=0)


def boosting(nominal: np.ndarray) -> Any:
    return HistGradientBoostingClassifier(
        max_iter=40,
        max_leaf_nodes=8,
        min_samples_leaf=10,
        early_stopping=False,
        class_weight="balanced",
        categorical_features=nominal,
        random_state=0,
    )


def logistic(part: Part, subset: np.ndarray) -> list[float]:
    """Scores of ridge logistic regression, classes alike."""
    train, test = part.design(subset)
    model = LogisticRegression(
        C=1.0, class_weight="balanced", solver="newton-cholesky", max_iter=50
    )
    return part.scores(model.fit(train, part.split.codes).decision_function(test))


def machines(part: Part, subsets: list[np.ndarray], penalty: float) -> list[np.ndarray]:
    """Decision values of hetsel's machine on each subset."""
    params = {"C": penalty, "class_weight": "balanced"}
    values = classify("clinical-svm", part.split, subsets, seed=0, params=params)
    return [one[:, 0] if one.shape[1] == 1 else one for one in values]


def trees(part: Part, subset: np.ndarray) -> dict[str, list[float]]:
    """Scores of a random forest and of gradient boosting."""
    train, test = part.design(subset)
    out = {}
    values = forest().fit(train, part.split.codes).predict_proba(test)
    out["forest"] = part.scores(one_sided(values))
    used = np.sort(subset)
    model = boosting(part.split.nominal[used]).fit(part.split.train[used].T, part.split.codes)
    out["boosting"] = part.scores(one_sided(model.predict_proba(part.split.beyond[used].T)))
    return out


def one_sided(shares: np.ndarray) -> np.ndarray:
    """Probabilities (m, 2) as decision values (m,); of more classes as they are."""
    return shares[:, 1] - 0.5 if shares.shape[1] == 2 else shares


def lightgbm_gain(part: Part) -> np.ndarray:
    """Features by their gain in gradient boosting, best first."""
    from lightgbm import LGBMClassifier

    model = LGBMClassifier(
        n_estimators=100,
        num_leaves=15,
        min_child_samples=10,
        class_weight="balanced",
        importance_type="gain",
        n_jobs=1,
        verbose=-1,
        random_state=0,
    )
    nominal = np.flatnonzero(part.split.nominal).tolist()
    model.fit(part.split.train.T, part.split.codes, categorical_feature=nominal)
    return np.argsort(-model.feature_importances_, kind="stable")


def p_values(part: Part) -> np.ndarray:
    """Features by the p-value of ANOVA or of Pearson's chi-square, smallest first."""
    codes, logs = part.split.codes, []
    for f, nominal in enumerate(part.split.nominal):
        cells = part.split.train[f]
        if len(np.unique(cells)) < 2:
            logs.append(0.0)
        elif nominal:
            _, place = np.unique(cells, return_inverse=True)
            counts = np.zeros((place.max() + 1, codes.max() + 1))
            np.add.at(counts, (place, codes), 1)
            found = stats.chi2_contingency(counts, correction=False)
            logs.append(float(stats.chi2.logsf(found.statistic, found.dof)))
        else:
            groups = [cells[codes == c] for c in range(codes.max() + 1)]
            value = stats.f_oneway(*groups).statistic
            logs.append(float(stats.f.logsf(value, len(groups) - 1, len(cells) - len(groups))))
    return np.argsort(logs, kind="stable")


@cache
def built(name: str) -> BaseSelector:
    """A method as a signature asks for it: classes alike where it can."""
    return balanced(HETSEL[name]).build()


def subsets_of(name: str, part: Part, sizes: tuple[int, ...]) -> dict[int, np.ndarray]:
    """The signature of each size that a method knows."""
    p = part.problem.p
    if name == "all features":
        return {p: np.arange(p)}
    if name not in HETSEL:
        order = {"lightgbm gain": lightgbm_gain, "p-values": p_values}[name](part)
        return {size: order[:size] for size in sizes}
    answer = built(name).solve(replace(part.problem, sizes=()))
    known = [size for size in sizes if size in set(answer.sizes)]
    return {size: np.asarray(answer.signature(size), dtype=np.int64) for size in known}


def judged(
    part: Part, found: dict[str, dict[int, np.ndarray]], penalties: tuple[float, ...]
) -> dict[str, dict[str, dict[int, list[float]]]]:
    """Scores by method, machine and size."""
    cache: dict[tuple[int, ...], list[float]] = {}
    out: dict[str, dict[str, dict[int, list[float]]]] = {}
    for name, subsets in found.items():
        out[name] = {"logistic": {}}
        for size, subset in subsets.items():
            key = tuple(sorted(subset.tolist()))
            if key not in cache:
                cache[key] = logistic(part, subset)
            out[name]["logistic"][size] = cache[key]
        for penalty in penalties:
            values = map(part.scores, machines(part, list(subsets.values()), penalty))
            out[name][f"svm {penalty:g}"] = dict(zip(subsets, values, strict=True))
    return out
