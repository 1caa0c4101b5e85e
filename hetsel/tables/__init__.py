# ruff: noqa: F401
"""The one door: a frame becomes typed columns, a target, codes."""

from hetsel.tables.column import Column, Note, find_column
from hetsel.tables.survival_times import survival
from hetsel.tables.table import Schema, Table, as_frame
from hetsel.tables.target import Classes, Kind, Numbers, Survival, Target, read_target
