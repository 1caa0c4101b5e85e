"""Methods against no selection: the same splits, scipy's test, and all features by any method."""

import numpy as np
import pytest
from frames import mixed_frame
from scipy import stats
from study.studies import small_study

from hetsel.report.sections.with_all_features import no_selection_table
from hetsel.stats import resampled_t_test
from hetsel.study.comparison.study_summary import Summary
from hetsel.study.summary_tables.no_selection import against_no_selection


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    datasets = []
    for k in range(3):
        X, y = mixed_frame(n=70, continuous=3, nominal=2, seed=k)
        rng = np.random.default_rng(k)
        for j in range(3):
            X[f"noise{j}"] = rng.normal(size=len(X))
        datasets.append({"name": f"set {k}", "X": X, "y": y})
    study = small_study(datasets=datasets, methods=["rfe-svm", "hsic"], resamplings=12)
    return study.run(tmp_path_factory.mktemp("all") / "a.sqlite", n_jobs=0, progress=False)


def test_each_row_is_that_of_the_splits(results):
    summary = Summary(results)
    table = against_no_selection(summary)
    frame, own = results.frame(), summary.own_size.frame
    for row in table[table["dataset"].notna()].itertuples():
        at_own = own[(own["dataset"] == row.dataset) & (own["method"] == row.method)]
        here = (frame["dataset"] == row.dataset) & (frame["size"] == 8)
        whole = frame[here & (frame["method"] == "rfe-svm")].set_index("resampling")["bcr"]
        other = frame[here & (frame["method"] == "hsic")].set_index("resampling")["bcr"]
        assert whole.equals(other)  # all features are the same signature
        apart = at_own.set_index("resampling")["value"] - whole
        assert row.difference == pytest.approx(apart.mean())
        assert row.all_features == pytest.approx(whole.mean())
        test = resampled_t_test(apart, test_share=0.1, correction="parted-pairs")
        assert row.pvalue == pytest.approx(test.pvalue, nan_ok=True)
    over = table[table["dataset"].isna()].set_index("method")
    for method in ("rfe-svm", "hsic"):
        apart = table[(table["method"] == method) & table["dataset"].notna()]["difference"]
        test = stats.ttest_1samp(apart, 0.0)
        assert over.loc[method, "pvalue"] == pytest.approx(test.pvalue)
        assert over.loc[method, "low"] == pytest.approx(test.confidence_interval().low)
    assert (over["holm"] >= over["pvalue"]).all()


def test_the_page_shows_the_differences_or_how_to_get_them(results, tmp_path):
    table = no_selection_table(Summary(results))
    assert [row[0] for row in table.rows] == ["set 0", "set 1", "set 2", "all data sets"]
    fewer = small_study(sizes=[1, 2], resamplings=4).run(
        tmp_path / "b.sqlite", n_jobs=0, progress=False
    )
    assert against_no_selection(Summary(fewer)).empty
    assert no_selection_table(Summary(fewer)) is None
