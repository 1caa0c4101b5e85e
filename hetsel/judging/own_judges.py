"""Judges of hetsel that predict numbers or risks; those of classes stand in `models`.

A key means the same for every kind of target, as far as it is there: see `JUDGES_BY_KIND`. Risks
are larger where the event is expected sooner; the test rows of a split of survival times are its
training rows, too, which calibrate them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from hetsel.ground.errors import TableError
from hetsel.ground.text import listed
from hetsel.judging.scikit_judges import ridge
from hetsel.judging.survival_judges import cox
from hetsel.models.final_classifiers import FINAL, WEIGHING
from hetsel.models.final_clinical_machines import clinical_numbers, clinical_survival
from hetsel.models.final_regressors import forest_numbers, nearest_numbers, nearest_survival
from hetsel.models.train_test_arrays import Split, Subsets

# (split, subsets, seed=, parameters) -> predicted numbers, or risks, (subsets, m)
Predicts = Callable[..., np.ndarray]
# a key that stands here, in FINAL and with its parameters in a plan judges one more kind of target
NUMBERS: dict[str, Predicts] = {
    "ridge": ridge,
    "clinical-svm": clinical_numbers,
    "5nn": nearest_numbers,
    "random-forest": forest_numbers,
}
SURVIVAL: dict[str, Predicts] = {
    "cox": cox,
    "clinical-svm": clinical_survival,
    "5nn": nearest_survival,
}
JUDGES_BY_KIND: dict[str, Mapping[str, Predicts]] = {
    "classes": FINAL,
    "numbers": NUMBERS,
    "survival": SURVIVAL,
}
DEFAULT_KEYS = {"classes": "clinical-svm", "numbers": "ridge", "survival": "cox"}
# those that know weights of rows
WEIGHING_BY_KIND: dict[str, tuple[str, ...]] = {
    "classes": WEIGHING,
    "numbers": ("ridge", "clinical-svm", "random-forest"),
    "survival": ("cox", "clinical-svm"),
}


def kinds_of(key: str) -> tuple[str, ...]:
    """The kinds of targets that a key judges.

    Examples
    --------
    >>> kinds_of("5nn"), kinds_of("naive-bayes")
    (('classes', 'numbers', 'survival'), ('classes',))
    """
    return tuple(kind for kind, judges in JUDGES_BY_KIND.items() if key in judges)


def told_kind(split: Split) -> str:
    """The kind of the target of the training rows of a split."""
    if split.times is not None:
        return "survival"
    return "classes" if split.numbers is None else "numbers"


def predict(
    key: str, split: Split, subsets: Subsets, *, seed: int, params: Mapping[str, Any]
) -> np.ndarray:
    """Predicted numbers, or risks, (subsets, m) of the test rows.

    Parameters
    ----------
    key : str
        One of NUMBERS, or of SURVIVAL.
    split : Split
        With the numbers, or the times and events, of its training rows: they say which.
    subsets : sequence of ndarray of int
        Features of each subset, in any order; nested ones cost least, smallest first.
    seed : int
        Of the judges that draw.
    params : mapping
        The judge's own parameters.

    Raises
    ------
    TableError
        Weights of rows, which the judge cannot use.
    """
    kind = told_kind(split)
    if split.weights is not None:
        refuse_weights_of_judge(key, kind)
    return JUDGES_BY_KIND[kind][key](split, subsets, seed=seed, **params)


def refuse_weights_of_judge(key: str, kind: str | None = None) -> None:
    """Refuse weights of rows where a judge cannot use them; without a kind, where none can.

    Raises
    ------
    TableError
    """
    kinds = kinds_of(key) if kind is None else (kind,)
    if any(key in WEIGHING_BY_KIND[one] for one in kinds):
        return
    able = dict.fromkeys(judge for one in kinds for judge in WEIGHING_BY_KIND[one])
    advice = f"Those that can: {listed(able)}" if able else "None of hetsel can"
    raise TableError(f"row_weights: the judge {key} cannot weigh rows. {advice}")
