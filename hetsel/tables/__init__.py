# ruff: noqa: F401
"""Typed tables and targets: read, check and encode data frames and arrays."""

from hetsel.tables.canonical_table import canonical_form
from hetsel.tables.column import Column, Note, find_column
from hetsel.tables.content import content_ranks, parts_of_columns, places_in
from hetsel.tables.frames import frame_or_array
from hetsel.tables.missing_cells import Missing
from hetsel.tables.rescaling import ScaleKey, rescaled
from hetsel.tables.row_labels import group_codes, refuse_other_rows
from hetsel.tables.survival_times import survival
from hetsel.tables.table import Schema, Table, as_frame
from hetsel.tables.target import Classes, Numbers, Survival, TargetKind, TypedTarget, read_target
from hetsel.tables.validation import read_features, refuse_constant
