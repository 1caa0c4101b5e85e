"""Small studies for the tests, and methods that do as they are told."""

import os
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from frames import mixed_frame

from hetsel import BaseSelector, Ranking, Study

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


@dataclass(eq=False, repr=False, kw_only=True)
class Told(BaseSelector):
    """Ranks the columns as they come; fails or dies for chosen training rows."""

    flag: str = ""
    deadly: bool = False

    key: ClassVar[str] = "told"
    title: ClassVar[str] = "columns as they come"

    def _select(self, table, y, sizes, rng):
        odd = len(y) > 20 and int(rng.integers(2)) == 1  # some resamplings, by their seed
        if self.flag and os.path.exists(self.flag) and odd:
            if self.deadly:
                os._exit(13)
            raise ArithmeticError("as it was told")
        return Ranking.from_importance(-np.arange(float(table.shape[1])))
