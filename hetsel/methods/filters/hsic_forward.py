"""FOHSIC: features in the order in which they raise the HSIC of the subset."""

from __future__ import annotations

import numpy as np

from hetsel.search.criteria.hsic_value import HSICValue
from hetsel.selection.about import About
from hetsel.selection.answer import Ranking, Step, best_first
from hetsel.selection.base import BaseSelector
from hetsel.selection.problem import Problem
from hetsel.tables.validation import at_least


class HSICForwardSelector(BaseSelector):
    """Rank features of every kind by forward selection with HSIC and a Gaussian product kernel.

    Next comes argmax_f HSIC(S + f), with the kernel of :mod:`hetsel.search.criteria.hsic_value`,
    whose width goes with the number of features; of equals the lower column index. The first
    `depth` features are chosen one by one, or as many as the largest size asked for; the others
    stand behind them by their HSIC at the last choice, constant columns last.

    Parameters
    ----------
    depth : int
        Number of features that are chosen one by one.

    Attributes
    ----------
    importances_ : ndarray of float, shape (p,)
        p for the first feature, 1 for the last.
    answer_ : Ranking
        Its steps have each feature that was chosen with the HSIC once it is in.

    Notes
    -----
    A choice among q features takes q n^2 / 2 exponentials; memory is 8 n^2 bytes.

    References
    ----------
    Song, Smola, Gretton, Bedo and Borgwardt 2012, Journal of Machine Learning Research 13,
    1393-1434, section 4.3.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"noise": [1.0, 0.0, 1.0, 0.5], "sex": ["f", "f", "m", "m"]})
    >>> HSICForwardSelector(size=1).fit(frame, [0, 0, 1, 1]).get_feature_names_out()
    array(['sex'], dtype=object)
    """

    depth: int = 1000

    about = About(
        "forward selection by HSIC, Gaussian product kernel",
        paper="Song et al. 2012, FOHSIC",
    )

    def _select(self, problem: Problem) -> Ranking:
        at_least("depth", self.depth, 1)
        state = HSICValue().start(problem)
        left = np.flatnonzero(state.varies)
        order: list[int] = []
        steps: list[Step] = []
        last = np.zeros(problem.p)
        while len(left) and len(order) < max(self.depth, *problem.sizes):
            values = state.values_with(left.tolist())
            last[left] = values
            best = int(left[values.argmax()])
            state.add(best)
            order.append(best)
            steps.append(Step(len(steps), (best,), float(values.max())))
            left = left[left != best]
        order += left[best_first(last[left])].tolist()
        order += np.flatnonzero(~state.varies).tolist()
        importance = np.empty(problem.p)
        importance[order] = np.arange(problem.p, 0, -1)
        return Ranking(np.array(order, dtype=np.intp), importance, tuple(steps))
