"""One table at several numbers of training rows: nested parts of one block, with a curve."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from study.studies import cells_in, run, small_study

from hetsel import Results, compare_methods, compare_treatments, merge_stores
from hetsel.evaluation.data.encoded_data import prepare
from hetsel.evaluation.data.train_and_test_rows import splits_of, train_and_test
from hetsel.ground.errors import PlanError
from hetsel.report.pages.section_list import tables
from hetsel.report.pages.study_page import write_study_report
from hetsel.statistics.comparisons import resampled_means
from hetsel.study.comparison.study_summary import Summary

SIZES = [12, 20, 36]


def curve_study(**changes):
    X, y = mixed_frame(n=60, continuous=3, nominal=2)
    entry = {"name": "own", "X": X, "y": y} | changes.pop("entry", {})
    resamplings = {"count": 4, "train_count": SIZES} | changes.pop("resamplings", {})
    changes = {"methods": ["rfe-svm", "hsic"], "sizes": [1, 2]} | changes
    return small_study(datasets=[entry], resamplings=resamplings, **changes)


def parts(plan, resamplings=4):
    """Training and test rows by number of training rows and resampling."""
    spec = plan.datasets[0]
    data = prepare(spec)
    found = {}
    for size in SIZES:
        part = data.with_training_rows(size, largest=size == max(SIZES))
        splits = splits_of(plan.resamplings, spec.split, part.facts_of_splits)
        found[size] = [train_and_test(part, splits, 3, r)[:2] for r in range(resamplings)]
    return found


GROUPS = np.arange(60) // 2


@pytest.mark.parametrize(
    ("entry", "resamplings"),
    [
        ({}, {}),
        ({}, {"test_count": 10}),
        ({}, {"kind": "random"}),
        ({"row_groups": GROUPS}, {"test_count": 20}),
        ({"order": np.arange(60.0)}, {"kind": "time-ordered", "test_count": 5}),
        ({"split": {"train_count": SIZES, "test_count": 15}}, {"train_count": 30}),
    ],
)
def test_held_out_rows_are_the_same_and_training_rows_nested(entry, resamplings):
    found = parts(curve_study(entry=entry, resamplings=resamplings))
    for r in range(4):
        train, test = zip(*(found[size][r] for size in SIZES), strict=True)
        for one in test[1:]:
            assert np.array_equal(one, test[0])
        for few, more in pairwise(train):
            assert set(few) < set(more)
        if "row_groups" not in entry:
            assert list(map(len, train)) == SIZES
        held = {**resamplings, **entry.get("split", {})}.get("test_count", 24)
        assert len(test[0]) == held


def test_a_fixed_test_set_is_held_out_at_each_number():
    X, _ = mixed_frame(n=60, continuous=3, nominal=2)
    entry = {"X": X.assign(late=np.arange(60) >= 40), "test_rows": "late"}
    resamplings = {"train_count": [8, 12, 20]}
    study = curve_study(entry=entry, resamplings=resamplings)
    data = prepare(study.datasets[0])
    for size in (8, 12, 20):
        part = data.with_training_rows(size, largest=size == 20)
        splits = splits_of(study.resamplings, None, part.facts_of_splits)
        train, test, _ = train_and_test(part, splits, 3, 0)
        assert test.tolist() == list(range(40, 60))
        assert len(train) == size


def test_smaller_numbers_are_in_the_results_and_no_blocks(tmp_path):
    results = run(curve_study(resamplings={"count": 12}), tmp_path / "s.sqlite")
    names = ["own", "own (n = 20)", "own (n = 12)"]
    assert list(results.datasets) == names
    assert results.frame()["dataset"].unique().tolist() == names
    assert results.test_shares == pytest.approx(
        {names[0]: 24 / 60, names[1]: 24 / 44, names[2]: 24 / 36}
    )
    assert [d["name"] for d in results.plan["datasets"]] == ["own"]
    assert not results.changes()
    summary = Summary(results)
    assert summary.datasets == ["own"]
    assert set(summary.own_pairs["dataset"]) == {"own"}
    comparison = compare_methods(results)
    assert set(comparison.ranks["blocks"]) == {1}
    assert set(comparison.baselines["dataset"].dropna()) == {"own"}
    assert set(comparison.resampled["dataset"]) == {"own"}
    assert compare_treatments(results).empty
    assert len(results.cells("own (n = 12)", "rfe-svm")) == 12
    truths = [cells_in(results, name, "rfe-svm")[3][1].test.tolist() for name in names]
    assert truths[0] == truths[1] == truths[2]


def test_the_largest_number_alone_gives_the_comparison(tmp_path):
    several = run(curve_study(resamplings={"count": 10, "test_count": 24}), tmp_path / "s.sqlite")
    alone = {"count": 10, "train_count": max(SIZES), "test_count": 24}
    one = run(curve_study(resamplings=alone), tmp_path / "o.sqlite")
    both = [compare_methods(results) for results in (several, one)]
    for name in ("ranks", "pairs", "crossfitted", "baselines", "resampled"):
        pd.testing.assert_frame_equal(*(getattr(comparison, name) for comparison in both))
    assert both[0].found == both[1].found


def test_a_cell_of_a_number_is_that_of_a_study_of_this_number(tmp_path):
    several = run(curve_study(resamplings={"test_count": 24}), tmp_path / "s.sqlite")
    for size in SIZES:
        alone = {"train_count": size, "test_count": 24}
        one = run(curve_study(resamplings=alone), tmp_path / f"{size}.sqlite")
        name = "own" if size == max(SIZES) else f"own (n = {size})"
        keys = {r: cell.key for r, cell in several.cells(name, "rfe-svm")}
        assert keys == {r: cell.key for r, cell in one.cells("own", "rfe-svm")}


def test_the_table_has_the_means_and_corrected_intervals(tmp_path):
    study = curve_study(resamplings={"count": 12}, sizes=[2])  # one size, so none is chosen
    results = run(study, tmp_path / "s.sqlite")
    table = Summary(results).by_training_rows
    own = table[table["rule"] == "own size"]
    assert own["training_rows"].tolist() == [12, 12, 20, 20, 36, 36]
    assert set(own["dataset"]) == {"own"}
    frame = results.frame()
    for _, row in own.iterrows():
        n = row["training_rows"]
        name = "own" if n == 36 else f"own (n = {n})"
        values = frame[(frame["dataset"] == name) & (frame["method"] == row["method"])]["bcr"]
        assert row["bcr"] == pytest.approx(values.mean())
        test = resampled_means.half_widths(values.std(), len(values), 24 / (24 + n))
        assert row["bcr"] - row["bcr_low_corrected"] == pytest.approx(float(test))


def test_the_report_shows_the_curve_and_exports_its_table(tmp_path):
    results = run(curve_study(resamplings={"count": 12}), tmp_path / "s.sqlite")
    page = write_study_report(results, tmp_path / "page.md").read_text()
    assert "## Performance by number of training rows" in page
    assert "own is also used with fewer training rows" in page
    assert "12, 20 and 36 training rows (nested) and all rows but 36 held out" in page
    assert (tmp_path / "page-training-rows-1.png").exists()
    assert "36 of 36 cells" not in page.splitlines()[2]
    assert len(tables(Summary(results))["training_rows"]) == 12
    assert "training_rows" not in tables(Summary(run(small_study(), tmp_path / "o.sqlite")))


def test_parts_and_merged_stores_have_the_digest_of_one_run(tmp_path):
    study = curve_study()
    whole = run(study, tmp_path / "s.sqlite")
    paths = [tmp_path / f"{k}.sqlite" for k in (1, 2)]
    for k, path in enumerate(paths, 1):
        study.run(path, part=(k, 2), n_jobs=0, progress=False)
    merge_stores(paths, tmp_path / "m.sqlite", progress=False)
    assert Results(tmp_path / "m.sqlite").digest() == whole.digest()


def test_treatments_have_the_numbers_of_their_data_set(tmp_path):
    X, y = mixed_frame(n=60, continuous=3, nominal=2)
    treated = {"name": "quantiles", "treatment_of": "own", "scale": "quantile"}
    study = small_study(
        datasets=[{"name": "own", "X": X, "y": y}, treated],
        resamplings={"count": 10, "train_count": [20, 36]},
        methods=["rfe-svm"],
        sizes=[2],
    )
    results = run(study, tmp_path / "s.sqlite")
    assert len(results.datasets) == 4
    found = compare_treatments(results)
    assert found[["dataset", "treatment"]].to_numpy().tolist() == [["own", "quantiles"]]


@pytest.mark.parametrize(
    ("changes", "facts"),
    [
        ({"resamplings": {"train_count": [12, 60]}}, ("'own'", "train_count", "1..59")),
        ({"resamplings": {"train_count": []}}, ("train_count", "[40, 80, 160]")),
        ({"resamplings": {"train_count": [12, 0]}}, ("train_count", "[40, 80, 160]")),
        ({"resamplings": {"kind": "k-fold", "folds": 2}}, ("train_count", "k-fold")),
    ],
)
def test_numbers_that_cannot_be_drawn_are_refused(tmp_path, changes, facts):
    with pytest.raises(PlanError) as error:
        run(curve_study(**changes), tmp_path / "s.sqlite")
    for fact in facts:
        assert fact in str(error.value)


def test_a_data_set_may_not_have_the_name_of_a_smaller_part(tmp_path):
    X, y = mixed_frame(n=60, continuous=3, nominal=2)
    data = [{"name": "own", "X": X, "y": y}, {"name": "own (n = 12)", "X": -X[["c0"]], "y": y}]
    study = small_study(datasets=data, resamplings={"count": 4, "train_count": [12, 20]})
    with pytest.raises(PlanError, match=r"'own \(n = 12\)' must have another name"):
        run(study, tmp_path / "s.sqlite")
