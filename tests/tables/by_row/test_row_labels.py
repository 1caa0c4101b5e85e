"""Rows of X, y, weights and groups whose labels differ are refused, in every entry point."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import permutation_test_score

import hetsel
from hetsel.evaluation.data.data_entry import DataSpec
from hetsel.evaluation.data.encoded_data import prepare
from hetsel.ground.errors import TableError
from hetsel.tables.row_labels import refuse_other_rows

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
HALVES = {"size": 1, "bound": 0.5, "pairs": 5}


def study_data(y, w, g):
    spec = {"name": "t", "X": X, "y": y, "row_groups": g, "row_weights": w, "order": w}
    found = prepare(DataSpec.of("t", spec, "."))
    return [found.fingerprint, found.row_groups.tolist(), found.weights.tolist()]


def signature(y, w, g):
    found = hetsel.Signature(**SMALL).fit(X, y, w, groups=g, by=pd.DataFrame({"part": g % 3}))
    new = X + 1
    new.index = X.index
    judged = hetsel.validate_signature(found, new, y, w, groups=g)
    return [found.decision_function(X), found.score(X, y, w), str(judged.performance)]


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


@pytest.mark.seconds
@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)
def test_labels_in_another_order_are_refused(entry):
    with pytest.raises(TableError, match=r"y has the row labels .* in another order. Pass y.loc"):
        entry(Y.iloc[OTHER], WEIGHTS, GROUPS)
    found = entry(Y.iloc[OTHER].loc[X.index], WEIGHTS, GROUPS.to_numpy())
    for one, other in zip(entry(Y, WEIGHTS, GROUPS), found, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)
def test_other_labels_are_refused(entry):
    with pytest.raises(TableError, match="row labels of y differ.*'zz'"):
        entry(Y.rename({"p3": "zz"}), WEIGHTS, GROUPS)


def test_scores_events_weights_and_groups_are_looked_at_too():
    machine = hetsel.ClinicalSVR().fit(X, NUMBERS)
    for call in (
        lambda: machine.score(X, NUMBERS.iloc[OTHER]),
        lambda: hetsel.survival(WEIGHTS, (GROUPS % 2).iloc[OTHER]),
        lambda: SVM().fit(X, Y, WEIGHTS.iloc[OTHER]),
        lambda: ANOVA().fit(X, Y, groups=GROUPS.iloc[OTHER]),
    ):
        with pytest.raises(TableError, match="in another order"):
            call()


def test_labels_are_permuted_for_a_test_of_chance_by_place():
    test = {"n_permutations": 5, "cv": 3, "random_state": 0}
    found = permutation_test_score(hetsel.ClinicalSVC(), X, Y.to_numpy(), **test)
    assert max(found[1]) < found[0]
    with pytest.raises(TableError, match=r"y.to_numpy\(\) to match rows by position"):
        permutation_test_score(hetsel.ClinicalSVC(), X, Y, **test)


def test_what_has_no_index_or_the_same_is_matched_by_place():
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
        refuse_other_rows(frame, y=y)


@pytest.mark.parametrize("which", ["table", "y"])
def test_a_default_index_beside_its_numbers_in_another_order_is_refused(which):
    plain, y = X.reset_index(drop=True), Y.reset_index(drop=True)
    plain, y = (plain, y.iloc[OTHER]) if which == "table" else (plain.iloc[OTHER], y)
    with pytest.raises(TableError, match="in another order"):
        ANOVA().fit(plain, y)


def test_repeated_labels_in_another_order_are_refused():
    rows = OTHER // 2
    with pytest.raises(TableError, match="more than once"):
        ANOVA().fit(X.iloc[rows], Y.iloc[np.sort(rows)])
