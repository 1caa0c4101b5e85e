"""Labels that know nothing of the features: permuted as the rows may be exchanged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hetsel.selection.problem import Problem
from hetsel.tables.target import Classes


def permuted_target(problem: Problem, rng: np.random.Generator) -> Problem:
    """The problem with its labels permuted.

    Rows without groups are exchangeable: any permutation. Where the rows of a group have one label
    (the outcome of a patient), groups are: they exchange their labels. Where they differ, the
    labels keep the order that they have inside of the groups, and the groups come in another order:
    what neighbors in a group share they go on sharing. Of groups of one size this exchanges whole
    groups; else the borders move.

    Parameters
    ----------
    problem : Problem
    rng : Generator

    Examples
    --------
    >>> from hetsel import Table
    >>> table = Table.read(np.arange(4.0)[:, None])
    >>> groups = np.array([0, 0, 1, 1])
    >>> given = Problem(table, Classes(np.array([0, 0, 1, 1]), np.array(["a", "b"])), (),
    ...                 row_groups=groups)
    >>> codes = permuted_target(given, np.random.default_rng(0)).target.codes
    >>> bool(codes[0] == codes[1]), bool(codes[2] == codes[3])
    (True, True)
    """
    codes, groups = problem.target.codes, problem.row_groups
    if groups is None:
        return replace(problem, target=Classes(rng.permutation(codes), problem.target.labels))
    permuted = _permuted_groups(codes, groups, rng)
    return replace(problem, target=Classes(permuted, problem.target.labels))


def one_label_a_group(codes: np.ndarray, groups: np.ndarray) -> bool:
    """Whether the rows of each group have one label."""
    return len(np.unique(np.stack([groups, codes]), axis=1).T) == len(np.unique(groups))


def _permuted_groups(codes: np.ndarray, groups: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    present, first, group = np.unique(groups, return_index=True, return_inverse=True)
    order = rng.permutation(len(present))
    if one_label_a_group(codes, groups):
        return codes[first][order][group]
    rows = np.argsort(group, kind="stable")
    counts = np.bincount(group)
    starts = np.cumsum(counts) - counts
    taken = np.concatenate([rows[starts[g] : starts[g] + counts[g]] for g in order])
    permuted = np.empty_like(codes)
    permuted[rows] = codes[taken]
    return permuted
