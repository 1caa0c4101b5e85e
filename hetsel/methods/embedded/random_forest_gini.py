import numpy as np

from hetsel.methods.embedded.random_forest import RandomForest, Tree
from hetsel.selection import About, Cost


def impurity_decreases(tree: Tree, *_: object) -> tuple[np.ndarray, np.ndarray]:
    """Return the features (u,) that a tree uses and the decrease (u,) in impurity by each."""
    decrease = tree.tree_.compute_feature_importances(normalize=False)
    used = np.flatnonzero(decrease)
    return used, decrease[used]


class RandomForestGini(RandomForest):
    """Rank features by the mean decrease in Gini impurity of a random forest.

    J(f) is the mean over trees of the sum, over the nodes t that split on f, of

    (n_t i_t - n_l i_l - n_r i_r) / n,    i = 1 - sum_c q_c^2,

    with n_t the rows of the bag in t, l and r its two sides and q_c the proportion of class c. The
    forest is that of `random-forest`. For a numeric target i is the variance in the node, of a
    target with variance 1. R's MeanDecreaseGini is n J(f); scikit-learn scales the importances of
    each tree to sum 1. Columns of all kinds are accepted.

    Prefer `random-forest`, and use this method to compare with other software. The rows that grow a
    tree also evaluate it. An uninformative column of many values or levels therefore gets a larger
    importance than one of few, and never 0. `random-forest` evaluates on the rows out of the bag
    and does not have this bias.

    See Also
    --------
    RandomForest : Permutation importance, without this bias.

    References
    ----------
    Breiman 2001, Machine Learning 45, 5-32; Strobl et al. 2007, BMC Bioinformatics 8, 25 (the
    bias).

    Examples
    --------
    >>> from hetsel import RandomForestGini, datasets
    >>> heart = datasets.load("heart")
    >>> selector = RandomForestGini(size=3, n_estimators=100).fit(heart.X, heart.y)
    >>> selector.get_feature_names_out().tolist()
    ['chest pain', 'max HR', 'major vessels colored']
    """

    about = About(
        "random forest, mean decrease in Gini impurity",
        paper="Breiman 2001",
        cost=Cost("n p^0.5 log n", "7 n p"),
        draws=True,
        trial={"n_estimators": 60},
        targets=("classes", "numbers"),
        why_not={"survival": "scikit-learn grows no survival trees; use ranger"},
    )

    _importance = staticmethod(impurity_decreases)
