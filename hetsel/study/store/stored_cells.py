"""Cells as rows of a store, and the checksums by which damage is noticed."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from hetsel.ground.text import listed
from hetsel.selection.proved_cuts import VERDICTS
from hetsel.study.cell import CellResult

# of the contents of a cell, all but its key, its checksum and the versions that computed it
CONTENTS = (
    "ranking",
    "chosen",
    "cuts",
    "test",
    "truth",
    "shape",
    "predictions",
    "decisions",
    "rank_seconds",
    "classify_seconds",
    "warnings",
    "finished",
)
# what differs from run to run
_OF_A_RUN = ("rank_seconds", "classify_seconds", "warnings", "finished")

_IN_WORDS = {
    "ranking": "order of the features",
    "chosen": "signatures",
    "cuts": "verdicts on cuts",
    "test": "test rows",
    "truth": "target of the test rows",
    "shape": "sizes of the answer",
    "predictions": "predictions",
    "decisions": "decision values",
}


def checksum(values: Iterable[Any]) -> bytes:
    """sha256 of numbers, text and bytes, each with its type and length.

    Examples
    --------
    >>> checksum(["ab", b"c"]) == checksum(["a", b"bc"]), len(checksum([1, 2.5]))
    (False, 32)
    """
    parts = []
    for value in values:
        if not isinstance(value, bytes):
            text = value if isinstance(value, str) else repr(value)
            part = text.encode(errors="surrogatepass")
        else:
            part = value
        parts += [f"{type(value).__name__} {len(part)} ".encode(), part]
    return hashlib.sha256(b"".join(parts)).digest()


def answers_in(contents: Sequence[Any]) -> dict[str, Any]:
    """Of the contents of a cell what it found: no times, and not what it warned of."""
    named = zip(CONTENTS, contents, strict=True)
    return {name: value for name, value in named if name not in _OF_A_RUN}


def other_answers(first: Sequence[Any], second: Sequence[Any]) -> list[str]:
    """In words in what the contents of two cells differ, times and warnings left out."""
    one, other = answers_in(first), answers_in(second)
    return [_IN_WORDS[name] for name in one if one[name] != other[name]]


def repeated_in_words(differs: Sequence[str]) -> str:
    """What a cell computed twice says of its method.

    Examples
    --------
    >>> repeated_in_words(["predictions"])[:53]
    'a cell that was computed twice differs in predictions'
    """
    return (
        f"a cell that was computed twice differs in {listed(differs)}: it depends on more than its "
        "rows and seed, as on a generator without a seed, and its results cannot be repeated"
    )


def pack(result: CellResult, finished: float) -> tuple[Any, ...]:
    """The contents of a cell, in the order of :data:`CONTENTS`."""
    arrays = (result.order, result.test, result.truth, result.predictions, result.decisions)
    order, test, truth, predictions, decisions = (
        np.ascontiguousarray(a, dtype="<f8" if a.dtype.kind == "f" else "<i4").tobytes()
        for a in arrays
    )
    chosen = np.packbits(result.chosen, axis=1).tobytes()
    cuts = bytes(VERDICTS.index(cut) for cut in result.cuts)
    shapes: list[Any] = [result.chosen.shape, result.decisions.shape]
    if result.truth.dtype.kind == "f":  # of numbers and times, which are fractions
        mean = result.training_mean
        shapes.append(None if mean is None else float(mean))
    shape = json.dumps(shapes)
    seconds = (float(result.rank_seconds), float(result.classify_seconds))
    notes = json.dumps(result.warnings)
    blobs = (order, chosen, cuts, test, truth, shape, predictions, decisions)
    return (*blobs, *seconds, notes, finished)


def unpack(key: str, versions: str, contents: Sequence[Any]) -> CellResult:
    """The result in a row; `versions` as JSON."""
    order, chosen, cuts, test, truth, shape, predictions, decisions, *others = contents
    ranking, classifying, notes, _ = others
    (sizes, p), values, *mean = json.loads(shape)
    told = "<f8" if mean else "<i4"
    bits = np.frombuffer(chosen, dtype=np.uint8).reshape(sizes, -1)
    return CellResult(
        key,
        np.frombuffer(order, dtype="<i4"),
        np.unpackbits(bits, axis=1, count=p).astype(bool),
        tuple(VERDICTS[cut] for cut in cuts),
        np.frombuffer(test, dtype="<i4"),
        np.frombuffer(truth, dtype=told),
        np.frombuffer(predictions, dtype=told).reshape(values[:3]),
        np.frombuffer(decisions, dtype="<f8").reshape(values),
        ranking,
        classifying,
        tuple(json.loads(notes)),
        json.loads(versions),
        *mean,
    )
