from typing import ClassVar

from hetsel.kernels.class_separation import alignment
from hetsel.search.rankings.scale_factors import Features, ScaleFactorSelector
from hetsel.selection import About, Cost
from hetsel.solvers.ascent import Objective
from hetsel.tables import TypedTarget


class SAS(ScaleFactorSelector):
    """Rank features of every kind by scaled alignment selection.

    maximize A(w) = <K_w, T> / (|K_w| |T|) over scale factors w,

    of the kernel k_w of :mod:`hetsel.kernels.scaled_kernels`, in which numbers take part by
    products or squared differences and levels by I(a = b) or I(a != b); T is the target matrix of
    the classes, or the centered kernel of numbers or survival times, that of `hsic`. Features are
    ranked by their factors at the maximum; those of factor 0 by the derivative there.

    Parameters
    ----------
    target : {"uneven", "even"}
        Target matrix: the one that weighs classes alike (Eq. 4), or Eq. 10 (y y' for two classes),
        which Algorithm 1 prints: where classes differ in size, a kernel without structure is
        already aligned with it, and relevant features are lost. "even" is for classes only.
    degree : int
        Of the polynomial kernel (1 + t)^degree.
    starts : int
        Number of ascents, from equal factors and from random ones; the largest value counts. Up to
        n^2 p of 2 million ten more are always made, from starts that follow from the table.

    Notes
    -----
    `step` is the elimination of section III-C, `solver="gradient"` Algorithm 1 as printed. No
    (n, n) matrix is held (section VI-A).

    With few rows and many columns the maximum parts these rows by few columns, and says little of
    the others: `solver="gradient", iterations=10`, the ten steps of section VI-C, stops before. It
    orders redundant columns, such as pixels, better, and misses columns that tell the classes only
    together (`vignettes/ramona2012.md`, Table V and Fig. 1).

    References
    ----------
    Ramona, Richard and David 2012, section III, Eq. 3 to 11, Algorithm 1.
    """

    target: str = "uneven"
    degree: int = 3

    several: ClassVar[bool] = True

    about = About(
        "scaled alignment selection: factors of a Gaussian kernel aligned with the target",
        paper="ramona2012, section III, Algorithm 1",
        cost=Cost("n^2 d", "6 n d + 400 n"),
        targets=("classes", "numbers", "survival"),
    )

    def _objective(self, features: Features, target: TypedTarget) -> Objective:
        return self._rated(alignment(target, self.target), features, self.degree)
