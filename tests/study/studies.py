"""Small studies for the tests, and methods that do as they are told."""

import os
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import numpy as np
import pytest
from frames import mixed_frame

from hetsel import Ranking, Study
from hetsel.ground.errors import PlanError
from hetsel.selection import About, BaseSelector, WeighingSelector

METHODS = ("rfe-svm", "rfe-mkl")
KINDS = ("classes", "numbers", "survival")


def small_study(**changes):
    """A mixed table of 60 rows, two methods, four resamplings."""
    X, y = mixed_frame(n=60, continuous=3, nominal=2, missing=0.05)
    entries = {
        "name": "small",
        "datasets": {"name": "mixed", "X": X, "y": y},
        "methods": METHODS,
        "resamplings": 4,
        "seed": 3,
    }
    return Study(**(entries | changes))


def run(study, path):
    """The results of a study, in this process."""
    return study.run(path, n_jobs=0, progress=False)


def refused_at_once(study, path, facts):
    """Fail unless a study is refused with these facts and its data set, and nothing is written."""
    with pytest.raises(PlanError) as error:
        run(study, path)
    for fact in (f"data set '{study.datasets[0].name}'", *facts):
        assert fact in str(error.value), str(error.value)
    assert not path.exists()


class Told(BaseSelector):
    """Ranks the columns as they come; fails or dies for chosen training rows."""

    flag: str = ""
    deadly: bool = False

    about = About("columns as they come", draws=True)

    def _select(self, problem):
        # some resamplings, by their seed
        odd = problem.n > 20 and int(problem.rng().integers(2)) == 1
        if self.flag and os.path.exists(self.flag) and odd:
            if self.deadly:
                os._exit(13)
            raise ArithmeticError("as it was told")
        return Ranking.from_importance(-np.arange(float(problem.p)))


class AsTheyCome(WeighingSelector):
    """Ranks the columns as they come; the user interrupts it where a file says so."""

    flag: str = ""

    about = About("columns as they come", targets=KINDS)

    def _select(self, problem):
        if self.flag and problem.n > 96 and (left := Path(self.flag).read_text()):
            Path(self.flag).write_text(left[1:])
            if len(left) == 1:
                raise KeyboardInterrupt
        return Ranking.from_importance(-np.arange(float(problem.p)))


class Rotated(WeighingSelector):
    """Rank the columns in their order, beginning with one of them."""

    first: int = 0
    label: str = ""

    about = About("columns from one of them on", targets=KINDS)

    def _select(self, problem):
        places = np.arange(problem.p)
        return Ranking.from_importance(-((places - self.first) % problem.p).astype(float))


class Claims(Told):
    """Ranks the columns as they come; the cut after rank k is proved, a tie or open by k mod 3."""

    def _select(self, problem):
        cuts = [("open", "proved", "tie")[k % 3] for k in range(1, problem.p)]
        return Ranking(np.arange(problem.p), np.zeros(problem.p), cuts=tuple(cuts))


class NoText(Exception):
    """An error that cannot be told, nor be pickled."""

    def __init__(self, lock):
        super().__init__(lock)

    def __str__(self):
        raise ValueError("no text")


class Base(BaseException):
    """No error for `except Exception`."""


def misbehave(how):
    """What a method may do to a study."""
    match how:
        case "abort":
            os.abort()
        case "leaves":
            os._exit(0)
        case "hangs":
            time.sleep(3600)
        case "runs a program":
            subprocess.run([sys.executable, "-c", "import time; time.sleep(3600)"], check=True)
        case "spins":
            while True:
                pass
        case "sys.exit":
            sys.exit()
        case "KeyboardInterrupt":
            raise KeyboardInterrupt
        case "GeneratorExit":
            raise GeneratorExit
        case "Base":
            raise Base("base")
        case "no text":
            raise NoText(threading.Lock())
        case "surrogate":
            raise ValueError("a \udc80 b \x00 c")
        case "long":
            raise ValueError("x" * 10**7)
        case "warns":
            for k in range(1000):
                warnings.warn(f"{k} " + "x" * 10**4, stacklevel=1)
        case "own cause":
            error = ValueError("own cause")
            error.__cause__ = error
            raise error


class Misbehaves(BaseSelector):
    """Ranks the columns as they come, if it comes to that; a file says when it is there."""

    how: str = ""
    flag: str = ""

    about = About("misbehaves")

    def _select(self, problem):
        if problem.n not in (20, 96):  # not few rows of a trial, nor the table of the warm-up
            if self.flag:
                open(self.flag, "w").close()
            misbehave(self.how)
        return Ranking.from_importance(-np.arange(float(problem.p)))


class Writes(BaseSelector):
    """Ranks the columns as they come, and writes into what it is given, if it can."""

    into: str = "values"
    quiet: bool = False
    entry: str = "_select"

    about = About("writes into its input")

    def _write(self, problem):
        codes = problem.target.codes
        try:
            if self.into == "values":
                problem.table.values[:] = problem.table.values[::-1].copy()
            elif self.into == "y":
                codes[:] = 1 - codes
        except ValueError:
            if not self.quiet:
                raise

    def solve(self, problem):
        if self.entry == "solve":
            self._write(problem)
        return super().solve(problem)

    def _select(self, problem):
        if self.entry == "_select":
            self._write(problem)
        return Ranking.from_importance(-np.arange(float(problem.p)))


class WholeCell:
    """A cell with its selection and the judgments of all judges, as arrays."""

    def __init__(self, cell):
        self.key, self.sizes, self.selection = cell.key, cell.sizes, cell.selection
        self.order, self.test, self.truth = (
            getattr(cell.selection, name) for name in ("order", "test", "truth")
        )
        self.training_mean, self.versions = cell.selection.training_mean, cell.selection.versions
        self.chosen, self.cuts = cell.chosen, cell.selection.cuts(cell.sizes)
        self.predictions = np.array([found.predictions for found in cell.judged])
        self.decisions = np.array([found.decisions for found in cell.judged])
        self.rank_seconds = cell.selection.seconds.processor
        texts = {*cell.selection.warnings}.union(*(found.warnings for found in cell.judged))
        self.warnings = tuple(sorted(texts))


def whole(cell):
    """The cell as arrays; a failure as it is."""
    return WholeCell(cell) if hasattr(cell, "selection") else cell


def cells_in(results, dataset, method):
    """Number of the resampling and the cell, as :meth:`hetsel.Results.cells`."""
    return [(r, whole(cell)) for r, cell in results.cells(dataset, method)]
