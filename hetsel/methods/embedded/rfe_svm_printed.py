import numpy as np

from hetsel.ground.equal_numbers import merged
from hetsel.methods.embedded.rfe_svm import RFESVM
from hetsel.selection import About, Cost


class RFESVMPrinted(RFESVM):
    """Rank features by recursive elimination with the importance as printed in the paper.

    J(f) = |W^2 - W^2_(-f)| = |s_f - mean(s)| / (p - 1),

    with the kernel renormalized once f is out. An uninformative feature (s_f near 0) gets a high
    importance, and the last two features always tie. Ties are broken by s_f, then as in `rfe-svm`.
    Use `rfe-svm` to select features, and this method to reproduce the paper.

    See Also
    --------
    RFESVM : The importance s_f, for use in practice.

    References
    ----------
    Paul, D'Ambrosio and Dupont 2015, section 2.3, Eq. 3 to 5.

    Examples
    --------
    The second most important column is nearly uninformative.

    >>> from hetsel import RFESVMPrinted, datasets
    >>> heart = datasets.load("heart")
    >>> selector = RFESVMPrinted(size=2).fit(heart.X, heart.y)
    >>> selector.get_feature_names_out().tolist()
    ['fasting blood sugar > 120', 'thal']
    """

    about = About(
        "recursive elimination with a support vector machine, importance as printed",
        paper="paul2015, Eq. 4-5 to the letter",
        cost=Cost("n p", "1.5 n p + 40 n"),
        costs={"survival": Cost("n p + n log n", "5 n p + 40 n")},
        flaws=("constant",),
        targets=("classes", "numbers", "survival"),
    )

    def _keys(
        self, energy: np.ndarray, off: np.ndarray, width: float
    ) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
        (own,), radius = super()._keys(energy, off, width)
        p = len(energy)
        if p == 1:
            return (own, own), radius  # W^2_(-f) is that of no feature
        change = printed_importance(energy)
        largest = float(np.sqrt(energy.max()))
        shared = merged(change, width * (2.0 * largest + width) / (p - 1))
        # the error of the mean of s_f is at most that of |w|^2 / p
        whole, far = float(energy.sum()), float(np.sqrt(np.sum(off * off)))
        mean = far * (2.0 * np.sqrt(whole) + far) / p
        spread = off * (2.0 * np.sqrt(energy) + off)
        return (shared, own), (spread + mean) / (p - 1) + shared - change


def printed_importance(energy: np.ndarray) -> np.ndarray:
    """Return |W^2 - W^2_(-f)|, W^2 = sum_g s_g / p and W^2_(-f) = sum_(g != f) s_g / (p - 1)."""
    p = len(energy)
    total = float(np.sort(energy).sum())
    return np.asarray(np.abs(total / p - (total - energy) / (p - 1)))
