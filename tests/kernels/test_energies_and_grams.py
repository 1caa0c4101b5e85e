"""Sums of kernels between two sets of rows, against the loops."""

import numpy as np
import pytest
from twins.kernel_sums import feature_gram

from hetsel.kernels.energies_and_grams import (
    Sorted,
    add_cross,
    add_decisions,
    add_gram,
    add_motions,
    energies,
    mirror,
    similarity,
)

NAN = float("nan")


def rows(seed, n=23):
    """Cells (p, n) in [0, 1], two columns of codes, one of each with missing cells."""
    rng = np.random.default_rng(seed)
    values = np.concatenate([rng.random((5, n)), rng.integers(0, 3, (2, n))])
    values[:5, 0], values[:5, 1] = 0.0, 1.0  # the range is [0, 1]
    gaps = np.zeros(7, dtype=bool)
    gaps[[2, 6]] = True
    values[np.ix_(gaps, np.arange(2, n, 4))] = NAN
    return values, np.arange(7) >= 5, gaps


@pytest.mark.parametrize(
    ("a", "b", "nominal", "expected"),
    [
        (0.25, 1.0, False, 0.25),
        (1.0, 2.0, True, 0.0),
        (2.0, 2.0, True, 1.0),
        (NAN, NAN, False, 1.0),
        (NAN, 0.5, False, 0.0),
        (1.0, NAN, True, 0.0),
    ],
)
def test_one_similarity_by_hand(a, b, nominal, expected):
    assert similarity(a, b, nominal) == expected


@pytest.mark.parametrize("chosen", [[0], [5, 2], [6, 1, 0, 3, 4, 2, 5]])
@pytest.mark.parametrize("n", [7, 23, 90])
def test_the_sum_is_that_of_the_loops_and_goes_on_from_what_is_there(chosen, n):
    values, nominal, gaps = rows(1, n)
    features, weights = np.array(chosen), np.linspace(0.5, 2, len(chosen))
    slow = sum(
        w * feature_gram(values[f], nominal[f]) for f, w in zip(chosen, weights, strict=True)
    )
    gram = np.full((n, n), 3.0)
    add_gram(gram, values, nominal, gaps, features, weights, False)
    mirror(gram)
    np.testing.assert_allclose(gram, slow + 3.0, atol=1e-12)
    add_gram(gram, values, nominal, gaps, features, weights, True)
    mirror(gram)
    np.testing.assert_allclose(gram, slow, atol=1e-12)
    cross = np.zeros((4, n))
    add_cross(cross, values[:, :4].copy(), values, nominal, gaps, features, weights)
    np.testing.assert_allclose(cross, slow[:4], atol=1e-12)


def test_energies_equal_the_matrix_form_whatever_the_sum_of_beta():
    values, nominal, _ = rows(2)
    beta = np.random.default_rng(3).normal(size=23)  # its sum is not 0
    order = np.argsort(values, axis=1, kind="stable")
    out = np.full(7, 1.0)
    ascending, present = np.take_along_axis(values, order, 1), 23 - np.isnan(values).sum(axis=1)
    energies(Sorted(ascending, order, present, nominal), np.arange(7), beta, out)
    slow = [beta @ feature_gram(c, k) @ beta for c, k in zip(values, nominal, strict=True)]
    np.testing.assert_allclose(out - 1.0, slow, atol=1e-12)


@pytest.mark.slow
def test_moved_cells_move_the_energies_by_no_more_than_the_motions_say():
    """Cells on a grid of 1/8 with many ties and gaps; each moves by up to half a step."""
    values, nominal, _ = rows(2)
    rng = np.random.default_rng(5)
    values[~nominal] = np.rint(values[~nominal] * 8) / 8
    order = np.argsort(values, axis=1, kind="stable")
    ascending, present = np.take_along_axis(values, order, 1), 23 - np.isnan(values).sum(axis=1)
    cells = Sorted(ascending, order, present, nominal)
    nearest = 0.0
    for _ in range(200):
        beta = rng.normal(size=23) * (rng.random(23) < 0.7)
        most = np.zeros(7)
        add_motions(cells, np.arange(7), beta, most)
        off = rng.choice([1e-3, 1 / 16])
        moved = values + np.where(nominal[:, None], 0.0, rng.choice([-off, off], values.shape))
        for f, (one, other, level) in enumerate(zip(values, moved, nominal, strict=True)):
            here, there = (beta @ feature_gram(column, level) @ beta for column in (one, other))
            assert abs(there - here) <= off * most[f] + 1e-12
            nearest = max(nearest, 0.0 if level else abs(there - here) / (off * most[f]))
    assert nearest > 0.5  # the bound is no idle one


def test_decisions_are_added():
    cross = np.array([[1.0, 2.0, 4.0], [0.5, 0.0, 1.0]])
    out = np.array([10.0, 20.0])
    add_decisions(cross, np.array([1.0, 0.0, -0.5]), out)
    assert out.tolist() == [9.0, 20.0]
