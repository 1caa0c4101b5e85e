"""Classes, numbers and survival times in one plan: each data set by the judges of its kind."""

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from scipy import stats
from study.studies import KINDS, run

from hetsel import Results, Study, compare_methods, compare_treatments, merge_stores, survival
from hetsel.ground.errors import PlanError, TableError
from hetsel.report.pages.found_over_kinds import tables_over_kinds
from hetsel.report.pages.study_page import write_study_report
from hetsel.shell.main import main
from hetsel.statistics.performance.scores import SCORES
from hetsel.study.comparison.summary_of_kinds import SummaryOfKinds

FIRST = {"classes": "bcr", "numbers": "r2", "survival": "concordance"}
JUDGES = {"classes": "clinical-svm", "numbers": "ridge", "survival": "cox"}
METHODS = ["univariate-tests", "rfe-svm", "rfe-mkl"]


def entry(kind, seed=0):
    """A data set of 80 rows whose first column tells of the target."""
    rng = np.random.default_rng(seed)
    X, _ = mixed_frame(n=80, continuous=3, nominal=1)
    X = X.assign(**{name: rng.normal(size=80) for name in X if name.startswith("c")})
    score = X["c0"] + rng.normal(size=80)
    y = {
        "classes": np.where(score > 0, "yes", "no"),
        "numbers": score.to_numpy(),
        "survival": survival(np.exp(-score).to_numpy(), rng.random(80) < 0.7),
    }[kind]
    return {"name": f"{kind} {seed}", "X": X, "y": y}


def study(kinds=KINDS, seeds=range(2), **changes):
    datasets = [entry(kind, seed) for seed in seeds for kind in kinds]
    plan = {"name": "mixed", "datasets": datasets, "methods": METHODS}
    return Study(**(plan | {"resamplings": 10, "sizes": [1, 2]} | changes))


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    return run(study(), tmp_path_factory.mktemp("mixed") / "a.sqlite")


def test_each_data_set_has_the_default_judge_and_the_scores_of_its_kind(mixed):
    assert mixed.kinds == list(KINDS)
    assert mixed.classifiers == [JUDGES[kind] for kind in KINDS]
    assert not mixed.changes()
    frame = mixed.frame()
    for dataset, own in frame.groupby("dataset"):
        kind = mixed.datasets[dataset]["target"]
        assert set(own["classifier"]) == {JUDGES[kind]}
        for other in KINDS:
            for name in set(SCORES[other].names) - set(SCORES[kind].names):
                assert own[name].isna().all()
        assert own[FIRST[kind]].notna().all()


@pytest.mark.parametrize("kind", KINDS)
def test_the_results_of_a_kind_are_those_of_its_own_study(mixed, tmp_path, kind):
    alone = run(study([kind]), tmp_path / "a.sqlite")
    part = mixed.of_kind(kind)
    assert part.digest() == alone.digest()
    assert part.classifiers == alone.classifiers
    both = [compare_methods(results) for results in (part, alone)]
    for name in ("ranks", "pairs", "crossfitted", "baselines", "resampled"):
        pd.testing.assert_frame_equal(*(getattr(comparison, name) for comparison in both))
    assert both[0].found == both[1].found
    summary = mixed.summary()
    own = summary[summary["dataset"].isin(part.datasets)].reset_index(drop=True)
    expected = alone.summary()
    seconds = ["rank_seconds"]
    pd.testing.assert_frame_equal(
        own[expected.columns].drop(columns=seconds), expected.drop(columns=seconds)
    )


def test_judges_of_the_plan_judge_the_kinds_that_they_accept(tmp_path):
    judges = ["clinical-svm", "ridge"]
    results = run(study(seeds=[0], classifiers=judges, resamplings=2), tmp_path / "a.sqlite")
    labels = {kind: results.of_kind(kind).classifiers for kind in KINDS}
    assert labels == {
        "classes": ["clinical-svm"],
        "numbers": ["clinical-svm (numbers)", "ridge"],
        "survival": ["clinical-svm (survival)"],
    }
    for kind in KINDS:
        alone = study([kind], [0], classifiers=labels[kind][0].split()[0], resamplings=2)
        alone = run(alone, tmp_path / f"{kind}.sqlite").frame()
        frame = results.of_kind(kind).frame()
        own = frame[frame["classifier"] == labels[kind][0]]
        assert own[FIRST[kind]].tolist() == alone[FIRST[kind]].tolist()


@pytest.mark.parametrize(
    ("judges", "facts"),
    [
        (["ridge"], ("each kind of target", "None of them accepts classes")),
        (["clinical-svm", "sklearn.naive_bayes.GaussianNB"], ()),
        (["clinical-svm", "cox"], ()),
    ],
)
def test_a_kind_without_a_judge_is_refused(tmp_path, judges, facts):
    plan = study(["classes", "numbers"], [0], classifiers=judges, resamplings=2)
    if not facts and "cox" not in judges:
        assert run(plan, tmp_path / "a.sqlite").status()["failed"] == 0
        return
    with pytest.raises(PlanError) as error:
        run(plan, tmp_path / "a.sqlite")
    for fact in facts or ("cox accepts survival", "classes, numbers", "Leave it out"):
        assert fact in str(error.value)
    assert not (tmp_path / "a.sqlite").exists()


def test_a_method_that_does_not_accept_a_kind_is_refused(tmp_path):
    with pytest.raises(PlanError, match="data set 'survival 0'"):
        run(study(methods=["pearson", "rfe-mkl"]), tmp_path / "a.sqlite")


def test_stores_of_several_kinds_join(mixed, tmp_path):
    run(study(methods=METHODS[:1]), tmp_path / "a.sqlite")
    run(study(methods=METHODS[1:]), tmp_path / "b.sqlite")
    stores = [tmp_path / name for name in ("a.sqlite", "b.sqlite")]
    merge_stores(stores, tmp_path / "m.sqlite", progress=False)
    assert Results(tmp_path / "m.sqlite").digest() == mixed.digest()


def test_what_needs_one_kind_says_so(mixed):
    with pytest.raises(TableError, match=r"of_kind"):
        compare_treatments(mixed)
    with pytest.raises(TableError, match="must be one of classes, numbers, survival"):
        mixed.of_kind("labels")


def ranks_by_hand(results):
    """Mean ranks over sizes of the first score, ranked again within each data set."""
    blocks = {}
    for dataset, own in results.frame().groupby("dataset", sort=False):
        score = FIRST[results.datasets[dataset]["target"]]
        means = own.groupby(["size", "method"])[score].mean().round(12).unstack()[METHODS]
        ranks = stats.rankdata(-means.to_numpy(), axis=1).mean(axis=0)
        blocks[dataset] = stats.rankdata(ranks.round(12))
    return pd.DataFrame(blocks, index=METHODS).T


def test_data_sets_of_all_kinds_are_blocks_of_one_rank_test(mixed):
    summary = SummaryOfKinds(mixed)
    test = summary.analyses(summary.performance)[0].test
    expected = ranks_by_hand(mixed)
    assert test.blocks == 6
    assert test.names == tuple(METHODS)
    assert test.mean_ranks == pytest.approx(expected.mean().tolist())
    friedman = stats.friedmanchisquare(*expected.to_numpy().T)
    assert (test.chi2, test.pvalue) == pytest.approx((friedman.statistic, friedman.pvalue))
    studentized = stats.studentized_range.ppf(0.95, 3, np.inf) / np.sqrt(2)  # Demsar 2006
    assert test.critical_difference == pytest.approx(studentized * np.sqrt(3 * 4 / (6 * 6)))


def test_comparison_over_kinds_makes_what_has_a_unit_for_each_kind(mixed):
    comparison = compare_methods(mixed)
    assert set(comparison.ranks["blocks"]) == {6}
    of_scores = comparison.pairs[comparison.pairs["measure"] == "first score"]
    assert of_scores["wilcoxon_holm"].isna().all()
    assert comparison.bayesian_pairs().empty
    assert list(comparison.kinds) == list(KINDS)
    for kind in KINDS:
        own = compare_methods(mixed.of_kind(kind))
        pd.testing.assert_frame_equal(comparison.kinds[kind].ranks, own.ranks)
        here = comparison.crossfitted["dataset"].isin(own.test_shares)
        values = comparison.crossfitted.loc[here, FIRST[kind]].tolist()
        assert values == own.crossfitted[FIRST[kind]].tolist()
    assert "BCR for classes" in str(comparison)


def test_a_score_and_a_judge_apply_to_the_kinds_that_have_them(mixed):
    comparison = compare_methods(mixed, score="auc")  # of classes and survival times
    assert "AUC for classes" in str(comparison)
    assert "R² for numbers" in str(comparison)
    assert "ranked by a score of its kind" in str(comparison)
    own = compare_methods(mixed.of_kind("classes"), score="auc")
    pd.testing.assert_frame_equal(comparison.kinds["classes"].ranks, own.ranks)
    first = compare_methods(mixed)
    assert compare_methods(mixed, classifier="ridge").found == first.found  # the only one
    with pytest.raises(TableError, match="score must be one of bcr, .*, r2, .*ibs. Got 'f1'"):
        compare_methods(mixed, score="f1")
    with pytest.raises(TableError, match="classifier must be one of .*. Got '6nn'"):
        compare_methods(mixed, classifier="6nn")
    with pytest.raises(TableError, match="reference must be the label"):
        compare_methods(mixed, reference="anova")


def test_a_method_that_failed_on_a_kind_is_a_gap_of_its_blocks(mixed):
    part = mixed.of_data_sets([*mixed.datasets])
    part._frame = mixed.frame().query("dataset != 'numbers 0' or method != 'rfe-svm'")
    part.of_kind = lambda kind: _without(mixed.of_kind(kind))
    summary = SummaryOfKinds(part)
    test = summary.analyses(summary.performance)[1].test
    assert test.gaps == 1
    assert test.blocks == 6


def _without(results):
    results._frame = results._frame.query("dataset != 'numbers 0' or method != 'rfe-svm'")
    return results


@pytest.mark.seconds
def test_the_report_shows_ranks_over_all_and_then_each_kind(mixed, tmp_path):
    page = write_study_report(mixed, tmp_path / "page.md").read_text()
    titles = [line.removeprefix("## ") for line in page.splitlines() if line.startswith("## ")]
    assert titles[0] == "Ranks over all data sets"
    firsts = [titles.index(f"{name}: Figures") for name in ("Classes", "Numbers", "Survival times")]
    assert firsts == sorted(firsts)
    assert (tmp_path / "page-diagram-all-sizes.png").exists()
    assert (tmp_path / "page-numbers-diagram-all-sizes.png").exists()
    html = write_study_report(mixed, tmp_path / "page.html").read_text()
    keys = [key.split('"')[0] for key in html.split(' id="')[1:]]
    assert len(keys) == len(set(keys))


def test_the_export_has_the_tables_over_all_and_of_each_kind(mixed, tmp_path):
    assert main(["study", "export", str(mixed.path), "--out", str(tmp_path / "out")]) == 0
    written = {path.name for path in (tmp_path / "out").iterdir()}
    for name in ("ranks", "ranks_classes", "ranks_numbers", "crossfitted_survival"):
        assert f"comparison_{name}.csv" in written
    ranks = pd.read_csv(tmp_path / "out" / "comparison_ranks.csv")
    expected = tables_over_kinds(SummaryOfKinds(mixed))["ranks"]
    assert ranks["mean_rank"].tolist() == pytest.approx(expected["mean_rank"].tolist())


def test_the_judges_of_each_kind_keep_the_order_of_the_plan(tmp_path):
    judges = ["clinical-svm", "ridge", "5nn", "cox"]  # the first and the third accept all kinds
    results = run(study(seeds=[0], classifiers=judges, resamplings=2), tmp_path / "a.sqlite")
    assert results.of_kind("classes").classifiers == ["clinical-svm", "5nn"]
    assert results.of_kind("numbers").classifiers == ["clinical-svm (numbers)", "ridge", "5nn"]
    own = ["clinical-svm (survival)", "5nn", "cox"]
    assert results.of_kind("survival").classifiers == own
    by_own = compare_methods(results.of_kind("survival"), classifier=own[0])
    found = compare_methods(results, classifier="clinical-svm").kinds["survival"]
    pd.testing.assert_frame_equal(found.crossfitted, by_own.crossfitted)
