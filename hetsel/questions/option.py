"""Define the options of a question once, for the shell, R, Python and plans.

The fields of a question's record are its options. The type of a field is the type of the value; its
default is the default in all interfaces. A text names an option in backticks and puts a literal
value in quotation marks; each interface formats both in its own way. This module loads no library,
so that the shell answers without delay.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from inspect import get_annotations
from types import MappingProxyType, UnionType
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Union, get_args, get_origin

from hetsel.ground.errors import PYTHON_NAMES

FACES = ("Python", "shell", "R", "plan")
METAVARS = {int: "N", str: "NAME"}
KINDS_OF_TARGET = {
    "classes": "classes",
    "numbers": "numeric targets",
    "survival": "survival times",
}


class Columns(list[str]):
    """Columns of the table; the shell takes their names, and takes the option several times."""

    metavar = "COLUMN,..."
    documented = "sequence of column names or positions, or a logical value for each column"


class Texts(list[str]):
    """Several texts; the shell takes the option several times."""

    documented = "str or sequence of str"


class Words(str):
    """One word or several; the shell takes them separated by commas."""

    documented = "str or sequence of str"
    metavar = "KEY,..."


class PerRow(str):
    """One value per row; the shell takes the name of a column."""

    metavar = "COLUMN"
    documented = "array-like of shape (n,)"


class Label(str):
    """The label of a class, in its original type."""

    documented = "label"


class File(str):
    """A path."""

    metavar = "FILE"
    documented = "path"


class Reals(list[float]):
    """Several numbers; the shell takes them separated by commas."""

    documented = "float or sequence of float"


class Shares(dict[str, float]):
    """A proportion per class; the shell takes A=0.1,B=0.9."""

    documented = "mapping of label to float"


class Costs(dict[str, float]):
    """A cost per column; the shell takes the option several times."""

    metavar = "COLUMN=COST,..."
    documented = "mapping of column to number, or sequence of p numbers"


class Params(dict[str, Any]):
    """Parameters by name; the shell takes the option several times."""

    metavar = "NAME=VALUE"
    documented = "mapping of name to value"


class Option(NamedTuple):
    """Describe an option; its field has the type of the value.

    Parameters
    ----------
    text : str
        One or two sentences with a full stop.
    default : object
        Default value; ... for an option that is required.
    metavar : str
        Placeholder of the value in the help of the shell; empty: from the type.
    also : tuple of str
        Further names in the shell, before the name of the field unless it is among them.
    shell, r : str
        Text for the shell or for R, where the option takes another value there.
    lacks : mapping of interface to str
        Interfaces without this option, each with the reason.
    targets : tuple of str
        Kinds of target to which the option applies; empty: all.
    documented : str
        Type in docstrings; empty: from the type of the field.
    in_r : str
        Default in R, where it differs.
    positional : bool
        Whether the shell takes the value as a positional argument.
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


option: Callable[..., Any] = (
    Option  # typed as Any, since it stands where a default of the type of the field is expected
)


class Question:
    """Collect the options of a question, with the options of the base classes.

    Parameters
    ----------
    heading : str
        Heading of the options of this class in the help of the shell.
    lacks : str by interface
        Why an interface has none of these options, including those of the base classes.
    """

    heading: ClassVar[str]
    lacks: ClassVar[Mapping[str, str]]

    def __init_subclass__(cls, heading: str = "", **lacks: str) -> None:
        cls.heading, cls.lacks = heading, lacks


class AskedOption(NamedTuple):
    """Hold an option of a question with its name and type.

    Parameters
    ----------
    name : str
    kind : type
    option : Option
    heading : str
        Heading in the help of the shell, from the first record that has the option.
    lacks : mapping of interface to str
        Interfaces without the option in this question, each with the reason.
    """

    name: str
    kind: Any
    option: Option
    heading: str
    lacks: Mapping[str, str]

    @property
    def default(self) -> Any:
        """Return the default; ... for an option that is required."""
        return self.option.default

    @property
    def kinds(self) -> tuple[Any, ...]:
        """Return the types that a value may have, without annotations."""
        return tuple(_flat(self.kind))

    @property
    def metavar(self) -> str:
        """Return the placeholder of the value in the help of the shell."""
        of_type: str = getattr(self.kinds[0], "metavar", METAVARS.get(self.kinds[0], ""))
        return self.option.metavar or of_type

    @property
    def words(self) -> tuple[str, ...]:
        """Return the legal words of a choice of words."""
        return next((get_args(kind) for kind in self.kinds if get_origin(kind) is Literal), ())

    @property
    def title(self) -> str:
        """Return what an error states that a value must be; empty: from the type."""
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
    """Return the options of a question in their order."""
    found: dict[str, AskedOption] = {}
    ancestors = (base for base in reversed(record.__mro__) if issubclass(base, Question))
    bases = [base for base in ancestors if base is not Question]
    for base in bases:
        for name, kind in get_annotations(base).items():
            heading = found[name].heading if name in found else base.heading
            found[name] = AskedOption(name, kind, vars(base)[name], heading, {})
    return [one._replace(lacks=_lacks(one, bases)) for one in found.values()]


def _lacks(asked: AskedOption, bases: list[type[Question]]) -> dict[str, str]:
    """Return the interfaces without an option, by its records and by the option."""
    lacks: dict[str, str] = {}
    for base in bases:
        lacks |= base.lacks if hasattr(base, asked.name) else {}
    return lacks | dict(asked.option.lacks)


def asked_in(record: type[Question], face: str) -> list[AskedOption]:
    """Return the options of a question in an interface."""
    return [one for one in asked_by(record) if face not in one.lacks]


def python_name(name: str) -> str:
    """Return the name of an option in Python."""
    return PYTHON_NAMES.get(name, name)


def flag(name: str) -> str:
    """Return the name of an option in the shell."""
    return f"--{name.replace('_', '-')}"


def in_shell(text: str) -> str:
    """Format a text for the help of the shell: flags for options, values without quotes."""
    text = re.sub(r"`(\w+)`", lambda name: flag(name[1]), text)
    return re.sub(r'"([\w.-]+)"', r"\1", text).replace("%", "%%")


def in_r(text: str) -> str:
    """Format a text for a manual page of R."""
    text = re.sub(r"`hetsel (\w+)`", r"\\code{\\link{hetsel_\1}}", text.replace("%", r"\%"))
    text = re.sub(r'`([^`]+)`|("[\w.-]+")', lambda one: rf"\code{{{one[1] or one[2]}}}", text)
    return text.replace("R^2", "R squared")


def in_docstring(text: str) -> str:
    """Format a text for a docstring: options by their names in Python."""
    return re.sub(r"`(\w+)`", lambda name: f"`{python_name(name[1])}`", text)
