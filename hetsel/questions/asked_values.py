"""The values of a question's options, read and checked by their types."""

from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

from msgspec import Meta

from hetsel.ground.entry_reading import check_keys, read
from hetsel.questions.option import Asked, Question, asked_by

Record = TypeVar("Record", bound=Question)


def read_asked(record: type[Record], given: Mapping[str, Any]) -> Record:
    """The options as they were given, None being not given, checked by their types.

    Raises
    ------
    PlanError
        No such option, or a value that its type refuses.
    """
    asked = {one.name: one for one in asked_by(record)}
    check_keys("the call", given, asked)
    said = {name: value for name, value in given.items() if value is not None}
    return record(**{name: read(name, value, _kind(asked[name])) for name, value in said.items()})


def _kind(asked: Asked) -> Any:
    return Annotated[asked.kind, Meta(title=asked.title)] if asked.title else asked.kind
