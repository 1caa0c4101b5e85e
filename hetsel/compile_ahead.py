"""Run `hetsel-compile`: compile the code of all methods once, before the first ranking.

Two processes run every method on small tables. The functions that they call are compiled and kept
in the cache of compiled code. With a folder as argument, the machine code is collected in this
folder, for a wheel. Kept code is not compiled again.
"""

import multiprocessing
import os
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hetsel.compiling import code_cache, compiled

PROCESSES = 2
ROWS = 48
# these methods compile most, longest first; methods that share their functions come later
LONGEST = (
    *("rfe-mkl", "dos-5nn", "l1-logistic", "hsic-lasso", "fisher-exact", "cfs", "hfs-nb"),
    *("sffs-ridge", "relieff", "mi-knn"),
)
OTHERS = {"numbers", "survival"}
SELECTORS = ("rfe-mkl", "rfe-svm")
# criteria for mixed tables; the others compile no further functions
CRITERIA = (
    *("5nn", "alignment", "class-separability", "consistency", "frobenius", "gaussian-alignment"),
    *("gaussian-svm", "hsic", "mutual-information", "naive-bayes", "ridge", "svm"),
)


def table(classes: int, *, gaps: bool = False) -> tuple[pd.DataFrame, np.ndarray]:
    """Return a small fixed table with every kind of column, and its classes."""
    rows = np.arange(ROWS)
    y = rows % classes
    waves = [np.sin(rows * (1.7 + 0.9 * j)) for j in range(4)]
    frame = pd.DataFrame(
        {
            "wave": waves[0] + y,
            "faster wave": waves[1],
            "count": np.round(4 * waves[2]) + y,
            "level": pd.Categorical(np.where(waves[3] > 0.2, "a", np.where(y == 1, "b", "c"))),
            "grade": pd.Categorical(np.array(list("uvw"))[rows // 5 % 3], list("uvw"), True),
            "pair": pd.Categorical(np.where(rows % 7 < 3, "yes", "no")),
            "copy": 7.3 - 3.7 * (waves[0] + y),  # ties and near ties run further code
            "nearly": waves[0] + y + 1e-8 * waves[3],
        }
    )
    if gaps:
        frame = frame.mask(np.add.outer(5 * rows, 3 * np.arange(frame.shape[1])) % 17 == 0)
    return frame, y


def measured_target(target: str) -> np.ndarray:
    """Return a numeric target or survival times."""
    from hetsel.tables import survival

    rows = np.arange(ROWS)
    return rows + 0.5 if target == "numbers" else survival(rows // 2, rows % 3 > 0)


def tasks() -> list[str]:
    """Return the tasks, the slowest first: methods by their keys, then other code."""
    from hetsel.methods import homes

    rest = sorted(set(homes()).difference(LONGEST))
    return [*LONGEST, *rest, *_OTHERS]


def run_task(task: str) -> tuple[str, int]:
    """Run a task; return it with the number of functions that it compiled, by type."""
    before = compiled.compilations()
    with warnings.catch_warnings(), redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        warnings.simplefilter("ignore")
        _OTHERS.get(task, partial(_rankings, task))()
    return task, compiled.compilations() - before


def _rankings(key: str) -> None:
    from hetsel.methods.registry import get_method
    from hetsel.selection import WeighingSelector

    method = get_method(key)
    options: dict[str, Any] = {**method.about.trial, "unsupported": "skip"}
    for classes in (2, 3):
        for missing in ("impute", "separate"):
            frame, y = table(classes, gaps=True)
            method(**options, missing=missing).fit(frame, y)
            for target in OTHERS.intersection(method.about.targets):
                method(**options, missing=missing).fit(frame, measured_target(target))
    if issubclass(method, WeighingSelector):
        for classes in (2, 3):
            frame, y = table(classes)
            for weights in (None, 1.0 + np.arange(ROWS) % 3):
                method(**options).fit(frame, y, weights)


def _many_levels() -> None:
    from hetsel.statistics.information.mutual_information import mutual_information

    rows = np.arange(300)  # codes of so many levels need two bytes each
    mutual_information(rows, rows % 2)


def _binned_columns() -> None:
    from hetsel.methods.registry import get_method

    rows = np.arange(300)  # codes of so many bins need two bytes each
    many = pd.DataFrame({"wave": np.sin(1.7 * rows), "pair": pd.Categorical(rows % 3)})
    for method in SELECTORS:
        for gaps in (False, True):
            frame, y = table(3, gaps=gaps)
            own = get_method(method)(solver="additive", missing="separate")
            own.fit(frame, y).fit(frame, measured_target("numbers"))
            own.set_params(normalize="norm").fit(frame, y)
        get_method(method)(solver="additive", bins=1_000).fit(many, rows % 2)
        numbers = np.asfortranarray(np.sin(np.outer(rows, [1.7, 2.3])))  # memory layout of a frame
        get_method(method)(solver="additive").fit(pd.DataFrame(numbers), rows % 2)


def _blocks_of_rows() -> None:
    from hetsel.kernels.feature_kernels import FeatureKernels
    from hetsel.solvers.svm.block_ascent import ends_of, solve_kernel_box

    rows, ones = np.arange(float(ROWS)), np.ones(1)
    family = FeatureKernels(rows[None] / ROWS, np.array([False])).family
    y, beta, away = np.where(rows % 5 < 2, 1.0, -1.0), np.zeros(ROWS), np.empty(ROWS)
    solve_kernel_box(family, ones, y, *ends_of(y, ones), beta, 1.0, away, False, 0.0)


def _many_rows() -> None:
    from hetsel.search.criteria.alignment import sorted_products
    from hetsel.statistics.information.concordance_information import (
        WORTH_TREES,
        concordance_information,
    )

    rows = np.arange(4 * WORTH_TREES)  # enough rows that two levels use trees
    levels = (rows % 2.0)[:, None]
    concordance_information(levels, np.array([True]), rows + 1.0, rows % 3 > 0)
    sorted_products(rows[:8].reshape(2, 4) % 3 / 2.0, np.array([False, False]), 0)


def _searches() -> None:
    from hetsel.search.criteria.criteria_by_name import criterion_of
    from hetsel.search.subsets.subset_selector import SubsetSearch

    for criterion in CRITERIA:
        for classes in (2, 3):
            frame, y = table(classes)
            SubsetSearch(search="sffs", criterion=criterion).fit(frame, y)
            if criterion == "5nn":
                SubsetSearch(search="sfs", criterion=criterion, rate="auc").fit(frame, y)
        for target in OTHERS.intersection(getattr(criterion_of(criterion, {}), "targets", ())):
            SubsetSearch(search="sffs", criterion=criterion).fit(frame, measured_target(target))


def _signatures() -> None:
    from hetsel.signature.estimator import Signature

    quick: dict[str, Any] = {"repeats": 1, "folds": 3, "permutations": 0, "pairs": 2}
    for method in SELECTORS:
        for classes in (2, 3):
            frame, y = table(classes)
            Signature(method=method, **quick).fit(frame, y).predict(frame)
    frame, _ = table(2)
    for target in sorted(OTHERS):
        asked = Signature(method="rfe-mkl", **quick | {"target_kind": target})
        asked.fit(frame, measured_target(target)).predict(frame)


def _studies() -> None:
    from hetsel.judging.judges import JUDGES_BY_KIND
    from hetsel.study.run import Study

    named = [{"name": f"{n} classes", **dict(zip("Xy", table(n), strict=True))} for n in (2, 3)]
    asked = [(named, "classes")]
    asked += [
        ([{"name": kind, "X": table(2)[0], "y": measured_target(kind)}], kind) for kind in OTHERS
    ]
    for data, kind in asked:
        # the forest of scikit-learn compiles nothing and is slow
        judges = [key for key in JUDGES_BY_KIND[kind] if key != "random-forest"]
        method = "hsic" if kind == "classes" else "variance"
        study = Study(datasets=data, methods=[method], classifiers=judges, resamplings=2)
        with tempfile.TemporaryDirectory() as folder:
            results = study.run(Path(folder, "study.sqlite"), n_jobs=0, progress=False)
            if len(results.failures()):
                raise RuntimeError(f"{results.failures()}")


def _survival() -> None:
    from hetsel.statistics.performance.scores import survival_scores
    from hetsel.statistics.survival.cox_curves import survival_columns

    times, events = 1.0 + np.arange(ROWS) % 9, np.arange(ROWS) % 3 > 0
    own, risk = (times, events), -times[None]
    columns = survival_columns(*own, *own, risk, risk)
    survival_scores(np.where(events, times, -times), risk, columns)


def _large_files() -> None:
    from hetsel.files.line_blocks import check_lines

    check_lines(b"1,a\n", ",")


def _commands() -> None:
    from hetsel.shell.main import main

    if main(["rank", "heart"]):
        raise RuntimeError("the ranking of the heart table failed")


_OTHERS: dict[str, Callable[[], None]] = {
    "many levels": _many_levels,
    "binned columns": _binned_columns,
    "blocks of rows": _blocks_of_rows,
    "many rows": _many_rows,
    "searches": _searches,
    "signatures": _signatures,
    "studies": _studies,
    "survival scores": _survival,
    "large files": _large_files,
    "commands": _commands,
}


def compile_all(show: Callable[[str], None]) -> int:
    """Run all tasks; return the number of compiled functions, by type."""
    total, start = 0, time.perf_counter()
    with multiprocessing.get_context("spawn").Pool(PROCESSES) as pool:
        every = tasks()
        for number, (task, count) in enumerate(pool.imap_unordered(run_task, every), 1):
            total += count
            passed = time.perf_counter() - start
            show(f"compiling: task {number} of {len(every)} ({task}: {count}), {passed:.0f} s")
    return total


def gather(folder: Path) -> int:
    """Compile all code for each baseline that this processor can run; return the number of files.

    The files are written to a subfolder with the name of the baseline.

    Raises
    ------
    RuntimeError
        This processor cannot run any baseline.
    """
    able = compiled.baselines()
    if not able:
        every = " or ".join(compiled.BASELINES)
        raise RuntimeError(
            f"machine code can be collected for {every}, but this processor runs neither of them"
        )
    shutil.rmtree(folder, ignore_errors=True)
    for name in able:
        own = folder / name
        own.mkdir(parents=True)
        _show(f"machine code for {name}")
        with tempfile.TemporaryDirectory() as kept:
            # for the processes that compile
            os.environ |= {
                "NUMBA_CACHE_DIR": kept,
                "NUMBA_CPU_NAME": name,
                "NUMBA_CPU_FEATURES": "",
            }
            compile_all(_show)
            for path in Path(kept).rglob(f"*{code_cache.ENDING}"):
                shutil.copyfile(path, own / path.name)
    return len(list(folder.rglob(f"*{code_cache.ENDING}")))


def _show(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def main() -> None:
    """Compile for this installation, or collect machine code in the folder of argument 1."""
    begun = time.perf_counter()
    if sys.argv[1:]:
        print(f"{gather(Path(sys.argv[1]))} files of machine code in {sys.argv[1]}")
    else:
        done, home = compile_all(_show), Path(__file__).parent
        print(f"{done} functions of {home} compiled in {time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
