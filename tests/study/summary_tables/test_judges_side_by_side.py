"""Judges side by side: each one's own comparison, and the option that chooses one."""

import re
from html import unescape

import numpy as np
import pytest
from frames import mixed_frame
from study.studies import small_study

from hetsel import compare_methods, compare_treatments, write_study_report
from hetsel.ground.errors import TableError
from hetsel.report.sections.ranks_by_judge import judges_frame, judges_table
from hetsel.shell.main import main
from hetsel.study.comparison.study_summary import Summary
from hetsel.study.summary_tables.judges_side_by_side import judges_side_by_side

JUDGES = ["clinical-svm", "5nn", "naive-bayes"]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    datasets = []
    for k in range(4):
        X, y = mixed_frame(n=60, continuous=3, nominal=2, seed=k)
        datasets.append({"name": f"set {k}", "X": X, "y": y})
    study = small_study(
        datasets=datasets, methods=["rfe-svm", "hsic", "cmim"], classifiers=JUDGES, resamplings=10
    )
    return study.run(tmp_path_factory.mktemp("judges") / "a.sqlite", n_jobs=0, progress=False)


def test_each_judge_has_the_comparison_of_a_study_with_this_judge_alone(results, tmp_path):
    frame = results.frame()
    for judge in JUDGES:
        comparison = compare_methods(results, classifier=judge)
        means = frame[frame["classifier"] == judge].groupby(["dataset", "method", "size"])["bcr"]
        for row in comparison.resampled.itertuples():
            own = frame[
                (frame["classifier"] == judge)
                & (frame["dataset"] == row.dataset)
                & (frame["method"] == row.method)
                & (frame["resampling"] == row.resampling)
                & (frame["size"] == row.size)
            ]
            assert own["bcr"].tolist() == [row.value]
            break
        assert len(means) == 4 * 3 * 5
        side = judges_side_by_side(Summary(results)).frame.set_index(["classifier", "method"])
        ranks = comparison.ranks
        ranks = ranks[(ranks["analysis"] == "own size") & (ranks["measure"] == "BCR")]
        for row in ranks.itertuples():
            assert side.loc[(judge, row.method), "mean_rank"] == pytest.approx(row.mean_rank)


def test_the_table_shows_the_mean_ranks_of_the_frame(results):
    table = judges_table(Summary(results))
    frame = judges_frame(Summary(results))
    assert table.head == ["method", *JUDGES]
    for row in table.rows:
        for judge, cell in zip(JUDGES, row[1:], strict=True):
            place = (frame["classifier"] == judge) & (frame["method"] == row[0])
            assert float(cell) == pytest.approx(frame.loc[place, "mean_rank"].item(), abs=0.006)
    assert frame["pvalue"].nunique() == 1
    assert 0 < frame["pvalue"].iloc[0] <= 1


def test_one_judge_has_no_such_question(tmp_path):
    found = small_study().run(tmp_path / "a.sqlite", n_jobs=0, progress=False)
    assert judges_side_by_side(Summary(found)) is None
    write_study_report(found, tmp_path / "r.html")
    assert "depend on the judge" not in (tmp_path / "r.html").read_text()


def test_the_report_is_by_the_judge_that_is_asked_for(results, tmp_path):
    pages = {}
    for judge in JUDGES[:2]:
        path = write_study_report(results, tmp_path / f"{judge}.html", classifier=judge)
        pages[judge] = path.read_text()
        assert "Do the ranks depend on the judge?" in pages[judge]
        assert f"the classifier {judge}, is trained" in " ".join(
            re.sub(r"<[^>]+>|\u200b", "", unescape(pages[judge])).split()
        )
    assert pages["5nn"] != pages["clinical-svm"]


def test_a_judge_that_is_none_of_the_study_is_refused(results, tmp_path, capsys, monkeypatch):
    legal = "classifier must be one of clinical-svm, 5nn, naive-bayes, .* Got 'svm'"
    for compare in (compare_methods, compare_treatments):
        with pytest.raises(TableError, match=legal):
            compare(results, classifier="svm")
    store = str(results.path)
    assert main(
        ["study", "report", store, "--classifier", "svm", "--out", str(tmp_path / "r.html")]
    )
    assert "--classifier must be one of clinical-svm, 5nn" in capsys.readouterr().err
    options = ["--classifier", "5nn", "--out", str(tmp_path / "tables")]
    assert main(["study", "export", store, *options]) == 0
    assert (tmp_path / "tables" / "comparison_judges.csv").is_file()


def test_a_judge_without_results_is_named(tmp_path):
    def fails(*_, **__):
        raise ArithmeticError("no")

    study = small_study(classifiers=["clinical-svm", "5nn"], resamplings=2)
    path = tmp_path / "a.sqlite"
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(
            __import__("hetsel.models.final_classifiers", fromlist=["FINAL"]).FINAL, "5nn", fails
        )
        found = study.run(path, n_jobs=0, progress=False)
    status = found.status()
    assert (status["finished"], status["failed"], status["missing"]) == (0, 4, 0)
    assert set(found.failures()["judge"]) == {"5nn"}
    assert set(found.failures()["reason"]) == {"5nn: ArithmeticError: no"}
    assert set(found.frame()["classifier"]) == {"clinical-svm"}
    with pytest.raises(TableError, match="no cell has a score of the judge '5nn'"):
        compare_methods(found, classifier="5nn")
    assert np.isfinite(compare_methods(found).ranks["mean_rank"]).any()
    again = study.run(path, n_jobs=0, progress=False, retry=True)
    assert again.status()["finished"] == 4
    assert again.digest() == study.run(tmp_path / "b", n_jobs=0, progress=False).digest()
