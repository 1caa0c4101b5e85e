"""The comparison that treats methods alike: cross-fitted sizes, baselines, and what is said."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from report.synthetic_study import METHODS, Drawn, Gapped, Synthetic, summary_of
from scipy import stats
from statsmodels.stats.multitest import multipletests
from twins.skillings_mack import ranks_by_counting, statistic

from hetsel.report.elements.rank_tables import mean_ranks, pairs, printed_pairs
from hetsel.report.pages.method_comparison import compare_methods
from hetsel.report.pages.section_list import found, study_paragraphs
from hetsel.report.pages.study_page import write_study_report
from hetsel.report.sections.above_baselines import against_baseline
from hetsel.report.sections.ranks_over_data_sets import at_own_size
from hetsel.statistics.stability.measures_of_stability import kuncheva
from hetsel.study.comparison.baselines import baseline, shown_above
from hetsel.study.comparison.crossfitted_scores import (
    crossfitted_frame,
    pair_tests,
    score_crossfitted,
)
from hetsel.study.comparison.rank_tests import compare_ranks, levels_of_sentences
from hetsel.study.comparison.study_summary import Summary
from hetsel.words.rank_sentences import _not_shown, ranking, significance, small_size
from hetsel.words.study_sentences import held_level, sizes_rule


def test_cross_fitted_means_by_hand():
    results = Drawn(datasets=1)
    frame = results.frame()
    own = score_crossfitted(results, frame, "bcr", ["d0"], own=True)
    one = score_crossfitted(results, frame, "bcr", ["d0"], own=False)
    for method in METHODS:
        table = frame[frame["method"] == method].pivot(
            index="resampling", columns="size", values="bcr"
        )
        for result in (own, one):
            sizes = result.sizes.set_index("method").loc[method]
            even, odd = table[sizes["even"]][::2], table[sizes["odd"]][1::2]
            row = result.scores.set_index("method").loc[method]
            values = np.concatenate([even, odd])
            assert row["value"] == pytest.approx(values.mean())
            half = stats.t.ppf(0.975, 11) * values.std(ddof=1)
            assert row["naive"] == pytest.approx(half / np.sqrt(12))
            assert row["corrected"] == pytest.approx(half * np.sqrt(1 / 12 + 1 / 9))
            parts = [
                kuncheva(results.signatures("d0", method, int(sizes[name]))[1][start::2])
                for name, start in (("even", 0), ("odd", 1))
            ]
            index = result.stability.set_index("method").loc[method, "value"]
            assert index == pytest.approx(np.mean(parts))
    assert one.sizes[["even", "odd"]].nunique().tolist() == [1, 1]


def test_both_rules_in_one_table():
    summary = summary_of(Drawn, datasets=2)
    table = crossfitted_frame(summary.own_size, summary.one_size, "bcr")
    assert len(table) == 2 * 2 * 3
    assert table["rule"].value_counts().to_dict() == {"own size": 6, "one size": 6}
    own = summary.own_size.scores
    first = table[table["rule"] == "own size"]
    np.testing.assert_array_equal(first["bcr"], own["value"])
    np.testing.assert_allclose(first["bcr_high_corrected"] - first["bcr"], own["corrected"])
    np.testing.assert_allclose(first["bcr"] - first["bcr_low_naive"], own["naive"])
    assert (table["bcr_low_corrected"] < table["bcr_low_naive"]).all()
    ends = table[[column for column in table if "_low_" in column or "_high_" in column]]
    low, high = ends.min(axis=None) + 0.01, ends.max(axis=None) - 0.01
    cut = crossfitted_frame(summary.own_size, summary.one_size, "bcr", (low, high))
    pd.testing.assert_frame_equal(cut[ends.columns], ends.clip(low, high))


def test_the_rules_treat_methods_alike():
    """Names exchanged, everything is exchanged."""
    results = Drawn(datasets=2)
    frame = results.frame()
    turned = dict(zip(METHODS, np.roll(METHODS, 1), strict=True))
    for own in (True, False):
        before = score_crossfitted(results, frame, "bcr", ["d0", "d1"], own=own)
        after = score_crossfitted(
            results, frame.assign(method=frame["method"].map(turned)), "bcr", ["d0", "d1"], own=own
        )
        one = before.scores.assign(method=before.scores["method"].map(turned))
        keys = ["dataset", "method"]
        pd.testing.assert_frame_equal(
            one.sort_values(keys, ignore_index=True),
            after.scores.sort_values(keys, ignore_index=True),
        )


@pytest.mark.seconds
def test_data_sets_that_cannot_be_halved_are_named():
    results = Drawn(datasets=2)
    frame = results.frame()
    few = frame[(frame["dataset"] != "d1") | (frame["resampling"] < 3)]
    result = score_crossfitted(results, few, "bcr", ["d0", "d1"], own=True)
    assert result.absent == ("d1",)
    results.frame = lambda: few
    assert "d1 has too few resamplings" in sizes_rule(Summary(results))
    results.frame = lambda: frame[frame["resampling"] < 3]
    summary = Summary(results)
    assert summary.own_size.scores.empty
    assert at_own_size(summary) is None
    assert summary.own_pairs.empty
    assert study_paragraphs(summary)


def test_a_lack_of_a_size_or_a_score_leaves_out_what_it_must():
    results = Drawn(datasets=1)
    frame = results.frame()
    frame.loc[frame["resampling"] == 5, "bcr"] = np.nan  # a test part of one class
    gone = (frame["method"] == "third") & (frame["size"] == 2) & (frame["resampling"] == 0)
    result = score_crossfitted(results, frame[~gone], "bcr", ["d0"], own=False)
    assert result.scores["number"].tolist() == [11] * 3
    assert 2 not in result.sizes[["even", "odd"]].to_numpy()


def test_baselines_by_hand():
    frame = Drawn(chance=0.1, datasets=3).frame()
    shares = dict.fromkeys(["d0", "d1", "d2"], 0.1)
    result = baseline(frame, "bcr", "bcr_by_chance", shares, METHODS)
    cells = frame.assign(d=frame["bcr"] - 0.5)
    cells = cells.groupby(["dataset", "method", "resampling"])["d"].mean()
    means = cells.groupby(["dataset", "method"]).mean()
    for _, row in result.by_dataset.iterrows():
        values = cells.loc[(row["dataset"], row["method"])].to_numpy()
        t = values.mean() / np.sqrt(values.var(ddof=1) * (1 / 12 + 0.18 / 0.82))
        assert row["difference"] == pytest.approx(values.mean())
        assert row["pvalue"] == pytest.approx(stats.t.sf(t, 11))
        assert row["pvalue"] <= row["holm"] <= 9 * row["pvalue"]
    for _, row in result.overall.iterrows():
        values = means.xs(row["method"], level="method")
        expected = stats.ttest_1samp(values, 0, alternative="greater").pvalue
        assert row["pvalue"] == pytest.approx(expected)
        assert row["datasets"] == 3
    assert result.above() == list(METHODS)
    few = baseline(frame[frame["resampling"] < 9], "bcr", "bcr_by_chance", shares, METHODS)
    assert few.by_dataset["pvalue"].isna().all()
    alone = baseline(frame[frame["dataset"] == "d0"], "bcr", "bcr_by_chance", shares, METHODS)
    assert alone.overall["pvalue"].isna().all()
    assert alone.above() == []


def test_the_worst_method_is_not_named_before_those_that_score_more():
    """28 methods of one data set: the least gain alone has a small p-value."""
    table = pd.DataFrame({"difference": np.linspace(0.1, 0.01, 28), "holm": [0.4] * 27 + [1e-6]})
    assert not shown_above(table, 0.05).any()
    table.loc[:4, "holm"] = 0.01
    assert shown_above(table, 0.05).to_numpy().nonzero()[0].tolist() == [0, 1, 2, 3, 4]
    both = pd.concat([table.assign(dataset="a"), table.assign(dataset="b", holm=0.01)])
    assert shown_above(both.reset_index(drop=True), 0.05).sum() == 5 + 28


def test_the_level_of_sentences_is_named_before_their_p_values():
    noise = summary_of(Drawn, seed=3)
    # ranks by performance; stability, pairs, 2 baselines over and on tables
    assert noise.levels == pytest.approx((0.025, 0.025 / 6))
    known = summary_of(Drawn, lead=0.2, chance=0.1)
    assert known.levels == pytest.approx((0.025, 0.025 / 4))  # all are above chance, both ways
    test = known.named(known.performance).test
    assert known.made(known.performance)[0].key == known.named(known.performance).key
    assert test.critical_difference > known.made(known.performance)[0].test.critical_difference
    assert test.differences == {"first": ["second-method"]}


def test_pairs_have_the_main_level_where_ranks_by_performance_have_no_test():
    """Stability alone is tested over the data sets: pairs are one half, it shares the other."""
    known = summary_of(Drawn, seed=3)
    ranks = known.named(known.measures[1]).test
    small, none = pd.DataFrame({"holm": [0.02, 0.02]}), pd.DataFrame({"holm": [0.9]})
    # pairs reject all that they test: the other half has 0.05, of two families
    assert levels_of_sentences(None, [ranks], [small, none]) == (0.025, 0.025)
    assert levels_of_sentences(None, [ranks], [none, small]) == (0.025, 0.0125)
    alone = replace(ranks, pairs=None, permutation=0.001)
    assert levels_of_sentences(alone, [], [none]) == (0.025, 0.05)


def test_ranks_have_the_level_that_so_few_data_sets_can_reach():
    """Two methods on six data sets: the smallest p-value is 2 / 2^6, above one half of 0.05."""
    none = pd.DataFrame({"holm": [0.9, 0.9]})
    scores = pd.DataFrame({"one": 0.9 - 0.01 * np.arange(7), "other": 0.5})
    ranks = {n: compare_ranks(scores[:n], "data set", permute=True) for n in (5, 6, 7)}
    assert [test.can_reject for test in ranks.values()] == [False, True, True]
    # all rejected: the others have the whole level
    assert levels_of_sentences(ranks[6], [], [none]) == (2 / 2**6, 0.05)
    alike = replace(ranks[6], pairs=ranks[6].pairs.assign(pvalue=1.0))
    assert levels_of_sentences(alike, [], [none]) == (2 / 2**6, pytest.approx(0.05 - 2 / 2**6))
    assert levels_of_sentences(ranks[7], [], [none]) == (0.025, 0.05)


class Two(Drawn):
    """Without the second method."""

    def frame(self):
        return super().frame().query("method != 'second-method'")


@pytest.mark.parametrize(("datasets", "found"), [(5, False), (6, True)])
def test_one_of_two_methods_that_is_better_on_six_data_sets_is_named(datasets, found):
    summary = summary_of(Two, lead=0.2, datasets=datasets)
    test = summary.named(summary.performance).test
    assert test.permutation == 2 / 2**datasets
    assert test.differences == ({"first": ["third"]} if found else {})
    assert (summary.main is not None) == found
    # where ranks cannot reject, pairs on the single data sets are the main family
    assert summary.pairs_level == summary.levels[1 if found else 0]
    assert ("ranks over the data sets" in held_level(summary)) == found


def test_pairs_on_one_data_set_by_hand():
    results = Drawn(lead=0.05, datasets=2)
    summary = Summary(results)
    table = pair_tests(summary.own_size, results.test_shares)
    assert len(table) == 2 * 3
    row = table[(table["dataset"] == "d1") & (table["worse"] == "third")].iloc[0]
    values = summary.own_size.frame.query("dataset == 'd1'").pivot(
        index="resampling", columns="method", values="value"
    )
    apart = values[row["better"]] - values["third"]
    t = apart.mean() / np.sqrt(apart.var(ddof=1) * (1 / 12 + 0.18 / 0.82))
    assert row["pvalue"] == pytest.approx(2 * stats.t.sf(t, 11))
    assert row["difference"] == pytest.approx(apart.mean())


def test_noise_is_called_noise():
    said = " ".join(found(summary_of(Drawn, seed=3)))
    assert said.count("methods do not differ significantly") == 2
    assert said.count("over the data sets, no method is significantly above chance") == 1
    assert (
        said.count("over the data sets, no method is significantly above the majority class") == 1
    )
    assert "On single data sets, no method is significantly above chance" in said
    assert "no two methods differ significantly in BCR" in said
    assert "is better" not in said


def test_a_level_that_so_few_data_sets_cannot_reach_is_said():
    """Two methods on six data sets: 2 / 64 at the least, above the level of stability."""
    table = np.array([[0.9, 0.8]] * 6) + np.arange(6)[:, None] / 100
    test = compare_ranks(pd.DataFrame(table, columns=["one", "other"]), "x", permute=True)
    assert test.permutation == test.least_permutation == 2 / 64
    said = _not_shown(test, 0.0094, "here")
    assert "p\u00a0=\u00a00.031" in said
    assert said.endswith("always above the level 0.0094)")
    many = compare_ranks(pd.DataFrame(np.vstack([table, 0.5 * table]), columns=list("ab")), "x")
    assert "level" not in _not_shown(replace(many, permutation=0.2), 0.01, "here")
    above = _not_shown(replace(many, permutation=0.02), 0.01, "here")
    assert above.endswith("0.02, above the level 0.01)")


def test_what_differs_is_said_first():
    summary = summary_of(Drawn, lead=0.2, chance=0.1)
    assert study_paragraphs(summary)[0][0] == "Findings"
    said = " ".join(found(summary)).replace("\u00a0", " ")
    assert "first is better than" in said
    assert "over the data sets, all methods are significantly above chance" in said
    # 3 pairs, 2 / 64 each: Holm cannot reach 0.05
    assert "Holm's adjustment is 0.094" in said


def test_nemenyi_needs_the_permutations():
    """Two methods on 4 blocks: Nemenyi's 0.0455 is a sign test whose least p-value is 0.125."""
    table = pd.DataFrame({"one": [0.9, 0.8, 0.7, 0.6], "other": [0.5, 0.4, 0.3, 0.2]})
    printed, held = (compare_ranks(table, "data set", permute=permute) for permute in (False, True))
    assert printed.differences == {"one": ["other"]}
    assert printed.pairs["pvalue"].item() == pytest.approx(0.0455, abs=1e-4)
    assert held.permutation == held.pairs["pvalue"].item() == 0.125
    assert held.differences == {}
    assert held.groups == (("one", "other"),)
    assert not held.pairs["differs"].any()


@pytest.mark.seconds
def test_the_bound_of_holm_stands_below_the_pairs():
    summary = summary_of(Drawn)
    for table in (pairs, printed_pairs):
        note = table(summary, summary.performance).note
        assert "Wilcoxon–Holm p-value: 0.094 with 6 data sets" in note


def test_how_many_features_methods_keep_at_their_own_sizes_is_said():
    summary = summary_of(Synthetic)  # its curves are the same in both halves
    assert summary.kept_shares.to_dict() == {"first": 0.75, "second-method": 1.0, "third": 1.0}
    assert at_own_size(summary).rows[-1][1:] == ["75%", "100%", "100%"]
    said = " ".join(found(summary))
    assert "75% (first) to 100% (second-method) of the features" in said


def test_intervals_carry_their_names():
    summary = summary_of(Drawn, datasets=2)
    table = at_own_size(summary)
    assert table.head == ["data set", *METHODS]
    for row in table.rows[:-1]:
        for cell in row[1:]:
            assert [line.split(" ")[0] for line in cell.split("\n")[1:]] == [
                "corrected",
                "naive",
                "size",
            ]
    assert len(against_baseline(summary, summary.baselines[0]).rows) == 3


def test_what_flatters_the_method_that_chooses_is_said():
    said = small_size(summary_of(Drawn))
    assert "section 5 of Paul et al. (2015), where rfe-mkl chooses" in said
    assert "Here first chooses" in said
    assert said.count("favors first") == 2
    assert "200 simulated studies" in said
    assert "37% of the studies; 20%" in said
    results = Drawn()
    results.methods = ["rfe-mkl", *METHODS[1:]]
    own = small_size(Summary(results))
    assert "section 5 of Paul et al. (2015)" in own
    assert own.count("favors rfe-mkl") == 1


def test_without_a_score_there_is_no_report(tmp_path):
    results = Drawn(datasets=1)
    results.frame = lambda: Drawn(datasets=1).frame().assign(bcr=np.nan, bcr_by_chance=np.nan)
    with pytest.raises(ValueError, match="rows of two classes .* no BCR"):
        write_study_report(results, tmp_path / "r.html")


@pytest.mark.seconds
def test_the_comparison_as_values():
    results = Drawn(lead=0.2)
    found_all = compare_methods(results)
    assert str(found_all).startswith(
        "Predictive performance (BCR): over all sizes, first is better"
    )
    ranks = found_all.ranks.set_index(["measure", "analysis", "method"])
    assert len(ranks) == 2 * 3 * 3
    assert ranks.loc[("BCR", "own size", "first"), "mean_rank"] == 1.0
    assert ranks.loc[("BCR", "one size", "first"), "pvalue"] <= 0.05
    assert len(found_all.pairs) == 2 * 3 * 3
    first = found_all.pairs.query("measure == 'BCR' and analysis == 'own size'").iloc[0]
    assert first["better"] == "first"
    assert first["wilcoxon_holm"] == pytest.approx(3 / 32)
    assert found_all.pairs.query("analysis == 'all sizes'")["wilcoxon_holm"].isna().all()
    assert len(found_all.baselines) == 2 * (6 + 1) * 3
    assert found_all.baselines["dataset"].isna().sum() == 2 * 3
    assert len(found_all.crossfitted) == 2 * 6 * 3
    assert found_all.reference == "first"
    results.frame = lambda: Drawn().frame().iloc[:0]
    with pytest.raises(ValueError, match="no cell of the study is finished"):
        compare_methods(results)


@pytest.mark.seconds
def test_ties_are_told():
    class Equal(Synthetic):
        def frame(self):
            frame = super().frame()
            same = frame["bcr"].where(frame["method"] != "third")
            same[frame["method"] == "second-method"] = frame.loc[
                frame["method"] == "first", "bcr"
            ].to_numpy()
            return frame.assign(bcr=same.fillna(frame["bcr"]))

    summary = Summary(Equal())
    assert summary.references == ["first", "second-method"]
    said = " ".join(text for _, texts in study_paragraphs(summary) for text in texts)
    assert "first and second-method are equally good; first chooses because it comes first" in said
    assert "alpha: 3 and 4" in said  # sizes of the best mean


@pytest.mark.slow
def test_a_data_set_that_lacks_a_method_takes_part():
    summary = summary_of(Gapped, lead=0.2)
    values = summary.own_size.scores.pivot(index="dataset", columns="method", values="value")
    values = values[list(METHODS)]
    assert values.isna().sum().sum() == 1
    for analysis in summary.analyses(summary.performance):
        assert (analysis.test.blocks, analysis.test.gaps) == (6, 1)
    test = summary.analyses(summary.performance)[1].test
    ranked = [ranks_by_counting([None if np.isnan(x) else -x for x in r]) for r in values.values]
    assert test.chi2 == pytest.approx(statistic(ranked))
    assert test.pvalue == pytest.approx(stats.chi2.sf(test.chi2, 2))
    assert test.differences["first"]
    assert np.isnan(test.critical_difference)
    alone = {
        pair: stats.wilcoxon(*values[list(pair)].dropna().to_numpy().T).pvalue
        for pair in test.pairs[["better", "worse"]].itertuples(index=False, name=None)
    }
    expected = multipletests(list(alone.values()), method="holm")[1]
    np.testing.assert_allclose(test.pairs["wilcoxon"], expected)
    assert test.least == pytest.approx(3 * 2 / 2**6)


@pytest.fixture(scope="module")
def with_gaps():
    return compare_methods(Gapped(lead=0.03))


@pytest.mark.slow
def test_gaps_are_told(with_gaps):
    assert str(with_gaps).count("Skillings and Mack") == 1
    performance = with_gaps.ranks[with_gaps.ranks["measure"] == "BCR"]
    assert performance["gaps"].eq(1).all()
    assert performance["mean_rank"].notna().all()
    summary = summary_of(Gapped)
    said = significance(summary.by_dataset(summary.performance))
    assert "Skillings and Mack's permutation test on 6 blocks" in said
    assert "1 missing value" in said
    cells = next(row for row in mean_ranks(summary).rows if row[0] == "missing values")
    assert cells[1] == "1"
    # as paul2015 prints it, blocks are complete: 6 * 3 sizes without those of d1 and one of d2
    assert summary.all_sizes(summary.performance).blocks == 14


def test_all_sizes_are_those_that_the_methods_of_a_data_set_share():
    summary = summary_of(Gapped)
    table = summary.shared_scores.pivot_table("value", ["dataset", "size"], "method")
    table = table[list(METHODS)].drop([("d2", 3)])
    ranks = table.rank(axis=1, ascending=False).groupby(level="dataset").mean()
    ranked = [ranks_by_counting([None if np.isnan(x) else x for x in row]) for row in ranks.values]
    assert summary.by_dataset(summary.performance).chi2 == pytest.approx(statistic(ranked))


def test_parts_that_share_no_data_set_are_not_compared():
    one = pd.DataFrame({"a": [1.0, 2, np.nan, np.nan], "b": [2.0, 1, np.nan, np.nan]})
    other = one[::-1].reset_index(drop=True).set_axis(["c", "d"], axis=1)
    test = compare_ranks(pd.concat([one, other], axis=1), "data set", permute=True)
    assert "chain of shared blocks" in test.reason
    assert test.pairs is None
    assert np.isnan(test.mean_ranks).all()
    assert "cannot be ranked" in ranking(test, summary_of(Drawn).performance, "Here")
