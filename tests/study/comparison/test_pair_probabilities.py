"""Pairs of methods by probabilities: numbers by hand, what a page says of them, what noise does."""

import numpy as np
import pandas as pd
import pytest
from report.synthetic_study import METHODS, Drawn, Gapped, summary_of
from scipy import stats

from hetsel.report.elements.blocks import Bold
from hetsel.report.pages import section_list
from hetsel.report.pages.study_page import write_study_report
from hetsel.report.sections.probable_pairs import (
    NOISE,
    pairs_by_data_set,
    pairs_over_data_sets,
    probability,
)
from hetsel.statistics.comparisons.bayesian_ranks import bayesian_signed_rank_test
from hetsel.study.comparison.pair_probabilities import CASES, FEWEST_DATA_SETS, bayesian_pairs
from hetsel.study.comparison.study_summary import Summary
from hetsel.words.comparison_sentences import decided

KEYS = ["analysis", "dataset", "one", "other"]


@pytest.fixture(scope="module")
def gapped():
    return summary_of(Gapped, datasets=7)


def test_pairs_on_one_data_set_by_hand(gapped):
    found = gapped.bayesian_pairs
    table = found.set_index(KEYS)
    # 3 pairs on 7 data sets without 2 on d1, and over all of them; by both rules
    assert len(table) == 2 * (3 * 7 - 2 + 3)
    np.testing.assert_allclose(table[CASES].sum(axis=1), 1)
    scores = gapped.resampled.query("analysis == 'own size' and dataset == 'd3'")
    values = scores.pivot(index="resampling", columns="method", values="value")
    apart = values["first"] - values["third"]
    scale = np.sqrt(apart.var(ddof=1) * (1 / 12 + 0.18 / 0.82))
    row = table.loc[("own size", "d3", "first", "third")]
    assert row["number"] == 12
    assert row["difference"] == pytest.approx(apart.mean())
    assert row["one_better"] == pytest.approx(stats.t.sf(0.01, 11, apart.mean(), scale))
    assert row["other_better"] == pytest.approx(stats.t.cdf(-0.01, 11, apart.mean(), scale))
    wide = bayesian_pairs(gapped.resampled, gapped.results.test_shares, METHODS, rope=0.5)
    assert (wide["equivalent"] > 0.999).all()


def test_pairs_over_data_sets_by_hand(gapped):
    found = gapped.bayesian_pairs
    over = found[found["dataset"].isna()].set_index(["analysis", "one", "other"])
    scores = gapped.resampled.query("analysis == 'one size'")
    means = scores.groupby(["dataset", "method"])["value"].mean().unstack("method")
    apart = (means["first"] - means["third"]).dropna()
    row = over.loc[("one size", "first", "third")]
    assert row["number"] == len(apart) == 6
    assert over.loc[("one size", "first", "second-method"), "number"] == 7
    assert row["difference"] == pytest.approx(apart.mean())
    expected = bayesian_signed_rank_test(apart)  # known to baycomp
    assert row[CASES].tolist() == [expected.right, expected.equivalent, expected.left]


def test_a_treatment_of_a_table_is_no_data_set_of_its_own(gapped):
    scores, shares = gapped.resampled, gapped.results.test_shares
    found = bayesian_pairs(scores, shares, METHODS, treatments=["d4"])
    assert set(found["dataset"].dropna()) == {f"d{k}" for k in range(7)}
    over = found[found["dataset"].isna()].set_index(["analysis", "one", "other"])
    without = bayesian_pairs(scores[scores["dataset"] != "d4"], shares, METHODS)
    pd.testing.assert_frame_equal(
        over, without[without["dataset"].isna()].set_index(["analysis", "one", "other"])
    )
    assert over["number"].tolist() == [6, 6]  # the third method has 5: d1 lacks it


@pytest.mark.seconds
def test_from_six_data_sets_on_a_prior_against_all_of_them_is_overruled():
    """The pairs without the prior have weight (1 - w)^2, w of Beta(1/2, n): the most if > 1/2."""
    least = [stats.beta.cdf(1 - np.sqrt(0.5), 0.5, n) for n in range(1, 12)]
    assert 1 + np.searchsorted(least, 0.95) == FEWEST_DATA_SETS == 6
    for n in (1, 5, 6):
        found = bayesian_signed_rank_test([1.0] * n, prior_place=-9.0)
        assert abs(found.right - least[n - 1]) < 4 * found.standard_errors[2]
    five = summary_of(Drawn, lead=0.3, datasets=5).bayesian_pairs
    assert five["dataset"].notna().all()
    six = summary_of(Drawn, lead=0.3, datasets=6).bayesian_pairs
    assert six["dataset"].isna().sum() == 2 * 3


def test_the_order_of_methods_and_data_sets_only_exchanges_the_sides(gapped):
    scores, shares = gapped.resampled, gapped.results.test_shares
    found = bayesian_pairs(scores, shares, METHODS).set_index(KEYS)
    mixed = scores.sample(frac=1, random_state=3)
    turned = bayesian_pairs(mixed, shares, METHODS[::-1])
    sides = {"one": "other", "other": "one", "one_better": "other_better"}
    sides |= {"other_better": "one_better"}
    again = turned.rename(columns=sides).assign(difference=-turned["difference"]).set_index(KEYS)
    pd.testing.assert_frame_equal(again.loc[found.index, found.columns], found, check_exact=True)


def shown(three):
    return " / ".join(map(probability, three))


def test_the_tables_show_the_numbers_of_the_pairs(gapped):
    found = gapped.bayesian_pairs.set_index(KEYS)
    over = pairs_over_data_sets(gapped)
    assert over.head[2:] == ["own size", "one size"]
    assert [row[:2] for row in over.rows] == [
        ["first – second-method", "7"],
        ["first – third", "6"],
        ["second-method – third", "6"],
    ]
    for k, row in enumerate(over.rows):
        for place, rule in ((2, "own size"), (3, "one size")):
            three = found.loc[(rule, np.nan, *row[0].split(" – ")), CASES].to_numpy().ravel()
            assert row[place].replace("\u00a0", " ") == shown(three)
            assert isinstance(over.rows[k][place], Bold) == (three.max() > 0.95)
    single = pairs_by_data_set(gapped)
    assert single.head == ["pair", *(f"d{k}" for k in range(7))]
    assert single.rows[1][2] == "–"  # first and third on d1
    three = found.loc[("own size", "d4", "second-method", "third"), CASES]
    assert single.rows[2][5].replace("\u00a0", " ") == shown(three)


@pytest.mark.slow
def test_what_is_decided_is_said():
    better = decided(summary_of(Drawn, lead=0.2))
    assert "first is better than second-method and third" in better
    assert "practically equivalent to" not in better
    last = Drawn(lead=0.2)
    last.methods = list(METHODS[::-1])
    assert "first is better than third and second-method" in decided(Summary(last))
    results = Drawn(datasets=8)
    frame = results.frame()
    results.frame = lambda: frame.assign(bcr=0.7 + frame["bcr"] / 1000)
    equal = decided(Summary(results))
    assert "first is practically equivalent to second-method and third" in equal
    assert "is better than" not in equal
    assert "24 of 24 pairs are decided, 0 as better and 24 as equivalent" in equal


def test_too_little_is_said_to_be_too_little():
    few = summary_of(Drawn, lead=0.3, datasets=3)
    said = decided(few)
    assert "is better than" not in said
    assert "no probability over the data sets" in said
    assert pairs_over_data_sets(few) is None
    assert len(pairs_by_data_set(few).rows) == 3
    short = summary_of(Drawn, datasets=3, resamplings=8)
    assert decided(short) == ""
    assert pairs_by_data_set(short) is None
    assert "over the data sets" not in decided(summary_of(Drawn, datasets=1)).lower()


@pytest.mark.slow
def test_many_decided_pairs_are_counted_and_not_named():
    names = [f"m{k}" for k in range(7)]
    results = Drawn()
    results.methods = names
    frame = Drawn.frame(results)
    place = frame["method"].str[1:].astype(int)
    results.frame = lambda: frame.assign(bcr=0.5 + 0.06 * place + (frame["bcr"] - 0.5) / 100)
    said = decided(Summary(results))
    assert (
        "Over the data sets, 21 of 21 pairs are decided, 21 as better and 0 as equivalent" in said
    )
    assert "is better than" not in said


@pytest.mark.seconds
def test_noise_is_decided_as_often_as_the_page_says():
    """Quadratic forms of Dirichlet weights, their pairs written out."""
    rng = np.random.default_rng(0)
    for n, studies, percent in ((6, 1000, 15), (20, 400, 12)):
        weights = np.hstack([rng.exponential(size=(2000, n)), rng.gamma(0.5, size=(2000, 1))])
        products = (weights[:, :, None] * weights[:, None, :]).reshape(2000, -1)
        sums = [
            np.add.outer(z, z).ravel()
            for z in np.pad(rng.normal(size=(studies, n)), ((0, 0), (0, 1)))
        ]
        above, below = (products @ (sign * np.array(sums).T > 0) for sign in (1, -1))
        middle = products.sum(axis=1)[:, None] - above - below
        largest = np.argmax([below, middle, above], axis=0)
        sure = np.maximum((largest == 0).mean(axis=0), (largest == 2).mean(axis=0)) > 0.95
        assert f"{percent}% " in NOISE
        error = np.sqrt(percent * (100 - percent) / studies)
        assert abs(100 * sure.mean() - percent) < 3 * error + 1


@pytest.mark.seconds
def test_the_page_has_the_tables_and_the_words(tmp_path, monkeypatch):
    monkeypatch.setattr(section_list, "ORDER", ("probable_pairs",))
    write_study_report(Drawn(lead=0.2, resamplings=10, datasets=1), tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "table-probable-by-data" in text
    assert "table-probable-pairs" not in text
    assert "Better or practically equivalent" in text
