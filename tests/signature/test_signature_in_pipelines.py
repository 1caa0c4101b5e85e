"""A signature as a step of a pipeline: the columns that it gives on, and their names."""

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from hetsel import Signature, Table
from hetsel.ground.errors import TableError

QUICK = {"method": "rfe-svm", "folds": 3, "repeats": 1, "permutations": 0, "pairs": 0, "size": 2}


@pytest.fixture(scope="module")
def table():
    return mixed_frame(60, 3, 2, seed=1)


@pytest.fixture(scope="module")
def found(table):
    return Signature(**QUICK).fit(*table)


def test_the_columns_of_a_frame_keep_their_kinds_and_the_order_of_the_table(found, table):
    frame, _ = table
    given = found.transform(frame)
    own = [name for name in frame if name in found.features_]
    assert found.get_feature_names_out().tolist() == own
    pd.testing.assert_frame_equal(given, frame[own])
    assert [frame.columns[j] for j in found.get_support(indices=True)] == own
    assert found.get_support().sum() == 2


def test_a_table_stays_one_and_another_output_is_that_which_is_asked_for(found, table):
    frame, y = table
    assert found.transform(Table.read(frame)).names == [*found.get_feature_names_out()]
    numbers = frame[["c0", "c1", "c2"]].fillna(0.0).to_numpy()
    alone = Signature(**QUICK).fit(numbers, y)
    np.testing.assert_array_equal(alone.transform(numbers), numbers[:, alone.get_support()])
    asked = Signature(**QUICK).set_output(transform="pandas").fit(numbers, y)
    assert asked.transform(numbers).columns.tolist() == asked.get_feature_names_out().tolist()
    back = alone.inverse_transform(alone.transform(numbers))
    assert (back[:, ~alone.get_support()] == 0).all()
    with pytest.raises(TableError, match="must have the 2 selected columns"):
        alone.inverse_transform(numbers)


def test_it_is_a_step_before_a_classifier(table):
    frame, y = table
    numbers = frame[["c0", "c1", "c2"]].fillna(0.0)
    steps = make_pipeline(Signature(**QUICK), StandardScaler(), LogisticRegression())
    fitted = steps.fit(numbers, y)
    assert fitted[-1].n_features_in_ == 2
    own = Signature(**QUICK).fit(numbers, y).transform(numbers)
    alone = make_pipeline(StandardScaler(), LogisticRegression()).fit(own, y)
    np.testing.assert_allclose(fitted.predict_proba(numbers), alone.predict_proba(own))


def test_what_is_not_fitted_gives_no_columns(table):
    with pytest.raises(NotFittedError):
        Signature().transform(table[0])
