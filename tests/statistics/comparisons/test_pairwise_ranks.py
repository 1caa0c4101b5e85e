"""Nemenyi, Wilcoxon with Holm and groups: R, published values, hand cases, all subsets."""

from itertools import combinations

import numpy as np
import pytest
from oracles.demsar import AUC, NAMES
from r_numbers import lines_of_r
from scipy import stats
from twins.signed_rank import signed_rank_fraction

from hetsel.statistics.comparisons.friedman import friedman
from hetsel.statistics.comparisons.pairwise_ranks import (
    critical_difference,
    far_range_tail,
    groups,
    least_signed_rank_pvalue,
    nemenyi,
    range_tail,
    signed_rank_pvalue,
    wilcoxon_holm,
)

RANGES = [(q, k) for k in (2, 3, 5, 10, 30) for q in (0.0, 0.01, 0.5, 2.0, 3.5, 5.0, 8.0)]
LEVELS = [(level, k) for k in (2, 3, 5, 10, 30) for level in (0.01, 0.05, 0.1)]
ROWS = np.random.default_rng(1)
SCORES = {  # rounded as the implementation rounds: R does not forgive differences of 1e-16
    "demsar": AUC,
    "continuous": ROWS.standard_normal((25, 4)) + np.array([0, 0, 0.6, 1.5]),
    "ties and zeros": ROWS.integers(0, 5, (30, 3)) + np.array([0, 0, 1]),
    "few": ROWS.standard_normal((5, 3)),
    "many": ROWS.standard_normal((60, 3)) + np.array([0, 0.3, 0.6]),
}
EXACT = {"continuous", "few"}  # fewer than 50 differences, none 0 and none tied: exact in R, too
TIED = {"demsar", "ties and zeros"}  # R approximates


@pytest.fixture(scope="module")
def r_results(tmp_path_factory):
    """Tails and quantiles of the range, raw and corrected p-values of all pairs, by R."""
    folder = tmp_path_factory.mktemp("r")
    for name, scores in SCORES.items():
        np.savetxt(folder / f"{name}.csv", scores, "%.12g", ",")
    np.savetxt(folder / "ranges.csv", RANGES, "%.17g", ",")
    np.savetxt(folder / "levels.csv", LEVELS, "%.17g", ",")
    script = """
        row <- function(name, x) cat(name, sprintf("%.17g", x), "\\n", sep = ",")
        r <- read.csv("ranges.csv", header = FALSE)
        row("tails", ptukey(r[, 1], r[, 2], Inf, lower.tail = FALSE))
        l <- read.csv("levels.csv", header = FALSE)
        row("quantiles", qtukey(l[, 1], l[, 2], Inf, lower.tail = FALSE))
        for (name in c("demsar", "continuous", "ties and zeros", "few", "many")) {
          s <- as.matrix(read.csv(paste0(name, ".csv"), header = FALSE))
          p <- sapply(c(NA, FALSE), function(exact) combn(ncol(s), 2, function(ij) {
            d <- round(s[, ij[1]] - s[, ij[2]], 9)
            # R warns that it cannot count with ties and zeros
            suppressWarnings(wilcox.test(d, exact = if (is.na(exact)) NULL else exact)$p.value)
          }))
          row(paste(name, "approximate"), p[, 2])
          p <- p[, 1]
          row(name, p)
          row(paste(name, "holm"), p.adjust(p, "holm"))
        }"""
    lines = (line.strip(", ").split(",") for line in lines_of_r(script, folder))
    return {name: np.array(values, dtype=float) for name, *values in lines}


def test_tails_of_the_range_agree_with_r(r_results):
    found = [float(range_tail(q, k)) for q, k in RANGES]
    np.testing.assert_allclose(found, r_results["tails"], rtol=1e-6, atol=3e-12)
    assert min(found) < 1e-6 < 0.999 < max(found)


@pytest.mark.parametrize("k", [2, 3, 5, 10, 30])
def test_our_far_tail_is_scipys_where_scipy_still_has_its_digits(k):
    q = np.linspace(0.01, 9, 40)
    by_scipy = stats.studentized_range.sf(q, k, np.inf)
    np.testing.assert_allclose(far_range_tail(q, k), by_scipy, rtol=1e-9, atol=2e-13)
    near = q[(by_scipy > 1e-7) & (by_scipy < 1e-5)]
    assert len(near) > 1
    np.testing.assert_allclose(far_range_tail(near, k), range_tail(near, k), rtol=3e-9)


def test_far_tails_keep_their_relative_accuracy():
    """k = 2: a normal difference. k = 5: the bound by the sum over pairs is tight far
    out, where R and scipy know 1e-14 and no less."""
    q = np.array([0.1, 1.0, 10.0, 40.0])
    np.testing.assert_allclose(range_tail(q, 2), 2 * stats.norm.sf(q / np.sqrt(2)), rtol=1e-10)
    pairs = 10 * 2 * stats.norm.sf(np.array([12.0, 30.0]) / np.sqrt(2))
    found = range_tail([12.0, 30.0], 5)
    assert (found < pairs * (1 + 1e-10)).all()
    np.testing.assert_allclose(found, pairs, rtol=1e-5)


def test_critical_differences_agree_with_r(r_results):
    found = [critical_difference(k, 12, level=level) for level, k in LEVELS]
    scale = [np.sqrt(k * (k + 1) / 72 / 2) for _, k in LEVELS]
    np.testing.assert_allclose(found, r_results["quantiles"] * scale, rtol=1e-6)


@pytest.mark.parametrize(
    ("k", "level", "q"),
    [(2, 0.05, 1.960), (4, 0.05, 2.569), (5, 0.05, 2.728), (10, 0.05, 3.164), (4, 0.1, 2.291)],
)
def test_critical_values_of_demsar_table_5(k, level, q):
    assert critical_difference(k, 6, level=level) / np.sqrt(k * (k + 1) / 36) == pytest.approx(
        q, abs=6e-4
    )


def test_nemenyi_of_demsar():
    """At 0.10 CD = 1.12, and C4.5 differs from both classifiers with tuned m (section 3.2.2)."""
    found = nemenyi(friedman(AUC, names=NAMES), level=0.1)
    assert round(found.critical_difference, 2) == 1.12
    assert found.groups == [("C4.5+m+cf", "C4.5+m", "C4.5+cf"), ("C4.5+cf", "C4.5")]
    assert nemenyi(friedman(AUC, names=NAMES)).groups == [
        ("C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5")
    ]


@pytest.mark.parametrize("name", SCORES)
def test_pvalues_differences_and_groups_are_consistent(name):
    result = friedman(SCORES[name])
    found = nemenyi(result)
    n, k = result.ranks.shape
    for i, j in combinations(range(k), 2):
        apart = abs(result.mean_ranks[i] - result.mean_ranks[j])
        q = apart * np.sqrt(12 * n / (k * (k + 1)))
        expected = stats.studentized_range.sf(q, k, np.inf)
        assert found.pvalues[i, j] == found.pvalues[j, i] == pytest.approx(expected, rel=1e-6)
        assert found.differs[i, j] == found.differs[j, i] == (apart >= found.critical_difference)
        assert found.differs[i, j] == (found.pvalues[i, j] <= 0.05)
    assert not np.diag(found.differs).any()
    np.testing.assert_array_equal(np.diag(found.pvalues), 1)
    assert np.isnan(found.uncorrected).all()


def test_nemenyi_prints():
    found = nemenyi(friedman(SCORES["continuous"], names=["a", "b", "c", "d"]))
    lines = str(found).splitlines()
    assert lines[0] == "Nemenyi at 0.05: 4 methods on 25 blocks"
    assert lines[1].startswith("Mean ranks: d 1.")
    assert lines[2] == "Critical difference: 0.938"
    frame = found.frame()
    assert list(frame.columns) == ["better", "worse", "difference", "pvalue", "differs"]
    assert len(frame) == 6
    assert frame.loc[0, "better"] == "d"
    assert (frame["difference"] >= 0).all()
    assert frame["differs"].sum() == np.triu(found.differs).sum() > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", SCORES)
def test_wilcoxon_and_holm_agree_with_r(name, r_results):
    scores = np.asarray(SCORES[name], dtype=float)
    found = wilcoxon_holm(scores)
    upper = np.triu_indices(scores.shape[1], 1)
    if name in TIED:
        differences = np.round(scores[:, upper[0]] - scores[:, upper[1]], 9).T
        expected = [float(signed_rank_fraction(d.tolist())) for d in differences]
        np.testing.assert_allclose(found.uncorrected[upper], expected, rtol=1e-12)
        assert not np.allclose(expected, r_results[name], rtol=1e-3)
    else:
        np.testing.assert_allclose(found.uncorrected[upper], r_results[name], rtol=1e-10)
        np.testing.assert_allclose(found.pvalues[upper], r_results[f"{name} holm"], rtol=1e-10)
    np.testing.assert_array_equal(found.pvalues, found.pvalues.T)
    np.testing.assert_array_equal(found.differs, found.pvalues <= 0.05)
    assert np.isnan(found.critical_difference)
    assert (found.pvalues >= found.uncorrected).all()
    exact = np.abs(r_results[name] / r_results[f"{name} approximate"] - 1) > 1e-6
    assert exact.any() == (name in EXACT)


def test_wilcoxon_of_five_blocks_by_counting_signs():
    """Ranks 1 2 3 4 5, the one of rank 2 negative: 2^5 sums, of which 0, 1 and 2 are as small."""
    scores = np.column_stack([[1, -2, 3, 4, 5], np.zeros(5)])
    assert wilcoxon_holm(scores).uncorrected[0, 1] == pytest.approx(2 * 3 / 32, rel=1e-12)


def test_wilcoxon_of_demsar_table_2():
    """C4.5 and C4.5+m: 12 differences are not 0, the negative ones have ranks 1.5 and 5; of the
    2^12 sums 15 are 6.5 or less."""
    found = wilcoxon_holm(AUC[:, :2])
    differences = np.round(AUC[:, 0] - AUC[:, 1], 9).tolist()
    assert found.pvalues[0, 1] == float(signed_rank_fraction(differences)) == 30 / 4096


def test_wilcoxon_prints():
    found = wilcoxon_holm(SCORES["continuous"], names=["a", "b", "c", "d"])
    assert str(found).splitlines()[0].startswith("Wilcoxon with Holm's adjustment at 0.05: 4 meth")
    assert "Critical" not in str(found)
    frame = found.frame()
    assert list(frame.columns)[3:] == ["uncorrected", "pvalue", "differs"]
    row = frame[(frame["better"] == "d") & (frame["worse"] == "a")]
    assert row["pvalue"].item() == found.pvalues[3, 0]


def test_direction_and_scale():
    scores = SCORES["continuous"]
    found = wilcoxon_holm(scores)
    for same in (wilcoxon_holm(-scores, larger_is_better=False), wilcoxon_holm(3 * scores)):
        np.testing.assert_array_equal(same.mean_ranks, found.mean_ranks)
        np.testing.assert_allclose(same.pvalues, found.pvalues, rtol=1e-12)
    turned = wilcoxon_holm(scores, larger_is_better=False)
    assert set(map(frozenset, turned.groups)) == set(map(frozenset, found.groups))
    assert found.groups[0][0] == turned.groups[-1][-1] == "4"


def test_methods_that_agree_everywhere():
    found = wilcoxon_holm([[1.0, 1.0, 5.0]] * 9)
    assert found.uncorrected[0, 1] == 1
    assert found.groups == [("1", "2")]


def test_scores_that_differ_by_rounding_agree():
    found = wilcoxon_holm([[0.3, 0.1 + 0.2, 0.1 * k] for k in range(10)])
    assert found.pvalues[0, 1] == 1.0
    numbers = np.random.default_rng(0).random((8, 50))
    orders = np.array([row[::-1] for row in numbers])
    means = np.stack([np.cumsum(numbers, 1)[:, -1], np.cumsum(orders, 1)[:, -1], numbers[:, 0]], 1)
    assert (means[:, 0] != means[:, 1]).any()
    assert wilcoxon_holm(means).pvalues[0, 1] == 1.0


def test_differences_tie_up_to_rounding():
    """0.3 - 0.1 and 0.4 - 0.2 differ by 5e-17."""
    exact = np.array([[3, 1], [4, 2], [1, 3], [9, 2], [8, 2], [7, 3], [9, 1], [7, 2], [2, 1]])
    expected = wilcoxon_holm(exact).pvalues
    np.testing.assert_array_equal(wilcoxon_holm(exact / 10).pvalues, expected)


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
    assert "below 0.312" in str(found)
    from hetsel.statistics.comparisons.friedman import friedman

    by_ranks = nemenyi(friedman(scores))
    assert by_ranks.least == pytest.approx(by_ranks.pvalues.min())
    assert by_ranks.least < 0.05
    assert "below" not in str(by_ranks)


def every_group(names, mean_ranks, differs):
    """All sets of two or more without a pair that differs, and the largest of them."""
    order = np.argsort(mean_ranks, kind="stable")
    sets = [
        set(some)
        for size in range(2, len(names) + 1)
        for some in combinations(range(len(names)), size)
        if not any(differs[order[a], order[b]] for a, b in combinations(some, 2))
    ]
    largest = [one for one in sets if not any(one < other for other in sets)]
    return [tuple(names[order[a]] for a in some) for some in sorted(map(sorted, largest))]


def test_groups_agree_with_all_subsets():
    rng = np.random.default_rng(5)
    counts = set()
    for share in np.linspace(0, 1, 60):
        k = int(rng.integers(2, 9))
        differs = np.triu(rng.random((k, k)) < share, 1)
        differs = differs | differs.T
        names, mean_ranks = [f"m{j}" for j in range(k)], np.round(rng.uniform(1, k, k), 1)
        found = groups(names, mean_ranks, differs)
        assert found == every_group(names, mean_ranks, differs)
        counts.add(len(found))
    assert {0, 1, 3, 5} <= counts


def test_groups_of_mean_ranks_are_stretches():
    mean_ranks = np.array([3.0, 1.0, 2.1, 4.5, 4.0])
    apart = np.abs(np.subtract.outer(mean_ranks, mean_ranks))
    assert groups(list("abcde"), mean_ranks, apart >= 1.2) == [
        ("b", "c"),
        ("c", "a"),
        ("a", "e"),
        ("e", "d"),
    ]
    assert groups(list("abcde"), mean_ranks, apart >= 0.1) == []
    assert groups(list("abcde"), mean_ranks, apart >= 9) == [("b", "c", "a", "e", "d")]


@pytest.mark.parametrize("level", [0, 1, 5])
def test_bad_level(level):
    message = rf"level must be a number above 0 and below 1. Got {level}"
    for test in (nemenyi, wilcoxon_holm):
        with pytest.raises(ValueError, match=message):
            test(AUC, level=level)
