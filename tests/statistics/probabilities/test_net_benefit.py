"""Decision curves are those of dcurves, also on its own example; intervals are those of shares."""

import sys
from fractions import Fraction
from types import ModuleType

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from hetsel.ground.errors import TableError
from hetsel.statistics.performance.rate_intervals import wilson_interval
from hetsel.statistics.probabilities.pooled_rows import pooled_rows
from hetsel.statistics.probabilities.threshold_values import net_benefit, threshold_of_cost


@pytest.fixture
def dcurves(monkeypatch):
    """It wants lifelines for times to an event, which wants an older pandas: left out."""
    monkeypatch.setitem(sys.modules, "lifelines", ModuleType("lifelines"))
    return pytest.importorskip("dcurves", reason="make test installs it: pip install --no-deps")


def drawn(seed=0, n=200, place=-1.0):
    rng = np.random.default_rng(seed)
    z = place + 1.5 * rng.normal(size=n)
    return (rng.random(n) < expit(z)).astype(int), np.round(expit(0.3 + 1.2 * z), 3)


def compared(found, known):
    """Ours against a frame of dcurves."""
    parts = {name: part.set_index("threshold") for name, part in known.groupby("model")}
    assert len(found) > 50
    for one in found:
        model, every = (parts[name].loc[one.threshold] for name in ("p", "all"))
        assert one.model.estimate == pytest.approx(model["net_benefit"], abs=1e-12)
        assert one.treat_all == pytest.approx(every["net_benefit"], abs=1e-12)
        better = max(every["net_benefit"], 0.0)
        assert one.over_better.estimate == pytest.approx(model["net_benefit"] - better, abs=1e-12)
        avoided = 100 * model["net_intervention_avoided"]
        assert one.avoided == pytest.approx(avoided, abs=1e-9)


@pytest.mark.seconds
@pytest.mark.parametrize("prevalence", [None, 0.04, 0.6])
def test_it_is_that_of_dcurves_also_of_a_known_prevalence(dcurves, prevalence):
    y, p = drawn()
    frame = pd.DataFrame({"y": y, "p": p})
    grid = np.arange(1, 100) / 100
    known = dcurves.dca(frame, "y", ["p"], thresholds=grid, prevalence=prevalence)
    compared(net_benefit(pooled_rows(y, p), grid, prevalence=prevalence), known)


@pytest.mark.parametrize(
    ("file", "outcome", "prevalence"),
    [("df_binary", "cancer", None), ("df_case_control", "casecontrol", 0.2)],
)
def test_it_is_that_of_dcurves_on_the_data_of_its_tutorial(dcurves, file, outcome, prevalence):
    frame = pd.read_csv(f"{dcurves.data}/{file}.csv").rename(columns={"cancerpredmarker": "p"})
    frame[outcome] = frame[outcome].astype(int)
    grid = np.arange(1, 80) / 100
    known = dcurves.dca(frame, outcome, ["p"], thresholds=grid, prevalence=prevalence)
    found = net_benefit(pooled_rows(frame[outcome], frame["p"]), grid, prevalence=prevalence)
    compared(found, known)


def test_it_is_counted_in_fractions_with_weights():
    y, p = drawn(1, 40)
    w = np.random.default_rng(0).integers(1, 4, 40)
    for one in net_benefit(pooled_rows(y, p, w), [0.1, 0.25, 0.5]):
        t = Fraction(str(one.threshold))
        cases = sum(Fraction(int(w[i])) for i in range(40) if y[i] and p[i] >= one.threshold)
        others = sum(Fraction(int(w[i])) for i in range(40) if not y[i] and p[i] >= one.threshold)
        known = (cases - t / (1 - t) * others) / int(w.sum())
        assert one.model.estimate == pytest.approx(float(known), abs=1e-12)


def test_weights_by_class_are_a_known_prevalence():
    y, p = drawn(2)
    weights = np.where(y, 0.1 / y.mean(), 0.9 / (1 - y.mean()))
    grid = np.arange(1, 51) / 100  # above, few rows of either class
    drawn_too = net_benefit(pooled_rows(y, p, weights), grid)
    for one, other in zip(
        drawn_too, net_benefit(pooled_rows(y, p), grid, prevalence=0.1), strict=True
    ):
        assert one.model.estimate == pytest.approx(other.model.estimate, abs=1e-12)
        assert one.over_better.estimate == pytest.approx(other.over_better.estimate, abs=1e-12)
        # that the prevalence is not drawn makes the interval no wider
        assert other.model.high - other.model.low <= one.model.high - one.model.low + 1e-9


@pytest.mark.parametrize("units", [None, 250])
def test_of_many_rows_the_width_is_that_of_its_influence_values(units):
    """The mean of b_i = (y_i - t / (1 - t) (1 - y_i)) [p_i >= t], and of those less all."""
    y, p = drawn(3, 20_000)
    unit = None if units is None else np.random.default_rng(5).integers(0, units, 20_000)
    for one in net_benefit(pooled_rows(y, p, None, unit), [0.2, 0.4]):
        odds = one.threshold / (1 - one.threshold)
        gain = y - odds * (1 - y)
        own = gain * (p >= one.threshold)
        values = own if one.treat_all < 0 else own - gain
        for found, each in ((one.model, own), (one.over_better, values)):
            moves = each - each.mean()
            sums = moves if unit is None else np.bincount(unit, moves)
            apart = 1.96 * np.sqrt((sums**2).sum()) / 20_000
            assert found.high - found.low == pytest.approx(
                2 * apart, rel=0.02 if unit is None else 0.1
            )


def test_without_rows_above_it_is_0_with_an_interval():
    y, p = np.array([0] * 30 + [1] * 10), np.full(40, 0.25)
    one = net_benefit(pooled_rows(y, p), [0.5])[0]
    assert one.model.estimate == 0
    # of no cases and no others above
    high = wilson_interval(0.0, 40).high
    assert (one.model.low, one.model.high) == pytest.approx((-high, high))
    assert one.treat_all == pytest.approx(0.25 - 0.75)
    below = net_benefit(pooled_rows(y, p), [0.2])[0]
    assert below.model.estimate == pytest.approx(below.treat_all)
    assert below.over_better.estimate == pytest.approx(0)
    assert below.over_better.low < 0


def test_a_row_of_several_runs_counts_once():
    y, p = drawn(4)
    once = net_benefit(pooled_rows(y, p), [0.3])[0].model
    runs = net_benefit(
        pooled_rows(np.tile(y, 4), np.tile(p, 4), np.full(800, 0.25), np.tile(np.arange(200), 4)),
        [0.3],
    )[0].model
    assert runs.estimate == pytest.approx(once.estimate, abs=1e-12)
    assert (runs.high - runs.low) / (once.high - once.low) == pytest.approx(1, abs=0.05)


def test_who_loses_as_much_by_a_case_as_by_a_treatment_treats_from_one_half_on():
    """The expected loss is equal at t: c t = 1 - t."""
    assert threshold_of_cost(1) == 0.5
    for cost in (0.25, 5.0, 99.0):
        t = threshold_of_cost(cost)
        assert cost * t == pytest.approx(1 - t)
    for wrong in (0, -1, np.inf, np.nan):
        with pytest.raises(TableError, match="harm_ratio must be a positive number"):
            threshold_of_cost(wrong)


def test_what_is_no_threshold_is_refused():
    for wrong in (0.0, 1.0, np.nan):
        with pytest.raises(TableError, match="thresholds must be between 0 and 1"):
            net_benefit(pooled_rows([0, 1], [0.1, 0.2]), [0.5, wrong])
    with pytest.raises(TableError, match="rows of both classes"):
        net_benefit(pooled_rows([1, 1], [0.1, 0.2]), [0.5], prevalence=0.1)
