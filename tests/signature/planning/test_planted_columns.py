"""Planted columns: they have the effect that is named, and are found as often as they should be."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2_contingency, contingency, norm, ttest_ind

import hetsel
from hetsel.ground.errors import TableError
from hetsel.signature.planning.planted_columns import (
    _bootstrap,
    _loosened,
    _planted,
    _strengths,
    chance_to_find,
    refuse_effect,
)
from hetsel.signature.planning.row_plan import _read
from hetsel.tables import Classes, Numbers

QUICK = {"folds": 3, "repeats": 1, "permutations": 0, "pairs": 0}
N = 200_000


def read(x, y, method="t-test", groups="rows", **given):
    return _read(x, y, groups, hetsel.Signature(**QUICK, method=method, **given))


def noise(n, p, seed=0, share=0.5):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, p)), (np.arange(n) < share * n).astype(int)


@pytest.mark.parametrize("effect", [0.2, 0.8])
def test_a_continuous_one_has_the_standardized_difference(effect):
    target = Classes.of(np.arange(N) % 3 == 0)
    x = _planted(target, effect, "continuous", np.arange(N), np.random.default_rng(0))
    own = target.codes == 1
    apart = x[own].mean() - x[~own].mean()
    assert apart / np.sqrt((x[own].var() + x[~own].var()) / 2) == pytest.approx(effect, abs=0.02)


@pytest.mark.parametrize(("w", "share"), [(0.3, 0.5), (0.3, 0.2), (0.1, 0.7)])
def test_a_nominal_one_has_the_w_of_cohen(w, share):
    """Cramer's V of a table of two rows is w."""
    target = Classes.of(np.arange(N) < share * N)
    x = _planted(target, w, "nominal", np.arange(N), np.random.default_rng(0))
    assert set(np.unique(x)) == {0.0, 1.0}
    counts = np.array([[((target.codes == c) & (x == v)).sum() for v in (0, 1)] for c in (0, 1)])
    assert contingency.association(counts) == pytest.approx(w, abs=0.01)


def test_of_numbers_it_has_the_correlation():
    target = Numbers(np.random.default_rng(1).exponential(size=N))
    x = _planted(target, 0.4, "continuous", np.arange(N), np.random.default_rng(0))
    assert np.corrcoef(x, target.values)[0, 1] == pytest.approx(0.4, abs=0.01)


def test_rows_of_a_unit_share_what_is_random():
    target = Classes.of(np.repeat([0, 1], 10))
    x = _planted(target, 1.0, "continuous", np.arange(20) // 2, np.random.default_rng(0))
    assert (x[::2] == x[1::2]).all()


@pytest.mark.parametrize("share", [0.5, 2.0])
def test_a_bootstrap_has_the_shares_of_the_classes_and_whole_groups(share):
    x, y = noise(60, 2, share=0.8)
    groups = np.arange(60) // 3
    data, _ = read(x, y, groups=groups)
    rows, unit = _bootstrap(data, share, np.random.default_rng(0))
    assert len(rows) == share * 60
    codes = data.target.codes[rows]
    assert np.bincount(codes).tolist() == (share * data.target.counts).tolist()
    for one in np.unique(unit):
        own = rows[unit == one]
        group = data.row_groups[own[0]]
        assert sorted(own) == np.flatnonzero(data.row_groups == group).tolist()


def without_differences(n, p, seed):
    """Columns whose two classes have the same mean: all that bootstraps differ by is chance."""
    y = np.arange(n) % 2
    x = np.random.default_rng(seed).normal(size=(n, p))
    x -= np.array([x[y == c].mean(axis=0) for c in (0, 1)])[y]
    return x, y


@pytest.mark.seconds
def test_without_an_effect_it_is_found_as_often_as_any_other_column():
    """One of five columns of noise: three standard errors of 300 draws."""
    data, procedure = read(*without_differences(1000, 4, 5))
    (found,) = chance_to_find(data, procedure, 1e-9, 1, 300, times=(0.1,))
    assert abs(found.share.estimate - 0.2) < 3 * np.sqrt(0.2 * 0.8 / 300)


@pytest.mark.seconds
def test_the_chance_is_that_of_a_simulation_by_hand():
    """One column of noise beside it: the larger t wins, of new draws of both."""
    effect = 0.08
    data, procedure = read(*without_differences(4000, 1, 3))
    (found,) = chance_to_find(data, procedure, effect, 1, 300, times=(0.1,))
    m = 400
    planted = np.abs(effect * np.sqrt(m / 4) + norm.rvs(size=40_000, random_state=1))
    other = np.abs(norm.rvs(size=40_000, random_state=2))
    expected = (planted > other).mean()
    assert abs(found.share.estimate - expected) < 3 * np.sqrt(expected * (1 - expected) / 300)
    assert 0 < found.error <= np.sqrt(0.25 / 300)


def test_more_rows_find_it_more_often_and_a_large_effect_always():
    x, y = noise(80, 6, seed=2)
    data, procedure = read(x, y)
    found = chance_to_find(data, procedure, 0.6, 1, 40)
    assert [one.rows for one in found] == [40, 80, 160, 320]
    assert found[-1].share.estimate > found[0].share.estimate
    assert chance_to_find(data, procedure, 8.0, 1, 10, times=(1.0,))[0].share.estimate == 1.0


@pytest.mark.seconds
def test_chance_associations_of_the_table_are_not_repeated_in_more_rows():
    """The intervals of five tables hold what normal statistics say of six columns of noise."""
    planted = np.abs(0.5 * np.sqrt(160 / 4) + norm.rvs(size=40_000, random_state=1))
    others = np.abs(norm.rvs(size=(40_000, 6), random_state=2)).max(axis=1)
    expected = (planted > others).mean()
    held = 0
    for seed in range(5):
        data, procedure = read(*noise(40, 6, seed=seed))
        share = chance_to_find(data, procedure, 0.5, 1, 40, times=(4.0,))[0].share
        held += share.low <= expected <= share.high
    assert held >= 4


def test_a_column_keeps_its_tie_with_the_target_or_comes_from_another_row():
    x, y = noise(50, 3)
    data, _ = read(x, y)
    rows = {
        tuple(row): int(code)
        for row, code in zip(data.table.values, data.target.codes, strict=True)
    }
    for kept, same in ((1.0, True), (0.0, False)):
        drawn, _ = _loosened(data, 2.0, np.full(3, kept), np.random.default_rng(0))
        codes = [rows[tuple(row)] for row in drawn.table.values]  # all are rows of the table
        assert (codes == drawn.target.codes).all() == same


@pytest.mark.parametrize("share", [1.0, 2.0, 4.0])
def test_columns_from_other_rows_go_with_the_target_as_far_as_chance_has_it(share):
    x, y = noise(40, 30, seed=8)
    data, _ = read(x, y)
    z = []
    for seed in range(20):
        drawn, _ = _loosened(data, share, np.zeros(30), np.random.default_rng(seed))
        z.append(ttest_ind(*(drawn.table.values[drawn.target.codes == c] for c in (0, 1)))[0])
    assert 0.85 < np.std(z) < 1.15  # of 600, which go together by rows


def test_a_column_of_many_levels_keeps_what_is_beyond_chance():
    """Of one degree of freedom all is kept; of L - 1 nothing below chi-square L - 2."""
    rng, y = np.random.default_rng(2), np.arange(200) % 2
    frame = pd.DataFrame({"two": rng.integers(2, size=200), "many": rng.integers(20, size=200)})
    frame["tied"] = np.where(rng.uniform(size=200) < 0.5, y, frame["many"])
    frame = frame.astype("category")
    data, _ = read(frame, y, method="univariate-tests")
    z, beyond, rows = _strengths(data, rng)
    for j, name in enumerate(frame):
        counts = contingency.crosstab(frame[name], y)[1]
        chi, p, free, _ = chi2_contingency(counts, correction=False)
        assert beyond[j] == pytest.approx(np.sqrt(max(0, 1 - (free - 1) / chi)), abs=1e-6)
        assert z[j] == pytest.approx(norm.isf(p / 2), abs=1e-6)
    assert beyond[0] == 1
    assert beyond[1] < 0.6
    assert rows == 200


def test_methods_that_look_at_neighbors_have_no_other_rows_than_those_at_hand():
    x, y = noise(30, 4)
    of_relieff = hetsel.get_method("ensemble")(method="relieff", resamplings=2)
    for method in ("relieff", "mi-knn", "sfs-5nn", of_relieff):
        data, procedure = read(x, y, method=method)
        assert [one.rows for one in chance_to_find(data, procedure, 1.0, 2, 2)] == [30]
    asked = hetsel.Signature(**QUICK, method="relieff", size=2)
    plan = hetsel.plan_rows(x, y, signature=asked, repeats=2, find_effect=1.0, plantings=4)
    assert any("neighbors" in reason for reason in plan.lacking)


@pytest.mark.parametrize("method", ["rfe-mkl", "relieff", "mi-histogram"])
def test_methods_of_mixed_tables_find_nominal_ones_too(method):
    from frames import mixed_frame

    frame, _ = mixed_frame(80, 3, 2, seed=4)
    y = np.random.default_rng(0).permutation(80) % 2  # beside it no column goes with the target
    data, procedure = read(frame, y, method=method)
    (found,) = chance_to_find(data, procedure, 0.95, 1, 6, "nominal", (1.0,))
    assert found.share.estimate == 1.0


def test_a_column_that_goes_with_survival_times_is_found_by_its_hazard_ratio():
    rng = np.random.default_rng(3)
    times, follow_up = rng.weibull(1.2, 80), rng.uniform(0.2, 3, 80)
    y = hetsel.survival(np.minimum(times, follow_up), times <= follow_up)
    x = rng.normal(size=(80, 5))
    data, procedure = read(x, y, method="univariate-tests", target_kind="survival")
    found = {b: chance_to_find(data, procedure, b, 1, 12, times=(1.0, 4.0)) for b in (0.05, 0.8)}
    weak, strong = ([one.share for one in each] for each in found.values())
    assert strong[0].estimate > weak[0].estimate + 0.3
    assert strong[1].low > 0.7
    assert weak[1].high < 0.9


TIMES = hetsel.survival(np.arange(1.0, 41), np.arange(40) % 2 == 0)


@pytest.mark.parametrize(
    ("y", "effect", "kind", "said"),
    [
        (np.arange(40) % 2, 0.0, "continuous", "above 0"),
        (np.arange(40) % 2, 1.2, "nominal", "above 0 and below 1 "),
        (np.arange(40) < 4, 0.5, "nominal", "above 0 and below 0.333"),
        (np.arange(40) % 2, 0.5, "ordinal", "one of continuous, nominal"),
        (Numbers(np.arange(40.0)), 1.0, "continuous", "above 0 and below 1"),
        (Numbers(np.arange(40.0)), 0.5, "nominal", "numbers"),
        (TIMES, 3.0, "continuous", "hazard ratio per standard deviation, above 0 and below 3 for"),
        (TIMES, 0.5, "nominal", "survival"),
    ],
)
def test_an_effect_that_no_column_can_have_is_refused(y, effect, kind, said):
    x = np.random.default_rng(0).normal(size=(40, 2))
    data, _ = read(x, y, method="univariate-tests")
    with pytest.raises(TableError, match=said):
        refuse_effect(data, effect, kind)
