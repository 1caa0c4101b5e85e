"""Prepare docstrings for Sphinx: keep the bars of |x|, and links of other projects as words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

CODE = re.compile(r"(``.*?``|`[^`]*`_?)")
ELSEWHERE = re.compile(r":(?:ref|term):`([^`<]*?)\s*(?:<[^>]*>)?`")


def read_as_words(
    app: Sphinx, what: str, name: str, subject: object, options: object, lines: list[str]
) -> None:
    """Change the lines of a docstring in place; leave code unchanged."""
    lines[:] = [line if line.lstrip().startswith(">>>") else as_words(line) for line in lines]


def as_words(line: str) -> str:
    r"""Escape bars and underscores after words, which would otherwise mean a reference.

    Examples
    --------
    >>> print(as_words("sum |a - b|, `x | y`, :term:`meta-estimator`"))
    sum \|a - b\|, `x | y`, meta-estimator
    """
    parts = CODE.split(ELSEWHERE.sub(r"\1", line))
    words = (re.sub(r"\||(?<=\w)_(?!\w)", r"\\\g<0>", part) for part in parts[::2])
    codes = [*parts[1::2], ""]
    return "".join(word + code for word, code in zip(words, codes, strict=True))


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to autodoc before napoleon reads the sections."""
    app.connect("autodoc-process-docstring", read_as_words, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
