"""Thresholds of knockoff+ against R's knockoff, e-values and their procedure by definition."""

from fractions import Fraction

import numpy as np
import pytest

from hetsel import e_benjamini_hochberg, knockoff_evalues, knockoff_threshold
from hetsel.judging.knockoffs.controlled_selection import fewest_discoveries

# fmt: off
MANY = [
    -0.45, 0.52, -0.7, 2.21, 0.7, -0.68, 0.88, 1.19, 0.99, -0.07, 2.11, 0.77, -0.45, -2.36, 1.65,
    0.25, 0.28, 1.43, 1.29, 1.01, 1.4, 1.24, 0.39, -2.09, 1.04, 0.23, 0.11, -1.46, -0.27, 0.8,
]
CLEAR = [
    2.63, 0.88, 1.47, 0.94, -0.65, 0.5, 0.53, 0.93, 2.32, 1.92, 0.8, 0.7, 1.84, 1.67, 0.17,
    0.15, 1.44, 1.92, 0.87, 2.06, 1.48, 0.27, 1.41, -0.36, 2.72, 3.38, 0.56, -0.25, 1.68, 0.84,
]
SOME = [
    3.68, 0.75, 1.63, 0.83, -0.09, 1.03, -1.37, 2.56, 0.98, 3.41, 1.37, -0.05, 1.53, -0.32, -0.7,
    1.15, 0.27, 0.8, 0.89, 0.09, 0.12, 0.64, 2.21, -1.03, 1.51, 1.2, 2.08, 0.43, 1.24, 1.12,
]
FEW = [
    -0.15, 1.95, 1.89, 1.34, 2.4, 1.17, -1.03, -0.19, -0.97, -0.07, -0.24, 0.55, -0.59, 0.69, -0.29,
    2.62, 1.36, 1.59, 0.96, 2.52, -0.26, -0.05, 2.22, -0.28, 0.25, 0.03, 0.12, 0.17, 1.09, 0.29,
]
# fmt: on
RATES = (0.1, 0.2, 0.3, 0.5)
INF = float("inf")


@pytest.mark.parametrize(
    ("W", "thresholds"),
    [
        (MANY, (INF, INF, 0.77, 0)),
        (CLEAR, (0.5, 0, 0, 0)),
        (SOME, (INF, 0.43, 0, 0)),
        (FEW, (1.09, 1.03, 0.55, 0.24)),
    ],
)
def test_thresholds_are_those_of_rs_knockoff(W, thresholds):
    """knockoff.threshold of knockoff 0.3.6, offset 1; where it has 0, the smallest |W| is it."""
    smallest = np.abs(W).min()
    for fdr, threshold in zip(RATES, thresholds, strict=True):
        assert knockoff_threshold(W, fdr) == (threshold or smallest)


def by_definition(W, fdr):
    """Every t in turn, in fractions."""
    for t in sorted({abs(w) for w in W if w}):
        lost = sum(1 for w in W if w <= -t)
        won = sum(1 for w in W if w >= t)
        if Fraction(1 + lost, max(1, won)) <= fdr:
            return t, lost
    return INF, 0


def largest_k(evalues, fdr):
    """Every k from p down, in fractions."""
    p = len(evalues)
    for k in range(p, 0, -1):
        enough = [j for j in range(p) if evalues[j] >= Fraction(p, k) / fdr]
        if len(enough) >= k:
            return set(enough)
    return set()


def test_one_draw_of_e_values_is_knockoff_plus_and_means_follow_the_definition():
    draw, some = np.random.default_rng(0), 0
    for _ in range(300):
        fdr = Fraction(int(draw.integers(1, 5)), 10)
        p, repeats = int(draw.integers(3, 40)), int(draw.integers(1, 5))
        runs = draw.normal(0.9, 1.0, size=(repeats, p)).round(1)
        expected = []
        for W in runs.tolist():
            t, lost = by_definition(W, fdr)
            expected.append([Fraction(p * (w >= t), 1 + lost) for w in W])
        found = np.array([knockoff_evalues(W, float(fdr)) for W in runs])
        np.testing.assert_allclose(found, np.array(expected, dtype=float), rtol=1e-14)
        alone = e_benjamini_hochberg(found[0], float(fdr))
        np.testing.assert_array_equal(alone, runs[0] >= by_definition(runs[0].tolist(), fdr)[0])
        means = [sum(column) / repeats for column in zip(*expected, strict=True)]
        chosen = e_benjamini_hochberg(found.mean(axis=0), float(fdr))
        assert set(np.flatnonzero(chosen)) == largest_k(means, fdr)
        some += chosen.any()
    assert 50 < some < 250


def test_the_mean_e_value_of_fair_coins_is_one_at_most():
    """Of ten features that win or lose by chance, all 2^10 outcomes."""
    sizes = np.arange(1, 11)
    signs = 1 - 2 * (np.arange(2**10)[:, None] >> np.arange(10) & 1)
    for fdr in (0.2, 0.5):
        total = np.mean([knockoff_evalues(s * sizes, fdr).sum() for s in signs])
        assert 0 < total <= 10


def test_fewest_discoveries_win_when_all_win():
    for fdr in (0.05, 0.1, 0.15, 0.2, 0.3, 1 / 3):
        fewest = fewest_discoveries(fdr)
        assert knockoff_threshold(np.ones(fewest), fdr) == 1
        assert knockoff_threshold(np.ones(fewest - 1), fdr) == INF


def test_what_is_no_rate_and_no_statistic_is_refused():
    for fdr in (0, 1, True, "0.1", float("nan")):
        with pytest.raises(ValueError, match="fdr must be"):
            knockoff_threshold([1.0], fdr)
    with pytest.raises(ValueError, match="W must be"):
        knockoff_threshold([1.0, float("nan")])
    with pytest.raises(ValueError, match="evalues must be 0 or larger"):
        e_benjamini_hochberg([1.0, -2.0])
