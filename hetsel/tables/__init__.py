"""The one door: a frame becomes typed columns, a target, codes."""

from hetsel.tables.column import Column, Note
from hetsel.tables.names import find_column
from hetsel.tables.table import Schema, Table, as_frame
from hetsel.tables.target import Classes, Kind, Numbers, Survival, Target, read_target
from hetsel.tables.targets.survival import survival

__all__ = [
    "Classes",
    "Column",
    "Kind",
    "Note",
    "Numbers",
    "Schema",
    "Survival",
    "Table",
    "Target",
    "as_frame",
    "find_column",
    "read_target",
    "survival",
]
