"""Methods against a control: the worked example and the table of Demsar, scipy, statsmodels."""

from itertools import product
from math import sqrt

import numpy as np
import pytest
from oracles.demsar import AUC, NAMES
from scipy import stats
from statsmodels.stats.multitest import multipletests

from hetsel.ground import TableError
from hetsel.statistics.comparisons.control_method import (
    bonferroni_dunn,
    compare_with_control,
    dunn_quantile,
)
from hetsel.statistics.comparisons.skillings_mack import nemenyi_with_gaps, skillings_mack

GAP = np.nan
# Demsar (2006), Table 5(b), k = 2 to 10. It prints 2.724 for k = 9 at 0.05, where the quantile of
# its own definition, at 1 - 0.05 / 16, is 2.734
TABLE = {
    0.05: [1.960, 2.241, 2.394, 2.498, 2.576, 2.638, 2.690, None, 2.773],
    0.10: [1.645, 1.960, 2.128, 2.241, 2.326, 2.394, 2.450, 2.498, 2.539],
}
LOW = np.random.default_rng(8)
SCORES = LOW.standard_normal((12, 5)) + np.array([0, 0.4, 0.8, 0, 1.6])


@pytest.mark.parametrize("level", TABLE)
def test_quantiles_are_those_of_demsars_table(level):
    for k, printed in enumerate(TABLE[level], 2):
        if printed is not None:
            assert dunn_quantile(k, level=level) == pytest.approx(printed, abs=6e-4)


def test_the_worked_example_of_demsar():
    """C4.5 against its three tuned variants on 14 data sets: sections 3.2.2 and Table 6."""
    result = compare_with_control(AUC, "C4.5", names=NAMES)
    assert result.others == NAMES[1:]
    assert result.control_mean_rank == pytest.approx(3.143, abs=5e-4)
    assert result.mean_ranks == pytest.approx([2.000, 2.893, 1.964], abs=5e-4)
    assert f"{result.critical_difference:.5f}".startswith("1.16")  # printed without rounding
    # standard error 0.488; z of C4.5+m+cf 2.416, of C4.5+m 2.342, of C4.5+cf 0.512
    assert -result.z == pytest.approx([2.342, 0.512, 2.416], abs=2e-3)
    assert result.uncorrected == pytest.approx([0.019, 0.607, 0.016], abs=2e-3)
    assert result.differs.tolist() == [False, False, True]  # Bonferroni-Dunn: 1.179 > 1.16 > 1.143
    assert (result.pvalues <= 0.05).tolist() == [True, False, True]  # Holm rejects both


@pytest.mark.parametrize("control", ["1", "3", "5"])
@pytest.mark.parametrize("larger", [True, False])
def test_every_number_is_that_of_scipy_and_statsmodels(control, larger):
    result = compare_with_control(SCORES, control, larger_is_better=larger)
    c = int(control) - 1
    others = [j for j in range(5) if j != c]
    ranks = stats.rankdata(-SCORES if larger else SCORES, axis=1).mean(axis=0)
    z = (ranks[others] - ranks[c]) / sqrt(5 * 6 / (6 * 12))
    p = 2 * stats.norm.sf(abs(z))
    signed = [stats.wilcoxon(SCORES[:, j] - SCORES[:, c]).pvalue for j in others]
    frame = result.frame()
    np.testing.assert_allclose(frame["z"], z)
    np.testing.assert_allclose(frame["difference"], ranks[others] - ranks[c])
    np.testing.assert_allclose(frame["pvalue"], p)
    np.testing.assert_allclose(frame["holm"], multipletests(p, method="holm")[1])
    np.testing.assert_allclose(frame["wilcoxon"], signed)
    np.testing.assert_allclose(frame["wilcoxon_holm"], multipletests(signed, method="holm")[1])
    bonferroni = multipletests(p, 0.05, method="bonferroni")[0]
    assert frame["differs"].tolist() == bonferroni.tolist()
    assert result.least == 4 * 2 / 2**12


def test_with_gaps_pairs_have_the_variance_of_skillings_and_mack():
    scores = SCORES.copy()
    scores[[1, 4, 6], [2, 0, 4]] = GAP
    result = compare_with_control(scores, "2")
    assert np.isnan(result.critical_difference)
    pairs = nemenyi_with_gaps(skillings_mack(scores))
    for j, z in zip((0, 2, 3, 4), result.z, strict=True):
        by_range = stats.studentized_range.sf(sqrt(2) * abs(z), 5, np.inf)
        assert pairs.pvalues[1, j] == pytest.approx(by_range, rel=1e-6)
    both = ~np.isnan(scores[:, [0, 1]]).any(axis=1)
    apart = (scores[:, 0] - scores[:, 1])[both]
    assert result.wilcoxon[0] == pytest.approx(stats.wilcoxon(apart).pvalue)
    complete = compare_with_control(SCORES, "2")
    gapless = skillings_mack(SCORES)
    assert complete.mean_ranks == pytest.approx(gapless.mean_ranks[[0, 2, 3, 4]])


def test_no_orders_give_a_smaller_adjusted_p_value():
    """Of 4 methods and 5 blocks, by every sign of every block."""
    best = min(
        compare_with_control(
            np.outer(signs, [0.0, 1.0, 2.0, 3.0]) * np.arange(1, 6)[:, None], "1"
        ).wilcoxon_holm.min()
        for signs in product((-1, 1), repeat=5)
    )
    result = compare_with_control(SCORES[:5, :4], "1")
    assert result.least == pytest.approx(best) == pytest.approx(3 / 16)


def test_the_critical_difference_shrinks_with_the_blocks():
    assert bonferroni_dunn(4, 14) == pytest.approx(2.394 * sqrt(20 / 84), abs=5e-4)


@pytest.mark.parametrize("control", ["f", None, 1])
def test_an_unknown_control_is_refused_with_the_methods(control):
    with pytest.raises(TableError, match="one of 1, 2, 3, 4, 5. Got"):
        compare_with_control(SCORES, control)
