"""Reports of studies with numbers as their target: the score, its direction, and the words."""

import re
from functools import cache

import numpy as np
import pytest
from report.synthetic_study import METHODS, Drawn, DrawnOtherwise
from scipy import stats

from hetsel import compare_methods, write_study_report
from hetsel.ground.errors import TableError
from hetsel.report.pages.first_screen import overview
from hetsel.statistics.comparisons.resampled_means import smallest_good_size
from hetsel.stats import friedman, nemenyi
from hetsel.study.comparison.rank_tests import KI
from hetsel.study.comparison.study_summary import Summary

OF_CLASSES = re.compile(r"class|BCR|balanced|accuracy|AUC|stratified|chance|majority", re.I)


class Measured(DrawnOtherwise):
    """The first method has the least errors and the third the largest R^2."""

    def __init__(self, datasets=6, resamplings=12):
        facts = {"least": -1.5, "largest": 80.25, "mean": 31.0, "deviation": 12.125}
        judges = {"ridge": {"alpha": 1.0}, "forest": {}}
        super().__init__("numbers", facts, judges, datasets, resamplings)

    def told(self, frame, place, noise):
        unit = 10.0 ** frame["dataset"].str[1:].astype(int)
        frame["r2"] = 0.4 + 0.1 * place + noise
        frame["mae"] = unit * (5.0 + place - 0.3 * frame["size"] + noise)
        frame["rmse"] = 1.3 * frame["mae"]
        return frame.assign(r2_of_mean=-0.01, mae_of_mean=9.0 * unit, rmse_of_mean=11.0 * unit)


@cache
def compared(score=None, datasets=6):
    return compare_methods(Measured(datasets), score=score)


def text_of(page):
    page = re.sub(r"<style.*?</style>|<[^>]+>", " ", page, flags=re.S)
    return re.sub(r"\s+", " ", page)


@pytest.mark.slow
def test_methods_are_ranked_by_the_score_that_is_asked_for_in_its_direction():
    for score, best in ((None, "third"), ("rmse", "first")):
        ranks = compared(score).ranks
        ranks = ranks[(ranks["measure"] != KI.label) & (ranks["analysis"] == "all sizes")]
        assert ranks.set_index("method")["mean_rank"].idxmin() == best
        assert ranks["pvalue"].max() < 0.01
        assert compared(score).reference == best
        assert set(compared(score).pairs.query("measure != 'KI'")["worse"]) == {
            "second-method",
            "first" if best == "third" else "third",
        }


def test_rank_tests_of_an_error_are_those_of_smaller_is_better():
    summary = Summary(Measured(), "mae")
    found = summary.all_sizes(summary.performance)
    means = Measured().frame().query("classifier == 'ridge'")
    means = means.groupby(["dataset", "size", "method"])["mae"].mean().unstack()[list(METHODS)]
    wanted = friedman(means, larger_is_better=False)
    assert found.mean_ranks == pytest.approx(tuple(wanted.mean_ranks))
    assert (found.chi2, found.pvalue) == pytest.approx((wanted.statistic, wanted.pvalue))
    pairs = nemenyi(wanted).frame()
    assert (
        found.pairs[["better", "worse"]].values.tolist()
        == pairs[["better", "worse"]].values.tolist()
    )
    assert found.pairs["pvalue"].to_numpy() == pytest.approx(pairs["pvalue"].to_numpy())
    assert found.critical_difference == pytest.approx(nemenyi(wanted).critical_difference)


def test_pairs_and_sizes_of_an_error_by_hand():
    results = Measured(datasets=1)
    summary = Summary(results, "mae")
    rows = results.frame().query("classifier == 'ridge'")
    curves = rows.query("method == 'first'").pivot(index="resampling", columns="size", values="mae")
    wanted = smallest_good_size(-curves.to_numpy(), list(curves.columns), test_share=0.1)
    assert summary.chosen == {"d0": wanted.size}
    assert summary.best_sizes == {"d0": [int(curves.mean().idxmin())]}
    found = summary.own_pairs.set_index(["better", "worse"]).loc[("first", "third")]
    sized = summary.own_size.frame.pivot(index="resampling", columns="method", values="value")
    apart = sized["first"] - sized["third"]
    t = apart.mean() / np.sqrt(apart.var(ddof=1) * (1 / 12 + 0.18 / 0.82))
    assert found["difference"] == pytest.approx(apart.mean())
    assert found["difference"] > 1.0
    assert found["pvalue"] == pytest.approx(2 * stats.t.sf(t, 11))


def test_errors_are_below_those_of_the_training_mean():
    found = compared("rmse").baselines
    assert set(found["score"]) == {"neg_rmse"}
    assert set(found["against"]) == {"the training mean"}
    own = found.dropna(subset=["dataset"]).set_index(["dataset", "method"])
    rows = Measured().frame().query("classifier == 'ridge'")
    means = rows.assign(d=rows["rmse_of_mean"] - rows["rmse"]).groupby(["dataset", "method"])["d"]
    for place, wanted in means.mean().items():
        assert own.loc[place, "difference"] == pytest.approx(wanted)
        assert own.loc[place, "holm"] < 0.001
    assert found[found["dataset"].isna()]["pvalue"].isna().all()  # their units differ
    assert set(compared().baselines["score"]) == {"r2"}
    assert compared().baselines["pvalue"].notna().all()


def test_differences_of_errors_are_never_called_practically_none():
    assert Summary(Measured(), "mae").bayesian_pairs.empty
    assert len(Summary(Measured()).bayesian_pairs)


@pytest.mark.slow
@pytest.mark.parametrize("score", [None, "mae"])
def test_a_page_says_nothing_of_classes(tmp_path, score):
    results = Measured(datasets=1, resamplings=10)
    page = write_study_report(results, tmp_path / "r.html", score=score).read_text()
    said = (
        text_of(page).replace("share its chance patterns", "").replace("corrected for chance", "")
    )
    assert [m.group() for m in OF_CLASSES.finditer(said)] == []
    label = "negative MAE" if score else "R²"
    assert f"Predictive performance ({label})" in said
    assert "random splits into 90% training rows and 10% held-out rows" in said
    assert "the regressor ridge" in said
    assert "-1.5 to 80.25; mean 31, standard deviation 12.12" in said
    assert "judges (regressors) ridge (alpha = 1.0)" in said


@pytest.mark.slow
def test_figures_of_an_error_leave_out_means_over_units():
    drawn = {
        score: {picture.key for picture in overview(Summary(Measured(7), score))}
        for score in ("r2", "mae")
    }
    gone = {"performance-by-size", "stability-against-performance"}
    assert drawn["r2"] - drawn["mae"] == gone
    assert "mean-ranks" in drawn["mae"]


def test_a_score_that_there_is_not_is_refused(tmp_path):
    with pytest.raises(TableError, match=r"score must be one of r2, mae, rmse\. Got 'bcr'"):
        compare_methods(Measured(), score="bcr")
    with pytest.raises(TableError, match="score must be one of bcr, accuracy, .* Got 'r2'"):
        write_study_report(Drawn(), tmp_path / "r.html", score="r2")


@pytest.mark.seconds
def test_a_study_of_classes_can_be_compared_by_its_other_scores():
    found = compare_methods(Drawn(lead=0.2), score="auc")
    assert set(found.ranks["measure"]) == {"AUC", "KI"}
    assert "auc_low_corrected" in found.crossfitted


def test_without_any_score_the_reason_is_told(tmp_path):
    class Flat(Measured):
        def frame(self):
            return super().frame().assign(r2=np.nan)

    with pytest.raises(TableError, match="rows of two values .* no R²"):
        write_study_report(Flat(), tmp_path / "r.html")
