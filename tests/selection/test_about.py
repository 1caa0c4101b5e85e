"""What a method knows about itself, and who says so."""

from dataclasses import FrozenInstanceError, fields
from typing import get_args

import pytest

from hetsel import get_method, method_keys
from hetsel.methods.registry import family_of
from hetsel.selection import About
from hetsel.selection.about import KINDS
from hetsel.tables import TargetKind


def test_a_title_is_enough():
    about = About("columns as they come")
    assert about.takes == KINDS == ("continuous", "ordinal", "nominal")
    assert about.targets == ("classes",)
    assert (about.revision, about.draws, about.requires, about.trial) == (1, False, (), {})
    assert about == About("columns as they come")
    with pytest.raises(FrozenInstanceError):
        about.title = "another"


@pytest.mark.parametrize("key", method_keys())
def test_what_the_methods_say_is_legal(key):
    method = get_method(key)
    about = method.about
    assert about.title
    assert about.title[-1] != "."
    assert about.takes
    assert {*about.takes, *about.takes_otherwise} <= set(KINDS)
    assert about.targets
    assert about.targets == tuple(kind for kind in get_args(TargetKind) if kind in about.targets)
    assert set(about.why_not) <= set(get_args(TargetKind)) - set(about.targets)
    assert about.revision >= 1
    assert set(about.trial) <= set(method().get_params())
    assert family_of(method) in ("filters", "embedded", "wrappers")
    for field in fields(About):
        if field.name == "cost":  # none by default: tests/selection/test_cost.py
            continue
        assert type(getattr(about, field.name)) is type(getattr(About("", trial={}), field.name))


def test_what_is_approximate_for_survival_times_is_said_where_methods_are_listed():
    about = get_method("sffs-ridge").about
    assert "approximate for survival times" in about.line
