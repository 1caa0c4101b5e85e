"""The clinical machines of numbers and of survival times, trained at every size of signature.

They predict what :class:`hetsel.ClinicalSVR` and :class:`hetsel.ClinicalSurvivalSVM` do of the
features of each subset; each machine starts from the one before.
"""

from __future__ import annotations

import numpy as np

from hetsel.kernels.feature_kernels import FeatureKernels
from hetsel.kernels.feature_loops import add_cross, add_decisions, add_gram, mirror
from hetsel.models.train_test_arrays import Split, Subsets, growth
from hetsel.solvers.survival_machine import comparable_pairs, solve_ranking
from hetsel.solvers.svm.active_set import HANDOVER
from hetsel.solvers.svm.tube import MOST_TURNS, solve_tube
from hetsel.solvers.svm.two_class_problems import number_bounds, positive_penalty, tube_of
from hetsel.tables.memory import FRUGAL_CLASSIFIERS, refuse_squares
from hetsel.tables.targets.numbers import Numbers
from hetsel.tables.targets.survival import Survival

GRID = 1e-10  # of standardized numbers and of risks: what is equal on paper differs by rounding


def clinical_svr(
    split: Split,
    subsets: Subsets,
    *,
    C: float,
    epsilon: float = 0.1,
    class_weight: None = None,
    seed: int = 0,
) -> np.ndarray:
    """Numbers (subsets, m) of epsilon-insensitive regression with the clinical kernel.

    Parameters
    ----------
    split : Split
        With `numbers`.
    subsets : sequence of ndarray of int
        Features of each subset; nested ones cost least, smallest first.
    C, epsilon : float
        As :class:`hetsel.ClinicalSVR` has them.
    class_weight : None
        Of classes only.
    seed : int
        Of no effect: it draws nothing.
    """
    assert split.numbers is not None
    target = Numbers(split.numbers)
    n, m = split.train.shape[1], split.test.shape[1]
    refuse_squares("clinical-svm", n, 1.0 + m / n, FRUGAL_CLASSIFIERS)
    y = target.standardized(np.arange(n), split.weights)
    mean, deviation = target.moments(split.weights)
    (bounds,) = number_bounds(n, C, split.weights)
    edge, beta = tube_of(epsilon), np.zeros(n)
    gram, cross = np.zeros((n, n)), np.zeros((m, n))
    room = np.empty((3, n))
    out = np.empty((len(subsets), m))
    for k, (new, anew) in enumerate(growth(subsets)):
        size = float(len(subsets[k]))
        if anew:
            cross[:] = 0.0
        terms = (split.nominal, split.gaps, new, np.ones(len(new)))
        if len(new) < 3 and not anew:
            add_cross(gram, split.train, split.train, *terms)
        else:
            add_gram(gram, split.train, *terms, anew)
            mirror(gram)
        add_cross(cross, split.test, split.train, *terms)
        start = (gram, size * y, bounds, size * edge, beta, size, HANDOVER, MOST_TURNS)
        _, bias = solve_tube(*start, room[0], room[1], room[2])
        decision = np.full(m, bias)
        add_decisions(cross, beta, decision)
        out[k] = decision / size
    return np.asarray(mean + deviation * (np.round(out / GRID) * GRID))


def clinical_ranking(
    split: Split, subsets: Subsets, *, C: float, class_weight: None = None, seed: int = 0
) -> np.ndarray:
    """Risks (subsets, m) of the machine with the clinical kernel that ranks survival times.

    Parameters
    ----------
    split : Split
        With `times` and `events`.
    subsets : sequence of ndarray of int
    C : float
        As :class:`hetsel.ClinicalSurvivalSVM` has it.
    class_weight : None
        Of classes only.
    seed : int
        Of no effect: it draws nothing.
    """
    assert split.times is not None
    assert split.events is not None
    target = Survival(split.times, split.events)
    n, m = split.train.shape[1], split.test.shape[1]
    refuse_squares("clinical-svm", n, m / n, FRUGAL_CLASSIFIERS)
    pairs = comparable_pairs(target.content, positive_penalty(C), split.weights)
    kernels, cross = FeatureKernels(split.train, split.nominal), np.zeros((m, n))
    out = np.empty((len(subsets), m))
    beta = None
    for k, (new, anew) in enumerate(growth(subsets)):
        if anew:
            cross[:] = 0.0
        add_cross(cross, split.test, split.train, split.nominal, split.gaps, new, np.ones(len(new)))
        own = kernels.subset(np.sort(subsets[k]))
        found = solve_ranking(own, pairs, np.inf, beta)
        beta = found.beta
        risks = own.decisions(found.weights, beta, np.zeros(1))[0]
        decision = np.zeros(m)
        add_decisions(cross, beta[0], decision)
        out[k] = decision / len(subsets[k]) - np.average(risks, weights=split.weights)
    return np.asarray(np.round(out / GRID) * GRID + 0.0)
