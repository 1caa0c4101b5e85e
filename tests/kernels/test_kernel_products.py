"""Products of kernels against loops over full Gram matrices."""

from itertools import permutations

import numpy as np
import pytest
from twins.hsic_lasso import class_gram, plain_gram
from twins.traces import centered

from hetsel.kernels.kernel_products import (
    CLASS,
    CLINICAL,
    DIRECTIONS,
    EQUAL,
    GAUSSIAN,
    kernel_products,
    short_of_one,
)

NAMES = {GAUSSIAN: "gaussian", CLINICAL: "clinical", EQUAL: "equal"}
KERNELS = np.array([GAUSSIAN, CLINICAL, EQUAL, EQUAL, GAUSSIAN, CLASS])


def columns(n=23, missing=0.0, seed=0):
    """Two numbers, levels, one level only, a number, and classes of uneven sizes; gaps before."""
    rng = np.random.default_rng(seed)
    x = np.vstack([rng.normal(size=n), rng.random(n), rng.integers(0, 4, n), np.zeros(n)])
    x = np.vstack([x, rng.integers(0, 5, n)])
    x[rng.random(x.shape) < missing] = np.nan
    x[1] = (x[1] - np.nanmin(x[1])) / (np.nanmax(x[1]) - np.nanmin(x[1]))
    for f in (0, 4):
        x[f] /= np.nanstd(x[f])
    return np.vstack([x, np.minimum(rng.integers(0, 6, n), 2)])


def hollow_centered(gram):
    """The matrix without its diagonal, centered cell by cell so that products are unbiased."""
    n = len(gram)
    sums = [sum(gram[i, j] for j in range(n) if j != i) for i in range(n)]
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if i != j:
                out[i, j] = gram[i, j] - (sums[i] + sums[j]) / (n - 2)
                out[i, j] += sum(sums) / ((n - 1) * (n - 2))
    return out


CENTERED = {"none": np.array, "biased": centered, "unbiased": hollow_centered}


def products(x, blocks, centering, is_normalized):
    """Sums over the blocks of the products of full matrices."""
    total = np.zeros((len(x), len(x)))
    for rows in blocks:
        grams = []
        for column, kernel in zip(x, KERNELS, strict=True):
            gram = (
                class_gram(column[rows])
                if kernel == CLASS
                else plain_gram(column, NAMES[kernel])[np.ix_(rows, rows)]
            )
            gram = CENTERED[centering](gram)
            norm = np.linalg.norm(gram) if is_normalized else 1.0
            grams.append(gram / norm if norm > 1e-9 else 0 * gram)
        total += [[(one * other).sum() for other in grams] for one in grams]
    return total


@pytest.mark.seconds
@pytest.mark.parametrize("room", [1, 300, 2**22])
@pytest.mark.parametrize("is_normalized", [False, True])
@pytest.mark.parametrize("centering", CENTERED)
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_products_are_those_of_full_matrices(missing, centering, is_normalized, room, monkeypatch):
    monkeypatch.setattr("hetsel.kernels.kernel_products.ROOM", room)
    x = columns(missing=missing)
    rng = np.random.default_rng(1)
    blocks = [np.arange(23), *np.array_split(rng.permutation(23), 3)]
    found = kernel_products(
        x, KERNELS, blocks=blocks, centering=centering, normalized=is_normalized
    )
    np.testing.assert_allclose(found, products(x, blocks, centering, is_normalized), atol=1e-10)


def test_some_columns_and_all_rows():
    x = columns()
    whole = kernel_products(x, KERNELS)
    np.testing.assert_allclose(whole, products(x, [np.arange(23)], "none", False), rtol=1e-10)
    some = kernel_products(x, KERNELS, np.array([5, 2]))
    np.testing.assert_allclose(some, whole[:, [5, 2]], rtol=1e-12)


def test_levels_of_equal_weight_make_the_statistic_of_a_table_of_counts():
    """<K_f, L> of two class kernels is the mean square contingency (Pearson) over its largest."""
    counts = np.array([[10, 2, 3], [1, 8, 6]])
    rows = [(a, b) for a in range(2) for b in range(3) for _ in range(counts[a, b])]
    x = np.array(rows, dtype=float).T
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    phi_squared = ((counts - expected) ** 2 / expected).sum() / counts.sum()
    found = kernel_products(x, np.full(2, CLASS), centering="biased", normalized=True)
    assert found[0, 1] == pytest.approx(phi_squared / np.sqrt(1 * 2))


def test_a_number_of_two_values_is_a_column_of_two_levels():
    codes = (np.arange(30) % 7 == 0).astype(float)
    found = kernel_products(
        np.vstack([codes / codes.std(), codes]),
        np.array([GAUSSIAN, EQUAL]),
        centering="biased",
        normalized=True,
    )
    np.testing.assert_allclose(found, 1.0, rtol=1e-13)


def test_near_equal_cells_keep_their_digits():
    """A block whose rows are close, as beside an outlier elsewhere, has squared distances."""
    away = np.random.default_rng(0).normal(size=20)
    x = np.vstack([1e-7 * away, away - away.mean()])
    found = kernel_products(
        x, np.full(2, GAUSSIAN), np.array([0]), centering="biased", normalized=True
    )
    gram = np.outer(x[1], x[1])  # what centering leaves of -(a - b)^2 / 2
    other = centered(plain_gram(x[1] / x[1].std(), "gaussian"))
    assert found[0, 0] == pytest.approx(1.0, abs=1e-12)
    x[1] /= x[1].std()
    found = kernel_products(x, np.full(2, GAUSSIAN), centering="biased", normalized=True)
    expected = (gram * other).sum() / np.linalg.norm(gram) / np.linalg.norm(other)
    assert found[0, 1] == pytest.approx(expected, rel=1e-9)


def test_small_exponentials_keep_all_digits():
    x = np.concatenate([np.logspace(-20, 2, 1000), [0.0, 127.0, 1e9]])
    found = x.copy()
    short_of_one(found)
    np.testing.assert_allclose(found, -np.expm1(-x / 2), rtol=1e-13)


def test_unbiased_products_of_independent_columns_have_mean_zero():
    """Over all orders of a column of few rows: the mean is that of every order alike."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=6), np.array([0.0, 0, 0, 1, 1, 2])
    found = {"biased": [], "unbiased": []}
    for order in permutations(range(6)):
        columns = np.vstack([x, y[list(order)]])
        for centering, values in found.items():
            product = kernel_products(columns, np.array([GAUSSIAN, EQUAL]), centering=centering)
            values.append(product[0, 1])
    assert np.mean(found["unbiased"]) == pytest.approx(0.0, abs=1e-12)
    assert np.mean(found["biased"]) > 0.1


@pytest.mark.parametrize("room", [1, 300, 2**22])
@pytest.mark.parametrize("is_normalized", [False, True])
@pytest.mark.parametrize("centering", CENTERED)
def test_a_target_of_directions_has_the_matrix_that_they_sum_up_to(
    centering, is_normalized, room, monkeypatch
):
    monkeypatch.setattr("hetsel.kernels.kernel_products.ROOM", room)
    x, rng = columns(), np.random.default_rng(3)
    blocks, directions = [np.arange(9), np.arange(5, 23)], rng.normal(size=(3, 23))
    kernels = np.append(KERNELS[:-1], DIRECTIONS)
    options = {"centering": centering, "normalized": is_normalized}
    found = kernel_products(x, kernels, blocks=blocks, directions=directions, **options)
    wanted = np.zeros(6)
    for rows in blocks:
        part = np.ix_(rows, rows)
        named = zip(x, KERNELS[:-1], strict=False)
        grams = [plain_gram(column, NAMES[kernel])[part] for column, kernel in named]
        grams = [CENTERED[centering](g) for g in [*grams, (directions.T @ directions)[part]]]
        norms = [np.linalg.norm(g) if is_normalized else 1.0 for g in grams]
        pairs = zip(grams, norms, strict=True)
        grams = [g / norm if norm > 1e-9 else 0 * g for g, norm in pairs]
        wanted += [(g * grams[-1]).sum() for g in grams]
    np.testing.assert_allclose(found[:, -1], wanted, atol=1e-9)
