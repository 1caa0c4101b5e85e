"""Parquet and Feather, a group of columns at a time where the file is large.

The parts of an index of pandas that have a name are columns, the first ones.
"""

from pathlib import Path
from typing import Any

import pandas as pd

from hetsel.ground.errors import TableError, need
from hetsel.ground.memory import refuse_bytes
from hetsel.tables.frames import without_enum_order
from hetsel.tables.names import refuse_twice

ARROW = {".parquet": ("Parquet", "read_parquet"), ".feather": ("Feather", "read_feather")}
LARGE = 2**25  # bytes of a file from which on its columns are read in groups
GROUPS = 8  # a group takes its own memory three times


def read_arrow(path: Path, suffix: str) -> pd.DataFrame:
    """Data frame of a file of a suffix of ARROW."""
    kind, reader = ARROW[suffix]
    pyarrow = need("pyarrow")
    try:
        options = {"engine": "pyarrow"} if kind == "Parquet" else {}
        schema, n_rows = _schema(path, kind)
        refuse_twice(schema.names, path.name)
        frames = [
            without_enum_order(getattr(pd, reader)(path, columns=columns, **options), schema)
            for columns in _groups(path, schema, n_rows)
        ]
    except TableError:
        raise
    # pandas reads what it wrote beside the cells, and raises what that raises
    except (pyarrow.ArrowException, OSError, ValueError, LookupError, TypeError) as reason:
        if isinstance(reason, OSError) and reason.strerror:
            raise TableError(f"{path} cannot be read: {reason.strerror}") from None
        text = str(reason).splitlines()[0]
        raise TableError(
            f"{path.name} cannot be read as {kind}: it is of another kind, damaged, or was not "
            f"written to its end ({text:.200})"
        ) from None
    named = _named_index(frames)
    frames = [frame.reset_index(drop=True) for frame in frames]
    frame = frames[0] if len(frames) == 1 else pd.concat(frames, axis=1)
    for name, labels in reversed(named.items()):
        if name not in frame:
            frame.insert(0, name, labels)
        elif not pd.Index(frame[name]).equals(labels):
            raise TableError(f"{path.name} has a column and an index named {name!r}: rename one")
    return frame


def _named_index(frames: list[pd.DataFrame]) -> dict[Any, pd.Index]:
    """The parts of the index that have a name, which pandas reads with some groups of columns."""
    found: dict[Any, pd.Index] = {}
    for frame in frames:
        for level, name in enumerate(frame.index.names):
            if name is not None:
                found.setdefault(name, frame.index.get_level_values(level))
    return found


def _groups(path: Path, schema: Any, n_rows: int) -> list[list[str] | None]:
    """Names of columns that are read together; None is all of them."""
    if path.stat().st_size < LARGE:
        return [None]
    names = schema.names
    refuse_bytes(
        f"the table of {path.name}",
        n_rows,
        n_rows * sum(map(_bytes, schema.types)),
        lambda _: "leave columns out of the file",
    )
    if any("." in name for name in names):
        return [None]  # such a name would stand for several columns
    size = -(-len(names) // GROUPS)
    return [names[start : start + size] for start in range(0, len(names), size)]


def _schema(path: Path, kind: str) -> tuple[Any, int]:
    """The names and types of the columns, and the number of rows."""
    import pyarrow as pa
    from pyarrow import feather, parquet

    if kind == "Parquet":
        with parquet.ParquetFile(path) as file:
            return file.schema_arrow, file.metadata.num_rows
    with path.open("rb") as file:
        first = file.read(4)
    if first == b"FEA1":  # as pandas wrote it until 2020
        table = feather.read_table(path, memory_map=True)
        return table.schema, table.num_rows
    with pa.memory_map(str(path)) as mapped, pa.ipc.open_file(mapped) as file:
        batches = (file.get_batch(i).num_rows for i in range(file.num_record_batches))
        return file.schema, sum(batches)


def _bytes(dtype: Any) -> float:
    """Bytes of a cell in a frame, at least."""
    try:
        return max(1.0, dtype.bit_width / 8)
    except ValueError:  # text
        return 8.0
