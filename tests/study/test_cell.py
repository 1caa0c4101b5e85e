"""Cells: pure functions of their key that learn from the training rows only."""

import dataclasses
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from study.studies import Told, small_study

from hetsel import ClinicalSVC, Schema, Study, Table
from hetsel.models.by_size import Split
from hetsel.statistics.scores import area_under_curve
from hetsel.study.cell import CellFailure, CellResult, Recipe, run_cell
from hetsel.study.data_set import prepare
from hetsel.study.run import plan_cells
from hetsel.study.specs import CLASSIFIERS, ClassifierSpec, Resamplings
from hetsel.study.splits import class_quotas, sequence, split

FOREST = {"key": "random-forest", "params": {"n_estimators": 20}}
TREES = {"key": "random-forest", "params": {"trees": 20}}
FEW = [key for key in CLASSIFIERS if key != "random-forest"]
TIGHT = {"key": "clinical-svm", "params": {"tolerance": 1e-10}}


def cells_of(study):
    return [(c, run_cell(c.data, c.recipe, c.resampling, c.key)) for c in plan_cells(study)]


def same(a, b):
    fields = ("order", "chosen", "test", "truth", "predictions", "decisions")
    return all(np.array_equal(getattr(a, f), getattr(b, f)) for f in fields)


def test_the_same_key_gives_the_same_result_in_any_order():
    study = small_study(methods=["rfe-mkl", FOREST], resamplings=3)
    forward = {c.key: out for c, out in cells_of(study)}
    for cell in reversed(plan_cells(study)):
        again = run_cell(cell.data, cell.recipe, cell.resampling, cell.key)
        assert same(again, forward[cell.key])
    assert len({out.order.tobytes() for out in forward.values()}) > 1


def test_every_method_gets_the_same_splits_and_a_name_changes_nothing():
    found = cells_of(small_study())
    tests = {}
    for cell, out in found:
        tests.setdefault(cell.resampling, set()).add(out.test.tobytes())
    assert len(tests) == 4
    assert all(len(rows) == 1 for rows in tests.values())
    assert len(set.union(*tests.values())) == 4
    X, y = mixed_frame(n=60, continuous=3, nominal=2, missing=0.05)
    other = plan_cells(small_study(datasets={"name": "renamed", "X": X, "y": y}))
    assert [c.key for c in other] == [c.key for c, _ in found]


@pytest.mark.parametrize(
    "changes",
    [
        {"seed": 4},
        {"sizes": [1, 2]},
        {"classifiers": ["naive-bayes"]},
        {"resamplings": {"count": 4, "kind": "random"}},
        {"resamplings": {"count": 4, "test_share": 0.2}},
        {"methods": [{"key": "rfe-svm", "params": {"C": 3.0}}, "hfs-nb"]},
    ],
)
def test_whatever_changes_a_result_changes_the_key(changes):
    before = {cell.key for cell in plan_cells(small_study())}
    assert before.isdisjoint(cell.key for cell in plan_cells(small_study(**changes)))


def test_more_resamplings_and_other_labels_keep_the_keys():
    before = [cell.key for cell in plan_cells(small_study())]
    more = plan_cells(small_study(resamplings=6))
    assert [cell.key for cell in more][: len(before)] == before
    assert len(set(before)) == len(before)
    labeled = small_study(methods=[{"key": "rfe-svm", "label": "a"}, "rfe-mkl"])
    assert [cell.key for cell in plan_cells(labeled)] == before


def test_nothing_is_learned_from_the_test_rows():
    data = prepare(small_study().datasets[0])
    study = small_study(methods=["rfe-mkl", "hfs-nb", "hfs-5nn"], classifiers=[*FEW, TREES])
    _, test = split(
        data.target.codes, study.resamplings, sequence(3, data.fingerprint, 0).spawn(2)[0]
    )
    values = data.table.values.copy()
    values[test] = np.where(data.table.nominal, 0.0, 1e6)
    # the fingerprint stays, or the split would be another one
    spoiled = dataclasses.replace(data, table=Table(values, data.table.schema))
    for method in study.methods:
        recipe = Recipe(method, (1, 3, 5), study.classifiers, study.resamplings, 3)
        honest, other = (run_cell(d, recipe, 0, "") for d in (data, spoiled))
        assert np.array_equal(honest.test, test)
        assert np.array_equal(honest.order, other.order)
        assert not np.array_equal(honest.decisions, other.decisions)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("missing", ["impute", "separate"])
def test_the_svm_is_that_of_clinical_svc(classes, missing):
    X, y = mixed_frame(n=90, missing=0.08, classes=classes)
    entry = {"name": "mixed", "X": X, "y": y, "missing": missing}
    study = small_study(datasets=entry, methods=["rfe-svm"], classifiers=TIGHT, resamplings=2)
    schema = Schema.infer(X)
    for cell, out in cells_of(study):
        train = np.setdiff1d(np.arange(90), out.test)
        for k, size in enumerate(cell.recipe.sizes):
            chosen = np.sort(out.order[:size])
            part = X.iloc[:, chosen]
            model = ClinicalSVC(
                10.0,
                schema=Schema(tuple(schema.columns[j] for j in chosen)),
                missing=missing,
                tolerance=1e-10,
            ).fit(part.iloc[train], y[train])
            expected = model.decision_function(part.iloc[out.test]).reshape(len(out.test), -1)
            np.testing.assert_allclose(out.decisions[0, k], expected, atol=1e-6)
            rounded = np.round(expected, 6)  # equal values go to the lower class
            codes = (rounded > 0)[:, 0] if classes == 2 else rounded.argmax(axis=1)
            assert np.array_equal(out.predictions[0, k], codes.astype(int))


def numbers(seed=0, n=80, p=4):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    X = rng.normal(size=(n, p))
    X[:, 0] += 2 * y
    table = Schema.infer(X).encode(X)
    return table.take(rows=slice(60)), table.take(rows=slice(60, n)), y[:60]


def test_final_classifiers_against_scikit_learn():
    train, test, y = numbers()
    halves, order = Split.of(train, test, y), np.array([2, 0, 3, 1])
    subsets = [order[:size] for size in (1, 3, 4)]
    left, right = halves.train.T, halves.test.T
    for k, size in enumerate((1, 3, 4)):
        part = order[:size]
        bayes = GaussianNB(var_smoothing=1e-12).fit(left[:, part], y)
        expected = np.diff(bayes.predict_joint_log_proba(right[:, part]), axis=1)
        spec = ClassifierSpec.of("", {"key": "naive-bayes", "params": {"var_smoothing": 1e-12}})
        found = spec.classify(halves, subsets, seed=0)
        np.testing.assert_allclose(found[k], expected, rtol=1e-6)
        near = KNeighborsClassifier(5).fit(left[:, part], y)
        found = ClassifierSpec.of("", "5nn").classify(halves, subsets, seed=0)
        assert np.array_equal(found[k, :, 0] > 0, near.predict(right[:, part]) == 1)
        gram = [[1 - np.abs(a - b).mean() for b in left[:, part]] for a in left[:, part]]
        cross = [[1 - np.abs(a - b).mean() for b in left[:, part]] for a in right[:, part]]
        outside = SVC(kernel="precomputed", C=10.0, tol=1e-9).fit(gram, y)
        found = ClassifierSpec.of("", TIGHT).classify(halves, subsets, seed=0)
        np.testing.assert_allclose(found[k, :, 0], outside.decision_function(cross), atol=1e-5)


def test_subsets_that_are_not_nested_are_judged_as_if_alone():
    train, test, y = numbers(p=6)
    halves = Split.of(train, test, y)
    subsets = [np.array(s) for s in ([2], [0, 3], [3, 0, 5], [1, 2, 3, 4], [4, 3, 2, 1, 0])]
    for key in FEW:
        spec = ClassifierSpec.of("", TIGHT if key == "clinical-svm" else key)
        together = spec.classify(halves, subsets, seed=0)
        for k, subset in enumerate(subsets):
            alone = spec.classify(halves, [np.sort(subset)], seed=0)[0]
            np.testing.assert_allclose(together[k], alone, atol=2e-9)


def test_what_a_solver_leaves_open_orders_no_rows():
    # at small sizes many rows of heart lie exactly on the margin: ties, half a pair each
    study = {"datasets": "heart", "methods": ["hfs-nb"], "sizes": [1, 2, 3], "resamplings": 6}
    for one, tight in zip(
        cells_of(Study(**study)), cells_of(Study(**study, classifiers=TIGHT)), strict=True
    ):
        exact = np.round(tight[1].decisions[0], 7)
        found = area_under_curve(one[1].decisions[0], one[1].truth)
        np.testing.assert_array_equal(found, area_under_curve(exact, one[1].truth))
        for k in range(3):
            oracle = roc_auc_score(one[1].truth, exact[k, :, 0])
            assert found[k] == pytest.approx(oracle)


def test_three_classes_against_scikit_learn():
    rng = np.random.default_rng(2)
    y = np.arange(120) % 3
    X = rng.normal(size=(120, 4)) * (1 + y[:, None]) + 0.5 * y[:, None]
    table = Schema.infer(X).encode(X)
    halves = Split.of(table.take(rows=slice(90)), table.take(rows=slice(90, 120)), y[:90])
    left, right, truth = halves.train.T, halves.test.T, y[90:]
    found = ClassifierSpec.of("", "naive-bayes").classify(halves, [np.arange(4)], seed=0)
    shares = GaussianNB().fit(left, y[:90]).predict_proba(right)
    np.testing.assert_allclose(np.exp(found[0]), shares, rtol=1e-5)
    assert area_under_curve(found, truth)[0] == pytest.approx(
        roc_auc_score(truth, shares, multi_class="ovr")
    )
    found = ClassifierSpec.of("", "5nn").classify(halves, [np.arange(4)], seed=0)[0]
    near = KNeighborsClassifier(5).fit(left, y[:90])
    shares, places = near.predict_proba(right), near.kneighbors(right, return_distance=False)
    tied = 0
    for row, votes, share in zip(found, y[:90][places], shares, strict=True):
        leaders = np.flatnonzero(share == share.max())
        best = next(c for c in votes if c in leaders)
        assert row.argmax() == best
        np.testing.assert_allclose(row - share, 0.1 * (np.arange(3) == best) * (len(leaders) > 1))
        tied += len(leaders) > 1
    assert tied > 3


def test_a_missing_test_cell_changes_no_other_row():
    X, y = mixed_frame(n=60, continuous=2, nominal=1)
    table = Schema.infer(X).encode(X).resolve_missing("separate")
    train, values = table.take(rows=slice(40)), table.values[40:].copy()
    found, subsets = [], [np.arange(1), np.arange(3)]
    for cell in (0.5, np.nan):
        values[1, 0] = cell
        halves = Split.of(train, Table(values.copy(), table.schema), y[:40])
        for key in FEW:
            found.append(ClassifierSpec.of("", key).classify(halves, subsets, seed=0)[:, 0])
    for one, other in zip(found[: len(FEW)], found[len(FEW) :], strict=True):
        np.testing.assert_array_equal(one, other)


def test_every_final_classifier_learns_on_every_table():
    X, y = mixed_frame(n=120, missing=0.1, classes=3)
    entry = {"name": "m", "X": X, "y": y, "missing": "separate"}
    study = small_study(
        datasets=entry, methods=["hfs-nb"], classifiers=[*FEW, TREES], sizes=[8], resamplings=3
    )
    hits = sum((out.predictions[:, 0] == out.truth).sum(axis=1) for _, out in cells_of(study))
    assert (hits > 36 / 3).all(), hits


def test_a_column_that_is_constant_in_the_training_rows():
    X, y = mixed_frame(n=40)
    X["once"] = 0.0
    X["level"] = pd.Categorical(["a"] * 40, categories=["a", "b"])
    X.loc[7, "once"] = 1.0
    X.loc[7, "level"] = "b"
    methods = ["rfe-mkl", "rfe-svm", "rfe-svm-printed", "hfs-nb", "hfs-5nn", FOREST]
    entry = {"name": "m", "X": X, "y": y}
    for cell, out in cells_of(small_study(datasets=entry, methods=methods, resamplings=12)):
        assert isinstance(out, CellResult), (cell.recipe.method.label, out)
        assert np.isfinite(out.decisions).all()


def test_random_splits_may_lack_a_class():
    X, y = mixed_frame(n=40)
    y[:] = 0
    y[:18] = 1
    y[18:20] = 2
    entry = {"name": "m", "X": X, "y": y}
    split_ = {"count": 60, "test_share": 0.3, "kind": "random"}
    study = small_study(datasets=entry, methods=["rfe-svm"], resamplings=split_)
    lacking = Counter()
    for _, out in cells_of(study):
        assert isinstance(out, CellResult), out
        absent = np.isnan(out.decisions[0, 0, 0])
        lacking[int(absent.sum())] += 1
        assert out.predictions.shape == (1, 8, 12)
        assert not np.isin(out.predictions, np.flatnonzero(absent)).any()
    assert lacking[0] > 30
    assert lacking[1] > 0


def test_stratified_quotas():
    assert class_quotas(np.array([245, 185]), 43).tolist() == [25, 18]
    assert class_quotas(np.array([50, 3]), 5).tolist() == [5, 1]
    assert class_quotas(np.array([50, 2]), 5).tolist() == [5, 0]
    assert class_quotas(np.array([20, 14, 53]), 29).tolist() == [7, 5, 17]  # 6.67, 4.67, 17.67
    codes = np.repeat([0, 1, 2], [30, 20, 10])
    train, test = split(codes, Resamplings(test_share=0.2), np.random.SeedSequence(1))
    assert np.bincount(codes[test]).tolist() == [6, 4, 2]
    assert np.array_equal(np.sort(np.concatenate([train, test])), np.arange(60))


def test_the_splits_of_a_seed_stay_what_they_are():
    source = sequence(7, "ab" * 32, 5)
    _, test = split(np.arange(50) % 2, Resamplings(), source)
    assert test.tolist() == [14, 18, 19, 42, 43]


def test_what_a_method_raises_is_a_failure_with_its_reason(tmp_path):
    flag = tmp_path / "flag"
    flag.touch()
    study = small_study(methods=[Told(flag=str(flag))], resamplings=8)
    kinds = Counter(type(out) for _, out in cells_of(study))
    assert kinds[CellFailure]
    assert kinds[CellResult]
    failure = next(out for _, out in cells_of(study) if isinstance(out, CellFailure))
    assert failure.reason == "ArithmeticError: as it was told"
    assert "Traceback" in failure.trace


def test_warnings_and_versions_are_kept():
    class Warner(Told):
        def _select(self, problem):
            import warnings

            warnings.warn("look out", UserWarning, stacklevel=1)
            return super()._select(problem)

        @classmethod
        def foreign_versions(cls):
            return {"julia": "1.11"}

    ((_, out),) = cells_of(small_study(methods=[Warner], resamplings=1))
    assert out.warnings == ("UserWarning: look out",)
    assert {"hetsel", "python", "numpy", "numba"} <= set(out.versions)
    assert out.versions["julia"] == "1.11"


def test_a_ranking_that_is_none():
    class Twice(Told):
        def _select(self, problem):
            return dataclasses.replace(super()._select(problem), order=np.array([1, 1]))

    ((_, out),) = cells_of(small_study(methods=[Twice], resamplings=1))
    assert out.reason.startswith("ValueError: the order must name features of 0..4, each once")


def test_two_data_sets_of_one_table():
    X, y = mixed_frame()
    entries = [{"name": name, "X": X, "y": y} for name in "ab"]
    with pytest.raises(ValueError, match="data sets 'a' and 'b' hold the same table"):
        plan_cells(Study(datasets=entries, methods=["rfe-svm"]))

    class Silent(Told):
        def _select(self, problem):
            return None

    ((_, out),) = cells_of(small_study(methods=[Silent], resamplings=1))
    assert out.reason.startswith("TypeError: ")
    assert out.reason.endswith("Got None")
