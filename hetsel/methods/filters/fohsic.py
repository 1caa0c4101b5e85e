import numpy as np

from hetsel.search.criteria.kernel_criteria import HSICValue
from hetsel.search.rankings.forward_loop import forward_ranking
from hetsel.selection import About, BaseSelector, Cost, Problem, Ranking


class FOHSIC(BaseSelector):
    """Rank features of every kind by forward selection with HSIC and a Gaussian product kernel.

    Next comes argmax_f HSIC(S + f), with the kernel of
    :mod:`hetsel.search.criteria.kernel_criteria`, whose width goes with the number of features; of
    equals the lower column index. The first `depth` features are chosen one by one, or as many as
    the largest size asked for; the others stand behind them by their HSIC at the last choice,
    constant columns last. The kernels of numbers and survival times are those of `hsic`.

    Parameters
    ----------
    depth : int, optional
        Number of features that are chosen one by one. None: as many as the size asked for, 100 at
        least, and no others are ranked; 1000 without a size.

    Attributes
    ----------
    importances_ : ndarray of float, shape (p,)
        HSIC of the subset with the feature, when it was chosen or, beyond the depth, at the last
        choice; the features compare by their ranks.

    References
    ----------
    Song, Smola, Gretton, Bedo and Borgwardt 2012, Journal of Machine Learning Research 13,
    1393-1434, section 4.3.
    """

    depth: int | None = None

    about = About(
        "forward selection by HSIC, Gaussian product kernel",
        paper="Song et al. 2012, FOHSIC",
        cost=Cost("n^2 p k", "n^2 + 4 n p"),
        costs=dict.fromkeys(("numbers", "survival"), Cost("n^2 p k", "2 n^2 + 4 n p")),
        targets=("classes", "numbers", "survival"),
    )

    def _select(self, problem: Problem) -> Ranking:
        state = HSICValue(sample=None).start(problem)

        def after(chosen: int, left: np.ndarray) -> np.ndarray:
            state.add(chosen)
            values = np.zeros(problem.p)
            values[left] = state.values_with(left.tolist())
            return values

        start = state.values_with(range(problem.p))
        return forward_ranking(problem, state.varies, start, after, depth=self.depth)
