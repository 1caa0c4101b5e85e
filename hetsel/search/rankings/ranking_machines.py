"""Machines for survival times, followed through an elimination."""

import numpy as np

from hetsel.ground.errors import TableError
from hetsel.kernels.feature_kernels import FeatureKernels
from hetsel.solvers.comparable_pairs import Pairs
from hetsel.solvers.mkl.mkl_certificate import Certificate
from hetsel.solvers.survival_machine import RankingMachine, solve_ranking


class RankingMachines:
    """Machines on fewer and fewer features, each started from the one before.

    `q` is the norm of the kernel weights, above 1; infinity for the mean of the kernels.
    `tolerance` is the relative gap that a machine may have; 0 is what rounding leaves.
    """

    exact = False  # doubles are all that there is: their rounding is in the bounds

    def __init__(self, kernels: FeatureKernels, pairs: Pairs, q: float, tolerance: float) -> None:
        if not q > 1.0:
            raise TableError(f"q must be above 1 for survival times. Got {q!r}")
        self._kernels, self._pairs, self._q = kernels, pairs, q
        self._tolerance = tolerance
        self._last: RankingMachine | None = None
        self._features = np.arange(kernels.p)

    def fit(self, features: np.ndarray) -> RankingMachine:
        """The machine on these features."""
        start = None if self._last is None else self._last.beta
        kernels = self._kernels.subset(features)
        self._last = solve_ranking(kernels, self._pairs, self._q, start, self._tolerance)
        self._features = features
        return self._last

    def without(self, place: int) -> np.ndarray:
        """beta (1, n) of the machine on the last features but the one of this place."""
        kernels = self._kernels.subset(np.delete(self._features, place))
        return solve_ranking(kernels, self._pairs, self._q, self.last.beta, self._tolerance).beta

    @property
    def last(self) -> RankingMachine:
        """The last machine."""
        assert self._last is not None
        return self._last

    def refine(self) -> RankingMachine:
        """The last machine, which is as near as it gets."""
        return self.last

    def certify(self, effort: int) -> Certificate:
        """How far the last machine can be from its optimum, whatever the effort."""
        found = self.last
        whole = found.gap * abs(found.objective)
        return Certificate(whole, found.energy, found.radius, np.empty((0, 0)))
