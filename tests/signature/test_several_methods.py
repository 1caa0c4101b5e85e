"""A method is chosen by the rows that do not judge it."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

import hetsel
from hetsel import Signature
from hetsel.ground.errors import TableError
from hetsel.signature.nested.fold_models import PartResult
from hetsel.signature.nested.nested_decisions import Candidate, ChoiceOfMethod, side_by_side
from hetsel.signature.procedure import ChosenMethod, _best_of
from hetsel.signature.reported_values import _methods

DRAW = np.random.default_rng(6)
FRAME = pd.DataFrame(DRAW.normal(size=(90, 5)), columns=list("abcde"))
FRAME["site"] = pd.Categorical(DRAW.choice(list("xyz"), 90))
Y = np.where(FRAME["a"] + 0.8 * FRAME["b"] + DRAW.normal(size=90) > 0, "yes", "no")
QUICK = {"folds": 4, "repeats": 1, "permutations": 0, "pairs": 0}


def test_one_of_equal_methods_is_that_method_alone():
    alone = Signature("hsic", **QUICK).fit(FRAME, Y)
    same = {"key": "hsic", "params": {}}
    both = Signature(["hsic", same], **QUICK).fit(FRAME, Y)
    assert alone.methods_ is None
    assert both.methods_.nested == (4, 0)  # the first of equals
    assert both.features_ == alone.features_
    assert both.performance_ == alone.performance_
    assert both.probabilities_ == alone.probabilities_
    assert both.sizes_.sizes == alone.sizes_.sizes
    assert both.sizes_.means == pytest.approx(alone.sizes_.means)
    assert both.facts().points == alone.facts().points


def test_the_method_with_the_best_mean_score_is_chosen_and_told():
    noise = FRAME.assign(**{name: DRAW.normal(size=90) for name in ("f", "g")})
    found = Signature(["rfe-svm", "hsic"], size=2, **QUICK).fit(noise, Y)
    assert sum(found.methods_.nested) == 4
    assert found.size_ == 2
    facts = found.facts().methods
    assert facts.tried == ["rfe-svm", "hsic"]
    assert found.methods_.means[found.methods_.place] == max(found.methods_.means)
    assert "was chosen among 2 methods" in hetsel.summary(found)


class Smallest:
    """A rule that takes the smallest size."""

    seed = 3

    def choose(self, sizes, scores, folds=None):
        return min(sizes)


def test_the_method_whose_size_is_best_is_chosen():
    sizes = (Candidate(0, 1), Candidate(0, 2), Candidate(1, 1), Candidate(1, 2))
    scores = np.array([[0.6, 0.9, 0.7, 0.1], [0.6, 0.9, 0.6, 0.1]])
    rule = ChoiceOfMethod(Smallest())
    assert rule.choose(sizes, scores) == Candidate(1, 1)  # though size 2 of the first is better
    assert rule.choose(sizes, scores[:, [0, 1, 0, 3]]) == Candidate(0, 1)
    assert rule.seed == 3


def test_a_method_that_lacks_every_size_in_a_part_has_no_score():
    candidates, means = [Candidate(0, 1), Candidate(0, 2), Candidate(1, 1)], [0.6, 0.7, np.nan]
    best = tuple(_best_of(np.array(means), candidates, method) for method in (0, 1))
    told = _methods(ChosenMethod(0, ("rfe-svm", "hsic"), (3, 0), best))
    assert told.inner == [0.7, None]


def test_models_stand_side_by_side():
    def result(first):
        values = np.arange(first, first + 6.0).reshape(2, 3)
        return PartResult("", values, values[..., None], (np.array([0]), np.array([1])), 0.0)

    @dataclass
    class Two:
        sizes: tuple = (1, 2)
        pairs: bool = False

        def __len__(self):
            return 1

    parts, whole = side_by_side([Two(), Two()], [{0: result(0)}, {0: result(10)}])
    assert parts.sizes == (Candidate(0, 1), Candidate(0, 2), Candidate(1, 1), Candidate(1, 2))
    assert whole[0].predicted[:, 0].tolist() == [0, 3, 10, 13]
    assert whole[0].decisions.shape == (4, 3, 1)
    assert len(whole[0].signatures) == 4


@pytest.mark.seconds
def test_p_is_multiplied_by_the_number_of_methods():
    options = {**QUICK, "permutations": 79}
    both = Signature(["hsic", "rfe-svm"], **options).fit(FRAME, Y)
    key = both.methods_.keys[both.methods_.place]
    alone = Signature(key, **options).fit(FRAME, Y)
    # looks may end elsewhere, the tables that are drawn are the same
    common = min(len(both.permutation_test_.permuted), len(alone.permutation_test_.permuted))
    assert both.permutation_test_.permuted[:common] == pytest.approx(
        alone.permutation_test_.permuted[:common]
    )
    assert both.permutation_test_.pvalue == pytest.approx(
        min(
            1,
            2
            * (1 + (both.permutation_test_.permuted >= both.permutation_test_.statistic).sum())
            / (len(both.permutation_test_.permuted) + 1),
        )
    )


@pytest.mark.parametrize(
    ("method", "options", "message"),
    [
        ([], {}, "method must be one method or several different ones"),
        (["hsic", "hsic"], {}, "method must be one method or several different ones"),
        (["hsic", "rfe-svm"], {"permutations": 39}, "79, to reject at 0.025 among 2"),
    ],
)
def test_what_cannot_be_asked(method, options, message):
    with pytest.raises(TableError, match=message):
        Signature(method, **{**QUICK, **options}).fit(FRAME, Y)


def test_numbers_choose_a_method_too():
    found = Signature(["hsic", "rfe-svm"], target_kind="numbers", **QUICK).fit(FRAME, FRAME["a"])
    assert sum(found.methods_.nested) == 4
    assert found.performance_.main.estimate > 0.5
