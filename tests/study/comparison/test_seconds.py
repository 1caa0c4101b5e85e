"""Seconds of selections: elapsed and of the processor, tested with data sets as blocks."""

import time

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from scipy import stats
from study.studies import Told, run, small_study

from hetsel import compare_methods
from hetsel.study.comparison.ranked_summary import CLOCKS
from hetsel.study.comparison.study_summary import Summary
from hetsel.study.summary_tables.means_over_data_sets import on_front


class Waiting(Told):
    """Waits, as for a server, and needs no processor."""

    def _select(self, problem):
        time.sleep(0.02)
        return super()._select(problem)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    X, y = mixed_frame(n=60, continuous=3, nominal=2)
    datasets = [{"name": f"t{k}", "X": X[k:], "y": y[k:]} for k in range(5)]
    study = small_study(datasets=datasets, methods=["hsic", Waiting()], resamplings=3, sizes=[2])
    return run(study, tmp_path_factory.mktemp("seconds") / "a.sqlite")


def test_a_method_that_waits_has_elapsed_seconds(results):
    elapsed, cpu = (Summary(results).seconds[clock.key] for clock in CLOCKS)
    assert (elapsed["Waiting"] >= 0.02).all()
    assert (cpu["Waiting"] < 0.02).all()


def test_rank_tests_of_seconds_are_those_of_scipy(results):
    frame = results.frame().assign(
        rank_elapsed=lambda t: 1 + t["method"].eq("Waiting") * 2.0 + t["resampling"] / 10,
        rank_seconds=lambda t: 1.0 + t["dataset"].str[1:].astype(int) % 2 * t["method"].eq("hsic"),
    )
    results = results.of_data_sets(list(results.datasets))
    results._frame = frame
    tables = compare_methods(results).tables()
    ranks = tables["seconds_ranks"].set_index(["measure", "method"])["mean_rank"]
    assert ranks["elapsed seconds"].to_dict() == {"hsic": 1.0, "Waiting": 2.0}
    assert ranks["CPU seconds"].to_dict() == {"hsic": 1.7, "Waiting": 1.3}
    table = tables["seconds"].set_index(["dataset", "method"])
    assert table.loc[("t0", "hsic"), ["rank_elapsed", "rank_seconds"]].tolist() == pytest.approx(
        [1.1, 1]
    )
    means = frame.groupby(["dataset", "method"])["rank_elapsed"].mean().unstack()
    pairs = tables["seconds_pairs"].set_index("measure").loc["elapsed seconds"]
    signed = stats.wilcoxon(np.log(means["hsic"]), np.log(means["Waiting"]), method="exact")
    assert pairs["wilcoxon_holm"] == pytest.approx(signed.pvalue)
    assert (pairs["better"], pairs["worse"]) == ("hsic", "Waiting")
    tests = tables["seconds_tests"].set_index("measure")
    # all five data sets agree: two of the 2^5 orders
    assert tests.loc["elapsed seconds", "permutation_pvalue"] == pytest.approx(2 / 32)


def test_the_front_has_the_methods_that_no_other_exceeds():
    rng = np.random.default_rng(0)
    for _ in range(50):
        values = rng.integers(0, 4, (6, 2))
        slow = [
            not any(all(b >= a) and any(b > a) for b in values)
            for a in values  # dominated
        ]
        assert on_front(values).tolist() == slow
    assert on_front(np.empty((0, 2))).tolist() == []
    table = pd.DataFrame({"a": [1.0]})
    assert on_front(table.to_numpy()).tolist() == [True]
