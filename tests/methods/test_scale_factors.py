"""SAS, SCSS and scaled Frobenius selection."""

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from scipy.optimize import nnls
from twins import printed_ascent

from hetsel import SAS, SCSS, FisherScore, ScaledFrobenius
from hetsel.ground.errors import TableError
from hetsel.kernels.scaled_kernels import Expansion, ScaledKernel
from hetsel.search.rankings import scale_factors
from hetsel.solvers.ascent import bounded_ascent
from hetsel.tables import Classes

METHODS = [SAS, SCSS, ScaledFrobenius]


def parity(n=160, seed=0):
    """Two factors that tell the class together only, other factors and numbers without a part."""
    rng = np.random.default_rng(seed)
    bits = rng.integers(0, 2, size=(n, 5))
    frame = pd.DataFrame(bits, columns=list("abcde")).astype("category")
    frame["number"] = rng.normal(size=n)
    return frame, bits[:, 1] ^ bits[:, 3]


@pytest.mark.parametrize("method", METHODS)
def test_what_tells_the_class_together_only_is_found(method):
    frame, y = parity()
    assert set(method().fit(frame, y).signature(2)) == {1, 3}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("classes", [2, 3])
def test_the_factors_are_those_of_a_maximum(method, classes):
    frame, y = mixed_frame(70, 6, 3, classes=classes)
    found = method().fit(frame, y)
    u = found.answer_.extras["scale_factor"] ** 2
    table = found.schema_.encode(frame)
    features = Expansion.of(table.values.T, table.nominal)
    objective = method()._objective(features, Classes.of(y))
    value, slopes = objective(u)
    assert np.abs(slopes[u > 0]).max() < 1e-4 * value
    assert (slopes[u == 0] <= 1e-4).all()
    rng = np.random.default_rng(0)
    for _ in range(20):
        assert objective(u * np.exp(0.2 * rng.normal(size=9)))[0] <= value * (1 + 1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_alignment_of_the_linear_kernel_is_nonnegative_least_squares(seed):
    frame, y = mixed_frame(60, 6, 3, seed=seed)
    found = SAS(kernel="linear", target="even", tolerance=1e-9).fit(frame, y)
    table = found.schema_.encode(frame)
    features = Expansion.of(table.values.T, table.nominal)
    grams = [ScaledKernel("linear").gram(features, row).ravel() for row in np.eye(9)]
    target = np.where(y[:, None] == y, 1.0, -1.0).ravel()
    weights = np.sqrt(nnls(np.array(grams).T, target)[0])
    np.testing.assert_allclose(found.importances_, weights / weights.max(), atol=2e-3)


def two_by_two(n, seed):
    """Four clouds, opposite ones of one class, in the first two of 52 columns."""
    rng = np.random.default_rng(seed)
    columns, y = rng.normal(size=(n, 52)), (np.arange(n) % 3 == 0) * 1
    sign = rng.choice([-1.0, 1.0], size=n)
    columns[:, 0] += np.where(y == 1, 0.75, 3.0) * sign
    columns[:, 1] += np.where(y == 1, 3.0, -3.0) * sign
    return columns, y


@pytest.mark.slow
def test_the_printed_target_loses_features_where_classes_differ_in_size():
    found = {"even": 0, "uneven": 0}
    for seed in range(8):
        columns, y = two_by_two(60, seed)
        for target in found:
            best = SAS(target=target).fit(columns, y).signature(2)
            found[target] += set(best) == {0, 1}
    assert found["uneven"] >= found["even"] + 3


@pytest.mark.filterwarnings("ignore:the ascent stopped")
@pytest.mark.parametrize("method", [SAS, SCSS])
def test_ten_steps_miss_what_tells_the_class_together_only(method):
    columns, y = two_by_two(60, 0)
    first = [
        set(method(**options).fit(columns, y).signature(2))
        for options in ({}, {"solver": "gradient", "iterations": 10})
    ]
    assert first[0] == {0, 1} != first[1]


def test_scss_with_the_linear_kernel_orders_numbers_as_fishers_score_does():
    frame, y = mixed_frame(80, 7, 0, classes=3)
    linear = SCSS(kernel="linear").fit(frame, y)
    assert linear.ranking_.tolist() == FisherScore().fit(frame, y).ranking_.tolist()


def test_the_printed_ascent_reaches_less_than_the_bounded_one():
    frame, y = mixed_frame(70, 6, 3)
    values = {}
    for solver in ("gradient", "l-bfgs-b"):
        found = SAS(solver=solver).fit(frame, y)
        table = found.schema_.encode(frame)
        features = Expansion.of(table.values.T, table.nominal)
        u = found.answer_.extras["scale_factor"] ** 2
        values[solver] = found._objective(features, Classes.of(y))(u)[0]
    assert values["gradient"] < values["l-bfgs-b"]
    assert values["gradient"] == pytest.approx(values["l-bfgs-b"], rel=0.02)


PRINTED = {
    SAS: ({"target": "even"}, printed_ascent.alignment_slope),
    SCSS: ({}, printed_ascent.separability_slope),
}


@pytest.mark.filterwarnings("ignore:the ascent stopped")
@pytest.mark.parametrize("counts", [(25, 15), (18, 7, 15)])
@pytest.mark.parametrize("method", PRINTED)
def test_ten_steps_are_those_of_algorithm_1(method, counts):
    """Eq. 3, 9 and 10, Eq. 15 to 18, 22 and 23 and the kernel of section III-D, as matrices."""
    rng = np.random.default_rng(sum(counts) + len(counts))
    y = np.repeat(np.arange(len(counts)), counts)
    x = rng.lognormal(size=6) * (rng.normal(size=(40, 6)) + np.outer(y, [1.5, 1, 0.5, 0, 0, 0]))
    options, slope = PRINTED[method]
    factors = printed_ascent.ascent(x, y, slope, eta=10.0, steps=10)
    found = method(solver="gradient", iterations=10, **options).fit(x, y)
    equal = 1.0 / np.sqrt(6)  # where our factors start; the sign of a factor has no part in K
    own = found.answer_.extras["scale_factor"]
    np.testing.assert_allclose(own, equal * np.abs(factors), atol=1e-5)


@pytest.mark.parametrize("kernel", ["linear", "polynomial", "clinical"])
def test_other_kernels_put_the_signal_first(kernel):
    frame, y = mixed_frame(90, 6, 4)
    for method in (SAS, SCSS):
        found = method(kernel=kernel, degree=2).fit(frame, y)
        assert found.get_feature_names_out()[0] in {"c0", "n0"}


@pytest.mark.slow
def test_an_elimination_in_steps_says_its_steps():
    frame, y = parity()
    found = SAS(step=0.3).fit(frame, y)
    steps = found.answer_.steps
    assert [step.size for step in steps] == [6, 4, 3, 2, 1]
    assert set(found.signature(2)) == {1, 3}
    assert found.answer_.order.tolist() == [f for s in reversed(steps) for f in s.features]
    assert (np.diff([step.objective for step in steps[:-1]]) <= 1e-6).all()  # fewer factors


@pytest.mark.slow
def test_several_starts_say_how_far_they_agree():
    frame, y = mixed_frame(70, 6, 3)
    one = SAS().fit(frame, y)
    several = SAS(starts=4).fit(frame, y)
    extras = several.answer_.extras
    assert "best_rank" not in one.answer_.extras
    assert (extras["best_rank"] <= several.ranking_).all()
    assert (several.ranking_ <= extras["worst_rank"]).all()
    again = SAS(starts=4).fit(frame[frame.columns[::-1]], y).answer_.extras
    assert extras["worst_rank"].tolist() == again["worst_rank"][::-1].tolist()


def test_an_ascent_that_is_stopped_warns():
    frame, y = mixed_frame(70, 6, 3)
    with pytest.warns(UserWarning, match="stopped after iterations=2"):
        SAS(iterations=2).fit(frame, y)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            {"kernel": "rbf"},
            r"kernel must be one of gaussian, linear, polynomial, clinical\. Got 'rbf'",
        ),
        ({"target": "odd"}, r"target must be one of uneven, even\. Got 'odd'"),
        ({"normalize": "sd"}, r"normalize must be one of .*Got 'sd'"),
        ({"solver": "newton"}, r"solver must be one of l-bfgs-b, gradient\. Got 'newton'"),
        ({"step": 1.5}, "step must be .* between 0 and 1"),
        ({"tolerance": 0}, "tolerance must be a positive number. Got 0"),
        ({"degree": 0, "kernel": "polynomial"}, "degree must be a whole number"),
    ],
)
def test_impossible_parameters_are_named(options, words):
    frame, y = mixed_frame(30, 3, 2)
    with pytest.raises(ValueError, match=words):
        SAS(**options).fit(frame, y)


def test_impossible_numbers_are_named():
    frame, y = mixed_frame(30, 3, 2)
    for name in ("starts", "iterations", "block_size"):
        with pytest.raises(TableError, match=f"{name} must be a whole number, 1 or larger. Got 0"):
            SAS(**{name: 0}).fit(frame, y)
    with pytest.raises(ValueError, match="epsilon must be a positive number. Got 0"):
        SCSS(epsilon=0).fit(frame, y)
    with pytest.raises(ValueError, match=r"kernel must be one of gaussian\. Got 'linear'"):
        ScaledFrobenius(kernel="linear").fit(frame, y)


@pytest.mark.slow
@pytest.mark.parametrize("method", [SAS, SCSS])
def test_the_highest_end_of_several_starts_counts_and_copies_start_alike(method, monkeypatch):
    """Nearly noise: on some of 8 tables the start from equal factors alone ends lower."""
    ends = []

    def recorded(*given, **limits):
        ends.append(bounded_ascent(*given, **limits))
        return ends[-1]

    monkeypatch.setattr(scale_factors, "bounded_ascent", recorded)
    lower = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        y, cells = np.arange(40) % 2, rng.normal(size=(40, 7))
        cells[:, 0] += 0.7 * y
        cells[:, 6] = cells[:, 1]
        ends.clear()
        found = method().fit(cells, y)
        values = np.array([end.value for end in ends])
        assert len(values) == 11
        best = ends[int(np.argmax(values >= values.max() * (1 - 1e-6)))]
        factors = found.answer_.extras["scale_factor"]
        np.testing.assert_allclose(np.sort(factors), np.sort(np.sqrt(best.u)))
        assert found.importances_[1] == found.importances_[6]
        lower += values[0] < values.max() * (1 - 1e-4)
    assert lower > 0


def test_large_tables_have_one_start(monkeypatch):
    frame, y = mixed_frame(70, 6, 3)
    monkeypatch.setattr(scale_factors, "CHEAP", 1000)
    one = SAS().fit(frame, y).answer_.extras["scale_factor"]
    monkeypatch.setattr(scale_factors, "FURTHER", 0)
    monkeypatch.setattr(scale_factors, "CHEAP", 10**9)
    np.testing.assert_array_equal(SAS().fit(frame, y).answer_.extras["scale_factor"], one)
