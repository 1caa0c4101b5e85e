"""One test per column by its kind, against scipy column by column; one scale for all of them."""

import itertools

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from scipy import stats

from hetsel import UnivariateTests, get_method
from hetsel.ground.errors import TableError

NUMBERS = ["t-test", "anova-f", "kruskal-wallis"]
LEVELS = ["fisher-exact", "chi-square"]


def table(classes, seed=0, n=60):
    """Numbers, levels and ordered levels; the classes of the rows."""
    frame, y = mixed_frame(n, 4, 4, seed=seed, classes=classes)
    rng = np.random.default_rng(seed)
    grade = np.minimum(rng.integers(0, 3, n) + y, 3)
    order = ["none", "mild", "some", "severe"]
    frame["grade"] = pd.Categorical.from_codes(grade, order, ordered=True)
    return frame, y


def scipys(cells, y, test):
    """The p-value of one column by scipy."""
    if test in LEVELS:
        counts = pd.crosstab(np.asarray(cells), y).to_numpy()
        if test == "chi-square":
            return stats.chi2_contingency(counts, correction=False).pvalue
        return freeman_halton(counts)
    groups = [np.asarray(cells, dtype=float)[y == c] for c in np.unique(y)]
    if test == "kruskal-wallis":
        return stats.kruskal(*groups).pvalue
    if test == "t-test" and len(groups) == 2:
        return stats.ttest_ind(*groups, equal_var=False).pvalue
    return stats.f_oneway(*groups).pvalue


def freeman_halton(counts):
    """The exact p-value by scipy's probability of every table of these margins."""
    rows, columns = counts.sum(axis=1), counts.sum(axis=0)
    law = stats.random_table(rows, columns)
    p, own = 0.0, law.pmf(counts)
    free = [range(min(r, c) + 1) for r in rows[:-1] for c in columns[:-1]]
    for inner in itertools.product(*free):
        part = np.reshape(inner, (len(rows) - 1, len(columns) - 1))
        side = np.column_stack([part, rows[:-1] - part.sum(axis=1)])
        whole = np.vstack([side, columns - side.sum(axis=0)])
        if whole.min() >= 0 and (each := law.pmf(whole)) <= own * (1 + 1e-7):
            p += each
    return p


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("numbers", NUMBERS)
@pytest.mark.parametrize("levels", LEVELS)
def test_each_column_has_the_p_value_of_scipys_test_of_its_kind(classes, numbers, levels):
    frame, y = table(classes, n=60 if classes == 2 else 18)
    frame = frame.drop(columns=["n2", "n3"])  # more tables than the slow sum should see
    ordered = "kruskal-wallis" if levels == "fisher-exact" else numbers
    found = UnivariateTests(numbers=numbers, levels=levels, ordered=ordered).fit(frame, y)
    expected = [
        scipys(frame[name].cat.codes, y, ordered)
        if name == "grade"
        else scipys(frame[name], y, levels if name.startswith("n") else numbers)
        for name in frame
    ]
    np.testing.assert_allclose(found.answer_.extras["p_value"], expected, rtol=1e-7, atol=1e-12)
    np.testing.assert_allclose(found.importances_, -np.log10(expected), rtol=1e-7, atol=1e-9)
    np.testing.assert_array_equal(found.answer_.order, np.argsort(expected, kind="stable"))
    assert found.frame()["p_value"].is_monotonic_increasing


@pytest.mark.parametrize("missing", ["impute", "separate"])
def test_each_column_has_the_rank_value_that_the_method_of_its_test_gives(missing):
    frame, y = mixed_frame(80, 4, 4, seed=3, missing=0.1, classes=3)
    nominal = [name for name in frame if name.startswith("n")]
    for numbers, levels in itertools.product(NUMBERS, LEVELS):
        options = {"numbers": numbers, "levels": levels, "missing": missing}
        found = dict(UnivariateTests(**options).fit(frame, y).frame().iloc[:, [1, 3]].values)
        for key, part in ((numbers, frame.drop(columns=nominal)), (levels, frame[nominal])):
            alone = get_method(key)(missing=missing).fit(part, y).frame()
            # filled levels see the other columns, where two are equally frequent
            for name, importance in alone[["feature", "importance"]].values:
                assert found[name] == pytest.approx(importance, rel=1e-9)


def test_columns_of_all_kinds_have_one_order_where_every_p_value_underflows():
    y = np.arange(6000) % 2
    flips = np.arange(6000) // 2
    codes = {k: np.where(flips < k, 1 - y, y) for k in (90, 10, 40)}
    frame = pd.DataFrame(
        {
            "few flips as levels": codes[10].astype(str),
            "shifted": np.random.default_rng(0).normal(size=6000) + 6.0 * y,
            "many flips as levels": codes[90].astype(str),
        }
    )
    found = UnivariateTests(levels="chi-square").fit(frame, y)
    assert (found.answer_.extras["p_value"] == 0).all()
    assert np.isfinite(found.importances_).all()
    assert found.importances_.min() > 400
    # one degree of freedom: the square of a normal deviate
    levels = [np.log(2) + stats.norm.logsf(6000**0.5 * (1 - k / 1500)) for k in (10, 90)]
    np.testing.assert_allclose(
        found.importances_[[0, 2]], -np.array(levels) / np.log(10), rtol=1e-9
    )


def test_the_effect_is_eta_and_cramers_v():
    frame, y = table(3)
    found = UnivariateTests(numbers="anova-f").fit(frame, y)
    effect = dict(zip(frame, found.answer_.extras["effect"], strict=True))
    v = stats.contingency.association(pd.crosstab(frame["n2"], y).to_numpy(), method="cramer")
    assert effect["n2"] == pytest.approx(v)
    f = stats.f_oneway(*(frame["c0"][y == c] for c in range(3))).statistic
    assert effect["c0"] == pytest.approx(np.sqrt(2 * f / (2 * f + len(y) - 3)))
    h = stats.kruskal(*(frame["grade"].cat.codes[y == c] for c in range(3))).statistic
    assert effect["grade"] == pytest.approx(np.sqrt(h / (len(y) - 1)))


def test_columns_of_one_p_value_go_by_effect_then_by_content_wherever_they_stand():
    y = np.repeat([0, 1], 8)
    frame = pd.DataFrame(
        {
            "flat": ["a"] * 16,
            "balanced": list("abababababababab"),  # p = 1, V = 0
            "other": list("aabbaabbaabbaabb"),  # p = 1, V = 0
            "near": list("aaaaabbbaaaabbbb"),  # p = 1, V > 0
            "apart": np.where(y == 0, 1.0, 2.0),  # p = 0 by rounding: no spread in the classes
        }
    )
    found = UnivariateTests().fit(frame, y).frame()
    assert found["feature"].tolist()[:2] == ["apart", "near"]
    assert found["p_value"].tolist() == pytest.approx([0, 1, 1, 1, 1])
    for turn in list(itertools.permutations(frame))[7::17]:
        again = UnivariateTests().fit(frame[list(turn)], y).frame()
        assert again["feature"].tolist() == found["feature"].tolist()


def test_an_unknown_test_is_refused_by_name():
    with pytest.raises(TableError, match="numbers must be 't-test' or .*Got 'wilcoxon'"):
        UnivariateTests(numbers="wilcoxon").fit([[1.0], [2], [3], [4]], [0, 0, 1, 1])
