from typing import ClassVar

from hetsel.kernels.class_separation import alignment
from hetsel.search.rankings.scale_factors import Features, ScaleFactorSelector
from hetsel.selection import About, Cost
from hetsel.solvers.ascent import Objective
from hetsel.tables import TypedTarget


class SAS(ScaleFactorSelector):
    """Rank features by scaled alignment selection.

    maximize A(w) = <K_w, T> / (|K_w| |T|)   over scale factors w

    of the kernel k_w of :mod:`hetsel.kernels.scaled_kernels`. Continuous and ordinal columns enter
    it by products or squared differences, nominal columns by I(a = b) or I(a != b). T is the target
    matrix of the classes, or the centered kernel of a numeric target or of survival times, as in
    `hsic`. Features are ranked by their factors at the maximum, and features with factor 0 by the
    derivative there. Columns of all kinds and all targets are accepted. Prefer SAS to `scss` if the
    target is not a class, and to `hsic` if features may interact.

    Parameters
    ----------
    target : {"uneven", "even"}
        Target matrix. "uneven" weighs the classes alike (Eq. 4). "even" is Eq. 10 (y y' for two
        classes), which Algorithm 1 states; it is for classes only. If the classes differ in size, a
        kernel without structure is already aligned with "even", and relevant features are lost.
    degree : int
        Degree of the polynomial kernel (1 + t)^degree.
    starts : int
        Number of ascents, one from equal factors and the others from random ones; the largest value
        counts. If n^2 p is at most 2 million, ten more ascents from starts that follow from the
        table are always made.

    Notes
    -----
    `step` is the elimination of section III-C, and `solver="gradient"` is Algorithm 1 as printed.
    No (n, n) matrix is held (section VI-A).

    With few rows and many columns the maximum separates these rows by few columns and hardly
    depends on the others. `solver="gradient", iterations=10`, the ten steps of section VI-C, stops
    earlier. It orders redundant columns such as pixels better, and misses columns that are
    informative only together (`vignettes/ramona2012.md`, Table V and Fig. 1).

    See Also
    --------
    SCSS : Class separability in place of the alignment.
    ScaledFrobenius : The same without the denominator.
    SubsetSearch : Searches subsets by the alignment, `criterion="gaussian-alignment"`.

    References
    ----------
    Ramona, Richard and David 2012, section III, Eq. 3 to 11, Algorithm 1.

    Examples
    --------
    >>> from hetsel import SAS, datasets
    >>> heart = datasets.load("heart")
    >>> SAS(size=3).fit(heart.X, heart.y).get_feature_names_out().tolist()
    ['chest pain', 'major vessels colored', 'thal']
    """

    target: str = "uneven"
    degree: int = 3

    several: ClassVar[bool] = True

    about = About(
        "scaled alignment selection: scale factors of a Gaussian kernel aligned with the target",
        paper="ramona2012, section III, Algorithm 1",
        cost=Cost("n^2 d", "6 n d + 400 n"),
        targets=("classes", "numbers", "survival"),
    )

    def _objective(self, features: Features, target: TypedTarget) -> Objective:
        return self._rated(alignment(target, self.target), features, self.degree)
