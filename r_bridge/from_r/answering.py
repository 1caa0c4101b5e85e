"""Answers to R: a dict for every call, and no exception across.

One that failed has the single entry ``error``, a sentence in its parts, and one that Ctrl-C ended
the single entry ``interrupted``.
"""

import functools
import warnings
from collections.abc import Callable
from typing import Any, ParamSpec

from hetsel.ground.errors import FOR_DEVELOPERS
from r_bridge.from_r.r_words import told_in_r
from r_bridge.from_r.same_python import same_python
from r_bridge.interrupts import ctrl_c_heard
from r_bridge.to_r.session import called_from_r

_P = ParamSpec("_P")


def answer(function: Callable[_P, dict[str, Any]]) -> Callable[_P, dict[str, Any]]:
    """The function with its exceptions as the entry `error`, its warnings as `warnings`.

    Warnings are those that Python shows its users: the same call tells the same ones at any time.
    Ctrl-C becomes the entry `interrupted`: R unwinds when Python is done, never through it.
    """

    @functools.wraps(function)
    def answering(*args: _P.args, **kwargs: _P.kwargs) -> dict[str, Any]:
        try:
            with (
                called_from_r(),
                same_python(),
                ctrl_c_heard(),
                warnings.catch_warnings(record=True) as caught,
            ):
                warnings.simplefilter("default")
                found = function(*args, **kwargs)
        except KeyboardInterrupt:
            return {"interrupted": True}
        except (ValueError, TypeError, RuntimeError, ImportError) as reason:
            return {"error": told_in_r(reason)}
        except OSError as reason:
            about = "" if reason.filename is None else f"{reason.filename}: "
            return {"error": told_in_r(f"{about}{reason.strerror or reason}")}
        except Exception as reason:  # an R user is served by the name of it, not by a traceback
            return {"error": told_in_r(f"{type(reason).__name__}: {reason}")}
        told = [w for w in caught if not issubclass(w.category, FOR_DEVELOPERS)]
        said = {parts["message"]: parts for parts in (told_in_r(w.message) for w in told)}
        return {**found, "warnings": list(said.values())}

    return answering
