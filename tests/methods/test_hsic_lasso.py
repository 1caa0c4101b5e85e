"""HSIC Lasso against loops over full Gram matrices and scikit-learn's path on their cells."""

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from mixed_tables import KINDS, mixed, problem_of
from sklearn.linear_model import lars_path
from twins import hsic_lasso as twin

from hetsel import HSICLasso
from hetsel.kernels import kernel_products
from hetsel.methods.filters import hsic_lasso
from hetsel.methods.filters.hsic_lasso import row_blocks

OWN = ["equal" if kind == "nominal" else "gaussian" for kind in KINDS]


def exact(table, y, **options):
    return HSICLasso(block_size=None, missing="separate", **options).fit(table, y)


@pytest.mark.parametrize("missing", [0.0, 0.15])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("kernel", ["gaussian", "clinical"])
def test_relevance_and_coefficients_are_those_of_full_matrices(kernel, classes, missing):
    table, y = mixed(classes, n=37, classes=classes, missing=missing)
    answer = exact(table, y, kernel=kernel).answer_
    own = [name if name == "equal" else kernel for name in OWN]
    x, target = twin.design(table.values, own, y, [np.arange(37)])
    relevance, a = answer.extras["relevance"], answer.extras["coefficient"]
    np.testing.assert_allclose(relevance, x.T @ target, atol=1e-9)
    pulls = x.T @ (target - x @ a)
    assert pulls.max() < 1e-5
    np.testing.assert_allclose(pulls[a > 0], 0.0, atol=1e-5)
    assert a.max() > 0.1


@pytest.mark.parametrize("seed", range(6))
def test_the_order_is_that_of_entry_on_the_path_over_all_cells(seed):
    table, y = mixed(seed, n=40, classes=2 + seed % 2)
    x, target = twin.design(table.values, OWN, y, [np.arange(40)])
    alphas, _, paths = lars_path(x, target, method="lasso", positive=True)
    alphas = alphas * len(target)
    # a feature is in from the knot after its entry; the path's last step goes past the optimum
    enters = {f: alphas[np.argmax(one > 0) - 1] for f, one in enumerate(paths[:, :-1]) if one.any()}
    found = exact(table, y)
    order = sorted(enters, key=enters.get, reverse=True)
    assert len(order) >= 2
    assert found.signature(len(order)).tolist() == order
    np.testing.assert_allclose(found.importances_[order], [enters[f] for f in order], atol=1e-9)


def test_blocks_are_drawn_by_the_seed_and_hold_every_row_once_a_permutation():
    problem = problem_of(*mixed(0, n=43))
    blocks = row_blocks(problem, 10, 2)
    assert [len(rows) for rows in blocks] == [11, 11, 11, 10] * 2
    for half in (blocks[:4], blocks[4:]):
        assert sorted(np.concatenate(half)) == list(range(43))
    assert [len(rows) for rows in row_blocks(problem, 22, 5)] == [43]
    again = row_blocks(problem, 10, 2)
    assert all((a == b).all() for a, b in zip(blocks, again, strict=True))


@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_blocks_average_the_products_of_their_own_matrices(monkeypatch, missing):
    """Of given rows of the table as the method orders it."""
    table, y = mixed(5, n=40, missing=missing)
    blocks = np.array_split(np.random.default_rng(2).permutation(40), 3)
    seen = {}

    def remember(problem, *options):
        columns = hsic_lasso._canonical_columns(problem, kernel_products.GAUSSIAN)[0]
        seen["columns"] = columns
        return blocks

    monkeypatch.setattr(hsic_lasso, "row_blocks", remember)
    answer = exact(table, y).answer_
    columns = seen["columns"]
    kernels = ["gaussian"] * 4 + ["equal"] * 2  # in the canonical order numbers come first
    x, target = twin.design(columns[:-1].T, kernels, columns[-1].astype(int), blocks)
    np.testing.assert_allclose(
        np.sort(answer.extras["relevance"]), np.sort(x.T @ target), atol=1e-9
    )


def noisy(seed, n=200):
    """Numbers and levels, even and uneven, that say nothing of the classes."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.normal(size=(n, 2)), columns=["a", "b"])
    for levels in (2, 5, 50):
        frame[f"{levels} levels"] = pd.Categorical(rng.integers(0, levels, n))
    return frame, np.arange(n) % 2


@pytest.mark.parametrize(("centering", "least", "most"), [("biased", 36, 40), ("unbiased", 0, 16)])
def test_the_unbiased_centering_does_not_favor_noise_of_many_levels(centering, least, most):
    """First of five columns of noise in 40 tables: 8 by chance."""
    first = 0
    for seed in range(40):
        frame, y = noisy(seed)
        selector = HSICLasso(centering=centering, block_size=40).fit(frame, y)
        first += selector.frame()["feature"][0] == "50 levels"
    assert least <= first <= most


def test_a_redundant_feature_comes_after_one_that_adds_something():
    rng = np.random.default_rng(0)
    y = np.arange(300) % 4
    strong = (y >= 2) + 0.3 * rng.normal(size=300)
    other = y % 2 + 0.6 * rng.normal(size=300)
    x = np.column_stack([strong, strong + 0.05 * rng.normal(size=300), other])
    selector = HSICLasso(block_size=None).fit(x, y)
    relevance = selector.answer_.extras["relevance"]
    assert relevance[:2].min() > relevance[2]
    assert set(selector.signature(2)) & {0, 1}
    assert 2 in selector.signature(2)


@pytest.mark.parametrize("centering", ["biased", "unbiased"])
@pytest.mark.parametrize("block_size", [None, 20])
def test_order_of_rows_units_and_names_of_classes_change_no_bit(block_size, centering):
    frame, y = mixed_frame(90, 5, 3, classes=3, missing=0.05)
    frame["twice"] = np.round(frame["c1"])
    options = {"block_size": block_size, "centering": centering, "missing": "separate"}
    plain = HSICLasso(**options).fit(frame, y).importances_
    turn = np.random.default_rng(0).permutation(90)
    other = frame.iloc[turn].copy()
    other[["c0", "c1"]] = -2.0 * other[["c0", "c1"]]
    named = np.array(["c", "a", "b"])[y[turn]]
    moved = HSICLasso(**options).fit(other, named).importances_
    np.testing.assert_array_equal(moved, plain)


def test_rows_alike_in_all_but_the_class_are_found_in_any_order():
    x = np.tile([[0.0, 1], [1, 1], [1, 0]], (20, 1))
    y = np.random.default_rng(1).integers(0, 2, 60)
    turn = np.random.default_rng(0).permutation(60)
    here = HSICLasso(block_size=10).fit(x, y).importances_
    there = HSICLasso(block_size=10).fit(x[turn], y[turn]).importances_
    np.testing.assert_array_equal(here, there)


def test_copies_share_their_importance_whatever_their_kind():
    frame, y = mixed_frame(60, 3, 1)
    frame["copy"] = 3 - 7 * frame["c0"]
    frame["as number"] = frame["n0"].cat.codes.astype(float) * 5 + 1
    found = HSICLasso(block_size=None).fit(frame, y)
    by_name = dict(zip(frame, found.importances_, strict=True))
    assert by_name["copy"] == by_name["c0"] > 0
    assert by_name["as number"] == by_name["n0"] > 0
    assert np.count_nonzero(found.answer_.extras["coefficient"]) <= 4


def test_a_wide_table_takes_the_same_path_with_columns_as_they_are_needed(monkeypatch):
    frame, y = mixed_frame(60, 30, 10)
    whole = HSICLasso(block_size=20).fit(frame, y)
    monkeypatch.setattr(hsic_lasso, "AT_ONCE", 0)
    needed = HSICLasso(block_size=20).fit(frame, y)
    assert needed.ranking_.tolist() == whole.ranking_.tolist()
    np.testing.assert_allclose(needed.importances_, whole.importances_, atol=1e-12)


def test_the_depth_ends_the_path_and_pulls_order_the_others():
    frame, y = mixed_frame(80, 8, 3)
    whole = HSICLasso(block_size=None).fit(frame, y)
    short = HSICLasso(block_size=None, depth=2).fit(frame, y)
    entered = short.answer_.extras["coefficient"] > 0
    assert entered.sum() == 1
    assert short.signature(2).tolist() == whole.signature(2).tolist()
    rest = short.importances_[short.signature(11)[2:]]
    assert 0 < rest[0] < short.importances_[short.signature(2)].min()
    size = HSICLasso(size=4, block_size=None, depth=1).fit(frame, y)
    assert size.signature().tolist() == whole.signature(4).tolist()


@pytest.mark.parametrize("centering", ["biased", "unbiased"])
def test_constant_columns_come_last(centering):
    frame, y = noisy(3)
    frame.insert(0, "one", 1.0)
    frame.insert(0, "same", pd.Categorical(["x"] * len(y)))
    selector = HSICLasso(centering=centering).fit(frame, y)
    assert selector.frame()["feature"].tolist()[-2:] == ["same", "one"]
    assert selector.importances_[:2].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"kernel": "rbf"}, "kernel must be one of gaussian, clinical. Got 'rbf'"),
        ({"centering": "none"}, "centering must be one of biased, unbiased. Got 'none'"),
        ({"block_size": 3}, "block_size must be a whole number, 4 or larger. Got 3"),
        ({"permutations": 0}, "permutations must be a whole number, 1 or larger. Got 0"),
        ({"depth": 0}, "depth must be a whole number, 1 or larger. Got 0"),
    ],
)
def test_what_cannot_be_is_named(options, words):
    frame, y = mixed_frame(30, 2, 1)
    with pytest.raises(ValueError, match=words):
        HSICLasso(**options).fit(frame, y)
