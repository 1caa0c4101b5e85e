"""Columns that tell numbers or survival times on their own, and columns that only seem to."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from hetsel import cautions, survival

N = 100
RNG = np.random.default_rng(1)
Y = RNG.normal(size=N)
EVENTS = RNG.random(N) < 0.5
TIMES = RNG.exponential(size=N)


def leaks(columns, y, **options):
    found = cautions(pd.DataFrame(columns), y, **options)
    return {one.columns[0]: one for one in found if one.what == "leak"}


def test_a_column_in_the_order_of_the_numbers_is_a_leak_and_noise_is_none():
    near = Y + 0.02 * RNG.normal(size=N)
    half = Y + RNG.normal(size=N)
    found = leaks({"cube": Y**3, "near": near, "minus": -Y, "half": half, "z": TIMES}, Y)
    assert set(found) == {"cube", "near", "minus"}
    assert found["near"].facts["rank_correlation"] == pytest.approx(spearmanr(near, Y).statistic)
    assert found["minus"].facts["rank_correlation"] == pytest.approx(-1)


def test_correlations_go_over_known_cells():
    gapped = np.where(np.arange(N) % 3 == 0, np.nan, np.exp(Y))
    found = leaks({"gapped": gapped, "z": TIMES}, Y)["gapped"]
    assert found.facts["rank_correlation"] == pytest.approx(1)


@pytest.mark.parametrize("levels", [2, 3, 7])
def test_levels_that_cut_the_numbers_are_a_leak(levels):
    cut = np.array(list("fbdaecg"))[pd.qcut(Y, levels, labels=False)]
    mixed = cut.copy()
    mixed[[0, 1]] = mixed[[int(np.argmax(Y)), int(np.argmin(Y))]]
    found = leaks({"cut": cut, "mixed": mixed, "own": [f"r{i}" for i in range(N)]}, Y)
    assert set(found) == {"cut"}


def test_a_number_that_is_known_in_large_values_only_is_a_leak():
    assert set(leaks({"late": np.where(Y > 0, 1.0, np.nan), "z": TIMES}, Y)) == {"late"}


def test_equal_values_of_the_target_part_nothing():
    y = np.repeat([1.5, 2.5], N // 2)
    assert not leaks({"parts": np.repeat(["a", "b", "a", "b"], N // 4), "z": Y}, y)
    assert set(leaks({"parts": np.repeat(["a", "b"], N // 2), "z": Y}, y)) == {"parts"}


def test_times_are_told_by_the_rows_with_an_event_and_events_as_classes():
    columns = {
        "months": np.where(EVENTS, TIMES, RNG.exponential(size=N)) / 30,
        "death": np.where(EVENTS, TIMES, np.nan),
        "vital": np.where(EVENTS, "dead", "alive"),
        "z": Y,
    }
    found = leaks(columns, survival(TIMES, EVENTS))
    assert set(found) == {"months", "death", "vital"}
    assert "which rows have an event" in str(found["vital"])
    assert "the time of an event" in str(found["months"])


def test_a_time_by_its_name_is_an_outcome_where_it_goes_with_the_target():
    columns = pd.DataFrame({"t.rfs": TIMES * RNG.uniform(0.5, 1, N), "t.cell": RNG.random(N)})
    for y in (survival(TIMES, EVENTS), TIMES):
        found = [one.columns for one in cautions(columns, y) if one.what == "outcome"]
        assert found == [("t.rfs",)]


def test_whole_numbers_are_numbers_if_they_are_said_to_be():
    y = np.argsort(np.argsort(Y))
    assert set(leaks({"x": Y, "z": TIMES}, y, target_kind="numbers")) == {"x"}


@pytest.mark.seconds
def test_noise_is_no_leak_in_tables_of_any_shape():
    for rows, columns in ((8, 2000), (40, 500), (200, 100)):
        table = pd.DataFrame(RNG.normal(size=(rows, columns)))
        table["site"] = RNG.choice(list("ab"), rows)
        times = survival(RNG.exponential(size=rows), RNG.random(rows) < 0.7)
        for y in (RNG.normal(size=rows), times):
            assert not leaks(table, y)
