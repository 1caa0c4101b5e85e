"""Treatments of one table: pairs against the formulas on raw scores; no blocks over data sets."""

from functools import cached_property
from itertools import combinations
from math import sqrt

import numpy as np
import pandas as pd
import pytest
from report.synthetic_study import METHODS, Synthetic, summary_of
from scipy import stats
from statsmodels.stats.multitest import multipletests
from study.studies import cells_in, small_study

from hetsel import Study, compare_methods, compare_treatments
from hetsel.report.elements.rank_tables import mean_ranks
from hetsel.report.pages import section_list
from hetsel.report.pages.study_page import write_study_report
from hetsel.report.sections.treatments import treatments_table
from hetsel.shell.main import main
from hetsel.study.comparison.study_summary import Summary
from hetsel.words.comparison_sentences import treatments_found
from hetsel.words.study_sentences import setting

TREATS = {"d0 less": "d0", "d0 other": "d0", "d3 other": "d3"}
TABLES = tuple(f"d{k}" for k in range(5))


class Treated(Synthetic):
    """Drawn scores; one treatment has no third column, so that it lacks the largest size."""

    def __init__(self, names=(*TABLES, *TREATS), resamplings=12, lead=0.0):
        super().__init__(names, METHODS, resamplings)
        self.lead = lead
        for entry in self.plan["datasets"]:
            if entry["name"] in TREATS:
                entry["treatment_of"] = TREATS[entry["name"]]
        less = self.datasets.get("d0 less", {})
        less |= {key: [less[key][k] for k in (0, 1, 3)] for key in ("features", "kinds") if less}
        if "d0 other" in self.datasets:
            self.datasets["d0 other"]["scale"] = "quantile"

    def rng(self, *key):
        return np.random.default_rng([*".".join(map(str, key)).encode()])

    def frame(self):
        return self.drawn.copy()

    @cached_property
    def drawn(self):
        parts = []
        for name in self.names:
            sizes = (1, 2, 3, 4) if name != "d0 less" else (1, 2, 3)
            for method in self.methods:
                rng = self.rng(name, method)
                values = 0.6 + 0.04 * rng.normal(size=(self.resamplings, len(sizes)))
                values += np.array([0, 0.02, 0.03, 0.2])[: len(sizes)]
                values += self.lead * (name in TREATS and method == "first")
                index = pd.MultiIndex.from_product([range(self.resamplings), sizes])
                part = index.set_names(["resampling", "size"]).to_frame(index=False)
                parts.append(part.assign(dataset=name, method=method, bcr=values.ravel()))
        frame = pd.concat(parts, ignore_index=True).assign(classifier="clinical-svm")
        others = {"sensitivity": 0.5, "specificity": 0.5, "auc": 0.5, "bcr_by_chance": 0.5}
        others |= {"accuracy_of_majority": 0.6, "absent_classes": 0, "n_categorical": 1, "cut": ""}
        return frame.assign(accuracy=frame["bcr"], **others, rank_seconds=1.0, rank_elapsed=1.5)

    def signatures(self, dataset, method, size):
        p = len(self.datasets[dataset]["features"])
        orders = np.tile(np.arange(p), (self.resamplings, 1))
        orders = self.rng(dataset, method, "order").permuted(orders, axis=1)
        return np.arange(self.resamplings), orders < size


@pytest.fixture(scope="module")
def results():
    return Treated()


def raw(results, dataset, method, size):
    """Scores by resampling, as they were drawn."""
    frame = results.drawn
    kept = (frame["dataset"] == dataset) & (frame["method"] == method) & (frame["size"] == size)
    return frame[kept].sort_values("resampling")["bcr"].to_numpy()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("correction", "ratio"),
    # n_test / n_train of Nadeau and Bengio; r / (1 - r) with r = 2 * 0.1 * 0.9, parted pairs
    [("nadeau-bengio", 0.1 / 0.9), ("parted-pairs", 0.18 / 0.82), ("naive", 0.0)],
)
@pytest.mark.parametrize("sizes", ["all", "mean"])
def test_pairs_are_those_of_the_formula_on_the_raw_scores(results, correction, ratio, sizes):
    found = compare_treatments(results, sizes=sizes, correction=correction, level=0.9)
    expected = []
    for treated, base in TREATS.items():
        shared = (1, 2, 3) if treated == "d0 less" else (1, 2, 3, 4)
        for method in METHODS:
            scores = np.array(
                [[raw(results, d, method, size) for d in (base, treated)] for size in shared]
            )
            expected += list(scores) if sizes == "all" else [scores.mean(axis=0)]
    assert len(found) == len(expected)
    for (_, row), (here, there) in zip(found.iterrows(), expected, strict=True):
        apart = there - here
        k = len(apart)
        error = sqrt((1 / k + ratio) * sum((x - sum(apart) / k) ** 2 for x in apart) / (k - 1))
        t = (sum(apart) / k) / error
        reach = stats.t.ppf(0.95, k - 1) * error
        assert row["bcr"] == pytest.approx(here.mean(), rel=1e-12)
        assert row["bcr_treated"] == pytest.approx(there.mean(), rel=1e-12)
        assert row["difference"] == pytest.approx(apart.mean(), rel=1e-10)
        assert row["pvalue"] == pytest.approx(2 * stats.t.sf(abs(t), k - 1), rel=1e-9)
        assert row["low"] == pytest.approx(apart.mean() - reach, rel=1e-9)
        assert row["high"] == pytest.approx(apart.mean() + reach, rel=1e-9)
        if correction == "naive":
            assert row["pvalue"] == pytest.approx(stats.ttest_rel(there, here).pvalue, rel=1e-9)
    np.testing.assert_allclose(found["holm"], multipletests(found["pvalue"], method="holm")[1])
    assert found["resamplings"].eq(12).all()
    assert found["size"].isna().all() == (sizes == "mean")


def pairwise_consistency(signatures, p):
    """Eq. 13 of paul2015 by its sums over the pairs of signatures."""
    sets = [set(np.flatnonzero(mask)) for mask in signatures]
    k = len(sets[0])
    values = [(len(a & b) * p - k * k) / (k * (p - k)) for a, b in combinations(sets, 2)]
    return sum(values) / len(values)


def test_stability_and_common_features_by_names(results):
    found = compare_treatments(results, sizes="all")
    for _, row in found.iterrows():
        sides = [row["dataset"], row["treatment"]]
        names = [np.array(results.datasets[side]["features"]) for side in sides]
        masks = [results.signatures(side, row["method"], row["size"])[1] for side in sides]
        for name, mask in zip(("kuncheva", "kuncheva_treated"), masks, strict=True):
            if row["size"] == mask.shape[1]:
                assert np.isnan(row[name])
            else:
                expected = pairwise_consistency(mask, mask.shape[1])
                assert row[name] == pytest.approx(expected, abs=1e-12)
        shares = [
            len(set(names[0][one]) & set(names[1][other])) / row["size"]
            for one, other in zip(*masks, strict=True)
        ]
        assert row["common"] == pytest.approx(np.mean(shares))


def test_the_size_is_that_of_the_table_or_the_largest_below_that_both_have(results):
    summary = Summary(results)
    assert (summary.chosen["d0"], summary.chosen["d3"]) == (4, 4)  # of these scores no other can be
    found = compare_treatments(results).set_index(["treatment", "method"])
    assert found.loc["d0 less", "size"].tolist() == [3, 3, 3]
    assert found.loc["d0 other", "size"].tolist() == [4, 4, 4]
    first = found.loc[("d0 less", "first")]
    assert first["bcr"] == pytest.approx(raw(results, "d0", "first", 3).mean())
    with pytest.raises(ValueError, match=r"sizes must be one of chosen, all, mean. Got 3"):
        compare_treatments(results, sizes=3)


def test_only_splits_with_both_scores_are_pairs():
    class Partial(Treated):
        def frame(self):
            frame = super().frame()
            gone = (frame["dataset"] == "d0") & (frame["resampling"] == 11)
            gone |= (frame["dataset"] == "d0 other") & (frame["resampling"] == 0)
            return frame[~gone & (frame["dataset"] != "d3 other")]

    partial = Partial()
    found = compare_treatments(partial).set_index(["treatment", "method"])
    row = found.loc[("d0 other", "third")]
    assert row["resamplings"] == 10
    apart = raw(Treated(), "d0 other", "third", 4)[1:11] - raw(Treated(), "d0", "third", 4)[1:11]
    assert row["difference"] == pytest.approx(apart.mean())
    assert "d3 other" not in found.index
    few = compare_treatments(Treated(resamplings=9))
    assert few[["low", "high", "pvalue", "holm"]].isna().all(axis=None)
    assert few["difference"].notna().all()


@pytest.mark.slow
def test_blocks_are_those_of_the_study_without_the_treatments(results):
    with_them, without = compare_methods(results), compare_methods(Treated(TABLES))
    assert with_them.ranks.loc[with_them.ranks["measure"] == "BCR", "blocks"].eq(5).all()
    pd.testing.assert_frame_equal(with_them.ranks, without.ranks)
    pd.testing.assert_frame_equal(with_them.pairs, without.pairs)
    assert with_them.reference == without.reference
    over = [c.baselines[c.baselines["dataset"].isna()] for c in (with_them, without)]
    pd.testing.assert_frame_equal(*(one.reset_index(drop=True) for one in over))
    bayesian = [c.bayesian_pairs() for c in (with_them, without)]
    over = [b[b["dataset"].isna()].reset_index(drop=True) for b in bayesian]
    pd.testing.assert_frame_equal(*over)
    assert "d3 other" in set(bayesian[0]["dataset"])  # on one data set it is as any
    summaries = Summary(results), Summary(Treated(TABLES))
    for measure in summaries[0].measures:
        one, other = (s.printed(measure) for s in summaries)
        for mine, theirs in zip(one, other, strict=True):
            assert mine.test.blocks == theirs.test.blocks
            np.testing.assert_array_equal(mine.test.mean_ranks, theirs.test.mean_ranks)
            np.testing.assert_array_equal(mine.test.pvalue, theirs.test.pvalue)


def test_the_ranks_are_those_of_scipy_on_the_tables_alone(results):
    summary = Summary(results)
    means = results.frame().groupby(["dataset", "size", "method"])["bcr"].mean().unstack()
    means = means.loc[list(TABLES)]
    expected = stats.friedmanchisquare(*means.to_numpy().T)
    assert summary.all_sizes(summary.performance).pvalue == pytest.approx(expected.pvalue)


def test_treatments_of_a_table_that_is_not_finished_are_one_block():
    names = [name for name in (*TABLES, *TREATS) if name != "d0"]
    summary = Summary(Treated(names))
    assert summary.treatments == {"d0 other": "d0", "d3 other": "d3"}
    assert summary.by_dataset(summary.performance).blocks == 5
    assert set(compare_treatments(Treated(names))["dataset"]) == {"d3"}


@pytest.mark.slow
def test_what_is_found_is_told():
    apart = Treated(lead=0.15)
    (said,) = treatments_found(Summary(apart))
    found = compare_treatments(apart)
    for _, row in found.iterrows():
        better = f"{row['method']} is better on {row['treatment']} than on {row['dataset']}"
        assert (better in said) == (row["method"] == "first")
    assert found.loc[found["method"] == "first", "holm"].lt(0.05).all()
    (said,) = treatments_found(summary_of(Treated))
    assert said.count("no treatment changes BCR significantly") == 2
    unchanged = compare_treatments(Treated())
    low, high = unchanged["low"].min(), unchanged["high"].max()
    assert f"\u2212{abs(low):.3f} to +{high:.3f}" in said
    assert "3 data sets are treatments of another" in setting(summary_of(Treated))


@pytest.mark.slow
def test_the_section_of_the_page(results, tmp_path):
    few = Treated(("d3", "d3 other"))
    page = write_study_report(few, tmp_path / "with.html").read_text(encoding="utf-8")
    assert 'id="treatments"' in page
    assert "<h2>Treatments</h2>" in page
    table = treatments_table(Summary(results))
    assert len(table.rows) == 3 * 3
    found = compare_treatments(results)
    assert [row[5].replace("\u2212", "-") for row in table.rows] == [
        f"{value:+.3f}" for value in found["difference"]
    ]
    assert "treatments" in mean_ranks(Summary(results)).note.lower()
    plain = write_study_report(Treated(["d3"]), tmp_path / "without.html").read_text(
        encoding="utf-8"
    )
    assert 'id="treatments"' not in plain
    assert not any("reatments" in said for said in section_list.found(Summary(Treated(TABLES))))
    assert "reatments" not in mean_ranks(Summary(Treated(TABLES))).note


@pytest.mark.seconds
def test_a_study_from_its_plan_to_its_files(tmp_path, monkeypatch):
    """The same test rows on both sides, and the table of pairs among the exported ones."""
    monkeypatch.chdir(tmp_path)
    plan = small_study().datasets[0]
    frame = plan.X.assign(target=plan.y)
    frame.to_csv("mixed.csv", index=False)
    dropped = frame.columns[0]
    (tmp_path / "plan.toml").write_text(
        f"""
        methods = "rfe-svm"
        resamplings = 10
        sizes = [1, 3]
        [[datasets]]
        file = "mixed.csv"
        target = "target"
        [[datasets]]
        name = "less"
        treatment_of = "mixed"
        drop = "{dropped}"
        """
    )
    study = Study.load("plan.toml")
    results = study.run("s.sqlite", n_jobs=0, progress=False)
    sides = [[cell for _, cell in cells_in(results, name, "rfe-svm")] for name in ("mixed", "less")]
    for one, other in zip(*sides, strict=True):
        np.testing.assert_array_equal(one.test, other.test)
    assert main(["study", "export", "plan.toml", "--store", "s.sqlite", "--out", "tables"]) == 0
    table = pd.read_csv("tables/comparison_treatments.csv")
    scores = results.frame().pivot(index=["size", "resampling"], columns="dataset", values="bcr")
    size = int(table["size"].item())
    apart = (scores["less"] - scores["mixed"]).loc[size]
    assert table["difference"].item() == pytest.approx(apart.mean())
    # 60 rows of two classes: 6 test rows, a tenth
    error = apart.std() * sqrt(1 / 10 + 0.18 / 0.82)
    expected = 2 * stats.t.sf(abs(apart.mean() / error), 9) if error else 1.0
    assert table["pvalue"].item() == pytest.approx(expected)
    assert table["changed"].item() == f"without {dropped}"
