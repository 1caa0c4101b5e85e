"""Random splits into training and test rows, determined by seed, classes and number."""

import hashlib

import numpy as np

from hetsel.ground import PlanError
from hetsel.resampling.folds import units_of
from hetsel.resampling.resampling_entry import Resamplings
from hetsel.tables.content import numbered

FEWEST = 2  # minimum number of training rows
GROUPS_SURELY_TESTED = 3  # from this many groups of a main class on, one is always tested


def sequence(
    seed: int,
    codes: np.ndarray,
    resampling: int,
    given: np.ndarray | None = None,
    groups: np.ndarray | None = None,
) -> np.random.SeedSequence:
    """Return the seed sequence of one resampling of one data set.

    It depends on which rows (n,) share a class or a group and on the fixed test set, not on
    features. Classes and groups are numbered by their first row.
    """
    content = hashlib.sha256(numbered(codes).astype("<i8").tobytes())
    if given is not None:
        content.update(given.tobytes())
    if groups is not None:
        content.update(groups.astype("<i8").tobytes())
    words = np.frombuffer(content.digest()[:16], dtype=">u4").tolist()
    return np.random.SeedSequence(seed, spawn_key=(*words, resampling))


def split(
    codes: np.ndarray,
    resamplings: Resamplings,
    source: np.random.SeedSequence,
    given: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Draw training and test rows, both ascending, for rows with the classes `codes` (n,).

    "stratified" takes the proportion of test rows from each class, rounded by the largest-remainder
    method, and at least one row of a class with three or more. "random" takes any rows. For one
    source, the test rows are the same for any number of training rows, and training rows are
    nested. Test rows are drawn from all rows, or from the rows `given` (n,).
    """
    rng = np.random.default_rng(source)
    codes = numbered(codes)
    groups = np.zeros_like(codes) if resamplings.kind == "random" else codes
    train: list[np.ndarray] = []
    test: list[np.ndarray] = []
    held = None if given is None else np.bincount(codes[given], minlength=codes.max() + 1)
    sizes = quotas(np.bincount(codes), resamplings, held)
    for c, (n_train, n_test) in enumerate(zip(*sizes, strict=True)):
        of_class = groups == c
        if given is None:
            rows = rng.permutation(np.flatnonzero(of_class))
            test.append(rows[:n_test])
            train.append(rows[n_test:][:n_train])
        else:
            test.append(rng.permutation(np.flatnonzero(of_class & given))[:n_test])
            train.append(rng.permutation(np.flatnonzero(of_class & ~given))[:n_train])
    return np.sort(np.concatenate(train)), np.sort(np.concatenate(test))


def quotas(
    counts: np.ndarray, resamplings: Resamplings, held: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return numbers of training and test rows by class (c,), or in all if "random"."""
    if resamplings.kind == "random":
        counts = counts.sum(keepdims=True)
        held = None if held is None else held.sum(keepdims=True)
    if resamplings.train_per_class is not None or held is not None:
        return _training_rows_first(counts, resamplings, held)
    n, n_train, n_test = int(counts.sum()), resamplings.n_train, resamplings.test_count
    if n_train is not None:
        _at_most("train_count", n_train, n - 1)
    if n_test is None and n_train is not None:
        n_test = n - n_train
    elif n_test is None:
        n_test = min(max(1, int(n * resamplings.share + 0.5)), n - 1)
    _at_most("test_count", n_test, n - (n_train or 1))
    test = class_quotas(counts, n_test)
    return counts - test if n_train is None else _at_least_one(counts - test, n_train), test


def _training_rows_first(
    counts: np.ndarray, resamplings: Resamplings, held: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return numbers of rows if the training rows determine the test rows."""
    train = counts if held is None else counts - held
    if resamplings.train_per_class is not None:
        most = int(train.min()) - (held is None)  # one row is needed for testing
        _at_most("train_per_class", resamplings.train_per_class, most)
        train = np.full_like(counts, resamplings.train_per_class)
    elif resamplings.n_train is not None:
        _at_most("train_count", resamplings.n_train, int(train.sum()))
        train = _at_least_one(train, resamplings.n_train)
    test = counts - train if held is None else held
    if resamplings.test_count is not None:
        _at_most("test_count", resamplings.test_count, int(test.sum()))
        test = apportion_rows(test, resamplings.test_count)
    return train, test


def _at_most(name: str, number: int, most: int) -> None:
    if number > most:
        raise PlanError(f"{name} must be in 1..{most} for this number of rows. Got {number}")


def _at_least_one(counts: np.ndarray, total: int) -> np.ndarray:
    """Apportion rows to classes, with at least one row of every class that has any."""
    return np.maximum(apportion_rows(counts, min(total, int(counts.sum()))), counts > 0)


def apportion_rows(counts: np.ndarray, total: int) -> np.ndarray:
    """Apportion rows to classes by largest remainders; ties go to the first class.

    >>> apportion_rows(np.array([44, 33]), 8)
    array([5, 3])
    """
    whole, remainder = np.divmod(counts * total, counts.sum())
    rest = np.argsort(-remainder, kind="stable")[: total - whole.sum()]
    whole[rest] += 1
    return whole


def class_quotas(counts: np.ndarray, n_test: int) -> np.ndarray:
    """Return the test rows of each class: not all, and at least one of three or more rows."""
    whole = np.minimum(apportion_rows(counts, n_test), counts - 1)
    return np.maximum(whole, (counts >= 3).astype(np.int64))


def before_and_after(
    order: np.ndarray, resamplings: Resamplings, resampling: int, groups: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return training rows and later test rows by `order` (n,); resampling 0 is last."""
    n = len(order)
    # training rows are a window before the test rows
    part = Resamplings(
        kind="random", test_count=resamplings.test_count, test_share=resamplings.test_share
    )
    _, (m,) = quotas(np.array([n]), part)
    most = (n - FEWEST) // m
    if resamplings.count > most:
        raise PlanError(
            f"count must be in 1..{most}, since each resampling tests {m} of {n} rows after its "
            f"training rows. Got {resamplings.count}"
        )
    latest = np.argsort(order, kind="stable")
    cut = n - (resampling + 1) * m
    test = latest[cut : cut + m]
    earlier = latest[:cut][-resamplings.n_train if resamplings.n_train else 0 :]
    training = order[earlier] < order[test].min()
    if groups is not None:
        training &= ~np.isin(groups[earlier], groups[test])
    if training.sum() < FEWEST:
        raise PlanError(
            f"resampling {resampling} must have {FEWEST} training rows with an earlier time and "
            f"another group than its test rows. Got {int(training.sum())}. Use fewer resamplings "
            "or fewer test rows"
        )
    return np.sort(earlier[training]), np.sort(test)


def split_groups(
    codes: np.ndarray,
    groups: np.ndarray,
    resamplings: Resamplings,
    source: np.random.SeedSequence,
    given: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Draw training and test rows, both ascending, with every row group on one side only.

    Group g has m_gc rows of class c; its main class is its most frequent class. t_c is the number
    of test rows of class c without groups, and r_c the number in the test groups so far. Groups are
    visited in an order that is drawn for each resampling. The first group of a main class with
    three or more groups becomes a test group. Another group does if m_gc <= t_c - r_c for all
    classes. Then the group that minimizes sum_c (t_c - r_c - m_gc)^2 is added as long as this sum
    decreases. The last group of a main class trains. For groups much larger than the test part,
    kind "k-fold" is better, since it tests all groups.

    For one source, the test groups are the same for any number of training rows, and training
    groups are nested: the first groups of each main class whose number of rows is nearest to its
    proportion, at least one. `given` (n,) marks the rows of a fixed test set, of whole groups.
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
    limited = resamplings.n_train is not None and (
        resamplings.test_count is not None or given is not None
    )
    if limited or resamplings.train_per_class is not None:
        training = _training_groups(members, drawn[training[drawn]], resamplings, given, groups)
    return np.flatnonzero(training[groups]), np.flatnonzero(tested[groups])


def _test_groups(
    members: np.ndarray, drawn: np.ndarray, wanted: np.ndarray, *, all_may: bool
) -> np.ndarray:
    """Return which groups are tested, in this order; `all_may` allows all groups of a class."""
    main = members.argmax(axis=1)
    left = np.bincount(main[drawn], minlength=members.shape[1])  # groups not tested
    first = left >= GROUPS_SURELY_TESTED
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
    """Return which groups train: the first ones of each main class up to its proportion."""
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
