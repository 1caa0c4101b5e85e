"""The active set: any start, any rank of K, against the optimality conditions and libsvm."""

import numpy as np
import pytest
from sklearn.svm import SVC

from hetsel.solvers.svm.active_set import HANDOVER, finish, solve_box
from hetsel.solvers.svm.certificate import gap_of, refine_box


def program(seed, rank, n=40, C=1.0):
    """K of some rank, labels, bounds; some rows are alike."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, rank))
    rows[: n // 4] = rows[n // 4 : 2 * (n // 4)]
    y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    y[:2] = -1.0, 1.0
    gram = rows @ rows.T
    return gram, y, np.minimum(0.0, C * y), np.maximum(0.0, C * y), rng


def violation(gram, linear, low, high, beta):
    """How far the largest gradient that may rise is above the smallest that may fall."""
    gradient = linear - gram @ beta
    return gradient[beta < high].max() - gradient[beta > low].min()


def somewhere(low, high, rng):
    """beta within the bounds whose sum is 0."""
    beta = low + rng.random(len(low)) * (high - low)
    beta[rng.random(len(low)) < 0.3] = 0.0
    up, down = beta[beta > 0].sum(), -beta[beta < 0].sum()
    beta[beta > 0] *= min(1.0, down / up)
    beta[beta < 0] *= min(1.0, up / down)
    return beta


@pytest.mark.seconds
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("rank", [1, 3, 12, 60])
@pytest.mark.parametrize("seed", range(4))
def test_the_end_is_the_optimum_from_any_start(seed, rank, C):
    gram, y, low, high, rng = program(seed, rank, C=C)
    machine = SVC(kernel="precomputed", C=C, tol=1e-4).fit(gram, y)
    wanted = np.zeros(len(y))
    wanted[machine.support_] = machine.dual_coef_[0]
    size = max(1.0, float(np.abs(gram).max()) * C)
    for start in (np.zeros(len(y)), somewhere(low, high, rng), somewhere(low, high, rng)):
        alone, both = start.copy(), start.copy()
        finish(gram, y, low, high, alone, 1e-12 * size, 5000)
        solve_box(gram, y, low, high, both, 1.0, HANDOVER)
        for beta in (alone, both):
            assert ((beta >= low) & (beta <= high)).all()
            assert abs(beta.sum()) <= 1e-12 * size
            assert violation(gram, y, low, high, beta) <= 3e-12 * size
            gained = y @ beta - 0.5 * beta @ gram @ beta
            best = y @ wanted - 0.5 * wanted @ gram @ wanted
            assert gained >= best - 1e-9 * abs(best)
            assert gained == pytest.approx(best, rel=0.01)


@pytest.mark.seconds
@pytest.mark.parametrize("seed", range(6))
def test_the_gap_bounds_the_distance_to_the_optimum(seed):
    """Of rough solutions, against one in twice the precision."""
    gram, y, low, high, _ = program(seed, 12)
    best = np.zeros(len(y))
    solve_box(gram, y, low, high, best, 1.0, HANDOVER)
    rest = np.zeros(len(y))
    rough = gap_of(gram, y, low, high, best, rest, 0.0)[0]
    refine_box(gram, y, low, high, best, rest)
    fine = gap_of(gram, y, low, high, best, rest, 0.0)[0]
    assert 0 <= fine < 1e-20
    assert fine <= rough < 1e-11
    for steps in (3, 10, 30):
        beta = np.zeros(len(y))
        finish(gram, y, low, high, beta, 1e-12, steps)
        step = beta - best
        gap = gap_of(gram, y, low, high, beta, np.zeros(len(y)), 0.0)[0]
        assert step @ gram @ step <= gap + 1e-13
