"""The docstring of a method, with what the classes say that it is derived from."""

from __future__ import annotations

import inspect
import re

_HEAD = re.compile(r"^(\w+)\n-+\n", re.MULTILINE)
_ENTRY = re.compile(r"^(?=\S)", re.MULTILINE)
ORDER = ("Parameters", "Attributes", "Raises", "Warns", "Notes", "References", "Examples")


def with_shared_parameters(doc: str, shared: str) -> str:
    """A docstring, and behind its own the parameters, attributes, warnings and notes of another.

    A parameter that both document keeps its own text.

    Examples
    --------
    >>> shared = "All.\\n\\nParameters\\n----------\\nC, size : int\\n    How many."
    >>> own = "One.\\n\\nParameters\\n----------\\nC : float\\n\\nRaises\\n------\\nError"
    >>> print(with_shared_parameters(own, shared))
    One.
    <BLANKLINE>
    Parameters
    ----------
    C : float
    size : int
        How many.
    <BLANKLINE>
    Raises
    ------
    Error
    """
    own, common = _sections(doc), _sections(shared)
    for name in ("Parameters", "Attributes", "Warns"):
        own[name] = _merged(own.get(name, ""), common.get(name, ""))
    notes = (sections.get("Notes", "") for sections in (own, common))
    own["Notes"] = "\n\n".join(text for text in notes if text)
    head = own.pop("")
    names = [*ORDER, *(name for name in own if name not in ORDER)]
    written = [f"{name}\n{'-' * len(name)}\n{own[name]}" for name in names if own.get(name)]
    return "\n\n".join([head, *written])


def _sections(doc: str) -> dict[str, str]:
    """The sections of a docstring by name; what is above the first one by the empty name."""
    parts = _HEAD.split(inspect.cleandoc(doc))
    names, texts = ["", *parts[1::2]], parts[::2]
    return {name: text.strip("\n") for name, text in zip(names, texts, strict=True)}


def _merged(own: str, common: str) -> str:
    """Entries of a section, then those of another one that are of other names."""
    told = {name for entry in _entries(own) for name in _names(entry)}
    written = [own] if own else []
    for entry in _entries(common):
        names, colon, text = entry.partition(" :")
        left = ", ".join(name for name in names.split(", ") if name not in told)
        written += [left + colon + text] if left else []
    return "\n".join(written)


def _entries(section: str) -> list[str]:
    """What a section documents: each begins where a line is not indented."""
    return [entry.rstrip("\n") for entry in _ENTRY.split(section) if entry.strip()]


def _names(entry: str) -> list[str]:
    return entry.partition("\n")[0].partition(" :")[0].split(", ")
