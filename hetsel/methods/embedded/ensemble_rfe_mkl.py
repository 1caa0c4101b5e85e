from hetsel.methods.embedded.rfe_mkl import RFEMKL
from hetsel.search.rankings.ensembles import EnsembleSelector
from hetsel.selection import About, BaseSelector, Cost


class EnsembleRFEMKL(EnsembleSelector):
    """Run :class:`hetsel.RFEMKL` on resamplings of the rows and merge its rankings.

    What the authors of RFE^MKL name as their next step, for its stability.

    References
    ----------
    Paul, D'Ambrosio and Dupont 2015, section 6; Abeel, Helleputte, Van de Peer, Dupont & Saeys
    2010, Bioinformatics 26, 392-398, section 2.2.
    """

    about = About(
        "recursive elimination by multiple kernel learning on resamplings of the rows",
        paper="paul2015, section 6; Abeel et al. 2010, section 2.2",
        cost=Cost("n p", "2.5 n p + 40 n"),
        costs={"survival": Cost("n p + n log n", "6 n p + 40 n")},
        draws=True,
        targets=("classes", "numbers", "survival"),
        trial={"resamplings": 5},
    )

    def _base(self) -> type[BaseSelector]:
        return RFEMKL
