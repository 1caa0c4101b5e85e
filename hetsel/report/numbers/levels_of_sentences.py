"""The level of each kind of test by which a study says what differs: all together hold 0.05."""

from collections.abc import Sequence

import pandas as pd

from hetsel.report.numbers.rank_tests import LEVEL, RankTest
from hetsel.statistics.comparisons.corrections import level_of_families


def levels_of_sentences(
    main: RankTest | None,
    ranks: Sequence[RankTest],
    tables: Sequence[pd.DataFrame],
    further: int = 0,
) -> tuple[float, float]:
    """The levels of the main family of tests, and of each other one.

    The main family has one half of the level, or its smallest p-value where that is above one half.
    The others have the rest together, see
    :func:`hetsel.statistics.comparisons.corrections.level_of_families`. A part that rejects all
    that it tests hands its level on to the other one.

    Parameters
    ----------
    main : RankTest or None
        Ranks by performance over the data sets; None where they have no test, or none that can
        reject: then the first table that has one is the main family.
    ranks : sequence of RankTest
        By other measures.
    tables : sequence of DataFrame
        With p-values in a column `holm`, corrected within the family: pairs on single data sets,
        every baseline on them and over them.
    further : int
        Families whose p-values are not known here; they reject nothing.

    References
    ----------
    Wiens (2003) Pharmaceutical Statistics 2, 211-215 (levels in parts, handed on).
    """
    families = [] if main is None else [_of_ranks(main)]
    families += [(own, 0.0) for table in tables if len(own := table["holm"].dropna())]
    families += map(_of_ranks, ranks)
    families += [(pd.Series([1.0]), 0.0)] * further
    if len(families) < 2:
        return LEVEL, LEVEL
    (first, bound), *rest = families
    level_of_first = max(LEVEL / 2, bound)
    others, least = [p for p, _ in rest], [bound for _, bound in rest]
    level = level_of_families(others, least, alpha=LEVEL - level_of_first)
    if all((p <= level).all() for p in others):
        return LEVEL, level
    if (first <= level_of_first).all():
        level = level_of_families(others, least, alpha=LEVEL)
    return level_of_first, level


def _of_ranks(test: RankTest) -> tuple[pd.Series, float]:
    """The p-values of the pairs of a test, and the smallest that its first test can have."""
    own = pd.Series([test.permutation]) if test.pairs is None else test.pairs["pvalue"]
    return own, test.least_permutation
