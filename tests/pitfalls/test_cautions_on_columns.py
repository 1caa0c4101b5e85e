"""Which columns are cautioned of, and that clean ones are not."""

from math import exp

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ks_2samp, norm, spearmanr

import hetsel
from hetsel.ground.errors import TableError
from hetsel.pitfalls.caution import in_lines
from hetsel.pitfalls.target_leaks import ClassesOfRows, log_chance, may_tell, telling_levels
from hetsel.tables import Classes, Column, Table
from hetsel.tables.missing_cells import is_mark
from tests.twins.cautions import best_cuts, by_other_rows, chance_of_hits, far_cells

RNG = np.random.default_rng(0)
N = 200
Y = np.arange(N) % 2


def found(X, y=None, **kinds):
    """What is found besides notes on kinds: (what, columns) -> facts."""
    said = hetsel.cautions(X, y, **kinds)
    return {(one.what, one.columns): one.facts for one in said if one.what != "kind"}


def columns_of(**columns):
    return pd.DataFrame(columns)


@pytest.mark.parametrize("mark", [9999, -999, 99.9, -1e6, 1e30, 2**31 - 1, -(2**15)])
@pytest.mark.parametrize("rows", [1, 3, 120])
def test_a_mark_far_from_all_others_is_a_sentinel(mark, rows):
    values = RNG.uniform(20, 32, N)
    values[:rows] = mark
    facts = found(columns_of(age=values))["sentinel", ("age",)]
    rest = np.ptp(values[rows:]) / np.ptp(values)
    assert (facts["value"], facts["rows"]) == (mark, rows)
    assert facts["share_of_range"] == pytest.approx(1 - rest, abs=1e-12)


@pytest.mark.parametrize(
    "values",
    [
        np.arange(70, 100),
        np.r_[np.arange(29), 99],
        [99, 0] * 15,
        np.arange(-1, 29),
        np.r_[np.tile([1, 2, 3], 9), 9],
        RNG.integers(0, 10, 30),
    ],
)
def test_such_numbers_among_others_are_none(values):
    assert not found(columns_of(x=np.asarray(values, dtype=float)))


def test_marks_are_known_by_their_form():
    marks = [-1, 9, -9, 99, 999.0, 99.99, -99999, 1e6, -1e7, 1e20, 32767, -2147483648]
    others = [0, 1, -2, 90, 19, 100, 1000, 989, 0.9, 9.95, 2e6, 1234567, 8]
    assert all(map(is_mark, marks))
    assert not any(map(is_mark, others))


def test_one_cell_of_9999_is_told_where_it_hides_a_feature_from_a_ranking():
    x = RNG.normal(size=N) + 2 * Y
    X = columns_of(x=x, **{f"noise{j}": RNG.normal(size=N) for j in range(6)})
    assert hetsel.RFEMKL().fit(X, Y).ranking_[0] == 1
    assert not found(X, Y)
    X.loc[0, "x"] = 9999.0
    assert hetsel.RFEMKL().fit(X, Y).ranking_[0] > 1
    assert list(found(X, Y)) == [("sentinel", ("x",))]


@pytest.mark.parametrize("seed", range(40))
def test_outliers_are_those_of_the_loop(seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 40, rng.integers(20, 500)).astype(float)
    far = rng.integers(0, len(values) // 50 + 2)
    values[:far] = rng.choice([-1, 1], far) * rng.integers(100, 700, far)
    twin = far_cells(values.tolist())
    got = found(columns_of(x=values)).get(("outlier", ("x",)))
    assert (got is None) == (twin is None)
    if got is not None:
        assert got["rows"] == twin[0]
        assert got["share_of_range"] == pytest.approx(float(1 - twin[1]), abs=1e-12)


def test_a_heavy_tail_is_the_range_of_the_middle_rows():
    values = RNG.permutation(np.exp(3 * norm.ppf((np.arange(N) + 0.5) / N)))
    facts = found(columns_of(x=values))["heavy tail", ("x",)]
    middle = np.ptp(np.sort(values)[N // 20 : -N // 20])
    assert facts["share_of_range"] == pytest.approx(1 - middle / np.ptp(values), abs=1e-12)
    assert not found(columns_of(x=np.log(values)))


@pytest.mark.parametrize("scale", ["quantile", "robust"])
def test_what_stretches_the_range_is_no_caution_on_another_scale_but_marks_are(scale):
    x = np.random.default_rng(1).uniform(20, 32, N)
    X = columns_of(
        tail=np.exp(3 * norm.ppf((np.arange(N) + 0.5) / N)),
        outlier=np.r_[5123.7, x[1:]],
        mark=np.r_[9999, x[1:][::-1]],
    )
    by_range = found(X)
    assert set(by_range) >= {("heavy tail", ("tail",)), ("outlier", ("outlier",))}
    left = found(X, scale=scale)
    assert set(by_range) - set(left) == {("heavy tail", ("tail",)), ("outlier", ("outlier",))}
    assert ("sentinel", ("mark",)) in left
    for one in hetsel.cautions(X):
        named = [fix.option for fix in one.note.fixes]
        assert ("scale" in named) == (one.what in ("heavy tail", "outlier"))


@pytest.mark.parametrize("wrong", [0, 1, 3, 5, 8, 12])
def test_the_rate_of_two_classes_is_that_of_kolmogorov_and_smirnov(wrong):
    y = np.r_[np.zeros(140, int), np.ones(60, int)]
    x = np.round(RNG.uniform(0, 10, N) - 10.5 * y, 1)
    x[:wrong] -= 10.5
    rate = (1 + ks_2samp(x[y == 0], x[y == 1]).statistic) / 2
    facts = found(columns_of(x=x), y).get(("leak", ("x",)))
    assert (facts is not None) == (rate >= 0.95)
    if facts is not None:
        assert facts["rate"] == pytest.approx(rate, abs=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_the_rate_of_three_classes_is_that_of_the_best_cuts(seed):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat([0, 1, 2], [20, 15, 10]))
    x = np.array([5, 1, 3])[y] + rng.integers(-1, 2, 45) * 0.5 + rng.integers(0, 2, 45) * 0.1
    x[0] = 5 if y[0] == 2 else 1
    rate = best_cuts(x.tolist(), y.tolist())
    assert found(columns_of(x=x), y)["leak", ("x",)]["rate"] == pytest.approx(float(rate))


@pytest.mark.parametrize("seed", range(6))
def test_levels_are_judged_by_the_other_rows(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, 60)
    levels = np.where(rng.random(60) < 0.02, 99, 10 * y + rng.integers(0, 4, 60))
    levels[0] = 77  # alone
    rate = by_other_rows(levels.tolist(), y.tolist())
    codes = np.unique(levels, return_inverse=True)[1].astype(float)
    leak = telling_levels(Column("x", "nominal"), codes, ClassesOfRows.of(Classes.of(y), 1))
    assert (leak is not None) == (rate >= 0.95)
    assert leak is None or leak.facts["rate"] == pytest.approx(float(rate), abs=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_columns_that_are_looked_at_together_tell_what_the_other_rows_tell(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, 60)
    cells = np.where(rng.random((60, 40)) < np.linspace(0, 0.06, 40), 9.0, y[:, None])
    cells += 10.0 * rng.integers(0, 4, cells.shape)
    cells[rng.random(cells.shape) < 0.01] = np.nan
    named = np.nan_to_num(cells, nan=-1.0)
    rates = [by_other_rows(column.tolist(), y.tolist()) for column in named.T]
    told = may_tell(cells, ClassesOfRows.of(Classes.of(y), 1))
    assert 0 < told.sum() < 40
    assert told.tolist() == [rate >= 0.95 for rate in rates]


def test_an_identifier_is_no_leak():
    X = columns_of(text=[f"id{i}" for i in range(N)], pairs=[f"p{i // 2}" for i in range(N)])
    assert found(X, Y) == {("identifier", ("text",)): {"distinct": N, "rows": N}}


def test_the_chance_of_guesses_is_that_of_all_orders():
    for sizes in ((3, 3), (5, 2), (2, 2, 3), (4, 1, 1)):
        truth = np.repeat(np.arange(len(sizes)), sizes)
        exact = chance_of_hits(truth.tolist(), truth.tolist())
        assert exp(log_chance(truth, truth)) == pytest.approx(float(exact), rel=1e-9)
        for swapped in ([1, 0], [-1, 0], [-1, -2]):
            guess = truth.copy()
            guess[swapped] = guess[swapped[::-1]]
            exact = chance_of_hits(guess.tolist(), truth.tolist())
            assert exp(log_chance(guess, truth)) >= float(exact) * (1 - 1e-9)


def test_missing_cells_tell_as_well():
    alive = np.r_[np.zeros(120, int), np.ones(80, int)]
    body = np.where(np.arange(N) < 40, np.abs(RNG.normal(size=N)), np.nan)
    late = np.where(alive == 1, RNG.normal(size=N), np.nan)
    boat = np.where(alive == 1, RNG.choice(list("ABC"), N), None)
    lost = np.where(np.arange(N) < 30, np.nan, RNG.normal(size=N))
    here = np.where(np.arange(N) % 7 == 0, np.nan, RNG.normal(size=N))
    got = found(columns_of(body=body, late=late, boat=boat, lost=lost, here=here), alive)
    assert got == {
        ("leak", ("body",)): {"known_rows": 40, "rows_of_class": 120},
        ("leak", ("late",)): {"rate": 1.0},
        ("leak", ("boat",)): {"rate": 1.0},
        ("leak", ("lost",)): {"missing_rows": 30, "rows_of_class": 120},
        ("outcome", ("body",)): {},  # by their names
        ("outcome", ("boat",)): {},
    }


def test_copies_are_found_up_to_units_and_names():
    height, site = RNG.normal(170, 9, N), RNG.choice(list("abc"), N)
    flag = RNG.random(N) < 0.3
    near = height + 0.01 * RNG.normal(size=N)
    X = columns_of(height=height, site=site, flag=flag * 1.0, feet=1.5 - height / 30.48)
    X = X.assign(town=pd.Series(site).map({"a": "x", "b": "y", "c": "z"}), not_flag=~flag)
    X = X.assign(log=np.log(height), near=near, other=RNG.normal(size=N))
    got = found(X)
    pairs = {columns: facts["rank_correlation"] for (_, columns), facts in got.items()}
    exact = [("feet", "height"), ("town", "site"), ("not_flag", "flag"), ("log", "height")]
    assert {pair: 1.0 for pair in exact} | {("near", "height"): pairs["near", "height"]} == pairs
    rho = spearmanr(height, near).statistic
    assert pairs["near", "height"] == pytest.approx(rho, abs=1e-6)


def test_nearly_equal_columns_are_those_of_scipy():
    base = RNG.normal(size=(N, 8))
    noise = RNG.normal(size=(N, 40)) * np.geomspace(0.003, 0.3, 40)
    X = np.round(base[:, np.arange(40) % 8] * np.where(np.arange(40) % 3, 1, -1) + noise, 2)
    rho = np.triu(np.abs(spearmanr(X).statistic), 1)
    late, early = np.nonzero((rho >= 0.999).T)
    first = {f"x{j}": f"x{early[late == j].min()}" for j in np.unique(late)}
    assert len(first) > 5
    assert dict(columns for _, columns in found(X)) == first


def test_neither_rows_nor_units_nor_names_matter():
    X = columns_of(
        far=np.r_[RNG.normal(size=N - 1), 300.0],
        leak=Y + RNG.uniform(0, 1.02, N),
        tail=RNG.permutation(np.exp(np.linspace(-40, 40, N))),
        level=RNG.choice(list("abcd"), N),
        gap=np.where(Y == 1, np.nan, RNG.normal(size=N)),
    )
    X = X.assign(like=X["level"], near=X["far"] + 0.001 * RNG.normal(size=N))
    before = found(X, Y)
    assert len({what for what, _ in before}) == 4
    rows = RNG.permutation(N)
    turned = X.iloc[rows].assign(far=-2.54 * X["far"][rows] + 7, tail=X["tail"][rows] / 453.6)
    turned = turned.assign(level=turned["level"].map(dict(zip("abcd", "zxyw", strict=True))))
    after = found(turned, np.array(["yes", "no"])[Y[rows]])
    assert set(before) == set(after)
    for key, facts in before.items():
        relative = [name for name in facts if name not in ("lowest", "highest")]
        for name in relative:
            assert facts[name] == pytest.approx(after[key][name], abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("draw", ["normal", "uniform", "lognormal"])
@pytest.mark.parametrize("n", [30, 100, 1000])
def test_noise_is_left_alone(draw, n):
    rng = np.random.default_rng(n)
    X = getattr(rng, draw)(size=(n, 1000))
    got = [what for what, _ in found(X, rng.integers(0, 2, n)) if what != "heavy tail"]
    assert len(got) <= 10


def test_several_columns_share_a_line():
    X = pd.DataFrame(RNG.normal(size=(N, 12))).rename(columns=lambda j: f"x{j}")
    X.iloc[0, :11] = 99999.0
    lines = in_lines(hetsel.cautions(X))
    assert len(lines) == 1
    assert "x0, x1, x2, x3, x4, ... (11 in all)" in lines[0]
    assert lines[0].count("99999") == 2


def test_a_table_keeps_its_kinds_and_classes_of_few_rows_tell_nothing():
    X = columns_of(x=np.r_[np.arange(N - 1) % 4, 999.0])
    assert found(X)
    assert not found(Table.read(X, nominal=["x"]))
    assert not found(X, nominal=["x"])
    assert not found(columns_of(x=np.arange(N) + 0.5), (np.arange(N) // 4).astype(str))
    assert found(columns_of(x=np.arange(N) + 0.5), (np.arange(N) // 5).astype(str))


def test_cautions_print_a_line_for_each_kind_as_the_shell_does():
    ages = [54.5, 61.25, 47, 58, 66, 39, 9999, 52, 70, 44]
    found = hetsel.cautions(pd.DataFrame({"age": ages, "weight": ages[::-1], "id": range(10)}))
    assert [one.what for one in found] == ["sentinel", "sentinel", "kind"]
    assert str(found) == repr(found) == "\n".join(in_lines(found))
    assert [line.partition(":")[0] for line in str(found).splitlines()] == ["age, weight", "id"]
    assert str(hetsel.cautions(pd.DataFrame({"x": [0.5, 1.5, 2.25]}))) == "no cautions"


def test_groups_that_are_another_word_are_refused():
    frame = pd.DataFrame({"x": np.tile(np.arange(30.0), 2)})
    assert hetsel.cautions(frame, groups="copies") == hetsel.cautions(frame, groups="rows") == ()
    with pytest.raises(TableError, match="groups must be one label per row"):
        hetsel.cautions(frame, groups="Copies")
