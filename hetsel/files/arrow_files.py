"""Parquet and Feather, a group of columns at a time where the file is large."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from hetsel.ground.errors import TableError
from hetsel.tables.memory import refuse_bytes

ARROW = {".parquet": ("Parquet", "read_parquet"), ".feather": ("Feather", "read_feather")}
LARGE = 2**25  # bytes of a file from which on its columns are read in groups
GROUPS = 8  # a group takes its own memory three times


def read_arrow(path: Path, suffix: str) -> pd.DataFrame:
    """Data frame of a file of a suffix of ARROW.

    Raises
    ------
    TableError
        A file that cannot be read, a table that does not fit into memory, or no pyarrow.
    """
    kind, reader = ARROW[suffix]
    try:
        import pyarrow
    except ImportError:
        raise TableError(
            f"reading {kind} needs the package pyarrow: pip install 'hetsel[files]'"
        ) from None
    try:
        options = {"engine": "pyarrow"} if kind == "Parquet" else {}
        frames = [
            getattr(pd, reader)(path, columns=columns, **options).reset_index(drop=True)
            for columns in _groups(path, kind)
        ]
    except TableError:
        raise
    # pandas reads what it wrote beside the cells, and raises what that raises
    except (pyarrow.ArrowException, OSError, ValueError, LookupError, TypeError) as reason:
        text = str(reason).splitlines()[0]
        raise TableError(f"{path.name} cannot be read as {kind}: {text}") from None
    return frames[0] if len(frames) == 1 else pd.concat(frames, axis=1)


def _groups(path: Path, kind: str) -> list[list[str] | None]:
    """Names of columns that are read together; None is all of them."""
    if path.stat().st_size < LARGE:
        return [None]
    schema, n_rows = _schema(path, kind)
    names = schema.names
    refuse_bytes(
        f"the table of {path.name}",
        n_rows,
        n_rows * sum(map(_bytes, schema.types)),
        lambda _: "leave columns out of the file",
    )
    if len(set(names)) < len(names) or any("." in name for name in names):
        return [None]  # such a name would stand for several columns
    size = -(-len(names) // GROUPS)
    return [names[start : start + size] for start in range(0, len(names), size)]


def _schema(path: Path, kind: str) -> tuple[Any, int]:
    """The names and types of the columns, and the number of rows."""
    import pyarrow as pa
    from pyarrow import parquet

    if kind == "Parquet":
        with parquet.ParquetFile(path) as file:
            return file.schema_arrow, file.metadata.num_rows
    with pa.memory_map(str(path)) as mapped, pa.ipc.open_file(mapped) as file:
        batches = (file.get_batch(i).num_rows for i in range(file.num_record_batches))
        return file.schema, sum(batches)


def _bytes(dtype: Any) -> float:
    """Bytes of a cell in a frame, at least."""
    try:
        return max(1.0, dtype.bit_width / 8)
    except ValueError:  # text
        return 8.0
