"""Friedman's test against R, scipy, an analysis of variance of ranks and Demsar's example."""

import itertools

import numpy as np
import pandas as pd
import pytest
from oracles.demsar import AUC, NAMES
from r_numbers import numbers_of_r
from scipy import stats

from hetsel.statistics.comparisons.friedman import friedman, friedman_both


def tables():
    """Scores with and without ties, from 2 methods, which scipy refuses, to 9 on 200 blocks."""
    rng = np.random.default_rng(4)
    found = [AUC]
    for n, k in [(4, 3), (7, 5), (20, 3), (200, 9), (11, 2), (150, 2)]:
        scores = rng.standard_normal((n, k)) + np.linspace(0, 0.9, k)
        found += [scores, np.round(scores)]
    return found


@pytest.fixture(scope="module")
def r_tests(tmp_path_factory):
    """Statistic and p of R's friedman.test for each table, in one process."""
    folder = tmp_path_factory.mktemp("r")
    for i, table in enumerate(tables()):
        np.savetxt(folder / f"{i}.csv", table, "%.17g", ",")
    script = f"""
        for (i in 0:{len(tables()) - 1}) {{
          t <- friedman.test(as.matrix(read.csv(sprintf("%d.csv", i), header = FALSE)))
          cat(sprintf("%.17g", c(t$statistic, t$p.value)), "\\n")
        }}"""
    return numbers_of_r(script, folder)


@pytest.mark.seconds
def test_agrees_with_r(r_tests):
    found = [friedman(table) for table in tables()]
    np.testing.assert_allclose([f.statistic for f in found], r_tests[:, 0], rtol=1e-10)
    np.testing.assert_allclose([f.pvalue for f in found], r_tests[:, 1], rtol=1e-9)
    assert r_tests[:, 1].min() < 1e-20 < 0.05 < r_tests[:, 1].max()


@pytest.mark.parametrize("i", range(len(tables())))
def test_ranks_are_counts_of_better_and_equal_scores(i):
    table = tables()[i]
    better = (table[:, None, :] > table[:, :, None]).sum(axis=2)
    equal = (table[:, None, :] == table[:, :, None]).sum(axis=2)
    np.testing.assert_array_equal(friedman(table).ranks, better + (equal + 1) / 2)


@pytest.mark.parametrize("i", range(len(tables())))
def test_iman_davenport_is_the_analysis_of_variance_of_the_ranks(i):
    """Two-way, blocks and methods, one value per cell; the correction for ties is built in."""
    found = friedman(tables()[i])
    ranks, (n, k) = found.ranks, found.ranks.shape
    between = n * ((ranks.mean(axis=0) - (k + 1) / 2) ** 2).sum()
    residual = ((ranks - (k + 1) / 2) ** 2).sum() - between  # block means are all equal
    f = (between / (k - 1)) / (residual / ((n - 1) * (k - 1)))
    assert found.iman_davenport == pytest.approx(f, rel=1e-9)
    p = stats.f.sf(f, k - 1, (k - 1) * (n - 1))
    assert found.iman_davenport_pvalue == pytest.approx(p, rel=1e-7)


def test_demsar():
    """Section 3.2.2: ranks 3.143, 2.000, 2.893, 1.964; chi2 = 9.28, F = 3.69, without ties."""
    found = friedman(AUC, names=NAMES)
    np.testing.assert_array_equal(found.mean_ranks.round(3), [3.143, 2.000, 2.893, 1.964])
    assert round(found.statistic_ignoring_ties, 2) == 9.28
    assert round(found.iman_davenport_ignoring_ties, 2) == 3.69
    assert found.statistic > 10
    assert found.order == ("C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5")
    assert found.n_blocks == 14


def test_frames():
    found = friedman(AUC, names=NAMES)
    frame = found.frame()
    assert list(frame.index) == list(found.order)
    assert list(frame["mean_rank"].round(3)) == [1.964, 2.0, 2.893, 3.143]
    tests = found.tests().set_index(["test", "ties"])
    assert tests.loc[("Friedman", "ignored"), "statistic"].round(2) == 9.28
    assert tests.loc[("Friedman", "ignored"), "pvalue"] == pytest.approx(0.0258, abs=5e-5)
    assert tests.loc[("Friedman", "corrected"), "pvalue"] == found.pvalue
    assert tests.loc[("Iman-Davenport", "ignored"), "pvalue"] == pytest.approx(0.0198, abs=5e-5)
    assert tests.loc[("Iman-Davenport", "corrected"), "df_error"] == 39
    assert (tests["df"] == 3).all()


def test_by_hand():
    """Ranks 1 2 3, 1 3 2, 2 1 3, 1.5 1.5 3: means 11/8, 15/8, 11/4; 12 N/(k (k+1)) = 4 times
    (25 + 1 + 36)/64 = 31/8; one pair of ties: 1 - 6/(4 3 8) = 15/16: 62/15."""
    found = friedman([[9, 8, 7], [9, 7, 8], [8, 9, 7], [8, 8, 7]])
    np.testing.assert_array_equal(found.mean_ranks, [11 / 8, 15 / 8, 11 / 4])
    assert found.statistic_ignoring_ties == pytest.approx(31 / 8)
    assert found.statistic == pytest.approx(62 / 15)
    assert found.iman_davenport == pytest.approx(3 * 62 / 15 / (8 - 62 / 15))
    assert found.names == ("1", "2", "3")
    assert str(found).splitlines()[0] == "3 methods on 4 blocks, larger scores are better"
    assert "Mean ranks: 1 1.375, 2 1.875, 3 2.750" in str(found)


def test_direction():
    down, up = friedman(AUC, larger_is_better=False), friedman(AUC)
    np.testing.assert_allclose(down.ranks, 5 - up.ranks)
    assert down.statistic == pytest.approx(up.statistic)
    np.testing.assert_array_equal(friedman(-AUC, larger_is_better=False).ranks, up.ranks)
    assert "smaller scores are better" in str(down)


def test_only_the_order_within_a_block_counts():
    rng = np.random.default_rng(2)
    scores = rng.integers(0, 4, (9, 4)).astype(float)
    same = scores * rng.uniform(1, 9, (9, 1)) + rng.uniform(0, 5, (9, 1))
    np.testing.assert_array_equal(friedman(same).ranks, friedman(scores).ranks)


def test_rounding_makes_no_rank():
    ranks = friedman([[0.1 + 0.2, 0.3, 0.1], [-1e-9, -1.1e-9, 0.0]]).ranks
    np.testing.assert_array_equal(ranks, [[1.5, 1.5, 3], [2, 3, 1]])


def test_perfect_agreement_and_none():
    agreed = friedman([[3, 2, 1]] * 5)
    assert agreed.statistic == pytest.approx(10)
    assert (agreed.iman_davenport, agreed.iman_davenport_pvalue) == (np.inf, 0)
    tied = friedman(np.ones((5, 3)))
    assert (tied.statistic, tied.pvalue) == (0, 1)
    assert (tied.iman_davenport, tied.iman_davenport_pvalue) == (0, 1)


@pytest.mark.parametrize(
    ("scores", "names", "message"),
    [
        ([1.0, 2.0], None, r"2 dimensions \(blocks, methods\). Got 1"),
        ([[1.0, 2.0]], None, r"2 blocks and 2 methods or more. Got 1 blocks, 2 methods"),
        ([[1.0], [2.0]], None, r"Got 2 blocks, 1 methods"),
        ([[1.0, 2.0], [3.0, np.nan]], ["a", "b"], r"Got nan for method b in row 1 "),
        ([[np.inf, 2.0], [3.0, 4.0]], ["a", "b"], r"Got inf for method a in row 0 "),
        ([[1.0, 2.0], [3.0, 4.0]], ["a", "a"], r"2 different names, .* Got \('a', 'a'\)"),
        ([[1.0, 2.0], [3.0, 4.0]], ["a"], r"2 different names, one per method"),
    ],
)
def test_bad_scores(scores, names, message):
    with pytest.raises(ValueError, match=message):
        friedman(scores, names=names)


def long_frame():
    """Three data sets with 1, 2 and 4 sizes, three methods; rows in no order."""
    rng = np.random.default_rng(3)
    rows = [
        (dataset, size, method, rng.random())
        for dataset, count in [("z", 1), ("a", 2), ("m", 4)]
        for size, method in itertools.product(range(1, count + 1), ["x", "y", "w"])
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "size", "method", "score"])
    return frame, frame.sample(frac=1, random_state=0)


@pytest.mark.seconds
def test_both_blocks_by_loops():
    ordered, frame = long_frame()
    both = friedman_both(frame)
    names = both.by_size.names
    assert set(names) == {"x", "y", "w"} == set(both.by_dataset.names)
    ranks = {}
    for (dataset, _), block in ordered.groupby(["dataset", "size"]):
        scores = block.set_index("method")["score"]
        place = {name: sum(scores > scores[name]) + 1 for name in names}
        ranks.setdefault(dataset, []).append([place[name] for name in names])
    every = np.vstack(list(ranks.values()))
    np.testing.assert_allclose(both.by_size.mean_ranks, every.mean(axis=0))
    assert both.by_size.statistic == pytest.approx(stats.friedmanchisquare(*every.T).statistic)
    means = np.array([np.mean(block, axis=0) for block in ranks.values()])
    expected = stats.rankdata(means, axis=1).mean(axis=0)
    np.testing.assert_allclose(both.by_dataset.mean_ranks, expected)
    assert both.by_dataset.statistic == pytest.approx(stats.friedmanchisquare(*means.T).statistic)
    assert (both.by_size.n_blocks, both.by_dataset.n_blocks) == (7, 3)


def test_both_blocks_of_whole_numbers():
    scores = {("a", 1): (3, 3, 1), ("a", 2): (5, 5, 5), ("b", 1): (1, 2, 3), ("b", 2): (3, 1, 2)}
    rows = [(*key, m, v) for key, row in scores.items() for m, v in zip("xyz", row, strict=True)]
    frame = pd.DataFrame(rows, columns=["dataset", "size", "method", "score"])
    both = friedman_both(frame)
    as_floats = friedman_both(frame.astype({"score": float}))
    np.testing.assert_allclose(both.by_size.mean_ranks, [7.5 / 4, 8.5 / 4, 8 / 4])
    assert both.by_dataset.mean_ranks.tolist() == as_floats.by_dataset.mean_ranks.tolist()


def test_repeating_the_sizes_moves_only_the_first():
    """Four copies of each size: as a block each the p-value shrinks, by data set nothing moves."""
    frame, _ = long_frame()
    copies = pd.concat([frame.assign(size=frame["size"] + 100 * i) for i in range(4)])
    once, often = friedman_both(frame), friedman_both(copies)
    assert often.by_size.statistic == pytest.approx(4 * once.by_size.statistic)
    assert often.by_size.pvalue < once.by_size.pvalue
    assert often.by_dataset.statistic == pytest.approx(once.by_dataset.statistic)


def test_direction_enters_once():
    frame, _ = long_frame()
    both = friedman_both(frame)
    turned = friedman_both(frame.assign(score=-frame["score"]), larger_is_better=False)
    np.testing.assert_array_equal(turned.by_size.mean_ranks, both.by_size.mean_ranks)
    np.testing.assert_array_equal(turned.by_dataset.mean_ranks, both.by_dataset.mean_ranks)
    assert "one data set are correlated" in str(both)
    assert "Blocks are the data sets" in str(both)


def test_bad_frames():
    frame, _ = long_frame()
    with pytest.raises(ValueError, match=r"columns dataset, .* Missing: score, size"):
        friedman_both(frame.drop(columns=["size", "score"]))
    with pytest.raises(ValueError, match=r"occurs twice: dataset z, size 1, method x"):
        friedman_both(pd.concat([frame, frame.head(1)]))
    with pytest.raises(ValueError, match=r"Missing: dataset a, size 2, method y"):
        friedman_both(frame.drop(index=frame.index[7]))
    gap = frame.copy()
    gap.loc[7, "score"] = np.nan
    with pytest.raises(ValueError, match=r"Missing: dataset a, size 2, method y"):
        friedman_both(gap)
    with pytest.raises(ValueError, match=r"2 blocks and 2 methods or more. Got 1 blocks"):
        friedman_both(frame[frame["dataset"] == "m"])


def every_permutation(scores):
    """Share of all orders of all blocks whose rank sums are as far apart as the scores', by R's
    statistic up to a constant: the sum of their squares, in whole numbers."""
    ranks = np.rint(2 * stats.rankdata(-np.asarray(scores), axis=1)).astype(int).tolist()
    found = sum(sum(column) ** 2 for column in zip(*ranks, strict=True))
    orders = itertools.product(*(list(itertools.permutations(row)) for row in ranks))
    spread = [sum(sum(column) ** 2 for column in zip(*rows, strict=True)) for rows in orders]
    return np.mean([one >= found for one in spread])


@pytest.mark.parametrize("shape", [(3, 3), (2, 4), (5, 3), (7, 2)])
def test_permutations_are_all_where_they_are_few(shape):
    rng = np.random.default_rng(6)
    for scores in (rng.random(shape), rng.integers(0, 2, shape)):
        found = friedman(scores).permutation_pvalue()
        assert found == pytest.approx(every_permutation(scores), abs=1e-12)


def test_drawn_permutations_are_near_all_of_them_and_repeat():
    scores = np.random.default_rng(7).integers(0, 9, (6, 3))
    test = friedman(scores)
    drawn = test.permutation_pvalue(draws=9_999)
    assert drawn == pytest.approx(every_permutation(scores), abs=0.02)
    assert drawn == test.permutation_pvalue(draws=9_999)
    assert friedman([[3, 2, 1, 0]] * 9).permutation_pvalue() == 1 / 20_000


def test_permutations_hold_the_level_where_approximations_do_not():
    """3 methods on 3 blocks, all 216 orders once: Iman and Davenport's F rejects 42 times."""
    orders = list(itertools.permutations([1.0, 2.0, 3.0]))
    tests = [friedman([orders[0], one, other]) for one in orders for other in orders]
    assert sum(test.permutation_pvalue() <= 0.05 for test in tests) == 1
    assert sum(test.iman_davenport_pvalue <= 0.05 for test in tests) == 7
