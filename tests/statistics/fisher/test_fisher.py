"""Fisher's exact test against R, against exact integers, and against itself by another road."""

from fractions import Fraction
from math import comb, perm
from pathlib import Path

import numpy as np
import pytest
from r_numbers import numbers_of_r
from scipy import stats
from twins.fisher_fractions import fisher_fraction, fisher_fraction_in_halves, log_fraction

from hetsel.statistics.fisher import FisherResult, fisher_exact
from hetsel.statistics.fisher.exact import log_ratio_sum

SHAPES = [(2, 2), (2, 3), (2, 4), (2, 5), (2, 6), (3, 3)]
OUT_OF_WORKSPACE = [  # R's default workspace does not hold these
    [[7, 2, 6, 9, 1, 4, 8, 5], [2, 6, 5, 1, 8, 4, 1, 6], [1, 3, 0, 2, 1, 0, 2, 1]],
    [[30, 22, 41, 18, 25, 19], [21, 35, 20, 31, 22, 26]],
]
MANY_LEVELS = [  # R 4.2.2 gives 0.8819; its simulated p-value agrees with the exact 0.9022
    [2, 3, 5, 4, 2, 4, 4, 3, 5, 2, 4, 4, 4, 4, 5, 6, 3, 5, 5, 3],
    [6, 5, 3, 4, 6, 4, 4, 5, 3, 6, 4, 4, 4, 4, 3, 2, 5, 3, 3, 5],
]


def random_tables() -> list[np.ndarray]:
    """Sixty tables, N from 10 to 500, from independence to strong association."""
    rng = np.random.default_rng(20)
    tables = []
    for shape in SHAPES:
        for k in range(10):
            largest = 150 if shape == (3, 3) else 500
            total = int(rng.integers(10, largest))
            cells = (
                rng.dirichlet(np.ones(shape[1]))[None]
                * rng.dirichlet(np.full(shape[0], 3.0))[:, None]
            )
            cells = cells * np.exp(0.15 * k * rng.standard_normal(shape))
            tables.append(rng.multinomial(total, (cells / cells.sum()).ravel()).reshape(shape))
    return tables


@pytest.fixture(scope="module")
def r_pvalues(tmp_path_factory: pytest.TempPathFactory) -> tuple[np.ndarray, np.ndarray]:
    """p-values by R's fisher.test, and R's refusals of OUT_OF_WORKSPACE, in one process."""
    folder: Path = tmp_path_factory.mktemp("r")
    lines = [
        ",".join(map(str, [len(table), *np.ravel(table)]))
        for table in [*random_tables(), *OUT_OF_WORKSPACE]
    ]
    (folder / "tables.csv").write_text("\n".join(lines) + "\n")
    script = """
        lines <- strsplit(readLines("tables.csv"), ",")
        for (k in seq_along(lines)) {
          v <- as.numeric(lines[[k]])
          m <- matrix(v[-1], v[1], byrow = TRUE)
          m <- m[rowSums(m) > 0, colSums(m) > 0, drop = FALSE]
          size <- if (k <= 60) 2e7 else 2e5
          p <- if (min(dim(m)) < 2) 1 else
            tryCatch(fisher.test(m, workspace = size)$p.value, error = function(e) -1)
          cat(sprintf("%.17g\\n", p))
        }"""
    values = numbers_of_r(script, folder)[:, 0]
    return values[:60], values[60:]


def close(result: FisherResult, table: list[list[int]], tolerance: float = 1e-9) -> None:
    """The result is exact and agrees with exact integers; log p differs by a relative error."""
    assert result.exact
    assert result.standard_error == 0
    assert abs(result.log_pvalue - log_fraction(fisher_fraction(table))) < tolerance


@pytest.mark.slow
def test_agrees_with_r(r_pvalues: tuple[np.ndarray, np.ndarray]) -> None:
    results = [fisher_exact(table) for table in random_tables()]
    assert all(result.exact for result in results)
    np.testing.assert_allclose([result.pvalue for result in results], r_pvalues[0], rtol=1e-7)
    assert r_pvalues[0].min() < 1e-20 < 0.9 < r_pvalues[0].max()


@pytest.mark.slow
@pytest.mark.parametrize("k", range(len(OUT_OF_WORKSPACE)))
def test_tables_beyond_the_workspace_of_r(k: int, r_pvalues: tuple[np.ndarray, np.ndarray]) -> None:
    assert r_pvalues[1][k] == -1
    table = OUT_OF_WORKSPACE[k]
    result = fisher_exact(table)
    assert result.exact
    expected = log_fraction(fisher_fraction_in_halves(table))
    assert abs(result.log_pvalue - expected) < 1e-9


def test_both_twins_agree() -> None:
    for table in ([[3, 1, 4, 2], [1, 3, 2, 6], [2, 7, 1, 1]], [[9, 0, 4], [2, 8, 3]]):
        assert fisher_fraction_in_halves(table) == fisher_fraction(table)


@pytest.mark.slow
@pytest.mark.parametrize(
    "table",
    [
        [[3, 1, 4], [1, 3, 2], [2, 7, 1]],
        [[5, 1, 3, 2, 6], [1, 4, 3, 2, 0], [1, 2, 1, 3, 1], [0, 0, 0, 0, 0]],
        [[1, 0, 1, 1, 0, 1, 2, 5], [0, 1, 0, 0, 1, 0, 4, 1]],  # six columns of one count
        [[1, 0, 1, 0, 2], [0, 0, 0, 1, 3], [0, 1, 0, 0, 5]],
        [[7, 1, 4, 5, 6, 2], [2, 6, 3, 1, 1, 3], [0, 2, 2, 3, 2, 4]],
        [
            [3, 1, 2, 1, 0, 1, 2, 0],
            [0, 2, 1, 1, 2, 1, 1, 1],
            [1, 0, 1, 1, 1, 2, 0, 1],
            [1, 2, 1, 2, 2, 1, 2, 3],
        ],
        [[2, 4, 1, 4, 5, 1, 0, 4, 2, 3, 5, 1], [3, 1, 4, 1, 0, 4, 5, 1, 3, 2, 0, 4]],
        # far out
        [[800, 3], [5, 900]],
        [[560, 3, 0], [1, 600, 60]],
        [[0, 30, 31, 0, 29], [33, 0, 0, 30, 1]],
    ],
)
def test_agrees_with_exact_integers(table: list[list[int]]) -> None:
    close(fisher_exact(table), table)


@pytest.mark.seconds
def test_many_equal_columns_where_r_is_wrong() -> None:
    close(fisher_exact(MANY_LEVELS), MANY_LEVELS)
    assert fisher_exact(MANY_LEVELS).pvalue == pytest.approx(0.9022, abs=5e-5)


@pytest.mark.seconds
def test_two_by_two_agrees_with_exact_integers_and_scipy() -> None:
    """Half of the tables have equal margins, so that the tables of both ends tie."""
    rng = np.random.default_rng(21)
    for k in range(60):
        total = int(rng.integers(4, 300))
        a, c = rng.integers(1, total, 2).tolist()
        table = [[a, total - a], [c, total - c]]
        if k % 2:
            table = [[a, total - a], [total - a, a]]
        assert min(map(sum, zip(*table, strict=True))) > 0
        result = fisher_exact(table, limit=0 if k % 3 else 3_000_000)
        close(result, table)
        assert result.pvalue == pytest.approx(stats.fisher_exact(table).pvalue, rel=1e-10)


@pytest.mark.seconds
def test_ratios_of_neighboring_tables_agree_with_exact_integers() -> None:
    """Half of the tables have equal margins, so that the tables of both ends tie."""
    rng = np.random.default_rng(22)
    for k in range(60):
        total = int(rng.integers(4, 600))
        a, c = rng.integers(1, total, 2).tolist()
        table = [[a, total - a], [total - a, a] if k % 2 else [c, total - c]]
        expected = log_fraction(fisher_fraction(table))
        assert abs(log_ratio_sum(np.array(table)) - expected) < 1e-11


@pytest.mark.parametrize("power", [6, 8, 10, 12])
def test_tables_of_a_million_counts_and_more(power: int) -> None:
    """Against chi-squared, to whose p-value half of both end terms is added as a correction."""
    n = 10**power
    table = np.array([[n, n + round(3 * n**0.5)], [n, n]])
    corrected = stats.chi2_contingency(table, correction=True).pvalue
    result = fisher_exact(table)
    assert result.exact
    assert result.pvalue == pytest.approx(corrected, rel=3 / n**0.5)


@pytest.mark.parametrize("n", [10**6, 10**9, 10**12])
def test_few_counts_beside_many(n: int) -> None:
    """Eleven tables have these margins: against fractions of binomial coefficients."""
    ways = [comb(10, x) * perm(n + 5, 12 - x) * perm(12, x) for x in range(11)]
    share = Fraction(sum(way for way in ways if way <= ways[7]), sum(ways))
    result = fisher_exact([[n, 5], [3, 7]])
    assert result.log_pvalue == pytest.approx(log_fraction(share), abs=1e-10)


def test_larger_tables_of_very_many_counts_are_asymptotic() -> None:
    result = fisher_exact([[10**12, 10**12 + 10**6, 10**12], [10**12] * 3])
    expected = stats.chi2_contingency([[10**12, 10**12 + 10**6, 10**12], [10**12] * 3]).pvalue
    assert (result.exact, np.isnan(result.standard_error)) == (False, True)
    assert result.pvalue == pytest.approx(expected, rel=1e-4)
    assert not fisher_exact([[10**15, 10**15 + 10**8], [10**15, 10**15]]).exact
    with pytest.raises(ValueError, match="at most 2.53 counts"):
        fisher_exact([[10**17, 1], [1, 1]])


@pytest.mark.slow
def test_the_logarithm_has_no_seam_where_scipys_pvalue_ends() -> None:
    """By steps of one count p falls from 1e-270 to 1e-290; every table against exact integers."""
    logs = []
    for a in range(470, 500):
        table = [[a, 500 - a], [500 - a, a]]
        close(fisher_exact(table), table)
        logs.append(fisher_exact(table).log_pvalue)
    assert min(logs) < np.log(1e-285) < np.log(1e-275) < max(logs)


def test_underflow_is_kept_as_a_logarithm() -> None:
    result = fisher_exact([[800, 3], [5, 900]])
    assert result.pvalue == 0.0
    assert -1300 < result.log_pvalue < -745


def test_ties_are_counted() -> None:
    """By hand: 2 x 2 with margins 4, 4: P = 1, 16, 36, 16, 1 over 70."""
    assert fisher_exact([[3, 1], [1, 3]]).pvalue == pytest.approx(34 / 70, rel=1e-12)
    assert fisher_exact([[4, 0], [0, 4]]).pvalue == pytest.approx(2 / 70, rel=1e-12)
    assert fisher_exact([[2, 2], [2, 2]]).pvalue == pytest.approx(1.0, rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(2, 7), (3, 4), (4, 4)])
def test_permuting_and_transposing_change_nothing(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(5)
    table = rng.integers(0, 12, shape)
    log_p = fisher_exact(table).log_pvalue
    assert log_p < -0.01
    for _ in range(4):
        mixed = table[rng.permutation(shape[0])][:, rng.permutation(shape[1])]
        for other in (mixed, mixed.T):
            assert fisher_exact(other).log_pvalue == pytest.approx(log_p, rel=0, abs=1e-12)


@pytest.mark.seconds
@pytest.mark.parametrize(
    ("table", "sampler"),
    [
        ([[12, 20, 9, 14], [18, 12, 14, 10]], "importance"),
        ([[30, 22, 11, 18, 5, 1, 0, 1], [11, 25, 30, 11, 2, 0, 1, 0]], "importance"),
        ([[60, 2, 50, 1, 3, 40], [1, 55, 3, 35, 45, 2]], "importance"),  # p = 3e-67
        ([[12, 9, 4], [4, 15, 10], [8, 12, 9]], "Monte Carlo"),
        ([[6, 1, 4, 5], [2, 6, 3, 1], [0, 2, 2, 3]], "Monte Carlo"),
    ],
)
def test_sampling_agrees_with_the_exact_sum(table: list[list[int]], sampler: str) -> None:
    exact = fisher_exact(table)
    assert exact.exact
    for seed in range(4):
        drawn = fisher_exact(table, samples=20_000, seed=seed, limit=0)
        assert not drawn.exact
        assert drawn.method.startswith(sampler)
        assert 0 < drawn.standard_error < 0.08
        off = np.expm1(drawn.log_pvalue - exact.log_pvalue)
        assert abs(off) < 5 * drawn.standard_error


def test_standard_error_is_the_spread_between_seeds() -> None:
    table = [[60, 2, 50, 1, 3, 40], [1, 55, 3, 35, 45, 2]]
    runs = [fisher_exact(table, samples=2_000, seed=seed, limit=0) for seed in range(60)]
    spread = np.std([run.log_pvalue for run in runs])
    stated = np.mean([run.standard_error for run in runs])
    assert 0.7 < spread / stated < 1.4


def test_sampling_is_seeded() -> None:
    table = [[12, 20, 9, 14], [18, 12, 14, 10]]
    for rows in (table, [*table, [3, 5, 1, 9]]):
        first, again, other = (
            fisher_exact(rows, samples=5_000, seed=seed, limit=0) for seed in (1, 1, 2)
        )
        assert first == again
        assert first.log_pvalue != other.log_pvalue


@pytest.mark.slow
def test_many_levels_out_of_reach_have_a_small_relative_error() -> None:
    rng = np.random.default_rng(8)
    sizes = rng.integers(2, 10, 92)
    first = np.where(rng.random(92) < 0.5, rng.binomial(sizes, 0.05), rng.binomial(sizes, 0.95))
    result = fisher_exact([first, sizes - first], limit=20_000)
    assert not result.exact
    assert result.log_pvalue < np.log(1e-50)
    assert result.standard_error < 0.05
    assert "importance sampling" in str(result)
    assert "relative standard error" in str(result)


@pytest.mark.seconds
def test_no_hits_is_said_and_there_is_no_floor() -> None:
    exact = fisher_exact(np.diag([30, 30, 30]))
    assert exact.exact
    result = fisher_exact(np.diag([30, 30, 30]), samples=10_000, limit=0)
    assert not result.exact
    assert abs(result.log_pvalue - exact.log_pvalue) < 0.06 * -exact.log_pvalue
    assert 0.5 < result.standard_error < 10
    assert "splitting" in result.method
    assert "no hit of 10000" in result.method


@pytest.mark.parametrize(
    "table",
    [
        [[5]],
        [[5, 6, 7]],
        [[5], [6]],
        [[5, 0], [6, 0]],
        [[0, 0], [0, 0]],
        [[3, 4], [0, 0]],
        np.eye(2, 500)[[0]],
        [[1] * 300 + [0] * 200, [0] * 300 + [1] * 200],
    ],
)
def test_nothing_to_compare(table: list[list[int]]) -> None:
    result = fisher_exact(table, limit=3_000)
    assert (result.log_pvalue, result.exact) == (0.0, True)


def test_empty_rows_and_columns_are_dropped() -> None:
    with_gaps = [[3, 0, 1, 6], [0, 0, 0, 0], [1, 0, 3, 2]]
    assert fisher_exact(with_gaps) == fisher_exact([[3, 1, 6], [1, 3, 2]])


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([[1, -1], [2, 3]], r"whole numbers, 0 or larger\). Got -1"),
        ([[1, 0.5], [2, 3]], r"whole numbers, 0 or larger\). Got 0.5"),
        ([[1, np.nan], [2, 3]], r"whole numbers, 0 or larger\). Got nan"),
        ([[1, np.inf], [2, 3]], r"whole numbers, 0 or larger\). Got inf"),
        ([1, 2, 3], r"2 dimensions \(rows, columns\). Got 1"),
        (np.zeros((0, 3)), r"Got shape \(0, 3\)"),
    ],
)
def test_bad_tables(table: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        fisher_exact(table)


def test_bad_number_of_samples() -> None:
    with pytest.raises(ValueError, match=r"samples must be a whole number, 1 or larger. Got 0"):
        fisher_exact([[1, 2], [3, 4]], samples=0)
