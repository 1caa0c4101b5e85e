"""The probabilities of a signature: the map that it keeps, and what held-out rows say of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hetsel.signature.probabilities.asked_probabilities import AskedProbabilities
from hetsel.signature.probabilities.class_probabilities import ClassProbabilities
from hetsel.signature.probabilities.nested_probabilities import NestedProbabilities
from hetsel.signature.probabilities.probability_facts import PredictedRows, probability_facts
from hetsel.signature.probabilities.subgroups import Subgroups, subgroup_facts
from hetsel.statistics.performance.rate_intervals import OVERLAP
from hetsel.study.rows.data_set import StudyData


@dataclass(frozen=True, eq=False)
class JudgedProbabilities:
    """Probabilities of a final model and what they are worth.

    Parameters
    ----------
    calibration : ClassProbabilities
    held_out : ndarray of shape (runs, n, C)
        Of each row that was given in each cross-validation, nothing of it learned from its fold; at
        the prevalence that was asked for. NaN of rows that were left out.
    facts : dict
        See :func:`hetsel.signature.probabilities.probability_facts.probability_facts`; beside these
        `map`, `maps` (how often each was chosen without a fold), `shares`, `runs`, and `by`, see
        :func:`hetsel.signature.probabilities.subgroups.subgroup_facts`.
    """

    calibration: ClassProbabilities
    held_out: np.ndarray
    facts: dict[str, Any]


def judged_probabilities(
    found: NestedProbabilities,
    data: StudyData,
    asked: AskedProbabilities,
    by: Subgroups,
    given: int,
) -> JudgedProbabilities:
    """Put together what is kept and told of probabilities.

    Parameters
    ----------
    found : NestedProbabilities
    data : StudyData
    asked : AskedProbabilities
    by : mapping of str to sequence of Subgroup
    given : int
        How many rows were given.
    """
    labels = data.target.labels.tolist()
    own = np.ones(len(data.target)) if data.weights is None else data.weights
    sums = np.bincount(data.target.codes, own, len(labels))
    shares = tuple((sums / sums.sum()).tolist())
    calibration = ClassProbabilities(found.final, shares, asked.prevalence)
    runs, n = found.held_out.shape[:2]
    p = np.stack([calibration.at_prevalence(one) for one in found.held_out])
    units = np.arange(n) if data.row_groups is None else data.row_groups
    rows = PredictedRows(
        np.tile(data.target.codes, runs),
        p.reshape(runs * n, -1),
        np.tile(own / runs, runs),
        np.tile(units, runs),
        OVERLAP,
        n,
    )
    facts = {
        "map": found.final.key,
        "maps": {key: found.chosen.count(key) for key in dict.fromkeys(found.chosen)},
        "shares": [*shares],
        "runs": runs,
        **probability_facts(rows, labels, asked),
        "by": subgroup_facts(found, data, rows, by, asked),
    }
    held_out = np.full((runs, given, len(labels)), np.nan)
    held_out[:, data.given_rows] = p
    return JudgedProbabilities(calibration, held_out, facts)
