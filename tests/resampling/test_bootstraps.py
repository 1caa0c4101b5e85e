"""Random parts of the rows: counts by class, row groups, scikit-learn's bootstrap, refusals."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.utils import resample

from hetsel import Table
from hetsel.ground.errors import TableError
from hetsel.resampling.halves_and_bootstraps import draw_rows
from hetsel.resampling.row_parts import problem_of_rows
from hetsel.selection import Problem
from hetsel.tables import Classes, Numbers, Survival

Y = np.repeat([0, 1, 2], [41, 16, 5])


def problem(y, **options):
    x = pd.DataFrame({"x": np.arange(len(y)) * 1.0})
    return Problem(Table.read(x), Classes.of(y, len(y)), (), **options)


def draws(given, kind, share=0.5, number=30):
    rng = np.random.default_rng(0)
    return [draw_rows(given, kind, share, rng) for _ in range(number)]


@pytest.mark.parametrize(
    ("kind", "share", "counts"),
    [
        ("bootstrap", 0.5, [41, 16, 5]),
        ("subsample", 0.5, [20, 8, 2]),
        ("subsample", 0.01, [2, 2, 2]),
        ("subsample", 1.0, [41, 16, 5]),
    ],
)
def test_every_class_has_its_share(kind, share, counts):
    given = problem(Y)
    found = draws(given, kind, share)
    for rows in found:
        assert np.bincount(given.target.codes[rows]).tolist() == counts
        assert (np.diff(rows) >= 0).all()
        assert (len(np.unique(rows)) == len(rows)) == (kind == "subsample")
    assert len({rows.tobytes() for rows in found}) == (1 if share == 1.0 else 30)


def test_a_bootstrap_has_as_many_different_rows_as_that_of_scikit_learn():
    """63 % of them, with the same spread; two-sample test of the numbers."""
    y = np.arange(40) % 2
    ours = [len(np.unique(rows)) for rows in draws(problem(y), "bootstrap", number=400)]
    theirs = [
        len(np.unique(resample(np.arange(40), stratify=y, random_state=k))) for k in range(400)
    ]
    assert np.mean(ours) / 40 == pytest.approx(1 - (1 - 1 / 20) ** 20, abs=0.01)
    assert stats.ks_2samp(ours, theirs).pvalue > 0.01


@pytest.mark.parametrize("kind", ["bootstrap", "subsample"])
def test_rows_of_a_group_are_drawn_together(kind):
    groups = np.repeat(np.arange(12), np.arange(1, 13))
    y = groups % 2
    for rows in draws(problem(y, row_groups=groups), kind):
        times = np.bincount(rows, minlength=len(y))
        assert all(np.ptp(times[groups == g]) == 0 for g in range(12))
        per_class = [sum(times[groups == g][0] for g in range(c, 12, 2)) for c in (0, 1)]
        assert per_class == ([6, 6] if kind == "bootstrap" else [3, 3])
        assert times.max() == 1 or kind == "bootstrap"


def test_a_class_of_two_rows_has_both_in_every_bootstrap():
    y = np.repeat([0, 1], [20, 2])
    assert all({20, 21} <= set(rows.tolist()) for rows in draws(problem(y), "bootstrap"))


def test_copies_of_a_row_share_a_group_and_its_levels_are_learned():
    frame = pd.DataFrame({"grade": [1, 2, 3, 4], "text": list("abca")})
    table = Table.read(frame, ordinal=["grade"])
    given = Problem(table, Classes.of([0, 1, 0, 1], 4), (1,), 5)
    part = problem_of_rows(given, np.array([0, 2, 2, 3]), 7, fixed_levels=False)
    assert part.row_groups.tolist() == [0, 2, 2, 3]
    assert part.table.values.tolist() == [[0, 0], [1, 1], [1, 1], [2, 0]]
    assert (part.sizes, part.seed, part.target.codes.tolist()) == ((1,), 7, [0, 0, 0, 1])
    fixed = problem_of_rows(given, np.array([0, 2, 3]), 7, fixed_levels=True)
    assert fixed.row_groups is None
    assert fixed.table.values[:, 0].tolist() == [0, 2, 3]


def test_missing_as_a_level_of_its_own_stays_one_among_fewer_levels():
    frame = pd.DataFrame({"text": ["a", None, "c", "b", None, "c"]})
    table = Table.read(frame).resolve_missing("separate")
    given = Problem(table, Classes.of([0, 1, 0, 1, 0, 1], 6), (1,))
    part = problem_of_rows(given, np.array([1, 2, 4, 5]), 0, fixed_levels=False)
    assert part.table.schema.columns[0].levels == ("c",)
    assert part.table.values.ravel().tolist() == [1, 0, 1, 0]
    part = problem_of_rows(given, np.array([0, 1, 2]), 0, fixed_levels=False)
    assert part.table.values.ravel().tolist() == [0, 2, 1]


def test_what_cannot_be_drawn_is_refused():
    rng = np.random.default_rng(0)
    with pytest.raises(TableError, match="kind must be one of bootstrap, subsample. Got 'half'"):
        draw_rows(problem(Y), "half", 0.5, rng)
    for share in (0, 1.5, "half"):
        with pytest.raises(TableError, match=rf"share must be .*Got {share!r}"):
            draw_rows(problem(Y), "subsample", share, rng)
    # one of ten groups never holds both rows of class b
    y, groups = np.array(list("aabaabaaaa")), np.array([0, 0, 0, 1, 1, 1, 2, 3, 4, 5])
    with pytest.raises(TableError, match="Class b has 2 row groups"):
        draw_rows(problem(y, row_groups=groups), "subsample", 0.1, rng)


@pytest.mark.parametrize("kind", ["bootstrap", "subsample"])
def test_tenths_of_numbers_and_rows_with_an_event_have_their_share(kind):
    rng = np.random.default_rng(3)
    values, events = rng.normal(size=60), np.arange(60) < 22
    for target in (Numbers(values), Survival(np.exp(values), events)):
        given = replace(problem(np.arange(60) % 2), target=target)
        whole = np.bincount(target.strata)
        for rows in draws(given, kind):
            wanted = whole if kind == "bootstrap" else np.rint(whole / 2)
            assert np.bincount(target.strata[rows]).tolist() == wanted.tolist()
            assert target.take(rows).varies


def test_a_resampling_of_survival_times_tells_of_two_rows():
    """Only the first of four events is before another time: it is drawn in each."""
    times, events = np.array([1.0, 5, 5, 5]), np.array([True] * 4)
    given = replace(problem(np.arange(4) % 2), target=Survival(times, events))
    assert all(0 in rows for rows in draws(given, "bootstrap"))
    pairs = {"target": Numbers(np.array([1.0, 1, 5, 5])), "row_groups": np.repeat([0, 1], 2)}
    with pytest.raises(TableError, match="must vary in each resampling. Got numbers: 2 different"):
        draws(replace(given, **pairs), "subsample", 0.5)
