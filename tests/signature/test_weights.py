"""Weights of rows in a signature: repeated rows, and weighted scores of other packages."""

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from msgspec.structs import replace
from sklearn.metrics import recall_score, roc_auc_score
from statsmodels.stats.proportion import proportion_confint

import hetsel
from hetsel import ClinicalSVC, Schema, get_method, validate_signature
from hetsel.evaluation.by_key.judges_by_key import ClassifierSpec
from hetsel.evaluation.by_key.methods_by_key import MethodSpec
from hetsel.evaluation.data.encoded_data import EncodedData
from hetsel.ground.errors import TableError
from hetsel.signature.alternatives import variance_of_mean
from hetsel.signature.estimator import Signature
from hetsel.signature.nested.fold_models import FoldModels
from hetsel.signature.nested.nested_cross_validation import NestedRun, nested_run
from hetsel.signature.nested.nested_decisions import NestedDecisions, area_by_folds
from hetsel.signature.nested.nested_performance import class_performance
from hetsel.signature.nested.permuted_tables import DrawnTables
from hetsel.signature.signature_facts import Flow
from hetsel.statistics.performance.rate_intervals import balanced_interval, wilson_interval
from hetsel.tables import Classes

QUICK = {"method": "rfe-svm", "folds": 3, "repeats": 2, "permutations": 0, "pairs": 6}
TESTED = {"size": 2, "repeats": 1, "permutations": 39, "pairs": 0}  # the test takes the time
FRAME, Y = mixed_frame(64, 3, 2, seed=4, missing=0.03)
WEIGHTS = np.random.default_rng(1).uniform(0.2, 3.0, 64)


def told(frame=FRAME, y=Y, weights=None, **options):
    """The facts of a signature but the effective rows, and its decision values."""
    found = Signature(**{**QUICK, **options}).fit(frame, y, sample_weight=weights)
    facts = replace(found.facts(), effective_sample_size=None)
    return facts, found.decision_function(FRAME).tolist()


@pytest.mark.slow
@pytest.mark.parametrize(("weight", "options"), [(1.0, {}), (0.7, TESTED)])
def test_equal_weights_are_none_to_the_last_bit(weight, options):
    assert told(weights=np.full(64, weight), **options) == told(**options)


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, TESTED])
def test_the_unit_of_the_weights_changes_no_bit(options):
    one = told(weights=WEIGHTS, **options)
    assert told(weights=WEIGHTS * 523.17, **options) == one
    assert told(**{**options, "permutations": 0}) != one


@pytest.mark.seconds
@pytest.mark.parametrize("unit", [2.0**-1000, 2.0**1010, 1e-300, 1e300])
def test_no_unit_of_the_weights_is_too_small_or_too_large(unit):
    quick = {"size": 2, "repeats": 1, "pairs": 0}
    whole = np.round(WEIGHTS * 8)
    one, other = (told(weights=whole * factor, **quick) for factor in (1, unit))
    assert one == other
    signature = Signature(**{**QUICK, **quick}).fit(FRAME, Y)
    new = FRAME.assign(**{FRAME.columns[0]: FRAME[FRAME.columns[0]] * 1.37 + 0.1})
    judged = [
        validate_signature(signature, new, Y, w, seen="drop").performance.main
        for w in (whole, whole * unit)
    ]
    for part in ("estimate", "low", "high"):
        assert getattr(judged[0], part) == pytest.approx(getattr(judged[1], part))


def test_neither_the_order_of_weighted_rows_nor_that_of_rows_alike_decides():
    frame, y = (part.repeat(2) for part in (FRAME.index[:40], Y[:40]))
    frame = FRAME.loc[frame].reset_index(drop=True)  # each row twice, of different weights
    weights = np.random.default_rng(2).uniform(0.2, 3.0, 80)
    rows = np.random.default_rng(3).permutation(80)
    options = {"size": 2}
    one = told(frame, y, weights, **options)
    assert told(frame.iloc[rows], y[rows], weights[rows], **options)[0] == one[0]


def test_model_and_selection_of_whole_weights_are_those_of_repeated_rows():
    """C is that of a row of mean weight, so that of a row of weight 1 is C over the mean."""
    frame, y = mixed_frame(50, 3, 2, seed=3)
    times = np.random.default_rng(6).integers(1, 4, 50)
    options = {"pairs": 0, "size": 2, "repeats": 1}
    found = Signature(**{**QUICK, **options}).fit(frame, y, sample_weight=times)
    repeated, labels = frame.loc[frame.index.repeat(times)].reset_index(drop=True), y.repeat(times)
    small = 1.0 / times.mean()
    ranked = get_method("rfe-svm")(C=0.1 * small, class_weight="balanced").fit(repeated, labels)
    assert np.array_equal(found.answer_.order, ranked.answer_.order)
    assert found.answer_.importance == pytest.approx(ranked.importances_, rel=1e-6)
    columns = [name for name in frame.columns if name in found.features_]
    model = ClinicalSVC(10.0 * small, class_weight="balanced").fit(repeated[columns], labels)
    wanted = model.decision_function(frame[columns])
    assert found.decision_function(frame) == pytest.approx(wanted, abs=1e-6)
    plain = Signature(**{**QUICK, **options}).fit(frame, y)
    assert found.decision_function(frame) != pytest.approx(plain.decision_function(frame), abs=1e-3)


def test_what_is_held_out_is_predicted_by_weighted_selection_and_model():
    """In each fold what hetsel's estimators say alone, and the scores of scikit-learn."""
    spec = MethodSpec.of("", {"key": "rfe-svm", "params": {"class_weight": "balanced"}})
    machine = {"key": "clinical-svm", "params": {"class_weight": "balanced"}}
    parts = FoldModels(spec, (1, 2), (ClassifierSpec.of("", machine),), 4, 1, True, 3)
    table = Schema.infer(FRAME).encode(FRAME)
    data = EncodedData("", table, Classes.of(Y), "impute", "", weights=WEIGHTS)
    problem = data.problem(seed=parts.seed)
    fold, labels = parts.folds_of(problem, 0), problem.target.labels
    results = {k: parts.run(data, k, str(k)) for k in range(len(parts))}
    told = (parts.of_run(0, results), 2, parts.decisions_of_run(0, results), WEIGHTS)
    run = nested_run(problem.target.codes, fold, (1, 2), *told)
    for k in range(4):
        train, test = fold != k, fold == k
        method = get_method("rfe-svm")(2, class_weight="balanced")
        method.fit(FRAME[train], Y[train], sample_weight=WEIGHTS[train])
        kept = method.get_support()
        model = ClinicalSVC(class_weight="balanced")
        model.fit(FRAME.loc[train, kept], Y[train], WEIGHTS[train])
        alone = model.predict(FRAME.loc[test, kept])
        assert np.array_equal(labels[run.predicted[test]], alone)
        values = model.decision_function(FRAME.loc[test, kept])
        score = roc_auc_score(Y[test], values, sample_weight=WEIGHTS[test])
        assert run.scores[k, 1] == pytest.approx(score, rel=1e-12)


def test_weighted_performance_by_other_packages():
    draw = np.random.default_rng(0)
    truth, fold = draw.permutation(np.repeat([0, 1], [40, 24])), np.arange(64) % 4
    values = draw.normal(size=(64, 1)) + truth[:, None]
    predicted = (values[:, 0] > 0.5).astype(int)
    right = (predicted == truth).astype(float)
    run = NestedRun(fold, (1,) * 4, predicted, predicted * 0, right, right * np.nan, fold[None])
    target = Classes(truth, np.array(["no", "yes"]))
    nothing = np.full((4, 64, 1), np.nan)
    auc = area_by_folds([NestedDecisions(fold, values, nothing, nothing, values)], truth, WEIGHTS)
    given = ([run], auc, target, ["no", "yes"], None, 0.7)
    found = class_performance(*given, weights=WEIGHTS)
    recalls = recall_score(truth, predicted, average=None, sample_weight=WEIGHTS)
    ends = []
    for c, (one, recall) in enumerate(zip(found.recalls, recalls, strict=True)):
        own = WEIGHTS[truth == c]
        count = len(own) / (1 + own.var() / own.mean() ** 2) / 2  # Kish; half, as they are held out
        assert one.estimate == pytest.approx(recall, rel=1e-12)
        low, high = proportion_confint(recall * count, count, method="wilson")
        high = max(high, proportion_confint(recall * count, count, method="jeffreys")[1])
        assert (one.low, one.high) == pytest.approx((low, high), rel=1e-10)
        ends.append(wilson_interval(recall, count))
    assert found.main.low == pytest.approx(balanced_interval(ends).low, rel=1e-12)
    areas = [
        roc_auc_score(truth[fold == k], values[fold == k, 0], sample_weight=WEIGHTS[fold == k])
        for k in range(4)
    ]
    pairs = [WEIGHTS[(fold == k) & (truth == 1)].sum() for k in range(4)]
    pairs *= np.array([WEIGHTS[(fold == k) & (truth == 0)].sum() for k in range(4)])
    assert found["auc"].estimate == pytest.approx(np.average(areas, weights=pairs), rel=1e-12)
    assert [one.rows for one in found.recalls] == [40, 24]


def test_the_variance_of_a_weighted_mean_by_numpy():
    values = np.random.default_rng(3).normal(size=64)
    rows = WEIGHTS.sum() ** 2 / (WEIGHTS**2).sum()
    wanted = np.cov(values, aweights=WEIGHTS) / rows
    assert variance_of_mean(values, WEIGHTS) == pytest.approx(wanted, rel=1e-12)


def test_a_weight_stays_with_its_row_when_labels_are_permuted():
    table = Schema.infer(FRAME).encode(FRAME)
    data = EncodedData("", table, Classes.of(Y), "impute", "", weights=WEIGHTS)
    tables = DrawnTables(MethodSpec.of("", "rfe-svm"), (1,), (), 4, 3)
    permuted = tables.problem_of(data, 1)
    assert permuted.weights is WEIGHTS
    assert permuted.table is table
    assert (permuted.target.codes != tables.problem_of(data, 0).target.codes).any()


@pytest.mark.parametrize(
    ("method", "names"),
    [
        ("hsic", ("sample_weight", "hsic", "rfe-mkl, rfe-svm", "rfe-svm-printed")),
        ({"key": "rfe-svm", "params": {"normalize": "norm"}}, ("normalize", "norm")),
    ],
)
def test_a_method_that_cannot_weigh_is_refused_before_anything_is_computed(method, names):
    steps = []
    with pytest.raises(TableError) as refused:
        Signature(method, permutations=0).fit(
            FRAME, Y, sample_weight=WEIGHTS, progress=lambda *step: steps.append(step)
        )
    assert all(name in str(refused.value) for name in names)
    assert not steps


@pytest.mark.parametrize("wrong", [-1.0, np.nan, np.inf])
def test_weights_that_are_none_are_named(wrong):
    weights = np.where(np.arange(64) == 5, wrong, WEIGHTS)
    with pytest.raises(TableError, match=f"sample_weight .* finite .* 0 or larger. Got {wrong:g}"):
        Signature(**QUICK).fit(FRAME, Y, sample_weight=weights)


def test_a_row_of_weight_0_is_left_out_with_its_group():
    known, person = np.arange(64) % 5 != 3, np.arange(64) // 2
    weights = np.where(known, WEIGHTS, 0.0)
    options = {**QUICK, "pairs": 0, "size": 2}
    found = Signature(**options).fit(FRAME, Y, weights, groups=person)
    rest = {"sample_weight": WEIGHTS[known], "groups": person[known]}
    wanted = Signature(**options).fit(FRAME[known], Y[known], **rest)
    flow = Flow(64, 0, int((~known).sum()))
    assert found.facts() == replace(wanted.facts(), flow=flow)


def test_the_effective_rows_of_each_class_are_told():
    found = Signature(**{**QUICK, "pairs": 0, "size": 1}).fit(
        pd.DataFrame(FRAME), Y, sample_weight=WEIGHTS
    )
    classes = [WEIGHTS[c == Y] for c in (0, 1)]
    wanted = [len(own) / (1 + own.var() / own.mean() ** 2) for own in classes]
    assert found.effective_sample_size_ == pytest.approx(wanted, rel=1e-8)
    assert f"{wanted[0]:.1f} rows of class 0" in hetsel.summary(found)
