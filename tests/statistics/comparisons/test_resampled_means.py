"""Resampled t-test and intervals against R, by hand, and on resamplings of known correlation."""

import numpy as np
import pytest
from r_numbers import numbers_of_r
from scipy import stats

from hetsel.statistics.comparisons.resampled_means import (
    crossfitted_sizes,
    half_widths,
    resampled_interval,
    resampled_t_test,
    smallest_good_size,
)

SAMPLES = [
    np.random.default_rng(i).normal(0.02 * i, 0.1, size) for i, size in enumerate((2, 5, 30, 200))
]


@pytest.fixture(scope="module")
def r_tests(tmp_path_factory):
    """t, df, p and 90 % interval of R's t.test of each sample, in one process."""
    folder = tmp_path_factory.mktemp("r")
    text = "\n".join(" ".join(f"{x:.17g}" for x in sample) for sample in SAMPLES)
    (folder / "samples.txt").write_text(text + "\n")
    script = """
        for (line in readLines("samples.txt")) {
          t <- t.test(as.numeric(strsplit(line, " ")[[1]]), conf.level = 0.9)
          cat(sprintf("%.17g", c(t$statistic, t$parameter, t$p.value, t$conf.int)), "\\n")
        }"""
    return numbers_of_r(script, folder)


def test_many_widths_at_once(r_tests):
    deviations = [sample.std(ddof=1) for sample in SAMPLES]
    counts = [len(sample) for sample in SAMPLES]
    low, high = r_tests[:, 3:].T
    np.testing.assert_allclose(half_widths(deviations, counts, level=0.9), (high - low) / 2)
    wider = np.sqrt(1 + np.array(counts) / 9) * (high - low) / 2
    np.testing.assert_allclose(half_widths(deviations, counts, 0.1, 0.9), wider)
    assert np.isnan(half_widths([0.0, 1.0], [0, 1])).all()


@pytest.mark.parametrize("i", range(len(SAMPLES)))
def test_naive_is_the_t_test_of_r(i, r_tests):
    test = resampled_t_test(SAMPLES[i], test_share=0.1, correction="naive")
    interval = resampled_interval(SAMPLES[i], test_share=0.1, level=0.9, correction="naive")
    found = [test.statistic, test.df, test.pvalue, interval.low, interval.high]
    np.testing.assert_allclose(found, r_tests[i], rtol=1e-9)
    assert interval.mean == test.mean == pytest.approx(SAMPLES[i].mean())


def test_only_greater_means_count():
    for sample in (SAMPLES[0], -SAMPLES[0]):
        found = [
            resampled_t_test(sample, test_share=0.1, correction="naive", alternative=alternative)
            for alternative in ("two-sided", "greater")
        ]
        expected = stats.ttest_1samp(sample, 0, alternative="greater").pvalue
        assert found[1].pvalue == pytest.approx(expected)
        assert found[0].statistic == found[1].statistic
    flat = [
        resampled_t_test([x] * 3, test_share=0.1, alternative="greater").pvalue for x in (-1, 0, 1)
    ]
    assert flat == [1.0, 0.5, 0.0]
    with pytest.raises(ValueError, match="alternative must be one of two-sided, greater. Got 'l'"):
        resampled_t_test([1, 2], test_share=0.1, alternative="l")


@pytest.mark.parametrize("share", [0.1, 0.25, 0.5])
@pytest.mark.parametrize("i", range(len(SAMPLES)))
def test_the_correction_stretches_the_naive_error(i, share):
    """By sqrt(1 + K n_test/n_train): 90/10 splits have n_test/n_train = 1/9."""
    naive = resampled_t_test(SAMPLES[i], test_share=share, correction="naive")
    found = resampled_t_test(SAMPLES[i], test_share=share)
    stretch = np.sqrt(1 + len(SAMPLES[i]) * {0.1: 1 / 9, 0.25: 1 / 3, 0.5: 1.0}[share])
    assert found.standard_error == pytest.approx(naive.standard_error * stretch)
    assert found.statistic == pytest.approx(naive.statistic / stretch)
    assert found.pvalue == pytest.approx(2 * stats.t.sf(abs(found.statistic), found.df))
    assert (found.correction, found.test_share) == ("nadeau-bengio", share)
    interval = resampled_interval(SAMPLES[i], test_share=share)
    reach = stats.t.ppf(0.975, found.df) * found.standard_error
    assert interval.high - interval.mean == pytest.approx(reach)
    assert interval.mean - interval.low == pytest.approx(reach)
    assert (interval.level, interval.n_resamplings) == (0.95, len(SAMPLES[i]))


def test_by_hand():
    """Differences 1, 2, 3: m = 2, s^2 = 1; v = 1/3, or 1/3 + 1/4 for 80/20 splits."""
    naive = resampled_t_test([1, 2, 3], test_share=0.2, correction="naive")
    found = resampled_t_test([1, 2, 3], test_share=0.2)
    assert naive.statistic == pytest.approx(2 * np.sqrt(3))
    assert found.statistic == pytest.approx(2 / np.sqrt(7 / 12))
    assert (found.mean, found.df) == (2, 2)
    for fact in ("nadeau-bengio", "difference 2,", "t(2) = 2.619", "p = 0.12"):
        assert fact in str(found)


@pytest.mark.slow
def test_variance_where_resamplings_are_correlated():
    """Differences with correlation test_share, the assumption of Nadeau and Bengio: the corrected
    variance is that of the mean, the naive one far below."""
    rng = np.random.default_rng(5)
    share, k, repeats = 0.1, 50, 3000
    samples = np.sqrt(share) * rng.standard_normal((repeats, 1))
    samples = samples + np.sqrt(1 - share) * rng.standard_normal((repeats, k))
    truth = samples.mean(axis=1).var()
    ratio = {}
    for correction in ("naive", "nadeau-bengio"):
        tests = [resampled_t_test(s, test_share=share, correction=correction) for s in samples]
        ratio[correction] = np.mean([test.standard_error**2 for test in tests]) / truth
        rejected = np.mean([test.pvalue < 0.05 for test in tests])
        assert (rejected < 0.07) == (correction == "nadeau-bengio")
    assert ratio["nadeau-bengio"] == pytest.approx(1, abs=0.1)
    assert ratio["naive"] < 0.3


@pytest.mark.seconds
def test_variance_on_noise():
    """Scores sum y_i y_j k_ij over the pairs of rows that a split parts, labels by a coin: the
    variance of their mean is that of parted pairs; that of Nadeau and Bengio is 0.6 of it."""
    rng = np.random.default_rng(7)
    n, k, repeats = 40, 20, 1500
    scores = np.empty((repeats, k))
    for scored in scores:
        x = rng.standard_normal((n, 30))
        tested = rng.permuted(np.tile(np.arange(n) < n // 10, (k, 1)), axis=1)
        y = rng.choice([-1.0, 1.0], n)
        scored[:] = np.einsum("ki,ij,kj->k", tested * y, x @ x.T, ~tested * y)
    truth = scores.mean(axis=1).var()
    for correction, ratio, most in (("parted-pairs", 1.0, 0.06), ("nadeau-bengio", 0.6, 0.12)):
        tests = [
            resampled_t_test(s, test_share=0.1, correction=correction, alternative="greater")
            for s in scores
        ]
        found = np.mean([test.standard_error**2 for test in tests]) / truth
        assert found == pytest.approx(ratio, abs=0.1)
        rejected = np.mean([test.pvalue < 0.05 for test in tests])
        assert most - 0.06 < rejected < most


def test_no_spread():
    same = resampled_t_test([0.1] * 3, test_share=0.1)
    assert (same.mean, same.standard_error) == (0.1, 0)
    assert (same.statistic, same.pvalue) == (np.inf, 0)
    assert resampled_t_test([-0.1] * 3, test_share=0.1).statistic == -np.inf
    none = resampled_t_test([0.0] * 3, test_share=0.1)
    assert (none.statistic, none.pvalue) == (0, 1)
    interval = resampled_interval([0.1] * 3, test_share=0.1)
    assert interval.low == interval.mean == interval.high == 0.1


def scores():
    """Four resamplings, sizes 1, 2, 5, 10: means 0.61, 0.79, 0.80, 0.78; the best has s = 0.02."""
    spread = np.array([[-1], [1], [-1], [1]]) * 0.02 * np.sqrt(3 / 4)
    return np.array([0.61, 0.79, 0.80, 0.78]) + spread


def test_the_smallest_size_in_the_interval_of_the_best():
    """Naive: 0.80 - 3.182 0.02/2 = 0.768; level 0.5: 0.80 - 0.765 0.01 = 0.7924."""
    found = smallest_good_size(scores(), [1, 2, 5, 10], test_share=0.1)
    assert (found.size, found.best_size) == (2, 5)
    assert found.interval.low == pytest.approx(0.80 - 3.182446 * 0.01, abs=1e-6)
    assert found.interval.correction == "naive"
    assert list(found.frame()["good"]) == [False, True, True, True]
    narrow = smallest_good_size(scores(), [1, 2, 5, 10], test_share=0.1, level=0.5)
    assert (narrow.size, narrow.best_size) == (5, 5)
    wide = smallest_good_size(scores(), [1, 2, 5, 10], test_share=0.9, correction="nadeau-bengio")
    assert wide.interval.low == pytest.approx(0.80 - 3.182446 * 0.02 * np.sqrt(1 / 4 + 9), abs=1e-6)
    assert wide.size == 1
    assert str(found).startswith("Smallest good size: 2 features, mean 0.79\nBest size: 5 feat")


def test_the_order_of_the_columns_does_not_matter():
    order = [2, 0, 3, 1]
    found = smallest_good_size(scores()[:, order], np.array([1, 2, 5, 10])[order], test_share=0.1)
    assert (found.size, found.best_size, found.sizes) == (2, 5, (1, 2, 5, 10))
    np.testing.assert_allclose(found.means, [0.61, 0.79, 0.80, 0.78])


def test_ties_go_to_the_smaller_size():
    tied = np.array([[0.1, 0.3, 0.1 + 0.2], [0.2, 0.3, 0.1 + 0.2]])
    assert smallest_good_size(tied, [1, 2, 3], test_share=0.1).best_size == 2
    third = np.full((3, 2), 1 / 3) - [0.1, 0]  # no spread, and a mean that is rounded
    found = smallest_good_size(third, [1, 2], test_share=0.1)
    assert (found.size, found.best_size) == (2, 2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: resampled_t_test([0.1], test_share=0.1), r"2 resamplings or more .* Got 1"),
        (lambda: resampled_t_test([[0.1]], test_share=0.1), r"per resampling. Got 2 dimensions"),
        (lambda: resampled_t_test([0.1, np.nan], test_share=0.1), r"Got nan in resampling 1 "),
        (lambda: resampled_interval([0.1, np.inf], test_share=0.1), r"Got inf in resampling 1 "),
        (lambda: resampled_interval([0.1, 0.2], test_share=10), r"between 0 and 1. Got 10"),
        (lambda: resampled_interval([0.1, 0.2], test_share=0.1, level=95), r"level .* Got 95"),
        (
            lambda: resampled_t_test([0.1, 0.2], test_share=0.1, correction="corrected"),
            r"one of naive, nadeau-bengio, parted-pairs. Got 'corrected'",
        ),
        (
            lambda: smallest_good_size(scores(), [1, 2, 5], test_share=0.1),
            r"sizes must be 4 different numbers, one per column of scores. Got \[1, 2, 5\]",
        ),
        (
            lambda: smallest_good_size(scores(), [1, 2, 5, 5], test_share=0.1),
            r"Got \[1, 2, 5, 5\]",
        ),
        (
            lambda: smallest_good_size(np.zeros((3, 0)), [], test_share=0.1),
            r"one per column of scores. Got \[\]",
        ),
        (
            lambda: smallest_good_size([[1, np.nan], [1, 2]], [1, 2], test_share=0.1),
            r"one column per size, none missing. Got nan in resampling 0 ",
        ),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_differences_that_differ_by_rounding_have_no_spread():
    found = resampled_t_test([0.3, 0.1 + 0.2, 0.6 / 2], test_share=0.1)
    assert (found.standard_error, found.statistic, found.pvalue) == (0.0, np.inf, 0.0)


def test_a_resampling_has_no_part_in_its_own_size():
    rng = np.random.default_rng(0)
    scores, sizes = rng.random((12, 4)), [1, 2, 4, 8]
    found = crossfitted_sizes(scores, sizes, test_share=0.1)
    for half in (0, 1):
        chosen = smallest_good_size(scores[1 - half :: 2], sizes, test_share=0.1).size
        assert set(found[half::2]) == {chosen}
        changed = scores.copy()
        changed[half::2] = rng.random((6, 4))
        again = crossfitted_sizes(changed, sizes, test_share=0.1)
        np.testing.assert_array_equal(again[half::2], found[half::2])


def test_halves_go_by_the_number_and_not_by_the_place():
    scores = np.array([[0.5, 0.9], [0.9, 0.5], [0.5, 0.9], [0.9, 0.5], [0.9, 0.5]])
    numbers = [4, 7, 10, 1, 3]
    found = crossfitted_sizes(scores, [3, 6], numbers, test_share=0.1)
    assert found.tolist() == [3, 6, 3, 6, 6]
    order = [3, 0, 4, 2, 1]
    moved = crossfitted_sizes(scores[order], [3, 6], np.array(numbers)[order], test_share=0.1)
    assert moved.tolist() == found[order].tolist()


def test_the_best_of_equal_sizes_is_judged_without_its_luck():
    """Noise: the mean at the best of 20 sizes is too large, the cross-fitted one is not."""
    rng = np.random.default_rng(1)
    lucky, fair = [], []
    for _ in range(300):
        scores = rng.normal(size=(20, 20))
        lucky.append(scores.mean(axis=0).max())
        at = crossfitted_sizes(scores, np.arange(20), test_share=0.1)
        fair.append(scores[np.arange(20), at].mean())
    assert np.mean(lucky) > 0.3
    assert abs(np.mean(fair)) < 3 / np.sqrt(300 * 20)


@pytest.mark.parametrize("numbers", [[0, 2, 4, 1], [1, 3, 5, 7]])
def test_two_of_each_half_are_needed(numbers):
    even = sum(number % 2 == 0 for number in numbers)
    with pytest.raises(ValueError, match=rf"Got {even} and {4 - even}"):
        crossfitted_sizes(np.zeros((4, 1)), [1], numbers, test_share=0.1)
    with pytest.raises(ValueError, match=r"Got 3 for 4"):
        crossfitted_sizes(np.zeros((4, 1)), [1], [0, 1, 2], test_share=0.1)
