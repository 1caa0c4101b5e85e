"""Wilson's interval is that of statsmodels."""

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from hetsel.statistics.performance.rate_intervals import wilson_interval


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_wilsons_interval_is_that_of_statsmodels(level):
    rng = np.random.default_rng(0)
    for rate in (0.0, 1.0, *rng.random(20)):
        for rows in (0.3, 1, 7, 40.5, 1e6):
            found = wilson_interval(rate, rows, level)
            low, high = proportion_confint(rate * rows, rows, alpha=1 - level, method="wilson")
            assert (found.low, found.high) == pytest.approx((low, high), rel=1e-12, abs=1e-15)


def test_no_rows_know_nothing():
    found = wilson_interval(0.5, 0)
    assert (found.low, found.high) == (0.0, 1.0)
