"""What R has of a study beyond its scores: mean ranks, and signatures by resampling."""

import crossing as facade
import numpy as np
import pandas as pd
import pytest

from hetsel.study.comparison.study_summary import Summary
from hetsel.study.results import Results
from r_bridge.from_r import studies

K = np.arange(60.0)


def table(number):
    """A table of two features; the first tells the classes."""
    columns = {
        "a": np.sin(K * number) + (K % 2) * 2,
        "b": pd.Categorical(np.array(["x", "y", "z"])[((K * number) % 3).astype(int)]),
        "c": np.cos(K + number),
    }
    target = K % 2 == 1
    return {"name": f"t{number}", "columns": pd.DataFrame(columns), "target": target, "kinds": {}}


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    store = str(tmp_path_factory.mktemp("store") / "r.sqlite")
    plan = {"methods": ["rfe-svm", "variance", "hsic"], "resamplings": 4.0, "seed": 1.0}
    answer = facade.study(plan, store, tables=[table(k) for k in (1, 2, 3)], jobs=0.0)
    return answer, store


def test_mean_ranks_are_those_of_the_report(ran):
    answer, store = ran
    summary = Summary(Results(store))
    expected = [
        (measure.key, analysis.head, method, rank, analysis.test.blocks)
        for measure in summary.measures
        for analysis in summary.made(measure)
        for method, rank in analysis.test.ordered
    ]
    assert expected
    ranks = answer["ranks"]
    names = ("measure", "analysis", "method", "mean_rank", "number")
    assert list(zip(*(ranks[name] for name in names), strict=True)) == expected
    assert set(answer["alike"]["method"]) == {"rfe-svm", "variance", "hsic"}


def test_signatures_are_those_of_the_store(ran):
    _, store = ran
    found = facade.study_signatures(store, "t2", "hsic", 2.0)
    numbers, chosen = Results(store).signatures("t2", "hsic", 2)
    assert found.pop("warnings") == []
    names = np.array(["a", "b", "c"])
    expected = zip(numbers.tolist(), chosen, strict=True)
    assert found == {str(number): names[mask].tolist() for number, mask in expected}


@pytest.mark.parametrize(
    ("place", "word"),
    [(("t9", "hsic", 2), "t9"), (("t1", "no", 2), "no"), (("t1", "hsic", 7), "size")],
)
def test_a_signature_that_is_not_there_is_refused(ran, place, word):
    assert word in facade.study_signatures(ran[1], *place)["error"]["message"]


def test_a_store_that_is_gone_is_refused_and_not_made(tmp_path):
    gone = tmp_path / "gone.sqlite"
    assert str(gone) in facade.study_signatures(str(gone), "t1", "hsic", 1)["error"]["message"]
    assert not gone.exists()


def test_warnings_of_a_study_are_in_the_words_of_r():
    frame = pd.DataFrame({"warning": ["class_weight='balanced' helps", "shrinking=True"]})
    told = studies._in_words_of_r(frame, "warning")["warning"].tolist()
    assert told == ['class_weight = "balanced" helps', "shrinking=TRUE"]


def test_free_memory_is_a_number_of_bytes():
    free = facade.memory()
    assert free is None or free > 2**20


def test_the_halves_of_a_signature_are_what_python_selected():
    one = table(1)
    options = {"folds": 3.0, "repeats": 1.0, "permutations": 0.0, "pairs": 5.0}
    found = facade.select(one["columns"], one["target"], "hsic", 1.0, options=options)
    assert len(found["half_samples"]) == 10
    counts = {name: np.mean([name in half for half in found["half_samples"]]) for name in "abc"}
    assert dict(zip(*found["frequency"].values(), strict=True)) == pytest.approx(counts)
