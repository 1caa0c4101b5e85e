from hetsel.search.subsets.subset_selector import SubsetSearch
from hetsel.selection import About, Cost


class SFFSRidge(SubsetSearch):
    """Forward floating search for the subset with the best leave-one-out rate of ridge regression.

    Every candidate costs a pass over the rows; no fold is drawn. Of a target of numbers it is the
    leave-one-out R^2 of ridge regression of the number, of survival times the leave-one-out
    concordance of Cox regression with a ridge penalty, approximate: one Newton step from the fit to
    all rows for each row that is left out. See
    :class:`hetsel.search.criteria.rates.ridge_leave_one_out.RidgeLeaveOneOut`.

    References
    ----------
    Pudil, Novovicova and Kittler 1994; Allen 1974, Technometrics 16; Verweij and van
    Houwelingen 1993, Statistics in Medicine 12.
    """

    criterion: object = "ridge"

    about = About(
        "floating forward search, ridge regression with each row left out",
        remark="of survival times approximately",
        paper="somol2011, section 1.2.2; Allen 1974",
        cost=Cost("n d^2", "3.5 n d + 2.5 n p"),
        targets=("classes", "numbers", "survival"),
    )
