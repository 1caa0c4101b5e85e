"""Splits that keep the rows of a group on one side: all recordings of a patient, say.

Notation: group g has m_gc rows of class c, its main class is that of most of its rows; t_c is the
number of test rows that class c would give if rows were drawn one by one, r_c the number in the
groups that are test groups so far.

The groups are gone through in an order drawn anew for every resampling. The first group of each
main class is a test group, whatever its size, where the class has three or more; of the others one
is, where its rows are no more of any class than is lacking, m_gc <= t_c - r_c. Then, as long as
the numbers come nearer to those wanted, the group is added that brings them nearest, by

    sum_c (t_c - r_c - m_gc)^2,

the first drawn of several. So the numbers of test rows are those asked for as near as whole groups
allow, above or below. The last group of a main class trains. A group that is much larger than the
test part is tested where it comes first, only: a table of such groups is better split by kind
"k-fold", where all are tested.
"""

import numpy as np

from hetsel.resampling.folds import units_of
from hetsel.resampling.resamplings import Resamplings
from hetsel.resampling.splits import quotas
from hetsel.tables.content import numbered

MANY = 3  # groups of a main class, of which one is tested in any case


def split_groups(
    codes: np.ndarray,
    groups: np.ndarray,
    resamplings: Resamplings,
    source: np.random.SeedSequence,
    given: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Training and test rows, both ascending, no group on both sides; see the top of this module.

    Of codes and groups (n,) of the rows, and of one source, the test groups are the same for any
    number of training rows, and those are nested. Where a number of training rows is given beside
    that of the test rows, the groups of each main class train in the drawn order, as many as come
    nearest to its share, one at least. `given` (n,) are the rows of a given test set, of whole
    groups.
    """
    codes = np.zeros_like(codes) if resamplings.kind == "random" else numbered(codes)
    groups, members = units_of(codes, groups)
    drawn = np.random.default_rng(source).permutation(len(members))
    held = None if given is None else np.bincount(codes[given], minlength=members.shape[1])
    _, wanted = quotas(members.sum(axis=0), resamplings, held)
    outside = np.ones(len(members), dtype=bool)
    if given is not None:
        outside[groups[given]] = False
        tested = _test_groups(members, drawn[~outside[drawn]], wanted, all_may=True)
    else:
        tested = _test_groups(members, drawn, wanted, all_may=False)
    training = outside & ~tested
    limited = resamplings.train_count is not None and (
        resamplings.test_count is not None or given is not None
    )
    if limited or resamplings.train_per_class is not None:
        training = _training_groups(members, drawn[training[drawn]], resamplings, given, groups)
    return np.flatnonzero(training[groups]), np.flatnonzero(tested[groups])


def _test_groups(
    members: np.ndarray, drawn: np.ndarray, wanted: np.ndarray, *, all_may: bool
) -> np.ndarray:
    """Which groups are test groups, of those drawn in this order; not all of a class, if not so."""
    main = members.argmax(axis=1)
    left = np.bincount(main[drawn], minlength=members.shape[1])  # groups not tested
    first = left >= MANY
    lacking = wanted.astype(np.int64)
    tested = np.zeros(len(members), dtype=bool)
    for g in drawn:
        c = main[g]
        may = (all_may or left[c] > 1) and (members[g] <= lacking).all()
        if may or (first[c] and wanted[c] > 0):
            tested[g] = True
            lacking = lacking - members[g]
            left[c] -= 1
        first[c] = False
    while True:
        may = drawn[~tested[drawn] & (all_may | (left[main[drawn]] > 1))]
        after = ((lacking - members[may]) ** 2).sum(axis=1)
        if not len(may) or after.min() >= (lacking**2).sum():
            return tested
        g = may[after.argmin()]
        tested[g] = True
        lacking = lacking - members[g]
        left[main[g]] -= 1


def _training_groups(
    members: np.ndarray,
    drawn: np.ndarray,
    resamplings: Resamplings,
    given: np.ndarray | None,
    groups: np.ndarray,
) -> np.ndarray:
    """Which groups train, the first drawn of each main class as far as its share of the rows."""
    main, size = members.argmax(axis=1), members.sum(axis=1)
    present, place = np.unique(main, return_inverse=True)
    rows = np.bincount(place, weights=size).astype(np.int64)
    held = None
    if given is not None:
        held = np.bincount(place[groups[given]], minlength=len(present))
    wanted, _ = quotas(rows, resamplings, held)
    training = np.zeros(len(members), dtype=bool)
    for c, number in zip(present, wanted, strict=True):
        of_class = drawn[main[drawn] == c]
        if len(of_class):
            nearest = int(np.argmin(np.abs(np.cumsum(size[of_class]) - number)))
            training[of_class[: nearest + 1]] = True
    return training
