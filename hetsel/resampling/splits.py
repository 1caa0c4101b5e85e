"""Splits into training and test rows: drawn from the seed, the classes and the number alone."""

import hashlib

import numpy as np

from hetsel.ground import PlanError
from hetsel.resampling.folds import units_of
from hetsel.resampling.resampling_entry import Resamplings
from hetsel.tables.content import numbered

FEWEST = 2  # training rows
GROUPS_SURELY_TESTED = 3  # groups of a main class, of which one is tested in any case


def sequence(
    seed: int,
    codes: np.ndarray,
    resampling: int,
    given: np.ndarray | None = None,
    groups: np.ndarray | None = None,
) -> np.random.SeedSequence:
    """Where all that is drawn for one resampling of one data set comes from: which rows (n,) share
    a class or a group, numbered by the first row, and which a given test set has; no feature has a
    part in it.
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
    """Training and test rows, both ascending, of rows whose classes are `codes` (n,).

    "stratified": each class gives its share of the test rows, rounded so that the numbers add up
    (largest remainder), at least one row where it has three or more. "random": any rows. Of one
    source the test rows, drawn from all or from those `given` (n,), are the same for any number of
    training rows, and those are nested.
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
    """Training and test rows of each class (c,), of all if "random"; `held` of a given test set."""
    if resamplings.kind == "random":
        counts = counts.sum(keepdims=True)
        held = None if held is None else held.sum(keepdims=True)
    if resamplings.train_per_class is not None or held is not None:
        return _training_rows_first(counts, resamplings, held)
    n, n_train, n_test = int(counts.sum()), resamplings.train_count, resamplings.test_count
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
    """Numbers of rows where the training rows follow from the plan and the test rows from them."""
    train = counts if held is None else counts - held
    if resamplings.train_per_class is not None:
        most = int(train.min()) - (held is None)  # a row to test with
        _at_most("train_per_class", resamplings.train_per_class, most)
        train = np.full_like(counts, resamplings.train_per_class)
    elif resamplings.train_count is not None:
        _at_most("train_count", resamplings.train_count, int(train.sum()))
        train = _at_least_one(train, resamplings.train_count)
    test = counts - train if held is None else held
    if resamplings.test_count is not None:
        _at_most("test_count", resamplings.test_count, int(test.sum()))
        test = apportion_rows(test, resamplings.test_count)
    return train, test


def _at_most(name: str, number: int, most: int) -> None:
    if number > most:
        raise PlanError(f"{name} must be in 1..{most}, for the rows that there are. Got {number}")


def _at_least_one(counts: np.ndarray, total: int) -> np.ndarray:
    """The share of each class in a number of rows, but one row at least of a class that has any."""
    return np.maximum(apportion_rows(counts, min(total, int(counts.sum()))), counts > 0)


def apportion_rows(counts: np.ndarray, total: int) -> np.ndarray:
    """The share of each class in a number of rows; ties of the remainders go to the lower class.

    >>> apportion_rows(np.array([44, 33]), 8)
    array([5, 3])
    """
    whole, remainder = np.divmod(counts * total, counts.sum())
    rest = np.argsort(-remainder, kind="stable")[: total - whole.sum()]
    whole[rest] += 1
    return whole


def class_quotas(counts: np.ndarray, n_test: int) -> np.ndarray:
    """Test rows of each class: its share, fewer than it has; one at least of three or more rows."""
    whole = np.minimum(apportion_rows(counts, n_test), counts - 1)
    return np.maximum(whole, (counts >= 3).astype(np.int64))


def before_and_after(
    order: np.ndarray, resamplings: Resamplings, resampling: int, groups: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Training rows, and test rows that come after them in time, `order` (n,); resampling 0 is
    last.
    """
    n = len(order)
    # the training rows before them are a window
    part = Resamplings(
        kind="random", test_count=resamplings.test_count, test_share=resamplings.test_share
    )
    _, (m,) = quotas(np.array([n]), part)
    most = (n - FEWEST) // m
    if resamplings.count > most:
        raise PlanError(
            f"count must be in 1..{most}, as often as {m} of {n} rows can be tested after others. "
            f"Got {resamplings.count}"
        )
    latest = np.argsort(order, kind="stable")
    cut = n - (resampling + 1) * m
    test = latest[cut : cut + m]
    earlier = latest[:cut][-resamplings.train_count if resamplings.train_count else 0 :]
    training = order[earlier] < order[test].min()
    if groups is not None:
        training &= ~np.isin(groups[earlier], groups[test])
    if training.sum() < FEWEST:
        raise PlanError(
            f"resampling {resampling} has no {FEWEST} training rows before its test rows, of "
            "another time and group: take fewer resamplings or test rows"
        )
    return np.sort(earlier[training]), np.sort(test)


def split_groups(
    codes: np.ndarray,
    groups: np.ndarray,
    resamplings: Resamplings,
    source: np.random.SeedSequence,
    given: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Training and test rows, both ascending, no group on both sides: all recordings of a patient,
    say.

    Group g has m_gc rows of class c, its main class is that of most of its rows; t_c is the number
    of test rows that class c would give if rows were drawn one by one, r_c the number in the groups
    that are test groups so far. The groups are gone through in an order drawn anew for every
    resampling. The first of each main class of three or more is a test group; of the others one is,
    where its rows are no more of any class than is lacking, m_gc <= t_c - r_c. Then, as long as the
    numbers come nearer to those wanted, the group is added that brings them nearest, by sum_c (t_c
    - r_c - m_gc)^2. The last group of a main class trains. A table of groups that are much larger
    than the test part is better split by kind "k-fold", where all are tested.

    Of one source the test groups are the same for any number of training rows, and those are
    nested: the groups of each main class in the drawn order, as many as come nearest to its share,
    one at least. `given` (n,) are the rows of a given test set, of whole groups.
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
