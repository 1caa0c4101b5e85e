"""The verdicts on a signature, word for word, for whoever asks for one."""

from __future__ import annotations

ABOVE = "better than chance"
NOT_SHOWN = "not shown to be better than chance"  # which is no proof that it is not
FEW, UNTESTED = "too few rows", ""
