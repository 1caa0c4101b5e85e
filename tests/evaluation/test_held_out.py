"""The held-out loop: who learns, who is predicted, and what neither of them has a part in."""

import numpy as np
import pytest
from frames import mixed_frame
from study.studies import whole

from hetsel import Table
from hetsel.evaluation.by_key.judges_by_key import ClassifierSpec
from hetsel.evaluation.by_key.methods_by_key import MethodSpec
from hetsel.evaluation.data.data_entry import DataSpec
from hetsel.evaluation.data.encoded_data import prepare
from hetsel.evaluation.data.train_and_test_rows import train_and_test
from hetsel.evaluation.held_out import held_out
from hetsel.ground.errors import TableError
from hetsel.methods.registry import get_method
from hetsel.models.final_classifiers import classify
from hetsel.models.train_test_arrays import Split
from hetsel.resampling.resampling_entry import Resamplings
from hetsel.selection import Problem
from hetsel.study.cell import Recipe
from hetsel.tables import Classes

X, y = mixed_frame(n=80, continuous=3, nominal=1)
SVM = ClassifierSpec.of("classifier", "clinical-svm")
FEW = {
    "drawn": Resamplings(count=2, train_count=30, test_count=20),
    "time-ordered": Resamplings(count=3, kind="time-ordered"),
}


@pytest.mark.parametrize("kind", FEW)
def test_rows_that_are_neither_drawn_nor_tested_have_no_part_in_a_cell(kind):
    """They may be of a later time, or more than a plan asks for."""
    given = {"order": np.arange(80)} if kind == "time-ordered" else {}
    data = prepare(DataSpec(name="d", X=X[["c0", "c1", "c2"]], y=y, **given))
    recipe = Recipe(MethodSpec.of("method", "anova-f"), (2,), (SVM,), FEW[kind], 0)
    learning, test, _ = train_and_test(data, FEW[kind], 0, 1)
    assert len(learning) + len(test) < 80
    found = whole(recipe.run(data, 1, ""))
    assert found.test.tolist() == test.tolist()
    table = Table.read(X[["c0", "c1", "c2"]].iloc[learning])
    answer = get_method("anova-f")().solve(Problem(table, Classes.of(y[learning]), ()))
    assert found.order.tolist() == answer.order.tolist()
    split = Split.of(table, data.table.take(rows=test), Classes.of(y[learning]).codes)
    subsets = [answer.signature(2)]
    values = classify("clinical-svm", split, subsets, seed=0, params=dict(SVM.params))
    assert np.allclose(np.abs(found.decisions[0, 0]), np.abs(values[0]), atol=1e-9)


def test_a_size_that_the_answer_lacks_is_predicted_by_nobody():
    data = prepare(DataSpec(name="d", X=X, y=y))
    rows = np.arange(80) % 4 == 0
    found = held_out(get_method("univariate-tests")(), data.problem(), rows, (1, 9), [SVM])
    assert list(found.subsets) == [0]
    assert (found.predicted[0, 0] >= 0).all()
    assert (found.predicted[0, 1] == -1).all()
    assert np.isnan(found.decisions[0, 1]).all()


def test_training_rows_of_one_class_are_refused():
    data = prepare(DataSpec(name="d", X=X, y=y))
    with pytest.raises(TableError, match="the training rows hold"):
        held_out(get_method("variance")(), data.problem(), y == y[0], (1,), [SVM])
