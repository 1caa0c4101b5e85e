# ruff: noqa: F401
"""Basics: errors, sentences, complete files, signals, equality of numbers."""

from hetsel.ground.errors import (
    Face,
    Fix,
    HetselWarning,
    PlanError,
    StoreError,
    TableError,
    interrupted,
    is_dask,
    need,
)
from hetsel.ground.memory import FRUGAL_CLASSIFIERS, column_blocks, refuse_bytes, refuse_squares
from hetsel.ground.parameters import (
    between_0_and_1,
    is_number,
    is_whole,
    not_negative,
    number_of_jobs,
    positive,
    seed_drawn,
    share,
    whole_number,
)
from hetsel.ground.text import counted, did_you_mean, listed, plain_number, shown, visible
from hetsel.ground.writing import Content, write_files
