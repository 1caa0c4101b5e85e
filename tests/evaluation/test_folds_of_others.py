"""Splitters of scikit-learn in place of a number of folds: the error says what to do."""

import numpy as np
import pytest
from sklearn.model_selection import GroupKFold, PredefinedSplit, StratifiedKFold, cross_validate
from sklearn.pipeline import make_pipeline

import hetsel
from hetsel.ground.errors import TableError

X = np.random.default_rng(0).normal(size=(60, 3))
Y = (X[:, 1] > 0).astype(int)
HALVES = [(np.arange(30), np.arange(30, 60)), (np.arange(30, 60), np.arange(30))]
SPLITS = [StratifiedKFold(3), GroupKFold(3), PredefinedSplit(np.arange(60) % 3), HALVES]
ANOVA = hetsel.get_method("anova-f")


@pytest.mark.parametrize("splits", SPLITS, ids=lambda s: type(s).__name__)
@pytest.mark.parametrize(
    "fit",
    [
        lambda splits: hetsel.Signature(folds=splits).fit(X, Y),
        lambda splits: hetsel.choose_size(ANOVA().fit(X, Y), X, Y, folds=splits),
        lambda splits: hetsel.SubsetSearch(search="sfs", folds=splits).fit(X, Y),
        lambda splits: hetsel.get_method("fspp")(folds=splits).fit(X, Y),
    ],
    ids=["signature", "size", "search", "method"],
)
def test_the_error_names_groups_and_cross_validate(fit, splits):
    with pytest.raises(TableError, match="groups.*cross_validate"):
        fit(splits)


@pytest.mark.parametrize("splits", SPLITS, ids=lambda s: type(s).__name__)
def test_what_the_error_advises_works(splits):
    judged = make_pipeline(ANOVA(size=1), hetsel.ClinicalSVC())
    groups = np.arange(60) // 2 if isinstance(splits, GroupKFold) else None
    scores = cross_validate(judged, X, Y, cv=splits, groups=groups)
    assert scores["test_score"].min() > 0.7
