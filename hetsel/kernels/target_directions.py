"""The centered kernel of a target of any kind, as a sum of few directions."""

from __future__ import annotations

import numpy as np

from hetsel.kernels.class_kernel import class_directions
from hetsel.kernels.number_kernel import number_directions
from hetsel.kernels.survival_kernel import survival_directions
from hetsel.tables.target import Classes, Numbers, Target


def target_directions(target: Target) -> np.ndarray:
    """d (m, n), whose rows sum to 0; sum_d d d' is the centered kernel of the target.

    See :mod:`hetsel.kernels.class_kernel`, :mod:`hetsel.kernels.number_kernel` and
    :mod:`hetsel.kernels.survival_kernel`. So tr(K H L H) of any kernel K is a sum of energies
    d' K d, which take O(n) steps for the kernel of one column.

    Examples
    --------
    >>> target_directions(Classes.of([0, 1, 0, 1])).shape
    (2, 4)
    """
    if isinstance(target, Classes):
        return class_directions(target.codes)
    if isinstance(target, Numbers):
        return number_directions(target.values)
    return survival_directions(target.times, target.events)
