"""Results: scores against scikit-learn, frames, export."""

import dataclasses
import re
import warnings

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from scipy import stats
from sklearn.metrics import balanced_accuracy_score, confusion_matrix, roc_auc_score
from study.studies import Claims, Told, cells_in, small_study

from hetsel import Results
from hetsel.ground.errors import PlanError
from hetsel.statistics.performance.scores import area_under_curve, balanced_rate, confusion_counts
from hetsel.statistics.stability.measures_of_stability import kuncheva
from hetsel.study.comparison.study_summary import Summary
from hetsel.study.store.sqlite_store import Store
from hetsel.words.study_sentences import setting

COLUMNS = ["dataset", "method", "resampling", "size", "classifier", "bcr", "accuracy"]
COLUMNS += ["sensitivity", "specificity", "auc", "bcr_by_chance", "accuracy_of_majority"]
COLUMNS += ["absent_classes", "n_categorical", "cut", "rank_seconds", "rank_elapsed"]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    X, y = mixed_frame(n=60, continuous=3, nominal=2, missing=0.05)
    X3, y3 = mixed_frame(n=90, continuous=2, nominal=1, classes=3)
    datasets = [{"name": "two", "X": X, "y": y}, {"name": "three", "X": X3, "y": y3}]
    study = small_study(datasets=datasets, classifiers=["clinical-svm", "5nn"], resamplings=5)
    return study.run(tmp_path_factory.mktemp("results") / "a.sqlite", n_jobs=0, progress=False)


def test_the_frame(results):
    frame = results.frame()
    assert list(frame.columns) == COLUMNS
    assert len(frame) == 5 * 2 * 2 * (5 + 3)
    assert not frame.duplicated(COLUMNS[:5]).any()
    assert frame["bcr"].between(0, 1).all()
    two = frame["dataset"] == "two"
    mean = (frame["sensitivity"] + frame["specificity"]) / 2
    np.testing.assert_allclose(frame.loc[two, "bcr"], mean[two])
    assert frame.loc[~two, ["sensitivity", "specificity"]].isna().all(axis=None)
    assert (frame.loc[frame["size"] == 5, "n_categorical"] == 2).all()
    assert (frame["rank_seconds"] > 0).all()


def test_the_verdict_of_each_cut_is_in_the_frame_and_the_digest(tmp_path, results):
    frame = results.frame()
    last = frame["size"] == frame["dataset"].map({"two": 5, "three": 3})
    assert set(frame.loc[last, "cut"]) == {""}
    assert set(frame.loc[~last, "cut"]) <= {"proved", "tie"}  # of rfe-svm and rfe-mkl
    X, y = mixed_frame(n=60, continuous=5, nominal=0)
    own = {"name": "own", "X": X, "y": y}
    path = tmp_path / "a.sqlite"
    found = small_study(datasets=own, methods=[Claims, "t-test"], resamplings=2).run(path, n_jobs=0)
    digest = found.digest()
    cuts = found.frame().set_index(["method", "resampling", "size"])["cut"]
    assert cuts["Claims", 1].tolist() == ["proved", "tie", "open", "proved", ""]
    assert cuts["t-test", 0].tolist() == [""] * 5
    with Store(path, writing=True) as store:
        keys = store.keys("selections")
        found = next(s for s in store.selections(keys) if "tie" in s.ranked_cuts)
        with store._change():
            store._remove("selections", "key = ?", found.key)
            store._add_row(dataclasses.replace(found, ranked_cuts=("proved",) * 4))
    assert Results(path).digest() != digest


def test_scores_against_scikit_learn(results):
    frame = results.frame().set_index(COLUMNS[:5])
    for dataset in ("two", "three"):
        for resampling, cell in cells_in(results, dataset, "rfe-mkl"):
            for k, size in enumerate(results.sizes[dataset]):
                values = cell.decisions[0, k]
                predicted = values.argmax(axis=1) if dataset == "three" else values[:, 0] > 0
                matrix = confusion_matrix(cell.truth, predicted)
                counts = confusion_counts(cell.truth, cell.predictions[0, [k]], len(matrix))
                assert np.array_equal(matrix, counts[0])
                row = frame.loc[(dataset, "rfe-mkl", resampling, size, "clinical-svm")]
                assert row["accuracy"] == pytest.approx(np.mean(cell.truth == predicted))
                assert row["bcr"] == pytest.approx(balanced_accuracy_score(cell.truth, predicted))
                areas = [
                    roc_auc_score(cell.truth == c, values[:, -1 if dataset == "two" else c])
                    for c in ([1] if dataset == "two" else range(3))
                ]
                assert row["auc"] == pytest.approx(np.mean(areas))


def test_the_summary(results):
    summary = results.summary().set_index(["dataset", "method", "classifier", "size"])
    frame = results.frame()
    row = summary.loc[("two", "rfe-svm", "5nn", 2)]
    part = frame.query("dataset == 'two' and method == 'rfe-svm' and size == 2")
    part = part[part["classifier"] == "5nn"]
    for name in ("bcr", "accuracy", "auc"):
        assert row[name] == pytest.approx(part[name].mean())
        assert row[f"{name}_std"] == pytest.approx(part[name].std(ddof=1))
    half = 2.7764451051977987 * part["bcr"].std() * np.sqrt(1 / 5 + 1 / 9)
    assert row["bcr_high_corrected"] - row["bcr"] == pytest.approx(half)
    assert row["bcr"] - row["bcr_low_corrected"] == pytest.approx(half)
    naive = half / np.sqrt(1 + 5 / 9)
    assert row["bcr_high_naive"] - row["bcr"] == pytest.approx(naive)
    assert row["bcr"] - row["bcr_low_naive"] == pytest.approx(naive)
    assert (summary["scored"] == 5).all()
    numbers, signatures = results.signatures("two", "rfe-svm", 2)
    assert numbers.tolist() == [0, 1, 2, 3, 4]
    assert (signatures.sum(axis=1) == 2).all()
    assert row["kuncheva"] == pytest.approx(kuncheva(signatures))
    assert len(summary) == 2 * 2 * (5 + 3)


def test_a_class_without_test_rows_is_left_out():
    confusion = np.array([[2, 0, 0], [1, 1, 0], [0, 0, 0]])
    assert balanced_rate(confusion) == 0.75
    values = np.array([[[0.0, 1, 9], [1, 0, 9], [2, 3, 9]]])
    assert area_under_curve(values, np.array([0, 0, 1])) == [0.5]  # 0 for class 0, 1 for class 1
    assert np.isnan(area_under_curve(values[:, :, :1], np.array([0, 0, 0]))).all()


def test_what_is_reached_without_the_features(results):
    frame = results.frame().drop_duplicates(["dataset", "resampling"])
    two, three = frame["dataset"] == "two", frame["dataset"] == "three"
    assert (frame.loc[two, "bcr_by_chance"] == 1 / 2).all()
    assert (frame.loc[three, "bcr_by_chance"] == 1 / 3).all()
    for dataset, part in (("two", frame[two]), ("three", frame[three])):
        counts = np.array(results.datasets[dataset]["class_counts"])
        largest = np.flatnonzero(counts == counts.max())
        for resampling, cell in cells_in(results, dataset, "rfe-mkl"):
            row = part[part["resampling"] == resampling].iloc[0]
            shares = [np.mean(cell.truth == code) for code in largest]
            assert row["accuracy_of_majority"] == pytest.approx(np.mean(shares))
    assert (frame["absent_classes"] == 0).all()
    assert results.absent_classes().empty


def test_test_parts_that_lack_a_class_are_counted_and_have_no_bcr(tmp_path):
    # 4 of 40 rows are of the rare class: 2 test rows seldom hold one of them
    X, _ = mixed_frame(n=40, continuous=3, nominal=1)
    y = np.array(["often"] * 36 + ["rare"] * 4)
    splits = {"count": 12, "test_count": 2, "kind": "random"}
    study = small_study(datasets={"name": "d", "X": X, "y": y}, resamplings=splits)
    results = study.run(tmp_path / "a.sqlite", n_jobs=0, progress=False)
    frame = results.frame()
    held = {r: set(cell.truth.tolist()) for r, cell in cells_in(results, "d", "rfe-mkl")}
    without = [r for r, codes in held.items() if 1 not in codes]
    assert 0 < len(without) < 12
    found = results.absent_classes()
    assert found.to_dict("records") == [
        {"dataset": "d", "class": "rare", "lacking": len(without), "resamplings": 12}
    ]
    one_class = frame["resampling"].isin(without)
    assert (
        frame.loc[one_class, ["bcr", "bcr_by_chance", "auc", "sensitivity"]].isna().all(axis=None)
    )
    assert frame.loc[~one_class, ["bcr", "bcr_by_chance"]].notna().all(axis=None)
    assert (frame["absent_classes"] == one_class).all()
    assert frame["accuracy"].notna().all()
    summary = results.summary()
    assert (summary["resamplings"] == 12).all()
    assert (summary["scored"] == 12 - len(without)).all()
    mean = frame[~one_class].groupby(["method", "size"], sort=False)["bcr"].mean()
    np.testing.assert_allclose(summary["bcr"], mean)


def test_export(results, tmp_path):
    paths = results.export(tmp_path / "tables")
    names = ["scores", "summary", "failures", "absent_classes", "rankings_two", "rankings_three"]
    assert [path.stem for path in paths] == names
    scores = pd.read_csv(paths[0])
    assert list(scores.columns) == COLUMNS
    np.testing.assert_array_equal(scores["bcr"], results.frame()["bcr"])
    rankings = pd.read_csv(paths[4])
    assert sorted(rankings["rfe-mkl 0"]) == ["c0", "c1", "c2", "n0", "n1"]


def test_a_part_of_a_study_can_be_read(tmp_path):
    results = small_study(resamplings=1).run(tmp_path / "a.sqlite", n_jobs=0, progress=False)
    assert results.summary()["bcr_low_corrected"].isna().all()
    assert results.warnings().empty
    assert results.versions()[0]["hetsel"]
    assert repr(results).startswith("small: 2 of 2 cells, 0 failed")
    with pytest.raises(ValueError, match="method must be one of rfe-svm, rfe-mkl. Got 'x'"):
        results.signatures("mixed", "x", 1)


class Counting(Told):
    """Warns with a number that depends on the training rows."""

    def _select(self, problem):
        for text in (f"{10 + problem.rng().integers(50)} of 92 levels", "no number"):
            warnings.warn(text, UserWarning, stacklevel=1)
        return super()._select(problem)


def test_warnings_that_differ_in_numbers_are_one(tmp_path):
    study = small_study(methods=[Counting, "rfe-svm"], resamplings=5)
    results = study.run(tmp_path / "a.sqlite", n_jobs=0, progress=False)
    label = study.methods[0].label
    said = [t for _, cell in cells_in(results, "mixed", label) for t in cell.warnings if "of" in t]
    numbers = [int(re.search(r"\d+", text)[0]) for text in said]
    assert len(set(numbers)) > 1
    wanted = f"UserWarning: {min(numbers)} to {max(numbers)} of 92 levels"
    found = results.warnings()
    assert found["warning"].tolist() == [wanted, "UserWarning: no number"]
    assert found["cells"].tolist() == [5, 5]
    assert set(found["method"]) == {label}


def test_the_corrected_interval_takes_the_test_rows_that_there_are(tmp_path):
    # ten classes of five rows: a test row of each class, 10 of 50 and not the 5 asked for
    X, _ = mixed_frame(n=50, continuous=3, nominal=0)
    study = small_study(
        datasets={"name": "m", "X": X, "y": np.arange(50) % 10}, methods=["rfe-svm"], sizes=[2]
    )
    results = study.run(tmp_path / "a.sqlite", n_jobs=0, progress=False)
    assert results.test_shares == {"m": 0.2}
    assert {len(cell.test) for _, cell in cells_in(results, "m", "rfe-svm")} == {10}
    values = results.frame()["bcr"]
    half = stats.t.ppf(0.975, 3) * np.sqrt((1 / 4 + 10 / 40) * values.var())
    row = results.summary().iloc[0]
    assert row["bcr_high_corrected"] - row["bcr"] == pytest.approx(half)


@pytest.mark.slow
def test_numbers_of_rows_and_a_given_test_set(tmp_path):
    X, y = mixed_frame(n=60, continuous=3, nominal=1)
    marked = X.assign(late=np.arange(60) >= 40)
    datasets = [
        {"name": "all", "X": X, "y": y},
        {"name": "own", "X": X.assign(c0=-X["c0"]), "y": y, "split": {"train_per_class": 12}},
        {"name": "given", "X": marked, "y": y, "test_rows": "late"},
    ]
    resamplings = {"count": 2, "train_count": 30, "test_count": 10}
    study = small_study(datasets=datasets, methods=["rfe-svm"], resamplings=resamplings)
    results = study.run(tmp_path / "a.sqlite", n_jobs=2, progress=False)
    assert results.status()["finished"] == 6
    shares = {"all": 10 / 40, "own": 36 / 60, "given": 10 / 40}
    assert results.test_shares == pytest.approx(shares)
    for name, m in (("all", 10), ("own", 36), ("given", 10)):
        assert {len(cell.test) for _, cell in cells_in(results, name, "rfe-svm")} == {m}
    tests = [cell.test for _, cell in cells_in(results, "given", "rfe-svm")]
    assert min(map(min, tests)) >= 40
    assert not np.array_equal(*tests)
    assert "late" not in results.datasets["given"]["features"]
    assert "own and given have their own split sizes" in setting(Summary(results))
    few = small_study(datasets={"name": "few", "X": X, "y": y}, resamplings={"train_count": 60})
    with pytest.raises(PlanError, match=r"data set 'few': train_count must be in 1..59"):
        few.run(tmp_path / "b.sqlite", n_jobs=0, progress=False)
    assert not (tmp_path / "b.sqlite").exists()
