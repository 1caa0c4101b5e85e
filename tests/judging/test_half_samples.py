"""Selection in halves of the rows: scripted methods, scikit-learn in each half, noise."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.feature_selection import SelectKBest, f_classif

import hetsel
from hetsel import Ranking, SearchPath, Table, get_method
from hetsel.judging.half_samples import HalfSelection, chosen_in_halves, selection_in_halves
from hetsel.resampling import halves_and_bootstraps, row_parts
from hetsel.resampling.halves_and_bootstraps import draw_halves
from hetsel.selection import About, BaseSelector, Problem
from hetsel.tables import Classes


def problem(x, y, size=1, **options):
    return Problem(Table.read(pd.DataFrame(x)), Classes.of(y, len(y)), (size,), **options)


class Marked(BaseSelector):
    """Always the last feature; before it the first, if the row of its largest cell is there."""

    about = About("selects by a row")

    def _select(self, problem):
        importance = np.zeros(problem.p)
        importance[-1], importance[1] = 3, 1
        importance[0] = 2 * (problem.table.values[:, 0].max() == 99)
        return Ranking.from_importance(importance)


class OfSizeTwo(BaseSelector):
    about = About("answers with one size")

    def _select(self, problem):
        return SearchPath(problem.p, {2: np.array([0, 1])}, {2: 1.0}, 2)


def marked_table():
    draw = np.random.default_rng(0)
    x, y = draw.normal(size=(30, 6)), np.arange(30) % 2
    x[7, 0] = 99
    return x, y


def test_a_row_is_in_one_half_of_each_pair():
    x, y = marked_table()
    found = selection_in_halves(Marked(), x, y, 2, pairs=10, threshold=0.6)
    np.testing.assert_array_equal(found.frequencies, [0.5, 0.5, 0, 0, 0, 1])
    assert (found.chosen[::2, 0] != found.chosen[1::2, 0]).all()
    assert (found.chosen.sum(axis=1) == 2).all()
    assert (found.threshold, found.pairs, found.size) == (0.6, 10, 2)


def test_a_frequency_at_the_threshold_is_enough():
    x, y = marked_table()
    found = selection_in_halves(Marked(), x, y, 2, pairs=10, threshold=0.5, assumption="r-concave")
    found = replace(found, permuted=found.permuted[:0])
    assert found.selected.tolist() == [5, 0, 1]
    above = selection_in_halves(Marked(), x, y, 2, pairs=10, threshold=0.501)
    assert above.threshold == 11 / 20
    frame = found.frame()
    assert frame["feature"].tolist() == ["x5", "x0", "x1", "x2", "x3", "x4"]
    assert frame["selected"].tolist() == [True] * 3 + [False] * 3


def test_the_bound_and_the_threshold_follow_from_each_other():
    """As R's stabs has it for q = 10, p = 100, 50 pairs and cutoff 0.9, unimodal."""
    draw = np.random.default_rng(1)
    x, y = draw.normal(size=(20, 100)), np.arange(20) % 2
    given = {"size": 10, "assumption": "unimodal"}
    found = selection_in_halves(get_method("variance")(), x, y, threshold=0.9, **given)
    assert found.bound == pytest.approx(0.43137254902, rel=1e-10)
    wanted = selection_in_halves(get_method("variance")(), x, y, bound=0.44, **given)
    assert wanted.threshold == 0.9
    np.testing.assert_array_equal(wanted.chosen, found.chosen)


def test_each_half_selects_what_scikit_learn_selects_in_it(monkeypatch):
    draw = np.random.default_rng(2)
    x, y = draw.normal(size=(46, 9)), draw.permutation(46) % 2
    x[:, 3] += y
    halves = np.array([draw.permutation(46) < 23 for _ in range(8)])
    monkeypatch.setattr(row_parts, "in_canonical_order", lambda given, *_: given)
    monkeypatch.setattr(halves_and_bootstraps, "draw_halves", lambda *given: halves)
    found = chosen_in_halves(get_method("anova-f")(), problem(x, y, 4), 8)
    for pair, half in enumerate(halves):
        for row, rows in ((2 * pair, half), (2 * pair + 1, ~half)):
            wanted = SelectKBest(f_classif, k=4).fit(x[rows], y[rows]).get_support()
            np.testing.assert_array_equal(found[row], wanted)


class Drawn(BaseSelector):
    """Random weights of the rows: another order of the rows, other importances."""

    about = About("draws", draws=True)

    def _select(self, problem):
        return Ranking.from_importance(problem.rng().normal(size=problem.n) @ problem.table.values)


@pytest.mark.parametrize("method", [get_method("relieff")(), Drawn()])
def test_the_order_of_the_rows_changes_nothing(method):
    data = hetsel.datasets.load("heart")
    frame, y = data.X.iloc[:90].copy(), data.y.iloc[:90]
    frame.iloc[::7, 0] = np.nan
    groups = np.random.default_rng(1).integers(0, 40, 90)
    order = np.random.default_rng(0).permutation(90)
    for given in (None, groups):
        other = None if given is None else given[order]
        options = {"size": 3, "pairs": 2, "threshold": 0.75}
        first = selection_in_halves(method, frame, y, groups=given, **options)
        second = selection_in_halves(
            method, frame.iloc[order], y.iloc[order], groups=other, **options
        )
        np.testing.assert_array_equal(first.chosen, second.chosen)


def test_what_fills_a_gap_and_the_levels_are_those_of_the_half():
    seen = []

    class Recorder(BaseSelector):
        about = About("records tables")

        def _select(self, problem):
            seen.append((problem.table.values[:, 0].copy(), problem.table.schema.columns[1].levels))
            return Ranking.from_importance(np.arange(2.0))

    frame = pd.DataFrame({"x": np.arange(20.0), "grade": np.arange(20.0)})
    frame.loc[19, "x"] = np.nan
    selection_in_halves(Recorder(ordinal=["grade"]), frame, np.arange(20) % 2, 1, pairs=5)
    assert len(seen) == 10 + 4  # of five pairs, and of two with a permuted target
    for cells, levels in seen:
        assert len(levels) == len(cells) == 10
        known = np.array([level for level in map(float, levels) if level != 19])
        filled = np.setdiff1d(cells, known)
        if len(known) < 10:  # the gap is in this half
            assert filled.tolist() in ([], [np.median(known)], [known.mean()])


def test_halves_have_their_share_of_every_class():
    y = np.repeat([0, 1, 2], [41, 16, 5])
    halves = draw_halves(problem(np.zeros((62, 2)), y), 40, np.random.default_rng(0))
    codes = problem(np.zeros((62, 2)), y).target.codes
    for half in halves:
        assert sorted(np.bincount(codes[half])) in ([2, 8, 20], [2, 8, 21], [3, 8, 20], [3, 8, 21])
        assert half.sum() == 31
    assert len({half.tobytes() for half in halves}) == 40
    assert abs(halves.mean(axis=0) - 0.5).max() < 0.35


def test_rows_of_a_group_are_in_one_half_and_groups_of_any_sizes_are_drawn_anew():
    sizes = np.arange(1, 13)  # no two alike
    groups = np.repeat(np.arange(12), sizes)
    y = np.arange(len(groups)) % 2
    given = problem(np.zeros((len(y), 2)), y, row_groups=groups)
    halves = draw_halves(given, 30, np.random.default_rng(0))
    for half in halves:
        assert all(np.ptp(half[groups == g].astype(int)) == 0 for g in range(12))
        assert 0.3 < half.mean() < 0.7
    assert len({min(half.tobytes(), (~half).tobytes()) for half in halves}) > 25


def test_what_a_permuted_target_selects_as_often_is_not_selected():
    x, y = marked_table()
    found = selection_in_halves(Marked(), x, y, 2, pairs=10, threshold=0.6)
    assert found.permuted.shape == (10, 6)
    assert found.permuted[:, 5].all()
    assert found.thresholds.tolist() == [0.6] * 5 + [np.inf]
    assert found.selected.tolist() == []
    assert found.doubtful.tolist() == [5]
    assert found.own_thresholds == [None]
    assert "x5 (100%)" in str(found)


def test_the_threshold_of_a_feature_keeps_its_part_of_the_bound():
    """Chance selects the first of 20 features in 12 of 40 halves, and 2 of 20 in each."""
    permuted = np.zeros((40, 20), dtype=bool)
    permuted[:12, 0] = True
    chosen = np.zeros((100, 20), dtype=bool)
    found = HalfSelection(chosen, tuple("abcdefghijklmnopqrst"), 2, 0.6, 0.5, "none", permuted)
    own = found.thresholds[0]
    assert (found.thresholds[1:] == 0.6).all()
    # theta^2 / (2 tau - 1) <= 0.5 / 20, theta = 0.3: above 1 for every tau
    assert own == np.inf
    chosen[:90, 0] = True
    more = replace(found, bound=2.0)  # 0.09 / (2 tau - 1) <= 2 / 20
    assert more.thresholds[0] == 0.95
    assert more.doubtful.tolist() == [0]
    assert more.own_thresholds == [0.95]


@pytest.mark.parametrize("method", ["mi-histogram", "rfe-linear"])
def test_columns_of_thirty_levels_that_know_nothing_are_not_selected(method):
    draw = np.random.default_rng(5)
    frame = pd.DataFrame(draw.normal(size=(100, 24)), columns=[f"x{j}" for j in range(24)])
    for name in ("x0", "x1"):
        frame[name] = pd.Categorical(draw.integers(0, 30, 100).astype(str))
    y = draw.permutation(100) % 2
    found = selection_in_halves(get_method(method)(), frame, y, 3, bound=1.0, pairs=20)
    assert set(found.doubtful.tolist()) == {0, 1}  # the theorem for columns alike keeps them
    assert found.selected.tolist() == []


@pytest.mark.slow
def test_noise_features_are_kept_no_more_often_than_the_bound_says():
    """Exchangeable noise beside two features that tell the class: V counts the noise."""
    p, size, pairs, tables = 40, 5, 8, 60
    found = []
    for seed in range(tables):
        draw = np.random.default_rng(seed)
        x, y = draw.normal(size=(40, p)), np.arange(40) % 2
        x[:, :2] += 1.5 * y[:, None]
        found.append(chosen_in_halves(get_method("anova-f")(), problem(x, y, size), pairs))
    counts = np.array(found).sum(axis=1)
    for halves in (10, 12, 14, 16):
        false = (counts[:, 2:] >= halves).sum(axis=1).mean()
        for assumption in ("r-concave", "unimodal", "none"):
            bound = hetsel.stability.false_selection_bound(
                q=size, p=p, threshold=halves / 16, pairs=pairs, assumption=assumption
            )
            assert false <= bound
    assert (counts[:, :2] >= 12).mean() > 0.9
    assert (counts[:, 2:] >= 10).sum() > 5  # some are kept: the bound has something to bound


def test_the_seed_draws_the_halves_and_the_selector_stays_as_it_is():
    x, y = np.random.default_rng(4).normal(size=(40, 8)), np.arange(40) % 2
    one, again, other = (
        selection_in_halves(get_method("anova-f")(random_state=k), x, y, 2, pairs=5).chosen
        for k in (0, 0, 1)
    )
    np.testing.assert_array_equal(one, again)
    assert (one != other).any()
    method = get_method("anova-f")()
    selection_in_halves(method, x, y, 2, pairs=5)
    assert not hasattr(method, "schema_")


def test_what_cannot_be_used_is_refused():
    x, y = np.random.default_rng(0).normal(size=(30, 4)), np.arange(30) % 2
    method = get_method("anova-f")()
    with pytest.raises(ValueError, match=r"size must be in 1\.\.4"):
        selection_in_halves(method, x, y, 5)
    with pytest.raises(ValueError, match="no threshold keeps the bound at 0.001 or below"):
        selection_in_halves(method, x, y, 2, bound=0.001)
    with pytest.raises(hetsel.ground.errors.TableError, match="pairs must be a whole number"):
        selection_in_halves(method, x, y, 1, pairs=0)
    with pytest.raises(hetsel.ground.errors.TableError, match="Class True has 3 rows"):
        selection_in_halves(method, x, np.arange(30) < 3, 1, bound=2)
    with pytest.raises(hetsel.ground.errors.TableError, match="Class . has .*1 row group"):
        selection_in_halves(method, x, y, 1, bound=2, groups=y)
    with pytest.raises(ValueError, match="a signature of size=1 in every half"):
        selection_in_halves(OfSizeTwo(), x, y, 1, bound=2)


@pytest.mark.parametrize(("bound", "kept"), [(0.93, 0), (0.5, 0), (0.49, 1)])
def test_nothing_is_kept_where_half_of_it_may_be_false(bound, kept):
    chosen = np.zeros((20, 4), dtype=bool)
    chosen[:, 2] = True
    found = HalfSelection(chosen, tuple("abcd"), 1, 0.6, bound, "unimodal", ~chosen[:2])
    assert found.selected.tolist() == [2]
    assert len(found.kept) == kept
    assert ("can be called stable" in str(found)) == (not kept)
    assert "can be called stable" not in str(replace(found, chosen=~chosen[:, [2, 2, 2, 2]]))
