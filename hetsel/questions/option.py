"""An option of a question, and how the shell, R and Python write what it does.

The fields of a question's record are its options: the type is that of the value, the default that
of every face. In the text an option is named in backticks and a word that is a value in quotes;
each face writes them in its own way.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from hetsel.ground.entry_reading import check_keys, read


@dataclass(frozen=True)
class Option:
    """What an option does, beside the type of its field.

    Parameters
    ----------
    text : str
        Lower case, without a full stop.
    group : str
        The heading that it stands under in the shell's help.
    metavar : str
        What the shell's help calls its value.
    also : tuple of str
        Further names in the shell.
    """

    text: str
    group: str
    metavar: str = ""
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class Asked:
    """An option of a question: its name, the types of its value, its default and what it does."""

    name: str
    kind: Any
    default: Any
    option: Option

    @property
    def kinds(self) -> tuple[Any, ...]:
        """The types that a value may have, each without annotations."""
        return tuple(_flat(self.kind))

    @property
    def words(self) -> tuple[str, ...]:
        """The legal words, of a choice of words."""
        return next((get_args(kind) for kind in self.kinds if get_origin(kind) is Literal), ())


def _flat(kind: Any) -> Iterator[Any]:
    if get_origin(kind) is Annotated:
        yield from _flat(get_args(kind)[0])
    elif get_origin(kind) in (Union, UnionType):
        for part in get_args(kind):
            yield from _flat(part)
    else:
        yield kind


def asked_by(record: type[msgspec.Struct]) -> list[Asked]:
    """The options of a question, in their order."""
    hints = get_type_hints(record, include_extras=True)
    every = []
    for field in msgspec.structs.fields(record):
        kind, *notes = get_args(hints[field.name])
        option = next(note for note in notes if isinstance(note, Option))
        every.append(Asked(field.name, kind, field.default, option))
    return every


Record = TypeVar("Record", bound=msgspec.Struct)


def read_asked(record: type[Record], given: Mapping[str, Any]) -> Record:
    """The options as they were given, None being not given, checked by their types.

    Raises
    ------
    PlanError
        No such option, or a value that its type refuses.
    """
    check_keys("the call", given, record.__struct_fields__)
    said = {name: value for name, value in given.items() if value is not None}
    kinds = {option.name: option.kind for option in asked_by(record)}
    return record(**{name: read(name, value, kinds[name]) for name, value in said.items()})


def in_shell(text: str) -> str:
    """A text as the help of the shell has it: options by their flags, words as they are typed."""
    text = re.sub(r"`(\w+)`", lambda name: f"--{name[1].replace('_', '-')}", text)
    return re.sub(r'"([\w-]+)"', r"\1", text).replace("%", "%%")


def in_r(text: str) -> str:
    """A text as a manual page of R has it."""
    text = re.sub(r"`(\w+)`", r"\\code{\1}", text)
    return (
        re.sub(r'("[\w-]+")', r"\\code{\1}", text).replace("%", r"\%").replace("R^2", "R squared")
    )


def in_docstring(text: str) -> str:
    """A text as a docstring has it: a sentence."""
    return f"{text[0].upper()}{text[1:]}."
