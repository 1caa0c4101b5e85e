import numpy as np

from hetsel.ground.equal_numbers import tied
from hetsel.search.criteria.kernel_criteria import HSICValue
from hetsel.search.rankings.proved_cuts import Evaluation
from hetsel.search.rankings.recursive_elimination import varying_elimination
from hetsel.selection import About, BaseSelector, Cost, Problem, Ranking


class BAHSIC(BaseSelector):
    """Rank features of every kind by backward elimination with HSIC and a Gaussian product kernel.

    J(f) = HSIC(S) - HSIC(S - f), of the features S left, with the kernel of
    :mod:`hetsel.search.criteria.kernel_criteria`, whose width goes with the number of features; the
    features with the least J are dropped, constant columns before the first step. The kernels of
    numbers and survival times are those of `hsic`.

    Parameters
    ----------
    step : float
        Share of the features left that each step drops, at least one feature.

    References
    ----------
    Song, Smola, Gretton, Bedo and Borgwardt 2012, Journal of Machine Learning Research 13,
    1393-1434, section 4.2.
    """

    step: float = 0.1

    about = About(
        "backward elimination by HSIC, Gaussian product kernel",
        paper="Song et al. 2012, BAHSIC",
        cost=Cost("n^2 p^2", "n^2 + 4 n p"),
        costs=dict.fromkeys(("numbers", "survival"), Cost("n^2 p^2", "2 n^2 + 4 n p")),
        targets=("classes", "numbers", "survival"),
    )

    def _select(self, problem: Problem) -> Ranking:
        state = HSICValue(sample=None).start(problem)
        for feature in np.flatnonzero(state.varies).tolist():
            state.add(feature)

        def importances(left: np.ndarray) -> Evaluation:
            features = left.tolist()
            for gone in set(state.subset).difference(features):
                state.remove(gone)
            value = state.value
            return Evaluation((tied(value - state.values_without(features)),), value)

        return varying_elimination(
            importances, np.arange(problem.p), state.varies, self.step, (), problem.always
        )
