"""Slow twin of the walk over the bytes of delimited text: a regular expression for a cell."""

import re

_ODD = re.compile(r"[ \t].*|.*[ \t]|\+.*|0[0-9xX].*|-0(?!\.).*", re.DOTALL)


def checked(content, separator):
    """The lines without blanks before cells and whether an odd cell is there; None if unfit."""
    blanks = "" if separator == " " else " *"
    cell = re.compile(rf'{blanks}("((?:[^"\n]|"")*)"(?!")|[^"\n{re.escape(separator)}]*)', re.ASCII)
    kept, odd = [], False
    for line in content.splitlines(keepends=True):
        text, place = line.rstrip("\n"), 0
        while True:
            found = cell.match(text, place)
            after = text[found.end() : found.end() + 1]
            if after not in ("", separator) or (found[1][:1] == "\t" != separator):
                return None
            bare = found[1] if found[2] is None else found[2]
            odd |= _ODD.fullmatch(bare) is not None
            kept.append(found[1] + after)
            place = found.end() + 1
            if not after:
                break
        kept.append("\n")
    return "".join(kept), odd
