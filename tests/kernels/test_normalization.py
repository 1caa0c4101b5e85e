"""Normalized kernels against full matrices and against permutations of the rows."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from frames import kernels_of, mixed_frame, told_frame
from scipy.stats import pearson3
from twins.kernel_sums import feature_gram
from twins.traces import centered, gaussian_gram

from hetsel import HSIC, Schema, get_method
from hetsel.kernels.energies_and_grams import add_block
from hetsel.kernels.normalization import (
    CenteredSums,
    Normalization,
    centered_sums,
    matrix_sums,
    permutation_importance,
    scale_factors,
)
from hetsel.kernels.target_kernels import class_directions

METHODS = ["hsic", "rfe-mkl", "rfe-svm", "rfe-svm-printed"]


def table_of(seed=0, n=37, missing=0.0, classes=2):
    frame, y = mixed_frame(n, 3, 3, seed=seed, missing=missing, classes=classes)
    frame["ties"] = np.round(frame["c0"])
    frame["constant"] = 1.0
    return Schema.infer(frame).encode(frame).resolve_missing("separate"), y


def centered_grams(table):
    columns = zip(table.values.T, table.nominal, strict=True)
    return [centered(feature_gram(column, kind)) for column, kind in columns]


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("seed", range(3))
def test_sums_over_eigenvalues_equal_those_of_full_matrices(seed, missing):
    table, _ = table_of(seed, missing=missing)
    sums = centered_sums(kernels_of(table))
    grams = centered_grams(table)
    for power, found in enumerate((sums.trace, sums.square, sums.cube), start=1):
        expected = [(np.linalg.eigvalsh(gram) ** power).sum() for gram in grams]
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
    expected = [(np.diag(gram) ** 2).sum() for gram in grams]
    np.testing.assert_allclose(sums.diagonal, expected, rtol=1e-9, atol=1e-9)


def test_the_tail_is_pearsons_type_iii_with_mean_and_variance_over_all_permutations():
    rng = np.random.default_rng(1)
    beta = rng.normal(size=(2, 6))
    beta -= beta.mean(axis=1, keepdims=True)
    column = rng.normal(size=6)
    gram = centered(feature_gram(column, False))
    null = [
        sum(b[list(order)] @ gram @ b[list(order)] for b in beta)
        for order in permutations(range(6))
    ]
    sums = CenteredSums(6, *(np.array([part]) for part in matrix_sums(gram)))
    eigenvalues = [np.linalg.eigvalsh(matrix) for matrix in (gram, beta.T @ beta)]
    skewness = np.sqrt(8) * np.prod([(e**3).sum() / (e**2).sum() ** 1.5 for e in eigenvalues])
    for z in (-0.5, 0.3, 2.0, 5.0):
        energy = np.mean(null) + z * np.std(null)
        found, standardized = permutation_importance(np.array([energy]), beta, sums)
        np.testing.assert_allclose(standardized, [z], rtol=1e-9)
        expected = -pearson3.logsf(z, skewness) / np.log(10)
        np.testing.assert_allclose(found, expected, rtol=1e-9)


@pytest.mark.seconds
@pytest.mark.parametrize("classes", [2, 3])
def test_p_values_are_near_to_those_of_permutations(classes):
    table, y = table_of(n=60, classes=classes)
    directions = class_directions(y)
    rng = np.random.default_rng(0)
    found = HSIC(normalize="p-value").fit(table, y).importances_
    orders = [rng.permutation(60) for _ in range(4000)]
    for f, gram in enumerate(centered_grams(table)):
        value = sum(d @ gram @ d for d in directions)
        null = np.array([sum(d[o] @ gram @ d[o] for d in directions) for o in orders])
        share = (null >= value - 1e-9).mean()
        if share > 0.002:  # a column of few levels has few values, each with its share
            equal = (np.abs(null - value) < 1e-9).mean()
            assert share - equal - 0.04 <= 10.0 ** -found[f] <= share + 0.04


@pytest.mark.seconds
@pytest.mark.parametrize("kernel", ["clinical", "gaussian"])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_hsic_is_divided_by_norm_and_trace_of_the_centered_matrix(kernel, missing):
    table, y = table_of(missing=missing, n=40)
    plain = HSIC(kernel=kernel, missing="separate").fit(table, y).importances_
    sizes = {"norm": [], "trace": []}
    for column, kind in zip(table.values.T, table.nominal, strict=True):
        gaussian = kernel == "gaussian" and not kind
        gram = centered(gaussian_gram(column) if gaussian else feature_gram(column, kind))
        sizes["norm"].append(np.linalg.norm(gram))
        sizes["trace"].append(np.trace(gram))
    for kind, size in sizes.items():
        found = HSIC(kernel=kernel, normalize=kind, missing="separate").fit(table, y)
        with np.errstate(divide="ignore", invalid="ignore"):
            expected = np.where(plain > 0, plain * 20 / np.array(size), 0.0)
        np.testing.assert_allclose(found.importances_, expected, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("kind", ["norm", "trace"])
def test_two_levels_of_as_many_rows_keep_their_weight(kind):
    column = np.repeat([0.0, 1.0], 10)[:, None]
    sums = centered_sums(kernels_of(Schema.infer(column, nominal=[0]).encode(column)))
    np.testing.assert_allclose(scale_factors(kind, sums), [1.0], rtol=1e-12)


@pytest.mark.seconds
@pytest.mark.parametrize("kind", ["norm", "trace"])
def test_kernels_with_factors_are_those_kernels_times_the_factors(kind):
    table, _ = table_of(missing=0.2)
    plain = kernels_of(table)
    normal = Normalization(kind, plain)
    factors = scale_factors(kind, centered_sums(plain))
    rng = np.random.default_rng(0)
    weights, beta, some = rng.random(4), rng.normal(size=plain.n), np.array([6, 1, 2, 4])
    here, there = normal.kernels.subset(some), plain.subset(some)
    np.testing.assert_allclose(here.gram(weights), there.gram(weights * factors[some]), rtol=1e-12)
    energies = here.energies(beta[None])
    np.testing.assert_allclose(energies, there.energies(beta[None]) * factors[some], rtol=1e-12)
    for _ in range(2):  # computed and held
        images, norms = here.products(beta)
        np.testing.assert_allclose(norms, energies, rtol=1e-9)
        np.testing.assert_allclose(images @ beta, energies, rtol=1e-9, atol=1e-12)
    rows = np.array([3, 8, 20])
    block = np.zeros((3, 3))
    add_block(here.family, weights, rows, block)
    whole = here.gram(weights)[np.ix_(rows, rows)]
    np.testing.assert_allclose(np.tril(block), np.tril(whole), rtol=1e-12)


@pytest.mark.seconds
@pytest.mark.parametrize("key", METHODS)
@pytest.mark.parametrize("kind", ["norm", "trace", "p-value"])
def test_names_order_and_units_change_nothing(key, kind):
    for classes in (2, 3):
        frame, y = mixed_frame(60, 5, 4, seed=classes, classes=classes)
        frame["constant"] = 1.0
        frame["copy"] = 3.0 - 2.54 * frame["c1"]
        first = get_method(key)(normalize=kind).fit(frame, y).frame()["feature"].tolist()
        rng = np.random.default_rng(0)
        rows, columns = rng.permutation(60), rng.permutation(frame.shape[1])
        other = frame.iloc[rows, columns]
        again = get_method(key)(normalize=kind).fit(other, y[rows]).frame()["feature"].tolist()
        copies = {"c1", "copy"}
        assert [n for n in again if n not in copies] == [n for n in first if n not in copies]
        if key in ("rfe-mkl", "rfe-svm"):
            assert first[-1] == "constant"
            assert first[0] in {"c0", "n0"}


@pytest.mark.parametrize("key", ["hsic", "rfe-mkl", "rfe-svm"])
def test_a_level_for_each_row_says_nothing_under_permutations(key):
    frame, y = mixed_frame(40, 2, 2)
    frame["identifier"] = [f"row {i}" for i in range(40)]
    selector = get_method(key)(normalize="p-value", nominal=["identifier"]).fit(frame, y)
    assert selector.importances_[-1] == 0.0
    assert selector.frame()["feature"].iloc[-1] == "identifier"
    assert get_method(key)(nominal=["identifier"]).fit(frame, y).ranking_[-1] < 5


@pytest.mark.parametrize("target", ["classes", "numbers", "survival"])
def test_columns_whose_p_value_is_one_are_ordered_by_content_not_by_place(target):
    rng = np.random.default_rng(0)
    frame, y = mixed_frame(60, 3, 3) if target == "classes" else told_frame(target, 60, 3, 3)
    ascending = np.argsort(y["time"] if target == "survival" else y, kind="stable")
    for levels in (3, 4, 5, 6):  # spread over the target more evenly than permutations do
        codes = np.empty(60, dtype=int)
        codes[ascending] = np.concatenate([rng.permutation(levels) for _ in range(60 // levels)])
        frame[f"{levels} levels"] = pd.Categorical.from_codes(codes, list("abcdef")[:levels])
    first = HSIC(normalize="p-value", target_kind=target).fit(frame, y)
    backward = HSIC(normalize="p-value", target_kind=target).fit(frame.iloc[:, ::-1], y)
    assert (first.importances_ == 0.0).sum() > 1
    assert first.frame()["feature"].tolist() == backward.frame()["feature"].tolist()


@pytest.mark.slow
@pytest.mark.parametrize("key", ["hsic", "rfe-mkl", "rfe-svm"])
def test_p_values_give_each_count_of_levels_the_same_chance(key):
    """Noise of 0 (numbers), 2, 5 and 30 levels, 60 tables: mean ranks near to 2.5."""
    ranks = {"none": [], "p-value": []}
    for seed in range(60):
        rng = np.random.default_rng(seed)
        y = rng.permutation(np.arange(80) % 2)
        cells = [rng.normal(size=80), *(rng.integers(k, size=80) for k in (2, 5, 30))]
        for kind, found in ranks.items():
            selector = get_method(key)(normalize=kind, nominal=[1, 2, 3])
            found.append(selector.fit(np.column_stack(cells), y).ranking_)
    means = {kind: np.mean(found, axis=0) for kind, found in ranks.items()}
    assert np.abs(means["p-value"] - 2.5).max() < 0.5
    assert np.abs(means["none"] - 2.5).max() > 0.75


@pytest.mark.parametrize("key", METHODS)
def test_an_unknown_normalization_is_named(key):
    frame, y = mixed_frame(30, 2, 1)
    with pytest.raises(ValueError, match="normalize must be one of none, norm, .*Got 'unit'"):
        get_method(key)(normalize="unit").fit(frame, y)
