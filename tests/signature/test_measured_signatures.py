"""Signatures of numbers and of survival times: what they say; nothing but the table counts."""

import pickle
import re

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from report.page_texts import signature_page
from sklearn.base import is_classifier, is_regressor
from sklearn.metrics import r2_score
from sksurv.metrics import concordance_index_censored

import hetsel
from hetsel import ClinicalSurvivalSVM, ClinicalSVR, Signature, load_signature, survival
from hetsel.evaluation.engines import engine_runs, local_workers
from hetsel.ground.errors import TableError
from hetsel.ground.sealed_json import plain_values
from hetsel.signature.signature_facts import ABOVE, NOT_SHOWN, TOO_FEW_ROWS
from hetsel.words.signature_sentences import sentences

QUICK = {"folds": 4, "repeats": 1, "permutations": 39, "pairs": 10}
METHODS = {"numbers": "anova-f", "survival": "univariate-tests"}


def drawn(kind, n=90, seed=2, told=True, missing=0.03):
    frame, _ = mixed_frame(n, 4, 3, seed=seed, missing=missing)
    rng = np.random.default_rng([seed, 1])  # not what the columns are drawn with
    level = frame["n0"].cat.codes.to_numpy() == 1
    known = 1.5 * frame["c0"].fillna(0.0).to_numpy() + 2.0 * level if told else np.zeros(n)
    y = known + rng.normal(size=n)
    if kind == "numbers":
        return frame, y
    time, stop = np.exp(-y), rng.exponential(2.0, size=n)
    return frame, survival(np.minimum(time, stop), time <= stop)


def asked(kind, **options):
    given = {**QUICK, "method": METHODS[kind], **options}
    return Signature(**given, target_kind=kind)


@pytest.fixture(scope="module", params=["numbers", "survival"])
def kind(request):
    return request.param


@pytest.fixture(scope="module")
def found(kind):
    return asked(kind).fit(*drawn(kind))


def said(signature):
    return (
        signature.features_,
        signature.sizes_.means.round(9).tolist(),
        signature.sizes_.nested,
        signature.performance_.frame().round(9).fillna(-1.0).to_dict("list"),
        round(signature.performance_.optimism, 9),
        signature.permutation_test_.pvalue,
        signature.verdict_,
        signature.frequencies_.round(9).to_dict(),
    )


@pytest.mark.seconds
def test_a_planted_signal_is_found(found):
    assert set(found.features_) <= {"c0", "n0"}
    assert found.verdict_ == ABOVE
    assert found.permutation_test_.pvalue == 0.025
    one = found.performance_
    assert one.chance_level < one.main.low < one.main.estimate < one.main.high < 1
    assert found.stability_ > 0.5
    assert found.interaction_ is None
    assert not hasattr(found, "classes_")


@pytest.mark.seconds
def test_neither_the_order_of_rows_nor_names_of_levels_nor_units_decide(kind, found):
    frame, y = drawn(kind)
    rows = np.random.default_rng(0).permutation(len(y))
    other = frame.iloc[rows].assign(c0=frame["c0"] * -3.0 + 7.0, c1=frame["c1"] * 1024.0)
    names = {f"level {k}": f"x{(k * 5 + 2) % 7}" for k in range(4)}
    for column in ("n0", "n1", "n2"):
        other[column] = other[column].cat.rename_categories(names)
    again = asked(kind).fit(other, y[rows])
    assert said(again) == said(found)


@pytest.mark.seconds
def test_the_unit_of_the_target_moves_errors_alone(kind, found):
    frame, y = drawn(kind)
    moved = y * 8.0 + 3.0 if kind == "numbers" else survival(y["time"] * 16.0, y["event"])
    other = asked(kind).fit(frame, moved)
    assert other.features_ == found.features_
    assert other.verdict_ == found.verdict_
    factors = {"rmse": 8.0, "mae": 8.0} if kind == "numbers" else {}
    for one, before in zip(other.performance_.measures, found.performance_.measures, strict=True):
        factor = factors.get(one.key, 1.0)
        assert one.estimate == pytest.approx(factor * before.estimate, rel=1e-6)


@pytest.mark.slow
def test_processes_change_no_number(kind, found, monkeypatch):
    one = asked(kind, permutations=0).fit(*drawn(kind))
    begun = []
    start = local_workers.WorkerProcess
    monkeypatch.setattr(
        local_workers, "WorkerProcess", lambda *given: begun.append(given) or start(*given)
    )
    monkeypatch.setattr(engine_runs, "STARTING", -1.0)  # whether they pay or not
    # one of them here, two where classes are tested
    monkeypatch.setattr(engine_runs, "workers", lambda n_jobs: n_jobs - 1)
    two = asked(kind, permutations=0, n_jobs=2).fit(*drawn(kind))
    assert begun
    assert one.facts() == two.facts()
    assert one.performance_.frame()["estimate"].equals(found.performance_.frame()["estimate"])


@pytest.mark.seconds
def test_a_quick_one_lacks_nothing_that_a_whole_one_never_has(kind):
    quick = asked(kind, folds=3, permutations=None, pairs=None, quick=True).fit(*drawn(kind))
    assert quick.facts().not_computed == [
        "test against chance",
        "repeated cross-validation",
        "stability",
        "replacements",
    ]
    assert "only for a target of classes" in signature_page(quick.facts())


def test_the_model_is_that_of_the_signature_on_all_rows(kind, found):
    frame, y = drawn(kind)
    columns = [name for name in frame.columns if name in found.features_]
    model = ClinicalSVR() if kind == "numbers" else ClinicalSurvivalSVM()
    model.fit(frame[columns], y)
    new = mixed_frame(50, 4, 3, seed=9)[0]
    np.testing.assert_allclose(found.predict(new), model.predict(new[columns]), atol=1e-6)
    assert {curve.name for curve in found.effect_curves()} == set(found.features_)
    assert (found.effects().groupby("feature")["rows"].sum() == len(y)).all()
    fresh, truth = drawn(kind, seed=11, missing=0.0)
    if kind == "numbers":
        known = r2_score(truth, found.predict(fresh))
    else:
        known = concordance_index_censored(truth["event"], truth["time"], found.predict(fresh))[0]
    assert found.score(fresh, truth) == pytest.approx(known)
    assert known > found.performance_.chance_level


def test_a_saved_signature_predicts_and_says_the_same(found, kind, tmp_path):
    new = mixed_frame(50, 4, 3, seed=9)[0]
    path = tmp_path / "signature.json"
    found.save(path)
    read = load_signature(path)
    assert read.kind == kind
    assert read.facts == found.facts()
    np.testing.assert_array_equal(read.predict(new), found.predict(new))
    np.testing.assert_array_equal(read.decision_function(new), found.predict(new))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(found)).predict(new), read.predict(new))
    assert sentences(read.facts) == hetsel.summary(found).split("\n")


@pytest.mark.seconds
def test_the_page_has_the_measures_and_the_held_out_rows(found, kind):
    page = signature_page(found.facts())
    assert page == signature_page(found.facts())
    for one in found.performance_.measures:
        assert one.label in page
    shown = {"numbers": "figure-scatter", "survival": "figure-risk_groups"}
    for other, key in shown.items():
        assert (key in page) == (other == kind)
    assert "class " not in page.partition("<body>")[2]
    assert {"numbers": "unit of the target", "survival": "log relative risk"}[kind] in page


def test_the_page_names_the_tests_that_were_made_and_not_those_of_classes(kind):
    quick = {"method": "univariate-tests", "size": 2, "permutations": 0, "pairs": 0}
    page = signature_page(asked(kind, **quick).fit(*drawn(kind)).facts())
    settings = re.sub("<[^>]*>", "", page.partition("<dt>method</dt>")[2])
    words = {
        "numbers": "F-test of the target over levels",
        "survival": "log-rank test with permutation var",
    }
    assert f"levels = fisher-exact ({words[kind]}" in settings
    assert ("log-rank" in settings) == (kind == "survival")


def test_words_are_those_of_the_target(found, kind):
    said_of = hetsel.summary(found)
    assert ("R²" in said_of) == (kind == "numbers")
    assert ("Harrell" in said_of) == (kind == "survival")
    assert "balanced" not in said_of
    assert "labels" not in said_of
    assert {"numbers": "rank correlation", "survival": "Harrell"}[kind] in str(
        found.permutation_test_
    )


@pytest.mark.slow
def test_noise_is_not_better_than_chance(kind):
    found = asked(kind).fit(*drawn(kind, told=False))
    assert found.verdict_ == NOT_SHOWN
    assert found.performance_.main.low <= found.performance_.chance_level
    assert "due to chance" in signature_page(found.facts())


@pytest.mark.slow
def test_weights_and_groups_count(kind):
    frame, y = drawn(kind)
    method = "rfe-svm"
    quick = {"permutations": 0, "pairs": 0, "size": 2, "method": method}
    plain = asked(kind, **quick).fit(frame, y)
    alike = asked(kind, **quick).fit(frame, y, np.full(len(y), 3.0))
    assert alike.effective_sample_size_ == (pytest.approx(len(y)),)
    for one, other in zip(plain.performance_.measures, alike.performance_.measures, strict=True):
        assert other.estimate == pytest.approx(one.estimate, rel=1e-6)
    weights = np.random.default_rng(3).uniform(0.1, 4.0, len(y))
    weighted = asked(kind, **quick).fit(frame, y, weights)
    assert weighted.effective_sample_size_[0] < 0.8 * len(y)
    assert "weighted" in hetsel.summary(weighted)
    patients = np.arange(len(y)) // 3
    grouped = asked(kind, **quick).fit(frame, y, groups=patients)
    assert grouped.groups_ == 30
    assert "groups" in hetsel.summary(grouped)


def test_what_is_always_in_is_in(kind):
    frame, y = drawn(kind)
    found = asked(kind, always=["c3"], permutations=0, pairs=5).fit(frame, y)
    assert "c3" in found.features_
    assert found.always_ == ("c3",)


@pytest.mark.parametrize("size", ["knee", "equal", 2])
def test_other_rules_of_size(kind, size):
    found = asked(kind, size=size, permutations=0, pairs=0).fit(*drawn(kind))
    assert 1 <= found.size_ <= 7
    assert (found.sizes_ is None) == (size == 2)
    assert found.performance_.training_gain == 0.0 or size != 2


def test_too_few_rows_have_features_and_no_performance(kind):
    frame, y = drawn(kind, n=90, missing=0.0)
    rows = np.arange(90)[:7] if kind == "numbers" else np.flatnonzero(y["event"])[:5]
    if kind == "survival":
        rows = np.append(rows, np.flatnonzero(~y["event"])[:10])
    found = asked(kind, size=1, pairs=0).fit(frame.iloc[rows], y[rows])
    assert found.verdict_ == TOO_FEW_ROWS
    assert found.performance_ is None
    assert "Performance cannot be estimated" in hetsel.summary(found)
    assert "Performance cannot be estimated" in signature_page(found.facts())
    with pytest.raises(TableError, match="too few"):
        asked(kind).fit(frame.iloc[rows], y[rows])


def test_numbers_are_to_be_named_and_times_are_known():
    frame, y = drawn("numbers")
    with pytest.raises(TableError, match="target_kind"):
        Signature("anova-f", **QUICK).fit(frame, y)
    times = drawn("survival")[1]
    quick = {"permutations": 0, "pairs": 0, "size": 1, "folds": 3, "repeats": 1}
    found = Signature("univariate-tests", **quick).fit(frame, times)
    assert found.target_kind_ == "survival"


def test_what_a_target_without_classes_cannot_have_is_refused(kind):
    frame, y = drawn(kind)
    with pytest.raises(TableError, match="positive is for two classes"):
        asked(kind, positive="yes").fit(frame, y)
    with pytest.raises(TableError, match="target"):
        asked(kind, method="t-test").fit(frame, y)


def test_scikit_learn_knows_what_is_predicted():
    assert is_classifier(Signature())
    assert not is_classifier(Signature(target_kind="numbers"))
    assert is_regressor(Signature(target_kind="numbers"))
    timed = Signature(target_kind="survival")
    assert not is_classifier(timed)
    assert not is_regressor(timed)


def test_files_hold_no_row_but_what_is_drawn(found, kind):
    shown = found.facts().performance.shown
    if kind == "numbers":
        assert len(shown.scatter) <= 400
        assert set(plain_values(shown)) == {"scatter"}
    else:
        assert set(plain_values(shown)) == {"slope", "tau", "risk_groups"}
    assert isinstance(found.performance_.frame(), pd.DataFrame)
