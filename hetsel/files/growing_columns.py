"""Columns that grow block by block: numbers in one piece, text by its distinct cells."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from hetsel.files.numbers_in_text import EXACT

if TYPE_CHECKING:
    import pyarrow as pa

Kind = Literal["integer", "float", "text"]


class GrowingColumn:
    """A column as far as it is read.

    Parameters
    ----------
    kind : {"integer", "float", "text"}
        What its cells have been until now; integers may have gaps.
    marks : collection of float
        Numbers that mean missing.
    """

    def __init__(self, kind: Kind, marks: Collection[float] = ()) -> None:
        self.kind = kind
        self.n_rows = 0
        self._marks = marks
        self._gaps = False
        self._numbers = np.empty(0, dtype=np.int64 if kind == "integer" else np.float64)
        self._chunks: list[Any] = []

    def take(self, cells: pa.ChunkedArray, expected: int) -> bool:
        """Append the cells of a block, of about `expected` in all; False if they are not plain.

        Numbers are plain where each parser and the rules for text as a whole say the same of them.
        """
        if self.kind == "text":
            self._chunks += cells.chunks
            self.n_rows += len(cells)
            return True
        values = self._whole(cells) if self.kind == "integer" else self._floats(cells)
        if values is None:
            return False
        after = self.n_rows + len(cells)
        if after > len(self._numbers):
            self._numbers.resize(max(after, expected), refcheck=False)
        self._numbers[self.n_rows : after] = values
        self.n_rows = after
        return True

    def _floats(self, cells: pa.ChunkedArray) -> np.ndarray | None:
        """None if one is not finite, or so large that floats may merge whole numbers there."""
        values = cells.to_numpy()
        if np.count_nonzero(np.isfinite(values)) < len(values) - cells.null_count:
            return None
        for mark in self._marks:
            values = np.where(values == mark, np.nan, values)
        largest = np.fmax.reduce(np.abs(values), initial=0.0)
        return None if largest > EXACT else values

    def _whole(self, cells: pa.ChunkedArray) -> np.ndarray | None:
        """None if a number marks a gap, or if beside a gap they are not all exact as floats."""
        values = (cells.fill_null(0) if cells.null_count else cells).to_numpy()
        if any(mark in values for mark in self._marks):
            return None
        if cells.null_count and not self._gaps:
            before = self._numbers[: self.n_rows]
            if not _exact(before):
                return None
            self._numbers, self._gaps = before.astype(np.float64), True
        if self._gaps:
            if not _exact(values):
                return None
            values = values.astype(np.float64)
            if cells.null_count:
                values[cells.is_null().to_numpy()] = np.nan
        return values

    def numbers(self) -> np.ndarray:
        """The numbers (n,), in no more memory than they need."""
        self._numbers.resize(self.n_rows, refcheck=False)
        return self._numbers

    def holds(self, text: str) -> bool:
        """Whether a text is among the cells."""
        import pyarrow.compute as compute

        cells = (chunk.dictionary for chunk in self._chunks)
        return any(compute.index(texts, text).as_py() >= 0 for texts in cells)

    def distinct(self) -> tuple[list[str], np.ndarray]:
        """The distinct texts in the order of their first rows, and which of them each cell is."""
        import pyarrow as pa

        chunks = pa.chunked_array(self._chunks).unify_dictionaries()
        self._chunks = []
        codes = np.concatenate([chunk.indices.to_numpy() for chunk in chunks.chunks])
        return chunks.chunk(chunks.num_chunks - 1).dictionary.to_pylist(), codes


def _exact(values: np.ndarray) -> bool:
    return len(values) == 0 or (values.max() <= EXACT and values.min() >= -EXACT)
