from hetsel.kernels.class_separation import frobenius
from hetsel.search.rankings.scale_factors import Features, ScaleFactorSelector
from hetsel.selection import About, Cost
from hetsel.solvers.ascent import Objective
from hetsel.tables import TypedTarget


class ScaledFrobenius(ScaleFactorSelector):
    """Rank features by scaled Frobenius selection.

    maximize F(w) = <K_w, T> / n^2   over scale factors w of a Gaussian kernel.

    Neumann et al. 2005 and Wang 2008 maximize this product in place of the alignment and of the
    class separability; `sas` and `scss` keep the denominators. Without a denominator few features
    get all the weight, so prefer `sas` or `scss`, and use this method for comparison. Columns of
    all kinds and all targets are accepted. An inner-product kernel is refused, since F has no
    maximum for it.

    Parameters
    ----------
    kernel : {"gaussian"}
    target : {"uneven", "even"}
        "uneven" is the trace of the scatter between the classes (Eq. 20), Wang's criterion. "even"
        is Eq. 10, for classes only. For a numeric target and survival times T is the centered
        kernel of the target, as in `hsic`.

    See Also
    --------
    SAS : The alignment, with its denominator.
    SCSS : The class separability, with its denominator.

    References
    ----------
    Ramona, Richard and David 2012, section V-C, Eq. 24.

    Examples
    --------
    >>> from hetsel import ScaledFrobenius, datasets
    >>> heart = datasets.load("heart")
    >>> selector = ScaledFrobenius(size=1).fit(heart.X, heart.y)
    >>> selector.get_feature_names_out().tolist()
    ['thal']
    """

    target: str = "uneven"

    kernels = ("gaussian",)  # the criterion has no maximum for other kernels
    about = About(
        "scaled Frobenius selection: scale factors of a Gaussian kernel, no denominator",
        paper="ramona2012, Eq. 24",
        cost=Cost("n^2 d", "6 n d + 400 n"),
        targets=("classes", "numbers", "survival"),
    )

    def _objective(self, features: Features, target: TypedTarget) -> Objective:
        return self._rated(frobenius(target, self.target), features)
