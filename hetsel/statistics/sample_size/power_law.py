"""Describe how performance grows with the number of training rows: a power law.

Notation. n rows at hand, y_ik the performance of repeat i with m_k rows; f(m) = a - b (m / n)^-c.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

# of c: slower growth has no limit that few sizes could show, faster growth is noise
EXPONENTS = (0.25, 2.0)
STARTS = (0.5, 1.0)


@dataclass(frozen=True)
class PowerLaw:
    """f(m) = a - b (m / n)^-c."""

    limit: float  # a, the performance with infinitely many rows
    loss: float  # b, the difference from there to the performance with n rows; not negative
    exponent: float  # c
    rows: int  # n

    def __call__(self, m: NDArray[np.float64] | float) -> NDArray[np.float64]:
        scaled = np.asarray(m, dtype=np.float64) / self.rows
        return np.asarray(self.limit - self.loss * scaled**-self.exponent)

    def rows_for(self, rate: float) -> float:
        """Return the rows at which the performance is this; infinite if it never is."""
        if self.loss <= 0:
            return 1.0 if self.limit >= rate else float("inf")
        if rate >= self.limit:
            return float("inf")
        return float(self.rows * (self.loss / (self.limit - rate)) ** (1 / self.exponent))


def power_law(sizes: NDArray[np.float64], rates: NDArray[np.float64], rows: int) -> PowerLaw:
    """Fit the power law of sizes m_k and their mean performance (K,) by least squares.

    0 <= b, a <= 1, 0.25 <= c <= 2. Mukherjee et al. (2003) Journal of Computational Biology 10,
    119-142; Viering & Loog (2023) IEEE Transactions on Pattern Analysis and Machine Intelligence
    45, 7799-7819.
    """
    scaled = np.asarray(sizes, dtype=np.float64) / rows
    root = np.sqrt(scaled)  # the weight of a size is its number of rows

    def away(parameters: NDArray[np.float64]) -> NDArray[np.float64]:
        limit, loss, exponent = parameters
        return np.asarray(root * (limit - loss * scaled**-exponent - rates))

    last = float(rates[-1])
    bounds = ([-np.inf, 0.0, EXPONENTS[0]], [1.0 + 1e-12, np.inf, EXPONENTS[1]])
    fits = [
        optimize.least_squares(
            away,
            [min(last + 0.05, 1.0), 0.05, exponent],
            bounds=bounds,
            xtol=1e-10,
            ftol=1e-10,
            gtol=1e-10,
        )
        for exponent in STARTS
    ]
    best = min(fits, key=lambda fit: float(fit.cost))
    limit, loss, exponent = (float(value) for value in best.x)
    return PowerLaw(min(limit, 1.0), loss, exponent, rows)


def resampled_laws(
    sizes: NDArray[np.float64],
    rates: NDArray[np.float64],
    rows: int,
    rng: np.random.Generator,
    draws: int = 200,
) -> list[PowerLaw]:
    """Fit power laws to repeats (R, K) drawn with replacement; NaN if a repeat has no such size."""
    laws = []
    for _ in range(draws):
        drawn = rates[rng.integers(len(rates), size=len(rates))]
        known = ~np.isnan(drawn).all(axis=0)
        means = np.nanmean(drawn[:, known], axis=0)
        if known.sum() >= 3:
            laws.append(power_law(sizes[known], means, rows))
    return laws
