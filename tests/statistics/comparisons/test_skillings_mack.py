"""Skillings and Mack's test: two packages of R, the paper's example, Friedman, Durbin, loops."""

import numpy as np
import pytest
from oracles.demsar import AUC
from scipy import stats
from twins.skillings_mack import permutation_share, ranks_by_counting, statistic

from hetsel.statistics.comparisons.friedman import friedman
from hetsel.statistics.comparisons.pairwise_ranks import nemenyi
from hetsel.statistics.comparisons.skillings_mack import (
    nemenyi_with_gaps,
    separate_parts,
    skillings_mack,
)

GAP = np.nan
# Skillings & Mack (1981), Table 1: four methods of assembling a product
PAPER = [
    [3.2, 4.1, 3.8, 4.2],
    [3.1, 3.9, 3.4, 4.0],
    [4.3, 3.5, 4.6, 4.8],
    [3.5, 3.6, 3.9, 4.0],
    [3.6, 4.2, 3.7, 3.9],
    [4.5, 4.7, 3.7, GAP],
    [GAP, 4.2, 3.4, GAP],
    [4.3, 4.6, 4.4, 4.9],
    [3.5, GAP, 3.7, 3.9],
]
# Brady (1969) in Hollander & Wolfe (1999): dysfluencies of stutterers
BRADY = np.array(
    [[3, 1, 5, 2, 0, 0, 0, 0], [5, 3, 4, GAP, 2, 2, 3, 2], [15, 18, 21, 6, 17, 10, 8, 13]]
).T
TIED = [
    [3, 3, 1, GAP, 2],
    [4, 2, 2, 2, GAP],
    [GAP, 1, 1, 5, 5],
    [2, GAP, 3, 3, 3],
    [1, 2, GAP, 2, 4],
    [5, 5, 5, 1, GAP],
    [GAP, GAP, 2, 2, 1],
]
DURBIN = [[GAP, 1.2, 3.1, 2.2], [0.3, GAP, 0.9, 1.4], [5.5, 5.1, GAP, 6.2], [2.1, 2.9, 2.5, GAP]]
# SkiMack of Skillings.Mack and skillingsMackTest of PMCMRplus, which agree to 15 digits, in R 4.2
FROM_R = {
    "paper": (PAPER, 15.4930487975293, 3, 0.00144029630249086),
    "brady": (BRADY, 13.280951844581, 2, 0.00130640534843546),
    "tied": (TIED, 0.493458989528846, 4, 0.974134615062832),
    "durbin": (DURBIN, 3.75, 3, 0.289755781193383),
}
# SkiMack by 20,000 permutations
SIMULATED = {"paper": (PAPER, 5e-04), "tied": (TIED, 0.9654), "brady": (BRADY[:4], 0.04085)}


def lists(scores):
    return [[None if np.isnan(x) else float(x) for x in row] for row in scores]


@pytest.mark.parametrize("name", FROM_R)
def test_the_statistic_is_that_of_r(name):
    scores, chi2, df, pvalue = FROM_R[name]
    found = skillings_mack(scores, larger_is_better=False)
    assert found.statistic == pytest.approx(chi2, rel=1e-12)
    assert found.df == df
    assert found.pvalue == pytest.approx(pvalue, rel=1e-11)
    ranked = [ranks_by_counting(row) for row in lists(scores)]
    assert found.statistic == pytest.approx(statistic(ranked), rel=1e-12)
    turned = skillings_mack(scores)
    assert turned.statistic == pytest.approx(chi2, rel=1e-12)
    np.testing.assert_allclose(turned.adjusted_sums, -found.adjusted_sums, atol=1e-12)


def test_the_example_of_the_paper():
    found = skillings_mack(PAPER, larger_is_better=False)
    assert round(found.statistic, 2) == 15.49
    # A by SkiMack
    expected = [-14.1255975154326, 4.28124414605184, -4.28124414605184, 14.1255975154326]
    np.testing.assert_allclose(found.adjusted_sums, expected, rtol=1e-12)
    assert found.n_gaps == 4
    assert found.order == ("1", "3", "2", "4")
    assert found.frame()["blocks"].tolist() == [8, 9, 8, 7]


@pytest.mark.parametrize("name", SIMULATED)
def test_permutations_agree_with_those_of_r(name):
    scores, expected = SIMULATED[name]
    found = skillings_mack(scores).permutation_pvalue()
    error = np.sqrt(2 * expected * (1 - expected) / 20_000)
    assert abs(found - expected) < 4 * error + 1e-4


def test_few_permutations_are_all_counted():
    rng = np.random.default_rng(5)
    for holes in ([(0, 2)], [(1, 0), (2, 1)], [(0, 0), (3, 2)]):
        scores = rng.integers(0, 6, (4, 3)).astype(float)
        for place in holes:
            scores[place] = GAP
        found = skillings_mack(scores).permutation_pvalue()
        assert found == pytest.approx(permutation_share(lists(-scores)), abs=1e-12)


def test_without_gaps_it_is_friedman():
    rng = np.random.default_rng(2)
    for n, k in ((4, 3), (6, 5), (12, 4)):
        scores = rng.standard_normal((n, k))
        found, by_friedman = skillings_mack(scores), friedman(scores)
        assert found.statistic == pytest.approx(stats.friedmanchisquare(*scores.T).statistic)
        np.testing.assert_allclose(found.mean_ranks, by_friedman.mean_ranks)
        one, other = nemenyi_with_gaps(found), nemenyi(by_friedman)
        np.testing.assert_allclose(one.pvalues, other.pvalues, rtol=1e-9)
        assert one.least == pytest.approx(other.least)
        assert one.groups == other.groups
    small = scores[:3, :3]
    assert skillings_mack(small).permutation_pvalue() == friedman(small).permutation_pvalue()
    tied = friedman(AUC)
    assert skillings_mack(AUC).statistic == pytest.approx(tied.statistic_ignoring_ties)


def test_balanced_incomplete_blocks_are_durbins():
    """Durbin's statistic, 12 (t - 1) / (r t (k - 1) (k + 1)) sum of (R_j - r (k + 1)/2)^2."""
    ranks = np.array([ranks_by_counting(row) for row in lists(DURBIN)], dtype=float)
    sums = np.nansum(ranks, axis=0)
    expected = 12 * 3 / (3 * 4 * 2 * 4) * ((sums - 3 * 2) ** 2).sum()
    assert skillings_mack(DURBIN).statistic == pytest.approx(expected)


def test_two_methods_are_compared_by_signs():
    scores = [[0.9, 0.5], [0.8, 0.4], [0.3, GAP], [0.7, 0.2], [0.1, 0.6]]
    found = skillings_mack(scores)
    assert found.n_blocks == 4
    assert found.statistic == pytest.approx((3 - 1) ** 2 / 4)
    assert found.permutation_pvalue() == pytest.approx(stats.binomtest(3, 4).pvalue)


def test_whom_a_method_meets_counts():
    """Two methods share their ranks, but one of them is absent where the best is present."""
    half = [[GAP, 0.5 + 0.1 * (-1) ** b, 0.5 - 0.1 * (-1) ** b, 0.1] for b in range(10)]
    whole = [[0.9, GAP, 0.5, 0.1] for _ in range(10)]
    found = skillings_mack(half + whole, names=["best", "second", "equal", "last"])
    plain = np.nanmean(1 + 3 * (found.ranks - 1) / 2, axis=0)  # stretched to 1..4
    assert plain[2] - plain[1] == pytest.approx(0.375)
    assert 0 < found.mean_ranks[2] - found.mean_ranks[1] < 0.19
    assert nemenyi_with_gaps(found).pvalues[1, 2] > 0.9


@pytest.mark.slow
def test_pairs_with_gaps_hold_their_level():
    """Orders equally likely, a fifth of the scores absent: some pair differs in about 5 %."""
    rng = np.random.default_rng(11)
    hits = 0
    for _ in range(400):
        scores = rng.standard_normal((12, 4))
        scores[rng.random(scores.shape) < 0.2] = GAP
        hits += nemenyi_with_gaps(skillings_mack(scores)).differs.any()
    assert hits <= stats.binom.isf(1e-3, 400, 0.06)


def test_the_least_pvalue_is_reached_where_all_blocks_agree():
    scores = np.tile([4.0, 3.0, 2.0, 1.0], (6, 1))
    scores[0, 1] = scores[3, 2] = GAP
    found = nemenyi_with_gaps(skillings_mack(scores))
    assert found.least == pytest.approx(found.pvalues.min(), rel=1e-6)


def test_no_difference_at_all():
    found = skillings_mack([[1, 1, GAP], [2, 2, 2], [3, 3, 3]])
    assert (found.statistic, found.pvalue) == (0.0, 1.0)
    assert found.permutation_pvalue() == 1.0
    assert (nemenyi_with_gaps(found).pvalues == 1).all()


def test_what_cannot_be_compared_is_refused():
    apart = [[1, 2, GAP, GAP], [2, 3, GAP, GAP], [GAP, GAP, 4, 2], [GAP, GAP, 3, 1]]
    with pytest.raises(ValueError, match="a, b; c, d"):
        skillings_mack(apart, names=["a", "b", "c", "d"])
    assert separate_parts(~np.isnan(apart)) == [[0, 1], [2, 3]]
    with pytest.raises(ValueError, match="2 blocks.*1 such"):
        skillings_mack([[1, 2], [1, GAP], [GAP, GAP]])
    with pytest.raises(ValueError, match="inf for method 2 in row 1"):
        skillings_mack([[1, 2], [1, np.inf]])
    with pytest.raises(ValueError, match=r"level.*2"):
        nemenyi_with_gaps(skillings_mack(PAPER), level=2)
