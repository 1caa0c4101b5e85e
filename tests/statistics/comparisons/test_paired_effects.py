"""Effects of two methods: R, autorank, and definitions counted in fractions."""

from itertools import product

import numpy as np
import pytest
from oracles.demsar import AUC
from r_numbers import numbers_of_r
from scipy import stats
from statsmodels.stats.multitest import multipletests
from twins.paired_effects import effects, walsh_interval

from hetsel.ground import TableError
from hetsel.statistics.comparisons.paired_effects import (
    effect_sizes,
    fewest_blocks,
    hodges_lehmann,
    least_wilcoxon_holm,
)

ROWS = np.random.default_rng(3)
SAMPLES = {n: ROWS.standard_normal(n) + 0.4 for n in (2, 5, 6, 7, 12, 25, 60)}
CASES = [(n, level) for n in SAMPLES for level in (0.5, 0.9, 0.95, 0.99)]
# the functions of autorank 1.3.0: _cohen_d, _akinshin_gamma, _cliffs_delta, _effect_level
FROM_AUTORANK = [
    (AUC[:, 0], AUC[:, 1], -0.09724752478833054, -0.1837690908587157, -0.10714285714285714),
    (AUC[:, 0], AUC[:, 3], -0.14159314159218012, -0.3409635852581447, -0.1173469387755102),
    (
        [0.9, 0.8, 0.75, 0.7, 0.95],
        [0.6, 0.81, 0.7, 0.55, 0.9],
        0.8575751026857843,
        0.64164507,
        0.44,
    ),
]


def test_interval_and_estimate_are_those_of_wilcox_test_of_r(tmp_path):
    for n, values in SAMPLES.items():
        np.savetxt(tmp_path / f"{n}.csv", values, "%.17g")
    cases = ", ".join(f"c({n}, {level})" for n, level in CASES)
    script = f"""
        for (case in list({cases})) {{
          x <- scan(paste0(case[1], ".csv"), quiet = TRUE)
          # R warns where there is no interval of this level
          t <- suppressWarnings(wilcox.test(x, exact = TRUE, conf.int = TRUE, conf.level = case[2]))
          cat(sprintf("%.17g", c(t$estimate, t$conf.int)), "\\n")
        }}"""
    by_r = numbers_of_r(script, tmp_path)
    ours = [hodges_lehmann(SAMPLES[n], level=level) for n, level in CASES]
    np.testing.assert_allclose(
        [(one.estimate, one.low, one.high) for one in ours], by_r, rtol=1e-13
    )


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95])
@pytest.mark.parametrize(
    "values", [[3, -1], [4, 1, 0, -2], [5, 5, 2, -1, 0], [1, 2, 4, 8, -3, 6, 7]]
)
def test_interval_is_that_of_all_signs_also_with_zeros_and_ties(values, level):
    low, high, attained = walsh_interval(values, str(1 - level)[:4])
    result = hodges_lehmann(values, level=level)
    assert (result.low, result.high) == (low, high)
    assert result.attained_level == pytest.approx(float(attained), abs=1e-15)


@pytest.mark.parametrize("n", [6, 7, 9])
def test_without_ties_the_interval_excludes_zero_where_the_test_rejects(n):
    lengths = 2.0 ** np.arange(n)
    for signs in product((-1, 1), repeat=n):
        result = hodges_lehmann(lengths * signs)
        rejects = stats.wilcoxon(lengths * signs, method="exact").pvalue <= 0.05
        assert (result.low > 0 or result.high < 0) == rejects


def test_five_differences_have_no_95_percent_interval():
    five, six = hodges_lehmann([1, 2, 3, 4, 5.5]), hodges_lehmann([1, 2, 3, 4, 5.5, 7])
    assert (five.low, five.high, five.attained_level) == (1, 5.5, 1 - 2 / 32)
    assert six.reaches_level
    assert not five.reaches_level
    assert "No 95% interval exists with fewer than 6 differences" in str(five)
    alone = hodges_lehmann([0.3])
    assert alone.estimate == 0.3
    assert np.isnan([alone.low, alone.high]).all()
    assert alone.attained_level == 0


def test_averages_that_are_zero_up_to_rounding_are_zero():
    result = hodges_lehmann([0.3, 0.3, 0.3, -0.1 - 0.2, -0.1 - 0.2, -0.1 - 0.2], level=0.5)
    assert (result.estimate, result.low, result.high) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(("x", "y", "cohen", "robust", "delta"), FROM_AUTORANK)
def test_effect_sizes_are_those_of_autorank_and_of_loops(x, y, cohen, robust, delta):
    result = effect_sizes(x, y)
    found = (result.cohens_d, result.robust_d, result.cliffs_delta)
    assert found == pytest.approx((cohen, robust, delta), rel=1e-7)
    assert found == pytest.approx(effects(*np.array([x, y]).tolist()), rel=1e-12)
    turned = effect_sizes(y, x)
    assert (turned.cohens_d, turned.cliffs_delta) == (-result.cohens_d, -result.cliffs_delta)


@pytest.mark.parametrize(
    ("wins", "magnitude"), [(14, "negligible"), (16, "small"), (34, "medium"), (48, "large")]
)
def test_magnitudes_have_the_bounds_of_autorank(wins, magnitude):
    """Of 10 x 10 pairs the first method has so many more wins."""
    y = np.arange(10.0)
    x = np.full(10, -1.0)  # loses all pairs; each unit of height turns two losses into a win
    for place in range(10):
        for height in range(11):
            x[place] = height - 0.5
            if np.sign(x[:, None] - y).sum() >= wins:
                break
        if np.sign(x[:, None] - y).sum() >= wins:
            break
    assert np.sign(x[:, None] - y).sum() == wins
    assert effect_sizes(x, y).magnitude == magnitude


def test_scores_without_a_spread():
    same, above = effect_sizes([0.3] * 3, [0.1 + 0.2] * 3), effect_sizes([0.9] * 3, [0.8] * 3)
    assert (same.cohens_d, same.robust_d, same.cliffs_delta) == (0, 0, 0)
    assert (above.cohens_d, above.robust_d, above.cliffs_delta) == (np.inf, np.inf, 1)


@pytest.mark.parametrize("tests", [1, 3, 10, 28])
@pytest.mark.parametrize("n", [1, 2, 4, 7])
def test_no_signs_give_a_smaller_adjusted_p_value(n, tests):
    ranks = np.arange(1.0, n + 1)
    pvalues = [
        stats.wilcoxon(ranks * signs, method="exact").pvalue for signs in product((-1, 1), repeat=n)
    ]
    family = [min(pvalues)] + [1.0] * (tests - 1)
    smallest = multipletests(family, method="holm")[1].min()
    assert least_wilcoxon_holm(n, tests) == pytest.approx(smallest)


@pytest.mark.parametrize("level", [0.01, 0.05, 0.1])
@pytest.mark.parametrize("tests", [1, 3, 7, 28, 45])
def test_so_many_blocks_reach_the_level_and_one_fewer_does_not(tests, level):
    n = fewest_blocks(tests, level=level)

    def smallest(blocks):
        pvalue = stats.wilcoxon(np.arange(1.0, blocks + 1), method="exact").pvalue
        return multipletests([pvalue] + [1.0] * (tests - 1), method="holm")[1].min()

    assert smallest(n) <= level < smallest(n - 1)


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: hodges_lehmann([]), "1 to 1000"),
        (lambda: hodges_lehmann([0.1] * 1001), "1 to 1000"),
        (lambda: hodges_lehmann([0.1, 0.2], level=95), "level"),
        (lambda: effect_sizes([0.1, 0.2], [0.1]), "2 and 1 scores"),
        (lambda: effect_sizes([0.1], [0.1]), "1 and 1 scores"),
        (lambda: least_wilcoxon_holm(0, 3), "n_blocks"),
        (lambda: fewest_blocks(0), "n_tests"),
        (lambda: fewest_blocks(3, level=1), "level"),
    ],
)
def test_what_is_illegal_is_refused(call, named):
    with pytest.raises(TableError, match=named):
        call()
