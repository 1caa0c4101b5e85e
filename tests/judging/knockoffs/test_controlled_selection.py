"""Selection by knockoffs: scripted methods, fair coins, and noise that goes with what tells."""

import numpy as np
import pytest
from frames import mixed_frame

from hetsel import About, BaseSelector, Ranking, SearchPath, get_method, knockoff_selection
from hetsel.ground.errors import TableError
from hetsel.judging.knockoffs import controlled_selection as module
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
    assert "5 or more must win" in str(found)
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
    with pytest.raises(TableError, match="ranks all features"):
        knockoff_selection(Pairs(), frame, y)
    with pytest.raises(TableError, match="complete columns"):
        knockoff_selection(get_method("hsic")(missing="separate"), frame, y)
    with pytest.raises(TableError, match="repeats must be"):
        knockoff_selection(get_method("hsic")(), frame, y, repeats=0)
    for options in ({"fdr": 1.0}, {"run_fdr": 0.0, "repeats": 2}):
        with pytest.raises(ValueError, match="fdr must be a number above 0"):
            knockoff_selection(get_method("hsic")(), frame, y, **options)
