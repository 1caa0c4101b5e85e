"""Effects of a study: by hand, by R's formulas in scipy, and tests against a reference method."""

import numpy as np
import pandas as pd
import pytest
from report.pages.test_reports_of_numbers import Measured
from report.synthetic_study import METHODS, Drawn, Gapped, Synthetic, summary_of
from scipy import stats
from statsmodels.stats.multitest import multipletests
from twins.paired_effects import effects, walsh_interval

from hetsel.ground import TableError
from hetsel.report.pages.method_comparison import compare_methods
from hetsel.study.comparison.method_effects import limits_frame, profiles_frame
from hetsel.study.comparison.study_summary import Summary

PAIR = ["better", "worse"]


def own_scores(summary):
    """Scores (data sets, methods) of each method at its own size."""
    scores = summary.own_size.scores
    return scores.pivot_table("value", "dataset", "method")[summary.methods]


def test_effects_over_all_sizes_by_hand():
    """Over sizes 1 to 4, the methods have means 0.825, 0.7875, 0.75 on alpha; 0.05 less on beta."""
    table = summary_of(Synthetic).effects
    table = table[(table["measure"] == "BCR") & (table["analysis"] == "all sizes")]
    assert table[PAIR].to_numpy().tolist() == [
        ["first", "second-method"],
        ["first", "third"],
        ["second-method", "third"],
    ]
    np.testing.assert_allclose(table["estimate"], [0.0375, 0.075, 0.0375])
    np.testing.assert_allclose(table["low"], table["estimate"])
    np.testing.assert_allclose(table["attained_level"], 0.5)  # 1 - 2 / 2^2
    deviation = 0.05 / np.sqrt(2)
    np.testing.assert_allclose(table["standardized"], table["estimate"] / deviation)
    # 0.825 > 0.7875 > 0.775 > 0.7375: three wins and one loss; all four wins
    np.testing.assert_allclose(table["cliffs_delta"], [0.5, 1, 0.5])
    assert table["blocks"].tolist() == [2, 2, 2]


@pytest.mark.parametrize("make", [Drawn, Gapped])
def test_effects_at_own_sizes_are_those_of_the_twins_on_shared_data_sets(make):
    summary = summary_of(make)
    scores = own_scores(summary)
    table = summary.effects
    table = table[(table["measure"] == "BCR") & (table["analysis"] == "own size")]
    assert len(table) == 3
    for row in table.itertuples():
        both = scores[[row.better, row.worse]].dropna()
        x, y = both.to_numpy().T.tolist()
        low, high, attained = walsh_interval(np.subtract(x, y), "0.05")
        found = (row.low, row.high, row.attained_level)
        assert found == pytest.approx((float(low), float(high), float(attained)), abs=1e-12)
        relative = (row.standardized, row.standardized_robust, row.cliffs_delta)
        assert relative == pytest.approx(effects(x, y))
        assert row.blocks == len(both) == (5 if make is Gapped and "third" in row else 6)
    ranks = dict(
        zip(METHODS, summary.analyses(summary.performance)[1].test.mean_ranks, strict=True)
    )
    assert all(ranks[row.better] <= ranks[row.worse] for row in table.itertuples())


def test_differences_of_data_sets_have_the_corrected_interval_over_resamplings():
    summary = summary_of(Drawn)
    table = summary.differences
    assert len(table) == 2 * 3 * 3 * 6
    own = table[(table["measure"] == "BCR") & (table["analysis"] == "own size")]
    scores = own_scores(summary)
    each = summary.own_size.frame.pivot(
        index=["dataset", "resampling"], columns="method", values="value"
    )
    share = 2 * 0.1 * 0.9
    for row in own.itertuples():
        difference = scores.loc[row.dataset, row.better] - scores.loc[row.dataset, row.worse]
        assert row.difference == pytest.approx(difference, abs=1e-12)
        apart = each.loc[row.dataset, row.better] - each.loc[row.dataset, row.worse]
        factor = np.sqrt(1 / 12 + share / (1 - share))
        half = stats.t.ppf(0.975, 11) * apart.std() * factor
        assert (row.low, row.high) == pytest.approx((difference - half, difference + half))
    others = table.drop(own.index)
    others = others[(others["measure"] != "BCR") | (others["analysis"] == "all sizes")]
    assert others[["low", "high"]].isna().all(axis=None)


def test_one_data_set_and_errors_in_units_have_no_effects_over_data_sets():
    assert summary_of(Drawn, datasets=1).effects.empty
    by_error = Summary(Measured(), "mae")
    assert set(by_error.effects["measure"]) == {"KI"}


def test_what_so_few_data_sets_cannot_show():
    blocks = summary_of(Drawn, datasets=4).compared_blocks
    table = limits_frame(blocks, "first")
    assert set(table["analysis"]) == {"own size", "one size"}  # ranks alone over all sizes
    every = table[table["comparisons"] == "all pairs"].iloc[0]
    assert every[["tests", "blocks", "needed"]].tolist() == [3, 4, 7]
    assert every["least"] == pytest.approx(3 * 2 / 16)
    against = table[table["comparisons"] == "with first"].iloc[0]
    assert against[["tests", "blocks", "needed"]].tolist() == [2, 4, 7]


def test_tests_against_a_reference_method():
    results = Drawn(lead=0.05, datasets=8)
    comparison = compare_methods(results, reference="third")
    table = comparison.control
    assert table.groupby(["measure", "analysis"]).size().tolist() == [2] * 6
    own = table[(table["measure"] == "BCR") & (table["analysis"] == "own size")]
    scores = own_scores(Summary(results))
    ranks = scores.rank(axis=1, ascending=False).mean()
    assert own["method"].tolist() == ranks.drop("third").sort_values().index.tolist()
    apart = (ranks - ranks["third"])[own["method"]].to_numpy()
    z = apart / np.sqrt(3 * 4 / (6 * 8))
    np.testing.assert_allclose(own["difference"], apart)
    np.testing.assert_allclose(own["z"], z)
    p = 2 * stats.norm.sf(abs(z))
    np.testing.assert_allclose(own["pvalue"], p)
    signed = [stats.wilcoxon(scores[name] - scores["third"]).pvalue for name in own["method"]]
    np.testing.assert_allclose(own["wilcoxon"], signed)
    np.testing.assert_allclose(own["wilcoxon_holm"], multipletests(signed, method="holm")[1])
    held = comparison.ranks.set_index(["measure", "analysis"])["pvalue"][("BCR", "own size")].iloc[
        0
    ]
    np.testing.assert_allclose(own["holm"], np.maximum(multipletests(p, method="holm")[1], held))
    distance = stats.norm.isf(0.05 / 4) * np.sqrt(3 * 4 / (6 * 8))
    np.testing.assert_allclose(own["bonferroni_dunn_cd"], distance)
    assert own["differs"].tolist() == ((abs(apart) >= distance) & (held <= 0.05)).tolist()
    assert table[table["analysis"] == "all sizes"]["wilcoxon"].isna().all()
    assert table["differs"].dtype == bool


def test_no_method_differs_from_the_reference_where_the_permutations_do_not_reject():
    """Two methods, one better on all 4 data sets: z is 2, but 2 of 16 orders are as far apart."""

    class Two(Drawn):
        def frame(self):
            frame = super().frame()
            return frame[frame["method"] != "third"]

    table = compare_methods(Two(lead=0.5, datasets=4), reference="second-method").control
    row = table[(table["measure"] == "BCR") & (table["analysis"] == "own size")].iloc[0]
    assert row["z"] == pytest.approx(-2.0)
    assert row["pvalue"] == pytest.approx(0.0455, abs=1e-4)
    assert row["holm"] == pytest.approx(2 / 16)
    assert not row["differs"]


def test_without_a_reference_there_are_no_tests_against_one():
    comparison = compare_methods(Drawn())
    assert comparison.control.empty
    assert "wilcoxon_holm" in comparison.control
    pd.testing.assert_frame_equal(comparison.effects, summary_of(Drawn).effects)


def test_an_unknown_reference_is_refused_with_the_labels():
    with pytest.raises(TableError, match="one of first, second-method, third. Got 'fourth'"):
        compare_methods(Drawn(), reference="fourth")


@pytest.mark.parametrize("make", [Drawn, Gapped])
def test_profiles_count_the_data_sets_that_are_close_to_the_best(make):
    summary = summary_of(make)
    table = profiles_frame(summary.compared_blocks)
    table = table[(table["measure"] == "BCR") & (table["analysis"] == "own size")]
    scores = own_scores(summary)
    for row in table.itertuples():
        close = [
            max(v for v in values.values() if v == v) - values[row.method] <= row.distance + 1e-12
            for values in scores.to_dict("records")
        ]
        assert row.share == sum(close) / 6
    for method, own in table.groupby("method"):
        assert own["distance"].iloc[0] == 0
        assert own["share"].is_monotonic_increasing
        lacks = make is Gapped and method == "third"
        assert own["share"].iloc[-1] == (5 / 6 if lacks else 1)
    assert table[table["distance"] == 0]["share"].sum() == pytest.approx(1)  # no ties
