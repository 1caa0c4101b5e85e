"""GMKL: factors of a product of Gaussian kernels, learned with a support vector machine."""

from typing import Any

import numpy as np

from hetsel.compiling.arithmetic import gram
from hetsel.ground.errors import TableError
from hetsel.ground.parameters import positive
from hetsel.kernels.expanded_features import Expansion
from hetsel.kernels.scaled_kernels import SHAPES, ScaledKernel
from hetsel.search.rankings.scale_factors import Features, ScaleFactorSelector
from hetsel.selection import About, Cost
from hetsel.solvers.ascent import Objective
from hetsel.solvers.svm.two_class_svm import numeric_bound, solve_svm, two_class_problems
from hetsel.tables import Classes, Target

PENALTIES = ("l1", "l2")


class GMKLSelector(ScaleFactorSelector):
    """Rank features of every kind by generalized multiple kernel learning.

    minimize over d >= 0   max_alpha sum alpha - (1/2) alpha' Y K_d Y alpha + sigma sum_f d_f

    subject to sum alpha_i y_i = 0 and 0 <= alpha_i <= C, with the product of a Gaussian kernel for
    each feature, k_d(x, x') = prod_f exp(-d_f |z_f - z_f'|^2), and the columns z_f of feature f (a
    number in standard deviations, a level by its indicators, the same total variance for all: see
    :mod:`hetsel.kernels.expanded_features`). More than two classes: one against the rest, the mean
    over the machines. Features are ranked by sqrt(d_f) at the minimum; those of d_f = 0 by the
    derivative there: by how little it would cost to take part.

    Parameters
    ----------
    C : float or "radius"
        Bound on the dual variables; "radius" is 1 / (mean distance of a row from the origin in
        feature space)^2 at equal factors. 10 is the default of the authors' program.
    sigma : float
        Price of the factors: a larger one makes all of them smaller, in the end 0. 1 is the default
        of the authors' program.
    penalty : {"l1", "l2"}
        sigma sum d_f, or (sigma/2) sum d_f^2, which leaves more features in.
    kernel : {"gaussian", "linear", "polynomial"}
        The product; or sum_f 2 d_f <z_f, z_f'>, a sum of kernels; or (1 + that sum)^degree.
    degree : int
        Of the polynomial kernel.
    solver : {"l-bfgs-b", "gradient"}
        "gradient" has steps of a fixed length in sqrt(d). The authors' projected gradients end no
        lower than L-BFGS-B, after several times as many evaluations.
    block_size : int
        Without effect: a machine needs the whole Gram matrix.

    Notes
    -----
    An evaluation trains the machines, each from the last one, on an (n, n) matrix; the derivatives
    (1/2) alpha' Y dK Y alpha take one product of a matrix (n, n) with the columns. `scale_factor`
    of the extras is sqrt(2 d_f).

    Raises
    ------
    TableError
        A parameter that is out of range.

    References
    ----------
    Varma and Babu 2009, More generality in efficient multiple kernel learning, International
    Conference on Machine Learning, 1065-1072.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"noise": [1.0, 0.0, 1.0, 0.5], "sex": ["f", "f", "m", "m"]})
    >>> GMKLSelector(size=1).fit(frame, [0, 0, 1, 1]).get_feature_names_out()
    array(['sex'], dtype=object)
    """

    C: Any = 10.0
    sigma: float = 1.0
    penalty: str = "l1"
    degree: int = 3
    learning_rate: float = 0.01

    kernels = SHAPES
    compares = False  # the fewer features tell, the longer the weights and their derivatives

    about = About(
        "multiple kernel learning, product of Gaussian kernels, l1 penalty",
        paper="Varma and Babu 2009",
        cost=Cost("n^2 p", "5 n^2 + 4 n d"),
    )

    def _objective(self, features: Features, target: Target) -> Objective:
        assert isinstance(features, Expansion)  # of all kernels taken
        assert isinstance(target, Classes)
        if self.penalty not in PENALTIES:
            raise TableError(f"penalty must be one of {', '.join(PENALTIES)}. Got {self.penalty!r}")
        positive("sigma", self.sigma)
        kernel = ScaledKernel(self.kernel, self.degree)
        equal = np.full(features.p, 1.0 / features.p)
        C = numeric_bound(self.C, kernel.from_origin(features, equal))
        value = machine_value(features, kernel, two_class_problems(target.codes), C)

        def penalized(u: np.ndarray) -> tuple[float, np.ndarray]:
            d = 0.5 * u
            power = d if self.penalty == "l2" else np.ones(len(d))
            cost = self.sigma * (
                0.5 * float((d * d).sum()) if self.penalty == "l2" else float(d.sum())
            )
            own, slopes = value(u)
            return -own - cost, -slopes - 0.5 * self.sigma * power

        return penalized


def machine_value(
    features: Expansion, kernel: ScaledKernel, labels: np.ndarray, C: float
) -> Objective:
    """Mean over machines of their dual value, with its derivatives, as a function of u (p,).

    Parameters
    ----------
    features : Expansion
        n rows, p features.
    labels : ndarray of shape (machines, n)
        -1 and +1.
    C : float
    """
    beta = np.zeros(labels.shape)

    def value(u: np.ndarray) -> tuple[float, np.ndarray]:
        scaled = features.scaled(u)
        t = kernel.between(scaled, scaled)
        k = kernel.values(t)
        total = 0.0
        for y, own in zip(labels, beta, strict=True):
            found = solve_svm(k, y, C, start=own)
            own[:] = found.beta
            total += found.objective
        weights = gram(beta.T) * kernel.slopes(t, k)
        count = len(labels)
        return total / count, -0.5 * kernel.contract(features, weights) / count

    return value
