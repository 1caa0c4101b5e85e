"""Rows that are equal or nearly so are found, and those that are near by nature are not."""

import numpy as np
import pandas as pd
import pytest
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform

from hetsel import Table, datasets
from hetsel.pitfalls.repeated_rows import (
    RowPlaces,
    find_repeated_rows,
    local_dimension,
    small_clusters,
)

DRAW = np.random.default_rng(28)


def mixed(values):
    """Every second column with three levels."""
    frame = pd.DataFrame(values, columns=[f"x{j}" for j in range(values.shape[1])])
    for name in frame.columns[1::2]:
        frame[name] = pd.Categorical(np.digitize(frame[name], [-0.5, 0.6]).astype(str))
    return frame


def found_in(frame):
    return find_repeated_rows(Table.read(frame))


def all_distances(table):
    n = len(table.values)
    rows, distances = RowPlaces.of(table).nearest(n - 1)
    out = np.zeros((n, n))
    np.put_along_axis(out, rows, distances, axis=1)
    return out


@pytest.mark.parametrize("noise", [0.0, 0.02])
@pytest.mark.parametrize("columns", [16, 300])
def test_rows_that_are_there_three_times_are_found(noise, columns):
    rows = np.arange(30).repeat(3)
    frame = mixed(DRAW.normal(size=(30, columns))[rows] + noise * DRAW.normal(size=(90, columns)))
    found = found_in(frame)
    assert (found.clusters, found.rows, found.largest) == (30, 90, 3)
    assert found.groups.tolist() == rows.tolist()
    assert found.equal == (90 if noise == 0 else 0)


@pytest.mark.parametrize("seed", range(8))
def test_half_of_the_rows_once_more_is_found(seed):
    rng = np.random.default_rng(seed)
    rows = np.append(np.arange(60), np.arange(0, 60, 2))
    values = rng.normal(size=(60, 12))[rows]
    found = found_in(mixed(values))
    assert (found.clusters, found.rows) == (30, 60)
    assert (found.groups[:60:2] == found.groups[60:]).all()
    # noise moves cells over a cut between levels, so a few pairs are no longer near
    near = found_in(mixed(values + 0.02 * rng.normal(size=values.shape)))
    assert (near.groups[:60:2] == near.groups[60:]).sum() >= 27


def test_what_is_constant_within_a_patient_gives_the_patient_away():
    patient = np.arange(40).repeat(4)
    own = DRAW.normal((50, 80, 170), (12, 15, 9), (40, 3)).round(1)
    frame = pd.DataFrame(own[patient], columns=["age", "weight", "height"])
    for j in range(8):
        frame[f"lab{j}"] = DRAW.normal(size=160)
    found = found_in(frame)
    assert found.columns == ("age", "weight", "height")
    assert found.groups.tolist() == patient.tolist()


CLEAN = {
    "normal": lambda n, p: DRAW.normal(size=(n, p)),
    "integers": lambda n, p: DRAW.normal(scale=3, size=(n, p)).round(),
    "counts with many zeros": lambda n, p: DRAW.poisson(3, (n, p)) * (DRAW.random((n, p)) < 0.3),
    "a curve": lambda n, p: np.sin(DRAW.uniform(0, 6, (n, 1)) + np.arange(p)),
    "heavy tails": lambda n, p: DRAW.standard_t(1.5, (n, p)),
    "blobs": lambda n, p: DRAW.normal(size=(n, p)) + 9 * np.eye(p)[DRAW.integers(0, 3, n)],
}


@pytest.mark.parametrize("design", CLEAN)
@pytest.mark.parametrize("shape", [(60, 4), (200, 12)])
def test_rows_that_are_near_by_nature_are_none(design, shape):
    values = CLEAN[design](*shape)
    assert found_in(pd.DataFrame(values)) is None
    assert found_in(mixed(values)) is None


def test_equal_rows_of_coarse_columns_are_no_copies():
    frame = pd.DataFrame(DRAW.integers(0, 3, (300, 5)).astype(str)).astype("category")
    assert frame.duplicated().sum() > 100
    assert found_in(frame) is None


def test_the_heart_table_has_no_copies_and_once_more_it_has():
    heart = datasets.load("heart").X
    assert found_in(heart) is None
    again = found_in(pd.concat([heart, heart.iloc[:30]], ignore_index=True))
    assert (again.clusters, again.equal) == (30, 60)


def test_order_and_unit_of_rows_and_columns_change_nothing():
    rows = np.append(np.arange(60), np.arange(20))
    frame = mixed(DRAW.normal(size=(60, 12))[rows] + 0.02 * DRAW.normal(size=(80, 12)))
    order = DRAW.permutation(80)
    other = frame.iloc[order, ::-1].assign(x2=lambda x: 5 - 3 * x["x2"])
    one, two = found_in(frame), found_in(other)
    assert (one.rows, one.clusters) == (two.rows, two.clusters)
    together = one.groups[:, None] == one.groups
    assert (together[np.ix_(order, order)] == (two.groups[:, None] == two.groups)).all()


def test_distances_are_the_expected_ones_of_uniform_numbers_in_the_ties():
    """Against the mean of draws."""
    values = np.repeat([10 / 30, np.nan, 0], [20, 10, 10])
    values[30:] = (20.5 + DRAW.permutation(10)) / 30  # the share of the rows below
    other = np.arange(40.0)  # no two rows are equal
    table = Table.read(pd.DataFrame({"a": values, "b": other}), continuous=["a", "b"])
    known = ~np.isnan(values)
    share = np.where(values == values[0], 20 / 30, 1 / 30)
    middle = pd.Series(values).rank(method="average").to_numpy() / 30 - 1 / 60
    expected = np.zeros((40, 40))
    for _ in range(2000):
        drawn = middle + (DRAW.random(40) - 0.5) * share
        drawn = np.where(known, drawn, DRAW.random(40))
        expected += (drawn[:, None] - drawn) ** 2 / 2000
    within = (other[:, None] - other) ** 2 / 40**2
    found = all_distances(table) ** 2
    pairs = ~np.eye(40, dtype=bool) & (known[:, None] | known)
    assert np.abs(found - expected - within)[pairs].max() < 0.02
    assert found[20, 21] == pytest.approx(0.25**2 / 6 + within[20, 21], abs=0.001)


def test_rows_of_one_number_belong_together_where_its_column_is_an_identifier_by_name():
    patient = DRAW.permutation(30).repeat(3) + 1000
    frame = mixed(DRAW.normal(size=(90, 8))).assign(patient=patient)
    found = found_in(frame)
    assert (found.columns, found.clusters, found.rows, found.equal) == (("patient",), 30, 90, 0)
    assert found.groups.tolist() == np.arange(30).repeat(3).tolist()
    assert found_in(frame.assign(patient=[f"p{number}" for number in patient])).clusters == 30
    several = frame.assign(subject=patient // 2, sample_id=np.arange(90) + 5)
    assert found_in(several).columns == ("subject",)  # as many rows in fewer groups
    assert found_in(frame.rename(columns={"patient": "visits"})) is None
    assert found_in(frame.assign(patient=patient.astype(float) + 0.5 * (patient % 2))) is None
    assert found_in(frame.assign(patient=patient % 9)) is None  # may be kinds
    kinds = [f"kind {number % 8}" for number in patient]
    assert found_in(frame.drop(columns="patient").assign(sample=kinds)) is None


def test_clusters_are_those_of_single_linkage():
    table = Table.read(mixed(DRAW.normal(size=(40, 6))))
    distances = all_distances(table)
    places = RowPlaces.of(table)
    clusters = {
        frozenset(one.rows): (one.height, one.outside)
        for one in small_clusters(*places.nearest(9), 8)
    }
    members = [{i} for i in range(40)]
    expected = {}
    tree = linkage(squareform(distances, checks=False), "single")
    for a, b, _, _ in tree:
        members.append(members[int(a)] | members[int(b)])
    for place, (*_, height, size) in enumerate(tree, start=40):
        if size <= 8:
            rows = sorted(members[place])
            others = np.setdiff1d(np.arange(40), rows)
            expected[frozenset(rows)] = (height, distances[np.ix_(rows, others)].min())
    assert clusters.keys() == expected.keys()
    for rows, (height, outside) in clusters.items():
        np.testing.assert_allclose((height, outside), expected[rows], rtol=1e-6)


def test_the_local_dimension_is_that_of_the_rows():
    cube = DRAW.random((800, 3))
    apart = np.abs(cube[:, None] - cube)
    gaps = np.linalg.norm(np.minimum(apart, 1 - apart), axis=2)  # no row is at an end
    gaps = np.sort(gaps, axis=1)[:, 1:11]
    assert local_dimension(gaps) == pytest.approx(3, abs=0.3)


@pytest.mark.parametrize("unit", [5e-324, 1e-310, 1e160, 1e307])
def test_a_unit_at_the_ends_of_floating_point_numbers_changes_nothing(unit):
    counts = DRAW.integers(0, 9, 60).astype(float)
    frame = pd.DataFrame(DRAW.normal(size=(60, 5))).add_prefix("x").assign(count=counts)
    frame = pd.concat([frame, frame.iloc[:20]], ignore_index=True)
    other = frame.assign(count=frame["count"] * unit)
    assert found_in(other).groups.tolist() == found_in(frame).groups.tolist()
