"""The options of a command from the record of its question."""

import argparse
from typing import Any

import msgspec

from hetsel.questions.option import Asked, asked_by, in_shell


def add_asked(
    command: argparse.ArgumentParser, record: type[msgspec.Struct]
) -> dict[str, argparse._ArgumentGroup]:
    """Add the options of a question under their headings; these by their names."""
    groups: dict[str, argparse._ArgumentGroup] = {}
    for asked in asked_by(record):
        option = asked.option
        if option.group not in groups:
            groups[option.group] = command.add_argument_group(option.group)
        flag = f"--{asked.name.replace('_', '-')}"
        text = in_shell(option.text)
        if asked.default is not None and not isinstance(asked.default, bool):
            text += f"; default {asked.default}"
        groups[option.group].add_argument(
            flag, *option.also, dest=asked.name, help=text, default=asked.default, **_value(asked)
        )
    return groups


def _value(asked: Asked) -> dict[str, Any]:
    """How argparse reads the value of an option."""
    if asked.words:
        return {"choices": asked.words}
    if bool in asked.kinds:
        return {"action": "store_true"}
    read: dict[Any, Any] = {int: int, float: float, tuple[float, ...]: _numbers}
    kind = next((kind for kind in reversed(asked.kinds) if kind in read), None)
    value: dict[str, Any] = {} if kind is None else {"type": read[kind]}
    return value | {"metavar": asked.option.metavar}


def _numbers(text: str) -> float | tuple[float, ...]:
    """One number, or several."""
    each = tuple(float(part) for part in text.split(","))
    return each[0] if len(each) == 1 else each


_numbers.__name__ = "number"  # what argparse says that a value is not


def asked_of(options: argparse.Namespace, record: type[msgspec.Struct]) -> dict[str, Any]:
    """The options of a question by their names in Python; those not given are left out."""
    given = {asked.name: getattr(options, asked.name) for asked in asked_by(record)}
    return {name: value for name, value in given.items() if value is not None}
