"""Splits: what each class gives, and that a seed keeps its splits."""

import numpy as np

from hetsel.study.specs import Resamplings
from hetsel.study.splits import class_quotas, sequence, split


def test_stratified_quotas():
    assert class_quotas(np.array([245, 185]), 43).tolist() == [25, 18]
    assert class_quotas(np.array([50, 3]), 5).tolist() == [5, 1]
    assert class_quotas(np.array([50, 2]), 5).tolist() == [5, 0]
    assert class_quotas(np.array([20, 14, 53]), 29).tolist() == [7, 5, 17]  # 6.67, 4.67, 17.67
    codes = np.repeat([0, 1, 2], [30, 20, 10])
    train, test = split(codes, Resamplings(test_share=0.2), np.random.SeedSequence(1))
    assert np.bincount(codes[test]).tolist() == [6, 4, 2]
    assert np.array_equal(np.sort(np.concatenate([train, test])), np.arange(60))


def test_the_splits_of_a_seed_stay_what_they_are():
    source = sequence(7, "ab" * 32, 5)
    _, test = split(np.arange(50) % 2, Resamplings(), source)
    assert test.tolist() == [14, 18, 19, 42, 43]
