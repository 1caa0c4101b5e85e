"""Problems: what a method is given."""

import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from hetsel import Schema
from hetsel.selection import Problem
from hetsel.tables import Classes

X = np.arange(12.0).reshape(4, 3)


def problem(seed=0):
    return Problem(Schema.infer(X).encode(X), Classes.of([0, 0, 1, 1]), (2,), seed)


def draws(rng):
    return rng.random(4).tolist()


def test_its_shape():
    assert (problem().n, problem().p) == (4, 3)
    assert problem().weights is None
    assert problem().groups is None


def test_a_stream_is_drawn_alike_each_time_and_apart_from_the_others():
    streams = [(), (0,), (1,), (2,), (1, 0), (1, 1)]
    first = [draws(problem(7).rng(*stream)) for stream in streams]
    assert first == [draws(problem(7).rng(*stream)) for stream in streams]
    assert len(set(map(tuple, first))) == len(streams)
    assert draws(problem(8).rng(1)) not in first


def test_the_seed_is_that_of_numpy():
    assert draws(problem(7).rng()) == draws(np.random.default_rng(7))
    (*_, third) = np.random.SeedSequence(7).spawn(3)
    assert draws(problem(7).rng(2)) == draws(np.random.default_rng(third))


def test_nothing_of_it_can_be_changed():
    for it in (problem(), pickle.loads(pickle.dumps(problem()))):
        with pytest.raises(FrozenInstanceError):
            it.seed = 3
        with pytest.raises(ValueError, match="read-only"):
            it.table.values[0, 0] = 1.0
        with pytest.raises(ValueError, match="read-only"):
            it.target.codes[0] = 1
