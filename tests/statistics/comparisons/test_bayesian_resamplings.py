"""Bayesian comparisons on one data set: baycomp's numbers, the authors' prints, Student's t."""

import numpy as np
import pytest
from oracles.benavoli import ANNEAL, PRINTED_ANNEAL
from scipy import stats

from hetsel.statistics.comparisons.bayesian_ranks import bayesian_t_test

FOLDS = np.array([0.02, -0.01, 0.03, 0.005, -0.02, 0.015, 0.0, 0.01, 0.025, -0.015])
# baycomp 1.0.3, CorrelatedTTest: left, rope, right; its variance factor is 1/K + 1/(folds - 1),
# folds = 1/rho: 10 for a tenth of the rows tested, 5 for a fifth, 1/0.18 for parted pairs of tenths
T_TESTS = [
    (ANNEAL, 0.01, 0.1, "nadeau-bengio", 3.021105047749901e-07, 0.95428566499056995),
    (ANNEAL, 0.02, 0.1, "nadeau-bengio", 7.50686583179013e-11, 0.4558906923499042),
    (ANNEAL, 0.02, 0.1, "parted-pairs", 5.496971029839857e-07, 0.467926611963436),
    (FOLDS, 0.01, 0.1, "nadeau-bengio", 0.036278142394688885, 0.31173218328228214),
    (FOLDS, 0.01, 0.1, "parted-pairs", 0.06639094054932715, 0.3445739212126617),
    (FOLDS, 0.005, 0.2, "nadeau-bengio", 0.1529340711503755, 0.5382272913214552),
    (FOLDS, 0.0, 0.1, "nadeau-bengio", 0.232650102510499, 0.767349897489501),
]


def three(found):
    return found.left, found.equivalent, found.right


@pytest.mark.parametrize(("differences", "rope", "share", "correction", "left", "right"), T_TESTS)
def test_the_correlated_t_test_equals_baycomp(differences, rope, share, correction, left, right):
    found = bayesian_t_test(differences, test_share=share, rope=rope, correction=correction)
    np.testing.assert_allclose(three(found), (left, 1 - left - right, right), rtol=0, atol=1e-14)
    assert found.left == pytest.approx(left, rel=1e-10)


def test_the_correlated_t_test_prints_what_its_authors_do():
    found = bayesian_t_test(ANNEAL, test_share=0.1, rope=0.01)
    # by accuracies rounded to 0.001 %
    np.testing.assert_allclose(three(found), PRINTED_ANNEAL, atol=2e-5)


def test_a_naive_posterior_is_the_t_test_read_another_way():
    found = bayesian_t_test(FOLDS, test_share=0.1, rope=0, correction="naive")
    one_sided = stats.ttest_1samp(FOLDS, 0, alternative="greater").pvalue
    assert found.left == pytest.approx(one_sided, rel=1e-12)
    assert found.equivalent == pytest.approx(0, abs=1e-15)


def test_differences_without_spread_leave_no_doubt():
    for value, where in ((-0.02, 0), (-0.01, 1), (0.0, 1), (0.01, 1), (0.0100001, 2)):
        assert three(bayesian_t_test([value] * 3, test_share=0.1))[where] == 1.0
    assert three(bayesian_t_test([0.1 + 0.2] * 2, test_share=0.1, rope=0.3)) == (0, 1, 0)


def test_exchanged_methods_exchange_the_sides():
    for differences in (ANNEAL, FOLDS, FOLDS[:2]):
        found = three(bayesian_t_test(differences, test_share=0.1))
        assert three(bayesian_t_test(-differences, test_share=0.1)) == found[::-1]


def test_errors_name_the_argument():
    with pytest.raises(ValueError, match="rope"):
        bayesian_t_test(FOLDS, test_share=0.1, rope=np.nan)
    with pytest.raises(ValueError, match="nadeau-bengio.*'none'"):
        bayesian_t_test(FOLDS, test_share=0.1, correction="none")
