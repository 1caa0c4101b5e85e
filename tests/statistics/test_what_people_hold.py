"""Every public function of statistics on every container: what the plain array gives, and scipy.

A function of `hetsel.statistics` that is public and in no table here fails a test.
"""

from collections import deque
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import stats
from statsmodels.stats.weightstats import DescrStatsW

from hetsel import stability
from hetsel import stats as ours
from hetsel.ground.errors import TableError
from hetsel.statistics.stability.measures_of_stability import compare_nogueira

NAN = float("nan")
METHODS = ["a", "b", "c"]
SETS = [f"set {k}" for k in range(8)]
SCORES = np.array(
    [
        [0.91, 0.84, 0.79, 0.88, 0.93, 0.75, 0.82, 0.90],
        [0.88, 0.83, 0.74, 0.86, 0.92, 0.71, 0.80, 0.85],
        [0.71, 0.80, 0.75, 0.70, 0.83, 0.69, 0.72, 0.81],
    ]
).T.copy()
GAPS = SCORES.copy()
GAPS[[1, 4], [2, 0]] = NAN
NUMBERS = SCORES[:, 0] - SCORES[:, 1] - 0.01
COUNTS = np.array([[7, 2, 6], [2, 6, 5], [1, 3, 9]])
FLAGS = np.array([[1, 1, 0, 0, 1], [1, 1, 0, 1, 0], [1, 0, 1, 0, 1], [0, 1, 1, 0, 1]], dtype=bool)
FEATURES = ["age", "sex", "pain", "sugar", "rate"]
PLACES = [np.flatnonzero(row).tolist() for row in FLAGS]
NAMES = [[FEATURES[j] for j in row] for row in PLACES]
LONG = pd.DataFrame(
    {
        "dataset": np.repeat(SETS[:4], 6),
        "size": np.tile([1, 1, 1, 2, 2, 2], 4),
        "method": METHODS * 8,
        "score": SCORES.ravel(),
    }
)

# name -> a call, and what scipy or statsmodels say of the array, None where they lack it
OF_SCORES = {
    "friedman": (
        ours.friedman,
        lambda f: (f.statistic, f.pvalue),
        lambda: tuple(stats.friedmanchisquare(*SCORES.T)),
    ),
    "nemenyi": (
        ours.nemenyi,
        lambda f: f.pvalues,
        lambda: (
            1.0,
            stats.studentized_range.sf(
                np.abs(np.diff(stats.rankdata(-SCORES, axis=1).mean(axis=0)))[0]
                * np.sqrt(12 * 8 / 12),
                3,
                np.inf,
            ),
        ),
    ),
    "wilcoxon_holm": (ours.wilcoxon_holm, lambda f: f.uncorrected, None),
    "compare_with_control": (
        lambda x: ours.compare_with_control(x, "b", names=METHODS),
        lambda f: (f.z, f.wilcoxon),
        None,
    ),
    "skillings_mack": (
        ours.skillings_mack,
        lambda f: (f.statistic, f.pvalue),
        lambda: tuple(stats.friedmanchisquare(*SCORES.T)),  # no ties: the same statistic
    ),
    "nemenyi_with_gaps": (ours.nemenyi_with_gaps, lambda f: f.pvalues, None),
    "smallest_good_size": (
        lambda x: ours.smallest_good_size(x, [1, 2, 5], test_share=0.1),
        lambda f: (f.size, f.best_size, f.interval.low, f.interval.high),
        None,
    ),
    "crossfitted_sizes": (
        lambda x: ours.crossfitted_sizes(x, [1, 2, 5], test_share=0.1),
        lambda f: f,
        None,
    ),
}
GAPS_TAKEN = {"skillings_mack", "nemenyi_with_gaps", "compare_with_control"}
OF_NUMBERS = {
    "hodges_lehmann": (
        ours.hodges_lehmann,
        lambda f: (f.estimate, f.low, f.high),
        lambda: (_walsh(50), _walsh(100 * 3 / 35), _walsh(100 * 32 / 35)),  # the 4th of 36
    ),
    "effect_sizes": (
        lambda x: ours.effect_sizes(x, SCORES[:, 2] - 0.7),
        lambda f: (f.cohens_d, f.robust_d, f.cliffs_delta),
        None,
    ),
    "resampled_t_test": (
        lambda x: ours.resampled_t_test(x, test_share=0.1, correction="naive"),
        lambda f: (f.statistic, f.pvalue, f.mean),
        lambda: (*stats.ttest_1samp(NUMBERS, 0), NUMBERS.mean()),
    ),
    "resampled_interval": (
        lambda x: ours.resampled_interval(x, test_share=0.1, correction="naive"),
        lambda f: (f.low, f.high),
        lambda: DescrStatsW(NUMBERS).tconfint_mean(),
    ),
    "bayesian_t_test": (
        lambda x: ours.bayesian_t_test(x, test_share=0.1, correction="naive"),
        lambda f: (f.left, f.right),
        lambda: (
            stats.t(7, NUMBERS.mean(), stats.sem(NUMBERS)).cdf(-0.01),
            stats.t(7, NUMBERS.mean(), stats.sem(NUMBERS)).sf(0.01),
        ),
    ),
    "bayesian_signed_rank_test": (
        lambda x: ours.bayesian_signed_rank_test(x, draws=500),
        lambda f: (f.left, f.equivalent, f.right),
        None,
    ),
    "bayesian_sign_test": (
        ours.bayesian_sign_test,
        lambda f: (f.left, f.equivalent, f.right),
        None,
    ),
    "knockoff_threshold": (lambda x: ours.knockoff_threshold(x, 0.4), lambda f: f, None),
    "knockoff_evalues": (lambda x: ours.knockoff_evalues(x, 0.4), lambda f: f, None),
    "permutation_pvalue": (
        lambda x: ours.permutation_pvalue(_as_counts(x), 99),
        lambda f: f,
        lambda: (np.rint(NUMBERS * 100 + 5) + 1) / 100,
    ),
}
OF_SIGNATURES = {
    "kuncheva": stability.kuncheva,
    "cw_rel": stability.cw_rel,
    "ati": stability.ati,
    "nogueira": stability.nogueira,
    "nogueira_interval": lambda x, p: (
        stability.nogueira_interval(x, p).low,
        stability.nogueira_interval(x, p).high,
    ),
    "compare_nogueira": lambda x, p: compare_nogueira(x, x, p).pvalue,
}
OTHERS = {"fisher_exact", "friedman_both", "sequential_pvalue", "e_benjamini_hochberg"}
OTHERS |= {"judge_effect"}  # an array of three axes
OF_PARAMETERS = {"false_selection_bound", "selection_threshold", "most_selected"}
OF_PARAMETERS |= {"least_wilcoxon_holm", "fewest_blocks"}


def _walsh(percent):
    sums = np.add.outer(NUMBERS, NUMBERS)[np.triu_indices(8)]
    return np.percentile(sums / 2, percent)


def _as_counts(held):
    """Counts in the container that holds the numbers, as whole floats."""
    for name, make in NUMBER_CONTAINERS.items():
        if held is HELD_NUMBERS[name]:
            return make(np.rint(NUMBERS * 100 + 5))
    return np.rint(held * 100 + 5).astype(int)


def _null(values):
    return [None if value != value else value for value in values]


def _columns(scores):
    return {name: _null(column) for name, column in zip(METHODS, scores.T.tolist(), strict=True)}


def _nullable(scores):
    frame = pd.DataFrame(_columns(scores)).astype("Float64")
    assert not scores[scores != scores].size or frame.isna().any(axis=None)
    return frame


SCORE_CONTAINERS = {
    "list of lists": lambda x: [_null(row) for row in x.tolist()],
    "tuple of arrays": lambda x: tuple(x),
    "list of series": lambda x: [pd.Series(row, METHODS) for row in x],
    "records": lambda x: [dict(zip(METHODS, _null(row), strict=True)) for row in x.tolist()],
    "dict of lists": _columns,
    "dict of Arrow arrays": lambda x: {k: pa.array(v) for k, v in _columns(x).items()},
    "dict of masked arrays": lambda x: dict(zip(METHODS, np.ma.masked_invalid(x).T, strict=True)),
    "structured array": lambda x: np.rec.fromarrays(list(x.T), names=METHODS),
    "objects": lambda x: np.array([_null(row) for row in x.tolist()], dtype=object),
    "masked array": lambda x: np.ma.MaskedArray(np.nan_to_num(x, nan=9.0), x != x),
    "list of masked arrays": lambda x: list(np.ma.MaskedArray(np.nan_to_num(x, nan=9.0), x != x)),
    "decimals": lambda x: [
        [None if v != v else Decimal(repr(v)) for v in row] for row in x.tolist()
    ],
    "pandas": lambda x: pd.DataFrame(x, SETS, METHODS),
    "pandas, nullable": _nullable,
    "pandas, Arrow": lambda x: pd.DataFrame(_columns(x)).astype("double[pyarrow]"),
    "pandas, pd.NA among objects": lambda x: pd.DataFrame(x).astype(object).where(x == x, pd.NA),
    "pandas, sets in a column": lambda x: pd.DataFrame(x, columns=METHODS).assign(s=SETS)[
        ["s", *METHODS]
    ],
    "pandas, sets as categories": lambda x: pd.concat(
        [pd.Series(SETS, dtype="category", name="s"), pd.DataFrame(x, columns=METHODS)], axis=1
    ),
    "polars": lambda x: pl.DataFrame(_columns(x)),
    "polars, sets in a column": lambda x: pl.DataFrame({"s": SETS, **_columns(x)}),
    "Arrow": lambda x: pa.table(_columns(x)),
    "Arrow, sets in a column": lambda x: pa.table({"s": SETS, **_columns(x)}),
    "lists, sets first": lambda x: [[s, *_null(r)] for s, r in zip(SETS, x.tolist(), strict=True)],
}
NUMBER_CONTAINERS = {
    "frame of one column": lambda x: pd.DataFrame({"d": x}),
    "polars frame of one column": lambda x: pl.DataFrame({"d": x}),
    "list": lambda x: x.tolist(),
    "tuple": lambda x: tuple(x.tolist()),
    "deque": lambda x: deque(x.tolist()),
    "dict": lambda x: dict(zip(SETS, x.tolist(), strict=True)),
    "values of a dict": lambda x: dict(zip(SETS, x.tolist(), strict=True)).values(),
    "masked array": lambda x: np.ma.MaskedArray(x, [False] * len(x)),
    "objects": lambda x: x.astype(object),
    "fractions": lambda x: [Fraction(value) for value in x.tolist()],
    "pandas": lambda x: pd.Series(x, SETS),
    "pandas, nullable": lambda x: pd.Series(x, SETS, dtype="Float64"),
    "pandas, Arrow": lambda x: pd.Series(x, SETS, dtype="double[pyarrow]"),
    "polars": lambda x: pl.Series(x),
    "Arrow": lambda x: pa.array(x),
    "chunks of Arrow": lambda x: pa.chunked_array([x[:3], x[3:]]),
}
HELD_NUMBERS = {name: make(NUMBERS) for name, make in NUMBER_CONTAINERS.items()}
MISSING = {  # a missing number in each
    "list": [0.1, None, 0.3],
    "objects": np.array([0.1, pd.NA, 0.3], dtype=object),
    "masked array": np.ma.MaskedArray([0.1, 0.2, 0.3], [False, True, False]),
    "masked in a list": [0.1, np.ma.masked, 0.3],
    "pandas": pd.Series([0.1, NAN, 0.3]),
    "pandas, nullable": pd.Series([0.1, None, 0.3], dtype="Float64"),
    "polars": pl.Series([0.1, None, 0.3]),
    "Arrow": pa.array([0.1, None, 0.3]),
    "text": [0.1, "0.2", 0.3],
    "dates": np.array(["2020-01-01"] * 3, dtype="datetime64[D]"),
    "complex": np.array([0.1, 1j, 0.3]),
}
SIGNATURES = {
    "lists of flags": FLAGS.tolist(),
    "tuple of arrays of flags": tuple(FLAGS),
    "objects": FLAGS.astype(object),
    "masked array": np.ma.MaskedArray(FLAGS, False),
    "pandas": pd.DataFrame(FLAGS, columns=FEATURES),
    "pandas, nullable": pd.DataFrame(FLAGS, columns=FEATURES).astype("boolean"),
    "pandas, subsets in a column": pd.DataFrame(FLAGS).assign(s=SETS[:4])[["s", *range(5)]],
    "polars": pl.DataFrame(dict(zip(FEATURES, FLAGS.T, strict=True))),
    "polars, subsets in a column": pl.DataFrame(
        {"s": SETS[:4], **dict(zip(FEATURES, FLAGS.T, strict=True))}
    ),
    "Arrow": pa.table(dict(zip(FEATURES, FLAGS.T, strict=True))),
    "polars flags": [pl.Series(row) for row in FLAGS],
    "Arrow flags": [pa.array(row) for row in FLAGS],
    "positions": PLACES,
    "positions as R has them": [[float(j) for j in row] for row in PLACES],
    "array of positions": np.array(PLACES),
    "frame of positions": pd.DataFrame(PLACES),
    "polars positions": [pl.Series(row) for row in PLACES],
    "series of lists": pl.Series(PLACES),
    "Arrow lists": pa.array(PLACES),
    "chunks of Arrow lists": pa.chunked_array([PLACES[:1], PLACES[1:]]),
    "sets": [set(row) for row in PLACES],
    "dict of positions": dict(zip(SETS, PLACES, strict=False)),
    "names": NAMES,
    "sets of names": [frozenset(row) for row in NAMES],
    "dict of names": dict(zip(SETS, NAMES, strict=False)),
    "array of names": np.array(NAMES),
    "frame of names": pd.DataFrame(NAMES),
    "polars frame of names": pl.DataFrame(NAMES, schema=["1", "2", "3"], orient="row"),
    "Arrow names": pa.array(NAMES),
    "categories": [pd.Series(row, dtype="category") for row in NAMES],
}
FLAGGED = [*SIGNATURES][: [*SIGNATURES].index("positions")]  # these tell p by themselves


def _flat(values):
    return np.ravel(np.asarray(values, dtype=float))


def test_every_public_function_of_statistics_stands_in_a_table():
    public = {*ours.__all__, *stability.__all__}
    tables = (OF_SCORES, OF_NUMBERS, OF_SIGNATURES, OTHERS, OF_PARAMETERS)
    assert public - set().union(*tables) == set()


@pytest.mark.parametrize("container", SCORE_CONTAINERS)
@pytest.mark.parametrize("name", OF_SCORES)
def test_scores_give_what_the_array_gives(name, container):
    call, numbers, _ = OF_SCORES[name]
    found = call(SCORE_CONTAINERS[container](SCORES))
    np.testing.assert_array_equal(_flat(numbers(found)), _flat(numbers(call(SCORES))))
    columns = container not in ("list of lists", "tuple of arrays", "objects", "masked array")
    columns &= container not in ("list of masked arrays", "decimals", "lists, sets first")
    columns &= "pd.NA" not in container
    if hasattr(found, "names"):
        assert set(found.names) == set(METHODS if columns else found.names)


@pytest.mark.parametrize("container", SCORE_CONTAINERS)
@pytest.mark.parametrize("name", sorted(GAPS_TAKEN))
def test_missing_scores_are_gaps_in_every_container(name, container):
    call, numbers, _ = OF_SCORES[name]
    found = call(SCORE_CONTAINERS[container](GAPS))
    np.testing.assert_array_equal(_flat(numbers(found)), _flat(numbers(call(GAPS))))


@pytest.mark.parametrize("container", SCORE_CONTAINERS)
@pytest.mark.parametrize("name", sorted(set(OF_SCORES) - GAPS_TAKEN))
def test_missing_scores_are_refused_where_gaps_are_not_taken(name, container):
    with pytest.raises(TableError, match="row 1|resampling 1"):
        OF_SCORES[name][0](SCORE_CONTAINERS[container](GAPS))


@pytest.mark.parametrize("name", [name for name, row in OF_SCORES.items() if row[2]])
def test_scores_give_what_scipy_gives(name):
    call, numbers, oracle = OF_SCORES[name]
    expected = _flat(oracle())
    np.testing.assert_allclose(_flat(numbers(call(SCORES)))[: len(expected)], expected, rtol=1e-9)


def test_signed_ranks_give_what_scipy_gives():
    found = ours.wilcoxon_holm(SCORES[:, :2] + [0, 1e-3] * np.arange(8)[:, None]).uncorrected
    apart = SCORES[:, 0] - SCORES[:, 1] - 1e-3 * np.arange(8)
    assert found[0, 1] == pytest.approx(stats.wilcoxon(apart, method="exact").pvalue)


@pytest.mark.parametrize("container", NUMBER_CONTAINERS)
@pytest.mark.parametrize("name", OF_NUMBERS)
def test_numbers_give_what_the_array_gives(name, container):
    call, numbers, oracle = OF_NUMBERS[name]
    found = _flat(numbers(call(HELD_NUMBERS[container])))
    np.testing.assert_array_equal(found, _flat(numbers(call(NUMBERS))))
    if oracle:
        np.testing.assert_allclose(found, _flat(oracle()), rtol=1e-9)


@pytest.mark.parametrize("container", MISSING)
@pytest.mark.parametrize("name", sorted(set(OF_NUMBERS) - {"permutation_pvalue"}))
def test_what_is_no_number_is_refused(name, container):
    with pytest.raises(TableError):
        OF_NUMBERS[name][0](MISSING[container])


def test_subsets_of_different_sizes_come_in_any_list():
    subsets = [["a", "b"], ["a"], ["b", "c"]]
    lists = pa.array(subsets)
    expected = stability.nogueira([{0, 1}, {0}, {1, 2}], p=4)
    arrow = pd.Series(lists, dtype=pd.ArrowDtype(lists.type))
    for held in (subsets, pl.Series(subsets), lists, pa.chunked_array([lists]), arrow):
        assert stability.nogueira(held, p=4) == expected


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ours.friedman(SCORES, larger_is_better="no"), "must be True or False"),
        (
            lambda: ours.fisher_exact([[3, 1, 4], [1, 5, 2]], limit="a"),
            "limit must be a whole",
        ),
        (
            lambda: ours.fisher_exact([[3, 1, 4], [1, 5, 2]], limit=-1),
            "limit must be a whole",
        ),
        (
            lambda: stability.false_selection_bound(q="10", p=100, threshold=0.75),
            "q must be above 0",
        ),
        (
            lambda: stability.false_selection_bound(q=10, p=100, threshold="a"),
            "threshold must be above 0",
        ),
        (
            lambda: stability.selection_threshold(q=10, p=100, bound="a"),
            "bound must be a number",
        ),
    ],
)
def test_parameters_of_another_kind_are_refused(call, message):
    with pytest.raises(TableError, match=message):
        call()


@pytest.mark.parametrize("container", SIGNATURES)
@pytest.mark.parametrize("name", OF_SIGNATURES)
def test_signatures_give_what_the_boolean_array_gives(name, container):
    measure, held = OF_SIGNATURES[name], SIGNATURES[container]
    expected = measure(FLAGS, None)
    np.testing.assert_array_equal(_flat(measure(held, 5)), _flat(expected))
    np.testing.assert_array_equal(_flat(measure(held, 5.0)), _flat(expected))
    if container in FLAGGED:
        np.testing.assert_array_equal(_flat(measure(held, None)), _flat(expected))


def test_kuncheva_of_rs_numbers():
    """kuncheva(list(c(1, 2), c(1, 3)), 4) by way of reticulate."""
    assert stability.kuncheva([[1.0, 2.0], [1.0, 3.0]], 4.0) == 0.0


@pytest.mark.parametrize(
    ("held", "p", "message"),
    [
        (
            pd.DataFrame([[True, pd.NA], [True, False]]),
            None,
            "missing one for feature 1 of subset 0",
        ),
        (np.ma.MaskedArray(FLAGS, FLAGS), None, "every flag must be true or false"),
        ({"age": [True, False], "sex": [True, True]}, None, "pandas.DataFrame"),
        ([["age", "sex"], ["age"]], None, "p, the number of features, is needed"),
        ([["age", "sex"], ["pain"]], 2, "p must be 3 or larger"),
        ([["age", 1], [2, 3]], 4, "whole numbers"),
        ([[0, 1], ["age"]], 4, "positions of features only, or names"),
        ([["age", "age"], ["sex"]], 4, "no feature twice"),
        ([["age", None], ["sex"]], 4, "none missing"),
        ([[0, NAN], [1, 2]], 4, "whole numbers"),
        ([[True, False], [True]], None, "one flag per feature"),
        (pl.DataFrame({"a": [0, 1], "b": [1, 0]}).lazy(), 2, "lazy"),
        ("age", 4, "sequence of subsets"),
        (7, 4, "sequence of subsets"),
        ([[0, 1], [1, 2]], 3.5, "p must be a whole number"),
        ([[0, 1], [1, 2]], "3", "p must be a whole number"),
        ([[0, 1], [1, 2]], True, "p must be a whole number"),
    ],
)
def test_what_is_no_signature_is_refused(held, p, message):
    with pytest.raises(TableError, match=message):
        stability.nogueira(held, p)


@pytest.mark.parametrize(
    ("held", "message"),
    [
        (
            pd.DataFrame({"a": [0.9, 0.8], "s": ["x", "y"], "b": [0.7, 0.6]}),
            "of method s must be num",
        ),
        ([["0.9", "0.8"], ["0.7", "0.6"]], "must be numbers"),
        ([[0.9, 0.8], [0.7]], "rows of one length"),
        ({"a": [0.9, 0.8], "b": [0.7]}, "no table of columns"),
        (pl.DataFrame(SCORES).lazy(), "lazy"),
        (pd.DataFrame(SCORES, columns=["a", "b", "a"]), "unique|different names"),
        (np.array([[1j, 2], [3, 4]]), "must be numbers"),
        (np.array([["2020-01-01"] * 2] * 2, dtype="datetime64[D]"), "must be numbers"),
        (ours.friedman(SCORES), "2 dimensions"),
        (None, "2 dimensions"),
        ("scores.csv", "2 dimensions"),
    ],
)
def test_what_is_no_table_of_scores_is_refused(held, message):
    for function in (
        ours.friedman,
        ours.wilcoxon_holm,
        ours.skillings_mack,
    ):
        with pytest.raises(TableError, match=message):
            function(held)


def test_a_lazy_frame_of_dask_is_refused_without_a_word_of_narwhals():
    frames = pytest.importorskip("dask.dataframe")
    lazy = frames.from_pandas(pd.DataFrame(SCORES), npartitions=1)
    for function in (ours.friedman, stability.nogueira):
        with pytest.raises(TableError, match="Got a lazy DataFrame.*Collect it"):
            function(lazy)


def test_names_of_methods_come_in_any_container():
    for names in (
        METHODS,
        pd.Index(METHODS),
        pl.Series(METHODS),
        pa.array(METHODS),
        np.array(METHODS),
    ):
        assert ours.friedman(SCORES, names=names).names == ("a", "b", "c")


@pytest.mark.parametrize(
    "make",
    [
        lambda f: f,
        pl.from_pandas,
        pa.Table.from_pandas,
        lambda f: f.to_dict("list"),
        lambda f: f.to_dict("records"),
        lambda f: f.convert_dtypes(),
        lambda f: f.astype({"dataset": "category", "method": "category"}),
        lambda f: f.astype({"size": float}),
        lambda f: f.sample(frac=1, random_state=0).sort_index(),
    ],
)
def test_long_scores_of_every_library(make):
    both, plain = ours.friedman_both(make(LONG)), ours.friedman_both(LONG)
    for one, other in ((both.by_size, plain.by_size), (both.by_dataset, plain.by_dataset)):
        assert one.names == other.names
        np.testing.assert_array_equal(one.ranks, other.ranks)
    wide = LONG.pivot(index=["dataset", "size"], columns="method", values="score")
    expected = stats.friedmanchisquare(*wide.to_numpy().T)
    assert plain.by_size.pvalue == pytest.approx(expected.pvalue, rel=1e-12)


def test_a_data_set_without_a_name_is_refused_by_both():
    for nameless in (None, NAN, pd.NA):
        frame = LONG.astype({"dataset": object})
        frame.loc[frame["dataset"] == "set 1", "dataset"] = nameless
        with pytest.raises(TableError, match="needs its dataset. Missing in row 6"):
            ours.friedman_both(frame)
    with pytest.raises(TableError, match="Missing: dataset, method, score, size"):
        ours.friedman_both(SCORES)


@pytest.mark.parametrize(
    "make",
    [
        np.asarray,
        lambda x: x.tolist(),
        lambda x: x.astype(float),
        lambda x: pd.DataFrame(x).astype("Int64"),
        lambda x: pd.DataFrame(x, columns=METHODS).assign(l=["u", "v", "w"])[["l", *METHODS]],
        lambda x: pl.DataFrame(x),
        lambda x: pa.table({str(j): x[:, j] for j in range(3)}),
        lambda x: np.ma.MaskedArray(x, False),
        lambda x: {str(j): x[:, j].tolist() for j in range(3)},
    ],
)
def test_counts_of_every_library(make):
    assert ours.fisher_exact(make(COUNTS)) == ours.fisher_exact(COUNTS)
    two = ours.fisher_exact(make(COUNTS * [1, 1, 0] * [[1], [1], [0]]))
    assert two.pvalue == pytest.approx(stats.fisher_exact(COUNTS[:2, :2]).pvalue, rel=1e-12)


def test_missing_counts_are_refused():
    for held in ([[1, None], [2, 3]], np.ma.MaskedArray([[1, 2], [2, 3]], [[0, 1], [0, 0]])):
        with pytest.raises(TableError, match="must contain counts"):
            ours.fisher_exact(held)


def test_a_test_of_scores_or_its_result():
    """nemenyi(scores) is nemenyi(friedman(scores)); a result takes no names and no direction."""
    small = {"names": METHODS, "larger_is_better": False}
    np.testing.assert_array_equal(
        ours.nemenyi(SCORES, **small).mean_ranks,
        ours.friedman(SCORES, **small).mean_ranks,
    )
    one = ours.nemenyi_with_gaps(GAPS).pvalues
    np.testing.assert_array_equal(one, ours.nemenyi_with_gaps(ours.skillings_mack(GAPS)).pvalues)
    for call in (
        lambda: ours.nemenyi(ours.skillings_mack(GAPS)),
        lambda: ours.nemenyi_with_gaps(ours.friedman(SCORES)),
        lambda: ours.nemenyi(ours.friedman(SCORES), larger_is_better=False),
        lambda: ours.nemenyi(ours.friedman(SCORES), names=METHODS),
    ):
        with pytest.raises(TableError):
            call()


def test_whole_floats_are_whole_numbers():
    options = {"p": 100.0, "pairs": 50.0}
    assert stability.false_selection_bound(q=10, threshold=0.75, **options) == pytest.approx(
        1 / 0.98
    )
    assert stability.selection_threshold(q=10.0, bound=1, **options) == 0.76
    whole = stability.most_selected(p=1000, threshold=0.9, bound=1.0)
    assert stability.most_selected(p=1000.0, threshold=0.9, bound=1.0, pairs=50.0) == whole
    assert ours.sequential_pvalue(10.0, 25.0, enough=10.0, most=999.0) == 0.4
    assert ours.permutation_pvalue(5.0, 99.0, total=462.0) == ours.permutation_pvalue(5, 99, 462)
    test = ours.bayesian_signed_rank_test(NUMBERS, draws=500.0, seed=0.0)
    assert test == ours.bayesian_signed_rank_test(NUMBERS, draws=500)
    sizes = ours.smallest_good_size(SCORES, pd.Series([1.0, 2.0, 5.0], [7, 8, 9]), test_share=0.1)
    assert sizes.sizes == (1, 2, 5)
    assert ours.fisher_exact(COUNTS, samples=1e3, seed=0.0) == ours.fisher_exact(COUNTS)


def test_e_values_of_every_container():
    expected = ours.e_benjamini_hochberg([20.0, 0.0, 10.0, 3.0]).tolist()
    for make in (pl.Series, pa.array, pd.Series, np.ma.array, tuple):
        assert ours.e_benjamini_hochberg(make([20.0, 0.0, 10.0, 3.0])).tolist() == expected


@pytest.mark.parametrize("offset", [0.0, 1e3, 1e6, 1e9, 1e12])
def test_an_offset_that_all_scores_share_changes_no_rank(offset):
    scores = np.random.default_rng(3).permuted(np.tile(np.arange(4) / 8, (10, 1)), axis=1)
    shifted = ours.friedman(scores + offset)
    assert shifted.pvalue == stats.friedmanchisquare(*scores.T).pvalue
    pairs = ours.wilcoxon_holm(scores + offset).uncorrected
    np.testing.assert_array_equal(pairs, ours.wilcoxon_holm(scores).uncorrected)
    best = ours.smallest_good_size(scores + offset, [1, 2, 3, 4], test_share=0.1)
    assert best.size == ours.smallest_good_size(scores, [1, 2, 3, 4], test_share=0.1).size


def test_an_r2_far_below_zero_hides_no_other_rank():
    far = SCORES.copy()
    far[3, 2] = -1e22
    assert ours.friedman(far).pvalue == stats.friedmanchisquare(*SCORES.T).pvalue
    np.testing.assert_array_equal(
        ours.wilcoxon_holm(far).uncorrected[0, 1],
        ours.wilcoxon_holm(SCORES).uncorrected[0, 1],
    )
    assert ours.bayesian_sign_test([*NUMBERS, -1e22]).right > 0.1


@pytest.mark.parametrize("unit", [1e-320, 1e-200, 1e-160, 1e160, 1e300])
def test_units_change_no_test(unit):
    """Whole numbers of the smallest unit; of their squares none is a double."""
    whole = np.array([3.0, 5, 2, 7, 4, -1]) * 100
    found = ours.resampled_t_test(whole * unit, test_share=0.1, correction="naive")
    expected = stats.ttest_1samp(whole * unit / unit, 0)
    assert (found.statistic, found.pvalue) == pytest.approx(
        (expected.statistic, expected.pvalue), rel=1e-3
    )
    interval = ours.resampled_interval(whole * unit, test_share=0.1)
    assert interval.low < interval.mean < interval.high


@pytest.mark.parametrize("wrong", ["a", None, True, [0.1], NAN])
def test_options_that_are_no_numbers_are_refused(wrong):
    for call in (
        lambda: ours.resampled_t_test(NUMBERS, test_share=wrong),
        lambda: ours.resampled_interval(NUMBERS, test_share=0.1, level=wrong),
        lambda: ours.bayesian_t_test(NUMBERS, test_share=0.1, rope=wrong),
        lambda: ours.bayesian_sign_test(NUMBERS, rope=wrong),
        lambda: ours.bayesian_sign_test(NUMBERS, prior_strength=wrong),
        lambda: ours.bayesian_sign_test(NUMBERS, prior_place=wrong),
        lambda: ours.bayesian_signed_rank_test(NUMBERS, rope=wrong),
        lambda: ours.nemenyi(SCORES, level=wrong),
        lambda: ours.wilcoxon_holm(SCORES, level=wrong),
        lambda: ours.nemenyi_with_gaps(SCORES, level=wrong),
        lambda: stability.nogueira_interval(FLAGS, level=wrong),
        lambda: ours.smallest_good_size(SCORES, [1, 2, 5], test_share=wrong),
        lambda: ours.knockoff_threshold(NUMBERS, wrong),
    ):
        with pytest.raises(TableError):
            call()


def test_whole_numbers_that_no_double_keeps_are_refused():
    scores = np.rint(SCORES * 100).astype(np.int64)
    for held in (scores + 2**60, (scores + 2**60).tolist(), (scores.astype(object) + 2**70)):
        with pytest.raises(TableError, match="lose their last digits"):
            ours.friedman(held)
    expected = stats.friedmanchisquare(*scores.T).statistic
    assert ours.friedman(scores * 2**50).statistic == pytest.approx(expected, abs=1e-12)
