"""The AUC of probabilities and its variance against pROC: DeLong's, of each row and of the classes.

concordance_interval leaves out rows of both classes at once, DeLong, DeLong & Clarke-Pearson (1988)
those of each class by themselves: (n - 1) / n of the one in place of (n_c - 1) / n_c of each.
"""

import subprocess

import numpy as np
import pytest
from scipy.special import expit

from hetsel.statistics.performance.auc_and_concordance_intervals import concordant_sums
from hetsel.statistics.performance.loss_intervals import jackknife_variance


def drawn(n, place, ties):
    rng = np.random.default_rng(n)
    z = place + 1.2 * rng.normal(size=n)
    p = expit(z)
    return (rng.random(n) < p).astype(int), np.round(p, 1) if ties else p


@pytest.mark.seconds
@pytest.mark.parametrize(("n", "place"), [(60, 0.0), (200, -2.0), (1000, 0.5)])
@pytest.mark.parametrize("ties", [False, True])
def test_it_is_procs_and_the_variance_nearly_delongs(n, place, ties, tmp_path):
    y, p = drawn(n, place, ties)
    np.savetxt(tmp_path / "d.csv", np.column_stack([y, p]), "%.17g", ",", header="y,p", comments="")
    script = """if (!suppressMessages(requireNamespace("pROC", quietly = TRUE))) quit("no", 3)
    d <- read.csv("d.csv")
    f <- pROC::roc(d$y, d$p, direction = "<", levels = 0:1)
    cat(sprintf("%.17g", c(pROC::auc(f), pROC::var(f, method = "delong"))), "\\n")"""
    run = subprocess.run(["Rscript", "-e", script], cwd=tmp_path, capture_output=True, text=True)
    if run.returncode == 3:
        pytest.skip('the R package pROC is not installed: in R: install.packages("pROC")')
    auc, delong = np.array(run.stdout.split(), dtype=float)
    right, pairs = concordant_sums(1 - y, y.astype(float), p[None])
    assert right.sum() / pairs.sum() == pytest.approx(auc, abs=1e-12)
    moves = 2 * (right[0] - auc * pairs) / pairs.sum()
    cases = y.sum()
    # each class by itself: exactly DeLong's
    own = sum((moves[y == c] ** 2).sum() * k / (k - 1) for c, k in ((1, cases), (0, n - cases)))
    assert own == pytest.approx(delong, rel=1e-9)
    found = jackknife_variance(moves, np.ones(n))
    assert found == pytest.approx(delong, rel=1.1 / min(cases, n - cases))
