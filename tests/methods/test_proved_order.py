"""Proved cuts against optima in rational arithmetic: none may be wrong, ties must be near."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from twins.exact_machines import energy, exact_machine, fraction_gram, total
from twins.exact_mkl import exact_energies

from hetsel import RFEMKL, RFESVM, RFESVMPrinted

C = 0.125  # a fraction of two
METHODS = [RFESVM, RFESVMPrinted, RFEMKL]


def small_table(rng):
    """Rows on a coarse grid, some columns nearly or exactly copies of others; classes."""
    n, p = int(rng.integers(8, 17)), int(rng.integers(2, 6))
    values = rng.integers(0, 17, size=(n, p)) / 16
    values[0], values[1] = 0.0, 1.0  # the range is 1: no cell is rounded
    nominal = rng.random(p) < 0.4
    values[:, nominal] = rng.integers(0, 3, size=(n, nominal.sum()))
    near = values[:, [0]].copy()
    row = rng.integers(2, n)
    near[row] = near[row] + 2.0**-20 if near[row] < 0.5 else near[row] - 2.0**-20
    kind = rng.integers(4)
    other = [near, values[:, [0]], values[:, [0]], np.empty((n, 0))][kind]
    if kind == 2 and not nominal[0]:
        other = 1.0 - other
    if nominal[0] and kind == 0:
        other = np.empty((n, 0))
    values = np.hstack([values, other])
    nominal = np.append(nominal, np.full(other.shape[1], nominal[0]))
    y = rng.integers(0, 2, size=n)
    y[:4] = 0, 1, 0, 1
    return values, nominal, y


def near_table(rng):
    """As a user has it: cells between the steps of the grid, columns that hardly differ."""
    n, p = int(rng.integers(8, 15)), int(rng.integers(2, 4))
    values = rng.random(size=(n, p))
    width = 10.0 ** rng.uniform(-9.0, -6.5)
    near = values + rng.normal(size=(n, p)) * width
    values = np.hstack([values, near])
    values[0], values[1] = 0.0, 1.0
    y = rng.integers(0, 2, size=n)
    y[:4] = 0, 1, 0, 1
    return np.clip(values, 0.0, 1.0), np.zeros(2 * p, dtype=bool), y


def importances(energies, printed):
    """s_f, or |s_f - mean| of the letter of the paper."""
    if not printed or len(energies) == 1:
        return energies
    mean = sum(energies) / len(energies)
    return [abs(s - mean) for s in energies]


def machine_energies(method, grams, labels):
    """Importances at the optimum in fractions; None where they are not to be had."""
    gram = [[x / len(grams) for x in row] for row in total(grams)]
    beta = exact_machine(gram, labels, Fraction(C))
    if beta is None:
        return None
    return importances([energy(gram, beta) for gram in grams], method is RFESVMPrinted)


def mkl_energies(method, grams, labels):
    """s_f at the optimum in 50 digits, from a rough solution; None where that leads nowhere."""
    rough = np.array([[[float(x) for x in row] for row in gram] for gram in grams])

    def minus_dual(beta):
        images = rough @ beta
        energy = images @ beta
        size = np.linalg.norm(energy) + 1e-300
        return 0.5 * size - labels @ beta, (energy / size) @ images - labels

    found = minimize(
        minus_dual,
        0.5 * C * labels * np.where(labels > 0, 1.0, (labels > 0).sum() / (labels < 0).sum()),
        jac=True,
        method="SLSQP",
        bounds=[(min(0.0, C * y), max(0.0, C * y)) for y in labels],
        constraints={"type": "eq", "fun": np.sum, "jac": np.ones_like},
        options={"ftol": 1e-15, "maxiter": 1000},
    )
    return exact_energies(grams, labels, C, found.x)


def check_steps(method, seed, table=small_table):
    """Compare each cut of one ranking with the exact optimum of the cells as they are; verdicts."""
    rng = np.random.default_rng(seed)
    values, nominal, y = table(rng)
    frame = pd.DataFrame(values, columns=[f"f{j}" for j in range(values.shape[1])])
    levels = frame.columns[nominal]
    answer = method(C=C, nominal=list(levels)).fit(frame, y).answer_
    grams = [fraction_gram(values[:, j], nominal[j]) for j in range(values.shape[1])]
    labels = np.where(y == 1, 1, -1)
    exact = mkl_energies if method is RFEMKL else machine_energies
    seen = []
    for step in answer.steps[:-1]:
        left = sorted(answer.order[: step.size].tolist())
        found = exact(method, [grams[f] for f in left], labels)
        if found is None:
            continue
        own = dict(zip(left, found, strict=True))
        largest = float(max(own.values()))
        for cut in range(step.size - len(step.features), step.size):
            above = min(own[f] for f in answer.order[:cut].tolist())
            below = max(own[f] for f in answer.order[cut : step.size].tolist())
            verdict = answer.cuts[cut - 1]
            seen.append(verdict)
            assert verdict in ("proved", "tie") or table is near_table
            if verdict == "proved":
                assert above > below
            elif verdict == "tie":  # equal cells of the grid, or of the table
                width = 1e-8 if table is small_table else 1e-5
                assert float(abs(above - below)) <= width * largest
    return seen


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:a support vector machine on all features")
@pytest.mark.parametrize("method", METHODS)
def test_no_proved_cut_is_wrong(method):
    seen = [verdict for seed in range(300) for verdict in check_steps(method, seed)]
    assert len(seen) > 400
    assert 0.5 < seen.count("proved") / len(seen) < 0.999
    assert seen.count("tie") > 8


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:a support vector machine on all features")
@pytest.mark.parametrize("method", METHODS)
def test_no_proved_cut_is_wrong_for_cells_that_the_grid_rounds(method):
    seen = [verdict for seed in range(40) for verdict in check_steps(method, seed, near_table)]
    assert 0.1 < seen.count("proved") / len(seen) < 0.95  # as printed fewest: 20 of 160
    assert seen.count("open") > 8
