"""Rank features by the corrected impurity importance of R's ranger."""

from dataclasses import replace

from r_bridge.to_r.ranger import FOREST, Ranger


class RangerImpurity(Ranger):
    """Rank features by the corrected impurity importance of R's ranger.

    The trees split on the p features and on p permuted copies of them. The importance of feature f
    is the decrease in Gini impurity at the splits on f, minus that at the splits on its permuted
    copy. It is about 0 for an uninformative feature with any number of values; the decrease alone
    grows with the number of values. For numeric targets it is the decrease of the sum of squares,
    of the target scaled to variance 1; for survival times the sum of the log-rank statistics of the
    splits.

    Levels are merged as by the method `ranger`.

    References
    ----------
    Nembrini, König and Wright (2018), The revival of the Gini importance?, Bioinformatics 34(21).
    """

    about = replace(
        Ranger.about,
        title="random forest of R's ranger, corrected impurity importance",
        paper="Nembrini, König and Wright 2018",
    )

    in_r = FOREST % "impurity_corrected"
