"""The work on a proof that stays open is bounded: by counts, and only where it fails."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from hetsel import RFEMKL
from hetsel.ground.errors import TableError
from hetsel.solvers.mkl import mkl_certificate, mkl_newton

RNG = np.random.default_rng(0)
Y = np.arange(90) % 3
# a column tells three classes wholly: rows are alike, and the model of a refinement is singular
TELLING = pd.DataFrame(
    {"a": np.array(list("uvw"))[Y], "b": np.array(list("xyz"))[np.where(Y < 2, Y, 0)]}
    | {c: np.array(list("klmn"))[RNG.integers(0, 4, 90)] for c in "cde"}
)
# columns that differ by 1e-12 of one cell: what only twice the precision tells apart
FIRST = RNG.normal(size=90)
NEAR = pd.DataFrame({"x": FIRST, "other": RNG.normal(size=90)})
for place in range(3):
    NEAR[f"x{place}"] = FIRST + np.where(np.arange(90) == 7 * place, 1e-6 * (place + 1), 0)


@pytest.fixture
def moved(monkeypatch):
    """The pairs of rows that each refinement moved, beside what it may move by default."""
    counts, maximize = [], mkl_newton.maximize

    def counted(model, rows, ends, *rest):
        made = maximize(model, rows, ends, *rest)
        counts.append((made, mkl_certificate.PAIRS_A_ROW * len(rows)))
        return made

    counting = SimpleNamespace(**vars(mkl_newton) | {"maximize": counted})
    monkeypatch.setattr(mkl_certificate, "newton", counting)
    return counts


def test_a_refinement_that_fails_ends_at_its_bound_and_changes_nothing(moved):
    answer = RFEMKL().fit(TELLING, Y).answer_
    assert any(made >= most for made, most in moved)
    assert all(made <= 1.01 * most for made, most in moved)
    assert "open" in answer.cuts
    assert max(step.bound for step in answer.steps) < 1e-4


def test_with_prove_it_goes_on(moved, monkeypatch):
    monkeypatch.setattr(mkl_certificate.newton, "MOST_IN_ALL", 100_000)
    RFEMKL(prove=True).fit(TELLING, Y)
    assert max(made / most for made, most in moved) > 1.5
    assert all(made <= 100_000 for made, _ in moved)


@pytest.mark.parametrize("classes", [2, 3])
def test_refinements_that_succeed_are_far_below_the_bound(moved, classes):
    y = np.digitize(FIRST + RNG.normal(size=90), [0] if classes == 2 else [-0.5, 0.5])
    plain, proved = (RFEMKL(prove=prove).fit(NEAR, y).answer_ for prove in (False, True))
    assert moved
    assert all(made < most / 4 for made, most in moved)
    assert plain.cuts == proved.cuts
    assert np.array_equal(plain.order, proved.order)
    assert np.array_equal(plain.importance, proved.importance)


def test_prove_is_a_flag():
    with pytest.raises(TableError, match="prove must be"):
        RFEMKL(prove="yes").fit(TELLING, Y)
