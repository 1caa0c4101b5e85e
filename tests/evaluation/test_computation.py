"""Failures as text: one line and a traceback of a sane length, whatever the error is."""

import pytest
from study.studies import Base, NoText

from hetsel.evaluation.computation import (
    LINE,
    TRACE,
    CellFailure,
    in_a_line,
    reason_and_trace,
    shorten_text,
)
from hetsel.ground.errors import TableError


def raised(error):
    try:
        raise error
    except BaseException as reason:
        return reason_and_trace(reason)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ValueError("one\ntwo"), "one"),
        (ValueError(), "(without a message)"),
        (SystemExit(3), "3"),
        (Base("base"), "base"),
        (NoText(None), "(an error whose text raises ValueError)"),
        (ValueError("a \udc80 b \x00 c"), "a \\udc80 b \\x00 c"),
    ],
)
def test_every_error_can_be_told(error, reason):
    told, trace, kind = raised(error)
    assert (told, kind) == (reason, type(error).__name__)
    assert kind in trace
    assert (told + trace).encode().find(b"\x00") == -1


def test_long_texts_are_cut():
    told, trace, _ = raised(ValueError("x" * 10**7))
    assert len(told) < LINE + 50
    assert len(trace) < TRACE + 50
    assert trace.startswith("Traceback")
    assert "(10000000 characters)" in told
    assert shorten_text("\ud800" * 10, 10) == "\\ud800" * 10
    assert in_a_line(" a\n\tb ") == "a b"


def test_an_error_that_is_its_own_cause_and_one_that_cannot_be_formatted():
    error = ValueError("own")
    error.__cause__ = error
    assert raised(error)[0] == "own"

    class Strange(Exception):
        @property
        def __notes__(self):
            raise SystemExit

    told, trace, kind = raised(Strange("odd"))
    assert (told, kind) == ("odd", "Strange")
    assert "Strange" in trace


def test_only_an_error_of_another_package_is_named_where_people_read():
    own, other = (CellFailure("k", *raised(kind("why"))) for kind in (TableError, OSError))
    assert (own.sentence, other.sentence) == ("why", "OSError: why")
