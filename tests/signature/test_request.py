"""What a signature is asked for."""

import numpy as np
import pytest
from frames import mixed_frame

from hetsel import Signature
from hetsel.ground.errors import TableError
from hetsel.signature import request
from hetsel.signature.request import procedure_of


def efforts(rows, **asked):
    procedure = procedure_of(Signature(**asked), ["a", "b"], "classes", rows)
    return procedure.folds, procedure.runs, procedure.permutations, procedure.pairs


def test_what_is_not_said_is_what_suits_the_rows():
    assert efforts(5_000) == (10, 3, None, 50)
    assert efforts(5_001) == (5, 1, None, 20)
    assert efforts(5_001, folds=7, permutations=0) == (7, 1, 0, 20)
    assert efforts(10, repeats=2, pairs=0) == (10, 2, None, 0)
    assert efforts(10, quick=True) == (10, 1, 0, 0)
    assert efforts(10, quick=True, repeats=2, permutations=99, pairs=5) == (10, 2, 99, 5)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"folds": 2}, "folds must be a whole number, 3 or larger. Got 2"),
        ({"repeats": 1.5}, "repeats must be a whole number, 1 or larger. Got 1.5"),
        ({"permutations": 38}, "0 \\(no test\\) or at least 39"),
        ({"quick": "yes"}, "quick must be True or False. Got 'yes'"),
        ({"pairs": True}, "pairs must be a whole number, 0 or larger. Got True"),
    ],
)
def test_what_cannot_be_is_refused(asked, said):
    with pytest.raises(TableError, match=said):
        efforts(100, **asked)


@pytest.mark.seconds
def test_rows_without_weight_do_not_count(monkeypatch):
    frame, y = mixed_frame(90, 3, 0, seed=1)
    weights = np.where(np.arange(90) < 60, 1.0, 0.0)
    monkeypatch.setattr(request, "ROWS_WORTH_BINNING", 60)
    asked = {"method": "rfe-svm", "size": 2, "folds": 3, "repeats": 1, "permutations": 0}
    whole = Signature(**asked).fit(frame, y, weights)
    assert len(whole.selected_) == 100
    assert len(Signature(**asked).fit(frame, y).selected_) == 40
