from hetsel.methods.registry import get_method
from hetsel.search.rankings.ensembles import EnsembleSelector
from hetsel.selection import About, BaseSelector, Cost


class Ensemble(EnsembleSelector):
    """Rank features by any method on resamplings of the rows, and merge the results.

    `method` is run on each resampling, and `merge` combines its answers into one ranking, or into
    one subset per size. Prefer an ensemble if a method selects other features on slightly other
    rows; `vignettes/paul2015.md` reports the effect on the stability of eliminations.

    Parameters
    ----------
    method : str
        Key of the method that is run, see :func:`hetsel.method_keys`.

    See Also
    --------
    EnsembleRFESVM : The same with `rfe-svm`.
    EnsembleRFEMKL : The same with `rfe-mkl`.

    References
    ----------
    Saeys, Abeel & Van de Peer 2008, ECML PKDD, 313-325; Abeel, Helleputte, Van de Peer, Dupont &
    Saeys 2010, Bioinformatics 26, 392-398, section 2.2 (bootstraps, linear aggregation of ranks);
    Meinshausen & Buehlmann 2010, Journal of the Royal Statistical Society B 72, 417-473
    (frequencies).

    Examples
    --------
    >>> from hetsel import Ensemble, datasets
    >>> heart = datasets.load("heart")
    >>> selector = Ensemble(method="hsic", resamplings=20, size=3).fit(heart.X, heart.y)
    >>> selector.get_feature_names_out().tolist()
    ['chest pain', 'exerc ind ang', 'thal']
    """

    method: str = "rfe-svm"

    about = About(
        "any method on resamplings of the rows, with merged results",
        paper="Saeys et al. 2008; Abeel et al. 2010, section 2.2",
        cost=Cost("n p", "6 n p + 40 n"),
        draws=True,
        targets=("classes", "numbers", "survival"),
        trial={"resamplings": 5},
    )

    def _base(self) -> type[BaseSelector]:
        return get_method(self.method)
