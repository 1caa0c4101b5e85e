"""Write the sentence of an error with the options and values of the shell."""

import argparse
import ast
import re
import shlex
from collections.abc import Mapping

from hetsel.ground.errors import PYTHON_NAMES

_HERE = {python: name for name, python in PYTHON_NAMES.items()}
# names that follow are columns or parameters of a method
_LISTED = re.compile(r"(?= (?:columns|parameters|keys) are )")
# an option is the first word of a sentence, or follows one of these words
_SUBJECT = r"(?=:| (?:must|is|are|needs?|has|for|of|leave|chooses) )"
_BEFORE = r"(?<=[Ll]eave )|(?<=[Ll]eave out )|(?<=[Ss]pecify )|(?<=needs )|(?<=Missing: )"
_PYTHON_ONLY = re.compile(r",? (?:or None|None or a RandomState)(?=\. Got )")
_WHOLE = re.compile(r"(?<=Got )(-?\d+)\.0(?=$|[ .;,])")
_LITERAL = re.compile(r"(?<=Got )[\[({].*[\])}](?=$|\. )")


def flags_of(command: argparse.ArgumentParser) -> dict[str, str]:
    """Return the flag of each option of a command by its name, also by its name in Python."""
    flags = {one.dest: one.option_strings[0] for one in command._actions if one.option_strings}
    return flags | {python: flags[name] for python, name in _HERE.items() if name in flags}


def with_flags(sentence: str, options: argparse.Namespace) -> str:
    """Write the names of options as flags, and their values as the shell takes them.

    Names of columns and of parameters of a method are unchanged.

    Examples
    --------
    >>> of = argparse.Namespace(flags={"harm_ratio": "--harm-ratio", "size": "--size"})
    >>> with_flags("harm_ratio must be a positive number, or None. Got 0.0", of)
    '--harm-ratio must be a positive number. Got 0'
    >>> with_flags("column 'size' has no harm. Leave size out, or use size='auto'", of)
    "column 'size' has no harm. Leave --size out, or use --size auto"
    """
    flags: dict[str, str] = getattr(options, "flags", {})
    parameters = dict(getattr(options, "params", None) or ())
    flags = {name: flag for name, flag in flags.items() if name not in parameters}
    head, *tail = _LISTED.split(sentence, maxsplit=1)
    if flags:
        head = _named(head, flags)
    if head.startswith("--"):
        head = _LITERAL.sub(_plain, _PYTHON_ONLY.sub("", head))
    text = "".join((head, *tail)).replace("hetsel.method_keys()", "`hetsel methods`")
    return _WHOLE.sub(r"\1", text)


def _named(text: str, flags: Mapping[str, str]) -> str:
    """Write names where they are options: at certain places, or beside a name with _."""
    name = "|".join(flags)
    each = rf"(?:{name})(?![\w'\"/\[=-]|\.\w)"
    several = rf"{each}(?:(?:, | and | or ){each})*"

    def with_dashes(found: re.Match[str]) -> str:
        return re.sub(each, lambda one: flags[one[0]], found[0])

    text = re.sub(
        rf"(?<![\w'.-])({name})='([^']*)'",
        lambda found: f"{flags[found[1]]} {shlex.quote(found[2])}",
        text,
    )
    text = re.sub(rf"(?:^(?={several}{_SUBJECT})|{_BEFORE}){several}", with_dashes, text)
    return re.sub(
        rf"(?<![\w'\"./=-]){several}",
        lambda found: with_dashes(found) if "_" in found[0] else found[0],
        text,
    )


def _plain(found: re.Match[str]) -> str:
    """Write a list as A,B and a mapping as A=1,B=2."""
    try:
        value = ast.literal_eval(found[0])
    except (ValueError, SyntaxError):
        return found[0]
    if isinstance(value, dict):
        return ",".join(f"{name}={one}".removesuffix(".0") for name, one in value.items())
    return ",".join(str(one).removesuffix(".0") for one in value)
