from hetsel.search.subsets.subset_selector import SubsetSearch
from hetsel.selection import ROWS_FOR_MACHINES, About, Cost


class SFFSSVM(SubsetSearch):
    """Forward floating search for the best cross-validated rate of the clinical SVM.

    A machine is trained for each fold and candidate: n rows and p features take some p^2 folds
    machines of n rows.

    References
    ----------
    Somol et al. 2011, section 2.3; Paul, D'Ambrosio and Dupont 2015, Eq. 1 and 2.
    """

    criterion: object = "svm"

    about = About(
        "floating forward search, cross-validated support vector machine, clinical kernel",
        paper="somol2011, section 2.3",
        cost=Cost("s^3 p k + n p", "3 s^2 + 4 n p", ROWS_FOR_MACHINES),
        draws=True,
        trial={"folds": 2},
    )
