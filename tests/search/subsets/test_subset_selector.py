"""The search as a selector: names, groups, costs, ensembles, and tables in another order."""

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from hetsel import Schema, SubsetSearch
from hetsel.ground.errors import TableError
from hetsel.search.criteria.criteria_by_name import HOMES, criterion_of
from hetsel.search.criteria.rates.neighbors_rate import NeighborsRate, NeighborsRates


def names(selector):
    return selector.get_feature_names_out().tolist()


@pytest.mark.parametrize("criterion", ["5nn", "1nn,3nn", "naive-bayes,3nn", *sorted(HOMES)])
@pytest.mark.parametrize("classes", [2, 3])
def test_every_criterion_by_name_finds_the_signal(criterion, classes):
    frame, y = mixed_frame(70, 3, 3, classes=classes, seed=1)
    found = SubsetSearch(search="sfs", criterion=criterion, size=2).fit(frame, y)
    assert set(names(found)) & {"c0", "n0"}
    assert found.frame().columns.tolist() == ["size", "score", "features"]


@pytest.mark.parametrize("criterion", ["3nn", "1nn,3nn,5nn", "ridge", "mutual-information"])
def test_the_order_of_rows_and_columns_changes_nothing(criterion):
    frame, y = mixed_frame(80, 5, 4, seed=2)
    rng = np.random.default_rng(0)
    rows, columns = rng.permutation(80), rng.permutation(9)
    for search in ("sffs", "dos"):
        voting = "order" if "," in criterion else None
        here = SubsetSearch(search=search, criterion=criterion, voting=voting).fit(frame, y)
        there = SubsetSearch(search=search, criterion=criterion, voting=voting)
        there.fit(frame.iloc[rows, columns], y[rows])
        assert sorted(names(here)) == sorted(names(there))
        assert here.answer_.scores == there.answer_.scores


def test_columns_are_named_or_numbered():
    frame, y = mixed_frame(60, 4, 3)
    options = {"search": "exhaustive", "criterion": "3nn"}
    by_name = SubsetSearch(always=["c3"], never=["c0"], column_groups=[["n0", "n2"]], **options)
    by_place = SubsetSearch(always=[3], never=[0], column_groups=[[4, 6]], **options)
    one, other = by_name.fit(frame, y), by_place.fit(frame, y)
    assert one.answer_.evaluated == other.answer_.evaluated
    for subset in one.answer_.evaluated:
        assert 3 in subset
        assert 0 not in subset
        assert (4 in subset) == (6 in subset)
    with pytest.raises(TableError, match="always: the table has no column 'c9'"):
        SubsetSearch(always=["c9"]).fit(frame, y)


def test_costs_by_name():
    frame, y = mixed_frame(60, 4, 3)
    found = SubsetSearch(search="exhaustive", costs={"c0": 5.0, "n0": 1.0}, budget=4.0)
    found.fit(frame, y)
    assert "c0" not in {names(found)[0], *names(found)}
    listed = SubsetSearch(search="exhaustive", costs=[5.0, 0, 0, 0, 1.0, 0, 0], budget=4.0)
    assert names(listed.fit(frame, y)) == names(found)
    with pytest.raises(ValueError, match="must be a list of lists.* Got 'c3'"):
        SubsetSearch(column_groups=["c3", "n0"]).fit(frame, y)
    with pytest.raises(ValueError, match="costs must be 7 numbers, one for each feature. Got 3"):
        SubsetSearch(costs=[1, 2, 3], budget=4.0).fit(frame, y)


def test_the_secondary_criterion_sees_columns_of_the_table():
    frame, y = mixed_frame(60, 4, 3)
    seen = set()

    def first_columns(subset):
        seen.update(subset)
        return -float(sum(subset))

    found = SubsetSearch(search="sffs", ties=[0.3, 0.0], secondary=first_columns).fit(frame, y)
    assert seen == set(range(7))
    subset = found.answer_.equal[0.3]
    assert tuple(found.signature()) == tuple(subset)
    assert found.answer_.evaluated[tuple(subset)] >= 0.7 * max(found.answer_.evaluated.values())


def test_rows_of_one_patient_are_held_out_together():
    """Each patient twice: a neighbor that is the patient itself tells the class of pure noise."""
    rng = np.random.default_rng(0)
    x = np.repeat(rng.normal(size=(40, 3)), 2, axis=0) + rng.normal(scale=1e-6, size=(80, 3))
    y = np.repeat(rng.permutation(np.arange(40) % 2), 2)
    search = SubsetSearch(search="sfs", criterion="1nn")
    leaking = search.fit(x, y).answer_
    honest = search.fit(x, y, groups=np.repeat(np.arange(40), 2)).answer_
    assert leaking.score(leaking.best_size) > 0.95
    assert honest.score(honest.best_size) < 0.75
    with pytest.raises(TableError, match="groups must have a group for each of the 80 rows"):
        search.fit(x, y, groups=[1, 2])


def test_a_classifier_of_scikit_learn_is_a_criterion():
    frame, y = mixed_frame(60, 3, 2)
    found = SubsetSearch(criterion=LogisticRegression(), search="sfs", folds=3, size=2)
    assert set(names(found.fit(frame, y))) & {"c0", "n0"}
    both = [DecisionTreeClassifier(max_depth=2), "3nn"]
    found = SubsetSearch(criterion=both, voting="weighted", search="sfs", size=1).fit(frame, y)
    assert names(found)[0] in ("c0", "n0")


def test_settings_reach_the_criterion_that_is_named():
    assert criterion_of("3nn", {"folds": 7, "rate": "accuracy"}) == NeighborsRate(
        3, folds=7, rate="accuracy"
    )
    assert criterion_of("1nn, 5nn", {"repeats": 2}) == NeighborsRates((1, 5), repeats=2)
    for given, settings, message in [
        ("5n", {}, "criterion must be one of 5nn .*Got '5n'. Did you mean '5nn'"),
        ("hsic", {"folds": 3}, "criterion 'hsic' has no option folds. Leave folds out"),
        (NeighborsRate(3), {"folds": 3}, "folds: a criterion that is an object has its own"),
        (7, {}, "criterion must be a name, or .* method start. Got 7"),
        ([], {}, "criterion must name at least one"),
    ]:
        with pytest.raises(ValueError, match=message):
            criterion_of(given, settings)


def test_a_hybrid_search_asks_the_criterion_less():
    frame, y = mixed_frame(60, 8, 4)
    whole = SubsetSearch(search="sffs").fit(frame, y).answer_
    for prefilter in ("mutual-information", "bhattacharyya", "hsic"):
        part = SubsetSearch(search="sffs", hybrid=0.25, prefilter=prefilter).fit(frame, y).answer_
        assert len(part.evaluated) < 0.5 * len(whole.evaluated)


def test_an_archive_belongs_to_one_table_and_criterion(tmp_path):
    frame, y = mixed_frame(60, 4, 3)
    path = tmp_path / "search.archive"
    first = SubsetSearch(archive=path).fit(frame, y)
    again = SubsetSearch(archive=path).fit(frame.iloc[:, ::-1], y)
    assert first.answer_.scores == again.answer_.scores
    for other in (
        SubsetSearch(archive=path, criterion="3nn"),
        SubsetSearch(archive=path, random_state=1),
    ):
        with pytest.raises(TableError, match="is the archive of another search"):
            other.fit(frame, y)
    with pytest.raises(TableError, match="is the archive of another search"):
        SubsetSearch(archive=path).fit(frame.assign(c0=frame["c1"]), y)


def test_an_archive_knows_ordered_levels_from_numbers(tmp_path):
    """The same cells: as numbers they are cut into bins, as levels they are not."""
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 12, size=(80, 3)).astype(float), np.arange(80) % 2
    options = {"criterion": "mutual-information", "archive": tmp_path / "search.archive"}
    SubsetSearch(**options).fit(x, y)
    with pytest.raises(TableError, match="is the archive of another search"):
        SubsetSearch(ordinal=[0, 1, 2], **options).fit(x, y)


def test_a_schema_and_kinds_are_respected():
    """0/1/2 codes that are levels, not numbers."""
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 3, 90)
    y = (codes == 1).astype(int)
    x = pd.DataFrame({"noise": rng.normal(size=90), "code": codes.astype(float)})
    as_level = SubsetSearch(criterion="mahalanobis", search="sfs", size=1, nominal=["code"])
    as_number = SubsetSearch(criterion="mahalanobis", search="sfs", size=1)
    one, other = as_level.fit(x, y).answer_.score(1), as_number.fit(x, y).answer_.score(1)
    assert one > 10 * other
    schema = Schema.infer(x, nominal=["code"])
    assert SubsetSearch(criterion="mahalanobis", search="sfs", size=1, schema=schema).fit(
        x, y
    ).answer_.score(1) == pytest.approx(one)
