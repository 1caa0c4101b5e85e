"""The corrected impurity importance of R's ranger."""

from dataclasses import replace

from r_bridge.to_r.ranger import FOREST, Ranger


class RangerImpurity(Ranger):
    """Rank the features by the corrected impurity importance of R's ranger.

    The trees choose their splits among the p features and p more, copies of them whose rows are
    permuted. The importance of feature f is the decrease in Gini impurity at the splits by f, less
    that at the splits by its permuted copy: about 0 for a feature that tells nothing, whatever its
    number of values, where the decrease alone grows with it. Of a target of numbers it is the
    decrease in the sum of squares, of numbers of variance 1; of survival times the sum of the
    log-rank statistics of the splits.

    Levels are treated as by the method `ranger`.

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
