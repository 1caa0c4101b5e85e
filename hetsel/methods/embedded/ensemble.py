"""Ensemble of any method: many resamplings of the rows, one answer."""

from __future__ import annotations

from hetsel.methods.registry import get_method
from hetsel.search.rankings.ensembles import EnsembleSelector
from hetsel.selection.about import About
from hetsel.selection.base import BaseSelector


class Ensemble(EnsembleSelector):
    """Run any method on resamplings of the rows and merge what it answers.

    Parameters
    ----------
    method : str
        Key of the method that is run, see :func:`hetsel.method_keys`.
    params : mapping, optional
        Its parameters; None takes its defaults.
    merge : {"rank", "frequency", "weight"}
        "rank": J(f) = p + 1 - the mean rank. "weight": J(f) = the mean of J_b(f) / sum_g |J_b(g)|
        over the resamplings b; an elimination makes its first step only, so that all importances
        are of one model. "frequency": the features that are in most of the signatures of the size
        asked for, a subset for each size; equal ones by the mean rank. A method that searches
        subsets has frequencies only.
    resamplings : int
        How often the method is run.
    kind : {"bootstrap", "subsample"}
        Rows are drawn with replacement, as many as there are, or without; every class has its
        share, and rows of one group are drawn together.
    share : float
        Share of the rows in a subsample.

    The answer's extra where it is a ranking: `mean_rank` (p,). It claims no proof of its order.

    Notes
    -----
    Resampling b draws its rows and its seed by a generator of its own, in the canonical order of
    the rows: more resamplings begin with the same ones. Levels of columns are those that the rows
    of the resampling have, where no schema fixes them. A method that holds rows out holds the
    copies of a row in a bootstrap out together.

    References
    ----------
    Saeys, Abeel & Van de Peer 2008, ECML PKDD, 313-325; Abeel, Helleputte, Van de Peer, Dupont &
    Saeys 2010, Bioinformatics 26, 392-398, section 2.2 (bootstraps, linear aggregation of ranks);
    Meinshausen & Buehlmann 2010, Journal of the Royal Statistical Society B 72, 417-473
    (frequencies).

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"noise": [1.0, 0.0, 1.0, 0.5], "sex": ["f", "f", "m", "m"]})
    >>> Ensemble(method="hsic", size=1).fit(frame, [0, 0, 1, 1]).get_feature_names_out()
    array(['sex'], dtype=object)
    """

    method: str = "rfe-svm"

    about = About(
        "any method on resamplings of the rows, merged to one answer",
        paper="Saeys et al. 2008; Abeel et al. 2010, section 2.2",
        draws=True,
        trial={"resamplings": 5},
    )

    def _base(self) -> type[BaseSelector]:
        return get_method(self.method)
