"""An option of a question, and how the shell, R and Python write what it does.

The fields of a question's record are its options: the type is that of the value, the default that
of every face. In the text an option is named in backticks and a word that is a value in quotes;
each face writes them in its own way. No library is loaded here, so that the shell answers at once.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from inspect import get_annotations
from types import MappingProxyType, UnionType
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Union, get_args, get_origin

from hetsel.ground.errors import PYTHON_NAMES

FACES = ("Python", "shell", "R", "plan")
METAVARS = {int: "N", str: "NAME"}
KINDS_OF_TARGET = {"classes": "classes", "numbers": "numbers", "survival": "survival times"}


class Columns(list[str]):
    """Columns of the table: in the shell by name, and an option may be given several times."""

    metavar = "A,B"
    documented = "sequence of column names or positions, or a logical value for each column"


class Texts(list[str]):
    """Texts: in the shell an option that may be given several times."""

    documented = "str or sequence of str"


class Words(str):
    """A word, or several: in the shell between commas."""

    documented = "str or sequence of str"
    metavar = "A,B"


class PerRow(str):
    """A value for each row: in the shell the name of a column."""

    metavar = "COLUMN"
    documented = "array-like of shape (n,)"


class Label(str):
    """A label of a class, in its own type."""

    documented = "label"


class File(str):
    """A path."""

    metavar = "FILE"
    documented = "path"


class Reals(list[float]):
    """Numbers: in the shell between commas."""

    documented = "float or sequence of float"


class Shares(dict[str, float]):
    """Shares by class: in the shell A=0.1,B=0.9."""

    documented = "mapping of label to float"


class Costs(dict[str, float]):
    """Costs by column: in the shell an option that may be given several times."""

    metavar = "A=1,B=2"
    documented = "mapping of column to number, or sequence of p numbers"


class Params(dict[str, Any]):
    """Parameters by name: in the shell an option that may be given several times."""

    metavar = "NAME=VALUE"
    documented = "mapping of name to value"


class Option(NamedTuple):
    """What an option does, beside the type of its field.

    Parameters
    ----------
    text : str
        Lower case, without a full stop.
    default : object
        ... where a value is needed.
    metavar : str
        What the shell's help calls its value, where its type does not say it.
    also : tuple of str
        Further names in the shell, before its own where that is not among them.
    shell, r : str
        The text of the shell, or of R, where the value is another thing there.
    lacks : mapping of face to str
        The faces that do not have it, each with the reason.
    targets : tuple of str
        The kinds of target that it means something for; empty are all of them.
    documented : str
        The type in docstrings, where that of the field does not say it.
    in_r : str
        The default as R writes it, where it is another one there.
    positional : bool
        Whether the shell knows it by its place.
    """

    text: str
    default: Any = None
    metavar: str = ""
    also: tuple[str, ...] = ()
    shell: str = ""
    r: str = ""
    lacks: Mapping[str, str] = MappingProxyType({})
    targets: tuple[str, ...] = ()
    documented: str = ""
    in_r: str = ""
    positional: bool = False


option: Callable[..., Any] = Option  # the default of a field, whose type is that of the value


class Question:
    """A record of options: those of its bases, and its own.

    Parameters
    ----------
    heading : str
        What its own options stand under in the shell's help.
    lacks : str by face
        Why a face has none of these options, and none of those of its bases.
    """

    heading: ClassVar[str]
    lacks: ClassVar[Mapping[str, str]]

    def __init_subclass__(cls, heading: str = "", **lacks: str) -> None:
        cls.heading, cls.lacks = heading, lacks


class AskedOption(NamedTuple):
    """An option of a question: its name, the types of its value and what it does.

    Parameters
    ----------
    name : str
    kind : type
    option : Option
    heading : str
        What it stands under in the shell's help: that of the record that has it first.
    lacks : mapping of face to str
        The faces that do not have it in this question, each with the reason.
    """

    name: str
    kind: Any
    option: Option
    heading: str
    lacks: Mapping[str, str]

    @property
    def default(self) -> Any:
        """The default, ... where a value is needed."""
        return self.option.default

    @property
    def kinds(self) -> tuple[Any, ...]:
        """The types that a value may have, each without annotations."""
        return tuple(_flat(self.kind))

    @property
    def metavar(self) -> str:
        """What the shell's help calls its value."""
        of_type: str = getattr(self.kinds[0], "metavar", METAVARS.get(self.kinds[0], ""))
        return self.option.metavar or of_type

    @property
    def words(self) -> tuple[str, ...]:
        """The legal words, of a choice of words."""
        return next((get_args(kind) for kind in self.kinds if get_origin(kind) is Literal), ())

    @property
    def title(self) -> str:
        """What an error says that a value must be; empty where the type says it."""
        return next(_titles(self.kind), "")


def _titles(kind: Any) -> Iterator[str]:
    if get_origin(kind) is Annotated:
        yield from (note for note in get_args(kind)[1:] if isinstance(note, str))
    elif get_origin(kind) in (Union, UnionType):
        for part in get_args(kind):
            yield from _titles(part)


def _flat(kind: Any) -> Iterator[Any]:
    if get_origin(kind) is Annotated:
        yield from _flat(get_args(kind)[0])
    elif get_origin(kind) in (Union, UnionType):
        for part in get_args(kind):
            yield from _flat(part)
    else:
        yield kind


def asked_by(record: type[Question]) -> list[AskedOption]:
    """The options of a question, in their order."""
    found: dict[str, AskedOption] = {}
    ancestors = (base for base in reversed(record.__mro__) if issubclass(base, Question))
    bases = [base for base in ancestors if base is not Question]
    for base in bases:
        for name, kind in get_annotations(base).items():
            heading = found[name].heading if name in found else base.heading
            found[name] = AskedOption(name, kind, vars(base)[name], heading, {})
    return [one._replace(lacks=_lacks(one, bases)) for one in found.values()]


def _lacks(asked: AskedOption, bases: list[type[Question]]) -> dict[str, str]:
    """The faces that do not have an option: by the records that have it, and by itself."""
    lacks: dict[str, str] = {}
    for base in bases:
        lacks |= base.lacks if hasattr(base, asked.name) else {}
    return lacks | dict(asked.option.lacks)


def asked_in(record: type[Question], face: str) -> list[AskedOption]:
    """The options of a question that a face has."""
    return [one for one in asked_by(record) if face not in one.lacks]


def python_name(name: str) -> str:
    """The name of an option in Python."""
    return PYTHON_NAMES.get(name, name)


def flag(name: str) -> str:
    """The name of an option in the shell."""
    return f"--{name.replace('_', '-')}"


def in_shell(text: str) -> str:
    """A text as the help of the shell has it: options by their flags, words as they are typed."""
    text = re.sub(r"`(\w+)`", lambda name: flag(name[1]), text)
    return re.sub(r'"([\w.-]+)"', r"\1", text).replace("%", "%%")


def in_r(text: str) -> str:
    """A text as a manual page of R has it."""
    text = re.sub(r"`hetsel (\w+)`", r"\\code{\\link{hetsel_\1}}", text.replace("%", r"\%"))
    text = re.sub(r"`(\w+)`", r"\\code{\1}", text)
    return re.sub(r'("[\w.-]+")', r"\\code{\1}", text).replace("R^2", "R squared")


def in_docstring(text: str) -> str:
    """A text as a docstring has it: a sentence."""
    text = re.sub(r"`(\w+)`", lambda name: f"`{python_name(name[1])}`", text)
    return f"{text[0].upper()}{text[1:]}."
