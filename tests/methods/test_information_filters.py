"""The filters built on information by counts, against loops by definition and by hand."""

from fractions import Fraction

import numpy as np
import pytest
from sklearn.feature_selection import mutual_info_classif
from sklearn.metrics import mutual_info_score
from twins import concordance_information as concordance_twin
from twins import counted_information as twin
from twins.neighbor_information import information as neighbor_twin
from twins.parzen_information import information as parzen_twin

from hetsel import Schema, get_method
from hetsel.ground.errors import TableError
from hetsel.search.rankings.forward_loop import information_of
from hetsel.selection import Problem
from hetsel.statistics.information.mutual_information import parzen_information
from hetsel.tables import Classes, Numbers, Survival

FORWARD = ["cfs", "cmim", "jmi", "mi-forward", "mrmr", "mrmr-quotient", "mrmr-sum"]


def problem(kind, seed, n=60, p=9, size=1):
    """A problem of columns of numbers, of levels, or of both; some depend on each other."""
    rng = np.random.default_rng(seed)
    cells = rng.normal(size=(n, p))
    cells[:, 1] += cells[:, 0]
    cells[:, 5] -= cells[:, 4]
    noise = rng.normal(size=n)
    y = np.digitize(cells[:, 0] + cells[:, 4] + noise, [-0.5, 0.7])
    nominal = {"numbers": [], "levels": list(range(p)), "mixed": list(range(0, p, 2))}[kind]
    for j in nominal:
        cells[:, j] = np.digitize(cells[:, j], np.sort(rng.uniform(-1, 1, 1 + j % 3)))
    table = Schema.infer(cells, nominal=nominal).encode(cells)
    return Problem(table, Classes.of(y, n), (size,))


@pytest.mark.parametrize("key", FORWARD)
@pytest.mark.parametrize("kind", ["numbers", "levels", "mixed"])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("depth", [3, 100])
def test_forward_filters_by_definition(key, kind, seed, depth):
    asked = problem(kind, seed)
    found = get_method(key)(bins=3, depth=depth).solve(asked)
    codes = information_of(asked, 3, "frequency").codes
    columns = codes.cells.tolist()
    criterion = getattr(twin, key.replace("-", "_"))
    order, values = twin.greedy(columns, asked.target.codes.tolist(), criterion, depth)
    assert found.order.tolist() == order
    np.testing.assert_allclose(found.importance, values, rtol=1e-4, atol=2e-6)
    assert [step.features for step in found.steps] == [(f,) for f in order[:depth]]


@pytest.mark.parametrize("kind", ["numbers", "levels", "mixed"])
@pytest.mark.parametrize("seed", range(5))
def test_backward_ranking_by_definition(kind, seed):
    asked = problem(kind, seed)
    found = get_method("mi-backward")(bins=3).solve(asked)
    columns = information_of(asked, 3, "frequency").codes.cells.tolist()
    assert found.order.tolist() == twin.backward(columns, asked.target.codes.tolist())


@pytest.mark.parametrize("kind", ["numbers", "levels", "mixed"])
@pytest.mark.parametrize("rule", ["frequency", "width"])
def test_histogram_information_is_that_of_scikit_learn(kind, rule):
    asked = problem(kind, 7)
    found = get_method("mi-histogram")(bins=4, rule=rule).solve(asked)
    columns = information_of(asked, 4, rule).codes.cells
    wanted = [mutual_info_score(column, asked.target.codes) for column in columns]
    np.testing.assert_allclose(found.importance, wanted, atol=1e-7)


def of_numbers(kind, seed):
    """The same problem with a number to tell, in which values repeat, and that number."""
    asked = problem(kind, seed)
    noise = np.random.default_rng(seed).normal(size=asked.n)
    y = np.round(asked.table.values[:, 0] + asked.table.values[:, 4] + noise, 1)
    return Problem(asked.table, Numbers.of(y), (1,)), y.tolist()


@pytest.mark.seconds
@pytest.mark.parametrize("key", FORWARD)
@pytest.mark.parametrize("kind", ["numbers", "mixed"])
@pytest.mark.parametrize("bins", [3, 4])
def test_forward_filters_tell_the_bins_of_a_number(key, kind, bins):
    asked, y = of_numbers(kind, 4)
    found = get_method(key)(bins=bins, depth=3).solve(asked)
    columns = information_of(asked, bins, "frequency").codes.cells.tolist()
    criterion = getattr(twin, key.replace("-", "_"))
    told = twin.bins_by_frequency(y, bins)
    assert bins <= len(set(told)) <= bins + 1
    order, values = twin.greedy(columns, told, criterion, 3)
    assert found.order.tolist() == order
    np.testing.assert_allclose(found.importance, values, rtol=1e-4, atol=2e-6)


@pytest.mark.parametrize("kind", ["numbers", "levels", "mixed"])
def test_information_on_a_number_is_that_on_its_bins(kind):
    asked, y = of_numbers(kind, 5)
    told = twin.bins_by_frequency(y, 3)
    columns = information_of(asked, 3, "frequency").codes.cells
    found = get_method("mi-histogram")(bins=3).solve(asked).importance
    np.testing.assert_allclose(found, [mutual_info_score(c, told) for c in columns], atol=1e-7)
    by_width = get_method("mi-histogram")(bins=3, rule="width").solve(asked).importance
    columns = information_of(asked, 3, "width").codes.cells
    told = twin.bins_by_width([Fraction(str(value)) for value in y], 3)
    np.testing.assert_allclose(by_width, [mutual_info_score(c, told) for c in columns], atol=1e-7)
    told = twin.bins_by_frequency(y, 3)  # the bins of 60 rows
    windows = get_method("mi-parzen")(bandwidth=0.3).solve(asked).importance
    for f, nominal in enumerate(asked.table.nominal.tolist()):
        x = asked.table.values[:, f].tolist()
        wanted = mutual_info_score(x, told) if nominal else parzen_twin(x, told, 0.3)
        assert windows[f] == pytest.approx(wanted, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["numbers", "levels", "mixed"])
def test_neighbors_and_windows_take_each_column_by_its_kind(kind):
    asked = problem(kind, 8, n=100)
    table, y = asked.table, asked.target.codes
    near = get_method("mi-knn")(neighbors=5).solve(asked)
    windows = get_method("mi-parzen")(bandwidth=0.3).solve(asked)
    assert near.order.tolist() == np.lexsort([-near.extras["estimate"]]).tolist()
    for f, nominal in enumerate(table.nominal.tolist()):
        x = table.values[:, f]
        cells = [Fraction(int(v * 2**40)) for v in x]
        wanted = neighbor_twin(cells, y.tolist(), nominal, True, 5)
        assert abs(near.extras["estimate"][f] - wanted) < 2e-7
        assert windows.importance[f] == parzen_information(x, y, levels=nominal, bandwidth=0.3)
        if nominal:
            assert abs(windows.importance[f] - mutual_info_score(x, y)) < 1e-7
        else:
            theirs = mutual_info_classif(x[:, None], y, n_neighbors=5, random_state=0)[0]
            assert abs(near.importance[f] - theirs) < 1e-4


def table_of(*columns):
    return np.array(columns, dtype=float).T


def order_of(key, cells, y, **options):
    selector = get_method(key)(nominal=list(range(cells.shape[1])), **options)
    return selector.fit(cells, y).answer_.order.tolist()


def test_exclusive_or_is_found_by_the_criteria_of_pairs():
    rng = np.random.default_rng(0)
    a, b = np.resize([0, 0, 1, 1], 400), np.resize([0, 1, 0, 1], 400)
    weak = np.where(rng.random(400) < 0.8, rng.integers(0, 2, 400), a ^ b)
    none = rng.integers(0, 3, size=400)
    # a is chosen first where ties go to the lower column, then its partner comes before the rest
    cells = table_of(a, b)
    for key in ("jmi", "mi-forward"):
        assert get_method(key)(depth=2).fit(cells, a ^ b).importances_[1] > 0.69
    cells = table_of(none, a, weak, b)
    assert order_of("mi-backward", cells, a ^ b)[:2] != [0, 2]
    hint = np.where(rng.random(400) < 0.3, a ^ b, a)  # tells a, and the class a little
    order = order_of("jmi", table_of(hint, none, b), a ^ b)
    assert order == [0, 2, 1]
    assert order_of("mi-histogram", table_of(hint, none, b), a ^ b) == [0, 1, 2]


@pytest.mark.parametrize("key", ["mrmr", "mrmr-sum", "cmim", "cfs", "jmi", "mi-forward"])
def test_a_copy_of_what_is_chosen_comes_after_a_weaker_complement(key):
    x, z = np.resize([0, 0, 0, 0, 1, 1, 1, 1], 80), np.resize([0, 0, 1, 1, 0, 0, 1, 1], 80)
    y = x | z
    assert order_of(key, table_of(x, x, z), y) == [0, 2, 1]


def test_the_or_problem_of_the_slides_has_two_equal_optima():
    f1, f2 = np.array([0, 0, 1, 1, 0, 0, 1]), np.array([0, 1, 0, 1, 0, 1, 0])
    f4 = np.array([0, 0, 0, 0, 1, 1, 1])
    cells = table_of(f1, f2, 1 - f2, f4, 1 - f4)
    for key in ("mi-backward", "mi-forward", "jmi", "cmim"):
        assert set(order_of(key, cells, f1 | f2)[:2]) in ({0, 1}, {0, 2})


def test_columns_of_one_level_come_last_even_where_redundancy_makes_others_negative():
    x = np.resize([0, 0, 1, 1], 40)
    assert order_of("mrmr-sum", table_of(np.zeros(40), x, x, x), x) == [1, 2, 3, 0]


def test_as_many_are_chosen_one_by_one_as_are_asked_for():
    asked = problem("mixed", 0, size=6)
    assert len(get_method("mrmr")(depth=2).solve(asked).steps) == 6


@pytest.mark.slow
@pytest.mark.parametrize("key", [*FORWARD, "fohsic"])
def test_with_a_size_no_more_features_are_ranked_than_it_needs(key):
    """Of 130 columns 100 are ranked where few are asked for, as if all of them were."""
    rng = np.random.default_rng(4)
    y = np.arange(30) % 2
    x = rng.integers(0, 3, size=(30, 130)).astype(float)
    x[:, 7] += y
    x[:, 5] = 1.0
    every = get_method(key)().fit(x, y).answer_
    assert len(every.order) == 130
    few, more = (get_method(key)(size=size).fit(x, y) for size in (3, 110))
    assert (len(few.answer_.order), len(more.answer_.order)) == (100, 110)
    assert more.answer_.order.tolist() == every.order[:110].tolist()
    assert few.signature(90).tolist() == every.order[:90].tolist()
    assert len(few.transform(x)[0]) == 3
    assert len(few.frame()) >= 100
    with pytest.raises(TableError, match=r"size must be in 1\.\.100, .* Got 101"):
        few.signature(101)
    whole = get_method(key)(size=129).fit(x, y).answer_
    assert whole.order.tolist() == every.order.tolist()


@pytest.mark.parametrize("key", FORWARD)
def test_refused_parameters(key):
    asked = problem("mixed", 0)
    with pytest.raises(TableError, match=r"depth must be a whole number, 1 or larger\. Got 0"):
        get_method(key)(depth=0).solve(asked)
    with pytest.raises(TableError, match=r"bins must be"):
        get_method(key)(bins=1).solve(asked)


def chance_free(a, b):
    """I(a; b) of counts less what chance adds on average."""
    free = (len(set(a)) - 1) * (len(set(b)) - 1) / (2 * len(a))
    return max(twin.information(a, b) - free, 0.0)


@pytest.mark.seconds
@pytest.mark.parametrize("key", ["mrmr", "mrmr-quotient", "mrmr-sum"])
@pytest.mark.parametrize("kind", ["numbers", "levels", "mixed"])
@pytest.mark.parametrize("seed", range(2))
def test_redundancy_filters_take_concordance_with_survival_times(key, kind, seed):
    asked = problem(kind, seed)
    table, rng = asked.table, np.random.default_rng(seed)
    times = rng.exponential(size=60) * np.exp(-table.values[:, 0] - table.values[:, 4])
    y = Survival(np.round(10 * times, 1), rng.random(60) < 0.7)
    found = get_method(key)(bins=3, depth=3).solve(Problem(table, y, (1,)))
    columns = information_of(asked, 3, "frequency").codes.cells.tolist()
    relevance = [
        max(
            concordance_twin.of_column(x.tolist(), levels, y.times.tolist(), y.events.tolist()), 0.0
        )
        for x, levels in zip(table.values.T, table.nominal, strict=True)
    ]
    order = []
    for step in found.steps:
        values = {}
        for f in set(range(9)) - set(order):
            shared = sum(chance_free(columns[f], columns[s]) for s in order)
            mean = shared / max(len(order), 1)
            values[f] = {
                "mrmr": relevance[f] - mean,
                "mrmr-sum": relevance[f] - shared,
                "mrmr-quotient": relevance[f] / (max(mean, 1e-3) if order else 1.0),
            }[key]
        (chosen,) = step.features
        assert values[chosen] == pytest.approx(max(values.values()), rel=1e-4, abs=2e-6)
        assert step.objective == pytest.approx(values[chosen], rel=1e-4, abs=2e-6)
        order.append(chosen)
