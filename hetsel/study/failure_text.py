"""What went wrong, as text that any file can hold: printable, and cut at a sane length."""

from __future__ import annotations

import re
import traceback

LINE = 400  # characters of a reason or a warning
TRACE = 20_000  # characters of a traceback
# what a file, a database or a page cannot hold; tab and new line can stay
_ODD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def reason_and_trace(error: BaseException) -> tuple[str, str]:
    """An error in a line, and its traceback; both can be told even if the error cannot.

    Examples
    --------
    >>> reason_and_trace(ValueError("two\\nlines"))
    ('ValueError: two', 'ValueError: two\\nlines\\n')
    """
    name = type(error).__name__
    try:
        said = str(error).strip()
    except BaseException as reason:  # of the error's own code
        said = f"(an error whose text raises {type(reason).__name__})"
    try:
        trace = "".join(traceback.format_exception(error))
    except BaseException as reason:  # of the error's own code
        trace = f"{name}: (an error whose traceback raises {type(reason).__name__})"
    first = said.partition("\n")[0] or "(without a message)"
    return in_a_line(f"{name}: {first}"), shortened(trace, TRACE)


def in_a_line(text: str) -> str:
    """A text as one line that is not too long.

    Examples
    --------
    >>> in_a_line("a \\x00\\n b"), len(in_a_line("a" * 10**6)) < 500
    ('a \\\\x00 b', True)
    """
    return " ".join(shortened(text, LINE).split())


def shortened(text: str, longest: int) -> str:
    """The begin and the end of a text that is too long; what no file can hold is spelled out."""
    if len(text) > longest:
        half = longest // 2
        text = f"{text[:half]} ... ({len(text)} characters) ... {text[-half:]}"
    return _ODD.sub(lambda odd: ascii(odd[0])[1:-1], text)
