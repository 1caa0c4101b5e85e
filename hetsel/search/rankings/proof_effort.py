"""How precisely models on binned columns are solved, and when a proof is given up."""

from typing import NamedTuple

import numpy as np

from hetsel.ground import TableError

PROVED_CELLS = 10_000_000  # values of a table up to which all requested cuts are proved by default
PATIENT = 2_000  # passes over all rows after which a proof is given up; most take less than 20
UNPROVED = 1e-6  # relative gap of models of parts of a table that only evaluate
ROUGH, FINE = 1e-4, 1e-7  # relative gaps of the first models on larger and on smaller tables


class Precision(NamedTuple):
    """How near to their optimum models are solved."""

    first: float  # relative gap of a first model
    least: float  # relative gap that no refinement goes below
    turns: float  # conjugate gradient passes over all rows after which a refinement is given up


def precision_of(cells: int, tolerance: float | None, *, proved: bool) -> tuple[Precision, bool]:
    """Return the precision for a table of this size, and whether all cuts between steps get it."""
    patience = np.inf if tolerance == 0 else PATIENT
    if tolerance is None and cells > PROVED_CELLS:
        return Precision(ROUGH, 0.0 if proved else ROUGH, patience), False
    if tolerance is None and not proved:
        return Precision(UNPROVED, UNPROVED, patience), False
    if not tolerance:
        return Precision(FINE, 0.0, patience), True
    if isinstance(tolerance, bool) or not 0.0 < tolerance < 1.0:
        raise TableError(f"tolerance must be in [0, 1), or None. Got {tolerance!r}")
    return Precision(max(tolerance, ROUGH), tolerance, patience), True
