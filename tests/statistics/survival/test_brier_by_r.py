"""Brier scores with tied times are R's: an event and a censored row of one time among them."""

import subprocess

import numpy as np
import pytest

from hetsel.statistics.survival.cox_curves import cox_hazard, cox_slopes
from hetsel.statistics.survival.survival_curves import (
    integrated_brier_rows,
    kaplan_meier,
    kaplan_meier_of_censoring,
)

# between the times: of a row censored at that very time R makes a control, Graf et al. nothing
AT = np.array([1.7, 2.7, 4.7, 6.7])


@pytest.fixture(scope="module")
def rows():
    """Times, events and a risk that tells."""
    rng = np.random.default_rng(3)
    risk = rng.normal(size=80)
    times = np.ceil(5 * rng.exponential(np.exp(-risk)))
    return times, rng.random(80) < 0.6, risk


@pytest.mark.seconds
def test_brier_scores_at_a_time_are_rs(rows, tmp_path):
    t, d, risk = rows
    cells = np.column_stack([t, d, risk])
    np.savetxt(tmp_path / "d.csv", cells, "%.17g", ",", header="t,d,r", comments="")
    script = """suppressMessages(library(survival))
    d <- read.csv("d.csv")
    f <- coxph(Surv(t, d) ~ r, d, ties = "breslow", eps = 1e-13)
    brier <- if (exists("brier")) brier else survival:::brier
    cat(sprintf("%.17g", brier(f, c(1.7, 2.7, 4.7, 6.7))$brier), "\\n")"""
    run = subprocess.run(
        ["Rscript", "-e", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    known = np.array(run.stdout.split(), dtype=float).reshape(2, 4)
    logs = cox_slopes(t, d, risk)[0] * risk
    cox = np.exp(-np.outer(np.exp(logs), cox_hazard(t, d, logs, AT)))
    without = np.tile(kaplan_meier(t, d).at(AT), (len(t), 1))
    G = kaplan_meier_of_censoring(t, d)
    for curves, scores in ((without, known[0]), (cox, known[1])):
        for k, at in enumerate(AT):
            # no row has a time in between: the same error at both ends
            own = integrated_brier_rows(t, d, curves[:, [k, k]], [at, at + 0.1], G)
            assert own.mean() == pytest.approx(scores[k], rel=1e-9)
