"""Declared costs: formulas that are printed and evaluated, and that hold for every method."""

import tracemalloc

import numpy as np
import pytest
from frames import mixed_frame, told_frame
from test_conformance import fitting, make

from hetsel import Table, get_method, method_keys, method_table
from hetsel.ground import memory
from hetsel.ground.errors import TableError
from hetsel.selection import About, Cost, Problem
from hetsel.selection.about import SIZES, refuse_memory, terms
from hetsel.tables import Classes, Numbers

OWN = [key for key in method_keys() if "r" not in get_method(key).about.requires]
MANY = 1200  # rows; few are a quarter of them
SQUARES = {"gmkl", "r2w2"}  # squares of rows in every table, slow: fewer rows tell as much
# those of a trial would be slow; what one of three leaves behind exceeds what is declared
FEWER = {key: {"resamplings": 3} for key in ("ensemble", "ensemble-rfe-mkl", "ensemble-rfe-svm")}
SLACK = 150_000  # bytes of answers, frames and names, whatever the rows
VALUES = {"n": 100.0, "p": 7.0, "d": 11.0, "c": 3.0, "k": 5.0, "s": 50.0}
# rooms of a fixed size, in bytes
ROOMS = {"fisher-exact": 600_000, "hsic-lasso": 27_000_000, "hfs-nb": 600_000}


@pytest.mark.parametrize(
    ("formula", "value", "growth"),
    [
        ("n", 100.0, "n"),
        ("2.6 n^2 + 4 n p", 2.6 * 100**2 + 4 * 700, "n^2 + n p"),
        ("n p + 20 n", 700 + 2000, "n p"),
        ("n^0.5 log n", 10 * np.log(100), "n^0.5 log n"),
        ("3 d c k", 3 * 11 * 3 * 5, "d c k"),
        ("n p + n p log n", 700 * (1 + np.log(100)), "n p log n"),
        ("n n", 100**2, "n^2"),
        ("n + 1000", 1100, "n"),
    ],
)
def test_a_formula_is_what_it_says(formula, value, growth):
    cost = Cost("n", formula)
    assert cost.bytes(**VALUES) == pytest.approx(8 * value, rel=1e-14)
    assert cost.of_memory == growth
    assert Cost(formula, "n").steps(**VALUES) == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize("formula", ["", "n^2+n", "m", "n ^2", "log", "2 x n", "n + ", "-n"])
def test_what_is_no_formula_is_refused(formula):
    with pytest.raises(ValueError, match="must be a formula of n, p, d, c, k, s"):
        Cost(formula, "n")


@pytest.mark.parametrize("key", method_keys())
def test_every_method_of_the_catalogue_declares_its_cost(key):
    about = get_method(key).about
    assert set(about.costs) <= set(about.targets)
    for target in about.targets:
        cost = about.cost_for(target)
        assert isinstance(cost, Cost), f"About of {key} lacks cost=Cost(time, memory)"
        assert cost.growth("n") >= 1  # nothing is told without the rows
        assert cost.growth("n", of="time") >= 1
        named = {
            name for text in (cost.time, cost.memory) for t in terms(text) for name in t.powers
        }
        assert named <= set(SIZES)


def quick(key):
    return make(key).set_params(**FEWER.get(key, {}))


def peak(key, n):
    """Bytes that arrays and objects of a ranking take at most, beyond the table."""
    frame, y = mixed_frame(n, 5, 3)
    table = Table.read(fitting(key, frame))
    selector = quick(key)
    tracemalloc.start()
    try:
        selector.fit(table, y)
        return tracemalloc.get_traced_memory()[1], table
    finally:
        tracemalloc.stop()


def declared_cost(key, table):
    """What the method declares for these rows: some take Gram matrices of few rows only."""
    problem = Problem(table, Classes.of(np.arange(len(table.values)) % 2), ())
    of_rows = make(key)._cost(problem)
    if of_rows is None:
        base = {"ensemble-rfe-mkl": "rfe-mkl", "ensemble-rfe-svm": "rfe-svm", "ensemble": "rfe-svm"}
        return make(base[key])._cost(problem) if key in base else get_method(key).about.cost
    return of_rows


@pytest.mark.slow
@pytest.mark.parametrize("key", OWN)
def test_the_memory_of_a_method_is_as_declared(key):
    """Of what Python and numpy allocate; compiled code allocates little of its own.

    A quadratic method that is declared linear has 16 times the memory at four times the rows, a
    linear one that is declared quadratic 4 times.
    """
    make(key).fit(*(lambda frame, y: (fitting(key, frame), y))(*mixed_frame(60, 5, 3)))
    n = MANY // 2 if key in SQUARES else MANY
    (few, _), (many, table) = peak(key, n // 4), peak(key, n)
    cost = declared_cost(key, table)
    p, columns = table.shape[1], table.schema.columns
    d = sum(len(column.levels) if column.kind == "nominal" else 1 for column in columns)
    declared = cost.bytes(n=n, p=p, d=d, c=2, k=p, s=n)
    beside = SLACK + ROOMS.get(key, 0)
    assert many < 1.5 * declared + beside
    grown = np.log(max(many - beside, few) / few) / np.log(4)
    growth = max(cost.growth("n"), cost.growth("s"))  # a sample of so few rows is all of them
    assert grown < growth + 0.3
    if growth == 2:
        assert many > 0.1 * declared


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "target"), [(key, target) for key in OWN for target in get_method(key).about.costs]
)
def test_the_memory_beside_other_targets_is_as_declared(key, target):
    frame, y = told_frame(target, n=MANY)
    table, told = Table.read(frame), told_frame(target)
    make(key).fit(*told)
    tracemalloc.start()
    try:
        quick(key).fit(table, y)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    d = sum(len(c.levels) if c.kind == "nominal" else 1 for c in table.schema.columns)
    sizes = {"n": MANY, "p": table.shape[1], "d": d, "c": 50, "k": table.shape[1], "s": MANY}
    assert most < 1.5 * get_method(key).about.cost_for(target).bytes(**sizes) + SLACK


def wide(n, target=None):
    """A problem of one continuous and one nominal column, which is asked for one feature."""
    cells = np.column_stack([np.arange(n, dtype=float), np.arange(n) % 3])
    table = Table.read(cells, nominal=[1])
    return Problem(table, Classes.of(np.arange(n) % 2) if target is None else target, (1,))


def test_what_is_named_instead_takes_the_columns_and_the_target_and_fits(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 10**9)
    n = 40_000
    square = Cost("n^2", "2 n^2")
    for target in (None, Numbers.of(np.arange(n) + 0.5)):
        problem = wide(n, target)
        with pytest.raises(TableError, match=r"it needs 26 GB of memory for 40,000 rows") as told:
            refuse_memory("it", square, problem)
        named = str(told.value).rpartition(": ")[2].split(", ")
        assert len(named) > 10
        for key in named:
            about = get_method(key).about
            assert problem.target.kind in about.targets
            assert {"continuous", "nominal"} <= set(about.takes_for(problem.target.kind))
            assert about.cost_for(problem.target.kind).growth("n") < 2
        for key in ("arom", "chi-square", "variance"):
            assert key not in named
        assert ("hfs-nb" in named) == (target is None)


def test_nothing_is_named_that_does_not_fit_either(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 1)
    with pytest.raises(TableError, match="needs less memory: see `hetsel methods`"):
        refuse_memory("it", Cost("n", "1000 n p"), wide(40_000))


def test_a_method_without_a_cost_is_not_refused(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 1)
    assert About("columns as they come").cost_for("classes") is None


def test_a_sample_has_as_many_rows_as_the_table_up_to_its_own_number():
    cost = Cost("s^2 p + n p", "2 s^2 + n", sample=50)
    assert [cost.bytes(n=n) for n in (10, 50, 80)] == [8 * 210, 8 * 5050, 8 * 5080]
    assert cost.bytes(n=80, s=10) == 8 * 280
    assert cost.of_sample == ", s at most 50"
    assert Cost("n", "n").of_sample == ""


def test_the_catalogue_prints_the_growth():
    table = method_table().set_index("key")
    assert table.loc["arom", "time"] == "n^2 d"
    assert table.loc["arom", "memory"] == "n^2 + n d"
    assert (table[["time", "memory"]] != "").all(axis=None)
