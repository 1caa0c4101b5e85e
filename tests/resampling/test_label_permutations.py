"""Permuted labels keep what the rows of a group share."""

import numpy as np

from hetsel import Table
from hetsel.resampling.label_permutations import one_label_a_group, permuted_target
from hetsel.selection import Problem
from hetsel.tables import Classes

DRAWS = 300


def permutations(codes, groups=None):
    table = Table.read(np.random.default_rng(0).normal(size=(len(codes), 1)))
    labels = np.array(["a", "b", "c"])[: max(codes) + 1]
    problem = Problem(table, Classes(np.array(codes), labels), (), row_groups=groups)
    for seed in range(DRAWS):
        target = permuted_target(problem, np.random.default_rng(seed)).target
        yield target.labels[target.codes]


def test_rows_without_groups_take_every_order_alike():
    found = ["".join(one) for one in permutations([0, 0, 1, 1])]
    counts = {order: found.count(order) for order in set(found)}
    assert len(counts) == 6
    assert min(counts.values()) > DRAWS / 6 * 0.6


def test_groups_with_one_label_exchange_labels():
    groups = np.array([0, 0, 0, 1, 1, 2, 3, 3])
    found = {"".join(one) for one in permutations([0, 0, 0, 1, 1, 0, 1, 1], groups)}
    assert all(one_label_a_group(np.array(list(one)), groups) for one in found)
    assert len(found) == 6  # which two of the four groups have the label


def test_groups_of_one_size_with_several_labels_are_exchanged_whole():
    groups = np.repeat([0, 1, 2], 3)
    parts = {"aab", "bbb", "aba"}
    for one in permutations([0, 0, 1, 1, 1, 1, 0, 1, 0], groups):
        joined = "".join(one)
        assert {joined[:3], joined[3:6], joined[6:]} == parts


def test_groups_of_several_sizes_keep_their_own_counts_of_the_labels():
    """Of each size the same counts: nothing moves over the border of a group."""
    groups = np.array([0, 0, 1, 1, 1, 2, 3, 3])
    found = {"".join(one) for one in permutations([0, 1, 1, 1, 0, 0, 1, 1], groups)}
    for one in found:
        assert sorted([one[:2].count("a"), one[6:].count("a")]) == [0, 1]
        assert one[2:5].count("a") == 1
        assert one[5] == "a"
    assert len(found) == 2 * 2 * 3


def test_groups_with_one_label_exchange_labels_with_groups_of_about_their_size():
    sizes = np.repeat([1, 2, 3, 8, 15], [8, 8, 8, 8, 8])
    groups = np.arange(40).repeat(sizes)
    labels = np.random.default_rng(0).integers(0, 2, 40)
    first = np.cumsum(sizes) - sizes
    for one in permutations(labels[groups], groups):
        own = np.array(one)[first] == "b"
        for least, most in ((1, 1), (2, 3), (8, 15)):
            alike = (sizes >= least) & (sizes <= most)
            assert own[alike].sum() == labels[alike].sum()
