"""Features that are always in a signature: in every part of it, and in no count of selections."""

import numpy as np
import pytest
from frames import mixed_frame

from hetsel import get_method
from hetsel.ground.errors import TableError
from hetsel.signature.estimator import Signature
from hetsel.statistics.stability.measures_of_stability import kuncheva
from hetsel.words.signature_sentences import features

QUICK = {"method": "rfe-svm", "folds": 3, "repeats": 1, "permutations": 39, "pairs": 10}


@pytest.fixture(scope="module")
def table():
    return mixed_frame(80, 4, 3, seed=2)


@pytest.fixture(scope="module")
def asked_of():
    """What every selection of a signature was asked for: its answers."""
    return []


@pytest.fixture(scope="module")
def found(table, asked_of):
    kind = get_method("rfe-svm")
    solve = kind.solve

    def watched(self, problem):
        answer = solve(self, problem)
        asked_of.append((problem.table.names, answer))
        return answer

    kind.solve = watched
    try:
        return Signature(**QUICK, always=["c3", "n2"]).fit(*table)
    finally:
        kind.solve = solve


@pytest.mark.slow
def test_every_selection_of_it_has_them(found, asked_of):
    own = [answer for names, answer in asked_of if "c3" in names]
    halves, whole, permutations = 20, 1, 39
    assert len(own) > halves + whole + permutations
    for answer in own:
        assert {3, 6} == set(answer.signature(2).tolist())
    assert found.always_ == ("c3", "n2")
    assert {"c3", "n2"} <= set(found.features_)
    assert min(found.sizes_.sizes) == 2


@pytest.mark.slow
def test_stability_and_false_selections_are_those_of_the_others(found, table):
    frame, _ = table
    free = [j for j, name in enumerate(frame) if name not in ("c3", "n2")]
    assert found.selected_[:, [3, 6]].all()
    pairs = found.selected_[:, free].reshape(-1, 2, len(free))
    assert found.stability_ == pytest.approx(np.mean([kuncheva(pair) for pair in pairs]))
    if found.half_samples_ is not None:
        assert not {"c3", "n2"} & set(found.half_samples_.names)
        assert found.half_samples_.size == found.size_ - 2
    assert not {"c3", "n2"} & set(found.alternatives_["feature"])
    assert "Always included, as requested" in features(found.facts())
    assert found.facts().always == ["c3", "n2"]


def test_the_signature_may_hold_nothing_else_and_nothing_less(table):
    options = {**QUICK, "permutations": 0}
    found = Signature(**options, size=2, always=["n2", "c3"]).fit(*table)
    assert set(found.features_) == {"c3", "n2"}
    assert found.stability_ is None
    assert found.performance_ is not None
    with pytest.raises(
        TableError, match="size must be at least 2, since n2, c3 are always included. Got 1"
    ):
        Signature(**options, size=1, always=["n2", "c3"]).fit(*table)
    with pytest.raises(TableError, match="always: the table has no column 'age'"):
        Signature(**options, always="age").fit(*table)


def test_they_may_stand_among_the_parameters_of_the_method(table):
    options = {**QUICK, "permutations": 0, "size": 3}
    method = {"key": "rfe-svm", "params": {"always": ["c3"]}}
    inside = Signature(**{**options, "method": method}).fit(*table)
    beside = Signature(**options, always=[3]).fit(*table)
    assert inside.features_ == beside.features_
    np.testing.assert_array_equal(inside.selected_, beside.selected_)


def test_a_method_for_some_kinds_selects_among_its_own(table):
    frame, y = table
    method = {"key": "anova-f", "params": {"unsupported": "skip"}}
    options = {**QUICK, "method": method, "permutations": 0}
    found = Signature(**options, always=["n1"]).fit(frame, y)
    assert set(found.features_) <= {"c0", "c1", "c2", "c3", "n1"}
    assert "n1" in found.features_
    known = np.isfinite(found.sizes_.means)
    assert np.array(found.sizes_.sizes)[known].tolist() == [1, 2, 3, 4, 5]
