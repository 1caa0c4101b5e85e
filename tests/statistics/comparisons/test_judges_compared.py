"""Whether ranks depend on the judge: against a slow twin, scipy, and its level."""

from itertools import permutations, product

import numpy as np
import pytest
from scipy import stats

from hetsel.ground.errors import TableError
from hetsel.stats import judge_effect


def drawn(rng, judges, blocks, methods, shift=0.0):
    """Ranks of scores that share the effect of the data set; the last judge likes method 0."""
    scores = rng.normal(size=(judges, blocks, methods))
    scores[-1, :, 0] += shift
    return stats.rankdata(-scores, axis=2)


def slow(ranks):
    """The same p-value by loops over all permutations of all data sets."""
    judges, blocks, methods = ranks.shape

    def statistic(table):
        total = 0.0
        for m in range(methods):
            means = [sum(table[j][b][m] for b in range(blocks)) / blocks for j in range(judges)]
            middle = sum(means) / judges
            total += sum((mean - middle) ** 2 for mean in means)
        return total

    observed = statistic(ranks.tolist())
    reached = []
    for orders in product(permutations(range(judges)), repeat=blocks):
        table = [[ranks[orders[b][j], b].tolist() for b in range(blocks)] for j in range(judges)]
        reached.append(statistic(table) >= observed - 1e-9)
    return observed, sum(reached) / len(reached)


@pytest.mark.parametrize("shape", [(2, 4, 3), (3, 3, 4), (2, 6, 2)])
@pytest.mark.parametrize("shift", [0.0, 2.0])
def test_all_permutations_are_those_of_a_slow_twin(shape, shift):
    ranks = drawn(np.random.default_rng(4), *shape, shift)
    found = judge_effect(ranks)
    statistic, pvalue = slow(ranks)
    assert found.statistic == pytest.approx(statistic)
    assert found.pvalue == pytest.approx(pvalue)


def test_two_judges_and_two_methods_are_a_sign_flip_test_of_scipy():
    ranks = drawn(np.random.default_rng(8), 2, 9, 2, 1.0)
    apart = ranks[0, :, 0] - ranks[1, :, 0]
    test = stats.permutation_test(
        (apart,),
        lambda x, axis: np.abs(x.mean(axis=axis)),
        permutation_type="samples",
        vectorized=True,
        n_resamples=np.inf,
        alternative="greater",
    )
    assert judge_effect(ranks).pvalue == pytest.approx(test.pvalue)


def test_drawn_permutations_are_near_all_of_them_and_the_level_holds():
    rng = np.random.default_rng(5)
    pvalues = [judge_effect(drawn(rng, 3, 7, 4)).pvalue for _ in range(150)]  # 6^6 permutations
    for level in (0.05, 0.2):
        assert stats.binomtest(sum(p <= level for p in pvalues), 150, level).pvalue > 0.001
    assert judge_effect(drawn(rng, 3, 12, 4, 3.0)).pvalue < 0.01


def test_concordance_is_that_of_friedmans_statistic():
    ranks = drawn(np.random.default_rng(6), 4, 5, 5)
    means = ranks.mean(axis=1)
    chi2 = stats.friedmanchisquare(*means.T).statistic
    assert judge_effect(ranks).concordance == pytest.approx(chi2 / (4 * 4))  # judges x (k - 1)


def test_least_is_reached_by_opposite_judges():
    ranks = np.array([[[1, 2, 3]] * 4, [[3, 2, 1]] * 4])
    found = judge_effect(ranks)
    assert found.pvalue == found.least == 1 / 8


@pytest.mark.parametrize("ranks", [[[1, 2]], [[[1, 2]]], [[[1, np.nan]], [[1, 2]]]])
def test_what_are_no_ranks_of_judges_is_refused(ranks):
    with pytest.raises(TableError, match="ranks must have shape"):
        judge_effect(ranks)
