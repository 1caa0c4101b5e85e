"""Corrections of p-values, against statsmodels and by hand."""

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from hetsel.statistics.comparisons.corrections import holm, level_of_families


@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 1, 2, 3, 10, 100])
def test_the_correction_of_holm_is_that_of_statsmodels_and_passes_over_nan(number):
    pvalues = np.random.default_rng(number).integers(0, 40, number) / 40  # some are equal
    expected = multipletests(pvalues, method="holm")[1] if number else []
    np.testing.assert_array_equal(holm(pvalues), expected)
    with_gaps = np.insert(pvalues, [0, number // 2, number], np.nan)
    corrected = holm(with_gaps)
    np.testing.assert_array_equal(np.isnan(corrected), np.isnan(with_gaps))
    np.testing.assert_array_equal(corrected[~np.isnan(with_gaps)], expected)


def test_families_share_a_level_and_hand_it_on_whole():
    one_each = [[0.01], [0.02], [0.3]]  # then it is Holm's
    assert level_of_families(one_each, [0, 0, 0]) == 0.05
    assert (
        level_of_families([[0.001, 0.04], [0.3], []], [0] * 3) == 0.025
    )  # one pair of two is not all
    assert level_of_families([[0.001, 0.04], [0.3]], [0.03, 0.03]) == 0.025
    assert level_of_families([[1.0], [0.3]], [0.06, 0.0]) == 0.05  # the first never rejects
