"""Final machines of some thousand rows: those without a Gram matrix are those with one."""

import numpy as np
import pandas as pd
import pytest

from hetsel import Schema, Table
from hetsel.evaluation.held_out import split_of
from hetsel.methods.embedded.rfe_mkl import RFEMKL
from hetsel.models.final_machines import clinical_svm, decisions_by_blocks
from hetsel.models.final_regressors import clinical_numbers
from hetsel.models.train_test_arrays import Split
from hetsel.selection import Problem
from hetsel.solvers.mkl import mkl_solution
from hetsel.solvers.svm import block_ascent
from hetsel.solvers.svm.two_class_svm import problem_bounds, two_class_problems
from hetsel.tables import Classes, Numbers

N = 1_900
SUBSETS = [
    np.array(one) for one in ([3], [3, 4], [3, 4, 1], [3, 4, 1, 0], [2, 5], [0, 1, 2, 3, 4, 5])
]


def table_of(seed, classes):
    """Numbers, numbers of few values with gaps, and levels; classes that they tell a bit."""
    draw = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "number": draw.normal(size=N),
            "tenths": np.round(draw.random(N), 1),
            "gaps": np.where(draw.random(N) < 0.1, np.nan, np.round(draw.random(N), 2)),
            "level": pd.Categorical(draw.choice(list("abc"), N)),
            "pair": pd.Categorical(draw.choice(["x", "y"], N)),
            "other": draw.exponential(size=N),
        }
    )
    told = frame["number"] + (frame["level"] == "a") + 2 * frame["tenths"] + draw.normal(size=N)
    codes = np.digitize(told, np.quantile(told, [0.6, 0.8][: classes - 1]))
    return Schema.infer(frame).encode(frame).resolve_missing("separate"), codes, draw


@pytest.mark.parametrize(("classes", "weighed"), [(2, False), (3, False), (2, True)])
def test_the_decisions_are_those_on_the_matrix(monkeypatch, classes, weighed):
    table, codes, draw = table_of(1, classes)
    weights = draw.choice([0.5, 1.0, 3.0], N) if weighed else None
    test = np.arange(N) % 6 == 0
    train, rest = (table.take(rows=np.flatnonzero(rows)) for rows in (~test, test))
    split = Split.of(train, rest, codes[~test], None if weights is None else weights[~test])
    given = {"C": 10.0, "class_weight": "balanced", "seed": 0}
    found = clinical_svm(split, SUBSETS, **given)
    labels = two_class_problems(split.codes)
    bounds = problem_bounds(split.codes, 10.0, "balanced", row_weights=split.weights)
    plain = decisions_by_blocks(split, SUBSETS, labels, bounds)
    assert found == pytest.approx(plain, abs=6e-11)
    monkeypatch.setattr(block_ascent, "SOME", N)
    assert found == pytest.approx(clinical_svm(split, SUBSETS, **given), abs=1e-9)


def test_where_blocks_are_no_help_the_matrix_is_taken(monkeypatch):
    draw = np.random.default_rng(2)
    table = Table.read(draw.random((N, 6)))
    split = Split.of(table, table, (draw.random(N) < 0.25).astype(int))
    given = {"C": 10.0, "seed": 0}
    labels = two_class_problems(split.codes)
    assert decisions_by_blocks(split, SUBSETS, labels, np.full(labels.shape, 10.0)) is None
    found = clinical_svm(split, SUBSETS, **given)
    monkeypatch.setattr(block_ascent, "SOME", N)
    assert (found == clinical_svm(split, SUBSETS, **given)).all()


@pytest.mark.parametrize("weighed", [False, True])
def test_numbers_are_those_on_the_matrix(monkeypatch, weighed):
    table, codes, draw = table_of(4, 3)
    numbers = codes + draw.normal(size=N)
    weights = draw.choice([0.5, 1.0, 3.0], N) if weighed else None
    test = np.arange(N) % 6 == 0
    train, rest = (table.take(rows=np.flatnonzero(rows)) for rows in (~test, test))
    own = None if weights is None else weights[~test]
    target = Numbers.of(numbers[~test])
    split = split_of(Problem(train, target, (), weights=own), rest)
    found = clinical_numbers(split, SUBSETS, C=3.0, epsilon=0.1)
    monkeypatch.setattr(block_ascent, "FEWER", N)
    other = clinical_numbers(split, SUBSETS, C=3.0, epsilon=0.1)
    assert found == pytest.approx(other, abs=1e-9)
    assert (found != other).any()


def test_a_ranking_of_numbers_is_that_with_the_matrix(monkeypatch):
    table, codes, draw = table_of(5, 3)
    problem = Problem(table, Numbers.of(codes + draw.normal(size=N)), (1, 2, 3))
    found = RFEMKL(missing="separate").solve(problem)
    monkeypatch.setattr(mkl_solution, "FEWER", N)
    other = RFEMKL(missing="separate").solve(problem)
    assert found.order.tolist() == other.order.tolist()
    assert found.cuts == other.cuts
    assert found.importance == pytest.approx(other.importance, rel=1e-9)
    assert (found.importance != other.importance).any()


@pytest.mark.filterwarnings("ignore:a support vector machine on all features predicts no row")
@pytest.mark.parametrize(("classes", "class_weight"), [(2, "balanced"), (3, "balanced"), (2, None)])
def test_a_ranking_is_that_with_the_matrix(monkeypatch, classes, class_weight):
    table, codes, _ = table_of(3, classes)
    problem = Problem(table, Classes(codes, np.arange(classes)), (1, 2, 3))
    method = RFEMKL(class_weight=class_weight, missing="separate")
    found = method.solve(problem)
    monkeypatch.setattr(mkl_solution, "FEWER", N)
    monkeypatch.setattr(mkl_solution, "SOME", N)
    other = method.solve(problem)
    assert found.order.tolist() == other.order.tolist()
    assert found.cuts == other.cuts
    assert found.importance == pytest.approx(other.importance, rel=1e-9)
    assert [step.objective for step in found.steps] == pytest.approx(
        [step.objective for step in other.steps], rel=1e-12
    )
