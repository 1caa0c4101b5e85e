"""Labels that know nothing of the features: permuted as the rows may be exchanged."""

from dataclasses import replace

import numpy as np
from scipy.special import gammaln

from hetsel.selection import Problem

FEWEST = 1000  # arrangements of the labels, if groups exchange them with those of their size only


def permuted_target(problem: Problem, rng: np.random.Generator) -> Problem:
    """The problem with its labels permuted, or with its numbers, as rows or row groups are
    exchangeable.

    Where the rows of a group have one label (the outcome of a patient), groups exchange their
    labels with groups of about their size, 1, 2 to 3, 4 to 7 and so on, as the number of recordings
    may go with the outcome; with all groups where that leaves fewer than 1,000 arrangements. Where
    labels differ inside of groups, groups of one size are exchanged whole, their labels in the
    order that they have, so that neighbors go on sharing what they share; where not all have one
    size, each group's labels are permuted inside as well.
    """
    codes, groups = problem.target.content, problem.row_groups
    permuted = rng.permutation(codes) if groups is None else _permuted_groups(codes, groups, rng)
    return replace(problem, target=problem.target.of_content(permuted))


def one_label_a_group(codes: np.ndarray, groups: np.ndarray) -> bool:
    """Whether the rows of each group have one label."""
    return len(np.unique(np.stack([groups, codes]), axis=1).T) == len(np.unique(groups))


def _permuted_groups(codes: np.ndarray, groups: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    _, first, group, sizes = np.unique(
        groups, return_index=True, return_inverse=True, return_counts=True
    )
    if one_label_a_group(codes, groups):
        labels = codes[first]
        return labels[_exchanged(_alike(labels, sizes), rng)][group]
    rows = np.argsort(group, kind="stable")
    starts = np.cumsum(sizes) - sizes
    inside = np.ptp(sizes) > 0
    taken = []
    for g in _exchanged(sizes, rng):
        part = rows[starts[g] : starts[g] + sizes[g]]
        taken.append(rng.permutation(part) if inside else part)
    permuted = np.empty_like(codes)
    permuted[rows] = codes[np.concatenate(taken)]
    return permuted


def _exchanged(kinds: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Positions (groups,) permuted among those of one kind."""
    order = np.arange(len(kinds))
    for kind in np.unique(kinds):
        of_kind = np.flatnonzero(kinds == kind)
        order[of_kind] = rng.permutation(of_kind)
    return order


def _alike(labels: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Which groups exchange their labels (groups,): those of one number do."""
    kinds = np.floor(np.log2(sizes)).astype(np.int64)
    total = 0.0  # logarithm of how many arrangements there are
    for kind in np.unique(kinds):
        counts = np.bincount(labels[kinds == kind])
        total += float(gammaln(counts.sum() + 1) - gammaln(counts + 1).sum())
    return kinds if total >= np.log(FEWEST) else np.zeros_like(kinds)
