import numpy as np

from hetsel.ground.equal_numbers import tied
from hetsel.search.criteria.kernel_criteria import HSICValue
from hetsel.search.rankings.proved_cuts import Evaluation
from hetsel.search.rankings.recursive_elimination import varying_elimination
from hetsel.selection import About, BaseSelector, Cost, Problem, Ranking


class BAHSIC(BaseSelector):
    """Rank features by backward elimination with HSIC and a Gaussian product kernel.

    The features with the smallest

    J(f) = HSIC(S) - HSIC(S - f)

    are dropped from the remaining features S, and J is computed again. The kernel is described in
    :mod:`hetsel.search.criteria.kernel_criteria`; its width grows with the number of features.
    Constant columns are dropped before the first step. Columns of all kinds and all targets are
    accepted; the kernel of a numeric target or of survival times is that of `hsic`. Prefer BAHSIC
    to `hsic` if features may interact and the table has at most some thousand rows, since time and
    memory grow with n^2.

    Parameters
    ----------
    step : float
        Proportion of the remaining features that each step drops, at least one feature.

    See Also
    --------
    FOHSIC : Forward selection with the same criterion, faster for few features.
    HSIC : The criterion of each feature alone.
    HSICLasso : Relevance and redundancy in time linear in the rows.

    References
    ----------
    Song, Smola, Gretton, Bedo and Borgwardt 2012, Journal of Machine Learning Research 13,
    1393-1434, section 4.2.

    Examples
    --------
    >>> from hetsel import BAHSIC, datasets
    >>> heart = datasets.load("heart")
    >>> selector = BAHSIC(size=3).fit(heart.X, heart.y)
    >>> selector.get_feature_names_out().tolist()
    ['exerc ind ang', 'major vessels colored', 'thal']
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
