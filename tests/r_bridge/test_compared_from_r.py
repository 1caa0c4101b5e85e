"""Entry points that compare methods: the numbers are those of the same calls in Python."""

import crossing as facade
import numpy as np
import pandas as pd
import pytest

import hetsel

K = np.arange(1, 10)
SCORES = pd.DataFrame(
    {
        "best": 0.9 + np.sin(K) / 30,
        "good": 0.87 + np.sin(2 * K) / 25,
        "poor": 0.7 + np.cos(3 * K) / 20,
    }
)


def compared(table, **options):
    cells = table.to_numpy(float).ravel(order="F")
    names = list(table.columns)
    return facade.compare_scores(cells, names, [str(k) for k in K[: len(table)]], **options)


def test_tests_of_scores_are_those_of_python():
    found = compared(SCORES)
    test = hetsel.stats.friedman(SCORES)
    pairs, signed = hetsel.stats.nemenyi(test), hetsel.stats.wilcoxon_holm(SCORES)
    permutation = test.permutation_pvalue()
    expected = {
        "chi2": test.statistic,
        "pvalue": test.pvalue,
        "f": test.iman_davenport,
        "f_pvalue": test.iman_davenport_pvalue,
        "permutation_pvalue": permutation,
        "critical_difference": pairs.critical_difference,
        "least_wilcoxon": signed.least,
        "blocks": 9,
    }
    assert {name: found["tests"][name] for name in expected} == {
        name: [value] for name, value in expected.items()
    }
    assert found["ranks"]["mean_rank"] == test.mean_ranks.tolist()
    own = pairs.frame()
    assert found["pairs"]["better"] == own["better"].tolist()
    assert found["pairs"]["nemenyi"] == np.maximum(own["pvalue"], permutation).tolist()
    places = {name: k for k, name in enumerate(SCORES)}
    both = zip(found["pairs"]["better"], found["pairs"]["worse"], strict=True)
    by_signed_ranks = [signed.pvalues[places[a], places[b]] for a, b in both]
    assert found["pairs"]["wilcoxon_holm"] == by_signed_ranks
    joined = {}
    for number, name in zip(found["groups"]["group"], found["groups"]["method"], strict=True):
        joined.setdefault(number, []).append(name)
    assert [tuple(group) for group in joined.values()] == pairs.groups


def test_probabilities_of_scores_are_those_of_python():
    found = compared(1 - SCORES, larger_is_better=False, rope=0.02)["bayesian"]
    assert list(zip(found["one"], found["other"], strict=True)) == [
        ("best", "good"),
        ("best", "poor"),
        ("good", "poor"),
    ]
    for k, (one, other) in enumerate(zip(found["one"], found["other"], strict=True)):
        apart = (1 - SCORES)[other] - (1 - SCORES)[one]
        expected = hetsel.stats.bayesian_signed_rank_test(apart, rope=0.02)
        three = tuple(found[name][k] for name in ("one_better", "equivalent", "other_better"))
        assert three == (expected.right, expected.equivalent, expected.left)


def test_gaps_and_what_cannot_be_compared():
    gapped = SCORES.copy()
    gapped.iloc[1, 0] = np.nan
    assert compared(gapped)["tests"]["chi2"] == [hetsel.stats.skillings_mack(gapped).statistic]
    gapped.iloc[1, 0] = np.inf
    assert "needs a score in every block" in compared(gapped)["error"]["message"]
    alike = compared(pd.DataFrame({"a": K / 9, "b": K / 9}))
    assert alike["tests"]["reason"] == ["all methods tie in every block"]
    assert alike["pairs"]["better"] == []


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    plan = {
        "name": "small",
        "datasets": ["heart", {"name": "ranks", "treatment_of": "heart", "scale": "quantile"}],
        "methods": ["hsic", "hfs-nb"],
        "resamplings": 10,
        "sizes": [1, 2, 4],
    }
    store = str(tmp_path_factory.mktemp("study") / "small.sqlite")
    answer = facade.study(plan, store, jobs=0.0)
    assert "error" not in answer
    return store, answer["digest"]


def test_a_study_is_compared_as_in_python(study):
    found = facade.compare_study(*study, rope=0.03)
    expected = hetsel.compare_methods(hetsel.Results(study[0]))
    assert found["found"] == list(expected.found)
    for name in ("measure", "analysis", "method", "mean_rank"):
        assert found["ranks"][name] == expected.ranks[name].tolist()
    pairs = expected.bayesian_pairs(rope=0.03)
    for name in ("one", "other", "number", "difference", "one_better", "equivalent"):
        assert found["bayesian"][name] == pairs[name].tolist()
    tables = expected.tables()
    assert set(found["tables"]) == set(tables)
    for name, table in tables.items():
        crossed = pd.DataFrame(found["tables"][name])
        assert list(crossed) == list(table)
        for column in table:
            numbers = table[column].dtype.kind in "if"
            values = [None if pd.isna(v) else v if numbers else str(v) for v in table[column]]
            mine = [None if pd.isna(v) else v if numbers else str(v) for v in crossed[column]]
            assert mine == values, (name, column)
    refused = facade.compare_study(*study, score="r2")["error"]["message"]
    assert refused.startswith("score must be one of")
    changed = facade.compare_study(study[0], "another digest")["warnings"]
    assert "other results" in changed[0]["message"]


def test_stability_of_a_study_is_that_of_its_signatures(study):
    rows = pd.DataFrame(facade.study_stability(*study))
    assert len(rows) == 2 * 2 * 3
    results = hetsel.Results(study[0])
    for row in rows.to_dict("records"):
        _, chosen = results.signatures(row["dataset"], row["method"], row["size"])
        for name in ("kuncheva", "cw_rel", "ati", "nogueira"):
            assert row[name] == getattr(hetsel.stability, name)(chosen)
        assert (row["subsets"], row["features"]) == chosen.shape


def test_stability_of_subsets_of_different_sizes_has_no_index_of_kuncheva():
    chosen = np.array([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0], [0, 0, 1, 1.0]])
    (found,) = pd.DataFrame(facade.stability(chosen.ravel(order="F"), 4.0, 0.9)).to_dict("records")
    assert found["kuncheva"] is None
    interval = hetsel.stability.nogueira_interval(chosen == 1, level=0.9)
    assert (found["low"], found["high"]) == (interval.low, interval.high)
    assert found["ati"] == hetsel.stability.ati(chosen == 1)
