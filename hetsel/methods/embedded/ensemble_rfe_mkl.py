from hetsel.methods.embedded.rfe_mkl import RFEMKL
from hetsel.search.rankings.ensembles import EnsembleSelector
from hetsel.selection import About, BaseSelector, Cost


class EnsembleRFEMKL(EnsembleSelector):
    """Rank features by `rfe-mkl` on resamplings of the rows, and merge the rankings.

    The authors of RFE^MKL name this as their next step toward a more stable selection. Prefer it to
    :class:`hetsel.RFEMKL` if its selection varies between half-samples.

    See Also
    --------
    RFEMKL : The method that is run.
    EnsembleRFESVM : The same with `rfe-svm`.
    Ensemble : The same with any method.

    References
    ----------
    Paul, D'Ambrosio and Dupont 2015, section 6; Abeel, Helleputte, Van de Peer, Dupont & Saeys
    2010, Bioinformatics 26, 392-398, section 2.2.

    Examples
    --------
    >>> from hetsel import EnsembleRFEMKL, datasets
    >>> heart = datasets.load("heart")
    >>> selector = EnsembleRFEMKL(resamplings=5, size=3).fit(heart.X, heart.y)
    >>> selector.get_feature_names_out().tolist()
    ['chest pain', 'major vessels colored', 'thal']
    """

    use_of_sizes = "cuts"
    about = About(
        "recursive elimination with multiple kernel learning on resamplings of the rows",
        paper="paul2015, section 6; Abeel et al. 2010, section 2.2",
        cost=Cost("n p", "2.5 n p + 40 n"),
        costs={"survival": Cost("n p + n log n", "6 n p + 40 n")},
        draws=True,
        targets=("classes", "numbers", "survival"),
        trial={"resamplings": 5},
    )

    def _base(self) -> type[BaseSelector]:
        return RFEMKL
