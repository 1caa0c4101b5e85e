"""Mutual information of a number with classes by Parzen windows, in nats."""

import numpy as np

from hetsel.compiling.arithmetic import exponential, logarithm
from hetsel.compiling.compiled import compiled
from hetsel.ground.errors import TableError
from hetsel.ground.parameters import is_number
from hetsel.ground.ties import FINE_GRID, on_grid, unit_scale
from hetsel.statistics.information.mutual_information import entropy, mutual_information

MANY = 20_000  # distinct numbers, above which near ones are put together
STEPS = 16.0  # in a bandwidth, of numbers that are put together
FARTHEST = 8.5  # bandwidths; a Gaussian window is below 2^-52 there


def parzen_information(
    x: np.ndarray,
    y: np.ndarray,
    *,
    levels: bool = False,
    bandwidth: float | None = None,
) -> float:
    """Information of a column on classes; at least 0 and at most the entropies of the two.

    I(x; y) = H(y) + (1/n) sum_j sum_c p(c | x_j) log p(c | x_j), with p(c | x_j) = sum_{i in c}
    w(x_j - x_i) / sum_i w(x_j - x_i) and the window w(t) = exp(-t^2 / (2 h^2 s^2)), where s is the
    standard deviation of x and h the bandwidth, 1 / log n by default. A column of levels has the
    information of the counts, and so has missing (NaN) against present: with m rows present, I =
    I(present; y) + (m/n) I(x; y | present). The entropy of x is that of its distinct cells.

    Of more than 20,000 distinct numbers those nearer than a sixteenth of h s share their mean: the
    sums over pairs would take O(n^2) steps. That moves I by about a thousandth of itself.

    Reference: Kwak and Choi 2002, IEEE Transactions on Pattern Analysis and Machine Intelligence
    24, 1667-1671, Eq. 18-20.

    >>> x, y = np.array([0.0, 0.0, 0.0, 1.0, 1.0, 1.0]), np.array([0, 0, 0, 1, 1, 1])
    >>> round(parzen_information(x, y, bandwidth=0.1), 4)
    0.6931
    """
    if bandwidth is None:
        bandwidth = 1.0 / np.log(max(len(x), 3))
    if not is_number(bandwidth) or not 0 < bandwidth < np.inf:
        raise TableError(f"bandwidth must be a positive number. Got {bandwidth!r}")
    if levels:
        return mutual_information(x, y)
    present = ~np.isnan(x)
    total = mutual_information(present, y)
    if present.any():
        share = present.sum() / len(x)
        total += share * _of_numbers(x[present], y[present], float(bandwidth))
    most = min(entropy(on_grid(unit_scale(x[:, None])[:, 0])), entropy(y))
    return float(min(max(np.rint(total * FINE_GRID) / FINE_GRID, 0.0), most))


def _of_numbers(x: np.ndarray, y: np.ndarray, bandwidth: float) -> float:
    """I(x; y) of numbers without missing cells."""
    values, places = np.unique(on_grid(unit_scale(x[:, None])[:, 0]), return_inverse=True)
    rows = np.bincount(places).astype(np.float64)
    mean = (rows * values).sum() / len(x)
    spread = np.sqrt((rows * (values - mean) ** 2).sum() / len(x))
    if spread == 0:
        return 0.0
    if len(values) > MANY:
        # from the middle of the range, so that a column may point either way
        steps = np.rint((values - 0.5) * (STEPS / (bandwidth * spread)))
        bins = np.unique(steps, return_inverse=True)[1]
        values, places = np.bincount(bins, rows * values) / np.bincount(bins, rows), bins[places]
    width = int(y.max()) + 1
    counts = np.bincount(places * width + y, minlength=len(values) * width)
    counts = counts.reshape(-1, width).astype(np.float64)
    return entropy(y) - conditional_entropy(values, counts, bandwidth * spread)


@compiled
def conditional_entropy(values, counts, width):
    """H(y | x) of distinct values (m,), ascending, with rows (m, c) of each value and class."""
    m, classes = counts.shape
    total = 0.0
    rows = 0.0
    density = np.empty(classes)
    for j in range(m):
        density[:] = counts[j]
        for way in (-1, 1):
            i = j + way
            while 0 <= i < m and abs(values[i] - values[j]) < FARTHEST * width:
                t = (values[i] - values[j]) / width
                window = exponential(-0.5 * t * t)
                for c in range(classes):
                    density[c] += counts[i, c] * window
                i += way
        whole = density.sum()
        here = counts[j].sum()
        for c in range(classes):
            share = density[c] / whole
            if share > 0:
                total -= here * share * logarithm(share)
        rows += here
    return total / rows
