"""Information from concordance against loops by its definition, and what chance makes of it."""

import numpy as np
import pytest
from sksurv.metrics import concordance_index_censored
from twins import concordance_information as twin

from hetsel.statistics.information import concordance_information as module
from hetsel.statistics.information.concordance_information import (
    concordance_information,
    left_out_concordance,
)
from hetsel.statistics.survival.curves_and_martingale_residuals import martingale_residuals


def drawn(rng, n, censored=0.4, ties=False):
    """Times and events that know nothing."""
    times, ends = rng.exponential(size=n), rng.exponential((1.0 - censored) / censored, n)
    y = np.minimum(times, ends)
    return np.ceil(5 * y) if ties else y, times <= ends


@pytest.mark.seconds
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_by_its_definition(seed, missing):
    rng = np.random.default_rng(seed)
    times, events = drawn(rng, 22, ties=seed % 2 == 0)
    x = np.column_stack([rng.normal(size=22), rng.integers(0, 5, 22), *rng.integers(0, 4, (2, 22))])
    x[:, :2] += 2.0 * (times < np.median(times))[:, None]
    x[rng.random(x.shape) < missing] = np.nan
    levels = np.array([False, False, True, True])
    found, estimates = concordance_information(x, levels, times, events)
    for column, kind, own in zip(x.T, levels, found, strict=True):
        cells = [None if np.isnan(cell) else float(cell) for cell in column]
        wanted = twin.of_column(cells, kind, times.tolist(), events.tolist())
        assert own == pytest.approx(max(wanted, 0.0), abs=2e-7)
    np.testing.assert_array_equal(np.maximum(estimates, 0.0), found)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("ties", [False, True])
def test_trees_count_the_pairs_that_loops_over_all_of_them_do(seed, ties, monkeypatch):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 200))
    times, events = drawn(rng, n, ties=ties)
    x = rng.integers(0, 1 + seed, (n, 3)).astype(float)
    x[:, 1] = np.minimum(x[:, 1], rng.integers(0, n, n))  # levels of few rows
    x[:, 2] = times > np.median(times)
    told = []
    for least in (np.inf, 0):
        monkeypatch.setattr(module, "WORTH_TREES", least)
        told.append(concordance_information(x, np.ones(3, dtype=bool), times, events))
    np.testing.assert_array_equal(*told)


def test_of_numbers_it_is_the_concordance_of_scikit_survival():
    rng = np.random.default_rng(7)
    times, events = drawn(rng, 150)
    x = rng.normal(size=(150, 3)) - np.log(times)[:, None] * [0.0, 0.5, -2.0]
    found = concordance_information(x, np.zeros(3, dtype=bool), times, events)[0]
    c = np.array([concordance_index_censored(events, times, column)[0] for column in x.T])
    np.testing.assert_allclose(found, -0.5 * np.log(1.0 - (2.0 * c - 1.0) ** 2), atol=1e-6)


def test_what_orders_all_pairs_has_the_largest_information():
    times, events = np.arange(1.0, 41.0), np.ones(40, dtype=bool)
    for x in (times, -times, times**3):
        found = concordance_information(x[:, None], np.array([False]), times, events)[0][0]
        assert found == pytest.approx(-0.5 * np.log(1e-10), abs=1e-4)


@pytest.mark.seconds
def test_chance_favors_no_number_of_levels():
    """Left out, noise has the concordance 1/2 on average, and no more information than numbers.

    The largest information of a level against the rest, as familiar has it, grows with the levels.
    """
    rng = np.random.default_rng(0)
    kinds = [2, 3, 5, 10, 30]
    shares, sizes, largest = [], [], []
    for _ in range(150):
        times, events = drawn(rng, 80)
        cells = [rng.integers(0, k, 80) for k in kinds]
        x = np.column_stack([rng.normal(size=80), *cells])
        sizes.append(concordance_information(x, np.arange(6) > 0, times, events)[0])
        told = np.rint(martingale_residuals(times, events) * 2**20).astype(np.int64)
        told = told, 2 * np.argsort(np.argsort(times)) + ~events, events
        codes = [np.unique(c, return_inverse=True)[1] for c in cells]
        shares.append([left_out_concordance(c, *told) for c in codes])
        alone = [(c[:, None] == np.unique(c)) * 1.0 for c in cells]
        against = [np.zeros(one.shape[1], dtype=bool) for one in alone]
        pairs = zip(alone, against, strict=True)
        found = [concordance_information(*pair, times, events)[0].max() for pair in pairs]
        largest.append(found)
    np.testing.assert_allclose(np.mean(shares, axis=0), 0.5, atol=0.025)
    numbers, *of_levels = np.mean(sizes, axis=0)
    assert np.mean(of_levels) < 1.2 * numbers
    assert max(of_levels) < 2.0 * numbers
    assert np.mean(largest, axis=0)[2] > 1.5 * np.mean(largest, axis=0)[0]
