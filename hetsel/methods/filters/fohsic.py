import numpy as np

from hetsel.search.criteria.kernel_criteria import HSICValue
from hetsel.search.rankings.forward_loop import forward_ranking
from hetsel.selection import About, BaseSelector, Cost, Problem, Ranking


class FOHSIC(BaseSelector):
    """Rank features by forward selection with HSIC and a Gaussian product kernel.

    The next feature is argmax_f HSIC(S + f); ties go to the lower column index. The kernel is
    described in :mod:`hetsel.search.criteria.kernel_criteria`; its width grows with the number of
    features. Columns of all kinds and all targets are accepted; the kernel of a numeric target or
    of survival times is that of `hsic`. Prefer FOHSIC to `bahsic` if few features are wanted from
    many.

    The first `depth` features are selected one by one, or as many as the largest requested size.
    The others follow by their HSIC at the last selection, constant columns last.

    Parameters
    ----------
    depth : int, optional
        Number of features that are selected one by one. None: as many as the requested size, at
        least 100, and no others are ranked; 1000 without a size.

    Attributes
    ----------
    importances_ : ndarray of float, shape (p,)
        HSIC of the subset with the feature, when it was selected or, beyond the depth, at the last
        selection. Compare features by their ranks.

    See Also
    --------
    BAHSIC : Backward elimination with the same criterion.
    HSIC : The criterion of each feature alone.

    References
    ----------
    Song, Smola, Gretton, Bedo and Borgwardt 2012, Journal of Machine Learning Research 13,
    1393-1434, section 4.3.

    Examples
    --------
    >>> from hetsel import FOHSIC, datasets
    >>> heart = datasets.load("heart")
    >>> selector = FOHSIC(size=3).fit(heart.X, heart.y)
    >>> selector.frame()[["feature", "importance"]].head(3).round(3)
                     feature  importance
    0                   thal       0.052
    1          exerc ind ang       0.045
    2  major vessels colored       0.044
    """

    depth: int | None = None

    use_of_sizes = "depth"
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
