"""Small studies for the tests, and methods that do as they are told."""

import os

import numpy as np
from frames import mixed_frame

from hetsel import About, BaseSelector, Ranking, Study

METHODS = ("rfe-svm", "rfe-mkl")


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
