"""Permuted targets, which are unrelated to the features."""

from dataclasses import replace

import numpy as np
from scipy.special import gammaln

from hetsel.selection import Problem

FEWEST = 1000  # arrangements that permutations among groups of similar size must allow


def permuted_target(problem: Problem, rng: np.random.Generator) -> Problem:
    """Permute the target of a problem among exchangeable rows or row groups.

    If all rows of a group have one label (such as the outcome of a patient), labels are permuted
    among groups of similar size (1, 2 to 3, 4 to 7 and so on rows), because the number of rows may
    depend on the outcome. If this allows fewer than 1,000 arrangements, labels are permuted among
    all groups. If labels differ within groups, groups of the same size exchange all their labels in
    order, which keeps the dependence between neighboring rows. If group sizes differ, labels are
    also permuted within each group.
    """
    codes, groups = problem.target.content, problem.row_groups
    permuted = rng.permutation(codes) if groups is None else _permuted_groups(codes, groups, rng)
    return replace(problem, target=problem.target.of_content(permuted))


def one_label_a_group(codes: np.ndarray, groups: np.ndarray) -> bool:
    """Return whether the rows of each group have one label."""
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
    """Permute positions (groups,) within each kind."""
    order = np.arange(len(kinds))
    for kind in np.unique(kinds):
        of_kind = np.flatnonzero(kinds == kind)
        order[of_kind] = rng.permutation(of_kind)
    return order


def _alike(labels: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Return numbers (groups,); groups with the same number exchange labels."""
    kinds = np.floor(np.log2(sizes)).astype(np.int64)
    total = 0.0  # logarithm of the number of arrangements
    for kind in np.unique(kinds):
        counts = np.bincount(labels[kinds == kind])
        total += float(gammaln(counts.sum() + 1) - gammaln(counts + 1).sum())
    return kinds if total >= np.log(FEWEST) else np.zeros_like(kinds)
