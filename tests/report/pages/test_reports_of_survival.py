"""Reports of studies with survival times as their target: scores, baselines, and the words."""

import re
from functools import cache

import pytest
from report.pages.test_reports_of_numbers import text_of
from report.synthetic_study import METHODS, DrawnOtherwise
from scipy import stats

from hetsel import compare_methods, write_study_report
from hetsel.ground.errors import TableError
from hetsel.report.pages.first_screen import overview
from hetsel.statistics.performance.scores import SCORES
from hetsel.study.comparison.rank_tests import KI, ranked_measure
from hetsel.study.comparison.study_summary import Summary

OF_OTHERS = re.compile(r"class|BCR|balanced|accuracy|majority|regressor|R²|training mean", re.I)


class Followed(DrawnOtherwise):
    """The first method has the least Brier score and the third the largest concordance."""

    def __init__(self, datasets=6, resamplings=12):
        facts = {"events": 40, "longest": 2659.0, "median_time": 1084.5}
        super().__init__("survival", facts, {"cox": {}, "forest": {}}, datasets, resamplings)

    def told(self, frame, place, noise):
        frame["concordance"] = 0.6 + 0.05 * place + noise / 4
        frame["uno"] = frame["concordance"] - 0.01
        frame["auc"] = frame["concordance"] + 0.02
        frame["ibs"] = 0.1 + 0.02 * place - 0.001 * frame["size"] + noise / 8
        return frame.assign(concordance_by_chance=0.5, ibs_of_kaplan_meier=0.25)


@cache
def compared(score=None):
    return compare_methods(Followed(), score=score)


@pytest.mark.seconds
@pytest.mark.parametrize(("score", "best"), [(None, "third"), ("ibs", "first"), ("uno", "third")])
def test_methods_are_ranked_by_the_score_that_is_asked_for_in_its_direction(score, best):
    ranks = compared(score).ranks
    ranks = ranks[(ranks["measure"] != KI.label) & (ranks["analysis"] == "all sizes")]
    assert ranks.set_index("method")["mean_rank"].idxmin() == best
    assert ranks["pvalue"].max() < 0.01
    assert compared(score).reference == best


@pytest.mark.seconds
def test_a_brier_score_has_no_unit_so_that_data_sets_have_a_mean():
    measure = ranked_measure(SCORES["survival"], "ibs")
    assert (measure.unit, measure.limits) == (False, (-1.0, 0.0))
    assert len(Summary(Followed(), "ibs").bayesian_pairs)
    drawn = {picture.key for picture in overview(Summary(Followed(7), "ibs"))}
    assert {"performance-by-size", "stability-against-performance", "mean-ranks"} <= drawn


@pytest.mark.seconds
def test_baselines_are_chance_and_the_curve_of_kaplan_and_meier():
    found = compared().baselines
    told = dict(found[["score", "against"]].drop_duplicates().to_numpy().tolist())
    assert told == {"concordance": "chance", "neg_ibs": "the Kaplan–Meier curve"}
    rows = Followed().frame().query("classifier == 'cox'")
    rows = rows.assign(
        concordance_above=rows["concordance"] - 0.5, neg_ibs_above=0.25 - rows["ibs"]
    )
    for score in told:
        means = rows.groupby(["method", "dataset"])[f"{score}_above"].mean()
        overall = found[(found["score"] == score) & found["dataset"].isna()].set_index("method")
        for method in METHODS:
            wanted = stats.ttest_1samp(means[method], 0.0, alternative="greater")
            assert overall.loc[method, "difference"] == pytest.approx(means[method].mean())
            assert overall.loc[method, "pvalue"] == pytest.approx(wanted.pvalue)


@pytest.mark.slow
@pytest.mark.parametrize("score", [None, "ibs"])
def test_a_page_says_nothing_of_other_targets(tmp_path, score):
    results = Followed(datasets=1, resamplings=10)
    said = text_of(write_study_report(results, tmp_path / "r.html", score=score).read_text())
    assert [m.group() for m in OF_OTHERS.finditer(said)] == []
    label = "negative integrated Brier score" if score else "concordance"
    assert f"Predictive performance ({label})" in said
    assert "stratified splits into 90% training rows and 10% held-out rows" in said
    assert "the survival model cox" in said
    assert "40 events; longest time 2659, median 1084" in said
    assert "judges (survival models) cox" in said


def test_without_any_score_the_reason_is_told(tmp_path):
    class Flat(Followed):
        def frame(self):
            return super().frame().assign(concordance=float("nan"))

    with pytest.raises(TableError, match=r"no resampling has an event, .* no concordance"):
        write_study_report(Flat(), tmp_path / "r.html")
    with pytest.raises(TableError, match="score must be one of concordance, uno, ibs, auc"):
        write_study_report(Followed(), tmp_path / "r.html", score="bcr")
