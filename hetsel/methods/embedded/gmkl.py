from typing import Any

import numpy as np

from hetsel.compiling.arithmetic import gram
from hetsel.ground import TableError, positive
from hetsel.kernels.scaled_kernels import Expansion, ScaledKernel
from hetsel.search.rankings.scale_factors import MachineFactorSelector
from hetsel.selection import About, Cost
from hetsel.solvers.ascent import Objective
from hetsel.solvers.svm.two_class_svm import solve_svm

PENALTIES = ("l1", "l2")


class GMKL(MachineFactorSelector):
    """Rank features by generalized multiple kernel learning.

    minimize over d >= 0   max_alpha sum alpha - (1/2) alpha' Y K_d Y alpha + sigma sum_f d_f
    subject to             sum alpha_i y_i = 0,   0 <= alpha_i <= C,

    with the product of a Gaussian kernel per feature, k_d(x, x') = prod_f exp(-d_f |z_f - z_f'|^2),
    and the columns z_f of feature f: a number in standard deviations, or the indicators of the
    levels, with the same total variance for all features, see :mod:`hetsel.kernels.scaled_kernels`.
    More than two classes have one machine against the rest per class, and the mean over the
    machines is minimized. Columns of all kinds are accepted; the target must be classes. Prefer
    GMKL to `rfe-mkl` if features may interact, since its kernel is a product.

    Features are ranked by sqrt(d_f) at the minimum. Features with d_f = 0 are ranked by the
    derivative there: by how little their participation would cost.

    Parameters
    ----------
    sigma : float
        Penalty of the factors: a larger one makes all of them smaller, in the end 0. The defaults
        sigma=1 and C=10 are those of the authors' program.
    penalty : {"l1", "l2"}
        "l1" is sigma sum d_f. "l2" is (sigma/2) sum d_f^2, which keeps more features.
    kernel : {"gaussian", "linear", "polynomial"}
        The product; or the sum of kernels sum_f 2 d_f <z_f, z_f'>; or (1 + that sum)^degree.
    solver : {"l-bfgs-b", "gradient"}
        "gradient" takes steps of a fixed length in sqrt(d). The authors' projected gradients reach
        no lower value than L-BFGS-B and need several times as many evaluations.

    Attributes
    ----------
    answer_ : Ranking
        Its extra `scale_factor` (p,) is sqrt(2 d_f).

    Notes
    -----
    Each evaluation trains the machines from the last ones.

    See Also
    --------
    RFEMKL : Elimination by a sum of clinical kernels, also for numeric targets and survival times.
    R2W2 : Scale factors by the radius-margin bound.

    References
    ----------
    Varma and Babu 2009, More generality in efficient multiple kernel learning, International
    Conference on Machine Learning, 1065-1072.

    Examples
    --------
    >>> from hetsel import GMKL, datasets
    >>> heart = datasets.load("heart")
    >>> GMKL(size=3).fit(heart.X, heart.y).get_feature_names_out().tolist()
    ['chest pain', 'cholesterol', 'major vessels colored']
    """

    C: Any = 10.0
    sigma: float = 1.0
    penalty: str = "l1"
    learning_rate: float = 0.01

    about = About(
        "multiple kernel learning, product of Gaussian kernels, L1 penalty",
        paper="Varma and Babu 2009",
        cost=Cost("n^2 p", "5 n^2 + 4 n d"),
    )

    def _of_machines(
        self, features: Expansion, kernel: ScaledKernel, labels: np.ndarray, C: float
    ) -> Objective:
        if self.penalty not in PENALTIES:
            raise TableError(f"penalty must be one of {', '.join(PENALTIES)}. Got {self.penalty!r}")
        positive("sigma", self.sigma)
        beta, count = np.zeros(labels.shape), len(labels)

        def penalized(u: np.ndarray) -> tuple[float, np.ndarray]:
            scaled = features.scaled(u)
            t = kernel.between(scaled, scaled)
            k = kernel.values(t)
            total = 0.0
            for y, start in zip(labels, beta, strict=True):
                solution = solve_svm(k, y, C, start=start)
                start[:] = solution.beta
                total += solution.objective
            weights = gram(beta.T) * kernel.slopes(t, k)
            slopes = -0.5 * kernel.contract(features, weights) / count
            d = 0.5 * u
            if self.penalty == "l2":
                cost, power = 0.5 * float((d * d).sum()), d
            else:
                cost, power = float(d.sum()), np.ones(len(d))
            value = -(total / count) - self.sigma * cost
            return value, -slopes - 0.5 * self.sigma * power

        return penalized
