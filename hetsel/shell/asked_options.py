"""Add the options of a question to the parser of a command."""

import argparse
import ast
from collections.abc import Callable
from typing import Any, get_origin

from hetsel.questions import option as declared

HEADINGS = (  # in the order of the help
    *("target", "kinds of columns", "reading the file", "values", "rows"),
    *("expected study", "goals", "learning curve, with a table", "method"),
    *("search", "signature", "signature, with a table", "constraints on features"),
    *("probabilities and subgroups", "limits", "computation"),
    "output",
)
# options that a command takes several times
SEVERAL = (declared.Columns, declared.Texts, declared.Costs, declared.Params)


def add_asked(command: argparse.ArgumentParser, record: type[declared.Question]) -> None:
    """Add the options of a question to a parser, under their headings."""
    every = declared.asked_in(record, "shell")
    for heading in ("", *HEADINGS):
        asked = [one for one in every if one.heading == heading]
        if asked:
            group = command.add_argument_group(heading) if heading else command
            for one in asked:
                _add(group, one)


def _add(group: Any, asked: declared.AskedOption) -> None:
    option = asked.option
    text = declared.in_shell(option.shell or option.text)
    several = any(kind in SEVERAL for kind in asked.kinds)
    if option.positional:
        number: dict[str, Any] = {} if asked.default is ... else {"nargs": "?"}
        number |= {"nargs": "+"} if several else {}
        group.add_argument(asked.name, metavar=asked.metavar, help=text, **number)
        return
    how: dict[str, Any] = {"default": asked.default}
    if asked.default is ...:
        how = {"required": True}
    elif asked.default is not None and not isinstance(asked.default, bool):
        default = str(asked.default)
        text += f" Default: {default if default.strip('.,') else repr(default)}."
    elif several:
        how = {"default": [], "action": "append"}
    own = declared.flag(asked.name) if len(asked.name) > 1 else f"--{asked.name}"
    names = option.also if own in option.also else (*option.also, own)
    group.add_argument(*names, dest=asked.name, help=text, **how, **_value(asked))


def _value(asked: declared.AskedOption) -> dict[str, Any]:
    """Return how argparse reads the value of an option."""
    if bool in asked.kinds:
        return {"action": "store_true"}
    if asked.words and int not in asked.kinds:
        named = {"metavar": asked.option.metavar} if asked.option.metavar else {}
        return {"choices": asked.words} | named
    read = _reader(asked)
    return {"metavar": asked.metavar} | ({} if read is None else {"type": read})


def _reader(asked: declared.AskedOption) -> Callable[[str], Any] | None:
    """Return the function that reads a value from text; None keeps the text."""
    kinds = asked.kinds
    if int in kinds and len(asked.words):
        return _or_refuse(lambda text: text if text in asked.words else int(text), asked.title)
    if int in kinds and str in kinds:
        return lambda text: int(text) if text.lstrip("-").isdigit() else text
    if declared.Reals in kinds:
        return _or_refuse(_numbers, asked.title or "numbers, separated by commas")
    if declared.Shares in kinds:
        return _or_refuse(_share, "a proportion, or one for each class, such as a=0.2,b=0.8")
    if declared.Params in kinds:
        return _parameter
    if any(get_origin(kind) is tuple for kind in kinds):
        return _or_refuse(_number, "a number, or several, separated by commas")
    if int in kinds:
        return _or_refuse(int, "a whole number")
    return _or_refuse(float, "a number") if float in kinds else None


def _or_refuse(read: Callable[[str], Any], title: str) -> Callable[[str], Any]:
    """Return a reader whose error states what it expects."""

    def value(text: str) -> Any:
        try:
            return read(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"must be {title}. Got {text!r}") from None

    return value


def _numbers(text: str) -> list[float]:
    return [float(part) for part in text.split(",")]


def _number(text: str) -> float | tuple[float, ...]:
    """Read one number or several."""
    each = tuple(_numbers(text))
    return each[0] if len(each) == 1 else each


def _share(text: str) -> Any:
    """Read a proportion, or one per class."""
    if "=" not in text:
        return float(text)
    pairs = (part.rpartition("=") for part in text.split(","))
    return {label.strip(): float(share) for label, _, share in pairs}


def _parameter(text: str) -> tuple[str, Any]:
    """Read NAME=VALUE; the value as a Python literal, else as text."""
    name, mark, value = text.partition("=")
    if not mark or not name.isidentifier():
        raise argparse.ArgumentTypeError(f"must be NAME=VALUE. Got {text!r}")
    try:
        return name, ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return name, value


def arguments(options: argparse.Namespace, *records: type[declared.Question]) -> dict[str, Any]:
    """Return the options of records as arguments of Python, without those that name columns."""
    asked = [one for record in records for one in declared.asked_in(record, "shell")]
    return {
        declared.python_name(one.name): getattr(options, one.name)
        for one in asked
        if "Python" not in one.lacks and not {declared.Columns, declared.Costs} & {*one.kinds}
    }


def given_options(options: argparse.Namespace, record: type[declared.Question]) -> dict[str, Any]:
    """Return the specified options of a question by their names."""
    given = {one.name: getattr(options, one.name) for one in declared.asked_in(record, "shell")}
    return {name: value for name, value in given.items() if value is not None}
