from hetsel.kernels.class_separation import frobenius
from hetsel.search.rankings.scale_factors import Features, ScaleFactorSelector
from hetsel.selection import About, Cost
from hetsel.solvers.ascent import Objective
from hetsel.tables import TypedTarget


class ScaledFrobenius(ScaleFactorSelector):
    """Rank features of every kind by scaled Frobenius selection.

    maximize F(w) = <K_w, T> / n^2 over scale factors w of a Gaussian kernel,

    what Neumann et al. 2005 and Wang 2008 maximize in place of the alignment and of the class
    separability; `sas` and `scss` keep the denominators. It has no maximum for an inner-product
    kernel, which is refused.

    Parameters
    ----------
    kernel : {"gaussian"}
    target : {"uneven", "even"}
        "uneven": the trace of the scatter between the classes (Eq. 20), Wang's criterion; "even":
        Eq. 10, of classes only. For numbers and survival times T is the centered kernel of the
        target, that of `hsic`.

    References
    ----------
    Ramona, Richard and David 2012, section V-C, Eq. 24.
    """

    target: str = "uneven"

    kernels = ("gaussian",)  # of another the criterion has no maximum
    about = About(
        "scaled Frobenius selection: factors of a Gaussian kernel, no denominator",
        paper="ramona2012, Eq. 24",
        cost=Cost("n^2 d", "6 n d + 400 n"),
        targets=("classes", "numbers", "survival"),
    )

    def _objective(self, features: Features, target: TypedTarget) -> Objective:
        return self._rated(frobenius(target, self.target), features)
