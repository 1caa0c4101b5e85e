from hetsel.methods.registry import get_method
from hetsel.search.rankings.ensembles import EnsembleSelector
from hetsel.selection import About, BaseSelector, Cost


class Ensemble(EnsembleSelector):
    """Run any method on resamplings of the rows and merge what it answers.

    Parameters
    ----------
    method : str
        Key of the method that is run, see :func:`hetsel.method_keys`.

    References
    ----------
    Saeys, Abeel & Van de Peer 2008, ECML PKDD, 313-325; Abeel, Helleputte, Van de Peer, Dupont &
    Saeys 2010, Bioinformatics 26, 392-398, section 2.2 (bootstraps, linear aggregation of ranks);
    Meinshausen & Buehlmann 2010, Journal of the Royal Statistical Society B 72, 417-473
    (frequencies).
    """

    method: str = "rfe-svm"

    about = About(
        "any method on resamplings of the rows, merged to one answer",
        paper="Saeys et al. 2008; Abeel et al. 2010, section 2.2",
        cost=Cost("n p", "6 n p + 40 n"),
        draws=True,
        targets=("classes", "numbers", "survival"),
        trial={"resamplings": 5},
    )

    def _base(self) -> type[BaseSelector]:
        return get_method(self.method)
