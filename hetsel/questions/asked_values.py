"""Read the values of a question's options and check their types."""

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta

from hetsel.ground.plan_entries import check_keys, read_value
from hetsel.questions.option import AskedOption, Question, asked_by


def read_asked(record: type[Question], given: Mapping[str, Any]) -> dict[str, Any]:
    """Check the options by their types and add the defaults; None counts as not specified.

    Raises
    ------
    PlanError
        An unknown option, or a value of the wrong type.
    """
    asked = {one.name: one for one in asked_by(record)}
    check_keys("the call", given, asked)
    said = {name: value for name, value in given.items() if value is not None}
    values = {name: read_value(name, value, _kind(asked[name])) for name, value in said.items()}
    return {name: values.get(name, one.default) for name, one in asked.items()}


def _kind(asked: AskedOption) -> Any:
    return Annotated[asked.kind, Meta(title=asked.title)] if asked.title else asked.kind
