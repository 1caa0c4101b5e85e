"""Parameters of a wrong type end in one sentence, whatever the method."""

from dataclasses import fields

import numpy as np
import pytest
from frames import mixed_frame
from test_conformance import fitting

from hetsel import Ranking, SubsetSearch, get_method, method_keys
from hetsel.ground.errors import TableError
from hetsel.selection import About, BaseSelector
from hetsel.selection.base import SHARED

WRONG = ("abc", [1], {}, True, float("nan"))
METHODS = [
    SubsetSearch,
    *[method for method in map(get_method, method_keys()) if "r" not in method.about.requires],
]


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_every_number_refuses_what_is_none(method):
    frame, y = mixed_frame(30, 2, 2)
    if method is not SubsetSearch:
        frame = fitting(method.__module__.rpartition(".")[2].replace("_", "-"), frame)
    for field in fields(method):
        if field.name in SHARED or field.type not in ("int", "float", "int | None", "float | None"):
            continue
        what = "a whole number" if field.type.startswith("int") else "a number"
        for value in WRONG:
            selector = method(**{**method.about.trial, field.name: value})
            with pytest.raises(TableError, match=f"^{field.name} must be {what}.*. Got "):
                selector.fit(frame, y)


@pytest.mark.seconds
@pytest.mark.parametrize("method", METHODS)
def test_whole_floats_are_whole_numbers_and_whole_numbers_are_numbers(method):
    frame, y = mixed_frame(30, 2, 2)
    if method is not SubsetSearch:
        frame = fitting(method.__module__.rpartition(".")[2].replace("_", "-"), frame)
    given = {"random_state": 1, "size": 2, **method.about.trial}
    for field in fields(method):
        if type(field.default) in (int, float) and field.name not in given:
            given[field.name] = field.default
    if method.about.trial == {} and "max_evaluations" in given:
        given["max_evaluations"] = 30
    other = {}
    for name, value in given.items():
        if type(value) is int:
            other[name] = float(value)
        elif type(value) is float and value.is_integer():
            other[name] = int(value)
        else:
            other[name] = value
    one, two = method(**given).fit(frame, y), method(**other).fit(frame, y)
    np.testing.assert_array_equal(one.get_support(), two.get_support())
    assert two.get_params(deep=False).items() >= other.items()
    assert all(type(two.get_params(deep=False)[name]) is type(other[name]) for name in other)


def test_types_are_declared_by_annotations_alone():
    class Declares(BaseSelector):
        number: float = 1.0
        whole: int | None = None
        flag: bool = False
        anything: object = None

        about = About("declares")

        def _select(self, problem):
            return Ranking.from_importance(np.ones(problem.p))

    frame, y = mixed_frame(20, 2, 0)
    Declares(number=2, whole=np.int64(3), flag=np.True_, anything={}).fit(frame, y)
    Declares(number=np.float32(2), anything="abc").fit(frame, y)
    with pytest.raises(TableError, match="whole must be a whole number or None. Got 2.5"):
        Declares(whole=2.5).fit(frame, y)
    with pytest.raises(TableError, match="flag must be True or False. Got 1"):
        Declares(flag=1).fit(frame, y)


@pytest.mark.parametrize(
    ("option", "value"),
    [("ties", "abc"), ("ties", {}), ("column_groups", [1]), ("archive", 5), ("progress", "x")],
)
def test_options_of_a_search(option, value):
    frame, y = mixed_frame(20, 3, 0)
    with pytest.raises(TableError, match=f"{option} must be"):
        SubsetSearch(**{option: value}).fit(frame, y)
