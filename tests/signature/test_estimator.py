"""The signature of a table: what it says, and that nothing but the table decides it."""

import pickle

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from sklearn.base import clone
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold, cross_validate, learning_curve

import hetsel
from hetsel import ClinicalSVC, get_method, load_signature
from hetsel.evaluation.engines import engine_runs, local_workers
from hetsel.ground.errors import Fix, TableError
from hetsel.signature.estimator import Signature
from hetsel.signature.request import balanced
from hetsel.signature.signature_facts import ABOVE, NOT_SHOWN, TOO_FEW_ROWS
from hetsel.words.methods_section import _software

QUICK = {"method": "rfe-svm", "folds": 4, "repeats": 1, "permutations": 39, "pairs": 10}


@pytest.fixture(scope="module")
def table():
    frame, y = mixed_frame(90, 4, 3, seed=2, missing=0.03)
    return frame, np.where(y == 1, "ill", "well")


@pytest.fixture(scope="module")
def found(table):
    return Signature(**QUICK).fit(*table)


def test_one_cell_of_9999_changes_no_signature_on_the_scale_of_quantiles(table):
    frame, y = table
    options = {**QUICK, "permutations": 0, "pairs": 0, "size": 2, "scale": "quantile"}
    spoiled = frame.copy()
    spoiled.loc[frame["c0"].idxmax(), "c0"] = 9999.0
    plain, other = (Signature(**options).fit(X, y) for X in (frame, spoiled))
    assert other.features_ == plain.features_
    assert other.performance_.frame().equals(plain.performance_.frame())
    np.testing.assert_array_equal(other.predict(spoiled), plain.predict(frame))
    selector = get_method("rfe-svm")(size=2, class_weight="balanced", scale="quantile")
    chosen = selector.fit(frame, y).get_feature_names_out()
    assert set(other.features_) == set(chosen)
    (curve,) = (c for c in other.effect_curves() if c.name == "c0")
    assert curve.knots[-1] == 9999.0


def said(signature):
    performance = signature.performance_
    return (
        signature.features_,
        signature.sizes_.means.round(12).tolist(),
        signature.sizes_.nested,
        performance.frame().round(12).fillna(-1.0).to_dict("list"),
        round(performance.optimism, 12),
        signature.permutation_test_.pvalue,
        signature.verdict_,
    )


@pytest.mark.slow
def test_a_planted_signal_is_found(found):
    assert set(found.features_[:2]) == {"c0", "n0"}
    assert found.verdict_ == ABOVE
    assert found.permutation_test_.pvalue == 0.025
    assert 0.7 < found.performance_["bcr"].low < found.performance_["bcr"].estimate < 1
    assert found.get_support().sum() == found.size_


@pytest.mark.slow
def test_neither_the_order_of_rows_nor_names_of_levels_nor_units_decide(table, found):
    frame, y = table
    rows = np.random.default_rng(0).permutation(len(y))
    other = frame.iloc[rows].assign(c0=frame["c0"] * -3.0 + 7.0, c1=frame["c1"] * 1000.0)
    names = {f"level {k}": f"x{(k * 5 + 2) % 7}" for k in range(4)}
    for column in ("n0", "n1", "n2"):
        other[column] = other[column].cat.rename_categories(names)
    again = Signature(**QUICK).fit(other, y[rows])
    assert said(again) == said(found)
    renamed = Signature(**QUICK, positive="no").fit(frame, np.where(y == "ill", "yes", "no"))
    turned = Signature(**QUICK, positive="ill").fit(frame, y)
    for one in (renamed, turned):
        assert one.performance_["bcr"] == found.performance_["bcr"]
        assert one.permutation_test_.pvalue == found.permutation_test_.pvalue
    assert renamed.classes_.tolist() == ["no", "yes"]
    assert renamed.positive_ == "no"
    pairs = zip(renamed.performance_.recalls, found.performance_.recalls, strict=True)
    assert all(str(one) == str(other) and one.estimate == other.estimate for one, other in pairs)
    assert turned.performance_.recalls == found.performance_.recalls[::-1]


@pytest.mark.slow
def test_processes_change_no_number(table, found, monkeypatch):
    begun = []
    start = local_workers.WorkerProcess
    monkeypatch.setattr(
        local_workers, "WorkerProcess", lambda *given: begun.append(given) or start(*given)
    )
    monkeypatch.setattr(engine_runs, "STARTING", -1.0)  # whether they pay or not
    options = {**QUICK, "permutations": 45, "pairs": 4}
    some = [part[:50] for part in table]
    alone, together = (Signature(**options, n_jobs=jobs).fit(*some) for jobs in (None, 2))
    assert len(alone.permutation_test_.permuted) == 45
    assert alone.permutation_test_.permuted.tolist() == together.permutation_test_.permuted.tolist()
    assert alone.facts() == together.facts()
    assert len(begun) == 2  # for all steps of the fit
    untested = Signature(**{**QUICK, "permutations": 0}).fit(*table)
    assert untested.performance_ == found.performance_
    monkeypatch.setattr(engine_runs, "STARTING", np.inf)
    assert Signature(**options, n_jobs=2).fit(*some).facts() == alone.facts()
    assert len(begun) == 2  # they would not pay


def test_processes_that_cannot_begin_name_the_number_that_is_this_one(table, monkeypatch):
    monkeypatch.setattr(local_workers, "BEGIN", "import sys; sys.exit(7)")
    monkeypatch.setattr(engine_runs, "STARTING", -1.0)
    with pytest.raises(RuntimeError, match=r"cannot start \(exit code 7\)") as refused:
        Signature(**QUICK, n_jobs=2).fit(*table)
    assert refused.value.fixes == (Fix("jobs", 1, "to compute in this process"),)


@pytest.mark.slow
def test_a_quick_one_says_what_it_lacks(table):
    steps = []
    quick = Signature(size=2, quick=True)
    quick.fit(*table, progress=lambda finished, every, step: steps.append((finished, every, step)))
    same = Signature(size=2, repeats=1, permutations=0, pairs=0).fit(*table)
    assert quick.performance_ == same.performance_
    assert quick.features_ == same.features_
    assert quick.facts().not_computed
    last = hetsel.summary(quick).splitlines()[-1]
    assert last.startswith("Quick run")
    for lacking in ("permutation test", "repeated cross-validation", "stability", "interactions"):
        assert lacking in last
    assert "alternative features" in last
    assert same.facts().not_computed == []
    assert "Quick" not in hetsel.summary(same)
    assert {step for *_, step in steps} == {"nested cross-validation", "point score"}
    assert all(0 < finished <= every for finished, every, _ in steps)
    tested = Signature(size=2, quick=True, permutations=45, pairs=2).fit(*table)
    assert tested.facts().not_computed == ["repeated cross-validation", "joint effects"]


@pytest.mark.slow
def test_the_model_is_that_of_the_signature_on_all_rows(table, found):
    frame, y = table
    columns = [name for name in frame.columns if name in found.features_]
    model = ClinicalSVC(10.0, class_weight="balanced").fit(frame[columns], y == "well")
    new = mixed_frame(50, 4, 3, seed=9)[0]
    values = found.decision_function(new)
    np.testing.assert_allclose(values, model.decision_function(new[columns]), atol=1e-7)
    assert found.predict(new).tolist() == np.where(values > 0, "well", "ill").tolist()
    effects = {curve.name for curve in found.effect_curves()}
    assert effects == set(found.features_)


def test_the_score_is_the_rate_on_the_rows_given_whichever_they_are(table, found):
    frame, y = table
    new, truth = mixed_frame(60, 4, 3, seed=8)
    truth = np.where(truth == 1, "ill", "well")
    for x, labels in ((frame, y), (frame.iloc[:10], y[:10]), (new, truth)):
        assert found.score(x, labels) == balanced_accuracy_score(labels, found.predict(x))
    own = found.score(frame, y)
    moved = frame.assign(**{name: frame[name] + 1e-9 for name in frame.select_dtypes("float")})
    assert found.score(moved, y) == own
    more = found.score(pd.concat([frame, new[:1]]), [*y, truth[0]])
    assert more == pytest.approx(own, abs=1 / min(found.class_counts_))


@pytest.mark.seconds
def test_scores_of_training_rows_are_those_that_scikit_learn_asks_for(table):
    frame, y = table
    asked = Signature(**{**QUICK, "permutations": 0, "pairs": 0, "size": 2})
    folds = StratifiedKFold(2)
    options = {"cv": folds, "return_train_score": True, "error_score": "raise"}
    found = cross_validate(asked, frame, y, **options)
    for k, (rows, held) in enumerate(folds.split(frame, y)):
        fitted = asked.fit(frame.iloc[rows], y[rows])
        assert found["train_score"][k] == fitted.score(frame.iloc[rows], y[rows])
        assert found["test_score"][k] == fitted.score(frame.iloc[held], y[held])
    sizes, train, test = learning_curve(
        asked,
        frame,
        y,
        cv=folds,
        train_sizes=[0.8, 1.0],
        shuffle=True,
        random_state=0,
        error_score="raise",
    )
    assert len(sizes) == 2
    assert np.isfinite([train, test]).all()
    assert train[-1] == pytest.approx(found["train_score"])


@pytest.mark.slow
def test_a_fixed_size_needs_no_choice(table):
    fixed = Signature(**{**QUICK, "size": 2}).fit(*table)
    assert len(fixed.features_) == 2
    assert fixed.sizes_ is None
    assert fixed.performance_.training_gain == 0
    assert abs(fixed.performance_.optimism) < 1e-12  # nothing was chosen by scores


@pytest.mark.slow
def test_noise_is_not_shown_to_be_better_than_chance_and_what_is_still_possible_is_said():
    draw = np.random.default_rng(4)
    noise = pd.DataFrame(draw.normal(size=(60, 5)))
    found = Signature(**QUICK).fit(noise, draw.permutation(np.repeat(["a", "b"], 30)))
    assert found.verdict_ == NOT_SHOWN
    assert f"{found.performance_['bcr'].high:.3f}" in hetsel.summary(found).splitlines()[0]


@pytest.mark.slow
def test_recordings_of_a_person_do_not_tell_the_person():
    """The features name the person, and the class is drawn by person: by row it looks told."""
    draw = np.random.default_rng(2)
    person = np.repeat(np.arange(30), 4)
    x = draw.normal(size=(30, 6))[person] + draw.normal(size=(120, 6)) * 0.05
    y = draw.permutation(np.repeat([0, 1], 15))[person]
    by_row = Signature(**{**QUICK, "size": 3}).fit(x, y, groups="rows")
    by_person = Signature(**{**QUICK, "size": 3}).fit(x, y, groups=person)
    assert by_row.verdict_ == ABOVE
    assert by_person.verdict_ == NOT_SHOWN
    assert by_row.performance_["bcr"].estimate > by_person.performance_["bcr"].estimate + 0.1
    width = [
        one.performance_["bcr"].high - one.performance_["bcr"].low for one in (by_row, by_person)
    ]
    assert width[1] > 1.3 * width[0]


def test_few_rows_of_a_class_are_said_and_have_a_wide_interval(table):
    frame, y = table
    few = np.concatenate([np.flatnonzero(y == "ill")[:7], np.flatnonzero(y == "well")])
    found = Signature(**{**QUICK, "size": 2, "permutations": 0}).fit(frame.iloc[few], y[few])
    width = [one.high - one.low for one in found.performance_.recalls]
    assert "only 7 rows of class ill" in found.facts().few
    assert max(width) > 0.3
    person = np.concatenate([np.repeat(np.arange(9), 5), 9 + np.arange(45)])
    grouped = Signature(**{**QUICK, "size": 2, "permutations": 0, "pairs": 0})
    order = np.argsort(y, kind="stable")  # the ill first: nine persons
    grouped.fit(frame.iloc[order], y[order], groups=person)
    assert "9 row groups" in grouped.facts().few


def test_two_rows_of_a_class_are_too_few_and_a_fixed_size_still_has_features(table):
    frame, y = table
    few = np.concatenate([np.flatnonzero(y == "ill")[:2], np.flatnonzero(y == "well")])
    with pytest.raises(TableError, match=r"class ill: 2.*at least 3"):
        Signature(**QUICK).fit(frame.iloc[few], y[few])
    found = Signature(**{**QUICK, "size": 2}).fit(frame.iloc[few], y[few])
    assert found.verdict_ == TOO_FEW_ROWS
    assert "class ill" in found.reason_
    assert found.performance_ is None
    assert len(found.features_) == 2


def test_the_seed_that_is_told_gives_the_same_answer(table):
    options = {**QUICK, "size": 2, "permutations": 0, "pairs": 0}
    one = Signature(**options, random_state=7).fit(*table)
    again = Signature(**options, random_state=one.facts().seed).fit(*table)
    assert again.performance_.frame().equals(one.performance_.frame())
    drawn = Signature(**options, random_state=np.random.RandomState(7)).fit(*table)
    assert drawn.facts().seed is None
    assert "no seed was set" in str([*_software(drawn.facts())])


@pytest.mark.slow
def test_no_seed_changes_what_the_test_says():
    frame, y = mixed_frame(60, 5, 0, seed=3)
    options = {**QUICK, "method": "t-test", "size": 1, "pairs": 0}
    one, other = (Signature(**options, random_state=seed).fit(frame, y) for seed in (0, 1))
    assert one.performance_["bcr"].estimate != other.performance_["bcr"].estimate
    assert one.permutation_test_.statistic == other.permutation_test_.statistic
    assert one.permutation_test_.permuted.tolist() == other.permutation_test_.permuted.tolist()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"size": "one"}, "one-se"),
        ({"size": 99}, "1..7"),
        ({"size": 0}, "1..7"),
        ({"permutations": 5}, "39"),
        ({"folds": 2}, "folds"),
        ({"n_jobs": 0}, "n_jobs"),
        ({"C": -1}, "C must"),
        ({"unseen": "drop"}, "separate"),
        ({"scale": "log"}, "quantile"),
        ({"missing": "mean"}, "impute"),
        ({"method": "rfe"}, "rfe-svm"),
        ({"method": "t-test"}, "^Welch's t-test.* Got nominal columns: .*unsupported='skip'"),
        ({"positive": "sick"}, "ill"),
    ],
)
def test_an_option_that_cannot_be_used_is_named(table, options, said):
    with pytest.raises(ValueError, match=said):
        Signature(**{**QUICK, **options}).fit(*table)


def test_methods_by_key_weigh_the_classes_alike_and_instances_stay_as_they_are():
    assert balanced("rfe-mkl").params["class_weight"] == "balanced"
    assert "class_weight" not in balanced("t-test").params
    mapping = {"key": "rfe-mkl", "params": {"C": 2.0}}
    assert balanced(mapping).params == balanced("rfe-mkl").params | {"C": 2.0}
    mapping["params"]["class_weight"] = None
    assert balanced(mapping).params["class_weight"] is None
    given = get_method("rfe-mkl")(C=0.5)
    assert balanced(given).params["class_weight"] is None
    assert balanced(get_method("t-test")).params == {}


def test_it_is_an_estimator(table, found):
    again = clone(found)
    assert again.get_params() == found.get_params()
    copy = pickle.loads(pickle.dumps(found))
    assert np.array_equal(copy.predict(table[0]), found.predict(table[0]))


def test_a_saved_signature_predicts_and_tells_the_same(table, found, tmp_path):
    path = tmp_path / "signature.json"
    found.save(path)
    saved = load_signature(path)
    new = mixed_frame(50, 4, 3, seed=9, missing=0.1)[0]
    assert np.array_equal(saved.decision_function(new), found.decision_function(new))
    assert np.array_equal(saved.predict(new[::-1]), found.predict(new[::-1]))
    assert saved.features == found.features_
    assert saved.facts == found.facts()
    with pytest.raises(TableError, match=found.features_[0]):
        saved.predict(new.drop(columns=found.features_[0]))
    path.write_text("{}")
    with pytest.raises(TableError, match="no signature"):
        load_signature(path)


@pytest.mark.filterwarnings("ignore:c0 is far from its training range")
@pytest.mark.parametrize("scale", ["quantile", "robust"])
def test_a_saved_signature_keeps_its_scale(table, tmp_path, scale):
    quick = {**QUICK, "permutations": 0, "pairs": 0, "size": 4, "scale": scale}
    found = Signature(**quick).fit(*table)
    found.save(tmp_path / "signature.json")
    new = mixed_frame(50, 4, 3, seed=9)[0]
    new["c0"] *= 30.0  # beyond what the training rows have
    saved = load_signature(tmp_path / "signature.json")
    assert np.array_equal(saved.decision_function(new), found.decision_function(new))


def test_every_row_lies_behind_one_piece_of_each_effect(table, found):
    """The rows of the pieces of a feature add up; between its ends an effect is a straight line."""
    effects, curves = found.effects(), {c.name: c for c in found.effect_curves()}
    frame, y = table
    for name, own in effects.groupby("feature"):
        assert own["rows"].sum() == len(y)
        assert own["rows ill"].sum() == (y == "ill").sum()
        assert (own["rows ill"] + own["rows well"] == own["rows"]).all()
        curve = curves[name]
        if curve.kind != "continuous":
            shown = own[own["low"] != "missing"].set_index("low")
            assert shown.effect_low.to_dict() == dict(
                zip(curve.knots, curve.values[0], strict=True)
            )
            counts, gaps = frame[name].value_counts(), int(frame[name].isna().sum())
            filled = sorted(n - counts[level] for level, n in shown.rows.items())
            assert filled == [0] * (len(filled) - 1) + [gaps]  # of one level, the most frequent


def test_missing_cells_that_are_a_value_lie_behind_a_piece_with_their_effect():
    frame, y = mixed_frame(90, 2, 2, seed=2, missing=0.08)
    options = {**QUICK, "size": 4, "permutations": 0, "pairs": 0, "missing": "separate"}
    found = Signature(**options).fit(frame, y)
    whole = frame.dropna().iloc[:1]
    for name, own in found.effects().groupby("feature"):
        assert own["rows"].sum() == len(y)
        (gap,) = own[own["low"] == "missing"].to_dict("records")
        assert gap["rows"] == frame[name].isna().sum()
        if isinstance(own["low"].iloc[0], str):
            here = own.set_index("low").loc[whole[name].iloc[0], "effect_low"]
            emptied = whole.assign(**{name: whole[name].mask(whole[name].notna())})
            moved = found.decision_function(emptied) - found.decision_function(whole)
            assert moved[0] == pytest.approx(gap["effect_low"] - here, abs=1e-9)


def test_pieces_of_a_continuous_effect_interpolate_to_the_curve():
    frame, y = mixed_frame(90, 2, 0, seed=4)
    found = Signature(**{**QUICK, "size": 1, "permutations": 0, "pairs": 0}).fit(frame, y)
    (curve,) = found.effect_curves()
    own = found.effects()
    assert len(own) < len(curve.knots) - 1
    for value, effect in zip(curve.knots, curve.values[0], strict=True):
        piece = own[(own["low"] <= value) & (value <= own["high"])].iloc[0]
        ends = [piece["low"], piece["high"]], [piece["effect_low"], piece["effect_high"]]
        assert np.interp(value, *ends) == pytest.approx(effect, abs=1e-9)
    ends = zip(own["low"], own["high"], strict=True)
    counted = [((frame["c0"] > low) & (frame["c0"] <= high)).sum() for low, high in ends]
    assert (own["rows"].to_numpy() == np.array(counted) + (own.index == 0)).all()


def test_copies_replace_each_other():
    """A copy of the feature that tells the class is as good, and is said to be."""
    frame, y = mixed_frame(100, 4, 0, seed=5)
    frame["copy"] = frame["c0"] + np.random.default_rng(0).normal(size=100) * 0.05
    found = Signature(**{**QUICK, "size": 1, "permutations": 0, "pairs": 20}).fit(frame, y)
    pairs = found.alternatives_[["feature", "alternative"]].to_numpy().tolist()
    assert sorted(pairs[0]) == ["c0", "copy"]
    assert found.frequencies_[["c0", "copy"]].sum() == pytest.approx(1.0)
    assert found.alternatives_["both"].iloc[0] == 0.0


def test_halves_name_the_features_that_nearly_all_select():
    frame, y = mixed_frame(160, 12, 3, seed=6)
    found = Signature(**{**QUICK, "size": 2, "permutations": 0}).fit(frame, y)
    stable = [found.half_samples_.names[j] for j in found.half_samples_.selected]
    assert set(stable) == {"c0", "n0"}
    assert found.half_samples_.kept.tolist() == found.half_samples_.selected.tolist()
    assert found.facts().stable.features == stable
    assert found.half_samples_.bound <= 1.0
    assert found.selected_.shape == (20, 15)
    assert (found.selected_.sum(axis=1) == 2).all()


def test_repeated_rows_are_grouped_and_said_first():
    draw = np.random.default_rng(3)
    rows = np.arange(24).repeat(3)
    x = draw.normal(size=(24, 8))[rows]
    y = draw.permutation(24)[rows] % 2
    options = {"folds": 3, "repeats": 1, "permutations": 0, "pairs": 0}
    found = Signature("anova-f", 2, **options).fit(x, y)
    assert (found.duplicate_rows_.clusters, found.duplicate_rows_.rows, found.groups_) == (
        24,
        72,
        24,
    )
    assert found.facts().duplicate_rows.largest == 3
    assert hetsel.summary(found).startswith("DUPLICATE ROWS: 72 of 72")
    named = Signature("anova-f", 2, **options).fit(x, y, groups=rows)
    assert named.performance_["bcr"] == found.performance_["bcr"]
    assert named.duplicate_rows_ is None
    alone = Signature("anova-f", 2, **options).fit(x, y, groups="rows")
    assert (alone.groups_, alone.duplicate_rows_) == (None, None)


def test_rows_of_a_patient_are_grouped_where_the_patient_is_a_column():
    draw = np.random.default_rng(4)
    frame = pd.DataFrame(draw.normal(size=(90, 6)), columns=list("abcdef"))
    frame["patient"] = rows = draw.permutation(30).repeat(3)
    y = draw.permutation(30)[rows] % 2
    options = {"folds": 3, "repeats": 1, "permutations": 0, "pairs": 0}
    found = Signature("anova-f", 2, **options).fit(frame, y)
    named = Signature("anova-f", 2, **options).fit(frame, y, groups=rows)
    assert hetsel.summary(found).startswith(
        "DUPLICATE ROWS: 90 of 90 rows are equal to other rows in patient"
    )
    assert "Name this column as row groups, or drop it" in hetsel.summary(found)
    assert found.performance_["bcr"] == named.performance_["bcr"]
