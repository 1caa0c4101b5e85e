"""The one door: a frame becomes typed columns, a target, codes."""

from hetsel.tables.column import Column, Note, find_column
from hetsel.tables.survival_times import survival
from hetsel.tables.table import Schema, Table, as_frame
from hetsel.tables.target import Classes, Kind, Numbers, Survival, Target, read_target

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
