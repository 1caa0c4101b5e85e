"""Wilcoxon's exact p-values: by hand, by fractions, by scipy's permutations; their least."""

import numpy as np
import pytest
from scipy import stats
from twins.signed_rank import signed_rank_fraction

from hetsel.statistics.comparisons.pairwise_ranks import (
    least_signed_rank_pvalue,
    nemenyi,
    signed_rank_pvalue,
    wilcoxon_holm,
)


def test_ties_and_zeros_by_hand():
    # ranks 1.5 1.5 3, one zero: of 8 sums 0, 1.5, 1.5, 3, 3, 4.5, 4.5, 6 one is 0, W- = 1.5
    assert signed_rank_pvalue([1, -1, 2, 0]) == pytest.approx(2 * 3 / 8)
    assert signed_rank_pvalue([0, 0]) == 1.0
    assert signed_rank_pvalue([2, 2, 2, 2, 2, 2]) == 2 / 64


@pytest.mark.slow
def test_exact_pvalues_agree_with_fractions_and_permutations():
    rng = np.random.default_rng(0)
    seen = set()
    for n in (1, 3, 6, 9, 13, 30, 49):
        for most in (2, 5, 10**6):
            differences = rng.integers(-most // 2, most + 1, n)
            found = signed_rank_pvalue(differences)
            assert found == pytest.approx(float(signed_rank_fraction(differences.tolist())))
            seen.add((0 in differences, len(set(np.abs(differences))) < n))
            kept = differences[differences != 0]
            if 1 < len(kept) <= 13:
                method = stats.PermutationMethod(n_resamples=2**14)
                by_scipy = stats.wilcoxon(kept, method=method).pvalue
                assert found == pytest.approx(min(by_scipy, 1.0))
    assert len(seen) == 4 or {(True, True), (False, False)} <= seen


def test_many_differences_are_approximated():
    differences = np.random.default_rng(1).integers(-3, 6, 80)
    found = stats.wilcoxon(differences[differences != 0], correction=True, method="approx")
    assert signed_rank_pvalue(differences) == pytest.approx(found.pvalue)


def test_the_least_corrected_pvalue_that_the_blocks_allow():
    """The most extreme scores reach it: 6 data sets and 5 methods, 10 * 2 / 64 = 0.3125."""
    scores = np.arange(6)[:, None] * 0.01 + np.arange(5)[None, :] * (1 + np.arange(6))[:, None]
    found = wilcoxon_holm(scores)
    assert found.least == 10 * least_signed_rank_pvalue(6) == 0.3125
    assert found.pvalues.min() == found.least
    assert not found.differs.any()
    assert "No corrected p-value of so few blocks is below 0.312" in str(found)
    from hetsel.statistics.comparisons.friedman import friedman

    by_ranks = nemenyi(friedman(scores))
    assert by_ranks.least == pytest.approx(by_ranks.pvalues.min())
    assert by_ranks.least < 0.05
    assert "No corrected" not in str(by_ranks)
