"""Univariate tests of numbers and of survival times: R's and scipy's, column by column."""

import itertools
import subprocess

import numpy as np
import pandas as pd
import pytest
from frames import same
from scipy import stats

import hetsel
from hetsel import UnivariateTests, get_method
from hetsel.ground.errors import TableError

NUMBERS = ["t-test", "anova-f", "kruskal-wallis"]
LEVELS = ["fisher-exact", "chi-square"]
KEYS = ["univariate-tests", "variance"]


def table(n=80, missing=0.0, seed=0, censored=0.4):
    """Columns of every kind, of which c0, n0 and grade tell; a number and survival times."""
    rng = np.random.default_rng(seed)
    told = rng.normal(size=n)
    frame = pd.DataFrame({f"c{j}": rng.normal(size=n) for j in range(3)})
    frame["c0"] += told
    frame["n0"] = pd.Categorical.from_codes(np.digitize(told, [-0.5, 0.5]), ["low", "mid", "high"])
    frame["n1"] = pd.Categorical.from_codes(rng.integers(0, 4, n), list("abcd"))
    grade = np.digitize(told + rng.normal(size=n), [-1, 0, 1])
    frame["grade"] = pd.Categorical.from_codes(grade, ["none", "mild", "some", "severe"], True)
    if missing:
        frame = frame.mask(rng.random(frame.shape) < missing)
    times = rng.exponential(np.exp(-told))
    events = rng.random(n) >= censored
    return frame, 100 + 20 * told, hetsel.survival(np.ceil(5 * times), events)


def scipys(cells, y, test):
    """The p-value of one column by scipy, a number being the target."""
    if test in LEVELS:
        groups = [y[np.asarray(cells) == level] for level in pd.unique(np.asarray(cells))]
        return (stats.f_oneway if test == "fisher-exact" else stats.kruskal)(*groups).pvalue
    numbers = np.asarray(cells, dtype=float)
    if test == "kruskal-wallis":
        return stats.chi2.sf((len(y) - 1) * stats.spearmanr(numbers, y).statistic ** 2, 1)
    return stats.pearsonr(numbers, y).pvalue


@pytest.mark.parametrize("numbers", NUMBERS)
@pytest.mark.parametrize("levels", LEVELS)
def test_each_column_has_the_p_value_of_scipys_test_with_a_number(numbers, levels):
    frame, y, _ = table()
    for ordered in NUMBERS + LEVELS:
        options = {"numbers": numbers, "levels": levels, "ordered": ordered}
        found = UnivariateTests(**options).fit(frame, y)
        tests = [*[numbers] * 3, *[levels] * 2, ordered]
        cells = [frame[name].cat.codes if name > "d" else frame[name] for name in frame]
        known = [scipys(part, y, test) for part, test in zip(cells, tests, strict=True)]
        np.testing.assert_allclose(found.answer_.extras["p_value"], known, rtol=1e-6, atol=1e-12)
        np.testing.assert_allclose(found.importances_, -np.log10(known), rtol=1e-6, atol=1e-9)


def test_the_effect_with_a_number_is_a_correlation():
    frame, y, _ = table()
    for levels in LEVELS:
        found = UnivariateTests(levels=levels).fit(frame, y)
        effect = dict(zip(frame, found.answer_.extras["effect"], strict=True))
        assert effect["c0"] == pytest.approx(abs(stats.pearsonr(frame["c0"], y).statistic))
        codes = frame["grade"].cat.codes
        assert effect["grade"] == pytest.approx(abs(stats.spearmanr(codes, y).statistic))
        cells = y if levels == "fisher-exact" else stats.rankdata(y)
        fitted = pd.Series(cells).groupby(np.asarray(frame["n0"])).transform("mean")
        assert effect["n0"] == pytest.approx(np.std(fitted) / np.std(cells))


@pytest.mark.seconds
def test_each_column_has_the_p_value_of_rs_test_with_survival_times(tmp_path):
    frame, _, y = table(60)
    cells = frame.assign(**{name: frame[name].cat.codes for name in ("n0", "n1", "grade")})
    cells.assign(t=y["time"], d=y["event"].astype(int)).to_csv(tmp_path / "d.csv", index=False)
    script = """suppressMessages({library(survival); library(coin)})
    d <- read.csv("d.csv")
    y <- Surv(d$t, d$d)
    m <- residuals(coxph(y ~ 1, ties = "breslow"), "martingale")
    row <- function(...) cat(sprintf("%.17g", c(...)), "\\n")
    score <- function(x) coxph(y ~ x, ties = "exact")$score
    for (name in c("c0", "c1", "c2", "grade")) row(score(d[[name]]), score(rank(d[[name]])), 1)
    for (name in c("n0", "n1", "grade")) {
      g <- factor(d[[name]])
      test <- independence_test(m ~ g, teststat = "quadratic")
      row(statistic(test), survdiff(y ~ g)$chisq, nlevels(g) - 1)
    }"""
    run = subprocess.run(
        ["Rscript", "-e", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    known = np.array([line.split() for line in run.stdout.splitlines()], dtype=float)
    score, levels = known[:4], known[4:]
    places = {"t-test": 0, "kruskal-wallis": 1, "fisher-exact": 0, "chi-square": 1}
    for numbers, of_levels, own in itertools.product(
        ["t-test", "kruskal-wallis"], LEVELS, ["t-test", "kruskal-wallis", *LEVELS]
    ):
        options = {"numbers": numbers, "levels": of_levels, "ordered": own}
        found = UnivariateTests(**options).fit(frame, y).answer_.extras
        last = (levels[2] if own in LEVELS else score[3])[[places[own], 2]]
        expected = np.vstack(
            [score[:3, [places[numbers], 2]], levels[:2, [places[of_levels], 2]], last]
        )
        np.testing.assert_allclose(found["p_value"], stats.chi2.sf(*expected.T), rtol=1e-6)
        effect = np.sqrt(1 - np.exp(-expected[:, 0] / y["event"].sum()))
        np.testing.assert_allclose(found["effect"], effect, rtol=1e-6)


def test_analysis_of_variance_of_survival_times_is_refused():
    frame, _, y = table()
    for options in ({"numbers": "anova-f"}, {"ordered": "anova-f"}):
        with pytest.raises(TableError, match="anova-f is not available for survival times"):
            UnivariateTests(**options).fit(frame, y)


@pytest.mark.parametrize("censored", [0.2, 0.6])
def test_what_tells_the_survival_times_is_first(censored):
    hits = 0
    for seed in range(20):
        frame, _, y = table(240, seed=seed, censored=censored)
        order = UnivariateTests().fit(frame, y).frame()["feature"].tolist()
        hits += set(order[:3]) == {"c0", "n0", "grade"}
    assert hits >= 18


def test_variance_does_not_look_at_the_target():
    frame, y, times = table()
    here, there = (get_method("variance")().fit(frame, target) for target in (y, times))
    same(here.importances_, there.importances_)
    same(here.importances_, get_method("variance")().fit(frame, y > 100).importances_)


def test_kruskal_and_walliss_test_of_a_number_over_levels_and_its_trend_along_numbers():
    frame, y, _ = table()
    frame["two"] = pd.Categorical(frame["n0"] == "high")
    frame["one or two"] = 1.0 + (frame["n0"] == "high")
    found = get_method("kruskal-wallis")().fit(frame, y)
    extras = {
        name: dict(zip(frame, part.tolist(), strict=True))
        for name, part in found.answer_.extras.items()
    }
    for name in ("n0", "n1", "two", "one or two"):
        known = stats.kruskal(*[y[frame[name] == one] for one in frame[name].unique()])
        assert extras["statistic"][name] == pytest.approx(known.statistic)
        assert extras["p_value"][name] == pytest.approx(known.pvalue, rel=1e-6)
    known = 79 * stats.spearmanr(frame["c0"], y).statistic ** 2
    assert extras["statistic"]["c0"] == pytest.approx(known)
    assert extras["p_value"]["c0"] == pytest.approx(stats.chi2.sf(known, 1), rel=1e-6)
