"""Bayesian comparisons over data sets: baycomp's numbers, the authors' prints, integrals, loops."""

from fractions import Fraction

import numpy as np
import pytest
from oracles.benavoli import MEANS, PRINTED_SIGN, PRINTED_SIGNED_RANK
from scipy import stats
from twins.dirichlet_ranks import walsh_fractions

from hetsel.statistics.comparisons.bayesian_ranks import (
    bayesian_sign_test,
    bayesian_signed_rank_test,
    bayesian_signed_rank_tests,
    walsh_masses,
)

FEW = np.array([0.031, -0.0235, 0.052, 0.004, -0.013, 0.0271, 0.0152, -0.006])

# baycomp 1.0.3, a million draws (SignedRankTest) and ten million (SignTest): rope, strength, three
# each; no pair lies at an end of a region, where baycomp counts a half
RANK_TESTS = [
    (0.01, 0.5, (0.020842, 0.406208, 0.57295), (0.1355079, 0.2215773, 0.6429148)),
    (0.02, 0.5, (0.000122, 0.884799, 0.115079), (0.0250509, 0.7032071, 0.271742)),
    (0.01, 2.0, (0.014887, 0.526017, 0.459096), (0.0862539, 0.4568175, 0.4569286)),
]


def three(found):
    return found.left, found.equivalent, found.right


@pytest.mark.parametrize(("rope", "strength", "ranks", "signs"), RANK_TESTS)
def test_rank_tests_over_data_sets_equal_baycomp(rope, strength, ranks, signs):
    found = bayesian_signed_rank_test(FEW, rope=rope, prior_strength=strength, draws=400_000)
    for value, expected, error in zip(three(found), ranks, found.standard_errors, strict=True):
        both = np.hypot(error, np.sqrt(expected * (1 - expected) / 1e6))
        assert abs(value - expected) < 4 * both
    by_signs = bayesian_sign_test(FEW, rope=rope, prior_strength=strength)
    # drawn there, with 0.0001 added to each of the three numbers
    np.testing.assert_allclose(three(by_signs), signs, atol=7e-4)
    assert sum(three(by_signs)) == pytest.approx(1, abs=1e-9)


def test_rank_tests_print_what_their_authors_do():
    found = bayesian_signed_rank_test(MEANS, prior_strength=0.6, draws=100_000)
    # 50,000 draws there, a standard error of 0.0015; pairs at -0.02 count a half to the left
    np.testing.assert_allclose(three(found), PRINTED_SIGNED_RANK, atol=0.01)
    signs = bayesian_sign_test(MEANS)
    np.testing.assert_allclose(three(signs), PRINTED_SIGN, atol=0.006)


def test_the_quadratic_forms_equal_the_loop():
    rng = np.random.default_rng(0)
    for n, rope in ((1, 1), (2, 0), (3, 2), (6, 1), (12, 3), (25, 0)):
        places = rng.integers(-6, 7, n)
        weights = rng.integers(1, 50, (4, n))
        found = walsh_masses(weights.astype(float), places / 100, rope / 100)
        for row, masses in zip(weights.tolist(), found, strict=True):
            expected = walsh_fractions(list(map(Fraction, row)), places.tolist(), rope)
            assert masses.tolist() == [float(mass) for mass in expected]


def test_all_differences_in_the_region_are_equivalent():
    for differences in ([0.0], [0.01, -0.01, 0.003], [0.1 + 0.2 - 0.3, 0.01]):
        found = bayesian_signed_rank_test(differences, draws=1000)
        assert three(found) == (0, 1, 0)
        assert three(bayesian_sign_test(differences)) == (0, 1, 0)


@pytest.mark.parametrize(("n", "strength"), [(1, 0.5), (2, 1.0), (3, 0.5), (5, 2.0)])
def test_all_differences_far_above_by_hand(n, strength):
    """Only the pair of the prior with itself lies in the region: its weight is w_0^2."""
    found = bayesian_signed_rank_test([1.0] * n, prior_strength=strength, draws=200_000)
    expected = stats.beta.sf(np.sqrt(0.5), strength, n)
    assert found.left == 0
    assert abs(found.equivalent - expected) < 4 * found.standard_errors[1]
    # of the shares Beta(s, n) the prior's is the largest where it is above one half
    signs = bayesian_sign_test([1.0] * n, prior_strength=strength)
    expected = (0, stats.beta.sf(0.5, strength, n), stats.beta.cdf(0.5, strength, n))
    np.testing.assert_allclose(three(signs), expected, atol=1e-9)
    mirrored = bayesian_sign_test([-1.0] * n, prior_strength=strength)
    assert three(mirrored) == three(signs)[::-1]


def test_two_data_sets_that_disagree_by_hand():
    """1 and -1 without a prior: w^2, 2 w (1 - w) and (1 - w)^2, w uniform: a third for each."""
    found = bayesian_signed_rank_test([1.0, -1.0], prior_strength=0, draws=200_000)
    for value, error in zip(three(found), found.standard_errors, strict=True):
        assert abs(value - 1 / 3) < 4 * error
        assert error == pytest.approx(np.sqrt(2 / 9 / 200_000), rel=0.01)
    # with a prior of strength 1 three shares have one distribution
    np.testing.assert_allclose(three(bayesian_sign_test([1.0, -1.0])), 1 / 3, atol=1e-9)


def test_ends_of_the_region_lie_in_it():
    found = bayesian_signed_rank_test([0.1 + 0.2, 0.3, 0.1], rope=0.3, draws=1000)
    assert three(found) == (0, 1, 0)
    assert walsh_masses(np.ones((1, 2)), np.array([-0.04, 0.02]), 0.01).tolist() == [[1, 2, 1]]


def test_a_prior_elsewhere_counts_there():
    signs = bayesian_sign_test([0.05, 0.002], prior_place=-0.5)
    np.testing.assert_allclose(three(signs), 1 / 3, atol=1e-9)
    right, left = (
        bayesian_signed_rank_test(FEW, prior_place=place, prior_strength=3, draws=20_000)
        for place in (1.0, -1.0)
    )
    assert right.right > 0.9
    assert left.left > 0.4


def test_draws_follow_the_seed_and_have_an_error():
    one, same, other = (bayesian_signed_rank_test(FEW, draws=20_001, seed=s) for s in (1, 1, 2))
    assert one == same
    assert three(one) != three(other)
    assert sum(three(one)) == pytest.approx(1)
    sure = bayesian_signed_rank_test([1.0] * 60, draws=100)
    assert three(sure) == (0, 0, 1)
    assert sure.standard_errors[2] == pytest.approx(stats.beta(101, 1).std())


@pytest.mark.parametrize("place", [0.0, 0.02])
@pytest.mark.parametrize(
    "differences", [FEW, FEW[:5], [0.03, -0.03], [0.05, -0.05, 0.0], [0.0] * 3]
)
def test_the_order_changes_nothing_and_exchanged_methods_exchange_the_sides(differences, place):
    differences = np.array(differences)
    found = three(bayesian_signed_rank_test(differences, prior_place=place, draws=3000))
    for order in (slice(None, None, -1), np.argsort(np.sin(1e3 * differences))):
        again = bayesian_signed_rank_test(differences[order], prior_place=place, draws=3000)
        assert three(again) == found
    turned = bayesian_signed_rank_test(-differences, prior_place=-place, draws=3000)
    assert three(turned) == found[::-1]
    # differences that rounding moved are the same differences
    moved = differences * (1 + 1e-15 * np.arange(len(differences)))
    assert three(bayesian_signed_rank_test(-moved, prior_place=-place, draws=3000)) == found[::-1]


def test_what_is_as_much_above_as_below_is_so_for_both():
    found = bayesian_signed_rank_test([0.05, -0.05, 0.02, -0.02, 0.0], draws=2001)
    assert found.left == found.right


def test_several_pairs_are_what_each_is_alone():
    pairs = [FEW, -FEW[::-1], FEW[:3], [0.0, 0.0, 0.05], FEW[:1]]
    together = bayesian_signed_rank_tests(pairs, draws=12_000, seed=3)
    assert together == [bayesian_signed_rank_test(p, draws=12_000, seed=3) for p in pairs]
    assert bayesian_signed_rank_tests([]) == []


def test_errors_name_the_argument():
    for call in (bayesian_signed_rank_test, bayesian_sign_test):
        with pytest.raises(ValueError, match=r"rope.*-1"):
            call([0.1], rope=-1)
        with pytest.raises(ValueError, match=r"prior_strength.*-2"):
            call([0.1], prior_strength=-2)
        with pytest.raises(ValueError, match="prior_place"):
            call([0.1], prior_place=np.nan)
        with pytest.raises(ValueError, match=r"nan.*place 1"):
            call([0.1, np.nan])
        with pytest.raises(ValueError, match=r"\(0,\)"):
            call([])
    with pytest.raises(ValueError, match=r"draws.*0"):
        bayesian_signed_rank_test([0.1], draws=0)
