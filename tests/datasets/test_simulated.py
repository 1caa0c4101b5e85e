"""The simulated problems of Weston et al. against what their definitions imply, exactly."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtr
from scipy.stats import chi2, chi2_contingency, ks_2samp
from sklearn.linear_model import LogisticRegression

import hetsel
from hetsel.datasets import simulate_linear, simulate_nonlinear
from hetsel.ground.errors import TableError

N = 20_000
BOTH = pytest.mark.parametrize(
    ("simulate", "p", "n_relevant"), [(simulate_linear, 202, 6), (simulate_nonlinear, 52, 2)]
)
# of the non-linear problem, x1 compared with -9/8 on the side of x2 that the sign of x2 tells
WRONG_SIDE = ndtr(-3)
NONLINEAR_ERROR = (1 - WRONG_SIDE) * ndtr(-1.875) + WRONG_SIDE * (ndtr(-0.375) + ndtr(4.125)) / 2


def close(found, wanted, standard_error):
    """Within five standard errors."""
    np.testing.assert_array_less(np.abs(np.asarray(found) - wanted), 5 * np.asarray(standard_error))


def errs(predicted, y, share):
    """The rule is wrong in this share of the rows."""
    close(np.mean(predicted != y), share, math.sqrt(share * (1 - share) / len(y)))


@BOTH
def test_shape_kinds_and_truth(simulate, p, n_relevant):
    data, mixed = simulate(60, 1), simulate(60, 1, levels=3)
    for table in (data, mixed):
        assert list(table.X) == [f"x{j}" for j in range(1, p + 1)]
        assert table.relevant == tuple(f"x{j}" for j in range(1, n_relevant + 1))
        assert table.description.startswith("SIMULATED")
        assert set(table.y) == {-1, 1}
    assert {c.kind for c in hetsel.Schema.infer(data.X).columns} == {"continuous"}
    kinds = [column.kind for column in hetsel.Schema.infer(mixed.X).columns]
    assert kinds == ["continuous", "nominal"] * (p // 2)


@BOTH
def test_the_seed_repeats_a_table(simulate, p, n_relevant):
    first, again, other = (simulate(30, seed, levels=4) for seed in (3, 3, 4))
    pd.testing.assert_frame_equal(first.X, again.X)
    pd.testing.assert_series_equal(first.y, again.y)
    assert not first.X.equals(other.X)


@pytest.mark.slow
@BOTH
def test_classes_are_equally_likely_and_noise_has_variance_20_in_both(simulate, p, n_relevant):
    data = simulate(N, 1)
    errs(np.ones(N), data.y, 0.5)
    for label in (-1, 1):
        noise = data.X[data.y == label].iloc[:, n_relevant:]
        n = len(noise)
        close(noise.mean(), 0, math.sqrt(20 / n))
        close(noise.var(), 20, 20 * math.sqrt(2 / n))
    wide = simulate(N, 1, noise_variance=400.0)
    pd.testing.assert_frame_equal(
        wide.X.iloc[:, n_relevant:], data.X.iloc[:, n_relevant:] * math.sqrt(20)
    )
    pd.testing.assert_frame_equal(wide.X.iloc[:, :n_relevant], data.X.iloc[:, :n_relevant])


def test_linear_means_and_covariances_are_those_of_the_mixture():
    """With z = 1 (probability 0.7) or 0: x_i y = i z + N(0, 1), or (i - 3)(1 - z) + N(0, 1)."""
    data = simulate_linear(N, 1)
    turned = data.X.iloc[:, :6].to_numpy() * data.y.to_numpy()[:, None]
    for label in (-1, 1):
        rows = turned[data.y == label]
        mean = np.array([0.7, 1.4, 2.1, 0.3, 0.6, 0.9])
        close(rows.mean(axis=0), mean, rows.std(axis=0) / math.sqrt(len(rows)))
        centered = rows - mean
        products = centered[:, :, None] * centered[:, None, :]
        along = np.array([1, 2, 3, -1, -2, -3])
        wanted = np.eye(6) + 0.21 * np.outer(along, along)
        close(products.mean(axis=0), wanted, products.std(axis=0) / math.sqrt(len(rows)))


def test_linear_features_of_one_half_leave_15_percent_and_x3_with_x6_does_not():
    """15 %: what the selections that take redundant features converge to in ramona2012, Fig. 1."""
    data = simulate_linear(N, 2)
    X = data.X
    errs(np.sign(X["x1"] + 2 * X["x2"] + 3 * X["x3"]), data.y, 0.7 * ndtr(-math.sqrt(14)) + 0.15)
    errs(np.sign(X["x2"]), data.y, 0.7 * ndtr(-2) + 0.15)
    errs(np.sign(X["x3"] + X["x6"]), data.y, ndtr(-3 / math.sqrt(2)))
    errs(np.sign(X["x7"] + X["x8"]), data.y, 0.5)


def test_nonlinear_classes_have_equal_means_and_x2_alone_says_nothing():
    data = simulate_nonlinear(N, 1)
    parts = [data.X[data.y == label] for label in (-1, 1)]
    for part, second_moments, product in zip(
        parts, ([25 / 16, 10], [10, 10]), (9 / 4, -9), strict=True
    ):
        pair = part[["x1", "x2"]].to_numpy()
        root = math.sqrt(len(pair))
        close(pair.mean(axis=0), 0, pair.std(axis=0) / root)
        close((pair**2).mean(axis=0), second_moments, (pair**2).std(axis=0) / root)
        close(pair.prod(axis=1).mean(), product, pair.prod(axis=1).std() / root)
    assert ks_2samp(parts[0]["x2"], parts[1]["x2"]).pvalue > 0.001
    assert ks_2samp(parts[0]["x1"], parts[1]["x1"]).pvalue < 1e-100


def test_nonlinear_pair_separates_the_classes():
    data = simulate_nonlinear(N, 2)
    toward = data.X["x1"] * np.sign(data.X["x2"])
    errs(np.where(toward > -1.125, -1, 1), data.y, NONLINEAR_ERROR)
    assert pytest.approx(0.031, abs=0.001) == NONLINEAR_ERROR


@pytest.mark.slow
@BOTH
@pytest.mark.parametrize("levels", [2, 3, 4, 7])
def test_every_second_column_is_cut_at_its_quantiles(simulate, p, n_relevant, levels):
    whole, cut = simulate(N, 1), simulate(N, 1, levels=levels)
    pd.testing.assert_series_equal(whole.y, cut.y)
    pd.testing.assert_frame_equal(whole.X.iloc[:, ::2], cut.X.iloc[:, ::2])
    statistics = []
    for name in cut.X.columns[1::2]:
        counts = cut.X[name].value_counts()
        assert len(counts) == levels
        statistics.append(np.sum((counts - N / levels) ** 2) * levels / N)
        ranges = whole.X[name].groupby(cut.X[name], observed=False).agg(["min", "max"])
        ordered = ranges.sort_values("min")
        assert (ordered["max"].to_numpy()[:-1] < ordered["min"].to_numpy()[1:]).all()
        assert list(ordered.index) != list(ranges.index)
        if levels == 4:
            assert np.corrcoef(ranges["min"].rank(), np.arange(4))[0, 1] == pytest.approx(0)
    assert chi2.sf(sum(statistics), (levels - 1) * len(statistics)) > 0.001
    assert chi2.sf(max(statistics), levels - 1) > 1e-5


def test_tables_of_two_seeds_are_cut_alike():
    """Also a table of few rows has all levels, under the names they have in a large one."""
    small, large = simulate_nonlinear(8, 5, levels=4), simulate_nonlinear(N, 6, levels=4)
    assert small.X.dtypes.equals(large.X.dtypes)
    whole = pd.concat([simulate_nonlinear(8, 5).X["x2"], simulate_nonlinear(N, 6).X["x2"]])
    codes = pd.concat([small.X["x2"], large.X["x2"]])
    assert whole.groupby(codes, observed=False).agg(lambda cells: np.ptp(cells) > 0).all()
    ranges = whole.groupby(codes, observed=False).agg(["min", "max"]).sort_values("min")
    assert (ranges["max"].to_numpy()[:-1] < ranges["min"].to_numpy()[1:]).all()


def learned_by_level(number, level, training, test):
    """In each level, the class whose mean of the number is the nearer one, in the training rows."""
    means = training.X[number].groupby([training.X[level], training.y], observed=False).mean()
    middle = means.groupby(level=0, observed=False).mean()
    upper = means.unstack().idxmax(axis=1)
    here = test.X[level].astype(str)
    above = test.X[number].to_numpy() > here.map(middle.to_dict()).to_numpy()
    return np.where(above, 1, -1) * here.map(upper.to_dict()).to_numpy()


def test_a_nominal_x2_separates_the_nonlinear_classes_with_x1_and_says_nothing_alone():
    """Levels of equal probability, even in number, tell the sign of x2: nothing is lost."""
    training, test = (simulate_nonlinear(N, seed, levels=4) for seed in (1, 2))
    error = np.mean(learned_by_level("x1", "x2", training, test) != test.y)
    close(error, NONLINEAR_ERROR, math.sqrt(NONLINEAR_ERROR * (1 - NONLINEAR_ERROR) / N))
    errs(learned_by_level("x3", "x4", training, test), test.y, 0.5)
    assert chi2_contingency(pd.crosstab(test.X["x2"], test.y)).pvalue > 0.001
    three = [simulate_nonlinear(N, seed, levels=3) for seed in (1, 2)]
    assert np.mean(learned_by_level("x1", "x2", *three) != three[1].y) < 0.25


@pytest.mark.slow
def test_nominal_and_continuous_features_tell_the_linear_classes():
    training, test = (simulate_linear(N, seed, levels=4) for seed in (1, 2))

    def wrong(names):
        rows = [pd.get_dummies(data.X[names], dtype=float) for data in (training, test)]
        return np.mean(LogisticRegression().fit(rows[0], training.y).predict(rows[1]) != test.y)

    assert wrong(list(test.relevant)) < 0.06
    assert wrong(["x2", "x4", "x6"]) < 0.17
    assert wrong([f"x{j}" for j in range(7, 13)]) == pytest.approx(0.5, abs=0.02)
    for name in test.X.columns[1:40:2]:
        found = chi2_contingency(pd.crosstab(test.X[name], test.y)).pvalue
        assert (found < 1e-100) if name in test.relevant else (found > 1e-4)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n": 0}, "n must be a whole number, 1 or larger. Got 0"),
        ({"n": 10, "levels": 1}, "levels must be a whole number, 2 or larger. Got 1"),
        ({"n": 10, "noise_variance": 0.0}, "noise_variance must be positive and finite. Got 0.0"),
        ({"n": 10, "noise_variance": math.nan}, "noise_variance must be positive"),
    ],
)
@pytest.mark.parametrize("simulate", [simulate_linear, simulate_nonlinear])
def test_options_that_are_not_legal_are_refused(simulate, options, words):
    with pytest.raises(TableError, match=words):
        simulate(**options)
