"""Algorithm 1 of Ramona, Richard and David (2012) on whole matrices, equation by equation."""

import numpy as np


def target(y):
    """K* of Eq. 10, which is y y' for two classes (Eq. 2)."""
    return np.where(y[:, None] == y, 1.0, -1.0 / (len(np.unique(y)) - 1))


def alignment(k, y):
    """Eq. 3."""
    t = target(y)
    return (k * t).sum() / np.sqrt((k * k).sum() * (t * t).sum())


def alignment_slope(k, dk, y):
    """Eq. 9."""
    t = target(y)
    norm_k, norm_t = np.sqrt((k * k).sum()), np.sqrt((t * t).sum())
    return (dk * t).sum() / (norm_k * norm_t) - (k * t).sum() * (k * dk).sum() / (
        norm_k**3 * norm_t
    )


def scatters(k, y):
    """tr S_b and tr S_w, n times those of Eq. 15 and 16 with W of Eq. 17 inserted."""
    w = sum(k[np.ix_(y == c, y == c)].sum() / (y == c).sum() for c in np.unique(y))
    return w - k.sum() / len(y), np.trace(k) - w


def separability(k, y, epsilon=0.1):
    """Eq. 18 with the regularized denominator of section IV-C."""
    between, within = scatters(k, y)
    return between / (within + epsilon * np.trace(k))


def separability_slope(k, dk, y, epsilon=0.1):
    """By Eq. 22 and 23: the traces of a derivative are the derivatives of the traces."""
    (between, within), (more, wider) = scatters(k, y), scatters(dk, y)
    bottom = within + epsilon * np.trace(k)
    return more / bottom - between * (wider + epsilon * np.trace(dk)) / bottom**2


def ascent(x, y, slope, eta, steps):
    """Factors after so many steps from 1; the Gaussian kernel has 2 sigma^2 = 2 p variances."""
    kappa = (x[:, None, :] - x[None]) ** 2 / (2.0 * x.var(axis=0) * x.shape[1])
    w = np.ones(x.shape[1])
    for _ in range(steps):
        k = np.exp(-(kappa * w**2).sum(axis=2))
        slopes = [slope(k, -2.0 * w[d] * kappa[:, :, d] * k, y) for d in range(len(w))]
        w = w + eta * np.array(slopes)
    return w
