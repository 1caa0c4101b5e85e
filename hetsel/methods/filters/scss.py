from typing import ClassVar

from hetsel.ground import positive
from hetsel.kernels.class_separation import class_separability
from hetsel.search.rankings.scale_factors import Features, ScaleFactorSelector
from hetsel.selection import About, Cost
from hetsel.solvers.ascent import Objective
from hetsel.tables import Classes, TypedTarget


class SCSS(ScaleFactorSelector):
    """Rank features by scaled class separability selection.

    maximize C(w) = tr S_b / (tr S_w + epsilon tr K_w)   over scale factors w,

    with S_b and S_w the scatter between and within the classes in the space of the kernel k_w, see
    :mod:`hetsel.kernels.class_separation`. Columns of all kinds are accepted; the target must be
    classes. Prefer SCSS to `fisher-score` if effects are nonlinear or features interact. With the
    linear kernel both traces are sums over features: the maximum is the single feature of the
    largest ratio, and the order is that of `fisher-score`.

    Parameters
    ----------
    epsilon : float
        Regularization. Without it the factors of a Gaussian kernel may go to 0.
    degree : int
        Degree of the polynomial kernel (1 + t)^degree.
    starts : int
        As in :class:`hetsel.SAS`.

    See Also
    --------
    SAS : The alignment, also for numeric targets and survival times.
    FisherScore : The linear case.

    References
    ----------
    Ramona, Richard and David 2012, section IV, Eq. 14 to 18.

    Examples
    --------
    >>> from hetsel import SCSS, datasets
    >>> heart = datasets.load("heart")
    >>> SCSS(size=1).fit(heart.X, heart.y).get_feature_names_out().tolist()
    ['thal']
    """

    epsilon: float = 0.1
    degree: int = 3

    several: ClassVar[bool] = True

    about = About(
        "scaled class separability selection: scale factors of a Gaussian kernel",
        paper="ramona2012, section IV",
        cost=Cost("n^2 d", "6 n d + 400 n"),
        why_not={kind: "it separates classes" for kind in ("numbers", "survival")},
    )

    def _objective(self, features: Features, target: TypedTarget) -> Objective:
        positive("epsilon", self.epsilon)
        assert isinstance(target, Classes)
        criterion = class_separability(target, self.epsilon)
        return self._rated(criterion, features, self.degree)
