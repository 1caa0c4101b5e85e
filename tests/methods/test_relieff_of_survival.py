"""ReliefF beside survival times, against its definition and RReliefF of the ranks of the times."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from twins import relieff as twin

from hetsel import get_method, survival


def drawn(seed, n=22, censored=0.5):
    """A mixed table, its kinds, times and events."""
    rng = np.random.default_rng(seed)
    values = rng.integers(0, [9, 9, 3, 4], (n, 4)).astype(float)
    if seed % 2:
        values[rng.random((n, 4)) < 0.1] = np.nan
    frame = pd.DataFrame(values, columns=list("abcd"))
    for name in "cd":
        frame[name] = frame[name].map(lambda cell: f"v{cell:g}", na_action="ignore")
        frame[name] = frame[name].astype("category")
    times, events = np.ceil(8 * rng.random(n)), rng.random(n) >= censored
    events[times.argmin()] = True
    return frame, values, times, events


def fitted(frame, y, **options):
    kinds = {"missing": "separate", "nominal": ["c", "d"], "continuous": ["a", "b"]}
    return get_method("relieff")(**kinds, **options).fit(frame, y)


@pytest.mark.seconds
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("censored", [0.2, 0.6])
def test_by_the_expected_differences(seed, censored):
    frame, values, times, events = drawn(seed, censored=censored)
    u = twin.happened_until(times.tolist(), events.tolist())
    known = {}

    def told(i, j):
        if (i, j) not in known:
            away = twin.expected_difference(u[i], u[j], events[i], events[j])
            known[i, j] = Fraction(away)
        return known[i, j]

    wanted = twin.rrelieff(values, [False, False, True, True], times, 1 + seed, told=told)
    found = fitted(frame, survival(times, events), neighbors=1 + seed).importances_
    np.testing.assert_allclose(found, wanted, atol=1e-4)  # the twin's steps


@pytest.mark.parametrize("seed", range(3))
def test_without_censoring_it_is_rrelieff_of_the_ranks_of_the_times(seed):
    frame, _, times, events = drawn(seed, 40, censored=-1.0)
    times = times + np.random.default_rng(seed).random(40) / 2
    here = fitted(frame, survival(times, events))
    there = fitted(frame, np.argsort(np.argsort(times)) + 1.0, target_kind="numbers")
    # 1 - S goes from 1/n to 1, ranks from 0 to 1: the differences are shorter by (n - 1) / n
    assert here.answer_.order.tolist() == there.answer_.order.tolist()


@pytest.mark.parametrize("censored", [0.2, 0.6])
def test_columns_that_tell_the_hazard_together_only_are_found(censored):
    rng = np.random.default_rng(3)
    bits = rng.integers(0, 2, size=(300, 8))
    hazard = np.exp(2.0 * (bits[:, 2] ^ bits[:, 5]))
    times = rng.exponential(1.0 / hazard)
    ends = rng.exponential(np.quantile(times, 1.0 - 0.8 * censored), size=300)
    frame = pd.DataFrame(bits).astype(str).add_prefix("bit ")
    frame["number"] = rng.normal(size=300)
    y = survival(np.minimum(times, ends), times <= ends)
    found = get_method("relieff")(neighbors=20, size=2).fit(frame, y)
    assert set(found.get_feature_names_out()) == {"bit 2", "bit 5"}
