"""How many features, for numbers and survival times: scores of held-out rows, one by one."""

import numpy as np
import pytest
from frames import mixed_frame
from sklearn.metrics import mean_squared_error
from sksurv.metrics import concordance_index_censored

from hetsel import choose_size, get_method, survival
from hetsel.evaluation.by_key.judges_by_key import ClassifierSpec
from hetsel.evaluation.size_rules import _judged
from hetsel.ground.errors import TableError
from hetsel.selection import Problem
from hetsel.tables import Numbers, Survival


def drawn():
    frame, _ = mixed_frame(80, 4, 3, seed=2)
    rng = np.random.default_rng(7)
    y = 2.0 * frame["c0"].to_numpy() + 2.0 * (frame["n0"].cat.codes == 1) + rng.normal(size=80)
    return frame, np.asarray(y)


def test_the_planted_features_are_as_many_as_they_are():
    frame, y = drawn()
    times = survival(np.exp(-y), np.arange(80) % 4 > 0)
    for key, target, judge in (
        ("anova-f", y, "ridge"),
        ("anova-f", y, "5nn"),
        ("univariate-tests", times, "cox"),
        ("univariate-tests", times, "5nn"),
    ):
        selector = get_method(key)(random_state=0).fit(frame, target)
        found = choose_size(selector, frame, target, classifier=judge)
        assert found.size == 2
        assert found.inner_score > (0.5 if key == "anova-f" else 0.65)


def test_scores_are_those_of_scikit_learn_and_scikit_survival(monkeypatch):
    """By a judge that predicts what it is told to."""
    frame, y = drawn()
    selector = get_method("anova-f")().fit(frame, y)
    table = selector.schema_.encode(frame)
    mask = np.arange(80) % 5 == 0
    told = np.random.default_rng(0).normal(size=(1, 16))
    monkeypatch.setattr(ClassifierSpec, "predict", lambda *given, **more: told)
    numbers = Problem(table, Numbers(y), ())
    score = _judged(selector, numbers, mask, (1, 99), ClassifierSpec.of("", "ridge"), 0)
    known = 1 - mean_squared_error(y[mask], told[0]) / y.var()
    assert score[0] == pytest.approx(known)
    assert np.isnan(score[1])
    target = Survival(np.exp(-y), np.arange(80) % 3 > 0)
    times = Problem(table, target, ())
    judge = ClassifierSpec.of("", "cox")
    score = _judged(get_method("univariate-tests")(), times, mask, (1,), judge, 0)
    known = concordance_index_censored(target.events[mask], target.times[mask], told[0])[0]
    assert score[0] == pytest.approx(known)


def test_a_judge_of_another_target_is_refused():
    frame, y = drawn()
    selector = get_method("anova-f")().fit(frame, y)
    with pytest.raises(TableError, match="classifier must be one of 5nn, ridge"):
        choose_size(selector, frame, y, classifier="naive-bayes")
