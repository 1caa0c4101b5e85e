"""p-values of rankings against scipy's permutation test, all permutations, and noise."""

from itertools import combinations

import numpy as np
import pytest
from frames import mixed_frame
from scipy import stats
from sklearn.feature_selection import RFE, f_classif
from sklearn.linear_model import LogisticRegression

from hetsel import get_method, permuted_ranking
from hetsel.ground.errors import TableError
from hetsel.judging.permuted_importances import PermutedRanking
from hetsel.selection.scikit_selectors import ScikitSelector


@pytest.mark.slow
def test_p_values_are_those_of_scipys_permutation_test():
    draw = np.random.default_rng(3)
    x, y = draw.normal(size=(40, 4)), np.repeat([0, 1], 20)
    x[:, 0] += 0.7 * y
    found = permuted_ranking(get_method("anova-f")(), x, y, permutations=1999).pvalues
    for j in range(4):
        test = stats.permutation_test(
            (x[:20, j], x[20:, j]),
            lambda a, b: abs(a.mean() - b.mean()),  # orders permutations as F does
            n_resamples=9999,
            alternative="greater",
            rng=np.random.default_rng(0),
        )
        error = np.sqrt(test.pvalue * (1 - test.pvalue) / 2000) + 1e-3
        assert found[j] == pytest.approx(test.pvalue, abs=4 * error)


@pytest.mark.slow
def test_adjusted_p_values_are_those_of_the_largest_statistic_over_all_divisions():
    """Of ten rows all 252 divisions into two classes are counted, by scikit-learn's F."""
    draw = np.random.default_rng(5)
    x, y = draw.normal(size=(10, 3)), np.repeat([0, 1], 5)
    x[:, 2] += 2.0 * y
    every = []
    for chosen in combinations(range(10), 5):
        labels = np.zeros(10, dtype=int)
        labels[list(chosen)] = 1
        every.append(f_classif(x, labels)[0])
    every, own = np.array(every), f_classif(x, y)[0]
    found = permuted_ranking(get_method("anova-f")(), x, y, permutations=1999)
    alone = (every >= own - 1e-9).mean(axis=0)
    together = (every.max(axis=1)[:, None] >= own - 1e-9).mean(axis=0)
    error = 4 * np.sqrt(0.25 / 2000)
    np.testing.assert_allclose(found.pvalues, alone, atol=error)
    np.testing.assert_allclose(found.adjusted, together, atol=error)
    assert (found.adjusted >= found.pvalues).all()


def test_an_elimination_is_judged_by_its_first_model_and_shown_by_its_ranks():
    frame, y = mixed_frame(60, 4, 2, seed=1)
    found = permuted_ranking(get_method("rfe-svm")(), frame, y, permutations=39)
    shown = found.frame()
    assert shown["rank"].tolist() == [1, 2, 3, 4, 5, 6]
    order = get_method("rfe-svm")().fit(frame, y).frame()["feature"].tolist()
    assert shown["feature"].tolist() == order
    # at a small C all dual variables are at their bounds: the margins are C^2 y' K_f y
    low = permuted_ranking(get_method("rfe-svm")(C=1e-4), frame, y, permutations=1)
    x, sign = frame["c1"].to_numpy(), np.where(y == 1, 1.0, -1.0)
    kernel = 1.0 - np.abs(x[:, None] - x) / np.ptp(x)
    assert low.statistic[1] == pytest.approx(1e-8 * sign @ kernel @ sign, rel=1e-5)


SHIFTED = [(key, {}) for key in ("rfe-svm", "rfe-mkl", "arom", "mrmr", "kfds", "sas", "hfs-nb")]
LARGE_C = [("rfe-svm", {"C": 10.0})]


@pytest.mark.slow
@pytest.mark.parametrize(("key", "options"), [*SHIFTED, *LARGE_C])
def test_three_shifted_columns_are_told_from_noise_by_methods_that_drop_or_add_features(
    key, options
):
    """By ranks each would have an adjusted p-value of 1: some feature is first of any labels."""
    draw = np.random.default_rng(11)
    x, y = draw.normal(size=(120, 8)), np.repeat([0, 1], 60)
    x[:, :3] += 1.3 * y[:, None]
    found = permuted_ranking(get_method(key)(**options), x, y, permutations=19)
    assert found.adjusted[:3].tolist() == [0.05] * 3
    assert found.adjusted[3:].min() > 0.05


def test_a_method_that_tells_ranks_only_is_refused_with_the_reason():
    draw = np.random.default_rng(0)
    x, y = draw.normal(size=(40, 4)), np.arange(40) % 2
    ranks = ScikitSelector(estimator=RFE(LogisticRegression(), n_features_to_select=1))
    with pytest.raises(TableError, match="only ranks"):
        permuted_ranking(ranks, x, y, permutations=1)


@pytest.mark.parametrize(("key", "step"), [("gmkl", None), ("gmkl", 0.5), ("r2w2", None)])
def test_methods_whose_weights_are_longer_the_less_features_tell_are_refused(key, step):
    frame, y = mixed_frame(40, 3, 0, seed=2)
    with pytest.raises(TableError, match="only ranks"):
        permuted_ranking(get_method(key)(step=step), frame, y, permutations=1)


@pytest.mark.seconds
def test_the_statistic_of_a_ranking_keeps_to_its_columns():
    """What a method gave features, moved with the columns; constant ones have nothing."""
    draw = np.random.default_rng(3)
    x, y = draw.normal(size=(50, 5)), np.arange(50) % 2
    x[:, 2] = 1.0
    x[:, 4] += y
    order = [4, 2, 0, 3, 1]
    for key in ("rfe-linear", "arom", "kfds", "sas", "rfe-svm", "mrmr", "bahsic"):
        one, other = (
            permuted_ranking(get_method(key)(), t, y, permutations=1) for t in (x, x[:, order])
        )
        np.testing.assert_allclose(other.statistic, one.statistic[order], rtol=1e-9)
        assert one.statistic.argmax() == 4, key
        assert abs(one.statistic[2]) < 1e-20, key


def test_rows_in_another_order_have_the_same_p_values():
    frame, y = mixed_frame(50, 3, 2, seed=2, missing=0.05)
    rows = np.random.default_rng(0).permutation(50)
    one = permuted_ranking(get_method("hsic")(), frame, y, permutations=19)
    other = permuted_ranking(get_method("hsic")(), frame.iloc[rows], y[rows], permutations=19)
    assert one.pvalues.tolist() == other.pvalues.tolist()


@pytest.mark.slow
def test_noise_has_uniform_p_values_also_where_rows_come_in_groups():
    plain, grouped = [], []
    for seed in range(60):
        draw = np.random.default_rng(seed)
        person = np.repeat(np.arange(20), 3)
        x = draw.normal(size=(20, 2))[person] + 0.1 * draw.normal(size=(60, 2))
        y = draw.permutation(np.repeat([0, 1], 10))[person]
        given = (get_method("anova-f")(random_state=seed), x, y)
        plain += permuted_ranking(*given, permutations=19).pvalues.tolist()
        grouped += permuted_ranking(*given, permutations=19, groups=person).pvalues.tolist()
    rejected = (np.array(grouped) <= 0.05).mean()
    assert rejected <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / len(grouped))
    assert (np.array(plain) <= 0.05).mean() > 2 * rejected  # recordings are no persons


def test_a_search_has_no_p_values():
    frame, y = mixed_frame(40, 3, 0, seed=2)
    with pytest.raises(TableError, match="must rank all features. Got SFS5NN"):
        permuted_ranking(get_method("sfs-5nn")(), frame, y, permutations=1)


def test_adjusted_for_a_false_discovery_rate_they_are_those_of_rs_p_adjust():
    """p.adjust(c(1, 3, 4, 12, 40, 41, 80, 100) / 100, "BH") and "BY" of R 4.2.2."""
    counts = np.array([1, 3, 4, 12, 40, 41, 80, 100]) - 1  # of 99 permutations as large
    permuted = (np.arange(99)[:, None] < counts).astype(float)
    found = PermutedRanking(tuple("abcdefgh"), np.ones(8), permuted, np.arange(8))
    np.testing.assert_allclose(found.pvalues * 100, counts + 1)
    tied = 54.6666666667
    expected = {
        "benjamini-hochberg": [8, 32 / 3, 32 / 3, 24, tied, tied, 91.4285714286, 100],
        "benjamini-yekutieli": [21.7428571429, *[28.9904761905] * 2, 65.2285714286, *[100] * 4],
    }
    for procedure, values in expected.items():
        np.testing.assert_allclose(found.adjusted_by(procedure) * 100, values, rtol=1e-10)
    with pytest.raises(ValueError, match="procedure must be one of benjamini-hochberg, "):
        found.adjusted_by("BH")


def test_copies_of_rows_are_refused_unless_it_is_said_what_they_are():
    rows = np.arange(60) % 30
    x, y = np.random.default_rng(0).normal(size=(30, 5))[rows], rows % 2
    method = get_method("anova-f")()
    with pytest.raises(TableError, match=r"60 of 60 .*groups='copies'"):
        permuted_ranking(method, x, y, permutations=5)
    copies = permuted_ranking(method, x, y, permutations=5, groups="copies")
    named = permuted_ranking(method, x, y, permutations=5, groups=rows)
    np.testing.assert_array_equal(copies.permuted, named.permuted)
    permuted_ranking(method, x, y, permutations=5, groups="rows")
