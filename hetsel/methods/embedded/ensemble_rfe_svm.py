from hetsel.methods.embedded.rfe_svm import RFESVM
from hetsel.search.rankings.ensembles import EnsembleSelector
from hetsel.selection import About, BaseSelector, Cost


class EnsembleRFESVM(EnsembleSelector):
    """Rank features by `rfe-svm` on resamplings of the rows, and merge the rankings.

    The authors of RFE^SVM name this as their next step toward a more stable selection. Prefer it to
    :class:`hetsel.RFESVM` if its selection varies between half-samples.

    See Also
    --------
    RFESVM : The method that is run.
    EnsembleRFEMKL : The same with `rfe-mkl`.
    Ensemble : The same with any method.

    References
    ----------
    Paul, D'Ambrosio and Dupont 2015, section 6; Abeel, Helleputte, Van de Peer, Dupont & Saeys
    2010, Bioinformatics 26, 392-398, section 2.2.

    Examples
    --------
    >>> from hetsel import EnsembleRFESVM, datasets
    >>> heart = datasets.load("heart")
    >>> selector = EnsembleRFESVM(resamplings=5, size=3).fit(heart.X, heart.y)
    >>> selector.get_feature_names_out().tolist()
    ['chest pain', 'major vessels colored', 'thal']
    """

    use_of_sizes = "cuts"
    about = About(
        "recursive elimination with support vector machines on resamplings of the rows",
        paper="paul2015, section 6; Abeel et al. 2010, section 2.2",
        cost=Cost("n p", "2.5 n p + 40 n"),
        costs={"survival": Cost("n p + n log n", "6 n p + 40 n")},
        draws=True,
        targets=("classes", "numbers", "survival"),
        trial={"resamplings": 5},
    )

    def _base(self) -> type[BaseSelector]:
        return RFESVM
