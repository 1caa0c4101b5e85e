"""Effects of columns, and columns for survival times, against the Cox regression of statsmodels."""

import numpy as np
import pytest
from scipy.stats import kstest
from statsmodels.duration.hazard_regression import PHReg

from hetsel.ground.errors import TableError
from hetsel.statistics.sample_size.shrunken_effects import (
    chances_of_place,
    column_of_hazard,
    drawn_effects,
)


def test_of_noise_little_is_kept_and_of_a_strong_association_all():
    z = np.abs(np.random.default_rng(1).normal(size=200))
    z[7] = 9.0
    effects = drawn_effects(z, 100, 100, np.random.default_rng(0))
    assert abs(effects[:, 7].mean() - 9) < 0.5
    assert 0.5 < effects[:, 7].std() < 1.5  # on both sides of what the table shows
    assert np.delete(effects, 7, axis=1).mean() < 0.05


def test_the_order_of_the_columns_changes_nothing():
    z = np.array([0.0, 3.0, 1.2, 6.5])
    first = drawn_effects(z, 60, 20, np.random.default_rng(3))
    second = drawn_effects(z[::-1], 60, 20, np.random.default_rng(3))
    np.testing.assert_allclose(first, second[:, ::-1])


def test_the_chance_of_a_place_is_that_of_draws():
    rng, effects = np.random.default_rng(5), np.array([[0.0, 1, 2, 3], [0, 0, 0, 0], [4, 4, 4, 0]])
    for own, size in ((0.0, 1), (2.0, 2), (3.0, 3), (1.0, 9)):
        others = np.abs(effects[:, None] + rng.normal(size=(3, 20_000, 4)))
        planted = np.abs(own + rng.normal(size=(3, 20_000, 1)))
        drawn = ((others > planted).sum(axis=2) < size).mean(axis=1)
        np.testing.assert_allclose(chances_of_place(effects, own, size), drawn, atol=0.012)
    np.testing.assert_array_equal(
        chances_of_place(effects, 1.0, 2), chances_of_place(effects[:, ::-1], 1.0, 2)
    )


@pytest.mark.parametrize("beta", [0.2, 0.7, 1.5])
@pytest.mark.parametrize("longest", [0.5, 4.0])
def test_cox_regression_finds_the_hazard_ratio_of_a_drawn_column(beta, longest):
    rng = np.random.default_rng(8)
    times, follow_up = rng.weibull(1.5, 3000), rng.uniform(0, longest, 3000)
    events = times <= follow_up
    times = np.minimum(times, follow_up)
    x = column_of_hazard(times, events, beta, rng.uniform(size=3000))
    fit = PHReg(times, x[:, None], status=events.astype(int)).fit()
    assert abs(fit.params[0] - beta) < 3 * fit.bse[0]
    assert fit.bse[0] < 0.08
    assert kstest(x, "norm").pvalue > 0.01


def test_what_is_drawn_beside_times_is_what_times_were_drawn_by():
    """Simulated forwards: the means of x of early, middle and late events and of long follow-up."""
    rng = np.random.default_rng(5)
    true = rng.normal(size=20000)
    times = rng.exponential(np.exp(-0.9 * true))
    events = times <= 2.0
    times = np.minimum(times, 2.0)
    drawn = column_of_hazard(times, events, 0.9, rng.uniform(size=20000))
    for part in (times < 0.1, (times > 0.5) & (times < 0.7), events & (times > 1.5), ~events):
        assert part.sum() > 400
        assert drawn[part].mean() == pytest.approx(true[part].mean(), abs=0.1)
        assert drawn[part].std() == pytest.approx(true[part].std(), abs=0.1)


def test_units_of_time_and_a_last_event_have_no_part():
    times, events = np.array([3.0, 1.0, 2.0, 2.0]), np.array([True, True, False, True])
    one = column_of_hazard(times, events, 0.5, [0.2, 0.5, 0.5, 0.9])
    assert np.isfinite(one).all()
    np.testing.assert_array_equal(
        one, column_of_hazard(times * 365, events, 0.5, [0.2, 0.5, 0.5, 0.9])
    )
    with pytest.raises(TableError, match="Got shapes"):
        column_of_hazard(times, events[:2], 0.5, [0.2, 0.5, 0.5, 0.9])
