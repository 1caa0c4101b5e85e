"""t-test and analysis of variance against R and scipy; the F tail against R and its series."""

from decimal import Decimal, localcontext
from pathlib import Path

import numpy as np
import pytest
from r_numbers import numbers_of_r
from scipy import stats
from statsmodels.stats.weightstats import ttest_ind

from hetsel.statistics.column_tests.chi_squared import kruskal_wallis
from hetsel.statistics.column_tests.group_means import (
    anova_f,
    correlation_ratio,
    fisher_scores,
    log_f_tail,
    t_test,
)


def columns() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Forty columns with missing values, shifts and scales; two classes and four."""
    rng = np.random.default_rng(11)
    n = 60
    two, four = rng.integers(0, 2, n), np.repeat([0, 1, 2, 5], [20, 5, 25, 10])
    x = rng.standard_normal((n, 40)) * np.where(two == 0, 1.0, 3.0)[:, None]
    x += np.linspace(0, 6, 40) * two[:, None] + np.linspace(4, 0, 40) * (four == 2)[:, None]
    x[:, 10:20] += 1e6
    x[:, 20:25] *= 1e-160  # squares underflow
    x[:, 25:30] *= 1e160  # squares overflow
    x[:, 39] += 1e4 * two
    missing = rng.random((n, 40)) < 0.15
    missing[:, :5] = False
    x[missing] = np.nan
    return x, two, four


def tails() -> np.ndarray:
    """F, dfn, dfd of 200 tails, log p from near 0 to beyond -1e5; dfn where R is accurate."""
    rng = np.random.default_rng(12)
    dfd = 10 ** rng.uniform(0, 5.3, 200)
    return np.column_stack([10 ** rng.uniform(-4, 7, 200), rng.integers(1, 9, 200), dfd])


@pytest.fixture(scope="module")
def r_results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, np.ndarray]:
    """Statistic, df and p of every column by R, and log tails, in one process."""
    folder: Path = tmp_path_factory.mktemp("r")
    x, two, four = columns()
    scale = np.ones(40)
    scale[20:25], scale[25:30] = 1e160, 1e-160  # R's squares underflow and overflow too
    np.savetxt(folder / "x.csv", np.column_stack([two, four, x * scale]), "%.17g", ",")
    np.savetxt(folder / "f.csv", tails(), "%.17g", ",")
    script = """
        d <- as.matrix(read.csv("x.csv", header = FALSE))
        two <- d[, 1]; four <- factor(d[, 2]); x <- d[, -(1:2)]
        row <- function(...) cat(sprintf("%.17g", c(...)), "\\n")
        for (j in 1:ncol(x)) for (equal in c(FALSE, TRUE)) {
          t <- t.test(x[two == 0, j], x[two == 1, j], var.equal = equal)
          row(t$statistic, t$parameter, t$p.value)
        }
        for (j in 1:ncol(x)) {
          v <- x[, j]
          a <- oneway.test(v ~ four, var.equal = TRUE)
          row(a$statistic, a$parameter[2], a$p.value)
        }
        f <- as.matrix(read.csv("f.csv", header = FALSE))
        for (p in pf(f[, 1], f[, 2], f[, 3], lower.tail = FALSE, log.p = TRUE)) row(p, 0, 0)"""
    rows = numbers_of_r(script, folder)
    return {
        "welch": rows[0:80:2].T,
        "student": rows[1:80:2].T,
        "anova": rows[80:120].T,
        "tails": rows[120:, 0],
    }


@pytest.mark.parametrize("equal_var", [False, True])
def test_t_agrees_with_r(equal_var: bool, r_results: dict[str, np.ndarray]) -> None:
    x, two, _ = columns()
    statistic, df, p = r_results["student" if equal_var else "welch"]
    result = t_test(x, two, equal_var=equal_var)
    # ten columns sit on a level of 1e6, known to 1e-10 of their spread
    np.testing.assert_allclose(result.statistic, statistic, rtol=1e-8)
    np.testing.assert_allclose(result.df, df, rtol=1e-8)
    np.testing.assert_allclose(result.pvalue, p, rtol=1e-7)
    assert p.min() < 1e-50 < 0.5 < p.max()


@pytest.mark.parametrize("usevar", ["pooled", "unequal"])
def test_t_of_many_columns_with_gaps_is_that_of_statsmodels_of_each(usevar: str) -> None:
    x, y, _ = columns()
    x = x[:, :20]  # where squares underflow, statsmodels is wrong in the third digit
    found = t_test(x, y, equal_var=usevar == "pooled")
    for j in range(x.shape[1]):
        parts = (x[(y == code) & ~np.isnan(x[:, j]), j] for code in (0, 1))
        statistic, pvalue, df = ttest_ind(*parts, usevar=usevar)
        assert found.statistic[j] == pytest.approx(statistic, rel=1e-8)
        assert found.pvalue[j] == pytest.approx(pvalue, rel=1e-7)
        assert found.df[j] == pytest.approx(df, rel=1e-12)


@pytest.mark.parametrize("equal_var", [False, True])
def test_the_logarithm_has_no_seam_where_scipys_pvalue_ends(equal_var: bool) -> None:
    """Classes move apart, p from 1e-270 to 1e-290: log p falls smoothly, by second differences."""
    y = np.repeat([0, 1], 100)
    x = np.random.default_rng(8).standard_normal((200, 1)) + y[:, None] * np.linspace(50, 90, 4001)
    log_p = t_test(x, y, equal_var=equal_var).log_pvalue
    near = log_p[(log_p < np.log(1e-270)) & (log_p > np.log(1e-290))]
    assert len(near) > 20
    assert np.abs(np.diff(near, 2)).max() < 1e-3


def test_another_unit_changes_no_digit_that_counts_however_far_the_classes_are_apart() -> None:
    """What scipy's f_oneway does not hold: its F of the same columns moves by 1e-9 and more."""
    y = np.repeat([0, 1, 2], 40)
    x = np.random.default_rng(5).standard_normal((120, 50)) + 1000.0 * y[:, None]
    other = 3.7 * x - 11.3
    f, f_other = (
        stats.f_oneway(*(values[y == code] for code in range(3))).statistic for values in (x, other)
    )
    assert np.abs(f / f_other - 1).max() > 1e-10
    np.testing.assert_allclose(anova_f(x, y).statistic, anova_f(other, y).statistic, rtol=1e-12)
    two = y < 2
    t, t_other = (t_test(values[two], y[two]).statistic for values in (x, other))
    np.testing.assert_allclose(t, t_other, rtol=1e-12)


def test_anova_agrees_with_r(r_results: dict[str, np.ndarray]) -> None:
    x, _, four = columns()
    statistic, df, p = r_results["anova"]
    result = anova_f(x, four)
    np.testing.assert_allclose(result.statistic, statistic, rtol=1e-8)
    np.testing.assert_array_equal(result.df[0], 3)
    np.testing.assert_array_equal(result.df[1], df)
    np.testing.assert_allclose(result.pvalue, p, rtol=1e-7)


def test_anova_of_two_classes_is_student_squared() -> None:
    x, two, _ = columns()
    student, anova = t_test(x, two, equal_var=True), anova_f(x, two)
    np.testing.assert_allclose(anova.statistic, student.statistic**2, rtol=1e-9)
    np.testing.assert_allclose(anova.log_pvalue, student.log_pvalue, rtol=1e-9)


def test_f_tail_agrees_with_r(r_results: dict[str, np.ndarray]) -> None:
    f, dfn, dfd = tails().T
    found = log_f_tail(f, dfn, dfd)
    np.testing.assert_allclose(found, r_results["tails"], rtol=1e-9, atol=1e-300)
    assert found.min() < -1e5
    assert found.max() > -1e-3


@pytest.mark.parametrize(
    ("f", "dfn", "dfd"),
    [
        (181.2092640230243, 40, 297_954),  # R 4.2.2 is off by 45 here
        (126.65403973530782, 40, 17_840),  # and here by 0.6
        (2000, 1, 500),
        (1e6, 3, 200_000),
        (1e300, 2, 40),
        (50, 200, 3000),
    ],
)
def test_f_tail_agrees_with_its_series_in_fifty_digits(f: float, dfn: int, dfd: int) -> None:
    """I_x(a, b) summed in decimals; dfn and dfd are even, or Gamma(1/2) enters with b."""
    expected = decimal_log_tail(f, dfn, dfd)
    assert log_f_tail(f, dfn, dfd) == pytest.approx(expected, rel=1e-12)


def decimal_log_tail(f: float, dfn: int, dfd: int) -> float:
    with localcontext() as context:
        context.prec = 50
        a, b = Decimal(dfd) / 2, Decimal(dfn) / 2
        x = a / (a + b * Decimal(f))
        term = series = Decimal(1)
        k = 0
        while term > series * Decimal(10) ** -30:
            term *= x * (a + b + k) / (a + 1 + k)
            series += term
            k += 1
        log_beta = log_gamma(a) + log_gamma(b) - log_gamma(a + b)
        return float(a * x.ln() + b * (1 - x).ln() - a.ln() - log_beta + series.ln())


def log_gamma(z: Decimal) -> Decimal:
    """Stirling's series after shifting the argument beyond 60."""
    two_pi = Decimal("6.283185307179586476925286766559005768394338798750211642")
    shift = Decimal(0)
    while z < 60:
        shift += z.ln()
        z += 1
    bernoulli = [(1, 12), (-1, 360), (1, 1260), (-1, 1680), (1, 1188), (-691, 360360), (1, 156)]
    tail = sum(
        (Decimal(u) / v / z ** (2 * i + 1) for i, (u, v) in enumerate(bernoulli)), Decimal(0)
    )
    return (z - Decimal("0.5")) * z.ln() - z + two_pi.ln() / 2 + tail - shift


def test_f_tail_at_its_ends() -> None:
    found = log_f_tail([0.0, np.inf, 1.0], [1, 1, 7], [[5], [7], [7]])
    assert found.shape == (3, 3)
    np.testing.assert_array_equal(found[:, 0], 0.0)
    np.testing.assert_array_equal(found[:, 1], -np.inf)
    assert found[1, 2] == pytest.approx(np.log(0.5))


def test_ranking_goes_on_where_the_pvalue_is_zero() -> None:
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1], 500)
    x = rng.standard_normal((1000, 1)) + y[:, None] * [[50.0, 500.0, 5000.0]]
    for result in (t_test(x, y), t_test(x, y, equal_var=True), anova_f(x, y)):
        np.testing.assert_array_equal(result.pvalue, 0.0)
        assert np.isfinite(result.log_pvalue).all()
        assert (np.diff(result.log_pvalue) < -1000).all()


NAN = np.nan
Y = np.array([0, 0, 0, 1, 1, 1])
DEGENERATE = {  # column: statistic and log p of the t-test
    "constant": ([0.1] * 6, 0.0, 0.0),
    "all zero": ([0.0] * 6, 0.0, 0.0),
    "constant up to rounding": ([0.3, 0.1 + 0.2, 0.3, 0.3, 0.3, 0.3], 0.0, 0.0),
    "separated": ([0.1] * 3 + [0.7] * 3, -np.inf, -np.inf),
    "separated downward": ([5.0] * 3 + [0.0] * 3, np.inf, -np.inf),
    "one value in each class": ([1.0, NAN, NAN, 2.0, NAN, NAN], 0.0, 0.0),
    "none in a class": ([NAN, NAN, NAN, 2.0, 3.0, 4.0], 0.0, 0.0),
    "all missing": ([NAN] * 6, 0.0, 0.0),
}


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_columns(name: str) -> None:
    column, statistic, log_p = DEGENERATE[name]
    good = [1.0, 2.0, 3.0, 3.0, 4.0, 7.0]
    x = np.column_stack([column, good])
    for result in (t_test(x, Y), t_test(x, Y, equal_var=True)):
        assert result.statistic[0] == statistic
        assert result.log_pvalue[0] == log_p
        assert -5 < result.log_pvalue[1] < -0.5
    anova = anova_f(x, Y)
    assert anova.statistic[0] == abs(statistic)
    assert anova.log_pvalue[0] == log_p


def test_one_constant_class_is_no_degenerate_column() -> None:
    """Means 2 and 13/3, variances 0 and 7/3: t = -(7/3) / sqrt(7/9) = -sqrt(7), df = 2."""
    result = t_test([[2.0], [2.0], [2.0], [3.0], [4.0], [6.0]], Y)
    assert result.statistic[0] == pytest.approx(-np.sqrt(7))
    assert result.df[0] == pytest.approx(2.0)
    assert result.pvalue[0] == pytest.approx(2 * stats.t.sf(np.sqrt(7), 2))


ONE_VALUE = {  # of the last class one value, or none, or of all classes but one
    "one of three classes": ([1.0, 2.0, 4.0, 3.0, 5.0, 7.0, 90.0, NAN], [0, 0, 0, 1, 1, 1, 2, 2]),
    "two of three classes": ([1.0, 2.0, 4.0, 3.0, NAN, NAN, 90.0, NAN], [0, 0, 0, 1, 1, 1, 2, 2]),
    "one of two classes": ([1.0, 2.0, 4.0, 3.0, 9.0, NAN, NAN], [0, 0, 0, 0, 1, 1, 1]),
    "none of three classes": ([1.0, 2.0, 4.0, 3.0, 5.0, NAN, NAN], [0, 0, 0, 1, 1, 2, 2]),
}


@pytest.mark.parametrize(("x", "y"), ONE_VALUE.values(), ids=ONE_VALUE)
def test_a_class_counts_from_one_value_on_as_scipy_has_it(x, y) -> None:
    x, y = np.array(x), np.array(y)
    there = [x[(y == code) & ~np.isnan(x)] for code in np.unique(y)]
    there = [values for values in there if len(values)]
    expected = stats.f_oneway(*there)
    found = anova_f(x[:, None], y)
    assert found.statistic[0] == pytest.approx(expected.statistic, rel=1e-12)
    assert found.pvalue[0] == pytest.approx(expected.pvalue, rel=1e-12)
    spread = sum(((values - values.mean()) ** 2).sum() for values in there)
    total = ((np.concatenate(there) - np.concatenate(there).mean()) ** 2).sum()
    assert correlation_ratio(found)[0] ** 2 == pytest.approx(1 - spread / total)
    ranks = kruskal_wallis(x[:, None], y)
    assert ranks.pvalue[0] == pytest.approx(stats.kruskal(*there).pvalue)
    if y.max() == 1:
        student = t_test(x[:, None], y, equal_var=True)
        scipys = stats.ttest_ind(*there)
        assert student.statistic[0] == pytest.approx(scipys.statistic)
        assert student.df[0] == scipys.df
        assert student.log_pvalue[0] == pytest.approx(found.log_pvalue[0], rel=1e-12)
        # of one value there is no variance of a class: scipy's Welch is NaN
        assert t_test(x[:, None], y).log_pvalue[0] == 0


def test_shift_scale_and_order_change_nothing() -> None:
    x, two, four = columns()
    x = x[:, :10]
    order = np.random.default_rng(0).permutation(len(x))
    for test, y in ((t_test, two), (anova_f, four)):
        log_p = test(x, y).log_pvalue
        np.testing.assert_allclose(test(4 * x - 8, y).log_pvalue, log_p, rtol=1e-10)
        np.testing.assert_allclose(test(x[order], y[order]).log_pvalue, log_p, rtol=1e-10)


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([1.0, 2.0], [0, 1], r"x must have 2 dimensions \(rows, columns\). Got 1"),
        ([[1.0], [2.0]], [0, 1, 1], r"each of the 2 rows of x. Got shape \(3,\)"),
        ([[1.0], [2.0]], [0, 2], r"y must contain the class codes 0 and 1. Got 2"),
        ([[1.0], [2.0]], [0, 0.5], r"y must contain class codes \(whole numbers\). Got 0.5"),
        ([[1.0], [np.inf]], [0, 1], r"x must contain numbers, or NaN .* Got inf"),
    ],
)
def test_bad_input(x: object, y: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        t_test(x, y)


def numbers(classes, n=70):
    rng = np.random.default_rng(classes)
    y = rng.integers(0, classes, n)
    return rng.normal(size=(n, 5)) * [1, 9, 1e-6, 1e6, 1] + np.outer(y, [0, 3, 1e-7, 1e7, 1]), y


@pytest.mark.parametrize("classes", [2, 4])
def test_fishers_score_is_the_formula(classes):
    x, y = numbers(classes)
    for column, found in zip(x.T, fisher_scores(anova_f(x, y)), strict=True):
        groups = [column[y == c] for c in range(classes)]
        between = sum(len(g) * (g.mean() - column.mean()) ** 2 for g in groups)
        assert found == pytest.approx(between / sum(len(g) * g.var() for g in groups))


@pytest.mark.parametrize("classes", [2, 3])
def test_the_ratio_is_the_multiple_correlation_of_least_squares(classes):
    x, y = numbers(classes)
    indicators = (y[:, None] == np.arange(classes)).astype(float)
    for column, found in zip(x.T, correlation_ratio(anova_f(x, y)), strict=True):
        fitted = indicators @ np.linalg.lstsq(indicators, column, rcond=None)[0]
        assert found == pytest.approx(np.corrcoef(fitted, column)[0, 1])


def test_scores_of_constant_and_separated_columns():
    y = np.array([0, 0, 0, 1, 1])
    x = np.column_stack([np.full(5, 0.1), 0.1 + 0.2 * y, [NAN, NAN, NAN, 1, 2]])
    assert fisher_scores(anova_f(x, y)).tolist() == [0, np.inf, 0]
    assert correlation_ratio(anova_f(x, y)).tolist() == [0, 1, 0]
