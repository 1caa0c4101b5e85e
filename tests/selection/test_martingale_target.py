"""Martingale residuals in place of survival times: what they are, and whom they reach."""

import subprocess

import numpy as np
import pandas as pd
import pytest
from frames import same
from scipy import stats

import hetsel
from hetsel import get_method
from hetsel.ground.errors import TableError
from hetsel.judging.half_samples import selection_in_halves
from hetsel.judging.permuted_importances import permuted_ranking
from hetsel.selection.problem import read_asked_target


def rows(n=90):
    """A frame of which c0 and n0 tell survival times, and these."""
    rng = np.random.default_rng(0)
    told = rng.normal(size=n)
    frame = pd.DataFrame({f"c{j}": rng.normal(size=n) for j in range(3)})
    frame["c0"] += told
    frame["n0"] = pd.Categorical.from_codes(np.digitize(told, [-0.5, 0.5]), ["low", "mid", "high"])
    frame["n1"] = pd.Categorical.from_codes(rng.integers(0, 3, n), list("abc"))
    times = rng.exponential(np.exp(-1.5 * told))
    return frame, hetsel.survival(times, rng.random(n) < 0.7)


@pytest.mark.seconds
def test_they_are_rs_and_larger_where_the_risk_is(tmp_path):
    _, y = rows()
    pd.DataFrame({"t": y["time"], "d": y["event"] * 1}).to_csv(tmp_path / "d.csv", index=False)
    script = """suppressMessages(library(survival))
    d <- read.csv("d.csv")
    cat(sprintf("%.17g", residuals(coxph(Surv(t, d) ~ 1, d), "martingale")))"""
    run = subprocess.run(
        ["Rscript", "-e", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    found = read_asked_target(y, kind="martingale")
    assert (found.kind, found.name) == ("numbers", "martingale residuals")
    np.testing.assert_allclose(found.values, np.array(run.stdout.split(), dtype=float), atol=1e-12)
    assert np.argmax(found.values) == np.argmin(np.where(y["event"], y["time"], np.inf))
    assert stats.spearmanr(found.values, y["time"]).statistic < 0


@pytest.mark.parametrize("key", ["pearson", "spearman", "anova-f", "relieff", "mi-knn"])
def test_a_method_for_numbers_gets_them(key):
    frame, y = rows()
    part = frame if "nominal" in get_method(key).about.takes_for("numbers") else frame.iloc[:, :3]
    here = get_method(key)(target_kind="martingale").fit(part, y)
    residuals = read_asked_target(y, kind="martingale").values
    same(
        here.importances_, get_method(key)(target_kind="numbers").fit(part, residuals).importances_
    )
    assert here.frame()["feature"][0] in ("c0", "n0")
    other = hetsel.survival(7.3 * y["time"], y["event"])
    same(here.importances_, get_method(key)(target_kind="martingale").fit(part, other).importances_)


def test_halves_and_permutations_take_them():
    frame, y = rows()
    method = get_method("anova-f")(target_kind="martingale")
    assert permuted_ranking(method, frame, y, permutations=19).pvalues[0] == 0.05
    halves = selection_in_halves(method, frame, y, size=2, pairs=5).frame()
    assert set(halves["feature"][:2]) == {"c0", "n0"}


def test_a_weight_is_so_many_rows_that_are_alike():
    _, y = rows()
    weights = np.random.default_rng(1).integers(0, 3, len(y))
    found = read_asked_target(y, kind="martingale", weights=weights.astype(float)).values
    many = read_asked_target(np.repeat(y, weights), kind="martingale").values
    np.testing.assert_allclose(np.repeat(found, weights), many, atol=1e-12)


def test_what_is_no_survival_time_is_refused():
    frame, _ = rows()
    with pytest.raises(TableError, match=r"hetsel\.survival"):
        get_method("anova-f")(target_kind="martingale").fit(frame, np.arange(90.0))
