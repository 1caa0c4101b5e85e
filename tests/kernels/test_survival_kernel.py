"""The kernel of survival times against the kernel log-rank statistic and R's log-rank test."""

import subprocess

import numpy as np
import pandas as pd
import pytest
from sksurv.nonparametric import nelson_aalen_estimator
from twins import target_kernels as twin
from twins.traces import gaussian_gram

from hetsel.kernels.feature_kernels import FeatureKernels
from hetsel.kernels.target_kernels import survival_directions


def drawn(seed, n=14, ties=True):
    """Times, events, a number and levels of rows; times repeat."""
    rng = np.random.default_rng(seed)
    times = rng.integers(1, 9, n).astype(float) if ties else rng.exponential(size=n)
    events = rng.random(n) < 0.6
    events[times == times.min()] = True
    return times, events, rng.normal(size=n), rng.integers(0, 3, n)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("ties", [True, False])
@pytest.mark.parametrize("of_time", [True, False])
def test_sums_of_energies_are_the_kernel_log_rank_statistic(seed, ties, of_time):
    times, events, x, levels = drawn(seed, ties=ties)
    directions = survival_directions(times, events, of_time=of_time)
    np.testing.assert_allclose(directions.sum(axis=1), 0.0, atol=1e-12)
    for gram in (gaussian_gram(x), np.equal.outer(levels, levels).astype(float)):
        found = sum(v @ gram @ v for v in directions)
        wanted = twin.kernel_log_rank(gram, times.tolist(), events.tolist(), of_time)
        assert found == pytest.approx(wanted, abs=1e-9)
    if of_time:
        v = twin.log_rank_gram(times.tolist(), events.tolist())
        np.testing.assert_allclose(directions.T @ directions, v, atol=1e-10)


@pytest.mark.parametrize("seed", range(3))
def test_without_a_kernel_of_time_it_is_the_martingale_residual(seed):
    times, events, _, _ = drawn(seed, 60)
    moments, hazard = nelson_aalen_estimator(events, times)
    expected = hazard[np.searchsorted(moments, times)]
    found = survival_directions(times, events, of_time=False)
    np.testing.assert_allclose(found, [events - expected], atol=1e-12)


@pytest.mark.seconds
def test_of_levels_it_is_the_numerator_of_the_log_rank_test_of_r(tmp_path):
    times, events, _, levels = drawn(5, 80)
    pd.DataFrame({"t": times, "e": events * 1, "g": levels}).to_csv(tmp_path / "d.csv")
    script = """
        library(survival); d <- read.csv("d.csv"); s <- survdiff(Surv(t, e) ~ g, d)
        cat(sprintf("%.17g", sum((s$obs - s$exp)^2)))
    """
    run = subprocess.run(
        ["Rscript", "-e", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    directions = survival_directions(times, events, of_time=False)
    kernels = FeatureKernels(levels[None].astype(float), np.array([True]))
    assert kernels.energies(directions)[0] == pytest.approx(float(run.stdout), rel=1e-10)


def test_an_increasing_function_of_the_times_changes_no_bit():
    times, events, _, _ = drawn(6, 50, ties=False)
    found = survival_directions(times, events)
    for other in (1e9 * times, times**3, np.log1p(times)):
        np.testing.assert_array_equal(survival_directions(other, events), found)


def test_one_time_of_events_has_one_direction():
    times, events = np.array([1.0, 2.0, 2.0, 3.0]), np.array([False, True, True, False])
    found = survival_directions(times, events)
    np.testing.assert_allclose(found, [[0.0, 1 / 3, 1 / 3, -2 / 3]], atol=1e-12)


def test_crossing_hazards_are_seen_by_the_kernel_of_time():
    """Of a level with early and late events, so many each that the log-rank test sees nothing."""
    n, rng = 200, np.random.default_rng(7)
    levels = np.repeat([0.0, 1.0], n // 2)
    evenly = np.linspace(0.0, 1.0, n // 2)

    def energies(levels, early, of_time):
        late = np.where(evenly < early, 0.2 * evenly, 0.8 + 0.2 * evenly)
        times = np.concatenate([evenly, late + 1e-6])
        v = survival_directions(times, np.ones(n, dtype=bool), of_time=of_time)
        return FeatureKernels(levels, np.ones(len(levels), dtype=bool)).energies(v)

    early = min(evenly, key=lambda share: energies(levels[None], share, False)[0])
    shuffled = np.array([rng.permutation(levels) for _ in range(99)])
    assert 0.1 < early < 0.9
    assert energies(levels[None], early, True)[0] > energies(shuffled, early, True).max()
    assert energies(levels[None], early, False)[0] < np.median(energies(shuffled, early, False))
