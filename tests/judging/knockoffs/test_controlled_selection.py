"""Selection by knockoffs: scripted methods, fair coins, and noise that goes with what tells."""

from fractions import Fraction

import numpy as np
import pytest
from frames import mixed_frame

from hetsel import Ranking, SearchPath, get_method, knockoff_selection
from hetsel.ground.errors import TableError
from hetsel.judging.knockoffs import controlled_selection as module
from hetsel.judging.knockoffs.controlled_selection import fewest_discoveries
from hetsel.selection import About, BaseSelector
from hetsel.stats import e_benjamini_hochberg, knockoff_evalues, knockoff_threshold
from hetsel.tables import Table


class Means(BaseSelector):
    """The importance of a column is the mean of its cells."""

    about = About("by the mean")

    def _select(self, problem):
        return Ranking.from_importance(problem.table.values.mean(axis=0))


class Places(BaseSelector):
    """The importance of a column is how far to the left it stands."""

    about = About("by the place")

    def _select(self, problem):
        return Ranking.from_importance(-np.arange(float(problem.p)))


class Pairs(BaseSelector):
    """A search that knows one subset."""

    about = About("of size two")

    def _select(self, problem):
        return SearchPath(problem.p, {2: np.array([0, 1])}, {2: 1.0}, 2)


def shifted(by):
    """Instead of knockoffs: the table, the column of rank j lower by by[j]."""

    class Shifted:
        def __init__(self, table):
            self.table = table

        def draw(self, rng):
            place = np.argsort(np.argsort(self.table.values.mean(axis=0)))
            return Table(self.table.values - np.asarray(by)[place], self.table.schema)

    return Shifted


def test_w_is_what_a_column_has_beyond_its_knockoff_however_the_pairs_are_placed(monkeypatch):
    by = [3.0, -1.0, 0.0, 2.0, 5.0, 4.0, 6.0]
    monkeypatch.setattr(module, "KnockoffModel", shifted(by))
    x = np.random.default_rng(0).normal(size=(30, 7)) + 10 * np.arange(7)
    found = knockoff_selection(Means(), x, np.arange(30) % 2, repeats=4, run_fdr=0.2, check=False)
    np.testing.assert_allclose(found.W, [by] * 4, atol=1e-12)
    assert found.W[0, 2] == 0
    np.testing.assert_allclose(found.thresholds, 2.0)
    assert found.selected.tolist() == [6, 4, 5, 0, 3]
    assert found.evalues.tolist() == [7, 0, 0, 7, 7, 7, 7]
    frame = found.frame()
    assert frame["feature"].tolist()[:2] == ["x6", "x4"]
    assert frame["selected"].tolist() == [True] * 5 + [False] * 2
    assert "x6, x4, x5, x0, x3" in str(found)


def test_nothing_is_selected_where_too_few_win(monkeypatch):
    monkeypatch.setattr(module, "KnockoffModel", shifted([1.0, 1.0, 1.0, 1.0, -0.1]))
    x = np.random.default_rng(0).normal(size=(30, 5)) + 10 * np.arange(5)
    y = np.arange(30) % 2
    found = knockoff_selection(Means(), x, y, check=False)
    assert (len(found.selected), found.thresholds.tolist()) == (0, [np.inf])
    assert "At least 5 features must win" in str(found)
    assert knockoff_selection(Means(), x, y, fdr=0.25, check=False).selected.size == 4


def test_places_favor_neither_columns_nor_knockoffs():
    x = np.random.default_rng(1).normal(size=(20, 40))
    W = knockoff_selection(Places(), x, np.arange(20) % 2, repeats=10).W
    assert abs((W > 0).mean() - 0.5) < 4 * 0.5 / np.sqrt(W.size)


def test_an_elimination_is_compared_by_the_better_rank():
    frame, y = mixed_frame(60, 4, 2, seed=1)
    found = knockoff_selection(get_method("rfe-svm")(), frame, y, repeats=3)
    assert found.by_rank
    assert set(np.abs(found.W).max(axis=1)) == {12.0}
    assert all(len(set(np.abs(row))) == 6 for row in found.W)
    assert (found.W[:, [0, 4]] > 0).all()  # the two that tell the class


def test_columns_and_rows_in_another_order_have_the_same_w():
    frame, y = mixed_frame(50, 4, 3, seed=2, missing=0.05)
    draw = np.random.default_rng(0)
    rows, columns = draw.permutation(50), draw.permutation(7)
    one = knockoff_selection(get_method("hsic")(), frame, y)
    other = knockoff_selection(get_method("hsic")(), frame.iloc[rows, columns], y[rows])
    np.testing.assert_array_equal(one.W[:, columns], other.W)
    assert [one.names[j] for j in columns] == list(other.names)


@pytest.mark.slow
def test_noise_that_goes_with_telling_columns_wins_as_often_as_its_knockoff():
    """Every third column tells the class, its two neighbors only go with it."""
    false = []
    for seed in range(30):
        draw = np.random.default_rng(seed)
        x = draw.normal(size=(150, 12)) + np.repeat(draw.normal(size=(150, 4)), 3, axis=1)
        odds = 1.2 * x[:, ::3].sum(axis=1)
        y = (draw.random(150) < 1 / (1 + np.exp(-odds))).astype(int)
        W = knockoff_selection(get_method("anova-f")(random_state=seed), x, y).W[0]
        false.append((np.delete(W, np.s_[::3]) > 0).mean())
    error = np.std(false, ddof=1) / np.sqrt(len(false))
    assert np.mean(false) < 0.5 + 3 * error


def test_names_that_look_like_those_of_knockoffs_are_no_matter():
    frame, y = mixed_frame(40, 2, 1, seed=3)
    frame["c0~"] = frame["c1"].to_numpy()[::-1]
    found = knockoff_selection(get_method("hsic")(), frame, y)
    assert found.names == ("c0", "c1", "n0", "c0~")


def test_what_cannot_be_compared_is_refused():
    frame, y = mixed_frame(40, 3, 1, seed=2, missing=0.1)
    with pytest.raises(TableError, match="must rank all features"):
        knockoff_selection(Pairs(), frame, y)
    with pytest.raises(TableError, match="must be complete for knockoffs"):
        knockoff_selection(get_method("hsic")(missing="separate"), frame, y)
    with pytest.raises(TableError, match="repeats must be"):
        knockoff_selection(get_method("hsic")(), frame, y, repeats=0)
    for options in ({"fdr": 1.0}, {"run_fdr": 0.0, "repeats": 2}):
        with pytest.raises(ValueError, match="fdr must be a number above 0"):
            knockoff_selection(get_method("hsic")(), frame, y, **options)


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
