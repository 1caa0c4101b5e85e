"""Permuted labels keep what the rows of a group share."""

import numpy as np
import pytest

from hetsel import Table
from hetsel.search.permuting import one_label_a_group, permuted_target
from hetsel.selection.problem import Problem
from hetsel.signature.chance import ChanceTest, too_few
from hetsel.tables.target import Classes

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


def test_groups_of_several_sizes_keep_the_counts_of_the_labels():
    groups = np.array([0, 0, 1, 1, 1, 2])
    for one in permutations([0, 1, 1, 1, 0, 0], groups):
        assert sorted(one) == list("aaabbb")


@pytest.mark.parametrize(("rate", "pvalue"), [(0.9, 0.25), (0.7, 0.75), (0.5, 1.0), (0.1, 1.0)])
def test_the_p_value_counts_equal_rates_and_is_never_0(rate, pvalue):
    assert ChanceTest(rate, np.array([0.5, 0.7, 0.7 - 1e-12]), 5).pvalue == pvalue


def test_the_rarest_class_is_the_one_that_is_named():
    assert "class b" in too_few([20, 5, 9], ["a", "b", "c"], 10, "rows")
    assert too_few([20, 10], ["a", "b"], 10, "rows") == ""
