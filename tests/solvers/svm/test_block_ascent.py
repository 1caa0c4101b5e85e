"""Machines by blocks of rows: the same as those on the Gram matrix of all rows."""

import numpy as np
import pytest

from hetsel.kernels.feature_kernels import FeatureKernels
from hetsel.solvers.svm.active_set import HANDOVER, solve_box
from hetsel.solvers.svm.block_ascent import SOLVED, ends_of, solve_kernel_box
from hetsel.solvers.svm.tube import MOST_TURNS, solve_tube

N = 1_700


def cells_of(seed, levels=0):
    """Five columns: numbers, and nominal ones of a few levels; numbers of some levels if asked."""
    draw = np.random.default_rng(seed)
    cells = draw.random((5, N))
    if levels:
        cells = np.floor(cells * levels) / (levels - 1)
    cells[3:] = draw.integers(0, 4, (2, N))
    return cells, np.array([False, False, False, True, True])


def machine(kind, cells, seed):
    """Labels and bounds."""
    draw = np.random.default_rng(seed)
    told = cells[0] + 0.3 * (cells[3] == 1) + 0.4 * draw.normal(size=N)
    share = {"signal": 0.5, "rare": 0.06, "noise": 0.4}[kind]
    told = draw.random(N) if kind == "noise" else told
    y = np.where(told > np.quantile(told, 1.0 - share), 1.0, -1.0)
    weights = np.where(y > 0, 0.5 / (y > 0).mean(), 0.5 / (y < 0).mean())
    return y, weights * draw.choice([0.5, 1.0, 2.0], N)


def both(cells, nominal, y, bounds, known=None, tube=0.0):
    """Bias and gradient less the bias by blocks, and on the matrix; the violation that is left."""
    kernels, p = FeatureKernels(cells, nominal), len(cells)
    weights, linear = np.linspace(0.5, 1.5, p), p * y
    low, high = ends_of(y, bounds, tube)
    beta, away = (np.zeros(N), np.empty(N)) if known is None else (known[0].copy(), known[1].copy())
    given = (kernels.family, weights, linear, low, high, beta, float(p), away, known is not None)
    _, left = solve_kernel_box(*given, p * tube)
    assert (beta >= low).all()
    assert (beta <= high).all()
    assert beta.sum() == pytest.approx(0.0, abs=1e-9 * np.abs(beta).sum())
    own, gram = np.zeros(N), kernels.gram(weights)
    if tube:
        rest = (float(p), HANDOVER, MOST_TURNS, *np.empty((3, N)))
        found = solve_tube(gram, linear, bounds, p * tube, own, *rest)
        return (beta, away), found[0] - found[1], left
    found = solve_box(gram, linear, low, high, own, float(p), HANDOVER)
    return (beta, away), found[0] - found[1], left


@pytest.mark.parametrize("C", [0.1, 10.0])
@pytest.mark.parametrize("kind", ["signal", "rare", "noise"])
def test_the_machine_is_that_on_the_matrix(kind, C):
    cells, nominal = cells_of(3)
    y, bounds = machine(kind, cells, 4)
    (_, away), expected, left = both(cells, nominal, y, C * bounds)
    assert left <= SOLVED
    assert away == pytest.approx(expected, abs=1e-9)


def numbers(kind, cells, seed):
    """Numbers of spread 1, some of them equal, and bounds."""
    draw = np.random.default_rng(seed)
    told = cells[0] + 0.3 * (cells[3] == 1) + 0.4 * draw.normal(size=N)
    told = draw.standard_t(2, N) if kind == "noise" else np.round(told, 1)
    return (told - told.mean()) / told.std(), draw.choice([0.5, 1.0, 2.0], N)


@pytest.mark.parametrize("C", [0.1, 3.0])
@pytest.mark.parametrize("tube", [0.01, 0.1, 1.0])
@pytest.mark.parametrize("kind", ["signal", "noise"])
def test_the_machine_of_numbers_is_that_on_the_matrix(kind, tube, C):
    cells, nominal = cells_of(9)
    y, bounds = numbers(kind, cells, 10)
    (_, away), expected, left = both(cells, nominal, y, C * bounds, tube=tube)
    assert left <= SOLVED
    assert away == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("machine", "kind", "tube"),
    [(machine, "signal", 0.0), (machine, "noise", 0.0), (numbers, "signal", 0.1)],
)
def test_it_is_the_same_from_the_machine_of_other_columns(machine, kind, tube):
    cells, nominal = cells_of(5, levels=40)
    y, bounds = machine(kind, cells, 6)
    bounds = bounds if tube else 3.0 * bounds
    fewer = [0, 1, 3, 4]
    part = np.ascontiguousarray(cells[fewer])
    known, _, left = both(part, nominal[fewer], y, bounds, tube=tube)
    assert left <= SOLVED
    start = known[0], known[1] * 5 / 4
    (_, away), expected, left = both(cells, nominal, y, bounds, start, tube=tube)
    assert left <= SOLVED
    assert away == pytest.approx(expected, abs=1e-9)


def test_it_gives_up_where_many_rows_are_free():
    """Unequal classes that weigh what they have: all rows of the larger one are at its margin."""
    cells, nominal = cells_of(7)
    y = np.where(np.random.default_rng(8).random(N) < 0.25, 1.0, -1.0)
    *_, left = both(cells, nominal, y, np.full(N, 10.0))
    assert left > SOLVED
