"""Rows of X, y, weights and groups are matched by their labels, in every entry point."""

import numpy as np
import pandas as pd
import pytest

import hetsel
from hetsel.ground.errors import TableError
from hetsel.study.plan.planned_data_sets import DataSpec
from hetsel.study.rows.data_set import prepare
from hetsel.tables.by_row.row_labels import matched_rows

RNG = np.random.default_rng(54)
N = 60
X = pd.DataFrame(RNG.normal(size=(N, 3)), columns=list("abc"), index=[f"p{i}" for i in range(N)])
Y = pd.Series(np.where(X["b"] + RNG.normal(size=N) > 0, "ill", "well"), X.index)
NUMBERS = pd.Series(X["b"] + RNG.normal(size=N), X.index)
WEIGHTS = pd.Series(RNG.uniform(0.5, 2, N), X.index)
GROUPS = pd.Series(np.arange(N) // 2, X.index)
OTHER = RNG.permutation(N)
ANOVA, SVM = hetsel.get_method("anova-f"), hetsel.get_method("rfe-svm")
SMALL = {"size": 1, "folds": 3, "repeats": 1, "permutations": 0, "pairs": 0}
HALVES = {"size": 1, "bound": 0.5, "n_pairs": 5}


def study_data(y, w, g):
    spec = {"name": "t", "X": X, "y": y, "row_groups": g, "row_weights": w, "order": w}
    found = prepare(DataSpec.of("t", spec, "."))
    return [found.fingerprint, found.row_groups.tolist(), found.weights.tolist()]


def signature(y, w, g):
    found = hetsel.Signature(**SMALL).fit(X, y, w, groups=g, by=pd.DataFrame({"part": g % 3}))
    new = X + 1
    new.index = X.index
    judged = hetsel.validate_signature(found, new, y, w, groups=g)
    return [found.decision_function(X), found.score(X, y, w), str(judged.facts["performance"])]


ENTRIES = {
    "selector": lambda y, w, g: [ANOVA().fit(X, y, groups=g).importances_],
    "weights": lambda y, w, g: [SVM().fit(X, y, w).importances_],
    "classifier": lambda y, w, g: [hetsel.ClinicalSVC().fit(X, y, w).decision_function(X)],
    "score": lambda y, w, g: [hetsel.ClinicalSVC().fit(X, Y).score(X, y, w)],
    "permuted": lambda y, w, g: [
        hetsel.permuted_ranking(ANOVA(), X, y, permutations=9, groups=g).pvalues
    ],
    "halves": lambda y, w, g: [
        hetsel.selection_in_halves(ANOVA(), X, y, groups=g, **HALVES).chosen
    ],
    "knockoffs": lambda y, w, g: [hetsel.knockoff_selection(ANOVA(), X, y, check=False).W],
    "size": lambda y, w, g: [
        hetsel.choose_size(ANOVA().fit(X, Y), X, y, folds=3, repeats=1, groups=g).scores
    ],
    "cautions": lambda y, w, g: [list(map(str, hetsel.cautions(X.assign(y=Y == "ill"), y)))],
    "signature": signature,
    "study": study_data,
}


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)
def test_the_order_of_the_labels_changes_nothing(entry):
    expected = entry(Y, WEIGHTS, GROUPS)
    found = entry(Y.iloc[OTHER], WEIGHTS.iloc[OTHER[::-1]], GROUPS.iloc[OTHER])
    for one, other in zip(expected, found, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)
def test_other_labels_are_refused(entry):
    with pytest.raises(TableError, match="row labels of y differ.*'zz'"):
        entry(Y.rename({"p3": "zz"}), WEIGHTS, GROUPS)


def test_the_score_of_numbers_and_the_times_of_events_are_matched():
    machine = hetsel.ClinicalSVR().fit(X, NUMBERS.iloc[OTHER])
    assert machine.score(X, NUMBERS) == machine.score(X, NUMBERS.iloc[OTHER]) > 0.3
    events = GROUPS % 2
    found = hetsel.survival(WEIGHTS, events.iloc[OTHER])
    np.testing.assert_array_equal(found["event"], events == 1)


def test_rows_are_matched_as_reindex_of_pandas_matches_them():
    for labels in (X.index, pd.RangeIndex(5, 5 + N), pd.MultiIndex.from_product([range(N), ["z"]])):
        frame, y = X.set_axis(labels), Y.set_axis(labels).iloc[OTHER]
        assert matched_rows(frame, y=y)[0].equals(y.reindex(frame.index))


def test_what_has_no_index_or_the_same_stays_what_it_is():
    repeated = X.iloc[OTHER // 2]
    for frame, y in (
        (X.to_numpy(), Y.iloc[OTHER]),
        (X, Y.to_numpy()),
        (X, Y.copy()),
        (repeated, Y.iloc[OTHER // 2]),
        (X, Y.reset_index(drop=True)),
        (X.reset_index(drop=True), Y),
        (X, None),
    ):
        assert matched_rows(frame, y=y)[0] is y


@pytest.mark.parametrize("which", ["table", "y"])
def test_a_default_index_beside_its_numbers_in_another_order_is_refused(which):
    plain, y = X.reset_index(drop=True), Y.reset_index(drop=True)
    plain, y = (plain, y.iloc[OTHER]) if which == "table" else (plain.iloc[OTHER], y)
    with pytest.raises(TableError, match="default index"):
        ANOVA().fit(plain, y)


def test_repeated_labels_in_another_order_are_refused():
    rows = OTHER // 2
    with pytest.raises(TableError, match="more than once"):
        ANOVA().fit(X.iloc[rows], Y.iloc[np.sort(rows)])
