"""Signatures on rows that they have not seen."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from msgspec.structs import astuple, replace
from scipy.stats import chi2_contingency
from sklearn.metrics import balanced_accuracy_score, brier_score_loss, r2_score, roc_auc_score

import hetsel
from hetsel import Signature, load_signature, validate_signature
from hetsel.ground.errors import TableError
from hetsel.report.pages.validation_page import validation_files
from hetsel.signature.performance import Measure, Performance
from hetsel.signature.validation import validated
from hetsel.signature.validation.new_performance import comparison, new_value_performance
from hetsel.tables import Numbers
from hetsel.words.validation_sentences import heavy_tails

QUICK = {"folds": 4, "repeats": 1, "permutations": 0, "pairs": 2, "method": "rfe-svm"}


def rows_of(n, seed, shift=0.0):
    draw = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "x": draw.normal(size=n) + shift,
            "site": pd.Categorical(draw.choice(list("abc"), n)),
            "age": draw.normal(60, 9, size=n),
        }
    )
    signal = frame["x"] + 1.5 * (frame["site"] == "a") + draw.normal(size=n)
    return frame, np.where(signal > 0.5, "yes", "no")


@pytest.fixture(scope="module")
def found():
    frame, y = rows_of(120, 0)
    return Signature(**QUICK).fit(frame, y)


@pytest.mark.seconds
def test_measures_are_those_of_scikit_learn(found):
    frame, y = rows_of(200, 1)
    one = validate_signature(found, frame, y, by="site")
    told, values = one.performance, found.decision_function(frame)
    assert told["auc"].estimate == pytest.approx(roc_auc_score(y == "yes", values))
    assert told["bcr"].estimate == pytest.approx(balanced_accuracy_score(y, found.predict(frame)))
    p = found.predict_proba(frame)[:, 1]
    assert one.probabilities.brier.estimate == pytest.approx(brier_score_loss(y == "yes", p))
    for part in one.probabilities.by:
        own = (frame["site"] == part.level).to_numpy()
        assert part.auc.estimate == pytest.approx(roc_auc_score(y[own] == "yes", values[own]))
    assert hetsel.summary(one).startswith("200 new rows")


@pytest.mark.seconds
def test_a_part_that_is_one_group_is_judged_as_its_rows_alone(found):
    """And so are new rows that are all of one group."""
    frame, y = rows_of(200, 1)
    grouped = validate_signature(found, frame, y, groups=frame["site"], by="site")
    assert grouped.groups == 3
    for part in grouped.probabilities.by:
        own = (frame["site"] == part.level).to_numpy()
        given = frame[own].reset_index(drop=True), y[own]
        alone = validate_signature(found, *given, groups="rows", by="site")
        (known,) = alone.probabilities.by
        # at the threshold of the share among all rows, where none is asked for
        for key in ("auc", "brier", "observed_expected_ratio"):
            one, other = (astuple(getattr(each, key)) for each in (part, known))
            assert one == pytest.approx(other, rel=1e-9)
        assert 0 < part.auc.low < part.auc.high < 1
        together = validate_signature(found, *given, groups=np.zeros(own.sum()))
        assert together.performance == alone.performance
        assert (together.groups, alone.groups) == (1, None)


def test_few_large_errors_are_said():
    weights, errors = np.ones(40), np.where(np.arange(40) == 3, 9.0, 1.0)
    truth = np.arange(40.0)
    found = new_value_performance(Numbers(truth), truth - errors, weights, None)
    assert found.kurtosis == pytest.approx(40 * (errors**4).sum() / (errors**2).sum() ** 2)
    assert heavy_tails(SimpleNamespace(performance=found))
    assert not heavy_tails(SimpleNamespace(performance=replace(found, kurtosis=3.0)))


@pytest.mark.seconds
def test_what_is_asked_of_classes_is_refused_of_numbers():
    draw = np.random.default_rng(2)
    frame = pd.DataFrame({"x": draw.normal(size=60), "sex": draw.choice(list("fm"), 60)})
    asked = {"method": "univariate-tests", "target_kind": "numbers"}
    numbers = Signature(**QUICK | asked).fit(frame[:40], frame["x"][:40])
    new = frame[40:].reset_index(drop=True)
    for asked in ({"by": "sex"}, {"prevalence": 0.2}, {"harm_ratio": 3.0}):
        with pytest.raises(TableError, match=f"{next(iter(asked))} is for a target of classes"):
            validate_signature(numbers, new, new["x"], **asked)


@pytest.mark.seconds
def test_a_file_judges_as_the_signature_does(found, tmp_path):
    frame, y = rows_of(80, 2)
    found.save(tmp_path / "s.json")
    saved = validate_signature(load_signature(tmp_path / "s.json"), frame, y)
    assert saved == validate_signature(found, frame, y)


@pytest.mark.seconds
def test_rows_of_the_fit_are_refused(found):
    old, labels = rows_of(120, 0)
    frame, y = rows_of(60, 3)
    mixed, both = pd.concat([frame, old.iloc[:5]]), np.append(y, labels[:5])
    with pytest.raises(TableError, match=r"5 rows of 65 equal .* rows 61, 62, 63, 64, 65"):
        validate_signature(found, mixed, both)
    one = validate_signature(found, mixed, both, seen="drop")
    assert (one.rows, one.left_out) == (60, 5)
    clean = validate_signature(found, frame, y).performance
    assert one.performance == clean


def test_rows_of_which_none_is_new_cannot_judge(found):
    old, labels = rows_of(120, 0)
    with pytest.raises(TableError, match=r"none of 120 rows is new.*has not seen"):
        validate_signature(found, old, labels, seen="drop")
    frame, y = rows_of(60, 3)
    with pytest.raises(TableError, match="no row is left that has a weight above 0"):
        validate_signature(found, frame, y, np.zeros(60))


@pytest.mark.seconds
def test_nearly_equal_rows_are_refused_where_columns_tell_them_apart():
    draw = np.random.default_rng(8)
    wide = pd.DataFrame(draw.normal(size=(220, 10)), columns=list("abcdefghij"))
    y = np.where(wide["a"] + draw.normal(size=220) > 0, "yes", "no")
    found = Signature(**QUICK).fit(wide[:120], y[:120])
    new = wide[120:]
    assert validate_signature(found, new, y[120:]).left_out == 0
    near = wide[10:14] + 0.02 * draw.normal(size=(4, 10))
    with pytest.raises(TableError, match="4 rows of 104 equal"):
        validate_signature(found, pd.concat([new, near]), np.append(y[120:], y[10:14]))
    rounded = wide[10:14].round(2)
    with pytest.raises(TableError, match="4 rows of 104 equal"):
        validate_signature(found, pd.concat([new, rounded]), np.append(y[120:], y[10:14]))


def test_new_rows_of_the_same_kind_are_not_refused(found, monkeypatch):
    alike = validate_signature(found, *rows_of(40, 99))
    monkeypatch.setattr(validated, "_judged", lambda *_: alike)  # the performance takes time
    for seed in range(20):
        frame, y = rows_of(100, 100 + seed)
        assert validate_signature(found, frame, y).left_out == 0


@pytest.mark.seconds
def test_tables_of_few_levels_are_not_refused_for_equal_rows():
    draw = np.random.default_rng(5)
    levels = pd.DataFrame({k: pd.Categorical(draw.choice(list("ab"), 260)) for k in "pqrs"})
    y = np.where((levels["p"] == "a") ^ (draw.random(260) < 0.2), 1, 0)
    found = Signature(**QUICK)
    found.fit(levels[:130], y[:130], groups="rows")
    assert validate_signature(found, levels[130:], y[130:]).left_out == 0


@pytest.mark.seconds
def test_what_was_never_seen_is_told(found):
    frame, y = rows_of(90, 4, shift=1.5)
    frame["site"] = frame["site"].astype(str).where(np.arange(90) % 9 > 0, "new one")
    frame.loc[3, "x"] = np.nan
    told = {one.feature: one for one in validate_signature(found, frame, y).features}
    assert told["site"].unseen == 10
    assert told["site"].levels == ["new one"]
    assert told["x"].above == int((frame["x"] > rows_of(120, 0)[0]["x"].max()).sum())
    assert told["x"].missing == pytest.approx(1 / 90)
    assert told["x"].shift > 0.25
    assert told["x"].pvalue < 1e-6
    sentences = hetsel.summary(validate_signature(found, frame, y))
    assert "site has 10 rows with new one" in sentences
    assert "differs strongly from the training rows" in sentences
    tested = sum(one.pvalue is not None for one in told.values())
    assert f"p < 0.05, adjusted for {tested} features" in sentences
    assert "population stability index above 0.1" in sentences


@pytest.mark.seconds
def test_drift_is_a_chi_squared_test(found):
    frame, y = rows_of(150, 6)
    told = {one.feature: one for one in validate_signature(found, frame, y).features}
    old = rows_of(120, 0)[0]["site"].value_counts()[list("abc")]
    table = np.array([old, frame["site"].value_counts()[list("abc")]])
    plain = chi2_contingency(table, correction=False).pvalue
    assert told["site"].pvalue >= plain - 1e-12  # Holm's
    assert told["site"].pvalue <= min(1.0, plain * len(told)) + 1e-12


@pytest.mark.seconds
def test_numbers_and_what_cannot_be(found):
    frame, y = rows_of(120, 7)
    numbers = Signature(**QUICK, target_kind="numbers").fit(frame[["site", "age"]], frame["x"])
    new, _ = rows_of(100, 8)
    told = validate_signature(numbers, new, new["x"]).performance.measures
    assert told[0].estimate == pytest.approx(
        r2_score(new["x"], numbers.predict(new[["site", "age"]])), abs=0.02
    )
    words = rf"classes of the signature, no, yes\. Got perhaps in {(y == 'yes').sum()} rows"
    with pytest.raises(TableError, match=words):
        validate_signature(found, frame, np.where(y == "yes", "perhaps", y))
    with pytest.raises(TableError, match="seen must be one of error, drop. Got 'keep'"):
        validate_signature(found, frame, y, seen="keep")
    with pytest.raises(TableError, match="120 rows"):
        validate_signature(found, frame, y, np.ones(7))
    with pytest.raises(TableError, match="Missing: "):
        validate_signature(found, frame.drop(columns=found.features_[0]), y)


@pytest.fixture(scope="module")
def asked():
    frame, y = rows_of(120, 0)
    return Signature(**QUICK, prevalence=0.1, harm_ratio=4, thresholds=[0.3]).fit(frame, y)


def page(one):
    return next(iter(validation_files(one, "page.html").values()))


@pytest.mark.seconds
def test_what_the_signature_was_asked_is_taken(asked):
    frame, y = rows_of(200, 1)
    told = validate_signature(asked, frame, y).probabilities
    options = {"prevalence": 0.1, "harm_ratio": 4, "thresholds": [0.3]}
    assert told == validate_signature(asked, frame, y, **options).probabilities
    assert told.prevalence == [0.9, 0.1]
    other = validate_signature(asked, frame, y, prevalence=0.5).probabilities
    assert other.prevalence == [0.5, 0.5]


@pytest.mark.seconds
def test_flipped_labels_are_worse_and_other_draws_are_undecided(asked):
    frame, y = rows_of(200, 2)
    plain = validate_signature(asked, frame, y)
    assert plain.compared.verdict == "undecided"
    assert 'class="verdict good"' not in page(plain)
    draw = np.random.default_rng(3)
    flipped = np.where(draw.random(200) < 0.4, np.where(y == "yes", "no", "yes"), y)
    worse = validate_signature(asked, frame, flipped)
    assert worse.compared.verdict == "worse"
    assert worse.compared.high < 0
    assert 'class="verdict bad"' in page(worse)


def test_intervals_that_overlap_can_differ():
    ends = ((0.6, 0.52, 0.68, 0.95), (0.45, 0.36, 0.54, 0.95))
    then, now = (
        Performance(
            kind="numbers",
            measures=[Measure(*one, key="r2", label="R²", rows=90)],
            chance_level=0.0,
        )
        for one in ends
    )
    one = comparison(now, then)
    assert (one.verdict, one.measure) == ("worse", "R²")
    assert one.high == pytest.approx(-0.15 + np.hypot(0.09, 0.08))
    assert comparison(then, now).verdict == "better"
    assert comparison(then, then).verdict == "undecided"
    assert comparison(now, None) is None


@pytest.mark.seconds
def test_rows_of_one_class_tell_its_recall(asked):
    frame, y = rows_of(90, 4)
    own = y == "yes"
    told = validate_signature(asked, frame[own].reset_index(drop=True), y[own])
    assert told.class_rows == [0, own.sum()]
    assert told.performance["bcr"].estimate is None
    (recall,) = told.performance.recalls
    assert recall.of_class == "yes"
    assert recall.estimate == pytest.approx((asked.predict(frame[own]) == "yes").mean())
    assert (told.probabilities, told.compared) == (None, None)
    assert "All rows belong to one class" in hetsel.summary(told)
    assert "recall of class yes" in page(told)


@pytest.mark.seconds
def test_a_class_without_new_rows_moves_no_other():
    draw = np.random.default_rng(5)
    x = draw.normal(size=300)
    frame = pd.DataFrame({"x": x, "z": draw.normal(size=300)})
    y = np.array(list("abc"))[np.digitize(x + 0.3 * draw.normal(size=300), [-0.4, 0.5])]
    fitted = Signature(**QUICK).fit(frame[:150], y[:150])
    kept = (np.arange(300) >= 150) & (y != "b")
    told = validate_signature(fitted, frame[kept].reset_index(drop=True), y[kept])
    assert told.class_rows[1] == 0
    own = kept & (y == "c")
    recall = {one.of_class: one.estimate for one in told.performance.recalls}["c"]
    assert recall == pytest.approx((fitted.predict(frame[own]) == "c").mean())


@pytest.mark.seconds
def test_a_feature_without_values_is_named(asked):
    frame, y = rows_of(90, 6)
    frame[asked.features_[0]] = np.nan
    told = validate_signature(asked, frame, y)
    assert f"Missing in all new rows: {asked.features_[0]}." in hetsel.summary(told)
