import numpy as np

from hetsel.compiling.arithmetic import gram, logarithms
from hetsel.kernels.scaled_kernels import Expansion, ScaledKernel
from hetsel.search.rankings.scale_factors import MachineFactorSelector
from hetsel.selection import About, Cost
from hetsel.solvers.ascent import Objective
from hetsel.solvers.svm import sequential_minimal, two_class_svm

PRECISION = 1e-6  # of the ball: the derivatives have about as many digits


def radius_margin(
    features: Expansion, kernel: ScaledKernel, labels: np.ndarray, C: float
) -> Objective:
    """Return -log(R^2 sum ||v||^2) with its derivatives, as a function of u (p,).

    `labels` (machines, n) are -1 and +1.
    """
    n = labels.shape[1]
    beta, center = np.zeros(labels.shape), np.full(n, 1.0 / n)
    diagonal = np.diag_indices(n)

    def objective(u: np.ndarray) -> tuple[float, np.ndarray]:
        scaled = features.scaled(u)
        t = kernel.between(scaled, scaled)
        k = kernel.values(t)
        slopes = kernel.slopes(t, k)
        k[diagonal] += 1.0 / C
        center[:], square = sequential_minimal.enclosing_ball(k, start=center, tolerance=PRECISION)
        normal = 0.0
        for y, start in zip(labels, beta, strict=True):
            # squared slacks put no bound on alpha; at the optimum none is above n C
            solution = two_class_svm.solve_svm(k, y, n * C, start=start)
            start[:] = solution.beta
            normal += 2.0 * solution.objective
        weights = square * gram(beta.T) + normal * np.outer(center, center)
        weights[diagonal] -= normal * center
        weights *= slopes
        bound = square * normal
        return -float(logarithms(np.array([bound]))[0]), kernel.contract(features, weights) / bound

    return objective


class R2W2(MachineFactorSelector):
    """Rank features by the radius-margin bound of a support vector machine.

    minimize T(w) = R^2 ||v||^2   over scale factors w

    of the kernel k_w of :mod:`hetsel.kernels.scaled_kernels`. Continuous and ordinal columns enter
    it by products or squared differences, nominal columns by I(a = b) or I(a != b). v is the normal
    of the machine and R the radius of the smallest ball that holds all rows. Both use k_w(x_i, x_j)
    + I(i = j) / C, the soft margin with squared slacks. More than two classes have one machine
    against the rest per class: ||v||^2 is summed over the machines, and they share R. Columns of
    all kinds are accepted; the target must be classes. Prefer R2W2 to `sas` if the features should
    serve a support vector machine: the bound is on its leave-one-out error.

    Features are ranked by their factors at the minimum, and features with factor 0 by the
    derivative there.

    Parameters
    ----------
    C : float or "radius"
        Weight of the squared slacks. "radius" is 1 / (mean distance of a row from the origin in
        feature space)^2 at equal factors, the default of SVMlight. With the linear kernel C does
        not change the minimum, since the common scale of the factors has the same effect.
    solver : {"l-bfgs-b", "gradient"}
        Algorithm that minimizes log T. "gradient", with a fixed step, is the published one.

    Notes
    -----
    The derivatives are

    dT = ||v||^2 (sum_i b_i dk_ii - b' dK b) - R^2 sum_ij alpha_i alpha_j y_i y_j dK_ij

    with the weights b of the center. The derivatives of alpha and b vanish at their optimum.

    See Also
    --------
    GMKL : Scale factors with an L1 penalty.
    SAS : Scale factors by the alignment, without a machine.

    References
    ----------
    Weston, Mukherjee, Chapelle, Pontil, Poggio and Vapnik 2000, Advances in Neural Information
    Processing Systems 13, 668-674; Chapelle, Vapnik, Bousquet and Mukherjee 2002, Machine Learning
    46, 131-159.

    Examples
    --------
    >>> from hetsel import R2W2, datasets
    >>> heart = datasets.load("heart")
    >>> R2W2(size=3).fit(heart.X, heart.y).get_feature_names_out().tolist()
    ['chest pain', 'major vessels colored', 'thal']
    """

    about = About(
        "smallest radius-margin bound: scale factors of a Gaussian kernel",
        paper="Weston et al. 2000; Chapelle et al. 2002",
        cost=Cost("n^2 d", "6 n^2 + 4 n d"),
    )

    _of_machines = staticmethod(radius_margin)
