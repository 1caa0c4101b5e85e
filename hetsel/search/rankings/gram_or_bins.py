"""The choice between Gram matrices of all rows and machines on binned columns."""

import numpy as np

from hetsel.ground import TableError
from hetsel.kernels.binned.binned_columns import check_bins
from hetsel.kernels.normalization import check_normalization
from hetsel.selection import Problem
from hetsel.tables import Survival

SOLVERS = ("auto", "gram", "additive")
ROWS_WITHOUT_GRAM = 5_000  # rows from which on no Gram matrix is taken


def without_gram(problem: Problem, solver: str, bins: int, normalize: str, q: float) -> bool:
    """Return whether machines are trained on binned columns.

    "auto" uses them for many rows where they are possible; "additive" is refused where they are
    not.
    """
    if solver not in SOLVERS:
        raise TableError(f"solver must be one of {', '.join(SOLVERS)}. Got {solver!r}")
    check_bins(bins)
    check_normalization(normalize)
    reasons = []
    if isinstance(problem.target, Survival):
        reasons.append("survival times")
    if normalize == "p-value":
        reasons.append("normalize='p-value'")
    if not 1.0 < q < np.inf:
        reasons.append(f"q={q:g}")
    if solver == "additive" and reasons:
        raise TableError(f"solver must be 'auto' or 'gram' for {reasons[0]}. Got 'additive'")
    return solver == "additive" or (
        solver == "auto" and problem.n > ROWS_WITHOUT_GRAM and not reasons
    )
