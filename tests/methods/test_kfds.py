"""Kernel Fisher discriminant selection against scikit-learn's discriminant and plain inverses."""

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from hetsel import KFDS
from hetsel.ground.errors import TableError
from hetsel.methods.embedded.kfds import fisher_normals


@pytest.mark.parametrize("ridge", [0.1, 1.0, 10.0])
def test_the_normal_is_that_of_the_shrunken_discriminant(ridge):
    rng = np.random.default_rng(0)
    columns, codes = rng.normal(size=(60, 5)), rng.integers(0, 2, 60)
    columns[codes == 1, :2] += 1.0
    # (1 - s) S + s (tr S / d) I is proportional to S + ridge (tr S / n) I for this s
    share = ridge * 5 / 60
    machine = LinearDiscriminantAnalysis(solver="lsqr", shrinkage=share / (1 + share))
    oracle = machine.fit(columns, codes).coef_[0]
    for own in fisher_normals(columns, codes, ridge):
        own = own * np.sign(own[0] * oracle[0])
        np.testing.assert_allclose(
            own / np.linalg.norm(own), oracle / np.linalg.norm(oracle), atol=1e-9
        )


@pytest.mark.parametrize("shape", [(30, 8), (8, 30), (20, 20)])
def test_rows_and_columns_give_the_same_inverse(shape):
    rng = np.random.default_rng(1)
    columns, codes = rng.normal(size=shape), np.arange(shape[0]) % 3
    within = columns - np.stack([columns[codes == c].mean(axis=0) for c in range(3)])[codes]
    scatter = within.T @ within
    scatter += 0.5 * np.trace(scatter) / shape[0] * np.eye(shape[1])
    apart = [
        np.sqrt((codes == c).sum()) * (columns[codes == c].mean(axis=0) - columns.mean(axis=0))
        for c in range(3)
    ]
    by_hand = [np.linalg.inv(scatter) @ own for own in apart]
    np.testing.assert_allclose(fisher_normals(columns, codes, 0.5), by_hand, atol=1e-10)


def test_factors_are_multiplied_by_the_normal():
    rng = np.random.default_rng(2)
    columns, y = rng.normal(size=(80, 6)), np.arange(80) % 2
    columns[:, :3] += y[:, None] * [1.5, 1.0, 0.5]
    standard = (columns - columns.mean(axis=0)) / columns.std(axis=0)
    factors = np.ones(6)
    for _ in range(3):
        factors = factors * np.abs(fisher_normals(standard * factors, y, 1.0)[0])
        factors /= factors.max()
    found = KFDS(iterations=3).fit(columns, y)
    np.testing.assert_allclose(found.importances_, factors, atol=1e-6)
    assert found.ranking_.tolist() == (np.argsort(np.argsort(-factors)) + 1).tolist()


def test_complementary_features_come_before_redundant_ones():
    rng = np.random.default_rng(3)
    y = np.arange(300) % 2
    hidden = rng.normal(size=300)
    columns = rng.normal(size=(300, 6))
    columns[:, 0] = y + hidden  # what it tells is seen once the hidden part is known
    columns[:, 1] = hidden
    columns[:, 2] = 2.0 * y + rng.normal(size=300)
    columns[:, 3] = columns[:, 2] + 0.3 * rng.normal(size=300)
    assert set(KFDS().fit(columns, y).signature(2)) == {0, 1}


def test_a_factor_of_two_levels_counts_as_its_column_of_numbers():
    frame, y = mixed_frame(60, 3, 0)
    frame["code"] = (np.random.default_rng(4).random(60) < 0.3 + 0.4 * y) * 1.0
    number = KFDS().fit(frame, y)
    factor = KFDS(nominal=["code"]).fit(frame, y)
    np.testing.assert_allclose(number.importances_, factor.importances_, atol=1e-9)


def test_equal_means_of_the_classes_are_no_weights():
    frame = pd.DataFrame({"x": [-3.0, 3.0, 0.0, 0.0], "z": [3.0, -3.0, 0.0, 0.0]})
    selector = KFDS().fit(frame, [0, 0, 1, 1])
    assert selector.importances_.tolist() == [0.0, 0.0]


def test_fallen_features_are_ordered_by_when_they_fell():
    frame, y = mixed_frame(90, 12, 4)
    short, long = (KFDS(iterations=k).fit(frame, y) for k in (4, 40))
    assert (long.importances_ > 0).sum() < (short.importances_ > 0).sum()
    assert sorted(long.ranking_) == list(range(1, 17))
    stayed = long.importances_ > 0
    assert long.ranking_[stayed].max() < long.ranking_[~stayed].min()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"ridge": 0}, "ridge must be a positive number. Got 0"),
        ({"tolerance": -1}, "tolerance must be a positive number. Got -1"),
        ({"normalize": "sd"}, "normalize must be one of"),
    ],
)
def test_impossible_parameters_are_named(options, words):
    frame, y = mixed_frame(30, 3, 2)
    with pytest.raises(ValueError, match=words):
        KFDS(**options).fit(frame, y)


def test_no_updates_are_refused():
    frame, y = mixed_frame(30, 3, 2)
    with pytest.raises(TableError, match="iterations must be a whole number, 1 or larger. Got 0"):
        KFDS(iterations=0).fit(frame, y)
