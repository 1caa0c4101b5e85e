"""The docstring of a method, with the parameters and attributes that all methods share."""

from __future__ import annotations

import inspect
import re

_HEAD = re.compile(r"^(\w+)\n-+\n", re.MULTILINE)


def with_shared_parameters(doc: str, shared: str) -> str:
    """A docstring with the parameters of its own, then the shared ones and the attributes.

    Examples
    --------
    >>> shared = "All.\\n\\nParameters\\n----------\\nsize : int\\n    How many."
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
    head = own.pop("")
    parameters = [text for text in (own.pop("Parameters", ""), common["Parameters"]) if text]
    sections = {"Parameters": "\n".join(parameters)}
    attributes = [own.pop("Attributes", ""), common.get("Attributes", "")]
    if any(attributes):
        sections["Attributes"] = "\n".join(text for text in attributes if text)
    sections |= own
    written = [f"{name}\n{'-' * len(name)}\n{text}" for name, text in sections.items()]
    return "\n\n".join([head, *written])


def _sections(doc: str) -> dict[str, str]:
    """The sections of a docstring by name; what is above the first one by the empty name."""
    parts = _HEAD.split(inspect.cleandoc(doc))
    names, texts = ["", *parts[1::2]], parts[::2]
    return {name: text.strip("\n") for name, text in zip(names, texts, strict=True)}
